//! Generated modules are read again, in every version, and the same bytes give the same module.

#![allow(clippy::unwrap_used, clippy::panic)]

use arbitrary::Unstructured;
use mlirbc::convert::portable::{SerializeOptions, serialize};
use mlirbc::format::id::{AttrId, TypeId};
use mlirbc::ir::PropertyState;
use mlirbc::smith::check_version;
use mlirbc::version::BytecodeVersion;
use mlirbc::write::Numbering;
use mlirbc::{Attribute, ErrorKind, Type, WriteOptions};
use mlirbc_smith::{Config, Features, GeneratedModule, releases};

#[test]
fn modules_of_each_release_and_version_are_read() {
    for release in releases() {
        for number in 0..=6 {
            let version = BytecodeVersion::new(number);
            let config = Config { release: release.into(), version, ..Config::default() };
            if check_version(release, version.unwrap()).is_err() {
                let error = GeneratedModule::from_seed(&config, 1).unwrap_err();
                assert_eq!(error.kind(), ErrorKind::Unsupported, "{release} {number}");
                continue;
            }
            for seed in 0..8 {
                let generated = GeneratedModule::from_seed(&config, seed)
                    .unwrap_or_else(|error| panic!("{release} {number} {seed}: {error}"));
                let module = generated.module().unwrap();
                assert_eq!(Some(module.bytecode().version()), version);
                assert!(module.operation().unwrap().pre_order().all(|op| op.is_ok()));
                assert_eq!(GeneratedModule::from_seed(&config, seed).unwrap(), generated);
            }
        }
    }
}

#[test]
fn what_is_written_as_an_artifact_can_be_written_as_one_again() {
    let options = SerializeOptions::default();
    let config = Config { release: "llvm-19".into(), ..Config::default() };
    let (mut written, mut misread) = (0, 0);
    for seed in 0..150 {
        let module = GeneratedModule::from_seed(&config, seed).unwrap().module().unwrap();
        // `module` was read for this release, and the artifact must not be.
        let artifact = match serialize(&module, &options).and_then(|prepared| prepared.into_module()) {
            Ok(artifact) => artifact,
            Err(error) => {
                // Most have types that artifacts cannot have.
                misread +=
                    u32::from(error.to_string().contains("not those that readers of artifacts expect"));
                continue;
            }
        };
        written += 1;
        let again = serialize(&artifact, &options);
        again.unwrap_or_else(|error| panic!("{seed}: {error}"));
    }
    assert!(written >= 5 && misread >= 3, "{written} {misread}");
}

/// Every entry and blob of the dialect `declared` is decoded by the table, and is the same after a canonical write; no
/// other release's table has the dialect.
#[test]
fn declared_encodings_are_described_by_their_table() {
    let features = Features { declared_encodings: true, ..Features::default() };
    let (mut attributes, mut types, mut blobs) = (0, 0, 0);
    for release in releases() {
        let config = Config { features, release: release.into(), ..Config::default() };
        for seed in 0..40 {
            let generated = GeneratedModule::from_seed(&config, seed).unwrap();
            let module = generated.module().unwrap();
            for id in 0.. {
                let Some(attribute) = Attribute::of_file(&module, AttrId(id)).unwrap() else { break };
                if attribute.dialect() == "declared" {
                    assert!(attribute.opaque_reason().unwrap().is_none(), "{release} {seed}: {attribute}");
                    attributes += 1;
                }
            }
            for id in 0.. {
                let Some(r#type) = Type::of_file(&module, TypeId(id)).unwrap() else { break };
                if r#type.dialect() == "declared" {
                    assert!(r#type.opaque_reason().unwrap().is_none(), "{release} {seed}: {type}");
                    types += 1;
                }
            }
            for op in module.operation().unwrap().pre_order() {
                let op = op.unwrap();
                if op.name().to_string().starts_with("declared.") && op.properties().is_some() {
                    assert_eq!(op.property_state().unwrap(), PropertyState::Decoded, "{release} {seed}");
                    blobs += 1;
                }
            }
            let options = WriteOptions { numbering: Numbering::Canonical, ..WriteOptions::default() };
            let mut again = Vec::new();
            module.write(&mut again, &options).unwrap();
            assert!(again == generated.bytes(), "{release} {seed}");
            module.verify().unwrap();
        }
    }
    assert!(attributes > 100 && types > 100 && blobs > 50, "{attributes} {types} {blobs}");
}

#[test]
fn without_bytes_a_module_is_empty_or_small() {
    let generated = GeneratedModule::new(&Config::default(), &mut Unstructured::new(&[])).unwrap();
    assert!(generated.module().unwrap().operation().unwrap().pre_order().count() < 200);
}

#[test]
fn without_features_nothing_is_unregistered() {
    let config = Config { features: Features::none(), ..Config::default() };
    for seed in 0..20 {
        let module = GeneratedModule::from_seed(&config, seed).unwrap().module().unwrap();
        for op in module.operation().unwrap().pre_order() {
            let op = op.unwrap();
            assert!(!op.name().to_string().starts_with("smith."), "{}", op.name());
        }
    }
}
