//! Writing modules: as they are, or as MLIR's own writer would, for any version and release.
//!
//! A canonical file takes two passes over the IR. The first translates what ops look like and counts what they mention;
//! then everything gets its number; the second writes. Nothing of the IR is kept in between but a form for each op.

pub(crate) mod canonical;
pub(crate) mod pieces;
pub(crate) mod plan;
mod save;
mod splice;

use std::io::Write;
use std::sync::Arc;

use crate::ir::Module;
use crate::release::Llvm;
use crate::wire::error::{Error, ErrorKind, Result};
use crate::wire::version::BytecodeVersion;

pub use crate::convert::check::{CheckReport, Finding, FindingKind, Outcome, Receiver};
pub use crate::wire::loss::{Loss, LossKind};
pub use plan::{Opaque, OpaqueKind, WriteMode, WritePlan};

use crate::convert::forms::{Forms, Target};
use crate::convert::translation;
use crate::convert::translation::Crossing;
use crate::convert::versions::Versions;
use canonical::collect::Collector;
use canonical::emit::Emitter;
use canonical::numbering;
use pieces::{Piece, Pieces};

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
/// let module = std::sync::Arc::new(mlirbc::Module::from_bytes(mlirbc::doc_example())?);
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
    module: Arc<Module>,
    pieces: Pieces,
    report: WriteReport,
}

#[allow(clippy::len_without_is_empty)] // a file is never empty
impl PreparedWrite {
    /// Bytes of the file.
    ///
    /// ```
    /// let module = std::sync::Arc::new(mlirbc::Module::from_bytes(mlirbc::doc_example())?);
    /// assert_eq!(module.prepare_write(&mlirbc::WriteOptions::default(), &|_, _| {})?.len(), 131);
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn len(&self) -> u64 {
        self.report.bytes
    }

    /// Writes the file, as often as it is asked to; `progress` is told how many bytes are done, and how many there are.
    ///
    /// # Errors
    /// What reading the source or the writer reports, and a request to stop.
    ///
    /// ```
    /// let module = std::sync::Arc::new(mlirbc::Module::from_bytes(mlirbc::doc_example())?);
    /// let prepared = module.prepare_write(&mlirbc::WriteOptions::default(), &|_, _| {})?;
    /// assert_eq!(prepared.write(&mut std::io::sink(), &|_, _| {})?.bytes, 131);
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn write(&self, writer: &mut dyn Write, progress: &dyn Fn(u64, u64)) -> Result<WriteReport> {
        self.pieces.write(self.module.source(), writer, &|done, all| {
            progress(done, all);
            self.module.check_interrupt()
        })?;
        Ok(self.report.clone())
    }
}

impl Module {
    /// Writes the module.
    ///
    /// # Errors
    /// [`ErrorKind::Unsupported`] when the version or the target cannot hold everything and
    /// [`WriteOptions::drop_unsupported`] is not set; what cannot be read; what the writer reports. Nothing is written
    /// before everything is known to be fine.
    ///
    /// ```
    /// use mlirbc::{Numbering, WriteOptions};
    /// let module = std::sync::Arc::new(mlirbc::Module::from_bytes(mlirbc::doc_example())?);
    /// let mut bytes = Vec::new();
    /// let options = WriteOptions { numbering: Numbering::Canonical, ..WriteOptions::default() };
    /// module.write(&mut bytes, &options)?;
    /// assert_eq!(bytes, mlirbc::doc_example()); // MLIR's numbers already
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn write(self: &Arc<Self>, writer: &mut dyn Write, options: &WriteOptions) -> Result<WriteReport> {
        self.write_with(writer, options, &|_, _| {})
    }

    /// The same; `progress` is told how much is done, and how much there is.
    ///
    /// # Errors
    /// As [`Self::write`].
    ///
    /// ```
    /// let module = std::sync::Arc::new(mlirbc::Module::from_bytes(mlirbc::doc_example())?);
    /// let mut bytes = Vec::new();
    /// module.write_with(&mut bytes, &mlirbc::WriteOptions::default(), &|done, all| assert!(done <= all))?;
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn write_with(
        self: &Arc<Self>,
        writer: &mut dyn Write,
        options: &WriteOptions,
        progress: &dyn Fn(u64, u64),
    ) -> Result<WriteReport> {
        self.prepare_write(options, progress)?.write(writer, progress)
    }

    /// All that has to be known before the first byte is written: afterwards only the writer can fail.
    ///
    /// # Errors
    /// As [`Self::write`], but for the writer's.
    ///
    /// ```
    /// let module = std::sync::Arc::new(mlirbc::Module::from_bytes(mlirbc::doc_example())?);
    /// let prepared = module.prepare_write(&mlirbc::WriteOptions::default(), &|_, _| {})?;
    /// let mut bytes = Vec::with_capacity(prepared.len() as usize);
    /// prepared.write(&mut bytes, &|_, _| {})?;
    /// assert_eq!(bytes, mlirbc::doc_example());
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn prepare_write(
        self: &Arc<Self>,
        options: &WriteOptions,
        progress: &dyn Fn(u64, u64),
    ) -> Result<PreparedWrite> {
        let (pieces, losses, mode) = self.planned(options, progress)?;
        let report = WriteReport { bytes: pieces.len(), mode, losses };
        Ok(PreparedWrite { module: self.clone(), pieces, report })
    }

    fn planned(
        self: &Arc<Self>,
        options: &WriteOptions,
        progress: &dyn Fn(u64, u64),
    ) -> Result<(Pieces, Vec<Loss>, WriteMode)> {
        let own = self.bytecode().version();
        let version = match (options.version, &options.target) {
            (Some(version), _) => version,
            (None, Some(name)) => Crossing::new(self, name, None)?.default_version(own),
            (None, None) => own,
        };
        let strips = options.strip_locations || options.strip_resources;
        let is_other = version != own || options.target.is_some() || strips;
        if options.numbering != Numbering::Canonical && !is_other {
            return Ok((self.preserved(options)?, Vec::new(), WriteMode::Verbatim));
        }
        let (pieces, losses) = canonical(self, version, options, progress)?;
        Ok((pieces, losses, WriteMode::Renumbered))
    }

    // The bytes of the file, with another producer string if one is given.
    fn preserved(&self, options: &WriteOptions) -> Result<Pieces> {
        self.source().check()?;
        let mut pieces = Pieces::default();
        let size = self.bytecode().size();
        if options.producer.as_deref().is_some_and(|producer| producer != self.bytecode().producer()) {
            return Err(Error::new(
                ErrorKind::Unsupported,
                "the producer string of the file",
                "another one, which moves what must stay in its place",
            ));
        }
        pieces.push(Piece::Copied(0..size));
        Ok(pieces)
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
    pub(crate) fn beat(&mut self, work: usize, module: &Module) -> Result<()> {
        self.0 += work;
        if self.0 < Self::STEP {
            return Ok(());
        }
        self.0 = 0;
        module.check_interrupt()
    }
}

fn canonical(
    module: &Arc<Module>,
    version: BytecodeVersion,
    options: &WriteOptions,
    progress: &dyn Fn(u64, u64),
) -> Result<(Pieces, Vec<Loss>)> {
    let release = module.release()?;
    let target = match &options.target {
        Some(name) if release.name() != Some(name) || !release.is_certain() => {
            let is_any = name == translation::ANY;
            let schema = if is_any { None } else { Some(module.find_schema(name)?) };
            let crossing = Crossing::new(module, name, schema.as_ref())?;
            if version > crossing.newest_version() {
                let expected = format!("a version that {name} reads, at most {}", crossing.newest_version());
                return Err(Error::new(ErrorKind::Unsupported, expected, format!("{version}")));
            }
            Target { version, schema, crossing: Some(Arc::new(crossing)) }
        }
        _ => Target { version, schema: release.schema().cloned(), crossing: None },
    };
    // A file must not claim to be of a release whose layouts it does not have.
    let signed = target.crossing.clone();
    let signed = signed.as_ref().and_then(|crossing| crossing.producer());
    let entries = module.entries()?;
    let versions = Versions::new(module, &target)?;
    let keeps_isolation = match &target.schema {
        Some(schema) => schema.llvm(),
        None => Llvm::of_producer(module.bytecode().producer()),
    }
    .is_some_and(Llvm::isolates_by_trait);
    // Where nothing has to be translated, the file's entries do as they are.
    for copies in [target.crossing.is_some(), true] {
        let budget = module.work_budget();
        let mut forms = Forms::new(module, &entries, target.clone(), copies, &budget)?;
        let mut collector = Collector::new(&mut forms, keeps_isolation, options.strip_locations)?;
        let is_shortest = module.stream_with(&mut collector, &budget, progress)?;
        let mut collected = collector.finish()?;
        collected.is_as_read &= is_shortest;
        if forms.pool.needs_copies() {
            continue;
        }
        let mut losses = forms.losses(&collected.form_counts)?;
        if collected.has_use_lists && !version.has_use_list_orders() {
            losses.push(Loss { op: None, kind: LossKind::UseListOrders, count: 1 });
        }
        losses.extend(versions.losses(&forms, &collected.form_counts));
        if !losses.is_empty() && !options.drop_unsupported {
            return Err(unsupported(losses));
        }
        let Some(numbering) = numbering::number(&mut collected, &forms)? else { continue };
        let emitter = Emitter::new(module, &forms, (&collected, &versions), numbering, options)?;
        let own = signed.map_or(module.bytecode().producer(), str::as_bytes);
        let producer = options.producer.as_deref().unwrap_or(own);
        return Ok((emitter.file(producer, progress)?, losses));
    }
    Err(unsupported(Vec::new()))
}

/// The error for what cannot be written. Its text names the first of them, [`Error::losses`] all.
#[cold]
fn unsupported(losses: Vec<Loss>) -> Error {
    const SHOWN: usize = 20;
    let mut lines: Vec<String> = losses.iter().take(SHOWN).map(ToString::to_string).collect();
    if losses.len() > SHOWN {
        lines.push(format!("and {} more", losses.len() - SHOWN));
    }
    let error =
        Error::new(ErrorKind::Unsupported, "what the version and the target can hold", lines.join("; "));
    error.with_losses(losses)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;
    use crate::test_module::TestFile;
    use crate::{ReadOptions, Receiver};

    const PLENTY: u64 = 4 << 20;

    fn canonical(target: Option<&str>) -> WriteOptions {
        WriteOptions {
            numbering: Numbering::Canonical,
            target: target.map(str::to_owned),
            drop_unsupported: true,
            ..WriteOptions::default()
        }
    }

    fn write(module: &Arc<Module>, options: &WriteOptions) -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        module.write(&mut bytes, options).map(|_| bytes)
    }

    // One long dialect name, and many names in the dialect: together 256 times the file.
    fn long_names() -> TestFile {
        let mut file = TestFile::new();
        let dialect = file.dialect("d".repeat(1 << 15));
        for number in 0..1 << 12 {
            let name = file.op_name(dialect, number.to_string(), false);
            file.ops.push((name, None, None));
        }
        file
    }

    #[test]
    fn names_that_share_a_text_are_not_put_together() {
        let module = long_names().module(PLENTY);
        assert_eq!(module.release().unwrap().name(), None);
        for target in [None, Some("llvm-19"), Some("any")] {
            write(&module, &canonical(target)).unwrap_or_else(|error| panic!("{target:?}: {error}"));
        }
    }

    // What it reports is larger than the file.
    #[test]
    fn a_report_has_a_limit() {
        let error = long_names().module(PLENTY).check_for(&Receiver::Release("llvm-22".into())).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::MemoryLimit);
    }

    // Every op would take the dictionary apart: 1,024 times 2,048 pairs.
    fn shared_dictionary(is_property: bool, names: impl Fn(u32) -> String) -> TestFile {
        let mut file = TestFile::new();
        let dialect = file.dialect("x");
        let dictionary = file.dictionary((0..1 << 11).map(names));
        for number in 0..1 << 10 {
            let name = file.op_name(dialect, number.to_string(), false);
            let mut blob = crate::wire::cursor::ByteSink::new();
            blob.varint(dictionary.into());
            file.blobs.push(blob.into_bytes());
            let properties = is_property.then_some(number);
            file.ops.push((name, (!is_property).then_some(dictionary), properties));
        }
        file
    }

    #[test]
    fn a_shared_dictionary_is_translated_once() {
        for is_property in [false, true] {
            for target in [None, Some("llvm-19"), Some("any")] {
                let module = shared_dictionary(is_property, |number| format!("{number:04}")).module(PLENTY);
                write(&module, &canonical(target)).unwrap_or_else(|error| panic!("{target:?}: {error}"));
            }
        }
    }

    #[test]
    fn of_one_name_the_last_value_counts_in_another_release() {
        let file = shared_dictionary(false, |number| format!("{}", number / 1024));
        let bytes = write(&file.module(PLENTY), &canonical(Some("llvm-19"))).unwrap();
        let module = Module::from_bytes(bytes).unwrap();
        let op = module.top_level_block().unwrap().operations().next().unwrap();
        assert_eq!(op.discardable_attributes().unwrap().len(), 2);
    }

    #[test]
    fn a_writer_that_needs_too_much_ends_in_an_error() {
        let file = shared_dictionary(false, |number| format!("{number:04}"));
        let len = file.bytes().len() as u64;
        for target in [None, Some("llvm-19")] {
            // Enough to read it.
            let error = write(&file.module(4 * len), &canonical(target)).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::MemoryLimit, "{target:?}");
        }
    }

    #[test]
    fn a_request_to_stop_is_looked_for_while_forms_are_made() {
        let asked = Arc::new(AtomicU32::new(0));
        let counter = asked.clone();
        let options = ReadOptions {
            interrupt: Some(Arc::new(move || {
                counter.fetch_add(1, Ordering::Relaxed);
                false
            })),
            ..ReadOptions::default()
        };
        let bytes = shared_dictionary(false, |number| format!("{number:04}")).bytes();
        let module = Arc::new(Module::from_source(bytes.into(), &options).unwrap());
        module.release().unwrap();
        let before = asked.load(Ordering::Relaxed);
        module.prepare_write(&canonical(Some("llvm-19")), &|_, _| {}).map(drop).unwrap();
        assert!(asked.load(Ordering::Relaxed) > before);
    }
}
