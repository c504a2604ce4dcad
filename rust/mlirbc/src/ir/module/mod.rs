//! A file's module: its bytes, the tables and the bodies, each decoded when it is first asked for.

mod bodies;
mod entries;
mod release;
mod resources;
mod tables;

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use once_cell::sync::OnceCell;

use crate::attr::marks::Marks;
use crate::dialect::DialectTable;
use crate::dialect::registry::Registry;
use crate::format::attr_type::EntryTable;
use crate::format::container::{Bytecode, Section};
use crate::format::dialect::{DialectSection, OpNameEntry};
use crate::format::ir::{IrBounds, Root};
use crate::format::properties::PropertyTable;
use crate::format::resource::ResourceDirectory;
use crate::format::string::StringTable;
use crate::props::release::Schemas;
use crate::props::{PropertySchema, Release};
use crate::release::Llvm;
use crate::wire::bytes::{Backend, Bytes, Source};
use crate::wire::error::{Error, ErrorClass, ErrorKind, Result};
use crate::wire::limits::{Budget, Limits};
use crate::wire::section::SectionId;

use super::body::Body;
use super::id::{BodyId, OpId};
use super::places::PlaceIndex;
use super::uses::UseIndex;
use crate::attr::id::{AttrId, OpNameId};
use crate::attr::rows::OperationName;

pub(crate) use entries::FileEntries;
pub use release::{DeclaredProperties, InherentAttributes, PropertyState};
pub(crate) use release::{Inherent, PropertyReader};

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
    /// Dialect tables for this module, before those that are registered.
    pub dialects: Vec<Arc<DialectTable>>,
    /// The release that wrote the file, instead of finding out: one of [`known_releases`](crate::known_releases) or
    /// of `schemas`.
    pub release: Option<String>,
    /// Property schemas for this module, before those that are registered.
    pub schemas: Vec<Arc<PropertySchema>>,
    /// Dialects to take for unknown, whatever mlirbc knows of them: no table but those in `dialects`, no property
    /// schema. The builtin dialect is always known.
    pub unknown_dialects: Vec<String>,
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
    entries: OnceCell<Result<EntrySection>>,
    unknown_location: OnceCell<Result<Option<AttrId>>>,
    registry: Registry,
    codecs: OnceCell<Result<entries::Codecs>>,
    dialect_resources: OnceCell<Result<Box<[u32]>>>,
    properties: OnceCell<Result<PropertyTable>>,
    schemas: Schemas,
    release_name: Option<String>,
    release: OnceCell<Result<Release>>,
    resources: OnceCell<Result<ResourceDirectory>>,
    // Places of resources by key.
    resource_names: OnceCell<Result<resources::ResourceNames>>,
    ir: OnceCell<Result<Ir>>,
    // Most small modules never need more than the first slot; the others have the id of their row plus one.
    top_level: BodySlot,
    bodies: boxcar::Vec<BodySlot>,
    marks: OnceCell<Marks>,
}

struct Dialects {
    section: DialectSection,
    data: Bytes,
}

/// The attribute and type directory with its payloads.
pub(crate) struct EntrySection {
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
    range: Range<usize>,
    depth: u32,
    body: OnceCell<Result<Box<Body>>>,
    uses: OnceCell<Result<Box<UseIndex>>>,
    // `None` where there was no memory for it.
    places: OnceCell<Option<Box<PlaceIndex>>>,
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
    /// When it is not bytecode, or the release in `options` is not known.
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
        let bytecode = Bytecode::read(&source);
        source.check()?;
        let bytecode = bytecode?;
        let schemas = Schemas::snapshot(&options.schemas);
        options.release.as_deref().map_or(Ok(()), |name| schemas.check(name))?;
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
            unknown_location: OnceCell::new(),
            registry: Registry::snapshot(&options.dialects, &options.unknown_dialects),
            codecs: OnceCell::new(),
            dialect_resources: OnceCell::new(),
            properties: OnceCell::new(),
            schemas,
            release_name: options.release.clone(),
            release: OnceCell::new(),
            resources: OnceCell::new(),
            resource_names: OnceCell::new(),
            marks: OnceCell::new(),
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

    // ---- what the rooms of a module share ----

    /// A fresh account for one piece of work on this module: writing, printing, editing, a layout.
    pub(crate) fn work_budget(&self) -> Budget {
        self.budget.for_work()
    }

    /// What is known of its entries from hashing and comparing them.
    pub(crate) fn marks(&self) -> &Marks {
        self.marks.get_or_init(|| {
            let counts = self.entry_table().map(|section| section.table.counts());
            let counts = counts.map_or((0, 0), |counts| (counts.attributes as usize, counts.types as usize));
            Marks::new(counts, Some(self.budget.clone()))
        })
    }

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

    /// The outcome of work on the bytes, unless the file lost some of them meanwhile: then that is the error.
    pub(crate) fn unless_lost<T>(&self, result: Result<T>) -> Result<T> {
        self.source.check_pages()?;
        result
    }

    /// The bytes of a section.
    pub(crate) fn section_bytes(&self, id: SectionId) -> Result<Bytes> {
        self.section(id).map(|(bytes, _)| bytes)
    }

    /// Another source, opened as this one was.
    pub(crate) fn like(&self, source: Source) -> Result<Self> {
        let options = ReadOptions {
            limits: self.limits.clone(),
            interrupt: self.interrupt.clone(),
            release: self.release_name.clone(),
            ..ReadOptions::default()
        };
        let mut this = Self::from_source(source, &options)?;
        (this.registry, this.schemas) = (self.registry.clone(), self.schemas.clone());
        Ok(this)
    }

    fn section(&self, id: SectionId) -> Result<(Bytes, u64)> {
        match self.bytecode.section(id) {
            Some(Section { offset, size, .. }) => {
                // Of a resident source it is a view.
                if self.source.is_ranged() {
                    let size = usize::try_from(size).unwrap_or(usize::MAX);
                    self.budget.spend(size).map_err(|error| error.at(offset).in_section(id))?;
                }
                Ok((self.source.get(offset..offset + size)?, offset))
            }
            None => Ok((Bytes::new(), self.bytecode.size())),
        }
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

/// Joins the steps of a path, given from the innermost; of a very long one only both ends, and only these are written.
pub(crate) fn shorten<T>(steps: &[T], write: impl FnMut(&T) -> String) -> String {
    const KEPT: usize = 6;
    let steps = steps.iter().rev();
    let parts: Vec<String> = match steps.len().checked_sub(2 * KEPT) {
        None | Some(0) => steps.map(write).collect(),
        Some(dropped) => {
            let ends = steps.clone().take(KEPT).chain(steps.skip(KEPT + dropped));
            let mut parts: Vec<String> = ends.map(write).collect();
            parts.insert(KEPT, format!("({dropped} more)"));
            parts
        }
    };
    parts.join(" > ")
}

impl BodySlot {
    fn new(parent: Option<(BodyId, OpId)>, root: Root, range: Range<usize>, depth: u32) -> Self {
        Self {
            parent,
            root,
            range,
            depth,
            body: OnceCell::new(),
            uses: OnceCell::new(),
            places: OnceCell::new(),
        }
    }
}

fn is_transient(error: &Error) -> bool {
    matches!(error.class(), ErrorClass::Io | ErrorClass::Interrupted) || error.kind() == ErrorKind::Shrunk
}

impl Module {
    /// The LLVM whose printer is the writer's.
    pub(crate) fn release_llvm(&self) -> Llvm {
        let producer = self.bytecode.producer();
        if let Some(tools) = Llvm::of_tools(producer) {
            return tools;
        }
        let release = self.release().ok().and_then(|release| release.schema()?.llvm());
        release.or_else(|| Llvm::of_producer(producer)).unwrap_or(Llvm::NEWEST)
    }
}
