//! Files of builds without definitions of their own: printed as the build prints them, and assembled to the same module.
//!
//! `tools/operations/probe_forms.py --join` made them: each has the operations that the build was asked about.

#![allow(missing_docs, clippy::unwrap_used)]

use std::path::{Path, PathBuf};

use mlirbc::file::ReadOptions;
use mlirbc::parse::ParseOptions;
use mlirbc::print::PrintOptions;
use mlirbc::write::Numbering;
use mlirbc::{Module, WriteOptions};

fn files() -> Vec<(String, PathBuf)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/builds");
    let paths = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let bytecode = paths.filter(|path| path.extension().is_some_and(|extension| extension == "mlirbc"));
    let mut files: Vec<_> =
        bytecode.map(|path| (path.file_stem().unwrap().to_str().unwrap().to_owned(), path)).collect();
    files.sort();
    files
}

fn read(release: &str, path: &Path) -> Module {
    let options = ReadOptions::default().release(mlirbc::Release::named(release.to_owned()));
    Module::open_with(path, &options).unwrap()
}

fn canonical(module: &Module) -> Vec<u8> {
    let options =
        WriteOptions::default().numbering(Numbering::Canonical).strip_locations(true).producer(b"p".to_vec());
    let mut bytes = Vec::new();
    module.write(&mut bytes, &options).unwrap();
    bytes
}

#[test]
fn files_of_builds_are_printed_as_by_the_build() {
    let all = files();
    assert!(all.len() >= 5);
    for (release, path) in all {
        let mut text = Vec::new();
        read(&release, &path).print(&mut text, &PrintOptions::default()).unwrap();
        let text = String::from_utf8(text).unwrap();
        let expected = std::fs::read_to_string(path.with_extension("mlir")).unwrap();
        for (line, (ours, theirs)) in text.lines().zip(expected.lines()).enumerate() {
            assert_eq!(ours, theirs, "{release}, line {}", line + 1);
        }
        assert_eq!(text.trim_end(), expected.trim_end(), "{release}");
    }
}

#[test]
fn texts_of_builds_are_assembled_to_the_module_of_the_build() {
    for (release, path) in files() {
        let text = std::fs::read_to_string(path.with_extension("mlir")).unwrap();
        let options = ParseOptions::default().target(mlirbc::Release::named(release.clone()));
        let bytes = mlirbc::parse::assemble(&text, &options).unwrap();
        let parsed = Module::from_bytes(bytes).unwrap();
        assert!(canonical(&parsed) == canonical(&read(&release, &path)), "{release}");
    }
}
