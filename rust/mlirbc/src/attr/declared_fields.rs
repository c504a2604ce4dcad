//! Fields of attributes and types that are stored as text and defined by a pack, and texts of such fields.

use std::sync::Arc;

use crate::dialect::entries::EntryRef;
use crate::format::id::{AttrId, TypeId};
use crate::ops::{ClassDefinition, OperationDefinitions, ParameterKind};
use crate::release::{Llvm, waiting};
use crate::wire::bytes::Bytes;
use crate::wire::error::{Error, ErrorKind, Result};

use super::build::{describe_value, from_text};
use super::table::Home;
use super::text::declared::{
    DeclaredText, SymbolParts, body_of_class, case_text, full_text, is_named_type, unquoted,
};
use super::text::escape;
use super::text::parse::fields::parts;
use super::{Attribute, FieldValue, Handle, Type, misfit, shorten};

/// The definitions that may describe a value: the pack of its file, or else all packs, the last one first.
fn definitions_of(home: &Home) -> Vec<&'static OperationDefinitions> {
    let release = match home {
        Home::File(file) => file.release().ok().and_then(|release| Some(release.schema()?.name().to_owned())),
        Home::Owned(_) => None,
    };
    let of_file = release.and_then(|name| OperationDefinitions::named(&name)).filter(|one| one.is_of_pack());
    of_file.map_or_else(|| OperationDefinitions::of_packs().collect(), |of_file| vec![of_file])
}

/// Reads a text with the definitions of packs; `None` if none describes it.
fn read(home: &Home, is_type: bool, text: &[u8]) -> Option<DeclaredText> {
    let text = std::str::from_utf8(text).ok()?;
    let parts = SymbolParts::of(text)?;
    waiting::load_for_dialect(parts.dialect);
    let mut packs = definitions_of(home).into_iter();
    packs.find_map(|definitions| {
        // The texts of a file are in their usual form.
        let mut canonical = |text: &str, _: bool| Some(text.to_owned());
        let mut read = DeclaredText::read(
            definitions,
            (is_type, parts.dialect),
            parts.symbol,
            Llvm::NEWEST,
            &mut canonical,
        )?;
        if let Some(value) = read.definition.self_type().and_then(|place| read.values.get_mut(place)) {
            *value = (!parts.r#type.is_empty()).then(|| parts.r#type.to_owned());
        }
        Some(read)
    })
}

impl Handle {
    /// The definition in a pack of a value that is stored as text, if its fields are known.
    pub(super) fn declared_class(&self) -> Option<Arc<ClassDefinition>> {
        let text = self.text()?;
        read(&self.home, matches!(self.of, EntryRef::Type(_)), &text).map(|read| read.definition)
    }

    /// The fields of a text by the definitions of packs; none if no pack describes it.
    pub(super) fn declared_fields(&self, text: &[u8]) -> Result<Vec<(String, FieldValue)>> {
        let Some(read) = read(&self.home, matches!(self.of, EntryRef::Type(_)), text) else {
            return Ok(Vec::new());
        };
        let mut fields = Vec::new();
        for (parameter, value) in read.definition.parameters().iter().zip(read.values) {
            if let Some(value) = value.as_deref().or(parameter.default()) {
                fields.push((parameter.name().to_owned(), field(parameter.kind(), value)?));
            }
        }
        Ok(fields)
    }
}

/// The value of a text of a kind.
fn field(kind: &ParameterKind, text: &str) -> Result<FieldValue> {
    let text = text.trim();
    let string = |text: &str| FieldValue::String(Bytes::from(text.as_bytes().to_vec()));
    Ok(match kind {
        ParameterKind::Integer => match (text.parse::<i64>(), text.parse::<u64>()) {
            (Ok(number), _) => FieldValue::Signed(number),
            (_, Ok(number)) => FieldValue::Unsigned(number),
            _ => string(text),
        },
        ParameterKind::Bool => FieldValue::Bool(text == "true"),
        ParameterKind::Float => FieldValue::Attribute(Attribute::parse(format!("{text} : f64"))?),
        ParameterKind::String => {
            let inner = unquoted(text).as_bytes();
            FieldValue::String(Bytes::from(escape::unescape(inner).unwrap_or_else(|| inner.to_vec())))
        }
        ParameterKind::Case { .. } => string(unquoted(text)),
        ParameterKind::Unknown => string(text),
        ParameterKind::Attribute(None) => FieldValue::Attribute(Attribute::parse(text)?),
        ParameterKind::Type(None) => FieldValue::Type(Type::parse(text)?),
        ParameterKind::TypeWithout(dialect) if !is_named_type(text) => {
            FieldValue::Type(Type::parse(format!("!{dialect}.{text}"))?)
        }
        ParameterKind::TypeWithout(_) => FieldValue::Type(Type::parse(text)?),
        ParameterKind::Attribute(Some(class)) => {
            FieldValue::Attribute(Attribute::parse(with_name(false, class, text))?)
        }
        ParameterKind::Type(Some(class)) => FieldValue::Type(Type::parse(with_name(true, class, text))?),
        ParameterKind::List(inner) => {
            let items = parts(text).into_iter().filter(|item| !item.is_empty());
            FieldValue::List(items.map(|item| field(inner, item)).collect::<Result<_>>()?)
        }
    })
}

/// The whole text of a class from the text after its name.
fn with_name(is_type: bool, class: &str, body: &str) -> String {
    if body.starts_with(['#', '!']) {
        return body.to_owned();
    }
    let (dialect, mnemonic) = class.split_once('.').unwrap_or((class, ""));
    let space = if body.is_empty() || body.starts_with('<') { "" } else { " " };
    full_text(is_type, dialect, &format!("{mnemonic}{space}{body}"))
}

/// The class of the registered packs with this mnemonic or C++ class.
pub(super) fn find_class(
    is_type: bool,
    dialect: &str,
    name: &str,
) -> Option<(&'static OperationDefinitions, Arc<ClassDefinition>)> {
    waiting::load_for_dialect(dialect);
    OperationDefinitions::of_packs().find_map(|definitions| {
        let by_mnemonic = definitions.class(is_type, &format!("{dialect}.{name}"));
        let of_dialect = |class: &Arc<ClassDefinition>| class.name().split('.').next() == Some(dialect);
        let by_class =
            || definitions.classes(is_type).find(|class| of_dialect(class) && class.class() == name);
        Some((definitions, by_mnemonic.or_else(by_class)?))
    })
}

/// Builds a value that is stored as text from its first parameters and others by name.
///
/// # Errors
/// [`ErrorKind::Value`] if the text of the class is not known, or a field is not valid for it.
pub(super) fn build_declared(
    (definitions, class): (&'static OperationDefinitions, Arc<ClassDefinition>),
    arguments: Vec<FieldValue>,
    fields: Vec<(&str, FieldValue)>,
) -> Result<Handle> {
    let name = class.name();
    let refuse = |message: String| Error::message(ErrorKind::Value, message);
    if !class.is_readable() {
        let message = format!("the text of `{name}` is written by C++ of its project");
        return Err(refuse(message).with_hint("parse the text instead of giving fields"));
    }
    if arguments.len() > class.parameters().len() {
        let most = format!("at most {} arguments", class.parameters().len());
        return Err(misfit(most, arguments.len().to_string()));
    }
    let mut values: Vec<Option<FieldValue>> = arguments.into_iter().map(Some).collect();
    values.resize(class.parameters().len(), None);
    for (field, value) in fields {
        let place = class.parameters().iter().position(|one| one.name() == field);
        let slot = place.and_then(|place| values.get_mut(place));
        match slot.ok_or_else(|| refuse(format!("`{name}` has no field `{}`", shorten(field))))? {
            Some(_) => return Err(refuse(format!("field `{}` of `{name}` is given twice", shorten(field)))),
            slot => *slot = Some(value),
        }
    }
    let mut texts = Vec::new();
    for (parameter, value) in class.parameters().iter().zip(values) {
        let text = match value.filter(|value| *value != FieldValue::Absent) {
            Some(value) => Some(
                text(parameter.kind(), &value)
                    .map_err(|error| error.with_path(format!("field `{}` of {name}", parameter.name())))?,
            ),
            None if parameter.is_optional() || class.self_type().is_some() => None,
            None => return Err(refuse(format!("`{name}` needs a field `{}`", parameter.name()))),
        };
        texts.push(text.filter(|text| parameter.default() != Some(text)));
    }
    let r#type = class.self_type().and_then(|place| texts.get(place).cloned().flatten());
    let written = DeclaredText { definition: class.clone(), values: texts };
    let dialect = class.name().split_once('.').map_or("", |(dialect, _)| dialect);
    let mut text = full_text(class.is_type(), dialect, &written.symbol());
    // The text has to say what was given: an empty list may have no text.
    let mut canonical = |text: &str, _: bool| Some(text.to_owned());
    let again = DeclaredText::read(
        definitions,
        (class.is_type(), dialect),
        &written.symbol(),
        Llvm::NEWEST,
        &mut canonical,
    );
    if again.is_none_or(|again| again.symbol() != written.symbol()) {
        return Err(refuse(format!(
            "`{text}` is no text of `{name}`: a field has a value that its format cannot say"
        )));
    }
    if let Some(r#type) = r#type {
        text.push_str(" : ");
        text.push_str(&r#type);
    }
    let sort =
        if class.is_type() { EntryRef::Type(TypeId::new(0)) } else { EntryRef::Attribute(AttrId::new(0)) };
    from_text(sort, dialect, text.as_bytes())
}

/// The text of a value of a kind.
fn text(kind: &ParameterKind, value: &FieldValue) -> Result<String> {
    let printed = |value: &FieldValue| match value {
        FieldValue::Attribute(value) => value.to_text(None),
        FieldValue::Type(value) => value.to_text(None),
        other => Err(misfit("an attribute or a type", describe_value(other))),
    };
    Ok(match (kind, value) {
        (ParameterKind::Integer, FieldValue::Signed(number)) => number.to_string(),
        (ParameterKind::Integer, FieldValue::Unsigned(number)) => number.to_string(),
        (ParameterKind::Bool, FieldValue::Bool(value)) => value.to_string(),
        (ParameterKind::Float, FieldValue::Attribute(_)) => {
            let text = printed(value)?;
            text.strip_suffix(" : f64").unwrap_or(&text).to_owned()
        }
        (ParameterKind::String, FieldValue::String(bytes)) => {
            let mut text = Vec::new();
            escape::write_string(&mut text, bytes);
            String::from_utf8_lossy(&text).into_owned()
        }
        (ParameterKind::Case { cases, is_keyword }, FieldValue::String(bytes)) => {
            let text = String::from_utf8_lossy(bytes);
            let spelled_case = cases.number(&text).and_then(|number| cases.text(number));
            let names =
                || cases.cases().take(8).map(|(_, name)| format!("`{name}`")).collect::<Vec<_>>().join(", ");
            let spelled_case = spelled_case
                .ok_or_else(|| misfit(format!("one of {}", names()), format!("`{}`", shorten(&text))))?;
            case_text(&spelled_case, *is_keyword)
        }
        (ParameterKind::Case { cases, is_keyword }, FieldValue::Signed(_) | FieldValue::Unsigned(_)) => {
            let number = match value {
                FieldValue::Signed(number) => Some(*number),
                FieldValue::Unsigned(number) => i64::try_from(*number).ok(),
                _ => None,
            };
            let spelled_case = number.and_then(|number| cases.text(number));
            let spelled_case =
                spelled_case.ok_or_else(|| misfit("the number of a case", describe_value(value)))?;
            case_text(&spelled_case, *is_keyword)
        }
        (ParameterKind::Attribute(None), FieldValue::Attribute(_)) => printed(value)?,
        (ParameterKind::Type(None), FieldValue::Type(_)) => printed(value)?,
        (ParameterKind::TypeWithout(dialect), FieldValue::Type(_)) => {
            let text = printed(value)?;
            text.strip_prefix(&format!("!{dialect}.")).map(str::to_owned).unwrap_or(text)
        }
        (ParameterKind::Attribute(Some(class)), FieldValue::Attribute(_))
        | (ParameterKind::Type(Some(class)), FieldValue::Type(_)) => {
            let text = printed(value)?;
            let body = body_of_class(class, &text);
            body.ok_or_else(|| misfit(format!("a value of `{class}`"), format!("`{}`", shorten(&text))))?
                .to_owned()
        }
        (ParameterKind::List(inner), FieldValue::List(items)) => {
            let texts: Vec<String> = items.iter().map(|item| text(inner, item)).collect::<Result<_>>()?;
            texts.join(", ")
        }
        _ => return Err(misfit(expected(kind), describe_value(value))),
    })
}

fn expected(kind: &ParameterKind) -> &'static str {
    match kind {
        ParameterKind::Attribute(_) => "an attribute",
        ParameterKind::Type(_) | ParameterKind::TypeWithout(_) => "a type",
        ParameterKind::Integer => "an integer",
        ParameterKind::Bool => "true or false",
        ParameterKind::Float => "a float attribute",
        ParameterKind::String => "a string",
        ParameterKind::Case { .. } => "the name of a case",
        ParameterKind::List(_) => "a list",
        ParameterKind::Unknown => "a value that the pack describes",
    }
}
