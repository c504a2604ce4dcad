//! A dialect whose encoding is declared in a table, which is drawn as well.

use std::fmt::Write as _;
use std::sync::Arc;

use mlirbc::attr::FieldValue;
use mlirbc::attr::hooks::WrittenProperties;
use mlirbc::dialect::DialectTable;
use mlirbc::{Attribute, Result, Type};

use crate::body::unit;
use crate::draws::Draws;
use crate::values::{Language, Referred};

/// The primitives of fields, those without others in them first.
const PRIMITIVES: [&str; 18] = [
    "varint",
    "signed",
    "bool",
    "byte",
    "string",
    "blob",
    "optional_varint",
    "varint_with_flag",
    "int(17)",
    "int(64)",
    "attribute",
    "optional_attribute",
    "type",
    "optional_type",
    "list(varint)",
    "list(attribute)",
    "list(string)",
    "list(signed)",
];

const DIALECT: &str = "declared";

/// A table, and the primitives of the fields of each of its entries.
#[derive(Debug)]
pub(crate) struct Declared {
    table: Arc<DialectTable>,
    /// The table as TOML.
    pub(crate) text: String,
    attributes: Vec<Vec<&'static str>>,
    types: Vec<Vec<&'static str>>,
    operations: Vec<Vec<&'static str>>,
}

impl Declared {
    /// Draws a table with one to three entries of each kind.
    ///
    /// # Errors
    /// If the table is refused, which would be a defect.
    pub(crate) fn draw(draws: &mut Draws<'_, '_>) -> Result<Self> {
        let mut entries = || -> Vec<Vec<&'static str>> {
            let count = 1 + draws.up_to(2);
            let fields = |draws: &mut Draws<'_, '_>| {
                let count = draws.up_to(4);
                (0..count).map(|_| draws.text(&PRIMITIVES)).collect()
            };
            (0..count).map(|_| fields(draws)).collect()
        };
        let (attributes, types, operations) = (entries(), entries(), entries());
        let mut text = format!("dialect = \"{DIALECT}\"\n");
        for (section, entries) in [("attribute", &attributes), ("type", &types), ("op", &operations)] {
            for (number, fields) in entries.iter().enumerate() {
                let names: Vec<_> =
                    fields.iter().enumerate().map(|(place, kind)| format!("\"f{place}: {kind}\"")).collect();
                let names = names.join(", ");
                let entry = match section {
                    "op" => format!("name = \"op{number}\"\n"),
                    _ => format!(
                        "code = {number}\nname = \"{section}{number}\"\nmnemonic = \"{section}{number}\"\n"
                    ),
                };
                // Writing to a string cannot fail.
                let _ = write!(text, "\n[[{section}]]\n{entry}fields = [{names}]\n");
            }
        }
        let table = DialectTable::from_toml(&text)?;
        Ok(Self { table, text, attributes, types, operations })
    }

    /// An attribute of the dialect, or the attribute of a type of the dialect.
    ///
    /// # Errors
    /// If a value does not have the kind of its field, which would be a defect.
    pub(crate) fn attribute(
        &self,
        draws: &mut Draws<'_, '_>,
        language: &Language,
        referred: &mut Vec<Referred>,
    ) -> Result<Attribute> {
        if draws.one_in(3) {
            let of_table = self.r#type(draws, language, referred)?;
            return Attribute::build("builtin", "TypeAttr", &[("value", FieldValue::Type(of_table))]);
        }
        let number = draws.below(self.attributes.len());
        let fields = values(&self.attributes[number], draws, language, referred)?;
        self.table.attribute(&format!("attribute{number}"), Vec::new(), named(&fields))
    }

    fn r#type(
        &self,
        draws: &mut Draws<'_, '_>,
        language: &Language,
        referred: &mut Vec<Referred>,
    ) -> Result<Type> {
        let number = draws.below(self.types.len());
        let fields = values(&self.types[number], draws, language, referred)?;
        self.table.r#type(&format!("type{number}"), Vec::new(), named(&fields))
    }

    /// The name of an operation of the dialect, the type of its result, and its properties.
    ///
    /// # Errors
    /// As [`Self::attribute`].
    pub(crate) fn operation(
        &self,
        draws: &mut Draws<'_, '_>,
        language: &Language,
        referred: &mut Vec<Referred>,
    ) -> Result<(String, Type, WrittenProperties)> {
        let result = self.r#type(draws, language, referred)?;
        let number = draws.below(self.operations.len());
        let fields = values(&self.operations[number], draws, language, referred)?;
        let properties = self.table.properties(&format!("op{number}"), &named(&fields))?;
        Ok((format!("{DIALECT}.op{number}"), result, properties))
    }
}

fn named(fields: &[(String, FieldValue)]) -> Vec<(&str, FieldValue)> {
    fields.iter().map(|(name, value)| (name.as_str(), value.clone())).collect()
}

fn values(
    kinds: &[&'static str],
    draws: &mut Draws<'_, '_>,
    language: &Language,
    referred: &mut Vec<Referred>,
) -> Result<Vec<(String, FieldValue)>> {
    let mut fields = Vec::with_capacity(kinds.len());
    for (place, kind) in kinds.iter().enumerate() {
        fields.push((format!("f{place}"), value(kind, draws, language, referred)?));
    }
    Ok(fields)
}

/// A value of a primitive.
fn value(
    kind: &str,
    draws: &mut Draws<'_, '_>,
    language: &Language,
    referred: &mut Vec<Referred>,
) -> Result<FieldValue> {
    if let Some(item) = kind.strip_prefix("list(").and_then(|rest| rest.strip_suffix(')')) {
        let count = draws.up_to(3);
        let items = (0..count).map(|_| value(item, draws, language, referred)).collect::<Result<_>>()?;
        return Ok(FieldValue::List(items));
    }
    if kind.starts_with("optional_") && draws.one_in(2) {
        return Ok(FieldValue::Absent);
    }
    let number = |draws: &mut Draws<'_, '_>| draws.word() >> draws.below(64);
    let width = kind.strip_prefix("int(").and_then(|rest| rest.strip_suffix(')')?.parse::<u32>().ok());
    Ok(match (kind, width) {
        (_, Some(width)) => FieldValue::Integer { words: vec![number(draws) >> (64 - width.min(64))], width },
        ("signed", _) => FieldValue::Signed(number(draws) as i64),
        ("bool", _) => FieldValue::Bool(draws.one_in(2)),
        ("byte", _) => FieldValue::Unsigned(draws.below(256) as u64),
        ("string", _) => FieldValue::String(draws.bytes(8).into()),
        ("blob", _) => FieldValue::Blob(draws.bytes(24).into()),
        ("varint_with_flag", _) => FieldValue::List(vec![
            FieldValue::Unsigned(number(draws) >> 1),
            FieldValue::Bool(draws.one_in(2)),
        ]),
        ("optional_varint", _) => FieldValue::Unsigned(number(draws) >> 1),
        ("attribute" | "optional_attribute", _) => {
            let text = language.attribute(draws, 2, referred);
            FieldValue::Attribute(Attribute::parse(text).unwrap_or_else(|_| unit()))
        }
        ("type" | "optional_type", _) => FieldValue::Type(Type::parse(language.any_type(draws, 2))?),
        _ => FieldValue::Unsigned(number(draws)),
    })
}
