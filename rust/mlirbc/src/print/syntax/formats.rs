//! Implements [`FormatSyntax`] for the printer: steps of the programs of declarative formats.

use std::ops::Range;

use crate::assembly::{self, AttributeSyntax, FormatSyntax, Program, Quotes, RegionSyntax, Values};
use crate::attr::text::escape;
use crate::dialect::entries::Entries;
use crate::format::id::{AttrId, TypeId};
use crate::ops::{AttributeDefinition, AttributeText, Enumeration};
use crate::props::PropertyValue;

use super::super::draft::{Drafted, OperationDraft, is_segment_name, untyped};
use super::super::plan::PlanPiece;
use super::format_checks;
use super::{Generic, Written, known, written};

impl OperationDraft<'_, '_, '_> {
    fn write_default(&mut self, of: &AttributeDefinition, text: &[u8]) -> Drafted {
        match of.constraint()?.attribute_text() {
            AttributeText::Case(_, cases) => {
                let number = std::str::from_utf8(untyped(text)).ok()?.parse().ok()?;
                assembly::case(self, Some(number), cases).ok()?;
            }
            AttributeText::Stripped(class) => self.bytes(stripped(text, class.len() + 1)),
            AttributeText::Array(_) => {
                // `[1, 2]` for `array<i64: 1, 2>`.
                let Some(inner) = text.strip_prefix(b"array<").and_then(|text| text.strip_suffix(b">"))
                else {
                    self.bytes(text);
                    return Some(());
                };
                let start = inner.windows(2).position(|window| window == b": ");
                OperationDraft::text(self, "[");
                self.bytes(start.and_then(|start| inner.get(start + 2..)).unwrap_or_default());
                OperationDraft::text(self, "]");
            }
            AttributeText::Typed(_) => self.bytes(untyped(text)),
            AttributeText::Unit => OperationDraft::text(self, "unit"),
            AttributeText::Full => self.bytes(text),
            _ => return None,
        }
        Some(())
    }

    // A parser refuses a case that the release does not have.
    fn note_unknown_case(&mut self, cases: &Enumeration, text: &[u8]) {
        let Some(word) = in_brackets(text) else { return };
        let is_known = word.split(|byte| matches!(byte, b',' | b'|')).all(|word| {
            let word = word.trim_ascii();
            cases.cases().any(|(_, case)| case.as_bytes() == word)
        });
        let is_word = word.iter().all(|byte| byte.is_ascii_alphanumeric() || b"_,| ".contains(byte));
        if is_word && !is_known {
            self.lost.get_or_insert("a case of an enumeration that its release does not have");
        }
    }

    // Whether an attribute that the format does not mention is written before the dictionary.
    fn is_apart(&mut self, program: &Program, of: &AttributeDefinition) -> Option<bool> {
        let name = of.name();
        let property = self.property(name).filter(|one| !matches!(one.value, PropertyValue::Absent));
        let Some(property) = property.filter(|_| !is_segment_name(name) && !program.mentions(name)) else {
            return Some(false);
        };
        let has_default = of.default().is_some() || property.default.is_some();
        if has_default && self.is_default(of, property)? {
            self.note_default(of);
            return Some(false);
        }
        (!self.is_earlier && !of.is_native()).then_some(true)
    }

    // The dictionary of inherent attributes, or nothing.
    fn property_dictionary(&mut self, program: &Program) -> Drafted {
        let elided: Vec<&str> = program.elided().iter().map(|name| &**name).collect();
        let discardable = std::mem::take(&mut self.discardable);
        let entries = self.dictionary_entries(&elided, true);
        self.discardable = discardable;
        if self.lost.take().or(self.unprinted.take()).is_some() {
            return None;
        }
        let entries = entries?;
        self.dictionary_after(if program.separates_properties() { " <" } else { "<" }, &entries);
        OperationDraft::text(self, if entries.is_empty() { "" } else { ">" });
        Some(())
    }
}

impl<'m> FormatSyntax for OperationDraft<'_, 'm, '_> {
    fn literal(&mut self, text: &str) -> Written {
        OperationDraft::text(self, text);
        Ok(())
    }

    fn space(&mut self) {
        OperationDraft::text(self, " ");
    }

    fn leave_out(&mut self, program: &Program, group: Range<usize>) -> Written {
        written(format_checks::report_omitted(self, program, group))
    }

    fn count(&mut self, of: Values) -> Result<usize, Generic> {
        Ok(known(self.range_of(of))?.len())
    }

    fn has_attribute_at(&mut self, place: usize) -> Result<bool, Generic> {
        known(self.has_attribute(place))
    }

    fn successor_count(&self) -> usize {
        OperationDraft::successor_count(self)
    }

    fn block(&mut self, _: usize, number: usize) -> Written {
        self.successor(0, number, &[]).map(drop)
    }

    fn type_of_class(
        &mut self,
        r#type: Option<TypeId>,
        class: &str,
        is_qualified: bool,
    ) -> Result<TypeId, Generic> {
        self.put_piece(r#type, |r#type| match is_qualified {
            true => PlanPiece::Type(r#type),
            false => PlanPiece::StrippedType(r#type, class.len() as u32 + 1),
        })
    }

    fn optional_types(&mut self, types: &[TypeId], _: bool) -> Result<Vec<TypeId>, Generic> {
        OperationDraft::types(self, types);
        Ok(Vec::new())
    }

    fn attribute_of(&mut self, of: &AttributeDefinition) -> Result<Option<AttrId>, Generic> {
        match known(self.property(of.name()))?.value {
            PropertyValue::Attribute(index) => Ok(Some(index)),
            PropertyValue::Absent => Ok(None),
            _ => Err(Generic),
        }
    }

    fn property_of(&mut self, of: &AttributeDefinition) -> Result<Option<PropertyValue>, Generic> {
        known(self.property(of.name())).map(|property| Some(property.value.clone()))
    }

    fn default_value(&mut self, of: &AttributeDefinition) -> Result<bool, Generic> {
        let property = known(self.property(of.name()))?;
        let is_absent = matches!(property.value, PropertyValue::Absent);
        if is_absent {
            written(self.write_default(of, known(property.default)?.as_bytes()))?;
        }
        Ok(is_absent)
    }

    fn untyped(&mut self, attribute: Option<AttrId>, _: &str) -> Result<AttrId, Generic> {
        self.item(attribute)
    }

    fn array_of(&mut self, attribute: Option<AttrId>, _: &str) -> Result<AttrId, Generic> {
        self.put_piece(attribute, PlanPiece::Array)
    }

    fn of_class(&mut self, attribute: Option<AttrId>, class: &str) -> Result<AttrId, Generic> {
        self.stripped(attribute, class)
    }

    fn case_of_class(
        &mut self,
        attribute: Option<AttrId>,
        class: &str,
        cases: &Enumeration,
        format: Option<&str>,
    ) -> Result<AttrId, Generic> {
        let attribute = known(attribute)?;
        let text = self.word(attribute);
        let text = text.as_deref().map(|text| stripped(text, class.len() + 1));
        if !OperationDraft::release(self).spaces_cases() {
            let text = known(text)?.trim_ascii_start();
            let is_bare = format.is_none_or(|format| format.trim() == "$value");
            self.bytes(in_brackets(text).filter(|_| is_bare).unwrap_or(text));
            return Ok(attribute);
        }
        // The text of a case, which other releases may print with fewer spaces.
        match text {
            Some(case) => {
                self.note_unknown_case(cases, case);
                self.bytes(case);
            }
            None => self.push(PlanPiece::Stripped(attribute, class.len() as u32 + 1)),
        }
        Ok(attribute)
    }

    fn case_name(
        &mut self,
        name: Option<&str>,
        quotes: Quotes,
        _: &Enumeration,
        _: impl FnOnce(&str) -> Option<i64>,
    ) -> Result<i64, Generic> {
        let name = known(name)?.as_bytes();
        match quotes {
            Quotes::Never => self.bytes(name),
            Quotes::IfNeeded => self.keyword(name),
            Quotes::Always => OperationDraft::quoted(self, name),
        }
        Ok(0)
    }

    fn string_property(&mut self, index: u32) -> Written {
        let text = Entries::string(self.file, index);
        self.plan.with_text(|out| escape::write_string(out, text));
        Ok(())
    }

    fn is_apart(&mut self, program: &Program, of: &AttributeDefinition) -> Result<bool, Generic> {
        known(OperationDraft::is_apart(self, program, of))
    }

    fn format_dictionary(&mut self, program: &Program, has_keyword: bool) -> Written {
        if program.refuses_properties() && known(self.has_unmentioned(program))? {
            return Err(Generic);
        }
        let is_apart = program.has_prop_dict() || program.separates_properties();
        let entries = known(self.format_entries(program.elided(), is_apart, !program.is_transcribed()))?;
        self.dictionary_after(if has_keyword { " attributes " } else { " " }, &entries);
        Ok(())
    }

    fn property_dictionary(&mut self, program: &Program) -> Written {
        written(OperationDraft::property_dictionary(self, program))
    }
}

/// Returns the text of an attribute or a type after its name, whose length is given: `dialect.mnemonic` with its sigil. Returns the whole text if
/// nothing follows, or if it is an alias.
pub(in crate::print) fn stripped(text: &[u8], prefix: usize) -> &[u8] {
    match text.get(..prefix).zip(text.get(prefix..)) {
        Some((name, rest)) if !rest.is_empty() => {
            let Some(dot) = name.iter().position(|byte| matches!(byte, b'.' | b'<')) else { return text };
            match name.get(dot) {
                // `#dialect<mnemonic …>`
                Some(b'<') => match without_type(rest).strip_suffix(b">") {
                    Some(inside) if !inside.is_empty() => inside,
                    _ => text,
                },
                _ => rest,
            }
        }
        _ => text,
    }
}

/// `…>` for `…> : type`.
fn without_type(text: &[u8]) -> &[u8] {
    const BEFORE_TYPE: &[u8] = b"> : ";
    let end = text.windows(BEFORE_TYPE.len()).rposition(|window| window == BEFORE_TYPE);
    let is_typed =
        !text.ends_with(b">") || end.is_some_and(|end| text.get(end + BEFORE_TYPE.len()) == Some(&b'!'));
    end.filter(|_| is_typed).and_then(|end| text.get(..=end)).unwrap_or(text)
}

fn in_brackets(text: &[u8]) -> Option<&[u8]> {
    text.strip_prefix(b"<")?.strip_suffix(b">")
}
