//! Directives of `stablehlo` and `chlo` (`stablehlo/dialect/AssemblyFormat.cpp` of the StableHLO project).

use crate::assembly::steps::Steps;
use crate::assembly::{Bracket, DirectiveSyntax, Written};

directives! {
    CallTarget: "CustomCallTarget" => call_target,
    FirstTypes: "PairwiseOpType" => first_types,
    SliceRanges: "SliceRanges" => slice_ranges,
    TupleType: "TupleOpType" => tuple_type,
}

/// `@name`
fn call_target<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let known = s.attribute_at(call, 0)?.and_then(|known| s.string(known));
    let target = s.symbol(known.as_deref())?;
    let name = s.name_at(call, 0);
    s.set_string(&name, &target)
}

/// The types of operands, which the results have, too.
fn first_types<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let known = s.types_at(call, 0)?;
    let types = s.types(&known)?;
    s.set_types_at(call, 0, types.clone());
    s.set_types_at(call, 1, types);
    Ok(())
}

/// The type of a tuple, which has the types of the operands.
fn tuple_type<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let known = s.types_at(call, S::argument_count(call).saturating_sub(1))?;
    s.require(!S::PRINTS || known.len() == 1)?;
    let r#type = s.r#type(known.first().copied())?;
    if S::PRINTS {
        return Ok(());
    }
    let Some(parts) = s.tuple_parts(r#type) else {
        return Err(s.refuse("the type of the result is not a tuple"));
    };
    s.set_types_at(call, 0, parts);
    s.set_types_at(call, 1, vec![r#type]);
    Ok(())
}

/// `[0:4, 0:8:2]`
fn slice_ranges<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let known = [s.integers_at(call, 0)?, s.integers_at(call, 1)?, s.integers_at(call, 2)?];
    let [starts, limits, strides] = &known;
    s.require(starts.len() == limits.len() && starts.len() == strides.len())?;
    let mut found = [Vec::new(), Vec::new(), Vec::new()];
    s.list(Bracket::Square, starts.len(), |s, place| {
        let [of_starts, of_limits, of_strides] = &mut found;
        of_starts.push(s.integer(starts.get(place).copied())?);
        s.text(":")?;
        of_limits.push(s.integer(limits.get(place).copied())?);
        let stride = strides.get(place).copied();
        of_strides.push(match s.optional_text(":", |_| Ok(stride != Some(1)))? {
            true => s.integer(stride)?,
            false => 1,
        });
        Ok(())
    })?;
    for (place, numbers) in found.iter().enumerate() {
        let name = s.name_at(call, place);
        s.set_integers(&name, "i64", numbers)?;
    }
    Ok(())
}
