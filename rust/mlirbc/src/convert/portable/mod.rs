//! Converts portable artifacts, which contain VHLO, to StableHLO, and StableHLO to artifacts.
//!
//! Owns the application of the rows of `data/translation/vhlo.toml`; `docs/explanation/releases.md` explains
//! the design. Does not own the order and the bytes of the written file: the canonical writer does.

mod attributes;
mod cast_rewriter;
mod cast_use_orders;
mod casts;
mod entries;
mod orders;
mod reader_layouts;
mod report;
mod rules;
mod scopes;
mod survey;
#[cfg(test)]
mod tests;
mod translator;

use crate::ir::Module;
use crate::wire::error::{Error, ErrorKind, Result};
use crate::wire::loss::Loss;
use crate::wire::options::setters;
use crate::wire::progress::Progress;
use crate::wire::version::BytecodeVersion;
use crate::write::canonical::collect::Collector;
use crate::write::canonical::emit::Emitter;
use crate::write::canonical::numbering;
use crate::write::canonical::pass::{self, EntrySource, Unfinished};
use crate::write::canonical::summary::ReferenceSummaries;
use crate::write::canonical::translator::OpTranslator;
use crate::write::file_pieces::FilePieces;
use crate::write::{PreparedWrite, WriteMode, WriteOptions, WriteReport};

use super::op::Changes;
use super::versions::Versions;
use super::write::{PlannedFile, unsupported};
use entries::Direction;
use rules::shipped;
use translator::{Goal, PortableTranslator};

pub use crate::convert::rules::VhloVersion;

/// Options for [`serialize`].
///
/// ```
/// use mlirbc::convert::portable::{SerializeOptions, VhloVersion};
/// let options = SerializeOptions::default().version("1.9.0".parse::<VhloVersion>()?);
/// assert!(options.allow_other_dialects);
/// # Ok::<(), mlirbc::Error>(())
/// ```
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct SerializeOptions {
    /// The version of StableHLO that reads the artifact; by default the newest known one.
    pub version: Option<VhloVersion>,
    /// Whether operations, attributes and types of other dialects may be in the artifact. They are written
    /// unchanged, whatever the version.
    pub allow_other_dialects: bool,
    /// Whether the report lists the operations, attributes and types that are written in another form.
    pub lists_changes: bool,
    /// Receives how far the work is.
    pub progress: Progress,
}

setters! {
    SerializeOptions {
        version: impl Into<Option<VhloVersion>>,
        allow_other_dialects: bool,
        lists_changes: bool,
        progress: Progress,
    }
}

impl Default for SerializeOptions {
    fn default() -> Self {
        Self {
            version: None,
            allow_other_dialects: true,
            lists_changes: false,
            progress: Progress::default(),
        }
    }
}

/// Returns the version of StableHLO that an artifact was written for, from its producer string. `None` if the
/// module is not an artifact.
///
/// ```
/// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
/// assert_eq!(mlirbc::convert::portable::artifact_version(&module), None);
/// # Ok::<(), mlirbc::Error>(())
/// ```
pub fn artifact_version(module: &Module) -> Option<VhloVersion> {
    let producer = std::str::from_utf8(module.tables().bytecode().producer()).ok()?;
    let (_, version) = producer.split_once(PRODUCER)?;
    version.parse().ok()
}

/// Whether a module is a portable artifact: it has the producer string of an artifact, or operations of VHLO.
///
/// # Errors
/// If the module is malformed.
///
/// ```
/// let module = mlirbc::Module::open("../../examples/mlp.jax")?;
/// assert!(mlirbc::convert::portable::is_artifact(&module)?);
/// # Ok::<(), mlirbc::Error>(())
/// ```
pub fn is_artifact(module: &Module) -> Result<bool> {
    Ok(artifact_version(module).is_some() || is_vhlo(module)?)
}

/// Returns the version of VHLO that introduced an operation, by its name there without the dialect, e.g.
/// `tan_v2`; `None` if it is not newer than the oldest version, or not known.
pub(crate) fn introduced(name: &str) -> Option<VhloVersion> {
    shipped().ok()?.introduced(name)
}

/// Returns the first version of StableHLO whose artifacts may have this version of bytecode.
pub(crate) fn introduced_bytecode(version: BytecodeVersion) -> Option<VhloVersion> {
    shipped().ok()?.versions.introduced_bytecode(version)
}

/// The text before the version in the producer string of an artifact.
const PRODUCER: &str = "StableHLO_v";

/// Prepares the StableHLO module of an artifact. Operations, attributes and types of other dialects remain.
///
/// # Errors
/// [`ErrorKind::Unsupported`] with [`Error::losses`] for parts of a newer version that this release does not
/// know, and for values that StableHLO does not have; the errors of reading.
pub fn deserialize(module: &Module, progress: &Progress) -> Result<PreparedWrite> {
    deserialized(module, progress, false)
}

/// Implements [`deserialize`], with a list of changed forms if the caller wants one.
///
/// # Errors
/// The errors of [`deserialize`].
pub(super) fn deserialized(
    module: &Module,
    progress: &Progress,
    lists_changes: bool,
) -> Result<PreparedWrite> {
    let rules = shipped()?;
    let mut first = None;
    for name in &rules.versions.releases {
        let schema = module.tables().find_schema(name)?;
        let producer = crate::release::find(name)?.map(|release| release.signature.clone());
        let goal = Goal {
            direction: Direction::FromVhlo,
            version: rules.versions.newest,
            bytecode: BytecodeVersion::MAX,
            schema,
            allows_others: true,
            shortens_ranges: false,
            lists_changes,
        };
        match written(module, goal, producer.as_deref().unwrap_or_default(), progress) {
            Ok(planned) => return Ok(prepared(planned, progress)),
            // Another release may have the missing operations.
            Err(error) if error.losses().is_empty() => return Err(error),
            Err(error) => first = first.or(Some(error)),
        }
    }
    Err(first.unwrap_or_else(no_release))
}

/// Prepares the artifact of a StableHLO module for a version: the bytes of StableHLO's own tools.
///
/// # Errors
/// [`ErrorKind::Unsupported`] with [`Error::losses`] for parts that the version cannot hold;
/// [`ErrorKind::Value`] for a version that is not known; the errors of reading.
pub fn serialize(module: &Module, options: &SerializeOptions) -> Result<PreparedWrite> {
    let rules = shipped()?;
    let version = options.version.unwrap_or(rules.versions.newest);
    let versions = &rules.versions;
    if version < versions.oldest || version > versions.newest {
        let message = format!(
            "StableHLO {version} is not among the known versions, {} to {}",
            versions.oldest, versions.newest
        );
        return Err(Error::message(ErrorKind::Value, message));
    }
    // The tools convert artifacts by their newest form.
    if is_vhlo(module)? {
        let module = deserialize(module, &Progress::default())?.into_module()?;
        return serialize(&module, options);
    }
    let goal = to_vhlo(module, version, options.allow_other_dialects)?;
    let goal = Goal { lists_changes: options.lists_changes, ..goal };
    let producer = format!("{PRODUCER}{version}");
    let prepared = prepared(written(module, goal, &producer, &options.progress)?, &options.progress);
    reader_layouts::check(module, &prepared)?;
    Ok(prepared)
}

/// Returns the lowest version of StableHLO whose artifacts can hold a StableHLO module.
///
/// # Errors
/// [`ErrorKind::Unsupported`] if no version can; the errors of reading.
#[doc(hidden)]
pub fn min_version(module: &Module) -> Result<VhloVersion> {
    let rules = shipped()?;
    if is_vhlo(module)? {
        return min_version(&deserialize(module, &Progress::default())?.into_module()?);
    }
    let goal = to_vhlo(module, rules.versions.newest, true)?;
    let pass = |ops: &mut PortableTranslator<'_>| -> pass::Result<VhloVersion> {
        let (collected, losses) = collect(module, ops, &Progress::default())?;
        refuse(losses)?;
        Ok(ops.min_version(&collected.encoding_counts))
    };
    with_translator(module, goal, pass)
}

/// Whether a module has operations of VHLO.
pub(crate) fn is_vhlo(module: &Module) -> Result<bool> {
    // A deserialized module has no operations of VHLO, so callers that deserialize it ask at most twice.
    Ok(module.tables().op_names()?.any(|name| name.dialect == b"vhlo"))
}

fn to_vhlo(module: &Module, version: VhloVersion, allows_others: bool) -> Result<Goal> {
    let rules = shipped()?;
    // The layouts of VHLO never change, so any release with all of its operations will do.
    let schema = module.tables().find_schema(reader_layouts::READER)?;
    let version = version.without_patch();
    let bytecode = rules.versions.bytecode(version);
    let shortens_ranges = version < rules.versions.location_ranges;
    let (direction, lists_changes) = (Direction::ToVhlo, false);
    Ok(Goal { direction, version, bytecode, schema, allows_others, shortens_ranges, lists_changes })
}

fn with_translator<R>(
    module: &Module,
    goal: Goal,
    pass: impl Fn(&mut PortableTranslator<'_>) -> pass::Result<R>,
) -> Result<R> {
    module.settle()?;
    reader_layouts::check_entries(module, goal.schema.llvm_or_included())?;
    let entries = module.tables().entries()?;
    let source_schema = module.release()?.schema().cloned();
    let target = goal.target(source_schema);
    let versions = Versions::new(module, &target)?;
    let rules = shipped()?;
    let pass = |source| {
        let budget = module.tables().work_budget();
        let goal = (goal.clone(), rules);
        pass(&mut PortableTranslator::new(module, &entries, goal, (&versions, source), &budget)?)
    };
    // Most entries are locations, which are the same in both dialects. Files of MLIR allow the pass to use
    // them unchanged.
    let outcome = match pass(EntrySource::LocationsOfFile) {
        Err(Unfinished::NeedsCopies(_)) => pass(EntrySource::Copies),
        outcome => outcome,
    };
    outcome.map_err(|unfinished| match unfinished {
        Unfinished::Failed(error) => error,
        Unfinished::NeedsCopies(reason) => Error::message(ErrorKind::Unsupported, reason.to_string()),
    })
}

fn collect(
    module: &Module,
    ops: &mut PortableTranslator<'_>,
    progress: &Progress,
) -> pass::Result<(crate::write::canonical::collect::Collected, Vec<Loss>)> {
    let budget = ops.budget().clone();
    let plan = ops.plan.clone();
    let mut collector = Collector::new(ops, false, false)?;
    translator::stream(module, &plan, &mut collector, (&budget, progress))?;
    let mut collected = collector.finish()?;
    ops.check_locations()?;
    collected.is_as_read = false;
    let losses = ops.losses(&collected.encoding_counts)?;
    Ok((collected, losses))
}

fn refuse(losses: Vec<Loss>) -> pass::Result<()> {
    if losses.is_empty() { Ok(()) } else { Err(unsupported(losses, false).into()) }
}

fn written(module: &Module, goal: Goal, producer: &str, progress: &Progress) -> Result<PlannedFile> {
    let pass = |ops: &mut PortableTranslator<'_>| -> pass::Result<(FilePieces, Option<Loss>, Changes)> {
        let (mut collected, losses) = collect(module, ops, progress)?;
        refuse(losses)?;
        let ops = &*ops;
        let summaries = ReferenceSummaries::of_tables(ops.entries(), ops.budget())?;
        let numbering = numbering::number(module.tables(), &mut collected, ops, summaries)?;
        let options = WriteOptions::default();
        let emitter = Emitter::new(module, ops, &collected, numbering, (&options, false))?;
        let changes = ops.changes(&collected.encoding_counts)?;
        Ok((emitter.file(producer.as_bytes(), progress)?, ops.shortened_ranges(), changes))
    };
    let (pieces, ranges, Changes { changes, unchanged_operations }) = with_translator(module, goal, pass)?;
    let reason = "another dialect was requested".to_owned();
    let report = WriteReport::new(&pieces, WriteMode::Renumbered, reason, ranges.into_iter().collect());
    let report = WriteReport { changes, unchanged_operations, ..report };
    Ok(PlannedFile { module: module.clone(), pieces, report })
}

fn prepared(planned: PlannedFile, progress: &Progress) -> PreparedWrite {
    let PlannedFile { module, pieces, report } = planned;
    PreparedWrite { module, pieces, report, progress: progress.clone(), is_of_other_release: true }
}

#[cold]
fn no_release() -> Error {
    Error::message(ErrorKind::DialectTable, "the rules of VHLO name no release")
}
