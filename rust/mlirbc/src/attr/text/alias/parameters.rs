//! The part of an alias that stands for a parameter of an attribute or a type, which its text has by name or by number.

use crate::attr::text::parse::fields::{key_and_value, parts};
use crate::dialect::table::{AliasParameter, AliasValue};

/// Returns the value that an alias has for a parameter; `None` if the text lacks the parameter.
pub(super) fn value(
    parameter: &AliasParameter,
    text: &str,
    alias: &dyn Fn(&[u8]) -> Option<Box<str>>,
) -> Option<String> {
    let mut text = text;
    for name in &parameter.path {
        text = if **name == *"*" { body(text)? } else { inner(text, name)? };
    }
    let alias_of_value = || alias(text.as_bytes()).map(String::from);
    let value = match &parameter.kind {
        AliasValue::Digits => digits(text).to_owned(),
        AliasValue::If(expected, shown) => {
            if text == &**expected {
                shown.to_string()
            } else {
                String::new()
            }
        }
        AliasValue::Word => word(text),
        AliasValue::Alias => alias_of_value().unwrap_or_default(),
        AliasValue::Name => alias_of_value().unwrap_or_else(|| word(text)),
        AliasValue::Last => (parts(body(text).unwrap_or(text)).len() - 1).to_string(),
    };
    Some(value.strip_prefix(&*parameter.without).map(str::to_owned).unwrap_or(value))
}

/// The text in the angle brackets of an attribute or a type.
fn body(text: &str) -> Option<&str> {
    text.split_once('<')?.1.strip_suffix('>')
}

/// A parameter by its name, or by its number in a text without names.
fn inner<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    let items = parts(body(text)?);
    match name.parse::<usize>() {
        Ok(number) => items.get(number).copied().filter(|item| !item.is_empty()),
        Err(_) => items
            .iter()
            .find_map(|item| key_and_value(item).filter(|(key, _)| *key == name))
            .map(|(_, value)| value),
    }
}

/// The sign and the digits at the start of a text.
fn digits(text: &str) -> &str {
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    let end = unsigned.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(unsigned.len());
    text.get(..text.len() - unsigned.len() + end).unwrap_or_default()
}

/// A text as an identifier: `65537_i64` for `65537 : i64`, `1_x1024` for `<1 + x**1024>`.
fn word(text: &str) -> String {
    let text = body(text).filter(|_| text.starts_with('<')).unwrap_or(text);
    let mut word = String::new();
    let mut letters = text.chars().filter(|letter| *letter != '*').peekable();
    while let Some(letter) = letters.next() {
        // The sign of a number.
        let is_sign = letter == '-' && letters.peek().is_some_and(char::is_ascii_digit);
        let is_part = is_sign || letter.is_ascii_alphanumeric() || letter == '_';
        match is_part {
            true => word.push(letter),
            false if word.ends_with('_') => {}
            false => word.push('_'),
        }
    }
    word
}

#[cfg(test)]
mod tests {
    use super::super::name;
    use crate::dialect::table::AliasName;

    fn named(template: &str, text: &str) -> Option<String> {
        let template = AliasName::parse(template).unwrap();
        let alias = |inner: &[u8]| inner.starts_with(b"!r.").then(|| "rns_L1".into());
        name::of_text(&template, text.as_bytes(), &alias).map(String::from)
    }

    #[test]
    fn parameters_are_found_by_name_and_number() {
        let ring = "#p.ring<coefficientType = !r.n<i32, i64>, polynomialModulus = <1 + x**1024>>";
        let space = "#l.space<ring = <coefficientType = !r.n<i1>>, size = 3>";
        for (template, text, expected) in [
            ("Z{0:word}", "!m.int<65537 : i64>", "Z65537_i64"),
            ("Z{0:digits}", "!m.int<5 : i64>", "Z5"),
            ("r_{0:word}", "#p.r<<-1 + x**8>>", "r_-1_x8"),
            ("e{k:true=_pk}{k:false=_sk}", "!l.e<k = false>", "e_sk"),
            ("rns_L{*:last}", "!r.n<i32, tensor<2xi64>, i8>", "rns_L2"),
            ("ring_{coefficientType:name}{_?polynomialModulus:word}", ring, "ring_rns_L1_1_x1024"),
            ("ring_{coefficientType:name}", "#p.ring<coefficientType = f32>", "ring_f32"),
            ("s_{ring.coefficientType:alias-rns_}{_D?size:word}", space, "s_L1_D3"),
            ("s_{ring.coefficientType:alias-rns_}", "#l.space<ring = <coefficientType = i32>>", "s_"),
            ("c{size:word}", "#l.c<a = 1>", "c"),
            ("c{0:word}", "#l.c", "c"),
        ] {
            assert_eq!(named(template, text).as_deref(), Some(expected), "{template} {text}");
        }
    }

    #[test]
    fn templates_are_checked() {
        for template in ["{a:b}", "{a}", "{:", "x{a?b}"] {
            assert!(AliasName::parse(template).is_err(), "{template}");
        }
    }
}
