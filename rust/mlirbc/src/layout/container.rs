//! The layout of tuples under the rules of the RFC: that of a struct of their members. MLIR has none.

use crate::attr::{FieldValue, Type};
use crate::wire::error::{Error, ErrorKind, Result};

use super::dlti::brief;
use super::open::{TypeLayout, TypeQuestion};
use super::{DataLayout, TypeSize};

#[derive(Debug)]
pub(crate) struct TupleLayout;

/// The size in bytes and the strictest alignment.
fn laid_out(
    question: &TypeQuestion<'_>,
    alignment_of: impl Fn(&DataLayout, &Type) -> Result<u64>,
) -> Result<(u64, u64)> {
    let refused = |what: &str| {
        let message = format!("`{}` has {what}", brief(&question.r#type.0));
        Error::message(ErrorKind::LayoutNone, message)
    };
    let Some(FieldValue::List(members)) = question.r#type.field("types")? else {
        return Err(refused("members of unknown types"));
    };
    let (mut end, mut strictest) = (0_u64, 1);
    for member in members {
        let FieldValue::Type(member) = member else { return Err(refused("members of unknown types")) };
        let Some(size) = question.layout.type_size(&member)?.fixed_value() else {
            return Err(refused("members of scalable size"));
        };
        let alignment = alignment_of(question.layout, &member)?.max(1);
        let start = end.checked_next_multiple_of(question.layout.type_abi_alignment(&member)?.max(1));
        end = start.and_then(|start| start.checked_add(size)).ok_or_else(|| too_large(question))?;
        strictest = strictest.max(alignment);
    }
    Ok((end, strictest))
}

#[cold]
fn too_large(question: &TypeQuestion<'_>) -> Error {
    let message = format!("`{}` has a size of 2^64 bits or more", brief(&question.r#type.0));
    Error::message(ErrorKind::LayoutOverflow, message)
}

impl TypeLayout for TupleLayout {
    fn size_in_bits(&self, question: &TypeQuestion<'_>) -> Result<TypeSize> {
        let (end, alignment) = laid_out(question, DataLayout::type_abi_alignment)?;
        let bits = end.checked_next_multiple_of(alignment).and_then(|size| size.checked_mul(8));
        bits.map(TypeSize::fixed).ok_or_else(|| too_large(question))
    }

    fn abi_alignment(&self, question: &TypeQuestion<'_>) -> Result<u64> {
        Ok(laid_out(question, DataLayout::type_abi_alignment)?.1)
    }

    fn preferred_alignment(&self, question: &TypeQuestion<'_>) -> Result<u64> {
        Ok(laid_out(question, DataLayout::type_preferred_alignment)?.1)
    }
}
