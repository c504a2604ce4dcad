//! Writing for another version of the format, of a dialect, or for another release.

pub(crate) mod across;
pub(crate) mod check;
pub(crate) mod dictionary;
pub(crate) mod forms;
pub(crate) mod names;
pub(crate) mod pool;
pub(crate) mod respell;
pub(crate) mod translation;
pub(crate) mod versions;
