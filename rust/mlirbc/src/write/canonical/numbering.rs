//! The numbers of the MLIR writer (`IRNumberingState` in `mlir/lib/Bytecode/Writer/IRNumbering.cpp`).
//!
//! Items are sorted by first mention, then by descending number of references, and then grouped by dialect in
//! chunks that grow with the length of their varints.

use std::collections::HashMap;
use std::marker::PhantomData;

use crate::attr::canonical::is_canonical;
use crate::attr::table::is_distinct;
use crate::attr::text::affine;
use crate::attr::text::parse::skim;
use crate::dialect::entries::{Entries, EntryRef, bits_of};
use crate::dialect::fixed_layout;
use crate::dialect::fixed_layout::FixedPart;
use crate::dialect::node::{Field, Node};
use crate::dialect::primitive;
use crate::dialect::table::{Encoding, Layout};
use crate::file::FileTables;
use crate::format::id::{AttrId, TypeId};
use crate::props::PropertyValue;
use crate::release::Llvm;
use crate::wire::cursor::ByteSink;

use super::collect::{Collected, Mention};
use super::grouping;
use super::index::{
    EncodingId, PoolAttr, PoolName, PoolType, TableRow, WireAttr, WireName, WireType, written_number,
};
use super::op_encoding::{EncodedProperties, OpEncoding};
use super::pass::{CopyReason, Result, Unfinished};
use super::summary::{Reference, ReferenceSummaries, may_be_kept_otherwise};
use super::tables::Tables;
use super::translator::OpTranslator;
use crate::write::Pulse;

const NONE: u32 = u32::MAX;

/// The indices `W` in a written table, by the index `R` of a row in the source table.
#[derive(Debug)]
pub(crate) struct WrittenIndices<R, W> {
    rows: IndexMapping<W>,
    from: PhantomData<R>,
}

#[derive(Debug)]
enum IndexMapping<W> {
    /// All rows below this number keep their index.
    Same(u32),
    /// The index of each row; `None` for rows that are not written.
    Table(Vec<Option<W>>),
}

impl<R, W> Default for WrittenIndices<R, W> {
    fn default() -> Self {
        Self { rows: IndexMapping::Same(0), from: PhantomData }
    }
}

impl<R: TableRow, W: TableRow> WrittenIndices<R, W> {
    /// Creates the indices of a table with `len` rows, of which `rows` are written, in order.
    fn of(rows: &[R], len: usize) -> Self {
        if rows.len() == len && rows.iter().map(|row| row.index()).eq(0..len) {
            return Self { rows: IndexMapping::Same(len as u32), from: PhantomData };
        }
        let mut places = vec![None; len];
        for (place, row) in rows.iter().enumerate() {
            places[row.index()] = Some(W::of(place as u32));
        }
        Self { rows: IndexMapping::Table(places), from: PhantomData }
    }

    /// Creates the indices from the index of each row, in order; `None` for rows that are not written.
    pub(crate) fn of_rows(places: impl Iterator<Item = Option<W>>) -> Self {
        Self { rows: IndexMapping::Table(places.collect()), from: PhantomData }
    }

    #[inline(always)]
    pub(crate) fn at(&self, row: R) -> Option<W> {
        self.rows.at(row.index())
    }

    /// Returns the index as a number of the file.
    #[inline(always)]
    pub(crate) fn number_at(&self, row: R) -> u32 {
        written_number(self.at(row))
    }

    /// Returns the same indices, by the rows of another table with equal numbers.
    pub(crate) fn by_rows_of<S>(&self) -> WrittenIndicesBy<'_, S, W> {
        WrittenIndicesBy { rows: &self.rows, from: PhantomData }
    }

    /// Whether all rows are written with the same index.
    pub(crate) fn are_same(&self) -> bool {
        matches!(self.rows, IndexMapping::Same(_))
    }
}

/// Borrowed [`WrittenIndices`], by rows of a certain table.
#[derive(Debug)]
pub(crate) struct WrittenIndicesBy<'p, R, W> {
    rows: &'p IndexMapping<W>,
    from: PhantomData<R>,
}

impl<R: TableRow, W: TableRow> WrittenIndicesBy<'_, R, W> {
    #[inline(always)]
    pub(crate) fn at(&self, row: R) -> Option<W> {
        self.rows.at(row.index())
    }

    /// Returns the index as a number of the file.
    #[inline(always)]
    pub(crate) fn number_at(&self, row: R) -> u32 {
        written_number(self.at(row))
    }
}

impl<W: TableRow> IndexMapping<W> {
    #[inline(always)]
    fn at(&self, place: usize) -> Option<W> {
        match self {
            Self::Same(len) if place < *len as usize => Some(W::of(place as u32)),
            Self::Same(_) => None,
            Self::Table(places) => places.get(place).copied().flatten(),
        }
    }
}

/// The indices in the written tables.
#[derive(Debug, Default)]
pub(crate) struct Numbering {
    /// Names of the dialects, in order.
    pub(crate) dialects: Vec<Box<[u8]>>,
    /// The dialects in the order of the file.
    pub(crate) op_names: Vec<PoolName>,
    pub(crate) attributes: Vec<PoolAttr>,
    pub(crate) types: Vec<PoolType>,
    /// Keys of the mentioned resources of the pool, in the order of first mention.
    pub(crate) resources: Vec<u32>,
    /// The index in the file of each resource of the pool.
    pub(crate) resource_rows: Vec<Option<usize>>,
    /// The written index of each row of the pool; `None` for unused rows.
    pub(crate) op_name_at: WrittenIndices<PoolName, WireName>,
    pub(crate) attribute_at: WrittenIndices<PoolAttr, WireAttr>,
    pub(crate) type_at: WrittenIndices<PoolType, WireType>,
    pub(crate) resource_at: Vec<u32>,
    /// The dialects of pool attributes and pool types, by row.
    pub(crate) attribute_dialects: Vec<u32>,
    pub(crate) type_dialects: Vec<u32>,
    pub(crate) summaries: ReferenceSummaries,
    // The dialects by the texts of op names; texts that are not the dialect of a name have `u32::MAX`.
    text_dialects: Vec<u32>,
    dialect_rows: HashMap<Box<[u8]>, u32>,
}

impl Numbering {
    /// The index of a dialect, if the module mentions it.
    pub(crate) fn find_dialect(&self, name: &[u8]) -> Option<u32> {
        self.dialect_rows.get(name).copied()
    }

    /// Returns the index of the dialect of an op name, by its text.
    pub(crate) fn text_dialect(&self, text: u32) -> u32 {
        self.text_dialects.get(text as usize).copied().filter(|&dialect| dialect != NONE).unwrap_or(0)
    }

    fn note_dialect(&mut self, name: &[u8]) -> u32 {
        if let Some(&row) = self.dialect_rows.get(name) {
            return row;
        }
        let row = self.dialects.len() as u32;
        self.dialects.push(name.into());
        self.dialect_rows.insert(name.into(), row);
        row
    }
}

/// The items of one kind in the order of first mention, with counts and dialects.
struct Table<R> {
    noted: Vec<R>,
    counts: Vec<u32>,
    // The count of each item; `u32::MAX` until its first mention.
    dialects: Vec<u32>,
}

impl<R: TableRow> Table<R> {
    fn new(mut counts: Vec<u32>, len: usize) -> Self {
        counts.resize(len.max(counts.len()), 0);
        Self { noted: Vec::with_capacity(counts.len()), dialects: vec![NONE; counts.len()], counts }
    }

    #[inline(always)]
    fn is_noted(&self, row: R) -> bool {
        self.dialects[row.index()] != NONE
    }

    #[inline(always)]
    fn note(&mut self, row: R, dialect: u32) {
        self.dialects[row.index()] = dialect;
        self.noted.push(row);
    }

    /// Returns the items in the order of the file, the index of each item, and the dialects.
    fn order<W: TableRow>(mut self, llvm: Llvm) -> (Vec<R>, WrittenIndices<R, W>, Vec<u32>) {
        let (counts, dialects) = (&self.counts, &self.dialects);
        self.noted.sort_by_key(|&row| std::cmp::Reverse(counts[row.index()]));
        // `groupByDialectPerByte` takes chunks of 2^7, 2^14 - 2^7, ... items.
        let (mut start, mut previous, mut bits, mut first) = (0, 0usize, 7, 0);
        while start < self.noted.len() {
            let size = (1usize << bits) - previous;
            let end = start.saturating_add(size).min(self.noted.len());
            let chunk = &mut self.noted[start..end];
            let dialect = |row: &R| dialects[row.index()];
            match llvm.groups_dialects_in_no_order() {
                true => grouping::unordered(chunk, first, dialect),
                false => grouping::ordered(chunk, first, dialect),
            }
            first = chunk.last().map_or(first, |&row| dialects[row.index()]);
            (start, previous, bits) = (end, size, (bits + 7).min(56));
        }
        let places = WrittenIndices::of(&self.noted, self.counts.len());
        (self.noted, places, self.dialects)
    }
}

/// The bytes that numbering an entry takes: four tables, and the hash of an entry without a summary.
const PER_ENTRY: usize = 4 * size_of::<u32>() + size_of::<u64>();

struct Walk<'w, T> {
    pulse: Pulse,
    module: &'w FileTables,
    ops: &'w T,
    entries: Tables<'w>,
    out: Numbering,
    op_names: Table<PoolName>,
    attributes: Table<PoolAttr>,
    types: Table<PoolType>,
    is_resource_noted: Vec<bool>,
    is_encoding_noted: Vec<bool>,
    // The dialect of the last entry; most entries follow an entry of the same dialect.
    last_dialect: (*const u8, u32),
    // All dialects by the address of their name, so that a long name is not hashed for each entry.
    dialects_at: HashMap<(usize, usize), u32>,
    summaries: ReferenceSummaries,
    // The written indices of the file's dialects whose entries have summaries; unmentioned dialects have
    // `u32::MAX`.
    file_dialects: Vec<u32>,
    scratch: ByteSink,
    stack: Vec<EntryRef>,
    node: Node,
}

/// Numbers all mentioned items, as MLIR does.
///
/// Lists that only numbering needs are removed from `collected`.
///
/// # Errors
/// [`Unfinished::NeedsCopies`] if two mentioned entries of the file are equal or MLIR would store one
/// differently; the errors of decoding.
pub(crate) fn number(
    module: &FileTables,
    collected: &mut Collected,
    ops: &impl OpTranslator,
    summaries: ReferenceSummaries,
) -> Result<Numbering> {
    let entries = ops.entries();
    let bounds = entries.bounds();
    let resource_rows = super::resources::rows(module, entries, ops.budget())?;
    // Memory for counts, dialects, the order and the index of each item.
    let all = bounds.attributes as usize + bounds.types as usize;
    ops.budget().spend(all.saturating_mul(PER_ENTRY))?;
    let mut attribute_counts = std::mem::take(&mut collected.attribute_counts);
    attribute_counts.resize(bounds.attributes as usize, 0);
    let mut type_counts = std::mem::take(&mut collected.type_counts);
    type_counts.resize(bounds.types as usize, 0);
    for (form, &count) in collected.encoding_counts.iter().enumerate() {
        each_entry(ops.encoding(EncodingId::new(form as u32)), |mention| match mention {
            Field::Attribute(index, _) => attribute_counts[index.index()] += count,
            Field::Type(index, _) => type_counts[index.index()] += count,
            _ => {}
        });
    }
    let mut walk = Walk {
        pulse: Pulse::default(),
        module,
        ops,
        entries,
        out: Numbering { resource_rows, ..Numbering::default() },
        op_names: Table::new(std::mem::take(&mut collected.op_name_counts), ops.names().len()),
        attributes: Table::new(attribute_counts, bounds.attributes as usize),
        types: Table::new(type_counts, bounds.types as usize),
        is_resource_noted: vec![false; bounds.resources as usize],
        is_encoding_noted: vec![false; ops.encoding_count()],
        last_dialect: (std::ptr::null(), 0),
        dialects_at: HashMap::new(),
        summaries,
        file_dialects: Vec::new(),
        scratch: ByteSink::new(),
        stack: Vec::new(),
        node: Node::default(),
    };
    // The last region of the last op comes first, and nested regions after the whole enclosing region.
    let (tokens, children) = (std::mem::take(&mut collected.tokens), std::mem::take(&mut collected.children));
    let mut stack = vec![0usize];
    while let Some(region) = stack.pop() {
        let Some(region) = collected.regions.get(region) else { continue };
        for token in &tokens[region.tokens.clone()] {
            walk.mention(token.mention())?;
        }
        stack.extend(children[region.children.clone()].iter().map(|&child| child as usize));
    }
    drop(tokens);
    let Walk { mut out, op_names, attributes, types, mut summaries, .. } = walk;
    if !summaries.are_different() {
        return Err(Unfinished::NeedsCopies(CopyReason::EqualEntries));
    }
    out.summaries = summaries;
    let llvm = module.release_llvm();
    (out.op_names, out.op_name_at, _) = op_names.order(llvm);
    (out.attributes, out.attribute_at, out.attribute_dialects) = attributes.order(llvm);
    (out.types, out.type_at, out.type_dialects) = types.order(llvm);
    out.resource_at = vec![NONE; bounds.resources as usize];
    Ok(out)
}

/// Calls `visit` for the attributes, types and resources that an encoding refers to, in order.
pub(crate) fn each_entry(form: &OpEncoding, mut visit: impl FnMut(Field)) {
    let mut visit_attribute = |index| visit(Field::Attribute(index, 0));
    if let Some(dictionary) = form.dictionary {
        visit_attribute(AttrId::new(dictionary.number()));
    }
    match &form.properties {
        Some(EncodedProperties::Attribute(attribute)) => visit_attribute(AttrId::new(attribute.number())),
        Some(EncodedProperties::Known { values, .. }) => {
            values.iter().for_each(|value| in_value(value, &mut visit_attribute))
        }
        Some(EncodedProperties::Declared(declared)) => declared.node.all().iter().copied().for_each(visit),
        None => {}
    }
}

pub(crate) fn in_value(value: &PropertyValue, visit: &mut impl FnMut(AttrId)) {
    match value {
        PropertyValue::Attribute(index) => visit(*index),
        PropertyValue::Array(items) => items.iter().for_each(|item| in_value(item, visit)),
        PropertyValue::Optional(Some(inner)) => in_value(inner, visit),
        _ => {}
    }
}

impl<'w, T: OpTranslator> Walk<'w, T> {
    fn mention(&mut self, mention: Mention) -> Result<()> {
        match mention {
            Mention::OpName(name) => {
                if !self.op_names.is_noted(name) {
                    let Some(row) = self.ops.names().get(name) else { return Ok(()) };
                    let text = row.dialect;
                    let dialect = match self.out.text_dialects.get(text as usize) {
                        Some(&dialect) if dialect != NONE => dialect,
                        _ => self.note_text_dialect(text),
                    };
                    self.op_names.note(name, dialect);
                }
                Ok(())
            }
            Mention::Type(r#type) => self.entry(EntryRef::Type(TypeId::new(r#type.number()))),
            Mention::Attribute(attribute) => self.entry(EntryRef::Attribute(AttrId::new(attribute.number()))),
            Mention::Encoding(id) => {
                if !std::mem::replace(&mut self.is_encoding_noted[id.index()], true) {
                    let mut all = Vec::new();
                    each_entry(self.ops.encoding(id), |field| all.push(field));
                    for field in all {
                        match field {
                            Field::Attribute(index, _) => self.entry(EntryRef::Attribute(index))?,
                            Field::Type(index, _) => self.entry(EntryRef::Type(index))?,
                            Field::Resource(index) => self.resource(index)?,
                            _ => {}
                        }
                    }
                }
                Ok(())
            }
        }
    }

    #[cold]
    fn note_text_dialect(&mut self, text: u32) -> u32 {
        let dialect = self.out.note_dialect(self.ops.names().text(text));
        self.out.text_dialects.resize(self.ops.names().text_count(), NONE);
        self.out.text_dialects[text as usize] = dialect;
        dialect
    }

    #[inline(always)]
    fn is_noted(&self, of: EntryRef) -> bool {
        match of {
            EntryRef::Attribute(index) => self.attributes.is_noted(PoolAttr::new(index.number())),
            EntryRef::Type(index) => self.types.is_noted(PoolType::new(index.number())),
        }
    }

    #[inline(always)]
    fn note_dialect_of(&mut self, of: EntryRef, dialect: u32) {
        match of {
            EntryRef::Attribute(index) => self.attributes.note(PoolAttr::new(index.number()), dialect),
            EntryRef::Type(index) => self.types.note(PoolType::new(index.number()), dialect),
        }
    }

    // Counts a reference by another entry.
    #[inline(always)]
    fn count(&mut self, of: EntryRef) {
        match of {
            EntryRef::Attribute(index) => self.attributes.counts[PoolAttr::new(index.number()).index()] += 1,
            EntryRef::Type(index) => self.types.counts[PoolType::new(index.number()).index()] += 1,
        }
    }

    // Numbers an entry and its references, depth first. References by ops were counted before.
    #[inline(always)]
    fn entry(&mut self, root: EntryRef) -> Result<()> {
        if self.is_noted(root) {
            return Ok(());
        }
        self.note(root)?;
        self.pulse.beat(1 + self.stack.len(), self.ops.module().tables())?;
        while let Some(of) = self.stack.pop() {
            self.count(of);
            if !self.is_noted(of) {
                self.note(of)?;
            }
        }
        Ok(())
    }

    #[inline(always)]
    fn note(&mut self, of: EntryRef) -> Result<()> {
        let Some(summary) = self.summaries.get(of) else { return self.note_unknown(of) };
        let dialect = match self.file_dialects.get(summary.dialect()) {
            Some(&dialect) if dialect != NONE => dialect,
            _ => self.note_file_dialect(of, summary.dialect()),
        };
        self.note_dialect_of(of, dialect);
        match summary.reference() {
            Reference::None => {}
            Reference::Attribute(index) => {
                self.stack.push(EntryRef::Attribute(AttrId::new(
                    self.entries.attribute_of(of, AttrId::new(index)),
                )));
            }
            Reference::Type(index) => self.stack.push(EntryRef::Type(TypeId::new(index))),
        }
        Ok(())
    }

    #[cold]
    fn note_file_dialect(&mut self, of: EntryRef, place: usize) -> u32 {
        let name = self.entries.short(of).map_or(&b""[..], |(entry, _)| entry.dialect);
        let dialect = self.out.note_dialect(name);
        if self.file_dialects.len() <= place {
            self.file_dialects.resize(place + 1, NONE);
        }
        self.file_dialects[place] = dialect;
        dialect
    }

    fn note_unknown(&mut self, of: EntryRef) -> Result<()> {
        let entries = self.entries;
        let Some((entry, _)) = entries.short(of) else { return Ok(()) };
        // Entries of one dialect share the slice of its name.
        if entry.dialect.as_ptr() != self.last_dialect.0 {
            let name = entry.dialect;
            let dialect_index = self.dialects_at.entry((name.as_ptr() as usize, name.len()));
            let dialect = *dialect_index.or_insert_with(|| self.out.note_dialect(name));
            self.last_dialect = (name.as_ptr(), dialect);
        }
        let dialect = self.last_dialect.1;
        self.note_dialect_of(of, dialect);
        let is_file = entries.is_of_file(of);
        if entry.is_text {
            skim::check_text(&entry, of)?;
            let text = entry.text().unwrap_or_default();
            if is_file && affine::restated(text, || self.module.release_llvm()).is_some() {
                return Err(Unfinished::NeedsCopies(CopyReason::StoredDifferently));
            }
            // Each text creates distinct attributes of its own.
            let is_unique = entry.data.windows(9).any(|window| window == b"distinct[");
            if is_file && !is_unique {
                self.summaries.note(of, &entry);
            }
            return Ok(());
        }
        if let Some(form) = entry.form(of)?.filter(|form| form.has_fixed_layout) {
            let (start, mut resources) = (self.stack.len(), Vec::new());
            let stack = &mut self.stack;
            let is_shortest = fixed_layout::parts(
                form,
                entry.data,
                entry.offset,
                &entries.bounds(),
                &mut |part| match part {
                    FixedPart::Attribute(index, ..) | FixedPart::OptionalAttribute(index, ..) => {
                        stack.push(EntryRef::Attribute(AttrId::new(
                            entries.attribute_of(of, AttrId::new(index)),
                        )));
                    }
                    FixedPart::Type(index, _) => stack.push(EntryRef::Type(TypeId::new(index))),
                    FixedPart::Resource(index) => resources.push(index),
                    _ => {}
                },
            )?;
            self.stack[start..].reverse();
            for index in resources {
                self.resource(index)?;
            }
            // Only entries of these simple encodings may be stored differently by MLIR.
            if !is_file || !may_be_kept_otherwise(form) {
                if is_file && !is_distinct(form) {
                    self.summaries.note(of, &entry);
                }
                return match is_shortest || !is_file {
                    true => Ok(()),
                    false => Err(Unfinished::NeedsCopies(CopyReason::StoredDifferently)),
                };
            }
            self.stack.truncate(start);
        }
        let mut node = std::mem::take(&mut self.node);
        let mut copy_reason = None;
        match entry.decode(of, &entries, &mut node)? {
            Some((form, layout)) => {
                let start = self.stack.len();
                for field in node.all() {
                    match *field {
                        Field::Attribute(index, _) => {
                            self.stack
                                .push(EntryRef::Attribute(AttrId::new(entries.attribute_of(of, index))));
                        }
                        Field::Type(index, _) => self.stack.push(EntryRef::Type(index)),
                        Field::Resource(index) => self.resource(index)?,
                        _ => {}
                    }
                }
                self.stack[start..].reverse();
                if is_file {
                    let layout = &form.layouts[layout];
                    let source_tables = entries.of(of);
                    let is_kept = |table| is_canonical(table, form, &node, entry.data, &source_tables);
                    if !entry.table.is_none_or(is_kept) || !self.is_shortest(form, layout, &node, entry.data)
                    {
                        copy_reason = Some(CopyReason::StoredDifferently);
                    }
                    if !is_distinct(form) {
                        self.summaries.note(of, &entry);
                    }
                }
            }
            None => copy_reason = is_file.then_some(CopyReason::UnknownLayout),
        }
        self.node = node;
        match copy_reason {
            None => Ok(()),
            Some(reason) => Err(Unfinished::NeedsCopies(reason)),
        }
    }

    // Whether writing reproduces the bytes of an entry. Readers accept longer varints, too.
    fn is_shortest(&mut self, form: &Encoding, layout: &Layout, node: &Node, data: &[u8]) -> bool {
        let width = |index| bits_of(&self.entries, index);
        self.scratch.truncate(0);
        let encoded = primitive::encode_into(form, layout, node, data, &width, &mut self.scratch);
        encoded.is_ok() && self.scratch.as_bytes() == data
    }

    fn resource(&mut self, key: u32) -> Result<()> {
        if std::mem::replace(&mut self.is_resource_noted[key as usize], true) {
            return Ok(());
        }
        let row = self.out.resource_rows.get(key as usize).copied().flatten();
        let resource = row.map(|row| self.module.resource(row)).transpose()?.flatten();
        self.out.note_dialect(resource.as_ref().map_or(b"builtin", |resource| resource.group()));
        self.out.resources.push(key);
        Ok(())
    }
}
