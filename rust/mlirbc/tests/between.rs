//! Files of builds between the known ones: each operation is read in the layout of its writer or kept opaque, and written in
//! the layout that it was read with.

#![allow(missing_docs, clippy::unwrap_used, clippy::panic)]

use std::path::{Path, PathBuf};

use mlirbc::file::ReadOptions;
use mlirbc::format::id::TypeId;
use mlirbc::ir::InherentAttributes;
use mlirbc::props::PropertyValue;
use mlirbc::section::SectionId;
use mlirbc::version::BytecodeVersion;
use mlirbc::write::Numbering;
use mlirbc::{Module, WriteOptions};

fn case(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/between").join(name)
}

fn canonical(module: &Module) -> mlirbc::Result<Vec<u8>> {
    let options = WriteOptions::default().numbering(Numbering::Canonical);
    let mut bytes = Vec::new();
    module.write(&mut bytes, &options)?;
    Ok(bytes)
}

fn assembled_like(text: &str, like: &Module) -> Module {
    let options = mlirbc::parse::ParseOptions::default()
        .target(mlirbc::Release::named(like.release().unwrap().nearest().unwrap().to_owned()))
        .like(like.tables().clone())
        .version(BytecodeVersion::MAX);
    Module::from_bytes(mlirbc::parse::assemble(text, &options).unwrap()).unwrap()
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
    let options = WriteOptions::default().numbering(Numbering::Canonical);
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
    // IREE 3.8 and 3.10 have the same layout; the newer one stands for both.
    assert!(sentence.contains("iree-3.10") && sentence.contains("iree-3.6"), "{sentence}");
    let error = canonical(&module).unwrap_err();
    assert_eq!(error.identifier(), "mlirbc.unsupported.target");
    let verification = module.verify().unwrap();
    let unchecked: Vec<_> = verification.unchecked().iter().map(ToString::to_string).collect();
    let row = "stream.async.transfer: 2 property blobs that builds decode differently";
    assert!(unchecked.iter().any(|shown| shown == row), "{unchecked:?}");

    // The user settles it: IREE 3.6 prints `target_affinity = @dev_b` of the first transfer as its `result_affinity`.
    let options = ReadOptions::default().release(mlirbc::Release::named("iree-3.6"));
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
    assert!(release.nearest().is_some_and(|name| builds.contains(&name)), "{release}");
    let description = release.description().to_string();
    assert_eq!(description, "a development version of LLVM 22, between llvm-21 and llvm-22");
}

/// `inbounds` and the attributes of `llvm.load` are as the build prints them, in `jaxlib-0.12_gep.mlir`.
#[test]
fn a_file_of_a_known_build_is_read_with_its_layouts() {
    let module = Module::open(case("jaxlib-0.12_gep.mlirbc")).unwrap();
    let release = module.release().unwrap();
    assert_eq!(release.nearest(), Some("jaxlib-0.12"));
    assert_eq!(release.description().to_string(), "a development version of LLVM 24, after llvm-23");
    let texts = properties(&module, "llvm.load");
    assert!(texts.len() == 2 && texts.iter().all(|text| text.starts_with("ordering = ")), "{texts:?}");
    let texts = properties(&module, "llvm.getelementptr");
    assert!(texts.iter().all(|text| text.contains("noWrapFlags = `3`")), "{texts:?}");
}

/// A development build may add a field to debug info: the attribute is opaque and kept, and the rest of the file is read.
#[test]
fn an_attribute_of_unknown_layout_is_opaque_in_a_file_of_a_development_build() {
    let bytes = std::fs::read(case("flydsl_callsite_loc.mlirbc")).unwrap();
    let module = Module::from_bytes(bytes.clone()).unwrap();
    let verification = module.verify().unwrap();
    let unchecked: Vec<_> = verification.unchecked().iter().map(ToString::to_string).collect();
    assert!(unchecked.contains(&"llvm: 1 attribute or type of unknown encoding".to_owned()), "{unchecked:?}");
    let opaque = module.opaque().unwrap();
    assert_eq!(opaque.len(), 1, "{opaque:?}");
    assert!(opaque[0].reason.contains("DICompileUnitAttr do not have a known layout"), "{opaque:?}");
    assert_eq!(opaque[0].offset, 0xad);
    let mut written = Vec::new();
    module.write(&mut written, &WriteOptions::default()).unwrap();
    assert!(written == bytes);
    let error = canonical(&module).unwrap_err();
    assert_eq!(error.identifier(), "mlirbc.unsupported.entry.no_table");
    let mut editor = mlirbc::edit::Editor::new(module).unwrap();
    let root = editor.operation().unwrap();
    editor.set_attribute(root, "test.first", &mlirbc::Attribute::parse("17 : i5").unwrap()).unwrap();
    let mut edited = Vec::new();
    editor.write(&mut edited, &WriteOptions::default()).unwrap();
    let edited = Module::from_bytes(edited).unwrap();
    edited.verify().unwrap();
    let entry = edited.tables().attribute(mlirbc::ir::AttrId::new(22)).unwrap().unwrap();
    assert_eq!(&*entry.data, &bytes[0xad..0xbb]);

    // Releases do not change an encoding, so the same bytes are damage in a file of a release.
    let mut released = bytes;
    released[5..18].copy_from_slice(b"MLIR22.1.88.8");
    let opaque = Module::from_bytes(released).unwrap().opaque().unwrap();
    assert!(opaque.iter().any(|entry| entry.reason.starts_with("expected a varint")), "{opaque:?}");
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
    let module = assembled_like(text, &like);
    assert_eq!(module.tables().bytecode().producer(), like.tables().bytecode().producer());
    let texts = properties(&module, "llvm.getelementptr");
    assert!(texts[0].contains("noWrapFlags = `3`"), "{texts:?}");
}

/// Files of a release with the producer string of a development version: canonical writing either keeps their
/// meaning in that release, or is refused.
#[test]
fn rewritten_files_of_the_main_branch_mean_the_same_to_their_writer() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/bytecode/llvm-22/v6");
    let (mut same, mut refused) = (0, 0);
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        // Another producer string moves the data of aligned resources, and determines how orders of uses are
        // written.
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

/// Both readings are available, each with the builds that have it, and the caller can select one.
#[test]
fn readings_of_ambiguous_properties_are_kept() {
    let path = case("iree-3.6_async_transfer.mlirbc");
    let module = Module::open(&path).unwrap();
    let shown = |module: &Module| -> Vec<Vec<String>> {
        let ops = module.operation().unwrap().pre_order().map(|op| op.unwrap());
        let readings =
            ops.filter(|op| op.name() == "stream.async.transfer").map(|op| op.property_readings().unwrap());
        readings.map(|readings| readings.iter().map(|reading| reading.shown(module)).collect()).collect()
    };
    let readings = shown(&module);
    assert_eq!(readings.len(), 2);
    assert!(readings.iter().all(|readings| readings.len() == 2), "{readings:?}");
    // IREE 3.6 prints `@dev_b` as the affinity of the result, as iree-3.4 has it.
    assert!(
        readings[0][0].starts_with("iree-3.4") && readings[0][0].contains("result_affinity = "),
        "{readings:?}"
    );
    assert!(
        readings[0][1].contains("iree-3.8") && readings[0][1].contains("source_affinity = "),
        "{readings:?}"
    );
    let ambiguous = module.ambiguous_operations().unwrap();
    assert_eq!(ambiguous.iter().map(|op| op.name()).collect::<Vec<_>>(), ["stream.async.transfer"]);
    let first: Vec<_> = ambiguous[0].readings().iter().map(|reading| reading.shown(&module)).collect();
    assert_eq!(first, readings[0]);
    let reason = module.opaque().unwrap()[0].reason.clone();
    assert!(reason.contains("several readings") && reason.contains(&readings[0][1]), "{reason}");

    let select = |op: &str, release: &str| {
        let layouts = vec![(op.to_owned(), release.to_owned())];
        Module::open_with(&path, &ReadOptions::default().layouts(layouts))
    };
    let module = select("stream.async.transfer", "iree-3.4").unwrap();
    assert!(shown(&module).iter().all(Vec::is_empty) && module.ambiguous_operations().unwrap().is_empty());
    let texts = properties(&module, "stream.async.transfer");
    assert!(texts.iter().all(|text| text.starts_with("result_affinity = ")), "{texts:?}");
    // The selected layout is also written, even after an edit.
    let written = canonical(&module).unwrap();
    let layouts = vec![("stream.async.transfer".to_owned(), "iree-3.4".to_owned())];
    let again = Module::from_source(written.into(), &ReadOptions::default().layouts(layouts)).unwrap();
    assert_eq!(properties(&again, "stream.async.transfer").len(), 2);
    let mut editor = mlirbc::edit::Editor::new(module).unwrap();
    let root = editor.operation().unwrap();
    editor.set_attribute(root, "test.first", &mlirbc::Attribute::parse("17 : i5").unwrap()).unwrap();
    let mut bytes = Vec::new();
    let options = WriteOptions::default().numbering(Numbering::Canonical);
    editor.write(&mut bytes, &options).unwrap();

    let error = select("stream.async.transfer", "iree-9").unwrap_err();
    assert_eq!(error.identifier(), "mlirbc.invalid.release");
    let error = select("stream.async.transfer", "llvm-22").unwrap_err();
    assert!(error.to_string().contains("llvm-22 has no operation `stream.async.transfer`"), "{error}");
}

/// A blob of an operation whose layout never changes is damaged if it does not fit, in a file of any build.
#[test]
fn a_blob_of_a_module_that_does_not_fit_is_damage() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../tests/data/bytecode/llvm-22/v6/module_named.mlirbc");
    let bytes = std::fs::read(path).unwrap();
    let end = 5 + bytes[5..].iter().position(|byte| *byte == 0).unwrap();
    let bytes = [&bytes[..5], b"MLIR23.0.0git", &bytes[end..]].concat();
    let module = Module::from_bytes(bytes.clone()).unwrap();
    module.verify().unwrap();
    let section = module.tables().bytecode().section(SectionId::Properties).unwrap().offset as usize;
    let root = module.operation().unwrap();
    let blob = module.tables().properties().unwrap().get(root.properties().unwrap().number()).unwrap();
    let place = bytes[section..].windows(blob.len()).position(|window| window == &blob[..]).unwrap();
    let mut damaged = bytes;
    // An attribute past the end of the table.
    damaged[section + place] = 0xff;
    let module = Module::from_bytes(damaged).unwrap();
    let error = module.verify().unwrap_err();
    assert!(error.identifier().starts_with("mlirbc.read."), "{error}");
    assert_eq!(error.offset(), Some((section + place) as u64));
    assert!(module.operation().unwrap().inherent_attributes().is_err());
}

/// `mlir-opt` refuses a group of resources of a dialect that takes none, even if the group is empty.
#[test]
fn an_empty_group_of_resources_needs_a_dialect_that_takes_them() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../tests/data/bytecode/llvm-22/v6/dialects_common.mlirbc");
    let original = std::fs::read(path).unwrap();
    let module = Module::from_bytes(original.clone()).unwrap();
    let section = module.tables().bytecode().section(SectionId::ResourceOffset).unwrap();
    assert_eq!((section.size, section.offset - section.header_offset), (1, 2));
    let start = section.offset as usize;
    let verify = |dialect: &str, producer: &str| {
        let index = module.dialects().unwrap().position(|row| row.name == dialect.as_bytes()).unwrap() as u8;
        let mut bytes = original.clone();
        // The size, and after the number of external groups the group: its dialect, and no resources.
        bytes[start - 1] = 0x07;
        bytes.splice(start + 1..start + 1, [index << 1 | 1, 0x01]);
        let end = 5 + bytes[5..].iter().position(|byte| *byte == 0).unwrap();
        bytes.splice(5..end, producer.bytes());
        Module::from_bytes(bytes).unwrap().verify().map(|_| ())
    };
    for dialect in ["func", "arith", "memref", "gpu"] {
        let error = verify(dialect, "MLIR22.1.8").unwrap_err();
        assert_eq!(error.identifier(), "mlirbc.read.resource.kind");
        assert!(
            error.to_string().contains(&format!("dialect {dialect} does not accept resources")),
            "{error}"
        );
        // A build of the main branch may take them.
        verify(dialect, "MLIR23.0.0git").unwrap();
    }
    verify("builtin", "MLIR22.1.8").unwrap();
}

/// The properties of an operation that a tool does not register are one attribute for it, whatever its headers define:
/// `mlir-opt-19` prints `<{imm = 5 : i32, opcode = 3 : i64}>` of the converted file.
#[test]
fn properties_of_unregistered_operations_stay_one_attribute() {
    let module = Module::open(case("mlir-opt-22_unregistered.mlirbc")).unwrap();
    let check = |module: &Module| {
        let ops = module.operation().unwrap().pre_order().map(|op| op.unwrap());
        let op = ops.into_iter().find(|op| op.name() == "vcix.v.iv").unwrap();
        assert_eq!(op.operation_name().unwrap().is_registered, Some(false));
        let InherentAttributes::Attribute(id) = op.inherent_attributes().unwrap() else { panic!() };
        let value = mlirbc::Attribute::of_file(module.tables(), id).unwrap().unwrap();
        assert_eq!(value.to_string(), "{imm = 5 : i32, opcode = 3 : i64}");
    };
    check(&module);
    for target in ["llvm-19", "llvm-22"] {
        let options = WriteOptions::default().target(mlirbc::Release::named(target.to_owned()));
        let mut bytes = Vec::new();
        module.write(&mut bytes, &options).unwrap();
        check(&Module::from_bytes(bytes).unwrap());
        let report = module
            .compatibility(&mlirbc::convert::Receiver::Release(mlirbc::Release::named(target.to_owned())))
            .unwrap();
        let of_op = report.findings.iter().filter(|finding| finding.name == "vcix.v.iv");
        let findings: Vec<_> = of_op.map(|finding| (finding.kind, finding.outcome)).collect();
        assert_eq!(findings, [(mlirbc::convert::FindingKind::Op, mlirbc::convert::Outcome::Kept)]);
        let text = std::fs::read_to_string(case("mlir-opt-22_unregistered.mlir")).unwrap();
        let options =
            mlirbc::parse::ParseOptions::default().target(mlirbc::Release::named(target.to_owned()));
        check(&Module::from_bytes(mlirbc::parse::assemble(&text, &options).unwrap()).unwrap());
    }
}

/// A development build may have more builtin codes than the registered table. What another version stores as attributes is
/// equal to what the file has, and each is written once.
#[test]
fn new_entries_for_a_development_build_are_written_once() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/iree");
    let paths = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut count = 0;
    for path in paths.filter(|path| path.extension().is_some_and(|extension| extension == "mlirbc")) {
        let module = Module::open(&path).unwrap();
        if module.tables().bytecode().producer() != b"MLIR24.0.0git" {
            continue;
        }
        count += 1;
        for version in [3, 5] {
            let options = WriteOptions::default()
                .numbering(Numbering::Canonical)
                .version(BytecodeVersion::new(version))
                .drop_unsupported(true);
            let mut bytes = Vec::new();
            module.write(&mut bytes, &options).unwrap();
            let written = Module::from_bytes(bytes.clone()).unwrap();
            let mut known_types = std::collections::HashSet::new();
            for index in 0..written.tables().entry_counts().unwrap().types {
                let row = written.tables().r#type(TypeId::new(index)).unwrap().unwrap();
                let is_new = known_types
                    .insert((row.dialect.to_owned(), format!("{:?} {:?}", row.encoding, row.data)));
                assert!(is_new, "type {index} of {}, version {version}, is there twice", path.display());
            }
        }
    }
    assert!(count > 5, "{count}");
}

fn producer_file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/producers").join(name)
}

fn has_blobs(module: &Module, dialect: &str) -> bool {
    let mut ops = module.operation().unwrap().pre_order().map(|op| op.unwrap());
    ops.any(|op| op.name().starts_with(dialect) && op.properties().is_some())
}

/// StableHLO has no properties in jaxlib 0.4.23, which refuses blobs of its operations.
#[test]
fn operations_that_the_writer_has_no_properties_for_are_written_without() {
    let path = producer_file("jaxlib-0.4.23_collectives.mlirbc");
    let module = Module::open(&path).unwrap();
    assert!(!has_blobs(&module, "stablehlo."));
    // The attributes have their names nevertheless.
    let texts = properties(&module, "stablehlo.transpose");
    assert!(texts.len() == 2 && texts.iter().all(|text| text.starts_with("permutation = ")), "{texts:?}");
    assert_eq!(canonical(&module).unwrap(), std::fs::read(&path).unwrap());

    let text = r#"
        "builtin.module"() ({
          %0 = "stablehlo.constant"() {value = dense<1.0> : tensor<2x3xf32>} : () -> tensor<2x3xf32>
          %1 = "stablehlo.transpose"(%0) {permutation = array<i64: 1, 0>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
        }) : () -> ()
    "#;
    let assembled = assembled_like(text, &module);
    assert!(!has_blobs(&assembled, "stablehlo."));

    let mut editor = mlirbc::edit::Editor::new(module).unwrap();
    let root = editor.operation().unwrap();
    let module_body = editor.body(root).unwrap();
    let function = editor.operations(module_body).unwrap()[0];
    let function_body = editor.body(function).unwrap();
    let permutation = mlirbc::Attribute::parse("array<i64: 0, 1>").unwrap();
    for op in editor.operations(function_body).unwrap() {
        if editor.name(op).unwrap() == "stablehlo.transpose" {
            editor.set_attribute(op, "permutation", &permutation).unwrap();
        }
    }
    let mut bytes = Vec::new();
    editor.write(&mut bytes, &WriteOptions::default()).unwrap();
    let edited = Module::from_bytes(bytes).unwrap();
    assert!(!has_blobs(&edited, "stablehlo."));
    assert_eq!(properties(&edited, "stablehlo.transpose").len(), 2);

    // Later builds have properties for them.
    let options = WriteOptions::default().target(mlirbc::Release::named("jaxlib-0.6"));
    let mut bytes = Vec::new();
    Module::open(&path).unwrap().write(&mut bytes, &options).unwrap();
    let converted = Module::from_bytes(bytes).unwrap();
    let mut ops = converted.operation().unwrap().pre_order().map(|op| op.unwrap());
    assert!(ops.any(|op| op.name() == "stablehlo.all_gather" && op.properties().is_some()));
}

/// The builds around IREE of April 2024 disagree whether `arith.extf` has properties. Its file tells: there is no blob.
#[test]
fn an_operation_without_a_blob_has_no_ambiguous_layout() {
    let path = producer_file("iree-compiler-20240410.859_extf.mlirbc");
    let module = Module::open(&path).unwrap();
    assert_eq!(module.release().unwrap().ambiguous(), &[] as &[String]);
    assert_eq!(canonical(&module).unwrap(), std::fs::read(&path).unwrap());
}

/// LLVM 19 and 21 write the flags of `llvm.add` as a number, in different widths.
#[test]
fn layouts_that_give_the_same_values_are_not_ambiguous() {
    let path = producer_file("jaxlib-0.7.0_add.mlirbc");
    let module = Module::open(&path).unwrap();
    assert_eq!(module.release().unwrap().ambiguous(), &[] as &[String]);
    assert_eq!(properties(&module, "llvm.add"), ["overflowFlags = `1`", "overflowFlags = `0`"]);
    assert_eq!(canonical(&module).unwrap(), std::fs::read(&path).unwrap());
}

/// `omp.target_data` has five groups in this build and six in LLVM 23. MLIR writes three sizes of five with the zeros between
/// them, and three sizes of six without.
#[test]
fn the_encoding_of_segment_sizes_tells_their_number() {
    let path = producer_file("numba-cuda-mlir-0.6.0_groups.mlirbc");
    let module = Module::open(&path).unwrap();
    assert_eq!(properties(&module, "omp.target_data"), ["operandSegmentSizes = `[0, 1, 1, 0, 1]`"]);
    assert_eq!(canonical(&module).unwrap(), std::fs::read(&path).unwrap());
}

/// A build that is not near the file has the operation, so the reason says more than that no schema describes it.
#[test]
fn the_reason_names_what_the_builds_know() {
    let mut bytes = std::fs::read(case("iree-3.6_unreachable.mlirbc")).unwrap();
    let place = bytes.windows(4).position(|part| part == b"MLIR").unwrap();
    let end = place + bytes[place..].iter().position(|byte| *byte == 0).unwrap();
    bytes.splice(place..end, *b"MLIR22.1.8");
    let module = Module::from_bytes(bytes).unwrap();
    let opaque = module.opaque().unwrap();
    let reason = &opaque.iter().find(|opaque| opaque.name == "util.unreachable").unwrap().reason;
    assert!(reason.starts_with("util.unreachable is not in the property schema of llvm-22"), "{reason}");
}

/// A fork of LLVM 19 may have more properties than the release of its producer string. Other blobs that do not fit are damaged.
#[test]
fn more_properties_than_a_release_has_are_not_damage() {
    let original = std::fs::read(case("jaxlib-0.12_gep.mlirbc")).unwrap();
    let place = original.windows(6).position(|part| part == b"MLIR24").unwrap();
    let end = place + original[place..].iter().position(|byte| *byte == 0).unwrap();
    let mut bytes = original.clone();
    bytes.splice(place..end, *b"MLIR19.1.7");
    let module = Module::from_bytes(bytes.clone()).unwrap();
    let verification = module.verify().unwrap();
    let unchecked: Vec<_> = verification.unchecked().iter().map(ToString::to_string).collect();
    assert!(unchecked.contains(&"llvm.load: 1 property blob of unknown layout".to_owned()), "{unchecked:?}");
    let opaque = module.opaque().unwrap();
    let of_load = opaque.iter().find(|opaque| opaque.name == "llvm.load").unwrap();
    assert!(of_load.reason.contains("do not have the layout of llvm-19"), "{}", of_load.reason);

    // The element type of `llvm.alloca` becomes another attribute.
    let section = module.tables().bytecode().section(SectionId::Properties).unwrap().offset as usize;
    let mut ops = module.operation().unwrap().pre_order().map(|op| op.unwrap());
    let alloca = ops.find(|op| op.name() == "llvm.alloca").unwrap();
    let blob = module.tables().properties().unwrap().get(alloca.properties().unwrap().number()).unwrap();
    let place = bytes[section..].windows(blob.len()).position(|window| window == &blob[..]).unwrap();
    bytes[section + place + 1] = 0x01;
    let error = Module::from_bytes(bytes).unwrap().verify().unwrap_err();
    assert!(error.to_string().contains("`elem_type` of llvm.alloca"), "{error}");
}

/// jaxlib 0.6 and CIRCT cannot parse these operations either. The generic form is the form of unregistered
/// operations.
#[test]
fn the_custom_form_of_an_operation_that_the_target_does_not_register_is_refused() {
    let assemble = |target: &str, text: &str| {
        let options =
            mlirbc::parse::ParseOptions::default().target(mlirbc::Release::named(target.to_owned()));
        mlirbc::parse::assemble(text, &options)
    };
    for (target, dialect, text) in [
        ("jaxlib-0.6", "tensor", "%0 = tensor.empty() : tensor<2xf32>"),
        ("circt-1.145", "func", "func.return"),
    ] {
        let error = assemble(target, text).unwrap_err();
        let expected = format!("{target} does not register the dialect `{dialect}`");
        assert!(error.to_string().starts_with(&expected), "{error}");
        assert!(error.hint().is_some_and(|hint| hint.contains("generic form")), "{error:?}");
    }
    let bytes = assemble("jaxlib-0.6", r#"%0 = "tensor.empty"() : () -> tensor<2xf32>"#).unwrap();
    let module = Module::from_bytes(bytes).unwrap();
    let op = module.operation().unwrap().pre_order().nth(1).unwrap().unwrap();
    assert_eq!(op.operation_name().unwrap().is_registered, Some(false));
}

/// `iree-opt` does not register `index` and takes a blob of its operations for one attribute; the Python bindings of IREE
/// register it. Both read the dictionary.
#[test]
fn properties_of_a_dialect_that_some_tools_register_are_in_the_dictionary() {
    let text = r#"%0 = "index.constant"() <{value = 7 : index}> : () -> index"#;
    let options = mlirbc::parse::ParseOptions::default().target(mlirbc::Release::named("llvm-22"));
    let module = Module::from_bytes(mlirbc::parse::assemble(text, &options).unwrap()).unwrap();
    assert!(has_blobs(&module, "index."));
    let options = WriteOptions::default().target(mlirbc::Release::named("iree-3.12"));
    let mut bytes = Vec::new();
    module.write(&mut bytes, &options).unwrap();
    let written = Module::from_bytes(bytes).unwrap();
    assert!(!has_blobs(&written, "index."));
    let op = written.operation().unwrap().pre_order().nth(1).unwrap().unwrap();
    assert_eq!(op.name(), "index.constant");
    assert!(op.attribute_dictionary().is_some());
}
