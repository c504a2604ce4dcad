//! Bytes and what everything above them needs: reading and writing them, sections, versions, limits and errors.

pub mod bytes;
pub mod cursor;
pub mod error;
pub mod limits;
pub(crate) mod loss;
pub(crate) mod progress;
pub mod section;
pub(crate) mod steps;
pub mod varint;
pub mod version;
