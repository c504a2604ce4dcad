//! The outcome of a pass over a module: a result, an error, or that the entries of the file cannot be written
//! unchanged.

use std::fmt;

use crate::wire::error::Error;

/// The entries that the numbers of a pass refer to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EntrySource {
    /// The tables of the file.
    File,
    /// The locations of the tables of the file, and a pool of copies of everything else.
    LocationsOfFile,
    /// A pool of copies without duplicates, to which entries can be added.
    Copies,
}

/// The reason why the entries of the file cannot be written unchanged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CopyReason {
    /// Something is written that the file does not contain.
    NewEntry,
    /// Two entries, or two strings, are equal, and MLIR stores equal ones once.
    EqualEntries,
    /// MLIR stores an entry differently.
    StoredDifferently,
    /// The references of an entry are unknown.
    UnknownLayout,
    /// An attribute that is not a location contains one, which would be written twice.
    LocationInside,
}

/// The reason why a pass did not complete.
#[derive(Debug)]
pub(crate) enum Unfinished {
    /// The pass used entries of the file, and needs [`EntrySource::Copies`].
    NeedsCopies(CopyReason),
    Failed(Error),
}

/// The result of a pass or of one of its parts.
pub(crate) type Result<T, E = Unfinished> = std::result::Result<T, E>;

impl fmt::Display for CopyReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NewEntry => "the file does not have an attribute that is written",
            Self::EqualEntries => "two attributes or types are equal",
            Self::StoredDifferently => "an attribute or a type is stored differently by MLIR",
            Self::LocationInside => "an attribute contains a location",
            Self::UnknownLayout => "the layout of an attribute or a type is unknown",
        })
    }
}

impl From<Error> for Unfinished {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}
