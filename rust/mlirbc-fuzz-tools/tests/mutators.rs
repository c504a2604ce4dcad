//! The mutators on any bytes and on generated modules: they never panic, respect the allowed size, and leave
//! files with readable sections.

#![allow(clippy::unwrap_used)]

use mlirbc::ErrorKind;
use mlirbc::format::container::Bytecode;
use mlirbc_fuzz_tools::mutate::{Mutation, Noise, custom, custom_cross_over, mutate};
use mlirbc_smith::{BrokenModule, Config, GeneratedModule, breakable_rules};
use proptest::prelude::*;

fn generated(seed: u64) -> Vec<u8> {
    let config = Config { max_operations: 12, ..Config::default() };
    GeneratedModule::from_seed(&config, seed).unwrap().into_bytes()
}

/// Any bytes, valid modules, and modules that break a rule.
fn file() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        1 => prop::collection::vec(any::<u8>(), 0..200),
        3 => any::<u64>().prop_map(generated),
        3 => (any::<u64>(), 0..breakable_rules().len()).prop_map(|(seed, rule)| {
            let config = Config { max_operations: 5, ..Config::default() };
            BrokenModule::from_seed(&config, &breakable_rules()[rule], seed).unwrap().into_bytes()
        }),
    ]
}

/// A mutator that makes inputs longer if possible, as libFuzzer's may.
fn engine(data: &mut [u8], size: usize, max_size: usize) -> usize {
    let new = (size + 3).min(max_size).min(data.len());
    data[..new].iter_mut().step_by(7).for_each(|byte| *byte ^= 0x55);
    new
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn sizes_are_respected(one in file(), other in file(), seed: u32, room in 0..400_usize) {
        let max_size = one.len() + room;
        let mut data = one.clone();
        data.resize(max_size, 0);
        let size = custom(&mut data, one.len(), max_size, seed, engine);
        prop_assert!(size <= max_size);
        let mut out = vec![0xaa; room];
        let size = custom_cross_over(&one, &other, &mut out, seed);
        prop_assert!(size <= room);
        prop_assert!(size > 0 || out.iter().all(|&byte| byte == 0xaa), "nothing is written without a result");
    }

    #[test]
    fn any_file_can_be_mutated(one in file(), other in file(), kind in 0..Mutation::ALL.len(), seed: u64) {
        let kind = Mutation::ALL[kind];
        let changed = mutate(&one, &other, kind, &mut Noise::new(seed));
        prop_assert!(changed.as_ref() != Some(&one));
        prop_assert_eq!(changed, mutate(&one, &other, kind, &mut Noise::new(seed)));
    }

    #[test]
    fn mutations_of_contents_leave_the_sections(seed: u64, noise: u64) {
        let (file, splice_source) = (generated(seed), generated(seed.wrapping_add(1)));
        for kind in Mutation::ALL {
            // Mutations of sections and versions change the tested facts, and mutations of bytes may change
            // anything.
            if matches!(kind, Mutation::Section | Mutation::Version | Mutation::Splice | Mutation::Byte) {
                continue;
            }
            let Some(made) = mutate(&file, &splice_source, kind, &mut Noise::new(noise)) else { continue };
            let sections = Bytecode::read(&made.into());
            prop_assert!(sections.is_ok(), "{}: {sections:?}", kind.name());
        }
    }

    #[test]
    fn resources_stay_aligned_when_others_change(seed: u64, noise: u64) {
        let file = generated(seed);
        let Some(made) = mutate(&file, &file, Mutation::Resource, &mut Noise::new(noise)) else { return Ok(()) };
        let module = mlirbc::Module::from_bytes(made).unwrap();
        let resources = match module.resources() {
            Ok(resources) => resources,
            Err(error) => {
                prop_assert_eq!(error.kind(), ErrorKind::ResourceNoData);
                return Ok(());
            }
        };
        let wrong = resources.filter(|one| one.payload().is_err()).count();
        prop_assert!(wrong <= 1, "only the payload that was changed may be wrong, not {wrong}");
    }
}
