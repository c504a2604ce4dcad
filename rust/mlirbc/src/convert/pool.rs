//! The attributes, types and strings of a written module, each once, in the encoding of the target.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use crate::attr::Handle;
use crate::attr::build::from_text;
use crate::attr::table::{Rewrite, Rewritten, has_distinct};
use crate::attr::text::dense;
use crate::attr::text::dense::Dense;
use crate::attr::text::entry::{Elide, EntryPrinter, EntryStyle};
use crate::attr::text::out::Out;
use crate::dialect::entries::RawEntry;
use crate::dialect::node::{Field, Node};
use crate::dialect::table::Encoding;

use crate::attr::table::{Builder, Home};
use crate::dialect::entries::{Entries, EntryRef};
use crate::dialect::table::BuiltinKind;
use crate::file::FileEntries;
use crate::format::id::{AttrId, TypeId};
use crate::ir::Module;
use crate::wire::error::{Error, ErrorClass, ErrorKind, Result};
use crate::wire::limits::Budget;

use crate::wire::order::sort_by;
use crate::write::Pulse;
use crate::write::canonical::index::{PoolAttr, PoolType};
use crate::write::canonical::pass::{self, CopyReason, EntrySource, Unfinished};
use crate::write::canonical::tables::Tables;

use super::file_locations::FileLocations;
use super::release::ReleaseConversion;

/// A pair of a dictionary: its name and its value.
pub(crate) type Pair = (PoolAttr, PoolAttr);

/// The file does not have what is written.
const NEW_ENTRY: Unfinished = Unfinished::NeedsCopies(CopyReason::NewEntry);

/// The new tables, and the entries of the file in them.
pub(crate) struct AttrPool<'m> {
    /// The tables of the file, as long as its entries can be used unchanged.
    file: Option<&'m FileEntries<'m>>,
    home: Home,
    builder: Builder,
    budget: Budget,
    pulse: Pulse,
    // By index in the file.
    attributes: Vec<PoolAttr>,
    types: Vec<PoolType>,
    // If the locations of the file are used.
    locations: Option<FileLocations<'m>>,
    unknown_location: PoolAttr,
    made: HashMap<Box<[u8]>, PoolAttr>,
    translator: Option<EntryTranslator>,
}

impl<'m> AttrPool<'m> {
    /// Unless the entries of the file are used, they are copied, and translated by `conversion` if there is
    /// one.
    pub(crate) fn new(
        module: &'m Module,
        (entries, source): (&'m FileEntries<'m>, EntrySource),
        conversion: Option<Arc<ReleaseConversion>>,
        budget: &Budget,
    ) -> pass::Result<Self> {
        let counts = module.entry_counts()?;
        let file = (source == EntrySource::File).then_some(entries);
        let locations = match source {
            EntrySource::LocationsOfFile => Some(FileLocations::new(module, entries, budget)?),
            EntrySource::File | EntrySource::Copies => None,
        };
        if file.is_none() {
            budget.spend((counts.attributes as usize + counts.types as usize) * size_of::<u32>())?;
        }
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
            attributes: vec![PoolAttr::NONE; if file.is_some() { 0 } else { counts.attributes as usize }],
            types: vec![PoolType::NONE; if file.is_some() { 0 } else { counts.types as usize }],
            unknown_location: PoolAttr::NONE,
            made: HashMap::new(),
            translator: conversion.map(|conversion| EntryTranslator {
                module: module.clone(),
                conversion,
                lacking: BTreeMap::new(),
                ranges: 0,
                counted: HashSet::new(),
                distinct: HashMap::new(),
                without_distinct: HashSet::new(),
                other_elements: HashMap::new(),
                budget: budget.clone(),
            }),
        };
        this.unknown_location = match module.unknown_location()? {
            Some(location) => this.location(location)?,
            // Created on first use.
            None if file.is_some() => PoolAttr::NONE,
            None => this.made("UnknownLoc", &[])?,
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

    /// The new tables, to add entries that are made from those of the file.
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

    /// The index of a string of the file.
    pub(crate) fn string(&mut self, index: u32, text: &[u8]) -> u32 {
        if self.file.is_some() { index } else { self.builder.string(text) }
    }

    /// The index of a resource of the file.
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

    /// The index of an attribute of the file.
    ///
    /// # Errors
    /// If it cannot be decoded, so that its references are unknown.
    #[inline]
    pub(crate) fn attribute(&mut self, id: AttrId) -> Result<PoolAttr> {
        if self.file.is_some() {
            return Ok(PoolAttr(id.0));
        }
        match self.attributes.get(id.index()) {
            Some(&known) if known != PoolAttr::NONE => Ok(known),
            _ => self.import_attribute(id),
        }
    }

    /// The index of a location of the file.
    ///
    /// # Errors
    /// As [`Self::attribute`].
    #[inline]
    pub(crate) fn location(&mut self, id: AttrId) -> Result<PoolAttr> {
        match &self.locations {
            None => self.attribute(id),
            Some(locations) => match locations.places.get(id.index()) {
                Some(&known) if known != PoolAttr::NONE => Ok(known),
                _ => self.add_location(id),
            },
        }
    }

    #[cold]
    fn add_location(&mut self, root: AttrId) -> Result<PoolAttr> {
        let Some(mut locations) = self.locations.take() else { return self.attribute(root) };
        let added = locations.add(root, |of| self.attribute(of));
        self.locations = Some(locations);
        added
    }

    /// Checks that every location is either one of the file or a copy, and that no two are equal.
    ///
    /// # Errors
    /// If the locations of the file cannot be used.
    pub(crate) fn check_locations(&self) -> pass::Result<()> {
        let Some(locations) = &self.locations else { return Ok(()) };
        if locations.has_equal_names {
            return Err(Unfinished::NeedsCopies(CopyReason::EqualEntries));
        }
        let entries = self.builder.entries();
        for of in entries.own_attributes() {
            let form = entries.short(of).map(|(entry, _)| entry.form(of)).transpose()?.flatten();
            let is_location = form.is_some_and(|form| form.builtin.is_location());
            // The unknown location is not in the file then.
            if is_location && EntryRef::Attribute(self.unknown_location.0) != of {
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

    /// The index of a type of the file.
    ///
    /// # Errors
    /// As [`Self::attribute`].
    #[inline]
    pub(crate) fn r#type(&mut self, id: TypeId) -> Result<PoolType> {
        if self.file.is_some() {
            return Ok(PoolType(id.0));
        }
        match self.types.get(id.index()) {
            Some(&known) if known != PoolType::NONE => Ok(known),
            _ => self.import_type(id),
        }
    }

    #[cold]
    fn import_attribute(&mut self, id: AttrId) -> Result<PoolAttr> {
        let of = EntryRef::Attribute(id.0);
        let copy = PoolAttr(self.import(of)?);
        *self.attributes.get_mut(id.index()).ok_or_else(|| not_in_file(of))? = copy;
        Ok(copy)
    }

    #[cold]
    fn import_type(&mut self, id: TypeId) -> Result<PoolType> {
        let of = EntryRef::Type(id.0);
        let copy = PoolType(self.import(of)?);
        *self.types.get_mut(id.index()).ok_or_else(|| not_in_file(of))? = copy;
        Ok(copy)
    }

    fn import(&mut self, of: EntryRef) -> Result<u32> {
        let rewrite = self.translator.as_mut().map(|translator| translator as &mut dyn Rewrite);
        self.builder.import_with(&self.home, of, rewrite).map(EntryRef::index)
    }

    /// The parts that the target cannot read, with the number of entries that contain them.
    pub(crate) fn lacking(&self) -> impl Iterator<Item = (&str, u64)> {
        let rows = self.translator.iter().flat_map(|translator| &translator.lacking);
        rows.map(|(text, count)| (&**text, *count))
    }

    /// The number of location ranges that the target cannot represent.
    pub(crate) fn shortened_ranges(&self) -> u64 {
        self.translator.as_ref().map_or(0, |translator| translator.ranges)
    }

    /// The index of an attribute of the file that was added before.
    pub(crate) fn known_attribute(&self, id: AttrId) -> Option<PoolAttr> {
        if self.file.is_some() {
            return Some(PoolAttr(id.0));
        }
        self.attributes.get(id.index()).copied().filter(|&known| known != PoolAttr::NONE)
    }

    /// The index of a location of the file that was added before.
    pub(crate) fn known_location(&self, id: AttrId) -> Option<PoolAttr> {
        match &self.locations {
            None => self.known_attribute(id),
            Some(locations) => {
                locations.places.get(id.index()).copied().filter(|&known| known != PoolAttr::NONE)
            }
        }
    }

    /// The index of a type of the file that was added before.
    pub(crate) fn known_type(&self, id: TypeId) -> Option<PoolType> {
        if self.file.is_some() {
            return Some(PoolType(id.0));
        }
        self.types.get(id.index()).copied().filter(|&known| known != PoolType::NONE)
    }

    /// The unknown location, for block arguments whose location the file omits.
    ///
    /// # Errors
    /// If the file does not have it and its entries are used.
    pub(crate) fn unknown_location(&self) -> pass::Result<PoolAttr> {
        match self.unknown_location {
            PoolAttr::NONE => Err(NEW_ENTRY),
            location => Ok(location),
        }
    }

    /// The unknown location; [`PoolAttr::NONE`] if there is none.
    pub(crate) fn known_unknown_location(&self) -> PoolAttr {
        self.unknown_location
    }

    /// A builtin attribute that may not be in the file, by the name of its class and its encoded fields.
    fn made(&mut self, kind: &str, fields: &[(&str, crate::attr::FieldValue)]) -> pass::Result<PoolAttr> {
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
            return Ok(PoolAttr(self.builder.import(&text.home, text.of)?.index()));
        }
        Ok(PoolAttr(self.builder.import(&value.0.home, value.0.of)?.index()))
    }

    // A value whose code the target does not decode, as text.
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

    /// A string attribute.
    pub(crate) fn string_attribute(&mut self, text: &[u8]) -> pass::Result<PoolAttr> {
        if let Some(&known) = self.made.get(text) {
            return Ok(known);
        }
        let value = crate::attr::FieldValue::String(text.to_vec().into());
        let index = self.made("StringAttr", &[("value", value)])?;
        self.made.insert(text.into(), index);
        Ok(index)
    }

    /// Names and values of a dictionary of these tables.
    pub(crate) fn pairs(&self, dictionary: PoolAttr) -> Vec<Pair> {
        pairs_of(&self.entries(), dictionary).unwrap_or_default()
    }

    /// A dictionary with these names and values, both attributes; sorted by name. With `is_map`, the last of
    /// several pairs with one name is kept.
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
            sort_by(pairs, |a, b| name_of(entries, a.0.0).cmp(name_of(entries, b.0.0)));
            if is_map {
                pairs.dedup_by(|later, kept| {
                    let is_same = name_of(entries, later.0.0) == name_of(entries, kept.0.0);
                    if is_same {
                        *kept = *later;
                    }
                    is_same
                });
            }
        }
        let pairs = pairs.iter().map(|&(name, value)| (name.0, value.0));
        Ok(Some(PoolAttr(self.builder.dictionary(pairs)?)))
    }
}

/// Translates each entry to the encoding that the target reads.
struct EntryTranslator {
    module: Module,
    conversion: Arc<ReleaseConversion>,
    lacking: BTreeMap<Box<str>, u64>,
    /// The number of ranges that were replaced by their start.
    ranges: u64,
    /// Entries that were counted: one is read again after its references have been copied.
    counted: HashSet<EntryRef>,
    /// The text that contains each distinct attribute.
    distinct: HashMap<EntryRef, EntryRef>,
    /// Entries without distinct attributes.
    without_distinct: HashSet<EntryRef>,
    other_elements: HashMap<u32, bool>,
    /// Limits all texts together: one entry may nest into a long text, and many entries may.
    budget: Budget,
}

/// The length of the text in a report of an unreadable entry.
const SHOWN: usize = 80;

impl EntryTranslator {
    fn check_location(&self, id: AttrId) -> Result<()> {
        let entries = self.module.entries()?;
        let Some(entry) =
            entries.entry(EntryRef::Attribute(id.0)).filter(|entry| entry.dialect != b"builtin")
        else {
            return Ok(());
        };
        let dialect = String::from_utf8_lossy(entry.dialect);
        let message = format!(
            "a location is an attribute of dialect `{dialect}`, and the target has locations of `builtin` only"
        );
        let error = Error::message(ErrorKind::Unsupported, message);
        Err(error.with_hint("remove the locations with `strip_locations` or `mlirbc strip --locations`"))
    }

    fn lacks(&mut self, text: &[u8]) {
        let mut text = String::from_utf8_lossy(text).into_owned();
        if let Some((end, _)) = text.char_indices().nth(SHOWN) {
            text.truncate(end);
            text.push('…');
        }
        *self.lacking.entry(text.into()).or_default() += 1;
    }

    /// The entry in the syntax of the target's parser; `None` if it cannot be printed.
    ///
    /// # Errors
    /// If the text is longer than the memory budget allows.
    fn printed(&mut self, of: EntryRef) -> Result<Option<Vec<u8>>> {
        let Ok(entries) = self.module.entries() else { return Ok(None) };
        let style = EntryStyle { release: self.conversion.style(), elide_elements: None };
        let (memory, text) = (self.budget.memory_left(), self.budget.text_left());
        let mut printer = EntryPrinter::new(&entries, style, memory.min(text)).without_cache();
        let mut out = Out::memory();
        match of {
            EntryRef::Attribute(index) => printer.attribute(&mut out, index, Elide::Never),
            EntryRef::Type(index) => printer.r#type(&mut out, index),
        }
        let text = std::mem::take(&mut out.buffer);
        let _held = self.budget.hold(text.len())?;
        self.budget.spend_text(text.len() as u64)?;
        // An entry that cannot be printed is kept, and the caller reports it.
        match printer.faults.into_iter().next() {
            Some(error) if error.class() == ErrorClass::Limit => Err(error),
            Some(_) => Ok(None),
            None => Ok(Some(self.conversion.respelled(&text, &self.budget)?.unwrap_or(text))),
        }
    }

    fn as_text(&mut self, of: EntryRef) -> Result<Rewritten> {
        let Some(text) = self.printed(of)? else {
            self.lacks(b"an attribute or a type that cannot be printed");
            return Ok(Rewritten::Same);
        };
        if self.conversion.lacks(&text, &self.budget)? || self.shares_distinct(of) {
            self.lacks(&text);
        }
        Ok(Rewritten::Text(text))
    }

    /// Whether a distinct attribute in this entry is also in another text: distinct attributes in different
    /// texts differ.
    fn shares_distinct(&mut self, of: EntryRef) -> bool {
        let Ok(entries) = self.module.entries() else { return false };
        let mut node = Node::default();
        let (mut stack, mut seen) = (vec![of], HashSet::from([of]));
        let (mut is_shared, mut has_any) = (false, false);
        while let Some(next) = stack.pop() {
            let entry = entries.entry(next);
            // Distinct attributes of a text are its own, and would be different ones in this text.
            is_shared |= entry.and_then(|entry| entry.text()).is_some_and(has_distinct);
            let Some(Ok(Some((form, number)))) = entry.map(|entry| entry.decode(next, &entries, &mut node))
            else {
                continue;
            };
            if form.builtin == BuiltinKind::DistinctAttr {
                has_any = true;
                let owner = *self.distinct.entry(next).or_insert(of);
                is_shared |= owner != of;
            }
            let Some(layout) = form.layouts.get(number) else { continue };
            crate::dialect::primitive::references(layout, &node, |to, _, _| {
                if !self.without_distinct.contains(&to) && seen.insert(to) {
                    stack.push(to);
                }
            });
        }
        if !is_shared && !has_any {
            self.without_distinct.extend(seen);
        }
        is_shared
    }

    /// Whether dense elements of a type of the file have other bytes in the target.
    fn has_other_elements(&mut self, r#type: Option<u32>) -> Result<bool> {
        let Some(index) = r#type else { return Ok(false) };
        if let Some(&known) = self.other_elements.get(&index) {
            return Ok(known);
        }
        let entries = self.module.entries()?;
        let element = dense::element_type(&entries, index).and_then(|of| dense::element(&entries, of));
        let is_other = element.is_some_and(|element| self.conversion.has_other_elements(element));
        self.other_elements.insert(index, is_other);
        Ok(is_other)
    }

    /// Whether the elements of a dense attribute are printed as bytes.
    fn is_hexadecimal(&self, node: &Node, entry: &RawEntry<'_>) -> bool {
        let data = node.blob(node.field(1), entry.data);
        let (Ok(entries), Some(index)) = (self.module.entries(), node.r#type(0)) else { return false };
        Dense::new(&entries, index, data).is_some_and(|dense| dense.collapsed().is_hexadecimal())
    }

    /// A location range is replaced by its start if ranges are not known.
    fn beginning(&mut self, of: EntryRef, node: &Node) -> Rewritten {
        let numbers: Vec<u64> = node
            .items(1)
            .iter()
            .map(|field| if let Field::Unsigned(number) = field { *number } else { 0 })
            .collect();
        if numbers.len() > 2 && self.counted.insert(of) {
            self.ranges += 1;
        }
        let mut fields = Node::default();
        fields.begin_field();
        fields.push(node.field(0));
        for place in 0..2 {
            fields.begin_field();
            fields.push(Field::Unsigned(numbers.get(place).copied().unwrap_or(0)));
        }
        Rewritten::Form(FILE_LINE_COL_LOC, 0, fields)
    }

    /// A scalable vector in the layout of 16, which contains the number of trailing scalable dimensions.
    fn counted(&mut self, of: EntryRef, node: &Node) -> Result<Rewritten> {
        let scalable: Vec<bool> =
            node.items(0).iter().map(|field| matches!(field, Field::Bool(true))).collect();
        let count = scalable.iter().rev().take_while(|&&is_scalable| is_scalable).count();
        if scalable.iter().filter(|&&is_scalable| is_scalable).count() != count && self.counted.insert(of) {
            let text = self.printed(of)?.unwrap_or_default();
            self.lacks(&text);
        }
        let mut fields = Node::default();
        fields.begin_field();
        fields.push(Field::Unsigned(count as u64));
        fields.begin_field();
        let at = fields.begin_list();
        let shape = node.items(1);
        shape.iter().for_each(|&field| fields.push(field));
        fields.end_list(at, shape.len() as u32);
        fields.begin_field();
        fields.push(node.field(2));
        Ok(Rewritten::Form(SCALABLE_VECTOR, 1, fields))
    }
}

// Codes of the builtin dialect.
const FILE_LINE_COL_LOC: u64 = 11;
const FILE_LINE_COL_RANGE: u64 = 22;
const SCALABLE_VECTOR: u64 = 20;
pub(crate) const DENSE_ELEMENTS: u64 = 18;

impl Rewrite for EntryTranslator {
    fn text(&mut self, text: &[u8]) -> Result<Option<Vec<u8>>> {
        let new = self.conversion.respelled(text, &self.budget)?;
        if self.conversion.lacks(new.as_deref().unwrap_or(text), &self.budget)? {
            self.lacks(text);
        }
        Ok(new)
    }

    fn encoded(
        &mut self,
        of: EntryRef,
        entry: &RawEntry<'_>,
        form: (&Encoding, usize),
        node: &Node,
    ) -> Result<Rewritten> {
        let is_type = matches!(of, EntryRef::Type(_));
        let (form, layout) = form;
        let is_builtin = entry.dialect == b"builtin";
        if self.conversion.reads(entry.dialect, is_type, form.code) {
            if is_builtin && is_type && form.code == SCALABLE_VECTOR {
                return match layout {
                    _ if !self.conversion.has_one_scalable_form() => self.as_text(of),
                    0 if self.conversion.counts_scalable_dims() => self.counted(of, node),
                    1 | 2 if !self.conversion.counts_scalable_dims() => self.as_text(of),
                    _ => Ok(Rewritten::Same),
                };
            }
            if is_builtin
                && !is_type
                && form.code == DENSE_ELEMENTS
                && self.has_other_elements(node.r#type(0))?
            {
                let text = self.as_text(of)?;
                // Bytes with a hexadecimal text remain bytes.
                if let Rewritten::Text(text) = &text
                    && self.is_hexadecimal(node, entry)
                {
                    self.lacks(text);
                }
                return Ok(text);
            }
            return Ok(Rewritten::Same);
        }
        match form.code {
            FILE_LINE_COL_RANGE if is_builtin && !is_type => Ok(self.beginning(of, node)),
            code if self.conversion.has_no_text(entry.dialect, is_type, code) => {
                let text = self.printed(of)?.unwrap_or_default();
                self.lacks(&text);
                Ok(Rewritten::Text(text))
            }
            _ => self.as_text(of),
        }
    }
}

#[cold]
fn not_in_file(of: EntryRef) -> Error {
    Error::message(ErrorKind::Index, format!("{of} is not in the file"))
}

/// The text of a string attribute; empty for anything else.
pub(crate) fn name_of(entries: &impl Entries, index: u32) -> &[u8] {
    crate::attr::text::entry::string_of(entries, index).unwrap_or_default()
}

/// The number of names of a dictionary; `None` for any other attribute.
pub(crate) fn dictionary_len(entries: &impl Entries, index: u32) -> Option<usize> {
    let of = EntryRef::Attribute(index);
    let mut node = Node::default();
    let (form, _) = entries.entry(of)?.decode(of, entries, &mut node).ok()??;
    (form.builtin == BuiltinKind::DictionaryAttr).then(|| node.items(0).len() / 2)
}

/// The names and values of a dictionary; `None` for any other attribute.
fn pairs_of(entries: &impl Entries, dictionary: PoolAttr) -> Option<Vec<Pair>> {
    let of = EntryRef::Attribute(dictionary.0);
    let mut node = Node::default();
    let (form, _) = entries.entry(of)?.decode(of, entries, &mut node).ok()??;
    if form.builtin != BuiltinKind::DictionaryAttr {
        return None;
    }
    let items = node.items(0).chunks_exact(2).map(|pair| match pair {
        [Field::Attribute(name, _), Field::Attribute(value, _)] => Some((PoolAttr(*name), PoolAttr(*value))),
        _ => None,
    });
    items.collect()
}
