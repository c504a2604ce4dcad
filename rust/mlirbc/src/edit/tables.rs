//! The additions of an edited module to the tables of its file, and its replaced entries.
//!
//! Indices of the file keep their meaning. New strings, dialects, names, attributes, types and property blobs
//! are appended; an entry can be replaced, for all its users at once.

mod copy_index;
mod import;
mod keys;
mod moved_tables;
mod packed_attributes;
pub(super) mod view;

use std::cmp::Ordering;
use std::collections::HashMap;
use std::hash::BuildHasher;
use std::sync::Arc;

use crate::attr::Handle;
use crate::attr::dialects::Dialects;
use crate::attr::import::ImportMemory;
use crate::attr::table::Home;
use crate::attr::text::entry::string_of;
use crate::dialect::entries::{Entries, EntryRef, RawEntry};
use crate::dialect::node::Node;
use crate::dialect::registry;
use crate::dialect::table::{DialectTable, Encoding, Layout};
use crate::edit::arena::{EditAttr, EditBlob, EditName};
use crate::edit::release_encodings::ReleaseEncodings;
use crate::file::Choice;
use crate::format::attr_type::EntryEncoding;
use crate::format::dialect::OpNameEntry;
use crate::format::id::{AttrId, OpNameId, TypeId};
use crate::ir::module::Module;
use crate::wire::bytes::{Bytes, SharedBytes};
use crate::wire::cursor::ByteSink;
use crate::wire::error::{Error, ErrorKind, Result};
use crate::wire::limits::Budget;
use crate::wire::order::sort_by;

use super::drafts::Dictionaries;
use super::imported_resources::ImportedResources;
use super::property_versions::WrittenBlob;
use super::written_versions::TargetVersions;
use copy_index::CopyIndex;
use keys::KeyIds;
pub(crate) use keys::NewKey;
pub(crate) use moved_tables::MovedTables;
use packed_attributes::PackedAttributes;
pub(crate) use view::View;

/// The bytes of an index row, and of a key in addition to its text.
const INDEX_BYTES: usize = 64;

/// The limit on the length of payloads that are searched in the file; longer ones rarely occur twice.
const LOOKED_FOR: usize = 512;

#[derive(Debug, Clone)]
pub(crate) struct NewEntry {
    pub(crate) dialect: u32,
    pub(crate) encoding: EntryEncoding,
    pub(crate) data: Bytes,
    /// The value that the entry was copied from.
    origin: Option<Handle>,
    /// The table that the dialect's code created for the entry.
    own_table: Option<Arc<DialectTable>>,
}

type FastHasher = foldhash::fast::RandomState;

#[derive(Debug)]
pub(crate) struct Tables {
    pub(crate) base: Module,
    /// The budget of an edit: tables and rows of bodies.
    pub(crate) budget: Budget,
    pub(crate) counts: Counts,
    pub(crate) strings: Vec<Bytes>,
    /// The dialects of the file, and new ones.
    pub(crate) dialects: Dialects,
    /// The string of each new dialect.
    pub(crate) dialect_names: Vec<u32>,
    pub(crate) op_names: Vec<OpNameEntry>,
    /// The layouts of the properties of new names, by their place in `op_names`.
    pub(super) layout_choices: Vec<Choice>,
    /// The entries of a parsed text, which come between the entries of the file and the new ones.
    pub(crate) moved_tables: Option<Box<MovedTables>>,
    pub(crate) attributes: Vec<NewEntry>,
    /// Attributes after all others.
    pub(crate) packed: PackedAttributes,
    pub(crate) types: Vec<NewEntry>,
    pub(crate) replaced: HashMap<EntryRef, NewEntry>,
    /// New versions of dialects, by index; `None` removes a version.
    pub(crate) versions: HashMap<u32, Option<Box<[u8]>>>,
    pub(crate) blobs: Vec<Bytes>,
    /// Properties that were written by name, by the name of the operation and the blob.
    pub(crate) written: HashMap<(EditName, EditBlob), WrittenBlob>,
    /// The blobs of these properties, by the name of the operation and the bytes. Equal bytes that were set
    /// without names are separate, because they are not re-encoded for another version.
    pub(super) written_ids: HashMap<(EditName, Bytes), EditBlob>,
    /// The versions that a conversion is going to set.
    pub(crate) target_versions: TargetVersions,
    /// Names of operations that the writer did not know, and the same names with the flag set.
    pub(crate) registered_names: HashMap<EditName, EditName>,
    /// Resources that attributes refer to and that the file lacks.
    pub(crate) keys: Vec<NewKey>,
    /// Resources of attributes that were copied from other modules.
    pub(crate) imported_resources: ImportedResources,
    pub(super) string_ids: Option<HashMap<Bytes, u32, FastHasher>>,
    pub(super) op_ids: Option<HashMap<Vec<u8>, EditName, FastHasher>>,
    /// The second of two equal names in the file, of which one is registered.
    pub(super) second_op_ids: HashMap<Vec<u8>, EditName>,
    pub(super) key_ids: Option<KeyIds>,
    pub(super) blob_ids: HashMap<Bytes, EditBlob, FastHasher>,
    pub(super) entry_ids: Option<HashMap<u64, EntryRef, FastHasher>>,
    hasher: FastHasher,
    /// Storage for short payloads and strings.
    short: SharedBytes,
    /// The memory in which entries are encoded.
    encoded: Vec<u8>,
    import_memory: ImportMemory,
    /// The origins of copied entries, by address, kept alive so that the addresses are not reused.
    pub(super) homes: HashMap<usize, Home>,
    pub(crate) copied: CopyIndex,
    builtin: Arc<DialectTable>,
    pub(super) unknown_location: Option<EditAttr>,
    pub(crate) dictionaries: Dictionaries,
    /// The encodings of the release of the file, computed on first use.
    release_encodings: Option<Option<ReleaseEncodings>>,
}

/// The result of the search for an equal entry: the entry, or else the hash of a searchable one.
enum SearchResult {
    Found(EntryRef),
    New(Option<u64>),
}

/// The lengths of the tables of the file.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Counts {
    pub(crate) strings: u32,
    pub(crate) op_names: u32,
    pub(crate) attributes: u32,
    pub(crate) types: u32,
    pub(crate) blobs: u32,
    pub(crate) keys: u32,
}

impl Tables {
    pub(crate) fn new(base: Module) -> Result<Self> {
        let entries = base.tables().entries()?;
        let bounds = entries.bounds();
        let counts = Counts {
            strings: bounds.strings,
            op_names: base.tables().dialect_section()?.op_names.len() as u32,
            attributes: bounds.attributes,
            types: bounds.types,
            blobs: u32::try_from(base.tables().properties()?.len()).unwrap_or(u32::MAX),
            keys: bounds.resources,
        };
        let budget = base.tables().work_budget();
        let mut dialects = Dialects::default();
        for dialect in base.dialects()? {
            budget.spend(3 * dialect.name.len() + INDEX_BYTES)?;
            dialects.push(dialect.name, base.tables().codec(dialect.name));
        }
        Ok(Self {
            budget,
            counts,
            dialects,
            strings: Vec::new(),
            dialect_names: Vec::new(),
            op_names: Vec::new(),
            layout_choices: Vec::new(),
            moved_tables: None,
            attributes: Vec::new(),
            packed: PackedAttributes::default(),
            types: Vec::new(),
            replaced: HashMap::new(),
            versions: HashMap::new(),
            blobs: Vec::new(),
            written: HashMap::new(),
            written_ids: HashMap::new(),
            target_versions: TargetVersions::new(),
            registered_names: HashMap::new(),
            keys: Vec::new(),
            imported_resources: ImportedResources::default(),
            string_ids: None,
            op_ids: None,
            second_op_ids: HashMap::new(),
            key_ids: None,
            blob_ids: HashMap::default(),
            entry_ids: None,
            hasher: FastHasher::default(),
            short: SharedBytes::default(),
            encoded: Vec::new(),
            import_memory: ImportMemory::default(),
            homes: HashMap::new(),
            copied: CopyIndex::default(),
            builtin: registry::builtin(),
            unknown_location: None,
            dictionaries: Dictionaries::default(),
            release_encodings: None,
            base,
        })
    }

    pub(crate) fn view(&self) -> Result<View<'_>> {
        Ok(View { file: self.base.tables().entries()?, tables: self })
    }

    // ---- strings, dialects, names ----

    pub(crate) fn string(&mut self, bytes: &[u8]) -> Result<u32> {
        if self.string_ids.is_none() {
            let strings = self.base.tables().strings()?;
            // The first of several equal strings is used.
            let bytes = strings.iter().map(|string| string.len() + INDEX_BYTES).sum();
            self.budget.spend(bytes)?;
            let mut ids = HashMap::with_capacity_and_hasher(strings.len(), FastHasher::default());
            for (index, string) in strings.iter().enumerate() {
                ids.entry(self.short.copy(string)).or_insert(index as u32);
            }
            self.string_ids = Some(ids);
        }
        let next = self.counts.strings + self.strings.len() as u32;
        let Some(ids) = &mut self.string_ids else { return Ok(next) };
        if let Some(&index) = ids.get(bytes) {
            return Ok(index);
        }
        self.budget.spend(2 * (bytes.len() + INDEX_BYTES))?;
        let bytes = self.short.copy(bytes);
        ids.insert(bytes.clone(), next);
        self.strings.push(bytes);
        Ok(next)
    }

    pub(crate) fn string_bytes(&self, index: u32) -> &[u8] {
        match index.checked_sub(self.counts.strings) {
            None => self.base.tables().string(index).unwrap_or_default(),
            Some(row) => self.strings.get(row as usize).map_or(&[], |string| string),
        }
    }

    pub(crate) fn dialect(&mut self, name: &[u8]) -> Result<u32> {
        if let Some(place) = self.dialects.find(name) {
            return Ok(place);
        }
        let string = self.string(name)?;
        self.budget.spend(3 * name.len() + INDEX_BYTES)?;
        self.dialect_names.push(string);
        Ok(self.dialects.push(name, self.base.tables().codec(name)))
    }

    pub(crate) fn has_dialect(&self, name: &[u8]) -> bool {
        self.dialects.find(name).is_some()
    }

    pub(crate) fn op_name(&mut self, name: &[u8]) -> Result<EditName> {
        self.named(name, None, true)
    }

    /// Returns the index of a name of the file or of another one, which may have any bytes. The name has flag
    /// `wanted`, or any flag if that is `None`.
    pub(crate) fn op_name_as(&mut self, name: &[u8], required_flag: Option<bool>) -> Result<EditName> {
        self.named(name, required_flag, false)
    }

    /// Returns the index of a name with this flag, after validating the name.
    pub(crate) fn new_op_name(&mut self, name: &[u8], is_registered: bool) -> Result<EditName> {
        self.named(name, Some(is_registered), true)
    }

    fn named(&mut self, name: &[u8], required_flag: Option<bool>, is_checked: bool) -> Result<EditName> {
        let flag = required_flag.filter(|_| self.base.tables().bytecode().version().has_registered_flags());
        if self.op_ids.is_none() {
            let names = self.base.tables().op_names()?;
            // Several names may share one long string, but each is a separate text here.
            let texts = names.map(|name| name.dialect.len() + name.stem.len() + size_of::<(Vec<u8>, u32)>());
            self.base.tables().work_budget().spend(texts.sum())?;
            let names = self.base.tables().op_names()?;
            let mut ids = HashMap::default();
            for name in names {
                self.budget.spend(name.dialect.len() + name.stem.len() + INDEX_BYTES)?;
                let id = EditName::new(name.id.number());
                let first = *ids.entry(name.full_bytes()).or_insert(id);
                if self.flag_of(first) != name.is_registered {
                    self.second_op_ids.entry(name.full_bytes()).or_insert(id);
                }
            }
            self.op_ids = Some(ids);
        }
        let first = self.op_ids.as_ref().and_then(|ids| ids.get(name)).copied();
        let second = self.second_op_ids.get(name).copied();
        let is_wanted = |index: EditName| flag.is_none() || flag == self.flag_of(index);
        if let Some(known) = first.into_iter().chain(second).find(|&index| is_wanted(index)) {
            return Ok(known);
        }
        let at = name.iter().position(|&byte| byte == b'.');
        let (dialect, stem) = at.map_or((name, &[][..]), |at| (&name[..at], &name[at + 1..]));
        let is_known =
            |at| std::str::from_utf8(at).is_ok_and(|text: &str| !text.contains(char::is_whitespace));
        let is_wrong =
            dialect.is_empty() || at.is_some() && stem.is_empty() || !is_known(name) || name.contains(&0);
        if is_checked && is_wrong {
            let actual = format!("`{}`", String::from_utf8_lossy(name));
            return Err(Error::new(ErrorKind::Value, "an operation name, `dialect.name`", actual));
        }
        let choice = self.base.release()?.choice_for(name);
        let is_registered = choice != Choice::Absent;
        let (dialect, stem) = (self.dialect(dialect)?, self.string(stem)?);
        let is_registered = flag.unwrap_or(is_registered);
        let is_registered =
            self.base.tables().bytecode().version().has_registered_flags().then_some(is_registered);
        self.budget.spend(name.len() + 2 * INDEX_BYTES)?;
        self.op_names.push(OpNameEntry { dialect, name: stem, is_registered });
        self.layout_choices.push(choice);
        let index = EditName::new(self.counts.op_names).plus(self.op_names.len() as u32 - 1);
        match &mut self.op_ids {
            Some(ids) if first.is_none() => ids.insert(name.to_vec(), index),
            _ => self.second_op_ids.insert(name.to_vec(), index),
        };
        Ok(index)
    }

    /// Returns whether the writer had the operation registered; `None` below the version that stores this.
    pub(crate) fn flag_of(&self, op_name: EditName) -> Option<bool> {
        match op_name.number().checked_sub(self.counts.op_names) {
            None => self.base.op_name(OpNameId::new(op_name.number())).and_then(|name| name.is_registered),
            Some(row) => self.op_names.get(row as usize).and_then(|entry| entry.is_registered),
        }
    }

    pub(crate) fn op_name_bytes(&self, index: EditName) -> Vec<u8> {
        let Some(row) = index.number().checked_sub(self.counts.op_names) else {
            return self
                .base
                .op_name(OpNameId::new(index.number()))
                .map(|name| name.full_bytes())
                .unwrap_or_default();
        };
        let Some(entry) = self.op_names.get(row as usize) else { return Vec::new() };
        let mut name = self.dialects.get(entry.dialect).map_or(Vec::new(), |row| row.0.to_vec());
        let stem = self.string_bytes(entry.name);
        if !stem.is_empty() {
            name.push(b'.');
            name.extend_from_slice(stem);
        }
        name
    }

    /// Returns the operation names of the file and the new ones.
    pub(crate) fn all_op_names(&self) -> impl Iterator<Item = EditName> + use<> {
        (0..self.counts.op_names + self.op_names.len() as u32).map(EditName::new)
    }

    pub(crate) fn is_registered(&self, op_name: EditName) -> bool {
        self.flag_of(op_name) != Some(false)
    }

    // ---- property blobs ----

    fn next_blob(&self) -> EditBlob {
        EditBlob::new(self.counts.blobs).plus(self.blobs.len() as u32)
    }

    pub(crate) fn blob(&mut self, bytes: Vec<u8>) -> Result<EditBlob> {
        if let Some(&index) = self.blob_ids.get(&bytes[..]) {
            return Ok(index);
        }
        self.budget.spend(bytes.len() + 2 * INDEX_BYTES)?;
        let next = self.next_blob();
        let bytes = self.short.copy(&bytes);
        self.blob_ids.insert(bytes.clone(), next);
        self.blobs.push(bytes);
        Ok(next)
    }

    /// Adds properties that were written by name for operations with this name.
    ///
    /// # Errors
    /// If the memory limit does not allow it.
    pub(crate) fn written_blob(
        &mut self,
        name: EditName,
        bytes: Vec<u8>,
        written: WrittenBlob,
    ) -> Result<EditBlob> {
        let bytes = self.short.copy(&bytes);
        let existing = self.written_ids.get(&(name, bytes.clone())).copied();
        let is_same = |blob: &EditBlob| {
            self.written.get(&(name, *blob)).is_some_and(|existing| existing.version == written.version)
        };
        let blob = match existing.filter(is_same) {
            Some(blob) => blob,
            None => {
                self.budget.spend(2 * (bytes.len() + INDEX_BYTES) + size_of::<WrittenBlob>())?;
                let blob = self.next_blob();
                self.written_ids.insert((name, bytes.clone()), blob);
                self.blobs.push(bytes);
                blob
            }
        };
        self.written.insert((name, blob), written);
        Ok(blob)
    }

    pub(crate) fn blob_bytes(&self, index: EditBlob) -> Result<Bytes> {
        Ok(match index.number().checked_sub(self.counts.blobs) {
            None => self.base.tables().properties()?.get(index.number()).unwrap_or_default(),
            Some(row) => self.blobs.get(row as usize).cloned().unwrap_or_default(),
        })
    }

    // ---- entries ----

    fn hash(&self, is_type: bool, (dialect, encoding, data): (u32, EntryEncoding, &[u8])) -> u64 {
        self.hasher.hash_one((is_type, dialect, encoding == EntryEncoding::Custom, data))
    }

    /// Adds an entry, or finds an equal one.
    fn add(&mut self, is_type: bool, entry: NewEntry, is_unique: bool) -> Result<EntryRef> {
        let key = (entry.dialect, entry.encoding, &entry.data[..]);
        match self.search(is_type, key, is_unique)? {
            SearchResult::Found(found) => Ok(found),
            SearchResult::New(hash) => self.push(is_type, entry, hash),
        }
    }

    /// Adds or finds an encoded entry; `sink` is the memory of [`Self::sink`].
    fn add_sink(
        &mut self,
        is_type: bool,
        dialect: u32,
        sink: ByteSink,
        (origin, own_table): (Option<Handle>, Option<Arc<DialectTable>>),
        is_unique: bool,
    ) -> Result<EntryRef> {
        let encoding = EntryEncoding::Custom;
        let hash = match self.search(is_type, (dialect, encoding, sink.as_bytes()), is_unique)? {
            SearchResult::Found(found) => {
                self.encoded = sink.into_bytes();
                return Ok(found);
            }
            SearchResult::New(hash) => hash,
        };
        let data = match sink.len() <= LOOKED_FOR {
            true => {
                let data = self.short.copy(sink.as_bytes());
                self.encoded = sink.into_bytes();
                data
            }
            false => sink.into_bytes().into(),
        };
        self.push(is_type, NewEntry { dialect, encoding, data, origin, own_table }, hash)
    }

    /// Returns an empty sink whose memory is reused.
    fn sink(&mut self) -> ByteSink {
        ByteSink::reusing(std::mem::take(&mut self.encoded))
    }

    /// Searches for an equal entry.
    fn search(
        &mut self,
        is_type: bool,
        key: (u32, EntryEncoding, &[u8]),
        is_unique: bool,
    ) -> Result<SearchResult> {
        if key.2.len() > LOOKED_FOR || is_unique {
            return Ok(SearchResult::New(None));
        }
        if self.entry_ids.is_none() {
            self.entry_ids = Some(self.index_entries()?);
        }
        if let Some(found) =
            self.moved_tables.as_ref().and_then(|moved_tables| moved_tables.find(is_type, key))
        {
            return Ok(SearchResult::Found(found));
        }
        let hash = self.hash(is_type, key);
        Ok(match self.entry_ids.as_ref().and_then(|ids| ids.get(&hash)) {
            Some(&found) if self.is_same(found, is_type, key)? => SearchResult::Found(found),
            _ => SearchResult::New(Some(hash)),
        })
    }

    fn push(&mut self, is_type: bool, entry: NewEntry, hash: Option<u64>) -> Result<EntryRef> {
        if !is_type && !self.packed.is_empty() {
            self.unpack();
        }
        let first = self.first_new();
        let (rows, base) = match is_type {
            true => (&mut self.types, first.types),
            false => (&mut self.attributes, first.attributes),
        };
        let index = u32::try_from(base as usize + rows.len()).ok().filter(|&index| index != u32::MAX);
        let Some(index) = index else {
            return Err(Error::message(
                ErrorKind::MemoryLimit,
                "a module cannot have 2^32 attributes or types",
            ));
        };
        // Payloads that are shared with the file or with another value are not counted again.
        self.budget.spend(entry.data.len() + size_of::<NewEntry>() + 2 * INDEX_BYTES)?;
        rows.push(entry);
        let entry_ref = if is_type {
            EntryRef::Type(TypeId::new(index))
        } else {
            EntryRef::Attribute(AttrId::new(index))
        };
        if let Some(hash) = hash
            && let Some(ids) = &mut self.entry_ids
        {
            ids.insert(hash, entry_ref);
        }
        Ok(entry_ref)
    }

    fn is_same(
        &self,
        candidate: EntryRef,
        is_type: bool,
        (dialect, encoding, data): (u32, EntryEncoding, &[u8]),
    ) -> Result<bool> {
        let view = self.view()?;
        let Some(known) = view.raw(candidate) else { return Ok(false) };
        let dialect = self.dialects.get(dialect).map_or(&[][..], |row| row.0);
        Ok(matches!(candidate, EntryRef::Type(_)) == is_type
            && known.dialect == dialect
            && known.is_text == (encoding == EntryEncoding::Assembly)
            && known.data == data)
    }

    fn index_entries(&self) -> Result<HashMap<u64, EntryRef, FastHasher>> {
        let section = self.base.tables().entry_table()?;
        self.budget.spend((self.counts.attributes + self.counts.types) as usize * INDEX_BYTES)?;
        let mut ids = HashMap::default();
        let attributes = AttrId::rows(0..self.counts.attributes).map(EntryRef::Attribute);
        for of in attributes.chain(TypeId::rows(0..self.counts.types).map(EntryRef::Type)) {
            let entry = match of {
                EntryRef::Attribute(index) => section.table.attribute(index),
                EntryRef::Type(index) => section.table.r#type(index),
            };
            let Some(entry) = entry else { continue };
            if entry.payload.len() > LOOKED_FOR || self.replaced.contains_key(&of) {
                continue;
            }
            let data = section.payloads.slice(entry.payload);
            let key = (entry.dialect, entry.encoding, &data[..]);
            ids.entry(self.hash(matches!(of, EntryRef::Type(_)), key)).or_insert(of);
        }
        Ok(ids)
    }

    /// Returns the code of an attribute of the builtin dialect.
    pub(crate) fn builtin_code(&self, name: &str) -> Result<u64> {
        self.builtin.attributes.code(name).ok_or_else(|| {
            let message = format!("the builtin dialect table has no {name}");
            Error::message(ErrorKind::EntryNoTable, message)
        })
    }

    fn builtin_entry(&mut self, name: &str, fields: impl FnOnce(&mut ByteSink)) -> Result<EditAttr> {
        let code = self.builtin_code(name)?;
        let mut sink = self.sink();
        sink.varint(code);
        fields(&mut sink);
        let dialect = self.dialect(b"builtin")?;
        Ok(EditAttr::new(self.add_sink(false, dialect, sink, (None, None), false)?.index()))
    }

    pub(crate) fn string_attribute(&mut self, bytes: &[u8]) -> Result<EditAttr> {
        let string = self.string(bytes)?;
        self.builtin_entry("StringAttr", |sink| sink.varint(string.into()))
    }

    /// Returns a dictionary with these names and values, which are sorted here; `None` if it would be empty.
    pub(crate) fn dictionary(&mut self, mut pairs: Vec<(u32, u32)>) -> Result<Option<EditAttr>> {
        {
            let view = self.view()?;
            let text = |pair: &(u32, u32)| string_of(&view, AttrId::new(pair.0)).unwrap_or_default();
            sort_by(&mut pairs, |a, b| if a.0 == b.0 { Ordering::Equal } else { text(a).cmp(text(b)) });
        }
        self.sorted_dictionary(&pairs)
    }

    /// Returns a dictionary with these sorted names and values; `None` if it would be empty.
    pub(crate) fn sorted_dictionary(&mut self, pairs: &[(u32, u32)]) -> Result<Option<EditAttr>> {
        if pairs.is_empty() {
            return Ok(None);
        }
        let index = self.builtin_entry("DictionaryAttr", |sink| {
            sink.varint(pairs.len() as u64);
            for &(name, value) in pairs {
                sink.varint(name.into());
                sink.varint(value.into());
            }
        })?;
        Ok(Some(index))
    }

    pub(crate) fn flat_symbol(&mut self, name: &[u8]) -> Result<EditAttr> {
        let root = self.string_attribute(name)?;
        self.builtin_entry("FlatSymbolRefAttr", |sink| sink.varint(root.number().into()))
    }

    /// Adds or finds an entry with these bytes; an entry with `is_unique` is never equal to another one.
    pub(crate) fn add_entry(
        &mut self,
        is_type: bool,
        dialect: &[u8],
        is_text: bool,
        data: Vec<u8>,
        is_unique: bool,
    ) -> Result<EntryRef> {
        let encoding = if is_text { EntryEncoding::Assembly } else { EntryEncoding::Custom };
        let dialect = self.dialect(dialect)?;
        self.add(
            is_type,
            NewEntry { dialect, encoding, data: data.into(), origin: None, own_table: None },
            is_unique,
        )
    }

    pub(crate) fn unknown_location(&mut self) -> Result<EditAttr> {
        if let Some(index) = self.unknown_location {
            return Ok(index);
        }
        let index = match self.base.tables().unknown_location()? {
            Some(id) => EditAttr::new(id.number()),
            None => self.builtin_entry("UnknownLoc", |_| {})?,
        };
        self.unknown_location = Some(index);
        Ok(index)
    }

    /// Returns the text of a string attribute; empty for any other attribute.
    pub(crate) fn text_of(&self, attribute: AttrId) -> Result<Vec<u8>> {
        let view = self.view()?;
        Ok(string_of(&view, attribute).unwrap_or_default().to_vec())
    }

    /// Replaces an entry for all its users.
    pub(crate) fn replace(&mut self, of: EntryRef, entry: NewEntry) {
        self.replaced.insert(of, entry);
        self.entry_ids = None;
        self.dictionaries.clear();
    }

    /// Forgets the copies of entries of other tables, and releases these tables.
    pub(crate) fn forget_copies(&mut self) {
        self.copied.clear();
        self.homes.clear();
    }

    /// Removes the newest attribute or type.
    pub(crate) fn take_last(&mut self, of: EntryRef) {
        match of {
            EntryRef::Attribute(_) => self.attributes.pop(),
            EntryRef::Type(_) => self.types.pop(),
        };
        self.entry_ids = None;
        self.copied.clear();
        self.dictionaries.clear();
    }

    /// Replaces an entry of the file or a new one.
    pub(crate) fn put(&mut self, of: EntryRef, entry: NewEntry) {
        let first = self.first_new();
        let (rows, base, index) = match of {
            EntryRef::Attribute(index) => (&mut self.attributes, first.attributes, index.number()),
            EntryRef::Type(index) => (&mut self.types, first.types, index.number()),
        };
        match index.checked_sub(base).and_then(|row| rows.get_mut(row as usize)) {
            Some(row) => {
                *row = entry;
                self.entry_ids = None;
                self.copied.clear();
                self.dictionaries.clear();
            }
            None => self.replace(of, entry),
        }
    }

    /// Creates an attribute stored as text of a dialect, for [`Self::replace`].
    pub(crate) fn text_entry(&mut self, dialect: &[u8], text: &[u8]) -> Result<NewEntry> {
        let mut data = text.to_vec();
        data.push(0);
        let dialect = self.dialect(dialect)?;
        Ok(NewEntry {
            dialect,
            encoding: EntryEncoding::Assembly,
            data: data.into(),
            origin: None,
            own_table: None,
        })
    }

    /// Creates an encoded entry of a dialect, for [`Self::replace`].
    pub(crate) fn encoded_entry(&mut self, dialect: &[u8], data: Vec<u8>) -> Result<NewEntry> {
        self.value_entry(dialect, data, None)
    }

    /// Creates an encoded entry, with the table that the dialect's code created for it.
    pub(crate) fn value_entry(
        &mut self,
        dialect: &[u8],
        data: Vec<u8>,
        own_table: Option<Arc<DialectTable>>,
    ) -> Result<NewEntry> {
        self.budget.spend(data.len() + INDEX_BYTES)?;
        let dialect = self.dialect(dialect)?;
        Ok(NewEntry { dialect, encoding: EntryEncoding::Custom, data: data.into(), origin: None, own_table })
    }
}

/// Returns the encoding of an entry, which must have a known layout.
pub(crate) fn known_form<'a>(
    entry: &RawEntry<'a>,
    of: EntryRef,
    entries: &impl Entries,
    node: &mut Node,
) -> Result<(&'a Encoding, &'a Layout)> {
    let decoded = entry.decode(of, entries, node)?;
    let layout = decoded.and_then(|(form, number)| Some((form, form.layouts.get(number)?)));
    let is_whole = |layout: &Layout| layout.fields.iter().all(|field| !field.primitive.is_opaque());
    layout.filter(|(_, layout)| is_whole(layout)).ok_or_else(|| {
        let dialect = String::from_utf8_lossy(entry.dialect);
        let message =
            format!("cannot copy an attribute or type of dialect {dialect}: its encoding is unknown");
        Error::message(ErrorKind::EntryNoTable, message)
    })
}

#[cold]
pub(crate) fn no_such_entry(of: EntryRef) -> Error {
    Error::message(ErrorKind::Index, format!("{of} is not in the table"))
}

#[cold]
pub(crate) fn cycle() -> Error {
    Error::message(ErrorKind::EntryCycle, "an attribute or type contains itself")
}
