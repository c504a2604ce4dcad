//! Implements [`AttributeSyntax`] for the printer: attributes of an operation.

use crate::assembly::{self, AttributeSyntax, is_of_case};
use crate::attr::EntryValues;
use crate::attr::text::dense::Element;
use crate::attr::text::entry::string_of;
use crate::attr::text::escape;
use crate::dialect::entries::EntryRef;
use crate::dialect::view::IntegerAttr;
use crate::format::id::{AttrId, TypeId};
use crate::props::PropertyValue;
use crate::wire::order;

use super::super::dialects::tosa;
use super::super::draft::{EntryValue, OperationDraft, TypePart, untyped};
use super::super::plan::PlanPiece;
use super::{Generic, Written, known, written};

impl OperationDraft<'_, '_, '_> {
    fn text_of_case(&self, attribute: &str, number: i64) -> Option<String> {
        let constraint = self.definition.attribute(attribute)?.constraint()?;
        Some(constraint.enumeration()?.text(number)?.into_owned())
    }
}

impl<'m> AttributeSyntax for OperationDraft<'_, 'm, '_> {
    fn attribute(&mut self, attribute: Option<AttrId>) -> Result<AttrId, Generic> {
        self.put_piece(attribute, PlanPiece::Attribute)
    }

    fn stripped(&mut self, attribute: Option<AttrId>, class: &str) -> Result<AttrId, Generic> {
        let prefix = class.len() as u32 + 1;
        let is_trimmed = !OperationDraft::release(self).spaces_cases();
        self.put_piece(attribute, |attribute| match is_trimmed {
            true => PlanPiece::StrippedAndTrimmed(attribute, prefix),
            false => PlanPiece::Stripped(attribute, prefix),
        })
    }

    fn symbol_reference(&mut self, attribute: Option<AttrId>) -> Result<(AttrId, Option<Vec<u8>>), Generic> {
        let attribute = self.put_piece(attribute, PlanPiece::Attribute)?;
        Ok((attribute, self.file.symbol(attribute).map(<[u8]>::to_vec)))
    }

    fn words_dictionary(&mut self, classes: &[(&str, &str)], left_out: Option<(&str, &str)>) -> Written {
        written(tosa::words(self, classes, left_out))
    }

    fn integer(&mut self, number: Option<i64>) -> Result<i64, Generic> {
        self.put(number, |draft, number| draft.number(number))
    }

    fn quoted(&mut self, text: Option<&[u8]>) -> Result<Vec<u8>, Generic> {
        self.put(text, OperationDraft::quoted).map(<[u8]>::to_vec)
    }

    fn unescaped(&mut self, text: Option<&[u8]>) -> Result<Vec<u8>, Generic> {
        let text = known(text)?;
        if text.iter().any(|byte| !(b' '..=b'~').contains(byte) || matches!(byte, b'"' | b'\\')) {
            return Err(Generic);
        }
        OperationDraft::text(self, "\"");
        self.bytes(text);
        OperationDraft::text(self, "\"");
        Ok(text.to_vec())
    }

    fn word(&mut self, word: Option<&str>, _: &'static str) -> Result<String, Generic> {
        self.put(word, OperationDraft::text).map(str::to_owned)
    }

    fn optional_word(
        &mut self,
        word: Option<&[u8]>,
        cases: &[&'static str],
    ) -> Result<Option<&'static str>, Generic> {
        let Some(word) = word else { return Ok(None) };
        let case = known(cases.iter().find(|case| case.as_bytes() == word))?;
        OperationDraft::text(self, case);
        Ok(Some(case))
    }

    fn digits(&mut self, digits: Option<&str>) -> Result<(bool, String), Generic> {
        let digits = self.put(digits, OperationDraft::text)?;
        Ok((digits.starts_with('-'), digits.trim_start_matches('-').to_owned()))
    }

    fn symbol(&mut self, name: Option<&[u8]>) -> Result<Vec<u8>, Generic> {
        let name = known(name)?;
        let quotes_empty = name.is_empty() && OperationDraft::release(self).quotes_empty_symbols();
        self.plan.with_text(|out| match name {
            [] if quotes_empty => out.extend_from_slice(b"@\"\""),
            name => escape::write_symbol_name(out, name),
        });
        Ok(name.to_vec())
    }

    fn attr_dict(&mut self, elided: &[&str]) -> Written {
        written(self.attr_dict_after(" ", elided))
    }

    fn attr_dict_with_keyword(&mut self, elided: &[&str]) -> Written {
        written(self.attr_dict_after(" attributes ", elided))
    }

    fn dictionary(
        &mut self,
        dictionary: Option<AttrId>,
        is_aliased: bool,
    ) -> Result<Option<AttrId>, Generic> {
        let Some(index) = dictionary else { return Ok(None) };
        let mut entries = Vec::new();
        for (name, value) in known(self.pairs(index))? {
            entries.push((known(string_of(self.file, name))?, EntryValue::Attribute(value.number())));
        }
        order::sort_by_key(&mut entries, |entry| entry.0);
        let start = self.plan.pieces.len();
        self.dictionary_after(" ", &entries);
        // The printer that collects aliases passes over the dictionary of an argument (`printRegionArgument` in
        // `mlir/lib/IR/AsmPrinter.cpp`).
        for piece in self.plan.pieces.iter_mut().skip(start).filter(|_| !is_aliased) {
            if let PlanPiece::Named(start, end, value) = *piece {
                *piece = PlanPiece::NamedUnaliased(start, end, value);
            }
        }
        Ok(dictionary)
    }

    fn attr(&mut self, name: &str) -> Option<AttrId> {
        OperationDraft::attr(self, name).map(AttrId::new)
    }

    fn any_attr(&mut self, name: &str) -> Option<AttrId> {
        OperationDraft::attr(self, name).or_else(|| self.discardable_attr(name)).map(AttrId::new)
    }

    fn is_inherent(&self, name: &str) -> bool {
        self.definition.attribute(name).is_some()
    }

    fn declared_attribute(&mut self, name: &str) -> Written {
        let definition = self.definition;
        assembly::attribute(self, known(definition.attribute(name))?, false)
    }

    fn text_of(&mut self, attribute: AttrId) -> Option<String> {
        String::from_utf8(OperationDraft::word(self, attribute)?).ok()
    }

    // ---- what attributes and types say ----

    fn integers_of(&mut self, name: &str) -> Option<Vec<i64>> {
        match &self.property(name)?.value {
            PropertyValue::Attribute(index) => self.integers_in(*index),
            PropertyValue::Segments(sizes) => Some(sizes.iter().map(|&size| i64::from(size)).collect()),
            _ => None,
        }
    }

    fn elements_type(&mut self, attribute: AttrId) -> Option<TypeId> {
        self.file.decoded(EntryRef::Attribute(attribute), |_, _, node| node.r#type(0))
    }

    fn is_written(&mut self, attribute: AttrId, text: &str) -> bool {
        OperationDraft::is_written(self, attribute, text)
    }

    fn case(&mut self, name: &str) -> Result<String, Generic> {
        let text = match OperationDraft::attr(self, name) {
            Some(index) => match self.file.integer(AttrId::new(index)).and_then(IntegerAttr::as_integer) {
                Some(number) => return known(self.text_of_case(name, number)),
                None => known(self.word(AttrId::new(index)))?,
            },
            None => {
                let property = self.property(name);
                property.and_then(|property| property.default).unwrap_or_default().into()
            }
        };
        if text.is_empty() {
            return Ok(String::new());
        }
        let text = known(String::from_utf8(text).ok())?;
        let number =
            std::str::from_utf8(untyped(text.as_bytes())).ok().and_then(|number| number.parse().ok());
        let case = match number {
            Some(number) => self.text_of_case(name, number),
            None => text.split_once('<').and_then(|(_, rest)| rest.strip_suffix('>')).map(str::to_owned),
        };
        known(case.filter(|case| number.is_some() || is_of_case(case.as_bytes())))
    }

    fn sizes(&mut self, sizes: &[i64]) -> Result<Vec<i64>, Generic> {
        for (place, &size) in sizes.iter().enumerate() {
            OperationDraft::text(self, if place > 0 { "x" } else { "" });
            match size {
                i64::MIN => OperationDraft::text(self, "?"),
                size => self.number(size),
            }
        }
        Ok(sizes.to_vec())
    }

    fn untyped_number(&mut self, number: Option<AttrId>, _: &str) -> Result<AttrId, Generic> {
        self.item(number)
    }

    fn item(&mut self, item: Option<AttrId>) -> Result<AttrId, Generic> {
        self.put_piece(item, PlanPiece::Untyped)
    }

    fn number_of(&mut self, number: Option<i128>, _: Option<Element>) -> Result<i64, Generic> {
        let number = self.put(number, |draft, number| draft.number(number))?;
        Ok(i64::try_from(number).unwrap_or(i64::MAX))
    }

    // ---- parts of directives ----

    fn untyped_attribute(&mut self, attribute: Option<AttrId>, _: Option<TypeId>) -> Result<AttrId, Generic> {
        self.item(attribute)
    }

    fn bare_name(&mut self, name: Option<&[u8]>, _: &'static str) -> Result<Vec<u8>, Generic> {
        let name = known(name)?;
        written(self.bare(name))?;
        Ok(name.to_vec())
    }

    fn word_as<T>(
        &mut self,
        word: Option<&str>,
        _: &'static str,
        read: impl FnOnce(&str) -> Option<T>,
    ) -> Result<T, Generic> {
        let word = self.put(word, OperationDraft::text)?;
        known(read(word))
    }

    fn inner_attribute(
        &mut self,
        attribute: Option<AttrId>,
        start: &str,
        _: impl FnOnce(&mut Self) -> Result<String, Generic>,
    ) -> Result<AttrId, Generic> {
        let attribute = known(attribute)?;
        let text = self.printed(attribute);
        let inner = text.strip_prefix(start.as_bytes()).and_then(|text| text.strip_suffix(b">"));
        self.bytes(known(inner)?);
        Ok(attribute)
    }

    fn long_text_of(&mut self, attribute: AttrId) -> Option<String> {
        String::from_utf8(self.printed(attribute)).ok()
    }

    fn shows_type(&mut self, attribute: AttrId, r#type: TypeId) -> bool {
        if self.file.own_type(attribute).is_some_and(|own| self.is_same_type(own, r#type)) {
            return true;
        }
        // An attribute of a dialect that is stored as text has its type at the end.
        let text = self.file.raw(EntryRef::Attribute(attribute)).and_then(|entry| entry.text());
        let end = text.and_then(|text| {
            let at = text.windows(3).rposition(|window| window == b" : ")?;
            std::str::from_utf8(text.get(at + 3..)?).ok()
        });
        end.is_some_and(|end| self.is_part(&TypePart::new(end), r#type))
    }
}
