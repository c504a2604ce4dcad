//! Attributes and types that are stored as text, and whose named fields differ between releases.
//!
//! Decides for each symbol of a text with named fields: the same in the target, translated (a field is added
//! or left out without a change of meaning), or not possible. `data/operations/attribute_fields.tsv` lists
//! the fields of each release; the rows `field` and `fields` of `data/translation/releases.toml` describe
//! their meaning.

use std::collections::HashSet;

use super::cases::split_mnemonic;
use super::symbols::has_symbol;
use super::{ReleaseConversion, has, sparse};
use crate::attr::text::parse::fields::{NamedField, body_of, named_fields, parts, split_symbol, symbols};
use crate::convert::rules::{FieldRule, NewDefault, covers};
use crate::release::{KnownRelease, Llvm};

/// Bodies without a name of their own are translated to this depth.
const MAX_DEPTH: u32 = 24;

const VECTOR: &str = "!llvm.vec";
const SPARSE_ENCODING: &str = "#sparse_tensor.encoding";

/// How often a text may be copied because of symbols within symbols.
const MOST_COPIES: usize = 64;

/// A text in the target.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum TextForm {
    Same,
    Other(String),
    /// The target lacks an attribute, a type, a field or a case in the text.
    Lacking,
}

/// The treatment of a field that the file leaves out because it has its default, if the target has another
/// default.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum OmittedField {
    Written,
    Kept,
}

/// A part of a text that the target does not have.
pub(super) struct MissingInTarget;

impl ReleaseConversion {
    /// Translates a text to the fields that its classes have in the target.
    pub(crate) fn with_target_fields(&self, text: &str) -> TextForm {
        self.translated(text, OmittedField::Written)
    }

    /// Whether the target parses an unchanged text. It may take another value for a field that the text
    /// leaves out.
    pub(crate) fn parses(&self, text: &str) -> bool {
        self.translated(text, OmittedField::Kept) == TextForm::Same
    }

    fn translated(&self, text: &str, omitted: OmittedField) -> TextForm {
        if self.is_any || !text.contains(['#', '!']) {
            return TextForm::Same;
        }
        let mut new: Option<String> = None;
        let mut copies = 0;
        // Inner symbols begin after outer ones.
        for start in symbols(text).into_iter().rev() {
            let current = new.as_deref().unwrap_or(text);
            let Some((name, body)) = symbol_at(current, start) else { continue };
            match self.new_symbol(name, body, omitted) {
                Err(MissingInTarget) => return TextForm::Lacking,
                Ok(None) => {}
                Ok(Some(symbol)) => {
                    copies += 1;
                    if copies > MOST_COPIES {
                        return TextForm::Lacking;
                    }
                    let end = start + name.len() + body.map_or(0, |body| body.len() + 2);
                    let mut whole = current.to_owned();
                    whole.replace_range(start..end, &symbol);
                    new = Some(whole);
                }
            }
        }
        new.map_or(TextForm::Same, TextForm::Other)
    }

    fn new_symbol(
        &self,
        name: &str,
        body: Option<&str>,
        omitted: OmittedField,
    ) -> Result<Option<String>, MissingInTarget> {
        if name == SPARSE_ENCODING {
            let new = sparse::encoding(body.unwrap_or_default(), self.style().has_sparse_maps())?;
            return Ok(new.map(|body| format!("{name}<{body}>")));
        }
        if body.is_some_and(|body| self.refuses(name, body)) {
            return Err(MissingInTarget);
        }
        if let Some(symbol) = self.with_only_numbers(name, body) {
            return Ok(Some(symbol));
        }
        let probed = self.release.and_then(|release| has_symbol(release, name));
        if probed == Some(false) && self.has_dialect_of(name) || self.lacks_mnemonic(name, body) {
            return Err(MissingInTarget);
        }
        if body.is_some_and(|body| self.lacks_bare_type(name, body)) {
            return Err(MissingInTarget);
        }
        let is_known = probed == Some(true);
        if !is_known && self.lacks_name(name) || body.is_some_and(|body| self.lacks_word(name, body)) {
            return Err(MissingInTarget);
        }
        let source_fields = named_fields(Llvm(self.from), name);
        let target = named_fields(Llvm(self.to), name).or_else(|| source_fields.filter(|_| is_known));
        if source_fields.is_some() && target.is_none() && self.has_dialect_of(name) {
            return Err(MissingInTarget);
        }
        if source_fields.is_none() && target.is_none() {
            return if self.lacks_case(name, body) { Err(MissingInTarget) } else { Ok(None) };
        }
        let new = self.new_body(name, body.unwrap_or_default(), (0, omitted))?;
        Ok(new.map(|body| if body.is_empty() { name.to_owned() } else { format!("{name}<{body}>") }))
    }

    /// Whether the module's release has an attribute or a type with this name and the target does not.
    fn lacks_name(&self, name: &str) -> bool {
        let Some((sigil, name)) = name.split_at_checked(1) else { return false };
        let has = |llvm: u32, is_lenient: bool| words(llvm, sigil, is_lenient).contains(name);
        name.contains('.') && has(self.from, false) && !has(self.to, true)
    }

    /// Whether a type of LLVM contains a type that the target does not have, without the name of the dialect.
    fn lacks_bare_type(&self, name: &str, body: &str) -> bool {
        let is_bare = |word: &str| {
            body.match_indices(word).any(|(place, _)| {
                let parts = body.get(..place).zip(body.get(place + word.len()..));
                let Some((before, after)) = parts else { return false };
                !before.ends_with(|letter: char| letter.is_alphanumeric() || "._!\"".contains(letter))
                    && after.starts_with('<')
            })
        };
        // Releases have dropped two such types: vectors of pointers, and typed pointers, which are
        // translated.
        name.starts_with("!llvm.") && is_bare("vec") && self.lacks_vectors()
    }

    /// Whether the dialect `llvm` of the target has no vector type of its own.
    fn lacks_vectors(&self) -> bool {
        let probed = self.release.and_then(|release| has_symbol(release, VECTOR));
        probed.map_or_else(|| self.lacks_name(VECTOR), |has_it| !has_it)
    }

    /// Whether the target lacks the attribute of `#omp<clause_requires none>`, whose mnemonic is in the brackets.
    fn lacks_mnemonic(&self, name: &str, body: Option<&str>) -> bool {
        let mnemonic = body.and_then(split_mnemonic).filter(|_| !name.contains('.'));
        mnemonic.is_some_and(|(mnemonic, _)| {
            let full = format!("{name}.{mnemonic}");
            self.has_dialect_of(&full) && self.lacks_name(&full)
        })
    }

    /// Whether a symbol has a word that an enumeration of its dialect has in the module's release, and none in the target.
    fn lacks_word(&self, name: &str, body: &str) -> bool {
        let dialect = name.get(1..).and_then(|name| name.split('.').next()).unwrap_or_default();
        let (source_words, target) = (words(self.from, dialect, false), words(self.to, dialect, true));
        let is_of_word = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
        !source_words.is_empty()
            && body
                .split(|letter| !is_of_word(letter))
                .any(|word| source_words.contains(word) && !target.contains(word))
    }

    pub(super) fn has_dialect_of(&self, name: &str) -> bool {
        let dialect = name.get(1..).and_then(|name| name.split('.').next()).unwrap_or_default();
        self.dialects.contains(dialect)
    }

    /// Translates the fields of a class; `None` if they are the same.
    fn new_body(
        &self,
        class: &str,
        body: &str,
        (depth, omitted): (u32, OmittedField),
    ) -> Result<Option<String>, MissingInTarget> {
        let (source_fields, target) =
            (named_fields(Llvm(self.from), class), named_fields(Llvm(self.to), class));
        let (Some(source_fields), Some(target)) = (source_fields, target) else { return Ok(None) };
        let pairs: Option<Vec<(&str, &str)>> = match body.trim().is_empty() {
            true => Some(Vec::new()),
            false => parts(body).into_iter().map(name_and_value).collect(),
        };
        // Other forms have no names.
        let Some(pairs) = pairs else { return Ok(None) };
        if let Some(whole) = self.whole_body(class, &pairs) {
            return Ok(Some(whole));
        }
        let (mut new, mut is_same) = (Vec::new(), true);
        for &(name, value) in &pairs {
            let Some(field) = source_fields.iter().find(|field| field.name == name) else { return Ok(None) };
            if !self.has_field(class, name, target, false) {
                let meaning = self.rule(class, name).and_then(|rule| meaning(rule, &pairs));
                if meaning.or(self.own_default(class, field)) != Some(value) {
                    return Err(MissingInTarget);
                }
                is_same = false;
                continue;
            }
            let value = self.new_value(field, value, (depth, omitted))?;
            is_same &= value.is_none();
            new.push((name, value));
        }
        let mut out = String::new();
        let push = |out: &mut String, name: &str, value: &str| {
            let comma = if out.is_empty() { "" } else { ", " };
            out.push_str(&format!("{comma}{name} = {value}"));
        };
        for (name, value) in &new {
            let old = pairs.iter().find(|(known, _)| known == name).map(|(_, value)| *value);
            push(&mut out, name, value.as_deref().or(old).unwrap_or_default());
        }
        for field in target.iter().filter(|field| pairs.iter().all(|(name, _)| *name != field.name)) {
            if omitted == OmittedField::Kept && self.has_other_default(class, field, source_fields) {
                continue;
            }
            if let Some(value) = self.added_value(class, field, source_fields, &pairs)? {
                push(&mut out, field.name, &value);
                is_same = false;
            }
        }
        if self.lacks_required(class, &new) {
            return Err(MissingInTarget);
        }
        // The target has another meaning for these fields.
        if !is_same && self.is_whole_form(class, &out) {
            return Err(MissingInTarget);
        }
        Ok((!is_same).then_some(out))
    }

    /// Whether the target requires a field that the text does not have.
    fn lacks_required(&self, class: &str, fields: &[(&str, Option<String>)]) -> bool {
        let rules = self.data.rows.field.iter().filter(|rule| covers(&rule.of, class));
        let mut required =
            rules.filter(|rule| rule.required_before.as_ref().is_some_and(|at| !self.target_has(at)));
        required.any(|rule| fields.iter().all(|(name, _)| *name != rule.name))
    }

    /// Whether a rule translates other fields of the file to these ones.
    fn is_whole_form(&self, class: &str, body: &str) -> bool {
        let pairs: Option<Vec<(&str, &str)>> = parts(body).into_iter().map(name_and_value).collect();
        let Some(pairs) = pairs else { return false };
        let rules = self.data.rows.fields.iter().filter(|rule| rule.of == class);
        let mut forms =
            rules.filter_map(|rule| Some(if self.direction(&rule.at)? { &rule.after } else { &rule.before }));
        forms.any(|form| {
            let expected: Option<Vec<(&str, &str)>> = parts(form).into_iter().map(name_and_value).collect();
            let is_present = |&(name, value): &(&str, &str)| {
                pairs
                    .iter()
                    .any(|(known, given)| *known == name && (value.starts_with('{') || *given == value))
            };
            expected.is_some_and(|expected| expected.len() == pairs.len() && expected.iter().all(is_present))
        })
    }

    /// Returns the value that the target needs for a field without one in the file.
    fn added_value(
        &self,
        class: &str,
        field: &NamedField,
        own: &[NamedField],
        pairs: &[(&str, &str)],
    ) -> Result<Option<String>, MissingInTarget> {
        if !self.has_field(class, field.name, &[], true) {
            return Ok(None);
        }
        let rule = self.rule(class, field.name);
        if !self.has_own_field(class, field.name, own) {
            let Some(rule) = rule.filter(|rule| rule.is_required) else { return Ok(None) };
            return meaning(rule, pairs).map(|value| Some(value.to_owned())).ok_or(MissingInTarget);
        }
        match self.defaults(class, field, own) {
            (Some(own), Some(target)) if own != target => Ok(Some(own.to_owned())),
            // The target requires the field, or has no value for the default of the file.
            (Some(own), None) => match rule.and_then(|rule| rule.default_text.as_deref()) {
                Some(text) => Ok(Some(text.to_owned())),
                None if own == "false" => Ok(None),
                None => Err(MissingInTarget),
            },
            // The release of the file has a default that its rows do not list.
            (None, None) => {
                Ok(rule.filter(|rule| rule.is_required).and_then(|rule| rule.default_text.clone()))
            }
            _ => Ok(None),
        }
    }

    /// Returns the values of a field that is left out, in the file and in the target.
    fn defaults<'f>(
        &'f self,
        class: &str,
        field: &'f NamedField,
        own: &'f [NamedField],
    ) -> (Option<&'f str>, Option<&'f str>) {
        let own_field = own.iter().find(|known| known.name == field.name);
        (own_field.and_then(|field| self.own_default(class, field)), self.target_default(class, field))
    }

    fn has_other_default(&self, class: &str, field: &NamedField, own: &[NamedField]) -> bool {
        self.has_own_field(class, field.name, own)
            && matches!(self.defaults(class, field, own), (Some(own), Some(target)) if own != target)
    }

    fn new_value(
        &self,
        field: &NamedField,
        value: &str,
        (depth, omitted): (u32, OmittedField),
    ) -> Result<Option<String>, MissingInTarget> {
        let (Some(class), true) = (field.class, depth < MAX_DEPTH) else { return Ok(None) };
        let Some(inner) = value.strip_prefix('<').and_then(|rest| rest.strip_suffix('>')) else {
            return Ok(None);
        };
        let name = format!("#{class}");
        if self.has_case_form(&name) {
            return if self.lacks_case(&name, Some(inner)) { Err(MissingInTarget) } else { Ok(None) };
        }
        Ok(self.new_body(&name, inner, (depth + 1, omitted))?.map(|inner| format!("<{inner}>")))
    }

    /// Returns all fields in the form of the target, if a rule covers them.
    fn whole_body(&self, class: &str, pairs: &[(&str, &str)]) -> Option<String> {
        self.data.rows.fields.iter().filter(|rule| rule.of == class).find_map(|rule| {
            let (from, to) = match self.direction(&rule.at)? {
                true => (&rule.before, &rule.after),
                false => (&rule.after, &rule.before),
            };
            let expected: Vec<(&str, &str)> =
                parts(from).into_iter().map(name_and_value).collect::<Option<_>>()?;
            let find = |name: &str| pairs.iter().find(|(known, _)| *known == name).map(|(_, value)| *value);
            let is_present = |&(name, value): &(&str, &str)| {
                find(name).is_some_and(|given| value.starts_with('{') || value == given)
            };
            if expected.len() != pairs.len() || !expected.iter().all(is_present) {
                return None;
            }
            let value = |(name, value): (&str, &str)| {
                let text = if value.starts_with('{') { find(name)? } else { value };
                Some(format!("{name} = {text}"))
            };
            let new: Option<Vec<String>> =
                parts(to).into_iter().map(|part| name_and_value(part).and_then(value)).collect();
            new.map(|parts| parts.join(", "))
        })
    }

    /// Returns the value of a field that the file leaves out.
    fn own_default<'f>(&'f self, class: &str, field: &'f NamedField) -> Option<&'f str> {
        match self.new_default(class, field.name) {
            Some(new) if has(self.from, self.from_day, &new.at) => Some(&new.after),
            Some(new) => Some(&new.before),
            None => field.default,
        }
    }

    /// Returns the value of a field that is left out in the target.
    fn target_default<'f>(&'f self, class: &str, field: &'f NamedField) -> Option<&'f str> {
        match self.new_default(class, field.name) {
            Some(new) if self.target_has(&new.at) => Some(&new.after),
            Some(new) => Some(&new.before),
            None => field.default,
        }
    }

    fn new_default(&self, class: &str, field: &str) -> Option<&NewDefault> {
        self.rule(class, field)?.new_default.as_ref()
    }

    fn rule(&self, class: &str, field: &str) -> Option<&FieldRule> {
        self.data.rows.field.iter().find(|rule| rule.name == field && covers(&rule.of, class))
    }

    /// Whether the target has a field: a dated rule is exact, the rows of a release stand for builds near to it.
    fn has_field(&self, class: &str, field: &str, rows: &[NamedField], is_in_rows: bool) -> bool {
        let day = self.release.map(KnownRelease::revision);
        let since = self.rule(class, field).and_then(|rule| rule.at.as_ref());
        let is_in_rows = is_in_rows || rows.iter().any(|known| known.name == field);
        since.map_or(is_in_rows, |at| has(self.to, day, at))
    }

    fn has_own_field(&self, class: &str, field: &str, rows: &[NamedField]) -> bool {
        let since = self.rule(class, field).and_then(|rule| rule.at.as_ref());
        let is_in_rows = rows.iter().any(|known| known.name == field);
        since.map_or(is_in_rows, |at| has(self.from, self.from_day, at))
    }
}

/// Returns the words of the enumerations of a dialect that not all releases have. A release without a row is
/// like the one before it, and like the one after it, too, if `is_lenient` is set.
fn words(llvm: u32, dialect: &str, is_lenient: bool) -> HashSet<&'static str> {
    let rows = || {
        include_str!("../../../data/operations/words.tsv").lines().filter_map(move |row| {
            let mut cells = row.split('\t');
            let release: u32 = cells.next()?.parse().ok()?;
            let (row_dialect, words) = (cells.next()?, cells.next()?);
            (row_dialect == dialect).then_some((release, words))
        })
    };
    let before = rows().rfind(|(release, _)| *release <= llvm);
    let after = rows().find(|(release, _)| *release >= llvm).filter(|_| is_lenient);
    before.into_iter().chain(after).flat_map(|(_, words)| words.split(' ')).collect()
}

fn name_and_value(part: &str) -> Option<(&str, &str)> {
    let (name, value) = part.split_once('=')?;
    let name = name.trim();
    let is_name = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    is_name.then_some((name, value.trim()))
}

/// Returns the value of a field that changes nothing; `None` if the rule has no such value or names a missing
/// field.
fn meaning<'v>(rule: &'v FieldRule, pairs: &[(&str, &'v str)]) -> Option<&'v str> {
    let value = rule.meaning.as_deref()?;
    match value.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')) {
        Some(name) => pairs.iter().find(|(known, _)| *known == name).map(|(_, value)| *value),
        None => Some(value),
    }
}

/// Returns the name of a symbol with its `#` or `!`, and the text in its angle brackets.
pub(super) fn symbol_at(text: &str, start: usize) -> Option<(&str, Option<&str>)> {
    let (name, after) = split_symbol(text.get(start..)?)?;
    Some((name, after.strip_prefix('<').and_then(body_of)))
}
