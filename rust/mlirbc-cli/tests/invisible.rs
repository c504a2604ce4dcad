//! Names with characters that reorder text or show nothing, in everything that a command writes for browsers and
//! programs.

#![allow(clippy::unwrap_used, clippy::panic)]

mod support;

use std::fs;
use std::path::Path;

use mlirbc::tool::is_risky;
use support::{run, text};

/// Characters of each kind: directions, separators, C0 and C1 controls, joiners, tags, fillers.
const RISKY: &str = "\u{202e}\u{202d}\u{2066}\u{2069}\u{200f}\u{61c}\u{2028}\u{2029}\u{1b}\u{7f}\u{80}\u{85}\u{9b}\u{9f}\
                     \u{ad}\u{200b}\u{200d}\u{2060}\u{feff}\u{180e}\u{e0001}\u{e0041}\u{1d173}\u{3164}\u{fff9}";

/// Makes a module whose symbols, resources, attributes, locations and strings have one risky character each, and another
/// one with other values.
fn modules(folder: &Path) {
    let quoted = |c: char| c.to_string().bytes().map(|byte| format!("\\{byte:02X}")).collect::<String>();
    for (name, value) in [("a.mlir", 1), ("b.mlir", 2)] {
        let mut assembly = String::new();
        let mut resources = Vec::new();
        for (number, c) in RISKY.chars().enumerate() {
            let c = quoted(c);
            assembly.push_str(&format!(
                "func.func @\"f{number}{c}\"() attributes {{\"t.k{number}{c}\" = \"{c}\"}} {{\n  %0 = arith.constant {value} : i32 \
                 loc(\"{c}\")\n  %1 = arith.constant dense_resource<\"r{number}{c}\"> : tensor<2xi8>\n  return\n}}\n"
            ));
            resources.push(format!("\"r{number}{c}\": \"0x010000000{value}0{value}\""));
        }
        let resources = resources.join(", ");
        let assembly = format!("{assembly}\n{{-# dialect_resources: {{ builtin: {{ {resources} }} }} #-}}\n");
        let (source, module) = (folder.join(name), folder.join(name).with_extension("mlirbc"));
        fs::write(&source, assembly).unwrap();
        let output = run(["assemble".as_ref(), source.as_os_str(), "-o".as_ref(), module.as_os_str()]);
        assert!(output.status.success(), "{}", text(&output.stderr));
    }
}

#[track_caller]
fn check(what: &str, written: &str) {
    let risky: String = written.chars().filter(|&c| is_risky(c) && !matches!(c, '\n' | '\t')).collect();
    assert!(risky.is_empty(), "{what}: {risky:?}");
}

#[test]
fn pages_pictures_and_json_have_no_invisible_characters() {
    let folder = tempfile::tempdir().unwrap();
    modules(folder.path());
    let words = |line: &str| -> Vec<String> {
        let path = |word: &str| folder.path().join(word).display().to_string();
        line.split(' ').map(|word| if word.contains('.') { path(word) } else { word.to_owned() }).collect()
    };
    for (line, made) in [
        ("explore a.mlirbc -o x.html", "x.html"),
        ("diff a.mlirbc b.mlirbc --html d.html", "d.html"),
        ("size a.mlirbc --html s.html", "s.html"),
        ("size a.mlirbc --svg s.svg", "s.svg"),
        ("split a.mlirbc -o parts.d", "parts.d"),
    ] {
        let output = run(words(line));
        assert!(text(&output.stderr).is_empty() || !text(&output.stderr).contains("error"), "{line}");
        check(line, text(&output.stdout));
        let mut output_path = folder.path().join(made);
        if output_path.is_dir() {
            let entries = fs::read_dir(output_path).unwrap().map(|entry| entry.unwrap().path());
            output_path = entries.into_iter().find(|path| path.extension() == Some("json".as_ref())).unwrap();
        }
        let written = fs::read_to_string(&output_path).unwrap();
        check(line, &written);
        assert!(written.contains("202e"), "{line}");
        if output_path.extension() == Some("html".as_ref()) {
            policy(&written);
        }
    }
    for line in [
        "info --json a.mlirbc",
        "ops --json a.mlirbc",
        "size --json a.mlirbc",
        "diff --json a.mlirbc b.mlirbc",
        "resources --json a.mlirbc",
        "weights --json a.mlirbc",
        "hash --json --symbols a.mlirbc",
        "dump --json a.mlirbc",
        "verify --json a.mlirbc",
    ] {
        let output = run(words(line));
        check(line, text(&output.stdout));
        for document in
            text(&output.stdout).lines().filter(|text| text.starts_with('{') && text.ends_with('}'))
        {
            serde_json::from_str::<serde_json::Value>(document).unwrap();
        }
    }
}

/// A page allows nothing but what it brings: the hashes of its styles and scripts.
#[track_caller]
fn policy(page: &str) {
    let (_, policy) = page.split_once("<meta http-equiv=\"Content-Security-Policy\" content=\"").unwrap();
    let (policy, rest) = policy.split_once('"').unwrap();
    assert!(policy.starts_with("default-src 'none'; style-src 'sha256-"), "{policy}");
    assert!(policy.ends_with("; base-uri 'none'; form-action 'none'"), "{policy}");
    assert!(!policy.contains("unsafe") && !policy.contains('*') && !policy.contains("http"), "{policy}");
    // No style and no script that the policy does not have.
    let count = |text: &str, what: &str| text.matches(what).count();
    assert_eq!(count(policy, "sha256-"), count(rest, "<style>") + count(rest, "<script>"), "{policy}");
    assert_eq!(count(policy, "script-src"), count(rest, "<script>"), "{policy}");
    for forbidden in [" style=\"", " onclick", " onload", "src=\"", "href=\"http"] {
        let markup = rest.split("<script").next().unwrap();
        assert!(!markup.contains(forbidden), "{forbidden}");
    }
}
