//! Installed packs that a file needs, which are loaded when the file is opened.

use std::sync::Arc;

use super::{FileTables, ReadOptions};
use crate::dialect::registry::Registry;
use crate::props::registry::Schemas;
use crate::release::{Release, waiting};

impl FileTables {
    /// Loads the installed packs with a dialect of the file, for a file that was just opened.
    pub(super) fn load_installed_packs(&mut self, options: &ReadOptions) {
        if !waiting::is_any() || options.like.is_some() {
            return;
        }
        // Readers of the dialects report errors.
        let Ok(dialects) = self.dialects() else { return };
        let names: Vec<Vec<u8>> = dialects.map(|dialect| dialect.name.to_vec()).collect();
        let is_named = |dialect: &str| names.iter().any(|name| **name == *dialect.as_bytes());
        if !waiting::load_for_dialects(is_named) {
            return;
        }
        if let Some(tables) = Arc::get_mut(&mut self.0) {
            tables.registry = registry_for(options);
            tables.schemas = Schemas::snapshot(&options.schemas);
        }
    }
}

/// Returns the tables of dialects for a file.
pub(super) fn registry_for(options: &ReadOptions) -> Registry {
    Registry::snapshot(&options.dialects, &options.unknown_dialects)
        .of_release(options.release.as_ref().map(Release::as_str))
}
