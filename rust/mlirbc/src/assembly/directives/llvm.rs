//! Directives of `llvm` (`mlir/lib/Dialect/LLVMIR/IR/LLVMDialect.cpp`).

use crate::assembly::dialects::llvm_calls;
use crate::assembly::steps::Steps;
use crate::assembly::{DirectiveSyntax, Written};
use crate::attr::text::lexer::TokenKind;

use super::clauses::ClauseSteps;
use super::switches::segments_name;
use super::steps::DirectiveSteps;

directives! {
    AliasMembers: "TBAAMembers" => alias_members,
    Bundles: "OpBundles" => bundles,
    IndirectSuccessors: "IndirectBrOpSucessors" => indirect_successors,
}

/// `<@member, 0>, <@other, 4>`
fn alias_members<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let (members, offsets) = (s.needed_items_at(call, 0)?, s.integers_at(call, 1)?);
    let (mut found, mut numbers) = (Vec::new(), Vec::new());
    s.separated(members.len().min(offsets.len()), |s, place| {
        s.text("<")?;
        found.push(s.attribute(members.get(place).copied())?);
        s.text(", ")?;
        numbers.push(s.integer(offsets.get(place).copied())?);
        s.text(">")
    })?;
    s.set_array_at(call, 0, &found)?;
    s.set_integers_at(call, 1, "i64", &numbers)
}

/// `["tag"(%a : i32), "other"()]`, or nothing.
fn bundles<S: DirectiveSyntax>(s: &mut S, _: S::Call<'_>) -> Written<S> {
    llvm_calls::bundles(s, "")
}

/// `[^bb1(%a : i32), ^bb2]`, one on each line
fn indirect_successors<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let segments = segments_name(s, call, 2);
    let segments = s.some(segments)?;
    let (known, count) = (s.values_at(call, 2)?, s.successor_count_at(call, 1));
    let known_sizes = s.integers_of(&segments).filter(|_| S::PRINTS).unwrap_or_default();
    s.require(known_sizes.len() == count)?;
    let (mut rest, mut place) = (&*known, 0);
    let (mut sizes, mut values, mut types) = (Vec::new(), Vec::new(), Vec::new());
    s.text("[")?;
    let mut goes_on = !s.at(TokenKind::RightSquare, |_| Ok(count == 0))?;
    while goes_on {
        s.newline();
        let size = known_sizes.get(place).map_or(Some(0), |&size| usize::try_from(size).ok());
        let (own, others) = s.some(size.and_then(|size| rest.split_at_checked(size)))?;
        rest = others;
        let (of_block, own_types) = s.successor_at(call, 1, place, own)?;
        sizes.push(of_block.len() as i64);
        values.extend(of_block);
        types.extend(own_types);
        place += 1;
        goes_on = s.optional_text(",", |_| Ok(place < count))?;
    }
    if place > 0 {
        s.newline();
    }
    s.text("]")?;
    s.add_values_at(call, 2, values);
    s.set_types_at(call, 3, types);
    s.set_integers(&segments, "i32", &sizes)
}
