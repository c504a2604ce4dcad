//! Damage to the table of strings, to counts, and to dialects.

use mlirbc::Result;
use mlirbc::cursor::ByteSink;
use mlirbc::section::SectionId;

use crate::draws::Draws;

use super::original::{Original, missing};
use super::sections::{Sections, cursor};

/// The string table in its encoded form: the lengths, last string first, and the data.
struct Strings {
    lengths: Vec<u64>,
    between: Vec<u8>,
    data: Vec<u8>,
}

impl Strings {
    fn read(sections: &Sections) -> Result<Self> {
        let mut cursor = cursor(sections.data(SectionId::String));
        let count = cursor.count("strings")?;
        let lengths = (0..count).map(|_| cursor.varint()).collect::<Result<_>>()?;
        Ok(Self { lengths, between: Vec::new(), data: cursor.rest().to_vec() })
    }

    fn write(&self, mut sections: Sections) -> Vec<u8> {
        let mut sink = ByteSink::new();
        sink.varint(self.lengths.len() as u64);
        self.lengths.iter().for_each(|&length| sink.varint(length));
        sink.bytes(&self.between);
        sink.bytes(&self.data);
        sections.set(SectionId::String, sink.into_bytes());
        sections.join()
    }
}

/// Makes a string longer than the data left for it.
pub(super) fn past_end(original: &Original<'_>, draws: &mut Draws<'_, '_>) -> Result<Vec<u8>> {
    let sections = original.sections()?;
    let mut strings = Strings::read(&sections)?;
    let place = draws.below(strings.lengths.len());
    let all = sections.data(SectionId::String).len() as u64;
    *strings.lengths.get_mut(place).ok_or_else(|| missing("string"))? = all + 1 + draws.below(1000) as u64;
    Ok(strings.write(sections))
}

/// Puts bytes between the lengths and the data, or makes a string shorter than its data.
pub(super) fn gap(original: &Original<'_>, draws: &mut Draws<'_, '_>) -> Result<Vec<u8>> {
    let sections = original.sections()?;
    let mut strings = Strings::read(&sections)?;
    let long: Vec<_> = (0..strings.lengths.len()).filter(|&at| strings.lengths[at] > 1).collect();
    match draws.pick(&long) {
        Some(&at) if draws.one_in(2) => strings.lengths[at] -= 1,
        _ => strings.between = [&[0][..], &draws.bytes(20)].concat(),
    }
    Ok(strings.write(sections))
}

/// Sets the length of a string to 0.
pub(super) fn zero_length(original: &Original<'_>, draws: &mut Draws<'_, '_>) -> Result<Vec<u8>> {
    let sections = original.sections()?;
    let mut strings = Strings::read(&sections)?;
    let place = draws.below(strings.lengths.len());
    *strings.lengths.get_mut(place).ok_or_else(|| missing("string"))? = 0;
    Ok(strings.write(sections))
}

/// Makes the count at the start of a table larger than the table.
pub(super) fn count(original: &Original<'_>, draws: &mut Draws<'_, '_>) -> Result<Vec<u8>> {
    let mut sections = original.sections()?;
    let tables = [
        SectionId::String,
        SectionId::Dialect,
        SectionId::AttrTypeOffset,
        SectionId::ResourceOffset,
        SectionId::Properties,
        SectionId::Ir,
    ];
    let filled: Vec<_> = tables.into_iter().filter(|&id| !sections.data(id).is_empty()).collect();
    let id = *draws.pick(&filled).ok_or_else(|| missing("table"))?;
    let data = sections.data(id);
    let mut after_count = cursor(data);
    after_count.varint()?;
    let mut sink = ByteSink::new();
    // The count exceeds the size of any generated file, and is even, because the number of operations
    // includes a flag.
    sink.varint(2 * ((1 << 20) + data.len() as u64 + draws.below(1 << 30) as u64));
    sink.bytes(after_count.rest());
    sections.set(id, sink.into_bytes());
    Ok(sections.join())
}

/// Gives a dialect a version that its reader does not accept.
pub(super) fn dialect_version(original: &Original<'_>, draws: &mut Draws<'_, '_>) -> Result<Vec<u8>> {
    let mut tables = original.tables()?;
    // Every module uses this dialect, and every release knows it.
    let place = tables.dialect(b"builtin").ok_or_else(|| missing("dialect"))?;
    let version = super::original::encoding(&[draws.below(100) as u64, draws.below(100) as u64]);
    if let Some(dialect) = tables.dialects.get_mut(place as usize) {
        dialect.version = Some((SectionId::DialectVersions.byte(), version));
    }
    Ok(tables.join())
}

/// Gives the version of a dialect another section id than the id of dialect versions.
pub(super) fn dialect_version_section(original: &Original<'_>, draws: &mut Draws<'_, '_>) -> Result<Vec<u8>> {
    let mut tables = original.tables()?;
    let place = draws.below(tables.dialects.len());
    let other_ids: Vec<_> =
        (0..SectionId::COUNT as u8).filter(|&id| id != SectionId::DialectVersions.byte()).collect();
    let id = draws.pick(&other_ids).copied().unwrap_or_default();
    let dialect = tables.dialects.get_mut(place).ok_or_else(|| missing("dialect"))?;
    dialect.version = Some((id, draws.bytes(8)));
    Ok(tables.join())
}
