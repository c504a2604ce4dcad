//! Writing modules: as they are, or as MLIR's own writer would, for any version and release.
//!
//! A canonical file takes two passes over the IR. The first translates what ops look like and counts what they mention;
//! then everything gets its number; the second writes. Nothing of the IR is kept in between but a form for each op.

pub(crate) mod canonical;
pub(crate) mod pieces;
pub(crate) mod plan;
pub mod replace;
mod save;
mod splice;

use std::io::Write;

use crate::file::FileTables;
use crate::ir::Module;
use crate::wire::error::Result;
use crate::wire::loss::Loss;
use crate::wire::progress::Progress;
use crate::wire::version::BytecodeVersion;

pub use plan::{Opaque, OpaqueKind, WriteMode, WritePlan};

use pieces::Pieces;

/// Which numbers the written file has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Numbering {
    /// Those of the file: the bytes stay what they are.
    #[default]
    Preserve,
    /// Those that MLIR's own writer would give.
    Canonical,
    /// As strict as can be: the bytes of the file if nothing was changed; else MLIR's own numbers if all that is
    /// encoded can be decoded; else those of the file, with new ones behind them.
    Strictest,
}

/// How a module is written.
///
/// ```
/// use mlirbc::{Numbering, WriteOptions};
/// let options = WriteOptions { numbering: Numbering::Canonical, ..WriteOptions::default() };
/// assert!(options.version.is_none() && !options.drop_unsupported);
/// ```
#[derive(Clone, Default)]
pub struct WriteOptions {
    /// Which numbers the file has; another version or target needs those of MLIR's writer.
    pub numbering: Numbering,
    /// The bytecode version; that of the file if not given.
    pub version: Option<BytecodeVersion>,
    /// The release that shall read it, one of [`known_releases`](crate::known_releases); the one that wrote it if not
    /// given.
    pub target: Option<String>,
    /// The producer string; that of the file if not given.
    pub producer: Option<Vec<u8>>,
    /// Leave out what the version or the target cannot hold, instead of refusing.
    pub drop_unsupported: bool,
    /// Make every location of an op or a block argument unknown.
    pub strip_locations: bool,
    /// Leave out the data of resources, and resources that belong to no dialect.
    pub strip_resources: bool,
    /// Receives how far the work is.
    pub progress: Progress,
}

impl std::fmt::Debug for WriteOptions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("WriteOptions")
            .field("numbering", &self.numbering)
            .field("version", &self.version)
            .field("target", &self.target)
            .finish_non_exhaustive()
    }
}

/// What was written.
///
/// ```
/// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
/// let mut bytes = Vec::new();
/// let report = module.write(&mut bytes, &mlirbc::WriteOptions::default())?;
/// assert_eq!(report.bytes, 131);
/// # Ok::<(), mlirbc::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WriteReport {
    /// Bytes of the file.
    pub bytes: u64,
    /// The way of writing that was taken.
    pub mode: WriteMode,
    /// What was left out.
    pub losses: Vec<Loss>,
}

/// A file that can be written: [`Module::prepare_write`] makes it.
pub struct PreparedWrite {
    pub(crate) module: Module,
    pub(crate) pieces: Pieces,
    pub(crate) report: WriteReport,
    pub(crate) progress: Progress,
}

#[allow(clippy::len_without_is_empty)] // a file is never empty
impl PreparedWrite {
    /// Bytes of the file.
    ///
    /// ```
    /// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
    /// assert_eq!(module.prepare_write(&mlirbc::WriteOptions::default())?.len(), 131);
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn len(&self) -> u64 {
        self.report.bytes
    }

    /// Writes the file; it can be called again.
    ///
    /// # Errors
    /// What reading the source or the writer reports, and a request to stop.
    ///
    /// ```
    /// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
    /// let prepared = module.prepare_write(&mlirbc::WriteOptions::default())?;
    /// assert_eq!(prepared.write(&mut std::io::sink())?.bytes, 131);
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn write(&self, writer: &mut dyn Write) -> Result<WriteReport> {
        self.pieces.write(self.module.source(), writer, &|done, all| {
            self.progress.report(done, all);
            self.module.check_interrupt()
        })?;
        Ok(self.report.clone())
    }
}

/// Looks for a request to stop now and then, by the work that was done.
#[derive(Debug, Default)]
pub(crate) struct Pulse(usize);

impl Pulse {
    // At most some microseconds each.
    const STEP: usize = 1 << 13;

    /// # Errors
    /// When somebody asked to stop.
    #[inline]
    pub(crate) fn beat(&mut self, work: usize, file: &FileTables) -> Result<()> {
        self.0 += work;
        if self.0 < Self::STEP {
            return Ok(());
        }
        self.0 = 0;
        file.check_interrupt()
    }
}
