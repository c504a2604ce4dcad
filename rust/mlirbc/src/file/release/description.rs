//! The description of the release that wrote a file, for people and programs.
//!
//! Owns the facts about a release; does not choose a layout. The description depends only on the producer
//! string, or on the release that the caller specifies, so all files of one producer have the same
//! description.

use std::fmt;

use crate::release::producer::{LlvmVersion, portable_version};
use crate::release::{self, KnownRelease};
use crate::wire::error::Error;
use crate::wire::order;

use super::{Candidate, Choice, DetectedRelease};

/// The way in which the release of a file was determined.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ReleaseOrigin {
    /// Specified by the caller.
    Caller,
    /// The producer string names the release. Property blobs may contradict it: [`DetectedRelease::evidence`].
    Producer(String),
    /// The producer string names no release. The layouts come from the release that fits all property blobs,
    /// if there is one. Below version 5, where operations have no blobs, inherent attributes come from the
    /// release that has the most operations of the file.
    Unknown(String),
}

/// A property blob that does not have the layout of the release.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Contradiction {
    /// The name of the operation, whose properties are therefore opaque.
    pub operation: String,
    /// The file offset where the blob differs.
    pub offset: Option<u64>,
    /// The expected and the actual contents, and their position.
    pub message: String,
}

impl Contradiction {
    pub(super) fn new(operation: &str, error: &Error) -> Self {
        Self { operation: operation.to_owned(), offset: error.offset(), message: error.to_string() }
    }

    /// Creates a contradiction: an absent attribute has a number other than zero, in a blob at this offset.
    pub(super) fn of_absence(operation: &str, offset: u64) -> Self {
        let message = format!(
            "expected zero for an absent attribute of {operation}, found another number, at {offset:#x} in the \
             Properties section"
        );
        Self { operation: operation.to_owned(), offset: Some(offset), message }
    }

    /// Creates a contradiction: MLIR would write the segment sizes in the blob at this offset differently.
    pub(super) fn of_counts(operation: &str, offset: u64) -> Self {
        let message = format!(
            "expected the segment sizes of {operation} as MLIR writes them, found another encoding, at {offset:#x} in the \
             Properties section"
        );
        Self { operation: operation.to_owned(), offset: Some(offset), message }
    }
}

impl fmt::Display for Contradiction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

/// The result of comparing property blobs with the layouts of releases.
#[derive(Debug, Clone, Default)]
pub(super) struct BlobEvidence {
    /// The number of different blobs.
    pub(super) blobs: usize,
    /// A release that has the layouts of all blobs, although the producer string does not name it.
    pub(super) unnamed_fit: Option<Box<str>>,
    pub(super) contradictions: Vec<Contradiction>,
    pub(super) ambiguous: Vec<String>,
}

impl BlobEvidence {
    pub(super) fn note_fit(&mut self, candidate: &Candidate) {
        self.unnamed_fit = candidate.schema().map(|schema| schema.name().into());
    }
}

/// The evidence of a file's property blobs for its release, which differs between files of one producer.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReleaseEvidence<'r> {
    /// The number of different blobs that were compared; zero if the caller specifies the release.
    pub blobs: usize,
    /// The known releases and builds that have the layouts of all these blobs, the oldest first. For a
    /// development version, these are its builds. Otherwise, it is the release of the producer string, or
    /// another release that fits instead.
    pub fits: Vec<&'r str>,
    /// The newest non-fitting build before the fitting builds, or the release before the development version.
    pub after: Option<&'r str>,
    /// The oldest non-fitting build after the fitting builds, or the release after the development version.
    pub before: Option<&'r str>,
    /// Blobs without the layout of the release, at most one for each operation, and the first eight only.
    pub contradictions: &'r [Contradiction],
    /// The operations whose properties are opaque because builds with the same producer string write them in
    /// several ways that fit; a message for each operation.
    pub ambiguous: &'r [String],
}

/// The precision with which a producer string or the caller specifies a release.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ReleaseKind {
    /// A known release, or a release that the caller specifies.
    Exact,
    /// A version of LLVM's main branch, which many builds have in common.
    Development,
    /// A portable artifact of StableHLO, whose operations have the same layouts in all releases.
    Portable,
    /// No known release: a tool with version numbers of its own, or an unknown version of LLVM.
    Unknown,
}

impl ReleaseKind {
    /// The name in JSON and Python: `exact`, `development`, `portable` or `unknown`.
    #[doc(hidden)]
    pub fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Development => "development",
            Self::Portable => "portable",
            Self::Unknown => "unknown",
        }
    }
}

/// The release that wrote a file, as far as its producer string or the caller specifies it.
///
/// ```
/// use mlirbc::file::ReleaseKind;
/// let module = mlirbc::Module::open("../../tests/data/between/jaxlib-0.7.0_cf.mlirbc")?;
/// let description = module.release()?.description();
/// assert_eq!(description.kind, ReleaseKind::Development);
/// assert_eq!(description.to_string(), "a development version of LLVM 21, between llvm-20 and llvm-21");
/// # Ok::<(), mlirbc::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReleaseDescription<'r> {
    /// The precision of the description.
    pub kind: ReleaseKind,
    /// The name of the release, which `--release` and `--target` take; `None` unless it is exact.
    pub name: Option<&'r str>,
    /// The major version of LLVM; for a development version, the major version of the next release. `None` if
    /// unknown.
    pub llvm: Option<u32>,
    /// The version in the producer string: of LLVM, or of StableHLO for a portable artifact.
    pub version: Option<&'r str>,
    /// The newest known release or build that is older, unless the release is exact.
    pub after: Option<&'r str>,
    /// The oldest known release or build that is newer, unless the release is exact.
    pub before: Option<&'r str>,
}

impl<'r> ReleaseDescription<'r> {
    fn new(kind: ReleaseKind) -> Self {
        Self { kind, name: None, llvm: None, version: None, after: None, before: None }
    }

    fn exact(name: &'r str, llvm: Option<u32>, version: Option<&'r str>) -> Self {
        Self { name: Some(name), llvm, version, ..Self::new(ReleaseKind::Exact) }
    }

    /// Creates the description of a producer string.
    fn of_producer(producer: &'r str) -> Self {
        if let Some(version) = portable_version(producer) {
            return Self { version: Some(version), ..Self::new(ReleaseKind::Portable) };
        }
        let Some(version) = LlvmVersion::parse(producer.as_bytes()) else {
            return Self::new(ReleaseKind::Unknown);
        };
        let (llvm, text) = (Some(version.llvm.0), Some(version.text));
        // Invalid data of releases, which tests exclude, counts as missing.
        if let Some(known) = version.known_release().unwrap_or_default() {
            return Self::exact(&known.name, llvm, text);
        }
        let [after, before] = version.neighbours().unwrap_or_default().map(|row| row.map(|row| &*row.name));
        let kind = match version.is_development {
            true => ReleaseKind::Development,
            false => ReleaseKind::Unknown,
        };
        Self { kind, name: None, llvm, version: text, after, before }
    }
}

impl DetectedRelease {
    /// The name of the release, if the producer string names one, or the caller does. `None` for development
    /// versions, which many builds have in common; [`Self::description`] contains the known builds around
    /// them.
    pub fn name(&self) -> Option<&str> {
        self.description().name
    }

    /// The release that wrote the file, as far as its producer string or the caller specifies it.
    pub fn description(&self) -> ReleaseDescription<'_> {
        let nearest = self.schema().filter(|schema| {
            // This is a schema that the caller has registered for its own producer strings.
            self.origin == ReleaseOrigin::Caller || is_registered(schema.name())
        });
        match (&self.origin, nearest) {
            (ReleaseOrigin::Caller | ReleaseOrigin::Producer(_), Some(schema)) => {
                let llvm = schema.known_llvm().map(|llvm| llvm.0);
                ReleaseDescription::exact(schema.name(), llvm, None)
            }
            (ReleaseOrigin::Producer(producer) | ReleaseOrigin::Unknown(producer), _) => {
                ReleaseDescription::of_producer(producer)
            }
            (ReleaseOrigin::Caller, None) => ReleaseDescription::new(ReleaseKind::Unknown),
        }
    }

    /// The known release whose definitions, spellings and codes apply to the file; `None` if no release
    /// applies. An approximation unless the release is exact, because builds with one producer string differ.
    #[doc(hidden)]
    pub fn nearest(&self) -> Option<&str> {
        self.schema().map(|schema| schema.name())
    }

    /// The way in which the release was determined.
    #[doc(hidden)]
    pub fn origin(&self) -> &ReleaseOrigin {
        &self.origin
    }

    /// The evidence of the property blobs for the release.
    pub fn evidence(&self) -> ReleaseEvidence<'_> {
        let BlobEvidence { blobs, unnamed_fit, contradictions, ambiguous } = &self.evidence;
        let name = |place: usize| self.schemas.get(place).map(|schema| schema.name());
        let (mut fits, mut bounds): (Vec<_>, _) = (unnamed_fit.as_deref().into_iter().collect(), [None; 2]);
        match &self.around {
            Some(around) => {
                fits = around.fitting.iter().filter_map(|&place| name(place)).collect();
                let inside = around.span.clone();
                let before = (around.builds.start..*inside.start()).next_back();
                let after = Some(inside.end() + 1).filter(|place| around.builds.contains(place));
                bounds = [before, after].map(|place| place.and_then(name));
            }
            None if *blobs > 0 && contradictions.is_empty() && fits.is_empty() => fits.extend(name(0)),
            None => {}
        }
        let [after, before] = bounds;
        ReleaseEvidence { blobs: *blobs, fits, after, before, contradictions, ambiguous }
    }

    /// The known releases and builds whose property layouts the operations of the file have, the oldest
    /// first. If several builds have the same layout of an operation, the newest build around the file
    /// represents them.
    #[doc(hidden)]
    pub fn layouts_from(&self) -> Vec<&str> {
        let schema_of = |choice: &Choice| match choice {
            Choice::Row(schema, _) => self.schemas.get(*schema as usize),
            _ => None,
        };
        let revision = |name: &str| release::find(name).ok().flatten().map(KnownRelease::revision);
        let mut names: Vec<_> = self.ops.iter().filter_map(schema_of).map(|schema| schema.name()).collect();
        order::sort(&mut names);
        names.dedup();
        order::sort_by(&mut names, |a, b| revision(a).cmp(&revision(b)));
        names
    }

    /// The ops whose properties are opaque because builds with the same producer string write them in several
    /// ways that fit; a message for each op.
    #[doc(hidden)]
    pub fn ambiguous(&self) -> &[String] {
        &self.evidence.ambiguous
    }

    /// The contradictions to the producer string, at most one for each op.
    #[doc(hidden)]
    pub fn contradictions(&self) -> &[Contradiction] {
        &self.evidence.contradictions
    }
}

fn is_registered(name: &str) -> bool {
    matches!(release::find(name), Ok(None))
}

impl fmt::Display for ReleaseOrigin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Caller => f.write_str("specified by the caller"),
            Self::Producer(producer) => write!(f, "from the producer string `{producer}`"),
            Self::Unknown(producer) => write!(f, "the producer string `{producer}` is not known"),
        }
    }
}

impl fmt::Display for ReleaseDescription<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.kind, self.name, self.version, self.llvm) {
            (ReleaseKind::Exact, Some(name), ..) => f.write_str(name)?,
            (ReleaseKind::Development, _, _, Some(llvm)) => {
                write!(f, "a development version of LLVM {llvm}")?
            }
            (ReleaseKind::Portable, _, Some(version), _) => {
                write!(f, "a portable artifact of StableHLO {version}")?
            }
            (ReleaseKind::Unknown, _, Some(version), _) => write!(f, "LLVM {version}")?,
            _ => f.write_str("unknown")?,
        }
        match (self.after, self.before) {
            (Some(after), Some(before)) => write!(f, ", between {after} and {before}"),
            (Some(after), None) => write!(f, ", after {after}"),
            (None, Some(before)) => write!(f, ", before {before}"),
            (None, None) => Ok(()),
        }
    }
}

impl fmt::Display for DetectedRelease {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {}", self.description(), self.origin)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_producer_string_is_described_without_a_file() {
        let text = |producer| ReleaseDescription::of_producer(producer).to_string();
        assert_eq!(text("MLIR19.1.7"), "llvm-19");
        // The schema of this release is composed of the builds around it; its name is certain.
        assert_eq!(text("MLIR20.1.8"), "llvm-20");
        assert_eq!(text("MLIR22.1.0-rc2"), "llvm-22");
        assert_eq!(text("MLIR24.0.0git"), "a development version of LLVM 24, after llvm-23");
        assert_eq!(text("MLIR18.0.0git"), "a development version of LLVM 18, between llvm-17 and llvm-18");
        assert_eq!(text("MLIR19.0.0git"), "a development version of LLVM 19, between llvm-18 and llvm-19");
        assert_eq!(text("MLIR16.0.0git"), "a development version of LLVM 16, before llvm-16");
        assert_eq!(text("StableHLO_v1.9.0"), "a portable artifact of StableHLO 1.9.0");
        assert!(text("MLIR99.1.0").starts_with("LLVM 99.1.0, after "), "{}", text("MLIR99.1.0"));
        for producer in ["IREE", "CIRCT firtool-1.62.0", "", "MLIR", "nonsense"] {
            assert_eq!(text(producer), "unknown", "{producer}");
        }
    }

    #[test]
    fn only_an_exact_release_has_a_name() {
        let describe = ReleaseDescription::of_producer;
        let exact = describe("MLIR19.1.7");
        assert_eq!((exact.name, exact.llvm, exact.version), (Some("llvm-19"), Some(19), Some("19.1.7")));
        assert_eq!((exact.after, exact.before), (None, None));
        let development = describe("MLIR22.0.0git");
        assert_eq!((development.kind, development.name), (ReleaseKind::Development, None));
        assert_eq!((development.llvm, development.version), (Some(22), Some("22.0.0git")));
        let later = describe("MLIR99.1.0");
        assert_eq!((later.kind, later.name, later.llvm), (ReleaseKind::Unknown, None, Some(99)));
        assert_eq!(describe("IREE").llvm, None);
    }
}
