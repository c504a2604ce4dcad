//! Texts with a needle that must stay, and the results of the reducer.

use mlirbc::Module;

use crate::shrink::{Reducer, Until, Verdict};

/// Returns the reduced text around a needle; each candidate must be valid.
fn left(text: &str, needle: &str, until: Until) -> String {
    let check = |_: usize, file: &[u8]| {
        let text = String::from_utf8(file.to_vec()).unwrap();
        let bytecode = mlirbc::parse::assemble(&text, &mlirbc::parse::ParseOptions::default()).unwrap();
        let module = Module::from_bytes(bytecode).unwrap();
        assert_eq!(module.verify_operations().unwrap().error_count(), 0, "{text}");
        if text.contains(needle) { Verdict::Holds } else { Verdict::Fails }
    };
    let shrunk = Reducer::new(until, 1).run(text.as_bytes().to_vec(), &check);
    assert!(shrunk.is_finished);
    String::from_utf8(shrunk.bytes).unwrap()
}

#[test]
fn functions_go_with_their_calls() {
    let text = "\
func.func @twice(%x: i32) -> i32 {
  %y = arith.addi %x, %x : i32
  return %y : i32
}
func.func @f(%a: i32) -> i32 {
  %b = func.call @twice(%a) : (i32) -> i32
  %c = arith.muli %b, %a : i32
  %d = func.call @twice(%c) : (i32) -> i32
  return %d : i32
}
";
    let small = left(text, "muli", Until::Operations);
    assert!(!small.contains("twice") && !small.contains("addi"), "{small}");
    let smaller = left(text, "muli", Until::Attributes);
    assert!(smaller.len() < small.len() && !smaller.contains("-> i32"), "{smaller}");
}

#[test]
fn results_and_arguments_leave_their_callers() {
    let text = "\
func.func @f(%a: i32, %b: f32, %c: i64) -> (i32, f32) {
  return %a, %b : i32, f32
}
func.func @g(%a: i32, %b: f32, %c: i64) -> f32 {
  %0:2 = func.call @f(%a, %b, %c) : (i32, f32, i64) -> (i32, f32)
  return %0#1 : f32
}
";
    let small = left(text, "call @", Until::Attributes);
    assert!(small.contains("() -> ()"), "{small}");
}

#[test]
fn loops_lose_their_values() {
    let text = "\
func.func @f(%n: index, %x: f32, %y: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %y) -> (f32, f64) {
    %d = arith.addf %b, %b : f64
    %e = arith.mulf %a, %a : f32
    scf.yield %e, %d : f32, f64
  }
  return %r#1 : f64
}
";
    let small = left(text, "scf.for", Until::Attributes);
    assert!(!small.contains("iter_args") && !small.contains("f64"), "{small}");
    let unwrapped = left(text, "mulf", Until::Operations);
    assert!(!unwrapped.contains("scf.for"), "{unwrapped}");
}

#[test]
fn branches_and_their_blocks_go() {
    let text = "\
func.func @f(%c: i1, %x: i32) -> i32 {
  cf.cond_br %c, ^a(%x : i32), ^b
^a(%y: i32):
  %z = arith.addi %y, %y : i32
  cf.br ^c(%z : i32)
^b:
  %w = arith.muli %x, %x : i32
  cf.br ^c(%w : i32)
^c(%v: i32):
  return %v : i32
}
";
    let small = left(text, "muli", Until::Operations);
    assert!(!small.contains("cf.") && !small.contains("addi"), "{small}");
}

#[test]
fn a_chain_of_operations_ends_in_an_argument() {
    let text = "\
func.func @f(%x: i32) -> i1 {
  %0 = arith.extsi %x : i32 to i64
  %1 = arith.addi %0, %0 : i64
  %2 = arith.trunci %1 : i64 to i16
  %3 = arith.cmpi eq, %2, %2 : i16
  return %3 : i1
}
";
    let small = left(text, "cmpi", Until::Operations);
    assert!(!small.contains("extsi") && !small.contains("trunci"), "{small}");
}

#[test]
fn a_text_that_cannot_be_read_loses_lines() {
    let text = "\
func.func @f() {
  some.form of { nobody
    knows
  }
  needle
}
func.func @g() {
  return
}
";
    let check = |_: usize, file: &[u8]| {
        let is_kept = file.windows(6).any(|part| part == b"needle");
        if is_kept { Verdict::Holds } else { Verdict::Fails }
    };
    let shrunk = Reducer::new(Until::Attributes, 1).run(text.as_bytes().to_vec(), &check);
    assert_eq!(shrunk.bytes, b"func.func @f() {\n  needle\n}\n");
}
