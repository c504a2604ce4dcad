//! The entries of a class that a table describes: the selected model, and values that formulas name.
//!
//! Owns the verification of the entries and the defaults. `spec` decides which entry is in effect when
//! specifications are combined: verification and compatibility leave one value for a class.

use std::collections::{BTreeMap, HashMap};

use crate::attr::{Attribute, FieldValue};
use crate::wire::error::{Error, ErrorKind, Result};
use crate::wire::order;

use super::super::DltiEntry;
use super::super::dlti::{brief, shorten};
use super::super::entry::{integer, string};
use super::super::registrations::TypeQuestion;
use super::super::rfc::members;
use super::{FormulaSource, Formulas, Operand, Size, wrong};

/// The name of the value that selects a model.
const MODEL: &str = "model";

impl Formulas {
    /// Returns the names that a table declares for the values of an entry, with their default values.
    pub(super) fn entry_defaults(
        class: &str,
        written: BTreeMap<String, FormulaSource>,
        parameters: &[Vec<String>],
    ) -> Result<BTreeMap<String, Operand>> {
        let mut defaults = BTreeMap::new();
        for (name, written) in written {
            if name == MODEL || parameters.iter().flatten().any(|parameter| *parameter == name) {
                let expected = format!("names of values in the entry of `{class}` that mean nothing else");
                return Err(wrong(expected, format!("`{}`", shorten(&name))));
            }
            let value = match &written {
                FormulaSource::Number(number) => Some(Operand::Number(*number)),
                FormulaSource::Formula(text) => operand(&Attribute::parse(text)?),
            };
            let Some(value) = value else {
                let expected = format!("{KINDS} as `{}` in the entry of `{class}`", shorten(&name));
                let FormulaSource::Formula(text) = &written else { continue };
                return Err(wrong(expected, format!("`{}`", shorten(text))));
            };
            defaults.insert(name, value);
        }
        Ok(defaults)
    }

    /// Returns the value of a declared name: the value in the effective entry, or the default.
    pub(super) fn entry_value(&self, name: &str, question: &TypeQuestion<'_>) -> Option<Operand> {
        let default = self.entry.get(name)?;
        let stated = question.entries.iter().find_map(|entry| operand(members(&entry.value)?.get(name)?));
        Some(stated.unwrap_or_else(|| default.clone()))
    }

    /// Returns the value of an entry with a name; the rules of the RFC pass such entries to types.
    pub(super) fn identifier_value(name: &str, question: &TypeQuestion<'_>) -> Option<Operand> {
        let is_named = |entry: &&DltiEntry| entry.key == name.into();
        operand(&question.identifiers.iter().find(is_named)?.value)
    }

    /// Returns the model that the effective entry selects.
    pub(super) fn model(&self, entries: &[DltiEntry]) -> Option<String> {
        entries.iter().find_map(|entry| string(members(&entry.value)?.get(MODEL)?))
    }

    /// Verifies the entries of one specification.
    pub(super) fn check_entries(&self, entries: &[DltiEntry]) -> Result<()> {
        let Some(entry) = entries.first() else { return Ok(()) };
        let (class, key) = (&self.class, &entry.key);
        let models = match &self.size {
            Size::Models { models, .. } => Some(models),
            Size::One(_) => None,
        };
        if models.is_none() && self.entry.is_empty() {
            let message = format!(
                "the entry for {key} is not allowed: the layout of `{class}` has no models and no values"
            );
            return Err(Error::message(ErrorKind::LayoutEntryKind, message));
        }
        if let [_, second, ..] = entries {
            let message = format!("second entry for `{class}`: {}", second.key);
            return Err(Error::message(ErrorKind::LayoutArity, message));
        }
        let refused = |expected: String| {
            let actual = format!("`{}`", brief(&entry.value.0));
            Error::new(ErrorKind::LayoutEntryKind, format!("{expected} in the entry for {key}"), actual)
        };
        let Some(values) = members(&entry.value) else { return Err(refused(self.expected())) };
        if values.is_empty() {
            return Err(refused(self.expected()));
        }
        for (name, value) in &values {
            let is_model =
                |name| models.is_some_and(|models: &HashMap<String, _>| models.contains_key(&name));
            if name == MODEL && models.is_some() {
                if !string(value).is_some_and(is_model) {
                    return Err(refused(self.expected()));
                }
            } else if !self.entry.contains_key(name) {
                return Err(refused(self.expected()));
            } else if operand(value).is_none() {
                return Err(refused(format!("{KINDS} as `{}`", shorten(name))));
            }
        }
        Ok(())
    }

    /// Describes the allowed contents of an entry for a report.
    fn expected(&self) -> String {
        let mut names: Vec<String> = match &self.size {
            Size::Models { models, .. } => {
                models.keys().map(|name| format!("`{{model = \"{name}\"}}`")).collect()
            }
            Size::One(_) => Vec::new(),
        };
        order::sort(&mut names);
        names.extend(self.entry.keys().map(|name| format!("`{{{name} = …}}`")));
        names.join(" or ")
    }
}

/// The kinds of values that formulas use.
const KINDS: &str = "a number, a type, or an array of numbers or of types";

/// Returns the meaning of an attribute in a formula.
fn operand(value: &Attribute) -> Option<Operand> {
    if value.class() != Some("ArrayAttr") {
        return number_or_type(value);
    }
    let FieldValue::List(items) = value.field("value").ok()?? else { return None };
    let items = items.iter().map(|item| match item {
        FieldValue::Attribute(item) => number_or_type(item),
        _ => None,
    });
    list(items.collect::<Option<_>>()?)
}

fn number_or_type(value: &Attribute) -> Option<Operand> {
    if let Some(number) = integer(value) {
        return Some(Operand::Number(number));
    }
    match (value.class()?, value.field("value").ok()??) {
        ("TypeAttr", FieldValue::Type(r#type)) => Some(Operand::Type(r#type)),
        _ => None,
    }
}

/// Returns an array whose items are all numbers, or all types.
fn list(items: Vec<Operand>) -> Option<Operand> {
    let number = |item: &Operand| match item {
        Operand::Number(number) => Some(*number),
        _ => None,
    };
    let r#type = |item: &Operand| match item {
        Operand::Type(r#type) => Some(r#type.clone()),
        _ => None,
    };
    let numbers = items.iter().map(number).collect::<Option<_>>().map(Operand::List);
    numbers.or_else(|| items.iter().map(r#type).collect::<Option<_>>().map(Operand::Types))
}
