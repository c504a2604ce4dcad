//! Cases of enumerations, as declarative formats have them.

use crate::attr::text::lexer::{Token, TokenKind};
use crate::attr::text::parse::Parsed;
use crate::ops::Enumeration;
use crate::wire::error::{Error, ErrorKind};

use super::super::frames::AsmParser;
use crate::ops::closest;

impl<'t> AsmParser<'t> {
    // Flags with a separator between them, as bits.
    pub(super) fn flags(&mut self, separator: TokenKind, known: &[(&str, u32)]) -> Parsed<u32> {
        let mut bits = 0;
        loop {
            let token = self.peek()?;
            let word = self.keyword("a flag")?;
            match known.iter().find(|(flag, _)| *flag == word) {
                Some((_, bit)) => bits |= bit,
                None => return self.unexpected(token, "a flag"),
            }
            if !self.eat(separator)? {
                return Ok(bits);
            }
        }
    }

    pub(super) fn case(&mut self, r#type: &str, cases: &Enumeration) -> Parsed<u32> {
        let token = self.next()?;
        let text = match token.kind {
            TokenKind::String => self.text.string_of(token)?,
            TokenKind::Identifier | TokenKind::IntegerType => self.spelling(token).to_vec(),
            _ => return self.unexpected(token, "the name of a case"),
        };
        let text = String::from_utf8_lossy(&text).into_owned();
        let value = |word: &str| cases.cases().find(|(_, text)| *text == word).map(|(value, _)| value);
        let parts = match (value(&text), cases.separator()) {
            (Some(value), _) => Some(value),
            (None, Some(separator)) => {
                let mut parts = text.split(separator.trim()).map(|part| value(part.trim()));
                parts.try_fold(0, |all, part| part.map(|part| all | part))
            }
            (None, None) => None,
        };
        let Some(value) = parts else { return Err(self.unknown_case(token, &text, cases)) };
        let r#type = self.text.fragment(true, r#type)?;
        self.text.integer_value(value, r#type)
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
            return self.text.fragment(false, &case_text(class, format, &word, self.brackets_cases));
        }
        let mut all = 0;
        let has_brackets = self.eat(TokenKind::Less)?;
        loop {
            let token = self.next()?;
            let word = String::from_utf8_lossy(self.spelling(token)).into_owned();
            match cases.cases().find(|(_, text)| *text == word) {
                Some((value, _)) => all |= value,
                None => return Err(self.unknown_case(token, &word, cases)),
            }
            let is_list = has_brackets || self.brackets_cases;
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
        if has_brackets || self.brackets_cases {
            return self.text.fragment(false, &format!("#{class}<{text}>"));
        }
        let (dialect, mnemonic) = class.split_once('.').unwrap_or((class, ""));
        self.text.fragment(false, &format!("#{dialect}<{mnemonic} {text}>"))
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

/// The text of a case of an enumeration of a dialect, in the format of its class.
pub(super) fn case_text(class: &str, format: Option<&str>, word: &str, has_brackets: bool) -> String {
    let (dialect, mnemonic) = class.split_once('.').unwrap_or((class, ""));
    match format
        .and_then(|format| format.split_once("$value"))
        .map(|(before, after)| (before.trim(), after.trim()))
    {
        None | Some(("", "")) if has_brackets => format!("#{class}<{word}>"),
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
