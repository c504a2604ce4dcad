//! Pointers with an element type, which releases since LLVM 18 do not have.
//!
//! Owns the opaque form of such a type, and the element type that operations need in its place.

use super::ReleaseConversion;
use crate::attr::text::parse::fields::{LLVM_TYPES, body_of, parts};
use crate::convert::rules::FirstValue;

impl ReleaseConversion {
    /// Whether operations get element types that only the types of values have in the file.
    pub(crate) fn has_element_types(&self) -> bool {
        self.data.rows.element_type.iter().any(|row| self.direction(&row.at) == Some(true))
    }

    /// Returns the property that is the element type of the first operand or result, and whether it is the
    /// type of the operand.
    pub(crate) fn element_type(&self, op: &str) -> Option<(&str, bool)> {
        let mut rows = self.data.rows.element_type.iter().filter(|row| row.op == op);
        let row = rows.find(|row| self.direction(&row.at) == Some(true))?;
        Some((&row.property, row.of == FirstValue::Operand))
    }

    /// Returns a symbol with only the numbers in its brackets, if the target has nothing else there; `None`
    /// if it is the same.
    pub(super) fn with_only_numbers(&self, name: &str, body: Option<&str>) -> Option<String> {
        let ((dialect, short), body) = (name.split_once('.')?, body?);
        let mut rows = self.data.rows.only_numbers.iter().filter(|row| self.direction(&row.at) == Some(true));
        rows.find_map(|row| {
            let word = row.of.strip_prefix(dialect)?.strip_prefix('.')?;
            if short == word {
                let brackets = without_others(body)?;
                return Some(format!("{name}{brackets}"));
            }
            Some(format!("{name}<{}>", only_numbers(body, word)?))
        })
    }
}

/// Returns brackets with the number at the end of a body, or nothing; `None` if the body is a number.
fn without_others(body: &str) -> Option<String> {
    if is_number(body) {
        return None;
    }
    let number = parts(body).pop().filter(|part| is_number(part));
    Some(number.map_or_else(String::new, |number| format!("<{}>", number.trim())))
}

/// Returns a text with only a number in the brackets after each occurrence of a word; `None` if it is the
/// same.
fn only_numbers(text: &str, word: &str) -> Option<String> {
    let (mut new, mut copied, mut place) = (String::new(), 0, 0);
    while let Some((start, body)) = next_brackets(text, word, place) {
        place = start + body.len() + 1;
        if let Some(brackets) = without_others(body) {
            new.push_str(text.get(copied..start - 1)?);
            new.push_str(&brackets);
            copied = place;
        }
    }
    if copied == 0 {
        return None;
    }
    new.push_str(text.get(copied..)?);
    Some(new)
}

/// Finds the next brackets after a word outside of strings: the position after the opening one, and the text
/// in them.
fn next_brackets<'t>(text: &'t str, word: &str, from: usize) -> Option<(usize, &'t str)> {
    let is_of_name = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.');
    let bytes = text.as_bytes();
    let mut place = from;
    while place < bytes.len() {
        if bytes[place] == b'"' {
            place = end_of_string(bytes, place);
            continue;
        }
        let is_start = place == 0 || !is_of_name(bytes[place - 1]);
        let after = text.get(place..).filter(|_| is_start).and_then(|after| after.strip_prefix(word));
        if let Some(after) = after.and_then(|after| after.strip_prefix('<')) {
            // Brackets that do not end are searched once.
            return Some((place + word.len() + 1, body_of(after)?));
        }
        place += 1;
    }
    None
}

fn end_of_string(bytes: &[u8], start: usize) -> usize {
    let mut place = start + 1;
    while let Some(&byte) = bytes.get(place) {
        match byte {
            b'"' => return place + 1,
            b'\\' => place += 2,
            _ => place += 1,
        }
    }
    bytes.len()
}

/// Returns the element type of a pointer, or of a vector of pointers; `None` if the pointers are opaque.
pub(crate) fn element_type(pointer: &str) -> Option<String> {
    let inner = pointer.strip_prefix("!llvm.")?;
    let (_, body) = next_brackets(inner, "ptr", 0)?;
    let element = parts(body).first()?.trim();
    if is_number(element) {
        return None;
    }
    let word = element.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_').next()?;
    let is_short = LLVM_TYPES.contains(&word);
    Some(if is_short { format!("!llvm.{element}") } else { element.to_owned() })
}

fn is_number(body: &str) -> bool {
    body.trim().bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pointers_become_opaque() {
        for (text, opaque) in [
            ("ptr<i8>", Some("ptr")),
            ("ptr<i8, 3>", Some("ptr<3>")),
            ("ptr<3>", None),
            ("ptr<func<void (ptr<i8>, i32)>, 1>", Some("ptr<1>")),
            ("struct<(ptr<i8>, ptr<2>, i32, ptr)>", Some("struct<(ptr, ptr<2>, i32, ptr)>")),
            ("struct<\"ptr<i8>\", (ptr<struct<\"ptr<i8>\">>)>", Some("struct<\"ptr<i8>\", (ptr)>")),
            (
                "func<void (array<2 x ptr<f32>>, vec<4 x ptr<i1>>)>",
                Some("func<void (array<2 x ptr>, vec<4 x ptr>)>"),
            ),
            ("struct<(!fir.ptr<i8>)>", None),
        ] {
            assert_eq!(only_numbers(text, "ptr").as_deref(), opaque, "{text}");
        }
    }

    #[test]
    fn pointers_have_element_types() {
        for (pointer, element) in [
            ("!llvm.ptr<i8>", Some("i8")),
            ("!llvm.ptr<ptr<i8>, 3>", Some("!llvm.ptr<i8>")),
            ("!llvm.ptr<struct<(i32, i64)>>", Some("!llvm.struct<(i32, i64)>")),
            ("!llvm.ptr<vector<4xi32>>", Some("vector<4xi32>")),
            ("!llvm.vec<4 x ptr<i32>>", Some("i32")),
            ("!llvm.ptr<3>", None),
            ("!llvm.ptr", None),
            ("memref<4xi32>", None),
        ] {
            assert_eq!(element_type(pointer).as_deref(), element, "{pointer}");
        }
    }
}
