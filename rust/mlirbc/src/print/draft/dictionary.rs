//! Dictionaries of attributes, without what the format shows elsewhere.

use crate::assembly::{Program, shows_sizes};
use crate::attr::EntryValues;
use crate::attr::text::entry::string_of;
use crate::format::id::AttrId;
use crate::ops::{AttributeDefault, AttributeDefinition, AttributeText};
use crate::props::PropertyValue;
use crate::wire::order;

use super::super::plan::PlanPiece;
use super::reading::LONGEST_WORD;

use super::{
    Drafted, InherentAttribute, OperationDraft, Regions, has_attributes, has_operands_or_results,
    is_segment_name, untyped,
};

impl<'a, 'm, 'e> OperationDraft<'a, 'm, 'e> {
    /// Whether an inherent attribute has its default value; `None` if that is not known.
    pub(in crate::print) fn is_default(
        &mut self,
        definition: &AttributeDefinition,
        property: &InherentAttribute<'_>,
    ) -> Option<bool> {
        let text: &str = match (property.default, definition.default()) {
            (Some(text), _) => text,
            // An empty list, or a null attribute.
            (None, Some(AttributeDefault::Code(code))) if &**code == "{}" => {
                return match property.value {
                    PropertyValue::Absent => Some(true),
                    PropertyValue::Attribute(index) => Some(self.file.is_empty_list(index)),
                    _ => None,
                };
            }
            (None, Some(AttributeDefault::Text(text))) => text,
            // A case of an enumeration.
            (None, Some(AttributeDefault::Code(code))) if code.contains("::") => {
                let case = code.rsplit("::").next()?.trim_end_matches([')', '}']);
                return match property.value {
                    PropertyValue::Absent => Some(true),
                    PropertyValue::Attribute(index) => {
                        let constraint = definition.constraint()?;
                        if let AttributeText::Case(_, cases) = constraint.attribute_text() {
                            return Some(cases.text(self.file.integer(index)?.as_integer()?)? == case);
                        }
                        let Some(found) = self.word(index) else { return Some(false) };
                        let inner =
                            found.strip_suffix(b">")?.rsplit(|byte| matches!(byte, b'<' | b' ')).next()?;
                        // `#stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<DEFAULT>>`
                        let is_only = !found.contains(&b',');
                        let inner = inner.strip_suffix(b">").filter(|_| is_only).unwrap_or(inner);
                        Some(inner == case.as_bytes())
                    }
                    _ => None,
                };
            }
            (None, Some(AttributeDefault::Code(code))) => known_code(code)?,
            (None, None) => return Some(false),
        };
        match &property.value {
            PropertyValue::Absent => Some(true),
            // The text may lack the type.
            PropertyValue::Attribute(index) => {
                let found = self.plain.short_text(*index, (2 * text.len()).max(LONGEST_WORD));
                let is_text = |found: &[u8]| found == text.as_bytes() || untyped(found) == text.as_bytes();
                Some(found.is_some_and(|found| is_text(&found)))
            }
            PropertyValue::Int(number) => Some(text.split(' ').next() == Some(&number.to_string())),
            PropertyValue::Bool(value) => Some(match text {
                "true" | "unit" => *value,
                _ => !*value,
            }),
            PropertyValue::Optional(value) if text == "[]" => Some(value.is_none()),
            PropertyValue::Array(items) if text == "[]" => Some(items.is_empty()),
            _ => None,
        }
    }

    /// Notes that an attribute is not shown because it has its default value: one that the operation need not have is
    /// not set when the text is read.
    pub(in crate::print) fn note_default(&mut self, definition: &AttributeDefinition) {
        if definition.is_optional() {
            self.unprinted.get_or_insert("an optional attribute that has its default value");
        }
    }

    /// The entries of the dictionary but these inherent ones and segment sizes, sorted by name; without default values if the
    /// format is declarative.
    pub(in crate::print) fn dictionary_entries(
        &mut self,
        elided: &[&str],
        elides_defaults: bool,
    ) -> Option<Vec<(&'a [u8], EntryValue<'a>)>> {
        let mut entries: Vec<(&'a [u8], EntryValue<'a>)> = Vec::new();
        for property in self.inherent {
            let name = property.name();
            if elided.contains(&name) || is_segment_name(name) && !shows_sizes(self.definition, name) {
                continue;
            }
            if elides_defaults && matches!(property.value, PropertyValue::Absent) {
                continue;
            }
            let definition = self.definition.attribute(name);
            match &property.value {
                PropertyValue::Absent => {
                    let default = definition.filter(|one| !one.is_optional()).and_then(|one| one.default());
                    // A null attribute is not there either.
                    let is_null = |default: &AttributeDefault| matches!(default, AttributeDefault::Code(code) if &**code == "{}");
                    if default.is_some_and(|default| !is_null(default)) {
                        entries.push((name.as_bytes(), EntryValue::Text(property.default?)));
                    }
                }
                PropertyValue::Attribute(index) => {
                    let has_default = definition.is_some_and(|one| one.default().is_some());
                    if elides_defaults
                        && has_default
                        && let Some(definition) = definition
                        && self.is_default(definition, property)?
                    {
                        self.note_default(definition);
                        continue;
                    }
                    entries.push((name.as_bytes(), EntryValue::Attribute(index.number())));
                }
                // Native properties are never part of the dictionary.
                _ if definition.is_some_and(AttributeDefinition::is_native) => {
                    *self.lost = Some("a property that the assembly format does not mention");
                }
                _ => return None,
            }
        }
        for &(name, value) in self.discardable {
            let name = string_of(self.file, AttrId::new(name))?;
            if !elided.iter().any(|elided| elided.as_bytes() == name) {
                entries.push((name, EntryValue::Attribute(value)));
            }
        }
        // Since properties are apart, most C++ that prints both lists the discardable ones first.
        let is_own = |name: &[u8]| self.inherent.iter().any(|one| one.name().as_bytes() == name);
        let name = self.definition.name();
        let is_mixed = name == "llvm.mlir.global" || name.starts_with("vector.transfer_");
        let is_strict = self.release().separates_properties() && self.definition.has_strict_properties();
        let is_apart = entries.len() > 1 && is_strict && !is_mixed;
        order::sort_by_key(&mut entries, |entry| (is_apart && is_own(entry.0), entry.0));
        Some(entries)
    }

    /// The entries of the dictionary of a format that mentions these attributes.
    pub(in crate::print) fn format_entries(
        &mut self,
        mentioned: &[Box<str>],
        is_apart: bool,
        elides_defaults: bool,
    ) -> Option<Vec<(&'a [u8], EntryValue<'a>)>> {
        if is_apart {
            let inherent = std::mem::take(&mut self.inherent);
            let entries = self.dictionary_entries(&[], true);
            self.inherent = inherent;
            return entries;
        }
        let is_mentioned = |one: &InherentAttribute<'_>| mentioned.iter().any(|name| **name == *one.name());
        if self.discardable.is_empty() && self.inherent.iter().all(is_mentioned) {
            return Some(Vec::new());
        }
        let mentioned: Vec<&str> = mentioned.iter().map(|name| &**name).collect();
        self.dictionary_entries(&mentioned, elides_defaults)
    }

    /// Whether the operation has an attribute of the definition that does not have its default value.
    pub(in crate::print) fn has_attribute(&mut self, place: usize) -> Option<bool> {
        let definition = self.definition.attributes().get(place)?;
        // The release that wrote the file may be older than the definition.
        let Some(property) = self.property(definition.name()) else {
            let has_default = definition.is_optional() || definition.default().is_some();
            return has_default.then_some(false);
        };
        if definition.default().is_some() || property.default.is_some() {
            let is_default = self.is_default(definition, property)?;
            if is_default && !matches!(property.value, PropertyValue::Absent) {
                self.note_default(definition);
            }
            return Some(!is_default);
        }
        Some(match &property.value {
            PropertyValue::Absent => false,
            PropertyValue::Bool(value) => *value,
            PropertyValue::Optional(value) => value.is_some(),
            PropertyValue::Array(items) => !items.is_empty(),
            _ => true,
        })
    }

    /// Whether an inherent attribute is set that the format does not mention.
    pub(in crate::print) fn has_unmentioned(&mut self, program: &Program) -> Option<bool> {
        let inherent = self.inherent;
        for property in inherent.iter().filter(|one| !matches!(one.value, PropertyValue::Absent)) {
            let name = property.name();
            let is_mentioned = is_segment_name(name) || program.mentions(name);
            let is_default = match self.definition.attribute(name) {
                Some(definition) => definition.is_native() || self.is_default(definition, property)?,
                None => false,
            };
            if !is_mentioned && !is_default {
                return Some(true);
            }
        }
        Some(false)
    }

    /// `{name = value}` with these entries after `start`, or nothing without entries.
    pub(in crate::print) fn dictionary_after(&mut self, start: &str, entries: &[(&[u8], EntryValue<'_>)]) {
        if !entries.is_empty() {
            self.text(start);
            self.dictionary(entries);
        }
    }

    /// `{name = value}` with these entries.
    pub(in crate::print) fn dictionary(&mut self, entries: &[(&[u8], EntryValue<'_>)]) {
        self.text("{");
        for (place, &(name, value)) in entries.iter().enumerate() {
            if place > 0 {
                self.text(", ");
            }
            match value {
                EntryValue::Attribute(value) => {
                    let (start, end) = self.plan.kept(|out| out.extend_from_slice(name));
                    self.push(PlanPiece::Named(start, end, AttrId::new(value)));
                }
                EntryValue::Text(text) => {
                    self.keyword(name);
                    if text != "unit" {
                        self.text(" = ");
                        self.text(text);
                    }
                }
            }
        }
        self.text("}");
    }

    /// The dictionary after `start`, or nothing if it is empty (`OpAsmPrinter::printOptionalAttrDict`).
    pub(in crate::print) fn attr_dict_after(&mut self, start: &str, elided: &[&str]) -> Drafted {
        let entries = self.dictionary_entries(elided, false)?;
        self.dictionary_after(start, &entries);
        Some(())
    }

    /// Whether a terminator of an implicit kind is printed: it has operands, results or attributes.
    pub(in crate::print) fn shows_terminator(&self, regions: Regions<'m>, number: usize) -> bool {
        let Some(last) = regions.last_op(number) else { return true };
        has_operands_or_results(regions.body, last) || has_attributes(regions.body, last)
    }
}

/// The value of an entry of a dictionary.
#[derive(Debug, Clone, Copy)]
pub(in crate::print) enum EntryValue<'m> {
    Attribute(u32),
    /// A default value that the file does not have.
    Text(&'m str),
}

// The text of a default that is given as C++.
fn known_code(code: &str) -> Option<&str> {
    let is_number = !code.is_empty() && code.bytes().all(|byte| byte.is_ascii_digit());
    let is_quoted = code.len() > 1 && code.starts_with('"') && code.ends_with('"');
    (matches!(code, "true" | "false") || is_number || is_quoted).then_some(code)
}
