//! The tables of a file: strings, dialects, names, attributes, types, property blobs.

use crate::dialect::registry;
use crate::format::attr_type::{Entry, EntryCounts, EntryEncoding, EntryTable};
use crate::format::dialect::DialectSection;
use crate::format::properties::PropertyTable;
use crate::format::string::StringTable;
use crate::wire::cursor::Cursor;
use crate::wire::error::Result;
use crate::wire::section::SectionId;
use crate::wire::varint::VarInt;

use crate::file::table_rows::{AttributeEntry, Dialect, TypeEntry};
use crate::format::id::{AttrId, OpNameId, TypeId};
use crate::props::op_name::OperationName;

use super::{Dialects, EntrySection, FileTables, dialect_name, name_of};

impl FileTables {
    /// The strings of the file.
    ///
    /// # Errors
    /// If the section is malformed.
    pub fn strings(&self) -> Result<&StringTable> {
        self.once(&self.0.strings, || {
            let (data, base) = self.section(SectionId::String)?;
            StringTable::read(data, base, &self.0.budget)
        })
    }

    pub(crate) fn string(&self, index: u32) -> Result<&[u8]> {
        Ok(self.strings()?.get(index).unwrap_or_default())
    }

    pub(crate) fn string_count(&self) -> Result<u32> {
        Ok(u32::try_from(self.strings()?.len()).unwrap_or(u32::MAX))
    }

    pub(crate) fn dialect_table(&self) -> Result<&Dialects> {
        self.once(&self.0.dialects, || {
            let strings = self.string_count()?;
            let (data, base) = self.section(SectionId::Dialect)?;
            let version = self.0.bytecode.version();
            let section = DialectSection::read(&data, base, version, strings, &self.0.budget)?;
            Ok(Dialects { section, data })
        })
    }

    /// The dialect section of the file.
    ///
    /// # Errors
    /// If it, or the string section, is malformed.
    pub fn dialect_section(&self) -> Result<&DialectSection> {
        Ok(&self.dialect_table()?.section)
    }

    /// The dialects by index.
    ///
    /// # Errors
    /// If the section is malformed.
    pub fn dialects(&self) -> Result<impl ExactSizeIterator<Item = Dialect<'_>>> {
        let table = self.dialect_table()?;
        let strings = self.strings()?;
        Ok(table.section.dialects.iter().map(move |dialect| Dialect {
            name: strings.get(dialect.name).unwrap_or_default(),
            version: dialect.version.clone().map(|range| table.data.slice(range)),
        }))
    }

    pub(crate) fn dialect_name(&self, index: u32) -> Result<&[u8]> {
        let section = &self.dialect_table()?.section;
        Ok(dialect_name(section, self.strings()?, index).unwrap_or_default())
    }

    /// The operation names by index.
    ///
    /// # Errors
    /// If the dialect section is malformed.
    pub fn op_names(&self) -> Result<impl ExactSizeIterator<Item = OperationName<'_>>> {
        let section = &self.dialect_table()?.section;
        let strings = self.strings()?;
        let names = section.op_names.iter().enumerate();
        Ok(names.map(move |(id, entry)| name_of(section, strings, OpNameId::new(id as u32), entry)))
    }

    /// The operation name with this index; `None` past the end, or if a required table is malformed.
    pub fn op_name(&self, id: OpNameId) -> Option<OperationName<'_>> {
        let section = &self.dialect_table().ok()?.section;
        let entry = section.op_names.get(id.index())?;
        Some(name_of(section, self.strings().ok()?, id, entry))
    }

    pub(crate) fn entry_table(&self) -> Result<&EntrySection> {
        self.once(&self.0.entries, || {
            let dialects = self.dialect_table()?.section.dialects.len() as u32;
            let (payloads, base) = self.section(SectionId::AttrType)?;
            let (data, directory) = self.section(SectionId::AttrTypeOffset)?;
            let table = EntryTable::read(data, directory, payloads.len(), dialects, &self.0.budget)?;
            Ok(EntrySection { table, payloads, base })
        })
    }

    /// The number of attributes and types, without reading their directory.
    ///
    /// # Errors
    /// If the section is malformed.
    pub fn entry_counts(&self) -> Result<EntryCounts> {
        if let Some(Ok(entries)) = self.0.entries.get() {
            return Ok(entries.table.counts());
        }
        let section = self.0.bytecode.section(SectionId::AttrTypeOffset);
        let (offset, size) = section.map_or((0, 0), |section| (section.offset, section.size));
        // A resident section is shared. The first bytes of a ranged section suffice, but its size limits the
        // counts.
        let data = self.0.source.get(offset..offset + size)?;
        EntryCounts::read(&mut Cursor::new(&data, offset, Some(SectionId::AttrTypeOffset)))
    }

    /// The attribute with this index; `None` past the end.
    ///
    /// # Errors
    /// If the directory is malformed.
    pub fn attribute(&self, id: AttrId) -> Result<Option<AttributeEntry<'_>>> {
        let entries = self.entry_table()?;
        let Some(Entry { dialect, encoding, payload }) = entries.table.attribute(id) else {
            return Ok(None);
        };
        let offset = entries.base + payload.start as u64;
        let data = entries.payloads.slice(payload);
        Ok(Some(AttributeEntry { id, dialect: self.dialect_name(dialect)?, encoding, data, offset }))
    }

    /// The type with this index; `None` past the end.
    ///
    /// # Errors
    /// If the directory is malformed.
    pub fn r#type(&self, id: TypeId) -> Result<Option<TypeEntry<'_>>> {
        let entries = self.entry_table()?;
        let Some(Entry { dialect, encoding, payload }) = entries.table.r#type(id) else {
            return Ok(None);
        };
        let offset = entries.base + payload.start as u64;
        let data = entries.payloads.slice(payload);
        Ok(Some(TypeEntry { id, dialect: self.dialect_name(dialect)?, encoding, data, offset }))
    }

    /// The attribute that represents an unknown location, which block arguments omit from version 4 on;
    /// `None` if the file has no such attribute. The first call searches the whole table.
    ///
    /// # Errors
    /// If the directory is malformed.
    pub fn unknown_location(&self) -> Result<Option<AttrId>> {
        let location = self.once(&self.0.unknown_location, || {
            let Some(code) = registry::builtin().attributes.code("UnknownLoc") else { return Ok(None) };
            let mut payload = Vec::new();
            VarInt(code).write(&mut payload);
            for id in (0..self.entry_counts()?.attributes).map(AttrId::new) {
                if let Some(entry) = self.attribute(id)?
                    && entry.encoding == EntryEncoding::Custom
                    && entry.dialect == b"builtin"
                    && entry.data == payload
                {
                    return Ok(Some(id));
                }
            }
            Ok(None)
        });
        location.copied()
    }

    /// The property blobs of the file; empty below version 5.
    ///
    /// # Errors
    /// If the section is malformed.
    pub fn properties(&self) -> Result<&PropertyTable> {
        self.once(&self.0.properties, || {
            let (data, base) = self.section(SectionId::Properties)?;
            PropertyTable::read(data, base, &self.0.budget)
        })
    }
}
