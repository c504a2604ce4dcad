//! A read-only view of the tables of an edited module for dialect tables.

use super::Tables;
use crate::dialect::entries::{Bounds, Entries, EntryRef, RawEntry};
use crate::dialect::table::DialectTable;
use crate::file::FileEntries;
use crate::format::attr_type::EntryEncoding;
use std::sync::Arc;

/// The tables in the form that codecs read.
#[derive(Debug)]
pub(crate) struct View<'t> {
    pub(super) file: FileEntries<'t>,
    pub(super) tables: &'t Tables,
}

impl<'t> View<'t> {
    pub(crate) fn raw(&self, of: EntryRef) -> Option<RawEntry<'t>> {
        let first = self.tables.first_new();
        let (rows, base, index) = match of {
            EntryRef::Attribute(index) => (&self.tables.attributes, first.attributes, index.number()),
            EntryRef::Type(index) => (&self.tables.types, first.types, index.number()),
        };
        let entry = match self.tables.replaced.get(&of) {
            Some(entry) => entry,
            None => match index.checked_sub(base) {
                None => {
                    let moved_tables =
                        self.tables.moved_tables.as_deref().filter(|moved_tables| moved_tables.has(of));
                    return match moved_tables {
                        Some(moved_tables) => moved_tables.raw(of, &self.tables.dialects),
                        None => self.file.raw(of),
                    };
                }
                Some(row) => match rows.get(row as usize) {
                    Some(entry) => entry,
                    None if matches!(of, EntryRef::Attribute(_)) => {
                        return self.packed(row as usize - rows.len());
                    }
                    None => return None,
                },
            },
        };
        let (dialect, table) = self.tables.dialects.get(entry.dialect)?;
        let table = entry.own_table.as_ref().or(table);
        Some(RawEntry {
            dialect,
            table: table.map(Arc::as_ref),
            is_text: entry.encoding == EntryEncoding::Assembly,
            data: &entry.data,
            offset: 0,
        })
    }

    fn packed(&self, row: usize) -> Option<RawEntry<'t>> {
        let packed = &self.tables.packed;
        let (dialect, table) = self.tables.dialects.get(packed.dialect)?;
        let data = packed.get(row)?;
        Some(RawEntry { dialect, table: table.map(Arc::as_ref), is_text: false, data, offset: 0 })
    }
}

impl Entries for View<'_> {
    fn bounds(&self) -> Bounds {
        let (counts, tables) = (&self.tables.counts, self.tables);
        let first = tables.first_new();
        Bounds {
            attributes: first.attributes + (tables.attributes.len() + tables.packed.len()) as u32,
            types: first.types + tables.types.len() as u32,
            strings: counts.strings + tables.strings.len() as u32,
            resources: counts.keys + tables.keys.len() as u32,
        }
    }

    fn entry(&self, of: EntryRef) -> Option<RawEntry<'_>> {
        self.raw(of)
    }

    fn string(&self, index: u32) -> &[u8] {
        self.tables.string_bytes(index)
    }

    fn resource_key(&self, index: u32) -> &[u8] {
        match index.checked_sub(self.tables.counts.keys) {
            None => self.file.resource_key(index),
            Some(row) => self.tables.keys.get(row as usize).map_or(&[], |new| &new.key),
        }
    }

    fn table(&self, dialect: &[u8]) -> Option<&DialectTable> {
        self.tables.dialects.table(dialect).map(Arc::as_ref)
    }

    fn builtin(&self) -> &DialectTable {
        &self.tables.builtin
    }
}
