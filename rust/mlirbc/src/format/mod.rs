//! The sections of the container: one file each, with its reader and its writer.
//!
//! Does not resolve names and does not own IR: readers return indices and ranges, writers take them.

pub mod attr_type;
pub mod container;
pub mod dialect;
pub mod id;
pub mod ir;
mod offsets;
pub(crate) mod other_files;
pub mod properties;
pub mod resource;
pub(crate) mod sparse;
pub mod string;

pub use offsets::Offsets;
