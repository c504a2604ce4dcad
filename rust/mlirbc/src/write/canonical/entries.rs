//! Sections 3 and 2 of a written file: attributes and types with their new numbers.

use crate::dialect::declarations::in_layout;
use crate::dialect::entries::{Entries, EntryRef, RawEntry, bits_of, why_opaque};
use crate::dialect::fixed_layout;
use crate::dialect::fixed_layout::FixedPart;
use crate::dialect::node::{Node, TableIndex};
use crate::dialect::primitive;
use crate::dialect::table::{DialectTable, Encoding, Layout, Primitive};
use crate::format::attr_type::{EntryEncoding, EntryTable, NextEntry};
use crate::format::id::{AttrId, TypeId};
use crate::wire::bytes::Bytes;
use crate::wire::cursor::ByteSink;
use crate::wire::error::{Error, ErrorKind, Result};
use crate::wire::section::SectionId;

use super::emit::{Emitter, Strings, at};
use super::index::{PoolAttr, PoolType};
use super::numbering::Numbering;
use super::summary::{Reference, ReferenceSummary};
use super::tables::Tables;
use super::translator::OpTranslator;
use crate::write::Pulse;
use crate::write::file_pieces::{FilePiece, FilePieces};

/// Larger sections grow on demand, because most of a section may be data of large constants.
const MOST_EXPECTED: usize = 64 << 20;

impl<T: OpTranslator + Sync> Emitter<'_, '_, T> {
    /// Writes the directory and the payloads.
    ///
    /// # Errors
    /// The errors of encoding.
    pub(crate) fn entries(&self, strings: &mut Strings) -> Result<(FilePieces, FilePieces)> {
        if let Some(unchanged) = self.unchanged_entries(strings)? {
            return Ok(unchanged);
        }
        let mut directory = ByteSink::new();
        let mut out = EntryWriter::new(self.ops, &self.numbering, strings);
        let Numbering { attributes, types, attribute_dialects, type_dialects, .. } = &self.numbering;
        // Each entry takes a few bytes of the directory.
        let rows = attributes.len() + types.len();
        self.ops.budget().spend(rows.saturating_mul(2 * size_of::<u32>()))?;
        let mut held = self.ops.budget().hold(0)?;
        let bytes =
            |id| self.module.tables().bytecode().section(id).map_or(0, |section| section.size as usize);
        directory.expect(bytes(SectionId::AttrTypeOffset).min(MOST_EXPECTED));
        out.sink.expect(bytes(SectionId::AttrType).min(MOST_EXPECTED));
        let (mut pulse, module) = (Pulse::default(), self.module);
        let mut encode = |of| {
            let before = out.len();
            let encoding = out.entry(of)?;
            held.grow_to(out.memory())?;
            pulse.beat(1, module.tables())?;
            Ok::<_, Error>((encoding, out.len() - before))
        };
        EntryTable::write_counts([attributes.len(), types.len()], &mut directory);
        EntryTable::write_groups(
            attributes,
            |attribute| at(attribute_dialects, attribute.number()),
            |attribute| encode(EntryRef::Attribute(AttrId::new(attribute.number()))),
            &mut directory,
        )?;
        EntryTable::write_groups(
            types,
            |r#type| at(type_dialects, r#type.number()),
            |r#type| encode(EntryRef::Type(TypeId::new(r#type.number()))),
            &mut directory,
        )?;
        out.payloads.push(FilePiece::Made(out.sink.into_bytes()));
        self.ops.budget().spend(out.payloads.made())?;
        Ok((directory.into(), out.payloads))
    }

    // Returns the sections of the file, if the written sections would be equal.
    fn unchanged_entries(&self, strings: &mut Strings) -> Result<Option<(FilePieces, FilePieces)>> {
        let table = &self.module.tables().entry_table()?.table;
        let Some(entries) = self.ops.entries().of_file().filter(|_| self.keeps_entry_numbers()) else {
            return Ok(None);
        };
        let dialects = self.module.dialects()?.map(|dialect| dialect.name);
        if !self.ops.keeps_entry_encodings() {
            return Ok(None);
        }
        if !table.is_shortest() || !dialects.eq(self.numbering.dialects.iter().map(|name| &**name)) {
            return Ok(None);
        }
        let bounds = entries.bounds();
        let all = AttrId::rows(0..bounds.attributes)
            .map(EntryRef::Attribute)
            .chain(TypeId::rows(0..bounds.types).map(EntryRef::Type));
        let mut out = EntryWriter::new(self.ops, &self.numbering, strings);
        let mut pulse = Pulse::default();
        for of in all {
            // An entry with a summary keeps its bytes if its reference keeps its number.
            if out.numbering.summaries.get(of).is_some() {
                continue;
            }
            out.sink.truncate(0);
            out.entry(of)?;
            pulse.beat(1, self.module.tables())?;
            if entries.raw(of).is_none_or(|entry| entry.data != out.sink.as_bytes()) {
                return Ok(None);
            }
        }
        Ok(Some((self.copied(SectionId::AttrTypeOffset), self.copied(SectionId::AttrType))))
    }
}

/// Writes attributes and types with their new numbers.
struct EntryWriter<'w, T> {
    ops: &'w T,
    entries: Tables<'w>,
    // Most entries are written in the order of the file.
    next: NextEntry,
    numbering: &'w Numbering,
    strings: &'w mut Strings,
    node: Node,
    // The bytes that were appended after the last piece.
    sink: ByteSink,
    payloads: FilePieces,
}

impl<'w, T: OpTranslator> EntryWriter<'w, T> {
    fn new(ops: &'w T, numbering: &'w Numbering, strings: &'w mut Strings) -> Self {
        let (sink, payloads) = (ByteSink::new(), FilePieces::default());
        let (entries, next) = (ops.entries(), NextEntry::default());
        Self { ops, entries, next, numbering, strings, node: Node::default(), sink, payloads }
    }

    // The list doubles, as a full vector does.
    fn memory(&self) -> usize {
        2 * self.sink.capacity() + self.payloads.made() + self.strings.memory()
    }

    #[inline]
    fn len(&self) -> u64 {
        self.payloads.len() + self.sink.len() as u64
    }

    #[inline]
    fn entry(&mut self, of: EntryRef) -> Result<EntryEncoding> {
        let Some((entry, blob)) = self.entries.short_in_order(of, &mut self.next) else {
            return Err(Error::message(ErrorKind::Index, format!("{of} is not in the file")));
        };
        if let Some(table) = self.ops.reader_table(&entry)
            && let Some(encoding) = self.versioned(of, table)?
        {
            return Ok(encoding);
        }
        if let Some(summary) = self.numbering.summaries.get(of) {
            self.summarized(of, summary, entry.data);
            return Ok(EntryEncoding::Custom);
        }
        if entry.is_text {
            self.sink.bytes(entry.data);
            return Ok(EntryEncoding::Assembly);
        }
        if let Some(form) = entry.form(of)?.filter(|form| form.has_fixed_layout) {
            let (numbering, strings, entries) = (self.numbering, &mut *self.strings, self.entries);
            let sink = &mut self.sink;
            let attribute_at = |index| {
                numbering.attribute_at.number_at(PoolAttr::new(entries.attribute_of(of, index))).into()
            };
            fixed_layout::parts(form, entry.data, entry.offset, &entries.bounds(), &mut |part| match part {
                FixedPart::Number(number) => sink.varint(number),
                FixedPart::Byte(byte) => sink.byte(byte),
                FixedPart::String(index) => sink.varint(strings.add(entries.string(index)).into()),
                FixedPart::Resource(index) => sink.varint(at(&numbering.resource_at, index).into()),
                FixedPart::Attribute(index, ..) => sink.varint(attribute_at(AttrId::new(index))),
                FixedPart::OptionalAttribute(index, ..) => {
                    sink.varint_with_flag(attribute_at(AttrId::new(index)), true)
                }
                FixedPart::Type(index, _) => {
                    sink.varint(numbering.type_at.number_at(PoolType::new(index)).into())
                }
            })?;
            return Ok(EntryEncoding::Custom);
        }
        self.decoded(of, &entry, blob)
    }

    /// The new number of an attribute that an entry refers to.
    #[inline(always)]
    fn attribute_at(&self, of: EntryRef, index: AttrId) -> u32 {
        self.numbering.attribute_at.number_at(PoolAttr::new(self.entries.attribute_of(of, index)))
    }

    // Writes an entry in which only the number of the reference changes.
    #[inline(always)]
    fn summarized(&mut self, of: EntryRef, summary: ReferenceSummary, data: &[u8]) {
        let new = match summary.reference() {
            Reference::None => return self.sink.bytes(data),
            Reference::Attribute(index) => self.attribute_at(of, AttrId::new(index)),
            Reference::Type(index) => self.numbering.type_at.number_at(PoolType::new(index)),
        };
        let (before, rest) = data.split_at_checked(summary.place.into()).unwrap_or((data, &[]));
        self.sink.bytes(before);
        self.sink.varint(new.into());
        self.sink.bytes(rest.get(summary.len.into()..).unwrap_or_default());
    }

    fn decoded(&mut self, of: EntryRef, entry: &RawEntry<'_>, blob: Option<&Bytes>) -> Result<EntryEncoding> {
        let entries = self.entries;
        let Some((form, layout)) = entry.decode(of, &entries, &mut self.node)? else {
            let reason = why_opaque(entry, of, &entries, &mut self.node);
            let reason = reason.map_or_else(String::new, |reason| reason.sentence());
            return Err(Error::message(ErrorKind::EntryNoTable, format!("cannot renumber {of}: {reason}")));
        };
        if entries.is_of_file(of) {
            self.node.renumber(|index| {
                Ok(match index {
                    TableIndex::Attribute(index) => entries.attribute_of(of, AttrId::new(index)),
                    TableIndex::Type(index) | TableIndex::String(index) | TableIndex::Resource(index) => {
                        index
                    }
                })
            })?;
        }
        self.put(entry.data, form, (&form.layouts[layout], None))?;
        if let Some(blob) = blob {
            // The empty blob at the end is replaced by the real one.
            self.sink.truncate(self.sink.len() - 1);
            self.sink.varint(blob.len() as u64);
            self.payloads.push(FilePiece::Made(std::mem::take(&mut self.sink).into_bytes()));
            self.payloads.push(FilePiece::Shared(blob.clone()));
        }
        Ok(EntryEncoding::Custom)
    }

    /// Writes an entry in the layout that the reader of the file expects; `None` if it already has it.
    #[cold]
    fn versioned(&mut self, of: EntryRef, table: &DialectTable) -> Result<Option<EntryEncoding>> {
        let entries = self.entries;
        // The entry is decoded with its blob, which may not be the last field in the other layout.
        let Some(entry) = entries.entry(of) else { return Ok(None) };
        let Some((form, layout)) = entry.decode(of, &entries, &mut self.node)? else { return Ok(None) };
        let forms = match of {
            EntryRef::Attribute(_) => &table.attributes,
            EntryRef::Type(_) => &table.types,
        };
        let (from, to) = (&form.layouts[layout], forms.rows.iter().find(|row| row.name == form.name));
        let Some(to) = to.filter(|to| !to.layouts.contains(from)) else { return Ok(None) };
        let Some(wanted) = to.layouts.first() else { return Ok(None) };
        self.put(entry.data, form, (from, Some(wanted)))?;
        Ok(Some(EntryEncoding::Custom))
    }

    // Converts the fields of `node` to the other layout of its encoding, if there is one.
    #[inline(always)]
    fn put(
        &mut self,
        data: &[u8],
        form: &Encoding,
        (layout, wanted): (&Layout, Option<&Layout>),
    ) -> Result<()> {
        let entries = self.entries;
        // Widths of numbers come from types of the pool, so they are read before the types are renumbered.
        let type_of_width = layout.fields.iter().find_map(|field| match field.primitive {
            Primitive::Bits(of) => self.node.r#type(of),
            _ => None,
        });
        self.numbering.renumber(&mut self.node, &entries, self.strings)?;
        let width = |_: TypeId| type_of_width.and_then(|index| bits_of(&entries, index));
        match wanted {
            None => primitive::encode_into(form, layout, &self.node, data, &width, &mut self.sink),
            Some(wanted) => {
                let node = in_layout(form, layout, wanted, &self.node)?;
                primitive::encode_into(form, wanted, &node, data, &width, &mut self.sink)
            }
        }
    }
}
