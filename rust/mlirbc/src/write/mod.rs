//! Writing modules: unchanged, or numbered as in the writer of MLIR, for any version and release.
//!
//! Owns the write modes: verbatim copies, canonical files (`canonical`), edited files (`splice`), and the
//! replacement of files (`replace`). Does not own translation for other releases (`convert`). Data flows from
//! the tables and bodies of a module into pieces of the new file, which are written last.

pub(crate) mod canonical;
mod dialect_version;
pub(crate) mod file_pieces;
mod options;
pub(crate) mod plan;
pub mod replace;
pub(crate) mod report;
mod save;
mod snapshot;
mod splice;
mod unknown_content;

use std::io::Write;

use crate::file::FileTables;
use crate::ir::Module;
use crate::wire::error::Result;
use crate::wire::progress::Progress;

pub use dialect_version::DialectVersion;
#[doc(hidden)] // a name of the root
pub use options::WriteOptions;
pub use plan::{Opaque, OpaqueKind, WriteMode, WritePlan};
pub use report::WriteReport;
pub use unknown_content::{Unknown, UnknownKind};

use file_pieces::FilePieces;

/// The numbering of the written file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Numbering {
    /// Keeps the numbers of the file: the bytes are unchanged.
    #[default]
    Preserve,
    /// Uses the numbers of the writer of MLIR.
    Canonical,
    /// Uses the strictest possible numbering: the bytes of the file if nothing was changed; otherwise MLIR's
    /// numbering if everything can be decoded; otherwise the numbers of the file, with new items appended.
    Strictest,
}

/// A file that is ready to be written, created by [`Module::prepare_write`].
pub struct PreparedWrite {
    pub(crate) module: Module,
    pub(crate) pieces: FilePieces,
    pub(crate) report: WriteReport,
    pub(crate) progress: Progress,
    /// Whether the file is of another release than the one that the caller specified for the module.
    pub(crate) is_of_other_release: bool,
}

#[allow(clippy::len_without_is_empty)] // a file is never empty
impl PreparedWrite {
    /// The size of the file in bytes.
    ///
    /// ```
    /// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
    /// assert_eq!(module.prepare_write(&mlirbc::WriteOptions::default())?.len(), 131);
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn len(&self) -> u64 {
        self.report.bytes
    }

    /// Writes the file; may be called more than once. `progress` receives the number of bytes done, and the
    /// total.
    ///
    /// # Errors
    /// The errors of the source and of the writer, and a request to stop.
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
            self.module.tables().check_interrupt()
        })?;
        Ok(self.report.clone())
    }

    /// Writes the file atomically, as [`Module::save`].
    ///
    /// # Errors
    /// As [`Self::write`], and the errors of the system.
    ///
    /// ```
    /// # let path = std::env::temp_dir().join(format!("mlirbc-prepared-{}", std::process::id()));
    /// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
    /// module.prepare_write(&mlirbc::WriteOptions::default())?.save(&path)?;
    /// assert_eq!(std::fs::read(&path).unwrap(), mlirbc::doc_example());
    /// # std::fs::remove_file(&path).unwrap();
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn save(&self, path: impl AsRef<std::path::Path>) -> Result<WriteReport> {
        self.module.save_pieces(&self.pieces, path.as_ref(), &self.progress)?;
        Ok(self.report.clone())
    }

    /// Writes the file as [`Self::save`] does, for one of many files in a folder, which are on the disk after
    /// [`sync_folder`](replace::sync_folder).
    ///
    /// # Errors
    /// As [`Self::save`].
    #[doc(hidden)]
    pub fn save_unsynced(&self, path: impl AsRef<std::path::Path>) -> Result<WriteReport> {
        let commit = replace::Replacement::commit_unsynced;
        self.module.save_pieces_with(&self.pieces, path.as_ref(), &self.progress, commit)?;
        Ok(self.report.clone())
    }

    /// Returns the file as a module, without writing it. Unchanged parts are shared with the module that was
    /// read.
    ///
    /// # Errors
    /// The errors of reading the file.
    ///
    /// ```
    /// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
    /// let same = module.prepare_write(&mlirbc::WriteOptions::default())?.into_module()?;
    /// assert_eq!(same.producer(), module.producer());
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn into_module(self) -> Result<Module> {
        let source = self.module.assembled_source(self.pieces)?;
        match self.is_of_other_release {
            true => self.module.like_of_release(source, None),
            false => self.module.like(source),
        }
    }
}

/// Polls for a request to stop, at intervals of work.
#[derive(Debug, Default)]
pub(crate) struct Pulse(usize);

impl Pulse {
    // The interval takes at most some microseconds.
    const STEP: usize = 1 << 13;

    /// # Errors
    /// If a stop was requested.
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
