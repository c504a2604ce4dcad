//! Attributes with bytes: strings, dense elements of 8 bits, text without an encoding, and arrays of these.

use crate::attr::{Attribute, FieldValue, Type};
use crate::container::hosts::HostEncoding;
use crate::wire::bytes::Bytes;
use crate::wire::error::{Error, Result};
use crate::wire::limits::Budget;

use super::attributes::with_field;
use super::encoding::{Visit, translate};

/// Passes the modules in an attribute to a visitor, and returns the attribute with the visitor's
/// replacements; `None` if it replaces none of them, or the attribute holds no bytes.
///
/// # Errors
/// As [`translate`], with the position in the attribute.
pub(super) fn translate_value(
    encoding: &HostEncoding,
    value: &Attribute,
    budget: &Budget,
    visit: &mut Visit<'_>,
) -> Result<Option<Attribute>> {
    if *encoding != HostEncoding::Literals {
        let Some(held) = ByteField::of(value)? else { return Ok(None) };
        budget.spend(held.bytes.len())?;
        let new = translate(encoding, &held.bytes, budget, visit).map_err(|error| placed(error, value))?;
        return new.map(|new| held.with(value, new.into())).transpose();
    }
    if let Some(text) = value.text() {
        let new = translate(encoding, &text, budget, visit).map_err(|error| placed(error, value))?;
        return new.map(|new| Attribute::from_text_entry(&value.dialect(), new)).transpose();
    }
    let Some(FieldValue::List(mut items)) = value.field("value")? else { return Ok(None) };
    let mut is_changed = false;
    for item in &mut items {
        let FieldValue::Attribute(part) = item else { continue };
        let Some(text) = part.text() else { continue };
        let new = translate(encoding, &text, budget, visit).map_err(|error| placed(error, part))?;
        if let Some(new) = new {
            *part = Attribute::from_text_entry(&part.dialect(), new)?;
            is_changed = true;
        }
    }
    is_changed.then(|| with_field(value, "value", FieldValue::List(items))).transpose()
}

fn placed(error: Error, value: &Attribute) -> Error {
    match (error.offset(), value.offset()) {
        (None, Some(offset)) => error.at(offset),
        _ => error,
    }
}

/// The bytes of an attribute, and the field that contains the bytes.
struct ByteField {
    bytes: Bytes,
    field: &'static str,
    /// The number of elements, for an array that stores it.
    has_size: bool,
    shaped: Option<Type>,
}

impl ByteField {
    fn of(value: &Attribute) -> Result<Option<Self>> {
        let fields = value.fields()?;
        let field =
            |name: &str| fields.iter().find(|(field_name, _)| field_name == name).map(|(_, value)| value);
        if let Some(FieldValue::String(bytes)) = field("value") {
            let bytes = bytes.clone();
            return Ok(Some(Self { bytes, field: "value", has_size: false, shaped: None }));
        }
        let (Some(FieldValue::Blob(bytes)), true) = (field("data"), value.is_builtin()) else {
            return Ok(None);
        };
        let has_size = field("size").is_some();
        let element = match (field("elementType"), field("type")) {
            (Some(FieldValue::Type(element)), _) => Some((element.clone(), None)),
            (None, Some(FieldValue::Type(shaped))) => match shaped.field("elementType")? {
                Some(FieldValue::Type(element)) => Some((element, Some(shaped.clone()))),
                _ => None,
            },
            _ => None,
        };
        let Some((element, shaped)) = element else { return Ok(None) };
        let is_byte = matches!(element.to_text_within(8).as_str(), "i8" | "ui8" | "si8");
        Ok(is_byte.then(|| Self { bytes: bytes.clone(), field: "data", has_size, shaped }))
    }

    /// Returns the attribute with other bytes, and a type of their size.
    fn with(&self, value: &Attribute, bytes: Bytes) -> Result<Attribute> {
        let size = bytes.len() as u64;
        if self.field == "value" {
            return with_field(value, self.field, FieldValue::String(bytes));
        }
        let mut value = with_field_of_size(value, (self.field, FieldValue::Blob(bytes)), size, self)?;
        if let Some(shaped) = &self.shaped {
            let fields = shaped.fields()?;
            let fields: Vec<_> = fields
                .iter()
                .map(|(name, field)| match &**name {
                    "shape" => ("shape", FieldValue::List(vec![FieldValue::Signed(size as i64)])),
                    _ => (name.as_str(), field.clone()),
                })
                .collect();
            let kind = shaped.class().unwrap_or_default();
            let shaped = Type::build(&shaped.dialect(), kind, &fields)?;
            value.retain(|(name, _)| name != "type");
            value.insert(0, ("type".to_owned(), FieldValue::Type(shaped)));
        }
        let fields: Vec<_> = value.iter().map(|(name, field)| (name.as_str(), field.clone())).collect();
        Attribute::build("builtin", self.kind(), &fields)
    }

    fn kind(&self) -> &'static str {
        if self.has_size { "DenseArrayAttr" } else { "DenseIntOrFPElementsAttr" }
    }
}

/// Returns the fields with other bytes, and the number of bytes if that is a field.
fn with_field_of_size(
    value: &Attribute,
    (name, new): (&str, FieldValue),
    size: u64,
    held: &ByteField,
) -> Result<Vec<(String, FieldValue)>> {
    let mut fields = value.fields()?;
    for (known, field) in &mut fields {
        if known == name {
            *field = new.clone();
        } else if known == "size" && held.has_size {
            *field = FieldValue::Unsigned(size);
        }
    }
    Ok(fields)
}
