//! Directives of `ml_program` (`mlir/lib/Dialect/MLProgram/IR/MLProgramOps.cpp`).

use crate::assembly::{DirectiveSyntax, Written};

directives! {
    TokenOrdering: "TokenOrdering" => token_ordering,
}

/// ` ordering(%a, %b -> type)`, or nothing. The types of the tokens follow from their only one.
fn token_ordering<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let (consumed, produced) = (s.values_at(call, 0)?, s.types_at(call, 1)?);
    let is_ordered = !consumed.is_empty() || !produced.is_empty();
    if !s.optional_text(" ordering(", |_| Ok(is_ordered))? {
        return Ok(());
    }
    if !s.optional_text("()", |_| Ok(consumed.is_empty()))? {
        let values = s.values(&consumed)?;
        s.add_values_at(call, 0, values);
    }
    if !produced.is_empty() || !S::PRINTS {
        s.text(" -> ")?;
        let r#type = s.r#type(produced.first().copied())?;
        s.set_types_at(call, 1, vec![r#type]);
    }
    s.text(")")
}
