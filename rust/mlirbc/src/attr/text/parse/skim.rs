//! The structure of MLIR's text: finds the end of an attribute or a type, and counts operations.
//!
//! Scans tokens only and builds nothing, in a single pass and without recursion, so that it is cheap enough
//! for every text entry. Text between brackets may be invalid, but the brackets must be balanced: MLIR's
//! parser then either accepts the text as one value or rejects it, whatever is printed around it.

use crate::attr::text::lexer::{Lexer, TextError, Token, TokenKind};
use crate::dialect::entries::{EntryRef, RawEntry};
use crate::wire::error::{Error, ErrorKind, Result};
use crate::wire::section::SectionId;

/// Checks that a text entry is exactly one attribute or one type.
///
/// # Errors
/// A missing zero byte, a zero byte before the end, and [`ErrorKind::EntryText`].
pub(crate) fn check_text(entry: &RawEntry<'_>, entry_ref: EntryRef) -> Result<()> {
    entry.check_text()?;
    let text = entry.text().unwrap_or_default();
    let is_type = matches!(entry_ref, EntryRef::Type(_));
    skim_value(text, is_type).map_err(|error| {
        let remaining = text.get(error.position..).unwrap_or_default();
        let actual = match remaining.get(..remaining.len().min(20)) {
            None | Some([]) => "the end of the text".to_owned(),
            Some(text) => format!("`{}`", text.escape_ascii()),
        };
        let expected =
            format!("{} in the text of {}", error.expected, if is_type { "a type" } else { "an attribute" });
        Error::new(ErrorKind::EntryText, expected, actual)
            .at(entry.offset + error.position as u64)
            .in_section(SectionId::AttrType)
    })
}

/// Returns whether `text` can be between the `<` and `>` of an attribute or a type of a dialect.
pub(crate) fn is_dialect_body(text: &[u8]) -> bool {
    let body = [b"<", text, b">"].concat();
    matches!(Lexer::new(&body).dialect_body(), Ok(Some(whole)) if whole.len() == body.len())
}

/// Counts the operations of a text in the generic form, including nested ones.
///
/// # Errors
/// The position where the text is not a sequence of operations, alias definitions and metadata.
// Used by the tests and the fuzzer.
#[cfg_attr(not(any(test, feature = "arbitrary")), allow(dead_code))]
pub(crate) fn count_operations(text: &[u8]) -> Result<u64, TextError> {
    Skimmer::new(text, true).operations()
}

/// Checks that a text is exactly one type, or exactly one attribute.
///
/// # Errors
/// The position at which the text is not one value.
pub(crate) fn skim_value(text: &[u8], is_type: bool) -> Result<(), TextError> {
    let mut skim = Skimmer::new(text, false);
    skim.value(if is_type { Goal::Type } else { Goal::Attribute })?;
    let token = skim.next()?;
    if token.kind == TokenKind::End { Ok(()) } else { Err(skim.lexer.error_at(token, "the end of the text")) }
}

/// Returns the length of the type, or the attribute, at the start of a text.
///
/// # Errors
/// The position at which the text is not one value.
pub(crate) fn skim_prefix(text: &[u8], is_type: bool) -> Result<usize, TextError> {
    let mut skim = Skimmer::new(text, false);
    skim.value(if is_type { Goal::Type } else { Goal::Attribute })?;
    Ok(skim.end)
}

/// The goal of the next step.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Goal {
    Attribute,
    Type,
    /// The result of a function type, which needs parentheses to be a function type.
    Result,
}

struct Skimmer<'t> {
    text: &'t [u8],
    lexer: Lexer<'t>,
    /// The end of the last token.
    end: usize,
    /// Operations have comments and values; attributes and types have neither, except in the bodies of
    /// dialect symbols.
    has_operations: bool,
}

impl<'t> Skimmer<'t> {
    fn new(text: &'t [u8], has_operations: bool) -> Self {
        Self { text, lexer: Lexer::new(text), end: 0, has_operations }
    }

    fn next(&mut self) -> Result<Token, TextError> {
        let token = self.lexer.next()?;
        let blank = self.text.get(self.end..token.start).unwrap_or_default();
        // A comment would hide the text printed after the value.
        if !self.has_operations
            && let Some(place) = blank.iter().position(|byte| matches!(byte, b'/' | 0))
        {
            return Err(TextError { position: self.end + place, expected: "no comment and no zero byte" });
        }
        self.end = token.end;
        Ok(token)
    }

    fn eat(&mut self, kind: TokenKind) -> Result<bool, TextError> {
        let is_it = self.lexer.peek()?.kind == kind;
        if is_it {
            self.next()?;
        }
        Ok(is_it)
    }

    fn expect(&mut self, kind: TokenKind, expected: &'static str) -> Result<(), TextError> {
        let token = self.next()?;
        if token.kind == kind { Ok(()) } else { Err(self.lexer.error_at(token, expected)) }
    }

    /// Consumes the body of a dialect symbol, if one starts here, and returns whether it did.
    fn body(&mut self) -> Result<bool, TextError> {
        let body = self.lexer.dialect_body()?;
        self.end += body.map_or(0, <[u8]>::len);
        Ok(body.is_some())
    }

    /// Consumes all tokens up to the bracket that closes the bracket `first`.
    fn group(&mut self, first: Token) -> Result<(), TextError> {
        let Some(close) = closing(first.kind) else {
            return Err(self.lexer.error_at(first, "an opening bracket"));
        };
        let mut open = vec![close];
        while !open.is_empty() {
            let token = self.next()?;
            match token.kind {
                TokenKind::Attribute | TokenKind::Type => {
                    self.body()?;
                }
                // `>=` occurs in the parentheses of an affine set.
                TokenKind::Greater
                    if open.last() == Some(&TokenKind::RightParen)
                        && self.text.get(token.end) == Some(&b'=') => {}
                TokenKind::Greater
                | TokenKind::RightParen
                | TokenKind::RightSquare
                | TokenKind::RightBrace => {
                    if open.pop() != Some(token.kind) {
                        return Err(self.lexer.error_at(token, "balanced brackets"));
                    }
                }
                TokenKind::End | TokenKind::MetadataBegin | TokenKind::MetadataEnd => {
                    return Err(self.lexer.error_at(token, "balanced brackets"));
                }
                TokenKind::Value | TokenKind::Block if !self.has_operations => {
                    return Err(self.lexer.error_at(token, "text without values or blocks"));
                }
                kind => open.extend(closing(kind)),
            }
        }
        Ok(())
    }

    /// Consumes one attribute or one type.
    fn value(&mut self, mut goal: Goal) -> Result<(), TextError> {
        loop {
            let token = self.next()?;
            let is_attribute = goal == Goal::Attribute;
            match token.kind {
                TokenKind::Type | TokenKind::Attribute if is_attribute || token.kind == TokenKind::Type => {
                    let has_dot = self.lexer.spelling(token).contains(&b'.');
                    // A name without both is an alias, which is not defined in a standalone text.
                    if !self.body()? && !has_dot && !self.has_operations {
                        return Err(self.lexer.error_at(token, "text without aliases"));
                    }
                    if token.kind == TokenKind::Type {
                        return Ok(());
                    }
                    // C++ of a dialect may read a type of its own before MLIR reads the type of the attribute.
                    if has_dot && self.eat(TokenKind::Colon)? {
                        self.value(Goal::Type)?;
                    }
                }
                TokenKind::LeftParen => {
                    self.group(token)?;
                    if goal == Goal::Result {
                        return Ok(());
                    }
                    self.expect(TokenKind::Arrow, "`->` and the results of a function")?;
                    goal = Goal::Result;
                    continue;
                }
                TokenKind::IntegerType | TokenKind::Identifier => {
                    self.word(token, is_attribute)?;
                    if !is_attribute {
                        return Ok(());
                    }
                }
                TokenKind::LeftSquare | TokenKind::LeftBrace if is_attribute => return self.group(token),
                TokenKind::Symbol if is_attribute => return self.nested_symbols(),
                TokenKind::String | TokenKind::Integer | TokenKind::Float if is_attribute => {}
                TokenKind::Minus if is_attribute => {
                    let number = self.next()?;
                    if !matches!(number.kind, TokenKind::Integer | TokenKind::Float) {
                        return Err(self.lexer.error_at(number, "a number"));
                    }
                }
                _ => {
                    let expected = if is_attribute { "one attribute" } else { "one type" };
                    return Err(self.lexer.error_at(token, expected));
                }
            }
            // A type comes last.
            if !self.eat(TokenKind::Colon)? {
                return Ok(());
            }
            goal = Goal::Type;
        }
    }

    /// Consumes the tokens after a word: `<...>`, in `distinct[0]<...>` after a number, in `loc(...)`
    /// parentheses.
    fn word(&mut self, word: Token, is_attribute: bool) -> Result<(), TextError> {
        let spelling = self.lexer.spelling(word);
        if is_attribute && spelling == b"loc" {
            return self.group_of(TokenKind::LeftParen, "`(` and a location");
        }
        if is_attribute && spelling == b"distinct" {
            self.group_of(TokenKind::LeftSquare, "`[` and a number")?;
            return self.group_of(TokenKind::Less, "`<` and an attribute");
        }
        if self.lexer.peek()?.kind == TokenKind::Less {
            return self.group_of(TokenKind::Less, "`<`");
        }
        Ok(())
    }

    fn group_of(&mut self, kind: TokenKind, expected: &'static str) -> Result<(), TextError> {
        let token = self.next()?;
        if token.kind != kind {
            return Err(self.lexer.error_at(token, expected));
        }
        self.group(token)
    }

    /// Consumes any number of `::@name`.
    fn nested_symbols(&mut self) -> Result<(), TextError> {
        // A single colon belongs to the text around the symbol.
        loop {
            let (lexer, end) = (self.lexer.clone(), self.end);
            if !(self.eat(TokenKind::Colon)? && self.eat(TokenKind::Colon)?) {
                (self.lexer, self.end) = (lexer, end);
                return Ok(());
            }
            self.expect(TokenKind::Symbol, "a symbol")?;
        }
    }

    // ---- operations ----

    /// Counts operations up to the end of the text.
    fn operations(&mut self) -> Result<u64, TextError> {
        let (mut count, mut depth) = (0, 0_u64);
        loop {
            let token = self.next()?;
            match token.kind {
                TokenKind::End if depth == 0 => return Ok(count),
                TokenKind::Attribute | TokenKind::Type if depth == 0 => {
                    self.expect(TokenKind::Equal, "`=` and what an alias stands for")?;
                    self.value(Goal::Attribute)?;
                }
                TokenKind::MetadataBegin if depth == 0 => self.metadata()?,
                TokenKind::Block if depth > 0 => {
                    if self.lexer.peek()?.kind == TokenKind::LeftParen {
                        self.group_of(TokenKind::LeftParen, "`(`")?;
                    }
                    self.expect(TokenKind::Colon, "`:` after a block's name")?;
                }
                TokenKind::RightBrace if depth > 0 => {
                    if self.eat(TokenKind::Comma)? {
                        self.expect(TokenKind::LeftBrace, "`{` and a region")?;
                        depth = self.region(depth)?;
                    } else {
                        self.expect(TokenKind::RightParen, "`,` or `)`")?;
                        depth -= 1;
                        self.tail()?;
                    }
                }
                TokenKind::Value | TokenKind::String => {
                    self.head(token)?;
                    count += 1;
                    if self.eat(TokenKind::LeftParen)? {
                        self.expect(TokenKind::LeftBrace, "`{` and a region")?;
                        depth = self.region(depth + 1)?;
                    } else {
                        self.tail()?;
                    }
                }
                _ => return Err(self.lexer.error_at(token, "an operation")),
            }
        }
    }

    /// Enters a region, or skips an elided region; returns the number of open operations.
    fn region(&mut self, depth: u64) -> Result<u64, TextError> {
        if !self.eat(TokenKind::Ellipsis)? {
            return Ok(depth);
        }
        loop {
            self.expect(TokenKind::RightBrace, "`}`")?;
            if !self.eat(TokenKind::Comma)? {
                break;
            }
            self.expect(TokenKind::LeftBrace, "`{` and a region")?;
            self.expect(TokenKind::Ellipsis, "`...`")?;
        }
        self.expect(TokenKind::RightParen, "`)`")?;
        self.tail()?;
        Ok(depth - 1)
    }

    /// Consumes results, name, operands, successors and properties.
    fn head(&mut self, first: Token) -> Result<(), TextError> {
        if first.kind == TokenKind::Value {
            loop {
                if self.eat(TokenKind::Colon)? {
                    self.expect(TokenKind::Integer, "a number of results")?;
                }
                if !self.eat(TokenKind::Comma)? {
                    break;
                }
                self.expect(TokenKind::Value, "a result")?;
            }
            self.expect(TokenKind::Equal, "`=`")?;
            self.expect(TokenKind::String, "the name of an operation in quotes")?;
        }
        self.group_of(TokenKind::LeftParen, "`(` and operands")?;
        if self.lexer.peek()?.kind == TokenKind::LeftSquare {
            self.group_of(TokenKind::LeftSquare, "`[`")?;
        }
        if self.lexer.peek()?.kind == TokenKind::Less {
            self.group_of(TokenKind::Less, "`<`")?;
        }
        Ok(())
    }

    /// Consumes attributes, type and location.
    fn tail(&mut self) -> Result<(), TextError> {
        if self.lexer.peek()?.kind == TokenKind::LeftBrace {
            self.group_of(TokenKind::LeftBrace, "`{`")?;
        }
        self.expect(TokenKind::Colon, "`:` and the type of an operation")?;
        self.value(Goal::Type)?;
        let token = self.lexer.peek()?;
        if token.kind == TokenKind::Identifier && self.lexer.spelling(token) == b"loc" {
            self.next()?;
            self.group_of(TokenKind::LeftParen, "`(` and a location")?;
        }
        Ok(())
    }

    /// Consumes all tokens up to `#-}`.
    fn metadata(&mut self) -> Result<(), TextError> {
        loop {
            let token = self.next()?;
            match token.kind {
                TokenKind::MetadataEnd => return Ok(()),
                TokenKind::LeftBrace => self.group(token)?,
                TokenKind::Identifier | TokenKind::Colon | TokenKind::Comma => {}
                _ => return Err(self.lexer.error_at(token, "metadata")),
            }
        }
    }
}

fn closing(open: TokenKind) -> Option<TokenKind> {
    match open {
        TokenKind::Less => Some(TokenKind::Greater),
        TokenKind::LeftParen => Some(TokenKind::RightParen),
        TokenKind::LeftSquare => Some(TokenKind::RightSquare),
        TokenKind::LeftBrace => Some(TokenKind::RightBrace),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_attribute_is_one_attribute() {
        for text in [
            "unit",
            "1 : i32",
            "-1.5e-3 : f8E4M3FN",
            "0x7FC00000 : f32",
            "\"a } // \\\" b\" : !toy.s<\"}\">",
            "[1, {a = #toy.x<[\")(\"]>}]",
            "#toy.pair<1 -> 2, // not a comment\n [~ \u{202e}]> : tensor<2x!toy.t<3>>",
            "#toy<\"a b\"> : none",
            "#toy.typed<1> : !toy.t<2> : !toy.t<2>",
            "#toy.plain",
            "@a::@\"b c\"::@d",
            "affine_map<(d0)[s0] -> (d0 + s0)>",
            "affine_set<(d0) : (d0 - 1 >= 0, d0 == 0)>",
            "dense<[[1, 2], [3, 4]]> : tensor<2x2xi8>",
            "dense_resource<\"a b\"> : tensor<?xf32>",
            "array<i32: 1, 2>",
            "distinct[0]<#toy.x<1>>",
            "loc(callsite(\"f\"(\"a\":1:2) at fused<1>[\"b\", unknown]))",
            "() -> ()",
            "(i32, () -> i1) -> (i1, tuple<>)",
            "memref<2x?xf32, strided<[?, 1], offset: ?>, 1>",
            "i32",
            "  unit \t\n",
        ] {
            assert_eq!(skim_value(text.as_bytes(), false), Ok(()), "{text}");
        }
    }

    #[test]
    fn one_type_is_one_type() {
        for text in [
            "i32",
            "!toy.t",
            "!toy<\"raw\">",
            "tensor<0x8x!toy.t<(a -> b)>>",
            "(i8) -> (() -> ())",
            "() -> i1",
        ] {
            assert_eq!(skim_value(text.as_bytes(), true), Ok(()), "{text}");
        }
        for text in ["1 : i32", "[i32]", "#toy.x", "@a", "loc(unknown)", "() -> () -> i1", "i32 : i32"] {
            assert!(skim_value(text.as_bytes(), true).is_err(), "{text}");
        }
    }

    #[test]
    fn what_would_leave_its_place_is_refused() {
        for (text, position) in [
            ("", 0),
            ("1 : i32} : () -> ()\n \"evil.op\"() {y = 1", 7),
            ("i32 \"evil.op\"() : () -> ()", 4),
            ("1, b = 2", 1),
            ("unit unit", 5),
            (")(", 0),
            ("[1)", 2),
            ("[1", 2),
            ("1 // : i32", 2),
            ("[1, // ]\n 2]", 4),
            ("\"a\0b\" \0", 6),
            ("#toy.x<1>>", 9),
            ("#toy.x<(>", 8),
            ("#toy.x<\"\n\">", 8),
            ("#alias", 0),
            ("#toy.x<1> <2>", 10),
            ("{a = %0}", 5),
            ("[{-# #-}]", 1),
            ("1 : i32 : i32", 8),
            ("#toy.x<1> : i32 : i32 : i32", 22),
            ("\"a\nb\"", 2),
        ] {
            let error = skim_value(text.as_bytes(), false).unwrap_err();
            assert_eq!(error.position, position, "{text}: {error}");
        }
    }

    #[test]
    fn a_dialects_body_is_balanced() {
        assert!(is_dialect_body(b"1, [\")\"] -> <2>"));
        assert!(["1>", "> <", "(", "\"", "a\0"].iter().all(|text| !is_dialect_body(text.as_bytes())));
    }

    #[test]
    fn operations_are_counted_with_those_within() {
        let text = r#"#map = affine_map<(d0) -> (d0)>
!t = tuple<i1>
"builtin.module"() ({
^bb0(%arg0: i1 loc("a":1:2), %arg1: !t):  // pred: ^bb1
  %0:2, %1 = "t.a"(%arg0)[^bb0, ^bb1] <{p = #map}> ({...}, {...}) {"q r" = "\"t.no\"()"} : (i1) -> (i1, i1, i1)
  "t.b"() ({
    "t.c"() : () -> () loc(#loc1)
  }, {
  }) : () -> () loc(unknown)
}) : () -> ()
#loc1 = loc("x")

{-#
  dialect_resources: {
    builtin: {
      w: "0x00"
    }
  }
#-}
"#;
        assert_eq!(count_operations(text.as_bytes()), Ok(4));
    }

    #[test]
    fn text_that_is_no_sequence_of_operations_is_refused() {
        for text in
            ["\"a.b\"()", "\"a.b\"() : ()", "\"a.b\"() ({ : () -> ()", "}", "%0 \"a\"() : () -> ()", "1"]
        {
            assert!(count_operations(text.as_bytes()).is_err(), "{text}");
        }
    }
}
