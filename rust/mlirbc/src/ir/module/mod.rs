//! A module: the tables of its file, and its bodies, each decoded on first use.

mod agreed_schemas;
mod bodies;
mod counts;
mod definitions;
mod hooks;
mod opaque;
mod parallel_stream;
mod properties;
mod readings;
mod tables;

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use once_cell::sync::OnceCell;

use crate::container::HostTable;
use crate::file::{FileTables, ReadOptions};
use crate::format::ir::Root;
use crate::wire::bytes::{Bytes, Source};
use crate::wire::error::Result;
use crate::wire::section::SectionId;

use super::block_index::BlockIndex;
use super::body::Body;
use super::dictionary::LongDictionaries;
use super::id::{BodyId, OpId};
use super::uses::UseIndex;

pub(crate) use agreed_schemas::AgreedSchemas;
pub(crate) use parallel_stream::{ParallelSink, SetApart};
pub use properties::{DeclaredProperties, InherentAttributes, PropertyState};
pub(crate) use properties::{Inherent, PropertyReader};
pub use readings::{AmbiguousOperation, PropertyReading};

/// An MLIR bytecode file. Opening reads the header and one header per section; everything else is read on
/// first use and kept. A module is a handle: clones share everything, and several threads can use them.
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
#[derive(Clone)]
pub struct Module {
    tables: FileTables,
    bodies: Arc<Bodies>,
}

struct Bodies {
    // Bytes of bodies read so far: many small bodies are long work too.
    work: AtomicU64,
    // Most small modules need only the first slot; the others have the id of their row plus one.
    top_level: BodySlot,
    slots: boxcar::Vec<BodySlot>,
    dictionaries: LongDictionaries,
    agreed: OnceCell<Result<AgreedSchemas>>,
}

/// The parent and the state of a body.
pub(crate) struct BodySlot {
    pub(crate) parent: Option<(BodyId, OpId)>,
    root: Root,
    range: Range<usize>,
    depth: u32,
    body: OnceCell<Result<Box<Body>>>,
    uses: OnceCell<Result<Box<UseIndex>>>,
    // `None` if the memory limit does not allow it.
    block_index: OnceCell<Option<Box<BlockIndex>>>,
    /// The offsets of the body's ops in the file.
    pub(crate) offsets: OnceCell<Result<Box<[u64]>>>,
}

impl std::fmt::Debug for Module {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Module")
            .field("version", &self.version())
            .field("source", self.tables.source())
            .finish_non_exhaustive()
    }
}

impl Module {
    // ---- opening ----

    /// Reads bytes in memory, without a copy.
    ///
    /// # Errors
    /// If the bytes are not bytecode.
    ///
    /// ```
    /// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
    /// assert_eq!(module.producer(), b"x");
    /// assert!(mlirbc::Module::from_bytes(&b"module {}"[..]).is_err());
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn from_bytes(bytes: impl Into<Bytes>) -> Result<Self> {
        Self::from_source(Source::from(bytes.into()), &ReadOptions::default())
    }

    /// Reads any source.
    ///
    /// # Errors
    /// If it is not bytecode, or the release in `options` is unknown.
    ///
    /// ```
    /// use mlirbc::Limits;
    /// use mlirbc::{Module, ReadOptions};
    /// let limits = Limits::default().max_depth(100);
    /// let options = ReadOptions::default().limits(limits);
    /// let module = Module::from_source(mlirbc::doc_example().into(), &options)?;
    /// assert_eq!(module.limits().max_depth, 100);
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn from_source(source: Source, options: &ReadOptions) -> Result<Self> {
        Ok(Self::of_tables(FileTables::open(source, options)?))
    }

    /// Opens another module of the same container with the same options.
    ///
    /// # Errors
    /// As [`Self::from_source`].
    pub(crate) fn sibling_module(&self, index: usize) -> Result<Self> {
        Ok(Self::of_tables(self.tables().sibling(index)?))
    }

    /// As [`Self::like`] for a file that may be a container: the module with the same index.
    ///
    /// # Errors
    /// As [`Self::from_source`].
    pub(crate) fn like_file(&self, source: Source) -> Result<Self> {
        Ok(Self::of_tables(self.tables.like_file(source)?))
    }

    /// Opens the same source with the same options; `hosts` come before the module's own hosts of nested
    /// modules.
    ///
    /// # Errors
    /// As [`Self::from_source`].
    pub(crate) fn with_hosts(&self, hosts: Vec<Arc<HostTable>>) -> Result<Self> {
        Ok(Self::of_tables(self.tables().with_hosts(hosts)?))
    }

    fn of_tables(tables: FileTables) -> Self {
        let end = tables.bytecode().section(SectionId::Ir).map_or(0, |section| section.size as usize);
        let top_level = BodySlot::new(None, Root::TopLevel, 0..end, 0);
        let bodies = Bodies {
            work: AtomicU64::new(0),
            top_level,
            slots: boxcar::Vec::new(),
            dictionaries: LongDictionaries::default(),
            agreed: OnceCell::new(),
        };
        Self { tables, bodies: Arc::new(bodies) }
    }

    /// Opens another source with the same options.
    ///
    /// # Errors
    /// As [`Self::from_source`].
    pub(crate) fn like(&self, source: Source) -> Result<Self> {
        Ok(Self::of_tables(self.tables.like(source)?))
    }

    /// Opens another source as [`Self::like`] does, as a file of another release.
    ///
    /// # Errors
    /// As [`Self::from_source`].
    pub(crate) fn like_of_release(&self, source: Source, release: Option<String>) -> Result<Self> {
        Ok(Self::of_tables(self.tables.like_of_release(source, release)?))
    }

    /// The tables of the module's file.
    #[doc(hidden)]
    #[inline]
    pub fn tables(&self) -> &FileTables {
        &self.tables
    }
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
            block_index: OnceCell::new(),
            offsets: OnceCell::new(),
        }
    }

    /// The bytes of the IR section, the root and the depth from which the body is read.
    pub(crate) fn extent(&self) -> (Range<usize>, Root, u32) {
        (self.range.clone(), self.root, self.depth)
    }
}
