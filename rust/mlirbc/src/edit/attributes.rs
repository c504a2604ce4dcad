//! Attributes and properties of edited ops, by name.
//!
//! The schema of the release that wrote the file determines whether a name is inherent and how its value is
//! encoded. From version 5 on, inherent values are stored in a property blob; a name that is already in the
//! dictionary stays there.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use crate::attr::Attribute;
use crate::attr::build::builtin;
use crate::attr::native::{attribute_of, flags_of_attribute, native_of_attribute};
use crate::attr::text::entry::string_of;
use crate::dialect::entries::Entries;
use crate::file::Choice;
use crate::format::id::{AttrId, OpNameId};
use crate::ir::dictionary::Dictionary;
use crate::ir::module::Module;
use crate::props::codec::{decode, segment_sizes, split};
use crate::props::native::empty_native;
use crate::props::schema::{DefaultValue, Kind};
use crate::props::{OpSchema, Property, PropertyValue};
use crate::wire::cursor::Cursor;
use crate::wire::error::{Error, ErrorKind, Result};
use crate::wire::order::sort_by;
use crate::wire::section::SectionId;

use super::arena::{ArenaOp, EditAttr, EditBlob, EditName};
use super::drafts::DictionaryDraft;
use super::{EditOp, Editor};

/// An attribute of an edited op.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EditAttribute {
    /// The name; any bytes.
    pub name: Vec<u8>,
    /// The value.
    pub value: Attribute,
    /// Whether the attribute is inherent rather than discardable.
    pub is_inherent: bool,
}

/// The parts that determine the attributes of an op: name, dictionary and properties. Ops with equal parts
/// have equal attributes.
pub(in crate::edit) type OpParts = (EditName, Option<EditAttr>, Option<EditBlob>);

/// The properties of an op.
pub(crate) enum Blob {
    None,
    /// Values of a known layout.
    Known,
    /// The single attribute of an op that was unregistered in the writer.
    Attribute(u32),
    Opaque,
}

/// The result of an edit: new values in the dictionary, `None` for removed ones, and the properties.
struct Changes<'n> {
    pairs: BTreeMap<&'n [u8], Option<(u32, u32)>>,
    properties: Option<EditBlob>,
}

pub(crate) struct OpAttributes<'s> {
    pub(crate) schema: Option<&'s OpSchema>,
    pub(crate) blob: Blob,
    /// The values of the blob.
    pub(crate) inherent: Vec<Property<'s>>,
    /// The current dictionary.
    pub(crate) pairs: Vec<(u32, u32)>,
}

pub(crate) fn schema_of<'m>(
    base: &'m Module,
    editor: &Editor,
    name: EditName,
) -> Result<Option<&'m OpSchema>> {
    if !editor.tables.is_registered(name) {
        return Ok(None);
    }
    if name.number() < editor.tables.counts.op_names
        && let Some(agreed) = base.agreed_schemas()?.get(OpNameId::new(name.number()))
    {
        return Ok(Some(agreed));
    }
    let release = base.release()?;
    Ok(release.chosen(editor.layout_choice(name)?))
}

impl Editor {
    /// Returns the layout of the properties of an op name.
    pub(super) fn layout_choice(&self, name: EditName) -> Result<Choice> {
        let number = name.number();
        Ok(match number.checked_sub(self.tables.counts.op_names) {
            None => self.base.release()?.choice(OpNameId::new(number)),
            Some(row) => self.tables.layout_choices.get(row as usize).copied().unwrap_or(Choice::Absent),
        })
    }
}

impl Editor {
    pub(super) fn parts<'s>(&self, base: &'s Module, op: ArenaOp) -> Result<OpAttributes<'s>> {
        let row = self.arena.op(op);
        let Some(draft) = self.drafts.get(op) else {
            return self.parts_of(base, row.name(), row.attributes, row.properties);
        };
        let mut parts = self.parts_of(base, row.name(), None, row.properties)?;
        parts.pairs = draft.pairs();
        Ok(parts)
    }

    // Takes an op's draft out of the open drafts, or creates a new one.
    fn take_draft(&mut self, op: ArenaOp) -> Result<DictionaryDraft> {
        if let Some(draft) = self.drafts.take(op) {
            return Ok(draft);
        }
        DictionaryDraft::new(self.dictionary_at(self.arena.op(op).attributes)?, &self.tables.budget)
    }

    /// Returns the dictionary with an index; a long one is read once.
    fn dictionary_at(&self, index: Option<EditAttr>) -> Result<Arc<Dictionary>> {
        let (tables, view) = (&self.tables, self.tables.view()?);
        tables.dictionaries.read(index, tables.counts.attributes, &view, &tables.budget)
    }

    // Encodes a draft as an entry.
    fn encode_draft(&mut self, op: ArenaOp, draft: DictionaryDraft) -> Result<()> {
        if !draft.is_changed {
            return Ok(());
        }
        let entry = match self.tables.dictionaries.entry_of(&draft) {
            Some(known_entry) => known_entry,
            None => {
                let new_entry = self.tables.sorted_dictionary(&draft.pairs())?;
                self.tables.dictionaries.keep(draft, new_entry, &self.tables.budget);
                new_entry
            }
        };
        self.arena.op_mut(op).attributes = entry;
        Ok(())
    }

    /// Encodes all drafts before writing.
    pub(crate) fn encode_drafts(&mut self) -> Result<()> {
        while let Some((op, draft)) = self.drafts.pop() {
            self.encode_draft(op, draft)?;
        }
        Ok(())
    }

    /// Encodes the draft of one op that is about to be copied.
    pub(crate) fn encode_draft_of(&mut self, op: ArenaOp) -> Result<()> {
        match self.drafts.take(op) {
            Some(draft) => self.encode_draft(op, draft),
            None => Ok(()),
        }
    }

    pub(crate) fn parts_of<'s>(
        &self,
        base: &'s Module,
        name: EditName,
        attributes: Option<EditAttr>,
        properties: Option<EditBlob>,
    ) -> Result<OpAttributes<'s>> {
        let schema = schema_of(base, self, name)?;
        let mut parts = OpAttributes { schema, blob: Blob::None, inherent: Vec::new(), pairs: Vec::new() };
        let view = self.tables.view()?;
        if let Some(properties) = properties {
            let bytes = self.tables.blob_bytes(properties)?;
            parts.blob = match schema {
                Some(schema) if !schema.is_opaque() => {
                    let version = base.tables().bytecode().version();
                    match decode(schema, version, &bytes, 0, &view, &mut parts.inherent) {
                        Ok(()) => Blob::Known,
                        Err(error) if schema.never_changes() => return Err(error),
                        Err(_) => Blob::Opaque,
                    }
                }
                None if !self.tables.is_registered(name) => {
                    let mut cursor = Cursor::new(&bytes, 0, Some(SectionId::Properties));
                    let attribute = cursor.index("an attribute", view.bounds().attributes)?;
                    if cursor.is_at_end() { Blob::Attribute(attribute) } else { Blob::Opaque }
                }
                _ => Blob::Opaque,
            };
        }
        if let Some(attributes) = attributes {
            split(None, AttrId::new(attributes.number()), &view, &mut [], &mut parts.pairs)?;
        }
        Ok(parts)
    }

    /// Returns the attributes of an op, sorted by name, including inherent ones of known layout. Native
    /// properties appear as the attribute that MLIR converts them to.
    ///
    /// # Errors
    /// If the op was erased, its blob does not have the layout of the release, or an entry cannot be read.
    pub fn attributes(&self, op: EditOp) -> Result<Vec<EditAttribute>> {
        let op = self.live(op)?;
        let base = self.base.clone();
        let parts = self.parts(&base, op)?;
        let mut attributes: Vec<EditAttribute> = Vec::new();
        for &(name, value) in &parts.pairs {
            let name = self.tables.text_of(AttrId::new(name))?;
            let is_inherent = parts.schema.is_some_and(|schema| schema.field_number(&name).is_some());
            attributes.push(EditAttribute {
                name,
                value: self.tables.attribute_value(EditAttr::new(value))?,
                is_inherent,
            });
        }
        let inherent = {
            let names: HashSet<&[u8]> = attributes.iter().map(|attribute| &*attribute.name).collect();
            self.inherent(&parts, None, |name| Ok(names.contains(name)))?
        };
        attributes.extend(inherent);
        sort_by(&mut attributes, |a, b| a.name.cmp(&b.name));
        Ok(attributes)
    }

    // Returns the inherent attributes, or only the one with a name, except attributes in the dictionary.
    fn inherent(
        &self,
        parts: &OpAttributes<'_>,
        only_name: Option<&[u8]>,
        is_known: impl Fn(&[u8]) -> Result<bool>,
    ) -> Result<Vec<EditAttribute>> {
        let mut attributes: Vec<EditAttribute> = Vec::new();
        let is_wanted = |name: &str| only_name.is_none_or(|only_name| only_name == name.as_bytes());
        for property in parts.inherent.iter().filter(|property| is_wanted(property.name())) {
            let name = property.name().as_bytes().to_vec();
            if is_known(&name)? {
                continue;
            }
            let value = match &property.value {
                PropertyValue::Absent => continue,
                value => self.attribute_form(&property.field.kind, value)?,
            };
            attributes.push(EditAttribute { name, value, is_inherent: true });
        }
        // An op without a blob has default values.
        let fields = parts.schema.filter(|_| matches!(parts.blob, Blob::None)).into_iter();
        for field in fields.flat_map(OpSchema::fields).filter(|field| is_wanted(field.name())) {
            let Kind::Segments { count, .. } = &field.kind else { continue };
            let mut names = field.names();
            if !names.try_fold(false, |known, name| Ok::<_, Error>(known || is_known(name.as_bytes())?))? {
                let value = builtin::segment_sizes(&vec![0; *count as usize])?;
                attributes.push(EditAttribute { name: field.name().into(), value, is_inherent: true });
            }
        }
        Ok(attributes)
    }

    /// Returns the attribute with a name.
    ///
    /// # Errors
    /// As [`Self::attributes`].
    pub fn attribute(&self, op: EditOp, name: impl AsRef<[u8]>) -> Result<Option<Attribute>> {
        let (row, name) = (self.live(op)?, name.as_ref());
        if let Some(value) = self.in_dictionary(row, name)? {
            return self.tables.attribute_value(EditAttr::new(value)).map(Some);
        }
        let (base, parts) = (self.base.clone(), self.arena.op(row));
        let parts = self.parts_of(&base, parts.name(), None, parts.properties)?;
        let is_known = |other: &[u8]| Ok(other != name && self.in_dictionary(row, other)?.is_some());
        Ok(self.inherent(&parts, Some(name), is_known)?.pop().map(|attribute| attribute.value))
    }

    // Returns the value of the first attribute with a name in the dictionary of an op.
    pub(super) fn in_dictionary(&self, op: ArenaOp, name: &[u8]) -> Result<Option<u32>> {
        let attribute = match self.drafts.get(op) {
            Some(draft) => draft.get(name, &self.tables.view()?),
            None => self.dictionary_at(self.arena.op(op).attributes)?.get(name, &self.tables.view()?),
        };
        Ok(attribute.map(|pair| pair.1))
    }

    /// Returns the properties of an op that was unregistered in the writer, which are a single attribute.
    ///
    /// # Errors
    /// As [`Self::attributes`].
    #[doc(hidden)]
    pub fn property_attribute(&self, op: EditOp) -> Result<Option<Attribute>> {
        let op = self.live(op)?;
        let base = self.base.clone();
        match self.parts(&base, op)?.blob {
            Blob::Attribute(index) => self.tables.attribute_value(EditAttr::new(index)).map(Some),
            _ => Ok(None),
        }
    }

    /// Sets an attribute: a property if the release of the file declares one with this name, otherwise a
    /// discardable attribute.
    ///
    /// # Errors
    /// [`ErrorKind::Value`] if the property does not accept the value. [`ErrorKind::PropertyOpaque`] if the
    /// properties of the op cannot be read, because the name may be one of them; this does not apply to names
    /// with a dot. Also if the op was erased.
    ///
    /// ```
    /// use mlirbc::edit::Editor;
    /// let mut editor = Editor::new(mlirbc::Module::from_bytes(mlirbc::doc_example())?)?;
    /// let module = editor.operation()?;
    /// let name = mlirbc::Attribute::parse("\"m\"")?;
    /// editor.set_attribute(module, "sym_name", &name)?;
    /// editor.set_attribute(module, "my.note", &name)?;
    /// assert_eq!(editor.attributes(module)?.len(), 2);
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn set_attribute(&mut self, op: EditOp, name: impl AsRef<[u8]>, value: &Attribute) -> Result<()> {
        self.set_attributes(op, &[(name.as_ref(), value)])
    }

    /// Sets several attributes at once, for ops whose properties must all be present.
    ///
    /// # Errors
    /// As [`Self::set_attribute`]; nothing is changed then.
    pub fn set_attributes(&mut self, op: EditOp, list: &[(&[u8], &Attribute)]) -> Result<()> {
        let op = self.live(op)?;
        let mut indices = Vec::with_capacity(list.len());
        for (name, value) in list {
            indices.push((*name, self.tables.import_attribute(value)?, *value));
        }
        self.edit_attributes(op, &indices, &[], false)
    }

    /// Removes an attribute and returns whether there was one. A required property cannot be removed.
    ///
    /// # Errors
    /// As [`Self::set_attribute`].
    pub fn remove_attribute(&mut self, op: EditOp, name: impl AsRef<[u8]>) -> Result<bool> {
        let row = self.live(op)?;
        let name = name.as_ref();
        let base = self.base.clone();
        let op_row = self.arena.op(row);
        let parts = self.parts_of(&base, op_row.name(), None, op_row.properties)?;
        let mut is_there = parts
            .inherent
            .iter()
            .any(|property| property.name().as_bytes() == name && property.value != PropertyValue::Absent);
        is_there |= self.in_dictionary(row, name)?.is_some();
        if is_there {
            self.edit_attributes(row, &[], &[name], false)?;
        }
        Ok(is_there)
    }

    pub(crate) fn edit_attributes(
        &mut self,
        op: ArenaOp,
        set: &[(&[u8], EditAttr, &Attribute)],
        remove: &[&[u8]],
        is_new: bool,
    ) -> Result<()> {
        let base = self.base.clone();
        let row = self.arena.op(op);
        let (name, properties) = (row.name(), row.properties);
        let mut parts = self.parts_of(&base, name, None, properties)?;
        let is_empty = row.attributes.is_none();
        let mut draft = self.take_draft(op)?;
        let is_first = is_new && is_empty && !draft.is_changed && remove.is_empty();
        let changes = self.changes(op, &mut parts, &draft, set, remove, is_new);
        let changes = changes.and_then(|changes| {
            let names = changes.pairs.keys().chain(remove).map(|name| name.len()).sum();
            draft.reserve(changes.pairs.len() + remove.len(), names).map(|()| changes)
        });
        if is_first {
            let Changes { pairs, properties } = changes?;
            let pairs: Vec<(u32, u32)> = pairs.into_values().flatten().collect();
            let attributes = self.tables.sorted_dictionary(&pairs)?;
            let row = self.arena.op_mut(op);
            (row.attributes, row.properties) = (attributes, properties);
            self.arena.touch(op);
            return Ok(());
        }
        // A failed edit changes nothing.
        if let Ok(Changes { pairs, properties }) = &changes {
            let view = self.tables.view()?;
            remove.iter().for_each(|name| draft.remove(name, true, &view));
            for (name, pair) in pairs {
                match pair {
                    Some(pair) => draft.set(name, *pair, &view),
                    None => draft.remove(name, false, &view),
                }
            }
            self.arena.op_mut(op).properties = *properties;
            self.arena.touch(op);
        }
        if is_new {
            // A new op is rarely edited again.
            changes?;
            return self.encode_draft(op, draft);
        }
        let evicted = self.drafts.put(op, draft);
        changes?;
        match evicted {
            Some((op, draft)) => self.encode_draft(op, draft),
            None => Ok(()),
        }
    }

    // Computes the result of setting and removing attributes.
    fn changes<'n>(
        &mut self,
        op: ArenaOp,
        parts: &mut OpAttributes<'_>,
        draft: &DictionaryDraft,
        set: &[(&'n [u8], EditAttr, &Attribute)],
        remove: &[&[u8]],
        is_new: bool,
    ) -> Result<Changes<'n>> {
        let version = self.base.tables().bytecode().version();
        let OpAttributes { schema, blob, inherent, .. } = parts;
        let schema = *schema;
        let mut pairs: BTreeMap<&'n [u8], Option<(u32, u32)>> = BTreeMap::new();
        let in_draft = |editor: &Self, pairs: &BTreeMap<&[u8], Option<(u32, u32)>>, name: &[u8]| {
            Ok::<_, Error>(match pairs.get(name) {
                Some(change) => *change,
                None if remove.contains(&name) => None,
                None => draft.get(name, &editor.tables.view()?),
            })
        };
        // A blob is only written in a known layout, and only for an op that has one in its writer.
        let layout = schema.filter(|schema| version.has_native_properties() && !schema.is_opaque());
        let has_blob = matches!(blob, Blob::Known) || is_new && version.has_native_properties();
        if let Some(layout) = layout.filter(|_| is_new && inherent.is_empty()) {
            layout.absent(inherent);
        }
        let mut is_blob_changed = is_new && layout.is_some_and(|layout| layout.fields().len() > 0);
        for property in inherent.iter_mut().filter(|property| remove.contains(&property.name().as_bytes())) {
            property.value = PropertyValue::Absent;
            is_blob_changed = true;
        }
        for &(name, index, value) in set {
            let field = schema
                .filter(|schema| !schema.is_opaque())
                .and_then(|schema| schema.field_number(name).and_then(|number| schema.fields().nth(number)));
            if let Some((known, _)) = in_draft(self, &pairs, name)? {
                if field.is_none_or(|field| field.is_in_dictionary) {
                    if let Some(field) = field {
                        self.property(field, AttrId::new(index.number()), value)?;
                    }
                    pairs.insert(name, Some((known, index.number())));
                    continue;
                }
                pairs.insert(name, None);
            }
            match field {
                Some(field) if has_blob && !matches!(blob, Blob::Opaque) => {
                    let value = self.property(field, AttrId::new(index.number()), value)?;
                    match inherent.iter_mut().find(|known| std::ptr::eq(known.field, field)) {
                        Some(known) => known.value = value,
                        None => inherent.push(Property { field, value }),
                    }
                    is_blob_changed = true;
                }
                Some(field) => {
                    self.property(field, AttrId::new(index.number()), value)?;
                    if !field.is_in_dictionary {
                        // Readers of these versions add the default to every operation.
                        if let Some(text) = field.default_text()
                            && self.default_attribute(text)? == value
                        {
                            continue;
                        }
                        let (name, op) = (field.name(), self.name_text(op));
                        let message = format!("property `{name}` of {op} needs bytecode version 5 or later");
                        return Err(Error::message(ErrorKind::Value, message));
                    }
                    let key = self.tables.string_attribute(name)?;
                    pairs.insert(name, Some((key.number(), index.number())));
                }
                None if matches!(blob, Blob::Opaque) && !name.contains(&b'.') => {
                    let (name, op) = (String::from_utf8_lossy(name), self.name_text(op));
                    let message = format!(
                        "cannot tell whether `{name}` is a property of {op}: the layout of its properties is unknown"
                    );
                    return Err(Error::message(ErrorKind::PropertyOpaque, message));
                }
                None => {
                    let key = self.tables.string_attribute(name)?;
                    pairs.insert(name, Some((key.number(), index.number())));
                }
            }
        }
        let mut properties = self.arena.op(op).properties;
        if let Some(layout) = layout.filter(|_| is_blob_changed) {
            self.fill_defaults(op, inherent)?;
            let bytes = layout.encode(version, inherent)?;
            properties = Some(self.tables.blob(bytes)?);
        }
        Ok(Changes { pairs, properties })
    }

    // Sets fields without a value to the default that MLIR uses.
    fn fill_defaults(&mut self, op: ArenaOp, inherent: &mut [Property<'_>]) -> Result<()> {
        let version = self.base.tables().bytecode().version();
        for property in inherent.iter_mut().filter(|property| property.value == PropertyValue::Absent) {
            let text = match &property.field.default {
                Some(DefaultValue::Text(text)) => Some(&**text),
                _ => None,
            };
            property.value = match (&property.field.kind, text) {
                (Kind::Attribute { .. }, _) => continue,
                (Kind::Segments { count, .. }, _) => {
                    let sizes = vec![0; *count as usize];
                    self.segments(op, &sizes, version.has_native_segment_sizes())?
                }
                (kind, Some(text)) => match native_of_attribute(kind, self.default_attribute(text)?) {
                    Some(value) => value,
                    None => continue,
                },
                (kind, None) => empty_native(kind).unwrap_or(PropertyValue::Absent),
            };
        }
        Ok(())
    }

    /// Returns the default of a field, parsed once.
    fn default_attribute(&mut self, text: &str) -> Result<&Attribute> {
        if !self.defaults.contains_key(text) {
            self.defaults.insert(text.into(), Attribute::parse(text)?);
        }
        Ok(&self.defaults[text])
    }

    fn segments(&mut self, _: ArenaOp, sizes: &[i32], is_native: bool) -> Result<PropertyValue> {
        if is_native {
            return Ok(PropertyValue::Segments(sizes.to_vec()));
        }
        let value = builtin::segment_sizes(sizes)?;
        Ok(PropertyValue::Attribute(AttrId::new(self.tables.import_attribute(&value)?.number())))
    }

    /// Converts an attribute to the value of a property.
    fn property(
        &mut self,
        field: &crate::props::PropertyField,
        index: AttrId,
        value: &Attribute,
    ) -> Result<PropertyValue> {
        let version = self.base.tables().bytecode().version();
        let misfits = || {
            misfit(
                format!("{} for `{}`", field.kind, field.name()),
                format!("`{}`", crate::attr::brief(&value.0)),
            )
        };
        let view = self.tables.view()?;
        Ok(match &field.kind {
            Kind::Attribute { class, .. } => {
                if !class.fits(index, &view) {
                    return Err(misfits());
                }
                PropertyValue::Attribute(index)
            }
            Kind::Segments { count, .. } => {
                let sizes = segment_sizes(&PropertyValue::Attribute(index), &view).ok_or_else(misfits)?;
                if sizes.len() != *count as usize {
                    return Err(misfits());
                }
                if version.has_native_segment_sizes() {
                    PropertyValue::Segments(sizes)
                } else {
                    PropertyValue::Attribute(index)
                }
            }
            Kind::String => {
                let text = string_of(&view, index).ok_or_else(misfits)?.to_vec();
                PropertyValue::String(self.tables.string(&text)?)
            }
            kind => {
                let native = native_of_attribute(kind, value);
                native.or_else(|| flags_of_attribute(kind, value)).ok_or_else(misfits)?
            }
        })
    }

    // Returns the attribute that MLIR converts a value to.
    fn attribute_form(&self, kind: &Kind, value: &PropertyValue) -> Result<Attribute> {
        attribute_of(kind, value, &|value| match value {
            PropertyValue::Attribute(index) => self.tables.attribute_value(EditAttr::new(index.number())),
            PropertyValue::String(index) => builtin::string(self.tables.string_bytes(*index)),
            _ => builtin::unit(),
        })
    }

    pub(crate) fn name_text(&self, op: ArenaOp) -> String {
        String::from_utf8_lossy(&self.tables.op_name_bytes(self.arena.op(op).name())).into_owned()
    }

    /// Returns the text of the string attribute in a field or attribute; `None` if it is not a string.
    pub(crate) fn string_named(&self, op: ArenaOp, name: &[u8]) -> Result<Option<Vec<u8>>> {
        let row = self.arena.op(op);
        let mut attributes = row.attributes;
        if let Some(draft) = self.drafts.get(op) {
            let view = self.tables.view()?;
            if let Some((_, value)) = draft.get(name, &view) {
                return Ok(string_of(&view, AttrId::new(value)).map(<[u8]>::to_vec));
            }
            attributes = None;
        }
        self.string_of_parts((row.name(), attributes, row.properties), name)
    }

    pub(crate) fn string_of_parts(&self, parts: OpParts, name: &[u8]) -> Result<Option<Vec<u8>>> {
        let view = self.tables.view()?;
        let value = self.value_named(parts, name)?;
        Ok(value.and_then(|value| string_of(&view, value)).map(<[u8]>::to_vec))
    }

    /// Returns the attribute with a name from the dictionary or the properties.
    pub(crate) fn value_named(&self, parts: OpParts, name: &[u8]) -> Result<Option<AttrId>> {
        let base = self.base.clone();
        let own_parts = self.parts_of(&base, parts.0, None, parts.2)?;
        if let Some((_, value)) = self.dictionary_at(parts.1)?.get(name, &self.tables.view()?) {
            return Ok(Some(AttrId::new(value)));
        }
        let property = own_parts.inherent.iter().find(|property| property.name().as_bytes() == name);
        Ok(match property.map(|property| &property.value) {
            Some(PropertyValue::Attribute(index)) => Some(*index),
            _ => None,
        })
    }
}

#[cold]
fn misfit(expected: impl Into<String>, found: String) -> Error {
    Error::new(ErrorKind::Value, expected.into(), found)
}
