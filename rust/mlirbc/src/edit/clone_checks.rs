//! Checks that a clone fits at its destination: its symbol, the values that it uses from outside, and the
//! versions of its dialects.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::dialect::table::DialectTable;
use crate::wire::error::{Error, ErrorKind, Result};
use crate::wire::limits::HeldMemory;

use super::Editor;
use super::arena::{ArenaBlock, ArenaOp, ArenaRegion, ArenaValue, ROOT, WalkStep};
use super::copied_entries::cannot_clone;
use super::symbol::scope::SymbolCache;
use super::verify::{ISOLATED, dominators_of};

/// The bytes of a symbol in the index, besides its name.
const SYMBOL_BYTES: usize = 48;

/// The symbols of the most recent destination table, so that repeated clones do not list them each time.
#[derive(Debug)]
pub(crate) struct SymbolIndex {
    table: ArenaOp,
    /// The counters of the arena when the index was created: any other edit makes it invalid.
    stamp: (u64, u64),
    names: HashMap<Box<[u8]>, ArenaOp>,
    bytes: usize,
    held: HeldMemory,
}

/// The block that a clone is inserted into, and the op that follows the clone.
pub(crate) type ClonePlace = (ArenaBlock, Option<ArenaOp>);

/// The symbol of an inserted op.
pub(super) enum Symbol {
    None,
    New(Vec<u8>),
    /// The symbol that another op of the table defines.
    Taken(Vec<u8>, ArenaOp),
}

/// The reason why a value cannot be used at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Invisibility {
    Detached,
    OutOfScope,
    NotDominating,
}

/// A new dialect that got a version, and its previous table.
type AdoptedVersion = (u32, Option<Arc<DialectTable>>);

impl Editor {
    /// Checks that the symbol table around a block lacks the symbol that an op defines; returns the symbol.
    pub(super) fn check_symbol(
        &mut self,
        source: Option<&Self>,
        op: ArenaOp,
        block: ArenaBlock,
    ) -> Result<Option<Vec<u8>>> {
        let (name, other) = match self.find_symbol(source, op, block)? {
            Symbol::None => return Ok(None),
            Symbol::New(name) => return Ok(Some(name)),
            Symbol::Taken(name, other) => (name, self.path(other)),
        };
        let name = String::from_utf8_lossy(&name);
        let message = format!("cannot clone `@{name}`: the symbol is already defined by {other}");
        Err(Error::message(ErrorKind::Edit, message).with_hint("give the copy another name with `rename`"))
    }

    /// Finds the symbol that an op defines if it is inserted into a block.
    pub(super) fn find_symbol(
        &mut self,
        source: Option<&Self>,
        op: ArenaOp,
        block: ArenaBlock,
    ) -> Result<Symbol> {
        let from = source.unwrap_or(self);
        let Some(name) = from.symbol_of(op, &mut SymbolCache::default())? else { return Ok(Symbol::None) };
        let Some(table) = self.arena.owner_of_block(block) else { return Ok(Symbol::None) };
        let region = self.arena.block(block).region;
        let region = region.and_then(|region| self.arena.regions.get(region.index()));
        if table == ROOT || region.is_none_or(|row| row.blocks.first() != Some(&block)) {
            return Ok(Symbol::None);
        }
        let stamp = (self.arena.moves, self.arena.changes);
        let index = self.symbol_index.as_ref();
        let is_known = index.is_some_and(|index| index.table == table && index.stamp == stamp);
        if !is_known || !self.tables.replaced.is_empty() {
            self.symbol_index = None;
            self.encode_drafts()?;
            // The memory of the search is released.
            let memory_left = self.tables.budget.memory_left();
            let names = self.symbols_of(table, block);
            self.tables.budget.refund_to(memory_left);
            let Some(names) = names? else { return Ok(Symbol::None) };
            let bytes = names.keys().map(|name| name.len() + SYMBOL_BYTES).sum();
            let held = self.tables.budget.hold(bytes)?;
            self.symbol_index = Some(SymbolIndex { table, stamp, names, bytes, held });
        }
        let defining_op = self.symbol_index.as_ref().and_then(|index| index.names.get(&*name));
        Ok(match defining_op {
            Some(&other) => Symbol::Taken(name, other),
            None => Symbol::New(name),
        })
    }

    // Returns the symbols of a table; `None` if the op is not a symbol table.
    fn symbols_of(&self, table: ArenaOp, block: ArenaBlock) -> Result<Option<HashMap<Box<[u8]>, ArenaOp>>> {
        let mut cache = SymbolCache::default();
        if !self.is_table(table, &mut cache)? {
            return Ok(None);
        }
        let mut names = HashMap::new();
        for op in self.arena.ops_of(block) {
            if let Some(name) = self.symbol_of(op, &mut cache)? {
                names.entry(name.into_boxed_slice()).or_insert(op);
            }
        }
        Ok(Some(names))
    }

    /// Records the symbol of a clone that was just inserted.
    pub(super) fn add_symbol(&mut self, name: Vec<u8>, op: ArenaOp) {
        let stamp = (self.arena.moves, self.arena.changes);
        let Some(index) = &mut self.symbol_index else { return };
        index.bytes += name.len() + SYMBOL_BYTES;
        if index.held.grow_to(index.bytes).is_ok() {
            index.names.insert(name.into_boxed_slice(), op);
            index.stamp = stamp;
        } else {
            self.symbol_index = None;
        }
    }

    // Checks that values from outside are visible at the place, and defined before it.
    pub(super) fn check_uses(
        &mut self,
        source: Option<&Self>,
        used: &[(ArenaValue, ArenaOp, usize)],
        place: ClonePlace,
    ) -> Result<()> {
        let Some((_, op, number, reason)) = self.invisible_use(used, place)? else { return Ok(()) };
        let reason = match reason {
            Invisibility::Detached => "is not in a block",
            Invisibility::OutOfScope => "is not visible at the place of the copy",
            Invisibility::NotDominating => "does not dominate the place of the copy",
        };
        let path = source.unwrap_or(self).path(op);
        let role = if source.is_none() { "operand" } else { "the value for operand" };
        Err(cannot_clone(path, format!("{role} `{number}` {reason}")))
    }

    /// Returns the first use whose value cannot be used at the place.
    pub(super) fn invisible_use(
        &mut self,
        used: &[(ArenaValue, ArenaOp, usize)],
        (block, next): ClonePlace,
    ) -> Result<Option<(ArenaValue, ArenaOp, usize, Invisibility)>> {
        let (mut before, mut trees) = (HashMap::new(), HashMap::new());
        let mut reasons: HashMap<ArenaValue, Option<Invisibility>> = HashMap::new();
        for &(value, op, number) in used {
            let reason = match reasons.get(&value) {
                Some(&reason) => reason,
                None => {
                    let reason = self.invisibility((value, block, next), &mut before, &mut trees)?;
                    reasons.insert(value, reason);
                    reason
                }
            };
            if let Some(reason) = reason {
                return Ok(Some((value, op, number, reason)));
            }
        }
        Ok(None)
    }

    // Returns the reason why a value cannot be used at a place.
    fn invisibility(
        &mut self,
        (value, mut block, mut next): (ArenaValue, ArenaBlock, Option<ArenaOp>),
        before: &mut HashMap<ClonePlace, HashSet<ArenaOp>>,
        trees: &mut HashMap<ArenaRegion, crate::ir::dominance::Dominators>,
    ) -> Result<Option<Invisibility>> {
        let value_block = self.arena.block_of_value(value);
        let own_region = self.arena.region_of_value(value);
        loop {
            let region = self.arena.block(block).region;
            if region == own_region && region.is_some() {
                break;
            }
            let Some(owner) = self.arena.owner_of_block(block) else {
                // The place is in a detached op, which may be inserted where the value is visible.
                return Ok(value_block.is_none().then_some(Invisibility::Detached));
            };
            if ISOLATED.contains(&&*self.name_text(owner)) {
                return Ok(Some(Invisibility::OutOfScope));
            }
            let Some(outer) = self.arena.op(owner).block else { return Ok(None) };
            (block, next) = (outer, Some(owner));
        }
        let (Some(own_region), Some(value_block)) = (own_region, value_block) else { return Ok(None) };
        let is_before = if value_block == block {
            let row = self.arena.value(value);
            let (owner, is_argument) = (row.op(), row.is_argument());
            let arena = &self.arena;
            let before = before.entry((block, next)).or_insert_with(|| {
                arena.ops_of(block).take_while(|&op| Some(op) != next).collect::<HashSet<ArenaOp>>()
            });
            is_argument || owner.is_some_and(|owner| before.contains(&owner))
        } else {
            if let Entry::Vacant(new) = trees.entry(own_region) {
                for place in 0..self.arena.region(own_region).blocks.len() {
                    let block = self.arena.region(own_region).blocks[place];
                    self.arena.block_mut(block).number = place as u32;
                }
                new.insert(dominators_of(&self.arena, own_region));
            }
            let numbers = (self.arena.block(value_block).number, self.arena.block(block).number);
            trees.get(&own_region).is_none_or(|tree| tree.dominates(numbers.0, numbers.1))
        };
        let is_wrong = !is_before && self.has_order(own_region)?;
        Ok(is_wrong.then_some(Invisibility::NotDominating))
    }

    // ---- dialect versions ----

    /// Gives dialects that are new in this module the version of the source; returns these dialects.
    pub(super) fn adopt_versions(
        &mut self,
        source: Option<&Self>,
        steps: &[WalkStep],
    ) -> Result<Vec<AdoptedVersion>> {
        let Some(source) = source else { return Ok(Vec::new()) };
        let mut dialects: HashMap<Vec<u8>, ArenaOp> = HashMap::new();
        let mut names = HashSet::new();
        for step in steps {
            if let WalkStep::Enter(op) = *step
                && names.insert(source.arena.op(op).name())
            {
                let name = source.tables.op_name_bytes(source.arena.op(op).name());
                let dialect = name.split(|&byte| byte == b'.').next().unwrap_or_default();
                dialects.entry(dialect.to_vec()).or_insert(op);
            }
        }
        let mut adopted = Vec::new();
        let mut refused = None;
        for (dialect, op) in dialects {
            let theirs = source.dialect_version(&dialect)?;
            if !self.tables.has_dialect(&dialect) {
                if let Some(version) =
                    theirs.filter(|_| self.base.tables().bytecode().version().has_dialect_versions())
                {
                    let place = self.tables.dialect(&dialect)?;
                    let table = self.tables.dialects.get(place).and_then(|row| row.1.cloned());
                    adopted.push((place, table));
                    self.set_dialect_version_only(&dialect, Some(&version))?;
                }
                continue;
            }
            let target_version = self.dialect_version(&dialect)?;
            if target_version != theirs
                && !self.reads_version(source, &dialect, target_version.as_deref(), theirs.as_deref())?
            {
                let first: &mut (Vec<u8>, ArenaOp) = refused.get_or_insert((dialect.clone(), op));
                if dialect < first.0 {
                    *first = (dialect, op);
                }
            }
        }
        let Some((dialect, op)) = refused else { return Ok(adopted) };
        self.undo_versions(adopted);
        let dialect = String::from_utf8_lossy(&dialect);
        let message = format!(
            "cannot clone operations of `{dialect}`: the two modules have different versions of the dialect"
        );
        let hint = "convert one of the modules to the dialect version of the other first";
        Err(Error::message(ErrorKind::Unsupported, message).with_path(source.path(op)).with_hint(hint))
    }

    pub(super) fn undo_versions(&mut self, adopted: Vec<AdoptedVersion>) {
        for (place, table) in adopted {
            self.tables.versions.remove(&place);
            if let Some(table) = table {
                self.tables.dialects.set_table(place, table);
            }
        }
    }

    // Returns whether operations of one version have the same meaning in another version. Each operation of
    // VHLO has its own version; the version of the dialect is the oldest that has all of them. Without a
    // version, the newest is read.
    fn reads_version(
        &self,
        source: &Self,
        dialect: &[u8],
        target_version: Option<&[u8]>,
        source_version: Option<&[u8]>,
    ) -> Result<bool> {
        let Some(table) = self.base.tables().ungated_codec(dialect) else { return Ok(false) };
        let (target_view, source_view) = (self.tables.view()?, source.tables.view()?);
        let target_version =
            target_version.map(|bytes| table.read_version(bytes, 0, &target_view)).transpose();
        let source_version =
            source_version.map(|bytes| table.read_version(bytes, 0, &source_view)).transpose();
        // Bytes that are not a version of the dialect cannot be compared.
        let (Ok(target_version), Ok(source_version)) = (target_version, source_version) else {
            return Ok(false);
        };
        let is_newest = |numbers: &[u64]| table.has_gates() && table.is_newest(numbers);
        Ok(match (target_version, source_version) {
            (None, Some(Some(numbers))) | (Some(Some(numbers)), None) => is_newest(&numbers),
            (Some(Some(target_version)), Some(Some(source_version))) => {
                dialect == b"vhlo" && source_version <= target_version
            }
            _ => false,
        })
    }
}
