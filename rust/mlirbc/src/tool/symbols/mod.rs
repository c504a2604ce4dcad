//! Modules from parts of other modules: extracts symbols, merges several modules, splits one module.
//!
//! Owns [`extract`], [`merge`] and [`Split`], which are edits; `edit::symbol::units` owns the graph of
//! references. `docs/explanation/tools.md` has the rules.

mod extract;
mod merge;
mod needs;
mod split;

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use crate::attr::table::Origin;
use crate::edit::EditOp;
use crate::edit::{Editor, NewResource, ResourceContent, ResourceGroup};
use crate::file::resource::{Resource, ResourceValue};
use crate::ir::Module;
use crate::wire::error::{Error, ErrorKind, Result};
use crate::wire::progress::Progress;
use crate::write::{Numbering, PreparedWrite, WriteOptions};

pub use extract::{ExtractOptions, Extracted, extract};
pub use merge::{MergeOptions, Merged, Renamed, merge};
pub use needs::MissingSymbol;
pub use split::{ModulePart, PartNeed, Split, order_of};

/// Prepares an edited module for writing: only the entries that its operations use, in MLIR's numbering. If
/// something has an unknown layout, all entries of the original module keep their numbers, and its resources
/// are preserved.
///
/// Blobs are not read before they are written.
///
/// # Errors
/// If the changes are invalid, and as [`Module::prepare_write`].
///
/// ```
/// use mlirbc::tool::symbols::{ExtractOptions, extract, prepare};
/// let module = mlirbc::Module::open("../../examples/two_layers.mlirbc")?;
/// let mut extracted = extract(&module, &["dense"], ExtractOptions::default())?;
/// let dense = prepare(&mut extracted.editor, &Default::default())?.into_module()?;
/// assert_eq!(dense.resources()?.len(), 0);
/// # Ok::<(), mlirbc::Error>(())
/// ```
#[doc(hidden)]
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

/// Returns the top-level operation, if it is a symbol table with one block.
fn symbol_table(editor: &mut Editor) -> Result<EditOp> {
    let top = editor.operation()?;
    let regions = editor.regions(top)?;
    let is_one = match regions[..] {
        [region] => match editor.blocks(region)?[..] {
            [block] => editor.arguments(block)?.is_empty(),
            _ => false,
        },
        _ => false,
    };
    if is_one && editor.is_table(top.row(), &mut Default::default())? {
        return Ok(top);
    }
    let message = format!("{} is not a symbol table with one block", editor.path(top.row()));
    Err(Error::message(ErrorKind::Edit, message).with_path(editor.path(top.row())))
}

/// Removes the external resources of the edited module.
fn leave_externals(editor: &mut Editor) -> Result<()> {
    let base = editor.base().clone();
    for resource in base.resources()?.filter(|resource| resource.is_external()) {
        editor.resources.replaced.insert(resource.index(), None);
    }
    Ok(())
}

/// Returns the resources of dialects other than builtin, which the text of attributes may refer to.
fn others_of(module: &Module) -> Result<Vec<usize>> {
    let is_other = |resource: &Resource<'_>| !resource.is_external() && resource.group() != b"builtin";
    Ok(module.resources()?.filter(is_other).map(|resource| resource.index()).collect())
}

/// Adds resources of other dialects, with their keys, if their dialect is used.
fn bring_others(editor: &mut Editor, from: &Module, rows: &[usize]) -> Result<()> {
    for &row in rows {
        let Some(resource) = from.tables().resource(row)? else { continue };
        if !editor.tables.has_dialect(resource.group()) {
            continue;
        }
        let origin = Origin { file: from.tables().clone(), row };
        let index = editor.tables.import_origin(&origin, resource.key())?;
        if editor.owned_key(index)?.1 != resource.key() {
            let [group, key] = [resource.group(), resource.key()].map(String::from_utf8_lossy);
            let message = format!(
                "the modules have different resources `{key}` of the dialect `{group}`, to which text may refer"
            );
            return Err(Error::message(ErrorKind::Merge, message));
        }
    }
    Ok(())
}

/// Adds the external resources of another module: equal resources once, others with the next unused key.
fn add_externals(editor: &mut Editor, from: &Module) -> Result<()> {
    let new: Vec<_> = from.resources()?.filter(|resource| resource.is_external()).collect();
    if new.is_empty() {
        return Ok(());
    }
    let mut contents: HashMap<(Vec<u8>, Vec<u8>), ResourceContent> = HashMap::new();
    let base = editor.base().clone();
    for resource in base.resources()?.filter(|resource| resource.is_external()) {
        if let Some(content) = content_of(&resource)?
            && editor.edited_resource(resource.index()).is_none()
        {
            contents.insert((resource.group().to_vec(), resource.key().to_vec()), content);
        }
    }
    for added in editor.resources.external.iter() {
        contents.insert((added.group.name().to_vec(), added.key.clone()), added.content.clone());
    }
    let mut next: HashMap<(Vec<u8>, Vec<u8>), u64> = HashMap::new();
    for resource in new {
        let Some(content) = content_of(&resource)? else { continue };
        let (group, key) = (resource.group().to_vec(), resource.key().to_vec());
        let mut place = (group.clone(), key.clone());
        let number = next.entry(place.clone()).or_default();
        while contents.get(&place).is_some_and(|contents| *contents != content) {
            *number += 1;
            place.1 = [&key, format!("_{number}").as_bytes()].concat();
        }
        if let Entry::Vacant(free) = contents.entry(place) {
            let key = free.key().1.clone();
            let new = NewResource { key, group: ResourceGroup::External(group), content: content.clone() };
            editor.resources.external.push(new);
            free.insert(content);
        }
    }
    Ok(())
}

fn content_of(resource: &Resource<'_>) -> Result<Option<ResourceContent>> {
    Ok(resource.value()?.map(|value| match value {
        ResourceValue::Blob { bytes, alignment, .. } => {
            ResourceContent::Blob { bytes, alignment: Some(alignment) }
        }
        ResourceValue::Bool(value) => ResourceContent::Bool(value),
        ResourceValue::String(text) => ResourceContent::String(text.to_vec()),
    }))
}
