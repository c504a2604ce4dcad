//! Versions of dialects, in the form that hooks use.

use std::any::Any;
use std::fmt;
use std::sync::{Arc, OnceLock};

use crate::dialect::entries::NoEntries;
use crate::file::FileTables;
use crate::wire::bytes::Bytes;
use crate::wire::error::Result;
use crate::wire::version::BytecodeVersion;

use crate::attr::table::{Builder, Home};

use super::{BytecodeDialectInterface, DialectBytecodeReader, Interfaces};

/// The version of a dialect.
#[derive(Clone)]
pub enum DialectVersion {
    /// The numbers that the table of the dialect declares.
    Numbers(Vec<u64>),
    /// The bytes, if nothing reads them.
    Bytes(Bytes),
    /// The value that the hook of the dialect read.
    Value(Arc<dyn Any + Send + Sync>),
}

impl fmt::Debug for DialectVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Numbers(numbers) => f.debug_tuple("Numbers").field(numbers).finish(),
            Self::Bytes(bytes) => f.debug_tuple("Bytes").field(&&bytes[..]).finish(),
            Self::Value(_) => f.write_str("Value(..)"),
        }
    }
}

/// Reads the bytes of a version; `file` has the strings that the version refers to. `None` if the dialect has
/// no such hook.
///
/// # Errors
/// Errors of the hook, and [`ErrorKind::DialectHook`](crate::ErrorKind::DialectHook) if the hook leaves bytes
/// unread.
#[doc(hidden)]
pub fn read_version(
    interface: &dyn BytecodeDialectInterface,
    data: Bytes,
    file: Option<&FileTables>,
) -> Result<Option<DialectVersion>> {
    let home = file.map_or_else(|| Builder::new().finish(), |file| Home::File(file.clone()));
    let mut reader = DialectBytecodeReader::new(home, data, 0, Versions::from_list(Vec::new()));
    let version = interface.read_version(&mut reader)?;
    if version.is_some() {
        reader.finish()?;
    }
    Ok(version)
}

/// The versions of the dialects of a file, of an edited file, or of values that are made for a file.
#[derive(Debug)]
pub(crate) struct Versions {
    pub(crate) bytecode: u64,
    file: Option<FileTables>,
    given: Vec<(String, DialectVersion)>,
    /// The versions that an edit sets or removes.
    changed: Vec<ChangedVersion>,
}

/// A version that the file does not have yet.
#[derive(Debug)]
struct ChangedVersion {
    dialect: Vec<u8>,
    bytes: Option<Bytes>,
    read: OnceLock<DialectVersion>,
}

/// The versions of dialects for which hooks write: the versions of an edited module, from
/// [`Editor::written_versions`](crate::edit::Editor::written_versions), or a list of names and versions.
#[derive(Debug, Clone)]
pub struct WrittenVersions(pub(crate) Arc<Versions>);

impl WrittenVersions {
    /// Returns the versions of a file, including the versions that an edit changes.
    pub(crate) fn of_edit(file: &FileTables, changed: Vec<(Vec<u8>, Option<Bytes>)>) -> Self {
        Self(Versions::of_edit(file, changed))
    }
}

impl From<Vec<(String, DialectVersion)>> for WrittenVersions {
    fn from(versions: Vec<(String, DialectVersion)>) -> Self {
        Self(Versions::from_list(versions))
    }
}

impl FileTables {
    /// Returns the version of the dialect of an interface: the value that its hook reads, otherwise the
    /// numbers by the table of the dialect, otherwise the bytes. `None` if the file has no version of the
    /// dialect.
    ///
    /// # Errors
    /// Errors of the hook, and an error if a table of the file is malformed.
    pub fn version_by(&self, interface: &dyn BytecodeDialectInterface) -> Result<Option<DialectVersion>> {
        let dialect = interface.dialect();
        let Some(bytes) = self.version_of(dialect.as_bytes())? else { return Ok(None) };
        match read_version(interface, bytes, Some(self))? {
            Some(version) => Ok(Some(version)),
            None => Versions::of_file(self).of(dialect),
        }
    }
}

impl Versions {
    pub(crate) fn of_file(file: &FileTables) -> Arc<Self> {
        let bytecode = file.bytecode().version().number().into();
        Arc::new(Self { bytecode, file: Some(file.clone()), given: Vec::new(), changed: Vec::new() })
    }

    /// Returns the versions of an edited file, including the versions that the edit changes.
    pub(crate) fn of_edit(file: &FileTables, changed: Vec<(Vec<u8>, Option<Bytes>)>) -> Arc<Self> {
        let bytecode = file.bytecode().version().number().into();
        let row = |(dialect, bytes)| ChangedVersion { dialect, bytes, read: OnceLock::new() };
        let changed = changed.into_iter().map(row).collect();
        Arc::new(Self { bytecode, file: Some(file.clone()), given: Vec::new(), changed })
    }

    pub(crate) fn from_list(versions: Vec<(String, DialectVersion)>) -> Arc<Self> {
        let bytecode = BytecodeVersion::MAX.number().into();
        Arc::new(Self { bytecode, file: None, given: versions, changed: Vec::new() })
    }

    pub(crate) fn of(&self, dialect: &str) -> Result<Option<DialectVersion>> {
        let Some(file) = &self.file else {
            return Ok(self.given.iter().find(|row| row.0 == dialect).map(|row| row.1.clone()));
        };
        if let Some(row) = self.changed.iter().find(|row| row.dialect == dialect.as_bytes()) {
            let Some(bytes) = &row.bytes else { return Ok(None) };
            if let Some(version) = row.read.get() {
                return Ok(Some(version.clone()));
            }
            let version = version_in(file, dialect, bytes.clone())?;
            return Ok(Some(row.read.get_or_init(|| version).clone()));
        }
        let Some(bytes) = file.version_of(dialect.as_bytes())? else { return Ok(None) };
        if let Some(version) = file.known_version(dialect) {
            return Ok(version.downcast_ref::<DialectVersion>().cloned());
        }
        let version = version_in(file, dialect, bytes)?;
        file.keep_version(dialect, Arc::new(version.clone()));
        Ok(Some(version))
    }
}

/// Interprets the bytes of a version: with the hook of the dialect, otherwise as the numbers that its table
/// declares, otherwise as bytes.
fn version_in(file: &FileTables, dialect: &str, bytes: Bytes) -> Result<DialectVersion> {
    let interface = Interfaces::of(file).and_then(|all| all.find(dialect.as_bytes()));
    let by_hook = interface.map(|interface| read_version(&**interface, bytes.clone(), Some(file)));
    if let Some(version) = by_hook.transpose()?.flatten() {
        return Ok(version);
    }
    let table = file.ungated_codec(dialect.as_bytes());
    let numbers = table.and_then(|table| table.read_version(&bytes, 0, &NoEntries::new()).ok().flatten());
    Ok(numbers.map_or(DialectVersion::Bytes(bytes), DialectVersion::Numbers))
}
