//! What must hold for any input, as plain functions that panic when it does not.
//!
//! Each oracle is `run(data)` in a module of its own. The tests of this crate run it on every file of the test
//! data and on mutations of them, with any compiler; `fuzz_targets/` hands it to cargo-fuzz, here `read`, and
//! `decode`, `print`, `roundtrip`, `convert`, `edit`, `fallback` and `layout` in the same way:
//!
//! ```sh
//! mkdir -p fuzz/corpus/read
//! export RUSTC_BOOTSTRAP=1 CARGO_PROFILE_RELEASE_LTO=false
//! cargo fuzz run --features libfuzzer read \
//!     fuzz/corpus/read fuzz/regressions/read tests/data/bytecode tests/data/hostile \
//!     -- -max_len=65536 -timeout=10 -rss_limit_mb=2048
//! ```
//!
//! The first variable lets the stable compiler take the flags; the second is needed because the linker cannot
//! bring link-time optimisation and the coverage counters together.
//!
//! New inputs go to the first folder, which is not kept in the repository. An input that once failed goes to
//! `regressions/`, where the tests find it.

// An oracle says no by panicking.
#![allow(clippy::panic, clippy::unwrap_used, clippy::expect_used)]

pub mod convert;
pub mod decode;
pub mod edit;
pub mod fallback;
pub mod layout;
pub mod mutate;
pub mod print;
pub mod read;
pub mod roundtrip;
