//! The known releases: their producer strings, the encodings that they read, and every rule that depends on
//! the release.
//!
//! Owns the table `data/releases.toml`, which has a row per release, and [`Llvm`], which has a method per
//! change: a row `[gate.NAME]` of the table. Does not own the detection of the release of a file (`file/release.rs`) or the schemas (`props`).

mod build_time;
mod name;
pub(crate) mod producer;
pub(crate) mod vhlo;
pub(crate) mod waiting;

use std::sync::{OnceLock, PoisonError, RwLock};

use serde::Deserialize;

pub(crate) use self::build_time::{BuildTime, Moment};
pub(crate) use self::name::ANY;
pub use self::name::Release;
use self::producer::LlvmVersion;
pub(crate) use self::producer::{Period, builds_like, moment, period_of};
use crate::wire::error::{Error, ErrorKind, Result};
use crate::wire::version::BytecodeVersion;

/// The major version of LLVM; a development build has the version of the next release.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Llvm(pub(crate) u32);

/// The code of scalable vectors in the builtin dialect, whose layouts [`Llvm::counts_scalable_dims`] tells apart.
pub(crate) const SCALABLE_VECTOR: u64 = 20;

impl Llvm {
    /// The first release with bytecode.
    pub(crate) const OLDEST: Self = Self(16);
    /// The newest release.
    pub(crate) const NEWEST: Self = Self(22);
    /// The development version after the newest release.
    pub(crate) const DEVELOPMENT: Self = Self(23);

    /// Returns the version, for tables whose rows have versions.
    pub(crate) const fn number(self) -> u32 {
        self.0
    }

    /// Returns the newest number of a known build.
    pub(crate) fn newest_build() -> Self {
        let numbers = releases().unwrap_or_default().iter().map(KnownRelease::llvm);
        numbers.max().unwrap_or(Self::DEVELOPMENT)
    }

    /// Returns the number in a producer string: 19 for `MLIR19.1.7`.
    pub(crate) fn of_producer(producer: &[u8]) -> Option<Self> {
        LlvmVersion::parse(producer).map(|version| version.llvm)
    }

    /// Returns whether a producer string belongs to a release: `MLIR19.1.7`, but not `MLIR23.0.0git`.
    pub(crate) fn is_released(producer: &[u8]) -> bool {
        LlvmVersion::parse(producer).is_some_and(|version| version.is_released())
    }

    /// Returns whether a release has this number, not only builds of the main branch.
    pub(crate) fn has_release(self) -> bool {
        releases().unwrap_or_default().iter().any(|release| release.llvm == self.0 && release.is_released())
    }

    /// Returns the LLVM version of tools with their own version numbers: StableHLO is built with development
    /// versions.
    pub(crate) fn of_tools(producer: &[u8]) -> Option<Self> {
        producer.starts_with(b"StableHLO").then_some(Self::DEVELOPMENT)
    }
}

include!(concat!(env!("OUT_DIR"), "/gates.rs"));

/// A known release as a writer and a reader of files.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct KnownRelease {
    pub(crate) name: Box<str>,
    llvm: u32,
    /// The approximate day of its last change from LLVM's main branch; the order of releases is exact.
    revision: Box<str>,
    /// The releases whose definitions of operations apply, its own first. A release without definitions uses
    /// the definitions of the release of LLVM whose revision is nearest.
    pub(crate) definitions: Vec<Box<str>>,
    /// The previous release with definitions, which must agree with the definitions of `after` if nothing
    /// else is known.
    pub(crate) before: Option<Box<str>>,
    /// The next release with definitions; `None` if the release has its own, or is newer than all releases
    /// with definitions.
    pub(crate) after: Option<Box<str>>,
    /// Whether the release was built from the main branch, between two releases. Other builds have the same
    /// producer string.
    #[serde(default)]
    is_development: bool,
    /// Whether the schema has only the ops whose layout is the same before and after the release.
    #[serde(default)]
    pub(crate) is_derived: bool,
    /// The prefixes of its producer strings.
    pub(crate) producers: Vec<Box<str>>,
    /// The releases with the operations that the release's own schema lacks.
    #[serde(default)]
    pub(crate) includes: Vec<Box<str>>,
    /// The producer string of files that are written for the release.
    pub(crate) signature: Box<str>,
    newest_version: u8,
    /// The file with the names of the attributes of its operations, for a release without properties.
    pub(crate) attributes: Option<Box<str>>,
    /// The release whose operand groups apply unless another rule does.
    pub(crate) operand_groups_like: Option<Box<str>>,
    /// Whether segment sizes have their old names.
    #[serde(default)]
    pub(crate) has_old_segment_names: bool,
    /// Dialects whose versions the release reads; MLIR rejects a version of any other dialect.
    #[serde(default)]
    versioned_dialects: Vec<Box<str>>,
    /// Dialects that the release lacks although an included release has them. Their attributes and types
    /// remain text.
    #[serde(default)]
    absent_dialects: DialectNames,
    /// The dialects that some of its programs register and others do not.
    #[serde(default)]
    optional_dialects: DialectNames,
    /// The version of StableHLO that it contains.
    stablehlo: Option<Box<str>>,
    /// The platforms that JAX has without a plugin.
    #[serde(default)]
    pub(crate) platforms: Vec<Box<str>>,
}

/// Names of dialects, joined by the build script and split on demand.
#[derive(Debug, Default, Deserialize)]
#[serde(from = "Box<str>")]
struct DialectNames {
    joined: Box<str>,
    names: OnceLock<Vec<Box<str>>>,
}

impl From<Box<str>> for DialectNames {
    fn from(joined: Box<str>) -> Self {
        Self { joined, names: OnceLock::new() }
    }
}

impl DialectNames {
    fn names(&self) -> &[Box<str>] {
        self.names.get_or_init(|| self.joined.split_whitespace().map(Box::from).collect())
    }
}

/// A range of codes of a dialect, and the releases that read them.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CodeRange {
    pub(crate) dialect: Box<str>,
    attributes: Option<[u64; 2]>,
    types: Option<[u64; 2]>,
    #[serde(default)]
    pub(crate) since: u32,
    #[serde(default)]
    pub(crate) releases: Vec<Box<str>>,
    /// Builds of the version in `since` that are older than the code.
    #[serde(default)]
    except: Vec<Box<str>>,
    /// The LLVM releases that changed the layouts of these codes.
    #[serde(default)]
    pub(crate) changes: Vec<u32>,
    /// Whether releases without the code lack the attribute or type altogether.
    #[serde(default)]
    pub(crate) has_no_text: bool,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ReleaseTable {
    attributes_in_dictionary: Vec<Box<str>>,
    release: Vec<KnownRelease>,
    code: Vec<CodeRange>,
    jax: Vec<JaxRelease>,
    jax_target: Vec<JaxTargets>,
}

/// Targets of custom calls that some releases of JAX implement for the CPU.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct JaxTargets {
    /// The first release that implements the targets.
    since: Option<Box<str>>,
    /// The first release that no longer implements them.
    before: Option<Box<str>>,
    names: Vec<Box<str>>,
}

/// A release of JAX as a reader of exports. Each row was determined by running the release, not by `tools/`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct JaxRelease {
    /// The number of the release, e.g. `0.8.3`.
    pub(crate) version: Box<str>,
    /// The serialization version that the release writes, before the offset of its stored form.
    pub(crate) serialization: u8,
    /// The newest calling convention that it writes.
    pub(crate) calling_convention: u32,
    /// The serialization versions that the release reads, as they are stored; `None` if it ignores the
    /// number.
    pub(crate) serializations: Option<Vec<u32>>,
    /// Whether the release reads the number of devices from `nr_devices`, and not only from
    /// `nr_devices_short`.
    pub(crate) reads_nr_devices: bool,
    /// Whether the release reads shardings that are not protocol buffers of HLO.
    pub(crate) reads_named_shardings: bool,
    /// The newest version of VHLO that the release reads.
    pub(crate) stablehlo: Box<str>,
    /// Whether the release reads modules with the dialect `sdy`.
    pub(crate) reads_shardy: bool,
    /// The largest number of an element type that the release knows.
    pub(crate) newest_dtype: u32,
    /// Whether the release reads locations that are ranges of a file.
    pub(crate) reads_location_ranges: bool,
    /// Whether the release refuses exports that are older than a window of six months: those with the number of
    /// devices in `nr_devices_short` alone, or with shardings as protocol buffers of HLO alone.
    #[serde(default)]
    pub(crate) refuses_expired: bool,
    /// Whether the release refuses an export that disables the check of shape assertions.
    #[serde(default)]
    pub(crate) refuses_shape_assertions: bool,
    /// Features of VHLO that the release reads but its compiler refuses.
    #[serde(default)]
    pub(crate) refuses: Vec<Box<str>>,
    /// The newest version of a Mosaic kernel for TPU that its pass accepts, if known from a test.
    pub(crate) mosaic_tpu: Option<u32>,
    /// The newest version of a Mosaic kernel for GPU that its pass accepts, if known from a test.
    pub(crate) mosaic_gpu: Option<u32>,
}

impl JaxRelease {
    /// Returns the last known release that is not newer than a version, and whether it is exactly that
    /// release.
    ///
    /// # Errors
    /// [`ErrorKind::Value`] if the text is not a version, or older than all known ones.
    pub(crate) fn find(version: &str) -> Result<(&'static Self, bool)> {
        let releases = jax_releases()?;
        let numbers = Self::numbers(version);
        let is_before = |release: &&Self| Self::numbers(&release.version) <= numbers;
        let Some(release) = numbers.and_then(|_| releases.iter().rfind(is_before)) else {
            let oldest = releases.first().map_or("", |release| &release.version);
            let message = format!("`{version}` is not a release of JAX that mlirbc knows");
            let error = Error::message(ErrorKind::Value, message);
            return Err(error.with_hint(format!("name a release from {oldest} on, such as `jax-0.8.3`")));
        };
        Ok((release, Self::numbers(&release.version) == numbers))
    }

    /// Returns the parts of a version, of which missing ones are 0; `None` unless it has at most three
    /// numbers.
    pub(crate) fn numbers(version: &str) -> Option<[u32; 3]> {
        let mut numbers = [0; 3];
        let mut parts = version.split('.');
        for number in &mut numbers {
            match parts.next() {
                Some(part) => *number = part.parse().ok()?,
                None => break,
            }
        }
        parts.next().is_none().then_some(numbers)
    }
}

/// Returns targets of custom calls for the CPU by name, each with the first release that implements it, and
/// the first one that no longer does.
///
/// # Errors
/// As [`releases`].
pub(crate) fn jax_targets() -> Result<impl Iterator<Item = (&'static str, [Option<[u32; 3]>; 2])>> {
    let rows = known()?.jax_target.iter();
    Ok(rows.flat_map(|row| {
        let bounds = [&row.since, &row.before].map(|bound| bound.as_deref().and_then(JaxRelease::numbers));
        row.names.iter().map(move |name| (&**name, bounds))
    }))
}

/// Returns the known releases of JAX, the oldest first.
///
/// # Errors
/// As [`releases`].
pub(crate) fn jax_releases() -> Result<&'static [JaxRelease]> {
    Ok(&known()?.jax)
}

impl KnownRelease {
    pub(crate) fn llvm(&self) -> Llvm {
        Llvm(self.llvm)
    }

    /// Returns the day of the LLVM revision, by which releases are ordered.
    pub(crate) fn revision(&self) -> &str {
        &self.revision
    }

    /// Returns whether the producer strings have version numbers of the tool itself.
    fn is_tool(&self) -> bool {
        !self.signature.starts_with("MLIR")
    }

    /// Returns whether the row stands for a release of LLVM, whose producer strings no other build has.
    pub(crate) fn is_branch(&self) -> bool {
        !self.is_development && !self.is_tool()
    }

    /// Returns whether the row is a release: a development build may have other operations and codes than any
    /// release.
    pub(crate) fn is_released(&self) -> bool {
        !self.is_development && !self.is_derived
    }

    /// Returns whether the release has its own definitions.
    pub(crate) fn is_defined(&self) -> bool {
        self.definitions.first() == Some(&self.name)
    }

    /// Returns the newest bytecode version that the release reads.
    pub(crate) fn newest_version(&self) -> BytecodeVersion {
        BytecodeVersion::new(self.newest_version.into()).unwrap_or(BytecodeVersion::MAX)
    }

    /// Returns the version of StableHLO in the release; `None` if it has no StableHLO, or an unknown one.
    pub(crate) fn stablehlo(&self) -> Option<vhlo::Version> {
        self.stablehlo.as_deref().and_then(vhlo::parse)
    }

    /// Returns whether the release reads a version of a dialect.
    pub(crate) fn reads_versions(&self, dialect: &[u8]) -> bool {
        self.versioned_dialects.iter().any(|name| name.as_bytes() == dialect)
    }
}

impl CodeRange {
    /// Returns whether this row applies to a code.
    pub(crate) fn has(&self, dialect: &[u8], is_type: bool, code: u64) -> bool {
        let range = if is_type { self.types } else { self.attributes };
        self.dialect.as_bytes() == dialect
            && range.is_some_and(|[first, last]| (first..=last).contains(&code))
    }
}

/// Returns whether a release with this number, and this name if it is known, decodes a code of a dialect.
/// Every release counts as decoding all codes of dialects that the table lacks, because a file with them was
/// written by a tool with the encoding.
pub(crate) fn reads_code(
    llvm: Llvm,
    name: Option<&str>,
    (dialect, is_type, code): (&[u8], bool, u64),
) -> Result<bool> {
    let base = name.map(find_base).transpose()?.flatten();
    let name = base.map(|base| &*base.name).or(name);
    let mut is_known = false;
    for row in &known()?.code {
        is_known |= row.dialect.as_bytes() == dialect;
        if row.has(dialect, is_type, code) {
            let is_listed = |name: &str| row.releases.iter().any(|known| **known == *name);
            let is_older = |name: &str| row.except.iter().any(|older| **older == *name);
            return Ok(if row.releases.is_empty() {
                row.since <= llvm.0 && !name.is_some_and(is_older)
            } else {
                name.is_some_and(is_listed)
            });
        }
    }
    Ok(!is_known)
}

/// Returns whether a release that does not decode a code of a dialect can read the same attribute or type as
/// text.
///
/// # Errors
/// As [`releases`].
pub(crate) fn has_text(llvm: Llvm, (dialect, is_type, code): (&[u8], bool, u64)) -> Result<bool> {
    let mut rows = codes()?.iter().filter(|row| row.has(dialect, is_type, code));
    Ok(!rows.any(|row| row.has_no_text && row.since > llvm.0))
}

/// Returns whether a release encodes any attribute, or any type, of a dialect.
///
/// # Errors
/// As [`releases`].
pub(crate) fn encodes(release: &KnownRelease, dialect: &[u8], is_type: bool) -> Result<bool> {
    let is_read = |row: &CodeRange| match row.releases.is_empty() {
        true => row.since <= release.llvm,
        false => row.releases.contains(&release.name),
    };
    let is_of = |row: &CodeRange| if is_type { row.types.is_some() } else { row.attributes.is_some() };
    let mut rows = codes()?.iter().filter(|row| row.dialect.as_bytes() == dialect);
    Ok(rows.any(|row| is_of(row) && is_read(row)))
}

/// Returns whether a release was built without a dialect that other builds encode: the attributes, or the
/// types, of such a dialect are stored as text.
///
/// # Errors
/// As [`releases`].
pub(crate) fn keeps_text(release: &KnownRelease, dialect: &[u8], is_type: bool) -> Result<bool> {
    let is_of = |row: &&CodeRange| if is_type { row.types.is_some() } else { row.attributes.is_some() };
    let rows = || codes().map(|codes| codes.iter().filter(move |row| row.dialect.as_bytes() == dialect));
    // Releases of LLVM have all attributes of LLVM's dialects, with or without codes.
    let is_of_llvm = rows()?.any(|row| {
        row.releases.is_empty() || row.releases.iter().any(|release| release.starts_with("llvm-"))
    });
    let may_lack = release.is_development || !is_of_llvm;
    Ok(may_lack && rows()?.any(|row| is_of(&row)) && !encodes(release, dialect, is_type)?)
}

/// Returns whether builds of LLVM 24 print inherent attributes of a dialect in the dictionary. Data that is invalid, which
/// tests exclude, has no such dialect.
pub(crate) fn keeps_attributes_in_dictionary(dialect: &str) -> bool {
    known().is_ok_and(|table| table.attributes_in_dictionary.iter().any(|name| **name == *dialect))
}

/// Returns the rows about codes of dialects.
///
/// # Errors
/// As [`releases`].
pub(crate) fn codes() -> Result<&'static [CodeRange]> {
    Ok(&known()?.code)
}

/// Returns all releases, preferred ones first.
///
/// # Errors
/// If the data is invalid, which tests exclude.
pub(crate) fn releases() -> Result<&'static [KnownRelease]> {
    Ok(&known()?.release)
}

/// Returns the release with a name.
///
/// # Errors
/// As [`releases`].
pub(crate) fn find(name: &str) -> Result<Option<&'static KnownRelease>> {
    Ok(releases()?.iter().find(|release| *release.name == *name))
}

/// The releases of LLVM, or of a build, that the releases of packs include.
static BASES: RwLock<Vec<(Box<str>, &'static KnownRelease)>> = RwLock::new(Vec::new());

/// States that a release of a pack includes a release: readers of its files decode what readers of that one do.
///
/// # Errors
/// As [`releases`].
pub(crate) fn register_base(name: &str, base: &str) -> Result<()> {
    let Some(base) = find(base)? else { return Ok(()) };
    let mut bases = BASES.write().unwrap_or_else(PoisonError::into_inner);
    bases.retain(|(other, _)| **other != *name);
    bases.push((name.into(), base));
    Ok(())
}

/// Returns the release with a name, or the release that a pack with the name includes.
///
/// # Errors
/// As [`releases`].
pub(crate) fn find_base(name: &str) -> Result<Option<&'static KnownRelease>> {
    if let Some(release) = find(name)? {
        return Ok(Some(release));
    }
    let bases = BASES.read().unwrap_or_else(PoisonError::into_inner);
    Ok(bases.iter().find(|(pack, _)| **pack == *name).map(|(_, base)| *base))
}

/// Returns the row whose definitions apply to a version of LLVM: its release, or its newest build if it is
/// not released; for a later version, the newest row of an earlier one.
///
/// # Errors
/// As [`releases`].
pub(crate) fn row_of_llvm(llvm: u32) -> Result<Option<&'static KnownRelease>> {
    fn rank(row: &'static KnownRelease) -> (Llvm, bool, &'static str) {
        (row.llvm(), row.is_branch(), &row.revision)
    }
    let rows = releases()?;
    let earlier = rows.iter().filter(|row| row.llvm().0 <= llvm).max_by_key(|row| rank(row));
    Ok(earlier.or_else(|| rows.iter().min_by_key(|row| rank(row))))
}

/// Returns the dialects that a build lacks although a release that it includes has them.
pub(crate) fn absent_dialects(name: &str) -> &'static [Box<str>] {
    find_base(name).ok().flatten().map_or(&[], |release| release.absent_dialects.names())
}

/// Returns the dialects that only some programs of a build register: the Python bindings of IREE and not
/// `iree-opt`, or an extension of JAX. Readers expect a single attribute as the properties of unregistered
/// operations.
pub(crate) fn optional_dialects(name: &str) -> &'static [Box<str>] {
    find(name).ok().flatten().map_or(&[], |release| release.optional_dialects.names())
}

/// Returns whether a tool of a release registers an op, so that it stores the properties of the op in their
/// own layout. The schema of a release follows its headers, which may define more operations.
pub(crate) fn registers(name: &str, op: &[u8]) -> bool {
    let absent = absent_dialects(name);
    absent.is_empty() || {
        let dialect = op.split(|byte| *byte == b'.').next().unwrap_or(op);
        absent.iter().all(|absent| absent.as_bytes() != dialect)
    }
}

/// Checks that a target reads a bytecode version. Targets without a row may read any.
///
/// # Errors
/// [`ErrorKind::Unsupported`] if the target does not read the version, and as [`releases`].
pub(crate) fn check_version(name: &str, version: BytecodeVersion) -> Result<()> {
    match find(name)?.map(KnownRelease::newest_version).filter(|newest| version > *newest) {
        None => Ok(()),
        Some(newest) => {
            let versions = match newest.number() {
                0 => "bytecode version 0 only".to_owned(),
                newest => format!("bytecode versions 0 to {newest}"),
            };
            Err(Error::message(ErrorKind::Unsupported, format!("{name} reads {versions}, not {version}"))
                .with_hint("choose one of these versions, or another target"))
        }
    }
}

fn known() -> Result<&'static ReleaseTable> {
    static TABLE: OnceLock<Result<ReleaseTable, String>> = OnceLock::new();
    // The build script converts `data/releases.toml` to JSON.
    let load = || serde_json::from_str(include_str!(concat!(env!("OUT_DIR"), "/releases.json")));
    let loaded = TABLE.get_or_init(|| load().map_err(|error| error.to_string()));
    loaded.as_ref().map_err(|error| {
        Error::message(ErrorKind::DialectTable, format!("the table of releases is invalid: {error}"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn producers_tell_their_llvm() {
        assert_eq!(Llvm::of_producer(b"MLIR19.1.7"), Some(Llvm(19)));
        assert_eq!(Llvm::of_tools(b"StableHLO_v1.9.0"), Some(Llvm::DEVELOPMENT));
        assert_eq!(Llvm::of_producer(b"IREE"), None);
    }

    #[test]
    fn a_target_is_written_in_versions_that_it_reads() {
        for release in releases().unwrap() {
            for number in 0..=6 {
                let checked = check_version(&release.name, BytecodeVersion::new(number).unwrap());
                assert_eq!(checked.is_ok(), number <= u64::from(release.newest_version), "{}", release.name);
            }
        }
        let error = check_version("llvm-16", BytecodeVersion::MAX).unwrap_err().to_string();
        assert_eq!(error, "llvm-16 reads bytecode version 0 only, not 6");
        assert!(check_version("no-such-release", BytecodeVersion::MAX).is_ok());
    }

    // `mlir-opt --show-dialects` does not list `vcix`, whose operations are in the headers.
    #[test]
    fn releases_say_which_dialects_their_programs_register() {
        let has = |dialects: &[Box<str>], name: &str| dialects.iter().any(|dialect| **dialect == *name);
        for release in ["llvm-19", "llvm-21", "llvm-22", "llvm-23"] {
            assert!(has(absent_dialects(release), "vcix"), "{release}");
        }
        assert!(has(optional_dialects("iree-3.12"), "index"));
        assert!(has(optional_dialects("jaxlib-0.5"), "tt"));
        for release in releases().unwrap() {
            let (absent, optional) = (release.absent_dialects.names(), release.optional_dialects.names());
            assert!(absent.is_sorted() && optional.is_sorted(), "{}", release.name);
            assert!(!absent.iter().any(|dialect| optional.contains(dialect)), "{}", release.name);
        }
    }

    #[test]
    fn every_release_signs_as_itself() {
        for release in releases().unwrap() {
            assert!(release.producers.iter().any(|start| release.signature.starts_with(&**start)));
            assert!(release.includes.iter().all(|name| find(name).unwrap().is_some()));
            let definitions = release.definitions.iter().chain(&release.before).chain(&release.after);
            assert!(
                definitions.clone().all(|name| find(name).unwrap().is_some_and(KnownRelease::is_defined))
            );
            assert!(!release.definitions.is_empty(), "{}", release.name);
        }
    }
}
