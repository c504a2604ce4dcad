//! Lists the fields of a JAX export in the order of its bytes.
//!
//! Owns one walk over the tables of `schema`, which checks every position as reading does. Names come from
//! the schema, `jax/_src/export/serialization.fbs`; a slot of a later version has its number.

use std::collections::HashSet;

use crate::container::flatbuffer::Flatbuffer;
use crate::wire::bytes::Source;
use crate::wire::cursor::{Field, FieldValue, FieldVisitor};
use crate::wire::error::{Error, ErrorKind, Result};
use crate::wire::limits::Limits;
use crate::wire::order::sort_by;

use super::schema::{EXPORTED, Item, Layout};

/// The target of a reference, with the name of its slot, or its number in a vector.
struct ReferenceTarget {
    at: u64,
    item: Item,
    name: &'static str,
    number: Option<u64>,
}

impl ReferenceTarget {
    fn title(&self) -> String {
        let kind = match self.item {
            Item::Table(layout) => layout.name,
            Item::Text => "string",
            _ => "vector",
        };
        match self.number {
            Some(number) => format!("{kind} {}[{number}]", self.name),
            None => format!("{kind} {}", self.name),
        }
    }
}

struct Walk<'c> {
    content: &'c Source,
    file: Flatbuffer,
    open: Vec<ReferenceTarget>,
    /// Visited positions: a table, its vtable, or a vector.
    seen: HashSet<(u64, u8)>,
    groups: Vec<String>,
    /// Fields, each with its group.
    fields: Vec<(usize, Field)>,
    faults: Vec<Error>,
}

/// Passes the fields of a JAX export to `visitor` in the order of the bytes; each byte is in one field, and
/// each module is one field. A broken rule of the file is a fault, and bytes that cannot be decoded because
/// of it are a field.
///
/// # Errors
/// If the source cannot be read, or memory does not suffice.
pub(in crate::container) fn trace(
    content: &Source,
    limits: &Limits,
    visitor: &mut dyn FieldVisitor,
) -> Result<()> {
    let mut walk = Walk {
        content,
        file: Flatbuffer::new(content.clone(), limits.budget(content.len())),
        open: Vec::new(),
        seen: HashSet::new(),
        groups: Vec::new(),
        fields: Vec::new(),
        faults: Vec::new(),
    };
    walk.run()?;
    walk.emit(visitor)?;
    content.check()
}

impl Walk<'_> {
    fn run(&mut self) -> Result<()> {
        let group = self.group("root".to_owned())?;
        let root = self.reference(group, 0, "root table".to_owned());
        if let Some(at) = self.checked(root)? {
            self.open.push(ReferenceTarget { at, item: Item::Table(&EXPORTED), name: "root", number: None });
        }
        while let Some(place) = self.open.pop() {
            let visited = match place.item {
                Item::Table(layout) => self.table(&place, layout),
                _ => self.vector(&place),
            };
            self.checked(visited)?;
        }
        Ok(())
    }

    /// Records an error that is a fault of the file.
    fn checked<T>(&mut self, found: Result<T>) -> Result<Option<T>> {
        self.content.check()?;
        match found {
            Ok(found) => Ok(Some(found)),
            Err(error) if error.kind() == ErrorKind::Flatbuffer => {
                self.faults.push(error);
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    fn group(&mut self, name: String) -> Result<usize> {
        self.file.budget().spend(size_of::<String>() + name.len())?;
        self.groups.push(name);
        Ok(self.groups.len() - 1)
    }

    fn field(&mut self, group: usize, at: u64, size: u64, name: String, value: FieldValue) -> Result<()> {
        self.file.budget().spend(size_of::<(usize, Field)>() + name.len())?;
        self.fields.push((group, Field { offset: at, end: at + size, name, value }));
        Ok(())
    }

    fn reference(&mut self, group: usize, at: u64, name: String) -> Result<u64> {
        let target = self.file.reference(at)?;
        self.field(group, at, 4, name, FieldValue::Number(target))?;
        Ok(target)
    }

    fn is_new(&mut self, at: u64, kind: u8) -> Result<bool> {
        self.file.budget().spend(size_of::<(u64, u8)>())?;
        Ok(self.seen.insert((at, kind)))
    }

    fn table(&mut self, place: &ReferenceTarget, layout: &'static Layout) -> Result<()> {
        if !self.is_new(place.at, 0)? {
            return Ok(());
        }
        let table = self.file.table(place.at)?;
        let group = self.group(place.title())?;
        self.field(group, table.at, 4, "vtable".to_owned(), FieldValue::Number(table.vtable))?;
        if self.is_new(table.vtable, 1)? {
            let group = self.group(format!("vtable of {}", layout.name))?;
            for (number, what) in ["size", "size of the table"].into_iter().enumerate() {
                let at = table.vtable + 2 * number as u64;
                let value = FieldValue::Number(self.file.u16(at)?.into());
                self.field(group, at, 2, what.to_owned(), value)?;
            }
            for slot in 0..table.slots {
                let name = match layout.slots.get(slot as usize) {
                    Some(known) => format!("place of {}", known.name),
                    None => format!("place of slot {slot}"),
                };
                let at = table.vtable + 4 + 2 * slot;
                let value = FieldValue::Number(self.file.u16(at)?.into());
                self.field(group, at, 2, name, value)?;
            }
        }
        for (slot, known) in (0..table.slots).zip(layout.slots) {
            let (name, item) = (known.name, known.item);
            let size = item.field_size();
            let position = self.file.field(&table, slot, size);
            let Some(at) = self.checked(position)?.flatten() else { continue };
            if let Item::Number(_) = item {
                let number = self.file.number_at(at, size)?;
                self.field(group, at, size, name.to_owned(), FieldValue::Number(number.into()))?;
                continue;
            }
            let target = self.reference(group, at, name.to_owned());
            if let Some(at) = self.checked(target)? {
                self.open.push(ReferenceTarget { at, item, name, number: None });
            }
        }
        Ok(())
    }

    fn vector(&mut self, place: &ReferenceTarget) -> Result<()> {
        if !self.is_new(place.at, 2)? {
            return Ok(());
        }
        let size = place.item.item_size();
        let items = self.file.vector_at(place.at, size)?;
        let group = self.group(place.title())?;
        self.field(group, place.at, 4, "number of items".to_owned(), FieldValue::Number(items.len))?;
        let inner = match place.item {
            Item::Bytes => {
                let name = if place.name == "mlir_module_serialized" { "module" } else { "data" };
                return self.field(group, items.at, items.len, name.to_owned(), FieldValue::Bytes);
            }
            Item::Text => {
                let end = items.at + items.len;
                let is_ended = end < self.content.len() && self.file.number_at(end, 1)? == 0;
                let value = if is_ended { FieldValue::Text } else { FieldValue::Bytes };
                return self.field(
                    group,
                    items.at,
                    items.len + u64::from(is_ended),
                    "text".to_owned(),
                    value,
                );
            }
            Item::Texts => Some(Item::Text),
            Item::Tables(layout) => Some(Item::Table(layout)),
            _ => None,
        };
        for number in 0..items.len {
            let (at, name) = (items.at + size * number, format!("item {number}"));
            let Some(item) = inner else {
                let value = FieldValue::Number(self.file.number_at(at, size)?.into());
                self.field(group, at, size, name, value)?;
                continue;
            };
            let target = self.reference(group, at, name);
            if let Some(at) = self.checked(target)? {
                self.file.budget().spend(size_of::<ReferenceTarget>())?;
                self.open.push(ReferenceTarget { at, item, name: place.name, number: Some(number) });
            }
        }
        Ok(())
    }

    /// Passes the fields in order, without fields inside other fields, and the gaps between the fields.
    fn emit(mut self, visitor: &mut dyn FieldVisitor) -> Result<()> {
        let order =
            |a: &(usize, Field), b: &(usize, Field)| (a.1.offset, a.1.end).cmp(&(b.1.offset, b.1.end));
        sort_by(&mut self.fields, order);
        sort_by(&mut self.faults, |a, b| a.offset().cmp(&b.offset()));
        // Many references may lead to the same place.
        self.faults.dedup_by(|a, b| a.offset() == b.offset());
        let mut faults = self.faults.iter().peekable();
        let gap_name = if self.faults.is_empty() { "unused" } else { "not decoded" };
        let (mut open, mut position) = (None, 0);
        let end = self.content.len();
        let fields = self.fields.iter().filter(|(_, field)| field.end > field.offset);
        let mut fields = fields.map(|(group, field)| (Some(*group), field)).peekable();
        while position < end {
            while fields.next_if(|(_, field)| field.offset < position).is_some() {}
            let next = fields.peek().map_or(end, |(_, field)| field.offset);
            if position < next {
                // The gap is in a group if the group continues after it.
                if fields.peek().is_none_or(|(group, _)| *group != open) && open.take().is_some() {
                    visitor.end(position);
                }
                let is_padding = next - position < 16 && self.is_zero(position, next)?;
                let (name, value) = match is_padding {
                    true => ("padding", FieldValue::Padding),
                    false => (gap_name, FieldValue::Bytes),
                };
                visitor.field(&Field { offset: position, end: next, name: name.to_owned(), value });
                position = next;
            } else if let Some((group, field)) = fields.next() {
                if open != group {
                    if open.is_some() {
                        visitor.end(position);
                    }
                    open = group;
                    visitor.begin(group.map_or("", |group| &self.groups[group]), position);
                }
                visitor.field(field);
                position = field.end;
            }
            while let Some(fault) = faults.next_if(|fault| fault.offset().is_some_and(|at| at < position)) {
                visitor.fault(fault);
            }
            if visitor.is_done() {
                return Ok(());
            }
        }
        if open.is_some() {
            visitor.end(end);
        }
        faults.for_each(|fault| visitor.fault(fault));
        Ok(())
    }

    fn is_zero(&self, start: u64, end: u64) -> Result<bool> {
        Ok(self.content.get(start..end)?.iter().all(|&byte| byte == 0))
    }
}
