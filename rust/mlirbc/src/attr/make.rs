//! Values of a dialect, built with its table: by mnemonic or class, with fields by position and by name.

use std::sync::Arc;

use crate::dialect::DialectTable;
use crate::dialect::entries::EntryRef;
use crate::dialect::table::{Encoding, FieldSpec, Primitive, Style};
use crate::format::id::{AttrId, TypeId};
use crate::wire::error::{Error, ErrorKind, Result};

use super::build::build_with;
use super::declared_fields::{build_declared, find_class};
use super::{Attribute, FieldValue, Handle, Type, inner_of, items_of, misfit, shorten};

impl DialectTable {
    /// Makes an attribute: `name` is its mnemonic or its class; `arguments` are its first fields, `fields`
    /// the other fields by name. Numbers need not have the sign of their field, and numbers of an enumeration
    /// may be given by name.
    ///
    /// # Errors
    /// [`ErrorKind::Value`] if there is no such attribute, or a field is not valid for it.
    ///
    /// ```
    /// use mlirbc::attr::FieldValue;
    /// use mlirbc::dialect::DialectTable;
    /// let table = DialectTable::from_toml(r#"
    ///     dialect = "toy"
    ///     [[attribute]]
    ///     code = 0
    ///     name = "PairAttr"
    ///     mnemonic = "pair"
    ///     fields = ["first: signed", "second: signed"]
    ///     asm = "<{first}, {second}>"
    /// "#)?;
    /// let pair = table.attribute("pair", vec![FieldValue::Unsigned(1)], vec![("second", FieldValue::Signed(-2))])?;
    /// assert_eq!(pair.to_string(), "#toy.pair<1, -2>");
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    #[doc(hidden)]
    pub fn attribute(
        self: &Arc<Self>,
        name: &str,
        arguments: Vec<FieldValue>,
        fields: Vec<(&str, FieldValue)>,
    ) -> Result<Attribute> {
        self.build_value(EntryRef::Attribute(AttrId::new(0)), name, arguments, fields).map(Attribute)
    }

    /// Makes a type, as [`Self::attribute`].
    ///
    /// # Errors
    /// As [`Self::attribute`].
    #[doc(hidden)]
    pub fn r#type(
        self: &Arc<Self>,
        name: &str,
        arguments: Vec<FieldValue>,
        fields: Vec<(&str, FieldValue)>,
    ) -> Result<Type> {
        self.build_value(EntryRef::Type(TypeId::new(0)), name, arguments, fields).map(Type)
    }

    fn build_value(
        self: &Arc<Self>,
        sort: EntryRef,
        name: &str,
        arguments: Vec<FieldValue>,
        fields: Vec<(&str, FieldValue)>,
    ) -> Result<Handle> {
        let forms = match sort {
            EntryRef::Attribute(_) => &self.attributes,
            EntryRef::Type(_) => &self.types,
        };
        let is_named = |form: &&Encoding| {
            form.mnemonic.as_deref() == Some(name) || *form.kind == *name || *form.name == *name
        };
        let named: Vec<&Encoding> = forms.rows.iter().filter(is_named).collect();
        // The encodings of one class differ in their number of fields: the encoding with the given number
        // applies, or otherwise the first one with more fields.
        let field_count = arguments.len() + fields.len();
        let count = |form: &&&Encoding| form.layouts.first().map_or(0, |layout| layout.fields.len());
        let exact = named.iter().find(|form| count(form) == field_count);
        let Some(form) =
            exact.or_else(|| named.iter().find(|form| count(form) > field_count)).or(named.first())
        else {
            if let Some(class) = find_class(matches!(sort, EntryRef::Type(_)), self.dialect(), name) {
                return build_declared(class, arguments, fields);
            }
            let kind = if matches!(sort, EntryRef::Type(_)) { "type" } else { "attribute" };
            let message =
                format!("the table of dialect {} has no {kind} `{}`", self.dialect(), shorten(name));
            return Err(Error::message(ErrorKind::Value, message));
        };
        let specs = form.layouts.first().map_or(&[][..], |layout| &layout.fields);
        if arguments.len() > specs.len() {
            let (expected, actual) =
                (format!("at most {} arguments", specs.len()), arguments.len().to_string());
            return Err(misfit(expected, actual));
        }
        let mut values: Vec<(&str, FieldValue)> = Vec::new();
        for (spec, value) in specs.iter().zip(arguments) {
            values.push((&spec.name, self.coerced(spec, value)));
        }
        for (name, value) in fields {
            if values.iter().any(|known| known.0 == name) {
                let message = format!("field `{}` of {} is given twice", shorten(name), form.kind);
                return Err(Error::message(ErrorKind::Value, message));
            }
            let spec = specs.iter().find(|spec| *spec.name == *name);
            values.push((name, spec.map_or(value.clone(), |spec| self.coerced(spec, value))));
        }
        build_with(self, sort, &form.kind, &values)
    }

    // Interprets a value for this field in the way that a caller means it; other values are left to the
    // check.
    pub(crate) fn coerced(&self, spec: &FieldSpec, value: FieldValue) -> FieldValue {
        if let (Style::Enum(table), FieldValue::String(name)) = (spec.style, &value) {
            let rows = self.enums.get(table).map_or(&[][..], |table| &table.rows);
            if let Some((number, _)) = rows.iter().find(|row| row.1.as_bytes() == &name[..]) {
                return FieldValue::Unsigned(*number);
            }
        }
        coerce(&spec.primitive, value)
    }
}

// Primitives nest as deep as tables allow.
fn coerce(primitive: &Primitive, value: FieldValue) -> FieldValue {
    match (inner_of(primitive), value) {
        (Primitive::Varint | Primitive::OptionalVarint | Primitive::Byte, FieldValue::Signed(number))
            if number >= 0 =>
        {
            FieldValue::Unsigned(number as u64)
        }
        (Primitive::Signed, FieldValue::Unsigned(number)) if i64::try_from(number).is_ok() => {
            FieldValue::Signed(number as i64)
        }
        (Primitive::String, FieldValue::Blob(bytes) | FieldValue::Resource(bytes)) => {
            FieldValue::String(bytes)
        }
        (Primitive::Resource, FieldValue::String(key) | FieldValue::Blob(key)) => FieldValue::Resource(key),
        (Primitive::Float(width), FieldValue::Unsigned(number)) => widened(vec![number], 64, *width),
        (Primitive::Float(width), FieldValue::Signed(number)) if number >= 0 => {
            widened(vec![number as u64], 64, *width)
        }
        (Primitive::Float(width), FieldValue::Integer { words, width: from }) => widened(words, from, *width),
        (Primitive::List(_) | Primitive::OptionalList(_) | Primitive::Splat(_), FieldValue::List(values)) => {
            let items = items_of(primitive);
            let item = |value| match (items, value) {
                ([only], value) => coerce(only, value),
                (parts, FieldValue::List(values)) if parts.len() == values.len() => FieldValue::List(
                    parts.iter().zip(values).map(|(part, value)| coerce(part, value)).collect(),
                ),
                (_, other) => other,
            };
            FieldValue::List(values.into_iter().map(item).collect())
        }
        (Primitive::VarintWithFlag | Primitive::Sparse(_), FieldValue::List(values)) => {
            FieldValue::List(values.into_iter().map(|value| coerce(&Primitive::Varint, value)).collect())
        }
        (_, value) => value,
    }
}

// Returns an integer with the width of its field, if it fits.
fn widened(mut words: Vec<u64>, from: u32, width: u64) -> FieldValue {
    let used = words.iter().rposition(|&word| word != 0).map_or(0, |last| {
        64 * (last as u64 + 1) - u64::from(words.get(last).map_or(0, |word| word.leading_zeros()))
    });
    match u32::try_from(width) {
        Ok(width) if used <= width.into() => {
            words.resize(width.div_ceil(64) as usize, 0);
            FieldValue::Integer { words, width }
        }
        _ => FieldValue::Integer { words, width: from },
    }
}
