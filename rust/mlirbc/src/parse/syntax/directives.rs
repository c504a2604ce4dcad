//! Implements [`DirectiveSyntax`] for the parser: the arguments of directives.

use crate::assembly::{AttributeSyntax, CaseStyle, Direction, DirectiveCall, DirectiveSyntax};
use crate::attr::text::parse::Parsed;
use crate::ops::{AttributeDefinition, AttributeText};

use super::FormReader;

impl<'t> DirectiveSyntax for FormReader<'_, 't> {
    type Call<'c> = DirectiveCall<'c>;

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

    fn word_at(&mut self, call: DirectiveCall<'_>, place: usize) -> Parsed<()> {
        let definition = self.custom.definition.clone();
        let attribute = Self::number_at(call, place).and_then(|number| definition.attributes().get(number));
        let constraint = attribute.and_then(AttributeDefinition::constraint);
        let Some((constraint, class)) = constraint.and_then(|one| Some((one, one.class()?))) else {
            return Err(self.unsupported("its clause has an attribute that is not known"));
        };
        let token = self.parser.peek()?;
        let word = self.parser.keyword("the name of a case")?;
        if constraint.enumeration().is_some_and(|cases| cases.cases().all(|(_, text)| text != word)) {
            return self.parser.unexpected(token, "the name of a case");
        }
        let value = self.parser.case_of(class, constraint.assembly_format(), &word, token.start)?;
        self.set_at(call, place, value);
        Ok(())
    }

    fn case_at(&mut self, call: DirectiveCall<'_>, place: usize, style: CaseStyle) -> Parsed<()> {
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

    fn set_case_at(&mut self, call: DirectiveCall<'_>, place: usize, text: &str) -> Parsed<()> {
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

    fn dictionary_without(&mut self, _: DirectiveCall<'_>, _: &str, _: &str) -> Parsed<()> {
        self.parser.optional_attributes(self.pending)
    }
}
