//! Clauses of `omp` (`mlir/lib/Dialect/OpenMP/IR/OpenMPDialect.cpp`).

use crate::assembly::steps::Steps;
use crate::assembly::{Bracket, DirectiveSyntax, Written};
use crate::attr::text::lexer::TokenKind;

directives! {
    Aligned: "AlignedClause" => aligned,
    AllocateAndAllocator: "AllocateAndAllocator" => allocate_and_allocator,
    CopyPrivate: "CopyPrivateVarList" | "Copyprivate" => copy_private,
    TransformedLoops: "LoopTransformClis" => transformed_loops,
}

/// `%a : type`
fn typed<S: DirectiveSyntax>(s: &mut S, known: Option<S::Value>) -> Result<(S::Value, S::Type), S::Error> {
    let of = s.types_of(known.as_slice()).first().copied();
    Ok((s.value(known)?, s.type_after(" : ", of)?))
}

/// `%a : !llvm.ptr -> 32 : i64, …`
fn aligned<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let (known, alignments) = (s.values_at(call, 0)?, s.items_at(call, 2)?);
    let (mut values, mut types, mut found) = (Vec::new(), Vec::new(), Vec::new());
    s.separated(known.len(), |s, place| {
        let (value, r#type) = typed(s, known.get(place).copied())?;
        values.push(value);
        types.push(r#type);
        s.text(" -> ")?;
        found.push(s.attribute(alignments.get(place).copied())?);
        Ok(())
    })?;
    s.add_values_at(call, 0, values);
    s.set_types_at(call, 1, types);
    s.set_array_at(call, 2, &found)
}

/// `%allocator : type -> %a : type, …`
fn allocate_and_allocator<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let known = [s.values_at(call, 0)?, s.values_at(call, 2)?];
    s.require(known[0].len() == known[1].len())?;
    let (mut values, mut types) = ([Vec::new(), Vec::new()], [Vec::new(), Vec::new()]);
    s.separated(known[0].len(), |s, place| {
        for (of, text) in [(1, ""), (0, " -> ")] {
            s.text(text)?;
            let (value, r#type) = typed(s, known[of].get(place).copied())?;
            values[of].push(value);
            types[of].push(r#type);
        }
        Ok(())
    })?;
    for (of, (values, types)) in values.into_iter().zip(types).enumerate() {
        s.add_values_at(call, 2 * of, values);
        s.set_types_at(call, 2 * of + 1, types);
    }
    Ok(())
}

/// `%a -> @f : !llvm.ptr, …`
fn copy_private<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let (known, functions) = (s.values_at(call, 0)?, s.items_at(call, 2)?);
    let count = known.len().min(functions.len());
    let known_types = s.types_of(&known);
    let (mut values, mut types, mut found) = (Vec::new(), Vec::new(), Vec::new());
    s.separated(count, |s, place| {
        values.push(s.value(known.get(place).copied())?);
        s.text(" -> ")?;
        found.push(s.attribute(functions.get(place).copied())?);
        types.push(s.type_after(" : ", known_types.get(place).copied())?);
        Ok(())
    })?;
    s.add_values_at(call, 0, values);
    s.set_types_at(call, 1, types);
    s.set_array_at(call, 2, &found)
}

/// `(%a) <- (%b)`, or `<- (%b)`
fn transformed_loops<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let (generated, applied) = (s.values_at(call, 0)?, s.values_at(call, 1)?);
    if s.at(TokenKind::LeftParen, |_| Ok(!generated.is_empty()))? {
        let values = s.values_in(Bracket::Round, &generated)?;
        s.add_values_at(call, 0, values);
    }
    if !applied.is_empty() || !S::PRINTS {
        s.text(" <- ")?;
        let values = s.values_in(Bracket::Round, &applied)?;
        s.add_values_at(call, 1, values);
    }
    Ok(())
}
