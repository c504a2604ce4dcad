//! Affine expressions of values (`mlir/lib/Dialect/Affine/IR/AffineOps.cpp`).

use crate::attr::text::lexer::TokenKind;
use crate::attr::text::parse::Parsed;
use crate::wire::error::ErrorKind;

use super::super::frames::{AsmParser, Pending, wrong};
use super::super::operands::Reference;

impl<'t> AsmParser<'t> {
    /// Affine expressions of values in brackets, as a map and its operands.
    pub(in crate::parse) fn map_of_values(
        &mut self,
        open: TokenKind,
        close: TokenKind,
    ) -> Parsed<(u32, Vec<Reference<'t>>)> {
        self.expect(open, "a bracket and affine expressions")?;
        let mut values = MapValues::default();
        let (text, _) = self.expressions(close, false, &mut values)?;
        let map = format!("affine_map<{} -> ({text})>", values.head());
        let map = self.text.fragment(false, &map)?;
        Ok((map, values.into_operands()))
    }

    // The text of expressions with values renamed, up to the closing bracket or, if it ends them, a comma, which is
    // consumed; and whether the bracket came.
    fn expressions(
        &mut self,
        close: TokenKind,
        ends_at_comma: bool,
        values: &mut MapValues<'t>,
    ) -> Parsed<(String, bool)> {
        // A value that occurs twice is one dimension.
        self.repeated.compares_names();
        let (mut text, mut depth) = (String::new(), 0_usize);
        loop {
            let token = self.peek()?;
            match token.kind {
                kind if kind == close && depth == 0 => {
                    self.lexer().seek(token.end);
                    return Ok((text, true));
                }
                TokenKind::Comma if ends_at_comma && depth == 0 => {
                    self.lexer().seek(token.end);
                    return Ok((text, false));
                }
                TokenKind::Value => {
                    let value = self.reference()?;
                    text.push_str(&values.name(value, false));
                    text.push(' ');
                    continue;
                }
                TokenKind::Identifier if self.spelling(token) == b"symbol" => {
                    self.lexer().seek(token.end);
                    self.expect(TokenKind::LeftParen, "`(` and a symbol")?;
                    let value = self.reference()?;
                    self.expect(TokenKind::RightParen, "`)` after the symbol")?;
                    text.push_str(&values.name(value, true));
                    text.push(' ');
                    continue;
                }
                TokenKind::LeftParen => depth += 1,
                TokenKind::RightParen => match depth.checked_sub(1) {
                    Some(less) => depth = less,
                    None => return self.unexpected(token, "an affine expression"),
                },
                TokenKind::Identifier
                    if matches!(self.spelling(token), b"mod" | b"floordiv" | b"ceildiv") => {}
                TokenKind::Integer
                | TokenKind::Plus
                | TokenKind::Minus
                | TokenKind::Star
                | TokenKind::Comma => {}
                _ => return self.unexpected(token, "an affine expression"),
            }
            self.lexer().seek(token.end);
            text.push_str(&String::from_utf8_lossy(self.spelling(token)));
            if token.kind != TokenKind::Minus {
                text.push(' ');
            }
        }
    }

    /// The number of a kind of `arith::AtomicRMWKind`, whose name is a string.
    pub(in crate::parse) fn reduction(&mut self) -> Parsed<i64> {
        let token = self.peek()?;
        let name = self.string("the name of a reduction, as in `\"addf\"`")?;
        if !self.has_certain_numbers("memref.atomic_rmw") {
            let message =
                "the releases around the build number reductions in different ways; write the generic form";
            return Err(wrong(ErrorKind::AsmForm, token.start, message));
        }
        match self.atomic_kind(&name) {
            Some(number) => Ok(number),
            None => self.unexpected(token, "the name of a reduction, as in `\"addf\"`"),
        }
    }

    // The number of a kind of `arith::AtomicRMWKind`, which differs between releases.
    fn atomic_kind(&self, name: &str) -> Option<i64> {
        let definition = self.definitions.as_ref()?.get("memref.atomic_rmw")?;
        let cases = definition.attribute("kind")?.constraint()?.enumeration()?;
        cases.cases().find(|(_, text)| *text == name).map(|(value, _)| value)
    }

    pub(in crate::parse) fn parallel_bound(
        &mut self,
        pending: &mut Pending<'t>,
        word: &str,
        map_name: &str,
        groups_name: &str,
    ) -> Parsed<Vec<Reference<'t>>> {
        self.expect(TokenKind::LeftParen, "`(` and bounds")?;
        let mut values = MapValues::default();
        let (mut text, mut groups) = (String::new(), Vec::new());
        let mut is_done = self.eat(TokenKind::RightParen)?;
        while !is_done {
            if !text.is_empty() {
                text.push_str(", ");
            }
            if self.eat_word(word)? {
                self.expect(TokenKind::LeftParen, "`(` and affine expressions")?;
                let (part, _) = self.expressions(TokenKind::RightParen, false, &mut values)?;
                groups.push(1 + commas(&part) as i64);
                text.push_str(&part);
                is_done = !self.goes_on(TokenKind::RightParen, "`,` or `)` after a bound")?;
            } else {
                let (part, is_end) = self.expressions(TokenKind::RightParen, true, &mut values)?;
                groups.push(1);
                text.push_str(&part);
                is_done = is_end;
            }
        }
        self.set_text(pending, map_name, &format!("affine_map<{} -> ({text})>", values.head()))?;
        let i32 = self.type_named("i32")?;
        let r#type = self.text.tensor(&[groups.len() as i64], i32)?;
        match self.text.elements_value(r#type, i32, vec![groups.len() as i64], &groups)? {
            Some(groups) => self.set_named(pending, groups_name, groups),
            None => return Err(self.contents(pending, "a group has too many bounds")),
        }
        Ok(values.into_operands())
    }
}

// Commas outside of parentheses: no function of affine expressions has several arguments.
fn commas(text: &str) -> usize {
    text.matches(',').count()
}

/// The values of affine expressions, each once.
#[derive(Default)]
struct MapValues<'t> {
    known: Vec<(&'t [u8], u32, String)>,
    dims: Vec<Reference<'t>>,
    symbols: Vec<Reference<'t>>,
}

impl<'t> MapValues<'t> {
    fn name(&mut self, value: Reference<'t>, is_symbol: bool) -> String {
        let named_input =
            self.known.iter().find(|(name, number, _)| *name == value.name && *number == value.number);
        if let Some((_, _, text)) = named_input {
            return text.clone();
        }
        let (list, letter) = match is_symbol {
            true => (&mut self.symbols, 's'),
            false => (&mut self.dims, 'd'),
        };
        let text = format!("{letter}{}", list.len());
        list.push(value);
        self.known.push((value.name, value.number, text.clone()));
        text
    }

    fn head(&self) -> String {
        let list = |letter, count| {
            (0..count).map(|number| format!("{letter}{number}")).collect::<Vec<_>>().join(", ")
        };
        match self.symbols.len() {
            0 => format!("({})", list("d", self.dims.len())),
            count => format!("({})[{}]", list("d", self.dims.len()), list("s", count)),
        }
    }

    fn into_operands(self) -> Vec<Reference<'t>> {
        self.dims.into_iter().chain(self.symbols).collect()
    }
}
