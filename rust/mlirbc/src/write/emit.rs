//! The sections of a written file, in MLIR's order; strings get their numbers as they are met
//! (`mlir/lib/Bytecode/Writer/BytecodeWriter.cpp`).

use std::collections::HashMap;
use std::sync::Arc;

use crate::bytes::Bytes;
use crate::codec::entries::{Entries, EntryRef, bits_of};
use crate::codec::node::{Field, Node};
use crate::codec::plain::{self, Part};
use crate::codec::primitive;
use crate::codec::scheme::Declared;
use crate::codec::table::Primitive;
use crate::cursor::ByteSink;
use crate::error::{Error, ErrorKind, Result};
use crate::format::attr_type::{EntryEncoding, EntryTable};
use crate::format::container::Bytecode;
use crate::format::dialect::{DialectEntry, DialectSection, OpNameEntry};
use crate::format::ir::{
    BlockHead, IrWriter, IsolatedRegions, OpHead, OpSink, RegionHead, Root, UseListOrder, ValueRef,
};
use crate::format::properties::PropertyTable;
use crate::format::resource::{
    ResourceDirectory, ResourceEntry, ResourceKind, ResourceOwner, ResourcePayload,
};
use crate::format::string::StringTable;
use crate::ir::Module;
use crate::props::PropertyValue;
use crate::section::SectionId;
use crate::version::BytecodeVersion;

use super::WriteOptions;
use super::collect::{Collected, LEFT_OUT};
use super::forms::{FormProperties, Forms};
use super::numbering::Numbering;
use super::order::{UseCounts, rewrite_order, sort_as_hashed};
use super::pieces::{Piece, Pieces};
use super::tables::Tables;

const NONE: u32 = u32::MAX;

/// Strings in the order in which they were first met.
#[derive(Debug, Default)]
pub(super) struct Strings {
    list: Vec<Box<[u8]>>,
    known: HashMap<Box<[u8]>, u32, foldhash::fast::RandomState>,
}

impl Strings {
    fn add(&mut self, bytes: &[u8]) -> u32 {
        if let Some(&index) = self.known.get(bytes) {
            return index;
        }
        let index = self.list.len() as u32;
        self.list.push(bytes.into());
        self.known.insert(bytes.into(), index);
        index
    }
}

/// Puts a file together from what was collected and numbered.
pub(super) struct Emitter<'e, 'm> {
    module: &'m Arc<Module>,
    forms: &'e Forms<'m>,
    collected: &'e Collected,
    numbering: Numbering,
    strings: Strings,
    version: BytecodeVersion,
    // Pool resources with their place, and the file's row, if it has one.
    resources: Vec<(u32, Option<usize>)>,
    // Most entries follow one of the same dialect.
    last_dialect: (*const u8, u32),
    strips_locations: bool,
    strips_resources: bool,
}

impl<'e, 'm> Emitter<'e, 'm> {
    pub(super) fn new(
        module: &'m Arc<Module>,
        forms: &'e Forms<'m>,
        collected: &'e Collected,
        mut numbering: Numbering,
        options: &WriteOptions,
    ) -> Result<Self> {
        let mut with_data = Vec::new();
        let mut without = Vec::new();
        for &key in &numbering.resources {
            let name = forms.pool.entries().resource_key(key).to_vec();
            let row = module.resources_named(&name)?.find(|resource| !resource.is_external());
            match row {
                Some(resource) if resource.has_data() && !options.strip_resources => {
                    with_data.push((key, Some(resource.index())))
                }
                Some(resource) => without.push((key, Some(resource.index()))),
                None => without.push((key, None)),
            }
        }
        with_data.append(&mut without);
        for (place, &(key, _)) in with_data.iter().enumerate() {
            numbering.resource_at[key as usize] = place as u32;
        }
        let version = forms.target().version;
        Ok(Self {
            module,
            forms,
            collected,
            numbering,
            strings: Strings::default(),
            version,
            resources: with_data,
            last_dialect: (std::ptr::null(), 0),
            strips_locations: options.strip_locations,
            strips_resources: options.strip_resources,
        })
    }

    /// The whole file.
    ///
    /// # Errors
    /// What cannot be encoded, and what reading the file reports.
    pub(super) fn file(mut self, producer: &[u8], progress: &dyn Fn(u64, u64)) -> Result<Pieces> {
        let dialects = self.dialects()?;
        let (directory, payloads) = self.entries()?;
        let (ir, blobs) = self.ir(progress)?;
        let (resource_directory, resource_payloads) = self.resources()?;
        let mut header = ByteSink::new();
        Bytecode::write_header(self.version, producer, &mut header);
        let mut file = Pieces::from(header);
        let mut strings = ByteSink::new();
        StringTable::write(self.strings.list.iter().map(|string| &**string), &mut strings);
        file.section(SectionId::Dialect, dialects.into());
        file.section(SectionId::AttrTypeOffset, directory.into());
        file.section(SectionId::AttrType, payloads);
        file.section(SectionId::Ir, ir.into());
        file.section(SectionId::ResourceOffset, resource_directory.into());
        file.section(SectionId::Resource, resource_payloads);
        file.section(SectionId::String, strings.into());
        if self.version.has_native_properties() {
            let mut properties = ByteSink::new();
            PropertyTable::write(blobs.iter().map(|blob| &**blob), &mut properties);
            file.section(SectionId::Properties, properties.into());
        }
        Ok(file)
    }

    // ---- section 1 ----

    fn dialects(&mut self) -> Result<ByteSink> {
        let mut section = DialectSection::default();
        let mut data = Vec::new();
        let versions: HashMap<Vec<u8>, Bytes> = self
            .module
            .dialects()?
            .filter_map(|dialect| Some((dialect.name.to_vec(), dialect.version?)))
            .collect();
        for name in &self.numbering.dialects {
            let name_index = self.strings.add(name);
            let crossing = self.forms.target().crossing.as_ref();
            let is_read = crossing.is_none_or(|crossing| crossing.reads_versions(name));
            let version = versions.get(&**name).filter(|_| is_read && self.version.has_dialect_versions());
            let version = version.map(|bytes| {
                let start = data.len();
                data.extend_from_slice(bytes);
                start..data.len()
            });
            section.dialects.push(DialectEntry { name: name_index, version });
        }
        for &row in &self.numbering.op_names {
            let row = &self.forms.names()[row as usize];
            let is_registered = self.version.has_registered_flags().then_some(row.is_registered);
            let (dialect, name) = (self.numbering.dialect(&row.dialect), self.strings.add(&row.stem));
            section.op_names.push(OpNameEntry { dialect, name, is_registered });
        }
        let mut sink = ByteSink::new();
        section.write(self.version, &data, &mut sink);
        Ok(sink)
    }

    // ---- sections 3 and 2 ----

    fn entries(&mut self) -> Result<(ByteSink, Pieces)> {
        let mut payloads = Pieces::default();
        let mut sink = ByteSink::new();
        let mut rows: [Vec<(u32, EntryEncoding, u64)>; 2] = [Vec::new(), Vec::new()];
        let entries = self.forms.pool.entries();
        let mut node = Node::default();
        let all = [
            (false, std::mem::take(&mut self.numbering.attributes)),
            (true, std::mem::take(&mut self.numbering.types)),
        ];
        for (is_type, list) in &all {
            for &index in list {
                let of = if *is_type { EntryRef::Type(index) } else { EntryRef::Attribute(index) };
                let before = payloads.len() + sink.len() as u64;
                let (dialect, encoding) = self.entry(of, entries, &mut node, &mut sink, &mut payloads)?;
                let size = payloads.len() + sink.len() as u64 - before;
                rows[usize::from(*is_type)].push((dialect, encoding, size));
            }
        }
        payloads.push(Piece::Made(sink.into_bytes()));
        let mut directory = ByteSink::new();
        EntryTable::write(&rows[0], &rows[1], &mut directory);
        Ok((directory, payloads))
    }

    fn entry(
        &mut self,
        of: EntryRef,
        entries: Tables<'_>,
        node: &mut Node,
        sink: &mut ByteSink,
        out: &mut Pieces,
    ) -> Result<(u32, EntryEncoding)> {
        let Some((entry, blob)) = entries.short(of) else {
            return Err(Error::new(ErrorKind::Index, "an attribute or a type", format!("{of:?}")));
        };
        if entry.dialect.as_ptr() != self.last_dialect.0 {
            self.last_dialect = (entry.dialect.as_ptr(), self.numbering.dialect(entry.dialect));
        }
        let dialect = self.last_dialect.1;
        if entry.is_text {
            sink.bytes(entry.data);
            return Ok((dialect, EntryEncoding::Assembly));
        }
        if let Some(form) = entry.form(of)?.filter(|form| form.is_plain) {
            let (numbering, strings) = (&self.numbering, &mut self.strings);
            plain::parts(form, entry.data, entry.offset, &entries.bounds(), &mut |part| match part {
                Part::Number(number) => sink.varint(number),
                Part::Byte(byte) => sink.byte(byte),
                Part::String(index) => {
                    let text = entries.string(index);
                    sink.varint(strings.add(text).into());
                }
                Part::Resource(index) => sink.varint(at(&numbering.resource_at, index).into()),
                Part::Attribute(index, ..) => sink.varint(at(&numbering.attribute_at, index).into()),
                Part::OptionalAttribute(index, ..) => {
                    sink.varint_with_flag(at(&numbering.attribute_at, index).into(), true);
                }
                Part::Type(index, _) => sink.varint(at(&numbering.type_at, index).into()),
            })?;
            return Ok((dialect, EntryEncoding::Custom));
        }
        let Some((form, layout)) = entry.decode(of, &entries, node)? else {
            let found = String::from_utf8_lossy(entry.dialect).into_owned();
            return Err(Error::new(ErrorKind::EntryNoTable, "a dialect with a table", found));
        };
        let layout = &form.layouts[layout];
        // Widths of numbers are those of the pool's types, before these are renumbered.
        let type_of_width = layout.fields.iter().find_map(|field| match field.primitive {
            Primitive::Bits(of) => node.r#type(of),
            _ => None,
        });
        let (numbering, strings) = (&self.numbering, &mut self.strings);
        node.map(|field| match field {
            Field::String(index) => Field::String(strings.add(entries.string(index))),
            Field::Resource(index) => Field::Resource(at(&numbering.resource_at, index)),
            Field::Attribute(index, place) => Field::Attribute(at(&numbering.attribute_at, index), place),
            Field::Type(index, place) => Field::Type(at(&numbering.type_at, index), place),
            other => other,
        });
        let width = |_: u32| type_of_width.and_then(|index| bits_of(&entries, index));
        primitive::encode_into(form, layout, node, entry.data, &width, sink)?;
        if let Some(blob) = blob {
            // The empty blob at the end gives way to the real one.
            sink.truncate(sink.len() - 1);
            sink.varint(blob.len() as u64);
            out.push(Piece::Made(std::mem::take(sink).into_bytes()));
            out.push(Piece::Shared(blob.clone()));
        }
        Ok((dialect, EntryEncoding::Custom))
    }

    // ---- section 4, and the blobs of section 8 ----

    fn ir(&mut self, progress: &dyn Fn(u64, u64)) -> Result<(ByteSink, Vec<Vec<u8>>)> {
        let counts = self.module.entry_counts()?;
        let pool = &self.forms.pool;
        let compose = |count: u32, place: &dyn Fn(u32) -> Option<u32>, at_pool: &[u32]| -> Vec<u32> {
            (0..count).map(|index| place(index).map_or(NONE, |row| at(at_pool, row))).collect()
        };
        let attributes =
            compose(counts.attributes, &|index| pool.known_attribute(index), &self.numbering.attribute_at);
        let types = compose(counts.types, &|index| pool.known_type(index), &self.numbering.type_at);
        let uses = if self.collected.has_pairs && self.version.has_use_list_orders() {
            UseCounts::of(self.module)?
        } else {
            UseCounts::default()
        };
        let unknown = at(&self.numbering.attribute_at, pool.known_unknown_location());
        let mut blobs = Blobs {
            forms: self.forms,
            numbering: &self.numbering,
            strings: &mut self.strings,
            of_form: vec![NONE; self.forms.len()],
            known: HashMap::default(),
            list: Vec::new(),
            fault: None,
        };
        let mut sink = IrSink {
            writer: IrWriter::new(self.version, Root::TopLevel),
            blobs: &mut blobs,
            collected: self.collected,
            attributes,
            types,
            op: 0,
            owner: 0,
            region: 0,
            open: Vec::new(),
            isolated: Vec::new(),
            blocks: 0,
            open_blocks: Vec::new(),
            is_left_out: false,
            unknown,
            strips: self.strips_locations,
            elides: self.version.elides_unknown_argument_locations(),
            keeps_orders: self.version.has_use_list_orders(),
            uses: &uses,
            orders: Vec::new(),
            order_values: 0,
            place: 0,
        };
        self.module.stream_with(&mut sink, progress)?;
        sink.flush_orders();
        let ir = sink.writer.finish();
        match blobs.fault.take() {
            Some(error) => Err(error),
            None => Ok((ir, blobs.list)),
        }
    }

    // ---- sections 6 and 5 ----

    fn resources(&mut self) -> Result<(ByteSink, Pieces)> {
        let mut rows = Vec::new();
        let mut payloads = Pieces::default();
        let all: Vec<_> = self.module.resources()?.collect();
        let keeps = !self.strips_resources;
        let externals: Vec<_> = all.iter().filter(|resource| keeps && resource.is_external()).collect();
        // A group that comes again is one group, in the place of the first.
        let mut groups: Vec<(&[u8], Vec<usize>)> = Vec::new();
        for resource in &externals {
            match groups.iter_mut().find(|group| group.0 == resource.group()) {
                Some(group) => group.1.push(resource.index()),
                None => groups.push((resource.group(), vec![resource.index()])),
            }
        }
        // Of each group: whose it is, unless the builtin dialect's; the keys, and the file's rows.
        type Member = (Vec<u8>, Option<usize>);
        let mut jobs: Vec<(Option<&[u8]>, Vec<Member>)> = Vec::new();
        for (name, members) in groups {
            let members = members.into_iter().map(|index| (all[index].key().to_vec(), Some(index))).collect();
            jobs.push((Some(name), members));
        }
        let keys = self.forms.pool.entries();
        let dialect: Vec<Member> =
            self.resources.iter().map(|&(key, row)| (keys.resource_key(key).to_vec(), row)).collect();
        if !dialect.is_empty() {
            jobs.push((None, dialect));
        }
        for (group, members) in jobs {
            let mut sizes = Vec::with_capacity(members.len());
            for (_, row) in &members {
                let before = payloads.len();
                let mut kind = ResourceKind::Blob as u8;
                if let Some(resource) = row.and_then(|row| all.get(row)).filter(|_| keeps)
                    && let Some(payload) = resource.payload()?
                {
                    kind = resource.entry.kind;
                    self.payload(payload, &mut payloads)?;
                }
                sizes.push((payloads.len() - before, kind));
            }
            let owner = match group {
                Some(name) => ResourceOwner::External(self.strings.add(name)),
                None => ResourceOwner::Dialect(self.numbering.dialect(b"builtin")),
            };
            for ((key, _), (size, kind)) in members.iter().zip(sizes) {
                let key = self.strings.add(key);
                rows.push(ResourceEntry { owner, key, kind, position: 0, size, offset: 0 });
            }
        }
        let mut directory = ByteSink::new();
        ResourceDirectory::write(&rows, &mut directory);
        Ok((directory, payloads))
    }

    fn payload(&mut self, payload: ResourcePayload, out: &mut Pieces) -> Result<()> {
        let mut head = ByteSink::new();
        match payload {
            ResourcePayload::Bool(value) => head.byte(value.into()),
            ResourcePayload::String(index) => {
                head.varint(self.strings.add(self.module.string(index)?).into());
            }
            ResourcePayload::Blob { range, alignment } => {
                head.varint(alignment);
                head.varint(range.end - range.start);
                out.bytes(head.as_bytes());
                out.align(alignment);
                out.push(Piece::Copied(range));
                return Ok(());
            }
        }
        out.bytes(head.as_bytes());
        Ok(())
    }
}

#[inline]
fn at(places: &[u32], row: u32) -> u32 {
    places.get(row as usize).copied().unwrap_or(NONE)
}

fn renumbered_field(
    field: Field,
    entries: &Tables<'_>,
    numbering: &Numbering,
    strings: &mut Strings,
    widths: &mut HashMap<u32, Option<u64>>,
) -> Field {
    match field {
        Field::String(index) => Field::String(strings.add(entries.string(index))),
        Field::Resource(index) => Field::Resource(at(&numbering.resource_at, index)),
        Field::Attribute(index, place) => Field::Attribute(at(&numbering.attribute_at, index), place),
        Field::Type(index, place) => {
            let new = at(&numbering.type_at, index);
            widths.insert(new, bits_of(entries, index));
            Field::Type(new, place)
        }
        other => other,
    }
}

/// Property blobs, each once.
struct Blobs<'e, 'm> {
    forms: &'e Forms<'m>,
    numbering: &'e Numbering,
    strings: &'e mut Strings,
    of_form: Vec<u32>,
    known: HashMap<Vec<u8>, u32, foldhash::fast::RandomState>,
    list: Vec<Vec<u8>>,
    fault: Option<Error>,
}

impl Blobs<'_, '_> {
    #[inline]
    fn index(&mut self, form: u32) -> Option<u32> {
        let known = self.of_form.get(form as usize).copied().unwrap_or(NONE);
        if known != NONE {
            return Some(known);
        }
        let properties = self.forms.get(form).properties.as_ref()?;
        self.make(form, properties)
    }

    fn make(&mut self, form: u32, properties: &FormProperties) -> Option<u32> {
        let blob = match properties {
            FormProperties::Attribute(attribute) => {
                let mut sink = ByteSink::new();
                sink.varint(at(&self.numbering.attribute_at, *attribute).into());
                Ok(sink.into_bytes())
            }
            FormProperties::Declared(declared) => self.by_scheme(declared),
            FormProperties::Known { op, values } => {
                let op = self.forms.op(*op)?;
                let version = self.forms.target().version;
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
            self.list.push(blob.clone());
            next
        });
        self.of_form[form as usize] = index;
        Some(index)
    }

    fn by_scheme(&mut self, declared: &Declared) -> Result<Vec<u8>> {
        let entries = self.forms.pool.entries();
        let mut new = declared.clone();
        let (numbering, strings) = (self.numbering, &mut self.strings);
        // Widths of numbers are those of the pool's types, before these are renumbered.
        let mut widths = HashMap::new();
        new.node.map(|field| renumbered_field(field, &entries, numbering, strings, &mut widths));
        new.encode(&|index| widths.get(&index).copied().flatten())
    }

    fn renumbered(&mut self, value: &PropertyValue) -> PropertyValue {
        match value {
            PropertyValue::Attribute(index) => {
                PropertyValue::Attribute(at(&self.numbering.attribute_at, *index))
            }
            PropertyValue::String(index) => {
                let entries = self.forms.pool.entries();
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

/// Hears the file's IR and writes it with other numbers.
struct IrSink<'s, 'e, 'm> {
    writer: IrWriter,
    blobs: &'s mut Blobs<'e, 'm>,
    collected: &'e Collected,
    // Written places by the file's index.
    attributes: Vec<u32>,
    types: Vec<u32>,
    // Ordinals of the next op, op with regions, region.
    op: usize,
    owner: usize,
    region: usize,
    open: Vec<OpenRegion>,
    // Whether the regions of the ops around are isolated: as read, as written.
    isolated: Vec<(bool, bool)>,
    // How many blocks began, and the numbers of those around.
    blocks: u64,
    open_blocks: Vec<u64>,
    is_left_out: bool,
    unknown: u32,
    strips: bool,
    elides: bool,
    keeps_orders: bool,
    uses: &'s UseCounts,
    // Orders of the op or block at hand: value, whether pairs, numbers.
    orders: Vec<(u64, bool, Vec<u64>)>,
    order_values: u64,
    // How many orders were met.
    place: usize,
}

#[derive(Clone, Copy)]
struct OpenRegion {
    // The place in `open` that depths are counted from, as read; the first number of its values, as written.
    scope: u32,
    first: u64,
    values: u64,
}

impl IrSink<'_, '_, '_> {
    fn flush_orders(&mut self) {
        if self.orders.is_empty() {
            return;
        }
        let mut orders = std::mem::take(&mut self.orders);
        sort_as_hashed(&mut orders, |order| order.0);
        let entries = orders.len() as u64;
        for (value, is_pairs, indices) in &orders {
            let order = UseListOrder { value: *value, is_pairs: *is_pairs, indices, offset: 0 };
            self.writer.use_list(order, self.order_values, entries);
        }
    }
}

impl OpSink for IrSink<'_, '_, '_> {
    #[inline]
    fn op(&mut self, head: OpHead) {
        self.flush_orders();
        let form = self.collected.op_forms.get(self.op).copied().unwrap_or(NONE);
        self.op += 1;
        self.is_left_out = form == LEFT_OUT;
        if self.is_left_out {
            return;
        }
        let properties = self.blobs.index(form);
        let form = self.blobs.forms.get(form);
        let numbering = self.blobs.numbering;
        self.writer.op(OpHead {
            name: at(&numbering.op_name_at, form.name),
            location: if self.strips { self.unknown } else { at(&self.attributes, head.location) },
            attributes: form.dictionary.map(|index| at(&numbering.attribute_at, index)),
            properties,
        });
    }

    #[inline]
    fn result(&mut self, r#type: u32) {
        self.writer.result(at(&self.types, r#type));
    }

    #[inline]
    fn operand(&mut self, value: ValueRef) {
        let scope = self.open.last().map_or(0, |region| region.scope);
        let first = self.open.get((scope + value.depth) as usize).map_or(0, |region| region.first);
        self.writer.operand(ValueRef { number: first + value.index, ..value });
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
        if let Some((is_pairs, indices)) = rewrite_order(&order, self.uses.get(place)) {
            self.orders.push((order.value, is_pairs, indices));
        }
    }

    fn regions(&mut self, count: u32, was_isolated: bool) {
        self.flush_orders();
        let is_isolated = self.collected.isolated.get(self.owner).copied().unwrap_or(was_isolated);
        self.owner += 1;
        self.isolated.push((was_isolated, is_isolated));
        self.writer.regions(count, is_isolated);
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
        self.writer.begin_region(RegionHead { values, ..head });
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

    fn argument(&mut self, r#type: u32, location: Option<u32>) {
        let location = location.filter(|_| !self.strips);
        let location = location.map_or(self.unknown, |location| at(&self.attributes, location));
        let is_left_out = self.elides && location == self.unknown;
        self.writer.argument(at(&self.types, r#type), (!is_left_out).then_some(location));
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
                name: at(&numbering.op_name_at, self.blobs.forms.get(form).name),
                location: at(&numbering.attribute_at, location),
                attributes: None,
                properties: None,
            });
        }
        self.writer.end_block();
    }

    fn end_region(&mut self) {
        self.open.pop();
        self.writer.end_region();
    }

    fn end_regions(&mut self) {
        self.isolated.pop();
        self.writer.end_regions();
    }
}
