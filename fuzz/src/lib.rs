//! Properties that hold for any input, as plain functions that panic if a property is violated.
//!
//! Each oracle is `run(data)` in its own module; [`targets`] lists them. The tests of this crate run them on
//! every file of the test data and on mutations of these files, with any compiler. `fuzz_targets/run.rs` is
//! the entry point for fuzzing engines, and `src/bin/replay.rs` a command for single files. The allowed cost
//! of operations is in [`cost`].
//!
//! `scripts/fuzz` builds and runs them. New inputs go to `target/fuzz`, which is not kept in the repository. An input
//! that once failed goes to `regressions/`, where the tests find it.

// An oracle reports a violated property by panicking.
#![allow(clippy::panic, clippy::unwrap_used, clippy::expect_used)]

mod allocator;
mod clone;
pub mod container;
pub mod convert;
pub mod cost;
pub mod decode;
pub mod dictionary;
pub mod edit;
pub mod facts;
pub mod fallback;
pub mod generated;
pub mod large;
pub mod layout;
pub mod lsp;
pub mod mutate;
pub mod oracle;
pub mod pack;
pub mod parse;
pub mod print;
pub mod print_parse;
pub mod read;
pub mod roundtrip;
pub mod safetensors;
mod server;
mod symbols;
pub mod tables;
pub mod targets;
