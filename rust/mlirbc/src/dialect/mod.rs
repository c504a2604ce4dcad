//! Attributes and types: tables that say how dialects encode them, and the one engine that reads the tables.
//!
//! [`table`] loads a table, [`grammar`] reads its words, [`registry`] finds the one of a dialect, [`primitive`] decodes
//! and encodes the fields of an entry, [`fixed`] goes through simple ones, [`declared`] is about properties and versions,
//! [`entries`] is what an entry can see of the others. `generate` makes entries for tests.

pub(crate) mod declared;
pub(crate) mod entries;
pub(crate) mod fixed;
mod grammar;
pub(crate) mod node;
pub(crate) mod primitive;
pub(crate) mod registry;
pub(crate) mod table;
pub(crate) mod template;

pub use table::DialectTable;
