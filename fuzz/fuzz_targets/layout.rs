//! The entry point of `cargo fuzz run layout`.

#![no_main]

use libfuzzer_sys::fuzz_target;
use mlirbc_fuzz::layout;

fuzz_target!(|data: &[u8]| layout::run(data));
