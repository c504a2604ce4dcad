//! Property blobs of real files: the release that wrote them is found, and every blob is decoded and made again.

#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod support;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use mlirbc::file::ReleaseOrigin;
use mlirbc::ir::InherentAttributes;
use mlirbc::print::PrintOptions;
use mlirbc::section::SectionId;
use mlirbc::{Module, Operation, ReadOptions};

use crate::support::files;

fn of_release(release: u32, versions: &[u32]) -> Vec<PathBuf> {
    let folder = |version| format!("tests/data/bytecode/llvm-{release}/v{version}");
    versions.iter().flat_map(|version| files(folder(version))).collect()
}

fn ops(module: &Module) -> Vec<Operation<'_>> {
    let tops = module.top_level_block().unwrap().operations();
    tops.flat_map(|op| op.pre_order().collect::<mlirbc::Result<Vec<_>>>().unwrap()).collect()
}

fn open(path: &Path, producer: Option<&str>, release: Option<&str>) -> Module {
    let mut bytes = std::fs::read(path).unwrap();
    if let Some(producer) = producer {
        bytes[5..5 + producer.len()].copy_from_slice(producer.as_bytes());
    }
    let options = ReadOptions::default().release(release.map(str::to_owned).map(mlirbc::Release::named));
    Module::from_source(bytes.into(), &options).unwrap()
}

/// Decodes every blob and encodes it again; returns the number of decoded and of opaque ones.
fn check_blobs(module: &Module, path: &Path) -> (usize, usize) {
    let (mut known, mut opaque) = (0, 0);
    let version = module.tables().bytecode().version();
    for op in ops(module) {
        let Some(id) = op.properties() else { continue };
        let blob = module.tables().properties().unwrap().get(id.number()).unwrap();
        let name = op.operation_name().unwrap();
        match op.inherent_attributes().unwrap_or_else(|error| panic!("{}: {error}", path.display())) {
            InherentAttributes::Known(values) => {
                let schema = module.release().unwrap().op(op.name_id()).unwrap();
                assert_eq!(values.len(), schema.fields().len());
                let again = schema.encode(version, &values).unwrap();
                assert_eq!(again, &blob[..], "{} in {}", op.name(), path.display());
                known += 1;
            }
            InherentAttributes::Attribute(_) => assert_eq!(name.is_registered, Some(false)),
            // The test dialect is not part of a release.
            InherentAttributes::Declared(_) => panic!("nothing is declared here"),
            InherentAttributes::Opaque(bytes) => {
                assert_eq!(name.dialect, b"test", "{} in {}", op.name(), path.display());
                assert_eq!(bytes, blob);
                opaque += 1;
            }
        }
    }
    (known, opaque)
}

#[test]
fn every_blob_of_the_corpus_is_decoded_and_made_again() {
    for release in [19, 22] {
        let (mut known, mut opaque) = (0, 0);
        for path in of_release(release, &[5, 6]) {
            let module = open(&path, None, None);
            let detected = module.release().unwrap();
            assert_eq!(detected.name(), Some(&*format!("llvm-{release}")), "{}", path.display());
            assert!(
                matches!(detected.origin(), ReleaseOrigin::Producer(_)),
                "{}: {detected}",
                path.display()
            );
            assert!(detected.contradictions().is_empty());
            assert_eq!((detected.nearest(), detected.evidence().after), (detected.name(), None));
            let counts = check_blobs(&module, &path);
            known += counts.0;
            opaque += counts.1;
        }
        assert!(known > 300 && opaque > 4, "{known} {opaque}");
    }
}

#[test]
fn a_blob_with_more_bytes_than_its_layout_is_said_to_have_them() {
    let mut bytes = std::fs::read(support::root().join("examples/two_layers.mlirbc")).unwrap();
    let section = Module::from_bytes(bytes.clone())
        .unwrap()
        .tables()
        .bytecode()
        .section(SectionId::Properties)
        .unwrap()
        .offset;
    let section = section as usize;
    // The section has 51 bytes in 15 blobs; the first belongs to the module and has 2, the second to a function and has 6.
    assert_eq!(bytes[section - 1..][..6], [51 << 1 | 1, 15 << 1 | 1, 2 << 1 | 1, 0x43, 0x01, 6 << 1 | 1]);
    bytes[section - 1] = 52 << 1 | 1;

    let mut function = bytes.clone();
    function[section + 4] = 7 << 1 | 1;
    function.insert(section + 11, 0x01);
    let [(identifier, offset, text), (_, _, doubt)] = faults(function).try_into().unwrap();
    assert_eq!((&*identifier, offset), ("mlirbc.unsupported.property.opaque", Some(section as u64 + 11)));
    let expected = "the properties of func.func do not have the layout of llvm-22: expected the end of the properties of func.func, found 1 more byte";
    assert!(text.starts_with(expected), "{text}");
    let expected =
        "the properties of func.func may not have the layout of llvm-22: another func.func does not have it";
    assert!(doubt.starts_with(expected), "{doubt}");

    // The layout of a module never changes, so another build cannot explain the byte.
    bytes[section + 1] = 3 << 1 | 1;
    bytes.insert(section + 4, 0x01);
    let [(identifier, offset, text)] = faults(bytes).try_into().unwrap();
    assert_eq!((&*identifier, offset), ("mlirbc.read.property.blob", Some(section as u64 + 4)));
    assert!(
        text.starts_with("expected the end of the properties of builtin.module, found 1 more byte"),
        "{text}"
    );
}

/// Identifier, offset and text of the faults that printing reports.
fn faults(bytes: Vec<u8>) -> Vec<(String, Option<u64>, String)> {
    let report =
        Module::from_bytes(bytes).unwrap().print(&mut std::io::sink(), &PrintOptions::default()).unwrap();
    report
        .faults
        .iter()
        .map(|fault| (fault.identifier().to_owned(), fault.offset(), fault.to_string()))
        .collect()
}

#[test]
fn a_blob_of_an_unregistered_operation_is_one_attribute() {
    // The section of properties ends the file, with the blob of `t.c`, of one byte.
    let mut bytes = mlirbc::doc_example();
    assert_eq!(bytes[123..], [0x08, 6 << 1 | 1, 2 << 1 | 1, 2 << 1 | 1, 0x01, 0x01, 1 << 1 | 1, 0x03]);
    (bytes[124], bytes[129]) = (7 << 1 | 1, 2 << 1 | 1);
    bytes.push(0x00);
    let module = Module::from_bytes(bytes).unwrap();
    let report = module.print(&mut std::io::sink(), &PrintOptions::default()).unwrap();
    let [fault] = &report.faults[..] else { panic!("{:?}", report.faults) };
    let expected = "expected one attribute as the properties of t.c, an unregistered operation, found 1 more byte after it, at 0x83";
    assert!(fault.to_string().starts_with(expected), "{fault}");
}

#[test]
fn the_release_is_inferred_from_blobs_alone() {
    let mut inferred_releases = BTreeMap::new();
    for release in [19, 22] {
        for path in of_release(release, &[5, 6]) {
            let module = open(&path, Some("NONE"), None);
            let inferred = module.release().unwrap();
            assert!(inferred.contradictions().is_empty());
            assert!(matches!(inferred.origin(), ReleaseOrigin::Unknown(_)));
            assert_eq!(inferred.description().to_string(), "unknown");
            let name = inferred.nearest().map(str::to_owned);
            if name.is_some() {
                assert_eq!(inferred.evidence().fits.first().copied(), name.as_deref());
                check_blobs(&module, &path);
            }
            *inferred_releases.entry((release, name.clone())).or_insert(0) += 1;
            // A file of 19 that fits 22 as well is nothing to be wrong about: its values are the same.
            let right = open(&path, None, Some(&format!("llvm-{release}")));
            if name.is_some_and(|name| name != format!("llvm-{release}")) {
                assert_eq!(release, 19, "{}", path.display());
                assert_eq!(values(&module), values(&right), "{}", path.display());
            }
        }
    }
    // Where nothing differs between the two, the newer one is taken.
    assert_eq!(
        inferred_releases
            .keys()
            .filter(|(release, name)| *release == 22 && name.as_deref() != Some("llvm-22"))
            .count(),
        0
    );
    assert!(inferred_releases[&(19, Some("llvm-19".to_owned()))] > 20, "{inferred_releases:?}");
}

/// The values of all ops, absent ones aside.
fn values(module: &Module) -> Vec<String> {
    let text = |op: &Operation<'_>| match op.inherent_attributes().unwrap() {
        InherentAttributes::Known(values) => {
            let present = values.iter().filter(|value| value.value != mlirbc::props::PropertyValue::Absent);
            let mut texts: Vec<_> =
                present.map(|value| format!("{} = {}", value.name(), value.value)).collect();
            texts.sort();
            texts.join(", ")
        }
        other => format!("{other:?}"),
    };
    ops(module).iter().map(|op| format!("{} {}", op.name(), text(op))).collect()
}

#[test]
fn a_false_claim_is_contradicted() {
    let path =
        of_release(22, &[6]).into_iter().find(|path| path.ends_with("dialects_common.mlirbc")).unwrap();
    let module = open(&path, Some("MLIR19."), None);
    let release = module.release().unwrap();
    // The name follows from the producer string, and the blobs are evidence against it.
    assert_eq!(release.name(), Some("llvm-19"), "{release}");
    assert!(matches!(release.origin(), ReleaseOrigin::Producer(_)));
    let evidence = release.evidence();
    assert_eq!(evidence.fits, ["llvm-22"]);
    let function = evidence.contradictions.iter().find(|row| row.operation == "func.func").unwrap();
    assert!(function.offset.is_some_and(|offset| offset > 0x724), "{function:?}");
    assert!(function.message.contains(" in the Properties section"), "{function}");
    // Operations with contradicting blobs are not decoded, nor are operations that the other release would
    // read differently.
    let (mut same, mut opaque) = (0, 0);
    for (value, right) in values(&module).into_iter().zip(values(&open(&path, None, None))) {
        match value.contains("Opaque") {
            true => opaque += 1,
            false => {
                assert_eq!(value, right);
                same += 1;
            }
        }
    }
    assert!(same > 30 && opaque > 2, "{same} {opaque}");

    // A release that the caller specifies is used without a check.
    let module = open(&path, None, Some("llvm-19"));
    assert_eq!(module.release().unwrap().origin(), &ReleaseOrigin::Caller);
    let ops = ops(&module);
    let function = ops.iter().find(|op| op.name() == "func.func").unwrap();
    assert!(matches!(function.inherent_attributes(), Ok(InherentAttributes::Opaque(_))));
    let report = module.print(&mut std::io::sink(), &PrintOptions::default()).unwrap();
    let is_named = |fault: &mlirbc::Error| {
        fault.identifier() == "mlirbc.unsupported.property.opaque"
            && fault.to_string().contains("the properties of func.func do not have the layout of llvm-19")
    };
    assert!(report.faults.iter().any(is_named), "{:?}", report.faults);

    let options = ReadOptions::default().release(mlirbc::Release::named("llvm-1"));
    let error = Module::open_with(&path, &options).unwrap_err();
    assert_eq!(error.identifier(), "mlirbc.invalid.release");
}

fn with_producer(path: &Path, producer: &str) -> Module {
    let mut bytes = std::fs::read(path).unwrap();
    let end = 5 + bytes[5..].iter().position(|byte| *byte == 0).unwrap();
    bytes.splice(5..end, producer.bytes());
    Module::from_source(bytes.into(), &ReadOptions::default()).unwrap()
}

/// Another producer moves the data of aligned resources.
fn is_aligned(path: &Path) -> bool {
    path.to_string_lossy().contains("resources")
}

/// A release lies at the border of two development versions, so that its files may have either producer.
#[test]
fn files_of_the_main_branch_are_decoded_rightly_or_not_at_all() {
    for (release, producer) in
        [(19, "MLIR19.0.0git"), (19, "MLIR20.0.0git"), (22, "MLIR22.0.0git"), (22, "MLIR23.0.0git")]
    {
        let (mut same, mut opaque) = (0, 0);
        for path in of_release(release, &[6]).into_iter().filter(|path| !is_aligned(path)) {
            let module = with_producer(&path, producer);
            let detected = module.release().unwrap();
            for (value, right) in values(&module).into_iter().zip(values(&open(&path, None, None))) {
                if value == right {
                    same += 1;
                } else {
                    assert!(
                        value.contains("Opaque"),
                        "{} for {right} in {}: {detected}",
                        value,
                        path.display()
                    );
                    opaque += 1;
                }
            }
        }
        assert!(same > 500 && opaque < same / 20, "{producer}: {same} {opaque}");
    }
}

#[test]
fn what_builds_write_in_several_ways_is_ambiguous() {
    // `memory` of `llvm.func` became `memory_effects` between 19 and jaxlib 0.4.31.
    let named = |path: &PathBuf| {
        let module = with_producer(path, "MLIR20.0.0git");
        let release = module.release().unwrap();
        release.ambiguous().iter().any(|sentence| sentence.contains("`llvm.func` may have the layout of"))
    };
    let paths: Vec<_> = of_release(19, &[6]).into_iter().filter(|path| !is_aligned(path)).collect();
    assert!(paths.iter().any(named));
    // Files of a release are never ambiguous.
    assert!(paths.iter().all(|path| open(path, None, None).release().unwrap().ambiguous().is_empty()));
}

/// As the tools of StableHLO read files from before there were properties.
#[test]
fn old_files_of_unknown_producers_have_inherent_attributes() {
    let mut known_count = 0;
    for path in of_release(22, &[4]) {
        let module = open(&path, Some("NONE"), None);
        let detected = module.release().unwrap();
        assert!(matches!(detected.origin(), ReleaseOrigin::Unknown(_)), "{}: {detected}", path.display());
        for (value, right) in values(&module).into_iter().zip(values(&open(&path, None, None))) {
            if detected.nearest() == Some("llvm-22") {
                assert_eq!(value, right, "{}", path.display());
                known_count += 1;
            }
        }
    }
    assert!(known_count > 100, "{known_count}");
}

/// Values do not depend on the version, where they are attributes.
#[test]
fn dictionaries_below_version_5_hold_the_same() {
    let text = |op: &Operation<'_>| -> String {
        // Below version 5, an attribute of an unregistered op is lost.
        let values = match op.inherent_attributes().unwrap() {
            InherentAttributes::Known(values) => values,
            _ => Vec::new(),
        };
        let in_dictionary = values.iter().filter(|value| value.field.is_in_dictionary());
        let in_dictionary = in_dictionary.filter(|value| value.value != mlirbc::props::PropertyValue::Absent);
        let mut names: Vec<_> = in_dictionary.map(|value| value.name()).collect();
        names.sort_unstable();
        let segments = (op.operand_segment_sizes().unwrap(), op.result_segment_sizes().unwrap());
        format!("{} {names:?} {segments:?} {}", op.name(), op.discardable_attributes().unwrap().len())
    };
    let mut count = 0;
    for release in [19, 22] {
        for path in of_release(release, &[6]) {
            let name = path.file_name().unwrap();
            let newest = open(&path, None, None);
            let newest: Vec<_> = ops(&newest).iter().map(text).collect();
            for version in [4, 5] {
                let older = path.parent().unwrap().with_file_name(format!("v{version}")).join(name);
                let older = open(&older, None, None);
                assert_eq!(older.release().unwrap().name(), Some(&*format!("llvm-{release}")));
                for (op, expected) in ops(&older).iter().zip(&newest) {
                    // Without a schema the dictionary below version 5 has everything.
                    if !op.name().starts_with("test.") {
                        assert_eq!(&text(op), expected, "{} {version}", path.display());
                    }
                    count += usize::from(op.operand_segment_sizes().unwrap().is_some());
                }
            }
        }
    }
    assert!(count > 50, "{count}");
}
