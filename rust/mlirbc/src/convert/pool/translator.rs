//! Entries of a file in the encoding of the target: unchanged, in another form, or as text.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use super::ranges::{FILE_LINE_COL_RANGE, RangeShortener};
use crate::attr::table::{Rewrite, Rewritten, has_distinct};
use crate::attr::text::dense;
use crate::attr::text::dense::Dense;
use crate::attr::text::entry::{Elide, EntryPrinter, EntryStyle};
use crate::attr::text::out::Out;
use crate::convert::release::{ReleaseConversion, TextForm};
use crate::dialect::entries::{Entries, EntryRef, RawEntry};
use crate::dialect::node::{Field, Node};
use crate::dialect::table::{BuiltinKind, Encoding};
use crate::format::id::{AttrId, TypeId};
use crate::ir::Module;
use crate::release::SCALABLE_VECTOR;
use crate::wire::change::ChangeKind;
use crate::wire::error::{Error, ErrorClass, ErrorKind, Result};
use crate::wire::limits::Budget;

/// Translates each entry to the encoding that the target reads.
pub(super) struct EntryTranslator {
    module: Module,
    pub(super) conversion: Arc<ReleaseConversion>,
    /// Texts that the target cannot read, with their numbers.
    pub(super) lacking: BTreeMap<Box<str>, u64>,
    /// How many entries have a text that the target cannot read.
    lacks_count: u64,
    /// Attributes that would no longer share a distinct attribute with another one.
    pub(super) split: BTreeMap<Box<str>, u64>,
    /// Ranges that the target does not have.
    pub(super) ranges: RangeShortener,
    /// Counted entries: an entry is read again after its references have been copied.
    counted: HashSet<EntryRef>,
    /// The owner of each distinct attribute in the written file: an entry that becomes text, or the attribute
    /// itself.
    distinct: HashMap<EntryRef, EntryRef>,
    /// Entries without distinct attributes.
    without_distinct: HashSet<EntryRef>,
    other_elements: HashMap<TypeId, bool>,
    /// The changes to texts, with the numbers of entries, if the caller wants a list.
    pub(super) changes: BTreeMap<ChangeKind, u64>,
    lists_changes: bool,
    /// Entries in the list of changes.
    listed: HashSet<EntryRef>,
    /// Limits all texts together: one entry may nest into a long text, and many entries may.
    budget: Budget,
}

/// The length of the text of an entry in a report.
const SHOWN: usize = 80;

pub(crate) fn shortened(text: &[u8]) -> Box<str> {
    let mut text = String::from_utf8_lossy(text).into_owned();
    if let Some((end, _)) = text.char_indices().nth(SHOWN) {
        text.truncate(end);
        text.push('…');
    }
    text.into()
}

impl EntryTranslator {
    pub(super) fn new(
        module: &Module,
        conversion: Arc<ReleaseConversion>,
        lists_changes: bool,
        budget: &Budget,
    ) -> Self {
        Self {
            module: module.clone(),
            conversion,
            lacking: BTreeMap::new(),
            lacks_count: 0,
            split: BTreeMap::new(),
            ranges: RangeShortener::new(budget),
            counted: HashSet::new(),
            distinct: HashMap::new(),
            without_distinct: HashSet::new(),
            other_elements: HashMap::new(),
            changes: BTreeMap::new(),
            lists_changes,
            listed: HashSet::new(),
            budget: budget.clone(),
        }
    }

    pub(super) fn check_location(&self, id: AttrId) -> Result<()> {
        let entries = self.module.tables().entries()?;
        let Some(entry) = entries.entry(EntryRef::Attribute(id)).filter(|entry| entry.dialect != b"builtin")
        else {
            return Ok(());
        };
        let dialect = String::from_utf8_lossy(entry.dialect);
        let message = format!(
            "a location is an attribute of dialect `{dialect}`, and the target has locations of `builtin` only"
        );
        let error = Error::message(ErrorKind::Unsupported, message);
        Err(error.with_hint("remove the locations with `strip_locations` or `mlirbc strip --locations`"))
    }

    fn lacks(&mut self, text: &[u8]) {
        self.lacks_count += 1;
        *self.lacking.entry(shortened(text)).or_default() += 1;
    }

    /// Prints an entry in the syntax of the target's parser; `None` if it cannot be printed.
    ///
    /// # Errors
    /// If the text is longer than the memory budget allows.
    fn printed(&mut self, of: EntryRef) -> Result<Option<Vec<u8>>> {
        let Ok(entries) = self.module.tables().entries() else { return Ok(None) };
        let style = EntryStyle { release: self.conversion.style(), elide_elements: None };
        let (memory, text) = (self.budget.memory_left(), self.budget.text_left());
        let mut printer = EntryPrinter::new(&entries, style, memory.min(text)).without_cache();
        let mut out = Out::memory();
        match of {
            EntryRef::Attribute(index) => printer.attribute(&mut out, index, Elide::Never),
            EntryRef::Type(index) => printer.r#type(&mut out, index),
        }
        let text = std::mem::take(&mut out.buffer);
        let _held = self.budget.hold(text.len())?;
        self.budget.spend_text(text.len() as u64)?;
        // An entry that cannot be printed is kept, and the caller reports it.
        match printer.faults.into_iter().next() {
            Some(error) if error.class() == ErrorClass::Limit => Err(error),
            Some(_) => Ok(None),
            None => {
                let text = self.conversion.respelled(&text, &self.budget)?.unwrap_or(text);
                Ok(Some(self.with_fields(&text)?.unwrap_or(text)))
            }
        }
    }

    /// Returns a text with the fields of the target; `None` if they are the same.
    ///
    /// # Errors
    /// If the memory limit is reached.
    fn with_fields(&mut self, text: &[u8]) -> Result<Option<Vec<u8>>> {
        let _held = self.budget.hold(2 * text.len())?;
        match std::str::from_utf8(text).map(|text| self.conversion.with_target_fields(text)) {
            Ok(TextForm::Other(new)) => Ok(Some(new.into_bytes())),
            Ok(TextForm::Lacking) => {
                self.lacks(text);
                Ok(None)
            }
            Ok(TextForm::Same) | Err(_) => Ok(None),
        }
    }

    /// Adds a change to the list.
    ///
    /// # Errors
    /// If the memory limit is reached.
    fn note(&mut self, change: ChangeKind) -> Result<()> {
        match self.changes.get_mut(&change) {
            Some(count) => *count += 1,
            None => {
                self.budget.spend(2 * change.memory())?;
                self.changes.insert(change, 1);
            }
        }
        Ok(())
    }

    /// Notes that the target cannot read an entry.
    ///
    /// # Errors
    /// If the text is longer than the memory budget allows.
    fn lacks_entry(&mut self, of: EntryRef) -> Result<()> {
        let text = self.printed(of)?.unwrap_or_default();
        self.lacks(&text);
        Ok(())
    }

    fn as_text(&mut self, of: EntryRef) -> Result<Rewritten> {
        let lacks_count = self.lacks_count;
        let Some(text) = self.printed(of)? else {
            self.lacks(b"an attribute or a type that cannot be printed");
            return Ok(Rewritten::Same);
        };
        if self.conversion.lacks(&text, &self.budget)? {
            self.lacks(&text);
        } else if self.shares_distinct(of) {
            *self.split.entry(shortened(&text)).or_default() += 1;
        } else if self.lists_changes && self.lacks_count == lacks_count && self.listed.insert(of) {
            self.budget.spend(2 * size_of::<EntryRef>())?;
            self.note(ChangeKind::AsText(shortened(&text).into()))?;
        }
        Ok(Rewritten::Text(text))
    }

    /// Whether a distinct attribute in this entry, which becomes text, is also in another text or remains an
    /// entry: each text makes distinct attributes of its own.
    fn shares_distinct(&mut self, of: EntryRef) -> bool {
        let Ok(entries) = self.module.tables().entries() else { return false };
        let mut node = Node::default();
        let (mut stack, mut seen) = (vec![of], HashSet::from([of]));
        let (mut is_shared, mut has_any) = (false, false);
        while let Some(next) = stack.pop() {
            let entry = entries.entry(next);
            // A text has distinct attributes of its own, which would be different ones in this text.
            is_shared |= entry.and_then(|entry| entry.text()).is_some_and(has_distinct);
            let Some(Ok(Some((form, number)))) = entry.map(|entry| entry.decode(next, &entries, &mut node))
            else {
                continue;
            };
            if form.builtin == BuiltinKind::DistinctAttr {
                has_any = true;
                let owner = *self.distinct.entry(next).or_insert(of);
                is_shared |= owner != of;
            }
            let Some(layout) = form.layouts.get(number) else { continue };
            crate::dialect::primitive::references(layout, &node, |to, _, _| {
                if !self.without_distinct.contains(&to) && seen.insert(to) {
                    stack.push(to);
                }
            });
        }
        if !is_shared && !has_any {
            self.without_distinct.extend(seen);
        }
        is_shared
    }

    /// Whether dense elements of a type of the file have other bytes in the target.
    fn has_other_elements(&mut self, r#type: Option<TypeId>) -> Result<bool> {
        let Some(index) = r#type else { return Ok(false) };
        if let Some(&known) = self.other_elements.get(&index) {
            return Ok(known);
        }
        let entries = self.module.tables().entries()?;
        let element = dense::element_type(&entries, index).and_then(|of| dense::element(&entries, of));
        let is_other = element.is_some_and(|element| self.conversion.has_other_elements(element));
        self.other_elements.insert(index, is_other);
        Ok(is_other)
    }

    /// Whether a type is a vector whose elements the target does not have in vectors.
    fn refuses_element(&self, form: &Encoding, node: &Node) -> Result<bool> {
        if form.builtin != BuiltinKind::VectorType || !self.conversion.lacks_vectors_of_dialects() {
            return Ok(false);
        }
        let last = node.r#type(node.len().saturating_sub(1));
        let entries = self.module.tables().entries()?;
        let element = last.and_then(|index| entries.entry(EntryRef::Type(index)));
        Ok(element.is_some_and(|element| element.dialect != b"builtin"))
    }

    /// Whether a type is a memref with an attribute that the target does not have in memrefs.
    fn refuses_space(&self, form: &Encoding, node: &Node) -> Result<bool> {
        if !matches!(form.builtin, BuiltinKind::MemRefType | BuiltinKind::UnrankedMemRefType) {
            return Ok(false);
        }
        let entries = self.module.tables().entries()?;
        let mut attributes = (0..node.len()).filter_map(|number| node.attribute(number));
        Ok(attributes.any(|index| {
            let attribute = entries.entry(EntryRef::Attribute(index));
            attribute.is_some_and(|attribute| self.conversion.refuses_in_memrefs(attribute.dialect))
        }))
    }

    /// Whether the elements of a dense attribute are printed as bytes.
    fn is_hexadecimal(&self, node: &Node, entry: &RawEntry<'_>) -> bool {
        let data = node.blob(node.field(1), entry.data);
        let (Ok(entries), Some(index)) = (self.module.tables().entries(), node.r#type(0)) else {
            return false;
        };
        Dense::new(&entries, index, data).is_some_and(|dense| dense.collapsed().is_hexadecimal())
    }

    /// Returns a scalable vector in the layout of 16, which contains the number of trailing scalable
    /// dimensions.
    fn counted(&mut self, of: EntryRef, node: &Node) -> Result<Rewritten> {
        let scalable: Vec<bool> =
            node.items(0).iter().map(|field| matches!(field, Field::Bool(true))).collect();
        let count = scalable.iter().rev().take_while(|&&is_scalable| is_scalable).count();
        if scalable.iter().filter(|&&is_scalable| is_scalable).count() != count && self.counted.insert(of) {
            self.lacks_entry(of)?;
        }
        Ok(scalable_vector(node, 1, |fields| fields.push(Field::Unsigned(count as u64))))
    }

    /// Writes a scalable vector as text for all releases. Releases that count scalable dimensions write
    /// several in one bracket, which no other release reads.
    fn scalable_text(&mut self, of: EntryRef, layout: usize, node: &Node) -> Result<Rewritten> {
        let count = match layout {
            0 => node.items(0).iter().filter(|&&field| field == Field::Bool(true)).count() as u64,
            1 => node.number(0),
            _ => 0,
        };
        if count > 1 && self.counted.insert(of) {
            self.lacks_entry(of)?;
        }
        self.as_text(of)
    }
}

/// Returns a scalable vector in the layout after 16, which has a flag for each dimension.
fn flagged(node: &Node) -> Rewritten {
    let rank = node.items(1).len();
    let fixed = rank.saturating_sub(node.number(0) as usize);
    scalable_vector(node, 0, |fields| {
        let at = fields.begin_list();
        (0..rank).for_each(|place| fields.push(Field::Bool(place >= fixed)));
        fields.end_list(at, rank as u32);
    })
}

/// Returns a scalable vector with another first field; the shape and the type of the elements remain.
fn scalable_vector(node: &Node, layout: usize, first: impl FnOnce(&mut Node)) -> Rewritten {
    let mut fields = Node::default();
    fields.begin_field();
    first(&mut fields);
    fields.begin_field();
    let at = fields.begin_list();
    let shape = node.items(1);
    shape.iter().for_each(|&field| fields.push(field));
    fields.end_list(at, shape.len() as u32);
    fields.begin_field();
    fields.push(node.field(2));
    Rewritten::Form(SCALABLE_VECTOR, layout, fields)
}

// A code of the builtin dialect.
pub(crate) const DENSE_ELEMENTS: u64 = 18;

impl Rewrite for EntryTranslator {
    fn text(&mut self, text: &[u8]) -> Result<Option<Vec<u8>>> {
        let lacks_count = self.lacks_count;
        let new = self.conversion.respelled(text, &self.budget)?;
        let is_refused = self.conversion.refuses_layout_in(text);
        if is_refused || self.conversion.lacks(new.as_deref().unwrap_or(text), &self.budget)? {
            self.lacks(text);
        }
        let with_fields = self.with_fields(new.as_deref().unwrap_or(text))?;
        let new = with_fields.or(new);
        if let Some(new) = new.as_deref().filter(|_| self.lists_changes && self.lacks_count == lacks_count) {
            self.note(ChangeKind::Text(shortened(text).into(), shortened(new).into()))?;
        }
        Ok(new)
    }

    fn encoded(
        &mut self,
        of: EntryRef,
        entry: &RawEntry<'_>,
        form: (&Encoding, usize),
        node: &Node,
    ) -> Result<Rewritten> {
        let is_type = matches!(of, EntryRef::Type(_));
        let (form, layout) = form;
        let is_builtin = entry.dialect == b"builtin";
        if form.builtin == BuiltinKind::DistinctAttr
            && *self.distinct.entry(of).or_insert(of) != of
            && self.counted.insert(of)
        {
            let text = self.printed(of)?.unwrap_or_default();
            *self.split.entry(shortened(&text)).or_default() += 1;
        }
        if form.builtin == BuiltinKind::StridedLayoutAttr
            && self.conversion.lacks_zero_strides()
            && node.items(1).contains(&Field::Signed(0))
            && self.counted.insert(of)
        {
            self.lacks_entry(of)?;
        }
        let is_refused =
            is_type && is_builtin && (self.refuses_element(form, node)? || self.refuses_space(form, node)?);
        if is_refused && self.counted.insert(of) {
            self.lacks_entry(of)?;
        }
        if self.conversion.reads(entry.dialect, is_type, form.code) {
            if is_builtin && is_type && form.code == SCALABLE_VECTOR {
                return match layout {
                    _ if !self.conversion.has_one_scalable_form() => self.scalable_text(of, layout, node),
                    0 if self.conversion.counts_scalable_dims() => self.counted(of, node),
                    1 if !self.conversion.counts_scalable_dims() => Ok(flagged(node)),
                    2 if !self.conversion.counts_scalable_dims() => self.as_text(of),
                    _ => Ok(Rewritten::Same),
                };
            }
            if is_builtin
                && !is_type
                && form.code == DENSE_ELEMENTS
                && self.has_other_elements(node.r#type(0))?
            {
                let text = self.as_text(of)?;
                // Bytes with a hexadecimal text remain bytes.
                if let Rewritten::Text(text) = &text
                    && self.is_hexadecimal(node, entry)
                {
                    self.lacks(text);
                }
                return Ok(text);
            }
            return Ok(Rewritten::Same);
        }
        match form.code {
            FILE_LINE_COL_RANGE if is_builtin && !is_type => self.ranges.start(of, node),
            code if self.conversion.has_no_text(entry.dialect, is_type, code) => {
                let text = self.printed(of)?.unwrap_or_default();
                self.lacks(&text);
                Ok(Rewritten::Text(text))
            }
            _ => self.as_text(of),
        }
    }
}
