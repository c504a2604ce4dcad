//! A file's module: its bytes, the tables and the bodies, each decoded when it is first asked for.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use once_cell::sync::OnceCell;

use crate::bytes::{Backend, Bytes, Source};
use crate::cursor::Cursor;
use crate::error::{Error, ErrorClass, ErrorKind, Result};
use crate::format::attr_type::{Entry, EntryCounts, EntryTable};
use crate::format::container::{Bytecode, Section};
use crate::format::dialect::{DialectSection, OpNameEntry};
use crate::format::ir::{IrBounds, IrReader, OpSink, PathStep, Root};
use crate::format::properties::PropertyTable;
use crate::format::resource::{
    ResourceBounds, ResourceDirectory, ResourceEntry, ResourceOwner, ResourcePayload,
};
use crate::format::string::StringTable;
use crate::limits::{Budget, Limits};
use crate::section::SectionId;

use super::body::{Body, BodyBuilder};
use super::id::{AttrId, BodyId, OpId, OpNameId, TypeId};
use super::resource::Resource;
use super::table::{AttributeEntry, Dialect, OperationName, TypeEntry};
use super::uses::UseIndex;
use super::view::{Block, Operation};
use crate::format::ir::Meter;

/// Asked now and then during long work; `true` stops it.
pub type Interrupt = Arc<dyn Fn() -> bool + Send + Sync>;

/// How a module is opened.
///
/// ```
/// use mlirbc::{Backend, Limits, ReadOptions};
/// let options = ReadOptions { backend: Backend::Read, ..ReadOptions::default() };
/// assert_eq!(options.limits, Limits::default());
/// ```
#[derive(Clone, Default)]
pub struct ReadOptions {
    /// How a local file is brought in.
    pub backend: Backend,
    /// What decoding may cost.
    pub limits: Limits,
    /// Asked now and then during long work.
    pub interrupt: Option<Interrupt>,
}

/// An MLIR bytecode file.
///
/// Opening reads the header and one header per section; everything else is read when it is asked for and kept.
/// A module can be shared between threads.
///
/// ```
/// use mlirbc::Module;
/// # let path = std::env::temp_dir().join(format!("mlirbc-doc-{}", std::process::id()));
/// # std::fs::write(&path, mlirbc::doc_example()).unwrap();
/// let module = Module::open(&path)?;
/// for op in module.operation()?.pre_order() {
///     println!("{}", op?.name());
/// }
/// # std::fs::remove_file(&path).unwrap();
/// # Ok::<(), mlirbc::Error>(())
/// ```
pub struct Module {
    source: Source,
    bytecode: Bytecode,
    limits: Limits,
    budget: Budget,
    interrupt: Option<Interrupt>,
    // Bytes of bodies read so far: small bodies together are long work too.
    work: AtomicU64,
    strings: OnceCell<Result<StringTable>>,
    dialects: OnceCell<Result<Dialects>>,
    entries: OnceCell<Result<Entries>>,
    properties: OnceCell<Result<PropertyTable>>,
    resources: OnceCell<Result<ResourceDirectory>>,
    // Places of resources by key.
    resource_keys: OnceCell<HashMap<Box<[u8]>, Vec<u32>>>,
    ir: OnceCell<Result<Ir>>,
    // Most small modules never need more than the first slot; the others have the id of their row plus one.
    top_level: BodySlot,
    bodies: boxcar::Vec<BodySlot>,
}

struct Dialects {
    section: DialectSection,
    data: Bytes,
}

/// The attribute and type directory with its payloads.
pub(crate) struct Entries {
    pub(crate) table: EntryTable,
    pub(crate) payloads: Bytes,
    pub(crate) base: u64,
}

struct Ir {
    data: Bytes,
    base: u64,
    bounds: IrBounds,
}

/// Where a body hangs and what is known of it.
pub(crate) struct BodySlot {
    pub(crate) parent: Option<(BodyId, OpId)>,
    root: Root,
    range: std::ops::Range<usize>,
    depth: u32,
    body: OnceCell<Result<Box<Body>>>,
    uses: OnceCell<Result<Box<UseIndex>>>,
}

impl std::fmt::Debug for Module {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Module")
            .field("version", &self.bytecode.version())
            .field("source", &self.source)
            .finish_non_exhaustive()
    }
}

impl Module {
    // ---- opening ----

    /// Maps a file and reads its header.
    ///
    /// # Errors
    /// When the file cannot be opened or is not bytecode.
    ///
    /// ```
    /// # let path = std::env::temp_dir().join(format!("mlirbc-open-{}", std::process::id()));
    /// # std::fs::write(&path, mlirbc::doc_example()).unwrap();
    /// let module = mlirbc::Module::open(&path)?;
    /// assert_eq!(module.bytecode().size(), 131);
    /// # std::fs::remove_file(&path).unwrap();
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        Self::open_with(path, &ReadOptions::default())
    }

    /// Opens a file as `options` say.
    ///
    /// # Errors
    /// When the file cannot be opened or is not bytecode.
    ///
    /// ```
    /// use mlirbc::{Backend, Module, ReadOptions};
    /// # let path = std::env::temp_dir().join(format!("mlirbc-open-with-{}", std::process::id()));
    /// # std::fs::write(&path, mlirbc::doc_example()).unwrap();
    /// let options = ReadOptions { backend: Backend::Read, ..ReadOptions::default() };
    /// assert_eq!(Module::open_with(&path, &options)?.bytecode().size(), 131);
    /// # std::fs::remove_file(&path).unwrap();
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn open_with(path: impl AsRef<Path>, options: &ReadOptions) -> Result<Self> {
        Self::from_source(Source::open(path, options.backend)?, options)
    }

    /// Reads bytes in memory, without a copy.
    ///
    /// # Errors
    /// When they are not bytecode.
    ///
    /// ```
    /// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
    /// assert_eq!(module.bytecode().producer(), b"x");
    /// assert!(mlirbc::Module::from_bytes(&b"module {}"[..]).is_err());
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn from_bytes(bytes: impl Into<Bytes>) -> Result<Self> {
        Self::from_source(Source::from(bytes.into()), &ReadOptions::default())
    }

    /// Reads any source.
    ///
    /// # Errors
    /// When it is not bytecode.
    ///
    /// ```
    /// use mlirbc::{Limits, Module, ReadOptions};
    /// let limits = Limits { max_depth: 100, ..Limits::default() };
    /// let options = ReadOptions { limits, ..ReadOptions::default() };
    /// let module = Module::from_source(mlirbc::doc_example().into(), &options)?;
    /// assert_eq!(module.limits().max_depth, 100);
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn from_source(source: Source, options: &ReadOptions) -> Result<Self> {
        let bytecode = Bytecode::read(&source)?;
        let end = bytecode.section(SectionId::Ir).map_or(0, |section| section.size as usize);
        Ok(Self {
            budget: options.limits.budget(source.len()),
            source,
            bytecode,
            limits: options.limits.clone(),
            interrupt: options.interrupt.clone(),
            work: AtomicU64::new(0),
            strings: OnceCell::new(),
            dialects: OnceCell::new(),
            entries: OnceCell::new(),
            properties: OnceCell::new(),
            resources: OnceCell::new(),
            resource_keys: OnceCell::new(),
            ir: OnceCell::new(),
            top_level: BodySlot::new(None, Root::TopLevel, 0..end, 0),
            bodies: boxcar::Vec::new(),
        })
    }

    /// Version, producer and sections.
    ///
    /// ```
    /// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
    /// assert_eq!(module.bytecode().version().number(), 6);
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn bytecode(&self) -> &Bytecode {
        &self.bytecode
    }

    /// Where the bytes come from.
    ///
    /// ```
    /// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
    /// assert_eq!(module.source().get(0..4)?, &[0x4d, 0x4c, 0xef, 0x52][..]);
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// The limits it was opened with.
    ///
    /// ```
    /// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
    /// assert_eq!(module.limits(), &mlirbc::Limits::default());
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    // ---- tables ----

    /// Decodes once, and remembers errors of the file but not those of the moment.
    fn once<'s, T>(
        &'s self,
        cell: &'s OnceCell<Result<T>>,
        read: impl FnOnce() -> Result<T>,
    ) -> Result<&'s T> {
        self.once_unless_torn(cell, || {
            let result = read();
            self.source.check()?;
            result
        })
    }

    // The same for bodies, of which there may be very many: the file's size is looked at only after errors.
    fn once_unless_torn<'s, T>(
        &'s self,
        cell: &'s OnceCell<Result<T>>,
        read: impl FnOnce() -> Result<T>,
    ) -> Result<&'s T> {
        let settled = match cell.get() {
            Some(settled) => settled,
            None => cell.get_or_try_init(|| {
                let result = read();
                // Zeros that stand for lost pages must not become content, nor blame for the file.
                match result {
                    Ok(_) => self.source.check_pages()?,
                    Err(_) => self.source.check()?,
                }
                match result {
                    Err(error) if is_transient(&error) => Err(error),
                    settled => Ok(settled),
                }
            })?,
        };
        settled.as_ref().map_err(Error::clone)
    }

    fn section(&self, id: SectionId) -> Result<(Bytes, u64)> {
        match self.bytecode.section(id) {
            Some(Section { offset, size, .. }) => Ok((self.source.get(offset..offset + size)?, offset)),
            None => Ok((Bytes::new(), self.bytecode.size())),
        }
    }

    /// The strings of the file.
    ///
    /// # Errors
    /// When the section is malformed.
    ///
    /// ```
    /// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
    /// assert_eq!(module.strings()?.get(0), Some(&b"builtin"[..]));
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn strings(&self) -> Result<&StringTable> {
        self.once(&self.strings, || {
            let (data, base) = self.section(SectionId::String)?;
            StringTable::read(data, base, &self.budget)
        })
    }

    pub(crate) fn string(&self, index: u32) -> Result<&[u8]> {
        Ok(self.strings()?.get(index).unwrap_or_default())
    }

    pub(crate) fn string_count(&self) -> Result<u32> {
        Ok(u32::try_from(self.strings()?.len()).unwrap_or(u32::MAX))
    }

    fn dialect_table(&self) -> Result<&Dialects> {
        self.once(&self.dialects, || {
            let strings = self.string_count()?;
            let (data, base) = self.section(SectionId::Dialect)?;
            let version = self.bytecode.version();
            let section = DialectSection::read(&data, base, version, strings, &self.budget)?;
            Ok(Dialects { section, data })
        })
    }

    /// The dialect section as it stands in the file.
    ///
    /// # Errors
    /// When it, or the string section, is malformed.
    ///
    /// ```
    /// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
    /// assert_eq!(module.dialect_section()?.dialects.len(), 2);
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn dialect_section(&self) -> Result<&DialectSection> {
        Ok(&self.dialect_table()?.section)
    }

    /// The dialects by index.
    ///
    /// # Errors
    /// When the section is malformed.
    ///
    /// ```
    /// let module = mlirbc::Module::from_bytes(mlirbc::doc_example()).unwrap();
    /// let names: Vec<_> = module.dialects().unwrap().map(|dialect| dialect.name).collect();
    /// assert_eq!(names, [&b"builtin"[..], b"t"]);
    /// ```
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
    /// When the dialect section is malformed.
    ///
    /// ```
    /// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
    /// let stems: Vec<_> = module.op_names()?.map(|name| name.stem).collect();
    /// assert_eq!(stems, [&b"module"[..], b"c", b"r", b"u"]);
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn op_names(&self) -> Result<impl ExactSizeIterator<Item = OperationName<'_>>> {
        let section = &self.dialect_table()?.section;
        let strings = self.strings()?;
        let names = section.op_names.iter().enumerate();
        Ok(names.map(move |(id, entry)| name_of(section, strings, OpNameId(id as u32), entry)))
    }

    /// The operation name with this index; `None` past the end, and when a table it needs is malformed.
    ///
    /// ```
    /// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
    /// assert_eq!(module.op_name(mlirbc::ir::OpNameId(3)).unwrap().full(), "t.u");
    /// assert_eq!(module.op_name(mlirbc::ir::OpNameId(4)), None);
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn op_name(&self, id: OpNameId) -> Option<OperationName<'_>> {
        let section = &self.dialect_table().ok()?.section;
        let entry = section.op_names.get(id.index())?;
        Some(name_of(section, self.strings().ok()?, id, entry))
    }

    pub(crate) fn entry_table(&self) -> Result<&Entries> {
        self.once(&self.entries, || {
            let dialects = self.dialect_table()?.section.dialects.len() as u32;
            let (payloads, base) = self.section(SectionId::AttrType)?;
            let (data, directory) = self.section(SectionId::AttrTypeOffset)?;
            let table = EntryTable::read(&data, directory, payloads.len(), dialects, &self.budget)?;
            Ok(Entries { table, payloads, base })
        })
    }

    /// How many attributes and types the file has, without reading their directory.
    ///
    /// # Errors
    /// When the section is malformed.
    ///
    /// ```
    /// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
    /// let counts = module.entry_counts()?;
    /// assert_eq!((counts.attributes, counts.types), (4, 1));
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn entry_counts(&self) -> Result<EntryCounts> {
        if let Some(Ok(entries)) = self.entries.get() {
            return Ok(entries.table.counts());
        }
        let section = self.bytecode.section(SectionId::AttrTypeOffset);
        let (offset, size) = section.map_or((0, 0), |section| (section.offset, section.size));
        // A resident section is shared; of a ranged one the first bytes will do, but its size bounds counts.
        let data = self.source.get(offset..offset + size)?;
        EntryCounts::read(&mut Cursor::new(&data, offset, Some(SectionId::AttrTypeOffset)))
    }

    /// The attribute with this index; `None` past the end.
    ///
    /// # Errors
    /// When the directory is malformed.
    ///
    /// ```
    /// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
    /// let unknown_location = module.attribute(mlirbc::AttrId(0))?.unwrap();
    /// assert_eq!((unknown_location.dialect, &unknown_location.data[..]), (&b"builtin"[..], &[0x1f][..]));
    /// assert_eq!(module.attribute(mlirbc::AttrId(4))?, None);
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn attribute(&self, id: AttrId) -> Result<Option<AttributeEntry<'_>>> {
        let entries = self.entry_table()?;
        let Some(Entry { dialect, encoding, payload }) = entries.table.attribute(id.0) else {
            return Ok(None);
        };
        let offset = entries.base + payload.start as u64;
        let data = entries.payloads.slice(payload);
        Ok(Some(AttributeEntry { id, dialect: self.dialect_name(dialect)?, encoding, data, offset }))
    }

    /// The type with this index; `None` past the end.
    ///
    /// # Errors
    /// When the directory is malformed.
    ///
    /// ```
    /// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
    /// assert_eq!(module.r#type(mlirbc::TypeId(0))?.unwrap().data, &[0x01, 0x41][..]); // `i8`
    /// assert_eq!(module.r#type(mlirbc::TypeId(1))?, None);
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn r#type(&self, id: TypeId) -> Result<Option<TypeEntry<'_>>> {
        let entries = self.entry_table()?;
        let Some(Entry { dialect, encoding, payload }) = entries.table.r#type(id.0) else {
            return Ok(None);
        };
        let offset = entries.base + payload.start as u64;
        let data = entries.payloads.slice(payload);
        Ok(Some(TypeEntry { id, dialect: self.dialect_name(dialect)?, encoding, data, offset }))
    }

    /// The property blobs of the file; empty below version 5.
    ///
    /// # Errors
    /// When the section is malformed.
    ///
    /// ```
    /// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
    /// assert_eq!(module.properties()?.get(1).unwrap(), &[0x03][..]);
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn properties(&self) -> Result<&PropertyTable> {
        self.once(&self.properties, || {
            let (data, base) = self.section(SectionId::Properties)?;
            PropertyTable::read(data, base, &self.budget)
        })
    }

    // ---- resources ----

    /// The directory of resources as it stands in the file; empty without the two sections.
    ///
    /// # Errors
    /// When it, or a table it refers to, is malformed.
    ///
    /// ```
    /// let module = mlirbc::Module::open("../../examples/two_layers.mlirbc")?;
    /// let directory = module.resource_directory()?;
    /// assert_eq!((directory.externals, directory.entries.len()), (2, 6));
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn resource_directory(&self) -> Result<&ResourceDirectory> {
        self.once(&self.resources, || {
            if self.bytecode.section(SectionId::ResourceOffset).is_none() {
                return Ok(ResourceDirectory::default());
            }
            let bounds = ResourceBounds {
                strings: self.string_count()?,
                dialects: self.dialect_table()?.section.dialects.len() as u32,
                payloads: self.bytecode.section(SectionId::Resource).map_or(0, |s| s.size),
            };
            let (data, base) = self.section(SectionId::ResourceOffset)?;
            ResourceDirectory::read(&data, base, bounds, &self.budget)
        })
    }

    /// The resources in file order, external ones first.
    ///
    /// # Errors
    /// When the directory is malformed.
    ///
    /// ```
    /// let module = mlirbc::Module::open("../../examples/two_layers.mlirbc")?;
    /// let keys: Vec<_> = module.resources()?.map(|resource| resource.key()).collect();
    /// assert_eq!(keys[..3], [&b"note"[..], b"trained", b"layer0.weight"]);
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn resources(&self) -> Result<impl ExactSizeIterator<Item = Resource<'_>>> {
        let directory = self.resource_directory()?;
        let (section, strings) = (&self.dialect_table()?.section, self.strings()?);
        let rows = directory.entries.iter().enumerate();
        Ok(rows.map(move |(index, &entry)| self.resource_at(section, strings, index, entry)))
    }

    /// The resource with this index; `None` past the end.
    ///
    /// # Errors
    /// When the directory is malformed.
    ///
    /// ```
    /// let module = mlirbc::Module::open("../../examples/two_layers.mlirbc")?;
    /// assert_eq!(module.resource(2)?.unwrap().key(), b"layer0.weight");
    /// assert!(module.resource(6)?.is_none());
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn resource(&self, index: usize) -> Result<Option<Resource<'_>>> {
        let directory = self.resource_directory()?;
        let (section, strings) = (&self.dialect_table()?.section, self.strings()?);
        let entry = directory.entries.get(index);
        Ok(entry.map(|&entry| self.resource_at(section, strings, index, entry)))
    }

    /// The resources with this key, in file order; keys may repeat.
    ///
    /// # Errors
    /// When the directory is malformed.
    ///
    /// ```
    /// let module = mlirbc::Module::from_bytes(mlirbc::doc_example()).unwrap();
    /// assert_eq!(module.resources_named(b"weights").unwrap().count(), 0);
    /// ```
    pub fn resources_named(&self, key: &[u8]) -> Result<impl ExactSizeIterator<Item = Resource<'_>>> {
        let directory = self.resource_directory()?;
        let (section, strings) = (&self.dialect_table()?.section, self.strings()?);
        let places = self.resource_keys.get_or_init(|| {
            // By string first: one long key shared by very many resources is hashed once.
            let mut by_string: HashMap<u32, Vec<u32>> = HashMap::new();
            for (index, entry) in directory.entries.iter().enumerate() {
                by_string.entry(entry.key).or_default().push(index as u32);
            }
            let mut places: HashMap<Box<[u8]>, Vec<u32>> = HashMap::new();
            for (string, indices) in by_string {
                places.entry(strings.get(string).unwrap_or_default().into()).or_default().extend(indices);
            }
            places.values_mut().for_each(|indices| indices.sort_unstable());
            places
        });
        let found = places.get(key).map_or(&[][..], Vec::as_slice);
        Ok(found.iter().map(move |&index| {
            self.resource_at(section, strings, index as usize, directory.entries[index as usize])
        }))
    }

    fn resource_at<'m>(
        &'m self,
        section: &DialectSection,
        strings: &'m StringTable,
        index: usize,
        entry: ResourceEntry,
    ) -> Resource<'m> {
        let group = match entry.owner {
            ResourceOwner::External(name) => strings.get(name),
            ResourceOwner::Dialect(dialect) => dialect_name(section, strings, dialect),
        };
        let key = strings.get(entry.key).unwrap_or_default();
        Resource { module: self, index, entry, group: group.unwrap_or_default(), key }
    }

    pub(crate) fn resource_payload(&self, entry: &ResourceEntry) -> Result<Option<ResourcePayload>> {
        self.source.check()?;
        let section = self.bytecode.section(SectionId::Resource).map_or(0, |s| s.offset);
        ResourcePayload::read(&self.source, section, entry, self.string_count()?)
    }

    // ---- bodies ----

    fn ir(&self) -> Result<&Ir> {
        self.once(&self.ir, || {
            let properties = match self.properties.get() {
                Some(Ok(table)) => table.len() as u64,
                // A resident section is shared; only its count is read.
                _ => {
                    let (data, base) = self.section(SectionId::Properties)?;
                    PropertyTable::read_len(&data, base)?
                }
            };
            let op_names = self.dialect_table()?.section.op_names.len() as u32;
            let EntryCounts { attributes, types } = self.entry_counts()?;
            let (data, base) = self.section(SectionId::Ir)?;
            let properties = u32::try_from(properties).unwrap_or(u32::MAX);
            Ok(Ir { data, base, bounds: IrBounds { op_names, attributes, types, properties } })
        })
    }

    /// Feeds the whole IR section to `sink`, in file order, storing nothing else.
    ///
    /// # Errors
    /// The first broken rule; events before it were delivered.
    ///
    /// ```
    /// use mlirbc::format::ir::{OpHead, OpSink};
    /// struct Names(Vec<u32>);
    /// impl OpSink for Names {
    ///     fn op(&mut self, head: OpHead) { self.0.push(head.name); }
    /// }
    /// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
    /// let mut names = Names(Vec::new());
    /// module.stream(&mut names)?;
    /// assert_eq!(names.0, [0, 1, 2, 3]);
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn stream<S: OpSink>(&self, sink: &mut S) -> Result<()> {
        self.stream_with(sink, &|_, _| {})
    }

    pub(crate) fn stream_with<S: OpSink>(&self, sink: &mut S, progress: &dyn Fn(u64, u64)) -> Result<()> {
        let ir = self.ir()?;
        let read = self.read_ir(ir, Root::TopLevel, 0..ir.data.len(), 0, sink, None, progress);
        self.source.check()?;
        read
    }

    /// The sizes of the tables that ops refer to.
    ///
    /// # Errors
    /// When one of these tables is malformed.
    ///
    /// ```
    /// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
    /// assert_eq!(module.ir_bounds()?.op_names, 4);
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn ir_bounds(&self) -> Result<IrBounds> {
        Ok(self.ir()?.bounds)
    }

    #[allow(clippy::too_many_arguments)] // one private seam between the module and the decoder
    fn read_ir<S: OpSink>(
        &self,
        ir: &Ir,
        root: Root,
        range: std::ops::Range<usize>,
        depth: u32,
        sink: &mut S,
        parent: Option<(BodyId, OpId)>,
        progress: &dyn Fn(u64, u64),
    ) -> Result<()> {
        let (version, max_depth) = (self.bytecode.version(), self.limits.max_depth);
        let mut reader = IrReader::new(&ir.data, ir.base, range, version, ir.bounds, depth, max_depth);
        let interrupted = || self.interrupt.as_ref().is_some_and(|interrupt| interrupt());
        let meter = Meter { budget: &self.budget, interrupted: &interrupted, progress };
        reader.read(root, sink, &meter).map_err(|error| {
            let path = self.describe_path(parent, reader.path());
            if path.is_empty() { error } else { error.with_path(path) }
        })
    }

    #[inline]
    pub(crate) fn slot(&self, id: BodyId) -> Option<&BodySlot> {
        match id.index().checked_sub(1) {
            None => Some(&self.top_level),
            Some(row) => self.bodies.get(row),
        }
    }

    fn add_slot(&self, slot: BodySlot) -> BodyId {
        BodyId(self.bodies.push(slot) as u32 + 1)
    }

    /// The top-level operations, without what is inside isolated ones.
    ///
    /// # Errors
    /// When a table that ops refer to, or the top level itself, is malformed.
    ///
    /// ```
    /// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
    /// assert_eq!(module.top_level()?.len(), 1);
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn top_level(&self) -> Result<&Body> {
        self.body(BodyId::TOP_LEVEL)
    }

    /// A body, decoded when first asked for and kept.
    ///
    /// # Errors
    /// The first broken rule inside it, and [`ErrorKind::Index`] for a body that was not met yet.
    ///
    /// ```
    /// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
    /// let body = module.operation()?.isolated_body().unwrap();
    /// assert_eq!(module.body(body)?.len(), 3);
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    #[inline]
    pub fn body(&self, id: BodyId) -> Result<&Body> {
        match self.slot(id).and_then(|slot| slot.body.get()) {
            Some(Ok(body)) => Ok(body),
            _ => self.read_body(id),
        }
    }

    /// The body, if it was decoded before.
    ///
    /// ```
    /// use mlirbc::BodyId;
    /// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
    /// assert!(module.decoded_body(BodyId::TOP_LEVEL).is_none());
    /// module.top_level()?;
    /// assert!(module.decoded_body(BodyId::TOP_LEVEL).is_some());
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    #[inline]
    pub fn decoded_body(&self, id: BodyId) -> Option<&Body> {
        self.slot(id)?.body.get()?.as_ref().ok().map(|body| &**body)
    }

    fn read_body(&self, id: BodyId) -> Result<&Body> {
        let ir = self.ir()?;
        let slot = self
            .slot(id)
            .ok_or_else(|| Error::new(ErrorKind::Index, "a body of this module", format!("`{}`", id.0)))?;
        let body = self.once_unless_torn(&slot.body, || {
            self.poll(slot.range.len() as u64)?;
            let inline = !self.bytecode.version().has_region_sections();
            let mut builder = BodyBuilder::new(slot.range.len(), inline);
            let range = slot.range.clone();
            self.read_ir(ir, slot.root, range, slot.depth, &mut builder, slot.parent, &|_, _| {})?;
            let mut built = builder.finish()?.into_iter();
            let mut root = built.next().map(|built| built.body).unwrap_or_default();
            if inline {
                self.adopt_inline(id, &mut root, built.collect());
            } else {
                for child in &mut root.children {
                    let slot = BodySlot::new(
                        Some((id, OpId(child.op))),
                        Root::Regions(child.regions.count),
                        child.regions.range.clone(),
                        child.regions.depth,
                    );
                    child.body = self.add_slot(slot);
                }
            }
            Ok(Box::new(root))
        })?;
        Ok(body)
    }

    // Looks for a request to stop once for every 256 KiB of bodies.
    fn poll(&self, bytes: u64) -> Result<()> {
        const STEP: u64 = 256 << 10;
        let before = self.work.fetch_add(bytes, Ordering::Relaxed);
        let is_due = before / STEP != (before + bytes) / STEP;
        if is_due && self.interrupt.as_ref().is_some_and(|interrupt| interrupt()) {
            return Err(Error::new(ErrorKind::Interrupted, "to read on", "a request to stop"));
        }
        Ok(())
    }

    // Bodies that were read with their parent get their slots, parents first, already filled.
    fn adopt_inline(&self, root_id: BodyId, root: &mut Body, built: Vec<super::body::BuiltBody>) {
        let mut ids = vec![root_id; built.len() + 1];
        for built in &built {
            let parent = built.parent.map(|(number, op)| (ids[number as usize], op));
            let slot = BodySlot::new(parent, Root::Regions(0), 0..0, built.depth);
            ids[built.number as usize] = self.add_slot(slot);
        }
        let rename = |body: &mut Body| {
            for child in &mut body.children {
                child.body = ids[child.body.index()];
            }
        };
        rename(root);
        for mut built in built {
            rename(&mut built.body);
            let id = ids[built.number as usize];
            if let Some(slot) = self.slot(id) {
                // The slot was made above and nobody else knows its id yet.
                let _ = slot.body.set(Ok(Box::new(built.body)));
            }
        }
    }

    pub(crate) fn use_index(&self, id: BodyId) -> Result<&UseIndex> {
        let body = self.body(id)?;
        let slot = self
            .slot(id)
            .ok_or_else(|| Error::new(ErrorKind::Index, "a body of this module", format!("`{}`", id.0)))?;
        self.once(&slot.uses, || {
            let spent = self.budget.spend(UseIndex::cost(body));
            spent.map_err(|error| error.at(self.ir().map_or(0, |ir| ir.base)).in_section(SectionId::Ir))?;
            Ok(Box::new(UseIndex::build(body)))
        })
        .map(|index| &**index)
    }

    /// How many bodies have been met so far; more are met as bodies are decoded.
    ///
    /// ```
    /// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
    /// module.decode_all(1)?;
    /// assert_eq!(module.body_count(), 2);
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn body_count(&self) -> usize {
        self.bodies.count() + 1
    }

    /// Decodes every body that is not decoded yet, on `threads` threads (0: as many as there are cores).
    ///
    /// # Errors
    /// The error of the first body that has one, in the order of a walk.
    ///
    /// ```
    /// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
    /// module.decode_all(0)?;
    /// assert!(module.decoded_body(module.operation()?.isolated_body().unwrap()).is_some());
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn decode_all(&self, threads: usize) -> Result<()> {
        self.top_level()?;
        #[cfg(feature = "parallel")]
        if threads != 1 {
            self.decode_parallel(threads)?;
        }
        #[cfg(not(feature = "parallel"))]
        let _ = threads;
        self.decode_in_order()?;
        self.source.check()
    }

    // Also what decides which error is reported: the first in file order, whatever finished first.
    fn decode_in_order(&self) -> Result<()> {
        let mut pending = vec![BodyId::TOP_LEVEL];
        while let Some(id) = pending.pop() {
            let children = &self.body(id)?.children;
            pending.extend(children.iter().rev().map(|child| child.body));
        }
        Ok(())
    }

    #[cfg(feature = "parallel")]
    fn decode_parallel(&self, threads: usize) -> Result<()> {
        // After an error nothing new is started: which error counts is found out in order afterwards.
        fn spawn<'s>(module: &'s Module, id: BodyId, failed: &'s AtomicBool, scope: &rayon::Scope<'s>) {
            if failed.load(Ordering::Relaxed) {
                return;
            }
            match module.body(id) {
                Ok(body) => {
                    for child in &body.children {
                        let id = child.body;
                        scope.spawn(move |scope| spawn(module, id, failed, scope));
                    }
                }
                Err(_) => failed.store(true, Ordering::Relaxed),
            }
        }
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .map_err(|error| Error::io("cannot start threads", std::io::Error::other(error)))?;
        let failed = AtomicBool::new(false);
        pool.in_place_scope(|scope| spawn(self, BodyId::TOP_LEVEL, &failed, scope));
        Ok(())
    }

    /// How many ops of each name the file has, by the names' indices; bodies are not kept.
    ///
    /// # Errors
    /// The first broken rule of the IR section.
    ///
    /// ```
    /// let module = mlirbc::Module::from_bytes(mlirbc::doc_example()).unwrap();
    /// assert_eq!(module.op_counts().unwrap(), [1, 1, 1, 1]);
    /// ```
    pub fn op_counts(&self) -> Result<Vec<u64>> {
        struct Count(Vec<u64>);
        impl OpSink for Count {
            #[inline(always)]
            fn op(&mut self, head: crate::format::ir::OpHead) {
                self.0[head.name as usize] += 1;
            }
        }
        let mut count = Count(vec![0; self.ir()?.bounds.op_names as usize]);
        self.stream(&mut count)?;
        Ok(count.0)
    }

    // ---- views ----

    /// The block that holds the top-level operations.
    ///
    /// # Errors
    /// When the top level is malformed.
    ///
    /// ```
    /// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
    /// assert_eq!(module.top_level_block()?.len(), 1);
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn top_level_block(&self) -> Result<Block<'_>> {
        Ok(Block::top_level(self, self.top_level()?))
    }

    /// The top-level operation, usually a `builtin.module`.
    ///
    /// # Errors
    /// [`ErrorKind::TopLevel`] when there is none or more than one, and malformed bytes.
    ///
    /// ```
    /// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
    /// assert_eq!(module.operation()?.name(), "builtin.module");
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn operation(&self) -> Result<Operation<'_>> {
        let body = self.top_level()?;
        let count = body.blocks.first().map_or(0, |block| block.ops);
        if count != 1 {
            return Err(Error::new(ErrorKind::TopLevel, "one top-level operation", format!("`{count}`"))
                .at(self.ir()?.base)
                .in_section(SectionId::Ir));
        }
        Ok(Operation::new(self, body, BodyId::TOP_LEVEL, OpId(0)))
    }

    // `op 2 (func.func) > op 7 (arith.addi)`, at most a handful of steps from each end.
    fn describe_path(&self, parent: Option<(BodyId, OpId)>, steps: impl Iterator<Item = PathStep>) -> String {
        let mut parts = Vec::new();
        if let Some(op) = parent.and_then(|(body, op)| Operation::from_ids(self, body, op)) {
            parts.push(op.path());
        }
        for step in steps {
            let name = step.op_name.and_then(|id| self.op_name(OpNameId(id)));
            if let (Some(name), Some(last)) = (name, parts.last_mut()) {
                *last = format!("{last} ({})", name.full());
            }
            let region =
                if step.op_name.is_some() { format!("region {}, ", step.region) } else { String::new() };
            parts.push(format!("{region}block {}, op {}", step.block, step.op));
        }
        shorten(parts)
    }
}

fn dialect_name<'m>(section: &DialectSection, strings: &'m StringTable, index: u32) -> Option<&'m [u8]> {
    strings.get(section.dialects.get(index as usize)?.name)
}

fn name_of<'m>(
    section: &DialectSection,
    strings: &'m StringTable,
    id: OpNameId,
    entry: &OpNameEntry,
) -> OperationName<'m> {
    OperationName {
        id,
        dialect: dialect_name(section, strings, entry.dialect).unwrap_or_default(),
        stem: strings.get(entry.name).unwrap_or_default(),
        is_registered: entry.is_registered,
    }
}

/// Joins the steps of a path; of a very long one only both ends.
pub(crate) fn shorten(mut parts: Vec<String>) -> String {
    const KEPT: usize = 6;
    if parts.len() > 2 * KEPT {
        let dropped = parts.len() - 2 * KEPT;
        parts.splice(KEPT..KEPT + dropped, [format!("({dropped} more)")]);
    }
    parts.join(" > ")
}

impl BodySlot {
    fn new(parent: Option<(BodyId, OpId)>, root: Root, range: std::ops::Range<usize>, depth: u32) -> Self {
        Self { parent, root, range, depth, body: OnceCell::new(), uses: OnceCell::new() }
    }
}

fn is_transient(error: &Error) -> bool {
    matches!(error.class(), ErrorClass::Io | ErrorClass::Interrupted) || error.kind() == ErrorKind::Shrunk
}
