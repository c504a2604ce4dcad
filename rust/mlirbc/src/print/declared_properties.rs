//! Properties that a dialect declares or reads by code, as a dictionary.

use crate::attr::{FieldValue, declared_fields};
use crate::dialect::declarations::Declared;
use crate::dialect::entries::{Entries, EntryRef};
use crate::ir::Module;
use crate::wire::error::Result;

use crate::attr::text::entry::{Elide, EntryPrinter};
use crate::attr::text::escape;
use crate::attr::text::out::Out;
use crate::wire::order::sort_by;

/// Returns names and values, sorted by name.
///
/// # Errors
/// If a table of the module is malformed.
pub(super) fn sorted_fields(module: &Module, declared: &Declared) -> Result<Vec<(String, FieldValue)>> {
    let mut fields = declared_fields(module.tables(), declared)?;
    sort_by(&mut fields, |a, b| a.0.cmp(&b.0));
    Ok(fields)
}

impl<E: Entries> EntryPrinter<'_, E> {
    /// Writes `<{name = value, …}>` after a space, or nothing without values. Numbers have no type, because
    /// their encoding has none.
    pub(super) fn declared_properties(&mut self, out: &mut Out<'_>, fields: &[(String, FieldValue)]) {
        let mut separator = " <{";
        for (name, value) in fields {
            out.text(separator);
            separator = ", ";
            escape::write_keyword_or_string(&mut out.buffer, name.as_bytes());
            out.text(" = ");
            self.declared_value(out, value);
        }
        if !fields.is_empty() {
            out.text("}>");
        }
    }

    // Tables and hooks bound the depth of lists.
    pub(super) fn declared_value(&mut self, out: &mut Out<'_>, value: &FieldValue) {
        match value {
            FieldValue::Absent => out.text("unit"),
            FieldValue::Unsigned(number) => out.number(*number),
            FieldValue::Signed(number) => out.number(*number),
            FieldValue::Bool(value) => out.text(if *value { "true" } else { "false" }),
            FieldValue::String(bytes) | FieldValue::Resource(bytes) => {
                escape::write_string(&mut out.buffer, bytes);
            }
            FieldValue::Blob(bytes) => {
                out.text("\"0x");
                out.hex(bytes);
                out.text("\"");
            }
            FieldValue::Integer { words, .. } => {
                out.text("0x");
                for word in words.iter().rev() {
                    out.hex(&word.to_be_bytes());
                }
            }
            // Attributes that code created are in tables of their own.
            FieldValue::Attribute(value) => match value.0.of {
                EntryRef::Attribute(index) if value.id().is_some() => {
                    self.attribute(out, index, Elide::Never);
                }
                _ => out.text(&value.to_string()),
            },
            FieldValue::Type(value) => match value.0.of {
                EntryRef::Type(index) if value.id().is_some() => self.r#type(out, index),
                _ => out.text(&value.to_string()),
            },
            FieldValue::List(items) => {
                out.text("[");
                for (number, item) in items.iter().enumerate() {
                    out.text(if number > 0 { ", " } else { "" });
                    self.declared_value(out, item);
                }
                out.text("]");
            }
        }
    }
}
