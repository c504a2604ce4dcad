//! The entry point of `cargo fuzz run edit`.

#![no_main]

use libfuzzer_sys::{fuzz_mutator, fuzz_target, fuzzer_mutate};
use mlirbc_fuzz::{edit, mutate};

fuzz_target!(|data: &[u8]| edit::run(data));

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    mutate::custom(data, size, max_size, seed, fuzzer_mutate)
});
