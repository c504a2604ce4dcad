//! Versions of dialects, as hooks see them.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use crate::file::FileTables;
use crate::wire::bytes::Bytes;
use crate::wire::error::Result;
use crate::wire::version::BytecodeVersion;

use crate::attr::table::{Builder, Home};

use super::{BytecodeDialectInterface, DialectBytecodeReader, Interfaces};

/// The version of a dialect.
#[derive(Clone)]
pub enum DialectVersion {
    /// What the table of the dialect declares.
    Numbers(Vec<u64>),
    /// The bytes, if nothing reads them.
    Bytes(Bytes),
    /// What the hook of the dialect read.
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

/// Reads the bytes of a version; `file` has the strings that it refers to. `None` if the hook is left out.
///
/// # Errors
/// Those of the hook, and [`ErrorKind::DialectHook`](crate::ErrorKind::DialectHook) if it leaves bytes.
pub fn read_version(
    interface: &dyn BytecodeDialectInterface,
    data: Bytes,
    file: Option<&FileTables>,
) -> Result<Option<DialectVersion>> {
    let home = file.map_or_else(|| Builder::new().finish(), |file| Home::File(file.clone()));
    let mut reader = DialectBytecodeReader::new(home, data, 0, Versions::given(Vec::new()));
    let version = interface.read_version(&mut reader)?;
    if version.is_some() {
        reader.finish()?;
    }
    Ok(version)
}

/// The versions of the dialects of a file, or those of values that are made for one.
#[derive(Debug)]
pub(crate) struct Versions {
    pub(crate) bytecode: u64,
    file: Option<FileTables>,
    given: Vec<(String, DialectVersion)>,
}

impl FileTables {
    /// The version of the dialect of an interface: what its hook reads, else numbers by the table of the
    /// dialect, else the bytes. `None` if the file has none.
    ///
    /// # Errors
    /// Those of the hook, and if a table of the file is malformed.
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
        Arc::new(Self { bytecode, file: Some(file.clone()), given: Vec::new() })
    }

    pub(crate) fn given(given: Vec<(String, DialectVersion)>) -> Arc<Self> {
        Arc::new(Self { bytecode: BytecodeVersion::MAX.number().into(), file: None, given })
    }

    pub(crate) fn of(&self, dialect: &str) -> Result<Option<DialectVersion>> {
        let Some(file) = &self.file else {
            return Ok(self.given.iter().find(|row| row.0 == dialect).map(|row| row.1.clone()));
        };
        let Some(bytes) = file.version_of(dialect.as_bytes())? else { return Ok(None) };
        if let Some(known) = file.known_version(dialect) {
            return Ok(known.downcast_ref::<DialectVersion>().cloned());
        }
        let read =
            |interface: &dyn BytecodeDialectInterface| read_version(interface, bytes.clone(), Some(file));
        let interface = Interfaces::of(file).and_then(|all| all.find(dialect.as_bytes()));
        let version = match interface.map(|interface| read(&**interface)).transpose()?.flatten() {
            Some(version) => version,
            None => match file.dialect_version(dialect) {
                Ok(Some(numbers)) => DialectVersion::Numbers(numbers),
                _ => DialectVersion::Bytes(bytes),
            },
        };
        file.keep_version(dialect, Arc::new(version.clone()));
        Ok(Some(version))
    }
}
