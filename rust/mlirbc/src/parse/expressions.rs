//! Types that follow from others by an expression of a pack (`pack::make::expressions`).

use serde_json::Value as Json;

use crate::attr::text::declared::{DeclaredText, SymbolParts, body_of_class, full_text, is_named_type};
use crate::attr::text::parse::Parsed;
use crate::attr::text::parse::fields::parts;
use crate::format::id::TypeId;
use crate::ops::ParameterKind;

use super::frames::AsmParser;

/// A value inside an expression.
enum ExpressionValue {
    /// The text of an attribute or a type, or a number.
    One(String),
    Many(Vec<String>),
    Null,
}

impl AsmParser<'_> {
    /// The types that an expression has for a type; `None` if a part is not known.
    pub(in crate::parse) fn evaluated(&mut self, tree: &Json, of: TypeId) -> Parsed<Option<Vec<TypeId>>> {
        let texts = match self.value(tree, of)? {
            Some(ExpressionValue::One(text)) => vec![text],
            Some(ExpressionValue::Many(texts)) => texts,
            Some(ExpressionValue::Null) | None => return Ok(None),
        };
        texts.iter().map(|text| self.type_named(text)).collect::<Parsed<_>>().map(Some)
    }

    // A pack's row was checked, so that the tree is not deep.
    fn value(&mut self, tree: &Json, of: TypeId) -> Parsed<Option<ExpressionValue>> {
        let parts = match tree {
            Json::String(word) if word == "self" => {
                return Ok(Some(ExpressionValue::One(self.whole_type(of)?)));
            }
            Json::String(word) if word == "null" => return Ok(Some(ExpressionValue::Null)),
            Json::Array(parts) => parts,
            _ => return Ok(None),
        };
        let text = |place: usize| parts.get(place).and_then(Json::as_str).unwrap_or_default();
        match text(0) {
            "type" => Ok(Some(ExpressionValue::One(text(1).to_owned()))),
            "number" => {
                Ok(parts.get(1).and_then(Json::as_i64).map(|number| ExpressionValue::One(number.to_string())))
            }
            "param" => match self.value(parts.get(2).unwrap_or(&Json::Null), of)? {
                Some(ExpressionValue::One(value)) => Ok(self.parameter(text(1), &value)),
                _ => Ok(None),
            },
            "if" => self.chosen(parts, of),
            "integer" => {
                Ok(self.count_of(parts.get(1), of)?.map(|bits| ExpressionValue::One(format!("i{bits}"))))
            }
            "at_least" | "log2_ceil" => {
                Ok(self.count_of(Some(tree), of)?.map(|number| ExpressionValue::One(number.to_string())))
            }
            "get" => self.constructed(text(1), parts.get(2..).unwrap_or_default(), of),
            function => match self.value(parts.get(1).unwrap_or(&Json::Null), of)? {
                Some(ExpressionValue::One(value)) => {
                    let inner = self.type_named(&value)?;
                    let types =
                        if function.starts_with('[') { None } else { self.transformed(function, inner)? };
                    let [only] = types.as_deref().unwrap_or_default() else { return Ok(None) };
                    Ok(Some(ExpressionValue::One(self.whole_type(*only)?)))
                }
                _ => Ok(None),
            },
        }
    }

    /// `["if", tree, TEXT, then, otherwise]`, which asks whether a type has a text.
    fn chosen(&mut self, parts: &[Json], of: TypeId) -> Parsed<Option<ExpressionValue>> {
        let [_, tree, Json::String(expected), then, otherwise] = parts else { return Ok(None) };
        match self.value(tree, of)? {
            Some(ExpressionValue::One(text)) => {
                self.value(if text == *expected { then } else { otherwise }, of)
            }
            _ => Ok(None),
        }
    }

    /// A number: `["at_least", NUMBER, tree]`, `["log2_ceil", tree]`, or a value that has digits.
    fn count_of(&mut self, tree: Option<&Json>, of: TypeId) -> Parsed<Option<u64>> {
        let Some(tree) = tree else { return Ok(None) };
        let parts = tree.as_array().map_or(&[][..], |parts| parts);
        let name = parts.first().and_then(Json::as_str).unwrap_or_default();
        match name {
            "at_least" => {
                let least = parts.get(1).and_then(Json::as_u64).unwrap_or_default();
                Ok(self.count_of(parts.get(2), of)?.map(|number| number.max(least)))
            }
            "log2_ceil" => Ok(self.count_of(parts.get(1), of)?.map(log2_ceil)),
            _ => match self.value(tree, of)? {
                Some(ExpressionValue::One(text)) => Ok(text.parse().ok()),
                _ => Ok(None),
            },
        }
    }

    /// A parameter of an attribute or a type, by its text.
    fn parameter(&self, name: &str, text: &str) -> Option<ExpressionValue> {
        let definitions = self.text.pack()?;
        let symbol = SymbolParts::of(text)?;
        let mut canonical = |text: &str, _: bool| Some(text.to_owned());
        let class = (text.starts_with('!'), symbol.dialect);
        let read = DeclaredText::read(definitions, class, symbol.symbol, self.text.release, &mut canonical)?;
        let place = read.definition.parameters().iter().position(|one| one.name() == name)?;
        let parameter = read.definition.parameters().get(place)?;
        let value = read.values.get(place)?.as_deref().or(parameter.default());
        let Some(value) = value else { return Some(ExpressionValue::Null) };
        Some(match parameter.kind() {
            ParameterKind::List(inner) => {
                ExpressionValue::Many(parts(value).into_iter().map(|item| named(inner, item)).collect())
            }
            kind => ExpressionValue::One(named(kind, value)),
        })
    }

    /// A type from its parameters.
    fn constructed(
        &mut self,
        class: &str,
        arguments: &[Json],
        of: TypeId,
    ) -> Parsed<Option<ExpressionValue>> {
        let definition = self.text.pack().and_then(|definitions| definitions.class(true, class));
        let Some(definition) =
            definition.filter(|one| one.is_readable() && one.parameters().len() == arguments.len())
        else {
            return Ok(None);
        };
        let mut values = Vec::new();
        for (parameter, argument) in definition.parameters().iter().zip(arguments) {
            let value = match self.value(argument, of)? {
                Some(ExpressionValue::One(text)) => Some(unnamed(parameter.kind(), text)),
                Some(ExpressionValue::Many(texts)) => {
                    let texts = texts.into_iter().map(|text| unnamed(parameter.kind(), text));
                    Some(texts.collect::<Vec<_>>().join(", "))
                }
                Some(ExpressionValue::Null) if parameter.is_optional() => None,
                _ => return Ok(None),
            };
            values.push(value.filter(|text| parameter.default() != Some(text)));
        }
        let dialect = class.split_once('.').map_or("", |(dialect, _)| dialect).to_owned();
        let written = DeclaredText { definition, values };
        Ok(Some(ExpressionValue::One(full_text(true, &dialect, &written.symbol()))))
    }
}

/// The number of bits that count to a number, 0 for 1.
fn log2_ceil(number: u64) -> u64 {
    u64::from(number.max(1).next_power_of_two().trailing_zeros())
}

/// The text with the name of the class that its parameter leaves out.
fn named(kind: &ParameterKind, text: &str) -> String {
    if let ParameterKind::TypeWithout(dialect) = kind
        && !is_named_type(text)
    {
        return format!("!{dialect}.{text}");
    }
    let (is_type, class) = match kind {
        ParameterKind::Attribute(Some(class)) => (false, class),
        ParameterKind::Type(Some(class)) => (true, class),
        _ => return text.to_owned(),
    };
    match class.split_once('.') {
        Some((dialect, mnemonic)) => full_text(is_type, dialect, &format!("{mnemonic}{text}")),
        None => text.to_owned(),
    }
}

fn unnamed(kind: &ParameterKind, text: String) -> String {
    match kind {
        ParameterKind::Attribute(Some(class)) | ParameterKind::Type(Some(class)) => {
            body_of_class(class, &text).map(str::to_owned).unwrap_or(text)
        }
        ParameterKind::TypeWithout(dialect) => {
            text.strip_prefix(&format!("!{dialect}.")).map(str::to_owned).unwrap_or(text)
        }
        ParameterKind::List(inner) => unnamed(inner, text),
        _ => text,
    }
}
