//! Release knowledge is data: no file but the owner compares a version of LLVM with a number.

#![allow(missing_docs, clippy::unwrap_used)]

use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::{TokenStream, TokenTree};

/// Names that hold a version of LLVM.
const VERSIONS: &[&str] = &["release", "llvm", "to", "from", "style"];

/// The words of a file without its modules of tests.
fn words(stream: TokenStream, all: &mut Vec<String>) {
    let mut trees = stream.into_iter();
    let mut is_tests = false;
    for tree in &mut trees {
        match tree {
            TokenTree::Group(_) if is_tests => is_tests = false,
            TokenTree::Group(group) => {
                let is_call = group.stream().is_empty();
                all.push(if is_call { "()".to_owned() } else { "(".to_owned() });
                words(group.stream(), all);
            }
            TokenTree::Ident(word) => {
                is_tests = word == "tests" && all.last().is_some_and(|last| last == "mod");
                all.push(word.to_string());
            }
            tree => all.push(tree.to_string()),
        }
    }
}

/// The comparisons of versions with numbers: `release.0`, `llvm >= 22`, `Llvm(22)` and `Moment::Release(22)`.
fn comparisons(code: &str) -> Vec<String> {
    let mut all = Vec::new();
    words(code.parse().unwrap(), &mut all);
    all.retain(|word| word != "()");
    let is_version_number = |word: Option<&String>| {
        word.and_then(|word| word.parse::<u32>().ok()).is_some_and(|number| number >= 16)
    };
    let mut comparisons = Vec::new();
    for (place, word) in all.iter().enumerate() {
        let next = |distance: usize| all.get(place + distance);
        let follows = |distance: usize, mark: &str| next(distance).is_some_and(|word| word == mark);
        let is_version = VERSIONS.contains(&word.as_str());
        let has_sign = |distance: usize| ["=", "<", ">"].iter().any(|sign| follows(distance, sign));
        let is_compared = match (has_sign(1), has_sign(2)) {
            (true, true) => is_version_number(next(3)),
            (true, false) => !follows(1, "=") && is_version_number(next(2)),
            (false, _) => false,
        };
        let is_forbidden = word == "release" && follows(1, ".") && follows(2, "0")
            || is_version && is_compared
            || matches!(word.as_str(), "Llvm" | "Release") && follows(1, "(") && is_version_number(next(2));
        if is_forbidden {
            comparisons.push(all[place..all.len().min(place + 4)].join(" "));
        }
    }
    comparisons
}

fn files(folder: &Path, paths: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => files(&path, paths),
            false => paths.extend(path.extension().is_some_and(|name| name == "rs").then_some(path)),
        }
    }
}

#[test]
fn versions_of_llvm_are_compared_by_gates_only() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut paths = Vec::new();
    for package in ["mlirbc", "mlirbc-smith", "mlirbc-cli", "mlirbc-py"] {
        files(&root.join(package).join("src"), &mut paths);
    }
    let owner = root.join("mlirbc/src/release");
    let is_test =
        |path: &Path| path.file_stem().is_some_and(|name| name.to_string_lossy().ends_with("tests"));
    let mut wrong = Vec::new();
    for path in paths.iter().filter(|path| !path.starts_with(&owner) && **path != owner.with_extension("rs"))
    {
        if !is_test(path) {
            let code = fs::read_to_string(path).unwrap();
            wrong.extend(comparisons(&code).into_iter().map(|text| format!("{}: {text}", path.display())));
        }
    }
    assert!(wrong.is_empty(), "use a row `[gate.NAME]` of data/releases.toml:\n{}", wrong.join("\n"));
}

#[test]
fn comparisons_are_found() {
    for code in [
        "fn f() { if self.release.0 < x {} }",
        "fn f() { s.release().0 }",
        "fn f() { self.llvm >= 22 }",
        "fn f() { release < 22 }",
        "fn f() { release == 16 }",
        "fn f() { Llvm(22) }",
        "fn f() { Moment::Release(22) }",
    ] {
        assert_eq!(comparisons(code).len(), 1, "{code}");
    }
    let code = "fn f() { let release = 22; release.has_gate() } mod tests { fn g() { Llvm(22) } }";
    assert!(comparisons(code).is_empty());
}
