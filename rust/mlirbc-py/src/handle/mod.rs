//! The classes whose objects refer to one another: their fields, and the functions that make them.

pub(crate) mod entry;
pub(crate) mod ir;
pub(crate) mod module;
