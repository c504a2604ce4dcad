//! The dialect versions for which an edited module is written.
//!
//! Owns the single answer for attributes, types, properties and the code of dialects: the version that a
//! conversion is going to set, else the version set in the session, else the version of the file.
//! `versions.rs` re-encodes entries for a new version; `property_versions.rs` re-encodes properties.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use crate::attr::hooks::WrittenVersions;
use crate::dialect::table::DialectTable;
use crate::wire::bytes::Bytes;
use crate::wire::error::{Error, ErrorKind, Result};

use super::Editor;
use super::arena::{ROOT, WalkStep, Walker};
use super::tables::Tables;

/// The version that a conversion is going to give a dialect.
#[derive(Debug, Clone)]
pub(crate) struct TargetVersion {
    bytes: Option<Bytes>,
    table: Option<Arc<DialectTable>>,
}

/// The versions that a conversion is going to set, by dialect.
pub(crate) type TargetVersions = BTreeMap<Box<[u8]>, TargetVersion>;

impl Tables {
    /// Returns the version bytes of a dialect in this module, if any.
    ///
    /// # Errors
    /// If the dialect section is malformed.
    pub(crate) fn module_version(&self, dialect: &[u8]) -> Result<Option<Bytes>> {
        let place = self.dialects.find(dialect);
        if let Some(new) = place.and_then(|place| self.versions.get(&place)) {
            return Ok(new.as_deref().map(Bytes::copy_from_slice));
        }
        self.base.tables().version_of(dialect)
    }

    /// Returns the version bytes for which properties of a dialect are written now.
    ///
    /// # Errors
    /// As [`Self::module_version`].
    pub(crate) fn written_version(&self, dialect: &[u8]) -> Result<Option<Bytes>> {
        match self.target_versions.get(dialect) {
            Some(target) => Ok(target.bytes.clone()),
            None => self.module_version(dialect),
        }
    }

    /// Returns the table with the encodings of [`Self::written_version`].
    pub(crate) fn written_table(&self, dialect: &[u8]) -> Option<Arc<DialectTable>> {
        match self.target_versions.get(dialect) {
            Some(target) => target.table.clone(),
            None => match self.dialects.find(dialect) {
                Some(place) => self.dialects.get(place)?.1.cloned(),
                None => self.base.tables().codec(dialect),
            },
        }
    }

    /// Returns the table with the encodings of a version of a dialect; bytes that are not a version of the
    /// dialect enable no gate, as in a file.
    ///
    /// # Errors
    /// If a table is malformed.
    pub(crate) fn table_for(
        &self,
        dialect: &[u8],
        version: Option<&[u8]>,
    ) -> Result<Option<Arc<DialectTable>>> {
        let Some(table) = self.base.tables().ungated_codec(dialect).filter(|table| table.has_gates()) else {
            let place = self.dialects.find(dialect);
            let table = place.and_then(|place| self.dialects.get(place)?.1.cloned());
            return Ok(table.or_else(|| self.base.tables().codec(dialect)));
        };
        let Some(bytes) = version else { return Ok(Some(table)) };
        let numbers = table.read_version(bytes, 0, &self.view()?).ok().flatten();
        Ok(Some(numbers.map_or_else(|| table.clone(), |numbers| Arc::new(table.at_version(&numbers)))))
    }
}

impl Editor {
    /// Returns the version bytes of a dialect, if any.
    ///
    /// # Errors
    /// If the dialect section is malformed.
    #[doc(hidden)]
    pub fn dialect_version(&self, dialect: impl AsRef<[u8]>) -> Result<Option<Bytes>> {
        self.tables.module_version(dialect.as_ref())
    }

    /// Sets the versions that properties are written for from now on, while operations are converted to them.
    /// After the conversion, call [`Self::set_dialect_version`], and this function without versions.
    ///
    /// # Errors
    /// If a table is malformed.
    #[doc(hidden)]
    pub fn set_target_versions(&mut self, versions: &[(&str, Option<&[u8]>)]) -> Result<()> {
        let mut targets = TargetVersions::new();
        for &(dialect, bytes) in versions {
            let table = self.tables.table_for(dialect.as_bytes(), bytes)?;
            let bytes = bytes.map(Bytes::copy_from_slice);
            targets.insert(dialect.as_bytes().into(), TargetVersion { bytes, table });
        }
        self.tables.target_versions = targets;
        Ok(())
    }

    /// Returns the versions for which hooks write properties now.
    ///
    /// # Errors
    /// If the dialect section is malformed.
    #[doc(hidden)]
    pub fn written_versions(&self) -> Result<WrittenVersions> {
        self.written_versions_with(None)
    }

    /// Returns these versions with another version of one dialect.
    ///
    /// # Errors
    /// As [`Self::written_versions`].
    pub(super) fn written_versions_with(
        &self,
        new: Option<(&[u8], Option<&[u8]>)>,
    ) -> Result<WrittenVersions> {
        let mut changed = Vec::new();
        let mut names = HashSet::new();
        if let Some((dialect, bytes)) = new {
            names.insert(dialect);
            changed.push((dialect.to_vec(), bytes.map(Bytes::copy_from_slice)));
        }
        let targets = self.tables.target_versions.keys().map(|name| &name[..]);
        let set = self.tables.versions.keys().filter_map(|&place| self.tables.dialects.get(place));
        for dialect in targets.chain(set.map(|row| row.0)) {
            if names.insert(dialect) {
                changed.push((dialect.to_vec(), self.tables.written_version(dialect)?));
            }
        }
        Ok(WrittenVersions::of_edit(self.base.tables(), changed))
    }

    /// Checks that properties were written for the versions of the module.
    ///
    /// # Errors
    /// [`ErrorKind::Edit`] if not.
    pub(crate) fn check_written_versions(&self) -> Result<()> {
        let mut outdated = HashSet::new();
        for (&key, written) in &self.tables.written {
            let name = self.tables.op_name_bytes(key.0);
            let dialect = name.split(|&byte| byte == b'.').next().unwrap_or_default();
            let version = self.tables.module_version(dialect)?;
            if written.version != version && !self.fits_version(&name, written, version.as_deref())? {
                outdated.insert(key);
            }
        }
        if outdated.is_empty() {
            return Ok(());
        }
        let mut walker = Walker::inside(ROOT);
        while let Some(step) = walker.next(&self.arena) {
            let WalkStep::Enter(op) = step else { continue };
            let row = self.arena.op(op);
            if row.name.zip(row.properties).is_some_and(|key| outdated.contains(&key)) {
                let name = self.name_text(op);
                let message = format!(
                    "properties of {name} were written for another version of the dialect than the module has"
                );
                let hint = "set the dialect version that the operations were converted to";
                return Err(Error::message(ErrorKind::Edit, message)
                    .with_path(self.path(op))
                    .with_hint(hint));
            }
        }
        Ok(())
    }
}
