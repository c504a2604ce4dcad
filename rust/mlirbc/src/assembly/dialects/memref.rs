//! Operations of `memref` (`mlir/lib/Dialect/MemRef/IR/MemRefOps.cpp`).

use crate::assembly::syntax_steps::SyntaxSteps;
use crate::assembly::{Bracket, Flow, Progress, Syntax};

forms! {
    /// The ranks of the memrefs split the operands.
    DmaStart: "dma_start" => dma_start,
}

/// `%a[%i], %b[%j], %n, %tag[%k], %s, %e : memref<…>, memref<…>, memref<…>`
fn dma_start<S: Syntax>(s: &mut S, _: u32) -> Flow<S> {
    let known_operands = s.all_operands();
    let mut remaining: &[S::Value] = &known_operands;
    let (mut values, mut memrefs, mut places) = (Vec::new(), Vec::new(), Vec::new());
    for part in 0..4 {
        s.text(if part > 0 { ", " } else { " " })?;
        let first = remaining.first().copied();
        remaining = remaining.get(1..).unwrap_or_default();
        let place = values.len();
        values.push(s.value(first)?);
        // The number of elements stands before the tag.
        if part == 2 {
            continue;
        }
        places.push(place);
        memrefs.extend(first);
        let count = match first {
            Some(memref) => {
                let rank = s.types_of(&[memref]).first().and_then(|&of| s.memref_rank(of));
                s.some(rank)?
            }
            None => 0,
        };
        let split = remaining.split_at_checked(count);
        let (indices, after) = s.some(split)?;
        values.extend(s.values_in(Bracket::Square, indices)?);
        remaining = after;
    }
    s.require(matches!(remaining, [] | [_, _]))?;
    let mut numbers = remaining.iter().copied();
    let mut next = numbers.next();
    while s.optional_text(", ", |_| Ok(next.is_some()))? {
        values.push(s.value(next)?);
        next = numbers.next();
    }
    s.attr_dict(&[])?;
    s.text(" : ")?;
    let known_types = s.types_of(&memrefs);
    let types = s.types(&known_types)?;
    if types.len() != places.len() {
        return Err(s.refuse("three types are needed"));
    }
    if let Some(index) = s.named_type("index")? {
        let mut all = vec![index; values.len()];
        for (&place, r#type) in places.iter().zip(types) {
            all[place] = r#type;
        }
        s.give(0, values, all);
    }
    Ok(Progress::Done)
}
