//! Files that are generated from tables: the list of targets for shell scripts and the
//! dictionary. With `MLIRBC_REWRITE=1` the tests write the files.

#![allow(clippy::expect_used)]

#[path = "../../rust/mlirbc/tests/support/mod.rs"]
mod support;

use mlirbc_fuzz::dictionary;
use mlirbc_fuzz::targets::{TARGETS, table};

#[test]
fn scripts_have_the_table() {
    check("fuzz/targets.tsv", &table());
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
