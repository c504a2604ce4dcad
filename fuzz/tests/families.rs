//! Families of files that one table or one shape makes large: the cost of each operation stays within the
//! allowance.

#![allow(clippy::expect_used)]

use mlirbc::edit::{EditBlock, EditValue, Editor, InsertionPoint, NewOperation};
use mlirbc::write::Numbering;
use mlirbc::{Attribute, Module, Type, WriteOptions};
use mlirbc_fuzz::cost;

/// The size of a family; quadratic work would exceed the allowances.
const SIZE: usize = 1000;
/// The size of a family where two sizes multiply.
const SIDE: usize = 200;

// Checks the file that `fill` builds from an empty module.
fn check_file(fill: impl FnOnce(&mut Editor, EditBlock)) {
    // The file is built without measurements, because another test may be measuring.
    cost::alone(|| check(&file(fill)));
}

fn file(fill: impl FnOnce(&mut Editor, EditBlock)) -> Vec<u8> {
    let module = Module::from_bytes(mlirbc::doc_example()).expect("the example");
    let mut editor = Editor::new(module).expect("the example");
    let body = editor.operation().and_then(|top| editor.body(top)).expect("a module has a body");
    fill(&mut editor, body);
    let mut bytes = Vec::new();
    let options = WriteOptions::default().numbering(Numbering::Canonical);
    editor.write(&mut bytes, &options).expect("what was made can be written");
    bytes
}

fn attribute(text: &str) -> Attribute {
    Attribute::parse(text).expect("the text of an attribute")
}

fn dictionary(size: usize) -> Vec<(Vec<u8>, Attribute)> {
    (0..size).map(|at| (format!("name{at}").into_bytes(), attribute(&format!("{at} : i64")))).collect()
}

fn check(bytes: &[u8]) {
    cost::read(bytes);
    cost::decode(bytes);
    cost::print(bytes);
    cost::roundtrip(bytes);
    for target in ["llvm-16", "llvm-19", "llvm-22", "any"] {
        cost::convert(bytes, target);
    }
    cost::edit(bytes);
    cost::fallback(bytes);
    cost::layout(bytes);
}

#[test]
fn nested_regions() {
    check_file(|editor, body| {
        let mut block = body;
        for _ in 0..SIZE {
            let new = NewOperation { regions: 1, ..NewOperation::new("t.r") };
            let op = editor.create(&new, InsertionPoint::AtEnd(block)).expect("an op");
            let region = editor.regions(op).expect("a region")[0];
            block = editor.add_block(region, None, &[]).expect("a block");
        }
    });
}

#[test]
fn a_wide_dictionary() {
    check_file(|editor, body| {
        let new = NewOperation { attributes: dictionary(SIZE), ..NewOperation::new("t.c") };
        editor.create(&new, InsertionPoint::AtEnd(body)).expect("an op");
    });
}

#[test]
fn operations_that_share_a_dictionary() {
    check_file(|editor, body| {
        let new = NewOperation { attributes: dictionary(SIDE), ..NewOperation::new("t.c") };
        for _ in 0..SIDE {
            editor.create(&new, InsertionPoint::AtEnd(body)).expect("an op");
        }
    });
}

#[test]
fn a_chain_of_operands() {
    check_file(|editor, body| {
        let mut operands: Vec<EditValue> = Vec::new();
        for _ in 0..SIZE {
            let results = vec![Type::parse("i8").expect("a type")];
            let new = NewOperation { operands, results, ..NewOperation::new("t.c") };
            let op = editor.create(&new, InsertionPoint::AtEnd(body)).expect("an op");
            operands = editor.results(op).expect("a result");
        }
    });
}

#[test]
fn nested_arrays() {
    check_file(|editor, body| {
        let text = format!("{}1{}", "[".repeat(SIZE), "]".repeat(SIZE));
        let attributes = vec![(b"nested".to_vec(), attribute(&text))];
        let new = NewOperation { attributes, ..NewOperation::new("t.c") };
        editor.create(&new, InsertionPoint::AtEnd(body)).expect("an op");
    });
}

#[test]
fn operations_of_many_dialects() {
    check_file(|editor, body| {
        for at in 0..SIZE {
            let new = NewOperation::new(format!("dialect{at}.op"));
            editor.create(&new, InsertionPoint::AtEnd(body)).expect("an op");
        }
    });
}
