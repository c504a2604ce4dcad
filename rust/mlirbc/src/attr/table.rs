//! The builder of standalone entries; [`owned_entries`] has the tables that the builder fills, [`home`] the tables of
//! an entry.

mod entry_index;
mod home;
mod owned_entries;

pub(crate) use entry_index::EntryIndex;
pub(crate) use home::{Home, Identity, View};
pub(crate) use owned_entries::{Origin, OwnedEntries};
use owned_entries::{OwnedEntry, RareData};

use std::collections::HashMap;
use std::hash::BuildHasher;
use std::sync::{Arc, OnceLock};

use crate::dialect::deviation::Deviation;
use crate::dialect::entries::{Entries, EntryRef, RawEntry, bits_of};
use crate::dialect::node::{Field, Node};
use crate::dialect::primitive;
use crate::dialect::registry::Registry;
use crate::dialect::table::{DialectTable, Encoding, Layout, Primitive};
use crate::format::id::{AttrId, TypeId};
use crate::release::Llvm;
use crate::wire::bytes::{Bytes, SharedBytes};
use crate::wire::cursor::ByteSink;
use crate::wire::error::{Error, ErrorKind, Result};
use crate::wire::limits::Budget;

use super::canonical::canonical;
use super::import::{Importer, Read, import};
use super::text::affine;

/// The size above which blobs are stored separately from their entry, so that they are shared rather than
/// copied.
const SHARED_BLOB: usize = 256;

/// An entry that may be added.
struct NewEntry<'n> {
    is_type: bool,
    dialect: u32,
    is_text: bool,
    short: &'n [u8],
    blob: Option<Bytes>,
    identity: Option<Identity>,
}

impl NewEntry<'_> {
    /// Only the length and the start of a large blob are hashed, which mostly suffices.
    fn hash(&self, hasher: &FastHasher) -> u64 {
        let blob = self.blob.as_ref().map(|blob| (blob.len(), blob.get(..64)));
        hasher.hash_one((self.is_type, self.dialect, self.is_text, self.short, blob, &self.identity))
    }

    fn is(&self, row: &OwnedEntry) -> bool {
        self.dialect == row.dialect
            && self.is_text == row.is_text
            && self.short == &row.short[..]
            && self.blob.as_ref() == row.blob()
            && self.identity.as_ref() == row.identity()
    }
}

type FastHasher = foldhash::fast::RandomState;

/// Replaces entries while they are copied.
pub(crate) trait Rewrite {
    /// Returns a replacement for an entry stored as text; `None` to keep the entry.
    ///
    /// # Errors
    /// If the replacement needs more memory than the budget has.
    fn text(&mut self, text: &[u8]) -> Result<Option<Vec<u8>>>;
    /// Returns the replacement for an entry of this encoding and layout with these fields.
    ///
    /// # Errors
    /// As [`Self::text`].
    fn encoded(
        &mut self,
        entry_ref: EntryRef,
        entry: &RawEntry<'_>,
        form: (&Encoding, usize),
        node: &Node,
    ) -> Result<Rewritten>;
}

/// The replacement for an encoded entry.
#[derive(Debug)]
pub(crate) enum Rewritten {
    Same,
    Text(Vec<u8>),
    /// A code of the same dialect, the number of its layout, and its fields, without blobs.
    Form(u64, usize, Node),
}

/// Fills tables with entries, each stored once.
#[derive(Debug)]
pub(crate) struct Builder {
    entries: OwnedEntries,
    registry: Registry,
    /// The release whose layouts new values use.
    release: Llvm,
    keys: HashMap<Bytes, u32, FastHasher>,
    /// Keys by the address of the file's tables, which are kept as long as the entries, and by index.
    keys_at: HashMap<(usize, usize), u32>,
    index: EntryIndex,
    short: SharedBytes,
    /// A reusable buffer in which entries are encoded.
    encoded: Vec<u8>,
    // The origins of copied entries by address. They are kept alive so that addresses are not reused.
    homes: HashMap<usize, Home>,
    copied: HashMap<(usize, EntryRef), EntryRef, FastHasher>,
    // Dialects by the address and length of their name, so that a long name is not hashed for each entry.
    dialects_at: HashMap<(usize, usize), u32>,
    strings_at: HashMap<(usize, usize), u32>,
    builtin: u32,
    budget: Option<Budget>,
}

/// The memory of an entry in addition to its bytes, in the table and in the index.
const ENTRY_BYTES: usize = size_of::<OwnedEntry>() + 2 * size_of::<(u64, EntryRef)>();

impl Builder {
    pub(crate) fn new() -> Self {
        let mut this = Self {
            entries: OwnedEntries::new(),
            registry: Registry::snapshot(&[], &[]),
            release: Llvm::NEWEST,
            keys: HashMap::default(),
            keys_at: HashMap::new(),
            index: EntryIndex::default(),
            short: SharedBytes::default(),
            encoded: Vec::new(),
            homes: HashMap::new(),
            copied: HashMap::default(),
            dialects_at: HashMap::new(),
            strings_at: HashMap::new(),
            builtin: 0,
            budget: None,
        };
        this.builtin = this.dialect(b"builtin");
        this
    }

    /// Decodes and encodes values of these dialects with these tables instead of registered ones. Dialects
    /// that are `unknown` have no other tables.
    pub(crate) fn use_tables(&mut self, tables: &[Arc<DialectTable>], unknown: &[String]) {
        self.registry = Registry::snapshot(tables, unknown);
    }

    /// Prefers the tables of a release of a pack.
    pub(crate) fn prefer_release(&mut self, release: &str) {
        self.registry = std::mem::take(&mut self.registry).of_release(Some(release));
    }

    /// Creates a builder whose entries are charged to a budget.
    pub(crate) fn with_budget(budget: &Budget) -> Self {
        Self { budget: Some(budget.clone()), ..Self::new() }
    }

    /// As [`Self::with_budget`]; the attributes come after this number of attributes of a file.
    pub(crate) fn after(attributes: u32, budget: &Budget) -> Self {
        let mut this = Self::with_budget(budget);
        this.entries.first_attribute = attributes;
        this
    }

    /// Sets the release whose layouts are used for values of dialects that are not in the tables yet.
    pub(crate) fn set_release(&mut self, release: Llvm) {
        self.release = release;
    }

    /// The tables so far.
    pub(crate) fn entries(&self) -> &OwnedEntries {
        &self.entries
    }

    /// The number of attributes so far.
    pub(crate) fn attribute_count(&self) -> usize {
        self.entries.attributes.len()
    }

    pub(crate) fn finish(self) -> Home {
        Home::Owned(Arc::new(self.entries))
    }

    /// Returns the tables, and the index that finds entries in them.
    pub(crate) fn finish_with_index(self) -> (Arc<OwnedEntries>, EntryIndex) {
        (Arc::new(self.entries), self.index)
    }

    pub(crate) fn string(&mut self, bytes: &[u8]) -> u32 {
        intern(&mut self.entries.strings, &mut self.index.strings, &mut self.short, bytes)
    }

    /// Adds the key of a resource without content, or of a resource in the module where the attribute is
    /// used.
    pub(crate) fn key(&mut self, bytes: &[u8]) -> u32 {
        let index = intern(&mut self.entries.keys, &mut self.keys, &mut self.short, bytes);
        while self.entries.origins.len() < self.entries.keys.len() {
            self.entries.origins.push(None);
        }
        index
    }

    /// Adds the key of a resource of a file, which is distinguished from other resources with the same key.
    pub(crate) fn key_at(&mut self, bytes: &[u8], origin: Origin) -> u32 {
        let place = (origin.file.address(), origin.row);
        if let Some(&index) = self.keys_at.get(&place) {
            return index;
        }
        let index = self.entries.keys.len() as u32;
        self.entries.keys.push(self.short.copy(bytes));
        self.entries.origins.push(Some(origin));
        self.keys_at.insert(place, index);
        index
    }

    fn key_of(&mut self, home: &Home, view: &View<'_>, index: u32) -> u32 {
        match home.resource(index) {
            Ok(Some(origin)) => self.key_at(view.resource_key(index), origin),
            _ => self.key(view.resource_key(index)),
        }
    }

    // Adds a string of tables that are kept alive, found by its address, so that a long string of many
    // entries is hashed once.
    fn string_of_home(&mut self, bytes: &[u8]) -> u32 {
        const LONG: usize = 64;
        if bytes.len() < LONG {
            return self.string(bytes);
        }
        let address = (bytes.as_ptr() as usize, bytes.len());
        if let Some(&index) = self.strings_at.get(&address) {
            return index;
        }
        let index = self.string(bytes);
        self.strings_at.insert(address, index);
        index
    }

    /// Adds the dialect with this name and its registered table.
    pub(crate) fn dialect(&mut self, name: &[u8]) -> u32 {
        let table = self.registry.find_at(name, self.release);
        self.dialect_with(name, table)
    }

    /// Adds the dialect with this name and this table.
    pub(crate) fn dialect_with(&mut self, name: &[u8], table: Option<Arc<DialectTable>>) -> u32 {
        let dialects = &mut self.entries.dialects;
        dialects.find_exact(name, table.as_ref()).unwrap_or_else(|| dialects.push(name, table))
    }

    // Adds a dialect of tables that are kept alive; `name` is borrowed from them.
    fn dialect_of(&mut self, home: &Home, name: &[u8]) -> u32 {
        let address = (name.as_ptr() as usize, name.len());
        if let Some(&index) = self.dialects_at.get(&address) {
            return index;
        }
        let table = home.codec(name);
        // The table of a development build may have more codes than the registered table; shared codes are
        // equal.
        let is_builtin = name == b"builtin" && table.as_ref().is_some_and(|table| table.is_shipped);
        let dialect = if is_builtin { self.builtin } else { self.dialect_with(name, table) };
        // All empty names may have the same address.
        if !name.is_empty() {
            self.dialects_at.insert(address, dialect);
        }
        dialect
    }

    // As [`Self::dialect_of`], for entries stored as text. Such entries have no encoding that could deviate,
    // so they are equal to new ones.
    fn text_dialect_of(&mut self, home: &Home, name: &[u8]) -> u32 {
        let dialect = self.dialect_of(home, name);
        let table = self.entries.dialects.get(dialect).and_then(|row| row.1);
        match table.is_some_and(|table| table.deviation == Deviation::Layouts) {
            true => self.dialect(name),
            false => dialect,
        }
    }

    pub(crate) fn table_of(&self, dialect: u32) -> Option<Arc<DialectTable>> {
        self.entries.dialects.get(dialect)?.1.cloned()
    }

    /// Returns the builtin dialect.
    pub(crate) fn builtin(&self) -> u32 {
        self.builtin
    }

    /// Adds an entry stored as text.
    pub(crate) fn text(&mut self, is_type: bool, dialect: u32, text: &[u8]) -> Result<EntryRef> {
        self.text_with(is_type, dialect, text, None)
    }

    fn text_with(
        &mut self,
        is_type: bool,
        dialect: u32,
        text: &[u8],
        identity: Option<Identity>,
    ) -> Result<EntryRef> {
        let short = [text, b"\0"].concat();
        self.add(NewEntry { is_type, dialect, is_text: true, short: &short, blob: None, identity })
    }

    /// Adds an encoded entry; blobs of `node` are ranges of `data`.
    pub(crate) fn encoded(
        &mut self,
        is_type: bool,
        dialect: u32,
        (form, layout): (&Encoding, &Layout),
        node: &Node,
        data: &Bytes,
        identity: Option<Identity>,
    ) -> Result<EntryRef> {
        let blob = last_blob(layout, node, data).filter(|blob| blob.len() >= SHARED_BLOB);
        self.encoded_with(is_type, dialect, (form, layout), node, data, blob, identity)
    }

    #[allow(clippy::too_many_arguments)] // one entry, seen from all sides
    fn encoded_with(
        &mut self,
        is_type: bool,
        dialect: u32,
        (form, layout): (&Encoding, &Layout),
        node: &Node,
        data: &[u8],
        blob: Option<Bytes>,
        identity: Option<Identity>,
    ) -> Result<EntryRef> {
        let width = |index| bits_of(&self.entries, index);
        // Without data, all blobs are empty.
        let data = if blob.is_some() { &[] } else { data };
        let mut sink = ByteSink::reusing(std::mem::take(&mut self.encoded));
        primitive::encode_into(form, layout, node, data, &width, &mut sink)?;
        let entry_ref =
            self.add(NewEntry { is_type, dialect, is_text: false, short: sink.as_bytes(), blob, identity });
        self.encoded = sink.into_bytes();
        entry_ref
    }

    fn add(&mut self, new: NewEntry<'_>) -> Result<EntryRef> {
        let hash = match self.index.look(&self.entries, &new) {
            Ok(entry_ref) => return Ok(entry_ref),
            Err(hash) => hash,
        };
        if let Some(budget) = &self.budget {
            // A large blob is shared with the file or the caller.
            budget.spend(ENTRY_BYTES + new.short.len())?;
        }
        let rows = if new.is_type { &mut self.entries.types } else { &mut self.entries.attributes };
        let first = if new.is_type { 0 } else { self.entries.first_attribute };
        let Some(index) = u32::try_from(rows.len()).ok().and_then(|row| first.checked_add(row)) else {
            return Err(Error::message(
                ErrorKind::MemoryLimit,
                "a module cannot have 2^32 attributes or types",
            ));
        };
        let is_rare = new.blob.is_some() || new.identity.is_some();
        let rare = RareData { blob: new.blob, whole: OnceLock::new(), identity: new.identity };
        rows.push(OwnedEntry {
            dialect: new.dialect,
            is_text: new.is_text,
            short: self.short.copy(new.short),
            rare: is_rare.then(|| Box::new(rare)),
        });
        let entry_ref = if new.is_type {
            EntryRef::Type(TypeId::new(index))
        } else {
            EntryRef::Attribute(AttrId::new(index))
        };
        self.index.insert(hash, entry_ref);
        Ok(entry_ref)
    }

    /// Adds a dictionary of these names and values, in this order; both are attributes of these tables.
    pub(crate) fn dictionary(&mut self, pairs: impl ExactSizeIterator<Item = (u32, u32)>) -> Result<u32> {
        let table = self.entries.builtin.clone();
        let form = table.attributes.of_kind("DictionaryAttr").next();
        let Some((form, layout)) = form.and_then(|form| Some((form, form.layouts.first()?))) else {
            return Err(Error::message(
                ErrorKind::EntryNoTable,
                "the builtin dialect table has no DictionaryAttr",
            ));
        };
        let mut node = Node::default();
        node.begin_field();
        let at = node.begin_list();
        let count = pairs.len() as u32;
        for (name, value) in pairs {
            node.push(Field::Attribute(AttrId::new(name), 0));
            node.push(Field::Attribute(AttrId::new(value), 0));
        }
        node.end_list(at, count);
        let builtin = self.builtin;
        let dictionary = self.encoded(false, builtin, (form, layout), &node, &Bytes::new(), None)?;
        Ok(AttrId::new(dictionary.index()).number())
    }

    /// Copies an entry and everything that it refers to.
    ///
    /// # Errors
    /// If an entry cannot be decoded, so that its references are unknown.
    pub(crate) fn import(&mut self, home: &Home, root: EntryRef) -> Result<EntryRef> {
        self.import_with(home, root, None)
    }

    /// As [`Self::import`]; `rewrite` may replace each entry.
    ///
    /// # Errors
    /// As [`Self::import`].
    pub(crate) fn import_with(
        &mut self,
        home: &Home,
        root: EntryRef,
        rewrite: Option<&mut dyn Rewrite>,
    ) -> Result<EntryRef> {
        let address = home.address();
        if let Some(&copy) = self.copied.get(&(address, root)) {
            return Ok(copy);
        }
        if let Home::File(file) = home {
            file.settle_deeply(root)?;
        }
        self.homes.entry(address).or_insert_with(|| home.clone());
        let view = home.view()?;
        import(CopyToBuilder { builder: self, address, home, view: &view, rewrite }, root)
    }
}

/// Copies entries of other tables to a builder.
struct CopyToBuilder<'c, 'v, 'r> {
    builder: &'c mut Builder,
    home: &'c Home,
    address: usize,
    view: &'c View<'v>,
    rewrite: Option<&'c mut (dyn Rewrite + 'r)>,
}

impl CopyToBuilder<'_, '_, '_> {
    fn add_text(&mut self, entry_ref: EntryRef, dialect: &[u8], text: &[u8]) -> Result<EntryRef> {
        let dialect = self.builder.text_dialect_of(self.home, dialect);
        // Distinct attributes in different texts are never equal.
        let identity = if has_distinct(text) { self.home.identity(entry_ref) } else { None };
        self.builder.text_with(matches!(entry_ref, EntryRef::Type(_)), dialect, text, identity)
    }
}

impl<'v> Importer<'v> for CopyToBuilder<'_, 'v, '_> {
    type Entry = (RawEntry<'v>, Option<&'v Bytes>);

    #[inline]
    fn copy_of(&self, entry_ref: EntryRef) -> Option<EntryRef> {
        self.builder.copied.get(&(self.address, entry_ref)).copied()
    }

    fn record(&mut self, entry_ref: EntryRef, copy: EntryRef) -> Result<()> {
        self.builder.copied.insert((self.address, entry_ref), copy);
        Ok(())
    }

    fn read(&mut self, entry_ref: EntryRef, node: &mut Node) -> Result<Read<'v, Self::Entry>> {
        let (entry, blob) = self.view.short(entry_ref).ok_or_else(|| no_such_entry(entry_ref))?;
        if let Some(text) = entry.text() {
            let new = self.rewrite.as_deref_mut().map(|rewrite| rewrite.text(text)).transpose()?.flatten();
            let text = new.as_deref().unwrap_or(text);
            let restated = match self.home {
                Home::File(file) => affine::restated(text, || file.release_llvm()),
                Home::Owned(_) => None,
            };
            return self
                .add_text(entry_ref, entry.dialect, restated.as_deref().unwrap_or(text))
                .map(Read::Added);
        }
        let Some((mut form, mut number)) = entry.decode(entry_ref, self.view, node)? else {
            return Err(no_table(&entry));
        };
        let rewrite = self.rewrite.as_deref_mut();
        let new = rewrite.map(|rewrite| rewrite.encoded(entry_ref, &entry, (form, number), node));
        match new.transpose()? {
            None | Some(Rewritten::Same) => {}
            Some(Rewritten::Text(text)) => {
                return self.add_text(entry_ref, entry.dialect, &text).map(Read::Added);
            }
            Some(Rewritten::Form(code, layout, fields)) => {
                let forms = entry.table.map(|table| match entry_ref {
                    EntryRef::Attribute(_) => &table.attributes,
                    EntryRef::Type(_) => &table.types,
                });
                form = forms.and_then(|forms| forms.by_code(code)).ok_or_else(|| no_table(&entry))?;
                (number, *node) = (layout, fields);
            }
        }
        let Some(layout) = form.layouts.get(number) else { return Err(no_table(&entry)) };
        if layout.fields.iter().any(|field| field.primitive.is_opaque()) {
            return Err(no_table(&entry));
        }
        Ok(Read::Fields((entry, blob), form, layout))
    }

    fn string(&mut self, index: u32) -> Result<u32> {
        Ok(self.builder.string_of_home(self.view.string(index)))
    }

    fn resource(&mut self, index: u32) -> Result<u32> {
        Ok(self.builder.key_of(self.home, self.view, index))
    }

    fn add(
        &mut self,
        entry_ref: EntryRef,
        (entry, blob): Self::Entry,
        (form, layout): (&'v Encoding, &'v Layout),
        node: &mut Node,
    ) -> Result<EntryRef> {
        let Self { builder, home, .. } = self;
        let is_type = matches!(entry_ref, EntryRef::Type(_));
        let dialect = match home.own_table(entry_ref) {
            None => builder.dialect_of(home, entry.dialect),
            own_table => builder.dialect_with(entry.dialect, own_table),
        };
        let identity = if is_distinct(form) { home.identity(entry_ref) } else { None };
        if let Some(blob) = blob {
            let blob = Some(blob.clone());
            return builder.encoded_with(is_type, dialect, (form, layout), node, &[], blob, identity);
        }
        let data = home.payload(entry_ref);
        let canonical_form =
            entry.table.and_then(|table| canonical(table, form, node, &data, &builder.entries));
        match canonical_form
            .as_ref()
            .and_then(|canonical_form| Some((canonical_form, canonical_form.0.layouts.first()?)))
        {
            Some(((form, node, data), layout)) => {
                builder.encoded(is_type, dialect, (form, layout), node, data, identity)
            }
            None => builder.encoded(is_type, dialect, (form, layout), node, &data, identity),
        }
    }

    fn cycle(&self, entry_ref: EntryRef) -> Error {
        contains_itself(self.view.raw(entry_ref).map_or(0, |entry| entry.offset))
    }

    fn budget(&self) -> Option<&Budget> {
        self.builder.budget.as_ref()
    }

    fn poll(&self) -> Result<()> {
        match self.home {
            Home::File(file) => file.check_interrupt(),
            Home::Owned(_) => Ok(()),
        }
    }
}

/// Returns whether a text contains a distinct attribute.
pub(crate) fn has_distinct(text: &[u8]) -> bool {
    const BEGINNING: &[u8] = b"distinct[";
    text.windows(BEGINNING.len()).any(|window| window == BEGINNING)
}

pub(crate) fn is_distinct(form: &Encoding) -> bool {
    form.builtin == crate::dialect::table::BuiltinKind::DistinctAttr
}

fn intern(
    table: &mut Vec<Bytes>,
    known: &mut HashMap<Bytes, u32, FastHasher>,
    shared: &mut SharedBytes,
    bytes: &[u8],
) -> u32 {
    if let Some(&index) = known.get(bytes) {
        return index;
    }
    let index = table.len() as u32;
    let bytes = shared.copy(bytes);
    table.push(bytes.clone());
    known.insert(bytes, index);
    index
}

/// Returns the blob in the last field, if the entry has no other blob.
fn last_blob(layout: &Layout, node: &Node, data: &Bytes) -> Option<Bytes> {
    let (last, others) = layout.fields.split_last()?;
    let in_bytes = |primitive: &Primitive| {
        !matches!(
            primitive,
            Primitive::Varint
                | Primitive::Signed
                | Primitive::Byte
                | Primitive::Bool
                | Primitive::String
                | Primitive::Attribute(_)
                | Primitive::Type
        )
    };
    if last.primitive != Primitive::Blob || others.iter().any(|field| in_bytes(&field.primitive)) {
        return None;
    }
    let range = node.blob_range(node.field(others.len()));
    (range.end <= data.len()).then(|| data.slice(range))
}

/// The error for an entry that refers to itself, directly or through other entries.
#[cold]
pub(crate) fn contains_itself(offset: u64) -> Error {
    Error::message(ErrorKind::EntryCycle, "an attribute or type contains itself").at(offset)
}

#[cold]
fn no_such_entry(entry_ref: EntryRef) -> Error {
    Error::message(ErrorKind::Index, format!("{entry_ref} is not in the table"))
}

#[cold]
fn no_table(entry: &RawEntry<'_>) -> Error {
    let dialect = String::from_utf8_lossy(entry.dialect);
    let message = format!("cannot copy an attribute or type of dialect {dialect}: its encoding is unknown");
    Error::message(ErrorKind::EntryNoTable, message).at(entry.offset)
}
