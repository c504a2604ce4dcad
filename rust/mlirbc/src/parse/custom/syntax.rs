//! The parser of forms: each step reads tokens.

use crate::assembly::{
    Bracket, Group, MapShape, RegionStyle, Signature, Step, StructuredOperands, Syntax, Values,
};
use crate::attr::text::dense::Element;
use crate::attr::text::lexer::TokenKind;
use crate::attr::text::parse::{Failure, Parsed};
use crate::ops::{OperationDefinition, ValueDefinition};
use crate::release::Llvm;

use super::super::frames::{AsmParser, Pending};
use super::super::operands::Reference;
use super::super::region::{EntryArgument, OpenRegion};
use super::Custom;
use super::linalg::Payload;
use super::spirv::element_text;
use crate::dialect::entries::EntryRef;

/// A form that is being read.
pub(super) struct FormReader<'p, 't> {
    pub(super) parser: &'p mut AsmParser<'t>,
    pub(super) pending: &'p mut Pending<'t>,
    pub(super) custom: &'p mut Custom<'t>,
    /// The region that the form gave last.
    pub(super) opened: Option<Box<OpenRegion<'t>>>,
}

impl<'t> FormReader<'_, 't> {
    fn place_of(&self, group: Group<'_>) -> Option<usize> {
        match group {
            Group::At(place) => Some(place),
            Group::Named(name) => self
                .custom
                .definition
                .operands()
                .iter()
                .map(ValueDefinition::name)
                .position(|own| own == name),
        }
    }

    fn slot(&mut self, of: Values) -> Option<&mut Option<Vec<u32>>> {
        match of {
            Values::Operand(place) => self.custom.operand_types.get_mut(place),
            Values::Result(place) => self.custom.result_types.get_mut(place),
        }
    }
}

/// The end of the first token of a text of words and punctuation.
fn first_token(text: &str) -> usize {
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'.');
    match text.as_bytes() {
        [b'-', b'>', ..] => 2,
        [b'.', b'.', b'.', ..] => 3,
        bytes => bytes.iter().take_while(|byte| is_word(byte)).count().max(1),
    }
}

fn kind_of(bracket: Bracket) -> (TokenKind, &'static str) {
    match bracket {
        Bracket::Round => (TokenKind::RightParen, "`,` or `)` after an item"),
        Bracket::Square => (TokenKind::RightSquare, "`,` or `]` after an item"),
    }
}

impl<'t> Syntax for FormReader<'_, 't> {
    const PRINTS: bool = false;
    type Error = Failure;
    type Value = Reference<'t>;
    type Type = u32;
    type Attribute = u32;
    type Argument = EntryArgument<'t>;
    type Values = &'t [Reference<'t>];
    type Types = &'static [u32];
    type Part = u32;
    type Payload = Payload;

    fn definition(&self) -> &OperationDefinition {
        &self.custom.definition
    }

    fn release(&self) -> Llvm {
        self.parser.release
    }

    fn refuse(&mut self, message: impl Into<String>) -> Failure {
        self.parser.contents(self.pending, message)
    }

    fn unsupported(&mut self, why: &str) -> Failure {
        self.parser.unsupported(self.pending, why)
    }

    // ---- text ----

    fn text(&mut self, text: &str) -> Parsed<()> {
        let mut rest = text.trim();
        while !rest.is_empty() {
            let (token, after) = rest.split_at(first_token(rest));
            self.parser.expect_literal(token)?;
            rest = after.trim_start();
        }
        Ok(())
    }

    fn optional_text(&mut self, text: &str, _: impl FnOnce(&mut Self) -> Parsed<bool>) -> Parsed<bool> {
        let text = text.trim();
        let (token, rest) = text.split_at(first_token(text));
        if !self.parser.eat_literal(token)? {
            return Ok(false);
        }
        self.text(rest)?;
        Ok(true)
    }

    fn at(&mut self, kind: TokenKind, _: impl FnOnce(&mut Self) -> Parsed<bool>) -> Parsed<bool> {
        Ok(self.parser.peek()?.kind == kind)
    }

    // ---- lists ----

    fn list(
        &mut self,
        bracket: Bracket,
        _: usize,
        mut item: impl FnMut(&mut Self, usize) -> Parsed<()>,
    ) -> Parsed<()> {
        let (close, goes_on) = kind_of(bracket);
        self.parser.expect_literal(bracket.texts().0)?;
        if self.parser.eat(close)? {
            return Ok(());
        }
        let mut place = 0;
        loop {
            item(self, place)?;
            place += 1;
            if !self.parser.goes_on(close, goes_on)? {
                return Ok(());
            }
        }
    }

    fn separated(&mut self, _: usize, mut item: impl FnMut(&mut Self, usize) -> Parsed<()>) -> Parsed<()> {
        let mut place = 0;
        loop {
            item(self, place)?;
            place += 1;
            if !self.parser.eat(TokenKind::Comma)? {
                return Ok(());
            }
        }
    }

    // ---- operands ----

    fn value(&mut self, _: Option<Reference<'t>>) -> Parsed<Reference<'t>> {
        self.parser.reference()
    }

    fn optional_value(&mut self, _: Option<Reference<'t>>) -> Parsed<Option<Reference<'t>>> {
        self.parser.optional_reference()
    }

    fn values(&mut self, _: &[Reference<'t>]) -> Parsed<Vec<Reference<'t>>> {
        self.parser.references()
    }

    fn all_operands(&self) -> Self::Values {
        &[]
    }

    fn operands<'n>(&mut self, _: impl Into<Group<'n>>) -> Parsed<Self::Values> {
        Ok(&[])
    }

    fn operand_count(&mut self, group: usize) -> usize {
        self.custom.operands.get(group).map_or(0, Vec::len)
    }

    fn types_of(&self, _: &[Reference<'t>]) -> Vec<u32> {
        Vec::new()
    }

    fn give<'n>(&mut self, group: impl Into<Group<'n>>, values: Vec<Reference<'t>>, types: Vec<u32>) {
        if let Some(place) = self.place_of(group.into()) {
            self.custom.give_at(place, values, types);
        }
    }

    fn give_all(&mut self, values: Vec<Reference<'t>>, types: Vec<u32>) {
        self.custom.all_operands = Some(values);
        self.custom.all_operand_types = Some(types);
    }

    fn give_values(&mut self, group: usize, values: Vec<Reference<'t>>) {
        if let Some(slot) = self.custom.operands.get_mut(group) {
            *slot = values;
        }
    }

    fn optional_value_name(&mut self, _: Option<&[u8]>) -> Parsed<Option<Vec<u8>>> {
        let name = self.parser.optional_reference()?;
        Ok(name.map(|name| name.name.get(1..).unwrap_or_default().to_vec()))
    }

    // ---- types ----

    fn r#type(&mut self, _: Option<u32>) -> Parsed<u32> {
        self.parser.parse_type()
    }

    fn types(&mut self, _: &[u32]) -> Parsed<Vec<u32>> {
        self.parser.type_list()
    }

    fn function_type(&mut self, _: &[u32], _: &[u32]) -> Parsed<(Vec<u32>, Vec<u32>)> {
        self.parser.function_type()
    }

    fn result_types(&mut self, _: &[u32]) -> Parsed<Vec<u32>> {
        self.parser.result_types()
    }

    fn all_results(&self) -> Self::Types {
        &[]
    }

    fn set_types(&mut self, of: Values, types: Vec<u32>) {
        if let Some(slot) = self.slot(of) {
            *slot = Some(types);
        }
    }

    fn named_type(&mut self, text: &str) -> Parsed<Option<u32>> {
        self.parser.type_named(text).map(Some)
    }

    fn same_count(&mut self, values: usize, types: usize) -> Parsed<()> {
        self.parser.same_count(self.pending, values, types)
    }

    fn signature(&mut self, _: &str) -> Parsed<Signature<Self>> {
        Ok(Signature::default())
    }

    fn part(&mut self, _: Option<&u32>) -> Parsed<Option<u32>> {
        self.parser.parse_type().map(Some)
    }

    fn is_part(&mut self, _: &u32, _: u32) -> bool {
        false
    }

    fn is_function(&self, _: &u32) -> bool {
        false
    }

    fn inner_type(&mut self, start: &str, r#type: u32) -> Parsed<Option<u32>> {
        let text = self.parser.whole_type(r#type)?;
        match text.strip_prefix(start).and_then(|text| text.strip_suffix('>')) {
            Some(inner) => self.parser.type_named(inner).map(Some),
            None => Ok(None),
        }
    }

    fn retyped(&mut self, start: &str, other: &str, r#type: u32) -> Parsed<Option<u32>> {
        let text = self.parser.whole_type(r#type)?;
        match text.strip_prefix(start) {
            Some(rest) => self.parser.type_named(&[other, rest].concat()).map(Some),
            None => Err(self.refuse(format!("the type is `{start}…>`"))),
        }
    }

    fn type_text(&self, r#type: u32) -> Option<String> {
        self.parser.whole_type(r#type).ok()
    }

    fn number_type(&self, r#type: u32) -> Option<Element> {
        self.parser.text.element(r#type)
    }

    fn vector_parts(&mut self, r#type: u32) -> Option<(Vec<i64>, Vec<bool>, u32)> {
        self.parser.text.vector_parts(r#type)
    }

    fn pointee(&mut self, pointer: u32) -> Parsed<Option<u32>> {
        self.parser.pointee(pointer)
    }

    fn pointer_to(&mut self, r#type: u32) -> Parsed<Option<u32>> {
        self.parser.pointer_to(r#type).map(Some)
    }

    fn pair_with_bit(&mut self, r#type: u32) -> Parsed<Option<u32>> {
        let inner = self.parser.text_in_llvm(r#type)?;
        self.parser.type_named(&format!("!llvm.struct<({inner}, i1)>")).map(Some)
    }

    fn is_ranked_tensor(&self, r#type: u32) -> bool {
        self.parser.is_ranked_tensor(r#type)
    }

    fn rank_of(&self, r#type: u32) -> Option<usize> {
        self.parser.text.shape_of(r#type).map(|shape| shape.len())
    }

    fn vector_of(&mut self, sizes: &[i64], scalable: &[bool], element: u32) -> Parsed<Option<u32>> {
        self.parser.text.vector_of(sizes, scalable, element).map(Some)
    }

    fn with_element(&mut self, r#type: u32, element: u32) -> Parsed<Option<u32>> {
        Ok(Some(self.parser.text.with_element(r#type, element)?.unwrap_or(r#type)))
    }

    fn is_index(&self, _: u32) -> bool {
        false
    }

    fn element_type(&mut self, r#type: u32) -> Parsed<Option<u32>> {
        self.parser.text.element_of(r#type)
    }

    fn set_all_results(&mut self, types: Vec<u32>) {
        self.custom.all_result_types = Some(types);
    }

    fn repeated_type(&mut self, r#type: u32, count: usize) -> Parsed<Vec<u32>> {
        self.parser.list_of(r#type, count)
    }

    fn tuple_parts(&mut self, r#type: u32) -> Option<Vec<u32>> {
        self.parser.text.tuple_parts(r#type)
    }

    fn shaped_type(&mut self, _: Option<u32>, _: &[Reference<'t>]) -> Parsed<(u32, Vec<Reference<'t>>)> {
        let mut sizes = Vec::new();
        let r#type = self.parser.shaped_type(self.pending, &mut sizes)?;
        Ok((r#type, sizes))
    }

    fn spirv_pointee(&mut self, _: Option<u32>) -> Parsed<Option<u32>> {
        self.parser.parse_type().map(Some)
    }

    fn spirv_element(&mut self, r#type: u32, place: usize) -> Parsed<Option<u32>> {
        let text = self.parser.whole_type(r#type)?;
        match element_text(&text, place) {
            Some(part) => self.parser.type_named(&part).map(Some),
            None => Ok(None),
        }
    }

    fn chain_element(&mut self, pointer: u32, indices: &[Reference<'t>]) -> Parsed<Option<u32>> {
        self.parser.spirv_chain_element(self.pending, pointer, indices).map(Some)
    }

    fn needs_type(&mut self, r#type: u32) -> bool {
        let class = self.parser.text.class_of(EntryRef::Type(r#type));
        // A shaped type of the dialect is a text, which has no class.
        class.is_some_and(|class| class == "NoneType" || class.contains("Tensor"))
    }

    // ---- attributes ----

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
        let place = self.custom.definition.attributes().iter().position(|one| one.name() == name);
        match place {
            Some(place) => self.parser.attribute_variable(self.pending, self.custom, place, false),
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
        let list: Vec<String> = numbers.iter().map(i64::to_string).collect();
        let list = if list.is_empty() { String::new() } else { format!("[{}]", list.join(", ")) };
        self.set_text(name, &format!("dense<{list}> : {container}<{}x{element}>", numbers.len()))
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

    fn integers_in(&mut self, _: u32) -> Option<Vec<i64>> {
        None
    }

    fn items(&mut self, attribute: u32) -> Option<Vec<u32>> {
        self.parser.text.array_items(attribute)
    }

    fn pairs(&mut self, _: u32) -> Option<Vec<(u32, u32)>> {
        None
    }

    fn tensor_numbers(&mut self, _: u32, _: Element) -> Option<Vec<i64>> {
        None
    }

    fn integer_words(&self, _: u32) -> Option<(Element, Vec<u64>)> {
        None
    }

    fn string(&self, attribute: u32) -> Option<Vec<u8>> {
        self.parser.text.string_bytes(attribute)
    }

    fn string_length(&self, attribute: u32) -> Option<usize> {
        self.parser.text.string_length(attribute)
    }

    fn type_in(&self, attribute: u32) -> Option<u32> {
        self.parser.text.type_of_type_attribute(attribute)
    }

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

    // ---- maps and bodies ----

    fn map_shape(&mut self, _: u32) -> Option<MapShape> {
        None
    }

    fn map_of_values(&mut self, _: Bracket, name: &str, _: &[Reference<'t>]) -> Parsed<Vec<Reference<'t>>> {
        let (map, values) = self.parser.map_of_values(TokenKind::LeftSquare, TokenKind::RightSquare)?;
        self.set(name, map);
        Ok(values)
    }

    fn grouped_bounds(
        &mut self,
        keyword: &str,
        map: &str,
        groups: &str,
        _: &[Reference<'t>],
    ) -> Parsed<Vec<Reference<'t>>> {
        self.parser.parallel_bound(self.pending, keyword, map, groups)
    }

    fn reduction(&mut self, _: Option<u32>) -> Parsed<i64> {
        self.parser.reduction()
    }

    fn iteration_traits(&mut self, _: &[&str], class: &str, _: bool) -> Parsed<()> {
        let token = self.parser.peek()?;
        let dictionary = self.parser.text.parse_attribute()?;
        if !self.parser.dictionary_entries(self.pending, dictionary) {
            return self.parser.unexpected(token, "a dictionary of attributes");
        }
        self.parser.iterator_types(self.pending, class)
    }

    fn properties(&mut self) -> Parsed<()> {
        if self.parser.eat(TokenKind::Less)? {
            self.parser.expect(TokenKind::LeftBrace, "`{` and the properties")?;
            self.parser.attributes(&mut self.pending.attributes)?;
            self.parser.expect(TokenKind::Greater, "`>` after the properties")?;
        }
        Ok(())
    }

    fn dense_array(&mut self, name: &str) -> Parsed<()> {
        let numbers = self.parser.numbers_in_brackets()?;
        self.set_integers(name, "i64", &numbers)
    }

    fn make_structured_body(
        &mut self,
        name: &str,
        kind: Option<u32>,
        operands: &StructuredOperands<Self>,
    ) -> Parsed<()> {
        let kind = kind.map(|kind| self.parser.whole_attribute(kind)).transpose()?;
        let region = self.parser.structured_body(self.pending, name, kind.as_deref(), operands)?;
        self.custom.regions.push(0);
        self.pending.regions.push(region);
        Ok(())
    }

    fn make_copying_body(&mut self, operands: &StructuredOperands<Self>) -> Parsed<()> {
        self.parser.copying_body(self.pending, self.custom, operands)
    }

    fn payload(&mut self, _: bool, _: bool) -> Parsed<Option<Payload>> {
        self.parser.payload()
    }

    fn make_payload_body(
        &mut self,
        payload: Payload,
        is_reduce: bool,
        operands: &StructuredOperands<Self>,
    ) -> Parsed<()> {
        self.parser.payload_body(self.pending, self.custom, payload, is_reduce, operands)
    }

    fn complete_transfer(&mut self, shaped: u32, vector: u32) -> Parsed<Option<u32>> {
        self.parser.transfer_attributes(self.pending, self.custom, shaped, vector).map(Some)
    }

    fn place_here(&mut self) -> Parsed<()> {
        let position = self.parser.peek()?.start;
        self.pending.location = self.parser.location_at(position)?;
        Ok(())
    }

    fn reducer(&mut self, _: &[Reference<'t>]) -> Parsed<Option<String>> {
        self.parser.reducer()
    }

    fn make_reducer_body(&mut self, region: usize, name: &str, r#type: Option<u32>) -> Parsed<()> {
        let made = self.parser.reducer_body(self.pending, name, r#type)?;
        self.custom.regions.push(region);
        self.pending.regions.push(made);
        Ok(())
    }

    fn wrapped_operation(&mut self, region: usize) -> Parsed<Vec<u32>> {
        let (made, results) = self.parser.wrapped_operation(self.pending)?;
        self.custom.regions.push(region);
        self.pending.regions.push(made);
        Ok(results)
    }

    // ---- regions and successors ----

    fn argument(&mut self, _: Option<EntryArgument<'t>>) -> Parsed<EntryArgument<'t>> {
        self.parser.argument_of(super::super::frames::NONE)
    }

    fn argument_name(&mut self, _: Option<EntryArgument<'t>>) -> Parsed<EntryArgument<'t>> {
        self.parser.argument_name(super::super::frames::NONE)
    }

    fn numbered_argument(&mut self, _: usize) -> Parsed<EntryArgument<'t>> {
        self.parser.argument_name(super::super::frames::NONE)
    }

    fn tied_argument(&mut self, _: Option<usize>, arguments: &[EntryArgument<'t>]) -> Parsed<Option<usize>> {
        let Some(target) = self.parser.optional_reference()? else { return Ok(None) };
        let place = arguments.iter().position(|one| one.name == target.name && target.number == 0);
        match place {
            Some(place) => Ok(Some(place)),
            None => Err(self.refuse("a result is tied to a value that is not an operand")),
        }
    }

    fn keep_arguments(&mut self, arguments: &[EntryArgument<'t>]) {
        self.custom.entry = arguments.to_vec();
    }

    fn kept_arguments(&mut self) -> Vec<EntryArgument<'t>> {
        std::mem::take(&mut self.custom.entry)
    }

    fn argument_location(&mut self, mut argument: EntryArgument<'t>) -> Parsed<EntryArgument<'t>> {
        self.parser.argument_location(&mut argument)?;
        Ok(argument)
    }

    fn skip_location(&mut self) -> Parsed<()> {
        self.parser.skipped_location()
    }

    fn typed_argument(&mut self, _: Option<EntryArgument<'t>>) -> Parsed<EntryArgument<'t>> {
        self.parser.typed_argument()
    }

    fn arguments(&mut self, _: usize) -> Parsed<Vec<EntryArgument<'t>>> {
        Ok(Vec::new())
    }

    fn argument_type(&mut self, argument: EntryArgument<'t>) -> Parsed<u32> {
        Ok(argument.r#type)
    }

    fn with_type(&self, argument: EntryArgument<'t>, r#type: u32) -> EntryArgument<'t> {
        EntryArgument { r#type, ..argument }
    }

    fn argument_named_as(&mut self, value: Reference<'t>, r#type: u32) -> Parsed<Option<EntryArgument<'t>>> {
        if value.number != 0 {
            return Err(self.unsupported("an operand is a result with a number"));
        }
        let location = super::super::frames::NONE;
        Ok(Some(EntryArgument { name: value.name, position: value.position, r#type, location }))
    }

    fn hide_names(&mut self) {
        self.custom.outer = Some(self.parser.enter_names());
    }

    fn show_names(&mut self) {
        if let Some(outer) = self.custom.outer.take() {
            self.parser.leave_names(outer);
        }
    }

    fn has_blocks(&mut self, _: usize) -> Parsed<bool> {
        Ok(false)
    }

    fn region(&mut self, number: usize, _: RegionStyle, arguments: Vec<EntryArgument<'t>>) -> Parsed<Step> {
        self.custom.regions.push(number);
        self.opened = Some(self.parser.open_region(arguments)?);
        Ok(Step::Region)
    }

    fn inline_region(&mut self, number: usize) -> Parsed<Step> {
        self.region(number, RegionStyle::FULL, Vec::new())
    }

    fn yield_results(&mut self, _: usize, _: &str) -> Parsed<()> {
        match self.pending.regions.first() {
            Some(&region) => self.parser.yield_of_mask(region, self.pending.location),
            None => Ok(()),
        }
    }

    fn successor(
        &mut self,
        group: usize,
        _: usize,
        _: &[Reference<'t>],
    ) -> Parsed<(Vec<Reference<'t>>, Vec<u32>)> {
        let (block, values, types) = self.parser.successor_with_values(self.pending)?;
        if let Some(slot) = self.custom.successors.get_mut(group) {
            slot.push(block);
        }
        Ok((values, types))
    }
}
