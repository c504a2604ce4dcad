//! The entry point of `cargo fuzz run parse`.

#![no_main]

use libfuzzer_sys::fuzz_target;
use mlirbc_fuzz::parse;

fuzz_target!(|data: &[u8]| parse::run(data));
