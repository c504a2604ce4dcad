//! Installed packs: only their headers are read until a file, a text or a caller needs one of their dialects.

#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::PathBuf;

use mlirbc::limits::Limits;
use mlirbc::ops::{OperationDefinitions, history};
use mlirbc::pack::{Pack, PackMaker, PackOptions, install, take_problems_of_installed};
use mlirbc::parse::{ParseOptions, TextRelease, parse};
use mlirbc::{Module, ReadOptions};

/// A pack of a dialect with one operation, `DIALECT.nop`, and the release `DIALECT-1`.
fn pack_of(dialect: &str) -> String {
    let options = PackOptions {
        name: dialect.to_owned(),
        release: format!("{dialect}-1"),
        llvm: "llvm-22".to_owned(),
        ..PackOptions::default()
    };
    let mut maker = PackMaker::new(options).unwrap();
    let dump = format!(
        r#"{{"D": {{"!superclasses": ["Dialect"], "name": "{dialect}", "cppNamespace": "::d"}},
        "Nop": {{"!superclasses": ["Op"], "opName": "nop", "opDialect": {{"def": "D"}}, "assemblyFormat": "attr-dict"}}}}"#
    );
    maker.add_dump(dump.as_bytes(), &Limits::default()).unwrap();
    maker.finish()
}

fn write(name: &str, text: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("mlirbc-{}-{name}.mlirpack", std::process::id()));
    std::fs::write(&path, text).unwrap();
    path
}

/// Writes and installs the pack of a dialect, and returns its release.
fn installed(dialect: &str) -> String {
    let path = write(dialect, &pack_of(dialect));
    let packs = install(&path, &Limits::default()).unwrap();
    assert_eq!(packs[0].releases, [format!("{dialect}-1")]);
    packs[0].releases[0].clone()
}

fn is_loaded(release: &str) -> bool {
    OperationDefinitions::of_packs().any(|pack| pack.release() == release)
}

fn bytes_of(text: &str) -> Vec<u8> {
    let module = parse(text.as_bytes(), &ParseOptions::default()).unwrap();
    let mut bytes = Vec::new();
    module.write(&mut bytes, &Default::default()).unwrap();
    bytes
}

fn print(bytes: Vec<u8>) -> String {
    let module = Module::from_source(bytes.into(), &ReadOptions::default()).unwrap();
    let mut text = Vec::new();
    module.print(&mut text, &Default::default()).unwrap();
    String::from_utf8(text).unwrap()
}

#[test]
fn headers_name_the_dialects() {
    let text = pack_of("named");
    let pack = Pack::from_bytes(text.as_bytes(), &Limits::default()).unwrap();
    assert_eq!(pack.header().dialects, ["named"]);
    let newer = pack_of("named").replace("named-1", "named-2");
    let newer = Pack::from_bytes(newer.as_bytes(), &Limits::default()).unwrap();
    assert!(pack.with_newer(&newer).unwrap().lines().next().unwrap().contains(r#""dialects":["named"]"#));
}

#[test]
fn files_load_the_packs_of_their_dialects() {
    let with_dialect = bytes_of("module { \"filed.nop\"() : () -> () }");
    let without = bytes_of("module { func.func private @f() }");
    let release = installed("filed");
    assert!(print(without).contains("func.func private @f()") && !is_loaded(&release));
    assert!(print(with_dialect).contains("filed.nop") && is_loaded(&release));
}

#[test]
fn texts_load_the_packs_of_their_dialects() {
    let release = installed("texted");
    assert_eq!(TextRelease::of(b"other.nop", "llvm-22"), None);
    assert!(!is_loaded(&release));
    let chosen = TextRelease::of(b"module {\n  texted.nop\n}", "llvm-22").unwrap();
    assert_eq!(chosen.name, release);
}

#[test]
fn callers_load_packs_by_name() {
    let (first, second, third) = (installed("asked"), installed("released"), installed("targeted"));
    assert!(mlirbc::props::known_releases().contains(&third));
    assert!(third.parse::<mlirbc::Release>().is_ok() && !is_loaded(&third));
    assert_eq!(history("asked.nop").len(), 1);
    assert!(is_loaded(&first) && !is_loaded(&second));
    assert!(OperationDefinitions::of(&second).is_some());
    let options = ParseOptions::default().target(mlirbc::Release::named(third.clone()));
    assert!(parse(b"module { targeted.nop }", &options).is_ok() && is_loaded(&third));
}

#[test]
fn a_pack_that_is_registered_replaces_an_installed_one() {
    let release = installed("replaced");
    let text = pack_of("replaced").replace("replaced.nop", "replaced.other");
    Pack::from_bytes(text.as_bytes(), &Limits::default()).unwrap().register().unwrap();
    let definitions = OperationDefinitions::of(&release).unwrap();
    assert!(definitions.get("replaced.other").is_some() && definitions.get("replaced.nop").is_none());
}

#[test]
fn problems_are_reported_when_the_pack_is_needed() {
    let damaged = pack_of("damaged").replace("\"attr-dict\"", "\"$missing\"");
    let path = write("damaged", &damaged);
    assert!(install(&path, &Limits::default()).unwrap()[0].warnings.is_empty());
    assert!(history("damaged.nop").is_empty());
    let problems = take_problems_of_installed();
    let problem = problems.iter().find(|problem| problem.path == path).unwrap();
    assert!(problem.warning.reason.contains("the format names `$missing`"), "{problem:?}");
}

#[test]
fn a_pack_without_a_seal_is_read_at_once() {
    let text = "{\"format\":\"mlirbc-pack/1\",\"name\":\"open\",\"releases\":[{\"name\":\"open-1\",\"llvm\":\"llvm-22\"}]}\n\
                {\"op\":\"open.nop\"}\n{\"op\":3}\n";
    let packs = install(&write("open", text), &Limits::default()).unwrap();
    assert_eq!(packs[0].warnings[0].line, 3);
    assert!(is_loaded("open-1"));
}
