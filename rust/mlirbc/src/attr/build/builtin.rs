//! Builtin attributes and types from Rust values.

use crate::attr::{Attribute, FieldValue, Type};
use crate::wire::error::Result;

/// `i32`
pub(crate) fn signless(width: u32) -> Result<Type> {
    Type::build("builtin", "IntegerType", &[("widthAndSign", FieldValue::Unsigned(u64::from(width) << 2))])
}

/// `3 : i32`; the type is an integer type or `index`.
pub(crate) fn integer(r#type: Type, value: i64) -> Result<Attribute> {
    let fields = [("type", FieldValue::Type(r#type)), ("value", FieldValue::Signed(value))];
    Attribute::build("builtin", "IntegerAttr", &fields)
}

/// `true`
pub(crate) fn boolean(value: bool) -> Result<Attribute> {
    integer(signless(1)?, -i64::from(value))
}

/// `unit`
pub(crate) fn unit() -> Result<Attribute> {
    Attribute::build("builtin", "UnitAttr", &[])
}

/// `"text"`
pub(crate) fn string(text: &[u8]) -> Result<Attribute> {
    Attribute::build("builtin", "StringAttr", &[("value", FieldValue::String(text.to_vec().into()))])
}

/// `[a, b]`
pub(crate) fn array(elements: Vec<Attribute>) -> Result<Attribute> {
    let elements = elements.into_iter().map(FieldValue::Attribute).collect();
    Attribute::build("builtin", "ArrayAttr", &[("value", FieldValue::List(elements))])
}

/// `[1, 2]` with integers of 64 bits.
pub(crate) fn array_of_integers(numbers: &[i64]) -> Result<Attribute> {
    let r#type = signless(64)?;
    array(numbers.iter().map(|&number| integer(r#type.clone(), number)).collect::<Result<_>>()?)
}

/// `array<i64: 1, 2>`; the width is at most 64, in whole bytes.
pub(crate) fn dense_array(width: u32, numbers: &[i64]) -> Result<Attribute> {
    let size = (width / 8) as usize;
    let data: Vec<u8> =
        numbers.iter().flat_map(|number| number.to_le_bytes().into_iter().take(size)).collect();
    let fields = [
        ("elementType", FieldValue::Type(signless(width)?)),
        ("size", FieldValue::Unsigned(numbers.len() as u64)),
        ("data", FieldValue::Blob(data.into())),
    ];
    Attribute::build("builtin", "DenseArrayAttr", &fields)
}

/// Returns the attribute that represents segment sizes.
pub(crate) fn segment_sizes(sizes: &[i32]) -> Result<Attribute> {
    dense_array(32, &sizes.iter().map(|&size| size.into()).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_those_that_the_parser_makes() {
        for (attribute, text) in [
            (integer(signless(32).unwrap(), -3), "-3 : i32"),
            (boolean(true), "true"),
            (boolean(false), "false"),
            (unit(), "unit"),
            (string(b"a"), "\"a\""),
            (array_of_integers(&[1, -2]), "[1, -2]"),
            (array(Vec::new()), "[]"),
            (dense_array(64, &[1, -2]), "array<i64: 1, -2>"),
            (segment_sizes(&[1, 0]), "array<i32: 1, 0>"),
            (segment_sizes(&[]), "array<i32>"),
        ] {
            let attribute = attribute.unwrap();
            assert_eq!(attribute, Attribute::parse(text).unwrap(), "{text}");
            assert_eq!(attribute.payload(), Attribute::parse(text).unwrap().payload(), "{text}");
        }
    }
}
