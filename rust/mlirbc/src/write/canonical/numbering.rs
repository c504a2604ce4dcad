//! The numbers of the MLIR writer (`IRNumberingState` in `mlir/lib/Bytecode/Writer/IRNumbering.cpp`).
//!
//! Items are sorted by first mention, then by descending number of references, and then grouped by dialect in
//! chunks that grow with the length of their varints.

use std::collections::HashMap;

use crate::attr::canonical::is_canonical;
use crate::attr::table::is_distinct;
use crate::dialect::entries::{Entries, EntryRef, bits_of};
use crate::dialect::fixed;
use crate::dialect::fixed::Part;
use crate::dialect::node::{Field, Node};
use crate::dialect::primitive;
use crate::dialect::table::{Encoding, Layout};
use crate::props::PropertyValue;
use crate::wire::cursor::ByteSink;

use super::collect::{Collected, Mention};
use super::op_encoding::{EncodedProperties, OpEncoding};
use super::pass::{CopyReason, Result, Unfinished};
use super::summary::{Reference, ReferenceSummaries, ReferenceSummary, may_be_kept_otherwise};
use super::tables::Tables;
use super::translator::OpTranslator;
use crate::write::Pulse;

const NONE: u32 = u32::MAX;

/// The indices in a written table, by row here.
#[derive(Debug)]
pub(crate) enum Places {
    /// All rows of this number keep their index.
    Same(u32),
    /// Rows that are not written have `u32::MAX`.
    Table(Vec<u32>),
}

impl Default for Places {
    fn default() -> Self {
        Self::Same(0)
    }
}

impl Places {
    /// `rows` are the rows that are written, in order, of so many.
    fn of(rows: &[u32], len: usize) -> Self {
        if rows.len() == len && rows.iter().copied().eq(0..len as u32) {
            return Self::Same(len as u32);
        }
        let mut places = vec![NONE; len];
        for (place, &row) in rows.iter().enumerate() {
            places[row as usize] = place as u32;
        }
        Self::Table(places)
    }

    #[inline(always)]
    pub(crate) fn at(&self, row: u32) -> u32 {
        match self {
            Self::Same(len) if row < *len => row,
            Self::Same(_) => NONE,
            Self::Table(places) => places.get(row as usize).copied().unwrap_or(NONE),
        }
    }

    /// Whether all rows are written with the same index.
    pub(crate) fn are_same(&self) -> bool {
        matches!(self, Self::Same(_))
    }
}

/// The indices in the written tables.
#[derive(Debug, Default)]
pub(crate) struct Numbering {
    /// Names of the dialects, in order.
    pub(crate) dialects: Vec<Box<[u8]>>,
    /// Rows of op names, pool attributes and pool types, in order.
    pub(crate) op_names: Vec<u32>,
    pub(crate) attributes: Vec<u32>,
    pub(crate) types: Vec<u32>,
    /// Keys of the mentioned resources of the pool, in the order of first mention.
    pub(crate) resources: Vec<u32>,
    /// The inverse: indices by row; unused ones are `u32::MAX`.
    pub(crate) op_name_at: Places,
    pub(crate) attribute_at: Places,
    pub(crate) type_at: Places,
    pub(crate) resource_at: Vec<u32>,
    /// The dialects of pool attributes and pool types, by row.
    pub(crate) attribute_dialects: Vec<u32>,
    pub(crate) type_dialects: Vec<u32>,
    pub(crate) summaries: ReferenceSummaries,
    // By the texts of op names; those that are not the dialect of a name have `u32::MAX`.
    text_dialects: Vec<u32>,
    dialect_rows: HashMap<Box<[u8]>, u32>,
}

impl Numbering {
    /// The index of a mentioned dialect.
    pub(crate) fn dialect(&self, name: &[u8]) -> u32 {
        self.dialect_rows.get(name).copied().unwrap_or(0)
    }

    /// The place of the dialect of an op name, by its text.
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

/// The items of one kind: in the order of first mention, with counts and dialects.
#[derive(Default)]
struct Table {
    noted: Vec<u32>,
    counts: Vec<u32>,
    // `u32::MAX` until the first mention.
    dialects: Vec<u32>,
}

impl Table {
    fn new(mut counts: Vec<u32>, len: usize) -> Self {
        counts.resize(len.max(counts.len()), 0);
        Self { noted: Vec::with_capacity(counts.len()), dialects: vec![NONE; counts.len()], counts }
    }

    #[inline(always)]
    fn is_noted(&self, row: u32) -> bool {
        self.dialects[row as usize] != NONE
    }

    #[inline(always)]
    fn note(&mut self, row: u32, dialect: u32) {
        self.dialects[row as usize] = dialect;
        self.noted.push(row);
    }

    /// In the order of the file, the inverse, and the dialects.
    fn order(mut self) -> (Vec<u32>, Places, Vec<u32>) {
        let (counts, dialects) = (&self.counts, &self.dialects);
        self.noted.sort_by_key(|&row| std::cmp::Reverse(counts[row as usize]));
        // `groupByDialectPerByte`: chunks of 2^7, 2^14 - 2^7, ... things.
        let (mut start, mut previous, mut bits, mut first) = (0, 0usize, 7, 0);
        while start < self.noted.len() {
            let size = (1usize << bits) - previous;
            let end = start.saturating_add(size).min(self.noted.len());
            let chunk = &mut self.noted[start..end];
            chunk.sort_by_key(|&row| {
                let dialect = dialects[row as usize];
                (dialect != first, dialect)
            });
            first = chunk.last().map_or(first, |&row| dialects[row as usize]);
            (start, previous, bits) = (end, size, (bits + 7).min(56));
        }
        let places = Places::of(&self.noted, self.counts.len());
        (self.noted, places, self.dialects)
    }
}

/// Bytes that numbering an entry takes: four tables, a summary and a hash.
const PER_ENTRY: usize = 4 * size_of::<u32>() + size_of::<ReferenceSummary>() + size_of::<u64>();

struct Walk<'w, T> {
    pulse: Pulse,
    ops: &'w T,
    entries: Tables<'w>,
    out: Numbering,
    op_names: Table,
    attributes: Table,
    types: Table,
    is_resource_noted: Vec<bool>,
    is_encoding_noted: Vec<bool>,
    // Dialects of the last entries: most entries follow one of the same dialect.
    last_dialect: (*const u8, u32),
    // All of them by the address of their name, so that a long one is not hashed for each entry.
    dialects_at: HashMap<(usize, usize), u32>,
    summaries: ReferenceSummaries,
    // Indices of the file's dialects whose entries have summaries; unmentioned ones are `u32::MAX`.
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
pub(crate) fn number(collected: &mut Collected, ops: &impl OpTranslator) -> Result<Numbering> {
    let entries = ops.entries();
    let bounds = entries.bounds();
    // Counts, dialects, the order and its inverse, and summaries.
    let all = bounds.attributes as usize + bounds.types as usize;
    ops.budget().spend(all.saturating_mul(PER_ENTRY))?;
    let mut attribute_counts = std::mem::take(&mut collected.attribute_counts);
    attribute_counts.resize(bounds.attributes as usize, 0);
    let mut type_counts = std::mem::take(&mut collected.type_counts);
    type_counts.resize(bounds.types as usize, 0);
    for (form, &count) in collected.encoding_counts.iter().enumerate() {
        each_entry(ops.encoding(form as u32), |mention| match mention {
            Field::Attribute(index, _) => attribute_counts[index as usize] += count,
            Field::Type(index, _) => type_counts[index as usize] += count,
            _ => {}
        });
    }
    let mut walk = Walk {
        pulse: Pulse::default(),
        ops,
        entries,
        out: Numbering::default(),
        op_names: Table::new(std::mem::take(&mut collected.op_name_counts), ops.names().rows().len()),
        attributes: Table::new(attribute_counts, bounds.attributes as usize),
        types: Table::new(type_counts, bounds.types as usize),
        is_resource_noted: vec![false; bounds.resources as usize],
        is_encoding_noted: vec![false; ops.encoding_count()],
        last_dialect: (std::ptr::null(), 0),
        dialects_at: HashMap::new(),
        summaries: ReferenceSummaries::new(entries.of_file()),
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
    (out.op_names, out.op_name_at, _) = op_names.order();
    (out.attributes, out.attribute_at, out.attribute_dialects) = attributes.order();
    (out.types, out.type_at, out.type_dialects) = types.order();
    out.resource_at = vec![NONE; bounds.resources as usize];
    Ok(out)
}

/// Calls `visit` for the attributes, types and resources that an encoding refers to, in order.
pub(crate) fn each_entry(form: &OpEncoding, mut visit: impl FnMut(Field)) {
    let mut visit_attribute = |index| visit(Field::Attribute(index, 0));
    if let Some(dictionary) = form.dictionary {
        visit_attribute(dictionary);
    }
    match &form.properties {
        Some(EncodedProperties::Attribute(attribute)) => visit_attribute(*attribute),
        Some(EncodedProperties::Known { values, .. }) => {
            values.iter().for_each(|value| in_value(value, &mut visit_attribute))
        }
        Some(EncodedProperties::Declared(declared)) => declared.node.all().iter().copied().for_each(visit),
        None => {}
    }
}

pub(crate) fn in_value(value: &PropertyValue, visit: &mut impl FnMut(u32)) {
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
            Mention::OpName(row) => {
                if !self.op_names.is_noted(row) {
                    let text = self.ops.names().rows()[row as usize].dialect;
                    let dialect = match self.out.text_dialects.get(text as usize) {
                        Some(&dialect) if dialect != NONE => dialect,
                        _ => self.note_text_dialect(text),
                    };
                    self.op_names.note(row, dialect);
                }
                Ok(())
            }
            Mention::Type(index) => self.entry(EntryRef::Type(index)),
            Mention::Attribute(index) => self.entry(EntryRef::Attribute(index)),
            Mention::Encoding(index) => {
                if !std::mem::replace(&mut self.is_encoding_noted[index as usize], true) {
                    let mut all = Vec::new();
                    each_entry(self.ops.encoding(index), |field| all.push(field));
                    for field in all {
                        match field {
                            Field::Attribute(index, _) => self.entry(EntryRef::Attribute(index))?,
                            Field::Type(index, _) => self.entry(EntryRef::Type(index))?,
                            Field::Resource(index) => self.resource(index),
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
    fn table(&mut self, of: EntryRef) -> (&mut Table, u32) {
        match of {
            EntryRef::Attribute(index) => (&mut self.attributes, index),
            EntryRef::Type(index) => (&mut self.types, index),
        }
    }

    // Numbers an entry and its references, depth first. Those that ops mention are already counted.
    #[inline(always)]
    fn entry(&mut self, root: EntryRef) -> Result<()> {
        let (table, index) = self.table(root);
        if table.is_noted(index) {
            return Ok(());
        }
        self.note(root)?;
        self.pulse.beat(1 + self.stack.len(), self.ops.module())?;
        while let Some(of) = self.stack.pop() {
            let (table, index) = self.table(of);
            table.counts[index as usize] += 1;
            if !table.is_noted(index) {
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
        let (table, index) = self.table(of);
        table.note(index, dialect);
        match summary.reference() {
            Reference::None => {}
            Reference::Attribute(index) => self.stack.push(EntryRef::Attribute(index)),
            Reference::Type(index) => self.stack.push(EntryRef::Type(index)),
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
        // Names of one dialect are one slice.
        if entry.dialect.as_ptr() != self.last_dialect.0 {
            let name = entry.dialect;
            let known = self.dialects_at.entry((name.as_ptr() as usize, name.len()));
            let dialect = *known.or_insert_with(|| self.out.note_dialect(name));
            self.last_dialect = (name.as_ptr(), dialect);
        }
        let dialect = self.last_dialect.1;
        let (table, index) = self.table(of);
        table.note(index, dialect);
        let is_file = matches!(entries, Tables::File(_));
        if entry.is_text {
            crate::attr::text::parse::skim::check_text(&entry, of)?;
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
            let is_shortest =
                fixed::parts(form, entry.data, entry.offset, &entries.bounds(), &mut |part| match part {
                    Part::Attribute(index, ..) | Part::OptionalAttribute(index, ..) => {
                        stack.push(EntryRef::Attribute(index));
                    }
                    Part::Type(index, _) => stack.push(EntryRef::Type(index)),
                    Part::Resource(index) => resources.push(index),
                    _ => {}
                })?;
            self.stack[start..].reverse();
            resources.into_iter().for_each(|index| self.resource(index));
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
                        Field::Attribute(index, _) => self.stack.push(EntryRef::Attribute(index)),
                        Field::Type(index, _) => self.stack.push(EntryRef::Type(index)),
                        Field::Resource(index) => self.resource(index),
                        _ => {}
                    }
                }
                self.stack[start..].reverse();
                if is_file {
                    let layout = &form.layouts[layout];
                    let is_kept = |table| is_canonical(table, form, &node, entry.data, &entries);
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

    // Whether writing reproduces the bytes of an entry: readers accept longer varints too.
    fn is_shortest(&mut self, form: &Encoding, layout: &Layout, node: &Node, data: &[u8]) -> bool {
        let width = |index| bits_of(&self.entries, index);
        self.scratch.truncate(0);
        let encoded = primitive::encode_into(form, layout, node, data, &width, &mut self.scratch);
        encoded.is_ok() && self.scratch.as_bytes() == data
    }

    // Resources are those of the builtin dialect: no other dialect has handles in its attributes.
    fn resource(&mut self, key: u32) {
        self.out.note_dialect(b"builtin");
        if !std::mem::replace(&mut self.is_resource_noted[key as usize], true) {
            self.out.resources.push(key);
        }
    }
}
