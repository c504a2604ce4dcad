//! Canonical writing, which numbers a whole module as the writer of MLIR does: collect, number, emit.
//!
//! Owns the order and the numbers of everything. Does not translate operations or attributes: it asks an
//! [`OpTranslator`](translator::OpTranslator), which `convert` implements.

pub(crate) mod collect;
pub(crate) mod emit;
pub(crate) mod entries;
mod grouping;
pub(crate) mod index;
pub(crate) mod ir;
pub(crate) mod names;
pub(crate) mod numbering;
pub(crate) mod op_encoding;
pub(crate) mod order;
pub(crate) mod pass;
pub(crate) mod resources;
pub(crate) mod summary;
pub(crate) mod tables;
pub(crate) mod translator;
