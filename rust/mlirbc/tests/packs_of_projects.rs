//! Packs of CIRCT and HEIR: files that their tools wrote are printed as the tools print them, and the texts are parsed.

#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::{Path, PathBuf};

use mlirbc::limits::Limits;
use mlirbc::pack::Pack;
use mlirbc::parse::{ParseOptions, parse};
use mlirbc::print::PrintOptions;
use mlirbc::{Module, ReadOptions};

/// Releases, and the names of cases.
const CASES: &[(&str, &str)] = &[
    ("circt-1.156.0", "circt/design"),
    ("circt-1.156.0", "circt/forms"),
    ("circt-1.156.0", "circt/parts"),
    ("circt-1.156.0", "circt/cases"),
    ("heir-2026.8.1", "heir/names"),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn register() {
    for release in ["circt-1.156.0", "heir-2026.8.1"] {
        let path = root().join(format!("packages/mlirbc-dialects/mlirbc_dialects/{release}.mlirpack"));
        let pack = Pack::from_bytes(&std::fs::read(path).unwrap(), &Limits::default()).unwrap();
        assert_eq!(pack.warnings(), []);
        pack.register().unwrap();
    }
}

fn case(name: &str, extension: &str) -> Vec<u8> {
    std::fs::read(root().join(format!("tests/data/packs/{name}.{extension}"))).unwrap()
}

fn printed(module: &Module, options: &PrintOptions) -> String {
    let mut text = Vec::new();
    module.print(&mut text, options).unwrap();
    String::from_utf8(text).unwrap()
}

#[test]
fn files_are_printed_as_their_tools_print_them() {
    register();
    for (_, name) in CASES {
        // The producer string and the operations tell the release.
        let module = Module::from_source(case(name, "mlirbc").into(), &ReadOptions::default()).unwrap();
        assert_eq!(
            printed(&module, &PrintOptions::default()),
            String::from_utf8(case(name, "mlir")).unwrap()
        );
    }
}

#[test]
fn texts_are_parsed_as_their_tools_parse_them() {
    register();
    let generic = PrintOptions::generic();
    for (release, name) in CASES {
        let release = mlirbc::Release::named((*release).to_owned());
        let options = ParseOptions::default().target(release.clone());
        let module = parse(case(name, "mlir"), &options).unwrap();
        let mut bytes = Vec::new();
        module.write(&mut bytes, &Default::default()).unwrap();
        let read = ReadOptions::default().release(release);
        let (mine, theirs) = (bytes, case(name, "mlirbc"));
        let [mine, theirs] = [mine, theirs].map(|bytes| Module::from_source(bytes.into(), &read).unwrap());
        assert_eq!(printed(&mine, &generic), printed(&theirs, &generic));
    }
}
