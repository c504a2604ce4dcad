//! The entry point of `cargo fuzz run fallback`.

#![no_main]

use libfuzzer_sys::fuzz_target;
use mlirbc_fuzz::fallback;

fuzz_target!(|data: &[u8]| fallback::run(data));
