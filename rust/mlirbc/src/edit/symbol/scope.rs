//! Symbol tables and their symbols.
//!
//! As in MLIR, a reference is looked up in the nearest symbol table around its operation and no further out;
//! each nested name is looked up in the symbol that the previous name refers to. Bytecode does not contain
//! which operations are symbol tables: `data/symbols.toml` lists the known ones.

use std::collections::{HashMap, HashSet};

use crate::edit::Editor;
use crate::edit::arena::{ArenaBlock, ArenaOp, EditName, ROOT, WalkStep, Walker};
use crate::file::Choice;
use crate::format::id::ids;
use crate::wire::error::Result;
use crate::wire::limits::HeldMemory;

use super::dialects::SymbolData;
use super::reference::dialect_string;
use crate::edit::attributes::OpParts;

/// The attribute with the name of an op.
pub(crate) const SYM_NAME: &[u8] = b"sym_name";

/// The bytes of a row of a symbol table, besides the name.
const SYMBOL_BYTES: usize = 48;

/// A cache of symbols and symbol tables.
#[derive(Debug, Default)]
pub(crate) struct SymbolCache {
    /// The symbol that ops with equal parts define.
    symbols: HashMap<OpParts, Option<Vec<u8>>, foldhash::fast::RandomState>,
    kinds: HashMap<EditName, Kind>,
}

/// Whether operations with a name are symbol tables.
#[derive(Debug, Clone, Copy)]
enum Kind {
    Table,
    Other,
    /// Without a schema, an op is a symbol table if it has one region that contains symbols.
    Unknown,
}

ids! {
    /// A symbol table of [`Scopes`].
    ScopeTable;
}

#[derive(Debug)]
pub(crate) struct SymbolTable {
    pub(crate) op: ArenaOp,
    /// The enclosing table.
    around: ScopeTable,
    pub(crate) names: HashMap<Box<[u8]>, ArenaOp>,
}

/// All symbol tables of a module. The first is the top level, with the top-level ops.
#[derive(Debug)]
pub(crate) struct Scopes {
    pub(crate) tables: Vec<SymbolTable>,
    /// The table of each op; `None` for detached ops.
    of_op: Vec<Option<ScopeTable>>,
    /// The table of each op that is a symbol table.
    tables_by_op: HashMap<ArenaOp, ScopeTable>,
    /// Names of ops whose references are resolved in the enclosing table.
    outside: HashSet<EditName>,
    /// The first op whose name is already in its table.
    pub(crate) again: Option<ArenaOp>,
    _held: HeldMemory,
}

/// The tables in which the references of an op are looked up: the second one applies if the first has no such
/// symbol.
pub(crate) type LookupTables = [Option<ScopeTable>; 2];

impl Scopes {
    /// Returns the tables for references on an op. Uses on a symbol table belong to the enclosing table, and
    /// lookups from it start inside it, so both are tried in this order.
    pub(crate) fn places(&self, op: ArenaOp, name: EditName) -> LookupTables {
        let scope = self.of_op.get(op.index()).copied().flatten();
        if let Some(&table) = self.tables_by_op.get(&op) {
            return [scope, Some(table)];
        }
        if self.outside.contains(&name)
            && let Some(around) =
                scope.and_then(|scope| self.tables.get(scope.index())).map(|table| table.around)
        {
            return [Some(around), scope];
        }
        [scope, scope]
    }

    /// Returns the tables for types in the blocks of an op.
    pub(crate) fn places_inside(&self, op: ArenaOp) -> LookupTables {
        let scope = self.of_op.get(op.index()).copied().flatten();
        [self.tables_by_op.get(&op).copied().or(scope); 2]
    }

    /// Returns the symbol with a name in a table.
    pub(crate) fn find(&self, table: ScopeTable, name: &[u8]) -> Option<ArenaOp> {
        self.tables.get(table.index())?.names.get(name).copied()
    }

    // Returns the symbol with the first name of a reference.
    fn find_root(&self, places: LookupTables, root: &[u8]) -> Option<ArenaOp> {
        places.into_iter().flatten().find_map(|table| self.find(table, root))
    }

    /// Returns the symbol that a reference refers to.
    pub(crate) fn resolve(&self, places: LookupTables, names: &[&[u8]]) -> Option<ArenaOp> {
        let (&root, nested) = names.split_first()?;
        let mut symbol = self.find_root(places, root)?;
        for name in nested {
            symbol = self.find(*self.tables_by_op.get(&symbol)?, name)?;
        }
        Some(symbol)
    }

    /// Resolves as many names of a reference as possible; returns the last symbol, and whether all names were
    /// resolved.
    pub(crate) fn follow(&self, places: LookupTables, names: &[&[u8]]) -> (Option<ArenaOp>, bool) {
        let Some((&root, nested)) = names.split_first() else { return (None, false) };
        let Some(mut found) = self.find_root(places, root) else {
            return (None, false);
        };
        for name in nested {
            match self.tables_by_op.get(&found).and_then(|&table| self.find(table, name)) {
                Some(inner) => found = inner,
                None => return (Some(found), false),
            }
        }
        (Some(found), true)
    }

    /// Returns the op of the symbol table around an op.
    pub(crate) fn table_around(&self, op: ArenaOp) -> Option<ArenaOp> {
        let table = self.of_op.get(op.index()).copied()??;
        self.tables.get(table.index()).map(|table| table.op)
    }

    /// Returns the symbol table of an op.
    pub(crate) fn table_of(&self, op: ArenaOp) -> Option<ScopeTable> {
        self.tables_by_op.get(&op).copied()
    }
}

impl Editor {
    /// Returns all symbol tables; reads all bodies.
    pub(crate) fn scopes(&mut self, cache: &mut SymbolCache) -> Result<Scopes> {
        self.load_everything()?;
        self.loaded_scopes(cache)
    }

    /// Loads the bodies of operations that are known to be symbol tables before other bodies are read.
    /// Returns whether each has one block; then each operation in it is a symbol or belongs to one.
    pub(crate) fn load_tables(&mut self, cache: &mut SymbolCache) -> Result<bool> {
        let mut is_plain = true;
        let mut walker = Walker::inside(ROOT);
        while let Some(step) = walker.next(&self.arena) {
            let WalkStep::Enter(op) = step else { continue };
            if self.arena.region_count(op) == 0 {
                continue;
            }
            let kind = self.known_kind(self.arena.op(op).name(), cache)?;
            if matches!(kind, Kind::Table | Kind::Unknown) {
                self.load_regions(op)?;
            }
            if self.is_table(op, cache)? {
                let regions = self.arena.loaded_regions(op);
                is_plain &= regions.len() == 1 && self.arena.region(regions[0]).blocks.len() == 1;
            }
        }
        Ok(is_plain)
    }

    /// Loads all operations inside an op.
    pub(crate) fn load_inside(&mut self, op: ArenaOp) -> Result<()> {
        self.load_regions(op)?;
        let mut walker = Walker::inside(op);
        while let Some(step) = walker.next(&self.arena) {
            if let WalkStep::Enter(inner) = step {
                self.load_regions(inner)?;
            }
        }
        Ok(())
    }

    /// Returns the symbol tables in the loaded bodies.
    pub(crate) fn loaded_scopes(&self, cache: &mut SymbolCache) -> Result<Scopes> {
        let mut held = self.tables.budget.hold(self.arena.ops.len() * size_of::<u32>())?;
        let mut bytes = self.arena.ops.len() * size_of::<u32>();
        let outermost = ScopeTable::new(0);
        let mut scopes = Scopes {
            tables: vec![SymbolTable { op: ROOT, around: outermost, names: HashMap::new() }],
            of_op: vec![None; self.arena.ops.len()],
            tables_by_op: HashMap::from([(ROOT, outermost)]),
            outside: HashSet::new(),
            again: None,
            _held: self.tables.budget.hold(0)?,
        };
        let data = SymbolData::shipped()?;
        for name in self.tables.all_op_names() {
            if data.is_outside(&String::from_utf8_lossy(&self.tables.op_name_bytes(name))) {
                scopes.outside.insert(name);
            }
        }
        let mut around = vec![outermost];
        let mut walker = Walker::inside(ROOT);
        while let Some(step) = walker.next(&self.arena) {
            match step {
                WalkStep::Enter(op) => {
                    let scope = around.last().copied().unwrap_or(outermost);
                    scopes.of_op[op.index()] = Some(scope);
                    if self.is_symbol_of(op, scopes.tables[scope.index()].op)
                        && let Some(name) = self.symbol_of(op, cache)?
                    {
                        bytes += SYMBOL_BYTES + name.len();
                        held.grow_to(bytes)?;
                        let name = name.into_boxed_slice();
                        if scopes.find(scope, &name).is_none() {
                            scopes.tables[scope.index()].names.insert(name, op);
                        } else if scope != outermost && scopes.again.is_none() {
                            scopes.again = Some(op);
                        }
                    }
                    if self.is_table(op, cache)? {
                        let table = ScopeTable::after(&scopes.tables);
                        bytes += size_of::<SymbolTable>() + SYMBOL_BYTES;
                        held.grow_to(bytes)?;
                        scopes.tables.push(SymbolTable { op, around: scope, names: HashMap::new() });
                        scopes.tables_by_op.insert(op, table);
                        around.push(table);
                    }
                }
                WalkStep::Leave(op) if scopes.tables_by_op.contains_key(&op) => {
                    around.pop();
                }
                _ => {}
            }
        }
        scopes._held = held;
        Ok(scopes)
    }

    /// Returns whether an op is at the position of a symbol of a table: in the first block of its region.
    pub(crate) fn is_symbol_of(&self, op: ArenaOp, table: ArenaOp) -> bool {
        let block = self.arena.op(op).block;
        block.is_some() && self.first_block(table) == block
    }

    pub(crate) fn first_block(&self, table: ArenaOp) -> Option<ArenaBlock> {
        let region = *self.arena.loaded_regions(table).first()?;
        self.arena.region(region).blocks.first().copied()
    }

    /// Returns whether an op is a symbol table; its regions must be loaded.
    pub(crate) fn is_table(&self, op: ArenaOp, cache: &mut SymbolCache) -> Result<bool> {
        if op == ROOT {
            return Ok(true);
        }
        if self.arena.region_count(op) == 0 {
            return Ok(false);
        }
        match self.known_kind(self.arena.op(op).name(), cache)? {
            Kind::Table => Ok(true),
            Kind::Other => Ok(false),
            Kind::Unknown if self.arena.region_count(op) != 1 => Ok(false),
            Kind::Unknown => {
                let Some(block) = self.first_block(op) else { return Ok(false) };
                for op in self.arena.ops_of(block) {
                    if self.symbol_of(op, cache)?.is_some() {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
        }
    }

    fn known_kind(&self, name: EditName, cache: &mut SymbolCache) -> Result<Kind> {
        if let Some(&kind) = cache.kinds.get(&name) {
            return Ok(kind);
        }
        let kind = self.kind_of(name)?;
        cache.kinds.insert(name, kind);
        Ok(kind)
    }

    fn kind_of(&self, name: EditName) -> Result<Kind> {
        let bytes = self.tables.op_name_bytes(name);
        if SymbolData::shipped()?.is_table(&String::from_utf8_lossy(&bytes)) {
            return Ok(Kind::Table);
        }
        let is_known = self.layout_choice(name)? != Choice::Absent;
        Ok(if is_known { Kind::Other } else { Kind::Unknown })
    }

    /// Returns the symbols of a table with a name: at most one, unless the module is invalid.
    pub(crate) fn symbols_named(
        &mut self,
        table: ArenaOp,
        name: &[u8],
        cache: &mut SymbolCache,
    ) -> Result<Vec<ArenaOp>> {
        self.load_regions(table)?;
        let Some(block) = self.first_block(table) else { return Ok(Vec::new()) };
        let mut symbols = Vec::new();
        for op in self.arena.ops_of(block) {
            if self.symbol_of(op, cache)?.as_deref() == Some(name) {
                symbols.push(op);
            }
        }
        Ok(symbols)
    }

    /// Returns the name of the symbol that an op defines.
    pub(crate) fn symbol_of(&self, op: ArenaOp, cache: &mut SymbolCache) -> Result<Option<Vec<u8>>> {
        let row = self.arena.op(op);
        let parts = (row.name(), row.attributes, row.properties);
        if parts.1.is_none() && parts.2.is_none() {
            return Ok(None);
        }
        if let Some(name) = cache.symbols.get(&parts) {
            return Ok(name.clone());
        }
        // An unreadable name counts as absent.
        let name = self.symbol_of_parts(parts).unwrap_or_default();
        self.tables.budget.spend(SYMBOL_BYTES)?;
        cache.symbols.insert(parts, name.clone());
        Ok(name)
    }

    fn symbol_of_parts(&self, parts: OpParts) -> Result<Option<Vec<u8>>> {
        let data = SymbolData::shipped()?;
        let op_name = self.tables.op_name_bytes(parts.0);
        let view = self.tables.view()?;
        if let Some((strings, field)) = data.name_of(&String::from_utf8_lossy(&op_name)) {
            let index = self.value_named(parts, field.as_bytes())?;
            if let Some(name) = index.and_then(|index| dialect_string(&view, strings, index)) {
                return Ok(Some(name.to_vec()));
            }
        }
        self.string_of_parts(parts, SYM_NAME)
    }
}
