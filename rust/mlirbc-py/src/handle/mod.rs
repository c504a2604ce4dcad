//! Fields and constructors of the classes of modules, operations and values, whose objects refer to one another.

pub(crate) mod attribute_map;
pub(crate) mod entry;
pub(crate) mod entry_cache;
pub(crate) mod ir;
pub(crate) mod module;
pub(crate) mod rows;
