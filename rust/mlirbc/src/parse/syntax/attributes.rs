//! Implements [`AttributeSyntax`] for the parser: attributes of an operation.

use crate::assembly::{self, AttributeSyntax, Direction, NewAttribute, TypeSyntax};
use crate::attr::EntryValues;
use crate::attr::text::dense::Element;
use crate::attr::text::lexer::TokenKind;
use crate::attr::text::parse::Parsed;
use crate::format::id::{AttrId, TypeId};

use super::super::parts::out_of_range;
use super::FormReader;

impl FormReader<'_, '_> {
    fn integer_of(&mut self, value: i64, r#type: &str) -> Parsed<AttrId> {
        let r#type = self.parser.type_named(r#type)?;
        if let Some(element) = self.parser.text.element(r#type)
            && !element.fits(value)
        {
            let bits = element.bits();
            return Err(self.refuse(format!("`{value}` does not fit into an integer of {bits} bits")));
        }
        self.parser.text.integer_value(value, r#type)
    }

    // Dense elements of one dimension, or of two.
    fn elements_of(
        &mut self,
        container: &str,
        element: TypeId,
        columns: Option<usize>,
        numbers: &[i64],
    ) -> Parsed<AttrId> {
        let shape = match columns {
            Some(columns) => vec![(numbers.len() / columns.max(1)) as i64, columns as i64],
            None => vec![numbers.len() as i64],
        };
        let text = &mut self.parser.text;
        let r#type = match container {
            "vector" if numbers.is_empty() => {
                return Err(self.refuse("a vector has at least one element"));
            }
            "vector" => {
                let scalable: Vec<bool> = shape.iter().map(|_| false).collect();
                text.vector_of(&shape, &scalable, element)?
            }
            _ => text.tensor(&shape, element)?,
        };
        match text.elements_value(r#type, element, shape, numbers)? {
            Some(value) => Ok(value),
            None => Err(self.refuse("a number does not fit into the type of the elements")),
        }
    }

    // An attribute for a variable of a type: elements of an array or a memref, a number, or another attribute.
    fn value_of_type(&mut self, r#type: TypeId) -> Parsed<AttrId> {
        let tensor = match self.is_memref(r#type) {
            true => self.parser.text.tensor_of_memref(r#type)?,
            false => match self.parser.whole_type(r#type)?.strip_prefix("!emitc.array<") {
                Some(shape) => Some(self.parser.type_named(&format!("tensor<{shape}"))?),
                None => None,
            },
        };
        match (tensor, self.parser.peek()?.kind) {
            (Some(tensor), _) => self.parser.text.elements_of_type(tensor),
            (None, TokenKind::Integer | TokenKind::Float | TokenKind::Minus) => self.parser.number(r#type),
            (None, _) => self.parser.text.parse_attribute(),
        }
    }

    fn repeated_texts(&mut self, texts: &[String], count: usize) -> Parsed<AttrId> {
        let items = texts.iter().map(|text| self.parser.text.fragment(false, text).map(AttrId::new));
        let mut items = items.collect::<Parsed<Vec<AttrId>>>()?;
        if let ([only], true) = (&*items, count != 1) {
            items = self.parser.list_of(*only, count)?;
        }
        self.parser.text.array_value(&items)
    }

    fn llvm_function_type(
        &mut self,
        inputs: &[TypeId],
        is_variadic: bool,
        results: &[TypeId],
    ) -> Parsed<TypeId> {
        let result = match results {
            [] => "void".to_owned(),
            [one] => self.parser.whole_type(*one)?,
            _ => return Err(self.refuse("a function has at most one result")),
        };
        let parts = inputs.iter().map(|&input| self.parser.whole_type(input));
        let mut parts = parts.collect::<Parsed<Vec<String>>>()?;
        parts.extend(is_variadic.then(|| "...".to_owned()));
        self.parser.type_named(&format!("!llvm.func<{result} ({})>", parts.join(", ")))
    }
}

impl<'t> AttributeSyntax for FormReader<'_, 't> {
    fn named_type(&mut self, text: &str) -> Parsed<Option<TypeId>> {
        self.parser.type_named(text).map(Some)
    }

    fn make(&mut self, value: NewAttribute<'_>) -> Parsed<Option<AttrId>> {
        let text = &mut self.parser.text;
        let attribute_value = match value {
            NewAttribute::Unit => text.unit_value(),
            NewAttribute::Text(of) => text.fragment(false, of).map(AttrId::new),
            NewAttribute::Texts(texts, count) => self.repeated_texts(texts, count),
            NewAttribute::Integer(value, r#type) => self.integer_of(value, r#type),
            NewAttribute::IntegerItems(values, r#type) => {
                let r#type = text.fragment(true, r#type)?;
                let items = values.iter().map(|&value| text.integer_value(value, TypeId::new(r#type)));
                let items = items.collect::<Parsed<Vec<AttrId>>>()?;
                text.array_value(&items)
            }
            NewAttribute::Integers(values, r#type) => self.parser.numbers_value(r#type, values),
            NewAttribute::Elements { container, element, columns, numbers } => {
                self.elements_of(container, element, columns, numbers)
            }
            NewAttribute::Array(items) => text.array_value(items),
            NewAttribute::String(bytes) => text.string_value(bytes),
            NewAttribute::Dictionary(entries) => text.dictionary_value(entries),
            NewAttribute::Type(of) => text.type_value(of),
            NewAttribute::Types(types) => {
                let items = types.iter().map(|&of| text.type_value(of)).collect::<Parsed<Vec<AttrId>>>()?;
                text.array_value(&items)
            }
            NewAttribute::FunctionType(inputs, results) => {
                let function = text.function_value(inputs, results)?;
                text.type_value(function)
            }
            NewAttribute::LlvmFunctionType { inputs, is_variadic, results } => {
                let function = self.llvm_function_type(inputs, is_variadic, results)?;
                self.parser.text.type_value(function)
            }
        };
        attribute_value.map(Some)
    }

    fn attribute(&mut self, _: Option<AttrId>) -> Parsed<AttrId> {
        self.parser.text.parse_attribute()
    }

    fn stripped(&mut self, _: Option<AttrId>, class: &str) -> Parsed<AttrId> {
        self.parser.text.stripped(false, class).map(AttrId::new)
    }

    fn symbol_reference(&mut self, _: Option<AttrId>) -> Parsed<(AttrId, Option<Vec<u8>>)> {
        let (reference, name) = self.parser.symbol_reference()?;
        Ok((AttrId::new(reference), Some(name)))
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

    fn dictionary(&mut self, _: Option<AttrId>, _: bool) -> Parsed<Option<AttrId>> {
        self.parser.dictionary()
    }

    fn attr(&mut self, name: &str) -> Option<AttrId> {
        self.parser.found(self.pending, name).map(AttrId::new)
    }

    fn any_attr(&mut self, name: &str) -> Option<AttrId> {
        self.parser.found(self.pending, name).map(AttrId::new)
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

    fn text_of(&mut self, attribute: AttrId) -> Option<String> {
        self.parser.whole_attribute(attribute).ok()
    }

    fn set(&mut self, name: &str, value: AttrId) {
        self.parser.set_named(self.pending, name, value);
    }

    fn unset_zero(&mut self, name: &str) {
        let value = self.attr(name).and_then(|value| self.entries().integer(value)?.as_integer());
        if value == Some(0) {
            let name = self.parser.attribute_name(name.as_bytes());
            self.pending.attributes.retain(|(known, _)| *known != name);
        }
    }

    // ---- what attributes and types say ----

    fn type_of_value(&mut self, attribute: AttrId) -> Parsed<Option<TypeId>> {
        self.parser.type_of_value(attribute)
    }

    fn elements_type(&mut self, attribute: AttrId) -> Option<TypeId> {
        self.parser.text.type_of_attribute(attribute)
    }

    fn is_written(&mut self, attribute: AttrId, text: &str) -> bool {
        self.parser.whole_attribute(attribute).is_ok_and(|own| own == text)
    }

    fn case(&mut self, _: &str) -> Parsed<String> {
        Ok(String::new())
    }

    // ---- parts of directives ----

    fn untyped_attribute(&mut self, _: Option<AttrId>, of: Option<TypeId>) -> Parsed<AttrId> {
        match of {
            Some(of) => self.value_of_type(of),
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
        _: Option<AttrId>,
        start: &str,
        read: impl FnOnce(&mut Self) -> Parsed<String>,
    ) -> Parsed<AttrId> {
        let inner = read(self)?;
        self.parser.text.fragment(false, &format!("{start}{inner}>")).map(AttrId::new)
    }

    fn read_brackets(&mut self) -> Parsed<String> {
        self.parser.text_in_brackets()
    }

    fn read_quotes(&mut self) -> Parsed<String> {
        let token = self.parser.expect(TokenKind::String, "a string")?;
        Ok(String::from_utf8_lossy(self.parser.spelling(token)).into_owned())
    }

    fn sizes(&mut self, _: &[i64]) -> Parsed<Vec<i64>> {
        Ok(self.parser.lexer().dimensions_without_cross()?)
    }

    fn untyped_number(&mut self, _: Option<AttrId>, r#type: &str) -> Parsed<AttrId> {
        let r#type = self.parser.type_named(r#type)?;
        self.parser.number(r#type)
    }

    fn item(&mut self, item: Option<AttrId>) -> Parsed<AttrId> {
        match self.parser.peek()?.kind {
            TokenKind::Integer | TokenKind::Minus => self.untyped_number(item, "i32"),
            _ => self.parser.text.parse_attribute(),
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
}
