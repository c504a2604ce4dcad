//! Dialect tables: which code an entry begins with, and which fields follow.

use std::collections::HashMap;
use std::sync::OnceLock;

use serde::Deserialize;

/// The encodings of one dialect, checked when they were loaded.
#[derive(Debug)]
pub(crate) struct CodecTable {
    pub(crate) attributes: Vec<Form>,
    pub(crate) types: Vec<Form>,
    /// Widths in bits of types that are written as text.
    pub(crate) assembly_bits: HashMap<Vec<u8>, u64>,
}

/// What follows one code.
#[derive(Debug)]
pub(crate) struct Form {
    pub(crate) name: String,
    /// The newest layout first, older ones under the same code after it.
    pub(crate) layouts: Vec<Vec<Primitive>>,
    pub(crate) bits: Option<Bits>,
    /// Names that a `class` may ask for and this form answers to.
    pub(crate) classes: Vec<String>,
}

/// The width in bits of a value of a type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Bits {
    Fixed(u64),
    /// The number in this field, divided.
    Field(usize, u64),
}

/// One field on the wire.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Primitive {
    Varint,
    Signed,
    Byte,
    Bool,
    String,
    Blob,
    Resource,
    Opaque,
    Attribute(Option<String>),
    OptionalAttribute,
    Type,
    List(Vec<Primitive>),
    /// An integer or the bits of a float, as wide as the type in this field.
    Bits(usize),
    /// Strings: one if this field is not 0, else as many as fill the entry.
    Splat(usize),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawTable {
    #[allow(dead_code)] // states which dialect a table is for; the registry asks by file
    dialect: String,
    #[serde(default)]
    classes: HashMap<String, Vec<String>>,
    #[serde(default)]
    attribute: Vec<RawForm>,
    #[serde(default)]
    r#type: Vec<RawForm>,
    #[serde(default)]
    assembly_bits: HashMap<String, u64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawForm {
    name: String,
    kind: Option<String>,
    fields: Vec<String>,
    #[serde(default)]
    older: Vec<Vec<String>>,
    bits: Option<RawBits>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum RawBits {
    Fixed(u64),
    Formula(String),
}

impl CodecTable {
    /// The table of the builtin dialect.
    pub(crate) fn builtin() -> Option<&'static Self> {
        static TABLE: OnceLock<Option<CodecTable>> = OnceLock::new();
        TABLE.get_or_init(|| Self::load(include_str!("../../data/dialects/builtin.toml")).ok()).as_ref()
    }

    /// The code of the attribute form with this name.
    pub(crate) fn attribute_code(&self, name: &str) -> Option<u64> {
        self.attributes.iter().position(|form| form.name == name).map(|code| code as u64)
    }

    pub(crate) fn load(text: &str) -> Result<Self, String> {
        let raw: RawTable = toml::from_str(text).map_err(|error| error.to_string())?;
        let forms = |rows: &[RawForm]| -> Result<Vec<Form>, String> {
            rows.iter().map(|row| Form::new(row, &raw.classes)).collect()
        };
        Ok(Self {
            attributes: forms(&raw.attribute)?,
            types: forms(&raw.r#type)?,
            assembly_bits: raw.assembly_bits.into_iter().map(|(k, v)| (k.into_bytes(), v)).collect(),
        })
    }
}

impl Form {
    fn new(row: &RawForm, groups: &HashMap<String, Vec<String>>) -> Result<Self, String> {
        let in_form = |message: String| format!("{}: {message}", row.name);
        let mut names: Vec<&str> = Vec::new();
        let mut layouts = Vec::new();
        for (i, fields) in [&row.fields].into_iter().chain(&row.older).enumerate() {
            let mut known: Vec<&str> = Vec::new();
            let mut layout = Vec::new();
            for field in fields {
                let (name, primitive) = field
                    .split_once(':')
                    .ok_or_else(|| in_form(format!("`{field}` is not `name: primitive`")))?;
                layout.push(Primitive::parse(primitive.trim(), &known).map_err(in_form)?);
                known.push(name.trim());
            }
            if i == 0 {
                names = known;
            }
            layouts.push(layout);
        }
        let bits = match &row.bits {
            None => None,
            Some(RawBits::Fixed(bits)) => Some(Bits::Fixed(*bits)),
            Some(RawBits::Formula(text)) => Some(parse_bits(text, &names).map_err(in_form)?),
        };
        let mut classes: Vec<String> =
            [Some(&row.name), row.kind.as_ref()].into_iter().flatten().cloned().collect();
        classes
            .extend(groups.iter().filter(|(_, list)| list.contains(&row.name)).map(|(name, _)| name.clone()));
        Ok(Self { name: row.name.clone(), layouts, bits, classes })
    }
}

fn parse_bits(text: &str, names: &[&str]) -> Result<Bits, String> {
    let parsed = text.split_once('/').and_then(|(name, divisor)| {
        let field = names.iter().position(|known| *known == name.trim())?;
        Some(Bits::Field(field, divisor.trim().parse().ok().filter(|&divisor| divisor > 0)?))
    });
    parsed.ok_or_else(|| format!("`{text}` is not `field / number`"))
}

impl Primitive {
    fn parse(text: &str, known: &[&str]) -> Result<Self, String> {
        let field = |name: &str| {
            let position = known.iter().position(|known| *known == name.trim());
            position.ok_or_else(|| format!("`{text}` refers to no earlier field"))
        };
        let (head, arguments) = match text.split_once('(') {
            Some((head, rest)) => {
                let arguments = rest.strip_suffix(')').ok_or_else(|| format!("`{text}` is not closed"))?;
                (head, Some(arguments))
            }
            None => (text, None),
        };
        Ok(match (head, arguments) {
            ("varint", None) => Self::Varint,
            ("signed", None) => Self::Signed,
            ("byte", None) => Self::Byte,
            ("bool", None) => Self::Bool,
            ("string", None) => Self::String,
            ("blob", None) => Self::Blob,
            ("resource", None) => Self::Resource,
            ("opaque", None) => Self::Opaque,
            ("attribute", class) => Self::Attribute(class.map(str::to_owned)),
            ("optional_attribute", None) => Self::OptionalAttribute,
            ("type", None) => Self::Type,
            ("list", Some(items)) => Self::List(
                items.split_whitespace().map(|item| Self::parse(item, known)).collect::<Result<_, _>>()?,
            ),
            ("int" | "float", Some(name)) => Self::Bits(field(name)?),
            ("splat", Some(name)) => Self::Splat(field(name)?),
            _ => return Err(format!("`{text}` is no primitive")),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_builtin_table_loads() {
        let table = CodecTable::load(include_str!("../../data/dialects/builtin.toml")).unwrap();
        assert_eq!(table.attributes[8].name, "IntegerAttr");
        assert_eq!(table.attributes[22].name, "FileLineColRange");
        assert_eq!(table.types[20].layouts.len(), 3);
        assert_eq!(table.types[0].bits, Some(Bits::Field(0, 4)));
        assert!(table.attributes[15].classes.iter().any(|class| class == "Location"));
    }

    #[test]
    fn a_bad_table_says_where() {
        let table = |fields: &str| {
            CodecTable::load(&format!("dialect = 'd'\n[[type]]\nname = 'T'\nfields = ['{fields}']"))
                .unwrap_err()
        };
        assert!(table("x").contains("T: `x` is not"));
        assert!(table("x: nonsense").contains("no primitive"));
        assert!(table("x: int(y)").contains("no earlier field"));
        assert!(table("x: list(varint").contains("not closed"));
    }
}
