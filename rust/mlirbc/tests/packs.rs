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
    made_with("toy", release, llvm, &[])
}

/// The pack of the dialect in a dump, with declarations of its author.
fn made(dialect: &str, release: &str, extras: &[&str]) -> String {
    made_with(dialect, release, "llvm-22", extras)
}

fn made_with(dialect: &str, release: &str, llvm: &str, extras: &[&str]) -> String {
    let options = PackOptions {
        name: dialect.to_owned(),
        release: release.to_owned(),
        producers: vec!["Toy".to_owned()],
        llvm: llvm.to_owned(),
        ..PackOptions::default()
    };
    let mut maker = PackMaker::new(options).unwrap();
    let dump = std::fs::read(data().join(format!("{dialect}.json"))).unwrap();
    maker.add_dump(&dump, &Limits::default()).unwrap();
    for extra in extras {
        maker.add_extra(extra).unwrap();
    }
    maker.finish()
}

fn register(release: &str) {
    register_text(&toy(release));
}

fn register_text(text: &str) {
    let pack = Pack::from_bytes(text.as_bytes(), &Limits::default()).unwrap();
    assert_eq!(pack.warnings(), []);
    pack.register().unwrap();
}

fn assembled(text: &str, release: &str) -> Module {
    let options = ParseOptions::default().target(mlirbc::Release::named(release.to_owned()));
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

// The pack describes the form of `toy.odd`, which is C++, with a directive of its own.
fn with_directive(release: &str, template: &str) -> String {
    let odd = format!(r#"{{"op":"toy.odd","directives":{{"NamedValues":"{template}"}},"#,);
    let form = r#""form":[["custom","NamedValues","$values",["type","$values"],["attribute","names"]],"attr-dict"],
        "operands":[["values","I32","*"]],"format":"custom""#;
    let form = form.replace("\n        ", "");
    let is_odd = |line: &&str| line.starts_with(r#"{"op":"toy.odd""#);
    let pack = toy(release);
    let row = pack.lines().find(is_odd).unwrap();
    pack.replace(row, &format!("{odd}{form}}}"))
}

#[test]
fn a_pack_brings_directives() {
    let pack = with_directive("toy-directive", "list($2 ` = ` $0 ` : ` $1)");
    Pack::from_bytes(pack.as_bytes(), &Limits::default()).unwrap().register().unwrap();
    let text = "\
module {
  func.func @f(%arg0: i32) {
    toy.odd \"a\" = %arg0 : i32, \"b\" = %arg0 : i32 {more}
    return
  }
}
";
    assert_eq!(printed(&assembled(text, "toy-directive")), text);
}

// The pack of docs/howto/first-change.md, in which one row adds a form with a clause.
#[test]
fn a_row_adds_a_form_with_a_clause() {
    register_text(&std::fs::read_to_string(data().join("clause.mlirpack")).unwrap());
    let text = "\
module {
  func.func @f(%arg0: i32, %arg1: f32) {
    clause.xyz linear(\"val\"(%arg0) : i32, \"ref\"(%arg1) : f32) {more}
    clause.xyz
    return
  }
}
";
    let module = assembled(text, "clause-1");
    assert_eq!(printed(&module), text);
    let generic = mlirbc::print::PrintOptions::default().form(mlirbc::print::PrintForm::Generic);
    let mut generic_text = Vec::new();
    module.print(&mut generic_text, &generic).unwrap();
    let generic_text = String::from_utf8(generic_text).unwrap();
    assert!(
        generic_text
            .contains("\"clause.xyz\"(%arg0, %arg1) {modes = [\"val\", \"ref\"], more} : (i32, f32) -> ()"),
        "{generic_text}"
    );
}

#[test]
fn a_wrong_template_is_refused_with_a_reason() {
    let pack = with_directive("toy-wrong", "list(frobnicate($0))");
    let pack = Pack::from_bytes(pack.as_bytes(), &Limits::default()).unwrap();
    let [warning] = pack.warnings() else { panic!("{:?}", pack.warnings()) };
    assert!(warning.reason.contains("the template of `custom<NamedValues>`: `frobnicate`"), "{warning:?}");
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

const FORMS: &str = "\
!ring = !forms.ring<i32>
!ring1 = !forms.ring<f32 at #forms.point<x = 1>>
module {
  func.func @f(%arg0: !ring, %arg1: !ring1) -> !forms.pair<!ring1, i8> attributes {note = #forms<note \"a, b\", true> : i8} {
    %0 = forms.walk %arg0 along <<x = 1>[2, 3] with odd, prime after never> to <x = -4, y = 8, label = \"e\"> : !ring -> <!ring, i8>
    %1 = forms.walk %arg0 along <<x = 1>[2] mode =  never with none after \"not-yet\"> to <x = 0> : !ring -> <!ring, i8>
    %2 = forms.walk %arg1 along <<x = 1>[2] mode =  not-yet with odd after never> to <x = 0> : !ring1 -> <!ring1, i8>
    return %2 : !forms.pair<!ring1, i8>
  }
}
";

// What the printers that `mlir-tblgen` 22 generates for `Forms.td` write, by reading them: no project compiles these.
#[test]
fn attributes_and_types_have_their_forms() {
    register_text(&made("forms", "forms-text", &[]));
    let module = assembled(FORMS, "forms-text");
    assert_eq!(printed(&module), FORMS);
    // Any order and spelling becomes the one of the project.
    let respelled = FORMS
        .replace("x = -4, y = 8, label = \"e\"", "label=\"e\",x=-4, y = 0x8")
        .replace("odd, prime", "prime,odd");
    assert_eq!(printed(&assembled(&respelled, "forms-text")), FORMS);
    let with_default = FORMS.replace("to <x = 0>", "to <y = 7, x = 0>");
    assert_eq!(printed(&assembled(&with_default, "forms-text")), FORMS);
}

const SPLIT: &str = "\
!ring = !forms.ring<i32>
!ring1 = !forms.ring<i8>
module {
  func.func @f(%arg0: !forms.pair<!ring, i8>) -> (!ring, i8, !ring1) {
    %first, %second, %ring = forms.split %arg0 : <!ring, i8>
    return %first, %second, %ring : !ring, i8, !ring1
  }
}
";

#[test]
fn types_follow_by_expressions() {
    register_text(&made("forms", "forms-types", &[]));
    let module = assembled(SPLIT, "forms-types");
    assert_eq!(printed(&module), SPLIT);
    assert!(module.verify_operations().unwrap().errors().is_empty());
}

#[test]
fn predicates_of_constraints_are_verified() {
    register_text(&made("forms", "forms-predicates", &[]));
    let text = "func.func @f(%a: !forms.pair<<i32>, i8>, %b: !forms.ring<i8>) {\n  %0:3 = \"forms.split\"(%b) : (!forms.ring<i8>) -> \
                (!forms.ring<i8>, i8, !forms.pair<<i8>, i8>)\n  return\n}\n";
    let checks = assembled(text, "forms-predicates");
    let checks = checks.verify_operations().unwrap();
    let errors: Vec<String> = checks.errors().iter().map(ToString::to_string).collect();
    assert!(errors[0].contains("operand 0 (`pair`) is not of the constraint `Forms_PairType`"), "{errors:?}");
    assert!(errors[1].contains("result 2 (`ring`) is not of the constraint `Forms_RingType`"), "{errors:?}");
    assert_eq!(errors.len(), 2);
}

// `MLIRBC_REWRITE=1` rewrites it.
#[test]
fn the_pack_of_the_documentation_is_current() {
    let path = data().join("toy.mlirpack");
    if std::env::var_os("MLIRBC_REWRITE").is_some() {
        std::fs::write(&path, toy("toy-1")).unwrap();
    }
    assert_eq!(std::fs::read_to_string(path).unwrap(), toy("toy-1"));
}

/// Two projects may write one producer string: the pack with the operations of the file describes it.
#[test]
fn of_packs_with_one_producer_the_operations_decide() {
    let with_producer = |text: String| text.replacen("\"Toy\"", "\"MLIR22.1.\"", 1);
    register_text(&with_producer(made("toy", "toy-shared", &[])));
    let module = assembled(TEXT, "toy-shared");
    register_text(&with_producer(made("forms", "forms-shared", &[])));
    let mut bytes = Vec::new();
    module.write(&mut bytes, &Default::default()).unwrap();
    let module = Module::from_source(bytes.into(), &ReadOptions::default()).unwrap();
    assert_eq!(printed(&module), TEXT);
}

#[test]
fn texts_have_fields_and_are_built_from_fields() {
    use mlirbc::attr::FieldValue;
    use mlirbc::{Attribute, Type};
    register_text(&made("forms", "forms-fields", &[]));
    let string = |text: &str| FieldValue::String(text.as_bytes().to_vec().into());
    let point = Attribute::parse("#forms.point<x = 2>").unwrap();
    let definition = point.definition().unwrap();
    assert_eq!((definition.class(), definition.summary()), ("PointAttr", "a place in a plane"));
    let expected = [("x", FieldValue::Signed(2)), ("y", FieldValue::Signed(7))];
    assert_eq!(point.fields().unwrap(), expected.map(|(name, value)| (name.to_owned(), value)));
    let path = Attribute::parse("#forms.path<<x = 2>[3, 4] with odd, prime after \"not-yet\">").unwrap();
    let steps = FieldValue::List(vec![FieldValue::Signed(3), FieldValue::Signed(4)]);
    let fields = [
        ("start", FieldValue::Attribute(point.clone())),
        ("steps", steps),
        ("flags", string("odd, prime")),
        ("after", string("not-yet")),
    ];
    assert_eq!(path.fields().unwrap(), fields.clone().map(|(name, value)| (name.to_owned(), value)));
    assert_eq!(Attribute::build("forms", "path", &fields).unwrap(), path);
    assert_eq!(Attribute::build("forms", "PathAttr", &fields).unwrap(), path);
    let note = Attribute::parse("#forms<note \"a\", false> : i8").unwrap();
    assert_eq!(note.field("type").unwrap(), Some(FieldValue::Type(Type::parse("i8").unwrap())));
    let fields = note.fields().unwrap();
    let fields: Vec<(&str, FieldValue)> =
        fields.iter().map(|(name, value)| (&**name, value.clone())).collect();
    assert_eq!(Attribute::build("forms", "note", &fields).unwrap(), note);
    let ring = Type::build(
        "forms",
        "ring",
        &[
            ("element", FieldValue::Type(Type::parse("i8").unwrap())),
            ("origin", FieldValue::Attribute(point)),
        ],
    );
    assert_eq!(ring.unwrap().to_string(), "!forms.ring<i8 at #forms.point<x = 2>>");
    for (kind, fields, reason) in [
        ("point", vec![], "needs a field `x`"),
        ("point", vec![("x", string("a"))], "an integer"),
        ("point", vec![("z", FieldValue::Signed(1))], "no field `z`"),
        ("mode", vec![("value", string("soon"))], "one of `never`, `not-yet`"),
        ("frob", vec![], "has no `frob`"),
    ] {
        let error = Attribute::build("forms", kind, &fields).unwrap_err().to_string();
        assert!(error.contains(reason), "{kind}: {error}");
    }
}

// LLVM 19 has no encoding for attributes of `llvm`, and `fir-opt` 19 refuses them.
#[test]
fn texts_are_encoded_as_the_included_llvm_reads_them() {
    for (llvm, is_text) in [("llvm-19", true), ("llvm-22", false)] {
        let release = format!("toy-with-{llvm}");
        let pack = Pack::from_bytes(toy_with(&release, llvm).as_bytes(), &Limits::default()).unwrap();
        pack.register().unwrap();
        let text = "module attributes {t.x = #llvm.loop_annotation<disableNonforced = true>} {}";
        let options = ParseOptions::default().target(mlirbc::Release::named(release));
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
    let read = ReadOptions::default().release(mlirbc::Release::named(release.to_owned()));
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
        let options = ParseOptions::default().target(mlirbc::Release::named("flang-22")).file(file);
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
        let options = mlirbc::print::PrintOptions::default().form(mlirbc::print::PrintForm::Generic);
        module.print(&mut generic, &options).unwrap();
        let expected = run(&["--mlir-print-op-generic"]);
        // The program ends with an empty line.
        let expected = String::from_utf8(expected).unwrap();
        assert_eq!(String::from_utf8(generic).unwrap().trim_end(), expected.trim_end(), "{path:?}");
        assert!(module.verify_operations().unwrap().errors().is_empty(), "{path:?}");
        let expected = String::from_utf8(run(&[])).unwrap();
        assert_eq!(printed(&module).trim_end(), expected.trim_end(), "{path:?}");
        let options = ParseOptions::default()
            .target(mlirbc::Release::named("flang-22-test"))
            .file(path.display().to_string());
        let text = std::fs::read(&path).unwrap();
        let parsed = parse(&text, &options).unwrap();
        assert_eq!(printed(&parsed).trim_end(), expected.trim_end(), "{path:?}");
        count += 1;
    }
    assert!(count > 30);
}

/// Attributes and types of LLVM's own dialects in a pack: their texts in files that `mlir-opt` wrote.
///
/// `MLIRBC_PACK_CORPUS` names a folder with bytecode files and `MLIRBC_PACK` a pack with their dialects.
#[test]
#[ignore = "needs a corpus"]
fn texts_of_a_corpus_have_fields() {
    let corpus = std::env::var_os("MLIRBC_PACK_CORPUS").expect("MLIRBC_PACK_CORPUS names no folder");
    let pack = std::env::var_os("MLIRBC_PACK").expect("MLIRBC_PACK names no pack");
    let pack = Pack::open(Path::new(&pack), &Limits::default()).unwrap();
    let release = pack.register().unwrap().last().copied().unwrap().to_owned();
    let definitions =
        mlirbc::ops::OperationDefinitions::of(&mlirbc::Release::named(release.clone())).unwrap();
    let mut texts = std::collections::BTreeSet::new();
    for entry in std::fs::read_dir(corpus).unwrap() {
        let read = ReadOptions::default().release(mlirbc::Release::named(release.clone()));
        let bytes = std::fs::read(entry.unwrap().path()).unwrap();
        let Ok(module) = Module::from_source(bytes.into(), &read) else { continue };
        for index in 0.. {
            let Ok(Some(value)) =
                mlirbc::Attribute::of_file(module.tables(), mlirbc::format::id::AttrId::new(index))
            else {
                break;
            };
            texts.extend(value.text().map(|text| (false, String::from_utf8(text.to_vec()).unwrap())));
        }
        for index in 0.. {
            let Ok(Some(value)) =
                mlirbc::Type::of_file(module.tables(), mlirbc::format::id::TypeId::new(index))
            else {
                break;
            };
            texts.extend(value.text().map(|text| (true, String::from_utf8(text.to_vec()).unwrap())));
        }
    }
    let (mut known, mut refused, mut differ) = (0, Vec::new(), Vec::new());
    for (is_type, text) in &texts {
        let Some(rest) = text.strip_prefix(['#', '!']) else { continue };
        let name = rest.split(|c: char| !(c.is_ascii_alphanumeric() || "_.".contains(c))).next().unwrap();
        let name = match name.contains('.') {
            true => name.to_owned(),
            false => {
                let inner = rest[name.len()..].trim_start_matches('<');
                let word =
                    inner.split(|c: char| !(c.is_ascii_alphanumeric() || "_.".contains(c))).next().unwrap();
                format!("{name}.{word}")
            }
        };
        let Some(class) = definitions.class(*is_type, &name).filter(|class| class.is_readable()) else {
            continue;
        };
        known += 1;
        let fields = match is_type {
            true => mlirbc::Type::from_text_entry(name.split('.').next().unwrap(), text).unwrap().fields(),
            false => {
                mlirbc::Attribute::from_text_entry(name.split('.').next().unwrap(), text).unwrap().fields()
            }
        };
        match fields {
            Ok(fields)
                if !fields.is_empty()
                    || class.parameters().iter().all(mlirbc::ops::ClassParameter::is_optional) => {}
            other => {
                refused.push(format!("{text}: {other:?}"));
                continue;
            }
        }
        let module = format!("module attributes {{a = {text}}} {{}}");
        let options = ParseOptions::default().target(mlirbc::Release::named(release.clone()));
        for spelling in [module.clone(), module.replace(", ", ",").replace(" = ", "=")] {
            match parse(spelling.as_bytes(), &options) {
                Ok(module) => {
                    let printed = printed(&module);
                    if !printed.contains(&**text) && printed.starts_with("module") {
                        differ.push(format!("{text}\n    {}", printed.replace('\n', " ")));
                    }
                }
                Err(error) => differ.push(format!("{text}\n    {error}")),
            }
        }
    }
    for line in refused.iter().chain(&differ) {
        println!("{line}");
    }
    println!(
        "{} texts, {known} of known classes, {} without fields, {} differ",
        texts.len(),
        refused.len(),
        differ.len()
    );
    assert!(known > 100 && refused.is_empty());
}

// A form that a reader of the manual declares: its text says everything, or the operation is generic.
const OWN: &str = r#"{"format":"mlirbc-pack/1","name":"own","releases":[{"name":"own-1","producers":["Own"],"llvm":"llvm-22"}]}
{"dialect":"own","namespace":"::own"}
{"constraint":"AnyType","summary":"any type"}
{"op":"own.bare","regions":[["body","AnyRegion"]],"format":"custom","form":[["custom","Body","$body"],"attr-dict"]}
{"op":"own.less","operands":[["values","AnyType","*"]],"format":"custom","form":["attr-dict"]}
{"op":"own.plain","operands":[["value","AnyType"]],"format":"custom","form":["$value","`:",["type","$value"]]}
{"op":"own.scan","regions":[["body","AnyRegion"]],"format":"custom","form":[["inline",["custom","TypedRegionArguments","$body"],["custom","BodyEndedBy","$body",["code","own.yield"]]],"attr-dict"]}
{"op":"own.twin","operands":[["value","AnyType"]],"results":[["same","AnyType"]],"traits":[["AllTypesMatch","value","same"]],"format":"custom","form":["$value","attr-dict","`:",["type","$value"]]}
{"op":"own.untyped","operands":[["value","AnyType"]],"results":[["sum","AnyType"]],"format":"custom","form":["$value","attr-dict","`:",["type","$value"]]}
{"op":"own.wrap","operands":[["value","AnyType"]],"results":[["boxed","AnyType"]],"traits":[["TypesMatchWith","value","boxed","tuple<{}>"]],"format":"custom","form":["$value","attr-dict","`:",["type","$value"]]}
{"op":"own.yield","traits":["IsTerminator"],"operands":[["value","AnyType","?"]],"format":["attr-dict",["group",["$value","`:",["type","$value"]],0]]}
"#;

#[test]
fn declared_forms_hide_nothing() {
    register_text(OWN);
    let text = "\
module {
  func.func @f(%arg0: i32) {
    own.scan (%arg1: i32) {
    }
    own.scan (%arg1: i32) {
      own.yield %arg1 : i32
    }
    own.scan (%arg1: i32) {
      own.yield {note}
    }
    own.less
    \"own.less\"(%arg0) : (i32) -> ()
    own.bare {
      own.yield
    }
    \"own.bare\"() ({
    ^bb0(%arg1: i32):
      own.yield %arg1 : i32
    }) : () -> ()
    return
  }
}
";
    assert_eq!(printed(&assembled(text, "own-1")), text);
}

#[test]
fn declared_forms_show_types_and_attributes() {
    register_text(&OWN.replace("own-1", "own-types"));
    let text = "\
module {
  func.func @f(%arg0: i32) {
    %0 = own.twin %arg0 : i32
    %1 = \"own.twin\"(%arg0) : (i32) -> i64
    %2 = own.wrap %arg0 : i32
    %3 = \"own.wrap\"(%arg0) : (i32) -> i64
    own.plain %arg0 : i32
    \"own.plain\"(%arg0) {note} : (i32) -> ()
    return
  }
}
";
    let module = assembled(text, "own-types");
    let mut output = Vec::new();
    let report = module.print(&mut output, &Default::default()).unwrap();
    assert_eq!(String::from_utf8(output).unwrap(), text);
    let notes: Vec<String> = report.omissions.iter().map(ToString::to_string).collect();
    let hidden = |name: &str, part: &str| {
        format!("`own.{name}` is printed in generic form: its declared form does not show {part}")
    };
    let expected = [
        hidden("twin", "a type that differs from the inferred one"),
        hidden("wrap", "a type that differs from the inferred one"),
        hidden("plain", "its discardable attributes"),
    ];
    assert_eq!(notes, expected);
    assert!(report.omissions.iter().all(|omission| omission.is_avoided()));
}

#[test]
fn results_without_types_are_missing() {
    let pack = Pack::from_bytes(OWN.as_bytes(), &Limits::default()).unwrap();
    let missing = pack.coverage(0).missing;
    let fault =
        "own.untyped: the type of `sum` cannot be inferred: declare it in `types`, or show it in the format";
    assert!(missing.iter().any(|line| line == fault), "{missing:?}");
}

#[test]
fn parameters_in_declared_types_exist() {
    let options = PackOptions {
        name: "forms".to_owned(),
        release: "forms-parameters".to_owned(),
        llvm: "llvm-22".to_owned(),
        ..PackOptions::default()
    };
    let declared = |parameter: &str| {
        let mut maker = PackMaker::new(options.clone()).unwrap();
        let dump = std::fs::read(data().join("forms.json")).unwrap();
        let mut records: serde_json::Value = serde_json::from_slice(&dump).unwrap();
        let walk = &mut records["Forms_WalkOp"];
        walk["assemblyFormat"] = serde_json::Value::Null;
        walk["hasCustomAssemblyFormat"] = 1.into();
        maker.add_dump(records.to_string().as_bytes(), &Limits::default()).unwrap();
        maker.add_extra(&format!(
            "[op.\"forms.walk\"]\nformat = \"$ring attr-dict\"\ntypes = {{ pair = \"ring.{parameter}\" }}"
        ))
    };
    assert!(declared("element").is_ok());
    let error = declared("elemnt").unwrap_err().to_string();
    assert!(error.contains("`!forms.ring`, the type of `ring`, has no parameter `elemnt`"), "{error}");
}
