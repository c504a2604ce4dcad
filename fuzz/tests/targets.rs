//! Files that are generated from tables: the list of targets for shell scripts, the list in CONTRIBUTING.md,
//! and the dictionary. With `MLIRBC_REWRITE=1` the tests write the files.

#![allow(clippy::expect_used)]

#[path = "../../rust/mlirbc/tests/support/mod.rs"]
mod support;

use mlirbc_fuzz::dictionary;
use mlirbc_fuzz::targets::{TARGETS, table};

const HEADING: &str = "| target | property |\n|---|---|\n";

#[test]
fn scripts_have_the_table() {
    check("fuzz/targets.tsv", &table());
}

#[test]
fn the_contributors_page_has_the_table() {
    let page = std::fs::read_to_string(support::root().join("CONTRIBUTING.md")).expect("the page");
    let (before, rest) = page.split_once(HEADING).expect("the page has a table of targets");
    let (_, after) = rest.split_once("\n\n").expect("text follows the table");
    let rows: Vec<String> =
        TARGETS.iter().map(|target| format!("| `{}` | {} |", target.name, target.property)).collect();
    check("CONTRIBUTING.md", &format!("{before}{HEADING}{}\n\n{after}", rows.join("\n")));
}

#[test]
fn the_dictionary_is_current() {
    check("fuzz/mlirbc.dict", &dictionary::text());
}

#[test]
fn seeds_and_regressions_exist() {
    for target in TARGETS {
        for path in target.seeds {
            assert!(support::root().join(path).exists(), "{}: {path} is missing", target.name);
        }
    }
    for folder in std::fs::read_dir(support::root().join("fuzz/regressions")).expect("the folder") {
        let name = folder.expect("an entry").file_name();
        assert!(TARGETS.iter().any(|target| name == target.name), "regressions of no target: {name:?}");
    }
}

fn check(path: &str, expected: &str) {
    let file = support::root().join(path);
    if std::env::var_os("MLIRBC_REWRITE").is_some() {
        std::fs::write(&file, expected).expect("a file of the repository");
    }
    let actual = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(
        actual == expected,
        "{path} differs; run MLIRBC_REWRITE=1 cargo test -p mlirbc-fuzz --test targets"
    );
}
