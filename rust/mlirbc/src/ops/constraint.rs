//! What a definition says about the values of an operand, a result, an attribute or a property.

use std::borrow::Cow;

use serde::Deserialize;

use crate::wire::order;

/// A constraint of a release, by its name in the `.td` files or, for one without a name, its summary.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Constraint {
    #[serde(rename = "constraint")]
    name: Box<str>,
    #[serde(default)]
    summary: Box<str>,
    #[serde(default)]
    note: Box<str>,
    #[serde(default)]
    storage: Box<str>,
    #[serde(default)]
    text: Box<str>,
    #[serde(default)]
    r#type: Option<Box<str>>,
    #[serde(default)]
    class: Option<Box<str>>,
    #[serde(default)]
    r#enum: Option<Enumeration>,
    #[serde(default)]
    format: Option<Box<str>>,
    #[serde(default)]
    kinds: Box<[Box<str>]>,
}

/// How an assembly format prints an attribute or a native property.
///
/// `mlir/tools/mlir-tblgen/OpFormatGen.cpp` has the rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum AttributeText<'a> {
    /// As a symbol name, `@name`.
    Symbol,
    /// Without its type, which is this one.
    Typed(&'a str),
    /// As the name of a case of an integer enumeration of this type.
    Case(&'a str, &'a Enumeration),
    /// Without the prefix `#dialect.mnemonic`, which is this one without `#`.
    Stripped(&'a str),
    /// A dense array with elements of this type, as `[1, 2]`.
    Array(&'a str),
    /// As `unit`, or as nothing in a group that it anchors.
    Unit,
    /// A property that is not an attribute.
    Property,
    /// In full.
    Full,
}

impl Constraint {
    /// The name in the `.td` files, or the summary of a constraint without a name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What values satisfy it, as error messages of MLIR say it.
    pub fn summary(&self) -> &str {
        &self.summary
    }

    /// A summary that a project wrote for people, which need not say what its C++ checks.
    pub fn note(&self) -> &str {
        &self.note
    }

    /// The C++ class of an attribute without `mlir`, for example `IntegerAttr`; empty for types.
    pub fn storage(&self) -> &str {
        &self.storage
    }

    /// The only type of a type constraint.
    pub fn only_type(&self) -> Option<&str> {
        (self.storage.is_empty() && !self.text.is_empty()).then_some(&*self.text)
    }

    /// The `dialect.mnemonic` of the only class of types or attributes.
    pub fn class(&self) -> Option<&str> {
        self.class.as_deref()
    }

    /// The cases of an enumeration.
    pub fn enumeration(&self) -> Option<&Enumeration> {
        self.r#enum.as_ref()
    }

    /// How an assembly format prints an attribute or property of this constraint.
    pub fn attribute_text(&self) -> AttributeText<'_> {
        let r#type = self.r#type.as_deref().unwrap_or_default();
        match (&*self.text, &self.r#enum, &self.class) {
            ("symbol", ..) => AttributeText::Symbol,
            ("typed", ..) => AttributeText::Typed(r#type),
            ("case", Some(cases), _) => AttributeText::Case(r#type, cases),
            ("stripped", _, Some(class)) => AttributeText::Stripped(class),
            ("array", ..) => AttributeText::Array(r#type),
            ("unit", ..) => AttributeText::Unit,
            ("property", ..) => AttributeText::Property,
            _ => AttributeText::Full,
        }
    }

    /// The assembly format of an attribute of an enumeration, as in the `.td` files; `None` for the usual one.
    pub fn assembly_format(&self) -> Option<&str> {
        self.format.as_deref()
    }

    /// Whether a property is of a kind of the `.td` files, for example `UnitProp`.
    pub fn is_property_kind(&self, kind: &str) -> bool {
        self.kinds.iter().any(|known| &**known == kind)
    }
}

/// The cases of an enumeration.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Enumeration {
    cases: Box<[(i64, Box<str>)]>,
    separator: Option<Box<str>>,
}

impl Enumeration {
    /// The values and texts in the order of the definition.
    pub fn cases(&self) -> impl ExactSizeIterator<Item = (i64, &str)> {
        self.cases.iter().map(|(value, text)| (*value, &**text))
    }

    /// What stands between the cases of a set of bits; `None` if a value is one case.
    pub fn separator(&self) -> Option<&str> {
        self.separator.as_deref()
    }

    /// The text of a value; `None` if it has bits or a number without a case.
    ///
    /// Of a set of bits, a case of several bits stands for all of them, as in MLIR's generated `stringifyX`.
    pub fn text(&self, value: i64) -> Option<Cow<'_, str>> {
        if let Some((_, text)) = self.cases.iter().find(|(known, _)| *known == value) {
            return Some(Cow::Borrowed(text));
        }
        let separator = self.separator.as_deref()?;
        let mut rest = value;
        let mut parts: Vec<&str> = Vec::new();
        // Groups first, so that their bits do not count again.
        let mut cases: Vec<_> = self.cases.iter().filter(|(bits, _)| *bits != 0).collect();
        order::sort_by_key(&mut cases, |(bits, _)| std::cmp::Reverse(bits.count_ones()));
        for (bits, text) in cases {
            if rest & bits == *bits {
                rest &= !bits;
                parts.push(text);
            }
        }
        (rest == 0).then(|| Cow::Owned(parts.join(separator)))
    }
}
