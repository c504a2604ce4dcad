//! Constraints of definitions on the values of operands, results, attributes and properties.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::Value as Json;

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
    #[serde(default)]
    predicate: Json,
}

/// The form in which an assembly format prints an attribute or a native property.
///
/// `mlir/tools/mlir-tblgen/OpFormatGen.cpp` has the rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum AttributeText<'a> {
    /// A symbol name, `@name`.
    Symbol,
    /// The attribute without its type, which is this one.
    Typed(&'a str),
    /// The name of a case of an integer enumeration with this type.
    Case(&'a str, &'a Enumeration),
    /// The attribute without the prefix `#dialect.mnemonic`, which is this one without `#`.
    Stripped(&'a str),
    /// A dense array with elements of this type, as `[1, 2]`.
    Array(&'a str),
    /// `unit`, or nothing in a group that the attribute anchors.
    Unit,
    /// A property that is not an attribute.
    Property,
    /// The complete attribute.
    Full,
}

impl Constraint {
    /// Returns the name in the `.td` files, or the summary of a constraint without a name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns a description of the accepted values, as in error messages of MLIR.
    pub fn summary(&self) -> &str {
        &self.summary
    }

    /// Returns a summary that a project wrote for people; its C++ may check something else.
    pub fn note(&self) -> &str {
        &self.note
    }

    /// Returns the C++ class of an attribute without `mlir`, for example `IntegerAttr`; empty for types.
    pub fn storage(&self) -> &str {
        &self.storage
    }

    /// Returns the only type of a type constraint.
    pub fn only_type(&self) -> Option<&str> {
        (self.storage.is_empty() && !self.text.is_empty()).then_some(&*self.text)
    }

    /// Returns the `dialect.mnemonic` of the only class of types or attributes.
    pub fn class(&self) -> Option<&str> {
        self.class.as_deref()
    }

    /// Returns the cases of an enumeration.
    pub fn enumeration(&self) -> Option<&Enumeration> {
        self.r#enum.as_ref()
    }

    /// Returns the form in which an assembly format prints an attribute or property of this constraint.
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

    /// Returns the assembly format of an attribute of an enumeration, as in the `.td` files; `None` for the
    /// usual one.
    pub fn assembly_format(&self) -> Option<&str> {
        self.format.as_deref()
    }

    /// Returns the predicate of a constraint of a pack as a tree; null if there is none.
    pub(crate) fn predicate(&self) -> &Json {
        &self.predicate
    }

    /// Returns whether a property is of a kind of the `.td` files, for example `UnitProp`.
    pub fn is_property_kind(&self, kind: &str) -> bool {
        self.kinds.iter().any(|known| &**known == kind)
    }
}

/// The cases of an enumeration.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Enumeration {
    cases: Box<[(i64, Box<str>)]>,
    separator: Option<Box<str>>,
}

impl Enumeration {
    pub(super) fn new(cases: Box<[(i64, Box<str>)]>, separator: Option<Box<str>>) -> Self {
        Self { cases, separator }
    }

    /// The values and texts in the order of the definition.
    pub fn cases(&self) -> impl ExactSizeIterator<Item = (i64, &str)> {
        self.cases.iter().map(|(value, text)| (*value, &**text))
    }

    /// Returns the separator between the cases of a set of bits; `None` if a value is a single case.
    pub fn separator(&self) -> Option<&str> {
        self.separator.as_deref()
    }

    /// Returns the number of the name of a case, or of the names of several bits; `None` if one has no case.
    pub fn number(&self, text: &str) -> Option<i64> {
        let value = |word: &str| self.cases().find(|(_, name)| *name == word).map(|(value, _)| value);
        match (value(text), self.separator()) {
            (Some(value), _) => Some(value),
            (None, Some(separator)) => {
                let mut parts = text.split(separator.trim()).map(|part| value(part.trim()));
                parts.try_fold(0, |all, part| part.map(|part| all | part))
            }
            (None, None) => None,
        }
    }

    /// Returns the text of a value; `None` if a bit or the number has no case.
    ///
    /// In a set of bits, a case of several bits replaces all of these bits, as in MLIR's generated
    /// `stringifyX`.
    pub fn text(&self, value: i64) -> Option<Cow<'_, str>> {
        if let Some((_, text)) = self.cases.iter().find(|(known, _)| *known == value) {
            return Some(Cow::Borrowed(text));
        }
        let separator = self.separator.as_deref()?;
        let mut remaining_bits = value;
        let mut parts: Vec<&str> = Vec::new();
        // Cases with several bits come first, so that their bits do not count again.
        let mut cases: Vec<_> = self.cases.iter().filter(|(bits, _)| *bits != 0).collect();
        order::sort_by_key(&mut cases, |(bits, _)| std::cmp::Reverse(bits.count_ones()));
        for (bits, text) in cases {
            if remaining_bits & bits == *bits {
                remaining_bits &= !bits;
                parts.push(text);
            }
        }
        (remaining_bits == 0).then(|| Cow::Owned(parts.join(separator)))
    }
}
