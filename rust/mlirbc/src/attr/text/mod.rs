//! Text: what MLIR's printer prints, and attributes and types read back from it.
//!
//! [`entry`] prints attributes and types, [`dense`] the elements of dense ones, [`alias`] finds which of them get a
//! name of their own, [`op`] prints operations.

pub(crate) mod affine;
pub(crate) mod alias;
pub(crate) mod dense;
pub(crate) mod entry;
pub(crate) mod escape;
mod extra;
pub(crate) mod float;
pub(crate) mod int;
pub(crate) mod lexer;
pub(crate) mod out;
pub(crate) mod parse;
pub(crate) mod scan;
pub(crate) mod sparse;
#[cfg(test)]
mod tests;
