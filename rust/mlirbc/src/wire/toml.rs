//! TOML of tables: a text becomes a tree with places, and values are built from the tree.
//!
//! The deserializers of the crate `toml` take their values apart and are compiled once for each type and each
//! way of asking; that was a twentieth of the extension module. This one borrows the tree, and keys and values
//! share it.

use std::borrow::Cow;
use std::fmt;

use serde::Deserializer;
use serde::de::value::BorrowedStrDeserializer;
use serde::de::{
    self, DeserializeOwned, DeserializeSeed, IntoDeserializer, MapAccess, SeqAccess, Unexpected, Visitor,
};
use serde_spanned::de::is_spanned;
use toml::Spanned;
use toml::de::{DeArray, DeInteger, DeTable, DeValue};

/// An error in a text, and its first byte there.
#[derive(Debug)]
pub(crate) struct TomlError {
    message: String,
    at: Option<usize>,
}

impl TomlError {
    fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), at: None }
    }

    /// The innermost place is kept.
    fn within(mut self, place: usize) -> Self {
        self.at.get_or_insert(place);
        self
    }

    pub(crate) fn message(&self) -> &str {
        &self.message
    }

    /// The offset of the error in the text.
    pub(crate) fn offset(&self) -> usize {
        self.at.unwrap_or_default()
    }
}

impl fmt::Display for TomlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for TomlError {}

impl de::Error for TomlError {
    #[cold]
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self::new(message.to_string())
    }
}

/// Reads a value from a text.
///
/// # Errors
/// For what is not TOML, and for what the value does not accept.
pub(crate) fn from_str<T: DeserializeOwned>(text: &str) -> Result<T, TomlError> {
    let table = parse(text)?;
    let place = table.span().start;
    let root = Node { place: (place, table.span().end), content: Content::Table(table.get_ref()) };
    T::deserialize(root).map_err(|error| error.within(place))
}

/// A message with the line of the byte at `at`.
pub(crate) fn in_line(message: &str, at: usize, text: &str) -> String {
    let line = text.get(..at).unwrap_or_default().matches('\n').count() + 1;
    let content = text.lines().nth(line - 1).unwrap_or_default().trim();
    format!("{message} in line {line}: `{content}`")
}

fn parse(text: &str) -> Result<Spanned<DeTable<'_>>, TomlError> {
    DeTable::parse(text).map_err(|error| TomlError {
        message: error.message().to_owned(),
        at: error.span().map(|span| span.start),
    })
}

/// A key or a value, with its first byte and the one after its last.
#[derive(Clone, Copy)]
struct Node<'a> {
    place: (usize, usize),
    content: Content<'a>,
}

#[derive(Clone, Copy)]
enum Content<'a> {
    Text(&'a str),
    Integer(&'a DeInteger<'a>),
    Float(&'a str),
    Bool(bool),
    Date,
    // Where a value begins or ends.
    Place(usize),
    Array(&'a DeArray<'a>),
    Table(&'a DeTable<'a>),
}

impl<'a> Node<'a> {
    fn key(key: &'a Spanned<Cow<'a, str>>) -> Self {
        Self { place: (key.span().start, key.span().end), content: Content::Text(key.get_ref()) }
    }

    fn value(value: &'a Spanned<DeValue<'a>>) -> Self {
        let content = match value.get_ref() {
            DeValue::String(text) => Content::Text(text),
            DeValue::Integer(number) => Content::Integer(number),
            DeValue::Float(number) => Content::Float(number.as_str()),
            DeValue::Boolean(value) => Content::Bool(*value),
            DeValue::Datetime(_) => Content::Date,
            DeValue::Array(array) => Content::Array(array),
            DeValue::Table(table) => Content::Table(table),
        };
        Self { place: (value.span().start, value.span().end), content }
    }
}

enum Number {
    Signed(i64),
    Unsigned(u64),
}

fn number(integer: &DeInteger<'_>) -> Result<Number, TomlError> {
    let (text, radix) = (integer.as_str(), integer.radix());
    let signed = i64::from_str_radix(text, radix).map(Number::Signed);
    signed
        .or_else(|_| u64::from_str_radix(text, radix).map(Number::Unsigned))
        .map_err(|_| TomlError::new("integer number overflowed"))
}

fn float(text: &str) -> Result<f64, TomlError> {
    text.parse().map_err(|_| TomlError::new("floating-point number overflowed"))
}

impl Node<'_> {
    fn unexpected(&self, expected: &dyn de::Expected) -> TomlError {
        let found = match &self.content {
            Content::Text(text) => Unexpected::Str(text),
            Content::Integer(integer) => match number(integer) {
                Ok(Number::Signed(number)) => Unexpected::Signed(number),
                Ok(Number::Unsigned(number)) => Unexpected::Unsigned(number),
                Err(error) => return error,
            },
            Content::Float(text) => match float(text) {
                Ok(number) => Unexpected::Float(number),
                Err(error) => return error,
            },
            Content::Bool(value) => Unexpected::Bool(*value),
            Content::Date => Unexpected::Other("datetime"),
            Content::Array(_) => Unexpected::Seq,
            Content::Table(_) => Unexpected::Map,
            Content::Place(place) => Unexpected::Unsigned(*place as u64),
        };
        de::Error::invalid_type(found, expected)
    }
}

impl<'de> Deserializer<'de> for Node<'de> {
    type Error = TomlError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, TomlError> {
        let value = match self.content {
            Content::Text(text) => visitor.visit_borrowed_str(text),
            Content::Integer(integer) => number(integer).and_then(|number| match number {
                Number::Signed(number) => visitor.visit_i64(number),
                Number::Unsigned(number) => visitor.visit_u64(number),
            }),
            Content::Float(text) => float(text).and_then(|number| visitor.visit_f64(number)),
            Content::Bool(value) => visitor.visit_bool(value),
            Content::Date => Err(de::Error::invalid_type(Unexpected::Other("datetime"), &visitor)),
            Content::Array(array) => visitor.visit_seq(Items(array.iter())),
            Content::Table(table) => visitor.visit_map(Rows::Table(table.iter(), None)),
            Content::Place(place) => visitor.visit_u64(place as u64),
        };
        value.map_err(|error| error.within(self.place.0))
    }

    // A key that is present has a value.
    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, TomlError> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, TomlError> {
        visitor.visit_newtype_struct(self)
    }

    // Visitors of structures are compiled for one way of asking.
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, TomlError> {
        let place = self.place;
        let rows = match &self.content {
            _ if is_spanned(name) => Rows::Spanned(fields, self),
            Content::Table(table) => Rows::Table(table.iter(), None),
            _ => return Err(self.unexpected(&visitor).within(place.0)),
        };
        visitor.visit_map(rows).map_err(|error| error.within(place.0))
    }

    // Enums of tables are words; untagged ones ask for any value.
    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, TomlError> {
        let place = self.place.0;
        let found = match &self.content {
            Content::Text(word) => visitor.visit_enum(BorrowedStrDeserializer::new(word)),
            _ => Err(self.unexpected(&visitor)),
        };
        found.map_err(|error: TomlError| error.within(place))
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple
        tuple_struct map identifier ignored_any
    }
}

impl<'de> IntoDeserializer<'de, TomlError> for Node<'de> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

struct Items<'a>(std::slice::Iter<'a, Spanned<DeValue<'a>>>);

impl<'de> SeqAccess<'de> for Items<'de> {
    type Error = TomlError;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, TomlError> {
        self.0.next().map(|item| seed.deserialize(Node::value(item))).transpose()
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.0.len())
    }
}

// Keys and values: those of a table with the value of the last key, or the place of a value and the value, of which these
// keys are left.
enum Rows<'a, I> {
    Table(I, Option<Node<'a>>),
    Spanned(&'static [&'static str], Node<'a>),
}

impl<'de, I> MapAccess<'de> for Rows<'de, I>
where
    I: Iterator<Item = (&'de Spanned<Cow<'de, str>>, &'de Spanned<DeValue<'de>>)>,
{
    type Error = TomlError;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, TomlError> {
        let key = match self {
            Self::Table(rows, next) => {
                let Some((key, value)) = rows.next() else { return Ok(None) };
                *next = Some(Node::value(value));
                Node::key(key)
            }
            Self::Spanned(keys, value) => {
                let Some((key, rest)) = keys.split_first() else { return Ok(None) };
                *keys = rest;
                Node { place: value.place, content: Content::Text(key) }
            }
        };
        let place = key.place.0;
        seed.deserialize(key).map(Some).map_err(|error| error.within(place))
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, TomlError> {
        let value = match self {
            Self::Table(_, next) => next.take(),
            Self::Spanned(keys, value) => {
                let (start, end) = value.place;
                let content = match keys.len() {
                    2 => Content::Place(start),
                    1 => Content::Place(end),
                    _ => std::mem::replace(&mut value.content, Content::Place(start)),
                };
                Some(Node { place: (start, end), content })
            }
        };
        let Some(value) = value else { return Err(TomlError::new("a value before its key")) };
        let place = value.place.0;
        seed.deserialize(value).map_err(|error| error.within(place))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde::Deserialize;

    use super::*;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Table {
        name: Spanned<String>,
        #[serde(default)]
        rows: Vec<Row>,
        #[serde(default)]
        numbers: BTreeMap<Spanned<String>, i8>,
        flag: Option<bool>,
    }

    #[derive(Debug, Deserialize)]
    #[serde(untagged)]
    enum Row {
        Number(u64),
        Pair((String, f64)),
    }

    fn offset_of(text: &str, part: &str) -> usize {
        text.find(part).unwrap()
    }

    #[test]
    fn values_and_places() {
        let text = "flag = true\nname = \"a\\tb\"\nrows = [0x10, ['c', 1.5]]\n[numbers]\n'd e' = -3";
        let table: Table = from_str(text).unwrap();
        assert_eq!((&**table.name.get_ref(), table.flag), ("a\tb", Some(true)));
        assert_eq!(table.name.span(), 19..25);
        assert!(matches!(&table.rows[..], [Row::Number(16), Row::Pair((c, 1.5))] if c == "c"));
        let (key, number) = table.numbers.first_key_value().unwrap();
        assert_eq!((&**key.get_ref(), key.span().start, *number), ("d e", offset_of(text, "'d e'"), -3));
    }

    #[test]
    fn errors_are_those_of_the_crate_toml() {
        for text in [
            "name = ",
            "name = 'a'\nname = 'b'",
            "name = 3",
            "nam = 'a'",
            "flag = true",
            "name = 'a'\nflag = 1979-05-27",
            "name = 'a'\nrows = [true]",
            "name = 'a'\nrows = 3",
            "name = 'a'\nnumbers = { a = 300 }",
            "name = 'a'\nnumbers = { a = 99999999999999999999 }",
        ] {
            let error = from_str::<Table>(text).unwrap_err();
            let other = toml::from_str::<Table>(text).unwrap_err();
            let span = other.span().map_or(0, |span| span.start);
            if text.contains("1979") || text.contains("9999") {
                assert_eq!(error.offset(), span, "{text}");
            } else {
                assert_eq!((error.message(), error.offset()), (other.message(), span), "{text}");
            }
        }
    }
}
