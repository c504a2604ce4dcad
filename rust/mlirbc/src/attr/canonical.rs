//! Entries in MLIR's representation after reading: equivalent encodings become one.

use super::text::dense::Dense;
use super::text::entry::string_of;
use crate::dialect::entries::Entries;
use crate::dialect::node::{Field, Node};
use crate::dialect::table::{BuiltinKind, DialectTable, Encoding};
use crate::wire::bytes::Bytes;
use crate::wire::order::sort_by;

use super::build::canonical_elements;

/// The encoding and the fields in MLIR's representation, if they differ; references are to `entries`, and
/// blobs are ranges of the bytes.
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
        _ => None,
    }
}

/// Whether MLIR keeps an entry unchanged.
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
        // Comparing the first elements is cheap; only equal ones are copied.
        BuiltinKind::DenseIntOrFPElementsAttr => {
            splat(node, &Bytes::copy_from_slice(data), entries).is_none()
        }
        _ => true,
    }
}

// A range that is one point (`FileLineColLoc::classof` in `mlir/lib/IR/Location.cpp`).
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

// Dictionaries are sorted by name (`DictionaryAttr::get` in `mlir/lib/IR/BuiltinAttributes.cpp`).
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

// Equal elements are stored once. One-bit elements are packed in ways that depend on the release, and are
// kept.
fn splat(node: &Node, data: &Bytes, entries: &impl Entries) -> Option<(Node, Bytes)> {
    let range = node.blob_range(node.field(1));
    let elements = data.get(range.clone())?;
    let dense = Dense::new(entries, node.r#type(0)?, elements)?;
    if dense.is_splat || dense.element.is_bool() {
        return None;
    }
    let one = canonical_elements(&dense, &data.slice(range.clone()));
    if one.len() == range.len() {
        return None;
    }
    let mut splat = Node::default();
    splat.begin_field();
    splat.push(node.field(0));
    splat.begin_field();
    splat.push_blob(0..one.len());
    Some((splat, one))
}
