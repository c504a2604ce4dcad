//! Errors that name the probable mistake instead of the expected syntax.
//!
//! Owns the position of errors about lines that end too early, and the errors of files that are not UTF-8
//! text. Nothing here affects which texts are accepted.

use crate::attr::text::lexer::Lexer;
use crate::format::container::MAGIC;
use crate::wire::error::{Error, ErrorKind, TextPlace};

/// Adjusts the error of an item that begins at `item`: if the unexpected token is the first of its line, the
/// error is at the end of the line before, as in MLIR.
#[cold]
pub(super) fn at_end_of_line(text: &[u8], item: usize, error: Error) -> Error {
    let position = error.offset().and_then(|offset| usize::try_from(offset).ok());
    let Some(position) = position.filter(|_| error.kind() == ErrorKind::AsmSyntax) else { return error };
    // An error without `found` is a complete sentence, and an error at the end of the text has its own line.
    if position <= item || position >= text.len() || error.found().is_empty() {
        return error;
    }
    let mut lexer = Lexer::new(text);
    lexer.seek(position);
    // Bytes that begin no token are errors at any position.
    if lexer.peek().is_err() {
        return error;
    }
    let Some(end) = end_of_token_before(text, item, position) else { return error };
    let between = text.get(end..position).unwrap_or_default();
    if !between.contains(&b'\n') {
        return error;
    }
    let hint = error.hint().map(str::to_owned);
    let moved = Error::new(error.kind(), error.expected().to_owned(), "the end of the line").at(end as u64);
    match hint {
        Some(hint) => moved.with_hint(hint),
        None => moved,
    }
}

// Returns the end of the last token between two positions.
fn end_of_token_before(text: &[u8], start: usize, position: usize) -> Option<usize> {
    let mut lexer = Lexer::new(text);
    lexer.seek(start);
    let mut end = None;
    loop {
        match lexer.next() {
            Ok(token) if token.start < position => end = Some(token.end),
            // Types such as `tensor<4xf32>` have parts that are no tokens.
            Err(error) if error.position < position => lexer.seek(error.position + 1),
            _ => return end,
        }
    }
}

/// Returns the error of a text, or an error that identifies the file if it is not UTF-8 text.
#[cold]
pub(super) fn of_file(text: &[u8], error: Error) -> Error {
    const SHOW: &str =
        "`mlirbc print FILE` shows bytecode as text, and `mlirbc info FILE` says what a file is";
    let is_control = |byte: &u8| matches!(byte, 0..=8 | 14..=31 | 127);
    let (sentence, hint) = match text {
        _ if text.starts_with(&MAGIC) => ("this is MLIR bytecode, not text", SHOW),
        [0xef, 0xbb, 0xbf, ..] => {
            ("the text begins with a byte order mark", "save the file as UTF-8 without a byte order mark")
        }
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => ("the text is in UTF-16", "save the file as UTF-8"),
        _ if text.iter().take(256).any(is_control) => ("this is a binary file, not text", SHOW),
        _ => return error,
    };
    let Some(place) = error.text_place() else { return error };
    let place =
        TextPlace { line: place.line.min(1), column: 1, text: String::new(), before: 0, ..place.clone() };
    Error::message(ErrorKind::AsmSyntax, sentence).with_hint(hint).at(0).in_text(place)
}

#[cfg(test)]
mod tests {
    use crate::parse::{ParseOptions, parse};

    fn error(text: impl AsRef<[u8]>) -> (String, u64, u64) {
        let error = parse(text, &ParseOptions::default()).unwrap_err();
        let place = error.text_place().unwrap();
        (error.to_string(), place.line, place.column)
    }

    #[test]
    fn what_a_line_lacks_is_missing_at_its_end() {
        for (text, place) in [
            ("%0 = \"t.a\"() : () -> i32\n%1 = arith.addi %0, %0 // i32\n\"t.b\"() : () -> ()", (2, 23)),
            ("%0 = \"t.a\"() : () -> tensor<4xi32>\n%1 = arith.addi %0, %0 :\n\"t.b\"() : () -> ()", (2, 25)),
            ("\"t.a\"()\n\n\"t.b\"() : () -> ()", (1, 8)),
        ] {
            let (message, line, column) = error(text);
            assert!(message.contains("found the end of the line"), "{message}");
            assert_eq!((line, column), place, "{text}");
        }
        // Invalid bytes and the end of the text keep their own position.
        let (message, line, column) = error("\"t.a\"() : () -> ()\n;");
        assert_eq!((line, column), (2, 1), "{message}");
        assert_eq!(error("\"t.a\"()\n").1, 2);
    }

    #[test]
    fn other_encodings_are_named() {
        let utf16: Vec<u8> =
            "\u{feff}\"t.a\"() : () -> ()".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert!(error(utf16).0.starts_with("the text is in UTF-16"));
        assert!(
            error("\u{feff}\"t.a\"() : () -> ()").0.starts_with("the text begins with a byte order mark")
        );
        assert!(error([1, 2, 3]).0.starts_with("this is a binary file"));
    }
}
