//! How the printer writes it: attributes of an operation.

use crate::assembly::{self, AttributeSyntax, is_of_case};
use crate::attr::text::dense::Element;

use super::super::draft::{MOST_EQUAL, OperationDraft, untyped};
use super::super::plan::PlanPiece;
use super::super::tosa;
use super::{Generic, Written, known, written};

impl OperationDraft<'_, '_, '_> {
    fn text_of_case(&self, attribute: &str, number: i64) -> Option<String> {
        let constraint = self.definition.attribute(attribute)?.constraint()?;
        Some(constraint.enumeration()?.text(number)?.into_owned())
    }
}

impl<'m> AttributeSyntax for OperationDraft<'_, 'm, '_> {
    fn attribute(&mut self, attribute: Option<u32>) -> Result<u32, Generic> {
        let attribute = known(attribute)?;
        OperationDraft::attribute(self, attribute);
        Ok(attribute)
    }

    fn stripped(&mut self, attribute: Option<u32>, class: &str) -> Result<u32, Generic> {
        let attribute = known(attribute)?;
        self.push(PlanPiece::Stripped(attribute, class.len() as u32 + 1));
        Ok(attribute)
    }

    fn symbol_reference(&mut self, attribute: Option<u32>) -> Result<(u32, Option<Vec<u8>>), Generic> {
        let attribute = known(attribute)?;
        OperationDraft::attribute(self, attribute);
        Ok((attribute, self.symbol_in(attribute).map(<[u8]>::to_vec)))
    }

    fn words_dictionary(&mut self, classes: &[(&str, &str)], left_out: Option<(&str, &str)>) -> Written {
        written(tosa::words(self, classes, left_out))
    }

    fn integer(&mut self, number: Option<i64>) -> Result<i64, Generic> {
        let number = known(number)?;
        self.number(number);
        Ok(number)
    }

    fn quoted(&mut self, text: Option<&[u8]>) -> Result<Vec<u8>, Generic> {
        let text = known(text)?;
        OperationDraft::quoted(self, text);
        Ok(text.to_vec())
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
        let word = known(word)?;
        OperationDraft::text(self, word);
        Ok(word.to_owned())
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
        let digits = known(digits)?;
        OperationDraft::text(self, digits);
        Ok((digits.starts_with('-'), digits.trim_start_matches('-').to_owned()))
    }

    fn symbol(&mut self, name: Option<&[u8]>) -> Result<Vec<u8>, Generic> {
        let name = known(name)?;
        OperationDraft::symbol(self, name);
        Ok(name.to_vec())
    }

    fn attr_dict(&mut self, elided: &[&str]) -> Written {
        written(self.attr_dict_after(" ", elided))
    }

    fn attr_dict_with_keyword(&mut self, elided: &[&str]) -> Written {
        written(self.attr_dict_after(" attributes ", elided))
    }

    fn dictionary(&mut self, dictionary: Option<u32>, is_aliased: bool) -> Result<Option<u32>, Generic> {
        if let Some(dictionary) = dictionary {
            written(match is_aliased {
                true => self.dictionary_of(dictionary),
                false => self.dictionary_of_argument(dictionary),
            })?;
        }
        Ok(dictionary)
    }

    fn attr(&mut self, name: &str) -> Option<u32> {
        OperationDraft::attr(self, name)
    }

    fn any_attr(&mut self, name: &str) -> Option<u32> {
        OperationDraft::attr(self, name).or_else(|| self.discardable_attr(name))
    }

    fn is_inherent(&self, name: &str) -> bool {
        self.definition.attribute(name).is_some()
    }

    fn declared_attribute(&mut self, name: &str) -> Written {
        let definition = self.definition;
        assembly::attribute(self, known(definition.attribute(name))?, false)
    }

    fn text_of(&mut self, attribute: u32) -> Option<String> {
        String::from_utf8(OperationDraft::word(self, attribute)?).ok()
    }

    fn set(&mut self, _: &str, _: u32) {}

    fn set_text(&mut self, _: &str, _: &str) -> Written {
        Ok(())
    }

    fn set_unit(&mut self, _: &str) -> Written {
        Ok(())
    }

    fn set_integer(&mut self, _: &str, _: i64, _: &str) -> Written {
        Ok(())
    }

    fn set_integers(&mut self, _: &str, _: &str, _: &[i64]) -> Written {
        Ok(())
    }

    fn set_elements(&mut self, _: &str, _: &str, _: &str, _: &[i64]) -> Written {
        Ok(())
    }

    fn set_array(&mut self, _: &str, _: &[u32]) -> Written {
        Ok(())
    }

    fn set_string(&mut self, _: &str, _: &[u8]) -> Written {
        Ok(())
    }

    fn set_type(&mut self, _: &str, _: u32) -> Written {
        Ok(())
    }

    fn set_function_type(&mut self, _: &str, _: &[u32], _: &[u32]) -> Written {
        Ok(())
    }

    fn set_dictionaries(&mut self, _: &str, _: &[Option<u32>]) -> Written {
        Ok(())
    }

    // ---- what attributes and types say ----

    fn integers_of(&mut self, name: &str) -> Option<Vec<i64>> {
        OperationDraft::integers_of(self, name)
    }

    fn integers_in(&mut self, attribute: u32) -> Option<Vec<i64>> {
        self.integers(attribute)
    }

    fn items(&mut self, attribute: u32) -> Option<Vec<u32>> {
        OperationDraft::items(self, attribute)
    }

    fn pairs(&mut self, attribute: u32) -> Option<Vec<(u32, u32)>> {
        OperationDraft::pairs(self, attribute)
    }

    fn tensor_numbers(&mut self, attribute: u32, element: Element) -> Option<Vec<i64>> {
        let elements = self.elements(attribute)?;
        let is_list = elements.element() == element && elements.shape().len() == 1;
        let is_short = !elements.is_splat() || elements.len() <= MOST_EQUAL;
        (is_list && is_short && self.is_plain_tensor(elements.r#type()))
            .then(|| elements.integers().collect())?
    }

    fn integer_words(&self, attribute: u32) -> Option<(Element, Vec<u64>)> {
        OperationDraft::integer_words(self, attribute)
    }

    fn string(&self, attribute: u32) -> Option<Vec<u8>> {
        OperationDraft::string(self, attribute).map(<[u8]>::to_vec)
    }

    fn string_length(&self, attribute: u32) -> Option<usize> {
        OperationDraft::string(self, attribute).map(<[u8]>::len)
    }

    fn type_in(&self, attribute: u32) -> Option<u32> {
        OperationDraft::type_in(self, attribute)
    }

    fn is_symbol(&self, attribute: u32) -> bool {
        OperationDraft::is_symbol(self, attribute)
    }

    fn elements_type(&mut self, attribute: u32) -> Option<u32> {
        OperationDraft::type_of_elements(self, attribute)
    }

    fn is_written(&mut self, attribute: u32, text: &str) -> bool {
        OperationDraft::is_written(self, attribute, text)
    }

    fn case(&mut self, name: &str) -> Result<String, Generic> {
        let text = match OperationDraft::attr(self, name) {
            Some(index) => match self.number_in(index) {
                Some(number) => return known(self.text_of_case(name, number)),
                None => known(self.word(index))?,
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

    fn untyped_number(&mut self, number: Option<u32>, _: &str) -> Result<u32, Generic> {
        self.item(number)
    }

    fn item(&mut self, item: Option<u32>) -> Result<u32, Generic> {
        let item = known(item)?;
        self.push(PlanPiece::Untyped(item));
        Ok(item)
    }

    fn number_of(&mut self, number: Option<i128>, _: Option<Element>) -> Result<i64, Generic> {
        let number = known(number)?;
        self.number(number);
        Ok(i64::try_from(number).unwrap_or(i64::MAX))
    }

    fn is_unit(&self, attribute: u32) -> bool {
        OperationDraft::is_unit(self, attribute)
    }

    fn wide_integers(&mut self, attribute: u32, count: usize) -> Option<(Element, Vec<i128>)> {
        let elements = self.elements(attribute)?;
        let is_list = elements.len() == count as u64 && elements.shape().len() == 1;
        let numbers = (0..elements.len()).map(|place| elements.wide_integer(place));
        is_list.then(|| Some((elements.element(), numbers.collect::<Option<_>>()?)))?
    }

    fn length_of(&mut self, attribute: u32) -> Option<usize> {
        Some(self.integers(attribute)?.len())
    }

    // ---- parts of directives ----

    fn untyped_attribute(&mut self, attribute: Option<u32>, _: Option<u32>) -> Result<u32, Generic> {
        let attribute = known(attribute)?;
        self.push(PlanPiece::Untyped(attribute));
        Ok(attribute)
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
        let word = known(word)?;
        OperationDraft::text(self, word);
        known(read(word))
    }

    fn inner_attribute(
        &mut self,
        attribute: Option<u32>,
        start: &str,
        _: impl FnOnce(&mut Self) -> Result<String, Generic>,
    ) -> Result<u32, Generic> {
        let attribute = known(attribute)?;
        let text = self.printed(attribute);
        let inner = text.strip_prefix(start.as_bytes()).and_then(|text| text.strip_suffix(b">"));
        self.bytes(known(inner)?);
        Ok(attribute)
    }

    fn long_text_of(&mut self, attribute: u32) -> Option<String> {
        String::from_utf8(self.printed(attribute)).ok()
    }

    fn numbers_in_field(&mut self, attribute: u32, field: &str) -> Option<Vec<i64>> {
        OperationDraft::numbers_in_field(self, attribute, field)
    }

    fn rows_in(&mut self, attribute: u32) -> Option<Vec<Vec<i64>>> {
        let elements = self.elements(attribute)?;
        let &[_, columns] = elements.shape() else { return None };
        if elements.is_splat() && elements.len() > MOST_EQUAL {
            return None;
        }
        let numbers: Vec<i64> = elements.integers().collect::<Option<_>>()?;
        let columns = usize::try_from(columns).ok().filter(|columns| *columns > 0)?;
        Some(numbers.chunks(columns).map(<[i64]>::to_vec).collect())
    }

    fn has_elements(&self, attribute: u32) -> bool {
        OperationDraft::has_elements(self, attribute)
    }

    fn shows_type(&mut self, attribute: u32, r#type: u32) -> bool {
        OperationDraft::type_of_value(self, attribute).is_some_and(|own| self.is_same_type(own, r#type))
            || self.ends_with_type(attribute, r#type)
    }
}
