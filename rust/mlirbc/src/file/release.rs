//! The detection of the release that wrote a file.
//!
//! A release that the caller specifies takes precedence, then the producer string, then the property blobs:
//! the release whose layouts fit all of them exactly. A producer string that contradicts the blobs is
//! ignored. A producer string that many builds share is the subject of `between`.

mod between;
mod named;
mod registered;

use std::cmp::Reverse;
use std::collections::HashSet;
use std::fmt;
use std::ops::{Range, RangeInclusive};
use std::sync::Arc;

use crate::dialect::entries::Entries;
use crate::format::id::OpNameId;
use crate::format::ir::{IsolatedRegions, OpHead, OpSink, PathStep, Root};
use crate::format::properties::PropertyTable;
use crate::props::codec::{Property, decode};
use crate::props::op_name::OperationName;
use crate::props::registry::Schemas;
use crate::props::schema::{OpSchema, PropertySchema};
use crate::release::{self, Llvm};
use crate::wire::error::{ErrorClass, Result};
use crate::wire::progress::Progress;
use crate::wire::section::SectionId;
use crate::wire::version::BytecodeVersion;

use super::FileTables;
use between::{Between, nearest};
pub(crate) use named::NamedLayouts;
use registered::RegisteredDialects;
pub(crate) use registered::WrittenForms;

/// The release that wrote a file, with respect to its properties, and how it was determined.
///
/// ```
/// let module = mlirbc::Module::open("../../examples/two_layers.mlirbc")?;
/// let release = module.release()?;
/// assert_eq!(release.name(), Some("llvm-22"));
/// assert!(release.to_string().starts_with("llvm-22, from the producer string `MLIR22."));
/// # Ok::<(), mlirbc::Error>(())
/// ```
#[derive(Debug)]
pub struct Release {
    // The selected schema, then those that it includes; empty if unknown.
    schemas: Vec<Arc<PropertySchema>>,
    // By op name.
    ops: Vec<Choice>,
    // The builds around the file, if its producer string is that of many builds.
    around: Option<Around>,
    origin: ReleaseOrigin,
    contradicted: Vec<String>,
    ambiguous: Vec<String>,
    // The layouts of the file that this one was made from.
    named: Option<Arc<NamedLayouts>>,
}

/// The layout of one op in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Choice {
    /// No build has the op.
    Absent,
    /// A build has the op, but no layout fits, or several layouts fit.
    Opaque,
    /// The row in one of the schemas.
    Row(u32, u32),
}

/// The builds around a file, by their places in the schemas of its release.
#[derive(Debug, Clone)]
struct Around {
    builds: Range<usize>,
    /// The builds that may have written the file.
    span: RangeInclusive<usize>,
}

/// How the release of a file was determined.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ReleaseOrigin {
    /// Specified by the caller.
    Caller,
    /// From the producer string; all property blobs agree.
    Producer(String),
    /// Inferred from this number of different property blobs, which have the layouts of the release.
    Inferred(usize),
    /// No release has the layouts of all blobs. The release of the producer string applies if there is one, and the
    /// properties of the operations that contradict it are opaque.
    Contradicted(String),
    /// The producer string is not known, and no operation of a known release has a property blob. Below version 5,
    /// where operations have no blobs, inherent attributes are those of the release that has the most operations of
    /// the file.
    Unknown(String),
}

impl fmt::Display for ReleaseOrigin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Caller => f.write_str("specified by the caller"),
            Self::Producer(producer) => write!(f, "from the producer string `{producer}`"),
            Self::Inferred(1) => f.write_str("inferred from 1 property blob"),
            Self::Inferred(blobs) => write!(f, "inferred from {blobs} property blobs"),
            Self::Contradicted(producer) => {
                write!(f, "no known release has the property layouts of this file from `{producer}`")
            }
            Self::Unknown(producer) => write!(f, "the producer string `{producer}` is not known"),
        }
    }
}

impl fmt::Display for Release {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {}", self.name().unwrap_or("unknown"), self.origin)
    }
}

impl Release {
    /// The bytes that a release keeps for each operation name of a file, and those needed while it is
    /// detected.
    pub(crate) const PER_NAME: usize = size_of::<Choice>();
    pub(crate) const PER_NAME_TO_FIND: usize =
        size_of::<OperationName<'_>>() + 2 * Self::PER_NAME + size_of::<NameSample>() + size_of::<u32>();

    /// The name; `None` if it is unknown.
    pub fn name(&self) -> Option<&str> {
        self.schema().map(|schema| schema.name())
    }

    /// The schema.
    pub fn schema(&self) -> Option<&Arc<PropertySchema>> {
        self.schemas.first()
    }

    /// The schema, then those that it includes.
    pub(crate) fn schemas(&self) -> &[Arc<PropertySchema>] {
        &self.schemas
    }

    /// The LLVM; the newest if unknown.
    pub(crate) fn llvm(&self) -> Llvm {
        self.schema().map_or(Llvm::NEWEST, |schema| schema.llvm_or_included())
    }

    /// How it was determined.
    pub fn origin(&self) -> &ReleaseOrigin {
        &self.origin
    }

    /// Whether the caller or the producer string specifies it.
    pub(crate) fn is_certain(&self) -> bool {
        matches!(self.origin, ReleaseOrigin::Caller | ReleaseOrigin::Producer(_))
    }

    /// The contradictions to the producer string, a sentence for each op.
    pub fn contradicted(&self) -> &[String] {
        &self.contradicted
    }

    /// The ops whose properties are opaque because builds with the same producer string write them in several ways
    /// that fit, a sentence for each op.
    pub fn ambiguous(&self) -> &[String] {
        &self.ambiguous
    }

    /// The schema of an op by the index of its name; `None` if the release does not have it.
    #[inline]
    pub fn op(&self, name: OpNameId) -> Option<&OpSchema> {
        self.chosen(self.choice(name))
    }

    /// The schema of a layout of this release.
    #[inline]
    pub(crate) fn chosen(&self, choice: Choice) -> Option<&OpSchema> {
        let Choice::Row(schema, row) = choice else { return None };
        self.schemas.get(schema as usize)?.op_at(row as usize)
    }

    /// The layout of an op by the index of its name.
    #[inline]
    pub(crate) fn choice(&self, name: OpNameId) -> Choice {
        self.ops.get(name.index()).copied().unwrap_or(Choice::Absent)
    }

    /// The layout of an op that the file does not have: the one on which the builds around the file agree.
    pub(crate) fn choice_for(&self, name: &[u8]) -> Choice {
        let named = self.named.as_ref().and_then(|layouts| layouts.find_new(name));
        named.unwrap_or_else(|| self.choice_of(|schema| schema.row(name)))
    }

    fn choice_of(&self, find: impl Fn(&PropertySchema) -> Option<usize>) -> Choice {
        let Some(around) = &self.around else {
            let row = self.schema().and_then(|schema| find(schema));
            return row.map_or(Choice::Absent, |row| Choice::Row(0, row as u32));
        };
        let row = |place: usize| find(self.schemas.get(place)?);
        let mut chosen = Choice::Absent;
        for place in nearest(around.builds.clone(), &around.span, |place| row(place).is_some()) {
            let choice = row(place).map_or(Choice::Absent, |row| Choice::Row(place as u32, row as u32));
            match (self.chosen(chosen), self.chosen(choice)) {
                (Some(first), Some(other)) if !first.reads_like(other) => return Choice::Opaque,
                _ => chosen = choice,
            }
        }
        chosen
    }

    /// Whether the writer of the file that this one is made from registers a dialect, if that file tells.
    pub(crate) fn registers(&self, dialect: &[u8]) -> Option<bool> {
        self.named.as_ref().and_then(|layouts| layouts.registered().dialect(dialect))
    }

    /// Whether every op has the layout of the release with the name of this one.
    pub(crate) fn is_exact(&self) -> bool {
        self.around.is_none() && self.contradicted.is_empty()
    }
}

/// The properties of a file before its release is known.
pub(crate) struct Evidence<'e, E> {
    pub(crate) producer: &'e [u8],
    pub(crate) version: BytecodeVersion,
    pub(crate) names: &'e [OperationName<'e>],
    pub(crate) entries: &'e E,
    pub(crate) properties: &'e PropertyTable,
    /// The file offset of the section of the first blob.
    pub(crate) base: u64,
}

/// A schema with the ops of a file looked up.
struct Candidate {
    schemas: Vec<Arc<PropertySchema>>,
    ops: Vec<Choice>,
    around: Option<Around>,
}

/// The rank of a candidate: the number of ops of the file that it has; the number of ops without a blob
/// although it requires one; the distance of its LLVM to that of the producer; its preference.
type Merit = (usize, Reverse<(usize, u32, usize)>);

/// An op whose blob does not have the layout of a release.
struct Misfit {
    name: u32,
    message: String,
}

impl<E: Entries> Evidence<'_, E> {
    /// Detects the release. `sample` is called at most once, and not for files without blobs.
    pub(crate) fn release(
        &self,
        schemas: &Schemas,
        caller: Option<&str>,
        sample: impl FnOnce() -> Result<Sample>,
    ) -> Result<Release> {
        if let Some(name) = caller {
            let candidate = self.candidate(schemas, schemas.find(name)?)?;
            return Ok(candidate.release(ReleaseOrigin::Caller, Vec::new()));
        }
        let producer = String::from_utf8_lossy(self.producer).into_owned();
        let claimed = match schemas.by_producer(self.producer) {
            Some(schema) => Some(self.candidate(schemas, schema)?),
            None => None,
        };
        let has_blobs = self.version.has_native_properties() && !self.properties.is_empty();
        let sample = if has_blobs { sample()? } else { Sample::default() };
        let mut misfits = Vec::new();
        let mut ambiguous = Vec::new();
        let mut specified = None;
        if let Some(mut candidate) = claimed {
            if has_blobs && let Some(between) = self.between(schemas, candidate.schema(), &sample)? {
                candidate = self.candidate(schemas, between.schema.clone())?;
                (ambiguous, misfits) = candidate.choose(between);
            }
            misfits.extend(self.misfits(&candidate, &sample, usize::MAX));
            if misfits.is_empty() {
                let release = candidate.release(ReleaseOrigin::Producer(producer), Vec::new());
                return Ok(Release { ambiguous, ..release });
            }
            specified = Some(candidate);
        }
        let contradicted: Vec<String> =
            misfits.iter().take(REPORTED).map(|misfit| misfit.message.clone()).collect();
        // A build of the main branch has the layouts of the builds around it, and not those of another year.
        let is_between = specified.as_ref().is_some_and(|candidate| candidate.around.is_some());
        if !is_between && let Some((candidate, blobs)) = self.infer(schemas, &sample)? {
            return Ok(candidate.release(ReleaseOrigin::Inferred(blobs), contradicted));
        }
        // A specified release is usually right except for a few ops that were changed in a custom build.
        if let Some(mut candidate) = specified {
            for misfit in &misfits {
                candidate.ops[misfit.name as usize] = Choice::Opaque;
            }
            let release = candidate.release(ReleaseOrigin::Contradicted(producer), contradicted);
            return Ok(Release { ambiguous, ..release });
        }
        // A reader of any release takes inherent attributes out of the dictionary.
        if !self.version.has_native_properties()
            && let Some(candidate) = self.most_known(schemas)?
        {
            return Ok(candidate.release(ReleaseOrigin::Unknown(producer), contradicted));
        }
        let origin = match sample.blobs.is_empty() {
            true => ReleaseOrigin::Unknown(producer),
            false => ReleaseOrigin::Contradicted(producer),
        };
        let (schemas, ops) = (Vec::new(), Vec::new());
        Ok(Release { schemas, ops, around: None, origin, contradicted, ambiguous, named: None })
    }

    /// The release that the caller or the producer string of a released LLVM specifies; blobs are not
    /// considered.
    pub(crate) fn claimed(&self, schemas: &Schemas, caller: Option<&str>) -> Result<Option<Release>> {
        let (schema, origin) = match caller {
            Some(name) => (schemas.find(name)?, ReleaseOrigin::Caller),
            None if Llvm::is_released(self.producer) => match schemas.by_producer(self.producer) {
                // A derived schema lacks ops that the release has.
                Some(schema) if release::find(schema.name())?.is_some_and(|row| row.is_derived) => {
                    return Ok(None);
                }
                Some(schema) => {
                    (schema, ReleaseOrigin::Producer(String::from_utf8_lossy(self.producer).into_owned()))
                }
                None => return Ok(None),
            },
            None => return Ok(None),
        };
        Ok(Some(self.candidate(schemas, schema)?.release(origin, Vec::new())))
    }

    fn candidate(&self, schemas: &Schemas, schema: Arc<PropertySchema>) -> Result<Candidate> {
        // Below version 5 the file does not contain whether an op was registered, so ops of other releases
        // only are left as they are.
        let schemas = match self.version.has_registered_flags() {
            true => schemas.with_includes(schema)?,
            false => vec![schema],
        };
        let find = |name: &OperationName<'_>| {
            // Ops that were unregistered in the writer have no layout, whatever their name.
            let schemas = schemas.iter().filter(|_| name.is_registered != Some(false));
            let rows = schemas.enumerate().map(|(i, schema)| (i as u32, schema.row_of(name)));
            let mut rows = rows.filter_map(|(i, row)| Some(Choice::Row(i, row? as u32)));
            rows.next().unwrap_or(Choice::Absent)
        };
        let ops = self.names.iter().map(find).collect();
        Ok(Candidate { schemas, ops, around: None })
    }

    /// The release that fits best, and the number of blobs that it was compared with.
    fn infer(&self, schemas: &Schemas, sample: &Sample) -> Result<Option<(Candidate, usize)>> {
        if sample.blobs.is_empty() {
            return Ok(None);
        }
        let number = Llvm::of_producer(self.producer);
        let mut best: Option<(Merit, Candidate, usize)> = None;
        for (rank, schema) in schemas.all().into_iter().enumerate() {
            let distance = match (number, schema.llvm()) {
                (Some(one), Some(other)) => one.0.abs_diff(other.0),
                (Some(_), None) => u32::MAX,
                (None, _) => 0,
            };
            let candidate = self.candidate(schemas, schema)?;
            let is_known = |(name, _): &&(u32, u32)| candidate.op(*name).is_some();
            let blobs = sample.blobs.iter().filter(is_known).count();
            if blobs == 0 || !self.misfits(&candidate, sample, 1).is_empty() {
                continue;
            }
            // MLIR writes a blob for every op that can have one.
            let misses = |name: &&u32| candidate.op(**name).is_some_and(|op| !op.is_empty());
            let missing = sample.without.iter().filter(misses).count();
            let known = candidate.ops.iter().filter(|choice| **choice != Choice::Absent).count();
            let merit = (known, Reverse((missing, distance, rank)));
            if best.as_ref().is_none_or(|(other, ..)| merit > *other) {
                best = Some((merit, candidate, blobs));
            }
        }
        Ok(best.map(|(_, candidate, blobs)| (candidate, blobs)))
    }

    /// The release with the most ops of the file, the preferred one of several.
    fn most_known(&self, schemas: &Schemas) -> Result<Option<Candidate>> {
        let found = schemas.by_known_ops(self.names).find(|schema| !schema.has_no_properties());
        found.map(|schema| self.candidate(schemas, schema)).transpose()
    }

    /// The ops with a blob of another layout, each once, at most `limit`.
    fn misfits(&self, candidate: &Candidate, sample: &Sample, limit: usize) -> Vec<Misfit> {
        let mut misfits: Vec<Misfit> = Vec::new();
        let mut values: Vec<Property<'_>> = Vec::new();
        for &(name, blob) in &sample.blobs {
            let Some(op) = candidate.op(name).filter(|op| !op.is_opaque()) else { continue };
            let Some(bytes) = self.properties.get(blob) else { continue };
            let offset = self.base + self.properties.position(blob).unwrap_or_default();
            values.clear();
            if let Err(error) = decode(op, self.version, &bytes, offset, self.entries, &mut values)
                && misfits.iter().all(|known| known.name != name)
            {
                misfits.push(Misfit { name, message: error.to_string() });
                if misfits.len() >= limit {
                    break;
                }
            }
        }
        misfits
    }
}

// More contradictions add no information.
const REPORTED: usize = 8;

impl Candidate {
    fn op(&self, name: u32) -> Option<&OpSchema> {
        let Choice::Row(schema, row) = *self.ops.get(name as usize)? else { return None };
        self.schemas.get(schema as usize)?.op_at(row as usize)
    }

    fn schema(&self) -> Option<&PropertySchema> {
        self.schemas.first().map(|schema| &**schema)
    }

    /// Takes over the layouts of the builds around the file. Returns what is ambiguous, and what does not fit.
    fn choose(&mut self, between: Between) -> (Vec<String>, Vec<Misfit>) {
        let first = self.schemas.len();
        let (start, end) = between.span.into_inner();
        let span = first + start..=first + end;
        self.around = Some(Around { builds: first..first + between.schemas.len(), span });
        self.schemas.extend(between.schemas);
        for (op, choice) in self.ops.iter_mut().zip(between.ops) {
            match choice {
                Choice::Absent => {}
                Choice::Opaque => *op = Choice::Opaque,
                Choice::Row(schema, row) => *op = Choice::Row(first as u32 + schema, row),
            }
        }
        (between.ambiguous, between.misfits)
    }

    fn release(self, origin: ReleaseOrigin, contradicted: Vec<String>) -> Release {
        let Self { schemas, ops, around } = self;
        Release { schemas, ops, around, origin, contradicted, ambiguous: Vec::new(), named: None }
    }
}

// ---- sampled blobs ----

// Bounds on the cost of detection: different blobs, different blobs of one op, ops.
const MAX_BLOBS: usize = 4096;
const MAX_BLOBS_OF_OP: u32 = 64;
const MAX_OPS: u64 = 1 << 20;
// After this many ops, and once each registered name has occurred, only one isolated op in `SPARSE_STEP` is read, and of
// the first ones those whose number is a power of two.
const DENSE_OPS: u64 = 1 << 14;
const SPARSE_STEP: u64 = 128;

/// Collects some of the different blobs of each registered op.
#[derive(Debug, Default)]
pub(crate) struct Sample {
    blobs: Vec<(u32, u32)>,
    /// Ops that occur without a blob.
    without: Vec<u32>,
    seen: HashSet<(u32, u32)>,
    ops: u64,
    /// The number of registered names that have not occurred yet.
    unseen: usize,
    /// The number of isolated ops since the sample became sparse.
    sparse: u64,
    // By op name.
    names: Vec<NameSample>,
}

#[derive(Debug, Clone, Copy)]
struct NameSample {
    is_registered: bool,
    has_none: bool,
    blobs: u32,
    last: u32,
}

impl Sample {
    /// Creates one from the registered flags of the names.
    pub(crate) fn new(is_registered: impl Iterator<Item = bool>) -> Self {
        let name = |is_registered| NameSample { is_registered, has_none: false, blobs: 0, last: u32::MAX };
        let names: Vec<_> = is_registered.map(name).collect();
        let unseen = names.iter().filter(|name| name.is_registered).count();
        Self { names, unseen, ..Self::default() }
    }

    /// Whether later ops are unlikely to add anything.
    fn is_sparse(&self) -> bool {
        self.unseen == 0 && self.ops >= DENSE_OPS
    }

    fn is_full(&self) -> bool {
        self.blobs.len() >= MAX_BLOBS || self.ops >= MAX_OPS
    }
}

impl OpSink for Sample {
    fn op(&mut self, head: OpHead) {
        self.ops += 1;
        let Some(name) = self.names.get_mut(head.name as usize) else { return };
        if !name.is_registered {
            return;
        }
        if name.blobs == 0 && !name.has_none {
            self.unseen = self.unseen.saturating_sub(1);
        }
        match head.properties {
            Some(blob) if blob != name.last && name.blobs < MAX_BLOBS_OF_OP => {
                name.last = blob;
                if self.blobs.len() < MAX_BLOBS && self.seen.insert((head.name, blob)) {
                    name.blobs += 1;
                    self.blobs.push((head.name, blob));
                }
            }
            None if !name.has_none => {
                name.has_none = true;
                self.without.push(head.name);
            }
            _ => {}
        }
    }

    fn enter(&mut self, _: IsolatedRegions) -> bool {
        if self.is_sparse() {
            self.sparse += 1;
            let is_next = self.sparse.is_power_of_two() || self.sparse.is_multiple_of(SPARSE_STEP);
            return is_next && !self.is_full();
        }
        !self.is_full()
    }
}

impl FileTables {
    /// The release that wrote the file, detected on first use from the producer string and a bounded number
    /// of property blobs, unless [`ReadOptions::release`](crate::ReadOptions::release) specifies it.
    ///
    /// # Errors
    /// If a table is malformed. Malformed operations are not an error here; those before them are considered.
    ///
    /// ```
    /// let module = mlirbc::Module::open("../../examples/two_layers.mlirbc")?;
    /// assert_eq!(module.release()?.name(), Some("llvm-22"));
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn release(&self) -> Result<&Release> {
        self.once(&self.0.release, || {
            let section = self.dialect_section()?;
            // A dialect that is treated as unknown is in no release.
            let flag = |name: &OperationName<'_>| match self.0.registry.is_unknown(name.dialect) {
                true => Some(false),
                false => name.is_registered,
            };
            let all = self.op_names()?;
            self.0.budget.spend(all.len().saturating_mul(Release::PER_NAME))?;
            let _held = self.0.budget.hold(all.len().saturating_mul(Release::PER_NAME_TO_FIND))?;
            let names: Vec<_> =
                all.map(|name| OperationName { is_registered: flag(&name), ..name }).collect();
            let (properties, base) = (self.properties()?, self.properties_base());
            let (producer, version) = (self.0.bytecode.producer(), self.0.bytecode.version());
            let entries = self.entries()?;
            if let Some(layouts) = &self.0.layouts {
                return Ok(layouts.release(&names));
            }
            let evidence = Evidence { producer, version, names: &names, entries: &entries, properties, base };
            let is_registered = section.op_names.iter().map(|name| name.is_registered != Some(false));
            evidence.release(&self.0.schemas, self.0.release_name.as_deref(), || {
                let mut sample = Sample::new(is_registered);
                let mut reader = self.ir_reader(0..self.ir()?.data.len(), 0)?;
                let budget = self.work_budget();
                let describe = |path: &mut dyn Iterator<Item = PathStep>| self.path_of(None, path);
                let account = (&budget, &Progress::default());
                let read = self.read_ir(&mut reader, Root::TopLevel, &mut sample, account, describe);
                self.0.source.check()?;
                match read {
                    Err(error) if error.class() != ErrorClass::Read => Err(error),
                    _ => Ok(sample),
                }
            })
        })
    }

    /// The release whose reader a file is for: the one that the caller specifies, or that of the producer
    /// string of a released LLVM, regardless of the blobs. `None` for all other files, including those of
    /// development builds.
    ///
    /// # Errors
    /// As [`Self::release`].
    pub(crate) fn claimed_release(&self) -> Result<Option<Release>> {
        // A reader uses its own operations, not the registered flags of the file.
        let flag = |name: &OperationName<'_>| self.0.registry.is_unknown(name.dialect).then_some(false);
        let all = self.op_names()?;
        let _held =
            self.0.budget.hold(all.len().saturating_mul(Release::PER_NAME + Release::PER_NAME_TO_FIND))?;
        let names: Vec<_> = all.map(|name| OperationName { is_registered: flag(&name), ..name }).collect();
        let (properties, base) = (self.properties()?, self.properties_base());
        let (producer, version) = (self.0.bytecode.producer(), self.0.bytecode.version());
        let entries = self.entries()?;
        let evidence = Evidence { producer, version, names: &names, entries: &entries, properties, base };
        evidence.claimed(&self.0.schemas, self.0.release_name.as_deref())
    }

    /// The layouts of this file by op name.
    ///
    /// # Errors
    /// As [`Self::release`], and if the memory limit is reached.
    pub(crate) fn named_layouts(&self) -> Result<Arc<NamedLayouts>> {
        let release = self.release()?;
        let names: Vec<_> = self.op_names()?.collect();
        let registered = RegisteredDialects::of(release, &names, &self.0.budget)?;
        Ok(Arc::new(NamedLayouts::new(release, &names, registered, &self.0.budget)?))
    }

    /// Whether the caller requested to treat a dialect as unknown.
    pub(crate) fn is_unknown_dialect(&self, dialect: &[u8]) -> bool {
        self.0.registry.is_unknown(dialect)
    }

    /// The schema of a release of this module by name.
    pub(crate) fn find_schema(&self, name: &str) -> Result<Arc<PropertySchema>> {
        self.0.schemas.find(name)
    }

    /// [`Self::find_schema`], then the schemas that it includes.
    pub(crate) fn find_schemas(&self, name: &str) -> Result<Vec<Arc<PropertySchema>>> {
        self.0.schemas.with_includes(self.find_schema(name)?)
    }

    pub(crate) fn properties_base(&self) -> u64 {
        self.0.bytecode.section(SectionId::Properties).map_or(0, |section| section.offset)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn op(name: u32) -> OpHead {
        OpHead { name, location: 0, attributes: None, properties: Some(7) }
    }

    fn entered(sample: &mut Sample, times: u64) -> u64 {
        let regions = || IsolatedRegions { count: 1, range: 0..0, depth: 1 };
        (0..times).map(|_| u64::from(sample.enter(regions()))).sum()
    }

    #[test]
    fn the_sample_is_sparse_when_each_registered_name_has_occurred() {
        let mut sample = Sample::new([true, true, false].into_iter());
        for _ in 0..DENSE_OPS {
            sample.op(op(0));
        }
        // The other registered name can be anywhere.
        assert_eq!(entered(&mut sample, 100), 100);
        sample.op(op(1));
        // Every step, and the powers of two below the first one.
        assert_eq!(entered(&mut sample, 10 * SPARSE_STEP), 10 + u64::from(SPARSE_STEP.ilog2()));
        for _ in 0..MAX_OPS {
            sample.op(op(2));
        }
        assert_eq!(entered(&mut sample, 10 * SPARSE_STEP), 0);
    }

    #[test]
    fn a_small_file_is_read_completely() {
        let mut sample = Sample::new([true].into_iter());
        for _ in 1..DENSE_OPS {
            sample.op(op(0));
        }
        assert_eq!(entered(&mut sample, 100), 100);
        assert_eq!((sample.blobs.len(), sample.unseen), (1, 0));
    }
}
