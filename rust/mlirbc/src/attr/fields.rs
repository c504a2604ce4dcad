//! The fields of a decoded entry as values.

use std::cell::RefCell;
use std::collections::HashMap;

use crate::dialect::entries::{Entries, EntryRef, bits_of};
use crate::dialect::node::{Field, Node};
use crate::dialect::primitive::case_of;
use crate::dialect::table::{Case, Encoding, Layout, Primitive};
use crate::file::FileTables;
use crate::wire::bytes::Bytes;
use crate::wire::error::Result;

use super::table::{Home, View};
use super::{Attribute, FieldValue, Handle, Type, hooks};

impl Handle {
    /// Calls a function with the decoded entry; `None` for text and for dialects without a table.
    pub(super) fn decoded<T>(
        &self,
        use_it: impl FnOnce(&Encoding, &DecodedEntry<'_>, &View<'_>) -> T,
    ) -> Result<Option<T>> {
        let view = self.home.view()?;
        let Some((entry, blob)) = view.short(self.of) else { return Ok(None) };
        let mut node = Node::default();
        let Some((form, number)) = entry.decode(self.of, &view, &mut node)? else { return Ok(None) };
        let Some(layout) = form.layouts.get(number) else { return Ok(None) };
        let short = self.home.short_payload(self.of);
        let strings = RefCell::default();
        let decoded = DecodedEntry { home: &self.home, layout, node: &node, short, blob, strings };
        Ok(Some(use_it(form, &decoded, &view)))
    }
}

/// Returns the fields of properties with a declared encoding, except absent ones.
///
/// # Errors
/// If a table of the module is malformed.
pub(crate) fn declared_fields(
    file: &FileTables,
    declared: &crate::dialect::declarations::Declared,
) -> Result<Vec<(String, FieldValue)>> {
    let home = Home::File(file.clone());
    let Some((form, layout)) = declared.form() else { return Ok(Vec::new()) };
    let short = Bytes::copy_from_slice(&declared.data);
    let decoded = DecodedEntry {
        home: &home,
        layout,
        node: &declared.node,
        short,
        blob: None,
        strings: RefCell::default(),
    };
    let view = home.view()?;
    decoded.fields_of(form, &view)
}

/// A decoded entry and its tables.
pub(super) struct DecodedEntry<'d> {
    pub(super) home: &'d Home,
    pub(super) layout: &'d Layout,
    pub(super) node: &'d Node,
    pub(super) short: Bytes,
    pub(super) blob: Option<&'d Bytes>,
    /// Long strings that were copied.
    pub(super) strings: RefCell<HashMap<u32, Bytes>>,
}

impl DecodedEntry<'_> {
    /// Returns the fields of an encoding, or the fields that the code of the dialect named.
    pub(super) fn fields_of(&self, form: &Encoding, view: &View<'_>) -> Result<Vec<(String, FieldValue)>> {
        let Some(value) = &form.value else { return Ok(self.fields(view)) };
        let mut at = 0;
        let read = self.layout.fields.iter().map(|spec| self.value(view, &spec.primitive, &mut at));
        hooks::form::fields_of(value, &read.collect::<Vec<_>>())
    }

    fn fields(&self, view: &View<'_>) -> Vec<(String, FieldValue)> {
        let mut at = 0;
        let mut fields = Vec::new();
        for spec in &self.layout.fields {
            let value = self.value(view, &spec.primitive, &mut at);
            if value != FieldValue::Absent {
                fields.push((spec.name.to_string(), value));
            }
        }
        count_to_flags(&mut fields);
        fields
    }

    pub(super) fn value(&self, view: &View<'_>, primitive: &Primitive, at: &mut usize) -> FieldValue {
        let field = self.node.all().get(*at).copied().unwrap_or(Field::Absent);
        *at += 1;
        match field {
            Field::Absent => FieldValue::Absent,
            Field::Unsigned(number) => FieldValue::Unsigned(number),
            Field::Signed(number) => FieldValue::Signed(number),
            Field::Bool(value) => FieldValue::Bool(value),
            Field::String(index) => FieldValue::String(self.string(view, index)),
            Field::Resource(index) => FieldValue::Resource(Bytes::copy_from_slice(view.resource_key(index))),
            Field::Attribute(index, _) => {
                FieldValue::Attribute(Attribute(self.part(EntryRef::Attribute(index))))
            }
            Field::Type(index, _) => FieldValue::Type(Type(self.part(EntryRef::Type(index)))),
            Field::Blob(_) => match self.blob {
                Some(blob) => FieldValue::Blob(blob.clone()),
                None => FieldValue::Blob(self.short.slice(self.node.blob_range(field))),
            },
            Field::Bits(_) | Field::Words { .. } => self.integer(view, primitive, field),
            Field::List(count) => {
                if let Primitive::Switch(cases) = inner_of(primitive) {
                    return self.switch(view, cases, at);
                }
                let items = items_of(primitive);
                FieldValue::List((0..count).map(|_| self.item(view, items, at)).collect())
            }
        }
    }

    // A list may contain a long string many times, so copies are shared.
    fn string(&self, view: &View<'_>, index: u32) -> Bytes {
        const LONG: usize = 64;
        let string = view.string(index);
        if string.len() <= LONG {
            return Bytes::copy_from_slice(string);
        }
        let mut strings = self.strings.borrow_mut();
        strings.entry(index).or_insert_with(|| Bytes::copy_from_slice(string)).clone()
    }

    // A switch is the number of the case, and the fields of the case.
    fn switch(&self, view: &View<'_>, cases: &[Case], at: &mut usize) -> FieldValue {
        let Some(&Field::Unsigned(kind)) = self.node.all().get(*at) else { return FieldValue::Absent };
        *at += 1;
        let mut parts = vec![FieldValue::Unsigned(kind)];
        for item in case_of(cases, kind).map_or(&[][..], |case| &case.items) {
            parts.push(self.value(view, item, at));
        }
        FieldValue::List(parts)
    }

    fn item(&self, view: &View<'_>, items: &[Primitive], at: &mut usize) -> FieldValue {
        match items {
            [only] => self.value(view, only, at),
            parts => FieldValue::List(parts.iter().map(|part| self.value(view, part, at)).collect()),
        }
    }

    fn integer(&self, view: &View<'_>, primitive: &Primitive, field: Field) -> FieldValue {
        let width = match inner_of(primitive) {
            Primitive::Bits(number) => self.node.r#type(*number).and_then(|index| bits_of(view, index)),
            Primitive::Float(width) => Some(*width),
            _ => None,
        };
        let width = u32::try_from(width.unwrap_or(64)).unwrap_or(u32::MAX);
        let mut words = self.node.words(field).to_vec();
        // The file may omit upper words that are zero.
        words.resize(width.div_ceil(64) as usize, 0);
        if let (Some(last), bits @ 1..) = (words.last_mut(), width % 64) {
            *last &= (1 << bits) - 1;
        }
        FieldValue::Integer { words, width }
    }

    fn part(&self, entry_ref: EntryRef) -> Handle {
        Handle { home: self.home.clone(), of: entry_ref }
    }
}

pub(super) fn inner_of(primitive: &Primitive) -> &Primitive {
    match primitive {
        Primitive::If(_, inner) => inner_of(inner),
        other => other,
    }
}

/// The primitives of the items of a list.
pub(super) fn items_of(primitive: &Primitive) -> &[Primitive] {
    const STRING: &[Primitive] = &[Primitive::String];
    match inner_of(primitive) {
        Primitive::List(items) | Primitive::OptionalList(items) => items,
        _ => STRING,
    }
}

/// Before release 18, vectors had the number of trailing scalable dimensions.
fn count_to_flags(fields: &mut [(String, FieldValue)]) {
    let rank = fields.iter().find_map(|(name, value)| match value {
        FieldValue::List(sizes) if name == "shape" => Some(sizes.len() as u64),
        _ => None,
    });
    let (Some((name, value)), Some(rank)) = (fields.first_mut(), rank) else { return };
    if let ("numScalable", FieldValue::Unsigned(count)) = (&**name, &*value) {
        let fixed = rank.saturating_sub(*count);
        *value = FieldValue::List((0..rank).map(|place| FieldValue::Bool(place >= fixed)).collect());
        "scalable".clone_into(name);
    }
}
