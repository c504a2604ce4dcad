//! The releases that are known, and which of them wrote a file.
//!
//! The caller's word comes first, then the producer string, then the blobs: the release under which all of them
//! are used up exactly. A producer whose claim the blobs contradict is not believed.

use std::cmp::Reverse;
use std::collections::HashSet;
use std::fmt;
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

use crate::attr::id::OpNameId;
use crate::attr::rows::OperationName;
use crate::dialect::entries::Entries;
use crate::format::ir::{IsolatedRegions, OpHead, OpSink};
use crate::format::properties::PropertyTable;
use crate::release::{self, KnownRelease, Llvm};
use crate::wire::error::{Error, ErrorKind, Result};
use crate::wire::version::BytecodeVersion;

use super::codec::{Property, decode};
use super::schema::{OpSchema, PropertySchema};

/// The schemas that come with mlirbc, by the name of their release; a text is loaded when it is first needed.
struct Shipped {
    name: &'static str,
    text: &'static str,
    schema: OnceLock<Option<Arc<PropertySchema>>>,
}

macro_rules! shipped {
    ($($name:literal),*) => {
        [$(Shipped {
            name: $name,
            text: include_str!(concat!("../../data/releases/", $name, ".json")),
            schema: OnceLock::new(),
        }),*]
    };
}

static SHIPPED: [Shipped; 6] =
    shipped!["llvm-22", "llvm-19", "llvm-16", "stablehlo-1.20", "jaxlib-0.10", "iree-3.13"];

static ADDED: RwLock<Vec<Arc<PropertySchema>>> = RwLock::new(Vec::new());

/// Adds a schema for all modules that are opened from now on, in place of one with the same name.
///
/// ```
/// use mlirbc::PropertySchema;
/// let schema = PropertySchema::from_json(r#"{
///     "format": "mlirbc-properties/1", "release": "toy-2", "version": "2.0", "producers": ["TOY2."],
///     "includes": ["llvm-22"], "ops": {"toy.print": {}}
/// }"#)?;
/// mlirbc::register_schema(schema);
/// assert!(mlirbc::known_releases().contains(&"toy-2".to_owned()));
/// # Ok::<(), mlirbc::Error>(())
/// ```
pub fn register_schema(schema: Arc<PropertySchema>) {
    let mut added = ADDED.write().unwrap_or_else(PoisonError::into_inner);
    added.retain(|other| other.name() != schema.name());
    added.push(schema);
}

/// The names of all releases whose properties are known, sorted.
///
/// ```
/// assert!(mlirbc::known_releases().contains(&"llvm-22".to_owned()));
/// ```
pub fn known_releases() -> Vec<String> {
    Schemas::snapshot(&[]).names()
}

/// The schema that mlirbc brings along.
pub(crate) fn shipped_schema(name: &str) -> Option<Arc<PropertySchema>> {
    let row = SHIPPED.iter().find(|row| row.name == name)?;
    // A text that does not load is as good as none; the tests below rule it out.
    row.schema.get_or_init(|| PropertySchema::from_shipped(row.text)).clone()
}

/// The schemas that a module chooses from; later registrations do not change it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Schemas(Vec<Arc<PropertySchema>>);

impl Schemas {
    /// What is registered now, after `more`.
    pub(crate) fn snapshot(more: &[Arc<PropertySchema>]) -> Self {
        let added = ADDED.read().unwrap_or_else(PoisonError::into_inner);
        let mut schemas = more.to_vec();
        // What was added last comes first.
        for schema in added.iter().rev() {
            if schemas.iter().all(|other| other.name() != schema.name()) {
                schemas.push(schema.clone());
            }
        }
        Self(schemas)
    }

    fn names(&self) -> Vec<String> {
        let added = self.0.iter().map(|schema| schema.name());
        let mut names: Vec<_> = added.chain(SHIPPED.iter().map(|row| row.name)).map(str::to_owned).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// The schema of a release.
    ///
    /// # Errors
    /// [`ErrorKind::PropertySchema`] when it is not known.
    pub(crate) fn find(&self, name: &str) -> Result<Arc<PropertySchema>> {
        let added = self.0.iter().find(|schema| schema.name() == name).cloned();
        added.or_else(|| shipped_schema(name)).ok_or_else(|| self.unknown(name))
    }

    /// Whether a release is known; nothing is loaded.
    ///
    /// # Errors
    /// [`ErrorKind::PropertySchema`] when it is not.
    pub(crate) fn check(&self, name: &str) -> Result<()> {
        let is_added = self.0.iter().any(|schema| schema.name() == name);
        let is_known = is_added || SHIPPED.iter().any(|row| row.name == name);
        if is_known { Ok(()) } else { Err(self.unknown(name)) }
    }

    #[cold]
    fn unknown(&self, name: &str) -> Error {
        let expected = format!("one of the releases {}", self.names().join(", "));
        Error::new(ErrorKind::PropertySchema, expected, format!("`{name}`"))
    }

    /// The release whose files are signed like this; of several the one with the longest signature.
    fn by_producer(&self, producer: &[u8]) -> Option<Arc<PropertySchema>> {
        let claims = |release: &KnownRelease| {
            let fitting = release.producers.iter().filter(|prefix| producer.starts_with(prefix.as_bytes()));
            fitting.map(|prefix| prefix.len()).max()
        };
        let added = self.0.iter().rev().filter_map(|schema| Some((schema.claims(producer)?, schema)));
        let known = release::releases().unwrap_or_default();
        let shipped = known.iter().rev().filter_map(|row| Some((claims(row)?, row)));
        // Of equal ones `max` takes the last, which is the preferred one.
        let added = added.max_by_key(|(len, _)| *len);
        let shipped = shipped.max_by_key(|(len, _)| *len);
        match (added, shipped) {
            (Some((len, schema)), other) if other.as_ref().is_none_or(|(other, _)| len >= *other) => {
                Some(schema.clone())
            }
            (_, Some((_, row))) => shipped_schema(&row.name),
            _ => None,
        }
    }

    /// All schemas, preferred ones first.
    fn all(&self) -> Vec<Arc<PropertySchema>> {
        let mut all = self.0.clone();
        let known = release::releases().unwrap_or_default();
        for row in known.iter().filter(|row| self.0.iter().all(|schema| *schema.name() != *row.name)) {
            all.extend(shipped_schema(&row.name));
        }
        all
    }

    /// A schema and those it includes, each once.
    fn with_includes(&self, schema: Arc<PropertySchema>) -> Result<Vec<Arc<PropertySchema>>> {
        let mut chain = vec![schema];
        let mut next = 0;
        while let Some(schema) = chain.get(next).cloned() {
            next += 1;
            let row = release::find(schema.name())?.filter(|_| schema.includes().len() == 0);
            let more = row.map_or(&[][..], |row| &row.includes).iter().map(|name| &**name);
            for name in schema.includes().chain(more) {
                if chain.iter().all(|known| known.name() != name) {
                    chain.push(self.find(name)?);
                }
            }
        }
        Ok(chain)
    }
}

// ---- the release of a file ----

/// Which release wrote a file, as far as its properties are concerned, and how that is known.
///
/// ```
/// let module = mlirbc::Module::open("../../examples/two_layers.mlirbc")?;
/// let release = module.release()?;
/// assert_eq!(release.name(), Some("llvm-22"));
/// assert!(release.to_string().starts_with("llvm-22, named by its producer `MLIR22."));
/// # Ok::<(), mlirbc::Error>(())
/// ```
#[derive(Debug)]
pub struct Release {
    // The chosen one, then those that it includes; empty when none is known.
    schemas: Vec<Arc<PropertySchema>>,
    // By op name: its place among the schemas and there.
    ops: Vec<Option<(u32, u32)>>,
    origin: ReleaseOrigin,
    contradicted: Vec<String>,
}

/// How the release of a file is known.
///
/// ```
/// use mlirbc::{Module, ReadOptions, ReleaseOrigin};
/// let options = ReadOptions { release: Some("llvm-19".to_owned()), ..ReadOptions::default() };
/// let module = Module::from_source(mlirbc::doc_example().into(), &options)?;
/// assert_eq!(module.release()?.origin(), &ReleaseOrigin::Caller);
/// assert_eq!(module.release()?.origin().to_string(), "named by the caller");
/// # Ok::<(), mlirbc::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ReleaseOrigin {
    /// The caller named it.
    Caller,
    /// The producer string names it, and no blob contradicts.
    Producer(String),
    /// So many different blobs have its layouts.
    Inferred(usize),
    /// No release has the layouts of all blobs. That of the producer string is used where there is one, and the ops
    /// that contradict it are left opaque.
    Contradicted(String),
    /// Nothing tells: the producer string is not known, and there are no blobs of known ops.
    Unknown(String),
}

impl fmt::Display for ReleaseOrigin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Caller => f.write_str("named by the caller"),
            Self::Producer(producer) => write!(f, "named by its producer `{producer}`"),
            Self::Inferred(1) => f.write_str("inferred from 1 property blob"),
            Self::Inferred(blobs) => write!(f, "inferred from {blobs} property blobs"),
            Self::Contradicted(producer) => {
                write!(f, "no known release has the properties of this file by `{producer}`")
            }
            Self::Unknown(producer) => write!(f, "nothing is known of its producer `{producer}`"),
        }
    }
}

impl fmt::Display for Release {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {}", self.name().unwrap_or("unknown"), self.origin)
    }
}

impl Release {
    /// Bytes that a release keeps for each operation name of a file, and those that finding it takes besides.
    pub(crate) const PER_NAME: usize = size_of::<Option<(u32, u32)>>();
    pub(crate) const PER_NAME_TO_FIND: usize =
        size_of::<OperationName<'_>>() + 2 * Self::PER_NAME + size_of::<NameSample>() + size_of::<u32>();

    /// Its name; `None` when it is not known.
    ///
    /// ```
    /// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
    /// assert_eq!(module.release()?.name(), Some("llvm-22")); // whose `builtin.module` fits
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn name(&self) -> Option<&str> {
        self.schema().map(|schema| schema.name())
    }

    /// Its schema.
    ///
    /// ```
    /// let module = mlirbc::Module::open("../../examples/two_layers.mlirbc")?;
    /// assert_eq!(module.release()?.schema().unwrap().version(), "22.1.8");
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn schema(&self) -> Option<&Arc<PropertySchema>> {
        self.schemas.first()
    }

    /// Its LLVM; the newest where nothing is known.
    pub(crate) fn llvm(&self) -> Llvm {
        self.schema().map_or(Llvm::NEWEST, |schema| schema.llvm_or_included())
    }

    /// How it is known.
    ///
    /// ```
    /// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
    /// assert_eq!(module.release()?.origin().to_string(), "inferred from 1 property blob");
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn origin(&self) -> &ReleaseOrigin {
        &self.origin
    }

    /// Whether the caller or the producer string says so, rather than a likeness.
    pub(crate) fn is_certain(&self) -> bool {
        matches!(self.origin, ReleaseOrigin::Caller | ReleaseOrigin::Producer(_))
    }

    /// What contradicts the producer string, a sentence for each op.
    ///
    /// ```
    /// let module = mlirbc::Module::open("../../examples/two_layers.mlirbc")?;
    /// assert!(module.release()?.contradicted().is_empty());
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn contradicted(&self) -> &[String] {
        &self.contradicted
    }

    /// The schema of an op by its name's index; `None` when the release does not have it.
    ///
    /// ```
    /// let module = mlirbc::Module::open("../../examples/two_layers.mlirbc")?;
    /// let op = module.release()?.op(module.operation()?.name_id()).unwrap();
    /// assert_eq!(op.name(), "builtin.module");
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    #[inline]
    pub fn op(&self, name: OpNameId) -> Option<&OpSchema> {
        let (schema, row) = (*self.ops.get(name.index())?)?;
        self.schemas.get(schema as usize)?.op_at(row as usize)
    }
}

/// What there is to know about a file before its release is.
pub(crate) struct Evidence<'e, E> {
    pub(crate) producer: &'e [u8],
    pub(crate) version: BytecodeVersion,
    pub(crate) names: &'e [OperationName<'e>],
    pub(crate) entries: &'e E,
    pub(crate) properties: &'e PropertyTable,
    /// File offset of the first blob's section.
    pub(crate) base: u64,
}

/// A schema with the ops of a file looked up.
struct Candidate {
    schemas: Vec<Arc<PropertySchema>>,
    ops: Vec<Option<(u32, u32)>>,
}

/// How many ops of the file a release has; how many of them it expects a blob of that have none; how far its LLVM is
/// from the producer's; how many releases are preferred to it.
type Merit = (usize, Reverse<(usize, u32, usize)>);

/// An op whose blob does not have the layout of a release.
struct Misfit {
    name: u32,
    message: String,
}

impl<E: Entries> Evidence<'_, E> {
    /// Finds the release. `sample` is called at most once, and not at all for files without blobs.
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
        if let Some(candidate) = claimed {
            misfits = self.misfits(&candidate, &sample, usize::MAX);
            if misfits.is_empty() {
                return Ok(candidate.release(ReleaseOrigin::Producer(producer), Vec::new()));
            }
        }
        let contradicted: Vec<String> =
            misfits.iter().take(REPORTED).map(|misfit| misfit.message.clone()).collect();
        if let Some((candidate, blobs)) = self.infer(schemas, &sample)? {
            return Ok(candidate.release(ReleaseOrigin::Inferred(blobs), contradicted));
        }
        // What was claimed is mostly right where a few ops were changed by those who built the writer.
        if let (Some(schema), false) = (schemas.by_producer(self.producer), misfits.is_empty()) {
            let mut candidate = self.candidate(schemas, schema)?;
            for misfit in &misfits {
                candidate.ops[misfit.name as usize] = None;
            }
            return Ok(candidate.release(ReleaseOrigin::Contradicted(producer), contradicted));
        }
        let origin = match sample.blobs.is_empty() {
            true => ReleaseOrigin::Unknown(producer),
            false => ReleaseOrigin::Contradicted(producer),
        };
        Ok(Release { schemas: Vec::new(), ops: Vec::new(), origin, contradicted })
    }

    /// The release that the caller or a released LLVM names; blobs are not looked at.
    pub(crate) fn claimed(&self, schemas: &Schemas, caller: Option<&str>) -> Result<Option<Release>> {
        let (schema, origin) = match caller {
            Some(name) => (schemas.find(name)?, ReleaseOrigin::Caller),
            None if is_release(self.producer) => match schemas.by_producer(self.producer) {
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
        // Below version 5 nothing says whether the writer knew an op, so what only others have stays as it is.
        let schemas = match self.version.has_registered_flags() {
            true => schemas.with_includes(schema)?,
            false => vec![schema],
        };
        let find = |name: &OperationName<'_>| {
            // Ops that the writer did not know have no layout, whatever their name.
            let schemas = schemas.iter().filter(|_| name.is_registered != Some(false));
            let rows = schemas.enumerate().map(|(i, schema)| (i as u32, schema.row_of(name)));
            rows.filter_map(|(i, row)| Some((i, row? as u32))).next()
        };
        let ops = self.names.iter().map(find).collect();
        Ok(Candidate { schemas, ops })
    }

    /// The release that fits best, and how many blobs it was tried on.
    fn infer(&self, schemas: &Schemas, sample: &Sample) -> Result<Option<(Candidate, usize)>> {
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
            let known = candidate.ops.iter().flatten().count();
            let merit = (known, Reverse((missing, distance, rank)));
            if best.as_ref().is_none_or(|(other, ..)| merit > *other) {
                best = Some((merit, candidate, blobs));
            }
        }
        Ok(best.map(|(_, candidate, blobs)| (candidate, blobs)))
    }

    /// The ops with a blob that does not have its layout, each once, up to `limit`.
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

/// `MLIR19.1.7`, but not `MLIR23.0.0git`.
fn is_release(producer: &[u8]) -> bool {
    let version = producer.strip_prefix(b"MLIR").unwrap_or_default();
    !version.is_empty() && version.iter().all(|byte| byte.is_ascii_digit() || *byte == b'.')
}

// More contradictions say no more.
const REPORTED: usize = 8;

impl Candidate {
    fn op(&self, name: u32) -> Option<&OpSchema> {
        let (schema, row) = (*self.ops.get(name as usize)?)?;
        self.schemas.get(schema as usize)?.op_at(row as usize)
    }

    fn release(self, origin: ReleaseOrigin, contradicted: Vec<String>) -> Release {
        Release { schemas: self.schemas, ops: self.ops, origin, contradicted }
    }
}

// ---- the blobs it is tried on ----

// Bounds on the cost of finding out: different blobs, different blobs of one op, ops looked at.
const MAX_BLOBS: usize = 4096;
const MAX_BLOBS_OF_OP: u32 = 64;
const MAX_OPS: u64 = 1 << 20;

/// Some of the different blobs of each op that the writer knew; a sink that collects them.
#[derive(Debug, Default)]
pub(crate) struct Sample {
    blobs: Vec<(u32, u32)>,
    /// Ops that occur without a blob.
    without: Vec<u32>,
    seen: HashSet<(u32, u32)>,
    ops: u64,
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
    /// Names and whether the writer knew them.
    pub(crate) fn new(is_registered: impl Iterator<Item = bool>) -> Self {
        let name = |is_registered| NameSample { is_registered, has_none: false, blobs: 0, last: u32::MAX };
        Self { names: is_registered.map(name).collect(), ..Self::default() }
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
        !self.is_full()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shipped_schema_loads_and_agrees() {
        for row in &SHIPPED {
            let schema =
                PropertySchema::from_json(row.text).unwrap_or_else(|error| panic!("{}: {error}", row.name));
            assert_eq!(schema.name(), row.name);
            let known = release::find(row.name).unwrap().unwrap();
            assert!(
                schema.producers().eq(known.producers.iter().map(|producer| &**producer)),
                "{}",
                row.name
            );
            assert!(schema.ops().len() > 100, "{}", row.name);
        }
    }

    #[test]
    fn every_known_release_has_a_schema() {
        for release in release::releases().unwrap() {
            assert!(shipped_schema(&release.name).is_some(), "{}", release.name);
        }
    }

    #[test]
    fn facts_of_shipped_schemas() {
        let fields = |release, op: &str| {
            let schema = shipped_schema(release).unwrap();
            schema
                .op(op.as_bytes())
                .unwrap()
                .fields()
                .map(|field| field.name().to_owned())
                .collect::<Vec<_>>()
        };
        let older = ["arg_attrs", "function_type", "res_attrs", "sym_name", "sym_visibility"];
        let newer = ["arg_attrs", "function_type", "no_inline", "res_attrs", "sym_name", "sym_visibility"];
        assert_eq!(fields("llvm-19", "func.func"), older);
        assert_eq!(fields("llvm-22", "func.func"), newer);
        assert_eq!(fields("stablehlo-1.20", "vhlo.add_v1"), [""; 0]);
    }

    #[test]
    fn producers_name_releases() {
        let schemas = Schemas::snapshot(&[]);
        let name = |producer: &str| schemas.by_producer(producer.as_bytes()).map(|s| s.name().to_owned());
        assert_eq!(name("MLIR19.1.7").as_deref(), Some("llvm-19"));
        assert_eq!(name("MLIR22.1.8").as_deref(), Some("llvm-22"));
        assert_eq!(name("StableHLO_v1.17.3").as_deref(), Some("stablehlo-1.20"));
        assert_eq!(name("MLIR17.0.6"), None);
        assert_eq!(name("MLIR2"), None);
    }

    #[test]
    fn a_callers_schema_comes_first() {
        let text = |name: &str, producer: &str, includes: &str| {
            format!(
                r#"{{"format": "mlirbc-properties/1", "release": "{name}", "version": "1",
                "producers": ["{producer}"], "includes": [{includes}], "ops": {{}}}}"#
            )
        };
        let load = |text: String| PropertySchema::from_json(&text).unwrap();
        let mine = load(text("mine", "MLIR22.", r#""llvm-22", "mine""#));
        let schemas = Schemas::snapshot(std::slice::from_ref(&mine));
        assert_eq!(schemas.by_producer(b"MLIR22.1.8").unwrap().name(), "mine");
        let chain = schemas.with_includes(mine).unwrap();
        assert_eq!(chain.iter().map(|schema| schema.name()).collect::<Vec<_>>(), ["mine", "llvm-22"]);

        let lost = load(text("lost", "X", r#""nowhere""#));
        let error = schemas.with_includes(lost).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::PropertySchema);
        assert!(schemas.check("llvm-22").is_ok() && schemas.check("nowhere").is_err());
    }
}
