//! Prints inherent attributes: their attribute forms, in a dictionary sorted by name.
//!
//! The forms follow `getPropertiesAsAttr` and `convertToAttribute` of each op, which `mlir-tblgen` generates.

use crate::dialect::entries::Entries;
use crate::props::schema::{Kind, Spelling};
use crate::props::{Property, PropertyField, PropertyValue};

use crate::attr::text::entry::{Elide, EntryPrinter};
use crate::attr::text::escape;
use crate::attr::text::out::Out;
use crate::wire::order::sort_by;

impl<E: Entries> EntryPrinter<'_, E> {
    /// Writes `<{name = value, …}>` after a space, or nothing if there are no values.
    pub(crate) fn properties(&mut self, out: &mut Out<'_>, properties: &mut [Property<'_>]) {
        sort_by(properties, |a, b| a.name().cmp(b.name()));
        let mut is_first = true;
        for property in properties {
            if !is_there(property) {
                continue;
            }
            out.text(if std::mem::take(&mut is_first) { " <{" } else { ", " });
            self.property(out, property.field, &property.value);
        }
        if !is_first {
            out.text("}>");
        }
    }

    fn property(&mut self, out: &mut Out<'_>, field: &PropertyField, value: &PropertyValue) {
        if let PropertyValue::Attribute(index) = value {
            return self.named(out, field.name().as_bytes(), *index);
        }
        escape::write_keyword_or_string(&mut out.buffer, field.name().as_bytes());
        let is_unit = match (&field.kind, value) {
            (Kind::Bool(Spelling::Unit), PropertyValue::Bool(is_set)) => *is_set,
            (_, PropertyValue::Absent) => field.default_text() == Some("unit"),
            _ => false,
        };
        if is_unit {
            return;
        }
        out.text(" = ");
        self.property_value(out, field, value);
    }

    /// Writes only the value of a property.
    pub(crate) fn property_value(&mut self, out: &mut Out<'_>, field: &PropertyField, value: &PropertyValue) {
        match value {
            PropertyValue::Absent => out.text(field.default_text().unwrap_or_default()),
            value => self.native(out, &field.kind, value, Elide::Never),
        }
    }

    /// Writes a native value as the attribute that it is converted to.
    fn native(&mut self, out: &mut Out<'_>, kind: &Kind, value: &PropertyValue, elide: Elide) {
        match (kind, value) {
            (Kind::Int { spelling, .. } | Kind::Enum { spelling, .. }, PropertyValue::Int(number)) => {
                spelled(out, spelling, *number, elide);
            }
            (Kind::Bool(Spelling::Unit), PropertyValue::Bool(true)) => out.text("unit"),
            (Kind::Bool(_), PropertyValue::Bool(value)) => out.text(if *value { "true" } else { "false" }),
            (_, PropertyValue::String(index)) => {
                escape::write_string(&mut out.buffer, self.entries().string(*index));
            }
            (_, PropertyValue::Segments(sizes)) => {
                out.text("array<i32");
                for (place, size) in sizes.iter().enumerate() {
                    out.text(if place == 0 { ": " } else { ", " });
                    out.number(*size);
                }
                out.text(">");
            }
            (Kind::Array(inner), PropertyValue::Array(items)) => self.array(out, inner, items),
            (Kind::Optional(inner), PropertyValue::Optional(value)) => {
                out.text("[");
                if let Some(value) = value {
                    self.native(out, inner, value, Elide::May);
                }
                out.text("]");
            }
            (_, PropertyValue::Attribute(index)) => self.attribute(out, *index, elide),
            _ => out.text("<<VALUE>>"),
        }
    }

    // Integers of 32 and 64 bits become dense arrays, anything else becomes an array attribute.
    fn array(&mut self, out: &mut Out<'_>, kind: &Kind, items: &[PropertyValue]) {
        let width = match kind {
            Kind::Int { spelling: Spelling::Integer(width @ (32 | 64)), .. } => Some(*width),
            _ => None,
        };
        match width {
            Some(width) => {
                out.text("array<i");
                out.number(width);
            }
            None => out.text("["),
        }
        for (place, item) in items.iter().enumerate() {
            match (place, width) {
                (0, Some(_)) => out.text(": "),
                (0, None) => {}
                _ => out.text(", "),
            }
            match (width, item) {
                (Some(_), PropertyValue::Int(number)) => out.number(*number),
                _ => self.native(out, kind, item, Elide::May),
            }
        }
        out.text(if width.is_some() { ">" } else { "]" });
    }
}

/// Returns whether a value is printed.
pub(crate) fn is_there(property: &Property<'_>) -> bool {
    property.value != PropertyValue::Absent || property.field.default_text().is_some()
}

fn spelled(out: &mut Out<'_>, spelling: &Spelling, number: i64, elide: Elide) {
    match spelling {
        Spelling::Integer(width) => {
            let shift = 64 - (*width).clamp(1, 64);
            out.number(number << shift >> shift);
            if *width != 64 || elide == Elide::Never {
                out.text(" : i");
                out.number(*width);
            }
        }
        Spelling::Bool | Spelling::Unit => out.text(if number != 0 { "true" } else { "false" }),
        Spelling::Flags(flags) => {
            out.text(&flags.prefix);
            let mut is_first = true;
            for (_, name) in flags.names.iter().filter(|(bit, _)| number as u64 & bit == *bit) {
                if !std::mem::take(&mut is_first) {
                    out.text(", ");
                }
                out.text(name);
            }
            if is_first {
                out.text(&flags.none);
            }
            out.text(&flags.suffix);
        }
    }
}
