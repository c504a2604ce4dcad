//! Text of attributes and types: printing and parsing as in MLIR.
//!
//! Does not own operations (`print`). Converts values and tables to text, and the reverse.
//!
//! [`entry`] prints attributes and types, [`dense`] the elements of dense attributes, [`alias`] selects
//! aliases, [`parse`] parses, [`lexer`] is the only scanner of MLIR text.

pub(crate) mod affine;
pub(crate) mod alias;
pub(crate) mod brackets;
pub(crate) mod declared;
pub(crate) mod dense;
pub(crate) mod entry;
pub(crate) mod escape;
pub(crate) mod factor;
pub(crate) mod float;
pub(crate) mod int;
pub(crate) mod items;
pub(crate) mod lexer;
mod named_printers;
pub(crate) mod out;
pub(crate) mod parse;
pub(crate) mod scan;
pub(crate) mod sparse;
#[cfg(test)]
mod tests;
pub(crate) mod text_marks;
