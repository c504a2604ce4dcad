//! Native property values as attributes, and the reverse: the attribute that MLIR converts a value to
//! (`convertToAttribute` and `convertFromAttribute` of each op, which `mlir-tblgen` generates).

use crate::format::id::AttrId;
use crate::props::PropertyValue;
use crate::props::native::native_of;
use crate::props::schema::{Flags, Kind, Spelling};
use crate::wire::error::{Error, ErrorKind, Result};

use super::Attribute;
use super::build::builtin;
use super::text::lexer::{Lexer, TokenKind};

/// Returns the attribute form of a value. `of_table` returns the attribute with an index, or the string with
/// an index as an attribute.
///
/// # Errors
/// If the value does not have this kind, or `of_table` fails.
pub(crate) fn attribute_of(
    kind: &Kind,
    value: &PropertyValue,
    of_table: &dyn Fn(&PropertyValue) -> Result<Attribute>,
) -> Result<Attribute> {
    match (kind, value) {
        (_, PropertyValue::Attribute(_) | PropertyValue::String(_)) => of_table(value),
        (Kind::Int { spelling, .. } | Kind::Enum { spelling, .. }, PropertyValue::Int(number)) => {
            spelled(spelling, *number)
        }
        (Kind::Bool(Spelling::Unit), PropertyValue::Bool(true)) => builtin::unit(),
        (Kind::Bool(_), PropertyValue::Bool(value)) => builtin::boolean(*value),
        (_, PropertyValue::Segments(sizes)) => builtin::segment_sizes(sizes),
        (Kind::Array(inner), PropertyValue::Array(items)) => array(inner, items, of_table),
        (Kind::Optional(inner), PropertyValue::Optional(value)) => {
            let items = value.iter().map(|value| attribute_of(inner, value, of_table));
            builtin::array(items.collect::<Result<_>>()?)
        }
        (kind, value) => {
            let message = format!("`{value}` is not the value of a property of kind {kind}");
            Err(Error::message(ErrorKind::Value, message))
        }
    }
}

// Integers of 32 and 64 bits become dense arrays, all other values become an array attribute.
fn array(
    inner: &Kind,
    items: &[PropertyValue],
    of_table: &dyn Fn(&PropertyValue) -> Result<Attribute>,
) -> Result<Attribute> {
    if let Kind::Int { spelling: Spelling::Integer(width @ (32 | 64)), .. } = inner {
        let numbers = items.iter().map(|item| match item {
            PropertyValue::Int(number) => *number,
            _ => 0,
        });
        return builtin::dense_array(*width, &numbers.collect::<Vec<_>>());
    }
    builtin::array(items.iter().map(|item| attribute_of(inner, item, of_table)).collect::<Result<_>>()?)
}

fn spelled(spelling: &Spelling, number: i64) -> Result<Attribute> {
    match spelling {
        Spelling::Integer(width) => {
            let shift = 64 - (*width).clamp(1, 64);
            builtin::integer(builtin::signless(*width)?, number << shift >> shift)
        }
        Spelling::Bool | Spelling::Unit => builtin::boolean(number != 0),
        // A schema declares these attributes of a dialect by their text.
        Spelling::Flags(flags) => {
            let set = flags.names.iter().filter(|(bit, _)| number as u64 & bit == *bit);
            let names: Vec<&str> = set.map(|(_, name)| &**name).collect();
            let names = if names.is_empty() { flags.none.to_string() } else { names.join(", ") };
            Attribute::parse(format!("{}{names}{}", flags.prefix, flags.suffix))
        }
    }
}

/// Returns the value of a native field from its attribute form.
pub(crate) fn native_of_attribute(kind: &Kind, value: &Attribute) -> Option<PropertyValue> {
    native_of(kind, AttrId::new(value.0.of.index()), &value.0.home.view().ok()?)
}

/// Returns the bits of `#arith.overflow<nsw, nuw>` for a field with named flags.
pub(crate) fn flags_of_attribute(kind: &Kind, value: &Attribute) -> Option<PropertyValue> {
    let (Kind::Int { spelling: Spelling::Flags(flags), .. }
    | Kind::Enum { spelling: Spelling::Flags(flags), .. }) = kind
    else {
        return None;
    };
    // A schema declares these attributes of a dialect by their text.
    let text = value.to_text(None).ok()?;
    flags_of_text(flags, text.as_bytes()).map(|bits| PropertyValue::Int(bits as i64))
}

fn flags_of_text(flags: &Flags, text: &[u8]) -> Option<u64> {
    let mut lexer = Lexer::new(text);
    let mut prefix = Lexer::new(flags.prefix.as_bytes());
    while let token = prefix.next().ok()?
        && token.kind != TokenKind::End
    {
        let next = lexer.next().ok()?;
        if lexer.spelling(next) != prefix.spelling(token) {
            return None;
        }
    }
    let (mut bits, mut is_name) = (0, true);
    loop {
        let token = lexer.next().ok()?;
        if text.get(token.start..) == Some(flags.suffix.as_bytes()) {
            return Some(bits);
        }
        let name = lexer.spelling(token);
        match token.kind {
            TokenKind::Comma | TokenKind::Bar if !is_name => is_name = true,
            _ if !is_name => return None,
            _ if name == flags.none.as_bytes() => is_name = false,
            _ => {
                bits |= flags.names.iter().find(|known| known.1.as_bytes() == name)?.0;
                is_name = false;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_become_text_and_return() {
        let flags = Flags {
            prefix: "#toy.flags<".into(),
            suffix: ">".into(),
            none: "none".into(),
            names: vec![(1, "nsw".into()), (2, "nuw".into())],
        };
        let kind = Kind::Enum { bits: 32, spelling: Spelling::Flags(Box::new(flags)) };
        let of_table = |_: &PropertyValue| builtin::unit();
        for (number, text) in [(0, "#toy.flags<none>"), (1, "#toy.flags<nsw>"), (3, "#toy.flags<nsw, nuw>")] {
            let value = PropertyValue::Int(number);
            let attribute = attribute_of(&kind, &value, &of_table).unwrap();
            assert_eq!(attribute.to_string(), text);
            assert_eq!(flags_of_attribute(&kind, &attribute), Some(value));
        }
        for text in ["#toy.flags<nsw nuw>", "#toy.flags<other>", "#toy.other<nsw>", "1 : i32"] {
            assert_eq!(flags_of_attribute(&kind, &Attribute::parse(text).unwrap()), None, "{text}");
        }
    }

    #[test]
    fn native_values_become_attributes_and_return() {
        let of_table = |_: &PropertyValue| builtin::unit();
        let int = |width| Kind::Int { bits: 64, is_signed: true, spelling: Spelling::Integer(width) };
        for (kind, value, text) in [
            (int(32), PropertyValue::Int(-3), "-3 : i32"),
            (Kind::Bool(Spelling::Unit), PropertyValue::Bool(true), "unit"),
            (Kind::Bool(Spelling::Unit), PropertyValue::Bool(false), "false"),
            (Kind::Bool(Spelling::Bool), PropertyValue::Bool(true), "true"),
            (Kind::Array(Box::new(int(64))), PropertyValue::Array(Vec::new()), "array<i64>"),
            (Kind::Array(Box::new(int(8))), PropertyValue::Array(Vec::new()), "[]"),
            (Kind::Optional(Box::new(int(64))), PropertyValue::Optional(None), "[]"),
            (
                Kind::Optional(Box::new(int(64))),
                PropertyValue::Optional(Some(Box::new(PropertyValue::Int(5)))),
                "[5]",
            ),
        ] {
            let attribute = attribute_of(&kind, &value, &of_table).unwrap();
            assert_eq!(attribute.to_string(), text);
            assert_eq!(native_of_attribute(&kind, &attribute), Some(value));
        }
    }
}
