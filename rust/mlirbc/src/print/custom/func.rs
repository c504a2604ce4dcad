//! `func.func`, and what operations with the interface of functions share.

use super::draft::{Draft, Drafted, Regions, TypePart};
use super::plan::RegionStyle;

/// A type of a signature.
#[derive(Clone, Copy)]
pub(super) enum SignatureType<'t> {
    Entry(u32),
    Part(&'t TypePart<'t>),
}

impl SignatureType<'_> {
    fn write(self, draft: &mut Draft<'_, '_, '_>) {
        match self {
            Self::Entry(index) => draft.r#type(index),
            Self::Part(part) => part.write(draft),
        }
    }

    fn is_type(self, draft: &mut Draft<'_, '_, '_>, r#type: u32) -> bool {
        match self {
            Self::Entry(index) => draft.is_same_type(index, r#type),
            Self::Part(part) => draft.is_part(part, r#type),
        }
    }
}

/// A function with a visibility (`printFunctionOp`).
pub(super) fn function(draft: &mut Draft<'_, '_, '_>) -> Drafted {
    function_with(draft, "function_type", &[])
}

/// The same with another name of the attribute of its type, and without some attributes.
pub(super) fn function_with(draft: &mut Draft<'_, '_, '_>, type_name: &str, elided: &[&str]) -> Drafted {
    draft.text(" ");
    let of_dictionary = |draft: &Draft<'_, '_, '_>| draft.discardable_attr("sym_visibility");
    if let Some(visibility) = draft.attr("sym_visibility").or_else(|| of_dictionary(draft)) {
        draft.visibility(visibility)?;
        draft.text(" ");
    }
    name(draft)?;
    signature_of_type(draft, type_name)?;
    let own = ["sym_name", "sym_visibility", type_name, "arg_attrs", "res_attrs"];
    draft.attr_dict_with_keyword(&[&own, elided].concat())?;
    body(draft)
}

/// The signature that the function type in an attribute has; returns the number of inputs.
pub(super) fn signature_of_type(draft: &mut Draft<'_, '_, '_>, type_name: &str) -> Option<u32> {
    let r#type = draft.type_in(draft.attr(type_name)?)?;
    let (inputs, results) = draft.function_type(r#type)?;
    let entries = |types: &[u32]| types.iter().map(|&index| SignatureType::Entry(index)).collect::<Vec<_>>();
    signature(draft, &entries(&inputs), false, &entries(&results))?;
    u32::try_from(inputs.len()).ok()
}

/// `@name`
pub(super) fn name(draft: &mut Draft<'_, '_, '_>) -> Drafted {
    let index = draft.attr("sym_name").or_else(|| draft.discardable_attr("sym_name"))?;
    let name = draft.string(index)?;
    draft.symbol(name);
    Some(())
}

/// The body after a space, or nothing for a declaration.
pub(super) fn body(draft: &mut Draft<'_, '_, '_>) -> Drafted {
    if !draft.regions()?.blocks(0).is_empty() {
        draft.text(" ");
        draft.region(0, RegionStyle::BODY);
    }
    Some(())
}

// The dictionaries of arguments or results, in an array.
fn dictionaries(draft: &Draft<'_, '_, '_>, name: &str, count: usize) -> Option<Vec<u32>> {
    match draft.attr(name) {
        Some(index) => draft.items(index).filter(|items| items.len() == count),
        None => Some(Vec::new()),
    }
}

/// `(%arg0: i32, …) -> i32` (`printFunctionSignature` in `mlir/lib/Interfaces/FunctionImplementation.cpp`).
pub(super) fn signature(
    draft: &mut Draft<'_, '_, '_>,
    inputs: &[SignatureType<'_>],
    is_variadic: bool,
    results: &[SignatureType<'_>],
) -> Drafted {
    let regions = draft.regions()?;
    let is_declaration = regions.blocks(0).is_empty();
    let arguments = regions.arguments(0);
    if !is_declaration && arguments.len() < inputs.len() {
        return None;
    }
    let attributes = dictionaries(draft, "arg_attrs", inputs.len())?;
    draft.text("(");
    draft.list(inputs.iter().enumerate(), |draft, (place, input)| {
        let row = arguments.start + place as u32;
        match is_declaration {
            true => input.write(draft),
            false => {
                if !input.is_type(draft, *regions.body.argument_type.get(row as usize)?) {
                    draft.lost.get_or_insert("a type of its signature that differs from its block argument");
                }
                draft.argument(regions, row);
            }
        }
        if let Some(&dictionary) = attributes.get(place) {
            match is_declaration {
                true => draft.dictionary_of(dictionary)?,
                false => draft.dictionary_of_argument(dictionary)?,
            }
        }
        if !is_declaration {
            draft.argument_location(row);
        }
        Some(())
    })?;
    if is_variadic {
        draft.text(if inputs.is_empty() { "..." } else { ", ..." });
    }
    draft.text(")");
    if results.is_empty() {
        return Some(());
    }
    let attributes = dictionaries(draft, "res_attrs", results.len())?;
    let is_function = match results {
        [SignatureType::Entry(only)] => draft.plain.needs_parentheses(*only),
        _ => false,
    };
    let has_attributes = match attributes.first() {
        Some(&first) => !draft.pairs(first)?.is_empty(),
        None => false,
    };
    let has_parentheses = results.len() > 1 || is_function || has_attributes;
    draft.text(if has_parentheses { " -> (" } else { " -> " });
    draft.list(results.iter().enumerate(), |draft, (place, result)| {
        result.write(draft);
        match attributes.get(place) {
            Some(&dictionary) => draft.dictionary_of(dictionary),
            None => Some(()),
        }
    })?;
    draft.text(if has_parentheses { ")" } else { "" });
    Some(())
}

/// `prefix(%a = %b, …)`, or nothing without values (`printInitializationList` in `mlir/lib/Dialect/SCF/IR/SCF.cpp`).
pub(super) fn initialization_list(
    draft: &mut Draft<'_, '_, '_>,
    prefix: &str,
    arguments: std::ops::Range<u32>,
    values: &[crate::ir::ValueId],
) -> Drafted {
    if arguments.len() != values.len() {
        return None;
    }
    if values.is_empty() {
        return Some(());
    }
    draft.text(prefix);
    draft.text("(");
    draft.list(arguments.zip(values), |draft, (row, &value)| {
        draft.push(super::plan::Piece::Argument(row));
        draft.text(" = ");
        draft.value(value);
        Some(())
    })?;
    draft.text(")");
    Some(())
}

/// Names of block arguments with commas between them.
pub(super) fn argument_names(draft: &mut Draft<'_, '_, '_>, rows: std::ops::Range<u32>) -> Drafted {
    draft.list(rows, |draft, row| {
        draft.push(super::plan::Piece::Argument(row));
        Some(())
    })
}

/// A region whose terminator may be hidden.
pub(super) fn yielding_region(
    draft: &mut Draft<'_, '_, '_>,
    number: usize,
    style: RegionStyle,
    is_shown: bool,
) -> Drafted {
    if !is_shown {
        let regions = draft.regions()?;
        note_hidden_terminator(draft, regions, number);
    }
    draft.region(number, style.terminated(is_shown));
    Some(())
}

/// Whether a terminator that is not printed has attributes, which the text then does not show.
pub(super) fn note_hidden_terminator(draft: &mut Draft<'_, '_, '_>, regions: Regions<'_>, number: usize) {
    let Some(last) = regions.last_op(number) else { return };
    if super::draft::has_attributes(regions.body, last) {
        *draft.lost = Some("the attributes of its terminator");
    }
}
