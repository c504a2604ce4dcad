//! The classes whose objects refer to one another: their fields and constructors.

pub(crate) mod attribute_map;
pub(crate) mod entry;
pub(crate) mod entry_cache;
pub(crate) mod ir;
pub(crate) mod module;
pub(crate) mod rows;
