//! The text of files of builds between the known ones: no text that the build refuses, and nothing that is not in the file.

#![allow(missing_docs, clippy::unwrap_used)]

use std::path::{Path, PathBuf};

use mlirbc::file::ReadOptions;
use mlirbc::ir::PropertyState;
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
    let options = ReadOptions { release: Some("iree-3.13".to_owned()), ..ReadOptions::default() };
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
    let options = WriteOptions {
        numbering: Numbering::Canonical,
        version: Some(BytecodeVersion::MAX),
        ..WriteOptions::default()
    };
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
