//! Section 4 of a written file, the IR with its new numbers, and the blobs of section 8 that it refers to.

use std::collections::HashMap;

use crate::dialect::declarations::Declared;
use crate::dialect::entries::{Entries, bits_of};
use crate::dialect::node::Field;
use crate::format::id::{AttrId, OpNameId, PropertyId, TypeId};
use crate::format::ir::{
    BlockHead, IrWriter, IsolatedRegions, OpHead, OpSink, RegionHead, Root, UseListOrder, ValueRef,
};
use crate::props::PropertyValue;
use crate::release::Llvm;
use crate::wire::cursor::ByteSink;
use crate::wire::error::{Error, Result};
use crate::wire::progress::Progress;
use crate::wire::section::SectionId;

use super::collect::Collected;
use super::emit::{Emitter, NONE, Strings};
use super::index::{EncodingId, PoolAttr, PoolType, WireAttr, WireName, WireType, written_number};
use super::numbering::{Numbering, WrittenIndices, WrittenIndicesBy};
use super::op_encoding::{EncodedProperties, RegionShift};
use super::order::{UseCounts, encode_positions, rewrite_order, sort_orders};
use super::tables::Tables;
use super::translator::OpTranslator;
use crate::write::Pulse;
use crate::write::file_pieces::FilePieces;

impl<T: OpTranslator + Sync> Emitter<'_, '_, T> {
    /// Writes the section, and the blobs that its ops refer to.
    ///
    /// # Errors
    /// If something cannot be encoded, and the errors of reading the file's IR.
    pub(crate) fn ir(
        &self,
        strings: &mut Strings,
        progress: &Progress,
    ) -> Result<(FilePieces, Vec<Vec<u8>>)> {
        if let Some(unchanged) = self.unchanged_ir(strings)? {
            return Ok(unchanged);
        }
        let counts = self.module.tables().entry_counts()?;
        let type_count = self.ops.type_count(counts.types);
        let (attributes, types) = (&self.numbering.attribute_at, &self.numbering.type_at);
        let composed = match self.ops.entries() {
            Tables::File(_) => None,
            Tables::Copied(_) | Tables::Mixed { .. } => {
                let attribute = |index| self.ops.collected_location(AttrId::new(index));
                let attribute = |index| attribute(index).and_then(|attribute| attributes.at(attribute));
                let r#type = |index| self.ops.collected_type(TypeId::new(index));
                let r#type = |index| r#type(index).and_then(|r#type| types.at(r#type));
                let attributes_of_file: WrittenIndices<AttrId, WireAttr> =
                    WrittenIndices::of_rows((0..counts.attributes).map(attribute));
                let types_of_file: WrittenIndices<TypeId, WireType> =
                    WrittenIndices::of_rows((0..type_count).map(r#type));
                Some((attributes_of_file, types_of_file))
            }
        };
        // The pool is the entries of the file, or each entry has an index in the pool.
        let (attributes, types) = match &composed {
            None => (attributes.by_rows_of(), types.by_rows_of()),
            Some((attributes, types)) => (attributes.by_rows_of(), types.by_rows_of()),
        };
        let has_final_orders = self.ops.has_final_orders();
        let reads_orders = self.collected.has_use_lists && !has_final_orders;
        let uses = if reads_orders && self.version.has_use_list_orders() {
            UseCounts::of(self.module)?
        } else {
            UseCounts::default()
        };
        let unknown =
            self.ops.collected_unknown_location().and_then(|known| self.numbering.attribute_at.at(known));
        // The head of the ops of each encoding, including its blob index.
        let per_encoding = size_of::<OpHead>() + size_of::<u32>();
        self.ops.budget().spend(self.ops.encoding_count().saturating_mul(per_encoding))?;
        let mut blobs = Blobs::new(self.ops, &self.numbering, strings);
        let mut sink = IrSink {
            writer: IrWriter::new(self.version, Root::TopLevel),
            blobs: &mut blobs,
            collected: self.collected,
            keeps_encodings: self.ops.is_for_other_release(),
            heads: vec![UNKNOWN_HEAD; self.ops.encoding_count()],
            attributes,
            types,
            op: 0,
            owner: 0,
            region: 0,
            open: Vec::new(),
            isolated: Vec::new(),
            shifts: Vec::new(),
            blocks: 0,
            open_blocks: Vec::new(),
            is_left_out: false,
            order: None,
            disordered: Vec::new(),
            unknown,
            strips: self.strips_locations,
            elides: self.version.elides_unknown_argument_locations(),
            keeps_orders: self.version.has_use_list_orders(),
            uses: &uses,
            has_final_orders,
            llvm: match has_final_orders {
                // The orders are already in the form of the newest tools, whatever wrote the module.
                true => Llvm::DEVELOPMENT,
                false => self.module.tables().release_llvm(),
            },
            orders: Vec::new(),
            order_values: 0,
            place: 0,
        };
        // Properties may become attributes, and numbers may have other lengths.
        let bytes = self.module.tables().ir()?.data.len();
        sink.writer.expect(bytes + bytes / 16);
        self.ops.stream(&mut sink, progress)?;
        sink.flush_orders();
        let ir = sink.writer.finish();
        Ok((ir.into(), blobs.finish()?))
    }

    /// Whether the blobs of properties may refer to strings.
    pub(crate) fn has_strings_in_properties(&self) -> bool {
        fn has_string(value: &PropertyValue) -> bool {
            match value {
                PropertyValue::String(_) => true,
                PropertyValue::Array(items) => items.iter().any(has_string),
                PropertyValue::Optional(inner) => inner.as_deref().is_some_and(has_string),
                _ => false,
            }
        }
        let mut encodings =
            (0..self.ops.encoding_count() as u32).map(|row| self.ops.encoding(EncodingId::new(row)));
        encodings.any(|encoding| match &encoding.properties {
            Some(EncodedProperties::Known { values, .. }) => values.iter().any(has_string),
            Some(EncodedProperties::Declared(_)) => true,
            Some(EncodedProperties::Attribute(_)) | None => false,
        })
    }

    // Returns the section of the file, if the written section would be equal.
    fn unchanged_ir(&self, strings: &mut Strings) -> Result<Option<(FilePieces, Vec<Vec<u8>>)>> {
        let names = self.ops.written_names();
        let count = names.len();
        let mut places = (0..)
            .map(|row| Some(WireName::new(row)))
            .zip(names.map(|name| self.numbering.op_name_at.at(name)));
        let keeps_names = count == self.numbering.op_names.len() && places.all(|(own, place)| own == place);
        let is_as_read =
            self.collected.is_as_read && self.version == self.module.tables().bytecode().version();
        if !is_as_read || !keeps_names || !self.keeps_entry_numbers() {
            return Ok(None);
        }
        let per_encoding = self.ops.encoding_count().saturating_mul(size_of::<u32>());
        let mut held = self.ops.budget().hold(per_encoding)?;
        let mut pulse = Pulse::default();
        let mut blobs = Blobs::new(self.ops, &self.numbering, strings);
        for row in (0..self.ops.encoding_count() as u32).map(EncodingId::new) {
            pulse.beat(1, self.module.tables())?;
            let (form, blob) = (self.ops.encoding(row), blobs.index(row));
            held.grow_to(per_encoding + blobs.memory + blobs.strings.memory())?;
            let dictionary = form.dictionary.map(|attribute| AttrId::new(attribute.number()));
            if (dictionary, blob.map(PropertyId::new)) != form.in_file {
                return Ok(None);
            }
        }
        let blobs = blobs.finish()?;
        Ok(Some((self.copied(SectionId::Ir), blobs)))
    }
}

/// Property blobs without duplicates.
struct Blobs<'e, T> {
    ops: &'e T,
    numbering: &'e Numbering,
    strings: &'e mut Strings,
    of_encoding: Vec<u32>,
    known: HashMap<Vec<u8>, u32, foldhash::fast::RandomState>,
    list: Vec<Vec<u8>>,
    memory: usize,
    fault: Option<Error>,
}

impl<'e, T: OpTranslator> Blobs<'e, T> {
    fn new(ops: &'e T, numbering: &'e Numbering, strings: &'e mut Strings) -> Self {
        let of_encoding = vec![NONE; ops.encoding_count()];
        Self {
            ops,
            numbering,
            strings,
            of_encoding,
            known: HashMap::default(),
            list: Vec::new(),
            memory: 0,
            fault: None,
        }
    }

    fn finish(self) -> Result<Vec<Vec<u8>>> {
        match self.fault {
            Some(error) => Err(error),
            None => Ok(self.list),
        }
    }

    #[inline]
    fn index(&mut self, form: EncodingId) -> Option<u32> {
        let index = self.of_encoding.get(form.index()).copied().unwrap_or(NONE);
        if index != NONE {
            return Some(index);
        }
        let properties = self.ops.encoding(form).properties.as_ref()?;
        self.make(form, properties)
    }

    fn make(&mut self, form: EncodingId, properties: &EncodedProperties) -> Option<u32> {
        let blob = match properties {
            EncodedProperties::Attribute(attribute) => {
                let mut sink = ByteSink::new();
                sink.varint(self.numbering.attribute_at.number_at(*attribute).into());
                Ok(sink.into_bytes())
            }
            EncodedProperties::Declared(declared) => self.by_declared_encoding(declared),
            EncodedProperties::Known { op, values } => {
                let op = self.ops.schema(*op)?;
                let version = self.ops.version();
                let values: Vec<crate::props::Property<'_>> = op
                    .wire(version)
                    .zip(values.iter())
                    .map(|(field, value)| crate::props::Property { field, value: self.renumbered(value) })
                    .collect();
                op.encode(version, &values)
            }
        };
        let blob = match blob {
            Ok(blob) => blob,
            Err(error) => {
                self.fault.get_or_insert(error);
                return None;
            }
        };
        let next = self.list.len() as u32;
        let index = *self.known.entry(blob).or_insert_with_key(|blob| {
            self.memory += 2 * blob.len() + 4 * size_of::<Vec<u8>>();
            self.list.push(blob.clone());
            next
        });
        self.of_encoding[form.index()] = index;
        Some(index)
    }

    fn by_declared_encoding(&mut self, declared: &Declared) -> Result<Vec<u8>> {
        let entries = self.ops.entries();
        let mut new = declared.clone();
        // Widths of numbers come from types of the pool, so they are read before the types are renumbered.
        let widths: HashMap<TypeId, Option<u64>> = new
            .node
            .all()
            .iter()
            .filter_map(|field| match *field {
                Field::Type(index, _) => {
                    let written = self.numbering.type_at.number_at(PoolType::new(index.number()));
                    Some((TypeId::new(written), bits_of(&entries, index)))
                }
                _ => None,
            })
            .collect();
        self.numbering.renumber(&mut new.node, &entries, self.strings)?;
        new.encode(&|index| widths.get(&index).copied().flatten())
    }

    fn renumbered(&mut self, value: &PropertyValue) -> PropertyValue {
        match value {
            PropertyValue::Attribute(index) => PropertyValue::Attribute(AttrId::new(
                self.numbering.attribute_at.number_at(PoolAttr::new(index.number())),
            )),
            PropertyValue::String(index) => {
                let entries = self.ops.entries();
                let text = entries.string(*index);
                PropertyValue::String(self.strings.add(text))
            }
            PropertyValue::Array(items) => {
                PropertyValue::Array(items.iter().map(|item| self.renumbered(item)).collect())
            }
            PropertyValue::Optional(Some(inner)) => {
                PropertyValue::Optional(Some(Box::new(self.renumbered(inner))))
            }
            other => other.clone(),
        }
    }
}

/// Reads the IR of the file as events and writes it with other numbers.
struct IrSink<'s, 'e, T> {
    writer: IrWriter,
    blobs: &'s mut Blobs<'e, T>,
    collected: &'e Collected,
    keeps_encodings: bool,
    // The head of the ops of each encoding.
    heads: Vec<OpHead>,
    // Written indices by the file's index.
    attributes: WrittenIndicesBy<'s, AttrId, WireAttr>,
    types: WrittenIndicesBy<'s, TypeId, WireType>,
    // Ordinals of the next op, op with regions, region.
    op: usize,
    owner: usize,
    region: usize,
    open: Vec<OpenRegion>,
    // Whether the regions of the enclosing ops are isolated, in the file and in the written IR.
    isolated: Vec<(bool, bool)>,
    // Empty regions that the enclosing ops have on one side only, and the number of regions that have ended.
    shifts: Vec<(Option<RegionShift>, u32)>,
    // The number of blocks so far, and the numbers of the enclosing blocks.
    blocks: u64,
    open_blocks: Vec<u64>,
    is_left_out: bool,
    /// The order of the operands of the current op, if it differs from the file, and the operands read so
    /// far.
    order: Option<&'e [u8]>,
    disordered: Vec<ValueRef>,
    unknown: Option<WireAttr>,
    strips: bool,
    elides: bool,
    keeps_orders: bool,
    uses: &'s UseCounts,
    has_final_orders: bool,
    llvm: Llvm,
    // Use-list orders of the current op or block: value, whether pairs, numbers.
    orders: Vec<(u64, bool, Vec<u64>)>,
    order_values: u64,
    // The number of orders so far.
    place: usize,
}

#[derive(Clone, Copy)]
struct OpenRegion {
    // The index in `open` from which depths are counted in the file, and the first number of the scope's
    // values in the written IR.
    scope: u32,
    first: u64,
    values: u64,
}

const UNKNOWN_HEAD: OpHead = OpHead { name: NONE, location: NONE, attributes: None, properties: None };

impl<T: OpTranslator> IrSink<'_, '_, T> {
    fn make_head(&mut self, row: EncodingId) -> OpHead {
        let properties = self.blobs.index(row);
        let (form, numbering) = (self.blobs.ops.encoding(row), self.blobs.numbering);
        let head = OpHead {
            name: numbering.op_name_at.number_at(form.name),
            location: NONE,
            attributes: form.dictionary.map(|index| numbering.attribute_at.number_at(index)),
            properties,
        };
        self.heads[row.index()] = head;
        head
    }

    /// Writes regions without blocks.
    fn add_regions(&mut self, count: i32) {
        for _ in 0..count {
            self.writer.begin_region(RegionHead { blocks: 0, values: 0 });
            self.writer.end_region();
        }
    }

    fn is_region_left_out(&self) -> bool {
        self.shifts.last().is_some_and(|(shift, ended)| shift.is_some_and(|shift| shift.leaves_out(*ended)))
    }

    #[inline]
    fn reordered(&mut self, order: &[u8], value: ValueRef) {
        self.disordered.push(value);
        if self.disordered.len() == order.len() {
            for value in order.iter().filter_map(|&place| self.disordered.get(usize::from(place))) {
                self.writer.operand(*value);
            }
            self.disordered.clear();
        }
    }

    #[inline]
    fn flush_orders(&mut self) {
        if !self.orders.is_empty() {
            self.write_orders();
        }
    }

    fn write_orders(&mut self) {
        let mut orders = std::mem::take(&mut self.orders);
        sort_orders(&mut orders, |order| order.0, self.llvm);
        let entries = orders.len() as u64;
        for (value, is_pairs, indices) in &orders {
            let order = UseListOrder { value: *value, is_pairs: *is_pairs, indices, offset: 0 };
            self.writer.use_list(order, self.order_values, entries);
        }
    }
}

impl<T: OpTranslator> OpSink for IrSink<'_, '_, T> {
    #[inline]
    fn op(&mut self, head: OpHead) {
        self.flush_orders();
        let form = match self.keeps_encodings {
            true => self.collected.op_encodings.get(self.op).copied().flatten(),
            false => {
                let (attributes, properties) =
                    (head.attributes.map(AttrId::new), head.properties.map(PropertyId::new));
                self.blobs.ops.find(OpNameId::new(head.name), attributes, properties)
            }
        };
        self.op += 1;
        self.is_left_out = form.is_none();
        let Some(form) = form else { return };
        self.order = self.blobs.ops.operand_order(form);
        let head_of_encoding = match self.heads.get(form.index()) {
            Some(known) if known.name != NONE => *known,
            _ => self.make_head(form),
        };
        let is_unknown = self.strips || head.location == NONE;
        let location = if is_unknown { self.unknown } else { self.attributes.at(AttrId::new(head.location)) };
        self.writer.op(OpHead { location: written_number(location), ..head_of_encoding });
    }

    #[inline]
    fn result(&mut self, r#type: TypeId) {
        self.writer.result(TypeId::new(self.types.number_at(r#type)));
    }

    #[inline]
    fn operand(&mut self, value: ValueRef) {
        let scope = self.open.last().map_or(0, |region| region.scope);
        let first = self.open.get((scope + value.depth) as usize).map_or(0, |region| region.first);
        let value = ValueRef { number: first + value.index, ..value };
        match self.order {
            None => self.writer.operand(value),
            Some(order) => self.reordered(order, value),
        }
    }

    fn successor(&mut self, block: u32) {
        self.writer.successor(block);
    }

    fn use_list(&mut self, order: UseListOrder<'_>, values: u64, _: u64) {
        let place = self.place;
        self.place += 1;
        if !self.keeps_orders {
            return;
        }
        self.order_values = values;
        if self.has_final_orders {
            let encoded = encode_positions(order.indices.to_vec());
            self.orders.extend(encoded.map(|(is_pairs, indices)| (order.value, is_pairs, indices)));
            return;
        }
        match rewrite_order(&order, self.uses.get(place), self.llvm) {
            Ok(None) => {}
            Ok(Some((is_pairs, indices))) => self.orders.push((order.value, is_pairs, indices)),
            Err(error) => {
                self.blobs.fault.get_or_insert(error);
            }
        }
    }

    fn regions(&mut self, count: u32, was_isolated: bool) {
        self.flush_orders();
        let is_isolated = self.collected.isolated.get(self.owner).copied().unwrap_or(was_isolated);
        let shift = self.collected.changed_regions.get(&self.owner).copied();
        self.owner += 1;
        self.isolated.push((was_isolated, is_isolated));
        self.shifts.push((shift, 0));
        let RegionShift { first, last, .. } = shift.unwrap_or_default();
        self.writer.regions(count.saturating_add_signed(first + last), is_isolated);
        self.add_regions(first);
    }

    fn enter(&mut self, _: IsolatedRegions) -> bool {
        self.blobs.fault.is_none()
    }

    fn begin_region(&mut self, head: RegionHead) {
        let values = self.collected.regions.get(self.region).map_or(0, |region| u64::from(region.values));
        self.region += 1;
        let (was_isolated, is_isolated) = self.isolated.last().copied().unwrap_or((true, true));
        let parent = self.open.last().copied();
        let scope = match parent {
            Some(parent) if !was_isolated => parent.scope,
            _ => self.open.len() as u32,
        };
        let first = match parent {
            Some(parent) if !is_isolated => parent.first + parent.values,
            _ => 0,
        };
        // The top level numbers no values.
        let values = if parent.is_none() { 0 } else { values };
        self.open.push(OpenRegion { scope, first, values });
        if !self.is_region_left_out() {
            self.writer.begin_region(RegionHead { values, ..head });
        }
    }

    fn begin_block(&mut self, head: BlockHead) {
        self.flush_orders();
        let change = self.collected.changed_blocks.get(&self.blocks);
        self.open_blocks.push(self.blocks);
        self.blocks += 1;
        let ops = match change {
            Some(change) => head.ops - change.left_out + u64::from(change.end.is_some()),
            None => head.ops,
        };
        self.writer.begin_block(BlockHead { ops, arguments: head.arguments.filter(|&count| count > 0) });
    }

    fn argument(&mut self, r#type: TypeId, location: Option<AttrId>) {
        let location = location.filter(|_| !self.strips);
        let location = location.map_or(self.unknown, |location| self.attributes.at(location));
        let is_left_out = self.elides && location == self.unknown;
        let location = (!is_left_out).then_some(written_number(location));
        self.writer.argument(TypeId::new(self.types.number_at(r#type)), location.map(AttrId::new));
    }

    fn begin_ops(&mut self) {
        self.flush_orders();
        self.writer.begin_ops();
    }

    fn end_block(&mut self) {
        self.flush_orders();
        let block = self.open_blocks.pop();
        let change = block.and_then(|block| self.collected.changed_blocks.get(&block));
        if let Some((form, location)) = change.and_then(|change| change.end) {
            let numbering = self.blobs.numbering;
            self.writer.op(OpHead {
                name: numbering.op_name_at.number_at(self.blobs.ops.encoding(form).name),
                location: numbering.attribute_at.number_at(location),
                attributes: None,
                properties: None,
            });
        }
        self.writer.end_block();
    }

    fn end_region(&mut self) {
        self.open.pop();
        if !self.is_region_left_out() {
            self.writer.end_region();
        }
        if let Some((_, ended)) = self.shifts.last_mut() {
            *ended += 1;
        }
    }

    fn end_regions(&mut self) {
        self.isolated.pop();
        if let Some((Some(shift), _)) = self.shifts.pop() {
            self.add_regions(shift.last);
        }
        self.writer.end_regions();
    }

    fn memory(&self) -> usize {
        let open = self.open.capacity() * size_of::<OpenRegion>()
            + self.isolated.capacity() * size_of::<(bool, bool)>()
            + self.shifts.capacity() * size_of::<(Option<RegionShift>, u32)>()
            + self.open_blocks.capacity() * size_of::<u64>();
        self.writer.memory() + 2 * open + self.blobs.memory + self.blobs.strings.memory()
    }
}
