//! Rules of builtin classes that their encodings do not imply, and their canonical forms.

use crate::attr::table::Builder;
use crate::attr::text::dense;
use crate::attr::text::dense::{Dense, Element};
use crate::attr::text::entry::string_of;
use crate::attr::text::sparse::ElementsCheck;
use crate::attr::{describe, misfit};
use crate::dialect::entries::{Entries, EntryRef};
use crate::dialect::node::{Field, Node};
use crate::dialect::table::{BuiltinKind, Encoding, Layout};
use crate::format::id::TypeId;
use crate::wire::bytes::Bytes;
use crate::wire::error::{Error, ErrorKind, Result};
use crate::wire::order::sort_by;

use super::MAX_WIDTH;

/// Rules of the builtin dialect's verifiers beyond the encoding of the fields
/// (`mlir/lib/IR/BuiltinAttributes.cpp`, `mlir/lib/IR/BuiltinTypes.cpp`).
pub(super) fn check(
    builder: &Builder,
    form: &Encoding,
    layout: &Layout,
    node: &Node,
    data: &[u8],
) -> Result<()> {
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
            // The description of a type does not contain its index.
            Some(entry) => describe(&entry, EntryRef::Type(TypeId::new(0))),
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
                let actual = format!("a width of `{width}` and the sign `{sign}`");
                return Err(misfit("a width below 2^24 and a signedness of 0, 1 or 2", actual));
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
            let index = node.r#type(0).unwrap_or(TypeId::PAST_TABLES);
            static_shape(builder, index)?;
            let size = node.blob(node.field(1), data).len();
            if Dense::new(entries, index, node.blob(node.field(1), data)).is_none() {
                let count = dense::count(&dense::shape(entries, index).unwrap_or_default());
                let Some(element) = dense::element_of(entries, index) else {
                    return Err(misfit("a type with numeric elements", of_type("type")));
                };
                let expected = format!("`{count}` elements of `{}` bytes, or one", element.storage());
                return Err(misfit(expected, format!("`{size}` bytes")));
            }
        }
        BuiltinKind::DenseStringElementsAttr => {
            let index = node.r#type(0).unwrap_or(TypeId::PAST_TABLES);
            let count = static_shape(builder, index)?;
            let strings = node.items(2).len() as u64;
            let is_splat = node.number(1) != 0;
            if strings != if is_splat { 1 } else { count } {
                return Err(misfit(format!("`{count}` strings, or one for all"), format!("`{strings}`")));
            }
        }
        BuiltinKind::SparseElementsAttr => {
            static_shape(builder, node.r#type(0).unwrap_or(TypeId::PAST_TABLES))?;
            let checked = ElementsCheck::default().check_sparse(entries, node);
            checked.map_err(|error| misfit(error.expected().to_owned(), error.found().to_owned()))?;
        }
        BuiltinKind::DenseResourceElementsAttr => {
            let index = node.r#type(0).unwrap_or(TypeId::PAST_TABLES);
            if dense::shape(entries, index).is_none() {
                return Err(misfit("a shaped type", of_type("type")));
            }
        }
        _ => {}
    }
    Ok(())
}

/// Returns whether a type may be the element type of a tensor, vector or memref. Other dialects define this
/// for their own types (`isValidElementType` of each container in `mlir/lib/IR/BuiltinTypes.cpp`).
pub(crate) fn may_be_element(entries: &impl Entries, index: TypeId, container: BuiltinKind) -> bool {
    let entry_ref = EntryRef::Type(index);
    let Some(entry) = entries.entry(entry_ref).filter(|entry| entry.dialect == b"builtin") else {
        return true;
    };
    if dense::element(entries, index).is_some_and(|element| !matches!(element, Element::Complex(_))) {
        return true;
    }
    let kind = entry.form(entry_ref).ok().flatten().map_or(BuiltinKind::Other, |form| form.builtin);
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

/// Returns the number of elements of a tensor, vector or memref with a static shape.
pub(crate) fn static_shape(builder: &Builder, index: TypeId) -> Result<u64> {
    let entries = builder.entries();
    let entry_ref = EntryRef::Type(index);
    let entry = entries.entry(entry_ref);
    let kind = entry.and_then(|entry| entry.form(entry_ref).ok().flatten()).map(|form| form.builtin);
    let shape = dense::shape(entries, index);
    // Shaped types of other dialects are stored as text.
    let is_shaped = match kind {
        None => shape.is_some() && entry.is_some_and(|entry| entry.text().is_some()),
        Some(kind) => {
            matches!(kind, BuiltinKind::RankedTensorType | BuiltinKind::VectorType | BuiltinKind::MemRefType)
        }
    };
    let shape = shape.unwrap_or_default();
    if !is_shaped || shape.iter().any(|&size| size < 0) {
        let actual = entry.map_or_else(String::new, |entry| describe(&entry, entry_ref));
        return Err(misfit("a type with a static shape", actual));
    }
    let mut sizes = shape.iter().map(|&size| u64::try_from(size).ok());
    let count = sizes.try_fold(1_u64, |product, size| product.checked_mul(size?));
    count.ok_or_else(|| Error::message(ErrorKind::Value, "the type has 2^64 elements or more"))
}

/// Sorts a dictionary by name and checks that names are unique (`DictionaryAttr::get` in
/// `mlir/lib/IR/BuiltinAttributes.cpp`).
pub(super) fn sorted_dictionary(builder: &Builder, node: &Node) -> Result<Node> {
    let entries = builder.entries();
    let name = |pair: &[Field]| match pair.first() {
        Some(&Field::Attribute(index, _)) => string_of(entries, index).unwrap_or_default(),
        _ => &[],
    };
    let mut pairs: Vec<&[Field]> = node.items(0).chunks_exact(2).collect();
    sort_by(&mut pairs, |l, r| name(l).cmp(name(r)));
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

/// Converts elements to MLIR's representation: equal elements are stored once, and one-bit elements are
/// packed (`DenseIntOrFPElementsAttrStorage::getKey` in `mlir/lib/IR/AttributeDetail.h`).
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
            packed = dense.packed_bits().into();
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

pub(super) fn dense_node(node: &Node, len: usize) -> Node {
    let mut dense = Node::default();
    dense.begin_field();
    dense.push(node.field(0));
    dense.begin_field();
    dense.push_blob(0..len);
    dense
}
