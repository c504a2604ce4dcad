//! The pack of CIRCT: files that CIRCT wrote are printed as CIRCT prints them, and its texts are parsed.

#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::{Path, PathBuf};

use mlirbc::limits::Limits;
use mlirbc::pack::Pack;
use mlirbc::parse::{ParseOptions, parse};
use mlirbc::print::PrintOptions;
use mlirbc::{Module, ReadOptions};

const RELEASE: &str = "circt-1.156.0";
const CASES: &[&str] = &["design", "forms"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn register() {
    let path = root().join(format!("packages/mlirbc-dialects/mlirbc_dialects/{RELEASE}.mlirpack"));
    let pack = Pack::from_bytes(&std::fs::read(path).unwrap(), &Limits::default()).unwrap();
    assert_eq!(pack.warnings(), []);
    pack.register().unwrap();
}

fn case(name: &str, extension: &str) -> Vec<u8> {
    std::fs::read(root().join(format!("tests/data/packs/circt/{name}.{extension}"))).unwrap()
}

fn printed(module: &Module, options: &PrintOptions) -> String {
    let mut text = Vec::new();
    module.print(&mut text, options).unwrap();
    String::from_utf8(text).unwrap()
}

#[test]
fn files_are_printed_as_circt_prints_them() {
    register();
    for name in CASES {
        // The producer string and the operations tell the release.
        let module = Module::from_source(case(name, "mlirbc").into(), &ReadOptions::default()).unwrap();
        assert_eq!(
            printed(&module, &PrintOptions::default()),
            String::from_utf8(case(name, "mlir")).unwrap()
        );
    }
}

#[test]
fn texts_are_parsed_as_circt_parses_them() {
    register();
    let generic = PrintOptions::generic();
    for name in CASES {
        let options = ParseOptions::default().target(mlirbc::Release::named(RELEASE.to_owned()));
        let module = parse(case(name, "mlir"), &options).unwrap();
        let mut bytes = Vec::new();
        module.write(&mut bytes, &Default::default()).unwrap();
        let read = ReadOptions::default().release(mlirbc::Release::named(RELEASE.to_owned()));
        let (mine, theirs) = (bytes, case(name, "mlirbc"));
        let [mine, theirs] = [mine, theirs].map(|bytes| Module::from_source(bytes.into(), &read).unwrap());
        assert_eq!(printed(&mine, &generic), printed(&theirs, &generic));
    }
}
