//! The entry points for writing a module, for any version or release.
//!
//! A canonical file takes two passes over the IR. The first translates operations for the reader and counts
//! references; then all entries are numbered; the second writes. Between the passes, only one encoding is
//! kept for operations that look alike.

use std::collections::HashSet;
use std::io::Write;
use std::sync::Arc;

use crate::dialect::entries::Entries;
use crate::file::FileEntries;
use crate::ir::Module;
use crate::release::{self, ANY, Llvm};
use crate::wire::error::{Error, ErrorKind, Result};
use crate::wire::loss::{Loss, LossKind};
use crate::wire::parallel;
use crate::wire::version::BytecodeVersion;
use crate::write::canonical::collect::Collector;
use crate::write::canonical::emit::{self, Emitter};
use crate::write::canonical::numbering;
use crate::write::canonical::pass::{self, CopyReason, EntrySource, Unfinished};
use crate::write::canonical::summary::ReferenceSummaries;
use crate::write::file_pieces::{FilePiece, FilePieces};
use crate::write::report::reason_of_options;
use crate::write::{Numbering, PreparedWrite, WriteMode, WriteOptions, WriteReport};

use super::dialect_versions;
use super::loss_paths;
use super::op::{Changes, OpConverter, Target};
use super::release::ReleaseConversion;
use super::versions::Versions;

/// A canonical file, with its losses and the parts in another form.
pub(super) struct CanonicalFile {
    pub(super) pieces: FilePieces,
    pub(super) losses: Vec<Loss>,
    pub(super) changes: Changes,
}

/// A file to write, and the module whose ranges it copies.
pub(super) struct PlannedFile {
    pub(super) module: Module,
    pub(super) pieces: FilePieces,
    pub(super) report: WriteReport,
}

impl PlannedFile {
    /// Returns the file as a module, without writing it.
    pub(super) fn into_module(self) -> Result<Module> {
        self.module.assembled(self.pieces)
    }
}

impl Module {
    /// Writes the module.
    ///
    /// # Errors
    /// [`ErrorKind::Unsupported`] if the version or the target cannot represent the module and
    /// [`WriteOptions::drop_unsupported`] is not set; the errors of reading and of the writer. Nothing is
    /// written before all checks have passed.
    ///
    /// ```
    /// use mlirbc::write::Numbering;
    /// use mlirbc::WriteOptions;
    /// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
    /// let mut bytes = Vec::new();
    /// let options = WriteOptions::default().numbering(Numbering::Canonical);
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
    /// The errors of [`Self::write`], except the errors of the writer.
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
        let PlannedFile { module, pieces, report } = self.planned(options)?;
        let is_own = |target: &str| self.release().is_ok_and(|own| own.nearest() == Some(target));
        let is_of_other_release =
            options.target_name().is_some_and(|target| target != ANY && !is_own(target));
        Ok(PreparedWrite { module, pieces, report, progress: options.progress.clone(), is_of_other_release })
    }

    /// Writes the module to a file atomically: the file is created or replaced in one step, and an old file
    /// remains unchanged after any error, even if this module was read from it.
    ///
    /// # Errors
    /// The errors of [`Module::write`], and of the system.
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
        let PlannedFile { module, pieces, report } = self.planned(options)?;
        module.save_pieces(&pieces, path.as_ref(), &options.progress)?;
        Ok(report)
    }

    pub(super) fn planned(&self, options: &WriteOptions) -> Result<PlannedFile> {
        let source_version = self.tables().bytecode().version();
        let version = match (options.version, options.target_name()) {
            (Some(version), _) => version,
            (None, Some(name)) => ReleaseConversion::new(self, name, None)?.default_version(source_version),
            (None, None) => source_version,
        };
        let strips = options.strip_locations || options.strip_resources;
        let is_other = version != source_version || options.target.is_some() || strips;
        if !options.dialect_versions.is_empty() {
            return dialect_versions::planned(self, options, version);
        }
        let (mode, file) = if options.numbering != Numbering::Canonical && !is_other {
            let pieces = self.preserved(options)?;
            (WriteMode::Verbatim, CanonicalFile { pieces, losses: Vec::new(), changes: Changes::default() })
        } else {
            let first = canonical(self, version, (options, true));
            let file = match self.raised_version(version, options, &first)? {
                Some(version) => canonical(self, version, (options, true)),
                None => first,
            }?;
            (WriteMode::Renumbered, self.checked_for_any(file, version, options)?)
        };
        let CanonicalFile { pieces, losses, changes } = file;
        let report =
            WriteReport::new(&pieces, mode, reason_of_options(mode, options, source_version), losses);
        let Changes { changes, unchanged_operations } = changes;
        let report = WriteReport { changes, unchanged_operations, ..report };
        Ok(PlannedFile { module: self.clone(), pieces, report })
    }

    /// The newest version of the target, if the caller names no version and the version of the file loses something that
    /// it would keep.
    fn raised_version(
        &self,
        version: BytecodeVersion,
        options: &WriteOptions,
        outcome: &Result<CanonicalFile>,
    ) -> Result<Option<BytecodeVersion>> {
        let Some(name) = options.target_name().filter(|name| options.version.is_none() && *name != ANY)
        else {
            return Ok(None);
        };
        let losses = match outcome {
            Ok(file) => &file.losses,
            Err(error) => error.losses(),
        };
        let newest = ReleaseConversion::new(self, name, None)?.newest_version();
        let is_kept = |loss: &Loss| {
            let lowest = loss.kind.lowest_version().and_then(|number| BytecodeVersion::new(number.into()));
            lowest.is_some_and(|lowest| version < lowest && lowest <= newest)
        };
        Ok(losses.iter().any(is_kept).then_some(newest))
    }

    /// The file with the losses of the readers, if it is one for [`ANY`].
    fn checked_for_any(
        &self,
        mut file: CanonicalFile,
        version: BytecodeVersion,
        options: &WriteOptions,
    ) -> Result<CanonicalFile> {
        if options.target_name() != Some(ANY) {
            return Ok(file);
        }
        file.losses.extend(self.losses_of_readers(&file.pieces, version, options)?);
        let is_accepted =
            |loss: &Loss| options.drops(&loss.kind) || !options.strict && loss.kind.is_harmless();
        match file.losses.iter().all(is_accepted) {
            true => Ok(file),
            false => Err(unsupported(file.losses, options.strict)),
        }
    }

    // The bytes of the file; a different producer string is an error.
    fn preserved(&self, options: &WriteOptions) -> Result<FilePieces> {
        self.source().check()?;
        let mut pieces = FilePieces::default();
        let size = self.tables().bytecode().size();
        if options.producer.as_deref().is_some_and(|producer| producer != self.tables().bytecode().producer())
        {
            return Err(Error::message(
                ErrorKind::Unsupported,
                "preserving the numbering requires the producer string of the file",
            )
            .with_hint("use canonical numbering to change the producer string"));
        }
        pieces.push(FilePiece::Copied(0..size));
        Ok(pieces)
    }
}

/// The canonical file of a module in its own version and release, without copied sections.
///
/// # Errors
/// The errors of [`Module::write`].
#[cfg(feature = "arbitrary")]
pub(crate) fn canonical_anew(module: &Module, options: &WriteOptions) -> Result<Vec<u8>> {
    let version = options.version.unwrap_or(module.tables().bytecode().version());
    let CanonicalFile { pieces, .. } = canonical(module, version, (options, false))?;
    let mut bytes = Vec::new();
    pieces.write(module.source(), &mut bytes, &|_, _| Ok(()))?;
    Ok(bytes)
}

pub(super) fn canonical(
    module: &Module,
    version: BytecodeVersion,
    (options, copies_sections): (&WriteOptions, bool),
) -> Result<CanonicalFile> {
    module.settle()?;
    if let Some(name) = options.target_name() {
        release::check_version(name, version)?;
    }
    let target = target(module, version, options)?;
    let entries = module.tables().entries()?;
    let versions = Versions::new(module, &target)?;
    let write = CanonicalWrite { module, entries, versions, target, options, copies_sections };
    let outcome = write.passes();
    outcome.map_err(|unfinished| match unfinished {
        Unfinished::Failed(error) => error,
        Unfinished::NeedsCopies(reason) => {
            let message = format!("the copied attributes and types cannot be written: {reason}");
            Error::message(ErrorKind::Unsupported, message)
        }
    })
}

impl Module {
    /// Whether the file is certainly of this release.
    pub(super) fn is_exactly_of(&self, name: &str) -> Result<bool> {
        let release = self.release()?;
        Ok(release.nearest() == Some(name) && release.is_certain() && release.is_exact())
    }
}

fn target(module: &Module, version: BytecodeVersion, options: &WriteOptions) -> Result<Target> {
    let release = module.release()?;
    let lists_changes = options.lists_changes;
    Ok(match options.target_name() {
        Some(name) if !module.is_exactly_of(name)? => {
            let is_any = name == ANY;
            let schema = if is_any { None } else { Some(module.tables().find_schema(name)?) };
            let conversion = ReleaseConversion::new(module, name, schema.as_ref())?;
            Target {
                version,
                schema,
                conversion: Some(Arc::new(conversion)),
                shortens_ranges: false,
                lists_changes,
            }
        }
        _ => Target {
            version,
            schema: release.schema().cloned(),
            conversion: None,
            shortens_ranges: false,
            lists_changes,
        },
    })
}

/// Everything that a canonical file is made from.
struct CanonicalWrite<'m> {
    module: &'m Module,
    entries: FileEntries<'m>,
    versions: Versions<'m>,
    target: Target,
    options: &'m WriteOptions,
    copies_sections: bool,
}

impl CanonicalWrite<'_> {
    /// Passes with fewer and fewer entries of the file, until one is written.
    ///
    /// Copying every entry takes longer than writing, so the first pass assumes that it is not necessary. Whether that
    /// is true depends on which entries are referred to, which is known after the pass.
    fn passes(&self) -> pass::Result<CanonicalFile> {
        let mut source = self.first_source()?;
        loop {
            source = match (self.pass(source), source) {
                // A new entry does not change the locations.
                (Err(Unfinished::NeedsCopies(CopyReason::NewEntry)), EntrySource::File) => {
                    EntrySource::LocationsOfFile
                }
                (Err(Unfinished::NeedsCopies(_)), EntrySource::File | EntrySource::LocationsOfFile) => {
                    EntrySource::Copies
                }
                (outcome, _) => return outcome,
            };
        }
    }

    /// Returns the entries of the file, unless they must be copied for a reason that is known without reading
    /// the operations.
    fn first_source(&self) -> Result<EntrySource> {
        if self.target.conversion.is_some() {
            return Ok(EntrySource::LocationsOfFile);
        }
        // Entries that differ only in the index of equal strings are equal.
        let count = self.entries.bounds().strings;
        let budget = self.module.tables().work_budget();
        let _held = budget.hold((count as usize).saturating_mul(size_of::<&[u8]>() * 2))?;
        let mut strings = HashSet::with_hasher(foldhash::fast::RandomState::default());
        Ok(match (0..count).all(|index| strings.insert(self.entries.string(index))) {
            true => EntrySource::File,
            false => EntrySource::Copies,
        })
    }

    /// Collects, numbers and writes the whole module.
    fn pass(&self, source: EntrySource) -> pass::Result<CanonicalFile> {
        let Self { module, options, ref target, .. } = *self;
        let keeps_isolation = match &target.schema {
            Some(schema) => schema.llvm(),
            None => Llvm::of_producer(module.tables().bytecode().producer()),
        }
        .is_some_and(Llvm::isolates_by_trait);
        let budget = module.tables().work_budget();
        let converted = (target.clone(), &self.versions);
        let mut ops = OpConverter::new(module, &self.entries, converted, source, &budget)?;
        let mut collector = Collector::new(&mut ops, keeps_isolation, options.strip_locations)?;
        // Summaries do not depend on the operations.
        let summarize = || ReferenceSummaries::new(&self.entries, source, &budget);
        let collect = || module.stream_with(&mut collector, &budget, &options.progress);
        let bounds = self.entries.bounds();
        let is_large = bounds.attributes as usize + bounds.types as usize >= emit::ENOUGH;
        let (summaries, is_shortest) = parallel::both(is_large, summarize, collect, || {
            module.tables().is_interrupted();
        });
        let is_shortest = is_shortest?;
        let mut collected = collector.finish()?;
        ops.pool.check_locations()?;
        collected.is_as_read &= is_shortest;
        let mut losses = ops.losses(&collected.encoding_counts)?;
        let places = ops.loss_places(&collected.encoding_counts, &losses)?;
        loss_paths::find(module, &mut losses, &places, |name| ops.row_of(name), &budget)?;
        if collected.has_use_lists && !target.version.has_use_list_orders() {
            losses.push(Loss { op: None, kind: LossKind::UseListOrders, count: 1, path: None });
        }
        losses.extend(self.versions.losses(&ops, &collected.encoding_counts));
        let is_noted = options.target.is_some() && !options.strict;
        let is_accepted = |loss: &Loss| options.drops(&loss.kind) || is_noted && loss.kind.is_harmless();
        if !losses.iter().all(is_accepted) {
            return Err(unsupported(losses, options.strict).into());
        }
        let numbering = numbering::number(module.tables(), &mut collected, &ops, summaries?)?;
        let emitter = Emitter::new(module, &ops, &collected, numbering, (options, self.copies_sections))?;
        // A file must not claim a release whose layouts it does not have.
        let signed = target.conversion.as_ref().and_then(|conversion| conversion.producer());
        let default_producer = signed.map_or(module.tables().bytecode().producer(), str::as_bytes);
        let producer = options.producer.as_deref().unwrap_or(default_producer);
        let pieces = emitter.file(producer, &options.progress)?;
        if losses.iter().all(|loss| loss.kind.is_harmless())
            && let Some(name) = options.target_name().filter(|name| *name != ANY)
            && target.conversion.is_some()
        {
            losses.extend(module.broken_rules(&pieces, name)?);
            if !losses.iter().all(is_accepted) {
                return Err(unsupported(losses, options.strict).into());
            }
        }
        let changes = ops.changes(&collected.encoding_counts)?;
        Ok(CanonicalFile { pieces, losses, changes })
    }
}

/// Makes the error for losses. The message lists the first ones, and [`Error::losses`] returns all.
#[cold]
pub(super) fn unsupported(losses: Vec<Loss>, is_strict: bool) -> Error {
    const SHOWN: usize = 20;
    let mut lines: Vec<String> = losses.iter().take(SHOWN).map(ToString::to_string).collect();
    if losses.len() > SHOWN {
        lines.push(format!("and {} more", losses.len() - SHOWN));
    }
    let hint = hint_for(&losses, is_strict);
    let error = Error::message(ErrorKind::Unsupported, lines.join("; ")).with_losses(losses);
    match hint {
        Some(hint) => error.with_hint(hint),
        None => error,
    }
}

/// Returns advice on losses, if it differs from the general advice.
fn hint_for(losses: &[Loss], is_strict: bool) -> Option<&'static str> {
    if losses.iter().all(|loss| loss.kind.is_harmless()) {
        return Some(match is_strict {
            true => {
                "the result has the same meaning without these parts: choose another version or target, or omit `strict` or `--strict`"
            }
            false => {
                "the result has the same meaning without these parts: choose another version, or omit them with `drop_unsupported` or `--drop-unsupported`"
            }
        });
    }
    let can_be_omitted = |loss: &Loss| !loss.kind.is_kept() && !loss.kind.is_harmless();
    (!losses.iter().any(can_be_omitted)).then_some(
        "choose another version or target; nothing that can be omitted makes a file that the target reads",
    )
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;
    use crate::ReadOptions;
    use crate::convert::Receiver;
    use crate::test_module::TestFile;

    const PLENTY: u64 = 4 << 20;

    fn canonical(target: Option<&str>) -> WriteOptions {
        WriteOptions {
            numbering: Numbering::Canonical,
            target: target.map(|name| release::Release::named(name.to_owned())),
            drop_unsupported: true,
            ..WriteOptions::default()
        }
    }

    fn write(module: &Module, options: &WriteOptions) -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        module.write(&mut bytes, options).map(|_| bytes)
    }

    // A long dialect name, and many names in the dialect: together 256 times the file.
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
        let error = long_names()
            .module(PLENTY)
            .compatibility(&Receiver::Release(release::Release::named("llvm-22")))
            .unwrap_err();
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

    // Runs the first pass with entries of the file, and returns why they must be copied.
    fn first_pass(file: &TestFile, target: Option<&str>) -> (EntrySource, Option<CopyReason>) {
        let module = &file.module(PLENTY);
        let options = &canonical(target);
        let version = module.tables().bytecode().version();
        let target = super::target(module, version, options).unwrap();
        let versions = Versions::new(module, &target).unwrap();
        let entries = module.tables().entries().unwrap();
        let write = CanonicalWrite { module, entries, versions, target, options, copies_sections: true };
        let source = match write.target.conversion {
            Some(_) => EntrySource::LocationsOfFile,
            None => EntrySource::File,
        };
        let bytes = |pieces: FilePieces| {
            let mut bytes = Vec::new();
            pieces.write(module.source(), &mut bytes, &|_, _| Ok(())).unwrap();
            bytes
        };
        let copied = write.pass(EntrySource::Copies).unwrap_or_else(|error| panic!("{error:?}"));
        let copied = bytes(copied.pieces);
        let reason = match write.pass(source) {
            Ok(file) => {
                assert_eq!(bytes(file.pieces), copied);
                None
            }
            Err(Unfinished::NeedsCopies(reason)) => Some(reason),
            Err(Unfinished::Failed(error)) => panic!("{error}"),
        };
        assert_eq!(copied, self::write(module, options).unwrap());
        (write.first_source().unwrap(), reason)
    }

    fn one_op(file: &mut TestFile, dictionary: u32) {
        let dialect = file.dialect("x");
        let name = file.op_name(dialect, "op", false);
        file.ops.push((name, Some(dictionary), None));
    }

    #[test]
    fn entries_are_copied_for_a_reason() {
        let mut file = TestFile::new();
        let dictionary = file.dictionary(["a".to_owned(), "b".to_owned()].into_iter());
        one_op(&mut file, dictionary);
        assert_eq!(first_pass(&file, None), (EntrySource::File, None));

        // Names that are not sorted.
        let mut file = TestFile::new();
        let dictionary = file.dictionary(["b".to_owned(), "a".to_owned()].into_iter());
        one_op(&mut file, dictionary);
        assert_eq!(first_pass(&file, None), (EntrySource::File, Some(CopyReason::StoredDifferently)));

        // Two unit attributes.
        let mut file = TestFile::new();
        let [first, second] = ["a", "b"].map(|name| file.string(name));
        let [first, second] = [first, second].map(|name| file.attribute(&[2, name.into()]));
        let [unit, again] = [(); 2].map(|()| file.attribute(&[7]));
        let dictionary = file.attribute(&[1, 2, first.into(), unit.into(), second.into(), again.into()]);
        one_op(&mut file, dictionary);
        assert_eq!(first_pass(&file, None), (EntrySource::File, Some(CopyReason::EqualEntries)));

        // A string twice is found before the first pass.
        let mut file = TestFile::new();
        file.string("x");
        let dictionary = file.dictionary(["a".to_owned()].into_iter());
        one_op(&mut file, dictionary);
        assert_eq!(first_pass(&file, None).0, EntrySource::Copies);
    }

    // Two operations, each at a location with these fields.
    fn two_locations(fields: [&[u64]; 2], names: [&str; 2]) -> TestFile {
        let mut file = TestFile::new();
        let dialect = file.dialect("x");
        let op = file.op_name(dialect, "op", false);
        for (fields, name) in fields.into_iter().zip(names) {
            let name = file.string(name);
            let name = file.attribute(&[2, name.into()]);
            let (code, rest) = fields.split_first().unwrap();
            let location = file.attribute(&[&[*code, name.into()], rest].concat());
            file.ops.push((op, None, None));
            file.locations.push(location);
        }
        file
    }

    #[test]
    fn locations_of_the_file_are_written_if_the_target_reads_them() {
        const LINE_AND_COLUMN: &[u64] = &[11, 3, 4];
        const RANGE: &[u64] = &[22, 4, 1, 2, 3, 4];
        let file = two_locations([LINE_AND_COLUMN, LINE_AND_COLUMN], ["a.py", "b.py"]);
        assert_eq!(first_pass(&file, Some("llvm-19")), (EntrySource::LocationsOfFile, None));
        let file = two_locations([LINE_AND_COLUMN, RANGE], ["a.py", "b.py"]);
        assert_eq!(first_pass(&file, Some("llvm-22")).1, None);
        assert_eq!(first_pass(&file, Some("llvm-19")).1, Some(CopyReason::StoredDifferently));
        // The names are equal in the written file, and so are the locations.
        let mut file = two_locations([LINE_AND_COLUMN, LINE_AND_COLUMN], ["a.py", "a.py"]);
        assert_eq!(first_pass(&file, Some("llvm-19")).1, Some(CopyReason::EqualEntries));
        // These locations have no names.
        let [first, second] = [(); 2].map(|()| file.attribute(&[15]));
        file.locations = vec![first, second];
        assert_eq!(first_pass(&file, Some("llvm-19")).1, Some(CopyReason::EqualEntries));
    }

    // The location is read again after its file name is copied.
    #[test]
    fn a_shortened_location_is_counted_once() {
        let mut file = TestFile::new();
        let dialect = file.dialect("x");
        let (source, key) = (file.string("source.py"), file.string("x.location"));
        let (source, key) = (file.attribute(&[2, source.into()]), file.attribute(&[2, key.into()]));
        let range = file.attribute(&[22, source.into(), 4, 1, 2, 3, 4]);
        let dictionary = file.attribute(&[1, 1, key.into(), range.into()]);
        let name = file.op_name(dialect, "op", false);
        file.ops.push((name, Some(dictionary), None));
        let options = canonical(Some("llvm-19"));
        let report = file.module(PLENTY).write(&mut Vec::new(), &options).unwrap();
        let [loss] = &report.losses[..] else { panic!("{:?}", report.losses) };
        assert_eq!((&loss.kind, loss.count), (&LossKind::LocationRange, 1));
    }

    #[test]
    fn a_writer_that_needs_too_much_ends_in_an_error() {
        let file = shared_dictionary(false, |number| format!("{number:04}"));
        let len = file.bytes().len() as u64;
        for target in [None, Some("llvm-19")] {
            // The limit is enough to read the file.
            let error = write(&file.module(4 * len), &canonical(target)).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::MemoryLimit, "{target:?}");
        }
    }

    #[test]
    fn a_request_to_stop_is_looked_for_while_forms_are_made() {
        let requests = Arc::new(AtomicU32::new(0));
        let counter = requests.clone();
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
        let before = requests.load(Ordering::Relaxed);
        module.prepare_write(&canonical(Some("llvm-19"))).map(drop).unwrap();
        assert!(requests.load(Ordering::Relaxed) > before);
    }
}
