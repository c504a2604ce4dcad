//! The text of files of builds between the known ones: no text that the build refuses, and nothing that is not in the file.

#![allow(missing_docs, clippy::unwrap_used)]

use std::path::{Path, PathBuf};

use mlirbc::file::ReadOptions;
use mlirbc::ir::PropertyState;
use mlirbc::parse::ParseOptions;
use mlirbc::print::{PrintOptions, PrintReport};
use mlirbc::version::BytecodeVersion;
use mlirbc::write::Numbering;
use mlirbc::{Module, WriteOptions};

fn case(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/between").join(name)
}

fn printed(module: &Module, options: &PrintOptions) -> (String, PrintReport) {
    let mut text = Vec::new();
    let report = module.print(&mut text, options).unwrap();
    (String::from_utf8(text).unwrap(), report)
}

fn undecided(report: &PrintReport) -> Vec<&str> {
    report.undecided.iter().map(|form| form.operation()).collect()
}

/// Operations of LLVM 21 and IREE 3.6 have no sizes of groups, which the definition of LLVM 22 has.
#[test]
fn a_text_whose_operands_have_other_groups_in_the_release_is_refused() {
    let text = "\
func.func @f(%a: memref<8xf32, 1>, %b: memref<8xf32, 3>, %i: index) {
  amdgpu.gather_to_lds %a[%i], %b[%i] : f32, memref<8xf32, 1>, memref<8xf32, 3>
  return
}
";
    let written = |target: &str| {
        let options = ParseOptions::default().target(mlirbc::Release::named(target.to_owned()));
        mlirbc::parse::assemble(text, &options).map_err(|error| error.to_string())
    };
    assert!(written("llvm-22").is_ok());
    for target in ["llvm-21", "iree-3.6"] {
        assert!(written(target).unwrap_err().contains("amdgpu.gather_to_lds"), "{target}");
    }
}

/// `iree-opt` 3.6.0 prints this text: LLVM 19 and 22 agree on it.
#[test]
fn a_form_on_which_the_releases_around_a_build_agree_is_printed() {
    let module = Module::open(case("iree-3.6_syntax.mlirbc")).unwrap();
    let (text, report) = printed(&module, &PrintOptions::default());
    let expected = "\
module {
  func.func @f(%arg0: i32, %arg1: memref<4xf32>, %arg2: tensor<1x2x3xf32>) {
    %alloc = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
    %alloc_0 = memref.alloc() : memref<8xf32>
    %0 = tosa.transpose %arg2 {perms = array<i32: 1, 2, 0>} : (tensor<1x2x3xf32>) -> tensor<2x3x1xf32>
    gpu.barrier
    cf.switch %arg0 : i32, [
      default: ^bb1,
      4294967295: ^bb2
    ]
  ^bb1:  // pred: ^bb0
    return
  ^bb2:  // pred: ^bb0
    return
  }
}
";
    assert_eq!(text, expected);
    assert!(report.undecided.is_empty());
}

/// IREE 3.12 prints `alignment = 64`, `{perms = …}` and 4294967295, jaxlib 0.11 `{alignment = 64 : i64}`; LLVM 23 and
/// IREE 3.13 differ in all three, and the files do not tell which build wrote them.
#[test]
fn a_form_on_which_the_releases_around_a_build_differ_is_generic() {
    let alloc = "%alloc = \"memref.alloc\"() <{alignment = 64 : i64, operandSegmentSizes = array<i32: 0, 0>}> : () -> \
                 memref<8xf32>";
    for (file, names) in [
        ("iree-3.12_syntax.mlirbc", &["memref.alloc", "tosa.transpose", "cf.switch"][..]),
        ("jaxlib-0.11_syntax.mlirbc", &["memref.alloc", "cf.switch"]),
    ] {
        let module = Module::open(case(file)).unwrap();
        let (text, report) = printed(&module, &PrintOptions::default());
        assert_eq!(undecided(&report), names, "{file}");
        assert!(text.contains(alloc) && text.contains("\"cf.switch\"(%arg0)[^bb1, ^bb2] <{"), "{text}");
        // Without the attribute, the forms are the same.
        assert!(text.contains("%alloc_0 = memref.alloc() : memref<8xf32>\n"), "{text}");
        let first = &report.undecided[0];
        assert_eq!((first.releases(), first.count()), (["llvm-23", "iree-3.13"], 1));
    }
}

/// The form of IREE 3.13, which its `iree-opt` prints.
#[test]
fn a_release_that_the_user_names_decides() {
    let options = ReadOptions::default().release(mlirbc::Release::named("iree-3.13"));
    let module = Module::open_with(case("iree-3.12_syntax.mlirbc"), &options).unwrap();
    let (text, report) = printed(&module, &PrintOptions::default());
    for line in [
        "%alloc = memref.alloc() alignment = 64 : memref<8xf32>",
        "%0 = tosa.transpose %arg2 perms([1, 2, 0]) : (tensor<1x2x3xf32>) -> tensor<2x3x1xf32>",
        "  -1: ^bb2",
    ] {
        assert!(text.contains(line), "{text}");
    }
    assert!(report.undecided.is_empty());
}

/// jaxlib 0.10.0 prints its barrier without a scope, which newer builds of LLVM 23 have: a file of version 4 does not tell,
/// and has none.
#[test]
fn below_version_5_an_attribute_is_inherent_if_all_builds_have_it() {
    let module = Module::open(case("jaxlib-0.10.0_barrier.v4.mlirbc")).unwrap();
    let (text, _) = printed(&module, &PrintOptions::generic());
    assert!(text.contains("\"gpu.barrier\"() : () -> ()\n"), "{text}");
    assert!(
        text.contains("\"func.func\"() <{function_type = (memref<4xf32>) -> (), sym_name = \"f\"}> ({"),
        "{text}"
    );
    let options = WriteOptions::default().numbering(Numbering::Canonical).version(BytecodeVersion::MAX);
    let mut bytes = Vec::new();
    module.write(&mut bytes, &options).unwrap();
    let written = Module::from_bytes(bytes).unwrap();
    let mut barriers = 0;
    for op in written.operation().unwrap().pre_order() {
        let op = op.unwrap();
        if op.name() == "gpu.barrier" {
            assert_eq!(op.property_state().unwrap(), PropertyState::None);
            barriers += 1;
        }
    }
    assert_eq!(barriers, 1);
}

fn assembled_like(file: &str, text: &str) -> mlirbc::Result<Vec<u8>> {
    let like = Module::open(case(file))?;
    let options = ParseOptions::default()
        .target(mlirbc::Release::named(like.release()?.nearest().unwrap().to_owned()))
        .like(like.tables().clone())
        .version(BytecodeVersion::MAX);
    mlirbc::parse::assemble(text, &options)
}

fn has(bytes: &[u8], text: &[u8]) -> bool {
    bytes.windows(text.len()).any(|window| window == text)
}

const CASES: &str = "
func.func @f(%m: i32, %v: f32) {
  %0 = gpu.thread_id x
  %s = nvvm.shfl.sync bfly %m, %v, %m, %m : f32 -> f32
  return
}
";

/// jaxlib 0.11 (`MLIR24.0.0git`) prints and reads `#gpu<dim x>`, and refuses the spelling of IREE 3.13.
#[test]
fn cases_are_spelled_as_in_the_file_that_a_text_is_assembled_like() {
    let bytes = assembled_like("jaxlib-0.11_cases.mlirbc", CASES).unwrap();
    assert!(has(&bytes, b"#gpu<dim x>") && has(&bytes, b"#nvvm<shfl_kind bfly>"));
    // Without a spelling in the file, none is chosen.
    let error = assembled_like("jaxlib-0.11_syntax.mlirbc", CASES).unwrap_err();
    assert_eq!(error.identifier(), "mlirbc.unsupported.target");
    assert!(error.to_string().contains("`#gpu.dim<…>` or `#gpu<dim …>`"), "{error}");
}

/// jaxlib has the types of `quant`, but not their codes ("dialect 'quant' does not implement the bytecode interface").
#[test]
fn codes_that_not_all_builds_of_a_producer_read_are_written_as_text() {
    let text = "func.func private @f(!quant.uniform<i8:f32, 2.0:10>)";
    let bytes = assembled_like("jaxlib-0.11_syntax.mlirbc", text).unwrap();
    assert!(has(&bytes, b"!quant.uniform<i8:f32, 2.0:10>"));
    // A release of LLVM reads them.
    let options = ParseOptions::default().target(mlirbc::Release::named("llvm-22"));
    assert!(!has(&mlirbc::parse::assemble(text, &options).unwrap(), b"quant.uniform"));
}

/// jaxlib 0.10.0 has no scopes of barriers ("unknown attribute `barrier_scope` in dialect `gpu`"); builds with the same
/// producer string have them, as a default.
#[test]
fn no_default_is_added_that_only_some_builds_have() {
    let like = Module::open(case("jaxlib-0.10.0_barrier.v4.mlirbc")).unwrap();
    let options = ParseOptions::default()
        .target(mlirbc::Release::named(like.release().unwrap().nearest().unwrap().to_owned()))
        .like(like.tables().clone())
        .version(BytecodeVersion::new(4).unwrap());
    let text = "func.func @f() {\n  gpu.barrier\n  return\n}\n";
    assert!(!has(&mlirbc::parse::assemble(text, &options).unwrap(), b"barrier_scope"));
    let options = options.like(None);
    assert!(has(&mlirbc::parse::assemble(text, &options).unwrap(), b"barrier_scope"));
}
