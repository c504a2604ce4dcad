//! The Rust examples of the documentation, compiled as doctests.
//!
//! A page with a Rust block is listed here; `tests/python/test_docs.py` compares the list with the pages.

macro_rules! page {
    ($name:ident, $path:literal) => {
        #[doc = include_str!($path)]
        struct $name;
    };
}

page!(Readme, "../../../README.md");
page!(Weights, "../../../docs/howto/weights.md");
page!(Limits, "../../../docs/reference/limits.md");
