//! Property blobs and their values: decoding and encoding.
//!
//! ```text
//! blob     := field[..]                          one for each field of the op, without name, tag or padding
//! field    := A | A? | u | b | S                 attr, optional_attr, int and enum, bool, string
//!           | n:u field[n]                       array
//!           | b field?                           optional
//!           | sparse                             segment_sizes, from version 6 on; before, an attr
//! sparse   := (n·2):u  u[n]                      dense
//!           | (n·2+1):u  [bits:u  (value << bits | index):u[n]]     nonzero values only; no bits when n is 0
//! ```
//!
//! In MLIR these are the generated `readProperties` and `writeProperties` of each op, and `readSparseArray` and
//! `writeSparseArray` in `mlir/include/mlir/Bytecode/BytecodeImplementation.h`.

#[cfg(test)]
mod tests;

use std::cmp::Ordering;
use std::fmt;

use crate::dialect::entries::{Bounds, Entries, EntryRef};
use crate::dialect::table::BuiltinKind;
use crate::format::id::{AttrId, TypeId};
use crate::wire::cursor::{ByteSink, Cursor, FieldValue, NoTrace, Trace, more_bytes};
use crate::wire::error::{Error, ErrorKind, Result, with_article};
use crate::wire::order::sort_by;
use crate::wire::section::SectionId;
use crate::wire::version::BytecodeVersion;

use crate::format::sparse::{read_sparse, write_sparse};

use super::class::{Class, ValueType};
use super::schema::{Kind, OpSchema, PropertyField};

/// An inherent attribute of an op, and its schema.
#[derive(Debug, Clone)]
pub struct Property<'s> {
    /// The schema of the field.
    #[doc(hidden)]
    pub field: &'s PropertyField,
    /// The value.
    pub value: PropertyValue,
}

/// The value of a property.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PropertyValue {
    /// An absent optional or default-valued attribute, or a value that the file does not contain.
    Absent,
    /// An attribute, by its index.
    Attribute(AttrId),
    /// An integer or an enumeration: the 64 bits of the file; unsigned ones above `i64::MAX` look negative.
    Int(i64),
    /// A bool or a flag.
    Bool(bool),
    /// A string of the file, by its index.
    String(u32),
    /// The number of operands or results in each group.
    Segments(Vec<i32>),
    /// Several values.
    Array(Vec<PropertyValue>),
    /// A value or none.
    Optional(Option<Box<PropertyValue>>),
}

impl<'s> Property<'s> {
    /// Creates a value for a field.
    #[doc(hidden)]
    pub fn new(field: &'s PropertyField, value: PropertyValue) -> Self {
        Self { field, value }
    }

    /// The name in attribute dictionaries and in text.
    pub fn name(&self) -> &'s str {
        &self.field.name
    }
}

impl PartialEq for Property<'_> {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.field, other.field) && self.value == other.value
    }
}

impl PropertyValue {
    /// Returns the attribute, if the value is one.
    pub fn attribute(&self) -> Option<AttrId> {
        match self {
            Self::Attribute(index) => Some(*index),
            _ => None,
        }
    }
}

// ---- blobs ----

/// Appends the values of a blob, one for each field, in wire order. `offset` is the offset of the blob in the
/// file. After an error `out` is unchanged.
///
/// # Errors
/// [`ErrorKind::PropertyBlob`] if the blob does not have the layout of the op.
pub(crate) fn decode<'s>(
    op: &'s OpSchema,
    version: BytecodeVersion,
    blob: &[u8],
    offset: u64,
    entries: &impl Entries,
    out: &mut Vec<Property<'s>>,
) -> Result<()> {
    decode_traced(op, version, (blob, offset, NoTrace), entries, out)
}

/// As [`decode`], with an observer.
///
/// # Errors
/// As [`decode`].
pub(crate) fn decode_traced<'s, T: Trace>(
    op: &'s OpSchema,
    version: BytecodeVersion,
    (blob, offset, trace): (&[u8], u64, T),
    entries: &impl Entries,
    out: &mut Vec<Property<'s>>,
) -> Result<()> {
    let start = out.len();
    let cursor = Cursor::traced(blob, offset, Some(SectionId::Properties), trace);
    let mut decoder = Decoder { cursor, entries, bounds: entries.bounds(), version };
    for field in op.wire(version) {
        decoder.cursor.label(&field.name);
        match decoder.value(&field.kind) {
            Ok(value) => out.push(Property { field, value }),
            Err(error) => {
                out.truncate(start);
                return Err(in_field(&error, op, field));
            }
        }
    }
    if decoder.cursor.is_at_end() {
        return Ok(());
    }
    out.truncate(start);
    let expected = format!("the end of the properties of {}", op.name());
    let actual = more_bytes(decoder.cursor.remaining() as u64);
    Err(decoder.cursor.error(ErrorKind::PropertyBlob, expected, actual))
}

impl OpSchema {
    /// Encodes a blob with these values, in any order; missing fields are absent.
    ///
    /// # Errors
    /// [`ErrorKind::Value`] if a field must not be absent, or a value is not of its kind. Below version 6
    /// segment sizes are attributes.
    ///
    /// ```
    /// use mlirbc::props::{Property, PropertySchema, PropertyValue};
    /// use mlirbc::version::BytecodeVersion;
    /// let schema = PropertySchema::shipped("llvm-22").unwrap();
    /// let op = schema.op(b"func.call").unwrap();
    /// let callee = Property::new(op.field("callee").unwrap(), PropertyValue::Attribute(mlirbc::ir::AttrId::new(2)));
    /// assert_eq!(op.encode(BytecodeVersion::MAX, &[callee])?, [0x01, 0x05, 0x01, 0x01]);
    /// let error = op.encode(BytecodeVersion::MAX, &[]).unwrap_err();
    /// assert_eq!(error.to_string(), "func.call: the attribute `callee` is missing");
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn encode(&self, version: BytecodeVersion, values: &[Property<'_>]) -> Result<Vec<u8>> {
        let mut sink = ByteSink::new();
        for (place, field) in self.wire(version).enumerate() {
            // Decoded values are in the order of their fields.
            let in_place = values.get(place).filter(|value| std::ptr::eq(value.field, field));
            let value = in_place.or_else(|| values.iter().find(|value| value.field.name == field.name));
            encode_value(
                &field.kind,
                value.map_or(&PropertyValue::Absent, |value| &value.value),
                version,
                &mut sink,
            )
            .map_err(|expected| {
                if matches!(value.map(|value| &value.value), None | Some(PropertyValue::Absent)) {
                    let message = format!("{}: the attribute `{}` is missing", self.name(), field.name);
                    let hint = format!(
                        "`mlirbc explain {}` shows the attributes; the generic form has them after the operands, `<{{{} = …}}>`",
                        self.name(),
                        field.name
                    );
                    return Error::message(ErrorKind::Value, message).with_hint(hint);
                }
                let expected = format!("{expected} for `{}` of {}", field.name, self.name());
                let actual = value.map_or_else(String::new, |value| value.value.to_string());
                Error::new(ErrorKind::Value, expected, actual)
            })?;
        }
        Ok(sink.into_bytes())
    }
}

struct Decoder<'b, E, T = NoTrace> {
    cursor: Cursor<'b, T>,
    entries: &'b E,
    bounds: Bounds,
    version: BytecodeVersion,
}

impl<E: Entries, T: Trace> Decoder<'_, E, T> {
    #[inline]
    fn value(&mut self, kind: &Kind) -> Result<PropertyValue> {
        match kind {
            Kind::Attribute { class, class_name, is_optional } => {
                self.attribute(class, class_name, *is_optional)
            }
            Kind::Segments { count, .. } if self.version.has_native_segment_sizes() => {
                read_sparse(&mut self.cursor, *count as usize).map(PropertyValue::Segments)
            }
            Kind::Segments { count, .. } => self.segment_attribute(*count as usize),
            Kind::Int { bits, is_signed, .. } => self.integer(*bits, *is_signed),
            Kind::Enum { bits, .. } => self.integer(*bits, false),
            Kind::Bool(_) => self.bool().map(PropertyValue::Bool),
            Kind::String => self.cursor.index("a string", self.bounds.strings).map(PropertyValue::String),
            Kind::Array(inner) => {
                let count = self.cursor.count("elements")?;
                (0..count).map(|_| self.value(inner)).collect::<Result<_>>().map(PropertyValue::Array)
            }
            Kind::Optional(inner) => match self.bool()? {
                true => self.value(inner).map(|value| PropertyValue::Optional(Some(Box::new(value)))),
                false => Ok(PropertyValue::Optional(None)),
            },
        }
    }
}

// The error is the requirement of the kind.
fn encode_value(
    kind: &Kind,
    value: &PropertyValue,
    version: BytecodeVersion,
    sink: &mut ByteSink,
) -> Result<(), String> {
    match (kind, value) {
        (Kind::Attribute { is_optional, .. }, value) => encode_attribute(*is_optional, value, sink),
        (Kind::Segments { count, .. }, PropertyValue::Segments(sizes))
            if version.has_native_segment_sizes() =>
        {
            write_sparse(*count as usize, sizes, sink)
        }
        (Kind::Segments { .. }, value) if !version.has_native_segment_sizes() => {
            encode_attribute(false, value, sink)
        }
        (Kind::Int { bits, is_signed, .. }, PropertyValue::Int(value)) => {
            encode_integer(*bits, *is_signed, *value, sink)
        }
        (Kind::Enum { bits, .. }, PropertyValue::Int(value)) => encode_integer(*bits, false, *value, sink),
        (Kind::Bool(_), PropertyValue::Bool(value)) => {
            sink.byte((*value).into());
            Ok(())
        }
        (Kind::String, PropertyValue::String(index)) => {
            sink.varint((*index).into());
            Ok(())
        }
        (Kind::Array(inner), PropertyValue::Array(values)) => {
            sink.varint(values.len() as u64);
            values.iter().try_for_each(|value| encode_value(inner, value, version, sink))
        }
        (Kind::Optional(inner), PropertyValue::Optional(value)) => {
            sink.byte(value.is_some().into());
            value.iter().try_for_each(|value| encode_value(inner, value, version, sink))
        }
        (kind, _) => Err(kind.to_string()),
    }
}

// ---- attributes ----

impl<E: Entries, T: Trace> Decoder<'_, E, T> {
    #[inline]
    fn attribute(&mut self, class: &Class, class_name: &str, is_optional: bool) -> Result<PropertyValue> {
        let position = self.cursor.position();
        let Some(index) = attribute_index(&mut self.cursor, self.bounds.attributes, is_optional)? else {
            return Ok(PropertyValue::Absent);
        };
        if class.fits(AttrId::new(index), self.entries) {
            return Ok(PropertyValue::Attribute(AttrId::new(index)));
        }
        let (expected, found) = class.mismatch(class_name, AttrId::new(index), self.entries);
        Err(self.error(position, expected, found))
    }

    fn segment_attribute(&mut self, count: usize) -> Result<PropertyValue> {
        let position = self.cursor.position();
        let index = self.cursor.index("an attribute", self.bounds.attributes)?;
        let value = PropertyValue::Attribute(AttrId::new(index));
        match segment_sizes(&value, self.entries) {
            // MLIR accepts fewer sizes, too.
            Some(sizes) if sizes.len() <= count => Ok(value),
            Some(sizes) => {
                Err(self.error(position, format!("at most `{count}` sizes"), format!("`{}`", sizes.len())))
            }
            None => Err(self.error(
                position,
                "sizes of i32".to_owned(),
                describe(AttrId::new(index), self.entries),
            )),
        }
    }
}

/// The index of an attribute; `None` for an absent optional one (`readOptionalAttribute` in
/// `mlir/lib/Bytecode/Reader/BytecodeReader.cpp`).
pub(crate) fn attribute_index<T: Trace>(
    cursor: &mut Cursor<'_, T>,
    count: u32,
    is_optional: bool,
) -> Result<Option<u32>> {
    if !is_optional {
        return cursor.index("an attribute", count).map(Some);
    }
    let position = cursor.position();
    let (index, is_present) = cursor.varint_with_flag()?;
    cursor.trace().refine(FieldValue::FlaggedIndex("an attribute", index, is_present));
    match (index, is_present) {
        (_, false) => Ok(None),
        (index, true) if index < count.into() => Ok(Some(index as u32)),
        (index, true) => Err(cursor.bad_index("an attribute", index, count.into(), position)),
    }
}

fn encode_attribute(is_optional: bool, value: &PropertyValue, sink: &mut ByteSink) -> Result<(), String> {
    match (value, is_optional) {
        (PropertyValue::Attribute(index), true) => sink.varint_with_flag((*index).number().into(), true),
        (PropertyValue::Attribute(index), false) => sink.varint((*index).number().into()),
        (PropertyValue::Absent, true) => sink.varint(0),
        _ => return Err("an attribute".to_owned()),
    }
    Ok(())
}

// ---- integers and bools ----

impl<E: Entries, T: Trace> Decoder<'_, E, T> {
    fn integer(&mut self, bits: u32, is_signed: bool) -> Result<PropertyValue> {
        let position = self.cursor.position();
        let value = self.cursor.varint()? as i64;
        if fits_integer(value, bits, is_signed) {
            return Ok(PropertyValue::Int(value));
        }
        Err(self.error(position, format!("an integer of {bits} bits"), format!("`{value}`")))
    }

    fn bool(&mut self) -> Result<bool> {
        let position = self.cursor.position();
        match self.cursor.byte()? {
            byte @ (0 | 1) => Ok(byte == 1),
            byte => Err(self.error(position, "a bool".to_owned(), format!("`{byte}`"))),
        }
    }
}

fn encode_integer(bits: u32, is_signed: bool, value: i64, sink: &mut ByteSink) -> Result<(), String> {
    if !fits_integer(value, bits, is_signed) {
        return Err(format!("an integer of {bits} bits"));
    }
    sink.varint(value as u64);
    Ok(())
}

fn fits_integer(value: i64, bits: u32, is_signed: bool) -> bool {
    match (bits, is_signed) {
        (64.., _) => true,
        (_, true) => (-1 << (bits - 1)..1 << (bits - 1)).contains(&value),
        (_, false) => (0..1 << bits).contains(&value),
    }
}

// ---- segment sizes ----

/// Returns the sizes of operand or result groups, from a value of version 6 or from an attribute, as in
/// earlier versions.
pub(crate) fn segment_sizes(value: &PropertyValue, entries: &impl Entries) -> Option<Vec<i32>> {
    let index = match value {
        PropertyValue::Segments(sizes) => return Some(sizes.clone()),
        PropertyValue::Attribute(index) => *index,
        _ => return None,
    };
    let attribute_ref = EntryRef::Attribute(index);
    let entry = entries.entry(attribute_ref)?;
    if entry.is_text || entry.form(attribute_ref).ok()??.builtin != BuiltinKind::DenseArrayAttr {
        return None;
    }
    let mut cursor = Cursor::new(entry.data, entry.offset, Some(SectionId::AttrType));
    let (_code, r#type) = (cursor.varint().ok()?, cursor.varint().ok()?);
    if !ValueType::I32.is(TypeId::new(u32::try_from(r#type).ok()?), entries) {
        return None;
    }
    let (size, bytes) = (cursor.varint().ok()?, cursor.varint().ok()?);
    let bytes = cursor.bytes(bytes).ok()?;
    let sizes: Vec<i32> = bytes.as_chunks().0.iter().map(|word| i32::from_le_bytes(*word)).collect();
    (sizes.len() as u64 == size && sizes.iter().all(|&size| size >= 0)).then_some(sizes)
}

// ---- dictionaries ----

/// Splits the attributes of an op: an attribute in the schema replaces the value of its field in `inherent`,
/// and any other attribute becomes `discardable`, as the indices of its name and value. `inherent` has a
/// value for each field of the op.
///
/// Below version 5 all attributes are in the dictionary. From version 5 on, attributes in the dictionary
/// override the blob.
///
/// # Errors
/// If the dictionary is malformed.
pub(crate) fn split<'s>(
    op: Option<&'s OpSchema>,
    dictionary: AttrId,
    entries: &impl Entries,
    inherent: &mut [Property<'s>],
    discardable: &mut Vec<(u32, u32)>,
) -> Result<()> {
    let Some(entry) = entries.entry(EntryRef::Attribute(dictionary)) else { return Ok(()) };
    if entry.is_text {
        return Ok(());
    }
    let attributes = entries.bounds().attributes;
    let mut cursor = Cursor::new(entry.data, entry.offset, Some(SectionId::AttrType));
    cursor.varint()?;
    for _ in 0..cursor.count("attributes")? {
        let name = cursor.index("an attribute", attributes)?;
        let value = cursor.index("an attribute", attributes)?;
        let field = match op {
            Some(op) if !op.is_empty() => {
                text_of(AttrId::new(name), entries).and_then(|name| op.field_named(name))
            }
            _ => None,
        };
        match field.and_then(|field| inherent.iter_mut().find(|property| std::ptr::eq(property.field, field)))
        {
            Some(property) if property.field.is_in_dictionary => {
                property.value = PropertyValue::Attribute(AttrId::new(value))
            }
            _ => discardable.push((name, value)),
        }
    }
    // MLIR sorts the dictionaries that it reads (`DictionaryAttr::get` in BuiltinAttributes.cpp).
    let text = |pair: &(u32, u32)| text_of(AttrId::new(pair.0), entries).unwrap_or_default();
    // Many attributes may share one long name.
    if !discardable.is_sorted_by(|a, b| a.0 == b.0 || text(a) <= text(b)) {
        sort_by(discardable, |a, b| if a.0 == b.0 { Ordering::Equal } else { text(a).cmp(text(b)) });
    }
    Ok(())
}

/// The bytes of a string attribute.
pub(crate) fn text_of(index: AttrId, entries: &impl Entries) -> Option<&[u8]> {
    let attribute_ref = EntryRef::Attribute(index);
    let entry = entries.entry(attribute_ref)?;
    if entry.form(attribute_ref).ok()??.builtin != BuiltinKind::StringAttr {
        return None;
    }
    let string = super::class::first_field(&entry)?;
    Some(entries.string(u32::try_from(string).ok()?))
}

impl OpSchema {
    pub(crate) fn is_empty(&self) -> bool {
        self.fields().len() == 0
    }

    fn field_named(&self, name: &[u8]) -> Option<&PropertyField> {
        self.field_number(name).and_then(|number| self.fields().nth(number))
    }

    /// Appends absent values for all fields.
    pub(crate) fn absent<'s>(&'s self, out: &mut Vec<Property<'s>>) {
        out.extend(self.fields().map(|field| Property { field, value: PropertyValue::Absent }));
    }

    /// Appends values for all fields of an op without a blob: MLIR initialises segment sizes to zeros
    /// (`Operation::initPropertiesStorage`), and all other fields are absent.
    pub(crate) fn initial<'s>(&'s self, out: &mut Vec<Property<'s>>) {
        out.extend(self.fields().map(|field| {
            let value = match &field.kind {
                Kind::Segments { count, .. } => PropertyValue::Segments(vec![0; *count as usize]),
                _ => PropertyValue::Absent,
            };
            Property { field, value }
        }));
    }
}

// ---- texts ----

impl<E: Entries, T: Trace> Decoder<'_, E, T> {
    #[cold]
    fn error(&self, position: usize, expected: String, found: String) -> Error {
        self.cursor.error(ErrorKind::PropertyBlob, expected, found).at(self.cursor.offset_of(position))
    }
}

#[cold]
pub(super) fn in_field(error: &Error, op: &OpSchema, field: &PropertyField) -> Error {
    let context = format!("`{}` of {}", field.name, op.name());
    let inner = match error.expected() {
        "" => Error::message(ErrorKind::PropertyBlob, error.sentence()),
        expected => Error::new(ErrorKind::PropertyBlob, expected.to_owned(), error.found().to_owned()),
    };
    inner.in_context(&context).at(error.offset().unwrap_or_default()).in_section(SectionId::Properties)
}

#[cold]
pub(super) fn describe(index: AttrId, entries: &impl Entries) -> String {
    let attribute_ref = EntryRef::Attribute(index);
    let Some(entry) = entries.entry(attribute_ref) else { return format!("attribute `{index}`") };
    match (entry.text(), entry.form(attribute_ref)) {
        (Some(text), _) => {
            let text: String = String::from_utf8_lossy(text).chars().take(40).collect();
            format!("`{text}`")
        }
        (None, Ok(Some(form))) => with_article(&form.name),
        _ => format!("an attribute of the {} dialect", String::from_utf8_lossy(entry.dialect)),
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Attribute { class_name, .. } => f.write_str(&with_article(class_name)),
            Self::Segments { count, .. } => write!(f, "`{count}` sizes"),
            Self::Int { bits, .. } | Self::Enum { bits, .. } => write!(f, "an integer of {bits} bits"),
            Self::Bool(_) => f.write_str("a bool"),
            Self::String => f.write_str("a string"),
            Self::Array(_) => f.write_str("an array"),
            Self::Optional(_) => f.write_str("an optional"),
        }
    }
}

impl fmt::Display for PropertyValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Absent => f.write_str("nothing"),
            Self::Attribute(index) => write!(f, "attribute `{index}`"),
            Self::Int(value) => write!(f, "`{value}`"),
            Self::Bool(value) => write!(f, "`{value}`"),
            Self::String(index) => write!(f, "string `{index}`"),
            Self::Segments(sizes) => write!(f, "`{sizes:?}`"),
            Self::Array(values) => write!(f, "an array of {}", values.len()),
            Self::Optional(None) => f.write_str("an empty optional"),
            Self::Optional(Some(value)) => write!(f, "an optional with {value}"),
        }
    }
}
