//! Cases of enumerations, as declarative formats have them.

use crate::assembly::{self, Quotes};
use crate::attr::text::lexer::{Token, TokenKind};
use crate::attr::text::parse::Parsed;
use crate::ops::Enumeration;
use crate::wire::error::{Error, ErrorKind};

use super::super::frames::{AsmParser, Pending};
use super::Custom;
use crate::ops::closest;

impl<'t> AsmParser<'t> {
    /// The number of a case by its name.
    pub(super) fn case_number(
        &mut self,
        quotes: Quotes,
        cases: &Enumeration,
        number_of: impl FnOnce(&str) -> Option<i64>,
    ) -> Parsed<i64> {
        let token = self.next()?;
        let text = match token.kind {
            TokenKind::String if quotes != Quotes::Never => self.text.string_of(token)?,
            TokenKind::Identifier | TokenKind::IntegerType => self.spelling(token).to_vec(),
            _ => return self.unexpected(token, "the name of a case"),
        };
        let text = String::from_utf8_lossy(&text);
        number_of(&text).ok_or_else(|| self.unknown_case(token, &text, cases))
    }

    /// A case as an integer of a type.
    pub(super) fn case(&mut self, r#type: &str, cases: &Enumeration) -> Parsed<u32> {
        let number_of = |text: &str| assembly::case_number(cases, text);
        let number = self.case_number(Quotes::IfNeeded, cases, number_of)?;
        let r#type = self.text.fragment(true, r#type)?;
        self.text.integer_value(number, r#type)
    }

    /// `<contract,reassoc>` or a word: MLIR keeps the cases in the order of the definition.
    pub(super) fn stripped_case(
        &mut self,
        class: &str,
        cases: &Enumeration,
        format: Option<&str>,
    ) -> Parsed<u32> {
        // Another format than a word or a word in `<` and `>`.
        if let Some((before, after)) = format.and_then(|format| format.split_once("$value"))
            && !before.contains('<')
            && !before.trim().is_empty()
        {
            let literals = |text: &str| -> Vec<String> {
                text.split_whitespace().map(|literal| literal.trim_matches('`').to_owned()).collect()
            };
            for literal in literals(before) {
                self.expect_literal(&literal)?;
            }
            let token = self.peek()?;
            let word = self.keyword("the name of a case")?;
            if cases.cases().all(|(_, text)| text != word) {
                return Err(self.unknown_case(token, &word, cases));
            }
            for literal in literals(after) {
                self.expect_literal(&literal)?;
            }
            let text = self.case_text(class, format, &word, token.start)?;
            return self.text.fragment(false, &text);
        }
        let mut all = 0;
        let start = self.peek()?.start;
        let has_brackets = self.eat(TokenKind::Less)?;
        loop {
            let token = self.next()?;
            let word = String::from_utf8_lossy(self.spelling(token)).into_owned();
            match cases.cases().find(|(_, text)| *text == word) {
                Some((value, _)) => all |= value,
                None => return Err(self.unknown_case(token, &word, cases)),
            }
            let is_list = has_brackets || self.release.brackets_cases();
            let separator = cases.separator().map(str::trim).filter(|_| is_list);
            match separator {
                Some(separator) if self.eat_literal(separator)? => {}
                _ => break,
            }
        }
        let text = cases.text(all).unwrap_or_default().into_owned();
        if has_brackets {
            self.expect(TokenKind::Greater, "`>` after the cases")?;
        }
        if has_brackets || self.brackets_cases(class, start)? {
            return self.text.fragment(false, &format!("#{class}<{text}>"));
        }
        let (dialect, mnemonic) = class.split_once('.').unwrap_or((class, ""));
        self.text.fragment(false, &format!("#{dialect}<{mnemonic} {text}>"))
    }

    /// The text of a case of an enumeration of a dialect, in the format of its class.
    pub(super) fn case_text(
        &mut self,
        class: &str,
        format: Option<&str>,
        word: &str,
        position: usize,
    ) -> Parsed<String> {
        let around = format.and_then(|format| format.split_once("$value"));
        let is_plain =
            around.is_none_or(|(before, after)| before.trim().is_empty() && after.trim().is_empty());
        let is_bracketed = is_plain && self.brackets_cases(class, position)?;
        Ok(case_text(class, format, word, is_bracketed))
    }

    /// A word that is a case of the attribute's enumeration, as an attribute of its class.
    pub(super) fn class_case(
        &mut self,
        pending: &mut Pending<'t>,
        custom: &Custom<'t>,
        attribute: Option<usize>,
    ) -> Parsed<()> {
        let definition = custom.definition.clone();
        let constraint = attribute.and_then(|place| definition.attributes().get(place)?.constraint());
        let class = constraint.and_then(|constraint| constraint.class());
        let Some(class) = class else {
            return Err(self.unsupported(pending, "its clause has an attribute that is not known"));
        };
        let cases = constraint.and_then(|constraint| constraint.enumeration());
        let token = self.peek()?;
        let word = self.keyword("the name of a case")?;
        if cases.is_some_and(|cases| cases.cases().all(|(_, text)| text != word)) {
            return self.unexpected(token, "the name of a case");
        }
        let format = constraint.and_then(|constraint| constraint.assembly_format());
        let class = class.to_owned();
        let format = format.map(str::to_owned);
        let text = self.case_text(&class, format.as_deref(), &word, token.start)?;
        let value = self.text.fragment(false, &text)?;
        if let Some(attribute) = attribute.and_then(|place| definition.attributes().get(place)) {
            self.set_named(pending, attribute.name(), value);
        }
        Ok(())
    }

    /// `[[0], [1]]`, whose class has a format in brackets.
    pub(super) fn bracketed(&mut self, class: &str) -> Parsed<u32> {
        let body = self.text_in_brackets()?;
        let (dialect, mnemonic) = class.split_once('.').unwrap_or((class, ""));
        self.text.fragment(false, &format!("#{dialect}<{mnemonic}{body}>"))
    }

    #[cold]
    fn unknown_case(
        &self,
        token: Token,
        text: &str,
        cases: &Enumeration,
    ) -> crate::attr::text::parse::Failure {
        let names: Vec<&str> = cases.cases().map(|(_, text)| text).collect();
        let expected = match names.len() {
            ..=12 => format!(
                "one of {}",
                names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
            ),
            count => format!("one of {count} cases"),
        };
        let error = Error::new(ErrorKind::AsmSyntax, expected, format!("`{text}`")).at(token.start as u64);
        match closest(text, names.iter().copied()) {
            Some(near) => error.with_hint(format!("did you mean `{near}`?")).into(),
            None => error.into(),
        }
    }
}

fn case_text(class: &str, format: Option<&str>, word: &str, is_bracketed: bool) -> String {
    let (dialect, mnemonic) = class.split_once('.').unwrap_or((class, ""));
    match format
        .and_then(|format| format.split_once("$value"))
        .map(|(before, after)| (before.trim(), after.trim()))
    {
        None | Some(("", "")) if is_bracketed => format!("#{class}<{word}>"),
        None | Some(("", "")) => format!("#{dialect}<{mnemonic} {word}>"),
        Some(("`<`", _)) => format!("#{dialect}.{mnemonic}<{word}>"),
        Some((before, after)) => {
            fn join(text: &str) -> Vec<&str> {
                text.split_whitespace().map(|part| part.trim_matches('`')).collect()
            }
            let before = match join(before).split_first() {
                Some((bracket, [])) => (*bracket).to_owned(),
                Some((bracket, rest)) => format!("{bracket}{} ", rest.join(" ")),
                None => String::new(),
            };
            format!("#{dialect}<{mnemonic}{before}{word}{}>", join(after).join(" "))
        }
    }
}
