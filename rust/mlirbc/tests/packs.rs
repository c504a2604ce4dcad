//! Packs of definitions in use: texts of a project's dialect are parsed, printed and verified, and what flang prints where
//! its `fir-opt` is installed.

#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::{Path, PathBuf};
use std::process::Command;

use mlirbc::limits::Limits;
use mlirbc::pack::{Pack, PackMaker, PackOptions};
use mlirbc::parse::{ParseOptions, parse};
use mlirbc::{Module, ReadOptions};
use proptest::prelude::*;

fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/packs")
}

fn toy(release: &str) -> String {
    toy_with(release, "llvm-22")
}

fn toy_with(release: &str, llvm: &str) -> String {
    let options = PackOptions {
        name: "toy".to_owned(),
        release: release.to_owned(),
        producers: vec!["Toy".to_owned()],
        llvm: llvm.to_owned(),
        ..PackOptions::default()
    };
    let mut maker = PackMaker::new(options).unwrap();
    maker.add_dump(&std::fs::read(data().join("toy.json")).unwrap(), &Limits::default()).unwrap();
    maker.finish()
}

fn register(release: &str) {
    Pack::from_bytes(toy(release).as_bytes(), &Limits::default()).unwrap().register().unwrap();
}

fn assembled(text: &str, release: &str) -> Module {
    let options = ParseOptions { target: release.to_owned(), ..ParseOptions::default() };
    let module = parse(text.as_bytes(), &options).unwrap();
    let mut bytes = Vec::new();
    module.write(&mut bytes, &Default::default()).unwrap();
    read(bytes, release)
}

fn printed(module: &Module) -> String {
    let mut text = Vec::new();
    module.print(&mut text, &Default::default()).unwrap();
    String::from_utf8(text).unwrap()
}

const TEXT: &str = "\
module {
  func.func @f(%arg0: i32, %arg1: i7) -> i32 {
    %0 = toy.pack %arg0 : i32 -> <i32>
    %1 = toy.open %0 : <i32> -> i32
    %2 = toy.open %0 mode <fast> label \"x\" : <i32> -> i32
    %3 = toy.sum(%1, %2) carry %arg1 : i7 scale 3 wraps
    toy.region {
      %4 = toy.sum(%3) scale -1 {note = 1 : i32}
    }
    return %3 : i32
  }
}
";

#[test]
fn custom_text_is_parsed_and_printed() {
    register("toy-text");
    let module = assembled(TEXT, "toy-text");
    assert_eq!(printed(&module), TEXT);
    // The seven bits of `carry` contradict the summary of its constraint, and not its predicate.
    assert!(module.verify_operations().unwrap().errors().is_empty());
    let sum = module.operation_definition("toy.sum").unwrap().unwrap();
    assert_eq!(sum.source(), "Toy.td:49");
}

#[test]
fn definitions_are_verified() {
    register("toy-verified");
    let text = "func.func @f(%a: i64) {\n  %0 = \"toy.sum\"(%a) <{operandSegmentSizes = array<i32: 1, 0>, scale = 1 : i64}> \
                : (i64) -> i32\n  return\n}\n";
    let module = assembled(text, "toy-verified");
    let checks = module.verify_operations().unwrap();
    let [error] = checks.errors() else { panic!("{:?}", checks.errors()) };
    assert!(error.to_string().contains("terms"), "{error}");
}

// LLVM 19 has no encoding for attributes of `llvm`, and `fir-opt` 19 refuses them.
#[test]
fn texts_are_encoded_as_the_included_llvm_reads_them() {
    for (llvm, is_text) in [("llvm-19", true), ("llvm-22", false)] {
        let release = format!("toy-with-{llvm}");
        let pack = Pack::from_bytes(toy_with(&release, llvm).as_bytes(), &Limits::default()).unwrap();
        pack.register().unwrap();
        let text = "module attributes {t.x = #llvm.loop_annotation<disableNonforced = true>} {}";
        let options = ParseOptions { target: release, ..ParseOptions::default() };
        let mut bytes = Vec::new();
        parse(text.as_bytes(), &options).unwrap().write(&mut bytes, &Default::default()).unwrap();
        let stored = b"#llvm.loop_annotation<";
        assert_eq!(bytes.windows(stored.len()).any(|window| window == stored), is_text, "{llvm}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    // Packs are input from strangers.
    #[test]
    fn damaged_packs_end_in_warnings_or_errors(
        edits in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..6),
        cut in prop::option::of(any::<prop::sample::Index>()),
    ) {
        let mut bytes = toy("toy-damaged").into_bytes();
        for (place, byte) in edits {
            let place = place.index(bytes.len());
            bytes[place] = byte;
        }
        if let Some(cut) = cut {
            bytes.truncate(cut.index(bytes.len()));
        }
        if let Ok(pack) = Pack::from_bytes(&bytes, &Limits::default()) {
            let lines = bytes.split(|byte| *byte == b'\n').count() as u64;
            prop_assert!(pack.warnings().iter().all(|warning| warning.line >= 1 && warning.line <= lines));
            let coverage = pack.coverage(0);
            let counted: usize = coverage.dialects.values().map(|dialect| dialect.operations).sum();
            prop_assert!(counted <= 6);
        }
    }
}

fn read(bytes: Vec<u8>, release: &str) -> Module {
    let read = ReadOptions { release: Some(release.to_owned()), ..ReadOptions::default() };
    Module::from_source(bytes.into(), &read).unwrap()
}

// Texts in the form in which `fir-opt` prints them, and what it assembles from them.
#[test]
fn texts_of_flang_are_printed_and_assembled_as_flang_does() {
    let pack = std::fs::read(data().join("flang-22.mlirpack")).unwrap();
    let pack = Pack::from_bytes(&pack, &Limits::default()).unwrap();
    assert!(pack.warnings().is_empty(), "{:?}", pack.warnings());
    assert_eq!(pack.coverage(0).missing, [""; 0]);
    pack.register().unwrap();
    let mut count = 0;
    for entry in std::fs::read_dir(data().join("fir")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "mlirbc") {
            continue;
        }
        let expected = std::fs::read(&path).unwrap();
        let text = std::fs::read_to_string(path.with_extension("fir")).unwrap();
        let module = read(expected.clone(), "flang-22");
        assert_eq!(printed(&module), text, "{path:?}");
        assert!(module.verify_operations().unwrap().errors().is_empty(), "{path:?}");
        let file = path.with_extension("fir").file_name().unwrap().to_str().unwrap().to_owned();
        let options = ParseOptions { target: "flang-22".to_owned(), file, ..ParseOptions::default() };
        let mut bytes = Vec::new();
        parse(text.as_bytes(), &options).unwrap().write(&mut bytes, &Default::default()).unwrap();
        assert!(bytes == expected, "{path:?}");
        count += 1;
    }
    assert!(count > 15);
}

/// A program of flang 22, and the folder of its headers.
fn flang(program: &str) -> Option<PathBuf> {
    let folders = std::env::var_os("PATH").map(|path| std::env::split_paths(&path).collect::<Vec<_>>());
    let installed = folders.unwrap_or_default().into_iter().map(|folder| folder.join(program));
    let root = std::env::var_os("MLIRBC_FLANG").map(|root| PathBuf::from(root).join("bin").join(program));
    root.into_iter().chain(installed).find(|path| path.is_file())
}

// FIR as `fir-opt` prints it, for a pack that is made from the headers of flang.
#[test]
fn fir_is_printed_as_flang_prints_it() {
    let programs =
        (flang("fir-opt"), flang("llvm-tblgen"), std::env::var_os("MLIRBC_FLANG").map(PathBuf::from));
    let (Some(fir_opt), Some(tblgen), Some(root)) = programs else {
        eprintln!("skipped: MLIRBC_FLANG does not name a folder with flang 22");
        return;
    };
    let include = root.join("include");
    let options = PackOptions {
        name: "flang".to_owned(),
        release: "flang-22-test".to_owned(),
        llvm: "llvm-22".to_owned(),
        ..PackOptions::default()
    };
    let mut maker = PackMaker::new(options).unwrap();
    for file in [
        "HLFIR/HLFIROps",
        "Dialect/FIROps",
        "Dialect/CUF/CUFOps",
        "Dialect/MIF/MIFOps",
        "Dialect/FIRCG/CGOps",
    ] {
        let file = format!("{file}.td");
        let file = include.join("flang/Optimizer").join(file);
        let dump =
            Command::new(&tblgen).arg("--dump-json").arg(&file).arg("-I").arg(&include).output().unwrap();
        assert!(dump.status.success(), "{file:?}");
        maker.add_dump(&dump.stdout, &Limits::default()).unwrap();
    }
    let declarations = data().join("../../../tools/packs/flang.toml");
    maker.add_extra(&std::fs::read_to_string(declarations).unwrap()).unwrap();
    Pack::from_bytes(maker.finish().as_bytes(), &Limits::default()).unwrap().register().unwrap();
    let mut count = 0;
    let paths = std::fs::read_dir(data().join("fir")).unwrap().map(|entry| entry.unwrap().path());
    for path in paths.filter(|path| path.extension().is_some_and(|extension| extension == "fir")) {
        let run = |options: &[&str]| {
            let output = Command::new(&fir_opt).arg(&path).args(options).output().unwrap();
            assert!(output.status.success(), "{path:?}: {}", String::from_utf8_lossy(&output.stderr));
            output.stdout
        };
        let module = read(run(&["--emit-bytecode"]), "flang-22-test");
        let mut generic = Vec::new();
        let options =
            mlirbc::print::PrintOptions { form: mlirbc::print::Form::Generic, ..Default::default() };
        module.print(&mut generic, &options).unwrap();
        let expected = run(&["--mlir-print-op-generic"]);
        // The program ends with an empty line.
        let expected = String::from_utf8(expected).unwrap();
        assert_eq!(String::from_utf8(generic).unwrap().trim_end(), expected.trim_end(), "{path:?}");
        assert!(module.verify_operations().unwrap().errors().is_empty(), "{path:?}");
        let expected = String::from_utf8(run(&[])).unwrap();
        assert_eq!(printed(&module).trim_end(), expected.trim_end(), "{path:?}");
        let options = ParseOptions {
            target: "flang-22-test".to_owned(),
            file: path.display().to_string(),
            ..ParseOptions::default()
        };
        let text = std::fs::read(&path).unwrap();
        let parsed = parse(&text, &options).unwrap();
        assert_eq!(printed(&parsed).trim_end(), expected.trim_end(), "{path:?}");
        count += 1;
    }
    assert!(count > 30);
}
