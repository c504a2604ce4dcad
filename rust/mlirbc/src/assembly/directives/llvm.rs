//! Directives of `llvm` (`mlir/lib/Dialect/LLVMIR/IR/LLVMDialect.cpp`).

use crate::assembly::dialects::llvm_calls;
use crate::assembly::{DirectiveSyntax, Written};

use super::clauses::ClauseSteps;

directives! {
    AliasMembers: "TBAAMembers" => alias_members,
    Bundles: "OpBundles" => bundles,
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
