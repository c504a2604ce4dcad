//! Tools with packs: building, editing, comparing, exploring, explaining and converting operations of a project.

#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::Path;

use mlirbc::edit::{Editor, InsertionPoint, NewOperation};
use mlirbc::limits::Limits;
use mlirbc::ops::OperationDefinitions;
use mlirbc::pack::{Pack, PackMaker, PackOptions};
use mlirbc::parse::{ParseOptions, parse};
use mlirbc::tool::{ChangeKind, DiffOptions, Difference, ExploreOptions, explore};
use mlirbc::{Attribute, ErrorKind, Module, ReadOptions, Type, WriteOptions};

const TEXT: &str = "\
module {
  func.func @f(%arg0: i32) -> i32 {
    %0 = toy.pack %arg0 : i32 -> <i32>
    %1 = toy.open %0 mode <fast> : <i32> -> i32
    return %1 : i32
  }
}
";

fn register(release: &str) {
    let options = PackOptions {
        name: "toy".to_owned(),
        release: release.to_owned(),
        llvm: "llvm-22".to_owned(),
        ..PackOptions::default()
    };
    let mut maker = PackMaker::new(options).unwrap();
    let dump = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/packs/toy.json");
    maker.add_dump(&std::fs::read(dump).unwrap(), &Limits::default()).unwrap();
    Pack::from_bytes(maker.finish().as_bytes(), &Limits::default()).unwrap().register().unwrap();
}

fn read(bytes: Vec<u8>, release: &str) -> Module {
    Module::from_source(
        bytes.into(),
        &ReadOptions::default().release(mlirbc::Release::named(release.to_owned())),
    )
    .unwrap()
}

fn assembled(text: &str, release: &str) -> Module {
    let options = ParseOptions::default().target(mlirbc::Release::named(release.to_owned()));
    let mut bytes = Vec::new();
    parse(text.as_bytes(), &options).unwrap().write(&mut bytes, &Default::default()).unwrap();
    read(bytes, release)
}

fn printed(module: &Module) -> String {
    let mut text = Vec::new();
    module.print(&mut text, &Default::default()).unwrap();
    String::from_utf8(text).unwrap()
}

/// The module with a changed mode and label, and another operation before the return.
fn edited(module: &Module, release: &str) -> Module {
    let mut editor = Editor::new(module.clone()).unwrap();
    let root = editor.operation().unwrap();
    let top = editor.body(root).unwrap();
    let function = editor.operations(top).unwrap()[0];
    let body = editor.body(function).unwrap();
    let [pack, open, _] = editor.operations(body).unwrap()[..] else { panic!() };
    let mode = Attribute::parse("#toy.mode<safe>").unwrap();
    editor.set_attribute(open, "mode", &mode).unwrap();
    editor.set_attribute(open, "label", &Attribute::parse("\"x\"").unwrap()).unwrap();
    let boxed = editor.results(pack).unwrap();
    let new = NewOperation {
        operands: boxed,
        results: vec![Type::parse("i64").unwrap()],
        attributes: vec![(b"mode".to_vec(), Attribute::parse("#toy.mode<fast>").unwrap())],
        ..NewOperation::new("toy.open")
    };
    editor.create(&new, InsertionPoint::After(open)).unwrap();
    let mut bytes = Vec::new();
    editor.write(&mut bytes, &Default::default()).unwrap();
    read(bytes, release)
}

#[test]
fn operations_are_edited_and_built() {
    register("toy-edited");
    let module = edited(&assembled(TEXT, "toy-edited"), "toy-edited");
    let text = printed(&module);
    assert!(text.contains("toy.open %0 label \"x\" : <i32> -> i32"), "{text}");
    assert!(text.contains("toy.open %0 mode <fast> : <i32> -> i64"), "{text}");
    assert!(module.verify_operations().unwrap().errors().is_empty());
}

#[test]
fn builders_check_definitions() {
    register("toy-checked");
    let mut editor = Editor::new(assembled(TEXT, "toy-checked")).unwrap();
    let root = editor.operation().unwrap();
    let top = editor.body(root).unwrap();
    for name in ["toy.pack", "toy.frob"] {
        let error = editor.create(&NewOperation::new(name), InsertionPoint::AtEnd(top)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Definition, "{name}: {error}");
    }
}

#[test]
fn differences_name_attributes_of_packs() {
    register("toy-differs");
    let before = assembled(TEXT, "toy-differs");
    let difference =
        Difference::of(&before, &edited(&before, "toy-differs"), &DiffOptions::default()).unwrap();
    let changed = difference.changes.iter().find(|change| change.kind == ChangeKind::Changed).unwrap();
    let details = format!("{:?}", changed.details);
    assert!(details.contains("label") && details.contains("mode"), "{details}");
    assert!(difference.changes.iter().any(|change| change.kind == ChangeKind::Added));
}

#[test]
fn pages_show_custom_forms() {
    register("toy-page");
    let mut page = Vec::new();
    let module = assembled(TEXT, "toy-page");
    let report = explore(&module, "toy", &ExploreOptions::default(), &mut page).unwrap();
    let page = String::from_utf8(page).unwrap();
    assert!(report.faults.is_empty() && page.contains("toy.open") && page.contains("mode"));
    assert!(!page.contains("PROPERTIES"));
}

#[test]
fn definitions_have_their_places() {
    register("toy-explained");
    let definitions = OperationDefinitions::of(&mlirbc::Release::named("toy-explained")).unwrap();
    let text = definitions.get("toy.open").unwrap().description();
    assert!(text.contains("defined in Toy.td:41"), "{text}");
    let class = |is_type, name| definitions.class(is_type, name).unwrap().description();
    let mode = class(false, "toy.mode");
    assert!(mode.contains("defined in Toy.td:27") && mode.contains("one of fast, safe"), "{mode}");
    let of_box = class(true, "toy.box");
    assert!(of_box.contains("syntax\n  !toy.box `<` $element `>`"), "{of_box}");
}

/// Two releases of a project, the newer of which renamed an operation.
#[test]
fn conversion_renames_operations() {
    let release = |number: u32, rows: &str| {
        format!(
            "{{\"format\":\"mlirbc-pack/1\",\"name\":\"esi\",\"releases\":[{{\"name\":\"esi-{number}\",\"llvm\":\"llvm-22\"}}]}}\n{rows}\n"
        )
    };
    let old = release(1, "{\"op\":\"esi.old\",\"format\":[\"attr-dict\"]}\n{\"layout\":\"esi.old\"}");
    let new = release(
        2,
        "{\"op\":\"esi.new\",\"format\":[\"attr-dict\"]}\n{\"layout\":\"esi.new\"}\n{\"rename\":\"esi.old\",\"to\":\"esi.new\"}",
    );
    for text in [&old, &new] {
        let pack = Pack::from_bytes(text.as_bytes(), &Limits::default()).unwrap();
        assert_eq!(pack.warnings(), []);
        pack.register().unwrap();
    }
    for (from, to, before, after) in
        [("esi-1", "esi-2", "esi.old", "esi.new"), ("esi-2", "esi-1", "esi.new", "esi.old")]
    {
        let module = assembled(&format!("module {{\n  {before}\n}}\n"), from);
        let options = WriteOptions::default().target(mlirbc::Release::named(to.to_owned()));
        let mut bytes = Vec::new();
        module.write(&mut bytes, &options).unwrap();
        assert_eq!(printed(&read(bytes, to)), format!("module {{\n  {after}\n}}\n"));
    }
}
