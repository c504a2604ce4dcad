//! Dialect-defined encodings as data: tables (`data/dialects/*.toml`) and the engine that interprets them.

pub(crate) mod scan;
pub(crate) mod table;
