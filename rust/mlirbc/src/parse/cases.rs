//! Cases of enumerations, as declarative formats have them.

use crate::assembly::{self, Quotes};
use crate::attr::text::lexer::{Token, TokenKind};
use crate::attr::text::parse::{Failure, Parsed};
use crate::format::id::{AttrId, TypeId};
use crate::ops::{Enumeration, closest};
use crate::wire::error::{Error, ErrorKind};

use super::frames::AsmParser;

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
    pub(super) fn case(&mut self, r#type: &str, cases: &Enumeration) -> Parsed<AttrId> {
        let number_of = |text: &str| assembly::case_number(cases, text);
        let number = self.case_number(Quotes::IfNeeded, cases, number_of)?;
        let r#type = self.text.fragment(true, r#type)?;
        self.text.integer_value(number, TypeId::new(r#type))
    }

    /// `<contract,reassoc>` or a word: MLIR keeps the cases in the order of the definition.
    pub(super) fn stripped_case(
        &mut self,
        class: &str,
        cases: &Enumeration,
        format: Option<&str>,
    ) -> Parsed<AttrId> {
        // Another format than a word or a word in `<` and `>`.
        if let Some((before, after)) = format.and_then(|format| format.split_once("$value"))
            && !before.contains('<')
            && !before.trim().is_empty()
        {
            for literal in literals(before) {
                self.expect_literal(literal)?;
            }
            let token = self.peek()?;
            let word = self.keyword("the name of a case")?;
            if cases.cases().all(|(_, text)| text != word) {
                return Err(self.unknown_case(token, &word, cases));
            }
            for literal in literals(after) {
                self.expect_literal(literal)?;
            }
            return self.case_of(class, format, &word, token.start);
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
        let text = cases.text(all).unwrap_or_default();
        if !has_brackets {
            return self.case_of(class, None, &text, start);
        }
        self.expect(TokenKind::Greater, "`>` after the cases")?;
        self.text.fragment(false, &format!("#{class}<{text}>")).map(AttrId::new)
    }

    /// The attribute of a case of an enumeration of a dialect, in the format of its class.
    pub(super) fn case_of(
        &mut self,
        class: &str,
        format: Option<&str>,
        word: &str,
        position: usize,
    ) -> Parsed<AttrId> {
        let (dialect, mnemonic) = class.split_once('.').unwrap_or((class, ""));
        let around = format.and_then(|format| format.split_once("$value"));
        let text = match around.map(|(before, after)| (before.trim(), after.trim())) {
            None | Some(("", "")) if self.brackets_cases(class, position)? => format!("#{class}<{word}>"),
            None | Some(("", "")) => format!("#{dialect}<{mnemonic} {word}>"),
            Some(("`<`", _)) => format!("#{dialect}.{mnemonic}<{word}>"),
            Some((before, after)) => {
                let before = match literals(before).split_first() {
                    Some((bracket, [])) => (*bracket).to_owned(),
                    Some((bracket, rest)) => format!("{bracket}{} ", rest.join(" ")),
                    None => String::new(),
                };
                format!("#{dialect}<{mnemonic}{before}{word}{}>", literals(after).join(" "))
            }
        };
        self.text.fragment(false, &text).map(AttrId::new)
    }

    #[cold]
    fn unknown_case(&self, token: Token, text: &str, cases: &Enumeration) -> Failure {
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

// The literals of a part of a format.
fn literals(text: &str) -> Vec<&str> {
    text.split_whitespace().map(|literal| literal.trim_matches('`')).collect()
}
