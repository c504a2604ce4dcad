//! The known releases: their producer strings, what they read, and every rule that depends on the release.
//!
//! Owns the table `data/releases.toml`, which has a row per release, and [`Llvm`], which has a method per
//! change. Does not own the detection of the release of a file (`file/release.rs`) or the schemas (`props`).

mod build_time;
pub(crate) mod producer;
pub(crate) mod vhlo;

use std::sync::OnceLock;

use serde::Deserialize;

pub(crate) use self::build_time::{BuildTime, Moment};
use self::producer::LlvmVersion;
pub(crate) use self::producer::{Period, builds_like, moment, period_of};
use crate::wire::error::{Error, ErrorKind, Result};
use crate::wire::version::BytecodeVersion;

/// The major version of LLVM; for a development build, that of the next release.
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

    /// The newest number of a known build.
    pub(crate) fn newest_build() -> Self {
        let numbers = releases().unwrap_or_default().iter().map(KnownRelease::llvm);
        numbers.max().unwrap_or(Self::DEVELOPMENT)
    }

    /// The number in a producer string: 19 for `MLIR19.1.7`.
    pub(crate) fn of_producer(producer: &[u8]) -> Option<Self> {
        LlvmVersion::parse(producer).map(|version| version.llvm)
    }

    /// Whether a producer string is that of a release: `MLIR19.1.7`, but not `MLIR23.0.0git`.
    pub(crate) fn is_released(producer: &[u8]) -> bool {
        LlvmVersion::parse(producer).is_some_and(|version| version.is_released())
    }

    /// Whether a release has this number, not only builds of the main branch.
    pub(crate) fn has_release(self) -> bool {
        releases().unwrap_or_default().iter().any(|release| release.llvm == self.0 && release.is_released())
    }

    /// The LLVM of tools with version numbers of their own: StableHLO is built with development versions.
    pub(crate) fn of_tools(producer: &[u8]) -> Option<Self> {
        producer.starts_with(b"StableHLO").then_some(Self::DEVELOPMENT)
    }

    /// The first version of a release has the minor number 1; the main branch has 0.
    pub(crate) fn numbers_releases_from_one(self) -> bool {
        self.0 >= 18
    }

    // ---- operations ----

    /// Properties exist, and are printed separately, as `<{…}>`.
    pub(crate) fn has_properties(self) -> bool {
        self.0 >= 17
    }

    /// Dialects may have no properties: they are the default in the main branch since August 2023, and StableHLO has them
    /// since 2024.
    pub(crate) fn may_lack_properties(self) -> bool {
        self.0 <= 18
    }

    /// The regions of an operation with the trait are written as isolated, whatever they use.
    pub(crate) fn isolates_by_trait(self) -> bool {
        self.0 < 17
    }

    /// Results in a region that declares no values get numbers, for which the reader has no place.
    pub(crate) fn numbers_results_without_values(self) -> bool {
        self.0 < 17
    }

    /// Dialects other than builtin may have locations (`LocationAttr` in `mlir/include/mlir/IR/Location.h`).
    pub(crate) fn has_dialect_locations(self) -> bool {
        self.0 >= 21
    }

    // ---- text ----

    /// Resource keys that are not identifiers are quoted.
    pub(crate) fn quotes_resource_keys(self) -> bool {
        self.0 >= 20
    }

    /// `attr-dict` has discardable attributes only; inherent ones that a format does not mention precede it as
    /// `<name = value>`, since August 2026 (strict properties in `OpFormatGen.cpp`).
    pub(crate) fn separates_properties(self) -> bool {
        self.0 >= 24
    }

    /// The attribute of an enumeration is printed as `#dialect.name<case>`, and not as `#dialect<name case>`.
    pub(crate) fn brackets_cases(self) -> bool {
        self.0 >= 24
    }

    /// The parser of `linalg.unpack` adds the sizes of groups of operands, which it does not have.
    pub(crate) fn groups_unpack(self) -> bool {
        self.0 >= 23
    }

    /// One-bit elements take a byte each in memory, and so in hexadecimal text, since early 2026.
    pub(crate) fn unpacks_booleans(self) -> bool {
        self.0 >= 23
    }

    /// Quantized types may be stored as floats; storage with a sign of its own is printed as that type.
    pub(crate) fn prints_storage_types(self) -> bool {
        self.0 >= 23
    }

    /// The bits of a float are printed with its type, which the parser would read as an integer: not in 16,
    /// but in 19.
    pub(crate) fn types_hexadecimal_floats(self) -> bool {
        self.0 >= 17
    }

    /// Hexadecimal floats may have more than 64 bits: not in 16, but in 19.
    pub(crate) fn reads_wide_floats(self) -> bool {
        self.0 >= 19
    }

    /// Value names are unique in a module (`OpPrintingFlags::shouldPrintUniqueSSAIDs`).
    pub(crate) fn numbers_are_unique(self) -> bool {
        self.0 >= 19
    }

    /// An empty symbol is printed as `@""` instead of a special mark.
    pub(crate) fn quotes_empty_symbols(self) -> bool {
        self.0 < 17
    }

    /// A name without a dot is printed with a dot at its end.
    pub(crate) fn ends_bare_names_with_dot(self) -> bool {
        self.0 < 17
    }

    /// The number of an alias is separated from a name that ends with a digit, as in IREE 3.4; before, as in IREE 3.0, all
    /// such names end with an underscore.
    pub(crate) fn separates_alias_suffixes(self) -> bool {
        self.0 >= 21
    }

    /// A comma separates the resources of dialects from those that follow.
    pub(crate) fn separates_resources(self) -> bool {
        self.0 >= 17
    }

    // ---- use-list orders (`mlir/lib/Bytecode`) ----

    /// The orders of the values of an op or a block are written in the order of a hash table.
    pub(crate) fn hashes_use_list_orders(self) -> bool {
        self.0 < 23
    }

    /// The reader takes an order in pairs for its inverse.
    pub(crate) fn inverts_pairs_of_uses(self) -> bool {
        self.0 < 23
    }

    /// Locations of the parts of a split text have the lines of the whole text.
    pub(crate) fn numbers_lines_of_splits(self) -> bool {
        self.0 >= 22
    }

    // ---- encodings ----

    /// The comparison that groups entries by dialect is not an order.
    pub(crate) fn groups_dialects_in_no_order(self) -> bool {
        self.0 < 17
    }

    /// The external resources of a crash reproducer in a text are consumed by the tool.
    pub(crate) fn drops_reproducers(self) -> bool {
        self.0 < 17
    }

    /// The encoding of a scalable vector holds the number of its trailing scalable dimensions, not a flag for each.
    pub(crate) fn counts_scalable_dims(self) -> bool {
        self.0 < 18
    }

    // ---- affine expressions (`mlir/lib/IR/AffineExpr.cpp`) ----

    /// A sum of a sum and a multiple of a quotient is simplified with the last operand of the inner sum.
    pub(crate) fn simplifies_within_sums(self) -> bool {
        self.0 > 19
    }

    /// In `a + (a floordiv q) * -q` the product may be any operation.
    pub(crate) fn takes_any_operation_for_a_product(self) -> bool {
        self.0 <= 16
    }

    /// That expression becomes `a mod q` for positive `q` only.
    pub(crate) fn wants_positive_moduli(self) -> bool {
        self.0 > 19
    }

    /// Constants whose result overflows are not folded.
    pub(crate) fn keeps_overflowing_constants(self) -> bool {
        self.0 > 16
    }

    /// The operands of a sum or a product of dimensions or symbols are sorted.
    pub(crate) fn orders_operands(self) -> bool {
        self.0 > 19
    }

    /// Quotients of negative constants are not folded.
    pub(crate) fn divides_by_positive_only(self) -> bool {
        self.0 <= 16
    }

    /// An expression divided by itself is one, even if it is not a constant.
    pub(crate) fn divides_expressions_by_themselves(self) -> bool {
        self.0 > 22
    }
}

/// A known release as a writer and a reader of files.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct KnownRelease {
    pub(crate) name: Box<str>,
    llvm: u32,
    /// The day of the last change of LLVM's main branch that it has, about; the order of releases is exact.
    revision: Box<str>,
    /// The releases whose definitions of operations apply, its own ones first. A release without definitions has those of
    /// the release of LLVM whose revision is nearest.
    pub(crate) definitions: Vec<Box<str>>,
    /// The release before it with definitions, which have to agree with those of `after` where nothing else is known.
    pub(crate) before: Option<Box<str>>,
    /// The release after it with definitions; `None` if it has definitions of its own, or is newer than all that have.
    pub(crate) after: Option<Box<str>>,
    /// Whether it was built from the main branch, between two releases. Other builds have the same producer string.
    #[serde(default)]
    is_development: bool,
    /// Whether its schema has only the ops with one layout before and after it.
    #[serde(default)]
    pub(crate) is_derived: bool,
    /// The prefixes of its producer strings.
    pub(crate) producers: Vec<Box<str>>,
    /// The releases with the operations that its own schema does not have.
    #[serde(default)]
    pub(crate) includes: Vec<Box<str>>,
    /// The producer string of files that are written for it.
    pub(crate) signature: Box<str>,
    newest_version: u8,
    /// The file with the names of the attributes of its operations, for a release without properties.
    pub(crate) attributes: Option<Box<str>>,
    /// The release whose operand groups apply unless another rule does.
    pub(crate) operand_groups_like: Option<Box<str>>,
    /// Whether segment sizes have their old names.
    #[serde(default)]
    pub(crate) has_old_segment_names: bool,
    /// Dialects for which it reads a version; MLIR rejects a version of any other dialect.
    #[serde(default)]
    versioned_dialects: Vec<Box<str>>,
    /// The dialects of what it includes that it does not have. It keeps their attributes and types as texts.
    #[serde(default)]
    absent_dialects: DialectNames,
    /// The dialects that some of its programs register, and others do not.
    #[serde(default)]
    optional_dialects: DialectNames,
    /// The version of StableHLO that it contains.
    stablehlo: Option<Box<str>>,
    /// The platforms that JAX has without a plugin.
    #[serde(default)]
    pub(crate) platforms: Vec<Box<str>>,
}

/// Names of dialects, which the build script joined: they are split when they are asked for.
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
    /// Whether releases without the code do not have the entity either.
    #[serde(default)]
    pub(crate) has_no_text: bool,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Known {
    release: Vec<KnownRelease>,
    code: Vec<CodeRange>,
    jax: Vec<JaxRelease>,
    jax_target: Vec<JaxTargets>,
}

/// Targets of custom calls that some releases of JAX implement for the CPU.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct JaxTargets {
    /// The first release that does.
    since: Option<Box<str>>,
    /// The first release after the last one that does.
    before: Option<Box<str>>,
    names: Vec<Box<str>>,
}

/// A release of JAX as a reader of exports. `tools/` does not make these rows: each was probed by running that release.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct JaxRelease {
    /// The number of the release, e.g. `0.8.3`.
    pub(crate) version: Box<str>,
    /// The serialization version that it writes, not as it is stored.
    pub(crate) serialization: u8,
    /// The newest calling convention that it writes.
    pub(crate) calling_convention: u32,
    /// The serialization versions that it reads, as they are stored; `None` if it does not look at the number.
    pub(crate) serializations: Option<Vec<u32>>,
    /// Whether it reads the number of devices from `nr_devices`, and not only from `nr_devices_short`.
    pub(crate) reads_nr_devices: bool,
    /// Whether it reads shardings that have no protocol buffer of HLO.
    pub(crate) reads_named_shardings: bool,
    /// The newest version of VHLO that it reads.
    pub(crate) stablehlo: Box<str>,
    /// Whether it reads modules with the dialect `sdy`.
    pub(crate) reads_shardy: bool,
    /// The largest number of an element type that it knows.
    pub(crate) newest_dtype: u32,
    /// Whether it reads locations that are ranges of a file.
    pub(crate) reads_location_ranges: bool,
    /// Whether it refuses an export that has a number of devices only in `nr_devices_short`, or shardings that are protocol
    /// buffers of HLO only: it was written before a window of six months.
    #[serde(default)]
    pub(crate) refuses_expired: bool,
    /// Whether it refuses an export that disables the check of shape assertions.
    #[serde(default)]
    pub(crate) refuses_shape_assertions: bool,
    /// Features of VHLO that it reads, and its compiler refuses.
    #[serde(default)]
    pub(crate) refuses: Vec<Box<str>>,
    /// The newest version of a Mosaic kernel for TPU that its pass takes, if that was tried.
    pub(crate) mosaic_tpu: Option<u32>,
    /// The newest version of a Mosaic kernel for GPU that its pass takes, if that was tried.
    pub(crate) mosaic_gpu: Option<u32>,
}

impl JaxRelease {
    /// The known release that a version is like, which is the last one that is not newer, and whether it is that release.
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

    /// The parts of a version, of which the missing ones are 0; `None` if it is not three numbers at most.
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

/// Targets of custom calls for the CPU by name, each with the releases that implement it: the first one, and the first one
/// after the last.
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

/// The known releases of JAX, the oldest first.
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

    /// The day of the LLVM revision, by which releases are ordered.
    pub(crate) fn revision(&self) -> &str {
        &self.revision
    }

    /// Whether it has version numbers of its own in its producer strings.
    fn is_tool(&self) -> bool {
        !self.signature.starts_with("MLIR")
    }

    /// Whether it stands for a release of LLVM, whose producer strings no other build has.
    pub(crate) fn is_branch(&self) -> bool {
        !self.is_development && !self.is_tool()
    }

    /// Whether it is a release: a development build may have other operations and codes than any release.
    pub(crate) fn is_released(&self) -> bool {
        !self.is_development && !self.is_derived
    }

    /// Whether it has definitions of its own.
    pub(crate) fn is_defined(&self) -> bool {
        self.definitions.first() == Some(&self.name)
    }

    /// The newest bytecode version that it reads.
    pub(crate) fn newest_version(&self) -> BytecodeVersion {
        BytecodeVersion::new(self.newest_version.into()).unwrap_or(BytecodeVersion::MAX)
    }

    /// The version of StableHLO that it contains; `None` if it has no StableHLO, or an unknown one.
    pub(crate) fn stablehlo(&self) -> Option<vhlo::Version> {
        self.stablehlo.as_deref().and_then(vhlo::parse)
    }

    /// Whether it reads a version of a dialect.
    pub(crate) fn reads_versions(&self, dialect: &[u8]) -> bool {
        self.versioned_dialects.iter().any(|name| name.as_bytes() == dialect)
    }
}

impl CodeRange {
    /// Whether this row applies to a code.
    pub(crate) fn has(&self, dialect: &[u8], is_type: bool, code: u64) -> bool {
        let range = if is_type { self.types } else { self.attributes };
        self.dialect.as_bytes() == dialect
            && range.is_some_and(|[first, last]| (first..=last).contains(&code))
    }
}

/// Whether a release with this number, and this name if it is a known one, decodes a code of a dialect. Every
/// release decodes all codes of a dialect that the table does not have, because a file with them was written
/// by a tool with the encoding.
pub(crate) fn reads_code(
    llvm: Llvm,
    name: Option<&str>,
    (dialect, is_type, code): (&[u8], bool, u64),
) -> Result<bool> {
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

/// Whether a release that does not decode a code of a dialect reads the text of what it is for.
///
/// # Errors
/// As [`releases`].
pub(crate) fn has_text(llvm: Llvm, (dialect, is_type, code): (&[u8], bool, u64)) -> Result<bool> {
    let mut rows = codes()?.iter().filter(|row| row.has(dialect, is_type, code));
    Ok(!rows.any(|row| row.has_no_text && row.since > llvm.0))
}

/// Whether a release encodes any attribute, or any type, of a dialect.
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

/// Whether a release was made without a dialect that other builds encode: the attributes, or the types, of such a dialect
/// are the text that the file has.
///
/// # Errors
/// As [`releases`].
pub(crate) fn keeps_text(release: &KnownRelease, dialect: &[u8], is_type: bool) -> Result<bool> {
    let is_of = |row: &&CodeRange| if is_type { row.types.is_some() } else { row.attributes.is_some() };
    let rows = || codes().map(|codes| codes.iter().filter(move |row| row.dialect.as_bytes() == dialect));
    // Releases of LLVM have the attributes of its own dialects, with codes or without.
    let is_of_llvm = rows()?.any(|row| {
        row.releases.is_empty() || row.releases.iter().any(|release| release.starts_with("llvm-"))
    });
    let may_lack = release.is_development || !is_of_llvm;
    Ok(may_lack && rows()?.any(|row| is_of(&row)) && !encodes(release, dialect, is_type)?)
}

/// The rows about codes of dialects.
///
/// # Errors
/// As [`releases`].
pub(crate) fn codes() -> Result<&'static [CodeRange]> {
    Ok(&known()?.code)
}

/// All releases, preferred ones first.
///
/// # Errors
/// If the data is invalid, which tests exclude.
pub(crate) fn releases() -> Result<&'static [KnownRelease]> {
    Ok(&known()?.release)
}

/// The release with this name.
///
/// # Errors
/// As [`releases`].
pub(crate) fn find(name: &str) -> Result<Option<&'static KnownRelease>> {
    Ok(releases()?.iter().find(|release| *release.name == *name))
}

/// The row whose definitions apply to a version of LLVM: its release, or its newest build if it is not released; for a
/// later version, the newest row of an earlier one.
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

/// The dialects that a build does not have although a release that it includes has them.
pub(crate) fn absent_dialects(name: &str) -> &'static [Box<str>] {
    find(name).ok().flatten().map_or(&[], |release| release.absent_dialects.names())
}

/// The dialects that only some programs of a build register: the Python bindings of IREE and not `iree-opt`, or an extension
/// of JAX. A reader takes the properties of operations that it does not register for one attribute.
pub(crate) fn optional_dialects(name: &str) -> &'static [Box<str>] {
    find(name).ok().flatten().map_or(&[], |release| release.optional_dialects.names())
}

/// Whether a tool of a release registers an op, so that it stores the properties of the op in their own layout. The schema
/// of a release has what its headers define, which may be more.
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
/// [`ErrorKind::Unsupported`] if it does not, and as [`releases`].
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

fn known() -> Result<&'static Known> {
    static KNOWN: OnceLock<Result<Known, String>> = OnceLock::new();
    // `data/releases.toml`, which the build script has made JSON of.
    let load = || serde_json::from_str(include_str!(concat!(env!("OUT_DIR"), "/releases.json")));
    let loaded = KNOWN.get_or_init(|| load().map_err(|error| error.to_string()));
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
