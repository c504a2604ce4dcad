//! Cases of switches, and regions.

use crate::attr::text::lexer::TokenKind;
use crate::attr::text::parse::Parsed;

use super::super::call::{Call, CustomDirective};

pub(super) fn find(name: &str) -> Option<CustomDirective> {
    Some(match name {
        "IndirectBrOpSucessors" => indirect_successors,
        _ => return None,
    })
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

#[cfg(test)]
mod tests;
