//! `custom<…>` directives: functions of C++ that formats of several operations call, by their names.

pub(super) use crate::assembly::{case_in, is_of_case};
use crate::attr::Elements;
use crate::attr::text::dense::Element;
use crate::ir::ValueId;
use crate::ops::UNKNOWN_DIRECTIVES;
use crate::props::PropertyValue;

use super::draft::{Container, Dimension, Draft, Drafted, Given};
use super::format::{Argument, Call, dictionary_entries, region_of, types_of};
use super::plan::RegionStyle;

/// Prints what the directive stands for.
pub(super) type CustomDirective = fn(&mut Draft<'_, '_, '_>, &Call<'_>) -> Drafted;

/// The directive with this name in a dialect.
pub(super) fn find(dialect: &str, name: &str) -> Option<CustomDirective> {
    let of_dialect = match dialect {
        "acc" => super::acc::directive(name),
        "llvm" => super::llvm::directive(name),
        "omp" => super::omp::directive(name),
        "mpmd" | "sdy" => super::sdy::directive(name),
        "pcf" => super::pcf::directive(name),
        "flow" | "hal" | "hal_inline" | "stream" | "util" => super::util::directive(name),
        "wasmssa" => super::wasmssa::directive(name),
        _ => None,
    };
    of_dialect.or_else(|| shared(name)).or_else(|| super::blocks::find(name))
}

fn shared(name: &str) -> Option<CustomDirective> {
    Some(match name {
        "DynamicIndexList" => dynamic_index_list,
        "NestedDynamicIndexList" => nested_dynamic_index_list,
        "OptionalDynamicIndexList" => optional_dynamic_index_list,
        "PackedOrDynamicIndexList" => packed_or_dynamic_index_list,
        "AsyncDependencies" => async_dependencies,
        "SemiFunctionType" => semi_function_type,
        "GEPIndices" => gep_indices,
        "SwitchOpCases" => switch_op_cases,
        "SwitchCases" => switch_cases,
        "LLVMOpAttrs" => llvm_attributes,
        "LLVMLinkage" | "ClauseAttr" => keyword,
        "SymbolVisibility" => symbol_visibility,
        "InsertExtractValueElementType" => inferred_type,
        "ShuffleType" => shuffle_type,
        "ResultsValueType" => value_type_of_results,
        "RangeType" => range_type,
        "GlobalMemrefOpTypeAndInitialValue" => global_memref,
        "TypedInitialValue" => typed_initial_value,
        "SingleBlockRegion" => single_block_region,
        "TransformMatchDims" => match_dims,
        "MNKDimensionList" => mnk_dimensions,
        "MultitileSizesTypes" => multitile_sizes_types,
        "ContinuousTileSizeTypes" => multitile_sizes_types,
        "DimensionList" => dimension_list,
        "AwaitResultType" => inner_type,
        "LaunchDimType" => launch_dim_type,
        "LaunchFuncOperands" => launch_func_operands,
        "OffloadingHandler" => offloading_handler,
        "AllReduceOperation" => all_reduce_operation,
        "OverflowFlags" => overflow_flags,
        "CachePolicy" => cache_policy,
        "NamedFlag" => named_flag,
        name if UNKNOWN_DIRECTIVES.contains(&name) => unknown,
        _ => return None,
    })
}

// The operation is printed in generic form.
fn unknown(_: &mut Draft<'_, '_, '_>, _: &Call<'_>) -> Drafted {
    None
}

// `name(true)` for a boolean attribute that is present. How others are printed is not known.
fn named_flag(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    let Some(flag) = attr(draft, call, 0)? else { return Some(()) };
    let Argument::Attribute(place) = call.arguments.first()? else { return None };
    let name = draft.definition.attributes().get(*place)?.name();
    let flag = draft.boolean(flag)?;
    draft.text(name);
    draft.text("(");
    draft.text(if flag { "true" } else { "false" });
    draft.text(")");
    Some(())
}

// A number of 32 bits. How other policies are printed is not known.
fn cache_policy(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    let policy = attr(draft, call, 0)??;
    let (number, Element::Signless(32)) = draft.typed_integer(policy)? else { return None };
    draft.number(number);
    Some(())
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

const DYNAMIC: i64 = i64::MIN;

fn index_list(
    draft: &mut Draft<'_, '_, '_>,
    values: &[ValueId],
    numbers: &[i64],
    scalable: &[i64],
    value_types: &[u32],
    (open, close): (&str, &str),
) -> Drafted {
    let (mut values, mut value_types) = (values.iter(), value_types.iter());
    draft.text(open);
    draft.list(numbers.iter().enumerate(), |draft, (place, &number)| {
        let is_scalable = scalable.get(place).is_some_and(|&flag| flag != 0);
        draft.text(if is_scalable { "[" } else { "" });
        if number == DYNAMIC {
            draft.value(*values.next()?);
            if let Some(&r#type) = value_types.next() {
                draft.text(" : ");
                draft.r#type(r#type);
            }
        } else {
            draft.number(number);
        }
        draft.text(if is_scalable { "]" } else { "" });
        Some(())
    })?;
    draft.text(close);
    if values.next().is_some() {
        draft.lost.get_or_insert("operands that none of its dynamic indices stands for");
    }
    Some(())
}

fn dynamic_index_list(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    let values = operands(draft, call, 0)?;
    let mut numbers = None;
    let (mut scalable, mut value_types, mut brackets) = (Vec::new(), Vec::new(), ("[", "]"));
    for place in 1..call.arguments.len() {
        match call.arguments.get(place)? {
            Argument::Attribute(_) if numbers.is_none() => numbers = Some(integers(draft, call, place)?),
            Argument::Attribute(_) => scalable = integers(draft, call, place)?,
            Argument::Types(_) => value_types = types(draft, call, place)?,
            Argument::Code(code) if code.contains("Paren") => brackets = ("(", ")"),
            Argument::Code(code) if code.contains("None") => brackets = ("", ""),
            Argument::Code(code) if &**code == "{}" => {}
            _ => return None,
        }
    }
    index_list(draft, values, &numbers?, &scalable, &value_types, brackets)
}

fn optional_dynamic_index_list(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    let values = operands(draft, call, 0)?;
    match attr(draft, call, 1)? {
        Some(index) => {
            let numbers = draft.integers(index)?;
            index_list(draft, values, &numbers, &[], &[], ("[", "]"))
        }
        None => index_list(draft, values, &[], &[], &[], ("", "")),
    }
}

// `[[2], [%a, 3]]`, of IREE.
fn nested_dynamic_index_list(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    let mut values = operands(draft, call, 0)?;
    let lists = attr(draft, call, 1)??;
    let lists = draft.items(lists)?;
    draft.text("[");
    draft.list(lists, |draft, list| {
        let numbers = draft.integers(list)?;
        let dynamic = numbers.iter().filter(|number| **number == DYNAMIC).count();
        let (own, others) = values.split_at_checked(dynamic)?;
        values = others;
        index_list(draft, own, &numbers, &[], &[], ("[", "]"))
    })?;
    draft.text("]");
    Some(())
}

fn packed_or_dynamic_index_list(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    match (operands(draft, call, 0)?, call.arguments.len()) {
        (&[packed], 3 | 4) => {
            draft.text("*(");
            draft.value(packed);
            draft.text(")");
            Some(())
        }
        ([], count @ (3 | 4)) => {
            let (values, numbers) = (operands(draft, call, 1)?, integers(draft, call, 2)?);
            let scalable = if count == 4 { integers(draft, call, 3)? } else { Vec::new() };
            index_list(draft, values, &numbers, &scalable, &[], ("[", "]"))
        }
        _ => None,
    }
}

fn async_dependencies(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    let has_token = !types(draft, call, 0)?.is_empty();
    let tokens = operands(draft, call, 1)?;
    draft.text(if has_token { "async" } else { "" });
    if !tokens.is_empty() {
        draft.text(if has_token { " [" } else { "[" });
        draft.values(tokens);
        draft.text("]");
    }
    Some(())
}

fn semi_function_type(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    let argument = types(draft, call, 0)?;
    let results = types(draft, call, 1)?;
    if results.is_empty() {
        draft.types(&argument);
        return Some(());
    }
    draft.text("(");
    draft.types(&argument);
    draft.text(") -> ");
    let (open, close) = if results.len() > 1 { ("(", ")") } else { ("", "") };
    draft.text(open);
    draft.types(&results);
    draft.text(close);
    Some(())
}

fn gep_indices(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    let mut values = operands(draft, call, 0)?.iter();
    let numbers = integers(draft, call, 1)?;
    if numbers.is_empty() {
        // `[]`, in which MLIR's parser requires an index (`parseGEPIndices` in LLVMDialect.cpp).
        draft.lost.get_or_insert("an empty list of indices");
    }
    draft.list(numbers, |draft, number| {
        if number == i64::from(i32::MIN) {
            draft.value(*values.next()?);
        } else {
            draft.number(number);
        }
        Some(())
    })?;
    // What the list does not have would have a type, and no place.
    values.next().is_none().then_some(())
}

// A case value as MLIR prints it: without `is_signed`, as an unsigned number of its width.
fn case_value(values: &Elements<'_>, place: u64, is_signed: bool) -> Option<i128> {
    let number = values.wide_integer(place)?;
    let modulus = 1_i128.checked_shl(values.element().bits()).filter(|_| values.element().bits() <= 64)?;
    Some(if is_signed || number >= 0 { number } else { number + modulus })
}

fn switch_op_cases(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    // `cf.switch` prints the default destination here, `llvm.switch` before.
    let has_default = matches!(call.arguments.get(1)?, Argument::Successor(_));
    let (values_at, operands_at) = if has_default { (4, 6) } else { (1, 3) };
    let has_brackets = !has_default && draft.release().0 >= 18;
    if has_default {
        draft.text("  default: ");
        let operands = operands(draft, call, 2)?;
        draft.successor_with(0, operands)?;
    } else {
        // Before release 18 the format has the brackets.
        if has_brackets {
            draft.text("[");
            draft.newline();
        }
    }
    let Some(values) = attr(draft, call, values_at)? else {
        draft.text(if has_brackets { "]" } else { "" });
        return Some(());
    };
    let is_signed = draft.release().0 >= if has_default { 24 } else { 22 };
    if draft.type_of_elements(values).is_some_and(|of| draft.is_tensor(of)) {
        draft.lost.get_or_insert("that its case values are a tensor");
    }
    let values = draft.elements(values)?;
    // A splat has any number of elements; only as many as there are destinations are values of cases.
    if values.len() + 1 != draft.successor_count() as u64 || values.shape().len() != 1 {
        return None;
    }
    let mut rest = operands(draft, call, operands_at)?;
    let sizes = draft.integers_of("case_operand_segments")?;
    if sizes.len() as u64 != values.len() {
        return None;
    }
    for (place, size) in sizes.into_iter().enumerate() {
        let value = case_value(&values, place as u64, is_signed)?;
        if i64::try_from(value).is_err() {
            // It is printed as an unsigned number of 64 bits, and the parser reads signed ones.
            draft.lost.get_or_insert("the sign of a case value, whose number the parser rejects");
        }
        if has_default || place > 0 {
            draft.text(",");
            draft.newline();
        }
        draft.text("  ");
        draft.number(value);
        draft.text(": ");
        let (own, others) = rest.split_at_checked(usize::try_from(size).ok()?)?;
        rest = others;
        draft.successor_with(place + 1, own)?;
    }
    draft.newline();
    draft.text(if has_brackets { "]" } else { "" });
    Some(())
}

// `scf.index_switch` and `emitc.switch`.

fn switch_cases(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    let cases = integers(draft, call, 0)?;
    let Argument::Region(first) = call.arguments.get(1)? else { return None };
    // The default region comes before those of the cases, or after them.
    let total = draft.regions()?.rows.len();
    let first = if *first == 0 { 0 } else { total.checked_sub(cases.len())? };
    for (place, case) in cases.into_iter().enumerate() {
        draft.newline();
        draft.text("case ");
        draft.number(case);
        draft.text(" ");
        draft.region(first + place, RegionStyle::BODY);
    }
    Some(())
}

// Of 16 and 19: the dictionary without attributes of default values.

fn llvm_attributes(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    let entries = dictionary_entries(draft, call.elided, false, true)?;
    let mut shown = Vec::new();
    for (name, value) in entries {
        let is_default = match value {
            Given::Attribute(index) => {
                name == b"fastmathFlags" && draft.is_written(index, "#llvm.fastmath<none>")
            }
            Given::Text(_) => false,
        };
        if !is_default {
            shown.push((name, value));
        }
    }
    // Flags got words of their own.
    let is_own = |name: &[u8]| draft.inherent.iter().any(|one| one.name().as_bytes() == name);
    if draft.release().separates_properties() && shown.iter().any(|(name, _)| is_own(name)) {
        return None;
    }
    if !shown.is_empty() {
        draft.text(" ");
        draft.dictionary(&shown);
    }
    Some(())
}

// An enumeration by its case, or a string without quotes.

// A symbol without a visibility is printed as a public one.
fn symbol_visibility(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    match attr(draft, call, 0)? {
        Some(index) => draft.visibility(index)?,
        None => {
            draft.text("public");
            draft.lost.get_or_insert("that it has no visibility");
        }
    }
    Some(())
}

fn keyword(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    let Some(index) = attr(draft, call, 0)? else { return Some(()) };
    if let Some(text) = draft.string(index) {
        draft.bare(text)?;
        return Some(());
    }
    let text = draft.word(index)?;
    draft.bytes(case_in(&text)?);
    Some(())
}

// The type of results with a number.
fn value_type_of_results(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    if attr(draft, call, 0)?.is_some() {
        draft.text(" -> ");
        let result = types(draft, call, 1)?;
        draft.types(&result);
    }
    Some(())
}

// The type of a range without elements.
fn range_type(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    if types(draft, call, 0)?.is_empty() {
        draft.text(": ");
        let results = types(draft, call, 1)?;
        draft.types(&results);
    }
    Some(())
}

fn inferred_type(_: &mut Draft<'_, '_, '_>, _: &Call<'_>) -> Drafted {
    Some(())
}

// The vector with as many elements as the mask has.
fn shuffle_type(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    let source = *types(draft, call, 0)?.first()?;
    let source = draft.shaped(source).filter(|shaped| shaped.container == Container::Vector);
    if let Some((shaped, first)) = source.and_then(|shaped| Some((shaped, shaped.first?))) {
        let count = draft.integers(attr(draft, call, 2)??)?.len();
        let results = types(draft, call, 1)?;
        draft.implies_vector(
            &results,
            Dimension { size: i64::try_from(count).ok()?, ..first },
            shaped.element,
        );
    }
    Some(())
}

fn global_memref(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    let r#type = attr(draft, call, 0)??;
    draft.attribute(r#type);
    if let Some(value) = attr(draft, call, 1)? {
        draft.text(" = ");
        if draft.is_unit(value) {
            draft.text("uninitialized");
        } else {
            draft.push(super::plan::Piece::Untyped(value));
        }
    }
    Some(())
}

fn typed_initial_value(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    if let Some(value) = attr(draft, call, 1)? {
        draft.text("(");
        draft.attribute(value);
        draft.text(")");
    }
    draft.text(" : ");
    let r#type = attr(draft, call, 0)??;
    draft.attribute(r#type);
    Some(())
}

fn single_block_region(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    let Argument::Region(number) = call.arguments.first()? else { return None };
    let regions = draft.regions()?;
    if regions.entry(*number).is_none_or(|block| block.ops > 0) {
        region_of(draft, *number)?;
    }
    Some(())
}

fn match_dims(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    let is_inverted = attr(draft, call, 1)?.is_some();
    if attr(draft, call, 2)?.is_some() {
        draft.text("all");
        return Some(());
    }
    draft.text(if is_inverted { "except(" } else { "" });
    let numbers = integers(draft, call, 0)?;
    draft.list(numbers, |draft, number| {
        draft.number(number);
        Some(())
    })?;
    draft.text(if is_inverted { ")" } else { "" });
    Some(())
}

fn mnk_dimensions(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    for place in 0..3 {
        let number = *integers(draft, call, place)?.first()?;
        draft.text(if place > 0 { "x" } else { "" });
        draft.number(number);
    }
    Some(())
}

fn multitile_sizes_types(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    let target = types(draft, call, 0)?;
    let result = types(draft, call, 1)?;
    draft.functional_type(&target, &result);
    Some(())
}

fn dimension_list(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    let numbers = integers(draft, call, 0)?;
    if numbers.is_empty() {
        draft.text("[]");
    }
    for (place, number) in numbers.into_iter().enumerate() {
        draft.text(if place > 0 { "x" } else { "" });
        if number == DYNAMIC {
            draft.text("?");
        } else {
            draft.number(number);
        }
    }
    Some(())
}

// The type of `async.await` is that of its operand.

fn inner_type(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    let operand = types(draft, call, 0)?;
    draft.types(&operand);
    Some(())
}

fn launch_dim_type(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    let [dimension] = types(draft, call, 0)?[..] else { return None };
    if !draft.is_index(dimension) {
        draft.text(": ");
        draft.r#type(dimension);
    }
    Some(())
}

fn launch_func_operands(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    let values = operands(draft, call, 0)?;
    if values.is_empty() {
        return Some(());
    }
    draft.text("args(");
    draft.list(values, |draft, &value| {
        draft.value(value);
        draft.text(" : ");
        draft.r#type(draft.body.type_of(value));
        Some(())
    })?;
    draft.text(")");
    Some(())
}

fn offloading_handler(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    let Some(handler) = attr(draft, call, 0)? else { return Some(()) };
    if !draft.is_written(handler, "#gpu.select_object") {
        draft.text("<");
        draft.attribute(handler);
        draft.text(">");
    }
    Some(())
}

// Before 23, the attribute prints itself after another space. Since 24, a format has no space before an optional one.
fn all_reduce_operation(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    let is_optional = draft.definition.name() == "gpu.all_reduce";
    let begins_with_space = draft.release().0 < 23 || draft.release().0 >= 24 && is_optional;
    let has_space = begins_with_space && attr(draft, call, 0)?.is_some();
    draft.text(if has_space { " " } else { "" });
    keyword(draft, call)
}

// Of 19: ` overflow<nsw>`, or nothing.

fn overflow_flags(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    let Argument::Attribute(place) = call.arguments.last()? else { return None };
    let definition = draft.definition.attributes().get(*place)?;
    let text = match draft.property(definition.name())?.value {
        PropertyValue::Int(0) | PropertyValue::Absent => return Some(()),
        PropertyValue::Int(1) => " overflow<nsw>",
        PropertyValue::Int(2) => " overflow<nuw>",
        PropertyValue::Int(3) => " overflow<nsw, nuw>",
        _ => return None,
    };
    draft.text(text);
    Some(())
}
