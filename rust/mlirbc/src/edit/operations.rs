//! Creating, moving, copying and erasing ops, blocks and regions, and changing their references.

use std::collections::{HashMap, HashSet};

use crate::attr::{Attribute, Type};
use crate::wire::error::{Error, ErrorKind, Result};

use super::arena::{Arena, BlockRow, Detail, NONE, OpRow, ROOT, RegionRow, Regions, Step, ValueRow, Walker};
use super::{EditBlock, EditOp, EditRegion, EditValue, Editor};

/// Where an operation is inserted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InsertionPoint {
    /// Before all operations of the block.
    AtBegin(EditBlock),
    /// After all operations of the block.
    AtEnd(EditBlock),
    /// Before an operation.
    Before(EditOp),
    /// After an operation.
    After(EditOp),
}

/// An operation to create.
///
/// ```
/// use mlirbc::edit::NewOperation;
/// let new = NewOperation { regions: 1, ..NewOperation::new("scf.execute_region") };
/// assert!(new.operands.is_empty());
/// ```
#[derive(Debug, Clone, Default)]
pub struct NewOperation {
    /// `dialect.name`
    pub name: String,
    /// The operands.
    pub operands: Vec<EditValue>,
    /// The types of its results.
    pub results: Vec<Type>,
    /// Attributes by name, properties included.
    pub attributes: Vec<(Vec<u8>, Attribute)>,
    /// The successors.
    pub successors: Vec<EditBlock>,
    /// The number of regions, each without blocks.
    pub regions: usize,
    /// The location; unknown by default.
    pub location: Option<Attribute>,
}

impl NewOperation {
    /// Creates a description with only a name.
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), ..Self::default() }
    }
}

impl Editor {
    // ---- creation ----

    /// Creates an operation and inserts it. Missing segment sizes are computed if only one division of the
    /// operands and results is possible.
    ///
    /// # Errors
    /// [`ErrorKind::Value`] if a property is missing or does not accept its value, segment sizes are
    /// required, or the name is invalid; [`ErrorKind::Erased`] if an operand, a successor or the insertion
    /// point was erased.
    ///
    /// ```
    /// use mlirbc::edit::{Editor, InsertionPoint, NewOperation};
    /// let mut editor = Editor::new(mlirbc::Module::from_bytes(mlirbc::doc_example())?)?;
    /// let module = editor.operation()?;
    /// let body = editor.body(module)?;
    /// let op = editor.create(&NewOperation::new("t.c"), InsertionPoint::AtEnd(body))?;
    /// assert_eq!(editor.operations(body)?[2], op);
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn create(&mut self, new: &NewOperation, at: InsertionPoint) -> Result<EditOp> {
        self.place(at)?;
        let op = self.create_detached(new)?;
        self.insert(op, at)?;
        Ok(op)
    }

    /// Creates a detached operation.
    ///
    /// # Errors
    /// As [`Self::create`].
    pub fn create_detached(&mut self, new: &NewOperation) -> Result<EditOp> {
        for &operand in &new.operands {
            self.live_value(operand)?;
        }
        let mut successors = Vec::with_capacity(new.successors.len());
        for &block in &new.successors {
            successors.push(self.live_block(block)?);
        }
        let name = self.tables.op_name(new.name.as_bytes())?;
        let location = match &new.location {
            Some(location) => self.location_index(location)?,
            None => self.tables.unknown_location()?,
        };
        let mut types = Vec::with_capacity(new.results.len());
        for r#type in &new.results {
            types.push(self.tables.import_type(r#type)?);
        }
        let mut attributes = Vec::with_capacity(new.attributes.len());
        for (name, value) in &new.attributes {
            attributes.push((&**name, self.tables.import_attribute(value)?, value));
        }
        let implied = self.implied_segments(name, new)?;
        for (name, value) in &implied {
            attributes.push((name.as_bytes(), self.tables.import_attribute(value)?, value));
        }
        let op = self.push_op(name, location, &types)?;
        if let Err(error) = self.edit_attributes(op, &attributes, &[], true) {
            self.forget(op);
            return Err(error);
        }
        self.push_operands(op, new.operands.iter().map(|value| value.0))?;
        if !successors.is_empty() || new.regions > 0 {
            let rows = new.regions.saturating_mul(size_of::<RegionRow>());
            self.tables.budget.spend(rows.saturating_add(size_of::<Detail>()))?;
            let first = self.arena.regions.len() as u32;
            for _ in 0..new.regions {
                self.arena.regions.push(RegionRow { op, blocks: Vec::new(), depth: NONE });
            }
            let regions = Regions::Loaded((first..first + new.regions as u32).collect());
            *self.arena.detail_mut(op) = Detail { regions, is_new: true, ..Detail::new() };
            self.arena.set_successors(op, successors);
        }
        Ok(EditOp(op))
    }

    pub(super) fn push_op(&mut self, name: u32, location: u32, types: &[u32]) -> Result<u32> {
        let limit = crate::ir::id::ValueId::CAPACITY;
        if self.arena.ops.len() >= limit || self.arena.values.len() + types.len() >= limit {
            let message = "edited bodies cannot have 2^31 operations or values";
            return Err(Error::message(ErrorKind::MemoryLimit, message));
        }
        self.tables.budget.spend(Arena::bytes_of(1, types.len(), 0))?;
        let op = self.arena.ops.len() as u32;
        let first_result = self.arena.values.len() as u32;
        for &r#type in types {
            self.arena.values.push(value_row(r#type, op, false, NONE));
        }
        self.arena.ops.push(OpRow {
            name,
            location,
            attributes: NONE,
            properties: NONE,
            block: NONE,
            prev: NONE,
            next: NONE,
            first_result,
            results: types.len() as u32,
            first_use: self.arena.uses.len() as u32,
            operands: 0,
            detail: NONE,
        });
        Ok(op)
    }

    // Sets the operands of an op, reusing its rows if they suffice.
    pub(super) fn push_operands(
        &mut self,
        op: u32,
        values: impl ExactSizeIterator<Item = u32>,
    ) -> Result<()> {
        let row = self.arena.op(op);
        let old = row.first_use..row.first_use + row.operands;
        let (count, known) = (values.len(), old.len());
        let is_last = old.end as usize == self.arena.uses.len();
        let mut first = old.start;
        if count > known {
            let new = if is_last { count - known } else { count };
            self.tables.budget.spend(Arena::bytes_of(0, 0, new))?;
            if !is_last {
                first = self.arena.uses.len() as u32;
            }
        }
        for slot in old {
            self.arena.set_use(slot, NONE);
        }
        for (slot, value) in (first..).zip(values) {
            match (slot as usize) < self.arena.uses.len() {
                true => self.arena.set_use(slot, value),
                false => self.arena.push_use(value, op),
            }
        }
        let row = self.arena.op_mut(op);
        (row.first_use, row.operands) = (first, count as u32);
        Ok(())
    }

    pub(super) fn location_index(&mut self, location: &Attribute) -> Result<u32> {
        let index = self.tables.import_attribute(location)?;
        let view = self.tables.view()?;
        if !crate::props::class::Class::Location.fits(index, &view) {
            return Err(Error::new(
                ErrorKind::Value,
                "a location",
                format!("`{}`", crate::attr::brief(&location.0)),
            ));
        }
        Ok(index)
    }

    /// Adds a block to a region, before the block with that number or at the end.
    ///
    /// # Errors
    /// If the region was erased; [`ErrorKind::Index`] for a number past the end.
    ///
    /// ```
    /// use mlirbc::{Type, edit::{Editor, InsertionPoint, NewOperation}};
    /// let mut editor = Editor::new(mlirbc::Module::from_bytes(mlirbc::doc_example())?)?;
    /// let module = editor.operation()?;
    /// let body = editor.body(module)?;
    /// let new = NewOperation { regions: 1, ..NewOperation::new("t.r") };
    /// let op = editor.create(&new, InsertionPoint::AtEnd(body))?;
    /// let region = editor.regions(op)?[0];
    /// let block = editor.add_block(region, None, &[Type::parse("i8")?])?;
    /// assert_eq!(editor.arguments(block)?.len(), 1);
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn add_block(
        &mut self,
        region: EditRegion,
        before: Option<usize>,
        arguments: &[Type],
    ) -> Result<EditBlock> {
        let region = self.live_region(region)?;
        if self.is_outermost(region) {
            return Err(Error::message(ErrorKind::Edit, "the top-level region cannot have another block"));
        }
        let count = self.arena.region(region).blocks.len();
        let place = before.unwrap_or(count);
        if place > count {
            let message = format!("block index `{place}` is out of range: the region has `{count}` blocks");
            return Err(Error::message(ErrorKind::Index, message));
        }
        self.tables.budget.spend(size_of::<BlockRow>() + 8)?;
        let block = self.arena.blocks.len() as u32;
        self.arena.blocks.push(BlockRow {
            region,
            first_op: NONE,
            last_op: NONE,
            ops: 0,
            arguments: Vec::new(),
            is_erased: false,
            number: place as u32,
            edges: 0,
        });
        for r#type in arguments {
            if let Err(error) = self.add_argument(EditBlock(block), r#type, None) {
                self.arena.block_mut(block).is_erased = true;
                return Err(error);
            }
        }
        self.arena.regions[region as usize].blocks.insert(place, block);
        self.arena.touch_block(block);
        Ok(EditBlock(block))
    }

    /// Adds an argument to a block; its location is unknown by default.
    ///
    /// # Errors
    /// If the block was erased, or the type or location cannot be copied.
    ///
    /// ```
    /// use mlirbc::{Type, edit::Editor};
    /// let mut editor = Editor::new(mlirbc::Module::from_bytes(mlirbc::doc_example())?)?;
    /// let module = editor.operation()?;
    /// let body = editor.body(module)?;
    /// let outer = editor.operations(body)?[1];
    /// let block = editor.body(outer)?;
    /// editor.add_argument(block, &Type::parse("i8")?, None)?;
    /// assert_eq!(editor.arguments(block)?.len(), 2);
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn add_argument(
        &mut self,
        block: EditBlock,
        r#type: &Type,
        location: Option<&Attribute>,
    ) -> Result<EditValue> {
        let block = self.live_block(block)?;
        if self.is_outermost(self.arena.blocks.get(block as usize).map_or(NONE, |row| row.region)) {
            return Err(Error::message(ErrorKind::Edit, "the top-level block cannot have arguments"));
        }
        let r#type = self.tables.import_type(r#type)?;
        let location = self.argument_location(location)?;
        self.tables.budget.spend(Arena::bytes_of(0, 1, 0) + 8)?;
        let value = self.arena.values.len() as u32;
        self.arena.values.push(value_row(r#type, block, true, location));
        self.arena.block_mut(block).arguments.push(value);
        self.arena.touch_block(block);
        Ok(EditValue(value))
    }

    // The top-level region does not belong to an operation: it has one block, without arguments.
    pub(super) fn is_outermost(&self, region: u32) -> bool {
        self.arena.regions.get(region as usize).is_some_and(|region| region.op == ROOT)
    }

    pub(super) fn argument_location(&mut self, location: Option<&Attribute>) -> Result<u32> {
        let unknown = self.tables.unknown_location()?;
        let index = match location {
            Some(location) => self.location_index(location)?,
            None => unknown,
        };
        let is_left_out =
            index == unknown && self.base.bytecode().version().elides_unknown_argument_locations();
        Ok(if is_left_out { NONE } else { index })
    }

    // ---- changes ----

    /// Sets the location of an operation.
    ///
    /// # Errors
    /// [`ErrorKind::Value`] if the attribute is not a location, and if the op was erased.
    pub fn set_location(&mut self, op: EditOp, location: &Attribute) -> Result<()> {
        let op = self.live(op)?;
        self.arena.op_mut(op).location = self.location_index(location)?;
        self.arena.touch(op);
        Ok(())
    }

    /// Sets the location of a block argument.
    ///
    /// # Errors
    /// [`ErrorKind::Edit`] for a result, which has the location of its operation, and as
    /// [`Self::set_location`].
    pub fn set_argument_location(&mut self, value: EditValue, location: &Attribute) -> Result<()> {
        let value = self.live_value(value)?;
        if !self.arena.value(value).is_argument {
            let message = "a result has the location of its operation; only block arguments have their own";
            return Err(Error::message(ErrorKind::Edit, message));
        }
        self.arena.values[value as usize].location = self.argument_location(Some(location))?;
        self.arena.touch_value(value);
        Ok(())
    }

    /// Sets the type of a value.
    ///
    /// # Errors
    /// If the value was erased, or the type cannot be copied.
    pub fn set_type(&mut self, value: EditValue, r#type: &Type) -> Result<()> {
        let value = self.live_value(value)?;
        self.arena.values[value as usize].r#type = self.tables.import_type(r#type)?;
        self.arena.touch_value(value);
        Ok(())
    }

    /// Replaces an operand.
    ///
    /// # Errors
    /// [`ErrorKind::Index`] if the op has no such operand, and if the op or the value was erased.
    ///
    /// ```
    /// use mlirbc::edit::Editor;
    /// let mut editor = Editor::new(mlirbc::Module::from_bytes(mlirbc::doc_example())?)?;
    /// let module = editor.operation()?;
    /// let body = editor.body(module)?;
    /// let outer = editor.operations(body)?[1];
    /// let block = editor.body(outer)?;
    /// let (user, argument) = (editor.operations(block)?[0], editor.arguments(block)?[0]);
    /// editor.set_operand(user, 1, argument)?;
    /// assert_eq!(editor.operands(user)?, [argument, argument]);
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn set_operand(&mut self, op: EditOp, number: usize, value: EditValue) -> Result<()> {
        let (op, value) = (self.live(op)?, self.live_value(value)?);
        let row = self.arena.op(op);
        if number >= row.operands as usize {
            let (name, count) = (self.name_text(op), row.operands);
            let message = format!("operand index `{number}` is out of range: {name} has `{count}` operands");
            return Err(Error::message(ErrorKind::Index, message));
        }
        let slot = row.first_use + number as u32;
        self.arena.set_use(slot, value);
        self.arena.touch(op);
        Ok(())
    }

    /// Replaces all operands of an operation; segment sizes, if there are any, must be set by the caller.
    ///
    /// # Errors
    /// If the operation or a value was erased.
    pub fn set_operands(&mut self, op: EditOp, values: &[EditValue]) -> Result<()> {
        let op = self.live(op)?;
        for &value in values {
            self.live_value(value)?;
        }
        self.push_operands(op, values.iter().map(|value| value.0))?;
        self.arena.touch(op);
        Ok(())
    }

    /// Replaces a successor.
    ///
    /// # Errors
    /// [`ErrorKind::Index`] if the op has no such successor, and if the op or the block was erased.
    pub fn set_successor(&mut self, op: EditOp, number: usize, block: EditBlock) -> Result<()> {
        let (op, block) = (self.live(op)?, self.live_block(block)?);
        let count = self.arena.successors(op).len();
        if number >= count {
            let name = self.name_text(op);
            let message =
                format!("successor index `{number}` is out of range: {name} has `{count}` successors");
            return Err(Error::message(ErrorKind::Index, message));
        }
        self.arena.set_successor(op, number, block);
        self.arena.touch(op);
        Ok(())
    }

    /// Replaces all uses of one value by uses of another.
    ///
    /// # Errors
    /// If one of them was erased.
    ///
    /// ```
    /// use mlirbc::edit::Editor;
    /// let mut editor = Editor::new(mlirbc::Module::from_bytes(mlirbc::doc_example())?)?;
    /// let module = editor.operation()?;
    /// let body = editor.body(module)?;
    /// let ops = editor.operations(body)?;
    /// let block = editor.body(ops[1])?;
    /// let (value, argument) = (editor.results(ops[0])?[0], editor.arguments(block)?[0]);
    /// editor.replace_all_uses_with(value, argument)?;
    /// assert!(editor.uses(value)?.is_empty());
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn replace_all_uses_with(&mut self, value: EditValue, with: EditValue) -> Result<()> {
        let (value, with) = (self.live_value(value)?, self.live_value(with)?);
        if value == with {
            return Ok(());
        }
        loop {
            let slot = self.arena.value(value).first_use;
            if slot == NONE {
                return Ok(());
            }
            self.arena.set_use(slot, with);
            self.arena.touch(self.arena.uses[slot as usize].op);
        }
    }

    // ---- insertion ----

    // The block, and the op that follows the insertion point.
    pub(super) fn place(&self, at: InsertionPoint) -> Result<(u32, u32)> {
        let beside = |op: EditOp| {
            let op = self.live(op)?;
            match self.arena.op(op).block {
                NONE => {
                    Err(Error::message(ErrorKind::Edit, format!("{} is not in a block", self.name_text(op))))
                }
                block => Ok((block, op)),
            }
        };
        Ok(match at {
            InsertionPoint::AtBegin(block) => {
                let block = self.live_block(block)?;
                (block, self.arena.block(block).first_op)
            }
            InsertionPoint::AtEnd(block) => (self.live_block(block)?, NONE),
            InsertionPoint::Before(op) => beside(op)?,
            InsertionPoint::After(op) => {
                let (block, op) = beside(op)?;
                (block, self.arena.op(op).next)
            }
        })
    }

    /// Inserts a detached operation.
    ///
    /// # Errors
    /// [`ErrorKind::Edit`] if it is already in a block, or the insertion point is inside it, and if something
    /// was erased.
    ///
    /// ```
    /// use mlirbc::edit::{Editor, InsertionPoint, NewOperation};
    /// let mut editor = Editor::new(mlirbc::Module::from_bytes(mlirbc::doc_example())?)?;
    /// let op = editor.create_detached(&NewOperation::new("t.c"))?;
    /// let module = editor.operation()?;
    /// let body = editor.body(module)?;
    /// editor.insert(op, InsertionPoint::AtBegin(body))?;
    /// assert_eq!(editor.operations(body)?[0], op);
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn insert(&mut self, op: EditOp, at: InsertionPoint) -> Result<()> {
        let op = self.live(op)?;
        if self.arena.op(op).block != NONE {
            let message = format!("{} is already in a block", self.path(op));
            return Err(Error::message(ErrorKind::Edit, message).with_hint("detach it first"));
        }
        let (block, next) = self.place(at)?;
        self.outside_of(op, block)?;
        self.arena.link(op, block, next);
        self.arena.touch(op);
        Ok(())
    }

    // An op cannot be inserted into itself.
    fn outside_of(&self, op: u32, block: u32) -> Result<()> {
        let mut owner = self.arena.owner_of_block(block);
        while let Some(outer) = owner {
            if outer == op {
                let message = format!("cannot move {} into itself", self.name_text(op));
                return Err(Error::message(ErrorKind::Edit, message));
            }
            owner = self.arena.parent(outer);
        }
        Ok(())
    }

    fn moved(&mut self, op: EditOp, at: InsertionPoint) -> Result<()> {
        let op = self.live(op)?;
        let (InsertionPoint::Before(beside) | InsertionPoint::After(beside)) = at else { return Ok(()) };
        if beside.0 == op {
            return Ok(());
        }
        let (block, _) = self.place(at)?;
        self.outside_of(op, block)?;
        self.arena.touch(op);
        self.arena.unlink(op);
        // Removing the op may have changed the insertion point.
        let (block, next) = self.place(at)?;
        self.arena.link(op, block, next);
        self.arena.touch(op);
        Ok(())
    }

    /// Moves an operation before another one, in any block.
    ///
    /// # Errors
    /// [`ErrorKind::Edit`] if the other one is inside it, or detached, and if one was erased.
    pub fn move_before(&mut self, op: EditOp, other: EditOp) -> Result<()> {
        self.moved(op, InsertionPoint::Before(other))
    }

    /// Moves an operation after another one, in any block.
    ///
    /// # Errors
    /// As [`Self::move_before`].
    pub fn move_after(&mut self, op: EditOp, other: EditOp) -> Result<()> {
        self.moved(op, InsertionPoint::After(other))
    }

    /// Removes an operation from its block, so that it can be inserted elsewhere. Detached operations are not
    /// written.
    ///
    /// # Errors
    /// If it was erased.
    pub fn detach(&mut self, op: EditOp) -> Result<()> {
        let op = self.live(op)?;
        self.arena.touch(op);
        self.arena.unlink(op);
        Ok(())
    }

    // ---- copying ----

    /// Creates a detached copy of an operation with its regions. Operands from outside are kept.
    ///
    /// # Errors
    /// If it was erased.
    ///
    /// ```
    /// use mlirbc::edit::{Editor, InsertionPoint};
    /// let mut editor = Editor::new(mlirbc::Module::from_bytes(mlirbc::doc_example())?)?;
    /// let module = editor.operation()?;
    /// let body = editor.body(module)?;
    /// let last = editor.operations(body)?[1];
    /// let copy = editor.clone_op(last)?;
    /// editor.insert(copy, InsertionPoint::After(last))?;
    /// let block = editor.body(copy)?;
    /// assert_eq!(editor.operations(block)?.len(), 1);
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn clone_op(&mut self, op: EditOp) -> Result<EditOp> {
        let op = self.live(op)?;
        let mut values = HashMap::new();
        let mut blocks = HashMap::new();
        let root = self.copy_head(op, &mut values)?;
        let mut pairs = vec![(op, root)];
        let mut open = vec![root];
        let (mut region, mut block) = (NONE, NONE);
        let mut outer = Vec::new();
        if !self.shares_regions(op) {
            let mut walker = Walker::inside(op);
            while let Some(step) = walker.next(&self.arena) {
                match step {
                    Step::Enter(op) => {
                        let copy = self.copy_head(op, &mut values)?;
                        self.arena.link(copy, block, NONE);
                        pairs.push((op, copy));
                        open.push(copy);
                        outer.push((region, block));
                        if self.shares_regions(op) {
                            walker.skip();
                        }
                    }
                    Step::BeginRegion(_) => {
                        self.tables.budget.spend(size_of::<RegionRow>() + 4)?;
                        let owner = open.last().copied().unwrap_or(root);
                        region = self.arena.regions.len() as u32;
                        self.arena.regions.push(RegionRow { op: owner, blocks: Vec::new(), depth: NONE });
                        if let Regions::Loaded(regions) = &mut self.arena.detail_mut(owner).regions {
                            regions.push(region);
                        }
                    }
                    Step::BeginBlock(of) => {
                        let arguments = self.arena.block(of).arguments.len();
                        self.tables.budget.spend(size_of::<BlockRow>() + Arena::bytes_of(0, arguments, 0))?;
                        block = self.arena.blocks.len() as u32;
                        blocks.insert(of, block);
                        let old = std::mem::take(&mut self.arena.block_mut(of).arguments);
                        let mut arguments = Vec::with_capacity(old.len());
                        for &value in &old {
                            let ValueRow { r#type, location, .. } = *self.arena.value(value);
                            let copy = self.arena.values.len() as u32;
                            self.arena.values.push(value_row(r#type, block, true, location));
                            values.insert(value, copy);
                            arguments.push(copy);
                        }
                        self.arena.block_mut(of).arguments = old;
                        self.arena.blocks.push(BlockRow {
                            region,
                            first_op: NONE,
                            last_op: NONE,
                            ops: 0,
                            arguments,
                            is_erased: false,
                            number: 0,
                            edges: 0,
                        });
                        self.arena.regions[region as usize].blocks.push(block);
                    }
                    Step::EndBlock | Step::EndRegion(_) => {}
                    Step::Leave(_) => {
                        open.pop();
                        if let Some(before) = outer.pop() {
                            (region, block) = before;
                        }
                    }
                }
            }
        }
        for (old, copy) in pairs {
            let operands: Vec<u32> = self.arena.operands(old).collect();
            let operands = operands.into_iter().map(|value| values.get(&value).copied().unwrap_or(value));
            self.push_operands(copy, operands)?;
            let successors = self.arena.successors(old).to_vec();
            if !successors.is_empty() {
                let successors =
                    successors.into_iter().map(|block| blocks.get(&block).copied().unwrap_or(block));
                let successors = successors.collect();
                self.arena.set_successors(copy, successors);
            }
        }
        Ok(EditOp(root))
    }

    // Whether a copy can share the regions of the file.
    fn shares_regions(&self, op: u32) -> bool {
        self.arena.detail(op).is_some_and(Detail::is_as_in_file)
            && self.base.bytecode().version().has_region_sections()
    }

    fn copy_head(&mut self, op: u32, values: &mut HashMap<u32, u32>) -> Result<u32> {
        let shares = self.shares_regions(op);
        self.encode_draft_of(op)?;
        if !shares {
            self.load_regions(op)?;
        }
        let types: Vec<u32> = self.arena.results(op).map(|value| self.arena.value(value).r#type).collect();
        let OpRow { name, location, attributes, properties, .. } = *self.arena.op(op);
        let copy = self.push_op(name, location, &types)?;
        let row = self.arena.op_mut(copy);
        (row.attributes, row.properties) = (attributes, properties);
        for (old, new) in self.arena.results(op).zip(self.arena.results(copy)) {
            values.insert(old, new);
        }
        if let Some(detail) = self.arena.detail(op) {
            let detail = if shares {
                let regions = Regions::InFile(self.arena.region_count(op));
                let origin = detail.origin;
                Detail { regions, is_isolated: true, origin, ..Detail::new() }
            } else {
                // Isolation by trait and isolation determined by uses cannot be distinguished: it is kept
                // unless a use contradicts it.
                Detail { is_new: true, is_isolated: detail.is_isolated, ..Detail::new() }
            };
            *self.arena.detail_mut(copy) = detail;
        }
        Ok(copy)
    }

    // ---- erasure ----

    /// Erases an operation and its regions.
    ///
    /// # Errors
    /// [`ErrorKind::Edit`], with the user, if a result is still used, and if it was already erased.
    ///
    /// ```
    /// use mlirbc::edit::Editor;
    /// let mut editor = Editor::new(mlirbc::Module::from_bytes(mlirbc::doc_example())?)?;
    /// let module = editor.operation()?;
    /// let body = editor.body(module)?;
    /// let ops = editor.operations(body)?;
    /// assert!(editor.erase(ops[0]).is_err()); // its result is used
    /// editor.erase(ops[1])?;
    /// editor.erase(ops[0])?;
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn erase(&mut self, op: EditOp) -> Result<()> {
        let op = self.live(op)?;
        let row = self.arena.op(op);
        let mut within = Within::new(|of: &OpRow| std::ptr::eq(of, row));
        for (number, value) in self.arena.results(op).enumerate() {
            for slot in self.arena.uses_of(value) {
                let user = self.arena.uses[slot as usize].op;
                if !within.has(&self.arena, user) {
                    let (path, user) = (self.path(op), self.path(user));
                    let message = format!("cannot erase {path}: its result `{number}` is used by {user}");
                    return Err(Error::message(ErrorKind::Edit, message));
                }
            }
        }
        self.arena.touch(op);
        self.arena.unlink(op);
        self.forget(op);
        Ok(())
    }

    // Marks a detached op and its regions as erased.
    pub(super) fn forget(&mut self, op: u32) {
        self.arena.moves += 1;
        let mut walker = Walker::inside(op);
        let mut found = vec![op];
        while let Some(step) = walker.next(&self.arena) {
            match step {
                Step::Enter(op) => found.push(op),
                Step::BeginBlock(block) => {
                    for value in std::mem::take(&mut self.arena.block_mut(block).arguments) {
                        self.arena.values[value as usize].is_erased = true;
                    }
                    self.arena.block_mut(block).is_erased = true;
                }
                _ => {}
            }
        }
        for op in found {
            self.drafts.take(op);
            self.arena.set_successors(op, Vec::new());
            let row = self.arena.op(op);
            for slot in row.first_use..row.first_use + row.operands {
                self.arena.set_use(slot, NONE);
            }
            let results: Vec<u32> = self.arena.results(op).collect();
            for value in results {
                self.arena.values[value as usize].is_erased = true;
            }
            self.arena.listed_results.remove(&op);
            let row = self.arena.op_mut(op);
            (row.name, row.operands, row.first_result, row.results) = (NONE, 0, 0, 0);
        }
    }

    /// Erases a block and its operations.
    ///
    /// # Errors
    /// [`ErrorKind::Edit`] if an argument or a result is used outside of it, or it is a successor of another
    /// block, and if it was already erased.
    pub fn erase_block(&mut self, block: EditBlock) -> Result<()> {
        let block = self.live_block(block)?;
        let region = self.arena.block(block).region;
        if self.is_outermost(region) {
            return Err(Error::message(ErrorKind::Edit, "the top-level block cannot be erased"));
        }
        if let Some(last) = self.leads_to(block) {
            let message = format!("cannot erase the block: it is a successor of {}", self.path(last));
            return Err(Error::message(ErrorKind::Edit, message));
        }
        self.erase_contents(&[block])?;
        if region != NONE {
            self.arena.touch_block(block);
        }
        self.arena.unlist(block);
        self.arena.block_mut(block).is_erased = true;
        Ok(())
    }

    // The last op of another block of the region that has this block as a successor.
    fn leads_to(&self, block: u32) -> Option<u32> {
        let own = self.arena.ops_of(block).flat_map(|op| self.arena.successors(op));
        if own.filter(|&&to| to == block).count() == self.arena.block(block).edges as usize {
            return None;
        }
        let region = self.arena.regions.get(self.arena.block(block).region as usize)?;
        crate::wire::steps::count(region.blocks.len());
        let others = region.blocks.iter().filter(|&&other| other != block);
        let mut last = others.map(|&other| self.arena.block(other).last_op).filter(|&last| last != NONE);
        last.find(|&last| self.arena.successors(last).contains(&block))
    }

    /// Erases all blocks of a region.
    ///
    /// # Errors
    /// If its operation was erased.
    pub fn clear_region(&mut self, region: EditRegion) -> Result<()> {
        let region = self.live_region(region)?;
        if self.is_outermost(region) {
            return Err(Error::message(ErrorKind::Edit, "the top-level region cannot be cleared"));
        }
        let blocks = self.arena.region(region).blocks.clone();
        if let Some(&first) = blocks.first() {
            self.arena.touch_block(first);
        }
        self.erase_contents(&blocks)?;
        self.arena.moves += 1;
        for block in blocks {
            let row = self.arena.block_mut(block);
            (row.is_erased, row.region) = (true, NONE);
        }
        self.arena.regions[region as usize].blocks.clear();
        Ok(())
    }

    fn erase_contents(&mut self, blocks: &[u32]) -> Result<()> {
        let ops: Vec<u32> = blocks.iter().flat_map(|&block| self.arena.ops_of(block)).collect();
        let inside: HashSet<u32> = blocks.iter().copied().collect();
        let mut values: Vec<u32> =
            blocks.iter().flat_map(|&block| self.arena.block(block).arguments.iter().copied()).collect();
        values.extend(ops.iter().flat_map(|&op| self.arena.results(op)));
        let mut within = Within::new(|op: &OpRow| inside.contains(&op.block));
        for value in values {
            for slot in self.arena.uses_of(value) {
                let user = self.arena.uses[slot as usize].op;
                if !within.has(&self.arena, user) {
                    let user = self.path(user);
                    let message = format!("cannot erase a block: {user} uses a value that is defined in it");
                    return Err(Error::message(ErrorKind::Edit, message));
                }
            }
        }
        for op in ops {
            self.arena.unlink(op);
            self.forget(op);
        }
        for &block in blocks {
            for value in std::mem::take(&mut self.arena.block_mut(block).arguments) {
                self.arena.values[value as usize].is_erased = true;
            }
        }
        Ok(())
    }

    /// Erases an argument of a block.
    ///
    /// # Errors
    /// [`ErrorKind::Edit`] if it is used; [`ErrorKind::Index`] if there is no such argument.
    pub fn erase_argument(&mut self, block: EditBlock, number: usize) -> Result<()> {
        let block = self.live_block(block)?;
        let Some(&value) = self.arena.block(block).arguments.get(number) else {
            let count = self.arena.block(block).arguments.len();
            let message =
                format!("argument index `{number}` is out of range: the block has `{count}` arguments");
            return Err(Error::message(ErrorKind::Index, message));
        };
        if let Some(slot) = self.arena.uses_of(value).next() {
            let user = self.path(self.arena.uses[slot as usize].op);
            let message = format!("cannot erase argument `{number}`: it is used by {user}");
            return Err(Error::message(ErrorKind::Edit, message));
        }
        self.arena.block_mut(block).arguments.remove(number);
        self.arena.values[value as usize].is_erased = true;
        self.arena.touch_block(block);
        Ok(())
    }
}

/// The set of ops inside another one. Queried ops and all ops on the path are cached, so that the path out of
/// a deep use is followed once, however many uses there are.
struct Within<F> {
    is_top: F,
    known: HashSet<u32>,
}

impl<F: Fn(&OpRow) -> bool> Within<F> {
    fn new(is_top: F) -> Self {
        Self { is_top, known: HashSet::new() }
    }

    fn has(&mut self, arena: &Arena, op: u32) -> bool {
        let mut way = Vec::new();
        let mut next = Some(op);
        while let Some(op) = next {
            if (self.is_top)(arena.op(op)) || self.known.contains(&op) {
                self.known.extend(way);
                return true;
            }
            way.push(op);
            next = arena.parent(op);
        }
        false
    }
}

pub(super) fn value_row(r#type: u32, owner: u32, is_argument: bool, location: u32) -> ValueRow {
    ValueRow { r#type, owner, is_argument, location, first_use: NONE, is_erased: false }
}
