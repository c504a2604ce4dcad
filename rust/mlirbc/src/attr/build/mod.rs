//! Construction of attributes and types from fields: selects the encoding, checks the fields, encodes them.

pub(crate) mod builtin;
mod check;
mod fill;

use std::sync::Arc;

use crate::attr::canonical::restated;
use crate::attr::text::affine;
use crate::attr::text::affine::{AffineMap, IntegerSet};
use crate::attr::text::dense::Dense;
use crate::attr::text::parse::skim::skim_value;
use crate::dialect::entries::{EntryRef, bits_of};
use crate::dialect::node::Node;
use crate::dialect::primitive;
use crate::dialect::registry::find_dialect;
use crate::dialect::table::{BuiltinKind, DialectTable, Encoding, Primitive};
use crate::wire::bytes::Bytes;
use crate::wire::cursor::Cursor;
use crate::wire::error::{Error, ErrorKind, Result};

use crate::attr::declared_fields::{build_declared, find_class};
use crate::attr::table::{Builder, Identity, is_distinct};
use crate::attr::{FieldValue, Handle, is_text_before_23, misfit, plain_text, strided_text};

pub(crate) use check::{canonical_elements, may_be_element, static_shape};
use check::{check, dense_node, sorted_dictionary};
use fill::Filler;
pub(in crate::attr) use fill::describe_value;

/// The largest width of an integer type (`IntegerType::kMaxWidth` in `mlir/include/mlir/IR/BuiltinTypes.td`).
const MAX_WIDTH: u64 = (1 << 24) - 1;

type NamedFields<'f> = Vec<(&'f str, FieldValue)>;

/// Builds a value stored as text.
pub(crate) fn from_text(sort: EntryRef, dialect: &str, text: &[u8]) -> Result<Handle> {
    if dialect.is_empty() || text.is_empty() || text.contains(&0) {
        return Err(misfit(
            "the name of a dialect and a text without zero bytes",
            format!("`{dialect}` and `{}`", text.escape_ascii()),
        ));
    }
    let is_type = matches!(sort, EntryRef::Type(_));
    if let Err(error) = skim_value(text, is_type) {
        let expected = if is_type { "the text of one type" } else { "the text of one attribute" };
        return Err(misfit(expected, error.to_string()));
    }
    let mut builder = Builder::new();
    let dialect = builder.dialect(dialect.as_bytes());
    let entry_ref = builder.text(is_type, dialect, text)?;
    Ok(Handle { home: builder.finish(), of: entry_ref })
}

/// Builds a value of this kind with these fields.
pub(crate) fn build(
    sort: EntryRef,
    dialect: &str,
    kind: &str,
    fields: &[(&str, FieldValue)],
) -> Result<Handle> {
    let Some(table) = find_dialect(dialect) else {
        if let Some(class) = find_class(matches!(sort, EntryRef::Type(_)), dialect, kind) {
            return build_declared(class, Vec::new(), fields.to_vec());
        }
        return Err(Error::message(ErrorKind::Value, format!("no table is known for dialect `{dialect}`")));
    };
    build_with(&table, sort, kind, fields)
}

/// As [`build`], with the table of a dialect.
pub(crate) fn build_with(
    table: &Arc<DialectTable>,
    sort: EntryRef,
    kind: &str,
    fields: &[(&str, FieldValue)],
) -> Result<Handle> {
    let is_type = matches!(sort, EntryRef::Type(_));
    let dialect = table.dialect();
    let forms = if is_type { &table.types } else { &table.attributes };
    if !table.is_shipped
        && forms.of_kind(kind).next().is_none()
        && let Some(class) = find_class(is_type, dialect, kind)
    {
        return build_declared(class, Vec::new(), fields.to_vec());
    }
    let mut builder = Builder::new();
    let dialect_id = builder.dialect_with(dialect.as_bytes(), Some(table.clone()));
    let mut fields_by_name: NamedFields<'_> = fields
        .iter()
        .filter(|field| field.1 != FieldValue::Absent)
        .map(|(name, value)| (*name, value.clone()))
        .collect();
    if dialect == "builtin" {
        normalise(kind, &mut fields_by_name);
    }
    let form = choose(table, is_type, kind, &fields_by_name)?;
    if dialect == "builtin"
        && let Some(text) = written_as_text(form, &fields_by_name)?
    {
        let entry_ref = builder.text(is_type, dialect_id, &text)?;
        return Ok(Handle { home: builder.finish(), of: entry_ref });
    }
    let layout = form.layouts.first().ok_or_else(|| no_layout(kind))?;
    let mut filler = Filler { builder: &mut builder, node: Node::default(), data: Bytes::new() };
    for spec in &layout.fields {
        let value = fields_by_name
            .iter()
            .find(|field| field.0 == &*spec.name)
            .map_or(&FieldValue::Absent, |field| &field.1);
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
    let restated = restated(table, form, layout, &node, builder.entries());
    let (form, node) = restated.map_or((form, node), |(form, node)| (form, node));
    let Some(layout) = form.layouts.first() else { return Err(no_layout(kind)) };
    let entry_ref = builder.encoded(is_type, dialect_id, (form, layout), &node, &data, identity)?;
    Ok(Handle { home: builder.finish(), of: entry_ref })
}

/// Encodes a value with these fields, in this order; references are to the entries of `builder`.
///
/// # Errors
/// If a field does not fit its primitive.
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

#[cold]
fn no_layout(kind: &str) -> Error {
    Error::message(ErrorKind::Value, format!("the encoding of {kind} has no layout"))
}

fn at_field(error: Error, name: &str, form: &Encoding) -> Error {
    error.with_path(format!("field `{name}` of {}", form.kind))
}

/// Removes and merges fields that are redundant: the encodings of one kind differ in them.
fn normalise(kind: &str, fields_by_name: &mut NamedFields<'_>) {
    let is_none =
        |value: &FieldValue| matches!(value, FieldValue::Type(value) if value.class() == Some("NoneType"));
    let is_fixed = |value: &FieldValue| match value {
        FieldValue::List(flags) => flags.iter().all(|flag| *flag == FieldValue::Bool(false)),
        _ => false,
    };
    fields_by_name.retain(|(name, value)| match (kind, *name) {
        ("StringAttr", "type") => !is_none(value),
        ("VectorType", "scalable") => !is_fixed(value),
        _ => true,
    });
    // A range that is a single point has its own encoding.
    if kind == "FileLineColLoc"
        && let Some(place) = fields_by_name.iter().position(|field| field.0 == "positions")
        && let FieldValue::List(numbers) = &fields_by_name[place].1
        && let [line, column] = &**numbers
    {
        let point = [("line", line.clone()), ("column", column.clone())];
        fields_by_name.remove(place);
        fields_by_name.extend(point);
    }
}

fn choose<'t>(
    table: &'t Arc<DialectTable>,
    is_type: bool,
    kind: &str,
    fields_by_name: &NamedFields<'_>,
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
        let missing =
            layout.fields.iter().filter(|spec| !fields_by_name.iter().any(|field| *field.0 == *spec.name));
        if !fields_by_name.iter().all(|field| is_known(field.0))
            || !missing.clone().all(|spec| may_be_absent(&spec.primitive))
        {
            continue;
        }
        let missing = missing.count();
        if best.is_none_or(|(_, least)| missing < least) {
            best = Some((form, missing));
        }
    }
    best.map(|best| best.0).ok_or_else(|| no_form(forms.of_kind(kind), table.dialect(), kind, fields_by_name))
}

#[cold]
fn no_form<'t>(
    forms: impl Iterator<Item = &'t Encoding>,
    dialect: &str,
    kind: &str,
    fields_by_name: &NamedFields<'_>,
) -> Error {
    let list = |names: &mut dyn Iterator<Item = &str>| {
        let names: Vec<String> = names.map(|name| format!("`{name}`")).collect();
        if names.is_empty() { "no fields".to_owned() } else { names.join(", ") }
    };
    let expected_fields: Vec<String> = forms
        .filter_map(|form| form.layouts.first())
        .map(|layout| list(&mut layout.fields.iter().map(|spec| &*spec.name)))
        .collect();
    if expected_fields.is_empty() {
        return Error::message(ErrorKind::Value, format!("the table of dialect {dialect} has no `{kind}`"));
    }
    misfit(
        format!("{} for {kind}", expected_fields.join(" or ")),
        list(&mut fields_by_name.iter().map(|field| field.0)),
    )
}

/// Prints builtin attributes and types that releases up to 22 write as text.
fn written_as_text(form: &Encoding, fields_by_name: &NamedFields<'_>) -> Result<Option<Vec<u8>>> {
    let blob = |name: &str| match fields_by_name.iter().find(|field| field.0 == name) {
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
            for (name, value) in fields_by_name {
                match (*name, value) {
                    ("offset", FieldValue::Signed(number)) => offset = *number,
                    ("strides", FieldValue::List(items)) => {
                        for item in items {
                            let FieldValue::Signed(stride) = item else {
                                return Err(misfit("a signed number for each stride", describe_value(item)));
                            };
                            strides.push(*stride);
                        }
                    }
                    (name, value) => {
                        return Err(misfit(
                            format!("strides or an offset in `{name}`"),
                            describe_value(value),
                        ));
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
