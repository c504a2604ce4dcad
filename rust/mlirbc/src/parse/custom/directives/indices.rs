//! Lists of numbers and of values that stand for dynamic ones.

use crate::attr::text::lexer::TokenKind;
use crate::attr::text::parse::Parsed;
use crate::ops::{FormatElement, VariableKind};

use super::super::call::{Call, CustomDirective};

/// The dynamic size in static lists.
const DYNAMIC: i64 = i64::MIN;

pub(super) fn find(name: &str) -> Option<CustomDirective> {
    Some(match name {
        "DimensionList" => dimension_list,
        "DynamicIndexList" => dynamic_index_list,
        "GEPIndices" => gep_indices,
        "MNKDimensionList" => mnk_dimension_list,
        "NestedDynamicIndexList" => nested_dynamic_index_list,
        "OptionalDynamicIndexList" => optional_dynamic_index_list,
        "PackedOrDynamicIndexList" => packed_or_dynamic_index_list,
        "TransformMatchDims" => transform_match_dims,
        _ => return None,
    })
}

fn dynamic_index_list(call: &mut Call<'_, '_>) -> Parsed<()> {
    let is_round =
        |argument: &FormatElement| matches!(argument, FormatElement::Code(code) if code.ends_with("::Paren"));
    let open = match call.arguments.iter().any(is_round) {
        true => TokenKind::LeftParen,
        false => TokenKind::LeftSquare,
    };
    index_list(call, 0, open)
}

fn optional_dynamic_index_list(call: &mut Call<'_, '_>) -> Parsed<()> {
    match call.parser.peek()?.kind {
        TokenKind::LeftSquare => index_list(call, 0, TokenKind::LeftSquare),
        _ => Ok(()),
    }
}

// `[[2], [%a, 3]]`, of IREE.
fn nested_dynamic_index_list(call: &mut Call<'_, '_>) -> Parsed<()> {
    let (mut values, mut lists) = (Vec::new(), Vec::new());
    call.parser.expect(TokenKind::LeftSquare, "`[` and lists of sizes")?;
    call.parser.list(TokenKind::RightSquare, "`,` or `]` after a list", |this| {
        let mut numbers = Vec::new();
        this.expect(TokenKind::LeftSquare, "`[` and sizes")?;
        this.list(TokenKind::RightSquare, "`,` or `]` after a size", |this| {
            match this.optional_reference()? {
                Some(value) => {
                    values.push(value);
                    numbers.push(DYNAMIC);
                }
                None => numbers.push(this.integer()?),
            }
            Ok(())
        })?;
        lists.push(this.numbers_value("i64", &numbers)?);
        Ok(())
    })?;
    let value = call.parser.text.array_value(&lists)?;
    call.add_values(0, values);
    call.set_attribute(1, value);
    Ok(())
}

fn packed_or_dynamic_index_list(call: &mut Call<'_, '_>) -> Parsed<()> {
    if call.parser.eat(TokenKind::Star)? {
        call.parser.expect(TokenKind::LeftParen, "`(` and a value")?;
        let value = call.parser.reference()?;
        call.parser.expect(TokenKind::RightParen, "`)` after the value")?;
        call.add_values(0, vec![value]);
        let empty = call.parser.numbers_value("i64", &[])?;
        call.set_attribute(2, empty);
        return match call.arguments.len() {
            4 => call.set_text(3, "array<i1>"),
            _ => Ok(()),
        };
    }
    index_list(call, 1, TokenKind::LeftSquare)
}

fn gep_indices(call: &mut Call<'_, '_>) -> Parsed<()> {
    let (mut values, mut numbers) = (Vec::new(), Vec::new());
    loop {
        if call.parser.begins_integer()? {
            numbers.push(call.parser.integer()?);
        } else {
            values.push(call.parser.reference()?);
            numbers.push(i64::from(i32::MIN));
        }
        if !call.parser.eat(TokenKind::Comma)? {
            break;
        }
    }
    if numbers.iter().any(|&number| i32::try_from(number).is_err()) {
        return Err(call.parser.contents(call.pending, "an index has 32 bits"));
    }
    let value = call.parser.numbers_value("i32", &numbers)?;
    call.add_values(0, values);
    call.set_attribute(1, value);
    Ok(())
}

fn dimension_list(call: &mut Call<'_, '_>) -> Parsed<()> {
    let sizes = if call.parser.eat(TokenKind::LeftSquare)? {
        call.parser.expect(TokenKind::RightSquare, "`]`")?;
        Vec::new()
    } else {
        call.parser.lexer().dimensions_without_cross()?
    };
    let value = call.parser.numbers_value("i64", &sizes)?;
    call.set_attribute(0, value);
    Ok(())
}

fn mnk_dimension_list(call: &mut Call<'_, '_>) -> Parsed<()> {
    let sizes = call.parser.lexer().dimensions_without_cross()?;
    for (place, size) in sizes.iter().enumerate() {
        let value = call.parser.text.fragment(false, &format!("{size} : i32"))?;
        call.set_attribute(place, value);
    }
    match sizes.len() {
        3 => Ok(()),
        _ => Err(call.parser.contents(call.pending, "three sizes are needed, as in `32x32x8`")),
    }
}

fn transform_match_dims(call: &mut Call<'_, '_>) -> Parsed<()> {
    if call.parser.eat_word("all")? {
        let empty = call.parser.numbers_value("i64", &[])?;
        call.set_attribute(0, empty);
        let unit = call.parser.text.unit_value()?;
        call.set_attribute(2, unit);
        return Ok(());
    }
    let is_inverted = call.parser.eat_word("except")?;
    if is_inverted {
        call.parser.expect(TokenKind::LeftParen, "`(` and positions")?;
        let unit = call.parser.text.unit_value()?;
        call.set_attribute(1, unit);
    }
    let mut numbers = vec![call.parser.integer()?];
    while call.parser.eat(TokenKind::Comma)? {
        numbers.push(call.parser.integer()?);
    }
    if is_inverted {
        call.parser.expect(TokenKind::RightParen, "`)` after the positions")?;
    }
    let value = call.parser.numbers_value("i64", &numbers)?;
    call.set_attribute(0, value);
    Ok(())
}

// `[%i, 4, [8]]`: the static list has a mark for each operand, and a flag for each size in brackets.
fn index_list(call: &mut Call<'_, '_>, first: usize, open: TokenKind) -> Parsed<()> {
    call.parser.expect(open, "a bracket and the indices")?;
    let close = match open {
        TokenKind::LeftParen => TokenKind::RightParen,
        _ => TokenKind::RightSquare,
    };
    let places = |call: &Call<'_, '_>, kind: VariableKind| -> Vec<usize> {
        let is_kind = |place: &usize| call.at(*place).is_some_and(|one| one.kind == kind);
        (first..call.arguments.len()).filter(is_kind).collect()
    };
    // The type of the operands is a second variable of the same operand.
    let (operands, lists) = (places(call, VariableKind::Operand), places(call, VariableKind::Attribute));
    let (has_types, takes_flags) = (operands.len() > 1, lists.len() > 1);
    let (mut numbers, mut values, mut types, mut flags) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    call.parser.list(close, "`,` or the closing bracket after an index", |this| {
        let is_scalable = takes_flags && this.eat(TokenKind::LeftSquare)?;
        match this.optional_reference()? {
            Some(value) => {
                values.push(value);
                numbers.push(DYNAMIC);
                if has_types {
                    types.push(this.colon_type()?);
                }
            }
            None => numbers.push(this.integer()?),
        }
        if is_scalable {
            this.expect(TokenKind::RightSquare, "`]` after a scalable size")?;
        }
        flags.push(if is_scalable { "true" } else { "false" });
        Ok(())
    })?;
    if let Some(&place) = lists.first() {
        let value = call.parser.numbers_value("i64", &numbers)?;
        call.set_attribute(place, value);
    }
    if let Some(&place) = lists.get(1) {
        let text = match flags.is_empty() {
            true => "array<i1>".to_owned(),
            false => format!("array<i1: {}>", flags.join(", ")),
        };
        call.set_text(place, &text)?;
    }
    if let Some(&place) = operands.first() {
        call.add_values(place, values);
        if has_types {
            call.add_types(place, types);
        }
    }
    Ok(())
}
