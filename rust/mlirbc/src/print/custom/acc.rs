//! Clauses of `acc` that C++ writes (`mlir/lib/Dialect/OpenACC/IR/OpenACC.cpp`).

use crate::ir::ValueId;

use super::directives::{CustomDirective, attr, case_in, integers, operands, types};
use super::draft::{Container, Draft, Drafted};
use super::format::{Argument, Call};
use super::plan::RegionStyle;

pub(super) fn directive(name: &str) -> Option<CustomDirective> {
    Some(match name {
        "AccVar" => mapped_variable,
        "BindName" => bind_name,
        "CombinedConstructsLoop" => combined,
        "DeviceTypeArrayAttr" => device_types,
        "DeviceTypeOperands" => operands_of_devices,
        "DeviceTypeOperandsWithKeywordOnly" => operands_or_keyword,
        "DeviceTypeOperandsWithSegment" | "NumGangs" => segments_of_devices,
        "GangClause" => gang,
        "LoopControl" => loop_control,
        "OperandWithKeywordOnly" | "OperandsWithKeywordOnly" => values_or_keyword,
        "RecipeSym" => recipe,
        "RoutineGangClause" => routine_gang,
        "SymOperandList" => symbols_and_operands,
        "Var" => variable,
        "VarPtrType" => variable_type,
        "WaitClause" => wait,
        _ => return None,
    })
}

const NO_DEVICE: &str = "#acc.device_type<none>";

// The items of an array that may be missing.
fn items(draft: &Draft<'_, '_, '_>, call: &Call<'_>, argument: usize) -> Option<Vec<u32>> {
    attr(draft, call, argument)?.map_or(Some(Vec::new()), |index| draft.items(index))
}

fn is_pointer(draft: &mut Draft<'_, '_, '_>, r#type: u32) -> bool {
    // Types with the interface of pointers that are known to the dialect.
    draft.shaped(r#type).is_some_and(|shaped| shaped.container == Container::MemRef)
        || draft.is_dialect_type(r#type, "llvm.ptr")
}

// ---- variables ----

// The parenthesis is closed after the type.
fn variable(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    let &[value] = operands(draft, call, 0)? else { return None };
    let is_pointer = is_pointer(draft, draft.body.type_of(value));
    draft.text(if is_pointer { "varPtr(" } else { "var(" });
    draft.value(value);
    Some(())
}

fn mapped_variable(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    let &[value] = operands(draft, call, 0)? else { return None };
    let r#type = draft.body.type_of(value);
    let is_pointer = is_pointer(draft, r#type);
    draft.text(if is_pointer { "accPtr(" } else { "accVar(" });
    draft.value(value);
    draft.text(" : ");
    draft.r#type(r#type);
    draft.text(")");
    Some(())
}

fn variable_type(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    let [of_variable] = types(draft, call, 0)?[..] else { return None };
    let r#type = draft.type_in(attr(draft, call, 1)??)?;
    draft.r#type(of_variable);
    draft.text(")");
    let expected = match is_pointer(draft, of_variable) {
        true => draft.element_type(of_variable),
        false => Some(of_variable),
    };
    if expected.is_none_or(|expected| !draft.is_same_type(expected, r#type)) {
        draft.text(" varType(");
        draft.r#type(r#type);
        draft.text(")");
    }
    Some(())
}

fn recipe(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    let index = attr(draft, call, 0)??;
    draft.attribute(index);
    Some(())
}

// ---- device types ----

// ` [#acc.device_type<x>]`, or nothing for none (`printSingleDeviceType`).
fn device(draft: &mut Draft<'_, '_, '_>, attribute: u32) {
    if !draft.is_written(attribute, NO_DEVICE) {
        draft.text(" [");
        draft.attribute(attribute);
        draft.text("]");
    }
}

fn bracketed(draft: &mut Draft<'_, '_, '_>, items: &[u32]) -> Drafted {
    draft.text("[");
    draft.list(items, |draft, &item| {
        draft.attribute(item);
        Some(())
    })?;
    draft.text("]");
    Some(())
}

fn has_only_no_device(draft: &mut Draft<'_, '_, '_>, items: &[u32]) -> bool {
    match *items {
        [only] => draft.is_written(only, NO_DEVICE),
        _ => false,
    }
}

fn device_types(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    let items = items(draft, call, 0)?;
    if items.is_empty() || has_only_no_device(draft, &items) {
        return Some(());
    }
    draft.text("(");
    bracketed(draft, &items)?;
    draft.text(")");
    Some(())
}

fn typed(draft: &mut Draft<'_, '_, '_>, value: ValueId) {
    draft.value(value);
    draft.text(" : ");
    draft.types_of(&[value]);
}

fn values_of_devices(draft: &mut Draft<'_, '_, '_>, values: &[ValueId], devices: &[u32]) -> Drafted {
    if values.is_empty() {
        return Some(());
    }
    if values.len() != devices.len() {
        return None;
    }
    draft.list(values.iter().zip(devices), |draft, (&value, &of)| {
        typed(draft, value);
        device(draft, of);
        Some(())
    })
}

fn operands_of_devices(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    let (values, devices) = (operands(draft, call, 0)?, items(draft, call, 2)?);
    values_of_devices(draft, values, &devices)
}

// `([only], `, or nothing and `false` if the keyword says it all.
fn opened(draft: &mut Draft<'_, '_, '_>, values: &[ValueId], only: &[u32], devices: &[u32]) -> Option<bool> {
    if values.is_empty() && has_only_no_device(draft, only) {
        return Some(false);
    }
    draft.text("(");
    if only.is_empty() && devices.is_empty() {
        // MLIR does not parse empty parentheses.
        draft.lost.get_or_insert("that a list of values is empty");
    }
    if !only.is_empty() {
        bracketed(draft, only)?;
        draft.text(if devices.is_empty() { "" } else { ", " });
    }
    Some(true)
}

fn operands_or_keyword(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    let (values, devices, only) = (operands(draft, call, 0)?, items(draft, call, 2)?, items(draft, call, 3)?);
    if opened(draft, values, &only, &devices)? {
        values_of_devices(draft, values, &devices)?;
        draft.text(")");
    }
    Some(())
}

// `{%a : i32} [#acc.device_type<x>]` for each device; `start` writes what stands before a value or a group.
fn segments(
    draft: &mut Draft<'_, '_, '_>,
    values: &[ValueId],
    devices: &[u32],
    sizes: &[i64],
    mut start: impl FnMut(&mut Draft<'_, '_, '_>, usize, Option<usize>) -> Drafted,
) -> Drafted {
    if devices.len() > sizes.len() {
        return None;
    }
    let mut next = 0usize;
    draft.list(devices.iter().zip(sizes).enumerate(), |draft, (group, (&of, &size))| {
        draft.text("{");
        start(draft, group, None)?;
        let end = next.checked_add(usize::try_from(size).ok()?)?;
        let own = values.get(next..end)?;
        draft.list(own, |draft, &value| {
            start(draft, group, Some(next))?;
            typed(draft, value);
            next += 1;
            Some(())
        })?;
        draft.text("}");
        device(draft, of);
        Some(())
    })
}

fn segments_of_devices(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    let (values, devices, sizes) =
        (operands(draft, call, 0)?, items(draft, call, 2)?, integers(draft, call, 3)?);
    segments(draft, values, &devices, &sizes, |_, _, _| Some(()))
}

fn wait(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    let (values, devices, sizes) =
        (operands(draft, call, 0)?, items(draft, call, 2)?, integers(draft, call, 3)?);
    let (numbers, only) = (integers(draft, call, 4)?, items(draft, call, 5)?);
    if !opened(draft, values, &only, &devices)? {
        return Some(());
    }
    segments(draft, values, &devices, &sizes, |draft, group, place| {
        let is_first = place.is_none();
        let has_number = numbers.get(group).is_some_and(|&flag| flag != 0);
        draft.text(if is_first && has_number { "devnum: " } else { "" });
        Some(())
    })?;
    draft.text(")");
    Some(())
}

fn gang(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    let (values, kinds, devices) =
        (operands(draft, call, 0)?, items(draft, call, 2)?, items(draft, call, 3)?);
    let (sizes, only) = (integers(draft, call, 4)?, items(draft, call, 5)?);
    if !opened(draft, values, &only, &devices)? {
        return Some(());
    }
    segments(draft, values, &devices, &sizes, |draft, _, place| {
        let Some(place) = place else { return Some(()) };
        let text = draft.word(*kinds.get(place)?)?;
        draft.text(match case_in(&text)? {
            b"Num" => "num=",
            b"Dim" => "dim=",
            b"Static" => "static=",
            _ => return None,
        });
        Some(())
    })?;
    draft.text(")");
    Some(())
}

fn values_or_keyword(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    if attr(draft, call, 2)?.is_some() {
        return Some(());
    }
    let values = operands(draft, call, 0)?;
    draft.text("(");
    draft.values(values);
    draft.text(" : ");
    draft.types_of(values);
    draft.text(")");
    Some(())
}

fn bind_name(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    let kinds = call.arguments.len() / 2;
    let mut names = Vec::new();
    for kind in 0..kinds {
        let (own, devices) = (items(draft, call, kind)?, items(draft, call, kinds + kind)?);
        if own.len() != devices.len() {
            return None;
        }
        names.extend(own.into_iter().zip(devices));
    }
    draft.list(names, |draft, (name, of)| {
        draft.attribute(name);
        device(draft, of);
        Some(())
    })
}

fn routine_gang(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    let (only, dimensions, devices) =
        (items(draft, call, 0)?, items(draft, call, 1)?, items(draft, call, 2)?);
    if devices.is_empty() && has_only_no_device(draft, &only) {
        return Some(());
    }
    if dimensions.len() != devices.len() {
        return None;
    }
    draft.text("(");
    if !only.is_empty() {
        bracketed(draft, &only)?;
        draft.text(if devices.is_empty() { "" } else { ", " });
    }
    draft.list(dimensions.into_iter().zip(devices), |draft, (dimension, of)| {
        draft.text("dim: ");
        draft.attribute(dimension);
        device(draft, of);
        Some(())
    })?;
    draft.text(")");
    Some(())
}

fn combined(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    let Some(index) = attr(draft, call, 0)? else { return Some(()) };
    let text = draft.word(index)?;
    let construct = case_in(&text)?.strip_suffix(b"_loop")?;
    // The keyword is part of the format since 20.
    let is_bare = draft.release().0 >= 20;
    draft.text(if is_bare { "" } else { "combined(" });
    draft.bytes(construct);
    draft.text(if is_bare { "" } else { ")" });
    Some(())
}

fn loop_control(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    let regions = draft.regions()?;
    let Argument::Region(number) = call.arguments.first()? else { return None };
    let arguments = regions.arguments(*number);
    if !arguments.is_empty() {
        draft.text("control(");
        draft.list(arguments, |draft, row| {
            draft.push(super::plan::Piece::Argument(row));
            draft.text(" : ");
            draft.r#type(*regions.body.argument_type.get(row as usize)?);
            Some(())
        })?;
        for (start, place) in [(") = (", 1), (") to (", 3), (")  step (", 5)] {
            let values = operands(draft, call, place)?;
            draft.text(start);
            draft.values(values);
            draft.text(" : ");
            draft.types_of(values);
        }
        draft.text(") ");
    }
    draft.region(*number, RegionStyle::BODY);
    Some(())
}

// Of 19.
fn symbols_and_operands(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    let (values, symbols) = (operands(draft, call, 0)?, items(draft, call, 2)?);
    if values.len() != symbols.len() {
        return None;
    }
    draft.list(values.iter().zip(symbols), |draft, (&value, symbol)| {
        draft.attribute(symbol);
        draft.text(" -> ");
        typed(draft, value);
        Some(())
    })
}
