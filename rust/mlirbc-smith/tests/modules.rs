//! Generated modules are read again, in every version, and the same bytes give the same module.

#![allow(clippy::unwrap_used, clippy::panic)]

use arbitrary::Unstructured;
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
                assert_eq!(Some(module.bytecode().version()), version);
                assert!(module.operation().unwrap().pre_order().all(|op| op.is_ok()));
                assert_eq!(GeneratedModule::from_seed(&config, seed).unwrap(), generated);
            }
        }
    }
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
