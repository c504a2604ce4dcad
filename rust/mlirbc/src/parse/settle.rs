//! The end of parsing: rows get the attributes and types of the edited module, and the module its operations.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use crate::attr::table::Home;
use crate::attr::{Attribute, Handle};
use crate::dialect::entries::{Bounds, Entries, EntryRef};
use crate::edit::arena::{Order, ROOT, Step, Walker};
use crate::edit::{EditOp, Editor, NewResource, ResourceGroup};
use crate::wire::cursor::ByteSink;
use crate::wire::error::{Error, ErrorKind, Result};

use super::frames::{AsmParser, AttributeList, FIRST_PLACE, NONE};
use super::source::Source;

/// The first rows that the text added.
pub(super) struct FirstRows {
    pub(super) ops: usize,
    pub(super) values: usize,
}

/// The module of a text, and where its operations are in the text.
pub(super) struct Settled<'t> {
    pub(super) editor: Editor,
    /// The position of each operation from `first_op` on.
    pub(super) positions: Vec<u32>,
    pub(super) first_op: usize,
    pub(super) source: Source<'t>,
}

impl<'t> AsmParser<'t> {
    /// The module that the text describes.
    pub(super) fn settle(mut self) -> Result<Settled<'t>> {
        self.resolve_deferred()?;
        // What only parsing needs would be in memory up to the end otherwise.
        self.list_ids = HashMap::default();
        self.remembered = Default::default();
        self.values = Default::default();
        self.defined = Vec::new();
        let Self {
            mut editor,
            mut text,
            source,
            lists,
            attribute_names,
            top,
            resources,
            file,
            places,
            first,
            positions,
            options,
            surroundings,
            ..
        } = self;
        let whole = match text.position_value(file, options.wrapper.0, options.wrapper.1) {
            Ok(whole) => whole,
            Err(failure) => return Err(text.error_of(failure)),
        };
        let bounds = text.entries().bounds();
        let (entries, known) = text.finish();
        let is_module = surroundings.is_none();
        // A text that is inserted is copied to another module.
        let is_adopted = is_module && editor.tables.adopt(&entries, known)?;
        let home = Home::Owned(entries);
        if !is_adopted {
            editor.tables.copied.expect(&home, bounds, !is_module);
        }
        let mut imported = Imported { home, bounds, is_adopted };

        let module = editor.operation()?;
        let settled = settle_lists(&mut editor, &mut imported, &lists, &attribute_names, &source)?;
        drop((lists, attribute_names));
        // The operations of the text come before those that only carried attributes.
        let ops = first.ops..first.ops + positions.len();
        let at = |op: usize, error: Error| {
            let position = op.checked_sub(first.ops).and_then(|row| positions.get(row)).copied();
            source.placed(if error.offset().is_none() {
                error.at(position.unwrap_or(0).into())
            } else {
                error
            })
        };
        let mut places = Places::new(&source, &places);
        for op in ops {
            let row = &editor.arena.ops[op];
            let (list, location) = (row.attributes, row.location);
            let location = match places.number(location) {
                Some(place) => place,
                None => imported.attribute(&mut editor, location).map_err(|error| at(op, error))?,
            };
            let (attributes, properties) = settled.get(list as usize).copied().unwrap_or((NONE, NONE));
            let row = &mut editor.arena.ops[op];
            (row.location, row.attributes, row.properties) = (location, attributes, properties);
        }
        drop(settled);
        let unknown = editor.tables.unknown_location()?;
        let elides = editor.base.bytecode().version().elides_unknown_argument_locations();
        for value in first.values..editor.arena.values.len() {
            let row = &editor.arena.values[value];
            if row.is_erased {
                continue;
            }
            let (r#type, location, is_argument) = (row.r#type, row.location, row.is_argument);
            let at = |editor: &Editor, error| {
                let owner = editor.arena.value(value as u32).owner;
                at(
                    if is_argument { editor.arena.owner_of_block(owner).unwrap_or(0) } else { owner }
                        as usize,
                    error,
                )
            };
            let r#type = imported.r#type(&mut editor, r#type).map_err(|error| at(&editor, error))?;
            let location = match (is_argument, places.number(location)) {
                (true, Some(place)) => place,
                (true, None) => {
                    imported.attribute(&mut editor, location).map_err(|error| at(&editor, error))?
                }
                (false, _) => NONE,
            };
            let row = &mut editor.arena.values[value];
            row.r#type = r#type;
            row.location = if elides && location == unknown { NONE } else { location };
        }
        let file = imported.attribute(&mut editor, file)?;
        place(&mut editor, module, &top, &mut imported, (whole, is_module))?;
        drop(imported);
        if is_module {
            editor.tables.forget_copies();
        }
        places.settle(&mut editor, file, first.ops..first.ops + positions.len(), first.values)?;
        set_orders(&mut editor, first.values)?;
        for resource in resources {
            // MLIR drops those that no attribute refers to.
            if let ResourceGroup::Dialect(dialect) = &resource.group
                && editor.tables.find_key(dialect, &resource.key)?.is_none()
            {
                continue;
            }
            let new = NewResource { key: resource.key, group: resource.group, content: resource.content };
            let at = |error: Error| source.placed(error.at(resource.position as u64));
            editor.add_unsized_resource(new).map_err(at)?;
        }
        Ok(Settled { editor, positions, first_op: first.ops, source })
    }

    /// Gives rows the locations that were defined after them.
    fn resolve_deferred(&mut self) -> Result<()> {
        for deferred in std::mem::take(&mut self.deferred) {
            let location = self.text.attribute_alias(&deferred.name);
            let Some(location) = location.filter(|&index| self.text.is_location(index)) else {
                let name = String::from_utf8_lossy(&deferred.name);
                let message = format!("`#{name}` is not the alias of a location");
                let error = Error::message(ErrorKind::AsmName, message).at(deferred.position as u64);
                return Err(self.source.placed(error));
            };
            match deferred.is_argument {
                true => self.editor.arena.values[deferred.row as usize].location = location,
                false => self.editor.arena.op_mut(deferred.row).location = location,
            }
        }
        Ok(())
    }
}

/// The locations that are positions of the text.
struct Places<'p> {
    source: &'p Source<'p>,
    positions: &'p [u32],
    /// The first place with the same position, of each place; empty if all positions differ.
    firsts: Vec<u32>,
    /// The numbers of the places that are used, by place; otherwise [`NONE`].
    numbers: Vec<u32>,
    used: Vec<u32>,
}

impl<'p> Places<'p> {
    fn new(source: &'p Source<'p>, positions: &'p [u32]) -> Self {
        let numbers = vec![NONE; positions.len()];
        if positions.is_sorted_by(|a, b| a < b) {
            return Self { source, positions, firsts: Vec::new(), numbers, used: Vec::new() };
        }
        // They are nearly sorted, which the sort makes use of.
        let mut order: Vec<u32> = (0..positions.len() as u32).collect();
        let position = |place: u32| positions[place as usize];
        order.sort_by_key(|&place| position(place));
        let mut firsts = vec![0; positions.len()];
        let mut first = 0;
        for place in order {
            if positions.get(first as usize) != Some(&position(place)) {
                first = place;
            }
            firsts[place as usize] = first;
        }
        Self { source, positions, firsts, numbers, used: Vec::new() }
    }

    /// The number of a location that is a position, counted from [`FIRST_PLACE`].
    fn number(&mut self, location: u32) -> Option<u32> {
        let place = location.checked_sub(FIRST_PLACE)?;
        let place = self.firsts.get(place as usize).copied().unwrap_or(place);
        let number = self.numbers.get_mut(place as usize)?;
        if *number == NONE {
            *number = self.used.len() as u32;
            self.used.push(place);
        }
        Some(FIRST_PLACE + *number)
    }

    /// Makes attributes of them, in the rows of operations and values.
    fn settle(
        self,
        editor: &mut Editor,
        file: u32,
        ops: std::ops::Range<usize>,
        first_value: usize,
    ) -> Result<()> {
        let Self { source, positions, used, firsts, numbers } = self;
        drop((firsts, numbers));
        let code = editor.tables.builtin_code("FileLineColLoc")?;
        let mut line = 0;
        let mut payloads = ByteSink::new();
        let mut ends = Vec::with_capacity(used.len());
        for place in used {
            let position = positions.get(place as usize).copied().unwrap_or(0);
            let (line, column) = source.line_and_column_after(&mut line, position as usize);
            for field in [code, file.into(), line, column] {
                payloads.varint(field);
            }
            let Ok(end) = u32::try_from(payloads.len()) else {
                let message = "the locations of the operations take more than 4 GiB";
                return Err(Error::message(ErrorKind::MemoryLimit, message));
            };
            ends.push(end);
        }
        let first = editor.tables.add_packed(payloads.into_bytes(), ends)?;
        let settled = |location: u32| match location.checked_sub(FIRST_PLACE) {
            Some(number) if location != NONE => first + number,
            _ => location,
        };
        for row in editor.arena.ops.get_mut(ops).unwrap_or_default() {
            row.location = settled(row.location);
        }
        for row in editor.arena.values.get_mut(first_value..).unwrap_or_default() {
            row.location = settled(row.location);
        }
        Ok(())
    }
}

/// Attributes and types of the text by their indices in the edited module.
struct Imported {
    home: Home,
    bounds: Bounds,
    /// Whether the edited module has them already, with the same indices.
    is_adopted: bool,
}

impl Imported {
    fn attribute(&mut self, editor: &mut Editor, index: u32) -> Result<u32> {
        if index >= self.bounds.attributes {
            return Ok(NONE);
        }
        if self.is_adopted {
            return Ok(index);
        }
        Ok(editor.tables.import(&self.home, EntryRef::Attribute(index))?.index())
    }

    fn r#type(&mut self, editor: &mut Editor, index: u32) -> Result<u32> {
        if index >= self.bounds.types {
            return Ok(NONE);
        }
        if self.is_adopted {
            return Ok(index);
        }
        Ok(editor.tables.import(&self.home, EntryRef::Type(index))?.index())
    }

    fn value(&self, index: u32) -> Attribute {
        Attribute(Handle { home: self.home.clone(), of: EntryRef::Attribute(index) })
    }
}

/// The dictionary and the properties of each list of attributes.
fn settle_lists(
    editor: &mut Editor,
    imported: &mut Imported,
    lists: &[AttributeList],
    names: &[Vec<u8>],
    source: &Source<'_>,
) -> Result<Vec<(u32, u32)>> {
    let mut settled = Vec::with_capacity(lists.len());
    let mut defaults = Defaults::default();
    // An operation that is not part of the module gets the attributes; it stays as an erased row.
    let unknown = editor.tables.unknown_location()?;
    let scratch = editor.push_op(NONE, unknown, &[])?;
    for list in lists {
        let at = |error: Error| {
            let error = if error.offset().is_none() { error.at(list.position as u64) } else { error };
            source.placed(error.with_path(&*list.info.name))
        };
        settled.push(settle_list(editor, (imported, &mut defaults, scratch), list, names).map_err(at)?);
    }
    Ok(settled)
}

/// Defaults by their text, with their index in the edited module.
type Defaults = HashMap<Box<str>, (u32, Attribute)>;

fn settle_list(
    editor: &mut Editor,
    (imported, defaults, scratch): (&mut Imported, &mut Defaults, u32),
    list: &AttributeList,
    names: &[Vec<u8>],
) -> Result<(u32, u32)> {
    let mut values: Vec<(&[u8], u32, Attribute)> = Vec::with_capacity(list.attributes.len());
    // The places of the names, once there are many.
    let mut places: HashMap<&[u8], usize> = HashMap::new();
    let mut blob = None;
    if list.properties != NONE {
        let mut sink = ByteSink::new();
        sink.varint(imported.attribute(editor, list.properties)?.into());
        blob = Some(editor.tables.blob(sink.into_bytes())?);
    }
    for &(name, value) in &list.attributes {
        let index = imported.attribute(editor, value)?;
        let name = names.get(name as usize).map_or(&[][..], Vec::as_slice);
        let known = match values.len() {
            ..16 => values.iter().position(|(known, ..)| *known == name),
            count => {
                if places.is_empty() {
                    places = values.iter().map(|(name, ..)| *name).zip(0..).collect();
                }
                match places.entry(name) {
                    Entry::Occupied(place) => Some(*place.get()),
                    Entry::Vacant(place) => {
                        place.insert(count);
                        None
                    }
                }
            }
        };
        let new = (name, index, imported.value(value));
        // As in MLIR, an attribute of the dictionary replaces a property.
        match known.and_then(|place| values.get_mut(place)) {
            Some(own) => *own = new,
            None => values.push(new),
        }
    }
    for (name, text) in &list.info.defaults {
        if !values.iter().any(|(known, ..)| *known == name.as_bytes()) {
            let (index, value) = match defaults.get(&**text) {
                Some(known) => known,
                None => {
                    let value = Attribute::parse(&**text)?;
                    let index = editor.tables.import_attribute(&value)?;
                    defaults.entry(text.clone()).or_insert((index, value))
                }
            };
            values.push((name.as_bytes(), *index, value.clone()));
        }
    }
    let row = editor.arena.op_mut(scratch);
    (row.name, row.attributes, row.properties) = (list.op_name, NONE, NONE);
    let set: Vec<(&[u8], u32, &Attribute)> =
        values.iter().map(|(name, index, value)| (*name, *index, value)).collect();
    let edited = editor.edit_attributes(scratch, &set, &[], true);
    let row = editor.arena.op_mut(scratch);
    row.name = NONE;
    edited.map(|()| (row.attributes, blob.unwrap_or(row.properties)))
}

/// Puts the operations of the top level into the module, or makes the only one the module if the text is that of one.
fn place(
    editor: &mut Editor,
    module: EditOp,
    top: &[u32],
    imported: &mut Imported,
    (whole, is_whole): (u32, bool),
) -> Result<()> {
    let is_module =
        |&op: &u32| is_whole && editor.tables.op_name_bytes(editor.arena.op(op).name) == b"builtin.module";
    let block = match top {
        [only] if is_module(only) => {
            let block = editor.top_level().0;
            editor.erase(module)?;
            block
        }
        _ => {
            let location = imported.attribute(editor, whole)?;
            editor.arena.op_mut(module.0).location = location;
            editor.body(module)?.0
        }
    };
    for &op in top {
        editor.arena.link(op, block, NONE);
    }
    editor.arena.touch_block(block);
    Ok(())
}

/// Stores the orders of uses that differ from the one that a reader makes.
fn set_orders(editor: &mut Editor, first_value: usize) -> Result<()> {
    if !editor.base.bytecode().version().has_use_list_orders() {
        return Ok(());
    }
    let arena = &editor.arena;
    let mut places = vec![0_u32; arena.ops.len()];
    let mut walker = Walker::inside(ROOT);
    let mut next = 0;
    while let Some(step) = walker.next(arena) {
        if let Step::Enter(op) = step {
            places[op as usize] = next;
            next += 1;
        }
    }
    let mut orders = Vec::new();
    for value in first_value as u32..arena.values.len() as u32 {
        let mut last = None;
        let place = |slot: u32| (places[arena.uses[slot as usize].op as usize], slot);
        let is_sorted = arena.uses_of(value).all(|slot| {
            let place = place(slot);
            let is_before = last.is_none_or(|last| place < last);
            last = Some(place);
            is_before
        });
        if is_sorted {
            continue;
        }
        // The reference order has the last use first; the indices are the positions of these uses in the list.
        let mut uses: Vec<(u32, u64)> = arena.uses_of(value).zip(0..).collect();
        uses.sort_unstable_by_key(|&(slot, _)| place(slot));
        let slots: Box<[u32]> = uses.iter().map(|one| one.0).collect();
        let indices: Box<[u64]> = uses.iter().rev().map(|one| one.1).collect();
        editor.tables.budget.spend(indices.len() * 2 * size_of::<u64>() + size_of::<Order>())?;
        orders.push((value, Order { rank: 0, is_pairs: false, indices, uses: slots }));
    }
    editor.arena.orders.extend(orders);
    Ok(())
}
