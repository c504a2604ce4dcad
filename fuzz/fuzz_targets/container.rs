//! The entry point of `cargo fuzz run container`.

#![no_main]

use libfuzzer_sys::fuzz_target;
use mlirbc_fuzz::container;

fuzz_target!(|data: &[u8]| container::run(data));
