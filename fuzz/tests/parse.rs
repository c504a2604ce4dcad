//! Runs the oracle for parsing on the texts of the repository, and on mutations of these texts.

#![allow(clippy::unwrap_used)]

#[path = "../../rust/mlirbc/tests/support/mod.rs"]
mod support;

use mlirbc_fuzz::cost;
use mlirbc_fuzz::mutate::{Noise, edit};
use mlirbc_fuzz::parse::run_for;

fn texts() -> Vec<Vec<u8>> {
    texts_of("tests/data/mlir")
}

fn texts_of(folder: &str) -> Vec<Vec<u8>> {
    let folder = support::root().join(folder);
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths.into_iter().filter(|path| path.is_file()).map(|path| std::fs::read(path).unwrap()).collect()
}

#[test]
fn every_text_parses_or_has_an_error_with_a_place() {
    for text in texts() {
        for target in ["llvm-22", "llvm-19", "llvm-16"] {
            cost::alone(|| run_for(&text, target));
        }
    }
}

#[test]
fn mutations_parse_or_have_an_error_with_a_place() {
    let mut noise = Noise::new(17);
    for text in texts() {
        for _ in 0..20 {
            let mut text = text.clone();
            edit(&mut text, &mut noise);
            cost::alone(|| run_for(&text, "llvm-22"));
        }
    }
}

#[test]
fn texts_cost_what_their_length_allows() {
    for text in cost::alone(texts) {
        for target in ["llvm-22", "llvm-19", "llvm-16"] {
            cost::parse(&text, target);
        }
    }
}

#[test]
fn every_regression_passes() {
    // The first byte selects the release.
    for input in cost::alone(|| texts_of("fuzz/regressions/parse")) {
        mlirbc_fuzz::parse::run(&input);
    }
}

#[test]
fn deep_and_unfinished_texts_are_errors() {
    let deep = "\"t.r\"() ({\n".repeat(50_000);
    let types = format!("\"t.a\"() : () -> {}", "tuple<".repeat(50_000));
    for text in
        [&deep, &types, "\"", "\"t.a\"() {a = \"", "%", "^", "#", "{-#", "func.func @f(", "%0:99999999 = "]
    {
        cost::alone(|| run_for(text.as_bytes(), "llvm-22"));
        cost::parse(text.as_bytes(), "llvm-22");
    }
}
