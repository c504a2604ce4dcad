//! Files of builds between the known ones: each operation is read in the layout of its writer or kept opaque, and written in
//! the layout that it was read with.

#![allow(missing_docs, clippy::unwrap_used)]

use std::path::{Path, PathBuf};

use mlirbc::file::ReadOptions;
use mlirbc::ir::InherentAttributes;
use mlirbc::props::PropertyValue;
use mlirbc::version::BytecodeVersion;
use mlirbc::write::Numbering;
use mlirbc::{Module, WriteOptions};

fn case(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/between").join(name)
}

fn canonical(module: &Module) -> mlirbc::Result<Vec<u8>> {
    let options = WriteOptions { numbering: Numbering::Canonical, ..WriteOptions::default() };
    let mut bytes = Vec::new();
    module.write(&mut bytes, &options)?;
    Ok(bytes)
}

/// The properties of the operations with a name: `name = value`, or `opaque`.
fn properties(module: &Module, wanted: &str) -> Vec<String> {
    let mut texts = Vec::new();
    for op in module.operation().unwrap().pre_order() {
        let op = op.unwrap();
        if op.name() != wanted {
            continue;
        }
        texts.push(match op.inherent_attributes().unwrap() {
            InherentAttributes::Known(values) => {
                let present = values.iter().filter(|value| value.value != PropertyValue::Absent);
                present
                    .map(|value| format!("{} = {}", value.name(), value.value))
                    .collect::<Vec<_>>()
                    .join(", ")
            }
            InherentAttributes::Opaque(_) => "opaque".to_owned(),
            other => format!("{other:?}"),
        });
    }
    texts
}

/// The producers refused these files, or read other values, after `convert --canonical`.
#[test]
fn canonical_writing_keeps_the_layout_that_was_read() {
    for name in ["jaxlib-0.7.0_cf.mlirbc", "iree-3.6_unreachable.mlirbc", "numba_prefetch.mlirbc"] {
        let module = Module::open(case(name)).unwrap();
        assert_eq!(canonical(&module).unwrap(), std::fs::read(case(name)).unwrap(), "{name}");
    }
}

/// An edit of another operation does not change the layout either, although the blobs have other indices afterwards.
#[test]
fn an_edited_module_has_the_layouts_of_the_file() {
    let module = Module::open(case("jaxlib-0.7.0_cf.mlirbc")).unwrap();
    let blobs = properties(&module, "cf.cond_br");
    let mut editor = mlirbc::edit::Editor::new(module).unwrap();
    let root = editor.operation().unwrap();
    editor.set_attribute(root, "test.first", &mlirbc::Attribute::parse("17 : i5").unwrap()).unwrap();
    let mut bytes = Vec::new();
    let options = WriteOptions { numbering: Numbering::Canonical, ..WriteOptions::default() };
    editor.write(&mut bytes, &options).unwrap();
    let written = Module::from_bytes(bytes).unwrap();
    assert_eq!(properties(&written, "cf.cond_br"), blobs);
}

/// The build has `message` as a required attribute, and `iree-3.8` as an optional one: an absent attribute is written as
/// zero, so that another even number is an index.
#[test]
fn an_absent_attribute_with_an_index_is_evidence_against_a_layout() {
    let module = Module::open(case("iree-3.6_unreachable.mlirbc")).unwrap();
    let texts = properties(&module, "util.unreachable");
    assert!(texts.len() == 1 && texts[0].starts_with("message = "), "{texts:?}");
    let module = Module::open(case("numba_prefetch.mlirbc")).unwrap();
    let texts = properties(&module, "rocdl.global.prefetch");
    assert!(texts.len() == 1 && texts[0].starts_with("scope = "), "{texts:?}");
}

/// Two builds around the file have the two affinities in different order.
#[test]
fn layouts_that_differ_in_names_are_ambiguous() {
    let module = Module::open(case("iree-3.6_async_transfer.mlirbc")).unwrap();
    assert_eq!(properties(&module, "stream.async.transfer"), ["opaque", "opaque"]);
    let release = module.release().unwrap();
    let sentence = &release.ambiguous()[0];
    assert!(sentence.contains("iree-3.8") && sentence.contains("iree-3.6"), "{sentence}");
    let error = canonical(&module).unwrap_err();
    assert_eq!(error.identifier(), "mlirbc.unsupported.target");

    // The user settles it: IREE 3.6 prints `target_affinity = @dev_b` of the first transfer as its `result_affinity`.
    let options = ReadOptions { release: Some("iree-3.6".to_owned()), ..ReadOptions::default() };
    let module = Module::open_with(case("iree-3.6_async_transfer.mlirbc"), &options).unwrap();
    let texts = properties(&module, "stream.async.transfer");
    assert!(texts.iter().all(|text| text.starts_with("result_affinity = ")), "{texts:?}");
}

/// A blob that fits no build around the file is unknown, and no build of another year is named: jaxlib 0.12 has two more
/// attributes of `llvm.load` than the builds of LLVM 22.
#[test]
fn a_blob_that_fits_no_build_around_the_file_is_unknown() {
    let mut bytes = std::fs::read(case("jaxlib-0.12_gep.mlirbc")).unwrap();
    let place = bytes.windows(6).position(|part| part == b"MLIR24").unwrap();
    bytes[place..place + 6].copy_from_slice(b"MLIR22");
    let module = Module::from_bytes(bytes).unwrap();
    assert_eq!(properties(&module, "llvm.load"), ["opaque", "opaque"]);
    let release = module.release().unwrap();
    let builds = ["circt-1.130", "iree-3.10", "iree-3.6", "iree-3.8", "jaxlib-0.7", "jaxlib-0.8"];
    assert!(release.name().is_some_and(|name| builds.contains(&name)), "{release}");
}

/// `inbounds` and the attributes of `llvm.load` are as the build prints them, in `jaxlib-0.12_gep.mlir`.
#[test]
fn a_file_of_a_known_build_is_read_with_its_layouts() {
    let module = Module::open(case("jaxlib-0.12_gep.mlirbc")).unwrap();
    assert_eq!(module.release().unwrap().name(), Some("jaxlib-0.12"));
    let texts = properties(&module, "llvm.load");
    assert!(texts.len() == 2 && texts.iter().all(|text| text.starts_with("ordering = ")), "{texts:?}");
    let texts = properties(&module, "llvm.getelementptr");
    assert!(texts.iter().all(|text| text.contains("noWrapFlags = `3`")), "{texts:?}");
}

/// A module that is assembled like a file has the layouts of the file, and its producer string.
#[test]
fn a_text_is_assembled_with_the_layouts_of_a_file() {
    let like = Module::open(case("jaxlib-0.12_gep.mlirbc")).unwrap();
    let text = r#"
        "llvm.func"() <{CConv = #llvm.cconv<ccc>, function_type = !llvm.func<void (ptr)>, linkage = #llvm.linkage<external>,
                        sym_name = "f", unnamed_addr = 0 : i64, visibility_ = 0 : i64}> ({
        ^bb0(%p: !llvm.ptr):
          %0 = "llvm.getelementptr"(%p) <{elem_type = i32, noWrapFlags = 3 : i32, rawConstantIndices = array<i32: 1>}>
              : (!llvm.ptr) -> !llvm.ptr
          "llvm.return"() : () -> ()
        }) : () -> ()
    "#;
    let options = mlirbc::parse::ParseOptions {
        target: like.release().unwrap().name().unwrap().to_owned(),
        like: Some(like.tables().clone()),
        version: Some(BytecodeVersion::MAX),
        ..Default::default()
    };
    let bytes = mlirbc::parse::assemble(text, &options).unwrap();
    let module = Module::from_bytes(bytes).unwrap();
    assert_eq!(module.bytecode().producer(), like.bytecode().producer());
    let texts = properties(&module, "llvm.getelementptr");
    assert!(texts[0].contains("noWrapFlags = `3`"), "{texts:?}");
}

/// Files of a release under the producer string of a development version: what is written canonically reads as before in
/// that release, or nothing is written.
#[test]
fn rewritten_files_of_the_main_branch_mean_the_same_to_their_writer() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/bytecode/llvm-22/v6");
    let (mut same, mut refused) = (0, 0);
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        // Another producer string moves the data of aligned resources, and decides in which order orders of uses are written.
        let name = path.to_string_lossy();
        if name.contains("resources") || name.contains("uses_") {
            continue;
        }
        let bytes = std::fs::read(&path).unwrap();
        let end = 5 + bytes[5..].iter().position(|byte| *byte == 0).unwrap();
        // No release has the layouts of the test dialect.
        let Ok(right) = canonical(&Module::from_bytes(bytes.clone()).unwrap()) else { continue };
        for producer in ["MLIR22.0.0git", "MLIR23.0.0git"] {
            let mut renamed = bytes.clone();
            renamed.splice(5..end, producer.bytes());
            let module = Module::from_bytes(renamed).unwrap();
            match canonical(&module) {
                Ok(mut written) => {
                    let end = 5 + written[5..].iter().position(|byte| *byte == 0).unwrap();
                    let producer = right[5..].split(|byte| *byte == 0).next().unwrap();
                    written.splice(5..end, producer.iter().copied());
                    assert!(written == right, "{}", path.display());
                    same += 1;
                }
                Err(error) => {
                    assert_eq!(error.identifier(), "mlirbc.unsupported.target", "{error}");
                    refused += 1;
                }
            }
        }
    }
    assert!(same > 40 && refused < same / 4, "{same} {refused}");
}
