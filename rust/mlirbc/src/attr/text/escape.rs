//! Names and strings in MLIR's text.

/// Appends the inside of a string literal. A byte that is not printable ASCII, and `"`, become `\` and two
/// hexadecimal digits; a backslash is doubled (`printEscapedString` in `llvm/lib/Support/StringExtras.cpp`;
/// the same in every release since 16).
pub(crate) fn write_escaped(out: &mut Vec<u8>, mut bytes: &[u8]) {
    const HEX: &[u8; 16] = b"0123456789ABCDEF";
    let escaped = |&byte: &u8| !matches!(byte, b' '..=b'~') || byte == b'"' || byte == b'\\';
    while let Some(plain) = bytes.iter().position(escaped) {
        let byte = bytes[plain];
        out.extend_from_slice(&bytes[..plain]);
        out.push(b'\\');
        if byte == b'\\' {
            out.push(byte);
        } else {
            out.extend([HEX[usize::from(byte >> 4)], HEX[usize::from(byte & 15)]]);
        }
        bytes = &bytes[plain + 1..];
    }
    out.extend_from_slice(bytes);
}

/// Appends a string literal with its quotes.
pub(crate) fn write_string(out: &mut Vec<u8>, bytes: &[u8]) {
    out.push(b'"');
    write_escaped(out, bytes);
    out.push(b'"');
}

/// Returns the contents of a string literal (`Token::getStringValue` in `mlir/lib/AsmParser/Token.cpp`);
/// `None` for an escape that the lexer rejects.
pub(crate) fn unescape(mut text: &[u8]) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    while let Some(plain) = text.iter().position(|&byte| byte == b'\\') {
        bytes.extend_from_slice(&text[..plain]);
        let (byte, len) = match *text.get(plain + 1..)? {
            [byte @ (b'"' | b'\\'), ..] => (byte, 1),
            [b'n', ..] => (b'\n', 1),
            [b't', ..] => (b'\t', 1),
            [high, low, ..] => (hex(high)? << 4 | hex(low)?, 2),
            _ => return None,
        };
        bytes.push(byte);
        text = &text[plain + 1 + len..];
    }
    bytes.extend_from_slice(text);
    Some(bytes)
}

fn hex(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).map(|value| value as u8)
}

/// Whether a name needs no quotes (`isBareIdentifier` in `mlir/lib/IR/AsmPrinter.cpp`).
pub(crate) fn is_bare_identifier(name: &[u8]) -> bool {
    match name.split_first() {
        Some((first, rest)) => {
            (first.is_ascii_alphabetic() || *first == b'_')
                && rest.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'.'))
        }
        None => false,
    }
}

/// Appends a name, quoted if necessary.
pub(crate) fn write_keyword_or_string(out: &mut Vec<u8>, name: &[u8]) {
    if is_bare_identifier(name) {
        out.extend_from_slice(name);
    } else {
        write_string(out, name);
    }
}

/// Appends a name as in releases that never quote names, unless that would change the meaning of the text.
pub(crate) fn write_plain_or_string(out: &mut Vec<u8>, name: &[u8]) {
    let has_fixed_layout =
        |&byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'.' | b'-');
    // A `>` follows a name in brackets, and `->` would not close the brackets.
    if name.last().is_some_and(|&last| last != b'-') && name.iter().all(has_fixed_layout) {
        out.extend_from_slice(name);
    } else {
        write_string(out, name);
    }
}

/// Appends `@name` (`printSymbolReference` in `mlir/lib/IR/AsmPrinter.cpp`).
pub(crate) fn write_symbol_name(out: &mut Vec<u8>, name: &[u8]) {
    if name.is_empty() {
        out.extend_from_slice(b"@<<INVALID EMPTY SYMBOL>>");
        return;
    }
    out.push(b'@');
    write_keyword_or_string(out, name);
}

/// Whether the text of a dialect symbol is printed after `dialect.` instead of in `dialect<...>`
/// (`isDialectSymbolSimpleEnoughForPrettyForm` in `mlir/lib/IR/AsmPrinter.cpp`).
///
/// Brackets may be unbalanced, so MLIR cannot parse every text that it prints this way.
pub(crate) fn is_pretty_dialect_symbol(symbol: &[u8]) -> bool {
    if !symbol.first().is_some_and(u8::is_ascii_alphabetic) {
        return false;
    }
    let name =
        symbol.iter().take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_')).count();
    match &symbol[name..] {
        [] => true,
        [first, .., last] => *first == b'<' && *last == b'>',
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn escaped(bytes: &[u8]) -> String {
        let mut out = Vec::new();
        write_escaped(&mut out, bytes);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn a_name_that_would_make_an_arrow_is_quoted() {
        let written = |name: &str| {
            let mut out = Vec::new();
            write_plain_or_string(&mut out, name.as_bytes());
            String::from_utf8(out).unwrap()
        };
        assert_eq!(["a-b", "a-", ""].map(written), ["a-b", "\"a-\"", "\"\""]);
    }

    #[test]
    fn strings_are_escaped_as_mlir_does() {
        let bytes = b"a\\b\x01\x7f\xc3\xa9\"q\n ~";
        assert_eq!(escaped(bytes), r"a\\b\01\7F\C3\A9\22q\0A ~");
    }

    #[test]
    fn the_lexer_knows_a_few_more_escapes() {
        assert_eq!(unescape(br#"\n\t\"\\\0a\0A"#), Some(b"\n\t\"\\\n\n".to_vec()));
        for text in [r"\", r"\0", r"\x41", r"\0g", r"a\r"] {
            assert_eq!(unescape(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn names_get_quotes_where_they_need_them() {
        for (name, symbol) in [
            ("foo", "@foo"),
            ("_f$.1", "@_f$.1"),
            ("a b", "@\"a b\""),
            ("1a", "@\"1a\""),
            ("a-b", "@\"a-b\""),
            ("\u{e9}", r#"@"\C3\A9""#),
            ("", "@<<INVALID EMPTY SYMBOL>>"),
        ] {
            let mut out = Vec::new();
            write_symbol_name(&mut out, name.as_bytes());
            assert_eq!(out, symbol.as_bytes());
        }
    }

    #[test]
    fn a_dialect_symbol_is_pretty_as_a_name_and_a_body() {
        for symbol in ["a", "a.b_1", "a<>", "a<b>c<d>", "a<)>"] {
            assert!(is_pretty_dialect_symbol(symbol.as_bytes()), "{symbol}");
        }
        for symbol in ["", "1a", "_a", "a b", "a<b> ", "a$b", "a<", "a>", "a-b<c>", "<a>"] {
            assert!(!is_pretty_dialect_symbol(symbol.as_bytes()), "{symbol}");
        }
    }

    proptest! {
        #[test]
        fn what_is_escaped_is_read_back(bytes: Vec<u8>) {
            prop_assert_eq!(unescape(escaped(&bytes).as_bytes()), Some(bytes));
        }

        #[test]
        fn any_text_is_unescaped_or_refused(text in r#"(\\|[0-9a-fn"t]){0,20}"#) {
            let _ = unescape(text.as_bytes());
        }
    }
}
