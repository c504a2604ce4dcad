//! Lists of named values of `irdl` (`mlir/lib/Dialect/IRDL/IR/IRDL.cpp`).

use super::directives::{CustomDirective, attr, operands};
use super::draft::{Draft, Drafted};
use super::format::Call;

pub(super) fn directive(name: &str) -> Option<CustomDirective> {
    Some(match name {
        "AttributesOp" => attributes,
        "NamedValueList" | "NamedValueListWithVariadicity" => named_values,
        "ValuesWithVariadicity" => values,
        _ => return None,
    })
}

fn attributes(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    super::directives::named_operands_after(draft, call, "{")
}

// The kinds of `#irdl<variadicity_array[ single, optional ]>`.
fn kinds(draft: &mut Draft<'_, '_, '_>, attribute: u32) -> Option<Vec<String>> {
    let text = String::from_utf8(draft.printed(attribute)).ok()?;
    let (_, inner) = text.split_once('[')?;
    let (inner, _) = inner.rsplit_once(']')?;
    Some(inner.split(',').map(|word| word.trim().to_owned()).filter(|word| !word.is_empty()).collect())
}

fn kind(draft: &mut Draft<'_, '_, '_>, kinds: &[String], place: usize) -> Drafted {
    let kind = kinds.get(place)?;
    if kind != "single" {
        draft.text(kind);
        draft.text(" ");
    }
    Some(())
}

fn named_values(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    let (values, names) = (operands(draft, call, 0)?, attr(draft, call, 1)??);
    let names = draft.items(names)?;
    let kinds = match call.arguments.len() {
        2 => None,
        _ => {
            let attribute = attr(draft, call, 2)??;
            Some(kinds(draft, attribute)?)
        }
    };
    draft.text("(");
    draft.list(values.iter().enumerate(), |draft, (place, &value)| {
        let name = draft.string(*names.get(place)?)?;
        draft.bare(name)?;
        draft.text(": ");
        if let Some(kinds) = &kinds {
            kind(draft, kinds, place)?;
        }
        draft.value(value);
        Some(())
    })?;
    draft.text(")");
    Some(())
}

// Before release 20.
fn values(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    let (values, attribute) = (operands(draft, call, 0)?, attr(draft, call, 1)??);
    let kinds = kinds(draft, attribute)?;
    draft.text("(");
    draft.list(values.iter().enumerate(), |draft, (place, &value)| {
        kind(draft, &kinds, place)?;
        draft.value(value);
        Some(())
    })?;
    draft.text(")");
    Some(())
}
