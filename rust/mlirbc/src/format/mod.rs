//! The sections of the container: one file each, its reader and its writer side by side.
//!
//! Nothing here knows names or owns IR: readers hand out indices and ranges.

pub mod attr_type;
pub mod container;
pub mod dialect;
pub mod id;
pub mod ir;
mod offsets;
pub mod properties;
pub mod resource;
pub(crate) mod sparse;
pub mod string;

pub use offsets::Offsets;
