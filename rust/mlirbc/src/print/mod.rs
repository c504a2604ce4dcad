//! Operations and values in MLIR's generic and custom form.
//!
//! Owns the printer of operations and the names of values. Does not own the text of attributes and types
//! (`attr::text`), which it calls.

pub(crate) mod attributes;
mod coverage;
mod custom;
mod declared_properties;
mod dialects;
mod draft;
pub(crate) mod names;
pub(crate) mod op;
mod operation_forms;
mod plan;
pub(crate) mod properties;
mod shapes;
mod syntax;
mod trial;

pub use attributes::{EntryTexts, OpAttributes, OpTexts};
pub use coverage::CustomForms;
use custom::Custom;
pub(crate) use op::excerpts;
pub use op::{Omission, PrintForm, PrintOptions, PrintReport, UndecidedForm};
