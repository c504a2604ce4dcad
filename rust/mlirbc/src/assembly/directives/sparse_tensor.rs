//! Directives of `sparse_tensor` (`mlir/lib/Dialect/SparseTensor/IR/SparseTensorDialect.cpp`).

use crate::assembly::{DirectiveSyntax, Written};

use super::steps::DirectiveSteps;

directives! {
    LevelRange: "LevelRange" => level_range,
}

/// `3 to 5`, or `3`
fn level_range<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let (low, last_level) = (s.integers_at(call, 0)?, s.integers_at(call, 1)?);
    let (first_level, last_level) = (low.first().copied(), last_level.first().copied());
    let low = s.integer(first_level)?;
    let next = low.checked_add(1);
    let last_level = match s.optional_text(" to ", |_| Ok(next != last_level))? {
        true => s.integer(last_level)?,
        false => next.unwrap_or(i64::MAX),
    };
    if !S::PRINTS && last_level <= low {
        return Err(s.refuse("the upper level is not above the lower one"));
    }
    s.set_integer_at(call, 0, low, "index")?;
    s.set_integer_at(call, 1, last_level, "index")
}
