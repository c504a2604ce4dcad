//! The parts of a file that verification did not check.

use std::fmt;

use crate::wire::error::Error;

/// The most rows of a report; more would add no information.
const MOST: usize = 32;
const LONGEST_NAME: usize = 200;

/// The result of [`Module::verify`](crate::Module::verify) for a valid file.
///
/// ```
/// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
/// let verification = module.verify()?;
/// assert!(verification.unchecked().is_empty() && verification.broken_entries().is_none());
/// # Ok::<(), mlirbc::Error>(())
/// ```
#[derive(Debug, Default)]
pub struct Verification {
    release: Option<String>,
    unchecked: Vec<Unchecked>,
    left_out: u64,
    broken: Option<(u64, Error)>,
}

/// Parts of a file whose contents were not checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unchecked {
    kind: UncheckedKind,
    name: String,
    count: u64,
}

/// The kind of an [`Unchecked`] row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum UncheckedKind {
    /// Attributes and types stored as text: only their brackets were checked.
    Text,
    /// Encoded attributes and types of a dialect without a table, or with a layout that the table does not have.
    Entries,
    /// Property blobs of unknown layout: no schema describes the operation, or the blobs do not have the
    /// layout of the schema.
    Properties,
    /// Property blobs that fit several layouts with different values.
    Ambiguous,
    /// Resources of an unknown dialect.
    Resources,
    /// The version of an unknown dialect.
    Versions,
}

impl UncheckedKind {
    /// The name of the kind: `text`, `entries`, `properties`, `ambiguous`, `resources`, `versions`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Entries => "entries",
            Self::Properties => "properties",
            Self::Ambiguous => "ambiguous",
            Self::Resources => "resources",
            Self::Versions => "versions",
        }
    }
}

impl fmt::Display for Unchecked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kind, name, count } = self;
        let (singular, plural) = match kind {
            UncheckedKind::Text => {
                ("attribute or type that is stored as text", "attributes and types that are stored as text")
            }
            UncheckedKind::Entries => {
                ("attribute or type of unknown encoding", "attributes and types of unknown encoding")
            }
            UncheckedKind::Properties => {
                ("property blob of unknown layout", "property blobs of unknown layout")
            }
            UncheckedKind::Ambiguous => (
                "property blob that builds decode differently",
                "property blobs that builds decode differently",
            ),
            UncheckedKind::Resources => ("resource of an unknown dialect", "resources of an unknown dialect"),
            UncheckedKind::Versions => ("version of an unknown dialect", "versions of an unknown dialect"),
        };
        write!(f, "{name}: {count} {}", if *count == 1 { singular } else { plural })
    }
}

impl Unchecked {
    /// The kind.
    pub fn kind(&self) -> UncheckedKind {
        self.kind
    }

    /// The dialect or the operation.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The number of occurrences.
    pub fn count(&self) -> u64 {
        self.count
    }
}

impl Verification {
    pub(super) fn new(release: Option<&str>) -> Self {
        Self { release: release.map(str::to_owned), ..Self::default() }
    }

    pub(super) fn add(&mut self, kind: UncheckedKind, name: &[u8], count: u64) {
        if count == 0 {
            return;
        }
        if self.unchecked.len() >= MOST {
            self.left_out += 1;
            return;
        }
        // A long name may be shared by many dialects.
        let start = name.get(..4 * LONGEST_NAME).unwrap_or(name);
        let name = crate::wire::error::cut(&String::from_utf8_lossy(start), LONGEST_NAME);
        self.unchecked.push(Unchecked { kind, name, count });
    }

    pub(super) fn add_broken(&mut self, error: Error) {
        let (count, _) = self.broken.get_or_insert((0, error));
        *count += 1;
    }

    /// The release whose rules were applied; `None` if no release is certain.
    #[doc(hidden)]
    pub fn release(&self) -> Option<&str> {
        self.release.as_deref()
    }

    /// The parts that were not checked, at most 32 rows.
    pub fn unchecked(&self) -> &[Unchecked] {
        &self.unchecked
    }

    /// The number of rows beyond the first 32.
    #[doc(hidden)]
    pub fn left_out(&self) -> u64 {
        self.left_out
    }

    /// The number of malformed attributes and types without references, which readers ignore, and the error
    /// of the first such entry.
    #[doc(hidden)]
    pub fn broken_entries(&self) -> Option<(u64, &Error)> {
        self.broken.as_ref().map(|(count, error)| (*count, error))
    }
}
