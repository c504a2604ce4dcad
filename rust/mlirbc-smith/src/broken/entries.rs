//! Damage to attributes and types.

use mlirbc::Result;
use mlirbc::section::SectionId;

use crate::draws::Draws;

use super::original::{Original, code, encoding, missing, numbers};
use super::tables::{Directory, Entry, Tables};

/// Makes an entry larger than the bytes left for it.
pub(super) fn past_end(original: &Original<'_>, draws: &mut Draws<'_, '_>) -> Result<Vec<u8>> {
    let all = original.sections()?.data(SectionId::AttrType).len() as u64;
    let excess = 1 + draws.below(1000) as u64;
    in_directory(original, |directory| {
        let mut sizes: Vec<_> =
            directory.groups.iter_mut().flatten().flat_map(|group| &mut group.sizes).collect();
        let place = draws.below(sizes.len());
        sizes.get_mut(place).into_iter().for_each(|size| size.0 = all + excess);
    })
}

/// Appends bytes to the last row of the directory.
pub(super) fn directory(original: &Original<'_>, draws: &mut Draws<'_, '_>) -> Result<Vec<u8>> {
    in_directory(original, |directory| directory.tail = [&[0][..], &draws.bytes(20)].concat())
}

/// Makes the last group of attributes, or of types, larger than the entries left for it.
pub(super) fn group_overrun(original: &Original<'_>, draws: &mut Draws<'_, '_>) -> Result<Vec<u8>> {
    in_directory(original, |directory| {
        let mut filled: Vec<_> = directory.groups.iter_mut().filter_map(|groups| groups.last_mut()).collect();
        let place = draws.below(filled.len());
        filled.get_mut(place).into_iter().for_each(|group| group.count += 1 + draws.below(1000) as u64);
    })
}

fn in_directory(original: &Original<'_>, change: impl FnOnce(&mut Directory)) -> Result<Vec<u8>> {
    let tables = original.tables()?;
    let mut directory = Directory::of(&tables);
    change(&mut directory);
    let mut sections = tables.write();
    sections.set(SectionId::AttrTypeOffset, directory.write());
    Ok(sections.join())
}

fn in_entry(original: &Original<'_>, change: impl FnOnce(&mut Entry)) -> Result<Vec<u8>> {
    let mut tables = original.tables()?;
    let place = tables.prepared()?;
    change(tables.attributes.get_mut(place).ok_or_else(|| missing("attribute"))?);
    Ok(tables.join())
}

/// Appends bytes to an encoding.
pub(super) fn trailing_bytes(original: &Original<'_>, draws: &mut Draws<'_, '_>) -> Result<Vec<u8>> {
    in_entry(original, |entry| {
        entry.data.push(draws.word() as u8);
        entry.data.extend(draws.bytes(5));
    })
}

/// Changes the text of an attribute.
pub(super) fn text(original: &Original<'_>, draws: &mut Draws<'_, '_>) -> Result<Vec<u8>> {
    in_entry(original, |entry| {
        let zero = entry.data.pop();
        match draws.below(4) {
            0 => drop(entry.data.pop()),
            1 => entry.data.extend(b">"),
            2 => entry.data.extend(b", unit"),
            _ => entry.data = b"affine_map<(d0) -> (d0]>".to_vec(),
        }
        entry.data.extend(zero);
    })
}

/// Puts an attribute of a wrong class in place of a location or a dictionary.
pub(super) fn class(original: &Original<'_>, draws: &mut Draws<'_, '_>) -> Result<Vec<u8>> {
    let mut tables = original.tables()?;
    let mut events = original.events()?;
    let string = tables.prepared()? as u32;
    let ops = events.ops();
    if draws.one_in(2) {
        let op = *draws.pick(&ops).ok_or_else(|| missing("operation"))?;
        events.head_mut(op).into_iter().for_each(|head| head.location = string);
    } else {
        let with: Vec<_> = ops
            .into_iter()
            .filter(|&op| events.head(op).is_some_and(|head| head.attributes.is_some()))
            .collect();
        let op = *draws.pick(&with).ok_or_else(|| missing("operation"))?;
        events.head_mut(op).into_iter().for_each(|head| head.attributes = Some(string));
    }
    tables.set_ir(events.write(tables.version));
    Ok(tables.join())
}

/// Gives an attribute a code that its dialect does not define.
pub(super) fn unknown_code(original: &Original<'_>, draws: &mut Draws<'_, '_>) -> Result<Vec<u8>> {
    in_entry(original, |entry| {
        let numbers = numbers(&entry.data).unwrap_or_default();
        let arguments = numbers.get(1..).unwrap_or_default();
        entry.data = encoding(&[&[64 + draws.below(100_000) as u64], arguments].concat());
    })
}

/// Encodes an attribute of a dialect without a table.
pub(super) fn no_table(original: &Original<'_>, draws: &mut Draws<'_, '_>) -> Result<Vec<u8>> {
    in_entry(original, |entry| {
        entry.is_encoded = true;
        entry.data = encoding(&[draws.below(100) as u64, draws.below(100) as u64]);
    })
}

/// Makes an array contain itself, directly or through an inner array.
pub(super) fn cycle(original: &Original<'_>, draws: &mut Draws<'_, '_>) -> Result<Vec<u8>> {
    let mut tables = original.tables()?;
    let outer = tables.prepared()?;
    let mut nested = vec![outer];
    while let Some(inner) = only_item(&tables, nested.last().copied().unwrap_or(outer)) {
        nested.push(inner);
    }
    // The last item is the string.
    nested.pop();
    let from = *draws.pick(&nested).ok_or_else(|| missing("array"))?;
    if let Some(entry) = tables.attributes.get_mut(from) {
        entry.data = encoding(&[code::ARRAY, 1, outer as u64]);
    }
    Ok(tables.join())
}

fn only_item(tables: &Tables, array: usize) -> Option<usize> {
    match numbers(&tables.attributes.get(array)?.data).ok()?[..] {
        [code::ARRAY, 1, item] => Some(item as usize),
        _ => None,
    }
}

/// Gives sparse elements a type of another shape.
pub(super) fn elements(original: &Original<'_>, _: &mut Draws<'_, '_>) -> Result<Vec<u8>> {
    let mut tables = original.tables()?;
    let other_index = tables.prepared_other()?;
    let r#type =
        tables.attributes.get(other_index).and_then(|entry| numbers(&entry.data).ok()?.get(1).copied());
    let place = tables.prepared()?;
    if let (Some(entry), Some(r#type)) = (tables.attributes.get_mut(place), r#type) {
        let mut fields = numbers(&entry.data)?;
        fields.get_mut(1).into_iter().for_each(|field| *field = r#type);
        entry.data = encoding(&fields);
    }
    Ok(tables.join())
}
