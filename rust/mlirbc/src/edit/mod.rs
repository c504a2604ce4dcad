//! Changes to a module, kept separately until they are written.
//!
//! Owns [`Editor`], which stores changes to a [`Module`]; the module itself never changes, so handles to it
//! and threads that read it are unaffected. Bodies are copied into the editor on first use; new attributes,
//! types and names are appended to the tables of the file. [`Editor::save`] copies unchanged parts and
//! encodes the rest. Does not own writing (`write`).
//!
//! ```
//! use std::sync::Arc;
//! use mlirbc::edit::{Editor, InsertionPoint, NewOperation};
//! use mlirbc::{Attribute, Module, Type, WriteOptions};
//! let mut editor = Editor::new(Module::from_bytes(mlirbc::doc_example())?)?;
//! let module = editor.operation()?;
//! let body = editor.body(module)?;
//! let first = editor.operations(body)?[0];
//! editor.set_location(first, &Attribute::parse("loc(\"here\")")?)?;
//! let new = NewOperation { operands: editor.results(first)?, ..NewOperation::new("t.u") };
//! editor.create(&new, InsertionPoint::After(first))?;
//! let mut bytes = Vec::new();
//! editor.write(&mut bytes, &WriteOptions::default())?;
//! assert_eq!(Module::from_bytes(bytes)?.operation()?.pre_order().count(), 5);
//! # Ok::<(), mlirbc::Error>(())
//! ```

pub(crate) mod arena;
mod attributes;
mod builder;
mod clone_checks;
pub(crate) mod clone_into;
mod copied_entries;
mod definition_order;
mod definitions;
mod detached_operation;
mod drafts;
mod external_resources;
pub(crate) mod fragment;
mod hook_versions;
mod imported_resources;
mod operations;
pub(crate) mod parsed_operations;
mod properties;
mod property_references;
mod property_versions;
mod queries;
mod release_encodings;
mod rename;
mod reshape;
mod resource_sizes;
mod resources;
mod segments;
pub(crate) mod symbol;
pub(crate) mod tables;
mod template;
#[cfg(test)]
mod tests;
mod transaction;
mod use_orders;
mod verify;
mod versions;
mod written_versions;

use std::collections::HashMap;
use std::sync::Arc;

use crate::attr::{Attribute, FieldValue, Type};
use crate::ir::id::{BlockId, BodyId, OpId, RegionId, ValueId};
use crate::ir::module::Module;
use crate::ir::verify::operations::rules::Rules;
use crate::wire::bytes::Bytes;
use crate::wire::error::{Error, ErrorKind, Result};

pub use attributes::EditAttribute;
pub use builder::Builder;
pub use clone_into::{CloneOptions, ClonePart};
pub use operations::{InsertionPoint, NewOperation};
pub use property_references::{PossibleReference, PropertyReference};
pub use queries::{EditProperties, FileShape};
pub use rename::{NewProperties, TableNumbering};
pub use resources::{NewResource, ResourceContent, ResourceGroup};
pub use transaction::Checkpoint;

use arena::{Arena, ArenaBlock, ArenaOp, ArenaRegion, ArenaValue, Loaded, ROOT, Regions};
use clone_checks::SymbolIndex;
use drafts::Drafts;
use tables::Tables;
use transaction::{History, Kind};

pub(crate) use resources::ResourceEdits;

/// A handle of an item of an edited module.
pub trait Handle: Copy + sealed::Sealed {
    /// Creates the handle of the item with a number in the editor with a [number](Editor::number).
    #[doc(hidden)]
    fn new(item: u32, editor: u32) -> Self;
}

mod sealed {
    pub trait Sealed {
        /// The index of the item in the arena.
        type ArenaIndex;

        fn of_row(row: Self::ArenaIndex, editor: u32) -> Self;
    }
}

/// Defines handles; a macro because several distinct types have the same body.
macro_rules! handles {
    ($($(#[$doc:meta])* $name:ident, $row:ident;)*) => {$(
        $(#[$doc])*
        ///
        /// Valid for the editor that created it, through all edits: erased items are marked, and numbers are
        /// not reused. Another editor refuses the handle with [`ErrorKind::Edit`].
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name {
            row: $row,
            editor: u32,
        }

        impl $name {
            /// Returns the number of the item in its editor, for [`Editor::handle`].
            #[doc(hidden)]
            pub fn to_bits(self) -> u32 {
                self.row.number()
            }

            /// Returns the index of the item in the arena.
            pub(crate) fn row(self) -> $row {
                self.row
            }
        }

        impl sealed::Sealed for $name {
            type ArenaIndex = $row;

            fn of_row(row: $row, editor: u32) -> Self {
                Self { row, editor }
            }
        }

        impl Handle for $name {
            fn new(item: u32, editor: u32) -> Self {
                Self { row: $row::new(item), editor }
            }
        }
    )*};
}

handles! {
    /// An operation of an edited module.
    EditOp, ArenaOp;
    /// A block of an edited module.
    EditBlock, ArenaBlock;
    /// A region of an edited module.
    EditRegion, ArenaRegion;
    /// A value of an edited module.
    EditValue, ArenaValue;
}

/// A module with changes.
#[derive(Debug)]
pub struct Editor {
    pub(crate) base: Module,
    pub(crate) arena: Arena,
    pub(crate) tables: Tables,
    pub(crate) resources: ResourceEdits,
    loaded: HashMap<BodyId, Loaded>,
    history: History,
    /// The number of the editor in its handles; a copy with the same rows has the same number.
    number: u32,
    symbol_index: Option<SymbolIndex>,
    drafts: Drafts,
    /// The rules for new operations from the definitions of the release, by name.
    definition_rules: HashMap<Box<str>, Arc<Rules>>,
    /// The defaults of native properties by their text in the schema.
    defaults: HashMap<Box<str>, Attribute>,
    verifies: bool,
    checks_symbols: bool,
}

pub(crate) fn field_string(text: impl Into<Bytes>) -> FieldValue {
    FieldValue::String(text.into())
}

impl Editor {
    /// Creates an editor of a module, without changes.
    ///
    /// # Errors
    /// If a table of the file, or its top level, is malformed.
    ///
    /// ```
    /// use mlirbc::edit::Editor;
    /// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
    /// assert!(!Editor::new(module)?.is_changed());
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn new(module: Module) -> Result<Self> {
        // Edits change tables that code of a dialect must not see halfway.
        module.settle()?;
        let history = History::default();
        let mut this = Self {
            arena: Arena::new(),
            tables: Tables::new(module.clone())?,
            resources: ResourceEdits::default(),
            loaded: HashMap::new(),
            number: history.number(),
            history,
            symbol_index: None,
            drafts: Drafts::default(),
            definition_rules: HashMap::new(),
            defaults: HashMap::new(),
            verifies: true,
            checks_symbols: false,
            base: module,
        };
        this.load(BodyId::TOP_LEVEL)?;
        Ok(this)
    }

    /// Returns the handle of the item with a number, from `to_bits` of a handle of this editor.
    ///
    /// ```
    /// use mlirbc::edit::{EditOp, Editor};
    /// let editor = Editor::new(mlirbc::Module::from_bytes(mlirbc::doc_example())?)?;
    /// let top = editor.operation()?;
    /// assert_eq!(editor.handle::<EditOp>(top.to_bits()), top);
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    #[doc(hidden)]
    pub fn handle<H: Handle>(&self, number: u32) -> H {
        H::new(number, self.number)
    }

    /// Returns the handle of a row of the arena.
    pub(crate) fn handle_of<H: Handle>(&self, row: H::ArenaIndex) -> H {
        H::of_row(row, self.number)
    }

    /// Returns the number of this editor, which its handles carry.
    #[doc(hidden)]
    pub fn number(&self) -> u32 {
        self.number
    }

    /// Returns the unchanged module.
    pub fn base(&self) -> &Module {
        &self.base
    }

    /// Returns whether there are changes to write.
    pub fn is_changed(&self) -> bool {
        let root = self.arena.detail(ROOT).is_some_and(|detail| !detail.is_as_in_file());
        let tables = &self.tables;
        root || self.resources.is_changed() || !tables.replaced.is_empty() || !tables.versions.is_empty()
    }

    /// Sets whether [`Self::write`] and [`Self::save`] verify the changes first; by default they do.
    #[doc(hidden)]
    pub fn set_verification(&mut self, structure: bool, symbols: bool) {
        (self.verifies, self.checks_symbols) = (structure, symbols);
    }

    /// Returns the arguments of the last call of [`Self::set_verification`].
    pub(crate) fn verification(&self) -> (bool, bool) {
        (self.verifies, self.checks_symbols)
    }

    // ---- from handles of the module ----

    /// Returns the rows of a body, which is copied on first use, after the bodies around it.
    pub(crate) fn load(&mut self, body: BodyId) -> Result<Loaded> {
        let mut missing = Vec::new();
        let mut next = Some(body);
        while let Some(body) = next.filter(|body| !self.loaded.contains_key(body)) {
            missing.push(body);
            let slot = self.base.slot(body);
            let slot = slot.ok_or_else(|| no_such("a body of this module", body.number()))?;
            next = slot.parent.map(|parent| parent.0);
        }
        while let Some(body) = missing.pop() {
            let parent = self.base.slot(body).and_then(|slot| slot.parent);
            let op = match parent {
                Some((parent, op)) => match self.loaded.get(&parent) {
                    Some(loaded) => loaded.first_op.plus(op.number()),
                    None => return Err(no_such("a body of this module", parent.number())),
                },
                None => ROOT,
            };
            if self.arena.is_erased(op) {
                return Err(erased("an operation"));
            }
            let base = self.base.clone();
            let columns = base.body(body)?;
            self.tables.budget.spend(Arena::bytes(columns))?;
            let rows = self.arena.load(op, columns)?;
            self.history.loaded(op, body, rows);
            self.loaded.insert(body, rows);
        }
        self.loaded.get(&body).copied().ok_or_else(|| no_such("a body of this module", body.number()))
    }

    /// Copies the regions of an op if they are not loaded yet.
    pub(crate) fn load_regions(&mut self, op: ArenaOp) -> Result<()> {
        let Some(detail) = self.arena.detail(op) else { return Ok(()) };
        let (Regions::InFile(_), Some(origin)) = (&detail.regions, detail.origin) else { return Ok(()) };
        if detail.is_original {
            return self.load(origin).map(drop);
        }
        // A copy of the op has separate rows.
        let base = self.base.clone();
        let columns = base.body(origin)?;
        self.tables.budget.spend(Arena::bytes(columns))?;
        let rows = self.arena.load(op, columns)?;
        self.history.loaded(op, origin, rows);
        Ok(())
    }

    /// Returns an operation of the module, by the ids of its handle.
    ///
    /// # Errors
    /// [`ErrorKind::Erased`] if the operation was erased, and if its body cannot be read.
    pub fn op(&mut self, body: BodyId, op: OpId) -> Result<EditOp> {
        let loaded = self.load(body)?;
        if op.index() >= self.base.body(body)?.len() {
            return Err(no_such("an operation of this body", op.number()));
        }
        self.live(self.handle_of(loaded.first_op.plus(op.number()))).map(|row| self.handle_of(row))
    }

    /// Returns a block of the module, by the ids of its handle.
    ///
    /// # Errors
    /// As [`Self::op`].
    pub fn block(&mut self, body: BodyId, block: BlockId) -> Result<EditBlock> {
        let loaded = self.load(body)?;
        if block.index() >= self.base.body(body)?.blocks.len() {
            return Err(no_such("a block of this body", block.number()));
        }
        self.live_block(self.handle_of(loaded.first_block.plus(block.number())))
            .map(|row| self.handle_of(row))
    }

    /// Returns a region of the module, by the ids of its handle.
    ///
    /// # Errors
    /// As [`Self::op`].
    pub fn region(&mut self, body: BodyId, region: RegionId) -> Result<EditRegion> {
        let loaded = self.load(body)?;
        if region.index() >= self.base.body(body)?.regions.len() {
            return Err(no_such("a region of this body", region.number()));
        }
        self.live_region(self.handle_of(loaded.first_region.plus(region.number())))
            .map(|row| self.handle_of(row))
    }

    /// Returns a value of the module, by the ids of its handle.
    ///
    /// # Errors
    /// As [`Self::op`].
    pub fn value(&mut self, body: BodyId, value: ValueId) -> Result<EditValue> {
        let loaded = self.load(body)?;
        let columns = self.base.body(body)?;
        let count = if value.is_argument() { columns.argument_type.len() } else { columns.result_type.len() };
        if value.row() >= count {
            return Err(no_such("a value of this body", value.to_bits()));
        }
        self.live_value(self.handle_of(loaded.value(value))).map(|row| self.handle_of(row))
    }

    /// Returns the top-level operation.
    ///
    /// # Errors
    /// [`ErrorKind::TopLevel`] if there is not exactly one.
    pub fn operation(&self) -> Result<EditOp> {
        let block = self.top_level();
        match self.operations(block)?[..] {
            [only] => Ok(only),
            ref ops => {
                let count = format!("`{}`", ops.len());
                Err(Error::new(ErrorKind::TopLevel, "one top-level operation", count))
            }
        }
    }

    /// Returns the block of the top-level operations.
    #[doc(hidden)]
    pub fn top_level(&self) -> EditBlock {
        self.handle_of(self.top_block().unwrap_or(ArenaBlock::PAST_TABLES))
    }

    /// Returns the block of the top-level operations in the arena.
    pub(crate) fn top_block(&self) -> Option<ArenaBlock> {
        let region = self.arena.loaded_regions(ROOT).first()?;
        self.arena.region(*region).blocks.first().copied()
    }

    // ---- erased items ----

    pub(crate) fn live(&self, op: EditOp) -> Result<ArenaOp> {
        self.check_editor("an operation", op.editor)?;
        match self.arena.ops.get(op.row.index()) {
            Some(row) if row.name.is_some() && op.row != ROOT => Ok(op.row),
            _ => Err(self.history.gone("an operation", Kind::Op, op.row.number())),
        }
    }

    pub(crate) fn live_block(&self, block: EditBlock) -> Result<ArenaBlock> {
        self.check_editor("a block", block.editor)?;
        match self.arena.blocks.get(block.row.index()) {
            Some(row) if !row.is_erased => Ok(block.row),
            _ => Err(self.history.gone("a block", Kind::Block, block.row.number())),
        }
    }

    pub(crate) fn live_region(&self, region: EditRegion) -> Result<ArenaRegion> {
        self.check_editor("a region", region.editor)?;
        match self.arena.regions.get(region.row.index()) {
            Some(row) if row.op.is_some_and(|op| !self.arena.is_erased(op)) => Ok(region.row),
            _ => Err(self.history.gone("a region", Kind::Region, region.row.number())),
        }
    }

    pub(crate) fn live_value(&self, value: EditValue) -> Result<ArenaValue> {
        self.check_editor("a value", value.editor)?;
        match self.arena.values.get(value.row.index()) {
            Some(row) if !row.is_erased() => Ok(value.row),
            _ => Err(self.history.gone("a value", Kind::Value, value.row.number())),
        }
    }

    fn check_editor(&self, item: &str, editor: u32) -> Result<()> {
        match editor == self.number {
            true => Ok(()),
            false => Err(foreign(item)),
        }
    }

    /// Returns whether an operation was erased.
    pub fn is_erased(&self, op: EditOp) -> bool {
        self.live(op).is_err()
    }

    // ---- queries ----

    /// Returns the name of an operation.
    ///
    /// # Errors
    /// If the operation was erased.
    pub fn name(&self, op: EditOp) -> Result<String> {
        Ok(self.name_text(self.live(op)?))
    }

    /// Returns the location of an operation.
    ///
    /// # Errors
    /// If the operation was erased.
    pub fn location(&self, op: EditOp) -> Result<Attribute> {
        self.tables.attribute_value(self.arena.op(self.live(op)?).location)
    }

    /// Returns the operands of an operation.
    ///
    /// # Errors
    /// If the operation was erased.
    pub fn operands(&self, op: EditOp) -> Result<Vec<EditValue>> {
        Ok(self.arena.operands(self.live(op)?).map(|row| self.handle_of(row)).collect())
    }

    /// Returns the results of an operation.
    ///
    /// # Errors
    /// If the operation was erased.
    pub fn results(&self, op: EditOp) -> Result<Vec<EditValue>> {
        Ok(self.arena.results(self.live(op)?).map(|row| self.handle_of(row)).collect())
    }

    /// Returns the successors of an operation.
    ///
    /// # Errors
    /// If the operation was erased.
    pub fn successors(&self, op: EditOp) -> Result<Vec<EditBlock>> {
        Ok(self.arena.successors(self.live(op)?).iter().copied().map(|row| self.handle_of(row)).collect())
    }

    /// Returns the regions of an operation; isolated ones are read on first use.
    ///
    /// # Errors
    /// If the operation was erased or its regions cannot be read.
    pub fn regions(&mut self, op: EditOp) -> Result<Vec<EditRegion>> {
        let op = self.live(op)?;
        self.load_regions(op)?;
        Ok(self.arena.loaded_regions(op).iter().copied().map(|row| self.handle_of(row)).collect())
    }

    /// Returns the number of regions of an operation, without reading them.
    ///
    /// # Errors
    /// If the operation was erased.
    #[doc(hidden)]
    pub fn region_count(&self, op: EditOp) -> Result<u32> {
        Ok(self.arena.region_count(self.live(op)?))
    }

    /// Returns the first block of the first region, e.g. of a module or a function.
    ///
    /// # Errors
    /// [`ErrorKind::Edit`] if there is none, and as [`Self::regions`].
    pub fn body(&mut self, op: EditOp) -> Result<EditBlock> {
        let region = self.regions(op)?.first().copied();
        let block = region.and_then(|region| self.arena.region(region.row()).blocks.first().copied());
        block.map(|row| self.handle_of(row)).ok_or_else(|| {
            let actual = format!("{} without one", self.name_text(op.row()));
            Error::new(ErrorKind::Edit, "an operation with a block", actual)
        })
    }

    /// Returns the enclosing operation; `None` for a top-level or a detached one.
    ///
    /// # Errors
    /// If the operation was erased.
    pub fn parent(&self, op: EditOp) -> Result<Option<EditOp>> {
        Ok(self.arena.parent(self.live(op)?).filter(|&parent| parent != ROOT).map(|row| self.handle_of(row)))
    }

    /// Returns the block of an operation; `None` for a detached one.
    ///
    /// # Errors
    /// If the operation was erased.
    pub fn block_of(&self, op: EditOp) -> Result<Option<EditBlock>> {
        Ok(self.arena.op(self.live(op)?).block.map(|row| self.handle_of(row)))
    }

    /// Returns the blocks of a region.
    ///
    /// # Errors
    /// If its operation was erased.
    pub fn blocks(&self, region: EditRegion) -> Result<Vec<EditBlock>> {
        let region = self.live_region(region)?;
        Ok(self.arena.region(region).blocks.iter().copied().map(|row| self.handle_of(row)).collect())
    }

    /// Returns the operation that owns a region.
    ///
    /// # Errors
    /// If the region was erased.
    #[doc(hidden)]
    pub fn owner_of_region(&self, region: EditRegion) -> Result<Option<EditOp>> {
        let op = self.arena.region(self.live_region(region)?).op;
        Ok(op.filter(|&op| op != ROOT).map(|row| self.handle_of(row)))
    }

    /// Returns the region of a block; `None` for a detached one.
    ///
    /// # Errors
    /// If the block was erased.
    pub fn region_of(&self, block: EditBlock) -> Result<Option<EditRegion>> {
        let region = self.arena.block(self.live_block(block)?).region;
        Ok(region.map(|row| self.handle_of(row)))
    }

    /// Returns the number of a region within its operation.
    ///
    /// # Errors
    /// If its operation was erased.
    #[doc(hidden)]
    pub fn region_number(&self, region: EditRegion) -> Result<u32> {
        let region = self.live_region(region)?;
        let op = self.arena.region(region).op;
        let regions = op.map_or(&[][..], |op| self.arena.loaded_regions(op));
        Ok(regions.iter().position(|&other| other == region).unwrap_or(0) as u32)
    }

    /// Returns the operations of a block.
    ///
    /// # Errors
    /// If the block was erased.
    pub fn operations(&self, block: EditBlock) -> Result<Vec<EditOp>> {
        Ok(self.arena.ops_of(self.live_block(block)?).map(|row| self.handle_of(row)).collect())
    }

    /// Returns the last operation of a block, without listing the others.
    ///
    /// # Errors
    /// If the block was erased.
    #[doc(hidden)]
    pub fn last_operation(&self, block: EditBlock) -> Result<Option<EditOp>> {
        let last = self.arena.block(self.live_block(block)?).last_op;
        Ok(last.map(|row| self.handle_of(row)))
    }

    /// Returns the number of operations of a block.
    ///
    /// # Errors
    /// If the block was erased.
    #[doc(hidden)]
    pub fn operation_count(&self, block: EditBlock) -> Result<usize> {
        Ok(self.arena.block(self.live_block(block)?).ops as usize)
    }

    /// Returns how often operations were inserted into blocks or removed: a list of the operations of a block
    /// is valid until this number changes.
    #[doc(hidden)]
    pub fn moves(&self) -> u64 {
        self.arena.moves
    }

    /// Returns the arguments of a block.
    ///
    /// # Errors
    /// If the block was erased.
    pub fn arguments(&self, block: EditBlock) -> Result<Vec<EditValue>> {
        let block = self.live_block(block)?;
        Ok(self.arena.block(block).arguments.iter().copied().map(|row| self.handle_of(row)).collect())
    }

    /// Returns the type of a value.
    ///
    /// # Errors
    /// If the value was erased.
    pub fn value_type(&self, value: EditValue) -> Result<Type> {
        self.tables.type_value(self.arena.value(self.live_value(value)?).r#type())
    }

    /// Returns the operation of a result, or the block of an argument, and the number of the value in it.
    ///
    /// # Errors
    /// If the value was erased.
    pub fn definition(&self, value: EditValue) -> Result<(Result<EditOp, EditBlock>, usize)> {
        let value = self.live_value(value)?;
        let row = self.arena.value(value);
        if let Some(block) = row.block() {
            let arguments = &self.arena.block(block).arguments;
            // New arguments have higher numbers, and are last unless they were inserted.
            let search = || arguments.iter().position(|&other| other == value);
            let place = arguments.binary_search(&value).ok().or_else(search).unwrap_or_default();
            return Ok((Err(self.handle_of(block)), place));
        }
        let op = row.op().ok_or_else(|| erased("the operation of the value"))?;
        let number = match self.arena.op(op).first_result {
            None => self.arena.results(op).position(|result| result == value).unwrap_or_default(),
            Some(first) => value.since(first) as usize,
        };
        Ok((Ok(self.handle_of(op)), number))
    }

    /// Returns the uses of a value as operations and operand numbers, the newest first.
    ///
    /// # Errors
    /// If the value was erased.
    pub fn uses(&self, value: EditValue) -> Result<Vec<(EditOp, usize)>> {
        let uses = self.arena.uses_of(self.live_value(value)?);
        Ok(uses
            .map(|slot| {
                let op = self.arena.uses[slot.index()].op;
                (self.handle_of(op), slot.since(self.arena.op(op).first_use) as usize)
            })
            .collect())
    }

    /// Returns the path to an op, for messages: `func.func @main > arith.addi`.
    pub(crate) fn path(&self, op: ArenaOp) -> String {
        let around = |&op: &ArenaOp| self.arena.parent(op).filter(|&op| op != ROOT);
        let steps: Vec<ArenaOp> = std::iter::successors(Some(op), around).collect();
        crate::file::shorten(&steps, |&op| {
            let symbol = self.string_named(op, b"sym_name").ok().flatten();
            let symbol = symbol.map(|name| format!(" @{}", String::from_utf8_lossy(&name)));
            format!("{}{}", self.name_text(op), symbol.unwrap_or_default())
        })
    }
}

#[cold]
fn foreign(item: &str) -> Error {
    let message = format!("{item} belongs to another editor");
    Error::message(ErrorKind::Edit, message).with_hint("clone it from that editor first")
}

#[cold]
pub(crate) fn erased(item: &str) -> Error {
    Error::message(ErrorKind::Erased, format!("{item} was erased"))
}

#[cold]
fn no_such(item: &'static str, index: u32) -> Error {
    Error::new(ErrorKind::Index, item, format!("`{index}`"))
}
