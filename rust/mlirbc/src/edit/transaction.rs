//! Checkpoints of an edited module, and transactions, which return to a checkpoint if they fail.
//!
//! A checkpoint is a copy of all edits so far: the rows of edited bodies and the additions to the tables, but
//! not the file. A rollback does not release numbers of handles: rows that were added since are erased
//! instead of removed, and bodies of the file that were read since keep their rows, so that handles of
//! operations of the file stay valid.
//!
//! *Alternative considered:* a journal of inverse edits is cheaper for many small transactions of a large
//! edit, but every edit would have to write it.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::attr::dialects::Dialects;
use crate::dialect::entries::EntryRef;
use crate::format::dialect::OpNameEntry;
use crate::format::id::{AttrId, TypeId};
use crate::ir::id::BodyId;
use crate::wire::bytes::Bytes;
use crate::wire::error::{Error, ErrorKind, Result};
use crate::wire::limits::HeldMemory;

use super::arena::{
    Arena, ArenaOp, ArenaUse, ArenaValue, BlockRow, EditAttr, EditBlob, EditName, Loaded, OpRow, RegionRow,
    Regions, ValueRow,
};
use super::imported_resources::ImportedResources;
use super::property_versions::WrittenBlob;
use super::tables::{NewEntry, NewKey, Tables};
use super::written_versions::TargetVersions;
use super::{Editor, ResourceEdits, erased};

/// The kinds of handles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Op,
    Block,
    Region,
    Value,
}

/// The numbers of rows by [`Kind`].
type Ends = [u32; 4];

/// Data for rollbacks that does not belong to a checkpoint.
#[derive(Debug)]
pub(crate) struct History {
    /// The number of the editor, which distinguishes editors.
    id: u64,
    /// The bodies in the order in which they were read, each with its op and its rows.
    reads: Vec<(ArenaOp, BodyId, Loaded)>,
    /// The number of the next checkpoint.
    next: u64,
    /// Numbers of checkpoints that a rollback undid.
    dead: Vec<Range<u64>>,
    /// Rows of undone changes, by kind.
    undone: Vec<(Kind, Range<u32>)>,
}

impl Default for History {
    fn default() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let id = NEXT.fetch_add(1, Ordering::Relaxed);
        Self { id, reads: Vec::new(), next: 0, dead: Vec::new(), undone: Vec::new() }
    }
}

impl History {
    /// Records that a body was read.
    pub(crate) fn loaded(&mut self, op: ArenaOp, body: BodyId, rows: Loaded) {
        self.reads.push((op, body, rows));
    }

    /// Returns the number of an editor, which is unique among the first 2^32 editors of the process.
    pub(super) fn number(&self) -> u32 {
        self.id as u32
    }

    /// Creates the error for a handle that is no longer valid.
    #[cold]
    pub(crate) fn gone(&self, item: &str, kind: Kind, number: u32) -> Error {
        let is_undone = |row: &(Kind, Range<u32>)| row.0 == kind && row.1.contains(&number);
        match self.undone.iter().any(is_undone) {
            true => {
                let message = format!("{item} was created by changes that were rolled back");
                Error::message(ErrorKind::Erased, message)
            }
            false => erased(item),
        }
    }
}

/// The state of an [`Editor`] at one time, for [`Editor::rollback`].
#[derive(Debug)]
pub struct Checkpoint {
    editor: u64,
    number: u64,
    reads: usize,
    state: State,
    _held: HeldMemory,
    /// The remaining memory at that time.
    memory_left: u64,
}

/// The parts of an editor that edits change.
#[derive(Debug, Clone)]
pub(crate) struct State {
    arena: Arena,
    loaded: HashMap<BodyId, Loaded>,
    resources: ResourceEdits,
    tables: TableState,
}

/// The additions to the tables.
#[derive(Debug, Clone)]
struct TableState {
    strings: Vec<Bytes>,
    dialects: Dialects,
    dialect_names: Vec<u32>,
    op_names: Vec<OpNameEntry>,
    attributes: Vec<NewEntry>,
    types: Vec<NewEntry>,
    replaced: HashMap<EntryRef, NewEntry>,
    versions: HashMap<u32, Option<Box<[u8]>>>,
    blobs: Vec<Bytes>,
    written: HashMap<(EditName, EditBlob), WrittenBlob>,
    target_versions: TargetVersions,
    keys: Vec<NewKey>,
    imported_resources: ImportedResources,
    unknown_location: Option<EditAttr>,
    /// The indices that existed.
    has: [bool; 4],
}

impl Tables {
    fn state(&self) -> TableState {
        TableState {
            strings: self.strings.clone(),
            dialects: self.dialects.clone(),
            dialect_names: self.dialect_names.clone(),
            op_names: self.op_names.clone(),
            attributes: self.attributes.clone(),
            types: self.types.clone(),
            replaced: self.replaced.clone(),
            versions: self.versions.clone(),
            blobs: self.blobs.clone(),
            written: self.written.clone(),
            target_versions: self.target_versions.clone(),
            keys: self.keys.clone(),
            imported_resources: self.imported_resources.clone(),
            unknown_location: self.unknown_location,
            has: [
                self.string_ids.is_some(),
                self.op_ids.is_some(),
                self.key_ids.is_some(),
                self.entry_ids.is_some(),
            ],
        }
    }

    fn set_state(&mut self, state: TableState) {
        let strings = self.counts.strings + state.strings.len() as u32;
        let op_names = self.counts.op_names + state.op_names.len() as u32;
        let keys = self.counts.keys + state.keys.len() as u32;
        let blobs = self.counts.blobs + state.blobs.len() as u32;
        let first = self.first_new();
        let attributes = first.attributes + state.attributes.len() as u32;
        let types = first.types + state.types.len() as u32;
        // Indices that were built since then are built again on demand.
        let [has_strings, has_names, has_keys, has_entries] = state.has;
        self.string_ids = self.string_ids.take().filter(|_| has_strings);
        self.op_ids = self.op_ids.take().filter(|_| has_names);
        self.key_ids = self.key_ids.take().filter(|_| has_keys);
        self.entry_ids = self.entry_ids.take().filter(|_| has_entries);
        if let Some(ids) = &mut self.string_ids {
            ids.retain(|_, index| *index < strings);
        }
        if let Some(ids) = &mut self.op_ids {
            ids.retain(|_, name| name.number() < op_names);
            self.second_op_ids.retain(|_, name| name.number() < op_names);
        } else {
            self.second_op_ids.clear();
        }
        if let Some(ids) = &mut self.key_ids {
            ids.truncate(keys);
        }
        if let Some(ids) = &mut self.entry_ids {
            ids.retain(|_, of| match *of {
                EntryRef::Attribute(index) => index < AttrId::new(attributes),
                EntryRef::Type(index) => index < TypeId::new(types),
            });
        }
        self.blob_ids.retain(|_, blob| blob.number() < blobs);
        self.written_ids.retain(|_, blob| blob.number() < blobs);
        self.written = state.written;
        self.target_versions = state.target_versions;
        self.registered_names.retain(|_, name| name.number() < op_names);
        self.copied.clear();
        self.homes.clear();
        self.dictionaries.clear();
        self.strings = state.strings;
        self.dialects = state.dialects;
        self.dialect_names = state.dialect_names;
        self.layout_choices.truncate(state.op_names.len());
        self.op_names = state.op_names;
        self.attributes = state.attributes;
        self.types = state.types;
        self.replaced = state.replaced;
        self.versions = state.versions;
        self.blobs = state.blobs;
        self.keys = state.keys;
        self.imported_resources = state.imported_resources;
        self.unknown_location = state.unknown_location;
    }

    /// Returns the bytes of the additions.
    fn bytes(&self) -> usize {
        let texts = self.strings.iter().map(Bytes::len).chain(self.keys.iter().map(|new| new.key.len()));
        let texts = texts.map(|text| text + size_of::<Bytes>());
        texts.sum::<usize>()
            + (self.attributes.len() + self.types.len() + self.replaced.len()) * size_of::<NewEntry>()
            + self.op_names.len() * size_of::<OpNameEntry>()
            + self.blobs.len() * size_of::<Bytes>()
            + self.written.len() * size_of::<((EditName, EditBlob), WrittenBlob)>()
    }
}

impl Editor {
    /// Records the current state, for [`Self::rollback`]. This takes time and memory in proportion to the
    /// bodies that were edited so far, not to the file.
    ///
    /// # Errors
    /// [`ErrorKind::MemoryLimit`].
    ///
    /// ```
    /// use mlirbc::edit::Editor;
    /// let mut editor = Editor::new(mlirbc::Module::from_bytes(mlirbc::doc_example())?)?;
    /// let before = editor.checkpoint()?;
    /// let module = editor.operation()?;
    /// let body = editor.body(module)?;
    /// let last = editor.operations(body)?[1];
    /// editor.erase(last)?;
    /// editor.rollback(&before)?;
    /// assert!(!editor.is_erased(last) && !editor.is_changed());
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn checkpoint(&mut self) -> Result<Checkpoint> {
        self.encode_drafts()?;
        let _held = self.tables.budget.for_work().hold(self.arena.memory() + self.tables.bytes())?;
        let memory_left = self.tables.budget.memory_left();
        let number = self.history.next;
        self.history.next += 1;
        let reads = self.history.reads.len();
        Ok(Checkpoint { editor: self.history.id, number, reads, state: self.state(), _held, memory_left })
    }

    fn state(&self) -> State {
        State {
            arena: self.arena.clone(),
            loaded: self.loaded.clone(),
            resources: self.resources.clone(),
            tables: self.tables.state(),
        }
    }

    /// Creates another editor of the same module with the same changes; handles of this editor refer to the
    /// same items there.
    pub(crate) fn duplicate(&mut self) -> Result<Self> {
        self.encode_drafts()?;
        let mut new = Self::new(self.base.clone())?;
        new.tables.budget.spend(self.arena.memory() + self.tables.bytes())?;
        let State { arena, loaded, resources, tables } = self.state();
        (new.arena, new.loaded, new.resources) = (arena, loaded, resources);
        new.tables.set_state(tables);
        new.number = self.number;
        Ok(new)
    }

    /// Undoes all changes since a checkpoint, including changes of resources and tables. Older handles stay
    /// valid; handles of items that were created since then become errors. The checkpoint can be used again;
    /// later ones cannot.
    ///
    /// # Errors
    /// [`ErrorKind::Edit`] if the checkpoint belongs to another editor, or was undone itself.
    pub fn rollback(&mut self, to: &Checkpoint) -> Result<()> {
        if to.editor != self.history.id {
            return Err(Error::message(ErrorKind::Edit, "the checkpoint belongs to another edited module"));
        }
        if self.history.dead.iter().any(|range| range.contains(&to.number)) {
            let message = "the checkpoint was undone by a rollback to an earlier one";
            return Err(Error::message(ErrorKind::Edit, message));
        }
        while self.drafts.pop().is_some() {}
        let moves = self.arena.moves;
        let ends = self.arena.ends();
        let State { arena, loaded, resources, tables } = to.state.clone();
        (self.arena, self.loaded, self.resources) = (arena, loaded, resources);
        self.tables.set_state(tables);
        self.tables.budget.refund_to(to.memory_left);
        self.arena.moves = moves + 1;
        self.symbol_index = None;
        let reads = self.history.reads.split_off(to.reads);
        for (op, body, rows) in reads {
            self.read_again(op, body, rows);
        }
        self.pad(ends);
        // Later checkpoints become invalid.
        let later = to.number + 1..self.history.next;
        self.history.dead.retain(|range| range.start < later.start);
        self.history.dead.push(later);
        Ok(())
    }

    // Reads a body into its previous rows; if the body can no longer be read, its handles become invalid.
    fn read_again(&mut self, op: ArenaOp, body: BodyId, rows: Loaded) {
        self.pad([
            rows.first_op.number(),
            rows.first_block.number(),
            rows.first_region.number(),
            rows.first_value.number(),
        ]);
        let is_there = op.index() < self.arena.ops.len() && !self.arena.is_erased(op);
        let detail = self.arena.detail(op).filter(|_| is_there);
        let has_body = |regions: &Regions| matches!(regions, Regions::InFile(_));
        let Some(detail) = detail.filter(|detail| has_body(&detail.regions) && detail.origin == Some(body))
        else {
            return;
        };
        let is_original = detail.is_original;
        let base = self.base.clone();
        let Ok(columns) = base.body(body) else { return };
        if self.tables.budget.spend(Arena::bytes(columns)).is_err() {
            return;
        }
        let Ok(again) = self.arena.load(op, columns) else { return };
        self.history.loaded(op, body, again);
        if is_original {
            self.loaded.insert(body, again);
        }
    }

    // Adds erased rows up to these numbers.
    fn pad(&mut self, ends: Ends) {
        let starts = self.arena.ends();
        for (kind, (start, end)) in
            [Kind::Op, Kind::Block, Kind::Region, Kind::Value].into_iter().zip(starts.into_iter().zip(ends))
        {
            if start < end {
                self.history.undone.push((kind, start..end));
            }
        }
        let rows = |kind: usize| (ends[kind].saturating_sub(starts[kind])) as usize;
        // Undoing must not fail for lack of memory; the new rows are smaller than the undone ones.
        let _ = self.tables.budget.spend(Arena::bytes_of(rows(0), rows(3), 0));
        self.arena.pad(ends);
    }

    /// Makes changes that take effect together: if `work` returns an error, every change is undone, as by
    /// [`Self::rollback`].
    ///
    /// # Errors
    /// The error of `work`, and as [`Self::checkpoint`].
    ///
    /// ```
    /// use mlirbc::edit::Editor;
    /// let mut editor = Editor::new(mlirbc::Module::from_bytes(mlirbc::doc_example())?)?;
    /// let module = editor.operation()?;
    /// let body = editor.body(module)?;
    /// let ops = editor.operations(body)?;
    /// let failed = editor.transaction(|editor| {
    ///     editor.erase(ops[1])?;
    ///     editor.erase(ops[1]) // it is erased already
    /// });
    /// assert!(failed.is_err());
    /// assert_eq!(editor.operations(body)?, ops);
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn transaction<T>(&mut self, work: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let before = self.checkpoint()?;
        let result = work(self);
        if result.is_err() {
            self.rollback(&before)?;
        }
        result
    }
}

impl Arena {
    fn ends(&self) -> Ends {
        [self.ops.len(), self.blocks.len(), self.regions.len(), self.values.len()].map(|len| len as u32)
    }

    /// Returns the bytes of all rows.
    fn memory(&self) -> usize {
        self.ops.len() * size_of::<OpRow>()
            + self.details.len() * size_of::<super::arena::Detail>()
            + self.blocks.len() * (size_of::<BlockRow>() + 8)
            + self.regions.len() * size_of::<RegionRow>()
            + self.values.len() * (size_of::<ValueRow>() + 8)
            + self.uses.len() * size_of::<super::arena::UseRow>()
    }

    fn pad(&mut self, [ops, blocks, regions, values]: Ends) {
        let grown = |len: usize, end: u32| len.max(end as usize);
        self.ops.resize(grown(self.ops.len(), ops), OpRow::erased());
        self.blocks.resize(grown(self.blocks.len(), blocks), BlockRow::erased());
        self.regions.resize(
            grown(self.regions.len(), regions),
            RegionRow { op: None, blocks: Vec::new(), depth: None },
        );
        self.values.resize(grown(self.values.len(), values), ValueRow::erased());
    }
}

impl OpRow {
    fn erased() -> Self {
        Self {
            name: None,
            location: EditAttr::new(0),
            attributes: None,
            properties: None,
            block: None,
            prev: None,
            next: None,
            first_result: Some(ArenaValue::new(0)),
            results: 0,
            first_use: ArenaUse::new(0),
            operands: 0,
            detail: None,
        }
    }
}

impl BlockRow {
    fn erased() -> Self {
        Self {
            region: None,
            first_op: None,
            last_op: None,
            ops: 0,
            arguments: Vec::new(),
            is_erased: true,
            number: 0,
            edges: 0,
        }
    }
}
