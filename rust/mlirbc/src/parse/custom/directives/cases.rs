//! Cases of switches, and regions.

use crate::attr::text::dense::Element;
use crate::attr::text::lexer::TokenKind;
use crate::attr::text::parse::Parsed;

use super::super::super::frames::AsmParser;
use super::super::call::{Call, CustomDirective};
use super::super::parts::out_of_range;

pub(super) fn find(name: &str) -> Option<CustomDirective> {
    Some(match name {
        "IndirectBrOpSucessors" => indirect_successors,
        "SingleBlockRegion" => single_block_region,
        "SwitchCases" => switch_cases,
        "SwitchOpCases" => switch_op_cases,
        _ => return None,
    })
}

// `default: ^bb1(%a : i32), 1: ^bb2`, or `1: ^bb2` in `[` and `]` of the llvm dialect
fn switch_op_cases(call: &mut Call<'_, '_>) -> Parsed<()> {
    let flag = call.known_types(0).unwrap_or_default().first().copied();
    let is_llvm = call.arguments.len() < 8;
    let first = if is_llvm { 1 } else { 4 };
    let mut is_done = false;
    // In older releases the brackets belong to the format.
    let has_bracket = is_llvm && call.parser.eat(TokenKind::LeftSquare)?;
    if has_bracket {
        is_done = call.parser.eat(TokenKind::RightSquare)?;
    } else if is_llvm {
        is_done = !call.parser.begins_integer()?;
    } else {
        call.parser.expect_literal("default")?;
        call.parser.expect(TokenKind::Colon, "`:` and a block")?;
        let (block, values, types) = call.parser.successor_with_values(call.pending)?;
        call.add_successor(1, block);
        call.add_values(2, values);
        call.add_types(3, types);
        is_done = is_done || !call.parser.eat(TokenKind::Comma)?;
    }
    let element = flag.and_then(|flag| call.parser.text.element(flag));
    let (mut numbers, mut sizes) = (Vec::new(), Vec::new());
    while !is_done {
        numbers.push(case_value(call.parser, element)?);
        call.parser.expect(TokenKind::Colon, "`:` and a block")?;
        let (block, values, types) = call.parser.successor_with_values(call.pending)?;
        call.add_successor(first + 1, block);
        sizes.push(values.len() as i64);
        call.add_values(first + 2, values);
        call.add_types(first + 3, types);
        is_done = match has_bracket {
            true => !call.parser.goes_on(TokenKind::RightSquare, "`,` or `]` after a case")?,
            false => !call.parser.eat(TokenKind::Comma)?,
        };
    }
    set_sizes(call, first + 2, &sizes)?;
    if let Some(flag) = flag.filter(|_| !numbers.is_empty()) {
        let flag = call.parser.whole_type(flag)?;
        let list: Vec<String> = numbers.iter().map(i64::to_string).collect();
        let text = format!("dense<[{}]> : vector<{}x{flag}>", list.join(", "), list.len());
        let value = call.parser.text.fragment(false, &text)?;
        call.set_attribute(first, value);
    }
    Ok(())
}

// MLIR prints the bits of a case as an unsigned number, and reads as many bits as the type has: 4294967295 is -1 of `si32`.
fn case_value(parser: &mut AsmParser<'_>, flag: Option<Element>) -> Parsed<i64> {
    let start = parser.peek()?;
    let number = parser.integer()?;
    let (width, least) = match flag {
        Some(Element::Signed(width @ 1..=63)) => return Ok(number << (64 - width) >> (64 - width)),
        Some(Element::Signless(width @ 1..=63)) => (width, -1 << (width - 1)),
        Some(Element::Unsigned(width @ 1..=63)) => (width, 0),
        _ => return Ok(number),
    };
    // The shift of the largest number also fits 63 bits.
    match (least..=i64::MAX >> (63 - width)).contains(&number) {
        true => Ok(number),
        false => Err(out_of_range(start, &number.to_string(), width)),
    }
}

// `[^bb1(%a : i32), ^bb2]`
fn indirect_successors(call: &mut Call<'_, '_>) -> Parsed<()> {
    call.parser.expect(TokenKind::LeftSquare, "`[` and blocks")?;
    let mut is_done = call.parser.eat(TokenKind::RightSquare)?;
    let mut sizes = Vec::new();
    while !is_done {
        let (block, values, types) = call.parser.successor_with_values(call.pending)?;
        call.add_successor(1, block);
        sizes.push(values.len() as i64);
        call.add_values(2, values);
        call.add_types(3, types);
        is_done = !call.parser.goes_on(TokenKind::RightSquare, "`,` or `]` after a block")?;
    }
    if sizes.is_empty() {
        call.add_types(3, Vec::new());
    }
    set_sizes(call, 2, &sizes)
}

// The sizes of the groups of an operand are the attribute that the definition names.
fn set_sizes(call: &mut Call<'_, '_>, place: usize, sizes: &[i64]) -> Parsed<()> {
    if let Some(of) = call.at(place)
        && let Some(operand) = call.custom.definition.clone().operands().get(of.number)
        && let crate::ops::Multiplicity::VariadicOfVariadic(name) = operand.multiplicity()
    {
        let value = call.parser.numbers_value("i32", sizes)?;
        call.parser.set_named(call.pending, name, value);
    }
    Ok(())
}

// `case 1`; the end of the operation makes the attribute with all of the numbers.
fn switch_cases(call: &mut Call<'_, '_>) -> Parsed<()> {
    let number = call.parser.integer()?;
    call.custom.numbers.push(number);
    Ok(())
}

fn single_block_region(_: &mut Call<'_, '_>) -> Parsed<()> {
    Ok(())
}

#[cfg(test)]
mod tests;
