//! Section 1: dialects, their versions, and the names of all operations.
//!
//! ```text
//! v0      dialects := n   name:string[n]                          group*
//! v1..v3  dialects := n   dialect[n]                              group*
//! v4..    dialects := n   dialect[n]   opCount                    group*
//! dialect := name:string << 1 | hasVersion   [section 7 if hasVersion]
//! group   := dialect   k   name[k]              v5..: name << 1 | registered
//! ```
//!
//! Groups extend to the end of the section; an operation index counts across all groups. Names lack the
//! prefix `dialect.`. MLIR uses the stored op count only to reserve memory, so a wrong one is harmless
//! (`BytecodeReader::Impl::parseDialectSection` in `mlir/lib/Bytecode/Reader/BytecodeReader.cpp`).

use std::ops::Range;

use crate::wire::cursor::{ByteSink, Cursor, FieldValue, NoTrace, Trace};
use crate::wire::error::{ErrorKind, Result};
use crate::wire::limits::Budget;
use crate::wire::section::SectionId;
use crate::wire::version::BytecodeVersion;

/// A dialect in the section.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DialectEntry {
    /// Index of the dialect's name in the string table.
    pub name: u32,
    /// The range of the version in the data of the section, if there is a version.
    pub version: Option<Range<usize>>,
}

/// An operation name in the section.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OpNameEntry {
    /// Index of the operation's dialect.
    pub dialect: u32,
    /// Index of the name, without the prefix of the dialect, in the string table.
    pub name: u32,
    /// Whether the op was registered in the writer; not stored before version 5.
    pub is_registered: Option<bool>,
}

/// The decoded section.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DialectSection {
    /// The dialects by index.
    pub dialects: Vec<DialectEntry>,
    /// The operation names by index.
    pub op_names: Vec<OpNameEntry>,
}

impl DialectSection {
    /// Reads the section's data, which begins at byte `base` of the file.
    ///
    /// # Errors
    /// Indices out of range, a version that is not in a section 7, and the errors of [`Cursor`].
    pub(crate) fn read(
        data: &[u8],
        base: u64,
        version: BytecodeVersion,
        strings: u32,
        budget: &Budget,
    ) -> Result<Self> {
        Self::read_traced(data, base, version, strings, (budget, NoTrace))
    }

    /// Reads the section as [`Self::read`] does, with an observer.
    ///
    /// # Errors
    /// As [`Self::read`].
    pub(crate) fn read_traced<T: Trace>(
        data: &[u8],
        base: u64,
        version: BytecodeVersion,
        strings: u32,
        (budget, trace): (&Budget, T),
    ) -> Result<Self> {
        let mut cursor = Cursor::traced(data, base, Some(SectionId::Dialect), trace);
        let count = cursor.count("dialects")?;
        let mut this = Self { dialects: cursor.vec(budget, count)?, op_names: Vec::new() };
        for _ in 0..count {
            this.dialects.push(read_dialect(&mut cursor, version, strings)?);
        }
        if version.has_op_name_count() {
            cursor.label("number of op names");
            cursor.varint()?;
        }
        while !cursor.is_at_end() {
            cursor.begin("group of op names");
            let dialect = cursor.index("a dialect", count as u32)?;
            let names = cursor.count("op names")?;
            // Memory is counted twice, because the list doubles when it grows.
            cursor.spend(budget, names.saturating_mul(2 * size_of::<OpNameEntry>()))?;
            cursor.reserve(&mut this.op_names, names)?;
            for _ in 0..names {
                this.op_names.push(read_op_name(&mut cursor, dialect, version, strings)?);
            }
            cursor.end();
        }
        Ok(this)
    }

    /// Writes the data of the section; version ranges refer to `data`.
    ///
    /// Consecutive names of one dialect become one group, as in MLIR.
    ///
    /// ```
    /// use mlirbc::cursor::ByteSink;
    /// use mlirbc::version::BytecodeVersion;
    /// use mlirbc::format::dialect::{DialectEntry, DialectSection, OpNameEntry};
    /// let section = DialectSection {
    ///     dialects: vec![DialectEntry { name: 0, version: None }],
    ///     op_names: vec![OpNameEntry { dialect: 0, name: 2, is_registered: Some(true) }],
    /// };
    /// let mut sink = ByteSink::new();
    /// section.write(BytecodeVersion::MAX, &[], &mut sink);
    /// // One dialect: string 0, no version. One op name: a group of dialect 0 with string 2, registered.
    /// assert_eq!(sink.as_bytes(), [0x03, 0x01, 0x03, 0x01, 0x03, 0x0b]);
    /// ```
    pub fn write(&self, version: BytecodeVersion, data: &[u8], sink: &mut ByteSink) {
        sink.varint(self.dialects.len() as u64);
        for dialect in &self.dialects {
            write_dialect(dialect, version, data, sink);
        }
        if version.has_op_name_count() {
            sink.varint(self.op_names.len() as u64);
        }
        for group in self.op_names.chunk_by(|a, b| a.dialect == b.dialect) {
            sink.varint(group[0].dialect.into());
            sink.varint(group.len() as u64);
            for name in group {
                write_op_name(name, version, sink);
            }
        }
    }
}

fn read_dialect<T: Trace>(
    cursor: &mut Cursor<'_, T>,
    version: BytecodeVersion,
    strings: u32,
) -> Result<DialectEntry> {
    cursor.label("dialect name");
    if !version.has_dialect_versions() {
        return Ok(DialectEntry { name: cursor.index("a string", strings)?, version: None });
    }
    let (name, has_version) = index_with_flag(cursor, strings)?;
    let version = if has_version { Some(read_version(cursor)?) } else { None };
    Ok(DialectEntry { name, version })
}

fn write_dialect(dialect: &DialectEntry, version: BytecodeVersion, data: &[u8], sink: &mut ByteSink) {
    if !version.has_dialect_versions() {
        return sink.varint(dialect.name.into());
    }
    let bytes = dialect.version.clone().and_then(|range| data.get(range));
    sink.varint_with_flag(dialect.name.into(), bytes.is_some());
    if let Some(bytes) = bytes {
        let mut body = ByteSink::new();
        body.bytes(bytes);
        sink.section(SectionId::DialectVersions, &body);
    }
}

fn read_version<T: Trace>(cursor: &mut Cursor<'_, T>) -> Result<Range<usize>> {
    let offset = cursor.offset();
    let frame = cursor.section_frame()?;
    if frame.id != SectionId::DialectVersions.byte() {
        return Err(cursor
            .error(
                ErrorKind::DialectVersionSection,
                "section DialectVersions (id 7)",
                format!("section id `{}`", frame.id),
            )
            .at(offset));
    }
    cursor.label("dialect version");
    cursor.seek(frame.end);
    Ok(frame.start..frame.end)
}

fn read_op_name<T: Trace>(
    cursor: &mut Cursor<'_, T>,
    dialect: u32,
    version: BytecodeVersion,
    strings: u32,
) -> Result<OpNameEntry> {
    cursor.label("op name");
    let (name, is_registered) = if version.has_registered_flags() {
        let (name, is_registered) = index_with_flag(cursor, strings)?;
        (name, Some(is_registered))
    } else {
        (cursor.index("a string", strings)?, None)
    };
    Ok(OpNameEntry { dialect, name, is_registered })
}

fn write_op_name(name: &OpNameEntry, version: BytecodeVersion, sink: &mut ByteSink) {
    if version.has_registered_flags() {
        sink.varint_with_flag(name.name.into(), name.is_registered.unwrap_or(false));
    } else {
        sink.varint(name.name.into());
    }
}

fn index_with_flag<T: Trace>(cursor: &mut Cursor<'_, T>, strings: u32) -> Result<(u32, bool)> {
    let position = cursor.position();
    let (index, flag) = cursor.varint_with_flag()?;
    cursor.trace().refine(FieldValue::FlaggedIndex("a string", index, flag));
    if index >= u64::from(strings) {
        return Err(cursor.bad_index("a string", index, strings.into(), position));
    }
    Ok((index as u32, flag))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::limits::Limits;
    use proptest::prelude::*;

    fn read(data: &[u8], version: u64, strings: u32) -> Result<DialectSection> {
        let version = BytecodeVersion::new(version).unwrap();
        DialectSection::read(data, 0, version, strings, &Limits::default().budget(0))
    }

    // The worked example: dialects builtin and t, ops module, c, r, u.
    const FORMS: [(u64, &[u8]); 4] = [
        (6, &[0x05, 0x01, 0x05, 0x09, 0x01, 0x03, 0x0b, 0x03, 0x07, 0x0d, 0x11, 0x15]),
        (4, &[0x05, 0x01, 0x05, 0x09, 0x01, 0x03, 0x05, 0x03, 0x07, 0x07, 0x09, 0x0b]),
        (3, &[0x05, 0x01, 0x05, 0x01, 0x03, 0x05, 0x03, 0x07, 0x07, 0x09, 0x0b]),
        (0, &[0x05, 0x01, 0x03, 0x01, 0x03, 0x05, 0x03, 0x07, 0x07, 0x09, 0x0b]),
    ];

    #[test]
    fn every_version_reads_and_writes_its_form() {
        for (version, data) in FORMS {
            let section = read(data, version, 7).unwrap();
            let names: Vec<_> = section.op_names.iter().map(|o| (o.dialect, o.name)).collect();
            assert_eq!(names, [(0, 2), (1, 3), (1, 4), (1, 5)]);
            let flags: Vec<_> = section.op_names.iter().map(|o| o.is_registered).collect();
            let flag = (version == 6).then_some(true);
            assert_eq!(flags[0], flag);
            let mut sink = ByteSink::new();
            section.write(BytecodeVersion::new(version).unwrap(), data, &mut sink);
            assert_eq!(sink.as_bytes(), data);
        }
    }

    #[test]
    fn a_dialect_version_is_kept_as_bytes() {
        let data = [0x03, 0x07, 0x07, 0x05, 0x03, 0x05, 0x01];
        let section = read(&data, 6, 2).unwrap();
        assert_eq!(section.dialects[0].version, Some(4..6));
        let mut sink = ByteSink::new();
        section.write(BytecodeVersion::MAX, &data, &mut sink);
        assert_eq!(sink.as_bytes(), data);
        let wrong = [0x03, 0x07, 0x04, 0x05, 0x03, 0x05, 0x01];
        let error = read(&wrong, 6, 2).unwrap_err();
        assert_eq!((error.kind(), error.offset()), (ErrorKind::DialectVersionSection, Some(2)));
    }

    #[test]
    fn indices_are_checked_where_they_stand() {
        let (version, data) = FORMS[0];
        for (strings, offset) in [(0, 1), (1, 2), (5, 11)] {
            let error = read(data, version, strings).unwrap_err();
            assert_eq!((error.kind(), error.offset()), (ErrorKind::Index, Some(offset)));
        }
    }

    #[test]
    fn groups_may_be_empty_and_repeat() {
        let section = read(&[0x03, 0x01, 0x01, 0x01, 0x01, 0x01, 0x03, 0x01], 6, 1).unwrap();
        assert_eq!(section.op_names.len(), 1);
    }

    proptest! {
        #[test]
        fn round_trip(
            version in 0u64..=6,
            dialects in prop::collection::vec((0u32..100, prop::option::of(0usize..5)), 0..5),
            names in prop::collection::vec((0u32..5, 0u32..100, any::<bool>()), 0..20),
        ) {
            let version = BytecodeVersion::new(version).unwrap();
            let data = [7u8; 5];
            let section = DialectSection {
                dialects: dialects.iter().map(|&(name, len)| DialectEntry {
                    name,
                    version: len.filter(|_| version.has_dialect_versions()).map(|len| 0..len),
                }).collect(),
                op_names: names.iter().filter(|n| (n.0 as usize) < dialects.len()).map(|&(dialect, name, r)| {
                    OpNameEntry { dialect, name, is_registered: version.has_registered_flags().then_some(r) }
                }).collect(),
            };
            let mut sink = ByteSink::new();
            section.write(version, &data, &mut sink);
            let budget = Limits::default().budget(0);
            let back = DialectSection::read(sink.as_bytes(), 0, version, 100, &budget).unwrap();
            prop_assert_eq!(&back.op_names, &section.op_names);
            let lens = |s: &DialectSection| -> Vec<_> {
                s.dialects.iter().map(|d| (d.name, d.version.clone().map(|r| r.len()))).collect()
            };
            prop_assert_eq!(lens(&back), lens(&section));
            let mut again = ByteSink::new();
            back.write(version, sink.as_bytes(), &mut again);
            prop_assert_eq!(again, sink);
        }
    }
}
