//! Construction of attributes and types from fields: selects the encoding, checks the fields, encodes them.

use std::sync::Arc;

use super::text::affine;
use super::text::affine::{AffineMap, IntegerSet};
use super::text::dense;
use super::text::dense::{Dense, Element};
use super::text::entry::string_of;
use super::text::parse::skim::skim_value;
use super::text::sparse::ElementsCheck;
use crate::dialect::entries::{Entries, EntryRef, bits_of};
use crate::dialect::node::{Field, Node};
use crate::dialect::primitive;
use crate::dialect::primitive::case_of;
use crate::dialect::registry::find_dialect;
use crate::dialect::table::{BuiltinKind, Case, DialectTable, Encoding, Layout, Primitive};
use crate::wire::bytes::Bytes;
use crate::wire::cursor::Cursor;
use crate::wire::error::{Error, ErrorKind, Result};

use super::table::{Builder, Identity, is_distinct};
use super::{
    FieldValue, Handle, brief, describe, inner_of, is_text_before_23, items_of, misfit, plain_text,
    strided_text,
};

/// The largest width of an integer type (`IntegerType::kMaxWidth` in `mlir/include/mlir/IR/BuiltinTypes.td`).
const MAX_WIDTH: u64 = (1 << 24) - 1;

type Given<'f> = Vec<(&'f str, FieldValue)>;

/// A value stored as text.
pub(crate) fn from_text(sort: EntryRef, dialect: &str, text: &[u8]) -> Result<Handle> {
    if dialect.is_empty() || text.is_empty() || text.contains(&0) {
        return Err(misfit(
            "a dialect and its text, without zero bytes",
            format!("{dialect:?} and {text:?}"),
        ));
    }
    let is_type = matches!(sort, EntryRef::Type(_));
    if let Err(error) = skim_value(text, is_type) {
        let what = if is_type { "the text of one type" } else { "the text of one attribute" };
        return Err(misfit(what, error.to_string()));
    }
    let mut builder = Builder::new();
    let dialect = builder.dialect(dialect.as_bytes());
    let of = builder.text(is_type, dialect, text)?;
    Ok(Handle { home: builder.finish(), of })
}

/// A value of the kind with these fields.
pub(crate) fn build(
    sort: EntryRef,
    dialect: &str,
    kind: &str,
    fields: &[(&str, FieldValue)],
) -> Result<Handle> {
    let Some(table) = find_dialect(dialect) else {
        return Err(Error::message(ErrorKind::Value, format!("there is no table for dialect `{dialect}`")));
    };
    build_with(&table, sort, kind, fields)
}

/// As above with the table of a dialect.
pub(crate) fn build_with(
    table: &Arc<DialectTable>,
    sort: EntryRef,
    kind: &str,
    fields: &[(&str, FieldValue)],
) -> Result<Handle> {
    let is_type = matches!(sort, EntryRef::Type(_));
    let mut builder = Builder::new();
    let dialect = table.dialect();
    let dialect_id = builder.dialect_with(dialect.as_bytes(), Some(table.clone()));
    let mut given: Given<'_> = fields
        .iter()
        .filter(|field| field.1 != FieldValue::Absent)
        .map(|(name, value)| (*name, value.clone()))
        .collect();
    if dialect == "builtin" {
        normalise(kind, &mut given);
    }
    let form = choose(table, is_type, kind, &given)?;
    if dialect == "builtin"
        && let Some(text) = written_as_text(form, &given)?
    {
        let of = builder.text(is_type, dialect_id, &text)?;
        return Ok(Handle { home: builder.finish(), of });
    }
    let layout = form
        .layouts
        .first()
        .ok_or_else(|| Error::message(ErrorKind::Value, format!("the encoding of {kind} has no layout")))?;
    let mut filler = Filler { builder: &mut builder, node: Node::default(), data: Bytes::new() };
    for spec in &layout.fields {
        let value =
            given.iter().find(|field| field.0 == &*spec.name).map_or(&FieldValue::Absent, |field| &field.1);
        filler.node.begin_field();
        filler.field(&spec.primitive, value).map_err(|error| at_field(error, &spec.name, form))?;
    }
    let Filler { mut node, mut data, .. } = filler;
    if dialect == "builtin" {
        check(&builder, form, layout, &node, &data)?;
        if form.builtin == BuiltinKind::DictionaryAttr {
            node = sorted_dictionary(&builder, &node)?;
        }
        if form.builtin == BuiltinKind::DenseIntOrFPElementsAttr {
            let dense = node.r#type(0).and_then(|index| Dense::new(builder.entries(), index, &data));
            if let Some(canonical) = dense.map(|dense| canonical_elements(&dense, &data)) {
                data = canonical;
                node = dense_node(&node, data.len());
            }
        }
    }
    let identity = is_distinct(form).then(Identity::fresh);
    let of = builder.encoded(is_type, dialect_id, (form, layout), &node, &data, identity)?;
    Ok(Handle { home: builder.finish(), of })
}

/// The bytes of a value with these fields in this order; references are to the entries of `builder`.
///
/// # Errors
/// If a field does not have its primitive.
pub(super) fn encode_fields(
    builder: &mut Builder,
    form: &Encoding,
    values: &[FieldValue],
) -> Result<Vec<u8>> {
    let Some(layout) = form.layouts.first() else { return Ok(Vec::new()) };
    let mut filler = Filler { builder, node: Node::default(), data: Bytes::new() };
    for (spec, value) in layout.fields.iter().zip(values) {
        filler.node.begin_field();
        filler.field(&spec.primitive, value)?;
    }
    let Filler { node, data, builder } = filler;
    let entries = builder.entries();
    primitive::encode(form, layout, &node, &data, &|index| bits_of(entries, index))
}

fn at_field(error: Error, name: &str, form: &Encoding) -> Error {
    error.with_path(format!("field `{name}` of {}", form.kind))
}

/// The encodings of one kind differ in fields that are redundant if they have their default.
fn normalise(kind: &str, given: &mut Given<'_>) {
    let is_none =
        |value: &FieldValue| matches!(value, FieldValue::Type(value) if value.class() == Some("NoneType"));
    let is_fixed = |value: &FieldValue| match value {
        FieldValue::List(flags) => flags.iter().all(|flag| *flag == FieldValue::Bool(false)),
        _ => false,
    };
    given.retain(|(name, value)| match (kind, *name) {
        ("StringAttr", "type") => !is_none(value),
        ("VectorType", "scalable") => !is_fixed(value),
        _ => true,
    });
    // A range that is one point has an encoding of its own.
    if kind == "FileLineColLoc"
        && let Some(place) = given.iter().position(|field| field.0 == "positions")
        && let FieldValue::List(numbers) = &given[place].1
        && let [line, column] = &**numbers
    {
        let point = [("line", line.clone()), ("column", column.clone())];
        given.remove(place);
        given.extend(point);
    }
}

fn choose<'t>(
    table: &'t Arc<DialectTable>,
    is_type: bool,
    kind: &str,
    given: &Given<'_>,
) -> Result<&'t Encoding> {
    let forms = if is_type { &table.types } else { &table.attributes };
    let may_be_absent = |primitive: &Primitive| {
        matches!(
            primitive,
            Primitive::OptionalAttribute(_)
                | Primitive::OptionalVarint
                | Primitive::OptionalType
                | Primitive::If(..)
        )
    };
    let mut best: Option<(&Encoding, usize)> = None;
    for form in forms.of_kind(kind) {
        let Some(layout) = form.layouts.first() else { continue };
        let is_known = |name: &str| layout.index(name).is_some();
        let missing = layout.fields.iter().filter(|spec| !given.iter().any(|field| *field.0 == *spec.name));
        if !given.iter().all(|field| is_known(field.0))
            || !missing.clone().all(|spec| may_be_absent(&spec.primitive))
        {
            continue;
        }
        let missing = missing.count();
        if best.is_none_or(|(_, least)| missing < least) {
            best = Some((form, missing));
        }
    }
    best.map(|best| best.0).ok_or_else(|| no_form(forms.of_kind(kind), table.dialect(), kind, given))
}

#[cold]
fn no_form<'t>(
    forms: impl Iterator<Item = &'t Encoding>,
    dialect: &str,
    kind: &str,
    given: &Given<'_>,
) -> Error {
    let list = |names: &mut dyn Iterator<Item = &str>| {
        let names: Vec<String> = names.map(|name| format!("`{name}`")).collect();
        if names.is_empty() { "no fields".to_owned() } else { names.join(", ") }
    };
    let known: Vec<String> = forms
        .filter_map(|form| form.layouts.first())
        .map(|layout| list(&mut layout.fields.iter().map(|spec| &*spec.name)))
        .collect();
    if known.is_empty() {
        return Error::message(ErrorKind::Value, format!("the table of dialect {dialect} has no `{kind}`"));
    }
    misfit(format!("{} for {kind}", known.join(" or ")), list(&mut given.iter().map(|field| field.0)))
}

/// Builtin attributes and types that releases up to 22 write as text.
fn written_as_text(form: &Encoding, given: &Given<'_>) -> Result<Option<Vec<u8>>> {
    let blob = |name: &str| match given.iter().find(|field| field.0 == name) {
        Some((_, FieldValue::Blob(blob))) => Ok(blob),
        _ => Err(misfit(format!("bytes in `{name}`"), "a value of another kind")),
    };
    let mut text = Vec::new();
    match form.builtin {
        BuiltinKind::AffineMapAttr => {
            let mut cursor = Cursor::new(blob("map")?, 0, None);
            text.extend_from_slice(b"affine_map<");
            affine::write_map(&mut text, &AffineMap::decode(&mut cursor)?);
        }
        BuiltinKind::IntegerSetAttr => {
            let mut cursor = Cursor::new(blob("set")?, 0, None);
            text.extend_from_slice(b"affine_set<");
            affine::write_set(&mut text, &IntegerSet::decode(&mut cursor)?);
        }
        BuiltinKind::StridedLayoutAttr => {
            let (mut strides, mut offset) = (Vec::new(), 0);
            for (name, value) in given {
                match (*name, value) {
                    ("offset", FieldValue::Signed(number)) => offset = *number,
                    ("strides", FieldValue::List(items)) => {
                        for item in items {
                            let FieldValue::Signed(stride) = item else {
                                return Err(misfit("a signed number for each stride", found(item)));
                            };
                            strides.push(*stride);
                        }
                    }
                    (name, value) => {
                        return Err(misfit(format!("strides or an offset in `{name}`"), found(value)));
                    }
                }
            }
            return Ok(Some(strided_text(&strides, offset)));
        }
        BuiltinKind::Other if is_text_before_23(form) => return Ok(plain_text(form).map(<[u8]>::to_vec)),
        _ => return Ok(None),
    }
    text.push(b'>');
    Ok(Some(text))
}

fn found(value: &FieldValue) -> String {
    match value {
        FieldValue::Absent => "nothing".to_owned(),
        FieldValue::Unsigned(number) => format!("the number `{number}`"),
        FieldValue::Signed(number) => format!("the signed number `{number}`"),
        FieldValue::Bool(value) => format!("`{value}`"),
        FieldValue::String(_) => "a string".to_owned(),
        FieldValue::Resource(_) => "a resource".to_owned(),
        FieldValue::Attribute(value) => format!("the attribute `{}`", brief(&value.0)),
        FieldValue::Type(value) => format!("the type `{}`", brief(&value.0)),
        FieldValue::Integer { width, .. } => format!("an integer of {width} bits"),
        FieldValue::Blob(bytes) => format!("{} bytes", bytes.len()),
        FieldValue::List(items) => format!("a list of {}", items.len()),
    }
}

/// Converts field values to a node.
struct Filler<'b> {
    builder: &'b mut Builder,
    node: Node,
    /// The bytes of the node's blobs; a single one is not copied.
    data: Bytes,
}

impl Filler<'_> {
    fn field(&mut self, primitive: &Primitive, value: &FieldValue) -> Result<()> {
        let expected = match (primitive, value) {
            (Primitive::If(flag, inner), value) => {
                if self.node.number(*flag) != 0 {
                    return self.field(inner, value);
                }
                if *value != FieldValue::Absent {
                    return Err(misfit("no value, because the preceding flag is not set", found(value)));
                }
                return self.push(Field::Absent);
            }
            (
                Primitive::OptionalVarint | Primitive::OptionalAttribute(_) | Primitive::OptionalType,
                FieldValue::Absent,
            ) => {
                return self.push(Field::Absent);
            }
            (Primitive::Varint | Primitive::OptionalVarint, FieldValue::Unsigned(number)) => {
                let fits = matches!(primitive, Primitive::Varint) || *number < 1 << 63;
                if fits {
                    return self.push(Field::Unsigned(*number));
                }
                "a number below 2^63"
            }
            (Primitive::Byte, FieldValue::Unsigned(number @ 0..=255)) => {
                return self.push(Field::Unsigned(*number));
            }
            (Primitive::Signed, FieldValue::Signed(number)) => return self.push(Field::Signed(*number)),
            (Primitive::Bool, FieldValue::Bool(value)) => return self.push(Field::Bool(*value)),
            (Primitive::String, FieldValue::String(bytes)) => {
                let index = self.builder.string(bytes);
                return self.push(Field::String(index));
            }
            (Primitive::Resource, FieldValue::Resource(key)) => {
                let index = self.builder.key(key);
                return self.push(Field::Resource(index));
            }
            (
                Primitive::Blob
                | Primitive::Opaque
                | Primitive::Rest
                | Primitive::AffineMap
                | Primitive::IntegerSet,
                FieldValue::Blob(bytes),
            ) => {
                self.blob(bytes);
                return Ok(());
            }
            (
                Primitive::Attribute(class) | Primitive::OptionalAttribute(class),
                FieldValue::Attribute(part),
            ) => {
                return self.attribute(class.as_deref(), &part.0);
            }
            (Primitive::Type | Primitive::OptionalType, FieldValue::Type(part)) => {
                let EntryRef::Type(index) = self.builder.import(&part.0.home, part.0.of)? else {
                    return Err(misfit("a type", "an attribute"));
                };
                return self.push(Field::Type(index, 0));
            }
            (
                Primitive::List(_) | Primitive::OptionalList(_) | Primitive::Splat(_),
                FieldValue::List(values),
            ) => {
                return self.list(primitive, values);
            }
            (Primitive::OptionalList(_), FieldValue::Absent) => return self.push(Field::List(0)),
            (Primitive::VarintWithFlag, FieldValue::List(parts)) => {
                if let [FieldValue::Unsigned(number), FieldValue::Bool(flag)] = &**parts
                    && *number < 1 << 63
                {
                    let at = self.node.begin_list();
                    self.node.push(Field::Unsigned(*number));
                    self.node.push(Field::Bool(*flag));
                    self.node.end_list(at, 2);
                    return Ok(());
                }
                "a number below 2^63 and a flag"
            }
            (Primitive::Sparse(count), FieldValue::List(sizes)) if sizes.len() == *count as usize => {
                return self.sparse(sizes);
            }
            (Primitive::Switch(cases), FieldValue::List(parts)) => return self.switch(cases, parts),
            (Primitive::Bits(number), value) => {
                let index = self.node.r#type(*number);
                return self.bits(index, value);
            }
            (Primitive::Float(bits), FieldValue::Integer { words, width }) => {
                return self.integer(*bits, words, *width);
            }
            (primitive, _) => wanted(primitive),
        };
        Err(misfit(expected, found(value)))
    }

    fn push(&mut self, field: Field) -> Result<()> {
        self.node.push(field);
        Ok(())
    }

    fn blob(&mut self, bytes: &Bytes) {
        if self.data.is_empty() {
            self.data = bytes.clone();
            return self.node.push_blob(0..bytes.len());
        }
        let start = self.data.len();
        self.data = [&*self.data, bytes].concat().into();
        self.node.push_blob(start..self.data.len());
    }

    fn attribute(&mut self, class: Option<&str>, part: &Handle) -> Result<()> {
        let of = self.builder.import(&part.home, part.of)?;
        let EntryRef::Attribute(index) = of else { return Err(misfit("an attribute", "a type")) };
        if let (Some(class), Some(entry)) = (class, self.builder.entries().entry(of)) {
            let fits = match entry.form(of)? {
                Some(form) => form.classes.iter().any(|known| **known == *class),
                // The class of text of a dialect is unknown, but builtin text is of no class that is required
                // here.
                None => entry.dialect != b"builtin",
            };
            if !fits {
                return Err(misfit(format!("an attribute of class {class}"), describe(&entry, of)));
            }
        }
        self.push(Field::Attribute(index, 0))
    }

    fn list(&mut self, primitive: &Primitive, values: &[FieldValue]) -> Result<()> {
        let items = items_of(primitive);
        let at = self.node.begin_list();
        for value in values {
            match (items, value) {
                ([only], value) => self.field(only, value)?,
                (parts, FieldValue::List(values)) if values.len() == parts.len() => {
                    for (part, value) in parts.iter().zip(values) {
                        self.field(part, value)?;
                    }
                }
                (parts, other) => return Err(misfit(format!("a list of {}", parts.len()), found(other))),
            }
        }
        let Ok(count) = u32::try_from(values.len()) else {
            return Err(misfit("a list of fewer than 2^32 items", values.len().to_string()));
        };
        self.node.end_list(at, count);
        Ok(())
    }

    fn sparse(&mut self, sizes: &[FieldValue]) -> Result<()> {
        let at = self.node.begin_list();
        for size in sizes {
            match size {
                FieldValue::Unsigned(size @ 0..=0x7fff_ffff) => self.node.push(Field::Unsigned(*size)),
                other => return Err(misfit("a number of 31 bits", found(other))),
            }
        }
        self.node.end_list(at, sizes.len() as u32);
        Ok(())
    }

    fn switch(&mut self, cases: &[Case], parts: &[FieldValue]) -> Result<()> {
        let [FieldValue::Unsigned(kind), rest @ ..] = parts else {
            return Err(misfit(
                "the number of the case first",
                parts.first().map_or("nothing".into(), found),
            ));
        };
        let Some(case) = case_of(cases, *kind) else {
            return Err(misfit("a case of the switch", format!("`{kind}`")));
        };
        if case.items.len() != rest.len() {
            let expected = format!("{} values after case {kind}", case.items.len());
            return Err(misfit(expected, rest.len().to_string()));
        }
        let at = self.node.begin_list();
        self.node.push(Field::Unsigned(*kind));
        for (item, value) in case.items.iter().zip(rest) {
            self.field(item, value)?;
        }
        self.node.end_list(at, parts.len() as u32);
        Ok(())
    }

    fn bits(&mut self, r#type: Option<u32>, value: &FieldValue) -> Result<()> {
        let entries = self.builder.entries();
        let width = r#type.and_then(|index| bits_of(entries, index));
        let is_float = || {
            r#type
                .and_then(|index| dense::element(entries, index))
                .is_some_and(|el| matches!(el, Element::Float(_)))
        };
        match (width, value) {
            (Some(bits), FieldValue::Integer { words, width }) => self.integer(bits, words, *width),
            (Some(bits), FieldValue::Unsigned(number)) if !is_float() => {
                if bits < 64 && number >> bits != 0 {
                    return Err(misfit(format!("an integer of {bits} bits"), format!("`{number}`")));
                }
                self.words(bits, vec![*number]);
                Ok(())
            }
            (Some(bits), FieldValue::Signed(number)) if !is_float() => {
                let unused = 64_u64.saturating_sub(bits.max(1));
                let fits = if bits == 0 { *number == 0 } else { number << unused >> unused == *number };
                if !fits {
                    return Err(misfit(format!("an integer of {bits} bits"), format!("`{number}`")));
                }
                let sign = if *number < 0 { u64::MAX } else { 0 };
                let mut words = vec![sign; bits.div_ceil(64) as usize];
                if let Some(first) = words.first_mut() {
                    *first = *number as u64;
                }
                self.words(bits, words);
                Ok(())
            }
            (Some(bits), value) => Err(misfit(format!("an integer or float of {bits} bits"), found(value))),
            (None, FieldValue::Blob(bytes)) => {
                self.blob(bytes);
                Ok(())
            }
            (None, value) => Err(misfit("a type with numeric values", found(value))),
        }
    }

    fn integer(&mut self, bits: u64, words: &[u64], width: u32) -> Result<()> {
        let len = bits.div_ceil(64) as usize;
        let fits =
            words.iter().enumerate().all(|(place, &word)| match bits.saturating_sub(64 * place as u64) {
                0 => word == 0,
                left @ 1..64 => word >> left == 0,
                _ => true,
            });
        if u64::from(width) != bits || !fits {
            let found = match fits {
                true => format!("one of {width} bits"),
                false => "one that needs more bits".to_owned(),
            };
            return Err(misfit(format!("an integer or float of {bits} bits"), found));
        }
        let mut words = words.to_vec();
        words.resize(len, 0);
        self.words(bits, words);
        Ok(())
    }

    fn words(&mut self, bits: u64, mut words: Vec<u64>) {
        if let (Some(last), unused @ 1..) = (words.last_mut(), bits % 64) {
            *last &= (1 << unused) - 1;
        }
        if bits <= 64 {
            self.node.push(Field::Bits(words.first().copied().unwrap_or_default()));
        } else {
            self.node.push_words(words);
        }
    }
}

fn wanted(primitive: &Primitive) -> &'static str {
    match inner_of(primitive) {
        Primitive::Varint | Primitive::OptionalVarint => "a number",
        Primitive::Signed => "a signed number",
        Primitive::Byte => "a number below 256",
        Primitive::Bool => "a truth value",
        Primitive::String => "a string",
        Primitive::Resource => "the key of a resource",
        Primitive::Blob
        | Primitive::Opaque
        | Primitive::Rest
        | Primitive::AffineMap
        | Primitive::IntegerSet => "bytes",
        Primitive::Attribute(_) | Primitive::OptionalAttribute(_) => "an attribute",
        Primitive::Type | Primitive::OptionalType => "a type",
        Primitive::VarintWithFlag => "a number and a flag",
        Primitive::Switch(_) => "a kind number and what follows it",
        Primitive::Sparse(_) | Primitive::List(_) | Primitive::OptionalList(_) | Primitive::Splat(_) => {
            "a list"
        }
        Primitive::Bits(_) | Primitive::Float(_) => "an integer or the bits of a float",
        Primitive::If(..) => "a value",
    }
}

/// Rules of the builtin dialect's verifiers beyond the encoding of the fields
/// (`mlir/lib/IR/BuiltinAttributes.cpp`, `mlir/lib/IR/BuiltinTypes.cpp`).
fn check(builder: &Builder, form: &Encoding, layout: &Layout, node: &Node, data: &[u8]) -> Result<()> {
    let entries = builder.entries();
    let at = |name: &str| layout.index(name).unwrap_or(usize::MAX);
    let element = |name: &str| node.r#type(at(name)).and_then(|index| dense::element(entries, index));
    let sizes = || {
        node.items(at("shape")).iter().map(|field| match field {
            Field::Signed(size) => *size,
            _ => 0,
        })
    };
    let of_type =
        |name: &str| match node.r#type(at(name)).and_then(|index| entries.entry(EntryRef::Type(index))) {
            // The index is not part of the description.
            Some(entry) => describe(&entry, EntryRef::Type(0)),
            None => "no type".to_owned(),
        };
    let holds_elements = matches!(
        form.builtin,
        BuiltinKind::RankedTensorType
            | BuiltinKind::UnrankedTensorType
            | BuiltinKind::VectorType
            | BuiltinKind::MemRefType
            | BuiltinKind::UnrankedMemRefType
    );
    if holds_elements
        && let Some(index) = node.r#type(at("elementType"))
        && !may_be_element(entries, index, form.builtin)
    {
        return Err(misfit(format!("an element type that {} accepts", form.kind), of_type("elementType")));
    }
    match form.builtin {
        BuiltinKind::IntegerType => {
            let (width, sign) = (node.number(0) >> 2, node.number(0) & 3);
            if width > MAX_WIDTH || sign == 3 {
                let found = format!("a width of `{width}` and the sign `{sign}`");
                return Err(misfit("a width below 2^24 and a signedness of 0, 1 or 2", found));
            }
        }
        BuiltinKind::IntegerAttr => {
            if matches!(element("type"), None | Some(Element::Float(_) | Element::Complex(_))) {
                return Err(misfit("an integer type or `index`", of_type("type")));
            }
        }
        BuiltinKind::FloatAttr if !matches!(element("type"), Some(Element::Float(_))) => {
            return Err(misfit("a float type", of_type("type")));
        }
        BuiltinKind::ComplexType => {
            if matches!(element("elementType"), None | Some(Element::Index | Element::Complex(_))) {
                return Err(misfit("an integer or float type", of_type("elementType")));
            }
        }
        BuiltinKind::RankedTensorType | BuiltinKind::MemRefType => {
            if let Some(size) = sizes().find(|&size| size < 0 && size != i64::MIN) {
                return Err(misfit(
                    "sizes of at least zero, or the minimum integer for a dynamic size",
                    format!("`{size}`"),
                ));
            }
        }
        BuiltinKind::VectorType => {
            if let Some(size) = sizes().find(|&size| size <= 0) {
                return Err(misfit("sizes above zero", format!("`{size}`")));
            }
            let flags = node.items(at("scalable")).len();
            if layout.index("scalable").is_some() && flags != sizes().count() {
                return Err(misfit(format!("`{}` flags", sizes().count()), format!("`{flags}`")));
            }
        }
        BuiltinKind::DenseArrayAttr => {
            let bytes = match element("elementType") {
                Some(
                    element @ (Element::Signless(_)
                    | Element::Signed(_)
                    | Element::Unsigned(_)
                    | Element::Float(_)),
                ) => u64::from(element.bits().div_ceil(8)),
                _ => return Err(misfit("an integer or float type", of_type("elementType"))),
            };
            let size = node.blob(node.field(at("data")), data).len() as u64;
            if node.number(at("size")).checked_mul(bytes) != Some(size) {
                let expected = format!("`{}` elements of `{bytes}` bytes", node.number(at("size")));
                return Err(misfit(expected, format!("`{size}` bytes")));
            }
        }
        BuiltinKind::DenseIntOrFPElementsAttr => {
            let index = node.r#type(0).unwrap_or(u32::MAX);
            static_shape(builder, index)?;
            let size = node.blob(node.field(1), data).len();
            if Dense::new(entries, index, node.blob(node.field(1), data)).is_none() {
                let count = dense::count(&dense::shape(entries, index).unwrap_or_default());
                let element =
                    dense::element_type(entries, index).and_then(|index| dense::element(entries, index));
                let Some(element) = element else {
                    return Err(misfit("a type with numeric elements", of_type("type")));
                };
                let expected = format!("`{count}` elements of `{}` bytes, or one", element.storage());
                return Err(misfit(expected, format!("`{size}` bytes")));
            }
        }
        BuiltinKind::DenseStringElementsAttr => {
            let index = node.r#type(0).unwrap_or(u32::MAX);
            let count = static_shape(builder, index)?;
            let strings = node.items(2).len() as u64;
            let is_splat = node.number(1) != 0;
            if strings != if is_splat { 1 } else { count } {
                return Err(misfit(format!("`{count}` strings, or one for all"), format!("`{strings}`")));
            }
        }
        BuiltinKind::SparseElementsAttr => {
            static_shape(builder, node.r#type(0).unwrap_or(u32::MAX))?;
            let checked = ElementsCheck::default().check_sparse(entries, node);
            checked.map_err(|error| misfit(error.expected().to_owned(), error.found().to_owned()))?;
        }
        BuiltinKind::DenseResourceElementsAttr => {
            let index = node.r#type(0).unwrap_or(u32::MAX);
            if dense::shape(entries, index).is_none() {
                return Err(misfit("a shaped type", of_type("type")));
            }
        }
        _ => {}
    }
    Ok(())
}

/// The element types of tensors, vectors and memrefs; other dialects define this for their types
/// (`isValidElementType` of each in `mlir/lib/IR/BuiltinTypes.cpp`).
pub(crate) fn may_be_element(entries: &impl Entries, index: u32, container: BuiltinKind) -> bool {
    let of = EntryRef::Type(index);
    let Some(entry) = entries.entry(of).filter(|entry| entry.dialect == b"builtin") else { return true };
    if dense::element(entries, index).is_some_and(|element| !matches!(element, Element::Complex(_))) {
        return true;
    }
    let kind = entry.form(of).ok().flatten().map_or(BuiltinKind::Other, |form| form.builtin);
    match container {
        BuiltinKind::VectorType => false,
        BuiltinKind::MemRefType | BuiltinKind::UnrankedMemRefType => matches!(
            kind,
            BuiltinKind::ComplexType
                | BuiltinKind::VectorType
                | BuiltinKind::MemRefType
                | BuiltinKind::UnrankedMemRefType
        ),
        _ => matches!(kind, BuiltinKind::ComplexType | BuiltinKind::VectorType),
    }
}

/// The number of elements of a tensor, vector or memref with a static shape.
pub(crate) fn static_shape(builder: &Builder, index: u32) -> Result<u64> {
    let entries = builder.entries();
    let of = EntryRef::Type(index);
    let entry = entries.entry(of);
    let kind = entry.and_then(|entry| entry.form(of).ok().flatten()).map(|form| form.builtin);
    let shape = dense::shape(entries, index).unwrap_or_default();
    let is_shaped = matches!(
        kind,
        Some(BuiltinKind::RankedTensorType | BuiltinKind::VectorType | BuiltinKind::MemRefType)
    );
    if !is_shaped || shape.iter().any(|&size| size < 0) {
        let found = entry.map_or_else(String::new, |entry| describe(&entry, of));
        return Err(misfit("a type with a static shape", found));
    }
    let mut sizes = shape.iter().map(|&size| u64::try_from(size).ok());
    let count = sizes.try_fold(1_u64, |product, size| product.checked_mul(size?));
    count.ok_or_else(|| Error::message(ErrorKind::Value, "the type has 2^64 elements or more"))
}

/// Sorted by name; names are unique (`DictionaryAttr::get` in `mlir/lib/IR/BuiltinAttributes.cpp`).
fn sorted_dictionary(builder: &Builder, node: &Node) -> Result<Node> {
    let entries = builder.entries();
    let name = |pair: &[Field]| match pair.first() {
        Some(&Field::Attribute(index, _)) => string_of(entries, index).unwrap_or_default(),
        _ => &[],
    };
    let mut pairs: Vec<&[Field]> = node.items(0).chunks_exact(2).collect();
    pairs.sort_by(|l, r| name(l).cmp(name(r)));
    if let Some(twice) = pairs.windows(2).find(|pair| name(pair[0]) == name(pair[1])) {
        let name = String::from_utf8_lossy(name(twice[0]));
        return Err(Error::message(ErrorKind::Value, format!("the name `{name}` occurs twice")));
    }
    let mut sorted = Node::default();
    sorted.begin_field();
    let at = sorted.begin_list();
    for pair in &pairs {
        pair.iter().for_each(|&field| sorted.push(field));
    }
    sorted.end_list(at, pairs.len() as u32);
    Ok(sorted)
}

/// Elements in MLIR's representation: equal ones once, one-bit ones packed
/// (`DenseIntOrFPElementsAttrStorage::getKey` in `mlir/lib/IR/AttributeDetail.h`).
pub(crate) fn canonical_elements(dense: &Dense<'_>, data: &Bytes) -> Bytes {
    if dense.count == 0 {
        return data.clone();
    }
    if dense.element.is_bool() {
        let splat = |value: bool| Bytes::from_static(if value { &[0xff] } else { &[0] });
        let first = dense.bit(0);
        if dense.is_splat {
            return splat(first);
        }
        let mut packed = data.clone();
        if !dense.is_packed {
            let mut bits = vec![0; dense.count.div_ceil(8) as usize];
            for at in (0..dense.count).filter(|&at| dense.bit(at)) {
                bits[(at / 8) as usize] |= 1 << (at % 8);
            }
            packed = bits.into();
        }
        // Nonzero bits after the last element prevent a splat.
        let (unused, full) = ((8 - dense.count % 8) % 8, if first { 0xff } else { 0 });
        let is_full = match packed.split_last() {
            Some((last, rest)) => *last == full >> unused && rest.iter().all(|&byte| byte == full),
            None => false,
        };
        return if is_full { splat(first) } else { packed };
    }
    let len = dense.bytes(0).len();
    if !dense.is_splat && data.chunks(len.max(1)).all(|element| element == dense.bytes(0)) {
        return data.slice(..len);
    }
    data.clone()
}

fn dense_node(node: &Node, len: usize) -> Node {
    let mut dense = Node::default();
    dense.begin_field();
    dense.push(node.field(0));
    dense.begin_field();
    dense.push_blob(0..len);
    dense
}
