//! Formats that MLIR has as C++, in text with the parts that few files have, are printed and parsed as MLIR does.

#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::io::Write;
use std::process::{Command, Stdio};

use mlirbc::Module;
use mlirbc::parse::{ParseOptions, assemble};
use mlirbc::print::PrintOptions;

// As `mlir-opt-22` prints it.
const TEXT: &str = include_str!("transcribed.mlir");

fn assembled() -> Vec<u8> {
    let options = ParseOptions::default().target(mlirbc::Release::named("llvm-22"));
    assemble(TEXT.as_bytes(), &options).unwrap()
}

#[test]
fn text_is_printed_as_it_was_parsed() {
    let module = Module::from_bytes(assembled()).unwrap();
    let mut text = Vec::new();
    module.print(&mut text, &PrintOptions::default()).unwrap();
    assert_eq!(String::from_utf8(text).unwrap().trim_end(), TEXT.trim_end());
}

#[test]
fn mlir_reads_what_is_assembled_as_the_text() {
    let child = Command::new("mlir-opt-22").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let Ok(mut child) = child else {
        eprintln!("mlir-opt-22 is not installed");
        return;
    };
    child.stdin.take().unwrap().write_all(&assembled()).unwrap();
    let out = child.wait_with_output().unwrap();
    assert!(out.status.success());
    assert_eq!(String::from_utf8(out.stdout).unwrap().trim_end(), TEXT.trim_end());
}

// MLIR omits the bounds, and its parser fills in one bound for each dimension.
#[test]
fn lossless_text_has_bounds_of_another_number() {
    let text = "\
func.func @f(%a: vector<4xf32>, %m: memref<4xf32>, %i: index) {
  \"vector.transfer_write\"(%a, %m, %i) <{in_bounds = [], operandSegmentSizes = array<i32: 1, 1, 1, 0>, permutation_map = affine_map<(d0) -> (d0)>}> : (vector<4xf32>, memref<4xf32>, index) -> ()
  return
}
";
    let options = ParseOptions::default().target(mlirbc::Release::named("llvm-22"));
    let module = Module::from_bytes(assemble(text, &options).unwrap()).unwrap();
    let mut printed = Vec::new();
    module.print(&mut printed, &PrintOptions::default().lossless(true)).unwrap();
    assert!(String::from_utf8(printed).unwrap().contains("in_bounds = []"));
}
