//! Names of aliases that depend on the parameters of an attribute stored as text.

use crate::attr::text::lexer::{Lexer, TextError, Token, TokenKind};
use crate::dialect::table::{AliasName, AliasPiece};

use super::parameters;

/// Returns the name for an attribute with this text; `None` if a required parameter is missing.
///
/// `alias` returns the alias of an attribute or a type inside.
pub(super) fn of_text(
    name: &AliasName,
    text: &[u8],
    alias: &dyn Fn(&[u8]) -> Option<Box<str>>,
) -> Option<Box<str>> {
    if let [AliasPiece::Text(name)] = &*name.pieces {
        return Some(name.clone());
    }
    let mut out = String::new();
    for piece in &name.pieces {
        match piece {
            AliasPiece::Text(text) => out.push_str(text),
            AliasPiece::Identifier(number) => {
                let token = parameter(text, *number)?.filter(|token| token.kind == TokenKind::String)?;
                out.push_str(&identifier(text.get(token.start + 1..token.end - 1)?));
            }
            AliasPiece::Number(number) => {
                let token = parameter(text, *number)?.filter(|token| token.kind == TokenKind::Integer)?;
                out.push_str(std::str::from_utf8(text.get(token.start..token.end)?).ok()?);
            }
            AliasPiece::Parameter(parameter) => {
                if let Some(value) = parameters::value(parameter, std::str::from_utf8(text).ok()?, alias) {
                    out.extend([&*parameter.before, &value]);
                }
            }
            AliasPiece::Entry(number, key) => {
                if let Some(value) = parameter(text, *number)?.and_then(|token| entry(text, token, key)) {
                    out.push_str(&value);
                }
            }
        }
    }
    Some(out.into())
}

// Returns the first token of a parameter. The outer `None` means that the text is not a list of parameters.
fn parameter(text: &[u8], number: usize) -> Option<Option<Token>> {
    let mut lexer = Lexer::new(text);
    let name = lexer.next().ok()?;
    if !matches!(name.kind, TokenKind::Attribute | TokenKind::Type) || !lexer.eat(TokenKind::Less).ok()? {
        return None;
    }
    for _ in 0..number {
        if skip_item(&mut lexer).ok()? != TokenKind::Comma {
            return Some(None);
        }
    }
    lexer.peek().ok().map(Some)
}

// Returns the number under a key of the dictionary that starts with `token`, between underscores.
fn entry(text: &[u8], token: Token, key: &str) -> Option<String> {
    if token.kind != TokenKind::LeftBrace {
        return None;
    }
    let mut lexer = Lexer::new(text);
    lexer.seek(token.end);
    loop {
        let name = lexer.next().ok()?;
        let spelling = lexer.spelling(name);
        let is_it = spelling == key.as_bytes() && lexer.eat(TokenKind::Equal).ok()?;
        if is_it {
            let sign = if lexer.eat(TokenKind::Minus).ok()? { "-" } else { "" };
            let value = lexer.next().ok()?;
            let digits = std::str::from_utf8(lexer.spelling(value)).ok()?;
            let after = lexer.peek().ok()?.kind;
            let is_integer = matches!(after, TokenKind::Colon | TokenKind::Comma | TokenKind::RightBrace);
            // A name consists of letters, digits and underscores.
            let sign = sign.replace('-', "_");
            return (value.kind == TokenKind::Integer && is_integer).then(|| format!("_{sign}{digits}_"));
        }
        if skip_item(&mut lexer).ok()? != TokenKind::Comma {
            return None;
        }
    }
}

// Skips to the end of an item of a list; returns the comma or bracket that ends the item.
fn skip_item(lexer: &mut Lexer<'_>) -> Result<TokenKind, TextError> {
    let mut depth = 0_u32;
    loop {
        let token = lexer.next()?;
        match token.kind {
            TokenKind::Less | TokenKind::LeftParen | TokenKind::LeftSquare | TokenKind::LeftBrace => {
                depth += 1
            }
            TokenKind::Greater | TokenKind::RightParen | TokenKind::RightSquare | TokenKind::RightBrace => {
                if depth == 0 {
                    return Ok(token.kind);
                }
                depth -= 1;
            }
            TokenKind::Comma if depth == 0 => return Ok(token.kind),
            TokenKind::End => return Ok(token.kind),
            _ => {}
        }
    }
}

// Converts a text to lower case, with an underscore in place of every byte that is not a letter, a digit or
// an underscore (`sanitizeSymbolName` in IREE's `StringUtils.cpp`).
fn identifier(text: &[u8]) -> String {
    let mut out = String::new();
    let mut bytes = text.iter();
    while let Some(&byte) = bytes.next() {
        let byte = if byte == b'\\' { unescaped(&mut bytes) } else { byte };
        let is_part = byte.is_ascii_alphanumeric() || byte == b'_';
        out.push(if is_part { char::from(byte.to_ascii_lowercase()) } else { '_' });
    }
    out
}

// Reads a byte after a backslash: two hexadecimal digits, or the byte itself.
fn unescaped(bytes: &mut std::slice::Iter<'_, u8>) -> u8 {
    let digit = |byte: &u8| char::from(*byte).to_digit(16).map(|digit| digit as u8);
    let remaining = bytes.as_slice();
    if let Some([high, low]) = remaining.first_chunk()
        && let (Some(high), Some(low)) = (digit(high), digit(low))
    {
        *bytes = remaining[2..].iter();
        return high << 4 | low;
    }
    bytes.next().copied().unwrap_or(b'_')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn name(template: &str, text: &str) -> Option<String> {
        let name = AliasName::parse(template).unwrap();
        of_text(&name, text.as_bytes(), &|_| None).map(String::from)
    }

    #[test]
    fn names_are_made_of_parameters() {
        let device = "device_target_{0}{1.ordinal}";
        let target = "#hal.device.target";
        for (text, expected) in [
            (r#"<"local">"#, Some("device_target_local")),
            (r#"<"X.Y-1", [#hal.executable.target<"a", "b">]>"#, Some("device_target_x_y_1")),
            (r#"<"hip", {ordinal = 3 : index}>"#, Some("device_target_hip_3_")),
            (r#"<"hip", {a = [1, {ordinal = 5}], ordinal = 12 : i64, z}>"#, Some("device_target_hip_12_")),
            (r#"<"hip", {a = {ordinal = 5}, b = "ordinal = 1"}>"#, Some("device_target_hip")),
            (r#"<"hip", {ordinal = 3.0 : f32}>"#, Some("device_target_hip")),
            (r#"<"a\22\\b">"#, Some("device_target_a__b")),
            ("<local>", None),
            ("", None),
        ] {
            assert_eq!(name(device, &format!("{target}{text}")).as_deref(), expected, "{text}");
        }
        let executable = r#"#hal.executable.target<"llvm-cpu", "embedded-elf-x86_64", {cpu = ""}>"#;
        assert_eq!(name("target_{1}", executable).as_deref(), Some("target_embedded_elf_x86_64"));
        let composite = "#util.composite<0xi8, []>";
        assert_eq!(name("composite_of_{0:number}b", composite).as_deref(), Some("composite_of_0b"));
        let composite = "#util.composite<16xi8, [\n    dense<1> : tensor<4xi32>,\n]>";
        assert_eq!(name("composite_of_{0:number}b", composite).as_deref(), Some("composite_of_16b"));
    }

    #[test]
    fn templates_are_checked() {
        for wrong in ["a{0", "a{}", "a{x}", "a{0:x}", "a{0.}", "a}", ""] {
            assert!(AliasName::parse(wrong).is_err(), "{wrong}");
        }
    }

    proptest! {
        #[test]
        fn any_text_has_a_name_or_none(text in "[#!][a-z.]{0,6}[<>{}\\[\\](),=\"0-9a-z \\\\]{0,40}") {
            if let Some(name) = name("d_{0}{1.ordinal}", &text) {
                prop_assert!(name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_'));
            }
        }
    }
}
