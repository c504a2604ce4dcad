//! Inherent attributes of operations: which an op has in a release, and the encoding of its property blob.
//!
//! Owns the schemas of the releases, shipped and registered, and the decoded [`Property`]. `schema` loads the schema of
//! a release, `class` tests the class of an attribute, `codec` decodes and encodes blobs, `check` validates them as
//! MLIR does, `registry` finds a schema. Does not own the detection of the release of a file (`file/release.rs`).

pub(crate) mod check;
pub(crate) mod class;
pub(crate) mod codec;
pub(crate) mod native;
pub(crate) mod op_name;
pub(crate) mod registry;
pub(crate) mod schema;
mod shipped_ops;

pub use codec::{Property, PropertyValue};
pub(crate) use registry::is_of_other_project;
pub use registry::{known_releases, register_schema};
pub(crate) use schema::PackLayout;
pub use schema::{OpSchema, PropertyField, PropertySchema};
