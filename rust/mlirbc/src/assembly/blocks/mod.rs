//! Building blocks that several forms have.

mod carried_values;
mod dimensions_and_symbols;
mod function_signature;
mod index_list;

pub(super) use carried_values::CarriedValues;
pub(super) use dimensions_and_symbols::dimensions_and_symbols;
pub(super) use function_signature::FunctionSignature;
pub(super) use index_list::{IndexList, KnownIndices};
