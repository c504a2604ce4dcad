//! `mlirbc smith --dialects`: modules have entries of a dialect that a table declares.

#![allow(missing_docs, clippy::unwrap_used)]

use std::process::Command;

use mlirbc::dialect::DialectTable;
use mlirbc::{Module, ReadOptions, smith};

const TABLE: &str = "dialect = 'vendor'\n[[attribute]]\ncode = 0\nname = 'SizeAttr'\nmnemonic = 'size'\n\
                     fields = ['number: varint', 'of: type']\nasm = '<{params}>'\n";

#[test]
fn entries_of_a_declared_dialect_are_in_the_files() {
    let folder = tempfile::tempdir().unwrap();
    let (table, modules) = (folder.path().join("vendor.toml"), folder.path().join("modules"));
    std::fs::write(&table, TABLE).unwrap();
    let mlirbc = || Command::new(env!("CARGO_BIN_EXE_mlirbc"));
    let output = mlirbc()
        .args(["smith", "--count", "20", "--dialect", "vendor", "--dialects"])
        .args([&table, &"-o".into(), &modules])
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let options = ReadOptions::default().dialects(vec![DialectTable::from_toml(TABLE).unwrap()]);
    let mut count = 0;
    for file in std::fs::read_dir(&modules).unwrap() {
        let bytes = std::fs::read(file.unwrap().path()).unwrap();
        let module = Module::from_source(bytes.into(), &options).unwrap();
        let entries = smith::recode(&module).unwrap();
        count += entries.into_iter().filter(|one| one.as_ref().unwrap().row.dialect() == "vendor").count();
    }
    assert!(count > 10, "{count}");
}

#[test]
fn a_dialect_that_nothing_declares_is_an_error_of_the_command_line() {
    let folder = tempfile::tempdir().unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_mlirbc"))
        .args(["smith", "--dialect", "vendor", "-o"])
        .arg(folder.path())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
}
