//! The view of a file through which its attributes and types are decoded.

use std::collections::HashMap;
use std::ops::{ControlFlow, Range};
use std::sync::{Arc, PoisonError, RwLock};

use crate::dialect::deviation::Deviation;
use crate::dialect::entries::{Bounds, Entries, EntryRef, NoEntries, RawEntry};
use crate::dialect::fixed_layout;
use crate::dialect::fixed_layout::FixedPart;
use crate::dialect::registry;
use crate::dialect::table::{BuiltinKind, DialectTable};
use crate::format::attr_type::{Entry, EntryEncoding, EntryTable, NextEntry};
use crate::format::id::{AttrId, TypeId};
use crate::format::string::StringTable;
use crate::release::Llvm;
use crate::wire::bytes::Bytes;
use crate::wire::error::{Error, Result};

use super::hooks::{EntryResults, HookResult};
use super::resource_keys::DialectResourceKeys;
use super::{EntrySection, FileTables};

/// The tables of a file that its attributes and types refer to, looked up once.
#[derive(Debug, Clone)]
pub(crate) struct FileEntries<'m> {
    table: &'m EntryTable,
    payloads: &'m [u8],
    base: u64,
    codecs: &'m Codecs,
    strings: &'m StringTable,
    resources: &'m DialectResourceKeys,
    bounds: Bounds,
    /// The results of the code of dialects; `None` without such code.
    hooked: Option<EntryResults<'m>>,
}

/// The dialect tables of the dialects of a file, by dialect.
#[derive(Debug)]
pub(crate) struct Codecs {
    // Names and tables. Dialects with one string share a slice.
    dialects: Vec<(Bytes, Option<Arc<DialectTable>>)>,
    // The first dialect of each name.
    by_name: HashMap<Bytes, u32>,
    /// For each dialect, whether code decodes its entries.
    hooked: Box<[bool]>,
    builtin: Arc<DialectTable>,
    // The release of LLVM, which selects layouts.
    llvm: Option<Llvm>,
    is_released: bool,
    // Tables of packs for dialects that the file names only inside of texts.
    of_packs: HashMap<Box<[u8]>, Option<Arc<DialectTable>>>,
    // Tables of dialects that the file does not have, created on request.
    absent: RwLock<HashMap<Box<[u8]>, Arc<DialectTable>>>,
}

impl Codecs {
    // Returns the table of a dialect that the file does not have, if its layouts depend on the release.
    fn absent_table(&self, table: Arc<DialectTable>) -> Arc<DialectTable> {
        if !table.has_releases() {
            return table;
        }
        let name = table.dialect().as_bytes();
        let cached = self.absent.read().unwrap_or_else(PoisonError::into_inner).get(name).cloned();
        cached.unwrap_or_else(|| {
            let selected = Arc::new(table.at_release(self.llvm, self.is_released));
            let mut absent = self.absent.write().unwrap_or_else(PoisonError::into_inner);
            absent.entry(name.into()).or_insert(selected).clone()
        })
    }

    fn table(&self, dialect: &[u8]) -> Option<&Option<Arc<DialectTable>>> {
        let dialect_row = self.by_name.get(dialect).and_then(|&row| self.dialects.get(row as usize));
        dialect_row.map(|row| &row.1).or_else(|| self.of_packs.get(dialect))
    }
}

impl FileTables {
    /// The tables that entries refer to.
    pub(crate) fn entries(&self) -> Result<FileEntries<'_>> {
        let EntrySection { table, payloads, base } = self.entry_table()?;
        let codecs = self.codecs()?;
        let strings = self.strings()?;
        let resources = self.dialect_resource_keys()?;
        let counts = table.counts();
        Ok(FileEntries {
            table,
            payloads,
            base: *base,
            codecs,
            strings,
            resources,
            bounds: Bounds {
                attributes: counts.attributes,
                types: counts.types,
                strings: self.string_count()?,
                resources: resources.len() as u32,
            },
            hooked: self.entry_results()?,
        })
    }

    /// Returns the text of a string attribute of the builtin dialect; `None` for any other attribute, and for
    /// a malformed one. Cheaper than decoding its fields.
    ///
    /// # Errors
    /// If a table is malformed.
    ///
    /// ```
    /// use mlirbc::ir::AttrId;
    /// let module = mlirbc::Module::open("../../examples/two_layers.mlirbc")?;
    /// let texts = (0..module.tables().entry_counts()?.attributes)
    ///     .filter_map(|index| module.tables().string_attribute(AttrId::new(index)).transpose());
    /// assert!(texts.collect::<mlirbc::Result<Vec<_>>>()?.contains(&&b"dense"[..]));
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn string_attribute(&self, id: AttrId) -> Result<Option<&[u8]>> {
        let entries = self.entries()?;
        let entry_ref = EntryRef::Attribute(id);
        let Some(entry) = entries.raw(entry_ref) else { return Ok(None) };
        let form = entry.form(entry_ref).ok().flatten();
        let form = form.filter(|form| form.builtin == BuiltinKind::StringAttr && form.has_fixed_layout);
        let mut string = None;
        let is_valid = form.is_some_and(|form| {
            let visit = &mut |part| {
                if let FixedPart::String(index) = part {
                    string = Some(index);
                }
            };
            fixed_layout::parts(form, entry.data, entry.offset, &entries.bounds, visit).is_ok()
        });
        self.unless_lost(Ok(string.filter(|_| is_valid).and_then(|index| entries.strings.get(index))))
    }

    /// The numbers of the version of a dialect, decoded as its table declares; `None` if the file has no
    /// version, the table does not declare versions, or the bytes do not have the declared encoding.
    ///
    /// # Errors
    /// If a table is malformed.
    pub fn dialect_version(&self, dialect: impl AsRef<[u8]>) -> Result<Option<Vec<u64>>> {
        let dialect = dialect.as_ref();
        let (bytes, table) = (self.version_of(dialect)?, self.ungated_codec(dialect));
        let (Some(bytes), Some(table)) = (bytes, table) else { return Ok(None) };
        let entries = self.entries()?;
        self.unless_lost(Ok(table.read_version(&bytes, 0, &entries).ok().flatten()))
    }

    /// Returns the version of a dialect. If several dialects have the name, the last version applies, as in
    /// MLIR.
    pub(crate) fn version_of(&self, dialect: &[u8]) -> Result<Option<Bytes>> {
        Ok(self.dialects()?.filter(|row| row.name == dialect).last().and_then(|row| row.version))
    }

    /// The table that decodes entries of a dialect in this module.
    pub fn dialect_table_of(&self, dialect: impl AsRef<[u8]>) -> Option<Arc<DialectTable>> {
        self.codec(dialect.as_ref())
    }

    fn codecs(&self) -> Result<&Codecs> {
        self.once(&self.0.codecs, || {
            let (section, strings) = (&self.dialect_table()?.section, self.strings()?);
            let producer = self.0.bytecode.producer();
            let llvm = Llvm::of_producer(producer);
            let count = section.dialects.len();
            self.0.budget.spend(count.saturating_mul(4 * size_of::<(Bytes, u64)>()))?;
            let mut dialects: Vec<(Bytes, Option<Arc<DialectTable>>)> = self.0.budget.vec(count)?;
            let mut by_name = HashMap::new();
            // The first dialect by string, because many dialects may have one long name.
            let mut first_of_string: HashMap<u32, u32> = HashMap::new();
            // For each dialect: the first dialect with the same name. For each first dialect: the version of
            // the last one with its name.
            let mut firsts: Vec<u32> = self.0.budget.vec(count)?;
            let mut versions: HashMap<u32, Option<Bytes>> = HashMap::new();
            for (row, (dialect, entry)) in (0..).zip(self.dialects()?.zip(&section.dialects)) {
                let of_string = first_of_string.entry(entry.name);
                let first =
                    *of_string.or_insert_with(|| *by_name.entry(strings.shared(entry.name)).or_insert(row));
                firsts.push(first);
                versions.insert(first, dialect.version);
            }
            for (row, (dialect, entry)) in (0..).zip(self.dialects()?.zip(&section.dialects)) {
                let first = firsts.get(row as usize).copied().filter(|&first| first < row);
                if let Some(known) = first.and_then(|first| dialects.get(first as usize)) {
                    dialects.push(known.clone());
                    continue;
                }
                let table = self.registry().find(dialect.name);
                // A version that cannot be read does not enable a gate: entries that depend on it are decoded
                // with the current layout.
                let numbers = match (&table, versions.get(&row)) {
                    (Some(table), Some(Some(bytes))) if table.has_gates() => {
                        table.read_version(bytes, 0, &NoEntries::new()).ok().flatten()
                    }
                    _ => None,
                };
                let table = match (table, numbers) {
                    (Some(table), Some(numbers)) => Some(Arc::new(table.at_version(&numbers))),
                    (Some(table), None) if table.has_releases() => {
                        Some(Arc::new(table.at_release(llvm, Llvm::is_released(producer))))
                    }
                    (table, _) => table,
                };
                let table = table.map(|table| self.with_deviation(table));
                dialects.push((strings.shared(entry.name), table));
            }
            let mut hooked: Vec<bool> = self.0.budget.vec(count)?;
            for (row, (name, _)) in (0..).zip(&dialects) {
                let first = firsts.get(row as usize).copied().filter(|&first| first < row);
                let is_hooked = first.and_then(|first| hooked.get(first as usize).copied());
                hooked.push(is_hooked.unwrap_or_else(|| self.has_entry_hooks(name)));
            }
            let hooked = hooked.into();
            let registry = self.registry();
            let names = registry.dialects_of_packs().map(str::as_bytes);
            let tables = names.filter_map(|name| Some((name.into(), registry.find(name)?)));
            // Shipped tables have layouts of the release.
            let of_packs = tables.filter(|(_, table)| !table.is_shipped);
            let of_packs = of_packs.map(|(name, table)| (name, Some(table))).collect();
            Ok(Codecs {
                dialects,
                by_name,
                of_packs,
                hooked,
                builtin: registry::builtin(),
                llvm,
                is_released: Llvm::is_released(producer),
                absent: RwLock::default(),
            })
        })
    }

    /// Returns the table with the parts that the writer of the file may have changed.
    fn with_deviation(&self, table: Arc<DialectTable>) -> Arc<DialectTable> {
        let producer = self.0.bytecode.producer();
        let build = Llvm::of_producer(producer).filter(|_| table.is_shipped && !Llvm::is_released(producer));
        let Some(build) = build else { return table };
        match Deviation::of_builds(table.dialect().as_bytes(), build >= Llvm::newest_build()) {
            Deviation::None => table,
            deviation => registry::with_deviation(table, deviation),
        }
    }

    /// The table of a dialect, regardless of the version in this file.
    pub(crate) fn ungated_codec(&self, dialect: &[u8]) -> Option<Arc<DialectTable>> {
        self.registry().find(dialect)
    }

    /// The table that decodes entries of a dialect.
    pub(crate) fn codec(&self, dialect: &[u8]) -> Option<Arc<DialectTable>> {
        let codecs = self.codecs().ok();
        match codecs.and_then(|codecs| codecs.table(dialect)) {
            Some(table) => table.clone(),
            None => {
                let table = self.registry().find(dialect)?;
                Some(codecs.map_or_else(|| table.clone(), |codecs| codecs.absent_table(table.clone())))
            }
        }
    }
}

impl<'m> FileEntries<'m> {
    /// [`Entries::entry`] with the lifetime of the module.
    #[inline(always)]
    pub(crate) fn raw(&self, of: EntryRef) -> Option<RawEntry<'m>> {
        self.raw_in_dialect(of).map(|(_, entry)| entry)
    }

    /// Returns an entry as [`Self::raw`] does, in less time for the entry that `next` expects.
    #[inline(always)]
    pub(crate) fn raw_in_order(&self, of: EntryRef, next: &mut NextEntry) -> Option<RawEntry<'m>> {
        let entry = match of {
            EntryRef::Attribute(index) => self.table.attribute_in_order(index, next)?,
            EntryRef::Type(index) => self.table.type_in_order(index, next)?,
        };
        self.raw_of(of, entry)
    }

    /// Returns an entry as [`Self::raw`] does, with the index of its dialect in the file.
    #[inline(always)]
    pub(crate) fn raw_in_dialect(&self, of: EntryRef) -> Option<(u32, RawEntry<'m>)> {
        let entry = match of {
            EntryRef::Attribute(index) => self.table.attribute(index)?,
            EntryRef::Type(index) => self.table.r#type(index)?,
        };
        Some((entry.dialect, self.raw_of(of, entry)?))
    }

    /// The tables of the dialects of the file, by dialect.
    pub(crate) fn tables(&self) -> impl Iterator<Item = Option<&'m DialectTable>> {
        self.codecs.dialects.iter().map(|(_, table)| table.as_deref())
    }

    /// Whether code of dialects decodes some of the entries.
    pub(crate) fn has_hooks(&self) -> bool {
        self.hooked.is_some()
    }

    /// Calls `visit` for each entry in order, attributes first, with the index of its dialect in the file.
    #[inline(always)]
    pub(crate) fn each(&self, mut visit: impl FnMut(EntryRef, u32, &RawEntry<'m>)) {
        let all = self.bounds.attributes as usize + self.bounds.types as usize;
        let _: ControlFlow<()> = self.each_in(0..all, |of, dialect, entry| {
            visit(of, dialect, entry);
            ControlFlow::Continue(())
        });
    }

    /// Calls `visit` for a range of entries in order, until it returns `Break`.
    #[inline(always)]
    pub(crate) fn each_in<B>(
        &self,
        rows: Range<usize>,
        mut visit: impl FnMut(EntryRef, u32, &RawEntry<'m>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let attributes = self.bounds.attributes as usize;
        self.table.each_in(rows, |row, entry| {
            let entry_ref = match row.checked_sub(attributes) {
                None => EntryRef::Attribute(AttrId::new(row as u32)),
                Some(index) => EntryRef::Type(TypeId::new(index as u32)),
            };
            let dialect = entry.dialect;
            match self.raw_of(entry_ref, entry) {
                Some(raw) => visit(entry_ref, dialect, &raw),
                None => ControlFlow::Continue(()),
            }
        })
    }

    #[inline(always)]
    fn raw_of(&self, of: EntryRef, entry: Entry) -> Option<RawEntry<'m>> {
        let (dialect, table) = self.codecs.dialects.get(entry.dialect as usize)?;
        let offset = self.base + entry.payload.start as u64;
        let is_text = entry.encoding == EntryEncoding::Assembly;
        let data = self.payloads.get(entry.payload)?;
        let table = match self.hooked {
            None => table.as_deref(),
            Some(hooked) => self.hooked_table(hooked, of, (entry.dialect, table.as_deref())),
        };
        Some(RawEntry { dialect, table, is_text, data, offset })
    }

    // An entry of a dialect with code is opaque until the code has run.
    #[inline(never)]
    fn hooked_table(
        &self,
        hooked: EntryResults<'m>,
        of: EntryRef,
        (dialect, table): (u32, Option<&'m DialectTable>),
    ) -> Option<&'m DialectTable> {
        match hooked.get(of) {
            Some(HookResult::Table(own)) => Some(own),
            Some(HookResult::Opaque(_)) => None,
            Some(HookResult::Declined) => table,
            None if self.codecs.hooked.get(dialect as usize) == Some(&true) => None,
            None => table,
        }
    }

    /// The table that code of a dialect made for an entry.
    pub(crate) fn own_table(&self, of: EntryRef) -> Option<Arc<DialectTable>> {
        match self.hooked?.get(of)? {
            HookResult::Table(own) => Some(own.clone()),
            HookResult::Declined | HookResult::Opaque(_) => None,
        }
    }

    /// Returns the reason why an entry is opaque to the code of its dialect.
    pub(crate) fn hook_error(&self, of: EntryRef) -> Option<&'m Error> {
        match self.hooked?.get(of)? {
            HookResult::Opaque(error) => Some(error),
            HookResult::Declined | HookResult::Table(_) => None,
        }
    }

    /// [`Entries::builtin`] with the lifetime of the module.
    pub(crate) fn builtin_table(&self) -> &'m DialectTable {
        &self.codecs.builtin
    }
}

impl Entries for FileEntries<'_> {
    #[inline]
    fn bounds(&self) -> Bounds {
        self.bounds
    }

    #[inline]
    fn entry(&self, of: EntryRef) -> Option<RawEntry<'_>> {
        self.raw(of)
    }

    fn each_entry(&self, visit: &mut dyn FnMut(EntryRef, &RawEntry<'_>)) {
        self.each(|of, _, entry| visit(of, entry));
    }

    #[inline]
    fn string(&self, index: u32) -> &[u8] {
        self.strings.get(index).unwrap_or_default()
    }

    fn resource_key(&self, index: u32) -> &[u8] {
        self.resources.get(index, self.strings)
    }

    fn table(&self, dialect: &[u8]) -> Option<&DialectTable> {
        self.codecs.table(dialect)?.as_deref()
    }

    fn builtin(&self) -> &DialectTable {
        &self.codecs.builtin
    }
}
