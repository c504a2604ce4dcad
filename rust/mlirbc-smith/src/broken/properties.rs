//! Damage to properties.

use mlirbc::Result;
use mlirbc::section::SectionId;

use crate::draws::Draws;

use super::original::{Original, missing};
use super::tables::Tables;

/// Gives an operation properties that are shorter than its layout.
pub(super) fn blob(original: &Original<'_>, draws: &mut Draws<'_, '_>) -> Result<Vec<u8>> {
    let mut tables = original.tables()?;
    let mut events = original.events()?;
    let with_properties: Vec<_> = events
        .ops()
        .into_iter()
        .filter_map(|op| Some((op, events.head(op)?)))
        .filter(|(_, head)| ["builtin.module", "func.func"].contains(&&*full_name(&tables, head.name)))
        .filter_map(|(op, head)| Some((op, head.properties?)))
        .collect();
    let (op, properties) =
        *draws.pick(&with_properties).ok_or_else(|| missing("operation with properties"))?;
    let mut blob = tables.properties.get(properties as usize).cloned().unwrap_or_default();
    // The properties are shortened, because readers ignore bytes that follow them.
    blob.truncate(draws.below(blob.len()));
    tables.properties.push(blob);
    let new = tables.properties.len() as u32 - 1;
    events.head_mut(op).into_iter().for_each(|head| head.properties = Some(new));
    tables.set_ir(events.write(tables.version));
    Ok(tables.join())
}

/// Gives an operation without a schema a property blob, as if the writer had a schema.
pub(super) fn opaque(original: &Original<'_>, draws: &mut Draws<'_, '_>) -> Result<Vec<u8>> {
    let mut tables = original.tables()?;
    let mut events = original.events()?;
    let is_unknown = |name: u32| full_name(&tables, name) == "smith.broken";
    let op =
        events.of_module().into_iter().find(|&op| events.head(op).is_some_and(|head| is_unknown(head.name)));
    let head = op.and_then(|op| events.head_mut(op)).ok_or_else(|| missing("operation"))?;
    head.properties = Some(tables.properties.len() as u32);
    tables.op_names.get_mut(head.name as usize).into_iter().for_each(|name| name.is_registered = true);
    tables.properties.push([&[draws.word() as u8][..], &draws.bytes(10)].concat());
    tables.set_ir(events.write(tables.version));
    Ok(tables.join())
}

/// Appends bytes to the last blob.
pub(super) fn trailing_bytes(original: &Original<'_>, draws: &mut Draws<'_, '_>) -> Result<Vec<u8>> {
    let mut sections = original.sections()?;
    sections.change(SectionId::Properties, |data| {
        data.push(draws.word() as u8);
        data.extend(draws.bytes(20));
    });
    Ok(sections.join())
}

/// Gives an operation properties in a bytecode version without properties.
pub(super) fn version(original: &Original<'_>, draws: &mut Draws<'_, '_>) -> Result<Vec<u8>> {
    let mut tables = original.tables()?;
    let mut events = original.events()?;
    let op = *draws.pick(&events.ops()).ok_or_else(|| missing("operation"))?;
    events.head_mut(op).into_iter().for_each(|head| head.properties = Some(draws.below(4) as u32));
    tables.set_ir(events.write(tables.version));
    Ok(tables.join())
}

/// Returns `dialect.name` of an operation.
pub(super) fn full_name(tables: &Tables, index: u32) -> String {
    let string = |index: u64| {
        let bytes = tables.strings.get(index as usize).map_or(&[][..], |string| string);
        String::from_utf8_lossy(bytes).into_owned()
    };
    let Some(name) = tables.op_names.get(index as usize) else { return String::new() };
    let dialect = tables.dialects.get(name.dialect as usize).map_or(u64::MAX, |dialect| dialect.name);
    format!("{}.{}", string(dialect), string(name.name))
}
