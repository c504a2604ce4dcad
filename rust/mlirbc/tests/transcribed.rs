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

/// Texts, and what `mlir-opt` of a release prints for them.
const PAIRS: &[(u32, &str, &str)] = &[
    (
        22,
        "emitc.func @f() {
  %c = \"emitc.constant\"() <{value = 1 : i32}> : () -> i32
  emitc.do {
  } while {
    %0 = emitc.expression %c : (i32) -> i1 {
      %1 = cmp eq, %c, %c : (i32, i32) -> i1
      yield %1 : i1
    }
    yield %0 : i1
  }
  return
}
",
        "module {
  emitc.func @f() {
    %0 = \"emitc.constant\"() <{value = 1 : i32}> : () -> i32
    do {
    } while {
      %1 = expression %0 : (i32) -> i1 {
        %2 = cmp eq, %0, %0 : (i32, i32) -> i1
        yield %2 : i1
      }
      yield %1 : i1
    }
    return
  }
}
",
    ),
    (
        19,
        "spirv.module Logical GLSL450 {
  spirv.func @f(%i : i32, %p : !spirv.ptr<!spirv.struct<(f32, !spirv.array<4xf32>)>, Function>) \"None\" {
    %0 = spirv.Constant 1 : i32
    %1 = spirv.AccessChain %p[%0, %i] : !spirv.ptr<!spirv.struct<(f32, !spirv.array<4xf32>)>, Function>, i32, i32
    %2 = spirv.PtrAccessChain %p[%i, %0] : !spirv.ptr<!spirv.struct<(f32, !spirv.array<4xf32>)>, Function>, i32, i32
    %3 = spirv.PtrAccessChain %p[%i] : !spirv.ptr<!spirv.struct<(f32, !spirv.array<4xf32>)>, Function>, i32
    %4 = spirv.Load \"Function\" %1 : f32
    spirv.Return
  }
}
",
        "module {
  spirv.module Logical GLSL450 {
    spirv.func @f(%arg0: i32, %arg1: !spirv.ptr<!spirv.struct<(f32, !spirv.array<4 x f32>)>, Function>) \"None\" {
      %cst1_i32 = spirv.Constant 1 : i32
      %0 = spirv.AccessChain %arg1[%cst1_i32, %arg0] : !spirv.ptr<!spirv.struct<(f32, !spirv.array<4 x f32>)>, Function>, i32, i32
      %1 = spirv.PtrAccessChain %arg1[%arg0, %cst1_i32] : !spirv.ptr<!spirv.struct<(f32, !spirv.array<4 x f32>)>, Function>, i32, i32
      %2 = spirv.PtrAccessChain %arg1[%arg0] : !spirv.ptr<!spirv.struct<(f32, !spirv.array<4 x f32>)>, Function>, i32
      %3 = spirv.Load \"Function\" %0 : f32
      spirv.Return
    }
  }
}
",
    ),
    (
        22,
        "spirv.module Logical GLSL450 {
  spirv.func @f(%a : f32, %b : f16) \"None\" {
    %0 = spirv.GL.FClamp %a, %a, %a : f32
    %1 = spirv.GL.Fma (%a, %a, %a) {note} : (f32, f32, f32) -> f32
    spirv.Return
  }
}
func.func @e(%a: i32) -> i32 {
  %0 = \"t\"() : () -> i32
  %1 = emitc.expression %a, %0 : (i32, i32) -> i32 {
    %2 = emitc.add %a, %0 : (i32, i32) -> i32
    emitc.yield %2 : i32
  }
  %3 = emitc.expression : () -> i32 {
    %4 = \"emitc.constant\"() <{value = 42 : i32}> : () -> i32
    emitc.yield %4 : i32
  }
  return %1 : i32
}
llvm.mlir.ifunc @g : !llvm.func<f32 (i64)>, !llvm.ptr @resolver {dso_local}
llvm.mlir.ifunc hidden @h : !llvm.func<f32 (i64)>, !llvm.ptr @resolver
llvm.mlir.ifunc weak unnamed_addr @i : !llvm.func<f32 (i64)>, !llvm.ptr @resolver
llvm.func @resolver() -> !llvm.ptr {
  %0 = llvm.mlir.zero : !llvm.ptr
  llvm.return %0 : !llvm.ptr
}
",
        "module {
  spirv.module Logical GLSL450 {
    spirv.func @f(%arg0: f32, %arg1: f16) \"None\" {
      %0 = spirv.GL.FClamp %arg0, %arg0, %arg0 : f32
      %1 = spirv.GL.Fma %arg0, %arg0, %arg0 {note} : f32
      spirv.Return
    }
  }
  func.func @e(%arg0: i32) -> i32 {
    %0 = \"t\"() : () -> i32
    %1 = emitc.expression %arg0, %0 : (i32, i32) -> i32 {
      %3 = add %arg0, %0 : (i32, i32) -> i32
      yield %3 : i32
    }
    %2 = emitc.expression  : () -> i32 {
      %3 = \"emitc.constant\"() <{value = 42 : i32}> : () -> i32
      yield %3 : i32
    }
    return %1 : i32
  }
  llvm.mlir.ifunc external @g : !llvm.func<f32 (i64)>, !llvm.ptr @resolver {dso_local}
  llvm.mlir.ifunc external hidden @h : !llvm.func<f32 (i64)>, !llvm.ptr @resolver
  llvm.mlir.ifunc weak unnamed_addr @i : !llvm.func<f32 (i64)>, !llvm.ptr @resolver
  llvm.func @resolver() -> !llvm.ptr {
    %0 = llvm.mlir.zero : !llvm.ptr
    llvm.return %0 : !llvm.ptr
  }
}
",
    ),
];

fn printed_by_mlir(release: u32, input: &[u8]) -> Option<String> {
    let command = format!("mlir-opt-{release}");
    let mut child = Command::new(command)
        .arg("--allow-unregistered-dialect")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .ok()?;
    child.stdin.take().unwrap().write_all(input).unwrap();
    let out = child.wait_with_output().unwrap();
    assert!(out.status.success());
    Some(String::from_utf8(out.stdout).unwrap())
}

#[test]
fn forms_are_read_and_printed_as_by_their_release() {
    for (release, text, expected) in PAIRS {
        let name = format!("llvm-{release}");
        let options = ParseOptions::default().target(mlirbc::Release::named(name.clone()));
        let data = assemble(text.as_bytes(), &options).unwrap();
        let mut printed = Vec::new();
        let module = Module::from_bytes(data.clone()).unwrap();
        module.print(&mut printed, &PrintOptions::default()).unwrap();
        assert_eq!(String::from_utf8(printed).unwrap(), *expected, "{name}");
        for input in [text.as_bytes(), &data] {
            if let Some(text) = printed_by_mlir(*release, input) {
                assert_eq!(text.trim_end(), expected.trim_end(), "{name}");
            }
        }
    }
}
