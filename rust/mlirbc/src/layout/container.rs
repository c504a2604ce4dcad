//! The layout of lists of types: tuples under the rules of the RFC, which have no layout in MLIR, and the
//! lists of formulas. The list is laid out like a struct of its members.

use crate::attr::{FieldValue, Type};
use crate::wire::error::{Error, ErrorKind, Result};

use super::dlti::brief;
use super::registrations::{TypeLayout, TypeQuestion};
use super::{DataLayout, TypeSize};

#[derive(Debug)]
pub(crate) struct TupleLayout;

/// Returns the size in bytes without padding at the end, and the strictest alignment, of a struct of the
/// members.
pub(super) fn laid_out(
    question: &TypeQuestion<'_>,
    members: &[Type],
    alignment_of: impl Fn(&DataLayout, &Type) -> Result<u64>,
) -> Result<(u64, u64)> {
    let (mut end, mut strictest) = (0_u64, 1);
    for member in members {
        let Some(size) = question.layout.type_size(member)?.fixed_value() else {
            return Err(refused(question, "members of scalable size"));
        };
        let alignment = alignment_of(question.layout, member)?.max(1);
        let start = end.checked_next_multiple_of(question.layout.type_abi_alignment(member)?.max(1));
        end = start.and_then(|start| start.checked_add(size)).ok_or_else(|| too_large(question))?;
        strictest = strictest.max(alignment);
    }
    Ok((end, strictest))
}

/// Returns the size in bits of a struct of the members.
pub(super) fn struct_size_in_bits(question: &TypeQuestion<'_>, members: &[Type]) -> Result<u64> {
    let (end, alignment) = laid_out(question, members, DataLayout::type_abi_alignment)?;
    let bits = end.checked_next_multiple_of(alignment).and_then(|size| size.checked_mul(8));
    bits.ok_or_else(|| too_large(question))
}

fn members(question: &TypeQuestion<'_>) -> Result<Vec<Type>> {
    let unknown = || refused(question, "members of unknown types");
    let Some(FieldValue::List(members)) = question.r#type.field("types")? else { return Err(unknown()) };
    let member = |member| match member {
        FieldValue::Type(member) => Ok(member),
        _ => Err(unknown()),
    };
    members.into_iter().map(member).collect()
}

#[cold]
fn refused(question: &TypeQuestion<'_>, what: &str) -> Error {
    let message = format!("`{}` has {what}", brief(&question.r#type.0));
    Error::message(ErrorKind::LayoutNone, message)
}

#[cold]
fn too_large(question: &TypeQuestion<'_>) -> Error {
    let message = format!("`{}` has a size of 2^64 bits or more", brief(&question.r#type.0));
    Error::message(ErrorKind::LayoutOverflow, message)
}

impl TypeLayout for TupleLayout {
    fn size_in_bits(&self, question: &TypeQuestion<'_>) -> Result<TypeSize> {
        Ok(TypeSize::fixed(struct_size_in_bits(question, &members(question)?)?))
    }

    fn abi_alignment(&self, question: &TypeQuestion<'_>) -> Result<u64> {
        Ok(laid_out(question, &members(question)?, DataLayout::type_abi_alignment)?.1)
    }

    fn preferred_alignment(&self, question: &TypeQuestion<'_>) -> Result<u64> {
        Ok(laid_out(question, &members(question)?, DataLayout::type_preferred_alignment)?.1)
    }
}
