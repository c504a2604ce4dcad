//! The entry points for writing a module, for any version or release.
//!
//! A canonical file takes two passes over the IR. The first translates operations for the reader and counts
//! references; then everything is numbered; the second writes. Between the passes, only one encoding is kept
//! for operations that look alike.

use std::io::Write;
use std::sync::Arc;

use crate::ir::Module;
use crate::release::Llvm;
use crate::wire::error::{Error, ErrorKind, Result};
use crate::wire::loss::{Loss, LossKind};
use crate::wire::version::BytecodeVersion;
use crate::write::canonical::collect::Collector;
use crate::write::canonical::emit::Emitter;
use crate::write::canonical::numbering;
use crate::write::pieces::{Piece, Pieces};
use crate::write::{Numbering, PreparedWrite, WriteMode, WriteOptions, WriteReport};

use super::op::{OpConverter, Target};
use super::release::{ANY, ReleaseConversion};
use super::versions::Versions;

impl Module {
    /// Writes the module.
    ///
    /// # Errors
    /// [`ErrorKind::Unsupported`] if the version or the target cannot represent the module and
    /// [`WriteOptions::drop_unsupported`] is not set; the errors of reading and of the writer. Nothing is
    /// written before all checks have passed.
    ///
    /// ```
    /// use mlirbc::{Numbering, WriteOptions};
    /// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
    /// let mut bytes = Vec::new();
    /// let options = WriteOptions { numbering: Numbering::Canonical, ..WriteOptions::default() };
    /// module.write(&mut bytes, &options)?;
    /// assert_eq!(bytes, mlirbc::doc_example()); // MLIR's numbers already
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn write(&self, writer: &mut dyn Write, options: &WriteOptions) -> Result<WriteReport> {
        self.prepare_write(options)?.write(writer)
    }

    /// Does all work that can fail before the first byte is written: afterwards only the writer can fail.
    ///
    /// # Errors
    /// As [`Self::write`], except for those of the writer.
    ///
    /// ```
    /// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
    /// let prepared = module.prepare_write(&mlirbc::WriteOptions::default())?;
    /// let mut bytes = Vec::with_capacity(prepared.len() as usize);
    /// prepared.write(&mut bytes)?;
    /// assert_eq!(bytes, mlirbc::doc_example());
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn prepare_write(&self, options: &WriteOptions) -> Result<PreparedWrite> {
        let (pieces, losses, mode) = self.planned(options)?;
        let report = WriteReport { bytes: pieces.len(), mode, losses };
        Ok(PreparedWrite { module: self.clone(), pieces, report, progress: options.progress.clone() })
    }

    /// Writes the module to a file atomically: the file is created or replaced in one step, and an old file
    /// remains unchanged after any error, even if this module was read from it.
    ///
    /// # Errors
    /// As [`Module::write`], and the errors of the system.
    ///
    /// ```
    /// # let path = std::env::temp_dir().join(format!("mlirbc-save-{}", std::process::id()));
    /// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
    /// module.save(&path, &mlirbc::WriteOptions::default())?;
    /// assert_eq!(std::fs::read(&path).unwrap(), mlirbc::doc_example());
    /// # std::fs::remove_file(&path).unwrap();
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn save(&self, path: impl AsRef<std::path::Path>, options: &WriteOptions) -> Result<WriteReport> {
        let (pieces, losses, mode) = self.planned(options)?;
        self.save_pieces(&pieces, path.as_ref(), &options.progress)?;
        Ok(WriteReport { bytes: pieces.len(), mode, losses })
    }

    fn planned(&self, options: &WriteOptions) -> Result<(Pieces, Vec<Loss>, WriteMode)> {
        let own = self.bytecode().version();
        let version = match (options.version, &options.target) {
            (Some(version), _) => version,
            (None, Some(name)) => ReleaseConversion::new(self, name, None)?.default_version(own),
            (None, None) => own,
        };
        let strips = options.strip_locations || options.strip_resources;
        let is_other = version != own || options.target.is_some() || strips;
        if options.numbering != Numbering::Canonical && !is_other {
            return Ok((self.preserved(options)?, Vec::new(), WriteMode::Verbatim));
        }
        let (pieces, losses) = canonical(self, version, (options, true))?;
        Ok((pieces, losses, WriteMode::Renumbered))
    }

    // The bytes of the file; a different producer string is an error.
    fn preserved(&self, options: &WriteOptions) -> Result<Pieces> {
        self.source().check()?;
        let mut pieces = Pieces::default();
        let size = self.bytecode().size();
        if options.producer.as_deref().is_some_and(|producer| producer != self.bytecode().producer()) {
            return Err(Error::message(
                ErrorKind::Unsupported,
                "preserving the numbering requires the producer string of the file",
            )
            .with_hint("use canonical numbering to change the producer string"));
        }
        pieces.push(Piece::Copied(0..size));
        Ok(pieces)
    }
}

/// The canonical file of a module in its own version and release, without copied sections.
///
/// # Errors
/// As [`Module::write`].
#[cfg(feature = "arbitrary")]
pub(crate) fn canonical_anew(module: &Module, options: &WriteOptions) -> Result<Vec<u8>> {
    let version = options.version.unwrap_or(module.bytecode().version());
    let (pieces, _) = canonical(module, version, (options, false))?;
    let mut bytes = Vec::new();
    pieces.write(module.source(), &mut bytes, &|_, _| Ok(()))?;
    Ok(bytes)
}

fn canonical(
    module: &Module,
    version: BytecodeVersion,
    (options, copies_sections): (&WriteOptions, bool),
) -> Result<(Pieces, Vec<Loss>)> {
    module.settle()?;
    let release = module.release()?;
    let target = match &options.target {
        Some(name) if release.name() != Some(name) || !release.is_certain() => {
            let is_any = name == ANY;
            let schema = if is_any { None } else { Some(module.find_schema(name)?) };
            let conversion = ReleaseConversion::new(module, name, schema.as_ref())?;
            if version > conversion.newest_version() {
                let newest = conversion.newest_version();
                let message = format!("{name} reads bytecode versions up to {newest}, not {version}");
                return Err(Error::message(ErrorKind::Unsupported, message));
            }
            Target { version, schema, conversion: Some(Arc::new(conversion)) }
        }
        _ => Target { version, schema: release.schema().cloned(), conversion: None },
    };
    // A file must not claim to be of a release whose layouts it does not have.
    let signed = target.conversion.clone();
    let signed = signed.as_ref().and_then(|conversion| conversion.producer());
    let entries = module.entries()?;
    let versions = Versions::new(module, &target)?;
    let keeps_isolation = match &target.schema {
        Some(schema) => schema.llvm(),
        None => Llvm::of_producer(module.bytecode().producer()),
    }
    .is_some_and(Llvm::isolates_by_trait);
    // If nothing must be translated, the entries of the file are used unchanged.
    for copies in [target.conversion.is_some(), true] {
        let budget = module.work_budget();
        let mut ops = OpConverter::new(module, &entries, (target.clone(), &versions), copies, &budget)?;
        let mut collector = Collector::new(&mut ops, keeps_isolation, options.strip_locations)?;
        let is_shortest = module.stream_with(&mut collector, &budget, &options.progress)?;
        let mut collected = collector.finish()?;
        collected.is_as_read &= is_shortest;
        if ops.pool.needs_copies() {
            continue;
        }
        let mut losses = ops.losses(&collected.encoding_counts)?;
        if collected.has_use_lists && !version.has_use_list_orders() {
            losses.push(Loss { op: None, kind: LossKind::UseListOrders, count: 1 });
        }
        losses.extend(versions.losses(&ops, &collected.encoding_counts));
        if !losses.is_empty() && !options.drop_unsupported {
            return Err(unsupported(losses));
        }
        let Some(numbering) = numbering::number(&mut collected, &ops)? else { continue };
        let emitter = Emitter::new(module, &ops, &collected, numbering, (options, copies_sections))?;
        let own = signed.map_or(module.bytecode().producer(), str::as_bytes);
        let producer = options.producer.as_deref().unwrap_or(own);
        return Ok((emitter.file(producer, &options.progress)?, losses));
    }
    Err(Error::message(
        ErrorKind::Unsupported,
        "the conversion did not reach a stable set of attributes and types",
    ))
}

/// The error for losses. The message names the first of them, [`Error::losses`] has all.
#[cold]
fn unsupported(losses: Vec<Loss>) -> Error {
    const SHOWN: usize = 20;
    let mut lines: Vec<String> = losses.iter().take(SHOWN).map(ToString::to_string).collect();
    if losses.len() > SHOWN {
        lines.push(format!("and {} more", losses.len() - SHOWN));
    }
    Error::message(ErrorKind::Unsupported, lines.join("; ")).with_losses(losses)
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

    fn write(module: &Module, options: &WriteOptions) -> Result<Vec<u8>> {
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

    // The report is larger than the file.
    #[test]
    fn a_report_has_a_limit() {
        let error =
            long_names().module(PLENTY).compatibility(&Receiver::Release("llvm-22".into())).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::MemoryLimit);
    }

    // Every op would split the dictionary: 1,024 times 2,048 pairs.
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
        let module = Module::from_source(bytes.into(), &options).unwrap();
        module.release().unwrap();
        let before = asked.load(Ordering::Relaxed);
        module.prepare_write(&canonical(Some("llvm-19"))).map(drop).unwrap();
        assert!(asked.load(Ordering::Relaxed) > before);
    }
}
