//! Detection of the release that wrote a file.
//!
//! A release that the caller specifies takes precedence, then the producer string. If the producer string is
//! unknown, the property blobs decide: the release whose layouts fit all blobs exactly. An operation whose
//! blobs contradict the producer string is opaque. `period_layouts` chooses the layouts for a producer string
//! that many builds share; `description` names the release.

mod description;
mod detection;
mod named_layouts;
#[cfg(test)]
mod neighbour_tests;
mod period_layouts;
mod readings;
mod registered_dialects;
mod sample;
mod trial;

use std::cmp::Reverse;
use std::ops::{Range, RangeInclusive};
use std::sync::Arc;

use crate::dialect::entries::Entries;
use crate::format::id::OpNameId;
use crate::format::properties::PropertyTable;
use crate::ops::OperationDefinitions;
use crate::props::codec::Property;
use crate::props::op_name::OperationName;
use crate::props::registry::Schemas;
use crate::props::schema::{OpSchema, PropertySchema};
use crate::release::producer::{period, portable_version};
use crate::release::{self, Llvm};
use crate::wire::error::Result;
use crate::wire::version::BytecodeVersion;

use description::BlobEvidence;
pub use description::{Contradiction, ReleaseDescription, ReleaseEvidence, ReleaseKind, ReleaseOrigin};
pub(crate) use named_layouts::NamedLayouts;
use period_layouts::{PeriodLayouts, nearest};
pub use readings::ExcludedBuild;
pub(crate) use readings::{Ambiguity, LayoutReading, SelectedLayout};
use registered_dialects::RegisteredDialects;
pub(crate) use registered_dialects::WrittenForms;
use sample::NameSample;
pub(crate) use sample::Sample;

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
pub struct DetectedRelease {
    // The selected schema, then the schemas that it includes; empty if unknown.
    schemas: Vec<Arc<PropertySchema>>,
    // The layout of each op name.
    ops: Vec<Choice>,
    // The builds around the file, if many builds have its producer string.
    around: Option<Around>,
    origin: ReleaseOrigin,
    evidence: BlobEvidence,
    // The readings of each ambiguous op.
    ambiguities: Arc<[Ambiguity]>,
    excluded: Vec<ExcludedBuild>,
    // The layouts that the caller selects.
    selected: Vec<(Box<str>, Choice)>,
    // The layouts of the file from which this file was made.
    named: Option<Arc<NamedLayouts>>,
}

/// The layout of one op in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Choice {
    /// No build has the op.
    Absent,
    /// A build has the op, but no layout fits, or builds disagree without a blob to compare.
    Opaque,
    /// Several layouts fit all blobs of the op and give different properties.
    Ambiguous(u32),
    /// The row in one of the schemas.
    Row(u32, u32),
    /// The writer has no properties for the op. Its inherent attributes are in the dictionary, with the names
    /// in this row.
    Attributes(u32, u32),
}

/// The builds around a file, by their indices in the schemas of its release.
#[derive(Debug, Clone)]
struct Around {
    builds: Range<usize>,
    /// The builds that may have written the file.
    span: RangeInclusive<usize>,
    /// The builds of the producer string that have the layouts of all compared blobs.
    fitting: Vec<usize>,
}

impl DetectedRelease {
    /// The bytes that a release keeps for each operation name of a file, and the bytes needed during
    /// detection.
    pub(crate) const PER_NAME: usize = size_of::<Choice>() + size_of::<Ambiguity>();
    pub(crate) const PER_NAME_TO_FIND: usize =
        size_of::<OperationName<'_>>() + 2 * Self::PER_NAME + size_of::<NameSample>() + size_of::<u32>();

    /// The schema of the nearest known release.
    #[doc(hidden)]
    pub fn schema(&self) -> Option<&Arc<PropertySchema>> {
        self.schemas.first()
    }

    /// The schema, then the schemas that it includes.
    pub(crate) fn schemas(&self) -> &[Arc<PropertySchema>] {
        &self.schemas
    }

    /// The LLVM version; the newest if unknown.
    pub(crate) fn llvm(&self) -> Llvm {
        self.schema().map_or(Llvm::NEWEST, |schema| schema.llvm_or_included())
    }

    /// Whether the caller or the producer string specifies the release, and no property blob contradicts it.
    pub(crate) fn is_certain(&self) -> bool {
        self.description().kind != ReleaseKind::Unknown && self.evidence.contradictions.is_empty()
    }

    /// The schema of an op by the index of its name; `None` if the release does not have it.
    #[doc(hidden)]
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

    /// The inherent attributes of an op for which the writer has no properties.
    pub(crate) fn attributes_of(&self, name: OpNameId) -> Option<&OpSchema> {
        let Choice::Attributes(schema, row) = self.choice(name) else { return None };
        self.chosen(Choice::Row(schema, row))
    }

    /// The layout of an op by the index of its name.
    #[inline]
    pub(crate) fn choice(&self, name: OpNameId) -> Choice {
        self.ops.get(name.index()).copied().unwrap_or(Choice::Absent)
    }

    /// Returns the layout of an op that the file does not have: the layout on which the builds around the
    /// file agree. A tool does not register the ops of all dialects whose layouts are known.
    pub(crate) fn choice_for(&self, name: &[u8]) -> Choice {
        if let Some((_, choice)) = self.selected.iter().find(|(op, _)| op.as_bytes() == name) {
            return *choice;
        }
        if let Some(choice) = self.named.as_ref().and_then(|layouts| layouts.find_new(name)) {
            return choice;
        }
        match self.may_register(name) {
            true => self.choice_of(|schema| schema.row(name)),
            false => Choice::Absent,
        }
    }

    /// Whether the writer of the file registers an op, or any build that may have written the file does.
    fn may_register(&self, name: &[u8]) -> bool {
        let dialect = name.split(|byte| *byte == b'.').next().unwrap_or(name);
        if self.registers_dialect(dialect) == Some(true) {
            return true;
        }
        let registers = |place: usize| {
            self.schemas.get(place).is_none_or(|schema| release::registers(schema.name(), name))
        };
        match &self.around {
            Some(around) => around.span.is_empty() || around.span.clone().any(registers),
            None => registers(0),
        }
    }

    /// Whether the caller selects the layout of an op.
    pub(crate) fn is_selected(&self, op: &OpSchema) -> bool {
        self.selected.iter().any(|(name, _)| **name == *op.name())
    }

    /// Returns the op of each build around the file that has one, regardless of its layout in the file.
    pub(crate) fn ops_of_builds(&self, name: &[u8]) -> impl Iterator<Item = &OpSchema> {
        self.schemas.iter().filter_map(move |schema| schema.op(name))
    }

    /// The builds around the file that cannot have written it, the oldest first. The layouts of an operation
    /// may depend on the remaining builds.
    #[doc(hidden)]
    pub fn excluded_builds(&self) -> &[ExcludedBuild] {
        &self.excluded
    }

    /// The readings of an ambiguous op.
    pub(crate) fn readings(&self, name: OpNameId) -> &[LayoutReading] {
        let Choice::Ambiguous(place) = self.choice(name) else { return &[] };
        self.ambiguities.get(place as usize).map_or(&[], |ambiguity| &ambiguity.readings)
    }

    /// The ambiguous ops.
    pub(crate) fn ambiguous_ops(&self) -> impl Iterator<Item = OpNameId> {
        let names = (0u32..).zip(&self.ops).filter(|(_, choice)| matches!(choice, Choice::Ambiguous(_)));
        names.map(|(name, _)| OpNameId::new(name))
    }

    /// The op in the layout of a reading.
    pub(crate) fn op_of_reading(&self, reading: &LayoutReading) -> Option<&OpSchema> {
        self.chosen(Choice::Row(reading.schema, reading.row))
    }

    /// The names of the builds that have the layout of a reading.
    pub(crate) fn builds_of(&self, reading: &LayoutReading) -> impl Iterator<Item = &str> {
        reading.builds.iter().filter_map(|&build| Some(self.schemas.get(build)?.name()))
    }

    fn choice_of(&self, find: impl Fn(&PropertySchema) -> Option<usize>) -> Choice {
        let Some(around) = &self.around else {
            return self.choice_with_includes(find);
        };
        let row = |place: usize| find(self.schemas.get(place)?);
        let (mut chosen, mut is_newer) = (Choice::Absent, true);
        for place in nearest(around.builds.clone(), &around.span, |place| row(place).is_some()) {
            let choice = row(place).map_or(Choice::Absent, |row| Choice::Row(place as u32, row as u32));
            match (self.chosen(chosen), self.chosen(choice)) {
                (Some(first), Some(other)) if !first.agrees_with(other) => return Choice::Opaque,
                _ => chosen = choice,
            }
            is_newer &= place > *around.span.end();
        }
        match chosen {
            // Every reader takes inherent attributes out of the dictionary, but not every reader has
            // properties for the op.
            Choice::Row(schema, row) if is_newer && self.llvm().may_lack_properties() => {
                Choice::Attributes(schema, row)
            }
            chosen => chosen,
        }
    }

    /// The layout in the schema, or in one that it includes.
    fn choice_with_includes(&self, find: impl Fn(&PropertySchema) -> Option<usize>) -> Choice {
        let is_included =
            |name: &str| self.schema().is_some_and(|first| first.includes().any(|included| included == name));
        // Layouts that the caller selects bring more schemas.
        let schemas = self.schemas.iter().enumerate();
        let mut schemas = schemas.filter(|(place, schema)| *place == 0 || is_included(schema.name()));
        let row = schemas.find_map(|(place, schema)| Some(Choice::Row(place as u32, find(schema)? as u32)));
        row.unwrap_or(Choice::Absent)
    }

    /// Whether the writer of the file from which this file is made registers a dialect, if that file tells.
    pub(crate) fn registers_dialect(&self, dialect: &[u8]) -> Option<bool> {
        self.named.as_ref().and_then(|layouts| layouts.registered().dialect(dialect))
    }

    /// Whether every op has the layout of the release with this name.
    pub(crate) fn is_exact(&self) -> bool {
        self.around.is_none() && self.evidence.contradictions.is_empty() && self.selected.is_empty()
    }
}

/// The properties of a file before its release is known.
pub(crate) struct Evidence<'e, E> {
    pub(crate) producer: &'e [u8],
    pub(crate) version: BytecodeVersion,
    pub(crate) names: &'e [OperationName<'e>],
    pub(crate) entries: &'e E,
    pub(crate) properties: &'e PropertyTable,
    /// The layouts that the caller selects, which are not compared with blobs.
    pub(crate) selected: &'e [SelectedLayout],
    /// The file offset of the section of the first blob.
    pub(crate) base: u64,
}

/// A schema, and its rows for the ops of a file.
struct Candidate {
    schemas: Vec<Arc<PropertySchema>>,
    ops: Vec<Choice>,
    around: Option<Around>,
    ambiguities: Vec<Ambiguity>,
    excluded: Vec<ExcludedBuild>,
    selected: Vec<(Box<str>, Choice)>,
}

/// The rank of a candidate: the number of the file's ops that it has; the number of ops without a blob
/// although it requires one; the distance between its LLVM and the producer's LLVM; its preference.
type Merit = (usize, Reverse<(usize, u32, usize)>);

/// An op whose blob does not have the layout of a release.
struct Misfit {
    name: u32,
    contradiction: Contradiction,
}

impl<E: Entries> Evidence<'_, E> {
    /// Detects the release. `sample` is called at most once, and not for files without blobs.
    pub(crate) fn release(
        &self,
        schemas: &Schemas,
        caller: Option<&str>,
        sample: impl FnOnce() -> Result<Sample>,
    ) -> Result<DetectedRelease> {
        if let Some(name) = caller {
            let candidate = self.candidate(schemas, schemas.find(name)?)?;
            return Ok(candidate.release(ReleaseOrigin::Caller, BlobEvidence::default()));
        }
        let producer = String::from_utf8_lossy(self.producer).into_owned();
        let claimed = self.claimed_schema(schemas)?;
        let has_blobs = self.version.has_native_properties() && !self.properties.is_empty();
        let sample = if has_blobs { sample()? } else { Sample::default() };
        let mut evidence = BlobEvidence { blobs: sample.blobs.len(), ..BlobEvidence::default() };
        let Some(schema) = claimed else {
            let origin = ReleaseOrigin::Unknown(producer);
            if let Some(candidate) = self.infer(schemas, &sample)? {
                evidence.note_fit(&candidate);
                return Ok(candidate.release(origin, evidence));
            }
            // A reader of any release takes inherent attributes out of the dictionary.
            let most_known = match self.version.has_native_properties() {
                true => None,
                false => self.most_known(schemas)?,
            };
            let candidate = most_known.unwrap_or_else(|| self.unknown());
            return Ok(candidate.release(origin, evidence));
        };
        let mut candidate = self.candidate(schemas, schema)?;
        let mut misfits = Vec::new();
        if has_blobs && let Some(layouts) = self.period_layouts(schemas, candidate.schema(), &sample)? {
            candidate = self.candidate(schemas, layouts.schema.clone())?;
            (evidence.ambiguous, misfits) = candidate.choose(layouts);
        }
        misfits.extend(self.misfits(&candidate, &sample, usize::MAX));
        evidence.contradictions =
            misfits.iter().take(REPORTED).map(|misfit| misfit.contradiction.clone()).collect();
        for misfit in &misfits {
            if let Some(choice) = candidate.ops.get_mut(misfit.name as usize) {
                *choice = Choice::Opaque;
            }
        }
        // A build of the main branch has the layouts of the builds around it, never of builds from another
        // year.
        if !misfits.is_empty()
            && candidate.around.is_none()
            && let Some(other) = self.infer(schemas, &sample)?
            && misfits.iter().all(|misfit| other.op(misfit.name).is_some())
        {
            evidence.note_fit(&other);
            // The string of a portable artifact is no evidence for the operations that it preserves.
            if portable_version(&producer).is_some() {
                return Ok(other.release(ReleaseOrigin::Producer(producer), evidence));
            }
            candidate.doubt(&other, &mut evidence.ambiguous);
        }
        Ok(candidate.release(ReleaseOrigin::Producer(producer), evidence))
    }

    /// Returns the schema for the producer string. For a version of LLVM without a known build, this is the
    /// next schema after it, or else the last schema before it.
    fn claimed_schema(&self, schemas: &Schemas) -> Result<Option<Arc<PropertySchema>>> {
        if let Some(schema) = schemas.by_producer(self.producer, self.names) {
            return Ok(Some(schema));
        }
        let Some(period) = period(self.producer)? else { return Ok(None) };
        let nearest = period.releases.get(period.inside.start).or(period.releases.last());
        nearest.map(|row| schemas.find(&row.name)).transpose()
    }

    /// Returns the release that the caller or the producer string of a released LLVM specifies, without
    /// considering blobs.
    pub(crate) fn claimed(&self, schemas: &Schemas, caller: Option<&str>) -> Result<Option<DetectedRelease>> {
        let (schema, origin) = match caller {
            Some(name) => (schemas.find(name)?, ReleaseOrigin::Caller),
            None if Llvm::is_released(self.producer) => {
                match schemas.by_producer(self.producer, self.names) {
                    // A derived schema lacks ops that the release has.
                    Some(schema) if release::find(schema.name())?.is_some_and(|row| row.is_derived) => {
                        return Ok(None);
                    }
                    Some(schema) => {
                        (schema, ReleaseOrigin::Producer(String::from_utf8_lossy(self.producer).into_owned()))
                    }
                    None => return Ok(None),
                }
            }
            None => return Ok(None),
        };
        Ok(Some(self.candidate(schemas, schema)?.release(origin, BlobEvidence::default())))
    }

    fn candidate(&self, schemas: &Schemas, schema: Arc<PropertySchema>) -> Result<Candidate> {
        // Below version 5, the file does not store whether an op was registered, so ops that only other
        // releases have are not changed.
        // A pack names the release of LLVM that its project is built with.
        let is_of_pack = OperationDefinitions::named(schema.name()).is_some_and(|known| known.is_of_pack());
        let schemas = match self.version.has_registered_flags() || is_of_pack {
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
        Ok(self.select(Candidate::new(schemas, ops)))
    }

    /// Returns an unknown release, for a file with an unknown producer string.
    fn unknown(&self) -> Candidate {
        self.select(Candidate::new(Vec::new(), self.names.iter().map(|_| Choice::Absent).collect()))
    }

    /// Applies the layouts that the caller selects.
    fn select(&self, mut candidate: Candidate) -> Candidate {
        for layout in self.selected {
            let choice = layout.choice(&mut candidate.schemas);
            candidate.selected.push((layout.op.clone(), choice));
            for (op, _) in candidate.ops.iter_mut().zip(self.names).filter(|(_, name)| layout.is_of(name)) {
                *op = choice;
            }
        }
        candidate
    }

    fn is_selected(&self, name: u32) -> bool {
        let name = self.names.get(name as usize);
        name.is_some_and(|name| self.selected.iter().any(|layout| layout.is_of(name)))
    }

    /// Returns the release that fits best.
    fn infer(&self, schemas: &Schemas, sample: &Sample) -> Result<Option<Candidate>> {
        if sample.blobs.is_empty() {
            return Ok(None);
        }
        let number = Llvm::of_producer(self.producer);
        let mut best: Option<(Merit, Candidate)> = None;
        for (rank, schema) in schemas.all().into_iter().enumerate() {
            let distance = match (number, schema.llvm()) {
                (Some(one), Some(other)) => one.0.abs_diff(other.0),
                (Some(_), None) => u32::MAX,
                (None, _) => 0,
            };
            let candidate = self.candidate(schemas, schema)?;
            let is_known = |(name, _): &&(u32, u32)| candidate.op(*name).is_some();
            if !sample.blobs.iter().any(|blob| is_known(&blob))
                || !self.misfits(&candidate, sample, 1).is_empty()
            {
                continue;
            }
            // MLIR writes a blob for every op that can have one.
            let misses = |name: &&u32| candidate.op(**name).is_some_and(|op| !op.is_empty());
            let missing = sample.without.iter().filter(misses).count();
            let op_count = candidate.ops.iter().filter(|choice| **choice != Choice::Absent).count();
            let merit = (op_count, Reverse((missing, distance, rank)));
            if best.as_ref().is_none_or(|(other, ..)| merit > *other) {
                best = Some((merit, candidate));
            }
        }
        Ok(best.map(|(_, candidate)| candidate))
    }

    /// Returns the release with the most ops of the file; of several, the preferred one.
    fn most_known(&self, schemas: &Schemas) -> Result<Option<Candidate>> {
        let schema = schemas.by_known_ops(self.names).find(|schema| !schema.has_no_properties());
        schema.map(|schema| self.candidate(schemas, schema)).transpose()
    }

    /// Returns the ops with a blob of another layout, without repetitions and at most `limit`.
    fn misfits(&self, candidate: &Candidate, sample: &Sample, limit: usize) -> Vec<Misfit> {
        let mut misfits: Vec<Misfit> = Vec::new();
        let mut values: Vec<Property<'_>> = Vec::new();
        for &(name, blob) in &sample.blobs {
            // A blob of an op that never changes is damaged if it does not fit.
            let is_compared =
                |op: &&OpSchema| !op.is_opaque() && !op.never_changes() && !self.is_selected(name);
            let Some(op) = candidate.op(name).filter(is_compared) else { continue };
            if misfits.iter().any(|known| known.name == name) {
                continue;
            }
            if let Some(contradiction) = self.contradiction(op, blob, &mut values) {
                misfits.push(Misfit { name, contradiction });
                if misfits.len() >= limit {
                    break;
                }
            }
        }
        misfits
    }
}

// The most contradictions that are reported; more would add no information.
const REPORTED: usize = 8;

/// Creates the message that two releases read the properties of an operation differently.
fn may_have_layouts(op: &OpSchema, first: &str, second: &str) -> String {
    let name = op.name();
    format!(
        "the properties of `{name}` may have the layout of {first} or of {second}; `--release` or `--layout` selects one"
    )
}

impl Candidate {
    fn new(schemas: Vec<Arc<PropertySchema>>, ops: Vec<Choice>) -> Self {
        let (ambiguities, excluded, selected) = (Vec::new(), Vec::new(), Vec::new());
        Self { schemas, ops, around: None, ambiguities, excluded, selected }
    }

    fn op(&self, name: u32) -> Option<&OpSchema> {
        let Choice::Row(schema, row) = *self.ops.get(name as usize)? else { return None };
        self.schemas.get(schema as usize)?.op_at(row as usize)
    }

    fn schema(&self) -> Option<&PropertySchema> {
        self.schemas.first().map(|schema| &**schema)
    }

    /// Applies the layouts of the builds around the file. Returns messages about ambiguous ops, and the ops
    /// whose blobs do not fit.
    fn choose(&mut self, layouts: PeriodLayouts) -> (Vec<String>, Vec<Misfit>) {
        let first = self.schemas.len();
        let (start, end) = layouts.span.into_inner();
        let span = first + start..=first + end;
        let fitting = layouts.fitting.iter().map(|place| first + place).collect();
        self.around = Some(Around { builds: first..first + layouts.schemas.len(), span, fitting });
        self.schemas.extend(layouts.schemas);
        self.excluded = layouts.excluded;
        self.ambiguities = layouts.ambiguities.into_iter().map(|ambiguity| ambiguity.after(first)).collect();
        for (op, choice) in self.ops.iter_mut().zip(layouts.ops) {
            match choice {
                Choice::Absent => {}
                Choice::Opaque | Choice::Ambiguous(_) => *op = choice,
                Choice::Row(schema, row) => *op = Choice::Row(first as u32 + schema, row),
                Choice::Attributes(schema, row) => *op = Choice::Attributes(first as u32 + schema, row),
            }
        }
        (layouts.ambiguous, layouts.misfits)
    }

    /// Makes operations opaque that another release reads differently. The blobs have the layouts of that
    /// release and contradict the producer string, so either release may be right.
    fn doubt(&mut self, other: &Self, ambiguous: &mut Vec<String>) {
        let names = [self, other].map(|candidate| candidate.schema().map(|schema| schema.name().to_owned()));
        let [name, other_name] = names.map(Option::unwrap_or_default);
        for index in (0u32..).take(self.ops.len()) {
            let (Some(op), Some(other_op)) = (self.op(index), other.op(index)) else { continue };
            if other_op.agrees_with(op) {
                continue;
            }
            if ambiguous.len() < REPORTED {
                ambiguous.push(may_have_layouts(op, &name, &other_name));
            }
            if let Some(choice) = self.ops.get_mut(index as usize) {
                *choice = Choice::Opaque;
            }
        }
    }

    fn release(self, origin: ReleaseOrigin, evidence: BlobEvidence) -> DetectedRelease {
        let Self { schemas, ops, around, ambiguities, excluded, selected } = self;
        let (ambiguities, named) = (ambiguities.into(), None);
        DetectedRelease { schemas, ops, around, origin, evidence, ambiguities, excluded, selected, named }
    }
}
