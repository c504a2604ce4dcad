//! Handles of edited modules; `mlirbc.edit` has their Python classes.
//!
//! A handle consists of a module and the number of an item in it. The classes here read and change; the Python
//! classes extend them by what needs other Python objects.

pub(crate) mod attributes;
mod declared_properties;
pub(crate) mod handle;
pub(crate) mod lists;
pub(crate) mod module;
pub(crate) mod operation;
pub(crate) mod properties;
mod rename;
pub(crate) mod resources;
pub(crate) mod structure;
pub(crate) mod tables;
pub(crate) mod value;
mod walk;
