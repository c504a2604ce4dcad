//! A portable artifact for a release of JAX.
//!
//! Owns the choice of the version of VHLO and of the form of shardings. `data/releases.toml` lists the
//! versions that each release reads.

use crate::dialect::entries::EntryRef;
use crate::format::id::AttrId;
use crate::ir::Module;
use crate::release::JaxRelease;
use crate::wire::error::Result;
use crate::wire::progress::Progress;
use crate::write::{PreparedWrite, WriteOptions};

use super::portable::{SerializeOptions, VhloVersion, artifact_version, serialize};
use super::shardy;

/// Prepares the artifact for a release of JAX; a module that the release reads already remains unchanged.
///
/// # Errors
/// The errors of [`serialize`], and of [`shardy::to_hlo`] for a release without Shardy.
pub(crate) fn for_jax(module: &Module, release: &JaxRelease, progress: &Progress) -> Result<PreparedWrite> {
    let newest: VhloVersion = release.stablehlo.parse()?;
    let has_dialect = module.dialects()?.any(|dialect| dialect.name == b"sdy");
    // The strings of JAX 0.6 are not reliable in any other release.
    if shardy::has_shardings(module)? && !(has_dialect && release.reads_shardy) {
        let translated = shardy::to_hlo(module, progress)?.into_module()?;
        return at_most(&translated, newest, progress);
    }
    let is_read = artifact_version(module).is_some_and(|version| version <= newest)
        && (release.reads_location_ranges || !has_location_ranges(module)?);
    match is_read {
        true => module.prepare_write(&WriteOptions { progress: progress.clone(), ..WriteOptions::default() }),
        false => at_most(module, newest, progress),
    }
}

/// Prepares the artifact in its own version of VHLO, or in an older one.
fn at_most(module: &Module, newest: VhloVersion, progress: &Progress) -> Result<PreparedWrite> {
    // A release may know newer versions than mlirbc.
    let newest = newest.min(VhloVersion::newest());
    let version = artifact_version(module).map_or(newest, |version| version.min(newest));
    let progress = progress.clone();
    serialize(module, &SerializeOptions { version: Some(version), progress, ..SerializeOptions::default() })
}

fn has_location_ranges(module: &Module) -> Result<bool> {
    let entries = module.tables().entries()?;
    let mut attributes = AttrId::rows(0..module.tables().entry_counts()?.attributes).map(EntryRef::Attribute);
    Ok(attributes.any(|attribute| {
        let Some(entry) = entries.raw(attribute).filter(|entry| entry.dialect == b"builtin") else {
            return false;
        };
        matches!(entry.form(attribute), Ok(Some(form)) if *form.name == *"FileLineColRange")
    }))
}
