//! Modules in the text of an attribute that has no encoding: string literals, and dense elements of 8 bits.

use std::ops::Range;

use crate::attr::text::escape;
use crate::wire::bytes::Bytes;
use crate::wire::error::Result;
use crate::wire::limits::Budget;

use super::content::Content;
use super::encoding::{EmbeddedContent, Visit, damaged};

/// Translates literals as `encoding::translate` does; literals with unknown contents are left out.
pub(super) fn translate(text: &Bytes, budget: &Budget, visit: &mut Visit<'_>) -> Result<Option<Vec<u8>>> {
    budget.spend(text.len())?;
    let (mut new, mut copied, mut at) = (Vec::new(), 0, 0);
    while let Some(literal) = Literal::next(text, at)? {
        at = literal.range.end;
        let Some(content) = literal.content(text)? else { continue };
        if let Some(bytes) = visit(content)? {
            new.extend_from_slice(text.get(copied..literal.range.start).unwrap_or_default());
            literal.write(&bytes, &mut new);
            copied = literal.range.end;
        }
    }
    if copied == 0 {
        return Ok(None);
    }
    new.extend_from_slice(text.get(copied..).unwrap_or_default());
    Ok(Some(new))
}

enum LiteralForm {
    /// `"..."`, with the range between the quotes.
    String(Range<usize>),
    /// `dense<"0x..."> : vector<4xi8>`, with the range of the digits.
    Hex(Range<usize>, ElementsType),
    /// `dense<[1, -2]> : vector<2xi8>`, with the range of the numbers.
    Numbers(Range<usize>, ElementsType),
}

/// A type with one dimension: the text before and after its size.
#[derive(Clone, Copy)]
struct ElementsType {
    shaped: &'static str,
    element: &'static str,
}

struct Literal {
    range: Range<usize>,
    form: LiteralForm,
}

impl Literal {
    /// Returns the next literal from a byte on.
    fn next(text: &[u8], mut at: usize) -> Result<Option<Self>> {
        loop {
            let remaining = text.get(at..).unwrap_or_default();
            if remaining.is_empty() {
                return Ok(None);
            }
            if remaining.starts_with(b"dense<")
                && let Some(literal) = Self::dense(text, at)
            {
                return Ok(Some(literal));
            }
            if remaining.starts_with(b"\"") {
                let end = end_of_string(text, at + 1)
                    .ok_or_else(|| damaged(at, "has a string without an end".to_owned()))?;
                return Ok(Some(Self { range: at..end + 1, form: LiteralForm::String(at + 1..end) }));
            }
            at += 1;
        }
    }

    /// Parses dense elements of 8 bits in one dimension.
    fn dense(text: &[u8], at: usize) -> Option<Self> {
        let inner = at + b"dense<".len();
        let (is_hex, open) = match text.get(inner..)? {
            [b'"', b'0', b'x', ..] => (true, inner + 3),
            [b'[', ..] => (false, inner + 1),
            _ => return None,
        };
        let close = if is_hex { b'"' } else { b']' };
        let is_inside = |byte: &u8| match is_hex {
            true => byte.is_ascii_hexdigit(),
            false => byte.is_ascii_digit() || matches!(byte, b'-' | b',' | b' '),
        };
        let end = open + text.get(open..)?.iter().position(|byte| !is_inside(byte))?;
        let type_text = text.get(end..)?.strip_prefix(&[close, b'>'])?.strip_prefix(b" : ")?;
        let shaped =
            ["vector<", "tensor<"].into_iter().find(|shaped| type_text.starts_with(shaped.as_bytes()))?;
        let shape = type_text.get(shaped.len()..)?;
        let digits = shape.iter().position(|byte| !byte.is_ascii_digit()).filter(|&digits| digits > 0)?;
        let suffix = shape.get(digits..)?;
        let fits = |element: &&str| suffix.starts_with(element.as_bytes());
        let element = ["xi8>", "xui8>", "xsi8>"].into_iter().find(fits)?;
        let (range, end) = (open..end, text.len() - suffix.len() + element.len());
        let elements = ElementsType { shaped, element };
        let form =
            if is_hex { LiteralForm::Hex(range, elements) } else { LiteralForm::Numbers(range, elements) };
        Some(Self { range: at..end, form })
    }

    /// Returns the contents of the literal, if their format is known.
    fn content(&self, text: &Bytes) -> Result<Option<EmbeddedContent>> {
        let malformed = || damaged(self.range.start, "has a malformed literal".to_owned());
        let part = |range: &Range<usize>| text.get(range.clone()).unwrap_or_default();
        let bytes = match &self.form {
            LiteralForm::String(range) => escape::unescape(part(range)).ok_or_else(malformed)?,
            LiteralForm::Hex(range, _) => match hex(part(range)) {
                Some(bytes) => bytes,
                None => return Err(malformed()),
            },
            LiteralForm::Numbers(range, _) => match numbers(part(range)) {
                Some(bytes) => bytes,
                None => return Ok(None),
            },
        };
        let before = text.get(..self.range.start).unwrap_or_default();
        let is_assembly = before.ends_with(b"assembly = ");
        let is_known = is_assembly || matches!(Content::of(&bytes), Content::Bytecode | Content::Other(_));
        Ok(is_known.then(|| EmbeddedContent { is_assembly, ..EmbeddedContent::new(bytes.into()) }))
    }

    fn write(&self, bytes: &[u8], out: &mut Vec<u8>) {
        match &self.form {
            LiteralForm::String(_) => escape::write_string(out, bytes),
            LiteralForm::Hex(..) => {
                out.extend_from_slice(b"dense<\"0x");
                out.extend(bytes.iter().flat_map(|byte| format!("{byte:02X}").into_bytes()));
                out.extend_from_slice(b"\">");
            }
            LiteralForm::Numbers(..) => {
                let numbers: Vec<_> = bytes.iter().map(|&byte| (byte as i8).to_string()).collect();
                out.extend_from_slice(format!("dense<[{}]>", numbers.join(", ")).as_bytes());
            }
        }
        if let LiteralForm::Hex(_, ElementsType { shaped, element })
        | LiteralForm::Numbers(_, ElementsType { shaped, element }) = self.form
        {
            out.extend_from_slice(format!(" : {shaped}{}{element}", bytes.len()).as_bytes());
        }
    }
}

/// The position of the quote at the end of a string.
fn end_of_string(text: &[u8], mut at: usize) -> Option<usize> {
    loop {
        match text.get(at)? {
            b'"' => return Some(at),
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
}

fn hex(digits: &[u8]) -> Option<Vec<u8>> {
    let digit = |byte: u8| char::from(byte).to_digit(16).map(|value| value as u8);
    if !digits.len().is_multiple_of(2) {
        return None;
    }
    digits.chunks_exact(2).map(|pair| Some(digit(*pair.first()?)? << 4 | digit(*pair.last()?)?)).collect()
}

fn numbers(text: &[u8]) -> Option<Vec<u8>> {
    let text = std::str::from_utf8(text).ok()?;
    let number = |word: &str| word.trim().parse::<i16>().ok().filter(|value| (-128..256).contains(value));
    text.split(',').map(|word| number(word).map(|value| value as u8)).collect()
}
