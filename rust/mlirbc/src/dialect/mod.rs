//! Encodings of attributes and types: the dialect tables, and the engine that interprets them.
//!
//! Owns [`DialectTable`], which declares how a dialect encodes its attributes and types, the shipped tables,
//! and the registered tables. `table` loads a table, `grammar` parses field descriptions, `registry` finds
//! the table of a dialect, `primitive` decodes and encodes the fields of an entry, `fixed_layout` traverses simple
//! entries, `declarations` handles properties and versions, `value_form` has the encodings of single values,
//! `view` reads builtin entries by the names of their fields, `deviation` decodes entries of writers with
//! unknown encodings, `entries` is the interface to the other tables. Does not own the values (`attr`) or
//! their text (`attr::text`).

pub(crate) mod declarations;
pub(crate) mod deviation;
pub(crate) mod entries;
pub(crate) mod fixed_layout;
mod grammar;
pub(crate) mod node;
pub(crate) mod primitive;
pub(crate) mod registry;
pub(crate) mod table;
pub(crate) mod template;
pub(crate) mod value_form;
pub(crate) mod view;

pub(crate) use registry::register_tables_of_pack;
pub use registry::{find_dialect, register_dialect, registered_dialects};
pub use table::DialectTable;
