//! Modules from parts of others: one symbol with what it needs, several modules as one, one module as several.
//!
//! Owns [`extract`], [`merge`] and [`Split`], which are edits; what refers to what is known to `edit::symbol::units`.
//! `docs/explanation/symbols.md` has the rules.

mod extract;
mod merge;
mod needs;
mod split;

use crate::edit::{Editor, NewResource, ResourceContent, ResourceGroup};
use crate::file::resource::ResourceValue;
use crate::ir::Module;
use crate::wire::error::{Error, ErrorKind, Result};
use crate::wire::progress::Progress;
use crate::write::{Numbering, PreparedWrite, WriteOptions};

pub use extract::{ExtractOptions, Extracted, extract};
pub use merge::{MergeOptions, Merged, Renamed, merge};
pub use needs::MissingSymbol;
pub use split::{Part, PartNeed, Split, order_of};

/// What an editor has made, ready to be written: only what its operations use, in MLIR's numbering. If something is of
/// unknown layout, all entries of the module that it was made from keep their numbers instead, with their resources.
///
/// Blobs are not read before they are written.
///
/// # Errors
/// If the changes are invalid, and as [`Module::prepare_write`].
///
/// ```
/// use mlirbc::tool::symbols::{ExtractOptions, extract, prepare};
/// let module = mlirbc::Module::open("../../examples/two_layers.mlirbc")?;
/// let mut extracted = extract(&module, &["relu"], ExtractOptions::default())?;
/// let made = prepare(&mut extracted.editor, &Default::default())?.into_module()?;
/// assert_eq!(made.resources()?.len(), 0);
/// # Ok::<(), mlirbc::Error>(())
/// ```
pub fn prepare(editor: &mut Editor, progress: &Progress) -> Result<PreparedWrite> {
    editor.verify(false)?;
    let module = editor.snapshot()?;
    let options =
        |numbering| WriteOptions { numbering, progress: progress.clone(), ..WriteOptions::default() };
    module.prepare_write(&options(Numbering::Canonical)).or_else(|error| match module.opaque()?.is_empty() {
        true => Err(error),
        false => module.prepare_write(&options(Numbering::Preserve)),
    })
}

/// The top-level operation, if it is a symbol table with one block.
fn symbol_table(editor: &mut Editor) -> Result<u32> {
    let top = editor.operation()?;
    let regions = editor.regions(top)?;
    let is_one = match regions[..] {
        [region] => match editor.blocks(region)?[..] {
            [block] => editor.arguments(block)?.is_empty(),
            _ => false,
        },
        _ => false,
    };
    if is_one && editor.is_table(top.0, &mut Default::default())? {
        return Ok(top.0);
    }
    let message = format!("{} is not a symbol table with one block", editor.path(top.0));
    Err(Error::message(ErrorKind::Edit, message).with_path(editor.path(top.0)))
}

/// Leaves out the external resources of the module that is edited.
fn leave_externals(editor: &mut Editor) -> Result<()> {
    let base = editor.base().clone();
    for resource in base.resources()?.filter(|resource| resource.is_external()) {
        editor.resources.replaced.insert(resource.index(), None);
    }
    Ok(())
}

/// Adds the external resources of another module: equal ones once, others with the next unused key.
fn add_externals(editor: &mut Editor, from: &Module) -> Result<()> {
    for resource in from.resources()?.filter(|resource| resource.is_external()) {
        let Some(value) = resource.value()? else { continue };
        let content = match &value {
            ResourceValue::Blob { bytes, alignment, .. } => {
                ResourceContent::Blob { bytes: bytes.clone(), alignment: Some(*alignment) }
            }
            ResourceValue::Bool(value) => ResourceContent::Bool(*value),
            ResourceValue::String(text) => ResourceContent::String(text.to_vec()),
        };
        let group = ResourceGroup::External(resource.group().to_vec());
        let mut key = resource.key().to_vec();
        let mut number = 0_u64;
        loop {
            let base = editor.base().clone();
            let same = base
                .resources_named(&key)?
                .find(|known| known.is_external() && known.group() == resource.group() && known.has_data());
            let known = same.map(|known| known.value()).transpose()?.flatten();
            if known.is_some_and(|known| is_same(&known, &value)) {
                break;
            }
            let new = NewResource { key: key.clone(), group: group.clone(), content: content.clone() };
            let is_added = editor.resources.external.iter().any(|known| *known == new);
            if is_added || editor.add_resource(new).is_ok() {
                break;
            }
            number += 1;
            key = [resource.key(), format!("_{number}").as_bytes()].concat();
        }
    }
    Ok(())
}

fn is_same(a: &ResourceValue<'_>, b: &ResourceValue<'_>) -> bool {
    match (a, b) {
        (
            ResourceValue::Blob { bytes: a, alignment: known, .. },
            ResourceValue::Blob { bytes: b, alignment, .. },
        ) => known == alignment && a == b,
        (a, b) => a == b,
    }
}
