//! The tables of a file, each decoded on first use.
//!
//! Owns [`FileTables`], a handle that attributes, types and modules share: strings, dialects, attributes,
//! types, property blobs, resources and the release. Does not own the IR; `ir` decodes it from the bytes that
//! this layer provides.

mod candidates;
pub(crate) mod entries;
pub(crate) mod entry_classes;
pub(crate) mod hooks;
mod installed_packs;
mod ir;
pub(crate) mod release;
pub(crate) mod resource;
mod resource_keys;
pub(crate) mod resources;
pub(crate) mod table_rows;
pub(crate) mod tables;
mod trace;

use std::ops::ControlFlow;
use std::sync::{Arc, Weak};

use once_cell::sync::OnceCell;

use crate::container::{Container, ContainerKind, HostTable, MAIN, ModuleChoice};
use crate::dialect::DialectTable;
use crate::dialect::registry::Registry;
use crate::format::attr_type::EntryTable;
use crate::format::container::{Bytecode, Section};
use crate::format::dialect::{DialectSection, OpNameEntry};
use crate::format::id::{AttrId, OpNameId};
use crate::format::properties::PropertyTable;
use crate::format::resource::ResourceDirectory;
use crate::format::string::StringTable;
use crate::props::op_name::OperationName;
use crate::props::registry::Schemas;
use crate::props::schema::PropertySchema;
use crate::release::{Llvm, Release, waiting};
use crate::wire::bytes::{Backend, Bytes, Source};
use crate::wire::error::{Error, ErrorClass, ErrorKind, Result};
use crate::wire::limits::{Budget, Limits};
use crate::wire::options::setters;
use crate::wire::section::SectionId;

use entry_classes::EntryClasses;
use hooks::{DialectInterfaces, HookResults};
use installed_packs::registry_for;
use resource_keys::DialectResourceKeys;

pub(crate) use candidates::{build_time, candidate_releases};
pub(crate) use entries::FileEntries;
pub(crate) use ir::{IrSection, shorten};
use release::SelectedLayout;
pub(crate) use release::{Choice, NamedLayouts, WrittenForms};
pub use release::{
    Contradiction, DetectedRelease, ExcludedBuild, ReleaseDescription, ReleaseEvidence, ReleaseKind,
    ReleaseOrigin,
};
pub use resource::{Resource, ResourceValue};
pub use trace::trace_fields;

/// A callback that is polled during long work; `true` stops the work.
pub type Interrupt = Arc<dyn Fn() -> bool + Send + Sync>;

/// Options for opening a module.
///
/// ```
/// use mlirbc::bytes::Backend;
/// use mlirbc::Limits;
/// use mlirbc::ReadOptions;
/// let options = ReadOptions::default().backend(Backend::Read);
/// assert_eq!(options.limits, Limits::default());
/// ```
#[derive(Clone, Default)]
#[non_exhaustive]
pub struct ReadOptions {
    /// The method of reading a local file.
    pub backend: Backend,
    /// The limits for decoding.
    pub limits: Limits,
    /// A callback that is polled during long work.
    pub interrupt: Option<Interrupt>,
    /// Dialect tables for this module, which take precedence over registered ones.
    pub dialects: Vec<Arc<DialectTable>>,
    /// The release that wrote the file, instead of detecting it: one of [`Release::known`] or of `schemas`.
    pub release: Option<Release>,
    /// The layouts of properties of single operations, as pairs of an operation and a release. The operation
    /// has the layout of that release, whatever wrote the file.
    #[doc(hidden)]
    pub layouts: Vec<(String, String)>,
    /// Property schemas for this module, which take precedence over registered ones.
    #[doc(hidden)]
    pub schemas: Vec<Arc<PropertySchema>>,
    /// Dialects to treat as unknown: no table except the tables in `dialects`, no property schema. The
    /// builtin dialect is always known.
    pub unknown_dialects: Vec<String>,
    /// Code of dialects for this module, which takes precedence over tables.
    pub interfaces: DialectInterfaces,
    /// The module to open in a file with several modules; by default the first one.
    pub module: Option<ModuleChoice>,
    /// Hosts of nested modules, which take precedence over the shipped ones.
    pub hosts: Vec<Arc<HostTable>>,
    /// A file by the same build: each operation has the layout of properties that it has in that file. An
    /// operation that the file does not have gets the layout on which the builds around the file agree.
    #[doc(hidden)]
    pub like: Option<FileTables>,
}

setters! {
    ReadOptions {
        backend: Backend,
        limits: Limits,
        interrupt: Interrupt,
        dialects: Vec<Arc<DialectTable>>,
        release: impl Into<Option<Release>>,
        #[doc(hidden)]
        layouts: Vec<(String, String)>,
        #[doc(hidden)]
        schemas: Vec<Arc<PropertySchema>>,
        unknown_dialects: Vec<String>,
        interfaces: DialectInterfaces,
        module: impl Into<Option<ModuleChoice>>,
        hosts: Vec<Arc<HostTable>>,
        #[doc(hidden)]
        like: impl Into<Option<FileTables>>,
    }
}

/// The tables of a file: strings, dialects, attributes, types, property blobs and resources, with everything
/// that their readers need. A handle: clones share everything.
///
/// ```
/// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
/// let tables = module.tables().clone();
/// drop(module);
/// assert_eq!(tables.strings()?.get(0), Some(&b"builtin"[..]));
/// # Ok::<(), mlirbc::Error>(())
/// ```
#[derive(Clone)]
pub struct FileTables(Arc<Tables>);

/// A weak handle, which does not keep the tables in memory.
#[derive(Debug, Clone)]
pub(crate) struct WeakFileTables(Weak<Tables>);

struct Tables {
    source: Source,
    // The container of the source, and the index of the module in it.
    container: Option<(Container, usize)>,
    bytecode: Bytecode,
    limits: Limits,
    hosts: Vec<Arc<HostTable>>,
    budget: Budget,
    interrupt: Option<Interrupt>,
    strings: OnceCell<Result<StringTable>>,
    dialects: OnceCell<Result<Dialects>>,
    entries: OnceCell<Result<EntrySection>>,
    unknown_location: OnceCell<Result<Option<AttrId>>>,
    registry: Registry,
    codecs: OnceCell<Result<entries::Codecs>>,
    dialect_resources: OnceCell<Result<DialectResourceKeys>>,
    properties: OnceCell<Result<PropertyTable>>,
    schemas: Schemas,
    release_name: Option<String>,
    // Pairs of an operation and a release.
    selected_layouts: Vec<(String, String)>,
    // The layouts of the file from which this file was made.
    layouts: Option<Arc<NamedLayouts>>,
    release: OnceCell<Result<DetectedRelease>>,
    resources: OnceCell<Result<ResourceDirectory>>,
    // Indices of resources by key.
    resource_names: OnceCell<Result<resources::ResourceNames>>,
    ir: OnceCell<Result<IrSection>>,
    entry_classes: OnceCell<EntryClasses>,
    hooks: HookResults,
}

pub(crate) struct Dialects {
    section: DialectSection,
    data: Bytes,
}

/// The attribute and type directory with its payloads.
pub(crate) struct EntrySection {
    pub(crate) table: EntryTable,
    pub(crate) payloads: Bytes,
    pub(crate) base: u64,
}

impl std::fmt::Debug for FileTables {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("FileTables")
            .field("version", &self.0.bytecode.version())
            .field("source", &self.0.source)
            .finish_non_exhaustive()
    }
}

impl std::fmt::Debug for Tables {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Tables").field("source", &self.source).finish_non_exhaustive()
    }
}

impl WeakFileTables {
    /// The address of the tables.
    pub(crate) fn address(&self) -> usize {
        self.0.as_ptr() as usize
    }
}

impl FileTables {
    /// Reads the header of the file and one header per section.
    ///
    /// # Errors
    /// If the source is not bytecode, or the release in `options` is not known.
    pub(crate) fn open(source: Source, options: &ReadOptions) -> Result<Self> {
        if let Some(release) = &options.release {
            waiting::load_for_release(release.as_str());
        }
        let mut tables = Self::open_with_loaded(source, options)?;
        tables.load_installed_packs(options);
        Ok(tables)
    }

    /// Opens a file with the packs that are loaded.
    fn open_with_loaded(source: Source, options: &ReadOptions) -> Result<Self> {
        let registry = registry_for(options);
        if let Some(like) = &options.like {
            let schemas = (like.0.schemas.clone(), Some(like.named_layouts()?));
            return Self::with((source, None), options, registry, schemas);
        }
        let Some(container) = Container::recognize(&source, &options.limits)? else {
            let schemas = Schemas::snapshot(&options.schemas);
            return Self::with((source, None), options, registry, (schemas, None));
        };
        let index = container.index_of(options.module.as_ref())?;
        let schemas = Schemas::snapshot(&options.schemas);
        let source = container.source(index)?;
        let (start, kind) = (source.start(), container.kind());
        let opened = Self::with((source, Some((container, index))), options, registry, (schemas, None));
        opened.map_err(|error| match error.kind() {
            ErrorKind::Magic if kind != ContainerKind::Bytecode => error
                .in_module_at(start)
                .with_hint(format!("a module of the {kind} is damaged; write or download the file again")),
            _ => error.in_module_at(start),
        })
    }

    fn with(
        (source, container): (Source, Option<(Container, usize)>),
        options: &ReadOptions,
        registry: Registry,
        (schemas, layouts): (Schemas, Option<Arc<NamedLayouts>>),
    ) -> Result<Self> {
        let bytecode = Bytecode::read(&source);
        source.check()?;
        let bytecode = bytecode?;
        if container.is_none() {
            check_only_module(options.module.as_ref())?;
        }
        options.release.as_ref().map_or(Ok(()), |release| schemas.check(release.as_str()))?;
        SelectedLayout::find_all(&schemas, &options.layouts)?;
        Ok(Self(Arc::new(Tables {
            budget: options.limits.budget(source.len()),
            source,
            container,
            bytecode,
            limits: options.limits.clone(),
            hosts: options.hosts.clone(),
            interrupt: options.interrupt.clone(),
            strings: OnceCell::new(),
            dialects: OnceCell::new(),
            entries: OnceCell::new(),
            unknown_location: OnceCell::new(),
            registry,
            codecs: OnceCell::new(),
            dialect_resources: OnceCell::new(),
            properties: OnceCell::new(),
            schemas,
            release_name: options.release.as_ref().map(Release::to_string),
            selected_layouts: options.layouts.clone(),
            layouts,
            release: OnceCell::new(),
            resources: OnceCell::new(),
            resource_names: OnceCell::new(),
            ir: OnceCell::new(),
            entry_classes: OnceCell::new(),
            hooks: HookResults::new(&options.interfaces),
        })))
    }

    /// Opens another source with the same options.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub(crate) fn like(&self, source: Source) -> Result<Self> {
        // A release that is certain is found again by its name or producer string.
        let is_found_again = |release: &DetectedRelease| release.is_exact() && release.is_certain();
        let layouts = match self.0.release.get() {
            Some(Ok(release)) if !is_found_again(release) => Some(self.named_layouts()?),
            _ => None,
        };
        let selected = self.0.selected_layouts.clone();
        self.related((source, None), (self.0.release_name.clone(), selected), layouts)
    }

    /// Opens another source as [`Self::like`] does; in a container, the module with the same index.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub(crate) fn like_file(&self, source: Source) -> Result<Self> {
        let Some(container) = Container::recognize(&source, &self.0.limits)? else {
            return self.like(source);
        };
        let index = self.module_index();
        let place = (container.source(index)?, Some((container, index)));
        let selected = (self.0.release_name.clone(), self.0.selected_layouts.clone());
        self.related(place, selected, None)
    }

    /// Opens another source as [`Self::like`] does, as a file of another release.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub(crate) fn like_of_release(&self, source: Source, release: Option<String>) -> Result<Self> {
        self.related((source, None), (release, Vec::new()), None)
    }

    /// Opens another module of the same container with the same options; returns the same module if there is
    /// no container.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub(crate) fn sibling(&self, index: usize) -> Result<Self> {
        let Some((container, own)) = &self.0.container else { return Ok(self.clone()) };
        if *own == index {
            return Ok(self.clone());
        }
        let place = (container.source(index)?, Some((container.clone(), index)));
        let start = place.0.start();
        let selected = (self.0.release_name.clone(), self.0.selected_layouts.clone());
        let opened = self.related(place, selected, self.0.layouts.clone());
        opened.map_err(|error| error.in_module_at(start))
    }

    /// Opens the same source with the same options; `hosts` come before the file's own hosts of nested
    /// modules.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub(crate) fn with_hosts(&self, mut hosts: Vec<Arc<HostTable>>) -> Result<Self> {
        hosts.extend(self.0.hosts.iter().cloned());
        let selected = (self.0.release_name.clone(), self.0.selected_layouts.clone());
        let place = (self.0.source.clone(), self.0.container.clone());
        self.related_with(place, selected, self.0.layouts.clone(), hosts)
    }

    fn related(
        &self,
        place: (Source, Option<(Container, usize)>),
        selected: (Option<String>, Vec<(String, String)>),
        layouts: Option<Arc<NamedLayouts>>,
    ) -> Result<Self> {
        self.related_with(place, selected, layouts, self.0.hosts.clone())
    }

    fn related_with(
        &self,
        place: (Source, Option<(Container, usize)>),
        (release, selected): (Option<String>, Vec<(String, String)>),
        layouts: Option<Arc<NamedLayouts>>,
        hosts: Vec<Arc<HostTable>>,
    ) -> Result<Self> {
        let options = ReadOptions {
            limits: self.0.limits.clone(),
            hosts,
            interrupt: self.0.interrupt.clone(),
            release: release.map(Release::named),
            layouts: selected,
            interfaces: self.0.hooks.interfaces().clone(),
            ..ReadOptions::default()
        };
        let schemas = (self.0.schemas.clone(), layouts);
        Self::with(place, &options, self.0.registry.clone(), schemas)
    }

    /// Whether both are handles to one file that was opened once.
    pub fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// The address of the tables, which is unique while they, or a weak handle to them, are kept.
    pub(crate) fn address(&self) -> usize {
        Arc::as_ptr(&self.0) as usize
    }

    pub(crate) fn downgrade(&self) -> WeakFileTables {
        WeakFileTables(Arc::downgrade(&self.0))
    }

    /// The version, producer and sections.
    pub fn bytecode(&self) -> &Bytecode {
        &self.0.bytecode
    }

    /// The source of the bytes.
    pub fn source(&self) -> &Source {
        &self.0.source
    }

    /// The container of the module; `None` for a file that is bytecode from its first byte.
    ///
    /// Offsets of the module count from its own first byte, which is at [`Source::start`] in the content of
    /// the container.
    pub fn container(&self) -> Option<&Container> {
        self.0.container.as_ref().map(|(container, _)| container)
    }

    /// The index of the module in its container.
    pub fn module_index(&self) -> usize {
        self.0.container.as_ref().map_or(0, |&(_, index)| index)
    }

    /// The hosts of nested modules that the caller provides.
    pub(crate) fn hosts(&self) -> &[Arc<HostTable>] {
        &self.0.hosts
    }

    /// The limits with which the file was opened.
    pub fn limits(&self) -> &Limits {
        &self.0.limits
    }

    /// Creates a fresh account for one piece of work on this module: writing, printing, editing, a layout.
    pub(crate) fn work_budget(&self) -> Budget {
        self.0.budget.for_work()
    }

    /// Creates a fresh account for a table or a listing that stays in memory with its text.
    pub(crate) fn table_budget(&self) -> Budget {
        self.0.limits.table_budget(self.0.source.len())
    }

    /// The cache of hashes and equivalence classes of the file's entries.
    pub(crate) fn entry_classes(&self) -> &EntryClasses {
        self.0.entry_classes.get_or_init(|| {
            let counts = self.entry_table().map(|section| section.table.counts());
            let counts = counts.map_or((0, 0), |counts| (counts.attributes as usize, counts.types as usize));
            EntryClasses::new(counts, Some(self.0.budget.clone()))
        })
    }

    /// Decodes once, and caches errors of the file, but not temporary ones.
    pub(crate) fn once<'s, T>(
        &'s self,
        cell: &'s OnceCell<Result<T>>,
        read: impl FnOnce() -> Result<T>,
    ) -> Result<&'s T> {
        self.once_unless_torn(cell, || {
            let result = read();
            self.0.source.check()?;
            result
        })
    }

    // Decodes a body once. There may be many bodies, so the size of the file is checked only after errors.
    pub(crate) fn once_unless_torn<'s, T>(
        &'s self,
        cell: &'s OnceCell<Result<T>>,
        read: impl FnOnce() -> Result<T>,
    ) -> Result<&'s T> {
        let settled = match cell.get() {
            Some(settled) => settled,
            None => cell.get_or_try_init(|| {
                let result = read();
                // Zeros of lost pages must not become content, nor cause an error that blames the file.
                match result {
                    Ok(_) => self.0.source.check_pages()?,
                    Err(_) => self.0.source.check()?,
                }
                match result {
                    Err(error) if is_transient(&error) => Err(error),
                    settled => Ok(settled),
                }
            })?,
        };
        settled.as_ref().map_err(Error::clone)
    }

    /// Returns the result of work on the bytes, or an error if the file lost some of the bytes in the
    /// meantime.
    pub(crate) fn unless_lost<T>(&self, result: Result<T>) -> Result<T> {
        self.0.source.check_pages()?;
        result
    }

    /// The bytes of a section.
    pub(crate) fn section_bytes(&self, id: SectionId) -> Result<Bytes> {
        self.section(id).map(|(bytes, _)| bytes)
    }

    /// The budget for everything that the module keeps in memory.
    pub(crate) fn budget(&self) -> &Budget {
        &self.0.budget
    }

    /// # Errors
    /// If a stop was requested.
    pub(crate) fn check_interrupt(&self) -> Result<()> {
        if self.is_interrupted() {
            return Err(Error::message(ErrorKind::Interrupted, "the caller requested to stop"));
        }
        Ok(())
    }

    /// Polls for a request to stop, for work in pieces.
    pub(crate) fn poll_interrupt(&self) -> ControlFlow<()> {
        if self.is_interrupted() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    pub(crate) fn is_interrupted(&self) -> bool {
        self.0.interrupt.as_ref().is_some_and(|interrupt| interrupt())
    }

    /// Returns the LLVM whose printer the writer has.
    pub(crate) fn release_llvm(&self) -> Llvm {
        let producer = self.0.bytecode.producer();
        if let Some(tools) = Llvm::of_tools(producer) {
            return tools;
        }
        let release = self.release().ok().and_then(|release| release.schema()?.llvm());
        release.or_else(|| Llvm::of_producer(producer)).unwrap_or(Llvm::NEWEST)
    }

    fn section(&self, id: SectionId) -> Result<(Bytes, u64)> {
        match self.0.bytecode.section(id) {
            Some(Section { offset, size, .. }) => {
                // The bytes are a view if the source is resident.
                if self.0.source.is_ranged() {
                    let size = usize::try_from(size).unwrap_or(usize::MAX);
                    self.0.budget.spend(size).map_err(|error| error.at(offset).in_section(id))?;
                }
                Ok((self.0.source.get(offset..offset + size)?, offset))
            }
            None => Ok((Bytes::new(), self.0.bytecode.size())),
        }
    }
}

// A file that is bytecode has one module, with the path `main`.
pub(crate) fn check_only_module(choice: Option<&ModuleChoice>) -> Result<()> {
    match choice {
        None | Some(ModuleChoice::Index(0)) => Ok(()),
        Some(ModuleChoice::Name(name)) if name == MAIN => Ok(()),
        Some(choice) => {
            let expected = "the module 0 of a file that is bytecode, not a container";
            let error = Error::new(ErrorKind::ModuleChoice, expected, format!("`{choice}`"));
            Err(error.with_hint("only containers have several modules"))
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

/// Whether the same work may succeed later.
pub(crate) fn is_transient(error: &Error) -> bool {
    matches!(error.class(), ErrorClass::Io | ErrorClass::Interrupted) || error.kind() == ErrorKind::Shrunk
}
