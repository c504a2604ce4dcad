//! Shardings of Shardy as shardings of HLO, for readers without the dialect `sdy`: JAX before 0.7, and callers that turn
//! Shardy off.
//!
//! Owns the translation of the dialect, and of its form in the strings that JAX 0.6 wrote. Does not own how HLO writes a
//! sharding (`container::hlo_sharding`) nor portable artifacts (`convert::portable`), which are translated as the StableHLO
//! module that they hold.

mod attributes;
mod contexts;
mod frontend;
mod functions;
mod meshes;
mod refusals;
mod rewrite;
mod survey;
#[cfg(test)]
mod tests;
mod texts;

use crate::edit::Editor;
use crate::ir::Module;
use crate::wire::error::Result;
use crate::wire::progress::Progress;
use crate::write::{Numbering, PreparedWrite, WriteOptions};

use super::portable::{self, SerializeOptions};

const DIALECT: &[u8] = b"sdy";

/// The correspondence of the dimensions of operands and results of a custom call. HLO has no such rule, and
/// JAX with Shardy turned off writes none: the call computes the same, and XLA may move more data for it.
const SHARDING_RULE: &[u8] = b"sdy.sharding_rule";

/// Prepares the module with shardings of HLO in place of shardings of Shardy: `mhlo.sharding` on arguments
/// and results, and calls of `@Sharding`, `@SPMDFullToShardShape` and `@SPMDShardToFullShape`, as JAX writes
/// them with Shardy turned off. Rules for custom calls (`sdy.sharding_rule`) are left out. A portable
/// artifact remains an artifact of its version. A module without shardings of Shardy is unchanged.
///
/// # Errors
/// [`ErrorKind::Unsupported`](crate::ErrorKind::Unsupported) with [`Error::losses`](crate::Error::losses) for
/// parts that HLO does not have, such as sub-axes and priorities; the errors of reading.
///
/// ```
/// use mlirbc::convert::shardy;
/// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
/// let prepared = shardy::to_hlo(&module, &Default::default())?;
/// assert_eq!(prepared.len(), mlirbc::doc_example().len() as u64);
/// # Ok::<(), mlirbc::Error>(())
/// ```
pub fn to_hlo(module: &Module, progress: &Progress) -> Result<PreparedWrite> {
    let progress = progress.clone();
    if !has_shardings(module)? {
        return module.prepare_write(&WriteOptions { progress, ..WriteOptions::default() });
    }
    let Some(version) = portable::artifact_version(module) else {
        return translated(module, &progress)?.prepare_write(&canonical(&progress));
    };
    let stablehlo = portable::deserialize(module, &progress)?.into_module()?;
    let translated = translated(&stablehlo, &progress)?;
    let options = SerializeOptions { version: Some(version), progress, ..SerializeOptions::default() };
    portable::serialize(&translated, &options)
}

/// Whether a module has shardings of Shardy, as a dialect or in strings.
///
/// # Errors
/// If a table of the file is malformed.
///
/// ```
/// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
/// assert!(!mlirbc::convert::shardy::has_shardings(&module)?);
/// # Ok::<(), mlirbc::Error>(())
/// ```
#[doc(hidden)]
pub fn has_shardings(module: &Module) -> Result<bool> {
    if module.dialects()?.any(|dialect| dialect.name == DIALECT) {
        return Ok(true);
    }
    let strings = module.tables().strings()?;
    let mut texts = (0..strings.len()).filter_map(|index| strings.get(u32::try_from(index).ok()?));
    Ok(texts.any(|text| text.starts_with(frontend::PREFIX)))
}

fn translated(module: &Module, progress: &Progress) -> Result<Module> {
    let mut editor = Editor::new(module.clone())?;
    rewrite::rewrite(&mut editor)?;
    // The writer leaves out unused entries: the dialect, and the strings of its attributes.
    let translated = editor.prepare_write(&canonical(progress))?.into_module()?;
    refusals::check_complete(&translated)?;
    Ok(translated)
}

fn canonical(progress: &Progress) -> WriteOptions {
    let numbering = Numbering::Canonical;
    WriteOptions { numbering, progress: progress.clone(), ..WriteOptions::default() }
}
