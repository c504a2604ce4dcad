//! The lowest layer: bytes and their sources, the primitives of the format, section ids, versions, limits, progress
//! and errors.
//!
//! Does not know any section or the IR. Every other layer reads and writes through it.

pub mod bytes;
pub mod change;
pub mod cursor;
pub mod error;
pub mod limits;
pub mod loss;
pub(crate) mod options;
pub(crate) mod order;
pub(crate) mod parallel;
pub mod progress;
pub mod section;
pub(crate) mod steps;
pub(crate) mod toml;
pub mod varint;
pub mod version;
