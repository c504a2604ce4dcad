//! Reads the contents of attributes of either dialect.

use crate::attr::table::Builder;
use crate::attr::text::dense::Dense;
use crate::dialect::entries::EntryRef;
use crate::dialect::node::{Field, Node};
use crate::dialect::table::{BuiltinKind, Encoding, Named, Primitive};
use crate::format::id::TypeId;
use crate::wire::bytes::Bytes;
use crate::wire::error::Result;

use super::super::entries::Converted;
use super::super::entries::values::{dialect, form_of, make};
use crate::convert::rules::VhloVersion;

/// An integer of at most 64 bits, with its sign.
pub(super) fn wide(dense: &Dense<'_>, at: u64) -> i64 {
    let bytes = dense.bytes(at);
    let mut wide = [0; 8];
    let is_negative = bytes.last().is_some_and(|byte| byte & 0x80 != 0);
    wide.fill(if is_negative { 0xff } else { 0 });
    for (to, from) in wide.iter_mut().zip(bytes) {
        *to = *from;
    }
    i64::from_le_bytes(wide)
}

/// Returns a function that extends the sign of the value of an integer attribute.
pub(super) fn signed(builder: &Builder, of: EntryRef) -> impl Fn(u64) -> i64 + use<> {
    let entries = builder.entries();
    let mut node = Node::default();
    let decoded =
        entries.short(of).and_then(|(entry, _)| entry.decode(of, entries, &mut node).ok().flatten());
    let bits = decoded.and(node.r#type(0));
    let bits =
        bits.and_then(|index| crate::dialect::entries::bits_of(entries, index)).unwrap_or(64).clamp(1, 64);
    move |number| ((number << (64 - bits)) as i64) >> (64 - bits)
}

/// Returns the last field of an attribute, if it is a number of at most 64 bits.
pub(in crate::convert::portable) fn number_of(builder: &Builder, of: EntryRef) -> Option<u64> {
    let entries = builder.entries();
    let mut node = Node::default();
    let (entry, _) = entries.short(of)?;
    entry.decode(of, entries, &mut node).ok()??;
    match node.field(node.len().checked_sub(1)?) {
        Field::Unsigned(number) | Field::Bits(number) => Some(number),
        _ => None,
    }
}

pub(super) fn kind_of(builder: &Builder, of: EntryRef) -> BuiltinKind {
    let form = builder.entries().short(of).and_then(|(entry, _)| entry.form(of).ok().flatten());
    form.map_or(BuiltinKind::Other, |form| form.builtin)
}

/// Returns the class of an entry of VHLO.
pub(in crate::convert::portable) fn class_of(builder: &Builder, of: EntryRef) -> Option<Box<str>> {
    let (entry, _) = builder.entries().short(of)?;
    if entry.dialect != b"vhlo" {
        return None;
    }
    Some(entry.form(of).ok()??.name.clone())
}

/// Whether an entry is a list of attributes, and its printer.
pub(super) fn form_in(builder: &Builder, of: EntryRef) -> Option<(bool, Named)> {
    let (entry, _) = builder.entries().short(of)?;
    let form: &Encoding = entry.form(of).ok()??;
    let fields = &form.layouts.first()?.fields;
    let is_list = matches!(&fields[..], [field] if matches!(&field.primitive, Primitive::List(items) if items.len() == 1));
    Some((is_list, form.print))
}

/// Returns the type in a type attribute of the builtin dialect.
pub(super) fn type_in(builder: &Builder, of: EntryRef) -> Result<Option<u32>> {
    if kind_of(builder, of) != BuiltinKind::TypeAttr {
        return Ok(None);
    }
    let entries = builder.entries();
    let mut node = Node::default();
    let Some((entry, _)) = entries.short(of) else { return Ok(None) };
    entry.decode(of, entries, &mut node)?;
    Ok(node.r#type(0).map(TypeId::number))
}

pub(super) fn type_attribute(
    builder: &mut Builder,
    name: &str,
    class: &str,
    of: EntryRef,
) -> Result<EntryRef> {
    let (id, table) = dialect(builder, name)?;
    let mut node = Node::default();
    node.begin_field();
    node.push(Field::Type(TypeId::new(of.index()), 0));
    make(builder, (false, id), form_of(&table, false, class)?, &node, &Bytes::new())
}

/// Makes an enumeration attribute of VHLO from a 32-bit integer.
pub(super) fn enumerated(builder: &mut Builder, class: &str, value: EntryRef) -> Result<Converted> {
    let is_integer = kind_of(builder, value) == BuiltinKind::IntegerAttr;
    let Some(number) = number_of(builder, value).filter(|_| is_integer) else {
        return Ok(Converted::Nothing);
    };
    let (id, table) = dialect(builder, "vhlo")?;
    let form = form_of(&table, false, class)?;
    let mut node = Node::default();
    node.begin_field();
    node.push(Field::Unsigned(number));
    let to = make(builder, (false, id), form, &node, &Bytes::new())?;
    Ok(Converted::To(to, VhloVersion::OLDEST))
}
