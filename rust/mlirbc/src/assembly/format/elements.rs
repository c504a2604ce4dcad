//! Operands, regions and successors.

use crate::assembly::{Flow, FormatSyntax, Progress, RegionStyle, Written};
use crate::attr::text::lexer::TokenKind;
use crate::ops::{Multiplicity, ValueDefinition};

use super::{Program, RegionElement};

/// `%a`, or `%a, %b` for operands that are variadic.
pub(super) fn operand<S: FormatSyntax>(s: &mut S, program: &Program, place: usize) -> Written<S> {
    let known_values = s.operands(place)?;
    let multiplicity = program.definition.operands().get(place).map(ValueDefinition::multiplicity);
    let mut next = match multiplicity {
        Some(Multiplicity::One) => Some(s.value(known_values.first().copied())?),
        _ => s.optional_value(known_values.first().copied())?,
    };
    let is_list = !matches!(multiplicity, None | Some(Multiplicity::One | Multiplicity::Optional));
    let mut count = 0;
    while let Some(value) = next {
        count += 1;
        s.add_value(place, value);
        next = match is_list && s.optional_text(", ", |_| Ok(count < known_values.len()))? {
            true => Some(s.value(known_values.get(count).copied())?),
            false => None,
        };
    }
    Ok(())
}

/// All operands with commas between them, or nothing.
pub(super) fn all_operands<S: FormatSyntax>(s: &mut S) -> Written<S> {
    let known_operands = s.all_operands();
    let values = s.values(&known_operands)?;
    s.give_all_values(values);
    Ok(())
}

/// An attribute that the definition does not have, by its name.
pub(super) fn undeclared<S: FormatSyntax>(s: &mut S, name: &str) -> Written<S> {
    let known_attribute = if S::PRINTS { s.any_attr(name) } else { None };
    let value = s.attribute(known_attribute)?;
    s.set(name, value);
    Ok(())
}

/// A region, or regions with commas between them; `phase` counts the regions that were opened.
pub(super) fn region<S: FormatSyntax>(
    s: &mut S,
    program: &Program,
    region: RegionElement,
    phase: u32,
) -> Flow<S> {
    let known_regions = s.region_range(region.place)?;
    let number = phase as usize;
    let has_next = match (region.is_variadic, number) {
        (false, number) => number == 0,
        (true, 0) => s.at(TokenKind::LeftBrace, |_| Ok(!known_regions.is_empty()))?,
        (true, _) => s.optional_text(", ", |_| Ok(number < known_regions.len()))?,
    };
    if !has_next {
        return Ok(Progress::Done);
    }
    // The printer counts the regions of the operation, and the parser the regions of the definition.
    let number = if S::PRINTS { known_regions.start + number } else { region.place };
    // A terminator of the implied kind is not printed if it has no operands and no attributes.
    let hides_terminator = program.implies_terminator && s.has_plain_terminator(number)?;
    let arguments = s.kept_arguments();
    s.region(number, RegionStyle::FULL.terminated(!hides_terminator), arguments)
}

/// `^bb1`, or successors with commas between them.
pub(super) fn successors<S: FormatSyntax>(s: &mut S, place: usize, is_variadic: bool) -> Written<S> {
    let known_successors = s.successor_range(place)?;
    if is_variadic && !s.at(TokenKind::Block, |_| Ok(!known_successors.is_empty()))? {
        return Ok(());
    }
    let mut number = known_successors.start;
    loop {
        s.block(place, number)?;
        number += 1;
        if !is_variadic || !s.optional_text(", ", |_| Ok(number < known_successors.end))? {
            return Ok(());
        }
    }
}

/// All successors with commas between them, which belong to the definition in their order.
pub(super) fn all_successors<S: FormatSyntax>(s: &mut S) -> Written<S> {
    let count = s.successor_count();
    let mut has_next = s.at(TokenKind::Block, |_| Ok(count > 0))?;
    let mut number = 0;
    while has_next {
        s.block(0, number)?;
        number += 1;
        has_next = s.optional_text(", ", |_| Ok(number < count))?;
    }
    Ok(())
}
