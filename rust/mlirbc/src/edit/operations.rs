//! Creates, moves, copies and erases ops, blocks and regions, and changes their references.

mod copy;
mod erase;
mod insert;

use crate::attr::{Attribute, Type};
use crate::format::id::AttrId;
use crate::wire::error::{Error, ErrorKind, Result};

use super::arena::{
    Arena, ArenaBlock, ArenaOp, ArenaRegion, ArenaUse, ArenaValue, BlockRow, Detail, EditAttr, EditName,
    EditType, OpRow, ROOT, RegionRow, Regions, ValueRow,
};
use super::{EditBlock, EditOp, EditRegion, EditValue, Editor};

/// A position at which an operation is inserted.
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
    /// The types of the results.
    pub results: Vec<Type>,
    /// Attributes by name, including properties.
    pub attributes: Vec<(Vec<u8>, Attribute)>,
    /// The successors.
    pub successors: Vec<EditBlock>,
    /// The number of regions, each without blocks.
    pub regions: usize,
    /// The location; unknown by default.
    pub location: Option<Attribute>,
    /// Whether the operation may deviate from its definition.
    pub is_unchecked: bool,
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
    /// [`ErrorKind::Definition`] if the release of the module defines the operation with other numbers of
    /// operands, results, regions or successors or with further required attributes, or does not have it in a
    /// known dialect; [`ErrorKind::Value`] if a property does not accept its value, segment sizes are
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
    #[doc(hidden)]
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
        if !new.is_unchecked {
            self.check_definition(name, new, &attributes)?;
        }
        let op = self.push_op(name, location, &types)?;
        if let Err(error) = self.edit_attributes(op, &attributes, &[], true) {
            self.forget(op);
            return Err(error);
        }
        self.push_operands(op, new.operands.iter().map(|value| value.row()))?;
        if !successors.is_empty() || new.regions > 0 {
            let rows = new.regions.saturating_mul(size_of::<RegionRow>());
            self.tables.budget.spend(rows.saturating_add(size_of::<Detail>()))?;
            let first = ArenaRegion::after(&self.arena.regions);
            for _ in 0..new.regions {
                self.arena.regions.push(RegionRow { op: Some(op), blocks: Vec::new(), depth: None });
            }
            let regions = Regions::Loaded((0..new.regions as u32).map(|number| first.plus(number)).collect());
            *self.arena.detail_mut(op) = Detail { regions, is_new: true, ..Detail::new() };
            self.arena.set_successors(op, successors);
        }
        Ok(self.handle_of(op))
    }

    pub(crate) fn push_op(
        &mut self,
        name: EditName,
        location: EditAttr,
        types: &[EditType],
    ) -> Result<ArenaOp> {
        let limit = crate::ir::id::ValueId::CAPACITY;
        if self.arena.ops.len() >= limit || self.arena.values.len() + types.len() >= limit {
            let message = "edited bodies cannot have 2^31 operations or values";
            return Err(Error::message(ErrorKind::MemoryLimit, message));
        }
        self.tables.budget.spend(Arena::bytes_of(1, types.len(), 0))?;
        let op = ArenaOp::after(&self.arena.ops);
        let first_result = ArenaValue::after(&self.arena.values);
        for &r#type in types {
            self.arena.values.push(ValueRow::result(r#type, Some(op)));
        }
        self.arena.ops.push(OpRow {
            name: Some(name),
            location,
            attributes: None,
            properties: None,
            block: None,
            prev: None,
            next: None,
            first_result: Some(first_result),
            results: types.len() as u32,
            first_use: ArenaUse::after(&self.arena.uses),
            operands: 0,
            detail: None,
        });
        Ok(op)
    }

    // Sets the operands of an op; reuses its rows if there are enough.
    pub(super) fn push_operands(
        &mut self,
        op: ArenaOp,
        values: impl ExactSizeIterator<Item = ArenaValue>,
    ) -> Result<()> {
        let row = self.arena.op(op);
        let (old, known) = (row.first_use, row.operands as usize);
        let count = values.len();
        let is_last = old.index() + known == self.arena.uses.len();
        let mut first = old;
        if count > known {
            let new = if is_last { count - known } else { count };
            self.tables.budget.spend(Arena::bytes_of(0, 0, new))?;
            if !is_last {
                first = ArenaUse::after(&self.arena.uses);
            }
        }
        for number in 0..known as u32 {
            self.arena.set_use(old.plus(number), None);
        }
        for (number, value) in (0..).zip(values) {
            let slot = first.plus(number);
            match slot.index() < self.arena.uses.len() {
                true => self.arena.set_use(slot, Some(value)),
                false => self.arena.push_use(value, op),
            }
        }
        let row = self.arena.op_mut(op);
        (row.first_use, row.operands) = (first, count as u32);
        Ok(())
    }

    pub(super) fn location_index(&mut self, location: &Attribute) -> Result<EditAttr> {
        let index = self.tables.import_attribute(location)?;
        let view = self.tables.view()?;
        if !crate::props::class::Class::Location.fits(AttrId::new(index.number()), &view) {
            return Err(Error::new(
                ErrorKind::Value,
                "a location",
                format!("`{}`", crate::attr::brief(&location.0)),
            ));
        }
        Ok(index)
    }

    /// Adds a block to a region, before the block with a number or at the end.
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
        if self.is_outermost(Some(region)) {
            return Err(Error::message(ErrorKind::Edit, "the top-level region cannot have another block"));
        }
        let count = self.arena.region(region).blocks.len();
        let place = before.unwrap_or(count);
        if place > count {
            let message = format!("block index `{place}` is out of range: the region has `{count}` blocks");
            return Err(Error::message(ErrorKind::Index, message));
        }
        self.tables.budget.spend(size_of::<BlockRow>() + 8)?;
        let block = ArenaBlock::after(&self.arena.blocks);
        self.arena.blocks.push(BlockRow {
            region: Some(region),
            first_op: None,
            last_op: None,
            ops: 0,
            arguments: Vec::new(),
            is_erased: false,
            number: place as u32,
            edges: 0,
        });
        for r#type in arguments {
            if let Err(error) = self.add_argument(self.handle_of(block), r#type, None) {
                self.arena.block_mut(block).is_erased = true;
                return Err(error);
            }
        }
        self.arena.regions[region.index()].blocks.insert(place, block);
        self.arena.touch_block(block);
        Ok(self.handle_of(block))
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
        if self.is_outermost(self.arena.block(block).region) {
            return Err(Error::message(ErrorKind::Edit, "the top-level block cannot have arguments"));
        }
        let r#type = self.tables.import_type(r#type)?;
        let location = self.argument_location(location)?;
        self.tables.budget.spend(Arena::bytes_of(0, 1, 0) + 8)?;
        let value = ArenaValue::after(&self.arena.values);
        self.arena.values.push(ValueRow::argument(r#type, block, location));
        self.arena.block_mut(block).arguments.push(value);
        self.arena.touch_block(block);
        Ok(self.handle_of(value))
    }

    // The top-level region has no operation: it has one block, without arguments.
    pub(super) fn is_outermost(&self, region: Option<ArenaRegion>) -> bool {
        let row = region.and_then(|region| self.arena.regions.get(region.index()));
        row.is_some_and(|row| row.op == Some(ROOT))
    }

    pub(super) fn argument_location(&mut self, location: Option<&Attribute>) -> Result<Option<EditAttr>> {
        let unknown = self.tables.unknown_location()?;
        let index = match location {
            Some(location) => self.location_index(location)?,
            None => unknown,
        };
        let is_left_out =
            index == unknown && self.base.tables().bytecode().version().elides_unknown_argument_locations();
        Ok((!is_left_out).then_some(index))
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
    #[doc(hidden)]
    pub fn set_argument_location(&mut self, value: EditValue, location: &Attribute) -> Result<()> {
        let value = self.live_value(value)?;
        if !self.arena.value(value).is_argument() {
            let message = "a result has the location of its operation; only block arguments have their own";
            return Err(Error::message(ErrorKind::Edit, message));
        }
        self.arena.values[value.index()].location = self.argument_location(Some(location))?;
        self.arena.touch_value(value);
        Ok(())
    }

    /// Sets the type of a value.
    ///
    /// # Errors
    /// If the value was erased, or the type cannot be copied.
    pub fn set_type(&mut self, value: EditValue, r#type: &Type) -> Result<()> {
        let value = self.live_value(value)?;
        self.arena.values[value.index()].r#type = Some(self.tables.import_type(r#type)?);
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
        let slot = row.first_use.plus(number as u32);
        self.arena.set_use(slot, Some(value));
        self.arena.touch(op);
        Ok(())
    }

    /// Replaces all operands of an operation; the caller must set segment sizes, if there are any.
    ///
    /// # Errors
    /// If the operation or a value was erased.
    pub fn set_operands(&mut self, op: EditOp, values: &[EditValue]) -> Result<()> {
        let op = self.live(op)?;
        for &value in values {
            self.live_value(value)?;
        }
        self.push_operands(op, values.iter().map(|value| value.row()))?;
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
    /// If either value was erased.
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
        while let Some(slot) = self.arena.value(value).first_use {
            self.arena.set_use(slot, Some(with));
            self.arena.touch(self.arena.uses[slot.index()].op);
        }
        Ok(())
    }
}
