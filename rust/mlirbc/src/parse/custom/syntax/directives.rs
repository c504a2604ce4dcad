//! How the parser reads it: what a directive says of its arguments.

use crate::assembly::{Argument, AttributeSyntax, CaseStyle, Direction, DirectiveSyntax, ValuesAndTypes};
use crate::attr::text::parse::Parsed;
use crate::ops::AttributeText;

use super::super::super::operands::Reference;
use super::super::call::Call;
use super::super::parts::same_types;
use super::FormReader;

impl<'t> FormReader<'_, 't> {
    fn call<'c>(&'c mut self, arguments: &'c [Argument]) -> Call<'c, 't> {
        Call { parser: self.parser, pending: self.pending, custom: self.custom, arguments }
    }
}

impl<'t> DirectiveSyntax for FormReader<'_, 't> {
    type Call<'c> = &'c [Argument];

    fn arguments_of<'c: 'c>(call: &'c [Argument]) -> &'c [Argument] {
        call
    }

    fn values_at(&mut self, _: &[Argument], _: usize) -> Parsed<Self::Values> {
        Ok(&[])
    }

    fn add_values_at(&mut self, call: &[Argument], place: usize, values: Vec<Reference<'t>>) {
        self.call(call).add_values(place, values);
    }

    fn types_at(&mut self, _: &[Argument], _: usize) -> Parsed<Vec<u32>> {
        Ok(Vec::new())
    }

    fn read_types_at(&mut self, call: &[Argument], place: usize) -> Vec<u32> {
        self.call(call).known_types(place).unwrap_or_default()
    }

    fn set_types_at(&mut self, call: &[Argument], place: usize, types: Vec<u32>) {
        self.call(call).set_types(place, types);
    }

    fn attribute_at(&mut self, _: &[Argument], _: usize) -> Parsed<Option<u32>> {
        Ok(None)
    }

    fn set_at(&mut self, call: &[Argument], place: usize, value: u32) {
        self.call(call).set_attribute(place, value);
    }

    fn value_count_at(&mut self, call: &[Argument], place: usize) -> usize {
        self.call(call).value_count(place)
    }

    fn read_attribute_at(&mut self, call: &[Argument], place: usize) -> Option<u32> {
        self.call(call).found_attribute(place)
    }

    fn region_at(&mut self, call: &[Argument], place: usize, _: usize) -> Parsed<usize> {
        match call.get(place) {
            Some(Argument::Region(number)) => Ok(*number),
            _ => Err(self.parser.unsupported(self.pending, "a directive has no region")),
        }
    }

    fn successor_at(
        &mut self,
        call: &[Argument],
        place: usize,
        _: usize,
        _: &[Reference<'t>],
    ) -> Parsed<ValuesAndTypes<Self>> {
        let (block, values, types) = self.parser.successor_with_values(self.pending)?;
        self.call(call).add_successor(place, block);
        Ok((values, types))
    }

    fn keep_number(&mut self, number: i64) {
        self.custom.numbers.push(number);
    }

    fn kept_numbers(&mut self) -> Vec<i64> {
        std::mem::take(&mut self.custom.numbers)
    }

    fn keep_word(&mut self, word: String) {
        self.custom.words.push(word);
    }

    fn kept_word(&mut self) -> Option<String> {
        self.custom.words.pop()
    }

    fn set_one_type_at(&mut self, call: &[Argument], place: usize, r#type: u32) {
        let mut call = self.call(call);
        let types = call.values(place).map_or_else(|| vec![r#type], |values| same_types(r#type, values));
        call.set_types(place, types);
    }

    fn word_at(&mut self, call: &[Argument], place: usize) -> Parsed<()> {
        self.parser.class_case(self.pending, self.custom, Self::number_at(call, place))
    }

    fn case_at(&mut self, call: &[Argument], place: usize, style: CaseStyle) -> Parsed<()> {
        let definition = self.custom.definition.clone();
        let constraint =
            Self::number_at(call, place).and_then(|number| definition.attributes().get(number)?.constraint());
        if style == CaseStyle::Quoted
            && let Some(AttributeText::Case(r#type, cases)) = constraint.map(|one| one.attribute_text())
        {
            let value = self.parser.case(r#type, cases)?;
            self.set_at(call, place, value);
            return Ok(());
        }
        let text = match style {
            CaseStyle::Word => self.parser.keyword("the name of a case")?,
            CaseStyle::Quoted => self.parser.string("a string with the name of a case")?,
        };
        self.set_case_at(call, place, &text)
    }

    fn set_case_at(&mut self, call: &[Argument], place: usize, text: &str) -> Parsed<()> {
        let definition = &self.custom.definition;
        let attribute = Self::number_at(call, place).and_then(|number| definition.attributes().get(number));
        let class = attribute.and_then(|one| one.constraint()).and_then(|constraint| constraint.class());
        match class.map(str::to_owned) {
            Some(class) => {
                let name = self.name_at(call, place);
                self.set_text(&name, &format!("#{class}<{text}>"))
            }
            None => Err(self.unsupported("it has an enumeration that is not known")),
        }
    }

    fn read_values_at(&mut self, call: &[Argument], place: usize) -> Vec<Reference<'t>> {
        self.call(call).values(place).map_or_else(Vec::new, <[_]>::to_vec)
    }

    fn dictionary_without(&mut self, _: &[Argument], _: &str, _: &str) -> Parsed<()> {
        self.parser.optional_attributes(self.pending)
    }
}
