//! The end of parsing: rows get attributes and types of the edited module, and operations are put into the
//! module.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::rc::Rc;

use crate::attr::table::Home;
use crate::attr::{Attribute, Handle};
use crate::dialect::entries::{Bounds, Entries, EntryRef};
use crate::edit::arena::{
    ArenaOp, ArenaUse, ArenaValue, EditAttr, EditBlob, EditName, EditType, Order, ROOT, WalkStep, Walker,
};
use crate::edit::tables::no_such_entry;
use crate::edit::{EditOp, Editor, NewResource, ResourceGroup};
use crate::format::id::{AttrId, TypeId};
use crate::wire::cursor::ByteSink;
use crate::wire::error::{Error, ErrorKind, Result};
use crate::wire::order;
use crate::wire::order::sort_by;

use super::attribute_lists::{AttributeList, AttributeLists};
use super::frames::{AsmParser, FIRST_PLACE, NONE};
use super::locations::{PlaceTable, UnplacedModule};
use super::operation_info::OpInfo;
use super::source::{Lines, Source};

/// The first rows that the text added.
pub(super) struct FirstRows {
    pub(super) ops: usize,
    pub(super) values: usize,
}

/// The positions of a module's operations in its text.
pub(super) struct OperationPositions<'t> {
    /// The position of each operation from `first_op` on; empty if the operations cannot be invalid.
    positions: Vec<u32>,
    first_op: usize,
    source: Source<'t>,
}

impl OperationPositions<'_> {
    /// Adds the position of an operation to an error.
    #[cold]
    pub(super) fn at(&self, op: usize, error: Error) -> Error {
        let position = op.checked_sub(self.first_op).and_then(|row| self.positions.get(row)).copied();
        let is_placed = error.offset().is_some();
        self.source.placed(if is_placed { error } else { error.at(position.unwrap_or(0).into()) })
    }
}

impl<'t> AsmParser<'t> {
    /// Returns the module that the text describes, without the locations that are positions of the text, and
    /// the lines of the text.
    pub(super) fn finish(self) -> Result<(UnplacedModule, Lines)> {
        let progress = self.options.progress.clone();
        let (module, of_text) = self.resolve_rows()?;
        Ok((module, of_text.source.into_lines(&progress)))
    }

    /// Returns the module of a text that is inserted, and the positions of its operations in the text.
    pub(super) fn finish_placed(self) -> Result<(Editor, OperationPositions<'t>)> {
        let (module, of_text) = self.resolve_rows()?;
        Ok((module.place(of_text.source.lines())?, of_text))
    }

    fn resolve_rows(mut self) -> Result<(UnplacedModule, OperationPositions<'t>)> {
        self.resolve_deferred()?;
        // Data that only parsing needs is released early.
        self.lists.close();
        self.completions = Default::default();
        self.containers = Default::default();
        self.repeated = Default::default();
        self.values = Default::default();
        self.defined = Vec::new();
        let Self {
            mut editor,
            mut text,
            source,
            lists,
            infos_by_index,
            attribute_names,
            top,
            resources,
            file,
            places,
            mut placed_elsewhere,
            first,
            options,
            surroundings,
            ..
        } = self;
        let whole = match text.position_value(AttrId::new(file), options.wrapper.0, options.wrapper.1) {
            Ok(whole) => whole,
            Err(failure) => return Err(text.error_of(failure)),
        };
        let bounds = text.entries().bounds();
        let (entries, known) = text.finish();
        let is_module = surroundings.is_none();
        // An inserted text is copied to another module anyway, so its tables are not moved.
        let is_moved = is_module && editor.tables.adopt(&entries, known)?;
        let home = Home::Owned(entries);
        if !is_moved {
            editor.tables.copied.expect(&home, bounds, !is_module);
        }
        let mut imported = Imported { home, bounds, is_moved };

        let module = editor.operation()?;
        // Operations that only carry attributes come after the operations of the text.
        let ops = first.ops..editor.arena.ops.len();
        let mut of_text = OperationPositions { positions: Vec::new(), first_op: first.ops, source };
        if !is_moved {
            sort_by(&mut placed_elsewhere, |a, b| a.0.cmp(&b.0));
            of_text.positions = positions(&editor, ops.clone(), &places, &placed_elsewhere);
        }
        drop(placed_elsewhere);
        let resolved_lists = resolve_lists(
            &mut editor,
            &mut imported,
            (&lists, &infos_by_index),
            &attribute_names,
            &of_text.source,
        )?;
        drop((lists, infos_by_index, attribute_names));
        let mut places = PlaceTable::new(places);
        let unknown = editor.tables.unknown_location()?;
        for op in ops.clone() {
            let row = &editor.arena.ops[op];
            let (list, location) = (row.attributes, row.location);
            let location = match places.is_used(location.number()) {
                true => Some(location),
                false => {
                    let imported = imported.attribute(&mut editor, AttrId::new(location.number()));
                    imported.map_err(|error| of_text.at(op, error))?
                }
            };
            let list = list.and_then(|list| resolved_lists.get(list.index()));
            let (attributes, properties) = list.copied().unwrap_or((None, None));
            let row = &mut editor.arena.ops[op];
            (row.attributes, row.properties) = (attributes, properties);
            // The location of an operation that its text does not contain may be defined after it.
            row.location = location.unwrap_or(unknown);
        }
        drop(resolved_lists);
        let elides = editor.base.tables().bytecode().version().elides_unknown_argument_locations();
        for value in first.values..editor.arena.values.len() {
            let row = &editor.arena.values[value];
            if row.is_erased() {
                continue;
            }
            let (r#type, location) = (row.r#type(), row.location);
            let at = |editor: &Editor, error| {
                let row = &editor.arena.values[value];
                let op = row.op().or_else(|| editor.arena.owner_of_block(row.block()?));
                of_text.at(op.map_or(0, ArenaOp::index), error)
            };
            let r#type = imported
                .r#type(&mut editor, TypeId::new(r#type.number()))
                .map_err(|error| at(&editor, error))?;
            let location = match location {
                Some(location) if !places.is_used(location.number()) => {
                    let imported = imported.attribute(&mut editor, AttrId::new(location.number()));
                    imported.map_err(|error| at(&editor, error))?
                }
                location => location,
            };
            let row = &mut editor.arena.values[value];
            row.r#type = r#type;
            row.location = location.filter(|&location| !elides || location != unknown);
        }
        let file =
            imported.attribute(&mut editor, AttrId::new(file))?.unwrap_or(EditAttr::PAST_TABLES).number();
        place(&mut editor, module, &top, &mut imported, (whole.number(), is_module))?;
        drop(imported);
        if is_module {
            editor.tables.forget_copies();
        }
        for resource in resources {
            // MLIR drops dialect resources that no attribute refers to.
            if let ResourceGroup::Dialect(dialect) = &resource.group
                && editor.tables.find_key(dialect, &resource.key)?.is_none()
            {
                continue;
            }
            let new = NewResource { key: resource.key, group: resource.group, content: resource.content };
            let at = |error: Error| of_text.source.placed(error.at(resource.position as u64));
            editor.add_unsized_resource(new).map_err(at)?;
        }
        Ok((UnplacedModule { editor, places, file, ops, first_value: first.values }, of_text))
    }

    /// Resolves locations that were defined after their use.
    fn resolve_deferred(&mut self) -> Result<()> {
        for deferred in std::mem::take(&mut self.deferred) {
            let location = self.text.attribute_alias(&deferred.name);
            let Some(location) = location.filter(|&index| self.text.is_location(AttrId::new(index))) else {
                let name = String::from_utf8_lossy(&deferred.name);
                let message = format!("`#{name}` is not the alias of a location");
                let error = Error::message(ErrorKind::AsmName, message).at(deferred.position as u64);
                return Err(self.source.placed(error));
            };
            self.locate(deferred.row, location);
        }
        // Values are defined before another value takes over their location.
        for (argument, value) in std::mem::take(&mut self.located_like) {
            let location = self.location_of_value(value);
            self.editor.arena.values[argument.index()].location =
                (location != NONE).then_some(EditAttr::new(location));
        }
        Ok(())
    }
}

/// Returns the positions of the operations.
fn positions(
    editor: &Editor,
    ops: std::ops::Range<usize>,
    places: &[u32],
    placed_elsewhere: &[(ArenaOp, u32)],
) -> Vec<u32> {
    let mut other_positions = placed_elsewhere.iter().peekable();
    let position = |op: usize| {
        let mut position = None;
        while let Some((_, other)) = other_positions.next_if(|(other, _)| other.index() <= op) {
            position = Some(*other);
        }
        let place =
            || editor.arena.ops[op].location.number().checked_sub(FIRST_PLACE).map(|place| place as usize);
        position.or_else(|| places.get(place()?).copied()).unwrap_or(0)
    };
    ops.map(position).collect()
}

/// The attributes and types of the text by their indices in the edited module.
struct Imported {
    home: Home,
    bounds: Bounds,
    /// Whether the edited module has the entries already, with the same indices.
    is_moved: bool,
}

impl Imported {
    fn attribute(&mut self, editor: &mut Editor, index: AttrId) -> Result<Option<EditAttr>> {
        if index >= AttrId::new(self.bounds.attributes) {
            return Ok(None);
        }
        if self.is_moved {
            return Ok(Some(EditAttr::new(index.number())));
        }
        Ok(Some(EditAttr::new(editor.tables.import(&self.home, EntryRef::Attribute(index))?.index())))
    }

    fn r#type(&mut self, editor: &mut Editor, index: TypeId) -> Result<Option<EditType>> {
        if index >= TypeId::new(self.bounds.types) {
            return Ok(None);
        }
        if self.is_moved {
            return Ok(Some(EditType::new(index.number())));
        }
        Ok(Some(EditType::new(editor.tables.import(&self.home, EntryRef::Type(index))?.index())))
    }

    fn value(&self, index: AttrId) -> Attribute {
        Attribute(Handle { home: self.home.clone(), of: EntryRef::Attribute(index) })
    }
}

/// The dictionary and the properties of an attribute list.
type ResolvedList = (Option<EditAttr>, Option<EditBlob>);

/// Returns the dictionary and the properties of each attribute list.
fn resolve_lists(
    editor: &mut Editor,
    imported: &mut Imported,
    (lists, infos): (&AttributeLists, &HashMap<u32, Rc<OpInfo>, foldhash::fast::RandomState>),
    names: &[Vec<u8>],
    source: &Source<'_>,
) -> Result<Vec<ResolvedList>> {
    let mut resolved_lists = Vec::new();
    let mut defaults = Defaults::default();
    // The attributes are set on an operation outside of the module, which stays as an erased row.
    let unknown = editor.tables.unknown_location()?;
    let scratch = editor.push_op(EditName::new(0), unknown, &[])?;
    editor.arena.op_mut(scratch).name = None;
    for number in 0..lists.len() as u32 {
        let list = lists.get(number);
        let Some((list, info)) = list.and_then(|list| Some((list, infos.get(&list.op_name)?))) else {
            resolved_lists.push((None, None));
            continue;
        };
        let at = |error: Error| {
            let error = if error.offset().is_none() { error.at(list.position as u64) } else { error };
            source.placed(error.with_path(&*info.name))
        };
        let list = (list, &**info);
        resolved_lists
            .push(resolve_list(editor, (imported, &mut defaults, scratch), list, names).map_err(at)?);
    }
    Ok(resolved_lists)
}

/// Defaults by their text: the index in the edited module, and the attribute.
type Defaults = HashMap<Box<str>, (EditAttr, Attribute)>;

fn resolve_list(
    editor: &mut Editor,
    (imported, defaults, scratch): (&mut Imported, &mut Defaults, ArenaOp),
    (list, info): (AttributeList<'_>, &OpInfo),
    names: &[Vec<u8>],
) -> Result<ResolvedList> {
    let mut values: Vec<(&[u8], EditAttr, Attribute)> = Vec::new();
    // Positions by name, for long lists.
    let mut places: HashMap<&[u8], usize> = HashMap::new();
    let mut blob = None;
    if list.properties != NONE {
        let mut sink = ByteSink::new();
        let properties = imported.attribute(editor, AttrId::new(list.properties))?;
        sink.varint(properties.unwrap_or(EditAttr::PAST_TABLES).number().into());
        blob = Some(editor.tables.blob(sink.into_bytes())?);
    }
    for (name, value) in list.attributes() {
        let index = imported.attribute(editor, AttrId::new(value))?;
        let index = index.ok_or_else(|| no_such_entry(EntryRef::Attribute(AttrId::new(value))))?;
        let name = names.get(name as usize).map_or(&[][..], Vec::as_slice);
        if let Some(native) = info.native.iter().find(|native| native.as_bytes() == name) {
            return Err(unknown_layout(native));
        }
        let existing = match values.len() {
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
        let new = (name, index, imported.value(AttrId::new(value)));
        // As in MLIR, an attribute of the dictionary replaces a property.
        match existing.and_then(|place| values.get_mut(place)) {
            Some(own) => *own = new,
            None => values.push(new),
        }
    }
    for (name, text) in &info.defaults {
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
    (row.name, row.attributes, row.properties) = (Some(EditName::new(list.op_name)), None, None);
    let set: Vec<(&[u8], EditAttr, &Attribute)> =
        values.iter().map(|(name, index, value)| (*name, *index, value)).collect();
    let edited = editor.edit_attributes(scratch, &set, &[], true);
    let row = editor.arena.op_mut(scratch);
    row.name = None;
    edited.map(|()| (row.attributes, blob.or(row.properties)))
}

// Attributes of an operation can be in its dictionary if the layout of its properties is unknown.
#[cold]
fn unknown_layout(native: &str) -> Error {
    let message = format!("the layout of the properties is unknown, so `{native}` cannot be written");
    Error::message(ErrorKind::PropertyOpaque, message)
        .with_hint("name a release with `--target` or `target=`")
}

/// Puts the top-level operations into the module, or makes a single module operation the module itself.
fn place(
    editor: &mut Editor,
    module: EditOp,
    top: &[ArenaOp],
    imported: &mut Imported,
    (whole, is_whole): (u32, bool),
) -> Result<()> {
    let is_module = |&op: &ArenaOp| {
        is_whole && editor.tables.op_name_bytes(editor.arena.op(op).name()) == b"builtin.module"
    };
    let block = match top {
        [only] if is_module(only) => {
            let block = editor.top_level().row();
            editor.erase(module)?;
            block
        }
        _ => {
            let location = imported.attribute(editor, AttrId::new(whole))?;
            if let Some(location) = location {
                editor.arena.op_mut(module.row()).location = location;
            }
            editor.body(module)?.row()
        }
    };
    for &op in top {
        editor.arena.link(op, block, None);
    }
    editor.arena.touch_block(block);
    Ok(())
}

/// Stores the orders of uses that differ from the order that readers create.
pub(super) fn set_orders(editor: &mut Editor, first_value: usize) -> Result<()> {
    if !editor.base.tables().bytecode().version().has_use_list_orders() {
        return Ok(());
    }
    let arena = &editor.arena;
    let _held = editor.tables.budget.hold(arena.ops.len().saturating_mul(size_of::<u32>()))?;
    let mut places: Vec<u32> = arena.ops.iter().map(|_| 0).collect();
    let mut walker = Walker::inside(ROOT);
    let mut next = 0;
    while let Some(step) = walker.next(arena) {
        if let WalkStep::Enter(op) = step {
            places[op.index()] = next;
            next += 1;
        }
    }
    let mut orders = Vec::new();
    for value in (first_value as u32..arena.values.len() as u32).map(ArenaValue::new) {
        let mut last = None;
        let place = |slot: ArenaUse| (places[arena.uses[slot.index()].op.index()], slot);
        let is_sorted = arena.uses_of(value).all(|slot| {
            let place = place(slot);
            let is_before = last.is_none_or(|last| place < last);
            last = Some(place);
            is_before
        });
        if is_sorted {
            continue;
        }
        // The reference order has the last use first; the indices are the positions of these uses in the
        // list.
        let mut uses: Vec<(ArenaUse, u64)> = arena.uses_of(value).zip(0..).collect();
        order::sort_by_key(&mut uses, |&(slot, _)| place(slot));
        let slots: Box<[ArenaUse]> = uses.iter().map(|one| one.0).collect();
        let indices: Box<[u64]> = uses.iter().rev().map(|one| one.1).collect();
        editor.tables.budget.spend(indices.len() * 2 * size_of::<u64>() + size_of::<Order>())?;
        orders.push((value, Order { rank: 0, is_pairs: false, indices, uses: slots }));
    }
    editor.arena.orders.extend(orders);
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::parse::ParseOptions;
    use crate::parse::frames::AsmParser;

    #[test]
    fn the_tables_of_a_text_become_those_of_the_module() {
        let options = ParseOptions::default();
        let is_moved = |text: &str| {
            let (module, _) = AsmParser::parse(text.as_bytes(), &options).unwrap();
            module.editor.tables.moved_tables.is_some()
        };
        let values = "a = [1 : i8, \"x\"], d = dense<\"0x01\"> : tensor<300xi8>";
        assert!(is_moved(&format!("\"t.a\"() {{{values}}} : () -> !t.b loc(\"n\")")));
        // The module has different numbers for the resources.
        assert!(!is_moved("\"t.a\"() {a = dense_resource<r> : tensor<1xi8>} : () -> ()"));
    }
}
