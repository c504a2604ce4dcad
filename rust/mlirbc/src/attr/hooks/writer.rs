//! The writer of hooks, and values that are created with it.

use std::sync::Arc;

use crate::attr::build::{build_with, encode_fields};
use crate::attr::table::Builder;
use crate::attr::{Attribute, FieldValue, Handle, Type, shorten};
use crate::dialect::DialectTable;
use crate::dialect::entries::EntryRef;
use crate::dialect::node::Node;
use crate::dialect::primitive;
use crate::dialect::table::{Encoding, Primitive};
use crate::dialect::value_form::ValueSort;
use crate::format::id::AttrId;
use crate::wire::bytes::Bytes;
use crate::wire::error::{Error, ErrorKind, Result};

use super::form::{form_of, plain_form};
use super::version::{DialectVersion, Versions, WrittenVersions};
use super::{BytecodeDialectInterface, DialectBytecodeReader, DialectValue};

/// Writes the bytes of an attribute, a type, properties or a version, as `mlir::DialectBytecodeWriter`.
#[derive(Debug)]
pub struct DialectBytecodeWriter {
    primitives: Vec<Primitive>,
    values: Vec<FieldValue>,
    versions: Arc<Versions>,
}

impl DialectBytecodeWriter {
    pub(crate) fn new(versions: Arc<Versions>) -> Self {
        Self { primitives: Vec::new(), values: Vec::new(), versions }
    }

    /// Moves the writer out, for code that must own it; the remaining writer is empty.
    #[doc(hidden)]
    #[must_use]
    pub fn moved(&mut self) -> Self {
        let empty = Self::new(self.versions.clone());
        std::mem::replace(self, empty)
    }

    /// The bytecode version that is written.
    pub fn bytecode_version(&self) -> u64 {
        self.versions.bytecode
    }

    /// The version of a dialect that is written; `None` for the current one.
    ///
    /// # Errors
    /// Errors of the hook that reads the version.
    pub fn dialect_version(&self, dialect: &str) -> Result<Option<DialectVersion>> {
        self.versions.of(dialect)
    }

    fn put(&mut self, primitive: Primitive, value: FieldValue) {
        self.primitives.push(primitive);
        self.values.push(value);
    }

    /// Writes an unsigned varint (`writeVarInt`).
    pub fn write_varint(&mut self, number: u64) {
        self.put(Primitive::Varint, FieldValue::Unsigned(number));
    }

    /// Writes a signed varint (`writeSignedVarInt`).
    pub fn write_signed_varint(&mut self, number: i64) {
        self.put(Primitive::Signed, FieldValue::Signed(number));
    }

    /// Writes a varint below 2^63 with a flag in its lowest bit (`writeVarIntWithFlag`).
    pub fn write_varint_with_flag(&mut self, number: u64, flag: bool) {
        let value = FieldValue::List(vec![FieldValue::Unsigned(number), FieldValue::Bool(flag)]);
        self.put(Primitive::VarintWithFlag, value);
    }

    /// Writes a byte.
    pub fn write_byte(&mut self, byte: u8) {
        self.put(Primitive::Byte, FieldValue::Unsigned(byte.into()));
    }

    /// Writes a byte that is 0 or 1 (`writeOwnedBool`).
    pub fn write_bool(&mut self, value: bool) {
        self.put(Primitive::Bool, FieldValue::Bool(value));
    }

    /// Writes a string, which is stored once in a file (`writeOwnedString`).
    pub fn write_string(&mut self, text: impl Into<Bytes>) {
        self.put(Primitive::String, FieldValue::String(text.into()));
    }

    /// Writes a size and that many bytes (`writeOwnedBlob`).
    pub fn write_blob(&mut self, bytes: impl Into<Bytes>) {
        self.put(Primitive::Blob, FieldValue::Blob(bytes.into()));
    }

    /// Writes an attribute (`writeAttribute`).
    pub fn write_attribute(&mut self, value: &Attribute) {
        self.put(Primitive::Attribute(None), FieldValue::Attribute(value.clone()));
    }

    /// Writes an attribute that may be absent (`writeOptionalAttribute`).
    pub fn write_optional_attribute(&mut self, value: Option<&Attribute>) {
        let value = value.cloned().map_or(FieldValue::Absent, FieldValue::Attribute);
        self.put(Primitive::OptionalAttribute(None), value);
    }

    /// Writes a type (`writeType`).
    pub fn write_type(&mut self, value: &Type) {
        self.put(Primitive::Type, FieldValue::Type(value.clone()));
    }

    /// Writes a type that may be absent, encoded like an optional attribute.
    pub fn write_optional_type(&mut self, value: Option<&Type>) {
        let value = value.cloned().map_or(FieldValue::Absent, FieldValue::Type);
        self.put(Primitive::OptionalType, value);
    }

    /// Writes the key of a dialect resource (`writeResourceHandle`).
    pub fn write_resource_handle(&mut self, key: impl Into<Bytes>) {
        self.put(Primitive::Resource, FieldValue::Resource(key.into()));
    }

    /// Writes an integer of this width in bits, low word first (`writeAPIntWithKnownWidth`).
    pub fn write_apint_with_known_width(&mut self, words: Vec<u64>, width: u32) {
        self.put(Primitive::Float(width.into()), FieldValue::Integer { words, width });
    }

    /// Writes the bits of a float of this width (`writeAPFloatWithKnownSemantics`).
    pub fn write_apfloat_with_known_semantics(&mut self, bits: Vec<u64>, width: u32) {
        self.write_apint_with_known_width(bits, width);
    }

    /// Writes a sparse array of numbers of 31 bits (`writeSparseArray`).
    #[doc(hidden)]
    pub fn write_sparse_array(&mut self, numbers: &[u64]) {
        let len = u32::try_from(numbers.len()).unwrap_or(u32::MAX);
        let items = numbers.iter().map(|&number| FieldValue::Unsigned(number)).collect();
        self.put(Primitive::Sparse(len), FieldValue::List(items));
    }

    /// Writes bytes without a size, which end the value and contain no indices of tables.
    #[doc(hidden)]
    pub fn write_rest(&mut self, bytes: impl Into<Bytes>) {
        self.put(Primitive::Rest, FieldValue::Blob(bytes.into()));
    }

    /// Writes a count and the items, each with `item` (`writeList`).
    pub fn write_list<T>(&mut self, items: &[T], mut item: impl FnMut(&mut Self, &T)) {
        self.write_varint(items.len() as u64);
        for value in items {
            item(self, value);
        }
    }

    /// Returns the bytes of a value without references.
    ///
    /// # Errors
    /// If the value refers to an entry.
    pub(crate) fn into_bytes(self) -> Result<Vec<u8>> {
        let mut builder = Builder::new();
        let refers = |primitive: &Primitive| {
            matches!(primitive, Primitive::String | Primitive::Resource) || primitive.refers()
        };
        if self.primitives.iter().any(refers) {
            let message = "a version holds no strings, resources, attributes or types";
            return Err(Error::message(ErrorKind::DialectHook, message));
        }
        encode_fields(&mut builder, &plain_form(self.primitives), &self.values)
    }

    /// Creates a value of these bytes in separate tables: with `form`, or with one field for each primitive.
    fn entry(&self, dialect: &str, sort: ValueSort, form: Option<Encoding>) -> Result<Handle> {
        let mut builder = Builder::new();
        let plain = plain_form(self.primitives.clone());
        let data = encode_fields(&mut builder, &plain, &self.values)?;
        let form = form.unwrap_or(plain);
        let mut node = Node::default();
        primitive::decode(&form, &data, 0, builder.entries(), &mut node)?;
        let is_type = sort == ValueSort::Type;
        // Properties are represented by an attribute, which is never part of a module.
        let table = if is_type { ValueSort::Type } else { ValueSort::Attribute };
        let table = DialectTable::of_value(dialect, table, form);
        let forms = if is_type { &table.types } else { &table.attributes };
        let form_and_layout = forms.rows.first().and_then(|form| Some((form, form.layouts.first()?)));
        let (form, layout) = form_and_layout
            .ok_or_else(|| Error::message(ErrorKind::DialectHook, "the value has no layout"))?;
        let place = builder.dialect_with(dialect.as_bytes(), Some(table.clone()));
        let entry_ref = builder.encoded(is_type, place, (form, layout), &node, &data.into(), None)?;
        Ok(Handle { home: builder.finish(), of: entry_ref })
    }
}

/// Makes a value with the hook that writes it, and checks that the reading hook returns an equal value.
///
/// # Errors
/// Errors of the hooks, and [`ErrorKind::DialectHook`] if the value that is read differs from the value to be
/// written.
pub(crate) fn build_with_hook(
    interface: &dyn BytecodeDialectInterface,
    sort: ValueSort,
    (op, value): (&str, &DialectValue),
    versions: &WrittenVersions,
) -> Result<Handle> {
    let mnemonic = &value.mnemonic;
    try_build_with_hook(interface, sort, (op, value), versions)?.ok_or_else(|| {
        let message = format!("no hook of {} writes `{}`", interface.dialect(), shorten(mnemonic));
        Error::message(ErrorKind::DialectHook, message)
    })
}

/// As [`build_with_hook`], but `None` if no hook writes the value.
///
/// # Errors
/// As [`build_with_hook`].
pub(crate) fn try_build_with_hook(
    interface: &dyn BytecodeDialectInterface,
    sort: ValueSort,
    (op, value): (&str, &DialectValue),
    versions: &WrittenVersions,
) -> Result<Option<Handle>> {
    let versions = versions.0.clone();
    let mut writer = DialectBytecodeWriter::new(versions.clone());
    let wrote = match sort {
        ValueSort::Attribute => interface.write_attribute(value, &mut writer)?,
        ValueSort::Type => interface.write_type(value, &mut writer)?,
        ValueSort::Properties => interface.write_properties(op, &value.fields, &mut writer)?,
    };
    let dialect = interface.dialect();
    let hook_error = |what: String| Error::message(ErrorKind::DialectHook, what);
    if !wrote {
        return Ok(None);
    }
    let plain = writer.entry(dialect, sort, None)?;
    let data = plain.home.payload(plain.of);
    let mut reader = DialectBytecodeReader::new(plain.home.clone(), data.clone(), 0, versions);
    let read = match sort {
        ValueSort::Attribute => interface.read_attribute(&mut reader)?,
        ValueSort::Type => interface.read_type(&mut reader)?,
        ValueSort::Properties => {
            let fields = interface.read_properties(op, &mut reader)?;
            fields.map(|fields| DialectValue { fields, ..value.clone() })
        }
    };
    let Some(read) = read else {
        return Err(hook_error(format!("no hook of {dialect} reads what it wrote for `{}`", value.mnemonic)));
    };
    let primitives = reader.finish()?;
    if let Some(difference) = difference(value, &read) {
        let message = format!("the hook of {dialect} reads something else than it wrote: {difference}");
        return Err(hook_error(message));
    }
    let form = form_of(&plain.home, (&data, 0), primitives, &read)?;
    // The primitives that were read must reproduce the bytes that were written.
    let handle = writer.entry(dialect, sort, Some(form))?;
    match handle.home.payload(handle.of) == data {
        true => Ok(Some(handle)),
        false => Err(hook_error(format!("the hook of {dialect} reads its bytes in another form"))),
    }
}

fn difference(wrote: &DialectValue, read: &DialectValue) -> Option<String> {
    if wrote.mnemonic != read.mnemonic {
        return Some(format!("`{}` instead of `{}`", shorten(&read.mnemonic), shorten(&wrote.mnemonic)));
    }
    let present = |value: &DialectValue| {
        let fields = value.fields.iter().filter(|field| field.1 != FieldValue::Absent);
        fields.cloned().collect::<Vec<_>>()
    };
    let (wrote, read) = (present(wrote), present(read));
    for (name, value) in &wrote {
        match read.iter().find(|field| field.0 == *name) {
            None => return Some(format!("field `{}` is missing", shorten(name))),
            Some((_, other)) if !is_same(value, other) => {
                return Some(format!("field `{}` differs", shorten(name)));
            }
            Some(_) => {}
        }
    }
    let added = read.iter().find(|(name, _)| !wrote.iter().any(|field| field.0 == *name));
    added.map(|(name, _)| format!("field `{}` is new", shorten(name)))
}

// Numbers are compared by value, because a hook need not state whether it has read a signed one.
fn is_same(wrote: &FieldValue, read: &FieldValue) -> bool {
    let number = |value: &FieldValue| match value {
        FieldValue::Unsigned(number) => Some(i128::from(*number)),
        FieldValue::Signed(number) => Some((*number).into()),
        FieldValue::Integer { words, .. } if words.iter().skip(1).all(|word| *word == 0) => {
            Some(words.first().copied().unwrap_or_default().into())
        }
        _ => None,
    };
    match (wrote, read) {
        (FieldValue::List(l), FieldValue::List(r)) => {
            l.len() == r.len() && l.iter().zip(r).all(|(l, r)| is_same(l, r))
        }
        (
            FieldValue::String(l) | FieldValue::Blob(l) | FieldValue::Resource(l),
            FieldValue::String(r) | FieldValue::Blob(r) | FieldValue::Resource(r),
        ) => l == r,
        (l, r) => l == r || number(l).is_some() && number(l) == number(r),
    }
}

impl Attribute {
    /// Makes an attribute of a dialect that has its own code.
    ///
    /// # Errors
    /// Errors of the hooks, and [`ErrorKind::DialectHook`] if the value that is read differs from the value
    /// to be written.
    #[doc(hidden)]
    pub fn by_interface(
        interface: &dyn BytecodeDialectInterface,
        value: &DialectValue,
        versions: impl Into<WrittenVersions>,
    ) -> Result<Self> {
        build_with_hook(interface, ValueSort::Attribute, ("", value), &versions.into()).map(Self)
    }
}

impl Type {
    /// Makes a type of a dialect that has its own code.
    ///
    /// # Errors
    /// As [`Attribute::by_interface`].
    #[doc(hidden)]
    pub fn by_interface(
        interface: &dyn BytecodeDialectInterface,
        value: &DialectValue,
        versions: impl Into<WrittenVersions>,
    ) -> Result<Self> {
        build_with_hook(interface, ValueSort::Type, ("", value), &versions.into()).map(Self)
    }
}

/// Properties that a hook wrote, with the tables that they refer to.
#[derive(Debug, Clone)]
pub struct WrittenProperties(pub(crate) Handle);

impl WrittenProperties {
    /// Writes the properties of an operation.
    ///
    /// # Errors
    /// As [`Attribute::by_interface`].
    #[doc(hidden)]
    pub fn by_interface(
        interface: &dyn BytecodeDialectInterface,
        op: &str,
        fields: Vec<(String, FieldValue)>,
        versions: impl Into<WrittenVersions>,
    ) -> Result<Self> {
        let value = DialectValue { mnemonic: op.to_owned(), fields, ..DialectValue::default() };
        build_with_hook(interface, ValueSort::Properties, (op, &value), &versions.into()).map(Self)
    }
}

impl DialectTable {
    /// Writes the properties of an operation, given by its name without the dialect, as the table declares them.
    ///
    /// # Errors
    /// [`ErrorKind::Value`] if the table declares none, or a property is not valid for it.
    #[doc(hidden)]
    pub fn properties<'f>(
        self: &Arc<Self>,
        stem: &str,
        fields: &[(&'f str, FieldValue)],
    ) -> Result<WrittenProperties> {
        let Some(form) = self.ops.find(stem.as_bytes()) else {
            let message =
                format!("the table of {} declares no properties of `{}`", self.dialect(), shorten(stem));
            return Err(Error::message(ErrorKind::Value, message));
        };
        let mut form = form.clone();
        form.kind = "properties".into();
        let specs = form.layouts.first().map_or(&[][..], |layout| &layout.fields);
        let coerced = |(name, value): &(&'f str, FieldValue)| {
            let spec = specs.iter().find(|spec| *spec.name == **name);
            (*name, spec.map_or(value.clone(), |spec| self.coerced(spec, value.clone())))
        };
        let fields: Vec<_> = fields.iter().map(coerced).collect();
        let table = Self::of_value(self.dialect(), ValueSort::Attribute, form);
        build_with(&table, EntryRef::Attribute(AttrId::new(0)), "properties", &fields).map(WrittenProperties)
    }
}

/// Writes the bytes of a version.
///
/// # Errors
/// Errors of the hook, and [`ErrorKind::DialectHook`] if the hook writes a string, an attribute or a type.
#[doc(hidden)]
pub fn version_bytes(
    interface: &dyn BytecodeDialectInterface,
    version: Option<DialectVersion>,
) -> Result<Vec<u8>> {
    let named_version = version.map(|version| (interface.dialect().to_owned(), version));
    let mut writer = DialectBytecodeWriter::new(Versions::from_list(named_version.into_iter().collect()));
    interface.write_version(&mut writer)?;
    writer.into_bytes()
}
