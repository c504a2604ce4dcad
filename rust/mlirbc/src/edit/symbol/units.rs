//! The graph of references from symbols, through operations, attributes and types, to other symbols.
//!
//! A unit is an operation in the first block of a symbol table: it is kept, dropped, copied or declared as a
//! whole. Attributes and types are nodes as well, so that shared ones are examined once, and the size of the
//! graph is linear in the module.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use crate::dialect::entries::EntryRef;
use crate::dialect::node::Node;
use crate::edit::Editor;
use crate::edit::arena::{ArenaOp, ArenaValue, ROOT, WalkStep, Walker};
use crate::edit::attributes::OpParts;
use crate::format::id::{TypeId, ids};
use crate::wire::error::Result;
use crate::wire::steps;

use super::dialects::SymbolData;
use super::reference::{Marks, dialect_list, dialect_string, look};
use super::scope::{LookupTables, Scopes, SymbolCache};

/// The bytes of a node and of an edge while the graph is built.
const NODE_BYTES: usize = 64;
const EDGE_BYTES: usize = 16;

/// The meaning of a node; each unit has one node of each kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Target {
    /// A unit that something refers to by its name.
    Named(usize),
    /// The operation of a unit, without its regions.
    Head(usize),
    /// The contents of a unit's operation, except for nested units.
    Inside(usize),
    /// A unit whose values something uses.
    Used(usize),
    /// An attribute or a type.
    Entry,
}

const KINDS: usize = 4;

ids! {
    /// A unit, by its position among the units.
    UnitRow;
}

/// The units of a module in the order of the file.
#[derive(Debug)]
pub(crate) struct Units {
    pub(crate) scopes: Scopes,
    pub(crate) ops: Vec<ArenaOp>,
    /// The name of the symbol that each unit defines.
    pub(crate) names: Vec<Option<Vec<u8>>>,
    /// The enclosing unit of each unit.
    pub(crate) parents: Vec<Option<usize>>,
    /// The unit in the top-level operation that each unit is, or is in.
    pub(crate) tops: Vec<usize>,
    /// The number after the last nested unit of each unit.
    ends: Vec<usize>,
    of_op: Vec<Option<UnitRow>>,
    starts: Vec<u32>,
    targets: Vec<u32>,
    /// References of nodes to symbols that do not exist.
    missing: HashMap<u32, Vec<String>>,
    /// Units with bytes of unknown layout, which may refer to anything.
    opaque: HashSet<usize>,
}

struct Making<'e> {
    editor: &'e Editor,
    units: Units,
    edges: Vec<(u32, u32)>,
    entries: HashMap<(LookupTables, EntryRef), u32, foldhash::fast::RandomState>,
    nodes: u32,
    marks: Marks,
    node: Node,
}

impl Editor {
    /// Returns the units of the module and their references; reads all bodies.
    pub(crate) fn units(&mut self) -> Result<Units> {
        self.encode_drafts()?;
        self.load_everything()?;
        self.loaded_units(&mut SymbolCache::default())
    }

    /// Returns the units of the loaded bodies, and their references. Operations whose bodies are not loaded
    /// refer only to the symbols in their attributes.
    pub(crate) fn loaded_units(&self, cache: &mut SymbolCache) -> Result<Units> {
        let scopes = self.loaded_scopes(cache)?;
        let units = self.listed_units(scopes, cache)?;
        let nodes = (KINDS * units.ops.len()) as u32;
        self.tables.budget.spend(nodes as usize * EDGE_BYTES)?;
        let mut making = Making {
            editor: self,
            units,
            edges: Vec::new(),
            entries: HashMap::default(),
            nodes,
            marks: Marks::new(&self.tables.budget)?,
            node: Node::default(),
        };
        making.walk()?;
        making.finish()
    }

    fn listed_units(&self, scopes: Scopes, cache: &mut SymbolCache) -> Result<Units> {
        self.tables.budget.spend(self.arena.ops.len() * size_of::<u32>())?;
        let mut units = Units {
            scopes,
            ops: Vec::new(),
            names: Vec::new(),
            parents: Vec::new(),
            tops: Vec::new(),
            ends: Vec::new(),
            of_op: vec![None; self.arena.ops.len()],
            starts: Vec::new(),
            targets: Vec::new(),
            missing: HashMap::new(),
            opaque: HashSet::new(),
        };
        let mut open: Vec<usize> = Vec::new();
        let mut walker = Walker::inside(ROOT);
        while let Some(step) = walker.next(&self.arena) {
            match step {
                WalkStep::Enter(op) => {
                    let table = units.scopes.table_around(op);
                    if table.is_some_and(|table| self.is_symbol_of(op, table)) {
                        let unit = units.ops.len();
                        let name = self.symbol_of(op, cache)?;
                        self.tables.budget.spend(NODE_BYTES + name.as_ref().map_or(0, Vec::len))?;
                        units.ops.push(op);
                        units.names.push(name);
                        units.parents.push(open.last().copied());
                        // A unit in the top-level operation has one enclosing unit.
                        units.tops.push(open.get(1).copied().unwrap_or(unit));
                        units.ends.push(unit + 1);
                        open.push(unit);
                    }
                    units.of_op[op.index()] = open.last().map(|&unit| UnitRow::new(unit as u32));
                }
                WalkStep::Leave(op) => {
                    if open.last().is_some_and(|&unit| units.ops[unit] == op)
                        && let Some(unit) = open.pop()
                    {
                        units.ends[unit] = units.ops.len();
                    }
                }
                _ => {}
            }
        }
        Ok(units)
    }

    /// Drops operations with their regions. Remaining operations must not use their results.
    pub(crate) fn drop_ops(&mut self, ops: &[ArenaOp]) {
        for &op in ops {
            self.arena.touch(op);
            self.arena.unlink(op);
            self.forget(op);
        }
    }
}

impl Making<'_> {
    fn walk(&mut self) -> Result<()> {
        let editor = self.editor;
        let mut seen: HashSet<(u32, OpParts), foldhash::fast::RandomState> = HashSet::default();
        let mut walker = Walker::inside(ROOT);
        let mut count = 0_u32;
        while let Some(step) = walker.next(&editor.arena) {
            match step {
                WalkStep::Enter(op) => {
                    count = count.wrapping_add(1);
                    if count.is_multiple_of(1024) {
                        editor.base.tables().check_interrupt()?;
                    }
                    let Some(unit) = self.units.unit_of(op) else { continue };
                    let is_head = self.units.ops[unit] == op;
                    let from = node_of(if is_head { Target::Head(unit) } else { Target::Inside(unit) });
                    let parts = editor.parts_key(op);
                    let places = self.units.scopes.places(op, parts.0);
                    if seen.insert((from, parts)) {
                        editor.tables.budget.spend(NODE_BYTES)?;
                        let (entries, is_opaque) = editor.references_of(parts);
                        if is_opaque {
                            self.units.opaque.insert(unit);
                        }
                        for of in entries {
                            self.entry(unit, from, places, of)?;
                        }
                        self.strings(from, parts, places)?;
                    }
                    for result in editor.arena.results(op) {
                        self.entry(
                            unit,
                            from,
                            places,
                            EntryRef::Type(TypeId::new(editor.arena.value(result).r#type().number())),
                        )?;
                    }
                    for value in editor.arena.operands(op) {
                        self.used(unit, from, value)?;
                    }
                }
                WalkStep::BeginBlock(block) => {
                    let row = editor.arena.block(block);
                    let Some(op) = editor.arena.owner_of_block(block) else { continue };
                    let Some(unit) = self.units.unit_of(op) else { continue };
                    let places = self.units.scopes.places_inside(op);
                    for &argument in &row.arguments {
                        let type_ref =
                            EntryRef::Type(TypeId::new(editor.arena.value(argument).r#type().number()));
                        self.entry(unit, node_of(Target::Inside(unit)), places, type_ref)?;
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    // Adds an edge to the unit that defines a value, if it is neither this unit nor an enclosing one.
    fn used(&mut self, unit: usize, from: u32, value: ArenaValue) -> Result<()> {
        let arena = &self.editor.arena;
        let row = arena.value(value);
        let op = row.op().or_else(|| arena.owner_of_block(row.block()?));
        let Some(other) = op.and_then(|op| self.units.unit_of(op)) else { return Ok(()) };
        match self.units.inside(other).contains(&unit) {
            true => Ok(()),
            false => self.edge(from, node_of(Target::Used(other))),
        }
    }

    fn edge(&mut self, from: u32, to: u32) -> Result<()> {
        self.editor.tables.budget.spend(EDGE_BYTES)?;
        self.edges.push((from, to));
        Ok(())
    }

    // Adds the references of an entry and its nested entries.
    fn entry(&mut self, unit: usize, from: u32, places: LookupTables, root: EntryRef) -> Result<()> {
        let editor = self.editor;
        let view = editor.tables.view()?;
        let mark = self.marks.of(&view, root, None, |_| true)?;
        if mark.is_opaque {
            self.units.opaque.insert(unit);
        }
        if !mark.is_hit {
            return Ok(());
        }
        let data = SymbolData::shipped()?;
        let (node, is_new) = self.intern(places, root)?;
        self.edge(from, node)?;
        let mut open = if is_new { vec![(root, node)] } else { Vec::new() };
        let mut inside = Vec::new();
        while let Some((of, from)) = open.pop() {
            let mut references: Vec<Vec<Vec<u8>>> = Vec::new();
            look(&view, of, data, &mut self.node, &mut inside, &mut |names| {
                references.push(names.iter().map(|name| name.to_vec()).collect());
                true
            });
            for names in references {
                let names: Vec<&[u8]> = names.iter().map(Vec::as_slice).collect();
                self.reference(from, places, &names)?;
            }
            for part in std::mem::take(&mut inside) {
                if self.marks.is_hit(part) {
                    let (node, is_new) = self.intern(places, part)?;
                    self.edge(from, node)?;
                    if is_new {
                        open.push((part, node));
                    }
                }
            }
        }
        Ok(())
    }

    fn intern(&mut self, places: LookupTables, of: EntryRef) -> Result<(u32, bool)> {
        if let Some(&node) = self.entries.get(&(places, of)) {
            return Ok((node, false));
        }
        self.editor.tables.budget.spend(NODE_BYTES)?;
        let node = self.nodes;
        self.nodes += 1;
        self.entries.insert((places, of), node);
        Ok((node, true))
    }

    fn reference(&mut self, from: u32, places: LookupTables, names: &[&[u8]]) -> Result<()> {
        steps::count(names.len());
        let (symbol, is_whole) = self.units.scopes.follow(places, names);
        if !is_whole {
            let text = shown(names);
            self.editor.tables.budget.spend(NODE_BYTES + text.len())?;
            self.units.missing.entry(from).or_default().push(text);
        }
        match symbol.and_then(|op| self.units.unit_of(op)) {
            Some(unit) => self.edge(from, node_of(Target::Named(unit))),
            None => Ok(()),
        }
    }

    // Adds references of an op by strings of its dialect.
    fn strings(&mut self, from: u32, parts: OpParts, places: LookupTables) -> Result<()> {
        let editor = self.editor;
        let name = editor.tables.op_name_bytes(parts.0);
        let uses = SymbolData::shipped()?.uses_of(&String::from_utf8_lossy(&name));
        let Some((strings, fields)) = uses else { return Ok(()) };
        let view = editor.tables.view()?;
        for field in fields {
            let Some(index) = editor.value_named(parts, field.as_bytes())? else { continue };
            for index in dialect_list(&view, strings, index).unwrap_or_else(|| vec![index]) {
                if let Some(name) = dialect_string(&view, strings, index) {
                    self.reference(from, places, &[name])?;
                }
            }
        }
        Ok(())
    }

    fn finish(self) -> Result<Units> {
        let Self { editor, mut units, edges, nodes, .. } = self;
        editor.tables.budget.spend((nodes as usize + edges.len()) * size_of::<u32>())?;
        (units.starts, units.targets) = sorted(nodes, edges.iter().copied());
        Ok(units)
    }
}

/// Groups the edges by their source node.
fn sorted(nodes: u32, edges: impl Iterator<Item = (u32, u32)> + Clone) -> (Vec<u32>, Vec<u32>) {
    let mut starts = vec![0_u32; nodes as usize + 1];
    for (from, _) in edges.clone() {
        starts[from as usize + 1] += 1;
    }
    for node in 1..starts.len() {
        starts[node] += starts[node - 1];
    }
    let mut next = starts.clone();
    let mut targets = vec![0; starts.last().copied().unwrap_or_default() as usize];
    for (from, to) in edges {
        let place = &mut next[from as usize];
        targets[*place as usize] = to;
        *place += 1;
    }
    (starts, targets)
}

/// Returns the number of a unit's node; nodes of entries follow the nodes of units.
pub(crate) fn node_of(target: Target) -> u32 {
    let (unit, kind) = match target {
        Target::Named(unit) => (unit, 0),
        Target::Head(unit) => (unit, 1),
        Target::Inside(unit) => (unit, 2),
        Target::Used(unit) => (unit, 3),
        Target::Entry => return u32::MAX,
    };
    (KINDS * unit + kind) as u32
}

impl Units {
    pub(crate) fn unit_of(&self, op: ArenaOp) -> Option<usize> {
        self.of_op.get(op.index()).copied().flatten().map(UnitRow::index)
    }

    /// Returns a unit and its nested units.
    pub(crate) fn inside(&self, unit: usize) -> Range<usize> {
        unit..self.ends.get(unit).copied().unwrap_or(unit)
    }

    pub(crate) fn target(&self, node: u32) -> Target {
        let (unit, kind) = (node as usize / KINDS, node as usize % KINDS);
        match kind {
            _ if unit >= self.ops.len() => Target::Entry,
            0 => Target::Named(unit),
            1 => Target::Head(unit),
            2 => Target::Inside(unit),
            _ => Target::Used(unit),
        }
    }

    /// Returns the nodes that a node refers to.
    pub(crate) fn next(&self, node: u32) -> &[u32] {
        let at = node as usize;
        match (self.starts.get(at), self.starts.get(at + 1)) {
            (Some(&first), Some(&end)) => &self.targets[first as usize..end as usize],
            _ => &[],
        }
    }

    /// Returns the references of a node to symbols that do not exist.
    pub(crate) fn missing(&self, node: u32) -> &[String] {
        self.missing.get(&node).map_or(&[], Vec::as_slice)
    }

    /// Returns whether a unit has bytes of unknown layout, which may refer to anything.
    pub(crate) fn is_opaque(&self, unit: usize) -> bool {
        self.opaque.contains(&unit)
    }

    /// Returns the path to a unit from the top-level operation, `@outer::@inner`; its number if it has no
    /// name.
    pub(crate) fn path(&self, unit: usize) -> String {
        let mut names = Vec::new();
        let mut next = Some(unit);
        while let Some(at) = next.filter(|&at| at != 0) {
            names.push(match &self.names[at] {
                Some(name) => format!("@{}", String::from_utf8_lossy(name)),
                None => format!("#{at}"),
            });
            next = self.parents[at];
        }
        names.reverse();
        names.join("::")
    }

    /// Returns the unit with a name in the top-level operation, or with a path from there.
    pub(crate) fn find(&self, name: &[u8]) -> Option<usize> {
        let table = self.scopes.table_of(*self.ops.first()?)?;
        let places = [Some(table); 2];
        let plain = name.strip_prefix(b"@").unwrap_or(name);
        let direct = self.scopes.resolve(places, &[name]).or_else(|| self.scopes.resolve(places, &[plain]));
        let symbol = direct.or_else(|| {
            let path = std::str::from_utf8(name).ok()?;
            let names = path.split("::").map(|name| name.strip_prefix('@').unwrap_or(name).as_bytes());
            self.scopes.resolve(places, &names.collect::<Vec<_>>())
        });
        symbol.and_then(|op| self.unit_of(op))
    }
}

/// The nodes from which others can be reached.
#[derive(Debug)]
pub(crate) struct Backward {
    starts: Vec<u32>,
    sources: Vec<u32>,
    reached: HashSet<u32>,
}

impl Backward {
    pub(crate) fn new(units: &Units) -> Self {
        let count = units.starts.len().saturating_sub(1) as u32;
        let edges = (0..count).flat_map(|from| units.next(from).iter().map(move |&to| (to, from)));
        let (starts, sources) = sorted(count, edges);
        Self { starts, sources, reached: HashSet::new() }
    }

    /// Adds a node and the nodes from which it can be reached; new ones are appended to `found`.
    pub(crate) fn reach(&mut self, node: u32, reached: &mut Vec<u32>) {
        let mut next = reached.len();
        if self.reached.insert(node) {
            reached.push(node);
        }
        while let Some(&node) = reached.get(next) {
            next += 1;
            steps::count(1);
            let Some(&[first, end]) = self.starts.get(node as usize..node as usize + 2) else { continue };
            for &from in &self.sources[first as usize..end as usize] {
                if self.reached.insert(from) {
                    reached.push(from);
                }
            }
        }
    }

    pub(crate) fn has(&self, node: u32) -> bool {
        self.reached.contains(&node)
    }
}

fn shown(names: &[&[u8]]) -> String {
    let names: Vec<_> = names.iter().map(|name| format!("@{}", String::from_utf8_lossy(name))).collect();
    names.join("::")
}
