//! The verification of the attributes and types that operations refer to.

use super::Reach;
use super::reader::{CheckedCodes, Reader, check_type, is_typed};
use super::report::Verification;
use crate::attr::text::parse::skim;
use crate::attr::text::sparse::ElementsCheck;
use crate::dialect::entries::{Entries, EntryRef, RawEntry};
use crate::dialect::fixed_layout;
use crate::dialect::fixed_layout::FixedPart;
use crate::dialect::node::Node;
use crate::dialect::primitive;
use crate::dialect::table::{BuiltinKind, Encoding};
use crate::file::FileEntries;
use crate::format::attr_type::EntryCounts;
use crate::format::id::{AttrId, TypeId};
use crate::wire::error::{Error, ErrorKind, Result, with_article};
use crate::wire::section::SectionId;

/// A depth-first walk over entries, without recursion, that visits each entry once.
pub(super) struct EntryWalk<'r, 'm> {
    entries: &'r FileEntries<'m>,
    reader: &'r Reader<'m>,
    max_depth: u64,
    attributes: usize,
    // States of the attributes, then of the types.
    states: Vec<State<'r>>,
    path: Vec<OpenEntry<'r>>,
    references: Vec<Reference<'r>>,
    node: Node,
    elements: ElementsCheck,
    codes: CheckedCodes,
}

/// An entry on the path to the current entry, with the range of its references that remain to be visited.
struct OpenEntry<'r> {
    row: usize,
    form: Option<&'r Encoding>,
    start: usize,
    next: usize,
}

#[derive(Clone, Copy)]
enum State<'r> {
    New,
    Open,
    /// The entry is valid; its encoding, if known.
    Done(Option<&'r Encoding>),
}

/// A reference and the class of its target.
#[derive(Clone, Copy)]
struct Reference<'t> {
    to: EntryRef,
    class: Option<&'t str>,
    offset: u64,
}

impl<'r, 'm> EntryWalk<'r, 'm> {
    pub(super) fn new(reach: &Reach<'m>, entries: &'r FileEntries<'m>, reader: &'r Reader<'m>) -> Self {
        let attributes = reach.counts.attributes as usize;
        Self {
            entries,
            reader,
            max_depth: reach.module.limits().max_depth.into(),
            attributes,
            states: vec![State::New; attributes + reach.counts.types as usize],
            path: Vec::new(),
            references: Vec::new(),
            node: Node::default(),
            elements: ElementsCheck::default(),
            codes: CheckedCodes::default(),
        }
    }

    pub(super) fn visit(&mut self, root: EntryRef, class: Option<&'r str>) -> Result<()> {
        self.open(root, class, None)?;
        while let Some(step) = self.path.last_mut() {
            let Some(&Reference { to, class, offset }) = self.references.get(step.next) else {
                self.references.truncate(step.start);
                self.states[step.row] = State::Done(step.form);
                self.path.pop();
                continue;
            };
            step.next += 1;
            // Deeper references are pushed after these and are popped before returning here.
            self.open(to, class, Some(offset))?;
        }
        Ok(())
    }

    // Decodes an entry and lists its references, except completed ones.
    fn open(&mut self, of: EntryRef, class: Option<&str>, from: Option<u64>) -> Result<()> {
        let at = row(self.attributes, of);
        match self.states[at] {
            State::Done(form) => {
                let entry = self.entries.raw(of);
                return check_class(self.reader, form, entry, class, || {
                    from.or(entry.map(|entry| entry.offset))
                });
            }
            State::Open => return Err(cycle(of, from)),
            State::New => {}
        }
        let entries = self.entries;
        let Some(entry) = entries.raw(of) else { return Ok(()) };
        let form = entry.form(of)?;
        check_class(self.reader, form, Some(entry), class, || from.or(Some(entry.offset)))?;
        if self.path.len() as u64 >= self.max_depth {
            let message =
                format!("attributes and types are nested more than `{}` levels deep", self.max_depth);
            let error = Error::message(ErrorKind::DepthLimit, message);
            return Err(error.at(from.unwrap_or(entry.offset)).in_section(SectionId::AttrType));
        }
        let start = self.references.len();
        self.decode(&entry, of, form)?;
        if self.references.len() == start {
            self.states[at] = State::Done(form);
        } else {
            self.states[at] = State::Open;
            self.path.push(OpenEntry { row: at, form, start, next: start });
        }
        Ok(())
    }

    // Examines the remaining entries, which have no references, one by one. Readers ignore them, so their
    // errors are only reported.
    pub(super) fn examine_unreferenced(&mut self, counts: EntryCounts, report: &mut Verification) {
        let attributes = AttrId::rows(0..counts.attributes).map(EntryRef::Attribute);
        for of in attributes.chain(TypeId::rows(0..counts.types).map(EntryRef::Type)) {
            if !matches!(self.states[row(self.attributes, of)], State::New) {
                continue;
            }
            let Some(entry) = self.entries.raw(of) else { continue };
            let decoded = entry.form(of).and_then(|form| self.decode(&entry, of, form));
            self.references.clear();
            if let Err(error) = decoded {
                report.add_broken(error);
            }
        }
    }

    // Appends the references of an entry, except completed ones.
    fn decode(&mut self, entry: &RawEntry<'r>, of: EntryRef, form: Option<&'r Encoding>) -> Result<()> {
        let entries = self.entries;
        self.reader.check_code(entry, of, &mut self.codes)?;
        if entry.is_text {
            skim::check_text(entry, of)?;
        } else if let Some(form) = form {
            let (references, states, attributes) = (&mut self.references, &self.states, self.attributes);
            let mut note = |to, class, at: u32| {
                let offset = entry.offset + u64::from(at);
                // Errors of completed entries are reported in the order of the references.
                let is_fine = matches!(states[row(attributes, to)], State::Done(Some(form)) if has_class(Some(form), class));
                if !is_fine {
                    references.push(Reference { to, class, offset });
                }
            };
            if form.has_fixed_layout && !is_typed(form) {
                let bounds = entries.bounds();
                fixed_layout::parts(form, entry.data, entry.offset, &bounds, &mut |part| match part {
                    FixedPart::Attribute(index, class, at)
                    | FixedPart::OptionalAttribute(index, class, at) => {
                        note(EntryRef::Attribute(AttrId::new(index)), class, at);
                    }
                    FixedPart::Type(index, at) => note(EntryRef::Type(TypeId::new(index)), None, at),
                    _ => {}
                })?;
            } else if entry.may_deviate() {
                // Bytes of unknown layout are listed as not checked.
                if let Some((form, layout)) = entry.decode(of, entries, &mut self.node)? {
                    primitive::references(&form.layouts[layout], &self.node, note);
                }
            } else {
                let layout = primitive::decode(form, entry.data, entry.offset, entries, &mut self.node)?;
                check_type(form, &self.node, entry, entries, self.reader)?;
                primitive::references(&form.layouts[layout], &self.node, note);
            }
        }
        let Some(form) = form else { return Ok(()) };
        let checked = match form.builtin {
            BuiltinKind::SparseElementsAttr => {
                primitive::decode(form, entry.data, entry.offset, entries, &mut self.node)?;
                self.elements.check_sparse(entries, &self.node)
            }
            // The fields were decoded together with the type.
            BuiltinKind::DenseStringElementsAttr if !entry.is_text => {
                self.elements.check_strings(entries, &self.node)
            }
            _ => return Ok(()),
        };
        checked.map_err(|error| error.at(entry.offset).in_section(SectionId::AttrType))
    }
}

pub(super) fn row(attributes: usize, of: EntryRef) -> usize {
    match of {
        EntryRef::Attribute(index) => index.index(),
        EntryRef::Type(index) => attributes + index.index(),
    }
}

pub(super) fn has_class(form: Option<&Encoding>, class: Option<&str>) -> bool {
    match (form, class) {
        (Some(form), Some(class)) => form.classes.iter().any(|known| **known == *class),
        _ => true,
    }
}

// A reference must have an attribute of `class` as its target, if the class of the attribute is known.
fn check_class(
    reader: &Reader<'_>,
    form: Option<&Encoding>,
    entry: Option<RawEntry<'_>>,
    class: Option<&str>,
    from: impl FnOnce() -> Option<u64>,
) -> Result<()> {
    if has_class(form, class) && !(form.is_none() && reader.is_other(entry, class)) {
        return Ok(());
    }
    let (class, name) =
        (class.unwrap_or_default(), form.map_or("attribute written as text", |form| &form.name));
    let mut error = Error::new(ErrorKind::EntryClass, with_article(class), with_article(name));
    if let Some(from) = from() {
        error = error.at(from);
    }
    Err(error.in_section(SectionId::AttrType))
}

#[cold]
fn cycle(entry: EntryRef, from: Option<u64>) -> Error {
    let error = Error::message(ErrorKind::EntryCycle, format!("{entry} contains itself"));
    error.at(from.unwrap_or_default()).in_section(SectionId::AttrType)
}
