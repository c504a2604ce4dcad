//! Names that packs declare as templates.

use crate::attr::text::items::{NamedItem, inside, named, split_at};
use crate::format::id::{AttrId, TypeId};
use crate::ops::{ListSource, NamePiece, NameTemplate};

use super::computed_names::number_name;
use crate::attr::EntryValues;
use crate::attr::text::entry::string_of;
use crate::print::draft::OperationDraft;

/// The names of results, each with the number of the first result that it stands for.
pub(super) fn results(
    draft: &mut OperationDraft<'_, '_, '_>,
    operand_names: &[(Box<str>, Vec<u8>)],
) -> Option<Vec<(usize, Vec<u8>)>> {
    let count = draft.all_results().len();
    match draft.definition.result_names() {
        [each] if each.is_of_each() => Some(each_of(draft, each, count, operand_names)),
        [only] => Some(each_of(draft, only, count.min(1), operand_names)),
        templates => {
            let ranges = draft.result_groups()?;
            let mut names = Vec::new();
            for (range, template) in ranges.iter().zip(templates) {
                let count = if template.is_of_each() { range.len() } else { range.len().min(1) };
                let of_group = each_of(draft, template, count, operand_names);
                names.extend(of_group.into_iter().map(|(place, name)| (range.start + place, name)));
            }
            Some(names)
        }
    }
}

/// The operands in whose names results are named, and the operations that define them.
pub(super) fn sources(draft: &OperationDraft<'_, '_, '_>) -> Option<Vec<(Box<str>, u32)>> {
    let pieces = draft.definition.result_names().iter().flat_map(NameTemplate::pieces);
    let operands = pieces.filter_map(|piece| match piece {
        NamePiece::Value(operand) => Some(operand),
        _ => None,
    });
    operands
        .map(|operand| {
            let value = *draft.operands_named(operand)?.first()?;
            Some((operand.clone(), draft.defining_op(value)?))
        })
        .collect()
}

/// The names of arguments of the entry block of the last region.
pub(in crate::print) fn arguments(draft: &mut OperationDraft<'_, '_, '_>) -> Option<Vec<(usize, Vec<u8>)>> {
    let regions = draft.regions()?;
    let count = regions.arguments(regions.rows.len().checked_sub(1)?).len();
    match draft.definition.argument_names() {
        [each] => Some(each_of(draft, each, count, &[])),
        templates => {
            let places = templates.iter().take(count).enumerate();
            Some(
                places
                    .filter_map(|(place, template)| Some((place, name(draft, template, place, &[])?)))
                    .collect(),
            )
        }
    }
}

fn each_of(
    draft: &mut OperationDraft<'_, '_, '_>,
    template: &NameTemplate,
    count: usize,
    operand_names: &[(Box<str>, Vec<u8>)],
) -> Vec<(usize, Vec<u8>)> {
    (0..count).filter_map(|place| Some((place, name(draft, template, place, operand_names)?))).collect()
}

/// The name of a value by its number; `None` if the operation lacks a part of the name.
fn name(
    draft: &mut OperationDraft<'_, '_, '_>,
    template: &NameTemplate,
    number: usize,
    operand_names: &[(Box<str>, Vec<u8>)],
) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    for piece in template.pieces() {
        match piece {
            NamePiece::Text(text) => out.extend_from_slice(text.as_bytes()),
            NamePiece::Number => out.extend_from_slice(number.to_string().as_bytes()),
            NamePiece::Constant(attribute) => {
                let value = any_attr(draft, attribute)?;
                number_name(draft, AttrId::new(value), &mut out);
            }
            NamePiece::Float(attribute) => {
                let value = any_attr(draft, attribute)?;
                let mut text = Vec::new();
                write_text(draft, AttrId::new(value), &mut text)?;
                out.extend_from_slice(float_name(&text)?.as_bytes());
            }
            NamePiece::Word(attribute) => {
                let text = string_of(draft.file, AttrId::new(any_attr(draft, attribute)?))?;
                let text = text.strip_prefix(b"`").unwrap_or(text);
                let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
                out.extend(text.iter().copied().take_while(is_word));
            }
            NamePiece::First(attribute) => {
                let text = String::from_utf8(draft.word(AttrId::new(any_attr(draft, attribute)?))?).ok()?;
                out.extend_from_slice(split_at(inside(&text), b',')?.first()?.as_bytes());
            }
            NamePiece::Mnemonic(attribute) => {
                let text = draft.word(AttrId::new(any_attr(draft, attribute)?))?;
                let name = text.strip_prefix(b"#")?.split(|byte| *byte == b' ').next()?;
                let dot = name.iter().position(|byte| *byte == b'.')?;
                let mnemonic = name.get(dot + 1..)?;
                if mnemonic.iter().any(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_') {
                    return None;
                }
                out.extend_from_slice(mnemonic);
            }
            NamePiece::Symbol(attribute) => {
                let text = String::from_utf8(draft.word(AttrId::new(any_attr(draft, attribute)?))?).ok()?;
                out.extend_from_slice(symbol_in(&text)?.as_bytes());
            }
            NamePiece::Steps(attribute) => {
                let items = draft.file.items(AttrId::new(any_attr(draft, attribute)?))?;
                let words: Option<Vec<String>> = items.into_iter().map(|item| step(draft, item)).collect();
                out.extend_from_slice(words?.join(".").as_bytes());
            }
            NamePiece::Bits => {
                let number = draft.file.number_type(*draft.all_results().first()?)?;
                out.extend_from_slice(number.bits().to_string().as_bytes());
            }
            NamePiece::Value(operand) => {
                out.extend_from_slice(&operand_names.iter().find(|(known, _)| known == operand)?.1);
            }
            NamePiece::Attribute(attribute) => {
                let value = any_attr(draft, attribute)?;
                write_text(draft, AttrId::new(value), &mut out)?;
            }
            NamePiece::Chosen(source, attribute) => {
                let value = any_attr(draft, attribute)?;
                let chosen = usize::try_from(draft.file.integer(AttrId::new(value))?.as_integer()?).ok()?;
                out.extend_from_slice(&item(draft, source, chosen)?);
            }
            NamePiece::Item(source) => match item(draft, source, number)? {
                // A value without a name has a number.
                text if text.is_empty() && template.pieces().len() == 1 => return None,
                // An item without a name has its number instead.
                text if text.is_empty() => out.extend_from_slice(number.to_string().as_bytes()),
                text => out.extend_from_slice(&text),
            },
        }
    }
    Some(out)
}

/// `a` in `<child, @a : type>`, or the first word of the parameters.
fn step(draft: &mut OperationDraft<'_, '_, '_>, item: AttrId) -> Option<String> {
    let text = String::from_utf8(draft.word(item)?).ok()?;
    let parts = split_at(inside(&text), b',')?;
    let symbol = parts.get(1).and_then(|part| symbol_in(part));
    Some(symbol.or_else(|| parts.first()?.split_whitespace().next())?.to_owned())
}

/// `a` in `#d<x@a>`.
fn symbol_in(text: &str) -> Option<&str> {
    let (_, symbol) = text.split_once('@')?;
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '.');
    symbol.split(|c: char| !is_part(c)).next().filter(|name| !name.is_empty())
}

/// A floating-point number, which is stored as its bits if it has no digits, as LLVM writes it with six decimals.
fn float_name(text: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(text).ok()?;
    let number: f64 = match text.strip_prefix("0x") {
        Some(bits) => f64::from_bits(u64::from_str_radix(bits, 16).ok()?),
        None => text.parse().ok()?,
    };
    let sign = if number.is_sign_negative() { "-" } else { "" };
    if number.is_nan() {
        return Some("NaN".to_owned());
    }
    if number.is_infinite() {
        return Some(format!("{sign}Inf"));
    }
    let digits = format!("{number:.6e}");
    let (digits, exponent) = digits.split_once('e')?;
    let (sign, exponent) = exponent.strip_prefix('-').map_or(("", exponent), |exponent| ("-", exponent));
    Some(format!("{digits}e{sign}{exponent:0>2}"))
}

fn any_attr(draft: &OperationDraft<'_, '_, '_>, name: &str) -> Option<u32> {
    draft.attr(name).or_else(|| draft.discardable_attr(name))
}

fn write_text(draft: &mut OperationDraft<'_, '_, '_>, value: AttrId, out: &mut Vec<u8>) -> Option<()> {
    if let Some(text) = string_of(draft.file, value).or_else(|| draft.file.last_symbol(value)) {
        out.extend_from_slice(text);
        return Some(());
    }
    if draft.file.write_digits(value, out).is_none() {
        let text = draft.word(value)?;
        out.extend_from_slice(text.split(|byte| *byte == b' ').next()?);
    }
    Some(())
}

fn item(draft: &OperationDraft<'_, '_, '_>, source: &ListSource, number: usize) -> Option<Vec<u8>> {
    if let Some(attribute) = any_attr(draft, &source.name) {
        return match draft.file.items(AttrId::new(attribute)) {
            Some(items) => Some(string_of(draft.file, AttrId::new(items.get(number)?.number()))?.to_vec()),
            None => {
                item_of_type(draft.stored_text(draft.file.type_in(AttrId::new(attribute))?)?, source, number)
            }
        };
    }
    let of_operand = || Some(draft.body.type_of(*draft.operands_named(&source.name)?.first()?));
    let r#type = of_operand().or_else(|| type_of_result(draft, &source.name))?;
    item_of_type(draft.stored_text(r#type)?, source, number)
}

fn type_of_result(draft: &OperationDraft<'_, '_, '_>, name: &str) -> Option<TypeId> {
    let group = draft.definition.results().iter().position(|result| result.name() == name)?;
    draft.all_results().get(draft.result_groups()?.get(group)?.start).copied()
}

/// The name and the word before it in `!t.x<i8> to "name"`.
fn name_after_type(item: &str) -> Option<NamedItem<'_>> {
    let (before, name) = item.strip_suffix('"')?.rsplit_once(" \"")?;
    let (_, word) = before.rsplit_once(' ')?;
    (!name.contains('\\')).then_some(NamedItem { word, name: name.as_bytes().into(), value: "" })
}

fn item_of_type(text: &str, source: &ListSource, number: usize) -> Option<Vec<u8>> {
    let list = inside(text);
    let list = list.strip_prefix('[').and_then(|list| list.strip_suffix(']')).unwrap_or(list);
    let mut items = split_at(list, b',')?;
    // `!t.alias<@a::@b, !t.struct<…>>` stands for the other type.
    while let [reference, meant] = items[..]
        && reference.starts_with('@')
        && meant.starts_with('!')
    {
        items = split_at(inside(meant), b',')?;
    }
    let is_counted =
        |word: &str| source.words.is_empty() || source.words.iter().any(|known| **known == *word);
    let mut counted = items
        .into_iter()
        .filter_map(|item| named(item).or_else(|| name_after_type(item)))
        .filter(|item| is_counted(item.word));
    Some(counted.nth(number)?.name.into_owned())
}

#[cfg(test)]
mod tests {
    use super::float_name;

    #[test]
    fn floats_have_six_decimals() {
        let numbers = [
            "1.000000e+00",
            "-0.5",
            "1.0e-300",
            "0.33333333333333331",
            "0x7FF0000000000000",
            "0xFFF8000000000000",
        ];
        let names = ["1.000000e00", "-5.000000e-01", "1.000000e-300", "3.333333e-01", "Inf", "NaN"];
        for (number, name) in numbers.into_iter().zip(names) {
            assert_eq!(float_name(number.as_bytes()).as_deref(), Some(name), "{number}");
        }
    }
}
