//! Installed packs that a file needs, which are loaded when the file first needs a dialect or its release.
//!
//! Opening a file reads no names: a large or remote file may have many strings, and its caller may want one resource.

use std::sync::{Arc, OnceLock};

use super::{FileTables, ReadOptions};
use crate::dialect::DialectTable;
use crate::dialect::registry::Registry;
use crate::props::PropertySchema;
use crate::props::registry::Schemas;
use crate::release::{Release, waiting};

/// The options with which the tables of a file are made again after packs were loaded.
pub(super) struct InstalledPacks {
    dialects: Vec<Arc<DialectTable>>,
    unknown_dialects: Vec<String>,
    schemas: Vec<Arc<PropertySchema>>,
    release: Option<Release>,
    /// The tables with the packs of the file; `None` inside if it needs no pack.
    tables: OnceLock<Option<(Registry, Schemas)>>,
}

impl InstalledPacks {
    /// Returns `None` if no pack waits, or if the tables of another file are used.
    pub(super) fn of(options: &ReadOptions) -> Option<Self> {
        (waiting::is_any() && options.like.is_none()).then(|| Self {
            dialects: options.dialects.clone(),
            unknown_dialects: options.unknown_dialects.clone(),
            schemas: options.schemas.clone(),
            release: options.release.clone(),
            tables: OnceLock::new(),
        })
    }

    /// Loads the packs with a dialect of the file.
    fn load(&self, file: &FileTables) -> Option<(Registry, Schemas)> {
        // Readers of the dialects report errors.
        let names: Vec<Vec<u8>> = file.dialects().ok()?.map(|dialect| dialect.name.to_vec()).collect();
        let is_named = |dialect: &str| names.iter().any(|name| **name == *dialect.as_bytes());
        let has_loaded = waiting::load_for_dialects(is_named);
        has_loaded.then(|| {
            let release = self.release.as_ref().map(Release::as_str);
            let registry = Registry::snapshot(&self.dialects, &self.unknown_dialects).of_release(release);
            (registry, Schemas::snapshot(&self.schemas))
        })
    }
}

impl FileTables {
    fn of_installed(&self) -> Option<&(Registry, Schemas)> {
        let installed = self.0.installed.as_ref()?;
        installed.tables.get_or_init(|| installed.load(self)).as_ref()
    }

    /// The tables of dialects.
    pub(super) fn registry(&self) -> &Registry {
        self.of_installed().map_or(&self.0.registry, |(registry, _)| registry)
    }

    /// The property schemas.
    pub(super) fn schemas(&self) -> &Schemas {
        self.of_installed().map_or(&self.0.schemas, |(_, schemas)| schemas)
    }
}

/// Returns the tables of dialects for a file.
pub(super) fn registry_for(options: &ReadOptions) -> Registry {
    Registry::snapshot(&options.dialects, &options.unknown_dialects)
        .of_release(options.release.as_ref().map(Release::as_str))
}
