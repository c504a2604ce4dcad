//! Damage to the header, and to sections as a whole.

use mlirbc::Result;
use mlirbc::section::SectionId;
use mlirbc::varint::VarInt;

use crate::draws::Draws;

use super::original::{Original, missing};
use super::sections::{MAGIC, PADDING, Section, Sections};

/// Cuts the file within a section, or makes the size of the last section too large.
pub(super) fn truncated(original: &Original<'_>, draws: &mut Draws<'_, '_>) -> Result<Vec<u8>> {
    let mut sections = original.sections()?;
    if draws.one_in(3) {
        let Some(last) = sections.list.pop() else { return Err(missing("section")) };
        let mut file = sections.join();
        file.push(last.id);
        VarInt((last.data.len() + 1 + draws.below(1000)) as u64).write(&mut file);
        file.extend(last.data);
        return Ok(file);
    }
    let (mut file, places) = sections.join_with_places();
    let ends = places.iter().skip(1).map(|place| place.0).chain([file.len()]);
    let filled: Vec<_> = places.iter().zip(ends).filter(|(place, end)| place.1 < *end).collect();
    let &(place, end) = draws.pick(&filled).ok_or_else(|| missing("section"))?;
    let cut = place.1 + draws.below(end - place.1);
    file.truncate(cut);
    Ok(file)
}

/// Returns an empty file.
pub(super) fn empty(_: &Original<'_>, _: &mut Draws<'_, '_>) -> Result<Vec<u8>> {
    Ok(Vec::new())
}

/// Changes the magic number.
pub(super) fn magic(original: &Original<'_>, draws: &mut Draws<'_, '_>) -> Result<Vec<u8>> {
    let mut file = original.bytes.to_vec();
    let place = 1 + draws.below(MAGIC.len() - 1);
    if let Some(byte) = file.get_mut(place) {
        *byte ^= 1 + draws.below(255) as u8;
        // The byte would make the magic number of another format.
        if *byte == b'Z' {
            *byte = 0;
        }
    }
    Ok(file)
}

/// Makes the version larger than the newest one.
pub(super) fn version(original: &Original<'_>, draws: &mut Draws<'_, '_>) -> Result<Vec<u8>> {
    let mut sections = original.sections()?;
    sections.version = 7 + draws.below(100_000) as u64;
    Ok(sections.join())
}

/// Cuts the file within the producer, or removes the end of a text from an attribute.
pub(super) fn unterminated(original: &Original<'_>, draws: &mut Draws<'_, '_>) -> Result<Vec<u8>> {
    if draws.one_in(2) {
        let mut head = original.sections()?.head();
        // The producer includes a zero byte at the end.
        let producer = head.len() - MAGIC.len() - 1;
        head.truncate(head.len() - 1 - draws.below(producer));
        return Ok(head);
    }
    let mut tables = original.tables()?;
    let text = tables.prepared()?;
    tables.attributes.get_mut(text).and_then(|entry| entry.data.pop());
    Ok(tables.join())
}

/// Adds a section with an unknown id.
pub(super) fn unknown_section(original: &Original<'_>, draws: &mut Draws<'_, '_>) -> Result<Vec<u8>> {
    let mut sections = original.sections()?;
    let section = Section::new(9 + draws.below(119) as u8, draws.bytes(20));
    let place = draws.up_to(sections.list.len());
    sections.list.insert(place, section);
    Ok(sections.join())
}

/// Adds a section that the file already has.
pub(super) fn duplicate_section(original: &Original<'_>, draws: &mut Draws<'_, '_>) -> Result<Vec<u8>> {
    let mut sections = original.sections()?;
    let copy = draws.pick(&sections.list).cloned().ok_or_else(|| missing("section"))?;
    let place = draws.up_to(sections.list.len());
    sections.list.insert(place, copy);
    Ok(sections.join())
}

/// Removes a section that every file has.
pub(super) fn missing_section(original: &Original<'_>, draws: &mut Draws<'_, '_>) -> Result<Vec<u8>> {
    let mut sections = original.sections()?;
    let optional = [SectionId::Resource, SectionId::ResourceOffset].map(SectionId::byte);
    let required: Vec<_> =
        (0..sections.list.len()).filter(|&at| !optional.contains(&sections.list[at].id)).collect();
    sections.list.remove(*draws.pick(&required).ok_or_else(|| missing("section"))?);
    Ok(sections.join())
}

/// Removes one of the two resource sections.
pub(super) fn one_resource_section(original: &Original<'_>, draws: &mut Draws<'_, '_>) -> Result<Vec<u8>> {
    let mut sections = original.sections()?;
    let id = if draws.one_in(2) { SectionId::Resource } else { SectionId::ResourceOffset };
    sections.list.retain(|section| section.id != id.byte());
    Ok(sections.join())
}

/// Gives a section an alignment that is not a power of two.
pub(super) fn alignment(original: &Original<'_>, draws: &mut Draws<'_, '_>) -> Result<Vec<u8>> {
    let mut sections = original.sections()?;
    let at = other_than_resources(&sections, draws)?;
    sections.list[at].alignment = Some(3 * (1 + draws.below(1000) as u64));
    Ok(sections.join())
}

/// Changes a byte before the aligned data of a section.
pub(super) fn padding(original: &Original<'_>, draws: &mut Draws<'_, '_>) -> Result<Vec<u8>> {
    let mut sections = original.sections()?;
    let at = other_than_resources(&sections, draws)?;
    // Some alignment needs padding, because no offset is a multiple of every alignment.
    let first = draws.below(6);
    for power in (0..6).map(|number| 3 + (first + number) % 6) {
        let alignment = 1_u64 << power;
        sections.list[at].alignment = Some(alignment);
        let (mut file, places) = sections.join_with_places();
        let Some(&(header, data)) = places.get(at) else { continue };
        let size = VarInt(sections.list[at].data.len() as u64).encoded_len();
        let padding = header + 1 + size + VarInt(alignment).encoded_len()..data;
        if !padding.is_empty() {
            let place = padding.start + draws.below(padding.len());
            file[place] = PADDING ^ (1 + draws.below(255) as u8);
            return Ok(file);
        }
    }
    Err(missing("padding"))
}

// The data of resources has its own alignment.
fn other_than_resources(sections: &Sections, draws: &mut Draws<'_, '_>) -> Result<usize> {
    let is_other = |at: &usize| sections.list[*at].id != SectionId::Resource.byte();
    let section_indices: Vec<_> = (0..sections.list.len()).filter(is_other).collect();
    draws.pick(&section_indices).copied().ok_or_else(|| missing("section"))
}
