//! Tables of standalone entries, and the builder that fills them.

use std::collections::{HashMap, HashSet};
use std::hash::{Hash, Hasher};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use crate::dialect::entries::{Bounds, Entries, EntryRef, RawEntry, bits_of};
use crate::dialect::node::{Field, Node, TableIndex};
use crate::dialect::primitive;
use crate::dialect::registry;
use crate::dialect::registry::Registry;
use crate::dialect::table::{DialectTable, Encoding, Layout, Primitive};
use crate::file::{FileEntries, FileTables, WeakFileTables};
use crate::format::id::{AttrId, TypeId};
use crate::wire::bytes::Bytes;
use crate::wire::cursor::ByteSink;
use crate::wire::error::{Error, ErrorKind, Result};
use crate::wire::limits::Budget;
use crate::wire::steps;

use super::canonical::canonical;
use super::dialects::Dialects;
use crate::file::marks::Marks;

/// Larger blobs are stored separately from their entry, so that they are shared rather than copied.
const SHARED_BLOB: usize = 256;

/// The tables that standalone entries refer to, immutable once they are built.
#[derive(Debug)]
pub(crate) struct OwnedEntries {
    strings: Vec<Box<[u8]>>,
    keys: Vec<Box<[u8]>>,
    /// The origins of the resources of the keys, for those copied from a file.
    origins: Vec<Option<Origin>>,
    dialects: Dialects,
    attributes: Vec<OwnedEntry>,
    types: Vec<OwnedEntry>,
    builtin: Arc<DialectTable>,
    /// The total size of all entries, computed on request after the last one was added.
    size: OnceLock<u64>,
    /// Filled when an entry is first hashed or compared.
    marks: OnceLock<Marks>,
}

/// A resource of a file, by its index.
#[derive(Debug, Clone)]
pub(crate) struct Origin {
    pub(crate) file: FileTables,
    pub(crate) row: usize,
}

#[derive(Debug)]
struct OwnedEntry {
    dialect: u32,
    is_text: bool,
    /// The payload, with an empty blob at its end if there is `blob`.
    short: Bytes,
    blob: Option<Bytes>,
    /// The payload with its blob, after it was requested in one piece.
    whole: OnceLock<Bytes>,
    identity: Option<Identity>,
}

/// The identity of a distinct attribute, which its copies share.
#[derive(Debug, Clone)]
pub(crate) enum Identity {
    /// An entry of a file, which is not kept alive by it.
    File(WeakFileTables, u32),
    Made(u64),
}

impl PartialEq for Identity {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::File(file, index), Self::File(other, place)) => {
                file.address() == other.address() && index == place
            }
            (Self::Made(number), Self::Made(other)) => number == other,
            _ => false,
        }
    }
}

impl Eq for Identity {}

impl Hash for Identity {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match self {
            Self::File(file, index) => (file.address(), index).hash(state),
            Self::Made(number) => number.hash(state),
        }
    }
}

impl Identity {
    /// A new identity.
    pub(crate) fn fresh() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Self::Made(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

/// The tables of an entry.
#[derive(Debug, Clone)]
pub(crate) enum Home {
    File(FileTables),
    Owned(Arc<OwnedEntries>),
}

impl Home {
    /// The view of the tables for decoding.
    pub(crate) fn view(&self) -> Result<View<'_>> {
        Ok(match self {
            Self::File(file) => View::File(file.entries()?),
            Self::Owned(entries) => View::Owned(entries),
        })
    }

    /// The result of work on the tables, or an error if their file lost bytes in the meantime.
    pub(crate) fn unless_lost<T>(&self, result: Result<T>) -> Result<T> {
        match self {
            Self::File(file) => file.unless_lost(result),
            Self::Owned(_) => result,
        }
    }

    /// The cache of hashes and equivalence classes.
    pub(crate) fn marks(&self) -> &Marks {
        match self {
            Self::File(file) => file.marks(),
            Self::Owned(entries) => {
                // They take less than the entries themselves, so they need no budget.
                let counts = (entries.attributes.len(), entries.types.len());
                entries.marks.get_or_init(|| Marks::new(counts, None))
            }
        }
    }

    pub(crate) fn is(&self, other: &Self) -> bool {
        self.address() == other.address()
    }

    pub(crate) fn address(&self) -> usize {
        match self {
            Self::File(file) => file.address(),
            Self::Owned(entries) => Arc::as_ptr(entries) as usize,
        }
    }

    /// The identity of a distinct attribute.
    pub(crate) fn identity(&self, of: EntryRef) -> Option<Identity> {
        match (self, of) {
            (Self::File(file), EntryRef::Attribute(index)) => Some(Identity::File(file.downgrade(), index)),
            (Self::Owned(entries), of) => entries.row(of)?.identity.clone(),
            _ => None,
        }
    }

    /// The resource with this number in attributes; `None` if only its key is known.
    pub(crate) fn resource(&self, index: u32) -> Result<Option<Origin>> {
        match self {
            Self::File(file) => Ok(Some(Origin {
                file: file.clone(),
                row: file.resource_directory()?.externals + index as usize,
            })),
            Self::Owned(entries) => Ok(entries.origins.get(index as usize).cloned().flatten()),
        }
    }

    /// The payload in one piece.
    pub(crate) fn payload(&self, of: EntryRef) -> Bytes {
        let found = match self {
            Self::File(file) => match of {
                EntryRef::Attribute(index) => {
                    file.attribute(AttrId(index)).ok().flatten().map(|entry| entry.data)
                }
                EntryRef::Type(index) => file.r#type(TypeId(index)).ok().flatten().map(|entry| entry.data),
            },
            Self::Owned(entries) => entries.row(of).map(|row| row.whole().clone()),
        };
        found.unwrap_or_default()
    }

    /// The payload as in [`View::short`].
    pub(crate) fn short_payload(&self, of: EntryRef) -> Bytes {
        match self {
            Self::File(_) => self.payload(of),
            Self::Owned(entries) => entries.row(of).map(|row| row.short.clone()).unwrap_or_default(),
        }
    }

    /// The table of a dialect, regardless of its version.
    pub(crate) fn ungated_codec(&self, dialect: &[u8]) -> Option<Arc<DialectTable>> {
        match self {
            Self::File(file) => file.ungated_codec(dialect),
            Self::Owned(entries) => entries.dialects.table(dialect).cloned(),
        }
    }

    /// The table that code of a dialect made for this entry.
    pub(crate) fn own_table(&self, of: EntryRef) -> Option<Arc<DialectTable>> {
        match self {
            Self::File(file) => file.entries().ok()?.own_table(of),
            Self::Owned(entries) => {
                let table = entries.dialects.get(entries.row(of)?.dialect)?.1?;
                table.is_of_value().then(|| table.clone())
            }
        }
    }

    fn codec(&self, dialect: &[u8]) -> Option<Arc<DialectTable>> {
        match self {
            Self::File(file) => file.codec(dialect),
            Self::Owned(entries) => entries.dialects.table(dialect).cloned(),
        }
    }
}

/// The tables of a home, looked up once.
#[derive(Debug)]
pub(crate) enum View<'v> {
    File(FileEntries<'v>),
    Owned(&'v OwnedEntries),
}

impl<'v> View<'v> {
    /// [`Entries::entry`] with the lifetime of the tables.
    pub(crate) fn raw(&self, of: EntryRef) -> Option<RawEntry<'v>> {
        match self {
            Self::File(entries) => entries.raw(of),
            Self::Owned(entries) => {
                let row = entries.row(of)?;
                Some(entries.raw_of(of, row, row.whole()))
            }
        }
    }

    /// An entry, without the blob at its end if that is stored separately.
    pub(crate) fn short(&self, of: EntryRef) -> Option<(RawEntry<'v>, Option<&'v Bytes>)> {
        steps::count(1);
        match self {
            Self::File(entries) => Some((entries.raw(of)?, None)),
            Self::Owned(entries) => {
                let row = entries.row(of)?;
                Some((entries.raw_of(of, row, &row.short), row.blob.as_ref()))
            }
        }
    }

    pub(crate) fn builtin_table(&self) -> &'v DialectTable {
        match self {
            Self::File(entries) => entries.builtin_table(),
            Self::Owned(entries) => &entries.builtin,
        }
    }
}

impl Entries for View<'_> {
    fn bounds(&self) -> Bounds {
        match self {
            Self::File(entries) => entries.bounds(),
            Self::Owned(entries) => entries.bounds(),
        }
    }

    fn entry(&self, of: EntryRef) -> Option<RawEntry<'_>> {
        self.raw(of)
    }

    fn string(&self, index: u32) -> &[u8] {
        match self {
            Self::File(entries) => entries.string(index),
            Self::Owned(entries) => entries.string(index),
        }
    }

    fn resource_key(&self, index: u32) -> &[u8] {
        match self {
            Self::File(entries) => entries.resource_key(index),
            Self::Owned(entries) => entries.resource_key(index),
        }
    }

    fn table(&self, dialect: &[u8]) -> Option<&DialectTable> {
        match self {
            Self::File(entries) => entries.table(dialect),
            Self::Owned(entries) => entries.table(dialect),
        }
    }

    fn builtin(&self) -> &DialectTable {
        self.builtin_table()
    }
}

impl OwnedEntry {
    fn whole(&self) -> &Bytes {
        let Some(blob) = &self.blob else { return &self.short };
        self.whole.get_or_init(|| {
            let mut sink = ByteSink::new();
            // The size of the empty blob is one byte.
            sink.bytes(self.short.split_last().map_or(&[], |(_, head)| head));
            sink.varint(blob.len() as u64);
            sink.bytes(blob);
            sink.into_bytes().into()
        })
    }
}

impl OwnedEntries {
    fn new() -> Self {
        Self {
            strings: Vec::new(),
            keys: Vec::new(),
            origins: Vec::new(),
            dialects: Dialects::default(),
            attributes: Vec::new(),
            types: Vec::new(),
            builtin: registry::builtin(),
            size: OnceLock::new(),
            marks: OnceLock::new(),
        }
    }

    /// The total size of all entries in bytes.
    pub(crate) fn size(&self) -> u64 {
        let bytes = |row: &OwnedEntry| (row.short.len() + row.blob.as_ref().map_or(0, Bytes::len)) as u64;
        *self.size.get_or_init(|| self.attributes.iter().chain(&self.types).map(bytes).sum())
    }

    fn row(&self, of: EntryRef) -> Option<&OwnedEntry> {
        match of {
            EntryRef::Attribute(index) => self.attributes.get(index as usize),
            EntryRef::Type(index) => self.types.get(index as usize),
        }
    }

    /// An entry, without the blob at its end if that is stored separately.
    pub(crate) fn short(&self, of: EntryRef) -> Option<(RawEntry<'_>, Option<&Bytes>)> {
        let row = self.row(of)?;
        Some((self.raw_of(of, row, &row.short), row.blob.as_ref()))
    }

    fn raw_of<'e>(&'e self, of: EntryRef, row: &OwnedEntry, data: &'e [u8]) -> RawEntry<'e> {
        let dialect = self.dialects.get(row.dialect);
        // There is no file; the printer distinguishes distinct attributes by this number.
        let (EntryRef::Attribute(offset) | EntryRef::Type(offset)) = of;
        RawEntry {
            dialect: dialect.map_or(&[], |row| row.0),
            table: dialect.and_then(|row| row.1.map(Arc::as_ref)),
            is_text: row.is_text,
            data,
            offset: offset.into(),
        }
    }
}

impl Entries for OwnedEntries {
    fn bounds(&self) -> Bounds {
        Bounds {
            attributes: self.attributes.len() as u32,
            types: self.types.len() as u32,
            strings: self.strings.len() as u32,
            resources: self.keys.len() as u32,
        }
    }

    fn entry(&self, of: EntryRef) -> Option<RawEntry<'_>> {
        let row = self.row(of)?;
        Some(self.raw_of(of, row, row.whole()))
    }

    fn string(&self, index: u32) -> &[u8] {
        self.strings.get(index as usize).map_or(&[], |string| string)
    }

    fn resource_key(&self, index: u32) -> &[u8] {
        self.keys.get(index as usize).map_or(&[], |key| key)
    }

    fn table(&self, dialect: &[u8]) -> Option<&DialectTable> {
        self.dialects.table(dialect).map(Arc::as_ref)
    }

    fn builtin(&self) -> &DialectTable {
        &self.builtin
    }
}

/// The key by which equal entries are found.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct EntryKey {
    is_type: bool,
    dialect: u32,
    is_text: bool,
    short: Bytes,
    blob: Option<BlobKey>,
    identity: Option<Identity>,
}

/// Large blobs are distinguished by their length if that suffices.
#[derive(Debug, Clone, PartialEq, Eq)]
struct BlobKey(Bytes);

impl Hash for BlobKey {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.len().hash(state);
        self.0.get(..64).hash(state);
    }
}

/// Replaces entries while they are copied.
pub(crate) trait Rewrite {
    /// A replacement for an entry stored as text; `None` to keep it.
    ///
    /// # Errors
    /// If it takes more than the budget has.
    fn text(&mut self, text: &[u8]) -> Result<Option<Vec<u8>>>;
    /// The replacement for an entry of this encoding and layout with these fields.
    ///
    /// # Errors
    /// As [`Self::text`].
    fn encoded(
        &mut self,
        of: EntryRef,
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

/// The number of entries that are copied between two polls for a request to stop.
const POLL: u32 = 1 << 8;

/// Fills tables with entries, each once.
#[derive(Debug)]
pub(crate) struct Builder {
    entries: OwnedEntries,
    registry: Registry,
    strings: HashMap<Box<[u8]>, u32>,
    keys: HashMap<Box<[u8]>, u32>,
    /// By the address of the file's tables, which are kept as long as the entries, and index.
    keys_at: HashMap<(usize, usize), u32>,
    known: HashMap<EntryKey, EntryRef>,
    // The origins of copied entries, by address, kept alive so that addresses are not reused.
    homes: HashMap<usize, Home>,
    copied: HashMap<(usize, EntryRef), EntryRef>,
    // By address and length, so that a long name or string is not hashed for each entry.
    dialects_at: HashMap<(usize, usize), u32>,
    strings_at: HashMap<(usize, usize), u32>,
    builtin: u32,
    budget: Option<Budget>,
}

/// The memory of an entry in addition to its bytes, in the table and in the index.
const ENTRY_BYTES: usize = size_of::<OwnedEntry>() + 2 * size_of::<EntryKey>();

impl Builder {
    pub(crate) fn new() -> Self {
        let mut this = Self {
            entries: OwnedEntries::new(),
            registry: Registry::snapshot(&[], &[]),
            strings: HashMap::new(),
            keys: HashMap::new(),
            keys_at: HashMap::new(),
            known: HashMap::new(),
            homes: HashMap::new(),
            copied: HashMap::new(),
            dialects_at: HashMap::new(),
            strings_at: HashMap::new(),
            builtin: 0,
            budget: None,
        };
        this.builtin = this.dialect(b"builtin");
        this
    }

    /// Creates a builder whose entries are charged to a budget.
    pub(crate) fn with_budget(budget: &Budget) -> Self {
        Self { budget: Some(budget.clone()), ..Self::new() }
    }

    /// The tables so far.
    pub(crate) fn entries(&self) -> &OwnedEntries {
        &self.entries
    }

    pub(crate) fn finish(self) -> Home {
        Home::Owned(Arc::new(self.entries))
    }

    pub(crate) fn string(&mut self, bytes: &[u8]) -> u32 {
        intern(&mut self.entries.strings, &mut self.strings, bytes)
    }

    /// The key of a resource that has no content yet, or that of the module where the attribute is used.
    pub(crate) fn key(&mut self, bytes: &[u8]) -> u32 {
        let index = intern(&mut self.entries.keys, &mut self.keys, bytes);
        self.entries.origins.resize(self.entries.keys.len(), None);
        index
    }

    /// The key of a resource of a file, which is distinguished from others with the same key.
    pub(crate) fn key_at(&mut self, bytes: &[u8], origin: Origin) -> u32 {
        let place = (origin.file.address(), origin.row);
        if let Some(&known) = self.keys_at.get(&place) {
            return known;
        }
        let index = self.entries.keys.len() as u32;
        self.entries.keys.push(bytes.into());
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

    // A string of tables that are kept alive, by its address: a long one that many entries have is hashed
    // once.
    fn string_of_home(&mut self, bytes: &[u8]) -> u32 {
        const LONG: usize = 64;
        if bytes.len() < LONG {
            return self.string(bytes);
        }
        let address = (bytes.as_ptr() as usize, bytes.len());
        if let Some(&known) = self.strings_at.get(&address) {
            return known;
        }
        let index = self.string(bytes);
        self.strings_at.insert(address, index);
        index
    }

    /// The dialect with this name and its registered table.
    pub(crate) fn dialect(&mut self, name: &[u8]) -> u32 {
        let table = self.registry.find(name);
        self.dialect_with(name, table)
    }

    /// The dialect with this name and this table.
    pub(crate) fn dialect_with(&mut self, name: &[u8], table: Option<Arc<DialectTable>>) -> u32 {
        let dialects = &mut self.entries.dialects;
        dialects.find_exact(name, table.as_ref()).unwrap_or_else(|| dialects.push(name, table))
    }

    // A dialect of tables that are kept alive; `name` is borrowed from them.
    fn dialect_of(&mut self, home: &Home, name: &[u8]) -> u32 {
        let address = (name.as_ptr() as usize, name.len());
        if let Some(&known) = self.dialects_at.get(&address) {
            return known;
        }
        let dialect = self.dialect_with(name, home.codec(name));
        // All empty names may have one address.
        if !name.is_empty() {
            self.dialects_at.insert(address, dialect);
        }
        dialect
    }

    pub(crate) fn table_of(&self, dialect: u32) -> Option<Arc<DialectTable>> {
        self.entries.dialects.get(dialect)?.1.cloned()
    }

    /// The builtin dialect.
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
        let mut short = Vec::with_capacity(text.len() + 1);
        short.extend_from_slice(text);
        short.push(0);
        self.add(EntryKey { is_type, dialect, is_text: true, short: short.into(), blob: None, identity })
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
        // Without data all blobs are empty.
        let data = if blob.is_some() { &[] } else { data };
        let short = primitive::encode(form, layout, node, data, &width)?;
        let blob = blob.map(BlobKey);
        self.add(EntryKey { is_type, dialect, is_text: false, short: short.into(), blob, identity })
    }

    fn add(&mut self, key: EntryKey) -> Result<EntryRef> {
        if let Some(&known) = self.known.get(&key) {
            return Ok(known);
        }
        if let Some(budget) = &self.budget {
            // A large blob is shared with the file or the caller.
            budget.spend(ENTRY_BYTES + key.short.len())?;
        }
        let rows = if key.is_type { &mut self.entries.types } else { &mut self.entries.attributes };
        let Ok(index) = u32::try_from(rows.len()) else {
            return Err(Error::message(
                ErrorKind::MemoryLimit,
                "a module cannot have 2^32 attributes or types",
            ));
        };
        rows.push(OwnedEntry {
            dialect: key.dialect,
            is_text: key.is_text,
            short: key.short.clone(),
            blob: key.blob.as_ref().map(|blob| blob.0.clone()),
            whole: OnceLock::new(),
            identity: key.identity.clone(),
        });
        let of = if key.is_type { EntryRef::Type(index) } else { EntryRef::Attribute(index) };
        self.known.insert(key, of);
        Ok(of)
    }

    /// A dictionary of these names and values, which are attributes of these tables, in this order.
    pub(crate) fn dictionary(&mut self, pairs: &[(u32, u32)]) -> Result<u32> {
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
        for &(name, value) in pairs {
            node.push(Field::Attribute(name, 0));
            node.push(Field::Attribute(value, 0));
        }
        node.end_list(at, pairs.len() as u32);
        let builtin = self.builtin;
        match self.encoded(false, builtin, (form, layout), &node, &Bytes::new(), None)? {
            EntryRef::Attribute(index) | EntryRef::Type(index) => Ok(index),
        }
    }

    /// Copies an entry and everything it refers to.
    ///
    /// # Errors
    /// If one of them cannot be decoded, so that its references are unknown.
    pub(crate) fn import(&mut self, home: &Home, root: EntryRef) -> Result<EntryRef> {
        self.import_with(home, root, None)
    }

    /// As above; `rewrite` may replace each entry.
    ///
    /// # Errors
    /// As [`Self::import`].
    pub(crate) fn import_with(
        &mut self,
        home: &Home,
        root: EntryRef,
        mut rewrite: Option<&mut dyn Rewrite>,
    ) -> Result<EntryRef> {
        let address = home.address();
        if let Some(&known) = self.copied.get(&(address, root)) {
            return Ok(known);
        }
        if let Home::File(file) = home {
            file.settle_deeply(root)?;
        }
        self.homes.entry(address).or_insert_with(|| home.clone());
        let view = home.view()?;
        let mut node = Node::default();
        let mut open = HashSet::new();
        let mut missing = Vec::new();
        let mut stack = vec![root];
        let mut until_poll = POLL;
        while let Some(&of) = stack.last() {
            until_poll -= 1;
            if until_poll == 0 {
                until_poll = POLL;
                if let Home::File(file) = home {
                    file.check_interrupt()?;
                }
            }
            if self.copied.contains_key(&(address, of)) {
                stack.pop();
                continue;
            }
            let (entry, blob) = view.short(of).ok_or_else(|| no_such_entry(of))?;
            let is_type = matches!(of, EntryRef::Type(_));
            let copy = if let Some(text) = entry.text() {
                let dialect = self.dialect_of(home, entry.dialect);
                let new = rewrite.as_deref_mut().map(|rewrite| rewrite.text(text)).transpose()?.flatten();
                let text = new.as_deref().unwrap_or(text);
                // Distinct attributes of two texts are never equal.
                let identity = if has_distinct(text) { home.identity(of) } else { None };
                self.text_with(is_type, dialect, text, identity)?
            } else {
                let Some((mut form, mut number)) = entry.decode(of, &view, &mut node)? else {
                    return Err(no_table(&entry));
                };
                let rewrite = rewrite.as_deref_mut();
                let new = rewrite.map(|rewrite| rewrite.encoded(of, &entry, (form, number), &node));
                match new.transpose()? {
                    None | Some(Rewritten::Same) => {}
                    Some(Rewritten::Text(text)) => {
                        let dialect = self.dialect_of(home, entry.dialect);
                        let identity = if has_distinct(&text) { home.identity(of) } else { None };
                        let copy = self.text_with(is_type, dialect, &text, identity)?;
                        self.copied.insert((address, of), copy);
                        stack.pop();
                        continue;
                    }
                    Some(Rewritten::Form(code, layout, fields)) => {
                        let forms = entry.table.map(|table| match of {
                            EntryRef::Attribute(_) => &table.attributes,
                            EntryRef::Type(_) => &table.types,
                        });
                        form = forms.and_then(|forms| forms.by_code(code)).ok_or_else(|| no_table(&entry))?;
                        (number, node) = (layout, fields);
                    }
                }
                let Some(layout) = form.layouts.get(number) else { return Err(no_table(&entry)) };
                if layout.fields.iter().any(|field| field.primitive.is_opaque()) {
                    return Err(no_table(&entry));
                }
                missing.clear();
                primitive::references(layout, &node, |to, _, _| {
                    if !self.copied.contains_key(&(address, to)) {
                        missing.push(to);
                    }
                });
                if !missing.is_empty() {
                    open.insert(of);
                    if missing.iter().any(|to| open.contains(to)) {
                        return Err(cycle(&entry));
                    }
                    stack.extend_from_slice(&missing);
                    continue;
                }
                self.renumber(home, &view, &mut node)?;
                let dialect = match home.own_table(of) {
                    None => self.dialect_of(home, entry.dialect),
                    own => self.dialect_with(entry.dialect, own),
                };
                let identity = if is_distinct(form) { home.identity(of) } else { None };
                match blob {
                    Some(blob) => {
                        let blob = Some(blob.clone());
                        self.encoded_with(is_type, dialect, (form, layout), &node, &[], blob, identity)?
                    }
                    None => {
                        let data = home.payload(of);
                        let kept =
                            entry.table.and_then(|table| canonical(table, form, &node, &data, &self.entries));
                        match kept.as_ref().and_then(|kept| Some((kept, kept.0.layouts.first()?))) {
                            Some(((form, node, data), layout)) => {
                                self.encoded(is_type, dialect, (form, layout), node, data, identity)?
                            }
                            None => self.encoded(is_type, dialect, (form, layout), &node, &data, identity)?,
                        }
                    }
                }
            };
            open.remove(&of);
            self.copied.insert((address, of), copy);
            stack.pop();
        }
        self.copied.get(&(address, root)).copied().ok_or_else(|| no_such_entry(root))
    }

    fn renumber(&mut self, home: &Home, view: &View<'_>, node: &mut Node) -> Result<()> {
        let address = home.address();
        let copied =
            |tables: &Self, of| tables.copied.get(&(address, of)).map(|copy: &EntryRef| copy.index());
        node.renumber(|index| {
            Ok(match index {
                TableIndex::String(index) => self.string_of_home(view.string(index)),
                TableIndex::Resource(index) => self.key_of(home, view, index),
                TableIndex::Attribute(index) => copied(self, EntryRef::Attribute(index)).unwrap_or(index),
                TableIndex::Type(index) => copied(self, EntryRef::Type(index)).unwrap_or(index),
            })
        })
    }
}

/// Whether there is a distinct attribute in a text.
pub(crate) fn has_distinct(text: &[u8]) -> bool {
    const BEGINNING: &[u8] = b"distinct[";
    text.windows(BEGINNING.len()).any(|window| window == BEGINNING)
}

pub(crate) fn is_distinct(form: &Encoding) -> bool {
    form.builtin == crate::dialect::table::BuiltinKind::DistinctAttr
}

fn intern(table: &mut Vec<Box<[u8]>>, known: &mut HashMap<Box<[u8]>, u32>, bytes: &[u8]) -> u32 {
    if let Some(&index) = known.get(bytes) {
        return index;
    }
    let index = table.len() as u32;
    table.push(bytes.into());
    known.insert(bytes.into(), index);
    index
}

/// The blob that is the last field, if it is the only one in the bytes of the entry.
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

#[cold]
fn no_such_entry(of: EntryRef) -> Error {
    Error::message(ErrorKind::Index, format!("{of} is not in the table"))
}

#[cold]
fn no_table(entry: &RawEntry<'_>) -> Error {
    let dialect = String::from_utf8_lossy(entry.dialect);
    let message = format!("cannot copy an attribute or type of dialect {dialect}: its encoding is unknown");
    Error::message(ErrorKind::EntryNoTable, message).at(entry.offset)
}

#[cold]
fn cycle(entry: &RawEntry<'_>) -> Error {
    Error::message(ErrorKind::EntryCycle, "an attribute or type contains itself").at(entry.offset)
}
