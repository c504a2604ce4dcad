//! Writing a whole module anew, as MLIR's writer does: collect, number, emit.

pub(crate) mod collect;
pub(crate) mod emit;
pub(crate) mod entries;
pub(crate) mod ir;
pub(crate) mod names;
pub(crate) mod numbering;
pub(crate) mod op_encoding;
pub(crate) mod order;
pub(crate) mod summary;
pub(crate) mod tables;
pub(crate) mod translator;
