//! The entry point for libFuzzer, and for other engines with its interface.
//!
//! The environment variable `MLIRBC_FUZZ_TARGET` selects an oracle by name. Without it, the first byte of each input
//! does, so that one corpus serves all oracles.

#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use mlirbc_fuzz::targets::{self, Target, VARIABLE};

static SELECTED: LazyLock<Option<&'static Target>> = LazyLock::new(|| {
    let name = std::env::var(VARIABLE).ok()?;
    let Some(target) = targets::named(&name) else {
        eprintln!("{VARIABLE}: no target is named `{name}`; fuzz/targets.tsv lists the targets");
        std::process::exit(2);
    };
    Some(target)
});

fn selected(data: &[u8]) -> Option<(&'static Target, &[u8])> {
    match *SELECTED {
        Some(target) => Some((target, data)),
        None => targets::dispatch(data),
    }
}

fuzz_target!(|data: &[u8]| {
    if let Some((target, input)) = selected(data) {
        target.check(input);
    }
});

// Other engines have mutators of their own, and none that this one could call.
#[cfg(feature = "libfuzzer")]
libfuzzer_sys::fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    use libfuzzer_sys::fuzzer_mutate;
    use mlirbc_fuzz::{mutate, targets::Inputs};

    let tag = match selected(&data[..size]) {
        Some((target, input)) if target.inputs == Inputs::Bytecode => size - input.len(),
        _ => return fuzzer_mutate(data, size, max_size),
    };
    tag + mutate::custom(&mut data[tag..], size - tag, max_size - tag, seed, fuzzer_mutate)
});
