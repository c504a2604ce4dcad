//! Mutations that know the format, which `mlirbc mutate` has, too.

pub use mlirbc_fuzz_tools::mutate::*;
