//! Several modules as one.
//!
//! Which operations stay, and under which names, is decided first (`plan`). Then the others are copied into the first
//! module, which translates them if its version or release is another one.

mod plan;

use std::collections::{HashMap, HashSet};

use crate::edit::arena::NONE;
use crate::edit::symbol::units::Units;
use crate::edit::{CloneOptions, ClonePart, EditOp, EditRegion, Editor};
use crate::ir::Module;
use crate::wire::error::{Error, ErrorKind, Result};

use super::{add_externals, bring_others, others_of, symbol_table};

/// How [`merge`] treats clashes, and the order of the result.
#[derive(Debug, Clone, Default)]
pub struct MergeOptions {
    /// Rename public symbols as well; by default two different ones with one name are an error.
    pub rename: bool,
    /// The operations of the result in order, each as the number of its module and its number there; all others are
    /// left out. By default all, in the order of the modules.
    pub order: Option<Vec<(usize, usize)>>,
    /// What errors call the modules; by default their numbers.
    pub names: Vec<String>,
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
    /// The name there.
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
    /// Resources with other keys.
    pub resources: Vec<Renamed>,
    /// Symbols that several modules define equally, and that are there once.
    pub shared: Vec<String>,
    /// Declarations that became references to a definition.
    pub linked: Vec<String>,
}

/// One of the modules.
struct Side {
    editor: Editor,
    top: u32,
    units: Units,
    /// The units in the top-level operation.
    rows: Vec<usize>,
}

/// The operations of several modules in one, with the version and the release of the first.
///
/// Equal symbols are there once, a declaration refers to the definition in another module, and other private symbols
/// with the same name get another one, as resources with the same key do.
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
    let mut sides = Vec::new();
    for module in modules {
        let mut editor = Editor::new(module.clone())?;
        let top = symbol_table(&mut editor)?;
        let units = editor.units()?;
        let rows = (0..units.ops.len()).filter(|&unit| units.parents[unit] == Some(0)).collect();
        sides.push(Side { editor, top, units, rows });
    }
    let Some((first, others)) = sides.split_first() else {
        return Err(Error::message(ErrorKind::Merge, "there are no modules to merge"));
    };
    for (number, other) in (1..).zip(others) {
        same_around(first, other, &options.name(number))?;
    }
    let plan = match &options.order {
        Some(order) => plan::ordered(&sides, order)?,
        None => plan::planned(&sides, modules, options)?,
    };
    join(sides, modules, plan)
}

/// What is around the symbols must be equal.
fn same_around(first: &Side, other: &Side, name: &str) -> Result<()> {
    let differ = |what: String| {
        let message = format!("{name} cannot be merged into the first module: {what}");
        Error::message(ErrorKind::Merge, message)
    };
    let (a, b) = (first.editor.name_text(first.top), other.editor.name_text(other.top));
    if a != b {
        return Err(differ(format!("it is a {b}, not a {a}")));
    }
    let attributes = |side: &Side| -> Result<HashMap<Vec<u8>, crate::attr::Attribute>> {
        let list = side.editor.attributes(EditOp(side.top))?;
        // The name of a module is the one thing in which all are meant to differ.
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

fn join(mut sides: Vec<Side>, modules: &[Module], plan: plan::Plan) -> Result<Merged> {
    let mut rows: HashMap<(usize, usize), u32> = HashMap::new();
    let kept: HashSet<(usize, usize)> = plan.order.iter().copied().collect();
    for (number, side) in sides.iter_mut().enumerate() {
        if let Some(names) = plan.names.get(&number) {
            side.editor.rename_symbols(names)?;
        }
        let mut dropped = Vec::new();
        for (place, &unit) in side.rows.iter().enumerate() {
            let op = side.units.ops[unit];
            match kept.contains(&(number, place)) {
                true => drop(rows.insert((number, place), op)),
                false => dropped.push(op),
            }
        }
        free_of_uses(side, &dropped)?;
        side.editor.drop_ops(&dropped);
    }
    let mut sides = sides.into_iter();
    let Some(Side { mut editor, top, .. }) = sides.next() else {
        return Err(Error::message(ErrorKind::Merge, "there are no modules to merge"));
    };
    let body = editor.body(EditOp(top))?;
    let region = editor.regions(EditOp(top))?.first().copied().unwrap_or(EditRegion(NONE));
    for (number, mut side) in (1..).zip(sides) {
        let source_body = side.editor.body(EditOp(side.top))?;
        let source = side.editor.regions(EditOp(side.top))?.first().copied().unwrap_or(EditRegion(NONE));
        let places: Vec<usize> =
            (0..side.rows.len()).filter(|&place| kept.contains(&(number, place))).collect();
        if places.is_empty() || side.editor.operation_count(source_body)? == 0 {
            add_externals(&mut editor, &modules[number])?;
            continue;
        }
        let part = ClonePart::Region(source, region, None);
        let made = editor.clone_blocks_from(&mut side.editor, part, &CloneOptions::default());
        let blocks = made.map_err(|error| match error.kind() {
            ErrorKind::Unsupported => error.with_hint(
                "convert the modules to one release first (`mlirbc convert --target`), or name the newest one first",
            ),
            _ => error,
        })?;
        for block in blocks {
            for (op, &place) in editor.operations(block)?.into_iter().zip(&places) {
                editor.detach(op)?;
                editor.arena.link(op.0, body.0, NONE);
                editor.arena.touch(op.0);
                rows.insert((number, place), op.0);
            }
            editor.erase_block(block)?;
        }
        bring_others(&mut editor, &modules[number], &others_of(&modules[number])?)?;
        add_externals(&mut editor, &modules[number])?;
    }
    if !plan.order.is_sorted() {
        for op in plan.order.iter().filter_map(|place| rows.get(place)) {
            editor.detach(EditOp(*op))?;
            editor.arena.link(*op, body.0, NONE);
            editor.arena.touch(*op);
        }
    }
    let operations = editor.operation_count(body)? as u64;
    let resources = renamed_keys(&editor, modules)?;
    let plan::Plan { renamed, shared, linked, .. } = plan;
    Ok(Merged { editor, operations, renamed, resources, shared, linked })
}

// What stays must not use values of what goes.
fn free_of_uses(side: &Side, dropped: &[u32]) -> Result<()> {
    let gone: HashSet<u32> = dropped.iter().copied().collect();
    let arena = &side.editor.arena;
    for &op in dropped {
        for value in arena.results(op) {
            for slot in arena.uses_of(value) {
                let user = side.units.unit_of(arena.uses[slot as usize].op);
                let user = user.map(|unit| side.units.ops[side.units.tops[unit]]);
                if user.is_some_and(|user| !gone.contains(&user)) {
                    let path = side.editor.path(op);
                    let message = format!("{path} is left out, but its results are used");
                    return Err(Error::message(ErrorKind::Merge, message));
                }
            }
        }
    }
    Ok(())
}

// The keys that resources of other modules got.
fn renamed_keys(editor: &Editor, modules: &[Module]) -> Result<Vec<Renamed>> {
    let mut found = Vec::new();
    for (&index, origin) in &editor.tables.brought.resources {
        let new = editor.owned_key(index)?.1;
        let Some(old) = origin.file.resource(origin.row)? else { continue };
        let module = modules.iter().position(|module| origin.file.is(module.tables()));
        if let Some(module) = module.filter(|_| old.key() != new) {
            let [name, new] = [old.key(), &new].map(|key| String::from_utf8_lossy(key).into_owned());
            found.push(Renamed { module, name, new });
        }
    }
    crate::wire::order::sort_by(&mut found, |a, b| (a.module, &a.name).cmp(&(b.module, &b.name)));
    Ok(found)
}

#[cfg(test)]
mod tests;
