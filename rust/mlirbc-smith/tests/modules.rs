//! Generated modules are read again, in every version, and the same bytes give the same module.

#![allow(clippy::unwrap_used, clippy::panic)]

use arbitrary::Unstructured;
use mlirbc::convert::portable::{SerializeOptions, serialize};
use mlirbc::version::BytecodeVersion;
use mlirbc_smith::{Config, Features, GeneratedModule, releases};

#[test]
fn modules_of_each_release_and_version_are_read() {
    for release in releases() {
        for number in 0..=6 {
            let version = BytecodeVersion::new(number);
            let config = Config { release: release.into(), version, ..Config::default() };
            for seed in 0..8 {
                let generated = GeneratedModule::from_seed(&config, seed)
                    .unwrap_or_else(|error| panic!("{release} {number} {seed}: {error}"));
                let module = generated.module().unwrap();
                assert_eq!(Some(module.tables().bytecode().version()), version);
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
        // `module` was read for this release, and the artifact must be read without a release.
        let artifact = match serialize(&module, &options).and_then(|prepared| prepared.into_module()) {
            Ok(artifact) => artifact,
            Err(error) => {
                // Most modules have types that artifacts cannot represent.
                misread +=
                    u32::from(error.to_string().contains("not those that readers of artifacts expect"));
                continue;
            }
        };
        written += 1;
        let again = serialize(&artifact, &options);
        again.unwrap_or_else(|error| panic!("{seed}: {error}"));
    }
    // Some layouts of LLVM 19 differ from the layouts of all builds that an artifact can be from.
    assert!(written >= 1 && misread >= 3, "{written} {misread}");
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
