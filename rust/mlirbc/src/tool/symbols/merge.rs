//! Merges several modules into one.
//!
//! `plan` first selects the operations that stay, and their names. Operations of the other modules are then
//! copied into the first module, and translated if its version or release differs.

mod plan;

use std::collections::{HashMap, HashSet};

use crate::edit::EditOp;
use crate::edit::arena::ArenaOp;
use crate::edit::symbol::units::Units;
use crate::edit::{CloneOptions, ClonePart, Editor};
use crate::ir::Module;
use crate::wire::error::{Error, ErrorKind, Result};
use crate::wire::options::setters;

use super::{add_externals, bring_others, others_of, symbol_table};

/// The treatment of name clashes, and the order of the result.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct MergeOptions {
    /// Rename public symbols as well; by default two different public symbols with one name are an error.
    pub rename: bool,
    /// The operations of the result in order, each as the number of its module and its number in this module;
    /// all others are left out. By default all operations, in the order of the modules.
    pub order: Option<Vec<(usize, usize)>>,
    /// The names of the modules in errors; by default their numbers.
    pub names: Vec<String>,
}

setters! {
    MergeOptions {
        rename: bool,
        order: impl Into<Option<Vec<(usize, usize)>>>,
        names: Vec<String>,
    }
}

impl MergeOptions {
    fn name(&self, module: usize) -> String {
        self.names.get(module).map_or_else(|| format!("module `{module}`"), |name| format!("`{name}`"))
    }
}

/// A symbol that got another name.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Renamed {
    /// The number of the module.
    pub module: usize,
    /// The name in this module.
    pub name: String,
    /// The name in the result.
    pub new: String,
}

/// A module made from several.
#[derive(Debug)]
pub struct Merged {
    /// The module; [`prepare`](super::prepare) writes it.
    pub editor: Editor,
    /// The number of operations in the top-level operation.
    pub operations: u64,
    /// Symbols with other names.
    pub renamed: Vec<Renamed>,
    /// Resources with different keys.
    pub resources: Vec<Renamed>,
    /// Symbols that several modules define equally; the result has one copy.
    pub shared: Vec<String>,
    /// Declarations that became references to a definition.
    pub linked: Vec<String>,
}

/// A module that is merged with others.
struct InputModule {
    editor: Editor,
    top: EditOp,
    units: Units,
    /// The units in the top-level operation.
    rows: Vec<usize>,
}

/// Merges the operations of several modules into one module, with the version and the release of the first.
///
/// Equal symbols are merged, declarations refer to the definition in another module, and other private
/// symbols with the same name are renamed, as are resources with the same key.
///
/// # Errors
/// [`ErrorKind::Merge`] if the top-level operations differ, if two public symbols have one name, or if a declaration does
/// not match; [`ErrorKind::Unsupported`] if the first module cannot represent something of another one.
///
/// ```
/// use mlirbc::tool::symbols::{merge, prepare, MergeOptions};
/// let module = mlirbc::Module::open("../../examples/two_layers.mlirbc")?;
/// let mut merged = merge(&[module.clone(), module], &MergeOptions::default())?;
/// assert_eq!((merged.operations, merged.shared.len()), (2, 2));
/// assert!(prepare(&mut merged.editor, &Default::default())?.len() > 0);
/// # Ok::<(), mlirbc::Error>(())
/// ```
pub fn merge(modules: &[Module], options: &MergeOptions) -> Result<Merged> {
    let mut inputs = Vec::new();
    for module in modules {
        let mut editor = Editor::new(module.clone())?;
        let top = symbol_table(&mut editor)?;
        let units = editor.units()?;
        let rows = (0..units.ops.len()).filter(|&unit| units.parents[unit] == Some(0)).collect();
        inputs.push(InputModule { editor, top, units, rows });
    }
    let Some((first, others)) = inputs.split_first() else {
        return Err(Error::message(ErrorKind::Merge, "there are no modules to merge"));
    };
    for (number, other) in (1..).zip(others) {
        same_around(first, other, &options.name(number))?;
    }
    let plan = match &options.order {
        Some(order) => plan::ordered(&inputs, order)?,
        None => plan::planned(&inputs, modules, options)?,
    };
    join(inputs, modules, plan)
}

/// Checks that the top-level operations, which are around the symbols, are equal.
fn same_around(first: &InputModule, other: &InputModule, name: &str) -> Result<()> {
    let differ = |what: String| {
        let message = format!("{name} cannot be merged into the first module: {what}");
        Error::message(ErrorKind::Merge, message)
    };
    let (a, b) = (first.editor.name_text(first.top.row()), other.editor.name_text(other.top.row()));
    if a != b {
        return Err(differ(format!("it is a {b}, not a {a}")));
    }
    let attributes = |input: &InputModule| -> Result<HashMap<Vec<u8>, crate::attr::Attribute>> {
        let list = input.editor.attributes(input.top)?;
        // Only the name of the top-level module may differ.
        let list = list.into_iter().filter(|attribute| attribute.name != b"sym_name");
        Ok(list.map(|attribute| (attribute.name, attribute.value)).collect())
    };
    let (a, b) = (attributes(first)?, attributes(other)?);
    let mut names: Vec<&Vec<u8>> =
        a.keys().chain(b.keys()).filter(|&name| a.get(name) != b.get(name)).collect();
    crate::wire::order::sort_by(&mut names, |a, b| a.cmp(b));
    names.dedup();
    if names.is_empty() {
        return Ok(());
    }
    let names: Vec<String> =
        names.iter().map(|name| format!("`{}`", String::from_utf8_lossy(name))).collect();
    Err(differ(format!("the attributes of the modules differ in {}", names.join(", "))))
}

fn join(mut inputs: Vec<InputModule>, modules: &[Module], plan: plan::Plan) -> Result<Merged> {
    let mut rows: HashMap<(usize, usize), EditOp> = HashMap::new();
    let preserved: HashSet<(usize, usize)> = plan.order.iter().copied().collect();
    for (number, input) in inputs.iter_mut().enumerate() {
        if let Some(names) = plan.names.get(&number) {
            input.editor.rename_symbols(names)?;
        }
        let mut dropped = Vec::new();
        for (place, &unit) in input.rows.iter().enumerate() {
            let op = input.units.ops[unit];
            match preserved.contains(&(number, place)) {
                true => drop(rows.insert((number, place), input.editor.handle_of(op))),
                false => dropped.push(op),
            }
        }
        free_of_uses(input, &dropped)?;
        input.editor.drop_ops(&dropped);
    }
    let mut inputs = inputs.into_iter();
    let Some(InputModule { mut editor, top, .. }) = inputs.next() else {
        return Err(Error::message(ErrorKind::Merge, "there are no modules to merge"));
    };
    let body = editor.body(top)?;
    let region = editor.regions(top)?.first().copied().ok_or_else(no_region)?;
    for (number, mut input) in (1..).zip(inputs) {
        let source_top = input.top;
        let source_body = input.editor.body(source_top)?;
        let source = input.editor.regions(source_top)?.first().copied().ok_or_else(no_region)?;
        let places: Vec<usize> =
            (0..input.rows.len()).filter(|&place| preserved.contains(&(number, place))).collect();
        if places.is_empty() || input.editor.operation_count(source_body)? == 0 {
            add_externals(&mut editor, &modules[number])?;
            continue;
        }
        let part = ClonePart::Region(source, region, None);
        let cloned = editor.clone_blocks_from(&mut input.editor, part, &CloneOptions::default());
        let blocks = cloned.map_err(|error| match error.kind() {
            ErrorKind::Unsupported => error.with_hint(
                "convert the modules to one release first (`mlirbc convert --target`), or name the newest one first",
            ),
            _ => error,
        })?;
        for block in blocks {
            for (op, &place) in editor.operations(block)?.into_iter().zip(&places) {
                editor.detach(op)?;
                editor.arena.link(op.row(), body.row(), None);
                editor.arena.touch(op.row());
                rows.insert((number, place), op);
            }
            editor.erase_block(block)?;
        }
        bring_others(&mut editor, &modules[number], &others_of(&modules[number])?)?;
        add_externals(&mut editor, &modules[number])?;
    }
    if !plan.order.is_sorted() {
        for op in plan.order.iter().filter_map(|place| rows.get(place)) {
            editor.detach(*op)?;
            editor.arena.link(op.row(), body.row(), None);
            editor.arena.touch(op.row());
        }
    }
    let operations = editor.operation_count(body)? as u64;
    let resources = renamed_keys(&editor, modules)?;
    let plan::Plan { renamed, shared, linked, .. } = plan;
    Ok(Merged { editor, operations, renamed, resources, shared, linked })
}

#[cold]
fn no_region() -> Error {
    Error::message(ErrorKind::Merge, "the top-level operation of a module has no region")
}

// Checks that preserved operations do not use values of dropped operations.
fn free_of_uses(input: &InputModule, dropped: &[ArenaOp]) -> Result<()> {
    let gone: HashSet<ArenaOp> = dropped.iter().copied().collect();
    let arena = &input.editor.arena;
    for &op in dropped {
        for value in arena.results(op) {
            for slot in arena.uses_of(value) {
                let user = input.units.unit_of(arena.uses[slot.index()].op);
                let user = user.map(|unit| input.units.ops[input.units.tops[unit]]);
                if user.is_some_and(|user| !gone.contains(&user)) {
                    let path = input.editor.path(op);
                    let message = format!("{path} is left out, but its results are used");
                    return Err(Error::message(ErrorKind::Merge, message));
                }
            }
        }
    }
    Ok(())
}

// Returns the new keys of resources from other modules.
fn renamed_keys(editor: &Editor, modules: &[Module]) -> Result<Vec<Renamed>> {
    let mut renamed = Vec::new();
    for (&index, origin) in &editor.tables.imported_resources.resources {
        let new = editor.owned_key(index)?.1;
        let Some(old) = origin.file.resource(origin.row)? else { continue };
        let module = modules.iter().position(|module| origin.file.is(module.tables()));
        if let Some(module) = module.filter(|_| old.key() != new) {
            let [name, new] = [old.key(), &new].map(|key| String::from_utf8_lossy(key).into_owned());
            renamed.push(Renamed { module, name, new });
        }
    }
    crate::wire::order::sort_by(&mut renamed, |a, b| (a.module, &a.name).cmp(&(b.module, &b.name)));
    Ok(renamed)
}

#[cfg(test)]
mod tests;
