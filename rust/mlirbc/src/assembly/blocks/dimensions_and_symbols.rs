//! The operands of a map: `(%i, %j)[%n]` (`printDimAndSymbolList` in `mlir/lib/Dialect/Affine/IR/AffineOps.cpp`).

use crate::assembly::syntax::{Bracket, Syntax};
use crate::assembly::syntax_steps::SyntaxSteps;
use crate::attr::text::lexer::TokenKind;

/// Writes or reads the values of dimensions in parentheses and the values of symbols in brackets.
pub(in crate::assembly) fn dimensions_and_symbols<S: Syntax>(
    s: &mut S,
    known_values: &[S::Value],
    dimensions: usize,
) -> Result<Vec<S::Value>, S::Error> {
    let split = known_values.split_at_checked(dimensions);
    let (dimensions, symbols) = s.some(split)?;
    let mut values = s.values_in(Bracket::Round, dimensions)?;
    if s.at(TokenKind::LeftSquare, |_| Ok(!symbols.is_empty()))? {
        values.extend(s.values_in(Bracket::Square, symbols)?);
    }
    Ok(values)
}
