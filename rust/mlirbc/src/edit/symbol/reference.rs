//! References to symbols inside attributes and types, at any depth: finding and renaming them.

use std::collections::{HashMap, HashSet};

use crate::attr::import::{Visitor, visit_after_references};
use crate::attr::table::is_distinct;
use crate::attr::text::entry::string_of;
use crate::dialect::entries::{Entries, EntryRef, RawEntry, bits_of};
use crate::dialect::node::{Field, Node, TableIndex};
use crate::dialect::primitive;
use crate::dialect::table::{BuiltinKind, Encoding, Layout};
use crate::format::id::{AttrId, TypeId};
use crate::wire::error::{Error, ErrorKind, Result};
use crate::wire::limits::{Budget, HeldMemory};

use super::dialects::{Strings, SymbolData};
use super::text;
use crate::edit::tables::{Tables, View, cycle, known_form, no_such_entry};

/// The bytes per entry in a table of examined entries.
const MARK_BYTES: usize = 40;

/// Facts about an entry and everything inside it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Mark {
    /// Whether the entry contains a searched reference.
    pub(crate) is_hit: bool,
    /// Whether the entry contains parts of unknown layout.
    pub(crate) is_opaque: bool,
}

impl Mark {
    fn add(&mut self, other: Self) {
        self.is_hit |= other.is_hit;
        self.is_opaque |= other.is_opaque;
    }
}

/// Entries that were examined for one set of references; each is examined once.
#[derive(Debug)]
pub(crate) struct Marks {
    marks: HashMap<EntryRef, Mark, foldhash::fast::RandomState>,
    held: HeldMemory,
    room: usize,
}

struct OpenEntry {
    of: EntryRef,
    mark: Mark,
    /// The position of its first reference in the common list of references, and of the next one to examine.
    first: usize,
    next: usize,
}

impl Marks {
    pub(crate) fn new(budget: &Budget) -> Result<Self> {
        Ok(Self { marks: HashMap::default(), held: budget.hold(0)?, room: 0 })
    }

    /// Returns whether an entry is known to contain a searched reference.
    pub(crate) fn is_hit(&self, of: EntryRef) -> bool {
        self.marks.get(&of).is_some_and(|mark| mark.is_hit)
    }

    /// Examines an entry and its nested entries; `is_hit` selects references by their names. With `opaque`,
    /// only the entries in this set count as opaque.
    pub(crate) fn of(
        &mut self,
        view: &View<'_>,
        root: EntryRef,
        opaque: Option<&HashSet<EntryRef>>,
        mut is_hit: impl FnMut(&[&[u8]]) -> bool,
    ) -> Result<Mark> {
        if let Some(&mark) = self.marks.get(&root) {
            return Ok(mark);
        }
        let data = SymbolData::shipped()?;
        let mut node = Node::default();
        let mut inside: Vec<EntryRef> = Vec::new();
        let mut open_entries: Vec<OpenEntry> = Vec::new();
        let mut entered = Some(root);
        loop {
            if let Some(of) = entered.take() {
                let first = inside.len();
                let mut mark = look(view, of, data, &mut node, &mut inside, &mut is_hit);
                mark.is_opaque &= opaque.is_none_or(|opaque| opaque.contains(&of));
                // An entry inside itself finds this mark; such entries are rejected when they are read.
                self.insert(of, mark)?;
                open_entries.push(OpenEntry { of, mark, first, next: first });
            }
            let Some(open_entry) = open_entries.last_mut() else { break };
            if let Some(&to) = inside.get(open_entry.next) {
                open_entry.next += 1;
                match self.marks.get(&to) {
                    Some(&mark) => open_entry.mark.add(mark),
                    None => entered = Some(to),
                }
                continue;
            }
            inside.truncate(open_entry.first);
            let (entry, mark) = (open_entry.of, open_entry.mark);
            self.marks.insert(entry, mark);
            open_entries.pop();
            if let Some(around) = open_entries.last_mut() {
                around.mark.add(mark);
            }
        }
        Ok(self.marks.get(&root).copied().unwrap_or_default())
    }

    fn insert(&mut self, of: EntryRef, mark: Mark) -> Result<()> {
        if self.marks.len() == self.room {
            let room = (2 * self.room).max(16);
            self.held.grow_to(room * MARK_BYTES)?;
            self.room = room;
        }
        self.marks.insert(of, mark);
        Ok(())
    }
}

/// Examines one entry, and adds its references.
pub(super) fn look(
    view: &View<'_>,
    of: EntryRef,
    data: &SymbolData,
    node: &mut Node,
    inside: &mut Vec<EntryRef>,
    is_hit: &mut impl FnMut(&[&[u8]]) -> bool,
) -> Mark {
    let opaque = Mark { is_opaque: true, ..Mark::default() };
    let mut mark = Mark::default();
    let Some(entry) = view.raw(of) else { return mark };
    crate::wire::steps::count(1);
    if let Some(text) = entry.text() {
        crate::wire::steps::count(text.len());
        for reference in text::references(text) {
            let names: Vec<&[u8]> = reference.names.iter().map(|name| &**name).collect();
            mark.is_hit |= is_hit(&names);
        }
        return mark;
    }
    match entry.form(of) {
        Ok(Some(form)) if !form.refers => return mark,
        Ok(Some(_)) => {}
        Ok(None) | Err(_) => return opaque,
    }
    let Ok(Some((form, number))) = entry.decode(of, view, node) else { return opaque };
    let Some(layout) = form.layouts.get(number) else { return opaque };
    mark.is_opaque = layout.fields.iter().any(|field| field.primitive.is_opaque());
    if let Some(names) = names_of(view, &entry, (form, layout), node, data) {
        mark.is_hit = is_hit(&names);
        if is_builtin_reference(&entry, form) {
            return mark;
        }
    }
    primitive::references(layout, node, |to, _, _| inside.push(to));
    mark
}

/// Returns whether an entry itself, not only a nested one, is a reference that changes.
pub(crate) fn is_direct(view: &View<'_>, of: EntryRef, renaming: &Renaming) -> bool {
    let Ok(data) = SymbolData::shipped() else { return false };
    let mut is_hit = |names: &[&[u8]]| renaming.place(names).is_some();
    look(view, of, data, &mut Node::default(), &mut Vec::new(), &mut is_hit).is_hit
}

fn is_builtin_reference(entry: &RawEntry<'_>, form: &Encoding) -> bool {
    let is_one = matches!(form.builtin, BuiltinKind::SymbolRefAttr | BuiltinKind::FlatSymbolRefAttr);
    is_one && entry.dialect == b"builtin"
}

/// Returns the names of a reference that an entry is, or has in a field; the root comes first.
fn names_of<'v>(
    view: &'v View<'_>,
    entry: &RawEntry<'_>,
    (form, layout): (&Encoding, &Layout),
    node: &Node,
    data: &SymbolData,
) -> Option<Vec<&'v [u8]>> {
    if is_builtin_reference(entry, form) {
        let mut names = vec![string_of(view, AttrId::new(node.attribute(0)?.number()))?];
        for item in node.items(1) {
            let Field::Attribute(nested, _) = *item else { continue };
            let nested_ref = EntryRef::Attribute(nested);
            let mut flat = Node::default();
            view.raw(nested_ref)?.decode(nested_ref, view, &mut flat).ok()??;
            names.push(string_of(view, AttrId::new(flat.attribute(0)?.number()))?);
        }
        return Some(names);
    }
    let (strings, field) = data.attribute(entry.dialect, &form.name)?;
    let index = node.attribute(layout.index(field)?)?;
    dialect_string(view, strings, index).map(|name| vec![name])
}

/// Returns the text of an attribute that is a string of its dialect.
pub(crate) fn dialect_string<'v>(
    entries: &'v impl Entries,
    strings: &Strings,
    index: AttrId,
) -> Option<&'v [u8]> {
    let attribute = EntryRef::Attribute(index);
    let entry = entries.entry(attribute).filter(|entry| entry.dialect == strings.dialect.as_bytes())?;
    let mut node = Node::default();
    let (form, _) = entry.decode(attribute, entries, &mut node).ok()??;
    match node.field(0) {
        Field::String(string) if form.name == strings.string => Some(entries.string(string)),
        _ => None,
    }
}

/// Returns the name in an attribute that names a symbol: a builtin string, or a string attribute of another
/// dialect.
pub(crate) fn symbol_name_of(entries: &impl Entries, index: AttrId) -> Option<&[u8]> {
    let of_dialect =
        || SymbolData::shipped().ok()?.strings().find_map(|row| dialect_string(entries, row, index));
    string_of(entries, index).or_else(of_dialect)
}

/// Returns the items of an attribute that is a list of its dialect.
pub(crate) fn dialect_list(view: &View<'_>, strings: &Strings, index: AttrId) -> Option<Vec<AttrId>> {
    let attribute = EntryRef::Attribute(index);
    let entry = view.raw(attribute).filter(|entry| entry.dialect == strings.dialect.as_bytes())?;
    let mut node = Node::default();
    let (form, _) = entry.decode(attribute, view, &mut node).ok()??;
    if form.name != strings.list {
        return None;
    }
    let items = node.items(0).iter().filter_map(|item| match item {
        Field::Attribute(index, _) => Some(*index),
        _ => None,
    });
    Some(items.collect())
}

/// A path to a symbol, and its new name.
pub(crate) type Renamed = (Vec<Vec<u8>>, Vec<u8>);

/// A renaming: references that start with one of the paths get another name at the end of this path.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Renaming {
    paths: Vec<Renamed>,
    by_root: HashMap<Vec<u8>, Vec<usize>>,
}

impl Renaming {
    pub(crate) fn new(paths: Vec<Renamed>) -> Self {
        let mut by_root: HashMap<Vec<u8>, Vec<usize>> = HashMap::new();
        for (number, (path, _)) in paths.iter().enumerate() {
            by_root.entry(path.first().cloned().unwrap_or_default()).or_default().push(number);
        }
        Self { paths, by_root }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.paths.is_empty()
    }

    /// Returns the index of the name that changes within a reference, and the new name.
    pub(crate) fn place<N: AsRef<[u8]>>(&self, names: &[N]) -> Option<(usize, &[u8])> {
        let begins = |path: &Vec<Vec<u8>>| {
            path.len() <= names.len() && path.iter().zip(names).all(|(a, b)| &**a == b.as_ref())
        };
        let numbers = self.by_root.get(names.first()?.as_ref())?;
        let mut paths = numbers.iter().filter_map(|&number| self.paths.get(number));
        paths.find(|row| begins(&row.0)).map(|(path, new)| (path.len() - 1, &**new))
    }
}

impl Tables {
    /// Returns an entry with renamed references; `marks` must belong to the same renaming.
    ///
    /// # Errors
    /// If an entry around a reference cannot be encoded again.
    pub(crate) fn renamed(
        &mut self,
        root: EntryRef,
        renaming: &Renaming,
        marks: &Marks,
        done: &mut HashMap<EntryRef, EntryRef>,
    ) -> Result<EntryRef> {
        visit_after_references(&mut Rename { tables: self, renaming, marks, done }, root)?;
        Ok(done.get(&root).copied().unwrap_or(root))
    }

    /// Returns the dialect and the renamed bytes of one entry, whose nested entries are already renamed.
    pub(crate) fn renamed_entry(
        &mut self,
        of: EntryRef,
        renaming: &Renaming,
        done: &HashMap<EntryRef, EntryRef>,
    ) -> Result<(Vec<u8>, Vec<u8>, bool)> {
        let data = SymbolData::shipped()?;
        let mut node = Node::default();
        let view = self.view()?;
        let entry = view.raw(of).ok_or_else(|| no_such_entry(of))?;
        let dialect = entry.dialect.to_vec();
        if let Some(text) = entry.text() {
            let changed = text::renamed(text, |names| renaming.place(names));
            let mut text = changed.unwrap_or_else(|| text.to_vec());
            text.push(0);
            return Ok((dialect, text, false));
        }
        let (form, layout) = known_form(&entry, of, &view, &mut node)?;
        let names = names_of(&view, &entry, (form, layout), &node, data);
        let place = names.and_then(|names| renaming.place(&names));
        let name = place.map_or(&[][..], |place| place.1);
        let renamed_field = match place {
            Some((place, _)) if is_builtin_reference(&entry, form) => Some((place, None)),
            Some(_) => data
                .attribute(&dialect, &form.name)
                .and_then(|(strings, field)| Some((node.attribute(layout.index(field)?)?, strings)))
                .map(|(index, strings)| (index.index(), Some(strings))),
            None => None,
        };
        // Adding an entry needs the tables, which the encoding borrows.
        let new = match renamed_field {
            Some((0, None)) => Some(self.string_attribute(name)?.number()),
            Some((_, None)) => Some(self.flat_symbol(name)?.number()),
            Some((index, Some(strings))) => {
                Some(AttrId::number(self.renamed_string(strings, AttrId::new(index as u32), name)?))
            }
            None => None,
        };
        let view = self.view()?;
        let entry = view.raw(of).ok_or_else(|| no_such_entry(of))?;
        let (form, layout) = known_form(&entry, of, &view, &mut node)?;
        // The names of a nested reference are references, too, if they are separate entries.
        let is_reference = is_builtin_reference(&entry, form);
        let mut seen = 0;
        node.renumber(|index| {
            Ok(match index {
                TableIndex::Attribute(index) => {
                    seen += 1;
                    let is_own = match renamed_field {
                        Some((place, None)) => seen == place + 1,
                        Some((string, Some(_))) => string == index as usize,
                        None => false,
                    };
                    let inside = done.get(&EntryRef::Attribute(AttrId::new(index))).filter(|_| !is_reference);
                    let new = new.filter(|_| is_own).or(inside.map(|new| new.index()));
                    new.unwrap_or(index)
                }
                TableIndex::Type(index) => {
                    done.get(&EntryRef::Type(TypeId::new(index))).map_or(index, |new| new.index())
                }
                TableIndex::String(index) | TableIndex::Resource(index) => index,
            })
        })?;
        let bytes = primitive::encode(form, layout, &node, entry.data, &|index| bits_of(&view, index))?;
        Ok((dialect, bytes, is_distinct(form)))
    }

    /// Returns a dialect string with another text.
    pub(crate) fn renamed_string(&mut self, strings: &Strings, index: AttrId, new: &[u8]) -> Result<AttrId> {
        let string = self.string(new)?;
        let attribute = EntryRef::Attribute(index);
        let mut node = Node::default();
        let view = self.view()?;
        let entry = view.raw(attribute).ok_or_else(|| no_such_entry(attribute))?;
        let (form, layout) = known_form(&entry, attribute, &view, &mut node)?;
        node.renumber(|index| {
            Ok(match index {
                TableIndex::String(_) => string,
                TableIndex::Resource(index) | TableIndex::Attribute(index) | TableIndex::Type(index) => index,
            })
        })?;
        let bytes = primitive::encode(form, layout, &node, entry.data, &|index| bits_of(&view, index))?;
        self.add_attribute(strings.dialect.as_bytes(), bytes)
    }

    /// Returns a dialect list with other items.
    pub(crate) fn with_items(
        &mut self,
        strings: &Strings,
        index: AttrId,
        items: &HashMap<AttrId, AttrId>,
    ) -> Result<AttrId> {
        let attribute = EntryRef::Attribute(index);
        let mut node = Node::default();
        let view = self.view()?;
        let entry = view.raw(attribute).ok_or_else(|| no_such_entry(attribute))?;
        let (form, layout) = known_form(&entry, attribute, &view, &mut node)?;
        node.renumber(|index| {
            Ok(match index {
                TableIndex::Attribute(index) => {
                    items.get(&AttrId::new(index)).map_or(index, |item| item.number())
                }
                TableIndex::String(index) | TableIndex::Resource(index) | TableIndex::Type(index) => index,
            })
        })?;
        let bytes = primitive::encode(form, layout, &node, entry.data, &|index| bits_of(&view, index))?;
        self.add_attribute(strings.dialect.as_bytes(), bytes)
    }

    fn add_attribute(&mut self, dialect: &[u8], bytes: Vec<u8>) -> Result<AttrId> {
        match self.add_entry(false, dialect, false, bytes, false)? {
            EntryRef::Attribute(index) => Ok(index),
            of @ EntryRef::Type(_) => Err(no_such_entry(of)),
        }
    }
}

/// Adds the renamed copies of marked entries to their own tables.
struct Rename<'r> {
    tables: &'r mut Tables,
    renaming: &'r Renaming,
    marks: &'r Marks,
    done: &'r mut HashMap<EntryRef, EntryRef>,
}

impl Visitor for Rename<'_> {
    fn is_done(&self, of: EntryRef) -> bool {
        self.done.contains_key(&of) || !self.marks.is_hit(of)
    }

    fn read(&mut self, of: EntryRef, parts: &mut Vec<EntryRef>) -> Result<()> {
        let view = self.tables.view()?;
        let entry = view.raw(of).ok_or_else(|| no_such_entry(of))?;
        if !entry.is_text {
            let mut node = Node::default();
            let (form, layout) = known_form(&entry, of, &view, &mut node)?;
            if !is_builtin_reference(&entry, form) {
                primitive::references(layout, &node, |to, _, _| {
                    if !self.is_done(to) {
                        parts.push(to);
                    }
                });
            }
        }
        Ok(())
    }

    fn visit(&mut self, of: EntryRef) -> Result<()> {
        let (dialect, data, is_unique) = self.tables.renamed_entry(of, self.renaming, self.done)?;
        let is_type = matches!(of, EntryRef::Type(_));
        let is_text = self.tables.view()?.raw(of).is_some_and(|entry| entry.is_text);
        let copy = self.tables.add_entry(is_type, &dialect, is_text, data, is_unique)?;
        self.done.insert(of, copy);
        Ok(())
    }

    fn cycle(&self, _: EntryRef) -> Error {
        cycle()
    }

    fn budget(&self) -> Option<&Budget> {
        Some(&self.tables.budget)
    }

    fn poll(&self) -> Result<()> {
        self.tables.base.tables().check_interrupt()
    }
}

/// Returns whether bytes of unknown layout may refer to certain entries: references to attributes and types
/// are indices, alone or with a flag in the lowest bit.
pub(crate) fn may_refer(bytes: &[u8], is_one: impl Fn(u64) -> bool) -> bool {
    crate::wire::steps::count(bytes.len());
    (0..bytes.len()).any(|start| {
        let mut cursor = crate::wire::cursor::Cursor::new(&bytes[start..], 0, None);
        cursor.varint().is_ok_and(|number| is_one(number) || is_one(number >> 1))
    })
}

#[cold]
pub(crate) fn hidden(role: &str, old: &[u8]) -> Error {
    let old = String::from_utf8_lossy(old);
    let message = format!("{role} has parts of unknown layout, which may contain references to `@{old}`");
    Error::message(ErrorKind::PropertyOpaque, message)
}
