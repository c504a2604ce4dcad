//! Attributes of operations by name, and the bytes and entries that attributes of the builtin dialect and of VHLO hold.

use crate::attr::{Attribute, FieldValue};
use crate::ir::{InherentAttributes, Operation};
use crate::wire::bytes::Bytes;
use crate::wire::error::Result;

/// Returns the attributes of an operation with their names, inherent ones first.
pub(crate) fn named_attributes(op: &Operation<'_>) -> Result<Vec<(String, Attribute)>> {
    let tables = op.module().tables();
    let (inherent, discardable) = op.attributes()?;
    let mut list = Vec::new();
    if let InherentAttributes::Known(properties) = inherent {
        for property in properties {
            let Some(id) = property.value.attribute() else { continue };
            list.extend(Attribute::of_file(tables, id)?.map(|value| (property.name().to_owned(), value)));
        }
    }
    for (name, value) in discardable {
        let (name, value) = (Attribute::of_file(tables, name)?, Attribute::of_file(tables, value)?);
        let (Some(name), Some(value)) = (name, value) else { continue };
        let name = string_of(&name)?.map(|name| String::from_utf8_lossy(&name).into_owned());
        list.extend(name.map(|name| (name, value)));
    }
    Ok(list)
}

/// Returns the attribute with a name.
pub(crate) fn named<'a>(attributes: &'a [(String, Attribute)], name: &str) -> Option<&'a Attribute> {
    attributes.iter().find(|attribute| attribute.0 == name).map(|(_, value)| value)
}

/// Returns the bytes of a string attribute of the builtin dialect or of VHLO.
pub(super) fn string_of(value: &Attribute) -> Result<Option<Bytes>> {
    Ok(match value.field("value")? {
        Some(FieldValue::String(bytes)) => Some(bytes),
        _ => None,
    })
}

/// Returns the text of the string attribute with a name.
pub(super) fn text(attributes: &[(String, Attribute)], name: &str) -> Result<Option<String>> {
    let Some(value) = named(attributes, name) else { return Ok(None) };
    Ok(string_of(value)?.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()))
}

/// Returns the entries of a dictionary attribute of the builtin dialect or of VHLO.
pub(super) fn entries(value: &Attribute) -> Result<Vec<(String, Attribute)>> {
    let Some(FieldValue::List(items)) = value.field("value")? else { return Ok(Vec::new()) };
    let mut entries = Vec::new();
    for item in items {
        let FieldValue::List(pair) = item else { continue };
        if let [FieldValue::Attribute(name), FieldValue::Attribute(value)] = &pair[..]
            && let Some(name) = string_of(name)?
        {
            entries.push((String::from_utf8_lossy(&name).into_owned(), value.clone()));
        }
    }
    Ok(entries)
}

/// Returns the dictionary with new values for some of its entries.
pub(super) fn with_entries(value: &Attribute, changes: &[(&str, Attribute)]) -> Result<Attribute> {
    let Some(FieldValue::List(mut items)) = value.field("value")? else { return Ok(value.clone()) };
    for item in &mut items {
        let FieldValue::List(pair) = item else { continue };
        let [FieldValue::Attribute(name), FieldValue::Attribute(entry)] = &mut pair[..] else { continue };
        let Some(name) = string_of(name)? else { continue };
        if let Some((_, new)) = changes.iter().find(|(changed, _)| changed.as_bytes() == &name[..]) {
            *entry = new.clone();
        }
    }
    with_field(value, "value", FieldValue::List(items))
}

/// Returns the attribute with a new value in one of its fields.
pub(super) fn with_field(value: &Attribute, name: &str, new: FieldValue) -> Result<Attribute> {
    let mut fields = value.fields()?;
    if let Some((_, field)) = fields.iter_mut().find(|(field_name, _)| field_name == name) {
        *field = new;
    }
    let fields: Vec<_> = fields.iter().map(|(name, field)| (name.as_str(), field.clone())).collect();
    Attribute::build(&value.dialect(), value.class().unwrap_or_default(), &fields)
}
