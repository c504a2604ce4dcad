//! `mlirbc ops --format parquet` has the rows of `--format json`; `cargo test --features parquet` runs this.
#![cfg(feature = "parquet")]
#![allow(clippy::unwrap_used, clippy::panic)]

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::{Field, Row};
use serde_json::{Map, Value};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn run(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_mlirbc")).args(arguments).current_dir(root()).output().unwrap()
}

fn value(field: &Field) -> Value {
    match field {
        Field::Null => Value::Null,
        Field::Str(text) => text.as_str().into(),
        Field::UInt(number) => (*number).into(),
        Field::ListInternal(list) => list.elements().iter().map(value).collect(),
        other => panic!("{other:?}"),
    }
}

fn object(row: &Row) -> Value {
    row.get_column_iter().map(|(name, field)| (name.clone(), value(field))).collect::<Map<_, _>>().into()
}

fn rows(path: &Path) -> Vec<Value> {
    let reader = SerializedFileReader::new(File::open(path).unwrap()).unwrap();
    reader.get_row_iter(None).unwrap().map(|row| object(&row.unwrap())).collect()
}

fn json(files: &[&str]) -> (Option<i32>, Vec<Value>) {
    let output = run(&[&["ops", "--format", "json"], files].concat());
    let lines = std::str::from_utf8(&output.stdout).unwrap().lines();
    (output.status.code(), lines.map(|line| serde_json::from_str(line).unwrap()).collect())
}

#[test]
fn rows_are_those_of_json() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ops.parquet");
    let name = path.to_str().unwrap();
    let (layers, layout) = ("examples/two_layers.mlirbc", "examples/layout.mlirbc");
    // The second file has other names, and the third cannot be read.
    for files in [&[layers][..], &[layers, layout], &[layers, "README.md", layout]] {
        let (status, expected) = json(files);
        let output = run(&[&["ops", "--format", "parquet", "-o", name], files].concat());
        assert_eq!(output.status.code(), status, "{}", String::from_utf8_lossy(&output.stderr));
        assert!(expected.len() > 30);
        assert_eq!(rows(&path), expected);
    }
}

#[test]
fn standard_output_has_the_same_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ops.parquet");
    let output = run(&["ops", "--format", "parquet", "examples/two_layers.mlirbc"]);
    assert!(output.status.success());
    std::fs::write(&path, &output.stdout).unwrap();
    assert_eq!(rows(&path), json(&["examples/two_layers.mlirbc"]).1);
}

#[test]
fn without_a_table_an_old_file_stays() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ops.parquet");
    std::fs::write(&path, "old").unwrap();
    let output = run(&["ops", "--format", "parquet", "-o", path.to_str().unwrap(), "README.md"]);
    assert_eq!(output.status.code(), Some(3));
    assert_eq!(std::fs::read(&path).unwrap(), b"old");
}
