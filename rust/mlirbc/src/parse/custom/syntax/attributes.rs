//! How the parser reads it: attributes of an operation.

use crate::assembly::{self, AttributeSyntax, Direction};
use crate::attr::text::dense::Element;
use crate::attr::text::lexer::TokenKind;
use crate::attr::text::parse::Parsed;

use super::super::parts::out_of_range;
use super::FormReader;

impl FormReader<'_, '_> {
    /// Gives dense elements of one dimension.
    fn set_numbers(&mut self, name: &str, r#type: u32, element: u32, numbers: &[i64]) -> Parsed<()> {
        match self.parser.text.elements_value(r#type, element, numbers)? {
            Some(value) => {
                self.set(name, value);
                Ok(())
            }
            None => Err(self.refuse("a number does not fit into the type of the elements")),
        }
    }
}

impl<'t> AttributeSyntax for FormReader<'_, 't> {
    fn attribute(&mut self, _: Option<u32>) -> Parsed<u32> {
        self.parser.text.parse_attribute()
    }

    fn stripped(&mut self, _: Option<u32>, class: &str) -> Parsed<u32> {
        self.parser.text.stripped(false, class)
    }

    fn symbol_reference(&mut self, _: Option<u32>) -> Parsed<(u32, Option<Vec<u8>>)> {
        let (reference, name) = self.parser.symbol_reference()?;
        Ok((reference, Some(name)))
    }

    fn words_dictionary(&mut self, classes: &[(&str, &str)], _: Option<(&str, &str)>) -> Parsed<()> {
        self.parser.words_dictionary(self.pending, classes)
    }

    fn integer(&mut self, _: Option<i64>) -> Parsed<i64> {
        self.parser.integer()
    }

    fn quoted(&mut self, _: Option<&[u8]>) -> Parsed<Vec<u8>> {
        let token = self.parser.expect(TokenKind::String, "a string")?;
        self.parser.text.string_of(token)
    }

    fn unescaped(&mut self, text: Option<&[u8]>) -> Parsed<Vec<u8>> {
        self.quoted(text)
    }

    fn word(&mut self, _: Option<&str>, expected: &'static str) -> Parsed<String> {
        self.parser.keyword(expected)
    }

    fn optional_word(&mut self, _: Option<&[u8]>, cases: &[&'static str]) -> Parsed<Option<&'static str>> {
        let token = self.parser.peek()?;
        let word = self.parser.spelling(token);
        let case = cases.iter().find(|case| case.as_bytes() == word);
        if case.is_some() {
            self.parser.lexer().seek(token.end);
        }
        Ok(case.copied())
    }

    fn digits(&mut self, _: Option<&str>) -> Parsed<(bool, String)> {
        let is_negative = self.parser.eat(TokenKind::Minus)?;
        let token = self.parser.expect(TokenKind::Integer, "a whole number")?;
        let digits = String::from_utf8_lossy(self.parser.spelling(token)).into_owned();
        Ok((is_negative, digits))
    }

    fn symbol(&mut self, _: Option<&[u8]>) -> Parsed<Vec<u8>> {
        let token = self.parser.expect(TokenKind::Symbol, "the name of a symbol, as in `@name`")?;
        self.parser.text.string_of(token)
    }

    fn attr_dict(&mut self, _: &[&str]) -> Parsed<()> {
        self.parser.optional_attributes(self.pending)
    }

    fn attr_dict_with_keyword(&mut self, _: &[&str]) -> Parsed<()> {
        self.parser.attributes_with_keyword(self.pending)
    }

    fn function_attributes(&mut self, _: &[&str]) -> Parsed<()> {
        self.parser.function_attributes(self.pending)
    }

    fn dictionary(&mut self, _: Option<u32>, _: bool) -> Parsed<Option<u32>> {
        self.parser.dictionary()
    }

    fn attr(&mut self, name: &str) -> Option<u32> {
        self.parser.found(self.pending, name)
    }

    fn any_attr(&mut self, name: &str) -> Option<u32> {
        self.parser.found(self.pending, name)
    }

    fn is_inherent(&self, name: &str) -> bool {
        self.parser.is_inherent(self.custom, name)
    }

    fn declared_attribute(&mut self, name: &str) -> Parsed<()> {
        let definition = self.custom.definition.clone();
        match definition.attribute(name) {
            Some(attribute) => assembly::attribute(self, attribute, false),
            None => Ok(()),
        }
    }

    fn text_of(&mut self, attribute: u32) -> Option<String> {
        self.parser.whole_attribute(attribute).ok()
    }

    fn set(&mut self, name: &str, value: u32) {
        self.parser.set_named(self.pending, name, value);
    }

    fn set_text(&mut self, name: &str, text: &str) -> Parsed<()> {
        self.parser.set_text(self.pending, name, text)
    }

    fn set_unit(&mut self, name: &str) -> Parsed<()> {
        self.parser.set_unit(self.pending, name)
    }

    fn set_integer(&mut self, name: &str, value: i64, r#type: &str) -> Parsed<()> {
        let r#type = self.parser.type_named(r#type)?;
        if let Some(element) = self.parser.text.element(r#type)
            && !element.fits(value)
        {
            return Err(
                self.refuse(format!("`{value}` does not fit into an integer of {} bits", element.bits()))
            );
        }
        let value = self.parser.text.integer_value(value, r#type)?;
        self.set(name, value);
        Ok(())
    }

    fn set_integers(&mut self, name: &str, r#type: &str, values: &[i64]) -> Parsed<()> {
        let value = self.parser.numbers_value(r#type, values)?;
        self.set(name, value);
        Ok(())
    }

    fn set_elements(&mut self, name: &str, container: &str, element: &str, numbers: &[i64]) -> Parsed<()> {
        let element = self.parser.type_named(element)?;
        match container {
            "vector" => self.set_vector(name, element, numbers),
            _ => {
                let r#type = self.parser.text.tensor(&[numbers.len() as i64], element)?;
                self.set_numbers(name, r#type, element, numbers)
            }
        }
    }

    fn set_integer_items(&mut self, name: &str, r#type: &str, values: &[i64]) -> Parsed<()> {
        let r#type = self.parser.type_named(r#type)?;
        let items = values.iter().map(|&value| self.parser.text.integer_value(value, r#type));
        let items = items.collect::<Parsed<Vec<u32>>>()?;
        self.set_array(name, &items)
    }

    fn set_texts(&mut self, name: &str, texts: &[String], count: usize) -> Parsed<()> {
        let mut items = Vec::new();
        for text in texts {
            items.push(self.parser.text.fragment(false, text)?);
        }
        if let ([only], true) = (&*items, count != 1) {
            items = self.parser.editor.tables.budget.filled(*only, count)?;
        }
        self.set_array(name, &items)
    }

    fn unset_zero(&mut self, name: &str) {
        let value = self.attr(name).and_then(|value| self.parser.whole_attribute(value).ok());
        if value.is_some_and(|text| text.starts_with("0 :")) {
            let name = self.parser.attribute_name(name.as_bytes());
            self.pending.attributes.retain(|(known, _)| *known != name);
        }
    }

    fn set_llvm_function_type(
        &mut self,
        name: &str,
        inputs: &[u32],
        is_variadic: bool,
        results: &[u32],
    ) -> Parsed<()> {
        let result = match results {
            [] => "void".to_owned(),
            [one] => self.parser.whole_type(*one)?,
            _ => return Err(self.refuse("a function has at most one result")),
        };
        let mut parts = Vec::new();
        for &input in inputs {
            parts.push(self.parser.whole_type(input)?);
        }
        if is_variadic {
            parts.push("...".to_owned());
        }
        let text = format!("!llvm.func<{result} ({})>", parts.join(", "));
        let r#type = self.parser.type_named(&text)?;
        self.set_type(name, r#type)
    }

    fn string_attribute(&mut self, text: &[u8]) -> Parsed<Option<u32>> {
        self.parser.text.string_value(text).map(Some)
    }

    fn string_dictionary(&mut self, entries: &[(&str, Option<&[u8]>)]) -> Parsed<Option<u32>> {
        let mut named = Vec::new();
        for (name, value) in entries {
            let value = match value {
                Some(text) => self.parser.text.string_value(text)?,
                None => self.parser.text.unit_value()?,
            };
            named.push((name.as_bytes().to_vec(), value));
        }
        self.parser.text.dictionary_value(named).map(Some)
    }

    fn set_type_items(&mut self, name: &str, types: &[u32]) -> Parsed<()> {
        let items = types.iter().map(|&of| self.parser.text.type_value(of)).collect::<Parsed<Vec<u32>>>()?;
        self.set_array(name, &items)
    }

    fn set_arrays(&mut self, name: &str, lists: &[Vec<u32>]) -> Parsed<()> {
        let items =
            lists.iter().map(|list| self.parser.text.array_value(list)).collect::<Parsed<Vec<u32>>>()?;
        self.set_array(name, &items)
    }

    fn set_array(&mut self, name: &str, items: &[u32]) -> Parsed<()> {
        let value = self.parser.text.array_value(items)?;
        self.set(name, value);
        Ok(())
    }

    fn set_string(&mut self, name: &str, text: &[u8]) -> Parsed<()> {
        let value = self.parser.text.string_value(text)?;
        self.set(name, value);
        Ok(())
    }

    fn set_type(&mut self, name: &str, r#type: u32) -> Parsed<()> {
        let value = self.parser.text.type_value(r#type)?;
        self.set(name, value);
        Ok(())
    }

    fn set_function_type(&mut self, name: &str, inputs: &[u32], results: &[u32]) -> Parsed<()> {
        let r#type = self.parser.text.function_value(inputs, results)?;
        self.set_type(name, r#type)
    }

    fn set_dictionaries(&mut self, name: &str, all: &[Option<u32>]) -> Parsed<()> {
        self.parser.array_of_dictionaries(self.pending, name, all)
    }

    // ---- what attributes and types say ----

    fn type_of_value(&mut self, attribute: u32) -> Parsed<Option<u32>> {
        self.parser.type_of_value(attribute)
    }

    fn elements_type(&mut self, attribute: u32) -> Option<u32> {
        self.parser.text.type_of_attribute(attribute)
    }

    fn is_written(&mut self, attribute: u32, text: &str) -> bool {
        self.parser.whole_attribute(attribute).is_ok_and(|own| own == text)
    }

    fn case(&mut self, _: &str) -> Parsed<String> {
        Ok(String::new())
    }

    // ---- parts of directives ----

    fn untyped_attribute(&mut self, _: Option<u32>, of: Option<u32>) -> Parsed<u32> {
        match of {
            Some(of) => self.parser.value_of_type(of),
            None => self.parser.text.parse_attribute(),
        }
    }

    fn bare_name(&mut self, _: Option<&[u8]>, expected: &'static str) -> Parsed<Vec<u8>> {
        let name = match self.parser.peek()?.kind {
            TokenKind::String => self.parser.string(expected)?,
            _ => self.parser.keyword(expected)?,
        };
        Ok(name.into_bytes())
    }

    fn word_as<T>(
        &mut self,
        _: Option<&str>,
        expected: &'static str,
        read: impl FnOnce(&str) -> Option<T>,
    ) -> Parsed<T> {
        let token = self.parser.peek()?;
        let word = self.parser.keyword(expected)?;
        match read(&word) {
            Some(found) => Ok(found),
            None => self.parser.unexpected(token, expected),
        }
    }

    fn inner_attribute(
        &mut self,
        _: Option<u32>,
        start: &str,
        read: impl FnOnce(&mut Self) -> Parsed<String>,
    ) -> Parsed<u32> {
        let inner = read(self)?;
        self.parser.text.fragment(false, &format!("{start}{inner}>"))
    }

    fn read_brackets(&mut self) -> Parsed<String> {
        self.parser.text_in_brackets()
    }

    fn read_quotes(&mut self) -> Parsed<String> {
        let token = self.parser.expect(TokenKind::String, "a string")?;
        Ok(String::from_utf8_lossy(self.parser.spelling(token)).into_owned())
    }

    fn attribute_of_text(&mut self, text: &str) -> Parsed<Option<u32>> {
        self.parser.text.fragment(false, text).map(Some)
    }

    fn array_attribute(&mut self, items: &[u32]) -> Parsed<Option<u32>> {
        self.parser.text.array_value(items).map(Some)
    }

    fn set_dictionary(&mut self, name: &str, entries: Vec<(Vec<u8>, u32)>) -> Parsed<()> {
        let value = self.parser.text.dictionary_value(entries)?;
        self.set(name, value);
        Ok(())
    }

    fn integer_attribute(&mut self, value: i64, r#type: &str) -> Parsed<Option<u32>> {
        let r#type = self.parser.type_named(r#type)?;
        self.parser.text.integer_value(value, r#type).map(Some)
    }

    fn set_rows(
        &mut self,
        name: &str,
        container: &str,
        element: &str,
        columns: usize,
        numbers: &[i64],
    ) -> Parsed<()> {
        let rows: Vec<String> = numbers.chunks(columns.max(1)).map(|row| format!("{row:?}")).collect();
        let list = if rows.is_empty() { String::new() } else { format!("[{}]", rows.join(", ")) };
        self.set_text(name, &format!("dense<{list}> : {container}<{}x{columns}x{element}>", rows.len()))
    }

    fn set_booleans(&mut self, name: &str, flags: &[bool]) -> Parsed<()> {
        let words: Vec<&str> = flags.iter().map(|flag| if *flag { "true" } else { "false" }).collect();
        let separator = if words.is_empty() { "" } else { ": " };
        self.set_text(name, &format!("array<i1{separator}{}>", words.join(", ")))
    }

    fn sizes(&mut self, _: &[i64]) -> Parsed<Vec<i64>> {
        Ok(self.parser.lexer().dimensions_without_cross()?)
    }

    fn untyped_number(&mut self, _: Option<u32>, r#type: &str) -> Parsed<u32> {
        let r#type = self.parser.type_named(r#type)?;
        self.parser.number(r#type)
    }

    fn item(&mut self, item: Option<u32>) -> Parsed<u32> {
        match self.parser.begins_integer()? {
            true => self.untyped_number(item, "i32"),
            false => self.parser.text.parse_attribute(),
        }
    }

    fn number_of(&mut self, _: Option<i128>, element: Option<Element>) -> Parsed<i64> {
        let start = self.parser.peek()?;
        let number = self.parser.integer()?;
        match element {
            // MLIR prints the bits of an integer with a sign, too: 4294967295 is -1 of `si32`.
            Some(Element::Signed(width @ 1..=63)) => Ok(number << (64 - width) >> (64 - width)),
            Some(element) if !element.fits(number) => {
                Err(out_of_range(start, &number.to_string(), element.bits()))
            }
            _ => Ok(number),
        }
    }

    fn integers_attribute(&mut self, r#type: &str, values: &[i64]) -> Parsed<Option<u32>> {
        self.parser.numbers_value(r#type, values).map(Some)
    }

    fn set_vector(&mut self, name: &str, element: u32, numbers: &[i64]) -> Parsed<()> {
        if numbers.is_empty() {
            return Err(self.refuse("a vector has at least one element"));
        }
        let r#type = self.parser.text.vector_of(&[numbers.len() as i64], &[false], element)?;
        self.set_numbers(name, r#type, element, numbers)
    }
}
