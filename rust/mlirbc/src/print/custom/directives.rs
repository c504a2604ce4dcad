//! The arguments of `custom<…>` directives that the printer knows; in MLIR, directives are C++ functions.

use crate::ir::ValueId;
use crate::props::PropertyValue;

use super::draft::OperationDraft;
use super::format::{Argument, Call, types_of};

pub(super) fn operands<'m>(
    draft: &OperationDraft<'_, 'm, '_>,
    call: &Call<'_>,
    argument: usize,
) -> Option<&'m [ValueId]> {
    match call.arguments.get(argument)? {
        Argument::Operands(place) => draft.all_operands().get(call.groups.operands.get(*place)?.clone()),
        _ => None,
    }
}

pub(super) fn types(
    draft: &OperationDraft<'_, '_, '_>,
    call: &Call<'_>,
    argument: usize,
) -> Option<Vec<u32>> {
    match call.arguments.get(argument)? {
        Argument::Types(values) => types_of(draft, call.groups, *values),
        _ => None,
    }
}

/// The attribute of an argument; `Some(None)` if the operation does not have it.
pub(super) fn attr(
    draft: &OperationDraft<'_, '_, '_>,
    call: &Call<'_>,
    argument: usize,
) -> Option<Option<u32>> {
    let definition = match call.arguments.get(argument)? {
        Argument::Attribute(place) => draft.definition.attributes().get(*place)?,
        Argument::Undeclared(name) => {
            return Some(draft.attr(name).or_else(|| draft.discardable_attr(name)));
        }
        _ => return None,
    };
    match draft.property(definition.name())?.value {
        PropertyValue::Attribute(index) => Some(Some(index)),
        PropertyValue::Absent => Some(None),
        _ => None,
    }
}
