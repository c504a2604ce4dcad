//! Damage to indices.

use mlirbc::Result;

use crate::draws::Draws;

use super::events::Event;
use super::original::{Original, missing};

/// Makes an index into a random table equal to the size of the table, or larger.
pub(super) fn index(original: &Original<'_>, draws: &mut Draws<'_, '_>) -> Result<Vec<u8>> {
    let mut tables = original.tables()?;
    let mut events = original.events()?;
    let ops = events.ops();
    let op = *draws.pick(&ops).ok_or_else(|| missing("operation"))?;
    let users: Vec<_> =
        (0..events.list.len()).filter(|&at| matches!(events.list[at], Event::Operand(_))).collect();
    let excess = draws.below(1000) as u64;
    let past = |len: usize| len as u64 + excess;
    match draws.below(8) {
        0 => {
            let (place, strings) = (draws.below(tables.dialects.len()), tables.strings.len());
            tables.dialects.get_mut(place).into_iter().for_each(|dialect| dialect.name = past(strings));
        }
        1 => {
            let (place, strings) = (draws.below(tables.op_names.len()), tables.strings.len());
            tables.op_names.get_mut(place).into_iter().for_each(|name| name.name = past(strings));
        }
        2 => {
            let (place, dialects) = (draws.below(tables.op_names.len()), tables.dialects.len());
            tables.op_names.get_mut(place).into_iter().for_each(|name| name.dialect = past(dialects));
        }
        3 => {
            let (place, dialects) = (draws.below(tables.attributes.len()), tables.dialects.len());
            tables.attributes.get_mut(place).into_iter().for_each(|entry| entry.dialect = past(dialects));
        }
        4 => {
            let names = past(tables.op_names.len()) as u32;
            events.head_mut(op).into_iter().for_each(|head| head.name = names);
        }
        5 => {
            let attributes = past(tables.attributes.len()) as u32;
            events.head_mut(op).into_iter().for_each(|head| head.location = attributes);
        }
        6 => {
            let attributes = past(tables.attributes.len()) as u32;
            events.head_mut(op).into_iter().for_each(|head| head.attributes = Some(attributes));
        }
        _ => {
            let at = *draws.pick(&users).ok_or_else(|| missing("operand"))?;
            // The index is larger than the number of values in all regions.
            let values: u64 = events
                .list
                .iter()
                .map(|event| match event {
                    Event::BeginRegion(head) => head.values,
                    _ => 0,
                })
                .sum();
            if let Event::Operand(value) = &mut events.list[at] {
                value.number = values + excess;
            }
        }
    }
    tables.set_ir(events.write(tables.version));
    Ok(tables.join())
}
