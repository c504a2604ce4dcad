//! Entries in MLIR's representation after reading: equivalent encodings become one.

use super::text::dense::Dense;
use super::text::entry::string_of;
use crate::dialect::entries::Entries;
use crate::dialect::entries::EntryRef;
use crate::dialect::node::{ArrangedField, Field, Node};
use crate::dialect::table::{
    BuiltinKind, DialectTable, Encoding, FieldSpec, Layout, Omit, Primitive, WriteCondition,
};
use crate::format::id::TypeId;
use crate::wire::bytes::Bytes;
use crate::wire::order::sort_by;

use super::build::canonical_elements;

/// Converts an entry to MLIR's representation; returns the encoding and the fields if they differ. References
/// are to `entries`, and blobs are ranges of the bytes.
pub(crate) fn canonical<'t>(
    table: &'t DialectTable,
    form: &Encoding,
    node: &Node,
    data: &Bytes,
    entries: &impl Entries,
) -> Option<(&'t Encoding, Node, Bytes)> {
    match form.builtin {
        BuiltinKind::FileLineColLoc => point(table, node),
        BuiltinKind::DictionaryAttr => {
            Some((table.attributes.by_code(form.code)?, sorted(node, entries)?, data.clone()))
        }
        BuiltinKind::DenseIntOrFPElementsAttr => {
            let (node, elements) = splat(node, data, entries)?;
            Some((table.attributes.by_code(form.code)?, node, elements))
        }
        _ if form.is_restated => {
            let (form, node) = restated(table, form, form.layouts.first()?, node, entries)?;
            Some((form, node, data.clone()))
        }
        _ => None,
    }
}

/// Returns the encoding that MLIR writes for the fields of an attribute, without fields that MLIR omits, if
/// it differs. References are to `entries`.
///
/// Only the codes of nested attributes are read, because many entries may refer to one large attribute.
pub(crate) fn restated<'t>(
    table: &'t DialectTable,
    form: &Encoding,
    layout: &Layout,
    node: &Node,
    entries: &impl Entries,
) -> Option<(&'t Encoding, Node)> {
    if !form.is_restated {
        return None;
    }
    let new = written_form(table, form, layout, node, entries)?;
    let fields = &new.layouts.first()?.fields;
    let is_lost = |(number, spec): (usize, &FieldSpec)| {
        fields.iter().all(|field| field.name != spec.name) && !is_omitted(spec, node, number)
    };
    if layout.fields.iter().enumerate().any(is_lost) {
        return None;
    }
    let mut order = Vec::new();
    let mut is_changed = new.code != form.code;
    for spec in fields {
        order.push(match layout.index(&spec.name) {
            Some(number) if matches!(spec.omit, Some(Omit::Iota(_))) && is_omitted(spec, node, number) => {
                is_changed |= node.field(number) != Field::List(0);
                ArrangedField::New(Field::List(0))
            }
            Some(number) => ArrangedField::Kept(number),
            None => ArrangedField::New(default_of(spec)?),
        });
    }
    is_changed.then(|| (new, node.arranged(&order)))
}

// Returns the last encoding of the kind whose conditions hold.
fn written_form<'t>(
    table: &'t DialectTable,
    form: &Encoding,
    layout: &Layout,
    node: &Node,
    entries: &impl Entries,
) -> Option<&'t Encoding> {
    let holds = |condition: &WriteCondition| {
        let Some(number) = layout.index(&condition.field) else { return false };
        let Some(spec) = layout.fields.get(number) else { return false };
        if condition.has.is_empty() {
            return !is_omitted(spec, node, number);
        }
        let is_one = |item: &Field| {
            let Field::Attribute(index, _) = *item else { return false };
            let attribute_ref = EntryRef::Attribute(index);
            let form =
                entries.entry(attribute_ref).and_then(|entry| entry.form(attribute_ref).ok().flatten());
            form.is_some_and(|form| condition.has.contains(&form.name))
        };
        node.items(number).iter().any(is_one)
    };
    table.attributes.of_kind(&form.kind).filter(|form| form.when.iter().all(holds)).last()
}

fn default_of(spec: &FieldSpec) -> Option<Field> {
    match (&spec.primitive, spec.omit?) {
        (Primitive::List(_) | Primitive::OptionalList(_), _) => Some(Field::List(0)),
        (Primitive::Signed, Omit::Number(number)) => Some(Field::Signed(number)),
        (Primitive::Bool, Omit::Number(number)) => Some(Field::Bool(number != 0)),
        (Primitive::Varint | Primitive::Byte, Omit::Number(number)) => Some(Field::Unsigned(number as u64)),
        _ => None,
    }
}

/// Returns whether a list or a number has the value that is omitted.
pub(crate) fn is_omitted(spec: &FieldSpec, node: &Node, number: usize) -> bool {
    match (node.field(number), spec.omit) {
        (Field::List(0), Some(Omit::Empty | Omit::Iota(_))) => true,
        (Field::List(_), Some(Omit::Iota(list_field))) => {
            let is_iota = (0..).zip(node.items(number)).all(|(place, &item)| item == Field::Signed(place));
            is_iota && !matches!(node.field(list_field), Field::List(0) | Field::Absent)
        }
        (Field::Signed(value), Some(Omit::Number(omitted))) => value == omitted,
        (Field::Unsigned(value), Some(Omit::Number(omitted))) => value == omitted as u64,
        (Field::Bool(value), Some(Omit::Number(omitted))) => i64::from(value) == omitted,
        _ => false,
    }
}

/// Returns whether MLIR keeps an entry unchanged.
#[inline]
pub(crate) fn is_canonical(
    table: &DialectTable,
    form: &Encoding,
    node: &Node,
    data: &[u8],
    entries: &impl Entries,
) -> bool {
    match form.builtin {
        BuiltinKind::FileLineColLoc => point(table, node).is_none(),
        BuiltinKind::DictionaryAttr => sorted(node, entries).is_none(),
        // Comparing the first elements is cheap; the elements are copied only if these are equal.
        BuiltinKind::DenseIntOrFPElementsAttr => {
            splat(node, &Bytes::copy_from_slice(data), entries).is_none()
        }
        _ if form.is_restated => {
            let layout = form.layouts.first();
            layout.is_none_or(|layout| restated(table, form, layout, node, entries).is_none())
        }
        _ => true,
    }
}

// Converts a range that is a single point (`FileLineColLoc::classof` in `mlir/lib/IR/Location.cpp`).
fn point<'t>(table: &'t DialectTable, node: &Node) -> Option<(&'t Encoding, Node, Bytes)> {
    let &[line @ Field::Unsigned(_), column @ Field::Unsigned(_)] = node.items(1) else { return None };
    let form = table.attributes.by_code(table.attributes.code("FileLineColLoc")?)?;
    let mut point = Node::default();
    for field in [node.field(0), line, column] {
        point.begin_field();
        point.push(field);
    }
    Some((form, point, Bytes::new()))
}

// Sorts a dictionary by name (`DictionaryAttr::get` in `mlir/lib/IR/BuiltinAttributes.cpp`).
pub(crate) fn sorted(node: &Node, entries: &impl Entries) -> Option<Node> {
    let name = |pair: &[Field]| match pair.first() {
        Some(&Field::Attribute(index, _)) => string_of(entries, index).unwrap_or_default(),
        _ => &[],
    };
    let mut pairs: Vec<&[Field]> = node.items(0).chunks_exact(2).collect();
    if pairs.is_sorted_by(|l, r| name(l) <= name(r)) {
        return None;
    }
    sort_by(&mut pairs, |l, r| name(l).cmp(name(r)));
    let mut sorted = Node::default();
    sorted.begin_field();
    let at = sorted.begin_list();
    pairs.iter().flat_map(|pair| pair.iter()).for_each(|&field| sorted.push(field));
    sorted.end_list(at, pairs.len() as u32);
    Some(sorted)
}

// Stores equal elements once. One-bit elements are packed in ways that depend on the release, and are kept.
fn splat(node: &Node, data: &Bytes, entries: &impl Entries) -> Option<(Node, Bytes)> {
    let range = node.blob_range(node.field(1));
    let elements = data.get(range.clone())?;
    let dense = Dense::new(entries, TypeId::new(node.r#type(0)?.number()), elements)?;
    if dense.is_splat || dense.element.is_bool() {
        return None;
    }
    let element = canonical_elements(&dense, &data.slice(range.clone()));
    if element.len() == range.len() {
        return None;
    }
    let mut splat = Node::default();
    splat.begin_field();
    splat.push(node.field(0));
    splat.begin_field();
    splat.push_blob(0..element.len());
    Some((splat, element))
}

#[cfg(test)]
mod tests {
    use crate::attr::{Attribute, FieldValue};
    use crate::dialect::DialectTable;
    use crate::dialect::entries::Entries;

    /// The code of an attribute.
    fn code(value: &Attribute) -> u64 {
        let view = value.0.home.view().unwrap();
        view.entry(value.0.of).unwrap().form(value.0.of).unwrap().unwrap().code
    }

    fn parsed(text: &str) -> Attribute {
        Attribute::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    #[test]
    fn a_sharding_has_the_code_that_its_axes_need() {
        for (text, expected) in [
            ("#sdy.sharding<@m, []>", 6),
            ("#sdy.sharding<@m, [{}], replicated={\"x\"}>", 6),
            ("#sdy.sharding<@m, [], unreduced={\"x\"}>", 15),
            ("#sdy.sharding<@m, [], unreduced=max{\"x\"}>", 17),
            ("#sdy.sharding<@m, [], unreduced=min{\"x\"}>", 17),
            ("#sdy.sharding_per_value<[]>", 7),
            ("#sdy.sharding_per_value<[<@m, []>]>", 7),
            ("#sdy.sharding_per_value<[<@m, []>, <@m, [], unreduced={\"x\"}>]>", 16),
            ("#sdy.sharding_per_value<[<@m, [], unreduced=max{\"x\"}>]>", 16),
        ] {
            assert_eq!(code(&parsed(text)), expected, "{text}");
        }
    }

    #[test]
    fn fields_select_the_code_as_text_does() {
        let axis = parsed("#sdy<axis_ref\"x\">");
        let sharding = |unreduced: Vec<FieldValue>, reduction: i64| {
            let fields = [
                ("mesh_or_ref", FieldValue::Attribute(parsed("@m"))),
                ("dim_shardings", FieldValue::List(Vec::new())),
                ("replicated_axes", FieldValue::List(Vec::new())),
                ("unreduced_axes", FieldValue::List(unreduced)),
                ("reduction_op", FieldValue::Signed(reduction)),
            ];
            Attribute::build("sdy", "TensorShardingAttr", &fields).unwrap()
        };
        let some = || vec![FieldValue::Attribute(axis.clone())];
        let all = [sharding(Vec::new(), 0), sharding(some(), 0), sharding(some(), 1)];
        assert_eq!(all.each_ref().map(code), [6, 15, 17]);
        assert_eq!(all[0], parsed("#sdy.sharding<@m, []>"));
        assert_eq!(all[2].to_string(), "#sdy.sharding<@m, [], unreduced=max{\"x\"}>");
        for (value, expected) in all.iter().zip([7, 16, 16]) {
            let fields = [("shardings", FieldValue::List(vec![FieldValue::Attribute(value.clone())]))];
            let per_value = Attribute::build("sdy", "TensorShardingPerValueAttr", &fields).unwrap();
            assert_eq!(code(&per_value), expected);
        }
    }

    #[test]
    fn conditions_name_fields() {
        let table = |when: &str, sort: &str| {
            DialectTable::from_toml(&format!(
                "dialect = 't'\n[[{sort}]]\ncode = 0\nname = 'A'\nfields = ['a: list(signed) omit empty']\n\
                 when = [{{ field = '{when}' }}]\n"
            ))
        };
        assert!(table("a", "attribute").is_ok());
        assert!(table("b", "attribute").unwrap_err().to_string().contains("`b`"));
        assert!(table("a", "type").unwrap_err().to_string().contains("attributes only"));
    }
}
