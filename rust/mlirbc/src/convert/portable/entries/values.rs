//! Builds the values of rules, defaults and attributes: strings, symbols, arrays and tensors.

use std::sync::Arc;

use crate::attr::table::{Builder, OwnedEntries};
use crate::attr::text::dense::Dense;
use crate::attr::{Attribute, Type};
use crate::dialect::entries::{Entries, EntryRef};
use crate::dialect::node::{Field, Node};
use crate::dialect::table::{DialectTable, Encoding};
use crate::format::id::{AttrId, TypeId};
use crate::wire::bytes::Bytes;
use crate::wire::error::{Error, ErrorKind, Result};

use super::{Converted, Direction, EntryConverter, bad_row};
use crate::convert::rules::VhloVersion;

impl EntryConverter {
    /// Makes a string attribute of the target's dialect.
    pub(in crate::convert::portable) fn string_attribute(
        &self,
        builder: &mut Builder,
        text: &[u8],
    ) -> Result<EntryRef> {
        let (dialect_name, class) = match self.direction {
            Direction::ToVhlo => ("vhlo", "StringV1Attr"),
            Direction::FromVhlo => ("builtin", "StringAttr"),
        };
        let (id, table) = dialect(builder, dialect_name)?;
        let index = builder.string(text);
        let mut node = Node::default();
        node.begin_field();
        node.push(Field::String(index));
        make(builder, (false, id), form_of(&table, false, class)?, &node, &Bytes::new())
    }

    /// Makes an array of the target's dialect.
    pub(in crate::convert::portable) fn array_of(
        &self,
        builder: &mut Builder,
        items: &[AttrId],
    ) -> Result<EntryRef> {
        let (dialect_name, class) = match self.direction {
            Direction::ToVhlo => ("vhlo", "ArrayV1Attr"),
            Direction::FromVhlo => ("builtin", "ArrayAttr"),
        };
        let (id, table) = dialect(builder, dialect_name)?;
        let mut node = Node::default();
        node.begin_field();
        let at = node.begin_list();
        items.iter().for_each(|&item| node.push(Field::Attribute(item, 0)));
        node.end_list(at, items.len() as u32);
        make(builder, (false, id), form_of(&table, false, class)?, &node, &Bytes::new())
    }

    /// Converts a dense array to a tensor of VHLO.
    pub(super) fn array(
        &mut self,
        builder: &mut Builder,
        node: &Node,
        data: &Bytes,
        blob: Option<Bytes>,
    ) -> Result<Converted> {
        let bytes = match blob {
            Some(blob) => blob,
            None => data.slice(node.blob_range(node.field(2))),
        };
        let Some(element) = node.r#type(0) else { return Ok(Converted::Nothing) };
        let count = node.number(1);
        self.tensor(builder, EntryRef::Type(element), &[count as i64], bytes).map(|tensor| match tensor {
            Some(tensor) => Converted::To(tensor, VhloVersion::OLDEST),
            None => Converted::Nothing,
        })
    }

    /// Makes a tensor of VHLO from elements of a builtin type; each one-bit element is a byte.
    pub(in crate::convert::portable) fn tensor(
        &mut self,
        builder: &mut Builder,
        element: EntryRef,
        shape: &[i64],
        bytes: Bytes,
    ) -> Result<Option<EntryRef>> {
        let (builtin, table) = dialect(builder, "builtin")?;
        let mut node = Node::default();
        node.begin_field();
        let at = node.begin_list();
        shape.iter().for_each(|&size| node.push(Field::Signed(size)));
        node.end_list(at, shape.len() as u32);
        node.begin_field();
        node.push(Field::Type(TypeId::new(element.index()), 0));
        let r#type =
            make(builder, (true, builtin), form_of(&table, true, "RankedTensorType")?, &node, &Bytes::new())?;
        let Some(dense) = Dense::new(builder.entries(), TypeId::new(r#type.index()), &bytes) else {
            return Ok(None);
        };
        let elements = match dense.element.is_bool() {
            // A byte of a one-bit element might be taken for eight bits.
            true => packed(&bytes),
            false => crate::attr::build::canonical_elements(&dense, &bytes),
        };
        let mut node = Node::default();
        node.begin_field();
        node.push(Field::Type(TypeId::new(r#type.index()), 0));
        node.begin_field();
        node.push_blob(0..elements.len());
        let form = form_of(&table, false, "DenseIntOrFPElementsAttr")?;
        let dense = make(builder, (false, builtin), form, &node, &elements)?;
        Ok(match self.convert(builder, dense)? {
            Converted::To(to, _) => Some(to),
            Converted::Nothing => None,
        })
    }
}

/// Packs booleans of a byte each as dense elements.
pub(super) fn packed(bytes: &[u8]) -> Bytes {
    if let Some(&first) = bytes.first()
        && bytes.iter().all(|&byte| byte == first)
    {
        return Bytes::from_static(if first != 0 { &[0xff] } else { &[0] });
    }
    let pack = |elements: &[u8]| {
        elements.iter().enumerate().map(|(place, element)| u8::from(*element != 0) << place).sum()
    };
    bytes.chunks(8).map(pack).collect::<Vec<u8>>().into()
}

/// Encodes a text entry; `None` if the entry exists as text only.
pub(super) fn parse(builder: &mut Builder, of: EntryRef, text: &[u8]) -> Result<Option<EntryRef>> {
    let parsed = match of {
        EntryRef::Attribute(_) => Attribute::parse(text).map(|value| value.0),
        EntryRef::Type(_) => Type::parse(text).map(|value| value.0),
    };
    match parsed {
        Ok(value) => import(builder, &value).map(|to| Some(to).filter(|&to| to != of)),
        Err(error) if error.class() == crate::wire::error::ErrorClass::Limit => Err(error),
        Err(_) => Ok(None),
    }
}

pub(super) fn import(builder: &mut Builder, value: &crate::attr::Handle) -> Result<EntryRef> {
    builder.import(&value.home, value.of)
}

/// Returns the dialect of the builder, with its shipped table.
pub(in crate::convert::portable) fn dialect(
    builder: &mut Builder,
    name: &str,
) -> Result<(u32, Arc<DialectTable>)> {
    let id = builder.dialect(name.as_bytes());
    match builder.table_of(id) {
        Some(table) => Ok((id, table)),
        None => Err(Error::message(ErrorKind::EntryNoTable, format!("no table is known for dialect {name}"))),
    }
}

/// Finds the encoding of a class.
pub(in crate::convert::portable) fn form_of<'t>(
    table: &'t DialectTable,
    is_type: bool,
    class: &str,
) -> Result<&'t Encoding> {
    let forms = if is_type { &table.types } else { &table.attributes };
    forms.rows.iter().find(|form| *form.name == *class).ok_or_else(|| bad_row(class))
}

/// Adds an entry in the first layout of its encoding.
pub(in crate::convert::portable) fn make(
    builder: &mut Builder,
    (is_type, dialect): (bool, u32),
    form: &Encoding,
    node: &Node,
    data: &Bytes,
) -> Result<EntryRef> {
    let layout = form.layouts.first().ok_or_else(|| bad_row(&form.name))?;
    builder.encoded(is_type, dialect, (form, layout), node, data, None)
}

/// Makes a reference to a symbol.
pub(in crate::convert::portable) fn symbol(builder: &mut Builder, text: &[u8]) -> Result<EntryRef> {
    let (id, table) = dialect(builder, "builtin")?;
    let index = builder.string(text);
    let mut node = Node::default();
    node.begin_field();
    node.push(Field::String(index));
    let root = make(builder, (false, id), form_of(&table, false, "StringAttr")?, &node, &Bytes::new())?;
    let mut node = Node::default();
    node.begin_field();
    node.push(Field::Attribute(AttrId::new(root.index()), 0));
    make(builder, (false, id), form_of(&table, false, "FlatSymbolRefAttr")?, &node, &Bytes::new())
}

/// Returns the text of a string attribute of either dialect.
pub(in crate::convert::portable) fn string_of(entries: &OwnedEntries, of: EntryRef) -> Option<Vec<u8>> {
    let (entry, _) = entries.short(of)?;
    let form = entry.form(of).ok()??;
    if !matches!(&*form.name, "StringAttr" | "StringV1Attr") {
        return None;
    }
    let mut node = Node::default();
    entry.decode(of, entries, &mut node).ok()??;
    match node.field(0) {
        Field::String(index) => Some(entries.string(index).to_vec()),
        _ => None,
    }
}

/// Returns the items of an array of either dialect; no items for other entries.
pub(in crate::convert::portable) fn items_of(entries: &OwnedEntries, of: EntryRef) -> Result<Vec<AttrId>> {
    let mut node = Node::default();
    let Some((entry, _)) = entries.short(of) else { return Ok(Vec::new()) };
    if entry.decode(of, entries, &mut node)?.is_none() {
        return Ok(Vec::new());
    }
    let items = node.items(0).iter().filter_map(|field| match field {
        Field::Attribute(index, _) => Some(*index),
        _ => None,
    });
    Ok(items.collect())
}

pub(super) fn identity_map(builder: &mut Builder, dims: usize) -> Result<EntryRef> {
    let names: Vec<String> = (0..dims).map(|dim| format!("d{dim}")).collect();
    let names = names.join(", ");
    import(builder, &Attribute::parse(format!("affine_map<({names}) -> ({names})>"))?.0)
}
