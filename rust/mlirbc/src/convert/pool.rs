//! The pool: the attributes, types and strings of a written module, each once, in the encoding of the target.
//!
//! Entries of the file that the target reads unchanged are used from the file; the others are copied or translated
//! (`translator`).

mod ranges;
mod translator;

use std::collections::HashMap;

use crate::attr::Handle;
use crate::attr::build::from_text;
use crate::attr::table::{Builder, Home, Rewrite};
use crate::dialect::entries::{Entries, EntryRef};
use crate::dialect::node::{Field, Node};
use crate::dialect::table::BuiltinKind;
use crate::file::FileEntries;
use crate::format::id::{AttrId, TypeId};
use crate::ir::Module;
use crate::wire::change::ChangeKind;
use crate::wire::error::{Error, ErrorKind, Result};
use crate::wire::limits::Budget;

use crate::wire::order::sort_by;
use crate::write::Pulse;
use crate::write::canonical::index::{PoolAttr, PoolType};
use crate::write::canonical::pass::{self, CopyReason, EntrySource, Unfinished};
use crate::write::canonical::tables::Tables;

use super::file_locations::FileLocations;
use super::op::Target;
pub(crate) use ranges::FILE_LINE_COL_RANGE;
use ranges::RangeShortener;
use translator::EntryTranslator;
pub(crate) use translator::{DENSE_ELEMENTS, shortened};

/// A pair of a dictionary: its name and its value.
pub(crate) type Pair = (PoolAttr, PoolAttr);

/// An entry that is to be written is not in the file.
const NEW_ENTRY: Unfinished = Unfinished::NeedsCopies(CopyReason::NewEntry);

/// The tables of the written module, with the index of each entry of the file in them.
pub(crate) struct AttrPool<'m> {
    /// The tables of the file, as long as its entries can be used unchanged.
    file: Option<&'m FileEntries<'m>>,
    home: Home,
    builder: Builder,
    budget: Budget,
    pulse: Pulse,
    // The written entries, by index in the file.
    attributes: Vec<Option<PoolAttr>>,
    types: Vec<Option<PoolType>>,
    // `Some` if the locations of the file are used unchanged.
    locations: Option<FileLocations<'m>>,
    unknown_location: Option<PoolAttr>,
    built: HashMap<Box<[u8]>, PoolAttr>,
    translator: Option<EntryTranslator>,
    // `Some` if the release does not change, but the target has no location ranges.
    ranges: Option<RangeShortener>,
}

impl<'m> AttrPool<'m> {
    /// Creates a pool. Unless the entries of the file are used, they are copied, and translated for the
    /// target.
    pub(crate) fn new(
        module: &'m Module,
        (entries, source): (&'m FileEntries<'m>, EntrySource),
        target: &Target,
        budget: &Budget,
    ) -> pass::Result<Self> {
        let conversion = target.conversion.clone();
        let counts = module.tables().entry_counts()?;
        let file = (source == EntrySource::File).then_some(entries);
        let locations = match source {
            EntrySource::LocationsOfFile => {
                Some(FileLocations::new(module.tables(), entries, target, budget)?)
            }
            EntrySource::File | EntrySource::Copies => None,
        };
        let lens = match file {
            Some(_) => (0, 0),
            None => (counts.attributes as usize, counts.types as usize),
        };
        let mut this = Self {
            file,
            home: Home::File(module.tables().clone()),
            builder: match &locations {
                Some(_) => Builder::after(counts.attributes, budget),
                None => Builder::with_budget(budget),
            },
            locations,
            budget: budget.clone(),
            pulse: Pulse::default(),
            attributes: budget.filled(None, lens.0)?,
            types: budget.filled(None, lens.1)?,
            unknown_location: None,
            built: HashMap::new(),
            translator: conversion
                .map(|conversion| EntryTranslator::new(module, conversion, target.lists_changes, budget)),
            ranges: target.shortens_ranges.then(|| RangeShortener::new(budget)),
        };
        this.unknown_location = match module.tables().unknown_location()? {
            Some(location) => Some(this.location(location)?),
            // Created on first use.
            None if file.is_some() => None,
            None => Some(this.build("UnknownLoc", &[])?),
        };
        Ok(this)
    }

    pub(crate) fn entries(&self) -> Tables<'_> {
        let copies = self.builder.entries();
        match (self.file, &self.locations) {
            (Some(file), _) => Tables::File(file),
            (None, Some(FileLocations { file, places, .. })) => Tables::Mixed { file, copies, places },
            (None, None) => Tables::Copied(copies),
        }
    }

    /// Returns the new tables, to which entries made from entries of the file are added.
    pub(crate) fn builder(&mut self) -> &mut Builder {
        &mut self.builder
    }

    pub(crate) fn budget(&self) -> &Budget {
        &self.budget
    }

    /// Accounts for this amount of work, in steps of some microseconds.
    ///
    /// # Errors
    /// If a stop was requested.
    pub(crate) fn beat(&mut self, work: usize) -> Result<()> {
        match &self.home {
            Home::File(module) => self.pulse.beat(work, module),
            Home::Owned(_) => Ok(()),
        }
    }

    /// Returns the index of a string of the file.
    pub(crate) fn string(&mut self, index: u32, text: &[u8]) -> u32 {
        if self.file.is_some() { index } else { self.builder.string(text) }
    }

    /// Returns the index of a resource of the file.
    ///
    /// # Errors
    /// If the directory of resources cannot be read.
    pub(crate) fn resource(&mut self, index: u32, entries: &FileEntries<'_>) -> Result<u32> {
        if self.file.is_some() {
            return Ok(index);
        }
        let key = entries.resource_key(index);
        Ok(match self.home.resource(index)? {
            Some(origin) => self.builder.key_at(key, origin),
            None => self.builder.key(key),
        })
    }

    /// Returns the index of an attribute of the file.
    ///
    /// # Errors
    /// If the attribute cannot be decoded, so that its references are unknown.
    #[inline]
    pub(crate) fn attribute(&mut self, id: AttrId) -> Result<PoolAttr> {
        if self.file.is_some() {
            return Ok(PoolAttr::new(id.number()));
        }
        match self.attributes.get(id.index()) {
            Some(&Some(known)) => Ok(known),
            _ => self.import_attribute(id),
        }
    }

    /// Returns the index of a location of the file.
    ///
    /// # Errors
    /// The errors of [`Self::attribute`], and if the locations of the file cannot be used.
    #[inline]
    pub(crate) fn location(&mut self, id: AttrId) -> pass::Result<PoolAttr> {
        match &self.locations {
            None => Ok(self.attribute(id)?),
            Some(locations) => match locations.places.get(id.index()) {
                Some(&Some(known)) => Ok(known),
                _ => self.add_location(id),
            },
        }
    }

    #[cold]
    fn add_location(&mut self, root: AttrId) -> pass::Result<PoolAttr> {
        let Some(mut locations) = self.locations.take() else { return Ok(self.attribute(root)?) };
        let added = locations.add(root, |of| self.attribute(of));
        let fault = locations.fault;
        self.locations = Some(locations);
        match fault {
            Some(reason) => Err(Unfinished::NeedsCopies(reason)),
            None => added?.ok_or_else(|| not_in_file(EntryRef::Attribute(root)).into()),
        }
    }

    /// Checks that every location is either in the file or a copy, and that no two are equal.
    ///
    /// # Errors
    /// If the locations of the file cannot be used.
    pub(crate) fn check_locations(&self) -> pass::Result<()> {
        let Some(locations) = &self.locations else { return Ok(()) };
        if let Some(reason) = locations.fault {
            return Err(Unfinished::NeedsCopies(reason));
        }
        let entries = self.builder.entries();
        for of in entries.own_attributes() {
            let form = entries.short(of).map(|(entry, _)| entry.form(of)).transpose()?.flatten();
            let is_location = form.is_some_and(|form| form.builtin.is_location());
            // The unknown location is not in the file in this case.
            let is_unknown = self
                .unknown_location
                .is_some_and(|known| EntryRef::Attribute(AttrId::new(known.number())) == of);
            if is_location && !is_unknown {
                return Err(Unfinished::NeedsCopies(CopyReason::LocationInside));
            }
        }
        Ok(())
    }

    /// Checks that the target has locations of the dialect of an attribute.
    ///
    /// # Errors
    /// If it has not, or the tables of the file cannot be read.
    #[inline]
    pub(crate) fn check_location(&self, id: AttrId) -> Result<()> {
        match &self.translator {
            Some(translator) if !translator.conversion.has_dialect_locations() => {
                translator.check_location(id)
            }
            _ => Ok(()),
        }
    }

    /// Returns the index of a type of the file.
    ///
    /// # Errors
    /// The errors of [`Self::attribute`].
    #[inline]
    pub(crate) fn r#type(&mut self, id: TypeId) -> Result<PoolType> {
        if self.file.is_some() {
            return Ok(PoolType::new(id.number()));
        }
        match self.types.get(id.index()) {
            Some(&Some(known)) => Ok(known),
            _ => self.import_type(id),
        }
    }

    #[cold]
    fn import_attribute(&mut self, id: AttrId) -> Result<PoolAttr> {
        let entry_ref = EntryRef::Attribute(id);
        let copy = PoolAttr::new(self.import(entry_ref)?);
        *self.attributes.get_mut(id.index()).ok_or_else(|| not_in_file(entry_ref))? = Some(copy);
        Ok(copy)
    }

    #[cold]
    fn import_type(&mut self, id: TypeId) -> Result<PoolType> {
        let entry_ref = EntryRef::Type(id);
        let copy = PoolType::new(self.import(entry_ref)?);
        *self.types.get_mut(id.index()).ok_or_else(|| not_in_file(entry_ref))? = Some(copy);
        Ok(copy)
    }

    fn import(&mut self, of: EntryRef) -> Result<u32> {
        let rewrite = match &mut self.translator {
            Some(translator) => Some(translator as &mut dyn Rewrite),
            None => self.ranges.as_mut().map(|ranges| ranges as &mut dyn Rewrite),
        };
        self.builder.import_with(&self.home, of, rewrite).map(EntryRef::index)
    }

    /// Returns the attributes and types that have another text, with their numbers.
    pub(crate) fn changes(&self) -> impl Iterator<Item = (&ChangeKind, u64)> {
        let rows = self.translator.iter().flat_map(|translator| &translator.changes);
        rows.map(|(kind, count)| (kind, *count))
    }

    /// Returns the texts that the target cannot read, with the number of entries that contain them.
    pub(crate) fn lacking(&self) -> impl Iterator<Item = (&str, u64)> {
        let rows = self.translator.iter().flat_map(|translator| &translator.lacking);
        rows.map(|(text, count)| (&**text, *count))
    }

    /// Returns the attributes that would no longer share their distinct attribute with another one, with
    /// their numbers.
    pub(crate) fn split(&self) -> impl Iterator<Item = (&str, u64)> {
        let rows = self.translator.iter().flat_map(|translator| &translator.split);
        rows.map(|(text, count)| (&**text, *count))
    }

    /// Returns the number of location ranges that the target cannot represent.
    pub(crate) fn shortened_ranges(&self) -> u64 {
        let ranges = self.translator.as_ref().map(|translator| &translator.ranges);
        ranges.or(self.ranges.as_ref()).map_or(0, |ranges| ranges.count)
    }

    /// Returns the index of an attribute of the file that was added before.
    pub(crate) fn known_attribute(&self, id: AttrId) -> Option<PoolAttr> {
        if self.file.is_some() {
            return Some(PoolAttr::new(id.number()));
        }
        self.attributes.get(id.index()).copied().flatten()
    }

    /// Returns the index of a location of the file that was added before.
    pub(crate) fn known_location(&self, id: AttrId) -> Option<PoolAttr> {
        match &self.locations {
            None => self.known_attribute(id),
            Some(locations) => locations.places.get(id.index()).copied().flatten(),
        }
    }

    /// Returns the index of a type of the file that was added before.
    pub(crate) fn known_type(&self, id: TypeId) -> Option<PoolType> {
        if self.file.is_some() {
            return Some(PoolType::new(id.number()));
        }
        self.types.get(id.index()).copied().flatten()
    }

    /// Returns the unknown location, for block arguments whose location the file omits.
    ///
    /// # Errors
    /// If the file does not have it and its entries are used.
    pub(crate) fn unknown_location(&self) -> pass::Result<PoolAttr> {
        self.unknown_location.ok_or(NEW_ENTRY)
    }

    /// Returns the unknown location, if there is one.
    pub(crate) fn known_unknown_location(&self) -> Option<PoolAttr> {
        self.unknown_location
    }

    /// Makes a builtin attribute that may not be in the file, from the name of its class and its encoded
    /// fields.
    fn build(&mut self, kind: &str, fields: &[(&str, crate::attr::FieldValue)]) -> pass::Result<PoolAttr> {
        let value = crate::attr::Attribute::build("builtin", kind, fields)?;
        self.value(&value)
    }

    /// Adds a standalone value.
    ///
    /// # Errors
    /// If the entries of the file are used, or the value cannot be copied.
    pub(crate) fn value(&mut self, value: &crate::attr::Attribute) -> pass::Result<PoolAttr> {
        if self.file.is_some() {
            return Err(NEW_ENTRY);
        }
        if let Some(text) = self.text_for_target(value)? {
            return Ok(PoolAttr::new(self.builder.import(&text.home, text.of)?.index()));
        }
        Ok(PoolAttr::new(self.builder.import(&value.0.home, value.0.of)?.index()))
    }

    // Returns a value whose code the target does not decode as text.
    fn text_for_target(&self, value: &crate::attr::Attribute) -> Result<Option<Handle>> {
        let Some(translator) = &self.translator else { return Ok(None) };
        let entries = value.0.home.view()?;
        let mut node = Node::default();
        let Some(entry) = entries.entry(value.0.of) else { return Ok(None) };
        let Ok(Some((form, _))) = entry.decode(value.0.of, &entries, &mut node) else { return Ok(None) };
        if entry.dialect == b"builtin" || translator.conversion.reads(entry.dialect, false, form.code) {
            return Ok(None);
        }
        let dialect = String::from_utf8_lossy(entry.dialect);
        from_text(value.0.of, &dialect, value.to_string().as_bytes()).map(Some)
    }

    /// Adds a string attribute.
    pub(crate) fn string_attribute(&mut self, text: &[u8]) -> pass::Result<PoolAttr> {
        if let Some(&known) = self.built.get(text) {
            return Ok(known);
        }
        let value = crate::attr::FieldValue::String(text.to_vec().into());
        let index = self.build("StringAttr", &[("value", value)])?;
        self.built.insert(text.into(), index);
        Ok(index)
    }

    /// Returns the names and values of a dictionary of these tables.
    pub(crate) fn pairs(&self, dictionary: PoolAttr) -> Vec<Pair> {
        pairs_of(&self.entries(), dictionary).unwrap_or_default()
    }

    /// Adds a dictionary with these names and values, both attributes, sorted by name. With `is_map`, the
    /// last of several pairs with one name is kept.
    pub(crate) fn dictionary(
        &mut self,
        pairs: &mut Vec<Pair>,
        is_map: bool,
    ) -> pass::Result<Option<PoolAttr>> {
        if pairs.is_empty() {
            return Ok(None);
        }
        if self.file.is_some() {
            return Err(NEW_ENTRY);
        }
        {
            let entries = self.builder.entries();
            sort_by(pairs, |a, b| {
                name_of(entries, AttrId::new(a.0.number())).cmp(name_of(entries, AttrId::new(b.0.number())))
            });
            if is_map {
                pairs.dedup_by(|later, kept| {
                    let is_same = name_of(entries, AttrId::new(later.0.number()))
                        == name_of(entries, AttrId::new(kept.0.number()));
                    if is_same {
                        *kept = *later;
                    }
                    is_same
                });
            }
        }
        let pairs = pairs.iter().map(|&(name, value)| (name.number(), value.number()));
        Ok(Some(PoolAttr::new(self.builder.dictionary(pairs)?)))
    }
}

#[cold]
fn not_in_file(of: EntryRef) -> Error {
    Error::message(ErrorKind::Index, format!("{of} is not in the file"))
}

/// Returns the text of a string attribute; empty for anything else.
pub(crate) fn name_of(entries: &impl Entries, index: AttrId) -> &[u8] {
    crate::attr::text::entry::string_of(entries, index).unwrap_or_default()
}

/// Returns the number of names of a dictionary; `None` for any other attribute.
pub(crate) fn dictionary_len(entries: &impl Entries, index: AttrId) -> Option<usize> {
    let entry_ref = EntryRef::Attribute(index);
    let mut node = Node::default();
    let (form, _) = entries.entry(entry_ref)?.decode(entry_ref, entries, &mut node).ok()??;
    (form.builtin == BuiltinKind::DictionaryAttr).then(|| node.items(0).len() / 2)
}

/// Returns the names and values of a dictionary; `None` for any other attribute.
fn pairs_of(entries: &impl Entries, dictionary: PoolAttr) -> Option<Vec<Pair>> {
    let entry_ref = EntryRef::Attribute(AttrId::new(dictionary.number()));
    let mut node = Node::default();
    let (form, _) = entries.entry(entry_ref)?.decode(entry_ref, entries, &mut node).ok()??;
    if form.builtin != BuiltinKind::DictionaryAttr {
        return None;
    }
    let items = node.items(0).chunks_exact(2).map(|pair| match pair {
        [Field::Attribute(name, _), Field::Attribute(value, _)] => {
            Some((PoolAttr::new(name.number()), PoolAttr::new(value.number())))
        }
        _ => None,
    });
    items.collect()
}
