//! Splits one module into several: a part for each symbol, with declarations of the symbols that it needs.

use std::collections::{BTreeSet, HashMap, HashSet};

use crate::edit::arena::ArenaOp;
use crate::edit::symbol::units::{Target, Units, node_of};
use crate::edit::{CloneOptions, Editor, InsertionPoint};
use crate::ir::Module;
use crate::wire::error::Result;
use crate::write::{Numbering, WriteOptions};

use super::needs::{Fate, MissingSymbol, Needs, Rules, definitions};
use super::{add_externals, bring_others, leave_externals, others_of, symbol_table};

/// The greatest number of characters of a symbol in a file name.
const LONGEST_NAME: usize = 60;

/// A symbol of another part that a part needs.
#[doc(hidden)]
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct PartNeed {
    /// The symbol.
    pub symbol: String,
    /// The file with its definition.
    pub file: String,
}

/// A part of a module that is split, as a module of its own.
#[doc(hidden)]
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct ModulePart {
    /// A file name that every file system accepts and that differs from the others even if case is ignored.
    pub file: String,
    /// The symbols that the part defines; empty for the part of operations without a symbol.
    pub symbols: Vec<String>,
    /// The numbers of its operations in the module. They come first in the part; all other operations are
    /// defined in other parts.
    pub operations: Vec<usize>,
    /// The symbols that the part declares.
    pub declares: Vec<PartNeed>,
    /// The symbols that the part includes because they cannot be declared.
    pub includes: Vec<PartNeed>,
    /// References to symbols that the module does not have.
    pub missing: Vec<MissingSymbol>,
}

/// A module that is being split.
///
/// ```
/// use mlirbc::tool::symbols::{MergeOptions, Split, merge, prepare};
/// let module = mlirbc::Module::open("../../examples/two_layers.mlirbc")?;
/// let mut split = Split::new(&module)?;
/// assert_eq!(split.parts()[1].file, "1-main.mlirbc");
/// let mut modules = Vec::new();
/// for number in 0..split.parts().len() {
///     modules.push(prepare(&mut split.editor(number)?, &Default::default())?.into_module()?);
/// }
/// let options = MergeOptions::default().order(split.order());
/// assert_eq!(merge(&modules, &options)?.operations, 2);
/// # Ok::<(), mlirbc::Error>(())
/// ```
#[doc(hidden)]
#[derive(Debug)]
pub struct Split {
    module: Module,
    /// The module without the symbols.
    shell: Module,
    full: Editor,
    /// The module with declarations in place of all definitions that can be declared.
    stubs: Editor,
    units: Units,
    /// Resources that text may refer to.
    other_resources: Vec<usize>,
    parts: Vec<ModulePart>,
    /// By part: its units, the units that it declares, and the units that it includes because they cannot be
    /// declared.
    rows: Vec<[Vec<usize>; 3]>,
}

impl Split {
    /// Finds the parts of a module: one for each symbol of the top-level operation, and one for all operations without
    /// a symbol.
    ///
    /// # Errors
    /// [`ErrorKind::Edit`](crate::ErrorKind::Edit) if the top-level operation is not a symbol table, and if the module is malformed.
    pub fn new(module: &Module) -> Result<Self> {
        let mut full = Editor::new(module.clone())?;
        symbol_table(&mut full)?;
        let units = full.units()?;
        let definitions = definitions(&full, &units)?;
        let rows: Vec<usize> = (0..units.ops.len()).filter(|&unit| units.parents[unit] == Some(0)).collect();
        let mut stubs = full.duplicate()?;
        for &unit in rows.iter().filter(|unit| definitions.contains(unit)) {
            stubs.declare(units.ops[unit])?;
        }
        let shell = shell_of(&mut full, &rows.iter().map(|&unit| units.ops[unit]).collect::<Vec<_>>())?;
        let groups = groups(&units, &rows);
        let (other_resources, module) = (others_of(module)?, module.clone());
        let (parts, part_rows) = (Vec::new(), Vec::new());
        let mut this = Self { module, shell, full, stubs, units, other_resources, parts, rows: part_rows };
        this.list(&rows, groups, &definitions);
        Ok(this)
    }

    /// Returns the parts in the order of the module.
    pub fn parts(&self) -> &[ModulePart] {
        &self.parts
    }

    /// Returns the order in which [`merge`](super::merge) reassembles the operations of the parts.
    pub fn order(&self) -> Vec<(usize, usize)> {
        order_of(self.parts.iter().map(|part| part.operations.as_slice()))
    }

    /// Returns the module of a part; [`prepare`](super::prepare) writes it.
    ///
    /// # Errors
    /// [`ErrorKind::PropertyOpaque`](crate::ErrorKind::PropertyOpaque) and the like if something of unknown layout
    /// cannot be copied.
    pub fn editor(&mut self, part: usize) -> Result<Editor> {
        let mut editor = Editor::new(self.shell.clone())?;
        let top = editor.operation()?;
        let body = editor.body(top)?;
        let mut options = CloneOptions::default();
        let Some([own, declared, included]) = self.rows.get(part).cloned() else { return Ok(editor) };
        for (units, is_stub) in [(own, false), (declared, true), (included, false)] {
            for unit in units {
                let op = self.full.handle_of(self.units.ops[unit]);
                let source = if is_stub { &mut self.stubs } else { &mut self.full };
                let copy = editor.clone_op_from(source, op, Some(InsertionPoint::AtEnd(body)), &options)?;
                if !is_stub {
                    options.values.extend(source.results(op)?.into_iter().zip(editor.results(copy)?));
                }
            }
        }
        bring_others(&mut editor, &self.module, &self.other_resources)?;
        if part == 0 {
            add_externals(&mut editor, &self.module)?;
        }
        Ok(editor)
    }

    fn list(&mut self, rows: &[usize], groups: Vec<Vec<usize>>, definitions: &HashSet<usize>) {
        let places: HashMap<usize, usize> =
            rows.iter().enumerate().map(|(place, &unit)| (unit, place)).collect();
        let digits = groups.len().saturating_sub(1).max(1).to_string().len();
        let mut file_of: HashMap<usize, String> = HashMap::new();
        for (number, group) in groups.iter().enumerate() {
            let named = group.iter().find_map(|&unit| self.units.names[unit].as_deref());
            let name = named.map_or_else(|| "module".to_owned(), safe);
            let file = format!("{number:0digits$}-{name}.mlirbc");
            file_of.extend(group.iter().map(|&unit| (unit, file.clone())));
            let symbols = group.iter().filter(|&&unit| self.units.names[unit].is_some());
            self.parts.push(ModulePart {
                file,
                symbols: symbols.map(|&unit| self.units.path(unit)).collect(),
                operations: group.iter().filter_map(|unit| places.get(unit).copied()).collect(),
                declares: Vec::new(),
                includes: Vec::new(),
                missing: Vec::new(),
            });
        }
        let group_of: HashMap<usize, usize> = groups
            .iter()
            .enumerate()
            .flat_map(|(number, group)| group.iter().map(move |&unit| (unit, number)))
            .collect();
        for (part, group) in self.parts.iter_mut().zip(&groups) {
            let mut needs = Needs::default();
            // Each part contains the operation around all parts, with the symbols that its attributes refer
            // to.
            needs.fates.insert(0, Fate::Shell);
            let rules = Rules { declared: &|unit| definitions.contains(&unit), whole: true };
            needs.add(&self.units, group, &rules);
            needs.add_around(&self.units, &rules);
            // Values connect all operations of a group.
            let mut whole: BTreeSet<usize> = BTreeSet::new();
            loop {
                let before = whole.len();
                let whole_units = needs.fates.iter().filter(|row| *row.1 == Fate::Whole);
                let tops: Vec<usize> =
                    whole_units.map(|row| self.units.tops[*row.0]).filter(|&top| top != 0).collect();
                for top in tops {
                    if whole.insert(top)
                        && let Some(group) =
                            group_of.get(&top).filter(|&&group| is_joined(&self.units, &groups[group]))
                    {
                        needs.add(&self.units, &groups[*group], &rules);
                    }
                }
                if whole.len() == before {
                    break;
                }
            }
            let own_units: HashSet<usize> = group.iter().copied().collect();
            let included: Vec<usize> = whole.into_iter().filter(|unit| !own_units.contains(unit)).collect();
            let mut declared: Vec<usize> =
                needs.fates.iter().filter(|row| *row.1 == Fate::Declared).map(|row| *row.0).collect();
            crate::wire::order::sort_by(&mut declared, Ord::cmp);
            let need = |&unit: &usize| PartNeed {
                symbol: self.units.path(unit),
                file: file_of.get(&unit).cloned().unwrap_or_default(),
            };
            part.declares = declared.iter().map(need).collect();
            part.includes = included.iter().map(need).collect();
            part.missing = needs.missing;
            self.rows.push([group.clone(), declared, included]);
        }
    }
}

/// Returns the order of the operations of parts for [`MergeOptions::order`](super::MergeOptions::order), from
/// the [`ModulePart::operations`] of each.
///
/// ```
/// use mlirbc::tool::symbols::order_of;
/// assert_eq!(order_of([&[0, 2][..], &[1]].into_iter()), [(0, 0), (1, 0), (0, 1)]);
/// ```
#[doc(hidden)]
pub fn order_of<'p>(parts: impl Iterator<Item = &'p [usize]>) -> Vec<(usize, usize)> {
    let mut all: Vec<(usize, (usize, usize))> = Vec::new();
    for (part, operations) in parts.enumerate() {
        all.extend(operations.iter().enumerate().map(|(place, &number)| (number, (part, place))));
    }
    crate::wire::order::sort_by(&mut all, Ord::cmp);
    all.into_iter().map(|row| row.1).collect()
}

// Returns whether operations belong together because of their values.
fn is_joined(units: &Units, group: &[usize]) -> bool {
    group.len() > 1 && group.iter().any(|&unit| units.names[unit].is_some())
}

/// Returns the module without operations in the top-level operation, in MLIR's numbering.
fn shell_of(full: &mut Editor, ops: &[ArenaOp]) -> Result<Module> {
    let mut shell = full.duplicate()?;
    shell.drop_ops(ops);
    leave_externals(&mut shell)?;
    let mut bytes = Vec::new();
    // A snapshot has no copies of the resources.
    shell
        .snapshot()?
        .write(&mut bytes, &WriteOptions { numbering: Numbering::Canonical, ..WriteOptions::default() })?;
    // The shell uses the layouts of the file, which its blobs may have determined.
    full.base().release()?;
    full.base().like(bytes.into())
}

/// Returns the operations of each part: operations that share values are in one part, and so are the
/// operations without a symbol.
fn groups(units: &Units, rows: &[usize]) -> Vec<Vec<usize>> {
    let mut leader: HashMap<usize, usize> = rows.iter().map(|&unit| (unit, unit)).collect();
    fn find(leader: &mut HashMap<usize, usize>, mut unit: usize) -> usize {
        while let Some(&next) = leader.get(&unit).filter(|&&next| next != unit) {
            let beyond = leader.get(&next).copied().unwrap_or(next);
            leader.insert(unit, beyond);
            unit = beyond;
        }
        unit
    }
    let mut join = |a: usize, b: usize| {
        let (a, b) = (find(&mut leader, a), find(&mut leader, b));
        if a != b {
            leader.insert(a.max(b), a.min(b));
        }
    };
    let mut unnamed = rows.iter().copied().filter(|&unit| units.names[unit].is_none());
    if let Some(first) = unnamed.next() {
        unnamed.for_each(|unit| join(first, unit));
    }
    for unit in 1..units.ops.len() {
        for kind in [Target::Head(unit), Target::Inside(unit)] {
            for &to in units.next(node_of(kind)) {
                if let Target::Used(other) = units.target(to) {
                    join(units.tops[unit], units.tops[other]);
                }
            }
        }
    }
    let mut number: HashMap<usize, usize> = HashMap::new();
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for &unit in rows {
        let leader = find(&mut leader, unit);
        let number = *number.entry(leader).or_insert_with(|| {
            groups.push(Vec::new());
            groups.len() - 1
        });
        groups[number].push(unit);
    }
    if groups.is_empty() {
        groups.push(Vec::new());
    }
    groups
}

/// Converts a symbol for use in a file name.
fn safe(name: &[u8]) -> String {
    let is_safe = |byte: u8| byte.is_ascii_alphanumeric() || b"_-".contains(&byte);
    let name = name.iter().take(LONGEST_NAME);
    name.map(|&byte| if is_safe(byte) { byte as char } else { '_' }).collect()
}
