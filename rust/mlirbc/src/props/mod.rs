//! Inherent values of operations: which an op has in a release, and how their blob is read and written.
//!
//! [`schema`] loads what a release says about its ops, [`class`] tells whether an attribute is what a field wants,
//! [`codec`] turns blobs into values and back, [`check`] reads them as MLIR does, [`registry`] knows the
//! schemas that come with mlirbc.

pub(crate) mod check;
pub(crate) mod class;
pub(crate) mod codec;
pub(crate) mod native;
pub(crate) mod op_name;
pub(crate) mod registry;
pub(crate) mod schema;

pub use codec::{Property, PropertyValue};
pub use registry::{known_releases, register_schema};
pub use schema::{OpSchema, PropertyField, PropertySchema};
