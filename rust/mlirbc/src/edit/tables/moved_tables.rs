//! The tables of a parsed text as a part of the tables of an edited module: entries keep their index and are
//! not copied.

use std::collections::HashMap;
use std::sync::Arc;

use super::{FastHasher, Tables};
use crate::attr::dialects::Dialects;
use crate::attr::table::{EntryIndex, Home, OwnedEntries};
use crate::dialect::entries::{Bounds, Entries, EntryRef, RawEntry};
use crate::edit::release_encodings::{ReleaseEncodings, is_scalable_vector};
use crate::format::attr_type::EntryEncoding;
use crate::format::id::{AttrId, TypeId};
use crate::wire::bytes::Bytes;
use crate::wire::error::Result;

/// The entries of a text, which begin with the entries of the file.
#[derive(Debug)]
pub(crate) struct MovedTables {
    entries: Arc<OwnedEntries>,
    known: EntryIndex,
    /// The numbers of entries of the file.
    of_file: Bounds,
    /// The dialects of the edited module by the dialects of the entries, and the inverse.
    dialects: Vec<u32>,
    numbers: HashMap<u32, u32, FastHasher>,
}

/// An entry, with the blob at its end if it is stored separately.
pub(crate) struct MovedRow<'a> {
    pub(crate) of: EntryRef,
    pub(crate) dialect: u32,
    pub(crate) encoding: EntryEncoding,
    pub(crate) data: &'a [u8],
    pub(crate) blob: Option<&'a Bytes>,
}

impl MovedTables {
    /// Returns whether an entry is in the text and not in the file.
    #[inline]
    pub(crate) fn has(&self, of: EntryRef) -> bool {
        let bounds = self.entries.bounds();
        match of {
            EntryRef::Attribute(index) => {
                (self.of_file.attributes..bounds.attributes).contains(&index.number())
            }
            EntryRef::Type(index) => (self.of_file.types..bounds.types).contains(&index.number()),
        }
    }

    pub(super) fn home(&self) -> Home {
        Home::Owned(self.entries.clone())
    }

    /// Returns an entry in the layout of the edited module.
    pub(super) fn raw<'a>(&'a self, of: EntryRef, dialects: &'a Dialects) -> Option<RawEntry<'a>> {
        let (dialect, _) = self.entries.sort_of(of)?;
        let (dialect, table) = dialects.get(*self.dialects.get(dialect as usize)?)?;
        let entry = self.entries.entry(of)?;
        Some(RawEntry { dialect, table: table.map(Arc::as_ref), offset: 0, ..entry })
    }

    /// Returns the entry with these bytes.
    pub(super) fn find(
        &self,
        is_type: bool,
        (dialect, encoding, data): (u32, EntryEncoding, &[u8]),
    ) -> Option<EntryRef> {
        let dialect = *self.numbers.get(&dialect)?;
        self.known.find(&self.entries, is_type, (dialect, encoding == EntryEncoding::Assembly, data))
    }

    /// Returns the entries that are not in the file.
    pub(crate) fn rows(&self, is_type: bool) -> impl Iterator<Item = MovedRow<'_>> {
        let (first, bounds) = (self.of_file, self.entries.bounds());
        let rows = match is_type {
            true => first.types..bounds.types,
            false => first.attributes..bounds.attributes,
        };
        rows.filter_map(move |row| {
            let entry_ref = EntryRef::of_sort(is_type, row);
            let (dialect, is_text) = self.entries.sort_of(entry_ref)?;
            let (entry, blob) = self.entries.short(entry_ref)?;
            let encoding = if is_text { EntryEncoding::Assembly } else { EntryEncoding::Custom };
            let dialect = *self.dialects.get(dialect as usize)?;
            Some(MovedRow { of: entry_ref, dialect, encoding, data: entry.data, blob })
        })
    }

    /// Returns the number of entries that are not in the file.
    pub(crate) fn len(&self) -> usize {
        let bounds = self.entries.bounds();
        (bounds.attributes - self.of_file.attributes) as usize + (bounds.types - self.of_file.types) as usize
    }
}

impl Tables {
    /// Returns the index of the first row of `attributes` and of `types`.
    #[inline]
    pub(crate) fn first_new(&self) -> Bounds {
        match &self.moved_tables {
            Some(moved_tables) => moved_tables.entries.bounds(),
            None => {
                Bounds { attributes: self.counts.attributes, types: self.counts.types, ..Bounds::default() }
            }
        }
    }

    /// Moves the entries of a text into this module with their indices, without copying them; `false` if that
    /// is not possible. The tables of the text must begin with the strings and the entries of the file.
    ///
    /// # Errors
    /// If the tables of the file cannot be read, or the memory limit is reached.
    pub(crate) fn adopt(&mut self, entries: &Arc<OwnedEntries>, known: EntryIndex) -> Result<bool> {
        if !self.can_adopt(entries)? {
            return Ok(false);
        }
        let strings = entries.strings().get(self.counts.strings as usize..).unwrap_or_default();
        self.budget.spend(size_of_val(strings))?;
        let old_strings = std::mem::replace(&mut self.strings, strings.to_vec());
        let mut indices = known;
        self.string_ids = Some(std::mem::take(&mut indices.strings));
        // The indices of operation names and dialects have changed.
        let mut moved = Vec::with_capacity(old_strings.len());
        for string in &old_strings {
            moved.push(self.string(string)?);
        }
        let first = self.counts.strings;
        let moved_index = |index: u32| match index.checked_sub(first) {
            Some(row) => moved.get(row as usize).copied().unwrap_or(index),
            None => index,
        };
        self.dialect_names.iter_mut().for_each(|name| *name = moved_index(*name));
        self.op_names.iter_mut().for_each(|entry| entry.name = moved_index(entry.name));
        let mut dialects = Vec::new();
        let mut numbers = HashMap::default();
        while let Some((name, _)) = entries.dialects().get(dialects.len() as u32) {
            let dialect = self.dialect(name)?;
            numbers.entry(dialect).or_insert(dialects.len() as u32);
            dialects.push(dialect);
        }
        let counts = &self.counts;
        let of_file = Bounds { attributes: counts.attributes, types: counts.types, ..Bounds::default() };
        self.moved_tables = Some(Box::new(MovedTables {
            entries: entries.clone(),
            known: indices,
            of_file,
            dialects,
            numbers,
        }));
        Ok(true)
    }

    /// Returns whether the tables of a text begin with the tables of the file, and each entry has the form
    /// that a copy would have.
    fn can_adopt(&mut self, entries: &Arc<OwnedEntries>) -> Result<bool> {
        let has_new = !self.attributes.is_empty() || !self.types.is_empty() || !self.packed.is_empty();
        let has_more = !self.keys.is_empty() || !self.replaced.is_empty() || self.moved_tables.is_some();
        let bounds = entries.bounds();
        if has_new || has_more || bounds.resources > 0 || self.counts.keys > 0 {
            return Ok(false);
        }
        let file = self.base.tables().entries()?;
        let has_strings = (0..self.counts.strings).all(|index| file.string(index) == entries.string(index));
        let is_same = |of| match (file.raw(of), entries.entry(of)) {
            (Some(own), Some(entry)) => {
                (own.dialect, own.is_text, own.data) == (entry.dialect, entry.is_text, entry.data)
            }
            _ => false,
        };
        let attributes = AttrId::rows(0..self.counts.attributes).map(EntryRef::Attribute);
        let is_begun = has_strings
            && bounds.strings >= self.counts.strings
            && attributes.chain(TypeId::rows(0..self.counts.types).map(EntryRef::Type)).all(is_same);
        if !is_begun {
            return Ok(false);
        }
        let home = Home::Owned(entries.clone());
        let mut encodings = ReleaseEncodings::of(&self.base)?;
        let all = AttrId::rows(0..bounds.attributes).map(EntryRef::Attribute);
        let mut kept_forms = HashMap::<_, bool, FastHasher>::default();
        let mut last = None;
        for of in all.chain(TypeId::rows(0..bounds.types).map(EntryRef::Type)) {
            let Some((entry, _)) = entries.short(of) else { continue };
            if entry.is_text {
                continue;
            }
            let Some(form) = entry.form(of)? else { return Ok(false) };
            let sort = (entry.dialect.as_ptr() as usize, matches!(of, EntryRef::Type(_)), form.code);
            if last == Some(sort) {
                continue;
            }
            last = Some(sort);
            let is_kept = match kept_forms.get(&sort) {
                Some(&is_kept) => is_kept,
                None => {
                    let is_kept =
                        form.value.is_none() && self.keeps(&home, &mut encodings, &entry, sort.1, form)?;
                    kept_forms.insert(sort, is_kept);
                    is_kept
                }
            };
            if !is_kept {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Returns whether copies of entries of this form would be encoded in the same way.
    fn keeps(
        &mut self,
        home: &Home,
        encodings: &mut Option<ReleaseEncodings>,
        entry: &RawEntry<'_>,
        is_type: bool,
        form: &crate::dialect::table::Encoding,
    ) -> Result<bool> {
        let is_other = |encodings: &mut ReleaseEncodings| {
            !encodings.reads(entry.dialect, is_type, form.code)
                || is_scalable_vector(entry.dialect, is_type, form.code)
        };
        if encodings.as_mut().is_some_and(is_other) {
            return Ok(false);
        }
        let dialect = self.dialect(entry.dialect)?;
        let layouts = self.layouts_here(home, dialect, form)?;
        let forms = layouts.as_deref().map(|table| if is_type { &table.types } else { &table.attributes });
        let to = forms.and_then(|forms| forms.rows.iter().find(|to| to.name == form.name));
        Ok(to.is_none_or(|to| to.layouts == form.layouts))
    }
}
