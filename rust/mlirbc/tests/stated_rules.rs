//! Texts that exactly some releases refuse, as `mlir-opt` of these releases does (`scripts/verify-agreement --rules`).

#![allow(missing_docs, clippy::unwrap_used)]

use std::path::Path;

use mlirbc::Release;
use mlirbc::parse::{ParseOptions, parse};

const MARK: &str = "// -----\n";
const HEADING: &str = "// refused by: ";

/// Returns a reason to refuse a text in a release.
fn refusal(text: &str, release: u32) -> Option<String> {
    let options = ParseOptions::default().target(Release::named(format!("llvm-{release}")));
    let module = match parse(text.as_bytes(), &options) {
        Ok(module) => module,
        Err(error) => return Some(error.to_string()),
    };
    let checks = module.verify_operations().unwrap();
    checks.errors().first().map(ToString::to_string)
}

#[test]
fn releases_refuse_what_their_verifiers_refuse() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/rules/cases.txt");
    let cases = std::fs::read_to_string(path).unwrap();
    let mut differences = Vec::new();
    for case in cases.split(MARK) {
        let (heading, text) = case.split_once('\n').unwrap();
        let by: Vec<&str> = heading.strip_prefix(HEADING).unwrap().split(' ').collect();
        for release in [16, 19, 22] {
            let is_expected = by.contains(&release.to_string().as_str());
            let refusal = refusal(text, release);
            if refusal.is_some() != is_expected {
                differences.push(format!("{release}: {refusal:?}\n{text}"));
            }
        }
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
    assert!(cases.split(MARK).count() > 80);
}
