//! `docs/reference/errors.md` lists `mlirbc::error::DOMAINS`. `MLIRBC_REWRITE=1` rewrites it.

#![allow(missing_docs, clippy::unwrap_used)]

mod support;

use std::fmt::Write;

use mlirbc::error::{DOMAINS, ErrorClass, RULES, Rule};

use crate::support::root;

const HEAD: &str = "\
# Errors

Every error of mlirbc has a stable identifier from this page. If they are known, it also has the byte
offset, the section, the path through the IR, what was expected, what was found, and a hint. Programs
should compare the identifier and not the message. A release may add identifiers. `mlirbc verify --json`
and the exceptions in Python have the same fields.

Each section of this page is a part of mlirbc. An error means that its rule is broken; the class of the
rule decides the exception in Python.

The tables of rules in the source generate this page:
`MLIRBC_REWRITE=1 cargo test -p mlirbc --test errors_page`.

| class | in Python | meaning |
|---|---|---|
";

const CLASSES: [(ErrorClass, &str, &str); 6] = [
    (ErrorClass::Read, "`ReadError`", "The file violates a rule of the format."),
    (ErrorClass::Limit, "`LimitError`", "The file needs more than the limits allow. It may be valid."),
    (
        ErrorClass::Unsupported,
        "`UnsupportedError`",
        "The file, or the requested result, needs something that mlirbc does not support.",
    ),
    (
        ErrorClass::Invalid,
        "`InvalidError`",
        "An argument is invalid: a dialect table, a property schema, a text, a value.",
    ),
    (
        ErrorClass::Io,
        "the matching `OSError`",
        "An operation of the operating system failed; the message names the file and the reason.",
    ),
    (
        ErrorClass::Interrupted,
        "`KeyboardInterrupt`",
        "The caller requested to stop. The same call can be made again.",
    ),
];

fn page() -> String {
    let mut page = HEAD.to_owned();
    for (class, python, meaning) in CLASSES {
        writeln!(page, "| {class:?} | {python} | {meaning} |").unwrap();
    }
    for domain in DOMAINS {
        write!(page, "\n## {}\n\n{}\n", domain.name, domain.summary).unwrap();
        domain.rules.iter().for_each(|rule| page.push_str(&section(rule)));
    }
    page
}

fn section(rule: &Rule) -> String {
    let hint = rule.hint.map(|hint| format!("What to do: {hint}.\n")).unwrap_or_default();
    let Rule { identifier, class, summary, .. } = rule;
    format!("\n### `{identifier}`\n\nClass {class:?}. Rule: {summary}.\n{hint}")
}

#[test]
fn the_page_is_up_to_date() {
    let path = root().join("docs/reference/errors.md");
    let page = page();
    if std::env::var_os("MLIRBC_REWRITE").is_some() {
        std::fs::write(&path, &page).unwrap();
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default().replace("\r\n", "\n");
    assert!(
        written == page,
        "docs/reference/errors.md is out of date: set MLIRBC_REWRITE=1 and run this test again"
    );
}

#[test]
fn every_rule_is_on_the_page() {
    let page = page();
    for rule in RULES {
        assert_eq!(page.matches(&format!("### `{}`\n", rule.identifier)).count(), 1, "{}", rule.identifier);
    }
}
