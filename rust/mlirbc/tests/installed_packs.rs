//! Installed packs: only their headers are read until a file, a text or a caller needs one of their dialects.

#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use mlirbc::bytes::{ReadAt, Source};
use mlirbc::limits::Limits;
use mlirbc::ops::{OperationDefinitions, history};
use mlirbc::pack::{Pack, PackMaker, PackOptions, install, take_problems_of_installed};
use mlirbc::parse::{ParseOptions, TextRelease, parse};
use mlirbc::version::BytecodeVersion;
use mlirbc::{Module, ReadOptions, WriteOptions};

/// A pack of a dialect with one operation, `DIALECT.nop`, and the release `DIALECT-1`.
fn pack_of(dialect: &str) -> String {
    pack_with(dialect, &["nop"])
}

fn pack_with(dialect: &str, operations: &[&str]) -> String {
    let options = PackOptions {
        name: dialect.to_owned(),
        release: format!("{dialect}-1"),
        llvm: "llvm-22".to_owned(),
        ..PackOptions::default()
    };
    let mut maker = PackMaker::new(options).unwrap();
    let mut dump =
        format!(r#"{{"D": {{"!superclasses": ["Dialect"], "name": "{dialect}", "cppNamespace": "::d"}}"#);
    for name in operations {
        dump += &format!(
            r#", "{name}": {{"!superclasses": ["Op"], "opName": "{name}", "opDialect": {{"def": "D"}}, "assemblyFormat": "attr-dict"}}"#
        );
    }
    dump.push('}');
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
    assert_eq!(TextRelease::of(b"other.nop", &mlirbc::Release::named("llvm-22")), None);
    assert!(!is_loaded(&release));
    let chosen = TextRelease::of(b"module {\n  texted.nop\n}", &mlirbc::Release::named("llvm-22")).unwrap();
    assert_eq!(chosen.name, release);
}

#[test]
fn callers_load_packs_by_name() {
    let (first, second, third) = (installed("asked"), installed("released"), installed("targeted"));
    assert!(mlirbc::props::known_releases().contains(&third));
    assert!(third.parse::<mlirbc::Release>().is_ok() && !is_loaded(&third));
    assert_eq!(history("asked.nop").len(), 1);
    assert!(is_loaded(&first) && !is_loaded(&second));
    assert!(OperationDefinitions::of(&mlirbc::Release::named(second.clone())).is_some());
    let options = ParseOptions::default().target(mlirbc::Release::named(third.clone()));
    assert!(parse(b"module { targeted.nop }", &options).is_ok() && is_loaded(&third));
}

#[test]
fn a_pack_that_is_registered_replaces_an_installed_one() {
    let release = installed("replaced");
    let text = pack_of("replaced").replace("replaced.nop", "replaced.other");
    Pack::from_bytes(text.as_bytes(), &Limits::default()).unwrap().register().unwrap();
    let definitions = OperationDefinitions::of(&mlirbc::Release::named(release.clone())).unwrap();
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

/// A source that counts the bytes that are read.
struct CountedSource {
    bytes: Vec<u8>,
    count: Arc<AtomicUsize>,
}

impl ReadAt for CountedSource {
    fn len(&self) -> u64 {
        self.bytes.len() as u64
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> std::io::Result<()> {
        self.count.fetch_add(buffer.len(), Ordering::Relaxed);
        let offset = usize::try_from(offset).unwrap();
        buffer.copy_from_slice(&self.bytes[offset..offset + buffer.len()]);
        Ok(())
    }
}

#[test]
fn opening_a_file_reads_no_names_while_packs_wait() {
    let notes: Vec<String> =
        (0..4000).map(|place| format!("n{place} = \"{}{place}\"", "long ".repeat(20))).collect();
    let bytes =
        bytes_of(&format!("module attributes {{{}}} {{ \"counted.nop\"() : () -> () }}", notes.join(", ")));
    let release = installed("counted");
    let (len, count) = (bytes.len(), Arc::new(AtomicUsize::new(0)));
    let source = Source::ranged(CountedSource { bytes, count: count.clone() });
    let module = Module::from_source(source, &ReadOptions::default()).unwrap();
    let opened = count.load(Ordering::Relaxed);
    assert!(len > 400_000 && opened < 50_000, "{opened} of {len} bytes were read");
    assert!(!is_loaded(&release));
    let mut text = Vec::new();
    module.print(&mut text, &Default::default()).unwrap();
    assert!(is_loaded(&release) && text.windows(11).any(|window| window == b"counted.nop"));
}

/// A file with operations of three packs of one producer has the release of the pack with most of its operations.
#[test]
fn the_order_of_installation_does_not_matter() {
    let text = "\
module {
  first.nop
  \"second.nop\"() : () -> ()
  \"third.nop\"() : () -> ()
  first.other
}
";
    let quoted = text.replace(" first.nop", " \"first.nop\"() : () -> ()");
    let quoted = quoted.replace(" first.other", " \"first.other\"() : () -> ()");
    let target = ParseOptions::default().target(mlirbc::Release::named("llvm-22"));
    let mut bytes = Vec::new();
    // Later versions store that the operations were not registered.
    let options = WriteOptions::default().version(BytecodeVersion::new(4).unwrap());
    parse(quoted.as_bytes(), &target).unwrap().write(&mut bytes, &options).unwrap();
    let producer = String::from_utf8(bytes[5..].split(|byte| *byte == 0).next().unwrap().to_vec()).unwrap();
    assert!(producer.starts_with("MLIR22"), "{producer}");
    let claims_llvm = |dialect: &str| {
        let claims = format!("\"producers\":[\"{producer}\"]");
        pack_with(dialect, &["nop", "other"]).replacen("\"producers\":[]", &claims, 1)
    };
    let packs = ["first", "second", "third"].map(|dialect| write(dialect, &claims_llvm(dialect)));
    for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
        order.iter().for_each(|&place: &usize| drop(install(&packs[place], &Limits::default()).unwrap()));
        assert_eq!(print(bytes.clone()), text, "{order:?}");
    }
}
