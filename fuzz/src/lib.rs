//! What must hold for any input, as plain functions that panic when it does not.
//!
//! Each oracle is `run(data)` in a module of its own. The tests of this crate run it on every file of the test
//! data and on mutations of them, with any compiler; `fuzz_targets/` hands it to cargo-fuzz, here `read`, and
//! `container`, `decode`, `print`, `print_parse`, `parse`, `roundtrip`, `convert`, `edit`, `fallback` and `layout` in the same way:
//!
//! `scripts/fuzz` builds and runs them. What an operation may cost is in [`cost`].
//!
//! New inputs go to `target/fuzz`, which is not kept in the repository. An input that once failed goes to
//! `regressions/`, where the tests find it.

// An oracle says no by panicking.
#![allow(clippy::panic, clippy::unwrap_used, clippy::expect_used)]

mod allocator;
mod clone;
pub mod container;
pub mod convert;
pub mod cost;
pub mod decode;
pub mod edit;
pub mod fallback;
pub mod layout;
pub mod mutate;
pub mod parse;
pub mod print;
pub mod print_parse;
pub mod read;
pub mod roundtrip;
