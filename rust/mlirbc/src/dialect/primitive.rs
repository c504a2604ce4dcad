//! The fields of an entry: the decoder and the encoder of each primitive.
//!
//! The primitives correspond to `DialectReader` and `DialectWriter` in
//! `mlir/lib/Bytecode/Reader/BytecodeReader.cpp` and `mlir/lib/Bytecode/Writer/BytecodeWriter.cpp`.

use crate::format::id::{AttrId, TypeId};
use crate::format::sparse::{read_sparse, write_sparse};
use crate::wire::cursor::{ByteSink, Cursor, FieldValue, NoTrace, Trace, more_bytes};
use crate::wire::error::{Error, ErrorKind, Result};
use crate::wire::section::SectionId;

use super::entries::{Bounds, Entries, bits_of};
use super::node::{Field, Node};
use super::table::{Case, Encoding, Layout, Primitive};

/// Decodes the fields of an entry with this encoding into `node`; returns the number of the matching layout.
///
/// # Errors
/// The error of the newest layout, if none matches.
pub(crate) fn decode(
    form: &Encoding,
    data: &[u8],
    offset: u64,
    entries: &dyn Entries,
    node: &mut Node,
) -> Result<usize> {
    let mut first = None;
    for (number, layout) in form.layouts.iter().enumerate() {
        node.clear();
        let mut decoder = Decoder {
            cursor: Cursor::new(data, offset, Some(SectionId::AttrType)),
            entries,
            bounds: entries.bounds(),
            node,
            strict_bools: form.layouts.len() > 1,
            most: u32::MAX,
        };
        match decoder.entry(form, layout) {
            Ok(()) => return Ok(number),
            // Most files have the newest layout, so the error of that layout is the most useful one.
            Err(error) => first = first.or(Some(error)),
        }
    }
    first.map_or(Ok(0), Err)
}

/// Decodes the fields of an entry in one layout of its encoding.
///
/// # Errors
/// As [`decode`].
pub(super) fn decode_in_layout(
    form: &Encoding,
    layout: &Layout,
    (data, offset): (&[u8], u64),
    entries: &dyn Entries,
    node: &mut Node,
) -> Result<()> {
    node.clear();
    let cursor = Cursor::new(data, offset, Some(SectionId::AttrType));
    let bounds = entries.bounds();
    Decoder { cursor, entries, bounds, node, strict_bools: true, most: u32::MAX }.entry(form, layout)
}

/// Decodes the fields of an entry for an observer, in the layout that [`decode`] returned, or in the newest one.
///
/// # Errors
/// As [`decode`].
pub(crate) fn trace<T: Trace>(
    form: &Encoding,
    layout: &Layout,
    data: &[u8],
    offset: u64,
    (entries, node, trace): (&dyn Entries, &mut Node, T),
) -> Result<()> {
    node.clear();
    let cursor = Cursor::traced(data, offset, Some(SectionId::AttrType), trace);
    let bounds = entries.bounds();
    Decoder { cursor, entries, bounds, node, strict_bools: false, most: u32::MAX }.entry(form, layout)
}

/// Decodes the start of an entry for a text that is truncated: at most a given number of items of a list, so
/// that the rest of a large entry costs nothing.
///
/// # Errors
/// As [`decode`].
pub(crate) fn decode_beginning(
    layout: &Layout,
    data: &[u8],
    offset: u64,
    entries: &dyn Entries,
    node: &mut Node,
    most: u32,
) -> Result<()> {
    node.clear();
    let cursor = Cursor::new(data, offset, Some(SectionId::AttrType));
    let bounds = entries.bounds();
    let mut decoder = Decoder { cursor, entries, bounds, node, strict_bools: false, most };
    decoder.cursor.varint()?;
    for field in &layout.fields {
        decoder.node.begin_field();
        decoder.field(&field.primitive)?;
        if matches!(decoder.node.all().first(), Some(Field::List(items)) if *items >= most) {
            break;
        }
    }
    Ok(())
}

/// Decodes one field at a position of an entry into `node`; returns the position after it.
///
/// # Errors
/// As [`decode`].
pub(crate) fn decode_field(
    primitive: &Primitive,
    data: &[u8],
    (position, offset): (usize, u64),
    entries: &dyn Entries,
    node: &mut Node,
) -> Result<usize> {
    node.clear();
    let mut cursor = Cursor::new(data, offset, Some(SectionId::AttrType));
    cursor.seek(position);
    let bounds = entries.bounds();
    let mut decoder = Decoder { cursor, entries, bounds, node, strict_bools: false, most: u32::MAX };
    decoder.node.begin_field();
    decoder.field(primitive)?;
    Ok(decoder.cursor.position())
}

// A trait object suffices because the tables are used rarely; the decoder is not compiled for each kind of
// tables.
struct Decoder<'d, T = NoTrace> {
    cursor: Cursor<'d, T>,
    entries: &'d dyn Entries,
    bounds: Bounds,
    node: &'d mut Node,
    strict_bools: bool,
    /// The maximum number of decoded items of a list.
    most: u32,
}

impl<T: Trace> Decoder<'_, T> {
    fn entry(&mut self, form: &Encoding, layout: &Layout) -> Result<()> {
        if form.has_code {
            self.cursor.label("code");
            self.cursor.varint()?;
        }
        for field in &layout.fields {
            self.node.begin_field();
            self.cursor.label(&field.name);
            self.field(&field.primitive)?;
        }
        if self.cursor.is_at_end() {
            return Ok(());
        }
        let actual = more_bytes(self.cursor.remaining() as u64);
        Err(self.cursor.error(ErrorKind::EntryTrailingBytes, "the end of the entry", actual))
    }

    fn field(&mut self, primitive: &Primitive) -> Result<()> {
        let position = self.cursor.position();
        let field = match primitive {
            Primitive::Varint => Field::Unsigned(self.cursor.varint()?),
            Primitive::OptionalVarint => match self.cursor.varint_with_flag()? {
                (value, true) => Field::Unsigned(value),
                (_, false) => Field::Absent,
            },
            Primitive::Signed => Field::Signed(self.cursor.signed_varint()?),
            Primitive::Byte => Field::Unsigned(self.cursor.byte()?.into()),
            Primitive::Bool => {
                let byte = self.cursor.byte()?;
                if self.strict_bools && byte > 1 {
                    return Err(self.not_a_bool(byte, position));
                }
                Field::Bool(byte != 0)
            }
            Primitive::String => Field::String(self.cursor.index("a string", self.bounds.strings)?),
            Primitive::Resource => Field::Resource(self.cursor.index("a resource", self.bounds.resources)?),
            Primitive::Blob => {
                let size = self.cursor.varint()?;
                let start = self.cursor.position();
                self.cursor.label("bytes");
                let size = self.cursor.bytes(size)?.len();
                self.node.push_blob(start..start + size);
                return Ok(());
            }
            Primitive::Opaque | Primitive::Rest | Primitive::AffineMap | Primitive::IntegerSet => {
                self.cursor.seek(usize::MAX);
                self.node.push_blob(position..self.cursor.position());
                return Ok(());
            }
            Primitive::Attribute(_) => Field::Attribute(
                AttrId::new(self.cursor.index("an attribute", self.bounds.attributes)?),
                position as u32,
            ),
            Primitive::OptionalAttribute(_) => match self.index_with_flag("an attribute")? {
                (index, true) if index < self.bounds.attributes.into() => {
                    Field::Attribute(AttrId::new(index as u32), position as u32)
                }
                (index, true) => {
                    let bound = self.bounds.attributes.into();
                    return Err(self.cursor.bad_index("an attribute", index, bound, position));
                }
                (_, false) => Field::Absent,
            },
            Primitive::Type => {
                Field::Type(TypeId::new(self.cursor.index("a type", self.bounds.types)?), position as u32)
            }
            Primitive::List(items) => return self.list(items),
            Primitive::OptionalList(items) => match self.cursor.byte()? {
                0 => Field::List(0),
                _ => return self.list(items),
            },
            Primitive::Bits(field) => return self.bits(*field),
            Primitive::Float(bits) => return self.integer(*bits),
            Primitive::Splat(flag) => return self.splat(*flag),
            Primitive::If(flag, inner) => {
                if self.node.number(*flag) != 0 {
                    return self.field(inner);
                }
                Field::Absent
            }
            Primitive::OptionalType => match self.index_with_flag("a type")? {
                (index, true) if index < self.bounds.types.into() => {
                    Field::Type(TypeId::new(index as u32), position as u32)
                }
                (index, true) => {
                    return Err(self.cursor.bad_index("a type", index, self.bounds.types.into(), position));
                }
                (_, false) => Field::Absent,
            },
            Primitive::VarintWithFlag => {
                let (value, flag) = self.cursor.varint_with_flag()?;
                let at = self.node.begin_list();
                self.node.push(Field::Unsigned(value));
                self.node.push(Field::Bool(flag));
                self.node.end_list(at, 2);
                return Ok(());
            }
            Primitive::Sparse(count) => {
                let sizes = read_sparse(&mut self.cursor, *count as usize)?;
                let at = self.node.begin_list();
                sizes.iter().for_each(|&size| self.node.push(Field::Unsigned(size as u64)));
                self.node.end_list(at, *count);
                return Ok(());
            }
            Primitive::Switch(cases) => return self.switch(cases, position),
        };
        self.node.push(field);
        Ok(())
    }

    fn index_with_flag(&mut self, table: &'static str) -> Result<(u64, bool)> {
        let (index, flag) = self.cursor.varint_with_flag()?;
        self.cursor.trace().refine(FieldValue::FlaggedIndex(table, index, flag));
        Ok((index, flag))
    }

    fn switch(&mut self, cases: &[Case], position: usize) -> Result<()> {
        let kind = self.cursor.varint()?;
        let Some(case) = case_of(cases, kind) else {
            let error =
                self.cursor.error(ErrorKind::EntryUnknownCode, "a case of the switch", format!("`{kind}`"));
            return Err(error.at(self.cursor.offset_of(position)));
        };
        let at = self.node.begin_list();
        self.node.push(Field::Unsigned(kind));
        for item in &case.items {
            self.field(item)?;
        }
        self.node.end_list(at, case.items.len() as u32 + 1);
        Ok(())
    }

    #[inline(never)] // so that the usual fields are quick
    fn list(&mut self, items: &[Primitive]) -> Result<()> {
        let count = self.cursor.count("list elements")?;
        let count = (count as u32).min(self.most);
        let at = self.node.begin_list();
        for _ in 0..count {
            for item in items {
                self.cursor.label("element");
                self.field(item)?;
            }
        }
        self.node.end_list(at, count);
        Ok(())
    }

    fn bits(&mut self, field: usize) -> Result<()> {
        let index = self.node.number(field) as u32;
        match bits_of(self.entries, TypeId::new(index)) {
            Some(bits) => self.integer(bits),
            // A type of another dialect: the width of its values is unknown here.
            None => {
                let start = self.cursor.position();
                self.cursor.seek(usize::MAX);
                self.node.push_blob(start..self.cursor.position());
                Ok(())
            }
        }
    }

    // `DialectReader::readAPIntWithKnownWidth`: up to 8 bits are one byte, up to 64 one signed varint, more are
    // counted 64-bit words.
    fn integer(&mut self, bits: u64) -> Result<()> {
        match bits {
            0..=8 => {
                let byte = u64::from(self.cursor.byte()?);
                self.node.push(Field::Bits(byte & mask(bits)));
            }
            9..=64 => {
                let word = self.cursor.signed_varint()? as u64;
                self.node.push(Field::Bits(word & mask(bits)));
            }
            _ => {
                let offset = self.cursor.offset();
                let count = self.cursor.count("64-bit words")?;
                if count as u64 > bits.div_ceil(64) {
                    let expected = format!("at most `{}` 64-bit words", bits.div_ceil(64));
                    let actual = format!("`{count}`");
                    return Err(self.cursor.error(ErrorKind::Count, expected, actual).at(offset));
                }
                let mut words = Vec::with_capacity(count);
                for _ in 0..count {
                    words.push(self.cursor.signed_varint()? as u64);
                }
                self.node.push_words(words);
            }
        }
        Ok(())
    }

    fn splat(&mut self, flag: usize) -> Result<()> {
        let is_splat = self.node.number(flag) != 0;
        let at = self.node.begin_list();
        let mut count = 0;
        while count == 0 && is_splat || !is_splat && !self.cursor.is_at_end() {
            let string = self.cursor.index("a string", self.bounds.strings)?;
            self.node.push(Field::String(string));
            count += 1;
        }
        self.node.end_list(at, count);
        Ok(())
    }

    #[cold]
    fn not_a_bool(&self, byte: u8, position: usize) -> Error {
        let error = self.cursor.error(ErrorKind::EntryTrailingBytes, "a bool", format!("`{byte}`"));
        error.at(self.cursor.offset_of(position))
    }
}

/// Returns the case with this number, or the default case.
pub(crate) fn case_of(cases: &[Case], kind: u64) -> Option<&Case> {
    let exact = cases.iter().find(|case| case.kind == Some(kind));
    exact.or_else(|| cases.iter().find(|case| case.kind.is_none()))
}

fn mask(bits: u64) -> u64 {
    if bits >= 64 { u64::MAX } else { (1 << bits) - 1 }
}

/// Encodes the fields of `node` in one layout of an encoding, including the code; blobs are ranges of `data`.
///
/// # Errors
/// [`ErrorKind::EntryEncode`] if a field does not fit the layout.
pub(crate) fn encode(
    form: &Encoding,
    layout: &Layout,
    node: &Node,
    data: &[u8],
    width: &dyn Fn(TypeId) -> Option<u64>,
) -> Result<Vec<u8>> {
    let mut sink = ByteSink::new();
    encode_into(form, layout, node, data, width, &mut sink)?;
    Ok(sink.into_bytes())
}

/// As [`encode`], appending to `sink`.
///
/// # Errors
/// As [`encode`].
pub(crate) fn encode_into(
    form: &Encoding,
    layout: &Layout,
    node: &Node,
    data: &[u8],
    width: &dyn Fn(TypeId) -> Option<u64>,
    sink: &mut ByteSink,
) -> Result<()> {
    let mut encoder = Encoder { sink, node, data, width, fields: node.all(), at: 0 };
    if form.has_code {
        encoder.sink.varint(form.code);
    }
    for spec in &layout.fields {
        encoder.field(&spec.primitive).map_err(|error| {
            let path = format!("field `{}` of {}", spec.name, form.name);
            error.with_path(path)
        })?;
    }
    Ok(())
}

struct Encoder<'n> {
    sink: &'n mut ByteSink,
    node: &'n Node,
    data: &'n [u8],
    width: &'n dyn Fn(TypeId) -> Option<u64>,
    fields: &'n [Field],
    at: usize,
}

impl<'n> Encoder<'n> {
    fn field(&mut self, primitive: &Primitive) -> Result<()> {
        if let Primitive::If(flag, inner) = primitive
            && self.node.number(*flag) != 0
        {
            return self.field(inner);
        }
        let field = self.fields.get(self.at).copied().unwrap_or(Field::Absent);
        self.at += 1;
        match (primitive, field) {
            (Primitive::Varint, Field::Unsigned(value)) => self.sink.varint(value),
            (Primitive::OptionalVarint, Field::Unsigned(value)) => self.sink.varint_with_flag(value, true),
            (
                Primitive::OptionalVarint | Primitive::OptionalAttribute(_) | Primitive::OptionalType,
                Field::Absent,
            ) => self.sink.varint(0),
            (Primitive::OptionalType, Field::Type(index, _)) => {
                self.sink.varint_with_flag(index.number().into(), true)
            }
            (Primitive::VarintWithFlag, Field::List(2)) => match self.take_fields(2) {
                [Field::Unsigned(value), Field::Bool(flag)] => self.sink.varint_with_flag(*value, *flag),
                _ => return Err(mismatch(primitive, field)),
            },
            (Primitive::Sparse(count), Field::List(len)) if *count == len => {
                let sizes: Option<Vec<i32>> = self
                    .take_fields(len)
                    .iter()
                    .map(|field| match field {
                        Field::Unsigned(size) => i32::try_from(*size).ok(),
                        _ => None,
                    })
                    .collect();
                let sizes = sizes.ok_or_else(|| mismatch(primitive, field))?;
                write_sparse(*count as usize, &sizes, self.sink).map_err(|_| mismatch(primitive, field))?;
            }
            (Primitive::Switch(cases), Field::List(1..)) => {
                let [Field::Unsigned(kind)] = *self.take_fields(1) else {
                    return Err(mismatch(primitive, field));
                };
                let case = case_of(cases, kind).ok_or_else(|| mismatch(primitive, field))?;
                self.sink.varint(kind);
                for item in &case.items {
                    self.field(item)?;
                }
            }
            (Primitive::Signed, Field::Signed(value)) => self.sink.signed_varint(value),
            (Primitive::Byte, Field::Unsigned(value)) => self.sink.byte(value as u8),
            (Primitive::Bool, Field::Bool(value)) => self.sink.byte(value.into()),
            (Primitive::String, Field::String(index)) => self.sink.varint(index.into()),
            (Primitive::Resource, Field::Resource(index)) => self.sink.varint(index.into()),
            (Primitive::Blob, Field::Blob(_)) => {
                let blob = self.node.blob(field, self.data);
                self.sink.varint(blob.len() as u64);
                self.sink.bytes(blob);
            }
            (
                Primitive::Opaque | Primitive::Rest | Primitive::AffineMap | Primitive::IntegerSet,
                Field::Blob(_),
            ) => {
                self.sink.bytes(self.node.blob(field, self.data));
            }
            (Primitive::Attribute(_), Field::Attribute(index, _)) => self.sink.varint(index.number().into()),
            (Primitive::Type, Field::Type(index, _)) => self.sink.varint(index.number().into()),
            (Primitive::OptionalAttribute(_), Field::Attribute(index, _)) => {
                self.sink.varint_with_flag(index.number().into(), true);
            }
            (Primitive::List(items), Field::List(count)) => self.list(items, count)?,
            (Primitive::OptionalList(_), Field::List(0)) => self.sink.byte(0),
            (Primitive::OptionalList(items), Field::List(count)) => {
                self.sink.byte(1);
                self.list(items, count)?;
            }
            (Primitive::Bits(type_field), _) => {
                let bits = self.node.r#type(*type_field).and_then(self.width);
                match (bits, field) {
                    (Some(bits), Field::Bits(_) | Field::Words { .. }) => self.integer(bits, field),
                    (None, Field::Blob(_)) => self.sink.bytes(self.node.blob(field, self.data)),
                    _ => return Err(mismatch(primitive, field)),
                }
            }
            (Primitive::Float(bits), Field::Bits(_) | Field::Words { .. }) => self.integer(*bits, field),
            (Primitive::Splat(_), Field::List(count)) => {
                for _ in 0..count {
                    self.field(&Primitive::String)?;
                }
            }
            (Primitive::If(..), Field::Absent) => {}
            _ => return Err(mismatch(primitive, field)),
        }
        Ok(())
    }

    /// Takes the next fields, in order.
    fn take_fields(&mut self, count: u32) -> &'n [Field] {
        let start = self.at;
        self.at = self.fields.len().min(start + count as usize);
        self.fields.get(start..self.at).unwrap_or_default()
    }

    fn list(&mut self, items: &[Primitive], count: u32) -> Result<()> {
        self.sink.varint(count.into());
        for _ in 0..count {
            for item in items {
                self.field(item)?;
            }
        }
        Ok(())
    }

    // `DialectWriter::writeAPIntWithKnownWidth`
    fn integer(&mut self, bits: u64, field: Field) {
        let words = self.node.words(field);
        match bits {
            0..=8 => self.sink.byte((words.first().copied().unwrap_or_default() & mask(bits)) as u8),
            9..=64 => {
                let word = words.first().copied().unwrap_or_default() & mask(bits);
                self.sink.signed_varint(word as i64);
            }
            _ => {
                let used = words.iter().rposition(|&word| word != 0).map_or(1, |last| last + 1);
                self.sink.varint(used as u64);
                for &word in words.get(..used).unwrap_or(&[0]) {
                    self.sink.signed_varint(word as i64);
                }
            }
        }
    }
}

#[cold]
fn mismatch(primitive: &Primitive, field: Field) -> Error {
    Error::message(ErrorKind::EntryEncode, format!("cannot encode the field {field:?} as {primitive:?}"))
}

/// Calls `visit` for each reference of a decoded entry: the target, the required class, and the position in
/// the entry.
pub(crate) fn references<'t>(
    layout: &'t Layout,
    node: &Node,
    mut visit: impl FnMut(super::entries::EntryRef, Option<&'t str>, u32),
) {
    let mut fields = node.all().iter().copied();
    for spec in &layout.fields {
        walk(&spec.primitive, &mut fields, &mut visit);
    }
}

fn walk<'t>(
    primitive: &'t Primitive,
    fields: &mut impl Iterator<Item = Field>,
    visit: &mut impl FnMut(super::entries::EntryRef, Option<&'t str>, u32),
) {
    use super::entries::EntryRef;
    let inner = match primitive {
        Primitive::If(_, inner) => inner,
        other => other,
    };
    let Some(field) = fields.next() else { return };
    match (inner, field) {
        (Primitive::Attribute(class) | Primitive::OptionalAttribute(class), Field::Attribute(index, at)) => {
            visit(EntryRef::Attribute(index), class.as_deref(), at);
        }
        (_, Field::Type(index, at)) => visit(EntryRef::Type(index), None, at),
        (Primitive::List(items) | Primitive::OptionalList(items), Field::List(count)) => {
            for _ in 0..count {
                for item in items {
                    walk(item, fields, visit);
                }
            }
        }
        (Primitive::Splat(_) | Primitive::VarintWithFlag | Primitive::Sparse(_), Field::List(count)) => {
            for _ in 0..count {
                fields.next();
            }
        }
        (Primitive::Switch(cases), Field::List(_)) => {
            let Some(Field::Unsigned(kind)) = fields.next() else { return };
            for item in case_of(cases, kind).map_or(&[][..], |case| &case.items) {
                walk(item, fields, visit);
            }
        }
        _ => {}
    }
}
