//! Operations of `llvm` that call or unwind.

use crate::ir::ValueId;
use crate::print::custom::directives::operands;
use crate::print::custom::draft::{Draft, Drafted};
use crate::print::custom::format::{Argument, Call};

use super::{attr_dict, word};

// Operands of one name of the definition, or none if it does not have them.
fn named<'m>(draft: &Draft<'_, 'm, '_>, name: &str) -> Option<&'m [ValueId]> {
    match draft.definition.operands().iter().any(|one| one.name() == name) {
        true => draft.operands_named(name),
        false => Some(&[]),
    }
}

/// The callee and its arguments in parentheses; returns the arguments.
fn callee<'m>(draft: &mut Draft<'_, 'm, '_>, operands: &'m [ValueId]) -> Option<&'m [ValueId]> {
    let arguments = match draft.attr("callee") {
        Some(callee) => {
            draft.attribute(callee);
            operands
        }
        None => {
            let (&pointer, arguments) = operands.split_first()?;
            draft.value(pointer);
            arguments
        }
    };
    draft.text("(");
    draft.values(arguments);
    draft.text(")");
    Some(arguments)
}

fn variadic_type(draft: &mut Draft<'_, '_, '_>) {
    if let Some(r#type) = draft.attr("var_callee_type") {
        draft.text(" vararg(");
        draft.attribute(r#type);
        draft.text(")");
    }
}

// `["tag"(%v : t), …]` (`printOpBundles`).
fn bundles(draft: &mut Draft<'_, '_, '_>, values: &[ValueId]) -> Drafted {
    let sizes = draft.integers_of("op_bundle_sizes")?;
    let tags = draft.items(draft.attr("op_bundle_tags")?)?;
    if sizes.len() != tags.len() {
        return None;
    }
    let mut rest = values;
    draft.text("[");
    draft.list(sizes.into_iter().zip(tags), |draft, (size, tag)| {
        let (own, others) = rest.split_at_checked(usize::try_from(size).ok()?)?;
        rest = others;
        let tag = draft.string(tag)?;
        draft.quoted(tag);
        draft.text("(");
        if !own.is_empty() {
            draft.values(own);
            draft.text(" : ");
            draft.types_of(own);
        }
        draft.text(")");
        Some(())
    })?;
    draft.text("]");
    Some(())
}

pub(super) fn bundles_of_directive(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    let values = operands(draft, call, 0)?;
    match has_bundles(draft) {
        true => bundles(draft, values),
        false => Some(()),
    }
}

// There are bundles without operands.
fn has_bundles(draft: &mut Draft<'_, '_, '_>) -> bool {
    draft.integers_of("op_bundle_sizes").is_some_and(|sizes| !sizes.is_empty())
}

fn optional_bundles(draft: &mut Draft<'_, '_, '_>) -> Drafted {
    let values = named(draft, "op_bundle_operands")?;
    if has_bundles(draft) {
        draft.text(" ");
        bundles(draft, values)?;
    }
    Some(())
}

const ELIDED: &[&str] = &[
    "CConv",
    "TailCallKind",
    "arg_attrs",
    "callee",
    "callee_type",
    "op_bundle_sizes",
    "op_bundle_tags",
    "res_attrs",
    "var_callee_type",
];

/// `llvm.call`
pub(super) fn call(draft: &mut Draft<'_, '_, '_>) -> Drafted {
    let own = named(draft, "callee_operands")?;
    let own = match draft.definition.operands().iter().any(|one| one.name() == "callee_operands") {
        true => own,
        // Of 16.
        false => draft.all_operands(),
    };
    draft.text(" ");
    word(draft, "CConv", "ccc")?;
    word(draft, "TailCallKind", "none")?;
    let arguments = callee(draft, own)?;
    variadic_type(draft);
    optional_bundles(draft)?;
    attr_dict(draft, ELIDED)?;
    draft.text(" : ");
    if draft.attr("callee").is_none() {
        // Before release 17 the types of operands only.
        if draft.release().0 >= 17 {
            draft.types_of(own.get(..1)?);
            draft.text(", ");
        }
    }
    signature(draft, arguments)
}

/// `llvm.call_intrinsic`
pub(super) fn intrinsic(draft: &mut Draft<'_, '_, '_>) -> Drafted {
    let arguments = draft.operands_named("args")?;
    let name = draft.string(draft.attr("intrin")?)?;
    draft.text(" ");
    draft.quoted(name);
    draft.text("(");
    draft.values(arguments);
    draft.text(")");
    optional_bundles(draft)?;
    attr_dict(draft, &[ELIDED, &["intrin"]].concat())?;
    draft.text(" : ");
    signature(draft, arguments)
}

/// `llvm.invoke`
pub(super) fn invoke(draft: &mut Draft<'_, '_, '_>) -> Drafted {
    let own = draft.operands_named("callee_operands")?;
    draft.text(" ");
    if draft.definition.attribute("CConv").is_some() {
        word(draft, "CConv", "ccc")?;
    }
    // Without the bundles, release 19 prints those of the successors too.
    let all = draft.all_operands();
    let (normal, unwind) =
        (draft.operands_named("normalDestOperands")?, draft.operands_named("unwindDestOperands")?);
    let shown = match draft.release().0 {
        ..20 if !normal.is_empty() || !unwind.is_empty() => return None,
        ..20 => all,
        _ => own,
    };
    let arguments = callee(draft, shown)?;
    draft.text(" to ");
    draft.successor_with(0, normal)?;
    draft.text(" unwind ");
    draft.successor_with(1, unwind)?;
    variadic_type(draft);
    optional_bundles(draft)?;
    draft.attr_dict(ELIDED)?;
    draft.text(" : ");
    if draft.attr("callee").is_none() && draft.release().0 >= 17 {
        draft.types_of(own.get(..1)?);
        draft.text(", ");
    }
    signature(draft, arguments)
}

// The types of arguments and results with their attributes.
fn signature(draft: &mut Draft<'_, '_, '_>, arguments: &[ValueId]) -> Drafted {
    let types = draft.operand_types(arguments);
    let results = draft.all_results();
    let (of_arguments, of_results) = (draft.attr("arg_attrs"), draft.attr("res_attrs"));
    if of_arguments.is_none() && of_results.is_none() {
        draft.functional_type(&types, results);
        return Some(());
    }
    typed(draft, &types, of_arguments)?;
    draft.text(" -> ");
    match (results, of_results) {
        ([_], Some(attributes)) if !draft.pairs(*draft.items(attributes)?.first()?)?.is_empty() => {
            typed(draft, results, Some(attributes))
        }
        _ => {
            draft.result_types(results);
            Some(())
        }
    }
}

fn typed(draft: &mut Draft<'_, '_, '_>, types: &[u32], attributes: Option<u32>) -> Drafted {
    let dictionaries = attributes.map_or(Some(Vec::new()), |index| draft.items(index))?;
    draft.text("(");
    draft.list(types.iter().enumerate(), |draft, (place, &r#type)| {
        draft.r#type(r#type);
        match dictionaries.get(place) {
            Some(&dictionary) => draft.dictionary_of(dictionary),
            None => Some(()),
        }
    })?;
    draft.text(")");
    Some(())
}

/// `llvm.landingpad`
pub(super) fn landing_pad(draft: &mut Draft<'_, '_, '_>) -> Drafted {
    draft.text(if draft.attr("cleanup").is_some() { " cleanup " } else { " " });
    for &value in draft.all_operands() {
        let r#type = draft.body.type_of(value);
        let is_filter = draft.is_dialect_type(r#type, "llvm.array");
        draft.text(if is_filter { "(filter " } else { "(catch " });
        draft.value(value);
        draft.text(" : ");
        draft.r#type(r#type);
        draft.text(") ");
    }
    draft.attr_dict(&["cleanup"])?;
    draft.text(": ");
    draft.types(draft.all_results());
    Some(())
}

/// The successors of `llvm.indirectbr` and their operands, one in a line.
pub(super) fn indirect_successors(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    let place = call.arguments.iter().position(|one| matches!(one, Argument::Operands(_)))?;
    let mut rest = operands(draft, call, place)?;
    let sizes = draft.integers_of("indbr_operand_segments")?;
    if sizes.len() != draft.successor_count() {
        return None;
    }
    let count = sizes.len();
    draft.text("[");
    for (number, size) in sizes.into_iter().enumerate() {
        draft.newline();
        let (own, others) = rest.split_at_checked(usize::try_from(size).ok()?)?;
        rest = others;
        draft.successor_with(number, own)?;
        draft.text(if number + 1 < count { "," } else { "" });
    }
    if count > 0 {
        draft.newline();
    }
    draft.text("]");
    Some(())
}
