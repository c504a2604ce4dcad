//! Changes the number of results, regions, successors, operands and block arguments of existing operations
//! and blocks.
//!
//! The rows keep their numbers, so that handles stay valid.

use crate::attr::build::builtin;
use crate::attr::{Attribute, Type};
use crate::format::id::AttrId;
use crate::props::codec::segment_sizes;
use crate::props::{OpSchema, PropertyValue};
use crate::wire::cursor::ByteSink;
use crate::wire::error::{Error, ErrorKind, Result};

use super::arena::{
    Arena, ArenaOp, ArenaRegion, ArenaValue, Detail, EditAttr, EditType, RegionRow, Regions, ValueRow,
};
use super::attributes::{Blob, schema_of};
use super::{EditBlock, EditOp, EditRegion, EditValue, Editor};

const OPERAND_SEGMENTS: &str = "operandSegmentSizes";

impl Editor {
    // ---- results ----

    /// Sets the types of the results of an operation, and thereby their number: results are added or removed
    /// at the end. Returns the results; results that remain keep their handles. The caller must set result
    /// segment sizes, if there are any.
    ///
    /// # Errors
    /// [`ErrorKind::Edit`] if a result that would be removed is used. Nothing is changed then.
    ///
    /// ```
    /// use mlirbc::{Type, edit::{Editor, InsertionPoint, NewOperation}};
    /// let mut editor = Editor::new(mlirbc::Module::from_bytes(mlirbc::doc_example())?)?;
    /// let module = editor.operation()?;
    /// let at = InsertionPoint::AtBegin(editor.body(module)?);
    /// let op = editor.create(&NewOperation { results: vec![Type::parse("i8")?], ..NewOperation::new("t.x") }, at)?;
    /// let first = editor.results(op)?[0];
    /// let results = editor.set_results(op, &[Type::parse("i32")?, Type::parse("f32")?])?;
    /// assert_eq!(results[0], first);
    /// assert_eq!(editor.value_type(first)?, Type::parse("i32")?);
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    #[doc(hidden)]
    pub fn set_results(&mut self, op: EditOp, types: &[Type]) -> Result<Vec<EditValue>> {
        let op = self.live(op)?;
        let mut rows: Vec<ArenaValue> = self.arena.results(op).collect();
        for (number, &value) in rows.iter().enumerate().skip(types.len()) {
            self.check_unused(op, number, value)?;
        }
        let types = types.iter().map(|r#type| self.tables.import_type(r#type)).collect::<Result<Vec<_>>>()?;
        while rows.len() > types.len() {
            if let Some(value) = rows.pop() {
                self.arena.values[value.index()].erase();
            }
        }
        for &r#type in &types[rows.len()..] {
            rows.push(self.push_result(op, r#type)?);
        }
        for (&value, &r#type) in rows.iter().zip(&types) {
            self.arena.values[value.index()].r#type = Some(r#type);
        }
        self.list_results(op, rows);
        self.results(self.handle_of(op))
    }

    /// Adds a result before the result with a number, or at the end.
    ///
    /// # Errors
    /// [`ErrorKind::Index`] for a number past the end.
    #[doc(hidden)]
    pub fn add_result(&mut self, op: EditOp, before: Option<usize>, r#type: &Type) -> Result<EditValue> {
        let op = self.live(op)?;
        let mut rows: Vec<ArenaValue> = self.arena.results(op).collect();
        let place = before.unwrap_or(rows.len());
        if place > rows.len() {
            return Err(self.no_such(op, "result", place, rows.len()));
        }
        let r#type = self.tables.import_type(r#type)?;
        let value = self.push_result(op, r#type)?;
        rows.insert(place, value);
        self.list_results(op, rows);
        Ok(self.handle_of(value))
    }

    /// Removes a result.
    ///
    /// # Errors
    /// [`ErrorKind::Edit`] if the result is used; [`ErrorKind::Index`] if there is no such result.
    #[doc(hidden)]
    pub fn erase_result(&mut self, op: EditOp, number: usize) -> Result<()> {
        let op = self.live(op)?;
        let mut rows: Vec<ArenaValue> = self.arena.results(op).collect();
        let Some(&value) = rows.get(number) else {
            return Err(self.no_such(op, "result", number, rows.len()));
        };
        self.check_unused(op, number, value)?;
        rows.remove(number);
        self.arena.values[value.index()].erase();
        self.list_results(op, rows);
        Ok(())
    }

    fn check_unused(&self, op: ArenaOp, number: usize, value: ArenaValue) -> Result<()> {
        let Some(slot) = self.arena.uses_of(value).next() else { return Ok(()) };
        let (path, user) = (self.path(op), self.path(self.arena.uses[slot.index()].op));
        let message = format!("cannot remove result `{number}` of {path}: it is used by {user}");
        Err(Error::message(ErrorKind::Edit, message))
    }

    fn push_result(&mut self, op: ArenaOp, r#type: EditType) -> Result<ArenaValue> {
        self.tables.budget.spend(Arena::bytes_of(0, 1, 0) + 2 * size_of::<u32>())?;
        let value = ArenaValue::after(&self.arena.values);
        self.arena.values.push(ValueRow::result(r#type, Some(op)));
        Ok(value)
    }

    fn list_results(&mut self, op: ArenaOp, rows: Vec<ArenaValue>) {
        self.arena.op_mut(op).results = rows.len() as u32;
        let first = rows.first().copied().unwrap_or(ArenaValue::new(0));
        if (0..).zip(&rows).all(|(number, &row)| row == first.plus(number)) {
            self.arena.op_mut(op).first_result = Some(first);
            self.arena.listed_results.remove(&op);
        } else {
            self.arena.op_mut(op).first_result = None;
            self.arena.listed_results.insert(op, rows);
        }
        self.arena.touch(op);
    }

    // ---- regions ----

    /// Adds a region without blocks to an operation, before the region with a number or at the end.
    ///
    /// # Errors
    /// [`ErrorKind::Index`] for a number past the end, and if the regions of the operation cannot be read.
    ///
    /// ```
    /// use mlirbc::edit::Editor;
    /// let mut editor = Editor::new(mlirbc::Module::from_bytes(mlirbc::doc_example())?)?;
    /// let module = editor.operation()?;
    /// let body = editor.body(module)?;
    /// let first = editor.operations(body)?[0];
    /// let region = editor.add_region(first, None)?;
    /// editor.add_block(region, None, &[])?;
    /// editor.erase_region(first, 0)?;
    /// assert!(editor.regions(first)?.is_empty());
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    #[doc(hidden)]
    pub fn add_region(&mut self, op: EditOp, before: Option<usize>) -> Result<EditRegion> {
        let op = self.live(op)?;
        self.load_regions(op)?;
        let count = self.arena.loaded_regions(op).len();
        let place = before.unwrap_or(count);
        if place > count {
            return Err(self.no_such(op, "region", place, count));
        }
        self.tables.budget.spend(size_of::<RegionRow>() + size_of::<Detail>())?;
        let region = ArenaRegion::after(&self.arena.regions);
        self.arena.regions.push(RegionRow { op: Some(op), blocks: Vec::new(), depth: None });
        let detail = self.arena.detail_mut(op);
        if let Regions::Loaded(regions) = &mut detail.regions {
            regions.insert(place, region);
        }
        // Uses determine isolation, as for a new operation.
        detail.is_new |= count == 0;
        self.touch_regions(op);
        Ok(self.handle_of(region))
    }

    /// Erases a region with its contents.
    ///
    /// # Errors
    /// [`ErrorKind::Edit`] if a value of the region is used outside of it; [`ErrorKind::Index`] if there is no
    /// such region.
    #[doc(hidden)]
    pub fn erase_region(&mut self, op: EditOp, number: usize) -> Result<()> {
        let op = self.live(op)?;
        self.load_regions(op)?;
        let regions = self.arena.loaded_regions(op);
        let Some(&region) = regions.get(number) else {
            return Err(self.no_such(op, "region", number, regions.len()));
        };
        self.clear_region(self.handle_of(region))?;
        self.touch_regions(op);
        let detail = self.arena.detail_mut(op);
        if let Regions::Loaded(regions) = &mut detail.regions {
            regions.remove(number);
            if regions.is_empty() {
                (detail.origin, detail.is_isolated, detail.is_new) = (None, false, true);
            }
        }
        self.arena.regions[region.index()].op = None;
        Ok(())
    }

    // Marks an op whose list of regions changed. The enclosing body contains the op, and its own body
    // contains the regions.
    fn touch_regions(&mut self, op: ArenaOp) {
        let detail = self.arena.detail_mut(op);
        if detail.is_isolated && !detail.is_new {
            detail.is_dirty = true;
            self.arena.touch_around(op);
        }
        self.arena.touch(op);
    }

    // ---- successors ----

    /// Replaces all successors of an operation.
    ///
    /// # Errors
    /// If the operation or a block was erased.
    ///
    /// ```
    /// use mlirbc::edit::Editor;
    /// let mut editor = Editor::new(mlirbc::Module::from_bytes(mlirbc::doc_example())?)?;
    /// let module = editor.operation()?;
    /// let body = editor.body(module)?;
    /// let op = editor.operations(body)?[0];
    /// editor.set_successors(op, &[body])?;
    /// assert_eq!(editor.successors(op)?, [body]);
    /// assert!(editor.verify(false).is_err()); // it is not the last operation of its block
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    #[doc(hidden)]
    pub fn set_successors(&mut self, op: EditOp, successors: &[EditBlock]) -> Result<()> {
        let op = self.live(op)?;
        let rows = successors.iter().map(|&block| self.live_block(block)).collect::<Result<Vec<_>>>()?;
        self.tables.budget.spend(size_of::<Detail>() + rows.len() * size_of::<u32>())?;
        self.arena.set_successors(op, rows);
        self.arena.touch(op);
        Ok(())
    }

    // ---- operand groups ----

    /// Returns the operands of each group of an operation with operand segment sizes, with the group names of
    /// the release; the names are empty if the release does not know the operation.
    ///
    /// # Errors
    /// [`ErrorKind::Edit`] if the operation has no operand segment sizes, or they do not match its operands.
    #[doc(hidden)]
    pub fn operand_groups(&self, op: EditOp) -> Result<Vec<(String, Vec<EditValue>)>> {
        let op = self.live(op)?;
        let sizes = self.operand_sizes(op)?;
        let schema = schema_of(&self.base, self, self.arena.op(op).name())?;
        let mut names = schema.into_iter().flat_map(OpSchema::operands);
        let mut values = self.arena.operands(op).map(|row| self.handle_of(row));
        Ok(sizes
            .into_iter()
            .map(|size| {
                let name = names.next().unwrap_or_default().trim_end_matches(['*', '?']).to_owned();
                (name, values.by_ref().take(size).collect())
            })
            .collect())
    }

    /// Replaces the operands of one group, by name, and updates the segment sizes.
    ///
    /// # Errors
    /// [`ErrorKind::Edit`] if the operation has no such group; [`ErrorKind::Value`] if the group cannot have
    /// this number of operands.
    ///
    /// ```
    /// use mlirbc::version::BytecodeVersion;
    /// use mlirbc::{Attribute, Type};
    /// use mlirbc::edit::{Editor, InsertionPoint, NewOperation};
    /// let mut editor = Editor::create_module(&mlirbc::Release::default(), BytecodeVersion::MAX, None)?;
    /// let module = editor.operation()?;
    /// let at = InsertionPoint::AtEnd(editor.body(module)?);
    /// let size = NewOperation { results: vec![Type::parse("index")?], ..NewOperation::new("test.size") };
    /// let size = editor.create(&size, at)?;
    /// let alloc = NewOperation { results: vec![Type::parse("memref<?xf32>")?], ..NewOperation::new("memref.alloc") };
    /// let alloc = editor.create(&alloc, at)?;
    /// let value = editor.results(size)?[0];
    /// editor.set_operand_group(alloc, "dynamicSizes", &[value])?;
    /// let sizes = editor.attribute(alloc, "operandSegmentSizes")?;
    /// assert_eq!(sizes, Some(Attribute::parse("array<i32: 1, 0>")?));
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    #[doc(hidden)]
    pub fn set_operand_group(&mut self, op: EditOp, name: &str, values: &[EditValue]) -> Result<()> {
        let row = self.live(op)?;
        for &value in values {
            self.live_value(value)?;
        }
        let schema = schema_of(&self.base, self, self.arena.op(row).name())?;
        let marked: Vec<&str> = schema.into_iter().flat_map(OpSchema::operands).collect();
        let is_named = |marked: &&str| marked.trim_end_matches(['*', '?']) == name;
        let Some(place) = marked.iter().position(is_named) else {
            let message = match marked.is_empty() {
                true => format!("{} has no named operand groups", self.path(row)),
                false => {
                    format!("{} has no operand group `{name}`; it has {}", self.path(row), marked.join(", "))
                }
            };
            return Err(Error::message(ErrorKind::Edit, message));
        };
        let fits = match marked[place].as_bytes().last() {
            Some(b'*') => true,
            Some(b'?') => values.len() <= 1,
            _ => values.len() == 1,
        };
        if !fits {
            let (path, count) = (self.path(row), values.len());
            let message = format!("operand group `{name}` of {path} cannot have `{count}` operands");
            return Err(Error::message(ErrorKind::Value, message));
        }
        let mut sizes = self.operand_sizes(row)?;
        let Some(size) = sizes.get(place).copied() else {
            let message = format!("{} has no operand segment sizes", self.path(row));
            return Err(Error::message(ErrorKind::Edit, message));
        };
        let before: usize = sizes[..place].iter().sum();
        let mut operands: Vec<EditValue> = self.arena.operands(row).map(|row| self.handle_of(row)).collect();
        operands.splice(before..before + size, values.iter().copied());
        sizes[place] = values.len();
        let sizes: Vec<i32> = sizes.into_iter().map(|size| i32::try_from(size).unwrap_or(i32::MAX)).collect();
        self.set_attribute(op, OPERAND_SEGMENTS, &builtin::segment_sizes(&sizes)?)?;
        self.set_operands(op, &operands)
    }

    // Returns the sizes of the operand groups, which add up to the number of operands.
    fn operand_sizes(&self, op: ArenaOp) -> Result<Vec<usize>> {
        let row = self.arena.op(op);
        let base = self.base.clone();
        let view = self.tables.view()?;
        let parts = self.parts_of(&base, row.name(), None, row.properties)?;
        let of_blob =
            parts.inherent.iter().find(|property| property.field.has_name(OPERAND_SEGMENTS.as_bytes()));
        let mut sizes = of_blob.and_then(|property| segment_sizes(&property.value, &view));
        if sizes.is_none() {
            for name in [OPERAND_SEGMENTS, "operand_segment_sizes"] {
                let attribute = self.in_dictionary(op, name.as_bytes())?;
                sizes = sizes.or_else(|| {
                    attribute
                        .and_then(|index| segment_sizes(&PropertyValue::Attribute(AttrId::new(index)), &view))
                });
            }
        }
        if sizes.is_none()
            && let Some(schema) = parts.schema.filter(|_| matches!(parts.blob, Blob::None))
            && schema.field(OPERAND_SEGMENTS).is_some()
        {
            sizes = Some(vec![0; schema.operands().len()]);
        }
        let sizes: Option<Vec<usize>> =
            sizes.and_then(|sizes| sizes.into_iter().map(|size| usize::try_from(size).ok()).collect());
        let Some(sizes) = sizes else {
            let message = format!("{} has no operand segment sizes", self.path(op));
            return Err(Error::message(ErrorKind::Edit, message));
        };
        let total = sizes.iter().try_fold(0_usize, |sum, &size| sum.checked_add(size));
        if total != Some(row.operands as usize) {
            let (path, count) = (self.path(op), row.operands);
            let message =
                format!("the operand segment sizes of {path} do not add up to its `{count}` operands");
            return Err(Error::message(ErrorKind::Edit, message));
        }
        Ok(sizes)
    }

    // ---- registration ----

    /// Sets whether an operation counts as registered in the writer, which decides how its properties are
    /// encoded. Properties of known layout become one dictionary, and a dictionary becomes properties.
    ///
    /// # Errors
    /// [`ErrorKind::Unsupported`] below bytecode version 5, which does not store it;
    /// [`ErrorKind::PropertyOpaque`] if the properties cannot be converted; [`ErrorKind::Value`] if the
    /// dictionary lacks properties that the release requires. Nothing is changed then.
    ///
    /// ```
    /// use mlirbc::edit::Editor;
    /// use mlirbc::version::BytecodeVersion;
    /// let mut editor = Editor::create_module(&mlirbc::Release::default(), BytecodeVersion::MAX, None)?;
    /// let module = editor.operation()?;
    /// assert_eq!(editor.is_registered(module)?, Some(true));
    /// editor.set_registered(module, false)?;
    /// assert_eq!(editor.is_registered(module)?, Some(false));
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    #[doc(hidden)]
    pub fn set_registered(&mut self, op: EditOp, is_registered: bool) -> Result<()> {
        let row = self.live(op)?;
        let Some(was_registered) = self.is_registered(op)? else {
            let message = "bytecode versions below 5 do not store whether an operation is registered";
            return Err(Error::message(ErrorKind::Unsupported, message));
        };
        if was_registered == is_registered {
            return Ok(());
        }
        let (old, properties) = (self.arena.op(row).name(), self.arena.op(row).properties);
        let base = self.base.clone();
        let parts = self.parts_of(&base, old, None, properties)?;
        let blob = match parts.blob {
            Blob::Opaque => return Err(self.cannot_register(row)),
            Blob::Attribute(index) => Some(index),
            Blob::None | Blob::Known => None,
        };
        let name = self.tables.op_name_bytes(old);
        let name = self.tables.op_name_as(&name, Some(is_registered))?;
        if !is_registered {
            let inherent: Vec<_> =
                self.attributes(op)?.into_iter().filter(|attribute| attribute.is_inherent).collect();
            let mut pairs = Vec::with_capacity(inherent.len());
            for attribute in inherent {
                if self.in_dictionary(row, &attribute.name)?.is_none() {
                    let value = self.tables.import_attribute(&attribute.value)?;
                    let name = self.tables.string_attribute(&attribute.name)?;
                    pairs.push((name.number(), value.number()));
                }
            }
            let properties = match self.tables.dictionary(pairs)? {
                Some(index) => {
                    let mut sink = ByteSink::new();
                    sink.varint(index.number().into());
                    Some(self.tables.blob(sink.into_bytes())?)
                }
                None => None,
            };
            let row = self.arena.op_mut(row);
            (row.name, row.properties) = (Some(name), properties);
        } else {
            let mut pairs = Vec::new();
            if let Some(index) = blob {
                let view = self.tables.view()?;
                crate::props::codec::split(None, AttrId::new(index), &view, &mut [], &mut pairs)
                    .map_err(|_| self.cannot_register(row))?;
            }
            let mut values: Vec<(Vec<u8>, EditAttr, Attribute)> = Vec::with_capacity(pairs.len());
            for (name, value) in pairs {
                let value = EditAttr::new(value);
                values.push((
                    self.tables.text_of(AttrId::new(name))?,
                    value,
                    self.tables.attribute_value(value)?,
                ));
            }
            let set: Vec<(&[u8], EditAttr, &Attribute)> =
                values.iter().map(|(name, index, value)| (&**name, *index, value)).collect();
            let to = self.arena.op_mut(row);
            (to.name, to.properties) = (Some(name), None);
            let converted = match schema_of(&base, self, name)? {
                Some(schema) if schema.is_opaque() => Err(self.cannot_register(row)),
                None if !set.is_empty() => Err(self.cannot_register(row)),
                _ => self.edit_attributes(row, &set, &[], true),
            };
            if let Err(error) = converted {
                let row = self.arena.op_mut(row);
                (row.name, row.properties) = (Some(old), properties);
                return Err(error);
            }
        }
        self.arena.touch(row);
        Ok(())
    }

    #[cold]
    fn cannot_register(&self, op: ArenaOp) -> Error {
        let message = format!("cannot convert the properties of {}: their layout is unknown", self.path(op));
        Error::message(ErrorKind::PropertyOpaque, message)
    }

    // ---- block arguments and blocks ----

    /// Adds an argument before the argument with a number; its location is unknown by default.
    ///
    /// # Errors
    /// [`ErrorKind::Index`] for a number past the end, and as [`Self::add_argument`].
    ///
    /// ```
    /// use mlirbc::{Type, edit::Editor};
    /// let mut editor = Editor::new(mlirbc::Module::from_bytes(mlirbc::doc_example())?)?;
    /// let module = editor.operation()?;
    /// let body = editor.body(module)?;
    /// let outer = editor.operations(body)?[1];
    /// let block = editor.body(outer)?;
    /// let value = editor.insert_argument(block, 0, &Type::parse("i8")?, None)?;
    /// assert_eq!(editor.definition(value)?.1, 0);
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    #[doc(hidden)]
    pub fn insert_argument(
        &mut self,
        block: EditBlock,
        number: usize,
        r#type: &Type,
        location: Option<&Attribute>,
    ) -> Result<EditValue> {
        let row = self.live_block(block)?;
        let count = self.arena.block(row).arguments.len();
        if number > count {
            let message =
                format!("argument index `{number}` is out of range: the block has `{count}` arguments");
            return Err(Error::message(ErrorKind::Index, message));
        }
        let value = self.add_argument(block, r#type, location)?;
        self.arena.block_mut(row).arguments[number..].rotate_right(1);
        Ok(value)
    }

    /// Returns the position of a block in its region.
    ///
    /// # Errors
    /// [`ErrorKind::Edit`] if the block is in no region.
    #[doc(hidden)]
    pub fn block_number(&self, block: EditBlock) -> Result<usize> {
        let row = self.live_block(block)?;
        let region = self.arena.block(row).region.map(|region| self.arena.region(region));
        let place = region.and_then(|region| region.blocks.iter().position(|&other| other == row));
        place.ok_or_else(|| Error::message(ErrorKind::Edit, "the block is in no region"))
    }

    #[cold]
    fn no_such(&self, op: ArenaOp, item: &str, number: usize, count: usize) -> Error {
        let name = self.name_text(op);
        let message = format!("{item} index `{number}` is out of range: {name} has `{count}` {item}s");
        Error::message(ErrorKind::Index, message)
    }
}
