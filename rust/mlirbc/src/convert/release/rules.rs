//! The rules of `data/translation.toml`, as the file has them.

use std::collections::HashMap;
use std::sync::OnceLock;

use serde::Deserialize;

use crate::attr::{Attribute, FieldValue, Type};
use crate::convert::respell::{Pattern, Rule};
use crate::wire::error::{Error, ErrorKind, Result};
use crate::wire::order::sort_by;
use crate::wire::toml::from_str;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Raw {
    #[serde(default)]
    pub(super) text: Vec<Text>,
    #[serde(default)]
    pub(super) missing: Vec<Missing>,
    #[serde(default)]
    pub(super) op: Vec<OpRule>,
    #[serde(default)]
    pub(super) property: Vec<PropertyRule>,
    #[serde(default)]
    pub(super) undeclared: Vec<Undeclared>,
    #[serde(default)]
    pub(super) segments: Vec<Segments>,
    pub(super) terminator: Vec<Terminator>,
    #[serde(default)]
    pub(super) field: Vec<FieldRule>,
    #[serde(default)]
    pub(super) fields: Vec<FieldsRule>,
    #[serde(default)]
    pub(super) operands: Vec<OperandOrder>,
    #[serde(default)]
    pub(super) group: Vec<GroupName>,
    #[serde(default)]
    pub(super) regions: Vec<Regions>,
    #[serde(default)]
    pub(super) replaced_terminator: Vec<ReplacedTerminator>,
    #[serde(default)]
    pub(super) only_numbers: Vec<OnlyNumbers>,
    #[serde(default)]
    pub(super) incompatible: Vec<Incompatible>,
    #[serde(default)]
    pub(super) counts: Vec<CountsRule>,
    #[serde(default)]
    pub(super) required: Vec<Required>,
    #[serde(default)]
    pub(super) elements: Vec<Elements>,
    /// By release and op.
    #[serde(default)]
    pub(super) operand_groups: HashMap<String, HashMap<String, Vec<String>>>,
}

/// When a difference came into the main branch of LLVM.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub(super) enum Since {
    /// Between the branches of two releases: the number of the later one.
    Release(u32),
    /// A day. Builds whose revision in `releases.toml` is from that day on have it.
    Day(Box<str>),
}

/// Two spellings of the same entity.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Text {
    pub(super) at: u32,
    pub(super) before: String,
    pub(super) after: String,
    /// The two spellings of the items between commas in the placeholder.
    pub(super) items: Option<[String; 2]>,
    /// Whether newer releases also accept the older spelling.
    #[serde(default)]
    pub(super) is_read_by_newer: bool,
}

#[derive(Debug)]
pub(super) struct TextRule {
    pub(super) at: u32,
    pub(super) is_read_by_newer: bool,
    pub(super) up: Rule,
    pub(super) down: Rule,
}

/// Text that releases before, or from, a number do not have.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Missing {
    pub(super) text: String,
    #[serde(default)]
    pub(super) before: u32,
    pub(super) from: Option<u32>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct OpRule {
    pub(super) at: Since,
    pub(super) before: String,
    pub(super) after: String,
    /// Whether the older op has fewer features than the newer one.
    #[serde(default)]
    pub(super) is_up_only: bool,
}

/// A type whose dense elements have other bytes from a number on.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Elements {
    pub(super) at: u32,
    pub(super) r#type: String,
}

/// Operand groups that were added later.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Segments {
    pub(super) at: Since,
    pub(super) op: String,
    pub(super) sizes: Vec<GroupSize>,
}

/// The number of operands of a group.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub(crate) enum GroupSize {
    /// This number; -1 is all remaining ones.
    Number(i32),
    /// The number of inputs of the affine map in this property.
    InputsOf(String),
}

/// An op that terminated the blocks of another one before a release; since then there is no terminator.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Terminator {
    pub(super) until: Since,
    pub(super) op: String,
    pub(super) of: Vec<String>,
}

/// Attributes that ops declare from a release on, and read undeclared before.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Undeclared {
    pub(super) at: Since,
    pub(super) op: String,
    pub(super) names: Vec<String>,
}

/// Operands that newer releases have in another order.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct OperandOrder {
    pub(super) at: Since,
    pub(super) op: String,
    /// For each operand of the newer operation, its place in the older one.
    pub(super) order: Vec<u8>,
}

/// A group of operands with another name.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct GroupName {
    pub(super) at: Since,
    pub(super) op: String,
    pub(super) before: String,
    pub(super) after: String,
}

/// Regions that newer releases added, and that may be empty.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Regions {
    pub(super) at: Since,
    pub(super) op: String,
    /// The number of regions that come before the regions of older releases.
    #[serde(default)]
    pub(super) first: u8,
    /// The number of regions that come after the regions of older releases.
    #[serde(default)]
    pub(super) last: u8,
}

/// A terminator without operands that another operation replaced in the blocks of one operation.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ReplacedTerminator {
    pub(super) at: Since,
    pub(super) of: String,
    pub(super) before: String,
    pub(super) after: String,
}

/// A field of an attribute or a type that is stored as text.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FieldRule {
    /// The class with its `#` or `!`; `*` is any end.
    pub(super) of: String,
    pub(super) name: String,
    /// When the field was added; without it, the rows of `attribute_fields.tsv` say which releases have it.
    pub(super) at: Option<Since>,
    /// The value that says what older releases mean without the field; `{x}` is the value of field `x`.
    pub(super) meaning: Option<String>,
    /// Whether newer releases require the field.
    #[serde(default)]
    pub(super) is_required: bool,
    /// The spelling of the default in releases that require the field.
    pub(super) default_text: Option<String>,
}

/// A symbol that has nothing but numbers in its brackets from a release on.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct OnlyNumbers {
    pub(super) of: String,
    pub(super) at: Since,
}

/// An operation with a form that the other side refuses and that is not translated.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Incompatible {
    pub(super) at: Since,
    pub(super) op: String,
    /// What the operation must have before, and after.
    pub(super) before: String,
    pub(super) after: String,
}

/// An operation that has as many operands, results and regions as in LLVM 22 from a day on, and as in LLVM 19 before.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CountsRule {
    pub(super) op: String,
    pub(super) at: Since,
}

/// Attributes of which an operation must have one or more from a release on.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Required {
    pub(super) at: Since,
    pub(super) op: String,
    pub(super) one_of: Vec<String>,
}

/// All fields of an attribute or a type that is stored as text, `{x}` for any value.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FieldsRule {
    pub(super) of: String,
    pub(super) at: Since,
    pub(super) before: String,
    pub(super) after: String,
}

/// A property that was renamed, or whose values changed.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PropertyRule {
    pub(super) op: String,
    pub(super) at: Since,
    /// Empty if it did not exist.
    #[serde(default)]
    pub(super) before: String,
    pub(super) after: String,
    /// The corresponding values; without it, values are unchanged.
    #[serde(default)]
    pub(super) values: Vec<(Constant, Constant)>,
    /// Bits of an integer that newer releases spell out.
    pub(super) flags: Option<Flags>,
    /// Whether newer releases require the sizes of the result, as a dense array, and older ones work them out.
    #[serde(default)]
    pub(super) is_shape_of_result: bool,
    /// The corresponding numbers, alone or in arrays.
    #[serde(default)]
    pub(super) numbers: Vec<(i64, i64)>,
    /// Whether a dense array of 64-bit integers was an array of attributes.
    #[serde(default)]
    pub(super) was_array: bool,
    /// The newer value that is equivalent to none.
    pub(super) default: Option<Constant>,
    /// Whether newer releases require the default if there was no value.
    #[serde(default)]
    pub(super) is_added: bool,
    /// An array of the default instead, with one item for each result of the affine map in this property.
    pub(super) each_result_of: Option<String>,
    /// The item for a result that is a constant, instead of the default.
    pub(super) for_constants: Option<Constant>,
    /// When releases stopped to require that item.
    pub(super) constants_until: Option<Since>,
}

/// The bytes of a text with names of flags.
const FLAGS_LENGTH: usize = 1 << 10;

/// The bits of an integer, and the text with their names.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Flags {
    /// The type of the integer.
    pub(super) integer: String,
    /// The text with `{x}` for the names.
    pub(super) text: String,
    /// Names and bits, in the order in which they are printed.
    pub(super) cases: Vec<(String, u32)>,
}

impl Flags {
    /// The integer as text; `None` if a bit has no name.
    pub(super) fn spelled(&self, value: &Attribute) -> Result<Option<Attribute>> {
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
    pub(super) fn number(&self, value: &Attribute) -> Result<Option<Attribute>> {
        let Some((start, end)) = self.text.split_once("{x}") else { return Ok(None) };
        // What is longer has other names.
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

/// An attribute that a rule mentions.
#[derive(Debug, Deserialize)]
#[serde(try_from = "String")]
pub(super) struct Constant(pub(super) Attribute);

impl TryFrom<String> for Constant {
    type Error = Error;

    fn try_from(text: String) -> Result<Self> {
        Attribute::parse(text).map(Self)
    }
}

/// A property that newer releases require.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Added<'r> {
    pub(crate) name: &'r str,
    pub(crate) value: &'r Attribute,
    pub(crate) each_result_of: Option<&'r str>,
    pub(crate) for_constants: Option<&'r Attribute>,
}

/// The whole table.
#[derive(Debug)]
pub(crate) struct Translation {
    pub(super) raw: Raw,
    pub(super) texts: Vec<TextRule>,
    pub(super) missing: Vec<(Pattern, u32, u32)>,
}

static SHIPPED: OnceLock<Result<Translation, String>> = OnceLock::new();
static ATTRIBUTES_16: OnceLock<HashMap<Box<str>, Box<str>>> = OnceLock::new();

/// The shipped data.
pub(super) fn shipped() -> Result<&'static Translation> {
    let text = include_str!("../../../data/translation.toml");
    let loaded = SHIPPED.get_or_init(|| Translation::load(text).map_err(|error| error.to_string()));
    loaded.as_ref().map_err(|error| {
        Error::message(
            ErrorKind::DialectTable,
            format!("the table of release differences is invalid: {error}"),
        )
    })
}

/// The names of attributes by op, each list as in the file.
pub(super) fn attributes_16() -> &'static HashMap<Box<str>, Box<str>> {
    ATTRIBUTES_16.get_or_init(|| {
        let rows =
            include_str!("../../../data/attributes-16.txt").lines().filter(|line| !line.starts_with('#'));
        rows.map(|row| row.split_once(' ').unwrap_or((row, "")))
            .map(|(op, names)| (op.into(), names.into()))
            .collect()
    })
}

impl Translation {
    pub(super) fn load(text: &str) -> Result<Self> {
        let raw: Raw = from_str(text)
            .map_err(|error| Error::message(ErrorKind::DialectTable, error.message().to_owned()))?;
        let mut texts = Vec::new();
        for row in &raw.text {
            let (before, after) = (Pattern::parse(&row.before)?, Pattern::parse(&row.after)?);
            let items = match &row.items {
                Some([before, after]) => Some((Pattern::parse_item(before)?, Pattern::parse_item(after)?)),
                None => None,
            };
            let turned = items.clone().map(|(before, after)| (after, before));
            texts.push(TextRule {
                at: row.at,
                is_read_by_newer: row.is_read_by_newer,
                up: Rule { from: before.clone(), to: after.clone(), items },
                down: Rule { from: after, to: before, items: turned },
            });
        }
        sort_by(&mut texts, |a, b| a.at.cmp(&b.at));
        let mut missing = Vec::new();
        for row in &raw.missing {
            missing.push((Pattern::parse(&row.text)?, row.before, row.from.unwrap_or(u32::MAX)));
        }
        Ok(Self { raw, texts, missing })
    }
}
