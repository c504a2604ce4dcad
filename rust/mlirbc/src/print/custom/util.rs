//! Directives that the dialects of IREE share
//! (`compiler/src/iree/compiler/Dialect/Util/IR/UtilOps.cpp` of the IREE project).

use crate::ir::ValueId;

use super::directives::{CustomDirective, integers, operands, types};
use super::draft::{Draft, Drafted};
use super::format::Call;

pub(super) fn directive(name: &str) -> Option<CustomDirective> {
    Some(match name {
        "ShapedFunctionType" => shaped_function_type,
        "TiedFunctionResultList" => tied_results,
        _ => return super::stream::directive(name),
    })
}

// ---- types with the values of their dynamic dimensions ----

/// The values of the dynamic dimensions of a type in braces; those that are left.
pub(super) fn dimensions<'v>(
    draft: &mut Draft<'_, '_, '_>,
    r#type: u32,
    rest: &'v [ValueId],
) -> Option<&'v [ValueId]> {
    let count = draft.dynamic_sizes(r#type)?;
    let (own, rest) = rest.split_at_checked(count)?;
    if count > 0 {
        draft.text("{");
        draft.values(own);
        draft.text("}");
    }
    Some(rest)
}

/// The types of results, or the operands that they are tied to.
pub(super) fn results(
    draft: &mut Draft<'_, '_, '_>,
    all: &[u32],
    tied: &[i64],
    values: &[ValueId],
    dims: Option<&[ValueId]>,
) -> Drafted {
    let mut rest = dims;
    let has_one = all.len() == 1;
    draft.text(if has_one { "" } else { "(" });
    draft.list(all.iter().enumerate(), |draft, (place, &r#type)| {
        let operand = tied.get(place).copied().filter(|&number| number >= 0);
        match operand {
            Some(number) => {
                let &value = values.get(usize::try_from(number).ok()?)?;
                draft.value(value);
                if !draft.is_same_type(draft.body.type_of(value), r#type) {
                    draft.text(" as ");
                    draft.r#type(r#type);
                }
            }
            None => draft.r#type(r#type),
        }
        if let Some(dims) = rest {
            rest = Some(dimensions(draft, r#type, dims)?);
        }
        Some(())
    })?;
    draft.text(if has_one { "" } else { ")" });
    Some(())
}

fn tied_results(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    let (values, all, tied) = (operands(draft, call, 0)?, types(draft, call, 2)?, integers(draft, call, 3)?);
    results(draft, &all, &tied, values, None)
}

fn shaped_function_type(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    let (values, inputs) = (operands(draft, call, 0)?, types(draft, call, 1)?);
    let (of_inputs, outputs) = (operands(draft, call, 2)?, types(draft, call, 3)?);
    let (of_outputs, tied) = (operands(draft, call, 4)?, integers(draft, call, 5)?);
    draft.text("(");
    let mut rest = of_inputs;
    draft.list(inputs, |draft, r#type| {
        draft.r#type(r#type);
        rest = dimensions(draft, r#type, rest)?;
        Some(())
    })?;
    draft.text(") -> ");
    results(draft, &outputs, &tied, values, Some(of_outputs))
}
