//! Directives of `sparse_tensor` (`mlir/lib/Dialect/SparseTensor/IR/SparseTensorDialect.cpp`).

use crate::assembly::{DirectiveSyntax, Written};

use super::steps::DirectiveSteps;

directives! {
    LevelRange: "LevelRange" => level_range,
}

/// `3 to 5`, or `3`
fn level_range<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let (low, high) = (s.integers_at(call, 0)?, s.integers_at(call, 1)?);
    let (known, high) = (low.first().copied(), high.first().copied());
    let low = s.integer(known)?;
    let next = low.checked_add(1);
    let high = match s.optional_text(" to ", |_| Ok(next != high))? {
        true => s.integer(high)?,
        false => next.unwrap_or(i64::MAX),
    };
    if !S::PRINTS && high <= low {
        return Err(s.refuse("the upper level is not above the lower one"));
    }
    s.set_integer_at(call, 0, low, "index")?;
    s.set_integer_at(call, 1, high, "index")
}
