//! Operations and values in MLIR's generic and custom form.
//!
//! Owns the printer of operations and the names of values. Does not own the text of attributes and types
//! (`attr::text`), which it calls.

pub(crate) mod attributes;
mod custom;
mod declared_properties;
pub(crate) mod names;
pub(crate) mod op;
pub(crate) mod properties;

pub use attributes::{EntryTexts, OpAttributes, OpTexts};
pub use custom::CustomForms;
pub(crate) use op::excerpts;
pub use op::{Form, Omission, PrintOptions, PrintReport, UndecidedForm};
