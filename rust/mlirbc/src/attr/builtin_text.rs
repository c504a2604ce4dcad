//! The builtin attributes and types that releases up to 22 write as text: their classes, fields and texts.

use crate::dialect::entries::EntryRef;
use crate::dialect::node::{Field, Node};
use crate::dialect::table::{BuiltinKind, DialectTable, Encoding, Named};
use crate::dialect::template::TemplatePiece;
use crate::release::Llvm;
use crate::wire::cursor::{ByteSink, Cursor};

use super::FieldValue;
use super::text::affine;
use super::text::affine::{AffineMap, IntegerSet};
use super::text::lexer::{Lexer, TokenKind};

/// Returns the class of a builtin attribute or type that is stored as text.
pub(super) fn class_of_text<'t>(
    builtin: &'t DialectTable,
    entry_ref: EntryRef,
    text: &[u8],
) -> Option<&'t str> {
    match entry_ref {
        EntryRef::Attribute(_) if text.starts_with(b"affine_map<") => Some("AffineMapAttr"),
        EntryRef::Attribute(_) if text.starts_with(b"affine_set<") => Some("IntegerSetAttr"),
        EntryRef::Attribute(_) if text.starts_with(b"strided<") => Some("StridedLayoutAttr"),
        EntryRef::Attribute(_) => None,
        EntryRef::Type(_) => {
            let form = builtin.types.rows.iter().find(|form| plain_text(form) == Some(text))?;
            Some(&form.kind)
        }
    }
}

/// Returns the text of an encoding without parameters.
pub(super) fn plain_text(form: &Encoding) -> Option<&[u8]> {
    match &*form.asm.pieces {
        [TemplatePiece::Text(text)] => Some(text.as_bytes()),
        _ => None,
    }
}

/// Returns the text that releases up to 22 write for an entry that newer releases encode.
pub(super) fn native_text(form: &Encoding, node: &Node, data: &[u8]) -> Option<Vec<u8>> {
    let mut text = Vec::new();
    let blob = || Cursor::new(node.blob(node.field(0), data), 0, None);
    match (form.builtin, form.print) {
        (BuiltinKind::AffineMapAttr, Named::AffineMap) => {
            text.extend_from_slice(b"affine_map<");
            affine::write_map(&mut text, &AffineMap::decode(&mut blob()).ok()?);
        }
        (BuiltinKind::IntegerSetAttr, Named::IntegerSet) => {
            text.extend_from_slice(b"affine_set<");
            affine::write_set(&mut text, &IntegerSet::decode(&mut blob()).ok()?);
        }
        (BuiltinKind::StridedLayoutAttr, Named::StridedLayout) => {
            let signed = |field: Field| match field {
                Field::Signed(number) => number,
                _ => 0,
            };
            let strides: Vec<i64> = node.items(1).iter().map(|&field| signed(field)).collect();
            return Some(strided_text(&strides, signed(node.field(0))));
        }
        _ if form.builtin == BuiltinKind::Other && is_text_before_23(form) => {
            return plain_text(form).map(<[u8]>::to_vec);
        }
        _ => return None,
    }
    text.push(b'>');
    Some(text)
}

/// Returns whether an encoding is a float type that only bytecode after release 22 encodes.
pub(super) fn is_text_before_23(form: &Encoding) -> bool {
    let text = plain_text(form).unwrap_or_default();
    form.kind.starts_with("Float") && crate::dialect::registry::builtin().assembly_bits.contains_key(text)
}

/// `strided<[4, ?], offset: 3>` (`StridedLayoutAttr::print` in `mlir/lib/IR/BuiltinAttributes.cpp`).
pub(crate) fn strided_text(strides: &[i64], offset: i64) -> Vec<u8> {
    let size = |size: i64| if size == i64::MIN { "?".to_owned() } else { size.to_string() };
    let strides: Vec<String> = strides.iter().map(|&stride| size(stride)).collect();
    let mut text = format!("strided<[{}]", strides.join(", "));
    if offset != 0 {
        text.push_str(", offset: ");
        text.push_str(&size(offset));
    }
    text.push('>');
    text.into_bytes()
}

/// Reads the fields of a builtin attribute from its text, as its encoded form has them.
pub(super) fn fields_of_text(class: &str, text: &[u8]) -> Vec<(String, FieldValue)> {
    let llvm = Llvm::NEWEST;
    let start = text.iter().position(|&byte| byte == b'<').map_or(text.len(), |at| at + 1);
    let body = text.get(start..).and_then(|body| body.strip_suffix(b">")).unwrap_or_default();
    let mut sink = ByteSink::new();
    let name = match class {
        "AffineMapAttr" => {
            let Ok(map) = AffineMap::parse(body, llvm) else { return Vec::new() };
            map.encode(&mut sink);
            "map"
        }
        "IntegerSetAttr" => {
            let Ok(set) = IntegerSet::parse(body, llvm) else { return Vec::new() };
            set.encode(&mut sink);
            "set"
        }
        "StridedLayoutAttr" => {
            let Some((strides, offset)) = parse_strided(body) else { return Vec::new() };
            let strides = strides.into_iter().map(FieldValue::Signed).collect();
            return vec![
                ("offset".to_owned(), FieldValue::Signed(offset)),
                ("strides".to_owned(), FieldValue::List(strides)),
            ];
        }
        _ => return Vec::new(),
    };
    vec![(name.to_owned(), FieldValue::Blob(sink.into_bytes().into()))]
}

/// `[4, ?], offset: 3`
fn parse_strided(body: &[u8]) -> Option<(Vec<i64>, i64)> {
    let mut lexer = Lexer::new(body);
    lexer.expect(TokenKind::LeftSquare, "`[`").ok()?;
    let (mut strides, mut offset) = (Vec::new(), 0);
    if !lexer.eat(TokenKind::RightSquare).ok()? {
        loop {
            strides.push(stride(&mut lexer)?);
            match lexer.next().ok()?.kind {
                TokenKind::Comma => {}
                TokenKind::RightSquare => break,
                _ => return None,
            }
        }
    }
    if lexer.eat(TokenKind::Comma).ok()? {
        lexer.expect_word("offset").ok()?;
        lexer.expect(TokenKind::Colon, "`:`").ok()?;
        offset = stride(&mut lexer)?;
    }
    lexer.expect(TokenKind::End, "the end").ok()?;
    Some((strides, offset))
}

/// A number, or `?`.
fn stride(lexer: &mut Lexer<'_>) -> Option<i64> {
    let is_negative = lexer.eat(TokenKind::Minus).ok()?;
    let token = lexer.next().ok()?;
    match token.kind {
        TokenKind::Question if !is_negative => Some(i64::MIN),
        TokenKind::Integer => {
            let number: i128 = std::str::from_utf8(lexer.spelling(token)).ok()?.parse().ok()?;
            i64::try_from(if is_negative { -number } else { number }).ok()
        }
        _ => None,
    }
}
