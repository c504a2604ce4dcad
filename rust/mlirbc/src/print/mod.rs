//! Operations and values as text.

pub(crate) mod attributes;
pub(crate) mod names;
pub(crate) mod op;
pub(crate) mod properties;

pub use attributes::{EntryTexts, OpAttributes, OpTexts};
pub use op::{PrintOptions, PrintReport};
