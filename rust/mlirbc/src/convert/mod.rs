//! Writing for another version of the format, of a dialect, or for another release.

pub(crate) mod compatibility;
pub(crate) mod dictionary;
pub(crate) mod op;
pub(crate) mod op_release;
pub(crate) mod pool;
pub(crate) mod release;
pub(crate) mod respell;
pub(crate) mod versions;
pub(crate) mod write;

pub use compatibility::{CheckReport, Finding, FindingKind, Outcome, Receiver};
