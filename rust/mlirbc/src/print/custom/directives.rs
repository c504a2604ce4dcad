//! `custom<…>` directives: functions of C++ that formats of several operations call, by their names.

use crate::ir::ValueId;
use crate::ops::UNKNOWN_DIRECTIVES;
use crate::props::PropertyValue;

pub(super) use super::cases::case_in;
use super::draft::{Draft, Drafted};
use super::format::{Argument, Call, types_of};

/// Prints what the directive stands for.
pub(super) type CustomDirective = fn(&mut Draft<'_, '_, '_>, &Call<'_>) -> Drafted;

/// The directive with this name in a dialect.
pub(super) fn find(dialect: &str, name: &str) -> Option<CustomDirective> {
    let of_dialect = match dialect {
        "acc" => super::acc::directive(name),
        "emitc" => super::emitc::directive(name),
        "irdl" => super::irdl::directive(name),
        "llvm" => super::llvm::directive(name),
        "ml_program" => super::ml_program::directive(name),
        "mpmd" => super::mpmd::directive(name),
        "omp" => super::omp::directive(name),
        "pdl_interp" => super::pdl_interp::directive(name),
        "chlo" | "stablehlo" => super::stablehlo::directive(name),
        "sdy" => super::sdy::directive(name),
        "sparse_tensor" => super::sparse_tensor::directive(name),
        "spirv" => super::spirv::directive(name),
        "tosa" => super::tosa::directive(name),
        "transform" => super::transform::directive(name),
        "io_parameters" => super::transfers::directive(name),
        "iree_codegen" | "iree_gpu" => super::iree_codegen::directive(name),
        "pcf" => super::pcf::directive(name),
        "flow" | "hal" | "hal_inline" | "stream" | "util" => super::util::directive(name),
        "vm" => super::vm::directive(name),
        "wasmssa" => super::wasmssa::directive(name),
        _ => None,
    };
    of_dialect.or_else(|| UNKNOWN_DIRECTIVES.contains(&name).then_some(unknown))
}

// The operation is printed in generic form.
fn unknown(_: &mut Draft<'_, '_, '_>, _: &Call<'_>) -> Drafted {
    None
}

pub(super) fn operands<'m>(
    draft: &Draft<'_, 'm, '_>,
    call: &Call<'_>,
    argument: usize,
) -> Option<&'m [ValueId]> {
    match call.arguments.get(argument)? {
        Argument::Operands(place) => draft.all_operands().get(call.groups.operands.get(*place)?.clone()),
        _ => None,
    }
}

pub(super) fn types(draft: &Draft<'_, '_, '_>, call: &Call<'_>, argument: usize) -> Option<Vec<u32>> {
    match call.arguments.get(argument)? {
        Argument::Types(values) => types_of(draft, call.groups, *values),
        _ => None,
    }
}

/// The attribute of an argument; `Some(None)` if the operation does not have it.
pub(super) fn attr(draft: &Draft<'_, '_, '_>, call: &Call<'_>, argument: usize) -> Option<Option<u32>> {
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

pub(super) fn integers(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>, argument: usize) -> Option<Vec<i64>> {
    match attr(draft, call, argument)? {
        Some(index) => draft.integers(index),
        None => Some(Vec::new()),
    }
}

/// ` {"name" = %value, …}`, or nothing without names.
pub(super) fn named_operands(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    named_operands_after(draft, call, " {")
}

/// The same with what it begins with.
pub(super) fn named_operands_after(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>, open: &str) -> Drafted {
    let (values, names) = (operands(draft, call, 0)?, attr(draft, call, 1)??);
    let names = draft.items(names)?;
    if names.len() != values.len() {
        return None;
    }
    if !names.is_empty() {
        draft.text(open);
        draft.list(names.into_iter().zip(values), |draft, (name, &value)| {
            draft.attribute(name);
            draft.text(" = ");
            draft.value(value);
            Some(())
        })?;
        draft.text("}");
    }
    Some(())
}
