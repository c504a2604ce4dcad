//! Copies of operations, blocks and regions, within a module or from another one in the same encoding.
//!
//! All checks come before the first row is added: first the operands, successors, symbols and dialect
//! versions are checked, then the entries are copied, and rows are created last. A part in another bytecode
//! version or release is translated first (`fragment`, and `convert`).

use std::collections::{HashMap, HashSet};

use crate::dialect::declarations::Declared;
use crate::dialect::entries::EntryRef;
use crate::dialect::node::TableIndex;
use crate::edit::clone_checks::ClonePlace;
use crate::file::hooks::HookResult;
use crate::format::id::{AttrId, OpNameId, PropertyId, TypeId};
use crate::props::PropertyValue;
use crate::wire::cursor::ByteSink;
use crate::wire::error::{Error, ErrorKind, Result};

use super::arena::{
    Arena, ArenaBlock, ArenaOp, ArenaRegion, ArenaUse, ArenaValue, BlockRow, Detail, EditAttr, EditBlob,
    EditName, EditType, Order, RegionRow, Regions, ValueRow, WalkStep, Walker,
};
use super::attributes::{Blob, OpParts};
use super::copied_entries::{Copied, cannot_clone};
use super::{EditBlock, EditOp, EditRegion, EditValue, Editor, InsertionPoint};
use crate::dialect::entries::bits_of;
use crate::wire::options::setters;
use crate::wire::order;

/// Replacements for values, blocks and symbols of a clone.
///
/// ```
/// use mlirbc::edit::CloneOptions;
/// let options = CloneOptions::default().rename(vec![(b"main".to_vec(), b"main_1".to_vec())]);
/// assert!(options.values.is_empty());
/// ```
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct CloneOptions {
    /// Replacements for values of the source that the clone uses but does not define.
    pub values: HashMap<EditValue, EditValue>,
    /// Replacements for successors that the clone does not contain.
    pub blocks: HashMap<EditBlock, EditBlock>,
    /// Old and new names of symbols that the cloned operations define; references inside the clone are
    /// updated.
    pub rename: Vec<(Vec<u8>, Vec<u8>)>,
    /// Leave out content that the version and release of the target cannot represent, instead of failing.
    pub drop_unsupported: bool,
}

setters! {
    CloneOptions {
        values: HashMap<EditValue, EditValue>,
        blocks: HashMap<EditBlock, EditBlock>,
        rename: Vec<(Vec<u8>, Vec<u8>)>,
        drop_unsupported: bool,
    }
}

/// A part of a module to clone, and the destination of the copy.
#[doc(hidden)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClonePart {
    /// An operation with its regions; without a destination, the copy is detached.
    Op(EditOp, Option<InsertionPoint>),
    /// A block with its operations, into a region, before the block with that number or at the end.
    Block(EditBlock, EditRegion, Option<usize>),
    /// The blocks of a region, into a region, before the block with that number or at the end.
    Region(EditRegion, EditRegion, Option<usize>),
}

/// The copies: rows of an operation or of blocks.
#[derive(Debug)]
pub(crate) enum Cloned {
    Op(ArenaOp),
    Blocks(Vec<ArenaBlock>),
}

impl ClonePart {
    /// Returns the same part of a source, whose item is another row of an editor.
    pub(crate) fn with_source(self, editor: &Editor, row: u32) -> Self {
        match self {
            Self::Op(_, at) => Self::Op(editor.handle(row), at),
            Self::Block(_, region, before) => Self::Block(editor.handle(row), region, before),
            Self::Region(_, region, before) => Self::Region(editor.handle(row), region, before),
        }
    }
}

impl Editor {
    /// Returns the steps of a walk through a part, whose bodies are read.
    pub(crate) fn steps_of(&mut self, part: ClonePart) -> Result<Vec<WalkStep>> {
        self.encode_drafts()?;
        let mut steps = Vec::new();
        let mut walker = match part {
            ClonePart::Op(op, _) => {
                let op = self.live(op)?;
                self.load_regions(op)?;
                steps.push(WalkStep::Enter(op));
                Walker::inside(op)
            }
            ClonePart::Block(block, ..) => {
                let block = self.live_block(block)?;
                steps.push(WalkStep::BeginBlock(block));
                Walker::of_block(&self.arena, block)
            }
            ClonePart::Region(region, ..) => Walker::of_region(self.live_region(region)?),
        };
        while let Some(step) = walker.next(&self.arena) {
            if let WalkStep::Enter(op) = step {
                self.load_regions(op)?;
                if steps.len().is_multiple_of(1024) {
                    self.base.tables().check_interrupt()?;
                }
            }
            steps.push(step);
        }
        Ok(steps)
    }

    /// Clones a part of `source`, or of this module, which has the same version and release.
    pub(crate) fn clone_part(
        &mut self,
        source: Option<&Self>,
        (part, steps): (ClonePart, &[WalkStep]),
        options: &CloneOptions,
    ) -> Result<Cloned> {
        let _held = self.tables.budget.hold(steps.len().saturating_mul(size_of::<WalkStep>()))?;
        let place = self.check_place(part)?;
        let from = source.unwrap_or(self);
        let outside = outside_of(&from.arena, steps);
        let mut used = Vec::new();
        for &(op, number, value) in &outside.values {
            match options.values.get(&from.handle_of(value)) {
                Some(&with) => used.push((self.live_value(with)?, op, number)),
                None if source.is_none() => used.push((value, op, number)),
                None => return Err(from.unmapped(op, "operand", number)),
            }
        }
        for &(op, number, block) in &outside.blocks {
            match options.blocks.get(&from.handle_of(block)) {
                Some(&with) => drop(self.live_block(with)?),
                None if source.is_none() => {}
                None => return Err(from.unmapped(op, "successor", number)),
            }
        }
        let symbol = match (part, place) {
            (ClonePart::Op(op, _), Some((block, _))) => self.check_symbol(source, op.row(), block)?,
            _ => None,
        };
        if let Some((block, next)) = place {
            self.check_uses(source, &used, (block, next))?;
        }
        let mark = self.tables.mark();
        let versions = self.adopt_versions(source, steps)?;
        let cloned = self
            .copied_parts(source, steps)
            .and_then(|copies| self.copied_rows((source, part, steps), &copies, options));
        let cloned = match cloned {
            Ok(cloned) => cloned,
            Err(error) => {
                self.return_to(mark);
                self.undo_versions(versions);
                return Err(error);
            }
        };
        self.insert_cloned(part, place, &cloned);
        if let (Cloned::Op(op), Some(symbol)) = (&cloned, symbol) {
            self.add_symbol(symbol, *op);
        }
        Ok(cloned)
    }

    /// Returns the block for the first copied row and the op that follows; `None` for a detached op.
    fn check_place(&mut self, part: ClonePart) -> Result<Option<ClonePlace>> {
        let (region, before) = match part {
            ClonePart::Op(_, at) => return at.map(|at| self.place(at)).transpose(),
            ClonePart::Block(_, region, before) | ClonePart::Region(_, region, before) => {
                (self.live_region(region)?, before)
            }
        };
        if self.is_outermost(Some(region)) {
            return Err(Error::message(ErrorKind::Edit, "the top-level region cannot have another block"));
        }
        let count = self.arena.region(region).blocks.len();
        if let Some(place) = before.filter(|&place| place > count) {
            let message = format!("block index `{place}` is out of range: the region has `{count}` blocks");
            return Err(Error::message(ErrorKind::Index, message));
        }
        Ok(None)
    }

    #[cold]
    fn unmapped(&self, op: ArenaOp, role: &str, number: usize) -> Error {
        let reason = format!("{role} `{number}` is defined outside of what is cloned");
        let name = if role == "operand" { "a value" } else { "a block" };
        cannot_clone(self.path(op), reason).with_hint(format!("map it to {name} of the target"))
    }

    // ---- copying ----

    pub(super) fn copied_parts(&mut self, source: Option<&Self>, steps: &[WalkStep]) -> Result<Copies> {
        let mut copies = Copies::default();
        let Some(source) = source else { return Ok(copies) };
        for step in steps {
            match *step {
                WalkStep::Enter(op) => {
                    let row = source.arena.op(op);
                    let parts = (row.name(), row.attributes, row.properties);
                    if !copies.parts.contains_key(&parts) {
                        self.tables.budget.spend(2 * size_of::<OpParts>())?;
                        let new = self.copied_op_parts(source, op, &mut copies.entries)?;
                        copies.parts.insert(parts, new);
                    }
                    self.copied_entry(
                        source,
                        EntryRef::Attribute(AttrId::new(row.location.number())),
                        &mut copies.entries,
                    )?;
                    for value in source.arena.results(op) {
                        let r#type = source.arena.value(value).r#type();
                        self.copied_entry(
                            source,
                            EntryRef::Type(TypeId::new(r#type.number())),
                            &mut copies.entries,
                        )?;
                    }
                }
                WalkStep::BeginBlock(block) => {
                    for &value in &source.arena.block(block).arguments {
                        let row = source.arena.value(value);
                        self.copied_entry(
                            source,
                            EntryRef::Type(TypeId::new(row.r#type().number())),
                            &mut copies.entries,
                        )?;
                        if let Some(location) = row.location {
                            let location = EntryRef::Attribute(AttrId::new(location.number()));
                            self.copied_entry(source, location, &mut copies.entries)?;
                        }
                    }
                }
                _ => {}
            }
        }
        Ok(copies)
    }

    // Returns the name, the dictionary and the properties that correspond to an op of the source.
    fn copied_op_parts(&mut self, source: &Self, op: ArenaOp, copied: &mut Copied) -> Result<OpParts> {
        let row = source.arena.op(op);
        let bytes = source.tables.op_name_bytes(row.name());
        let name = self.tables.op_name_as(&bytes, source.tables.flag_of(row.name()))?;
        let attributes = match row.attributes {
            None => None,
            Some(index) => {
                let copy =
                    self.copied_entry(source, EntryRef::Attribute(AttrId::new(index.number())), copied);
                Some(EditAttr::new(copy.map_err(|error| error.with_path(source.path(op)))?.index()))
            }
        };
        let Some(properties) = row.properties else { return Ok((name, attributes, None)) };
        let base = source.base.clone();
        let parts = source.parts_of(&base, row.name(), None, row.properties)?;
        let version = self.base.tables().bytecode().version();
        let blob = match parts.blob {
            Blob::None => return Ok((name, attributes, None)),
            Blob::Attribute(index) => {
                let mut sink = ByteSink::new();
                sink.varint(
                    self.copied_entry(source, EntryRef::Attribute(AttrId::new(index)), copied)?
                        .index()
                        .into(),
                );
                sink.into_bytes()
            }
            Blob::Known => {
                let mut values = parts.inherent;
                for property in &mut values {
                    property.value = self.copied_value(source, &property.value, copied)?;
                }
                let own_base = self.base.clone();
                match super::attributes::schema_of(&own_base, self, name)? {
                    Some(schema) if !schema.is_opaque() => {
                        let lacks = |name: &str| schema.field(name).is_none();
                        let lost = values.iter().find(|property| {
                            property.value != PropertyValue::Absent && lacks(property.name())
                        });
                        if let Some(lost) = lost {
                            let reason = format!(
                                "the operation has no property `{}` in the release of the target",
                                lost.name()
                            );
                            return Err(cannot_clone(source.path(op), reason));
                        }
                        schema.encode(version, &values)?
                    }
                    _ => return Err(opaque(source, op)),
                }
            }
            Blob::Opaque => {
                let bytes = source.tables.blob_bytes(properties)?;
                let is_same_file = source.base.tables().is(self.base.tables());
                if is_same_file && properties.number() < source.tables.counts.blobs {
                    return Ok((name, attributes, row.properties));
                }
                if let Some(written) = source.tables.written.get(&(row.name(), properties)) {
                    let bytes = self.tables.import_properties(&written.properties)?;
                    let blob = self.tables.written_blob(name, bytes, written.clone())?;
                    return Ok((name, attributes, Some(blob)));
                }
                match self.copied_declared(source, (row.name(), properties), &bytes, copied)? {
                    Some(bytes) => bytes,
                    None if bytes.is_empty() => Vec::new(),
                    None => return Err(opaque(source, op)),
                }
            }
        };
        Ok((name, attributes, Some(self.tables.blob(blob)?)))
    }

    fn copied_value(
        &mut self,
        source: &Self,
        value: &PropertyValue,
        copied: &mut Copied,
    ) -> Result<PropertyValue> {
        // Values nest as deeply as the type of the field in the schema.
        Ok(match value {
            PropertyValue::Attribute(index) => PropertyValue::Attribute(AttrId::new(
                self.copied_entry(source, EntryRef::Attribute(*index), copied)?.index(),
            )),
            PropertyValue::String(index) => {
                PropertyValue::String(self.tables.string(source.tables.string_bytes(*index))?)
            }
            PropertyValue::Array(items) => {
                let items = items.iter().map(|item| self.copied_value(source, item, copied));
                PropertyValue::Array(items.collect::<Result<_>>()?)
            }
            PropertyValue::Optional(Some(item)) => {
                PropertyValue::Optional(Some(Box::new(self.copied_value(source, item, copied)?)))
            }
            value => value.clone(),
        })
    }

    // Copies a blob with the encoding that a table of the dialect declares for the op.
    fn copied_declared(
        &mut self,
        source: &Self,
        (name, blob): (EditName, EditBlob),
        bytes: &[u8],
        copied: &mut Copied,
    ) -> Result<Option<Vec<u8>>> {
        // The table that the dialect's code created for these properties, with all their names.
        let own_table =
            match source.base.blob_result(OpNameId::new(name.number()), PropertyId::new(blob.number()))? {
                Some(HookResult::Opaque(_)) => return Ok(None),
                Some(HookResult::Table(table)) => Some(table),
                Some(HookResult::Declined) | None => None,
            };
        let name = source.tables.op_name_bytes(name);
        let mut halves = name.splitn(2, |&byte| byte == b'.');
        let (dialect, stem) = (halves.next().unwrap_or_default(), halves.next().unwrap_or_default());
        let is_own = own_table.is_some();
        let Some(table) = own_table.or_else(|| source.base.tables().codec(dialect)) else { return Ok(None) };
        let stem = if is_own { b"" } else { stem };
        let view = source.tables.view()?;
        let Ok(Some(mut declared)) = Declared::read(&table, stem, bytes, 0, &view) else { return Ok(None) };
        if declared.is_opaque() {
            return Ok(None);
        }
        declared.node.renumber(|index| {
            Ok(match index {
                TableIndex::Attribute(index) => {
                    self.copied_entry(source, EntryRef::Attribute(AttrId::new(index)), copied)?.index()
                }
                TableIndex::Type(index) => {
                    self.copied_entry(source, EntryRef::Type(TypeId::new(index)), copied)?.index()
                }
                TableIndex::String(index) => self.tables.string(source.tables.string_bytes(index))?,
                TableIndex::Resource(index) => self.copied_key(source, index)?,
            })
        })?;
        let target_view = self.tables.view()?;
        declared.encode(&|index| bits_of(&target_view, index)).map(Some)
    }

    // Creates the rows of the copies, without linking them into blocks or regions.
    fn copied_rows(
        &mut self,
        (source, part, steps): (Option<&Self>, ClonePart, &[WalkStep]),
        copies: &Copies,
        options: &CloneOptions,
    ) -> Result<Cloned> {
        let mut rows = CopiedRows::default();
        match self.push_rows(source, steps, copies, options, &mut rows) {
            Ok(()) => {}
            Err(error) => {
                self.discard(&rows);
                return Err(error);
            }
        }
        if !source.unwrap_or(self).arena.orders.is_empty() {
            self.copy_orders(source, steps, &rows);
        }
        Ok(match part {
            ClonePart::Op(op, _) => {
                let copy = rows.ops.get(&op.row()).copied();
                Cloned::Op(copy.ok_or_else(|| super::erased("the copied operation"))?)
            }
            ClonePart::Block(..) | ClonePart::Region(..) => Cloned::Blocks(rows.top_blocks),
        })
    }

    pub(super) fn push_rows(
        &mut self,
        source: Option<&Self>,
        steps: &[WalkStep],
        copies: &Copies,
        options: &CloneOptions,
        rows: &mut CopiedRows,
    ) -> Result<()> {
        let (mut region, mut block) = (None, None);
        let mut open = Vec::new();
        let mut outer = Vec::new();
        for step in steps {
            match *step {
                WalkStep::Enter(op) => {
                    let from = &source.unwrap_or(self).arena;
                    let old = from.op(op).clone();
                    let old_results: Vec<ArenaValue> = from.results(op).collect();
                    let types: Vec<EditType> =
                        from.results(op).map(|value| copies.r#type(from.value(value).r#type())).collect();
                    let detail = from.detail(op).map(|detail| Detail {
                        is_new: true,
                        is_isolated: detail.is_isolated,
                        ..Detail::new()
                    });
                    let parts = copies.parts((old.name(), old.attributes, old.properties));
                    let copy = self.push_op(parts.0, copies.attribute(old.location), &types)?;
                    let row = self.arena.op_mut(copy);
                    (row.attributes, row.properties) = (parts.1, parts.2);
                    let results = self.arena.results(copy);
                    rows.values.extend(old_results.into_iter().zip(results));
                    if let Some(detail) = detail {
                        self.tables.budget.spend(size_of::<Detail>())?;
                        *self.arena.detail_mut(copy) = detail;
                    }
                    if let Some(block) = block {
                        self.arena.link(copy, block, None);
                    }
                    rows.ops.insert(op, copy);
                    open.push(copy);
                    outer.push((region, block));
                }
                WalkStep::BeginRegion(_) => {
                    self.tables.budget.spend(size_of::<RegionRow>() + 4)?;
                    let Some(&owner) = open.last() else { continue };
                    let row = ArenaRegion::after(&self.arena.regions);
                    region = Some(row);
                    self.arena.regions.push(RegionRow { op: Some(owner), blocks: Vec::new(), depth: None });
                    if let Regions::Loaded(regions) = &mut self.arena.detail_mut(owner).regions {
                        regions.push(row);
                    }
                }
                WalkStep::BeginBlock(of) => {
                    let from = &source.unwrap_or(self).arena;
                    let old = from.block(of).arguments.clone();
                    let of_values: Vec<_> = old
                        .iter()
                        .map(|&value| {
                            let row = from.value(value);
                            (
                                copies.r#type(row.r#type()),
                                row.location.map(|location| copies.attribute(location)),
                            )
                        })
                        .collect();
                    let bytes = size_of::<BlockRow>() + Arena::bytes_of(0, old.len(), 0);
                    self.tables.budget.spend(bytes)?;
                    let row = ArenaBlock::after(&self.arena.blocks);
                    block = Some(row);
                    let first = ArenaValue::after(&self.arena.values);
                    for (r#type, location) in of_values {
                        self.arena.values.push(ValueRow::argument(r#type, row, location));
                    }
                    let arguments: Vec<ArenaValue> =
                        (0..old.len() as u32).map(|number| first.plus(number)).collect();
                    rows.values.extend(old.into_iter().zip(arguments.iter().copied()));
                    rows.blocks.insert(of, row);
                    let in_region = region.filter(|_| !open.is_empty());
                    self.arena.blocks.push(BlockRow {
                        region: in_region,
                        first_op: None,
                        last_op: None,
                        ops: 0,
                        arguments,
                        is_erased: false,
                        number: 0,
                        edges: 0,
                    });
                    match in_region.and_then(|region| self.arena.regions.get_mut(region.index())) {
                        Some(region) => region.blocks.push(row),
                        None => rows.top_blocks.push(row),
                    }
                }
                WalkStep::EndBlock | WalkStep::EndRegion(_) => {}
                WalkStep::Leave(_) => {
                    open.pop();
                    if let Some(before) = outer.pop() {
                        (region, block) = before;
                    }
                }
            }
        }
        for step in steps {
            let WalkStep::Enter(op) = *step else { continue };
            let Some(&copy) = rows.ops.get(&op) else { continue };
            let editor = source.unwrap_or(self);
            let from = &editor.arena;
            let mapped = |value: ArenaValue| match rows.values.get(&value) {
                Some(&copy) => copy,
                None => options.values.get(&editor.handle_of(value)).map_or(value, |with| with.row()),
            };
            let operands: Vec<ArenaValue> = from.operands(op).map(mapped).collect();
            let to = |block: ArenaBlock| match rows.blocks.get(&block) {
                Some(&copy) => copy,
                None => options.blocks.get(&editor.handle_of(block)).map_or(block, |with| with.row()),
            };
            let successors: Vec<ArenaBlock> = from.successors(op).iter().map(|&block| to(block)).collect();
            self.push_operands(copy, operands.into_iter())?;
            if !successors.is_empty() {
                self.arena.set_successors(copy, successors);
            }
        }
        Ok(())
    }

    // Discards the rows of an incomplete copy.
    #[cold]
    pub(super) fn discard(&mut self, rows: &CopiedRows) {
        for &op in rows.ops.values() {
            self.arena.set_successors(op, Vec::new());
            let row = self.arena.op(op);
            let (first, count) = (row.first_use, row.operands);
            for number in 0..count {
                self.arena.set_use(first.plus(number), None);
            }
            let row = self.arena.op_mut(op);
            (row.name, row.operands, row.results) = (None, 0, 0);
        }
        for &value in rows.values.values() {
            self.arena.values[value.index()].erase();
        }
        for &block in rows.blocks.values() {
            self.arena.block_mut(block).is_erased = true;
        }
    }

    /// Copies the stored use-list orders of values whose uses were all copied.
    pub(super) fn copy_orders(&mut self, source: Option<&Self>, steps: &[WalkStep], rows: &CopiedRows) {
        let from = &source.unwrap_or(self).arena;
        let ops = steps.iter().filter_map(|step| match *step {
            WalkStep::Enter(op) => Some(op),
            _ => None,
        });
        let places: HashMap<ArenaOp, usize> = ops.zip(0..).collect();
        let mut new = Vec::new();
        for (&old, &copy) in &rows.values {
            let Some(order) = from.orders.get(&old) else { continue };
            let mut current_uses: Vec<ArenaUse> = from.uses_of(old).collect();
            let place = |slot: ArenaUse| places.get(&from.uses[slot.index()].op).copied();
            if current_uses.iter().any(|&slot| place(slot).is_none()) {
                continue;
            }
            order::sort_by_key(&mut current_uses, |&slot| (place(slot), slot));
            if *current_uses != *order.uses {
                continue;
            }
            let slot_of = |slot: ArenaUse| {
                let op = from.uses[slot.index()].op;
                let number = slot.since(from.op(op).first_use);
                rows.ops.get(&op).map(|&copy| self.arena.op(copy).first_use.plus(number))
            };
            let uses: Option<Box<[ArenaUse]>> = order.uses.iter().map(|&slot| slot_of(slot)).collect();
            if let Some(uses) = uses {
                new.push((copy, Order { uses, ..order.clone() }));
            }
        }
        self.arena.orders.extend(new);
    }

    fn insert_cloned(&mut self, part: ClonePart, place: Option<ClonePlace>, cloned: &Cloned) {
        match (cloned, part) {
            (&Cloned::Op(op), _) => {
                if let Some((block, next)) = place {
                    self.arena.link(op, block, next);
                    self.arena.touch(op);
                }
            }
            (Cloned::Blocks(blocks), ClonePart::Block(_, region, at) | ClonePart::Region(_, region, at)) => {
                for &block in blocks {
                    self.arena.block_mut(block).region = Some(region.row());
                }
                let list = &mut self.arena.regions[region.row().index()].blocks;
                let at = at.unwrap_or(list.len()).min(list.len());
                list.splice(at..at, blocks.iter().copied());
                self.arena.moves += 1;
                if let Some(&first) = blocks.first() {
                    self.arena.touch_block(first);
                }
            }
            (Cloned::Blocks(_), ClonePart::Op(..)) => {}
        }
    }
}

/// Entries and names of the target by the corresponding ones of the source; empty within one module.
#[derive(Debug, Default)]
pub(super) struct Copies {
    entries: Copied,
    parts: HashMap<OpParts, OpParts>,
}

impl Copies {
    fn attribute(&self, index: EditAttr) -> EditAttr {
        let copy = self.entries.get(&EntryRef::Attribute(AttrId::new(index.number())));
        copy.map_or(index, |copy| EditAttr::new(copy.index()))
    }

    fn r#type(&self, index: EditType) -> EditType {
        let copy = self.entries.get(&EntryRef::Type(TypeId::new(index.number())));
        copy.map_or(index, |copy| EditType::new(copy.index()))
    }

    fn parts(&self, parts: OpParts) -> OpParts {
        self.parts.get(&parts).copied().unwrap_or(parts)
    }
}

/// Copied rows by the rows of the source.
#[derive(Debug, Default)]
pub(super) struct CopiedRows {
    pub(super) ops: HashMap<ArenaOp, ArenaOp>,
    values: HashMap<ArenaValue, ArenaValue>,
    blocks: HashMap<ArenaBlock, ArenaBlock>,
    /// The blocks that are not in a copied op.
    top_blocks: Vec<ArenaBlock>,
}

/// Values and blocks that a part uses but does not contain, each with its user and the number of the operand
/// or successor: (op, number, row).
#[derive(Debug, Default)]
pub(crate) struct Outside {
    pub(crate) values: Vec<(ArenaOp, usize, ArenaValue)>,
    pub(crate) blocks: Vec<(ArenaOp, usize, ArenaBlock)>,
}

pub(crate) fn outside_of(arena: &Arena, steps: &[WalkStep]) -> Outside {
    let (mut ops, mut blocks) = (HashSet::new(), HashSet::new());
    for step in steps {
        match *step {
            WalkStep::Enter(op) => drop(ops.insert(op)),
            WalkStep::BeginBlock(block) => drop(blocks.insert(block)),
            _ => {}
        }
    }
    let mut outside = Outside::default();
    for step in steps {
        let WalkStep::Enter(op) = *step else { continue };
        for (number, value) in arena.operands(op).enumerate() {
            let row = arena.value(value);
            let is_inner = row.op().is_some_and(|op| ops.contains(&op))
                || row.block().is_some_and(|block| blocks.contains(&block));
            if !is_inner {
                outside.values.push((op, number, value));
            }
        }
        for (number, &block) in arena.successors(op).iter().enumerate() {
            if !blocks.contains(&block) {
                outside.blocks.push((op, number, block));
            }
        }
    }
    outside
}

#[cold]
fn opaque(source: &Editor, op: ArenaOp) -> Error {
    let name = source.name_text(op);
    let message = format!(
        "cannot clone {name}: the layout of its properties is unknown, and they may refer to attributes"
    );
    Error::message(ErrorKind::PropertyOpaque, message).with_path(source.path(op))
}
