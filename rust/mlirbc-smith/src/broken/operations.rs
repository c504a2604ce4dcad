//! Damage to operations, regions and values.

use std::ops::Range;

use mlirbc::edit::{Editor, InsertionPoint, NewOperation};
use mlirbc::format::ir::{IsolatedRegions, OpSink};
use mlirbc::parse::InsertOptions;
use mlirbc::section::SectionId;
use mlirbc::varint::VarInt;
use mlirbc::write::Numbering;
use mlirbc::{Result, Type, WriteOptions};

use crate::draws::Draws;

use super::events::{Event, Events, Op};
use super::layouts::filled;
use super::original::{Original, missing};
use super::tables::{Dialect, OpName};

/// Changes the section id of an isolated operation's regions.
pub(super) fn region_section(original: &Original<'_>, draws: &mut Draws<'_, '_>) -> Result<Vec<u8>> {
    #[derive(Default)]
    struct Isolated(Vec<Range<usize>>);
    impl OpSink for Isolated {
        fn enter(&mut self, regions: IsolatedRegions) -> bool {
            self.0.push(regions.range);
            true
        }
    }
    let mut isolated = Isolated::default();
    original.module()?.stream(&mut isolated)?;
    let range = draws.pick(&isolated.0).ok_or_else(|| missing("isolated operation"))?;
    let header = 1 + VarInt(range.len() as u64).encoded_len();
    let other_ids: Vec<_> = SectionId::ALL.into_iter().filter(|&id| id != SectionId::Ir).collect();
    let other_id = draws.pick(&other_ids).copied().unwrap_or(SectionId::String);
    let mut sections = original.sections()?;
    sections.change(SectionId::Ir, |data| {
        let id = range.start.checked_sub(header).and_then(|at| data.get_mut(at));
        id.into_iter().for_each(|id| *id = other_id.byte());
    });
    Ok(sections.join())
}

/// Adds an operation to the end of a region, with more results than the region declares.
pub(super) fn region_values(original: &Original<'_>, draws: &mut Draws<'_, '_>) -> Result<Vec<u8>> {
    in_events(original, |events| {
        let (_, _, last) = prepared(events)?;
        let copied = own_events(events, last);
        let results = 1 + draws.below(4);
        let r#type = copied.iter().find(|event| matches!(event, Event::Result(_))).cloned();
        let head = copied.first().cloned().into_iter();
        let results = r#type.into_iter().flat_map(|result| std::iter::repeat_n(result, results));
        events.insert_after(last, head.chain(results).collect::<Vec<_>>());
        Ok(())
    })
}

/// Makes an operation use a value whose definition is removed.
pub(super) fn unresolved(original: &Original<'_>, draws: &mut Draws<'_, '_>) -> Result<Vec<u8>> {
    in_events(original, |events| {
        let (_, user, last) = prepared(events)?;
        let index = events.values_of_region(last).saturating_sub(1);
        let operands: Vec<_> =
            events.own(user).filter(|&at| matches!(events.list[at], Event::Operand(_))).collect();
        let place = *draws.pick(&operands).ok_or_else(|| missing("operand"))?;
        if let Event::Operand(value) = &mut events.list[place] {
            (value.number, value.index, value.is_forward) = (index, index, true);
        }
        let result = events.own(last).filter(|&at| matches!(events.list[at], Event::Result(_))).last();
        result.into_iter().for_each(|at| drop(events.list.remove(at)));
        Ok(())
    })
}

/// Makes the stored order of a value's uses invalid.
pub(super) fn use_list(original: &Original<'_>, draws: &mut Draws<'_, '_>) -> Result<Vec<u8>> {
    in_events(original, |events| {
        let (defining, ..) = prepared(events)?;
        let place = events.own(defining).find(|&at| matches!(events.list[at], Event::UseList { .. }));
        let place = place.ok_or_else(|| missing("order of uses"))?;
        if let Event::UseList { is_pairs, indices, .. } = &mut events.list[place] {
            *is_pairs = false;
            *indices = match draws.below(4) {
                // A repeated position, a position past the end, and too few and too many positions.
                0 => vec![2, 0, 2],
                1 => vec![1, 0, 3 + draws.below(1000) as u64],
                2 => vec![1, 0],
                _ => vec![1, 0, 2, 3],
            };
        }
        Ok(())
    })
}

/// Adds a second operation to the top level, or removes the only one.
pub(super) fn top_level(original: &Original<'_>, draws: &mut Draws<'_, '_>) -> Result<Vec<u8>> {
    in_events(original, |events| {
        let module = events.ops().first().copied().ok_or_else(|| missing("operation"))?;
        if draws.one_in(3) {
            events.list.drain(module.start..module.end);
            if let Some(Event::BeginBlock(head)) = events.list.get_mut(module.block) {
                head.ops = 0;
            }
            return Ok(());
        }
        let (_, _, last) = prepared(events)?;
        for _ in 0..=draws.below(3) {
            let copy = own_events(events, last);
            events.insert_after(module, copy);
        }
        Ok(())
    })
}

/// Adds an operand to an addition.
pub(super) fn operand(original: &Original<'_>, draws: &mut Draws<'_, '_>) -> Result<Vec<u8>> {
    in_events(original, |events| {
        let addition = events.of_module().last().copied().ok_or_else(|| missing("addition"))?;
        let operands: Vec<_> =
            events.own(addition).filter(|&at| matches!(events.list[at], Event::Operand(_))).collect();
        let place = *draws.pick(&operands).ok_or_else(|| missing("operand"))?;
        if draws.one_in(2) {
            events.list.remove(place);
        } else {
            let copy = events.list[place].clone();
            events.list.splice(place..place, std::iter::repeat_n(copy, 1 + draws.below(4)));
        }
        Ok(())
    })
}

/// Adds one of the rule's operations to the end of the module, without verification.
pub(super) fn inserted(original: &Original<'_>, draws: &mut Draws<'_, '_>) -> Result<Vec<u8>> {
    let text = filled(draws.text(original.texts), draws);
    unverified(original, |editor| {
        let module = editor.operation()?;
        let body = editor.body(module)?;
        editor.insert_asm(text, InsertionPoint::AtEnd(body), &InsertOptions::default()).map(drop)
    })
}

/// Adds a module that uses a value of the module around it.
pub(super) fn isolation(original: &Original<'_>, draws: &mut Draws<'_, '_>) -> Result<Vec<u8>> {
    let uses = 1 + draws.below(1000);
    unverified(original, |editor| {
        let module = editor.operation()?;
        let body = editor.body(module)?;
        let cast = NewOperation::new("builtin.unrealized_conversion_cast");
        let outside = NewOperation { results: vec![Type::parse("i32")?], ..cast.clone() };
        let outside = editor.create(&outside, InsertionPoint::AtEnd(body))?;
        let inner = NewOperation { regions: 1, ..NewOperation::new("builtin.module") };
        let inner = editor.create(&inner, InsertionPoint::AtEnd(body))?;
        let region = editor.regions(inner)?.first().copied().ok_or_else(|| missing("region"))?;
        let block = match editor.blocks(region)?.first() {
            Some(&block) => block,
            None => editor.add_block(region, None, &[])?,
        };
        let operands = editor.results(outside)?.repeat(uses);
        let user = NewOperation { operands, results: vec![Type::parse("f32")?], ..cast };
        editor.create(&user, InsertionPoint::AtEnd(block)).map(drop)
    })
}

fn unverified(original: &Original<'_>, change: impl FnOnce(&mut Editor) -> Result<()>) -> Result<Vec<u8>> {
    let mut editor = Editor::new(original.module()?)?;
    editor.set_verification(false, false);
    change(&mut editor)?;
    let mut bytes = Vec::new();
    editor.write(&mut bytes, &WriteOptions::default().numbering(Numbering::Canonical))?;
    Ok(bytes)
}

/// Gives an operation a name that no release has.
pub(super) fn unknown_name(original: &Original<'_>, draws: &mut Draws<'_, '_>) -> Result<Vec<u8>> {
    let mut tables = original.tables()?;
    let mut events = original.events()?;
    let (_, _, last) = prepared(&events)?;
    let (dialect, name) =
        (tables.string(b"smith"), tables.string(format!("op{}", draws.below(1000)).as_bytes()));
    tables.dialects.push(Dialect { name: dialect, version: None });
    let dialect = tables.dialects.len() as u64 - 1;
    tables.op_names.push(OpName { dialect, name, is_registered: false });
    let name = tables.op_names.len() as u32 - 1;
    events.head_mut(last).into_iter().for_each(|head| head.name = name);
    tables.set_ir(events.write(tables.version));
    Ok(tables.join())
}

/// Returns the last three operations of the module, which [`values`](super::preparations::values) adds.
fn prepared(events: &Events) -> Result<(Op, Op, Op)> {
    match events.of_module()[..] {
        [.., defining, user, last] => Ok((defining, user, last)),
        _ => Err(missing("operation")),
    }
}

fn own_events(events: &Events, op: Op) -> Vec<Event> {
    events.own(op).map(|at| events.list[at].clone()).collect()
}

fn in_events(original: &Original<'_>, change: impl FnOnce(&mut Events) -> Result<()>) -> Result<Vec<u8>> {
    let mut tables = original.tables()?;
    let mut events = original.events()?;
    change(&mut events)?;
    tables.set_ir(events.write(tables.version));
    Ok(tables.join())
}
