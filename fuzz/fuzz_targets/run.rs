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

// Returns the number of bytes before a bytecode file; `None` for other inputs, such as decisions of the
// generator.
#[cfg(feature = "libfuzzer")]
fn tag_of_bytecode(data: &[u8]) -> Option<usize> {
    let (target, input) = selected(data)?;
    let is_file = target.inputs == targets::Inputs::Bytecode && !mlirbc_fuzz::generated::is_marked(input);
    is_file.then(|| data.len() - input.len())
}

fuzz_target!(|data: &[u8]| {
    if let Some((target, input)) = selected(data) {
        target.check(input);
    }
});

// Other engines have their own mutators, and no mutator that this one could call.
#[cfg(feature = "libfuzzer")]
libfuzzer_sys::fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    use libfuzzer_sys::fuzzer_mutate;
    use mlirbc_fuzz::mutate;

    let Some(tag) = tag_of_bytecode(&data[..size]) else { return fuzzer_mutate(data, size, max_size) };
    tag + mutate::custom(&mut data[tag..], size - tag, max_size - tag, seed, fuzzer_mutate)
});

// Without a result, libFuzzer tries another mutation, possibly its own crossover.
#[cfg(feature = "libfuzzer")]
libfuzzer_sys::fuzz_crossover!(|data1: &[u8], data2: &[u8], out: &mut [u8], seed: u32| {
    match (tag_of_bytecode(data1), tag_of_bytecode(data2)) {
        (Some(tag), Some(_)) => mlirbc_fuzz::mutate::cross_over_tagged(tag, data1, data2, out, seed),
        _ => 0,
    }
});
