//! The entry point of `cargo fuzz run print_parse`.

#![no_main]

use libfuzzer_sys::fuzz_target;
use mlirbc_fuzz::print_parse;

fuzz_target!(|data: &[u8]| print_parse::run(data));
