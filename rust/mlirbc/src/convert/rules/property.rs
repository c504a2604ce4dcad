//! Rules about the attributes of operations.

use serde::{Deserialize, Deserializer};

use super::{Names, Since};
use crate::attr::{Attribute, FieldValue, Type};
use crate::wire::error::{Error, Result};

/// An attribute or property that was renamed, added or omitted, or whose values changed.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::convert) struct PropertyRule {
    pub(in crate::convert) op: Names,
    #[serde(default)]
    pub(in crate::convert) at: Since,
    /// The name before; empty if the attribute did not exist.
    #[serde(default)]
    pub(in crate::convert) before: Box<str>,
    /// The name after; empty if the attribute does not exist any longer.
    #[serde(default)]
    pub(in crate::convert) after: Box<str>,
    /// Names that each replace `after` in a copy of the row.
    #[serde(default)]
    names: Vec<Box<str>>,
    /// The corresponding values; without it, values are unchanged.
    #[serde(default)]
    pub(in crate::convert) values: Vec<(Constant, Constant)>,
    /// Bits of an integer that newer releases spell out.
    pub(in crate::convert) flags: Option<Flags>,
    /// Whether newer releases require the sizes of the result, as a dense array, and older ones work them out.
    #[serde(default)]
    pub(in crate::convert) is_shape_of_result: bool,
    /// The corresponding numbers, alone or in arrays.
    #[serde(default)]
    pub(in crate::convert) numbers: Vec<(i64, i64)>,
    /// Whether a dense array of 64-bit integers was an array of attributes.
    #[serde(default)]
    pub(in crate::convert) was_array: bool,
    /// The translation of values whose classes do not correspond.
    pub(in crate::convert) kind: Option<ValueKind>,
    /// The class of an enumeration.
    pub(in crate::convert) class: Option<Box<str>>,
    /// The newer value that is equivalent to an absent attribute.
    pub(in crate::convert) default: Option<Constant>,
    /// Whether the newer side requires the default if there was no value.
    #[serde(default)]
    pub(in crate::convert) is_added: bool,
    /// Whether both sides have the default, so that it is not omitted.
    #[serde(default)]
    pub(in crate::convert) is_kept: bool,
    /// The default once for each result of the affine map, or for each element of the tensor, in this property.
    pub(in crate::convert) each_of: Option<Box<str>>,
    /// The number of defaults for each element, which make a row of a tensor.
    pub(in crate::convert) columns: Option<u64>,
    /// The defaults make a row for each dimension of the first operand but this number.
    pub(in crate::convert) rank_less: Option<u64>,
    /// The item for a result that is a constant, instead of the default.
    pub(in crate::convert) for_constants: Option<Constant>,
    /// The moment since which that item is not required.
    pub(in crate::convert) constants_until: Option<Since>,
    /// The attribute together with which the default is omitted.
    pub(in crate::convert) with: Option<Box<str>>,
    /// Another value that is omitted.
    pub(in crate::convert) or: Option<Constant>,
    /// The condition under which that value is the default.
    pub(in crate::convert) r#if: Option<Condition>,
}

/// How a value corresponds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(in crate::convert) enum ValueKind {
    Unit,
    Symbol,
    Symbols,
    Enum,
    Array,
}

/// An attribute has a number.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::convert) struct Condition {
    pub(in crate::convert) name: Box<str>,
    pub(in crate::convert) number: u64,
}

/// Reads rows with `names` as one row for each name.
pub(super) fn one_for_each_name<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> std::result::Result<Vec<PropertyRule>, D::Error> {
    let rows: Vec<PropertyRule> = Vec::deserialize(deserializer)?;
    let named = |row: PropertyRule| -> Vec<PropertyRule> {
        if row.names.is_empty() {
            return vec![row];
        }
        let named_row = |name: &str| PropertyRule { after: name.into(), names: Vec::new(), ..row.clone() };
        row.names.iter().map(|name| named_row(name)).collect()
    };
    Ok(rows.into_iter().flat_map(named).collect())
}

/// An element of a tensor: a 64-bit integer or a boolean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::convert) enum Number {
    Integer(i64),
    Bool(bool),
}

impl PropertyRule {
    /// Returns the default as an element of a tensor; `None` if it is not a number.
    pub(in crate::convert) fn element(&self) -> Option<Number> {
        let default = &self.default.as_ref()?.0;
        let Ok(Some(FieldValue::Integer { words, .. })) = default.field("value") else { return None };
        let is_bool = *default == crate::attr::build::builtin::boolean(words.first() != Some(&0)).ok()?;
        let word = *words.first()?;
        Some(if is_bool { Number::Bool(word != 0) } else { Number::Integer(word as i64) })
    }
}

/// An attribute that a row mentions.
#[derive(Debug, Clone, Deserialize)]
#[serde(try_from = "String")]
pub(in crate::convert) struct Constant(pub(in crate::convert) Attribute);

impl TryFrom<String> for Constant {
    type Error = Error;

    fn try_from(text: String) -> Result<Self> {
        Attribute::parse(text).map(Self)
    }
}

/// The bytes of a text with names of flags.
const FLAGS_LENGTH: usize = 1 << 10;

/// The bits of an integer, and the text with their names.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::convert) struct Flags {
    /// The type of the integer.
    integer: String,
    /// The text with `{x}` for the names.
    text: String,
    /// Names and bits, in the order in which they are printed.
    cases: Vec<(String, u32)>,
}

impl Flags {
    /// The integer as text; `None` if a bit has no name.
    pub(in crate::convert) fn spelled(&self, value: &Attribute) -> Result<Option<Attribute>> {
        let is_of_type = value.field("type")? == Some(FieldValue::Type(Type::parse(&*self.integer)?));
        let number = match value.field("value")? {
            Some(FieldValue::Integer { words, .. }) if is_of_type => <[u64; 1]>::try_from(&words[..]).ok(),
            _ => None,
        };
        let Some([mut rest]) = number else { return Ok(None) };
        let mut names = Vec::new();
        for (name, bit) in &self.cases {
            if rest & u64::from(*bit) != 0 {
                rest &= !u64::from(*bit);
                names.push(&**name);
            }
        }
        if rest != 0 || names.is_empty() {
            return Ok(None);
        }
        Attribute::parse(self.text.replace("{x}", &names.join("|"))).map(Some)
    }

    /// The integer of a text; `None` for a name that it cannot say.
    pub(in crate::convert) fn number(&self, value: &Attribute) -> Result<Option<Attribute>> {
        let Some((start, end)) = self.text.split_once("{x}") else { return Ok(None) };
        // A longer text has other names.
        let text = value.to_text_within(FLAGS_LENGTH);
        let Some(names) = text.strip_prefix(start).and_then(|rest| rest.strip_suffix(end)) else {
            return Ok(None);
        };
        let bit = |name: &str| {
            self.cases.iter().find(|(known, _)| known == name.trim()).map(|(_, bit)| u64::from(*bit))
        };
        let Some(number) = names.split('|').map(bit).sum::<Option<u64>>() else { return Ok(None) };
        Attribute::parse(format!("{number} : {}", self.integer)).map(Some)
    }
}

#[cfg(test)]
mod tests {
    use super::super::TranslationRows;
    use super::*;

    #[test]
    fn defaults_are_elements() {
        let row = |default: &str| {
            let text = format!("[[property]]\nop = \"x\"\nafter = \"y\"\ndefault = '{default}'\n");
            TranslationRows::load(&text).unwrap().property.remove(0).element()
        };
        assert_eq!(row("1"), Some(Number::Integer(1)));
        assert_eq!(row("-1 : i64"), Some(Number::Integer(-1)));
        assert_eq!(row("false"), Some(Number::Bool(false)));
        assert_eq!(row("true"), Some(Number::Bool(true)));
        assert_eq!(row("\"a\""), None);
    }

    #[test]
    fn a_row_with_names_stands_for_each() {
        let text = "[[property]]\nop = [\"x\", \"z.*\"]\nnames = [\"a\", \"b\"]\nat = \"1.9.0\"\n";
        let rows = TranslationRows::load(text).unwrap().property;
        let names: Vec<&str> = rows.iter().map(|row| &*row.after).collect();
        assert_eq!(names, ["a", "b"]);
        assert!(rows.iter().all(|row| row.op.cover("z.y") && row.at.version().to_string() == "1.9.0"));
        assert!(TranslationRows::load("[[property]]\nop = \"x\"\nmeaning = 1\n").is_err());
    }
}
