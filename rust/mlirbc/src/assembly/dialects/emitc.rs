//! Operations of `emitc` (`mlir/lib/Dialect/EmitC/IR/EmitC.cpp`).

use crate::assembly::blocks::function;
use crate::assembly::steps::Steps;
use crate::assembly::{Flow, RegionStyle, Step, Syntax};

forms! {
    Do: "do" => r#do,
    Expression: "expression" => expression,
    For: "for" => r#for,
    Function: "func" => function,
    If: "if" => r#if,
    Include: "include" => include,
}

/// `{ … } while { … }`
fn r#do<S: Syntax>(s: &mut S, phase: u32) -> Flow<S> {
    match phase {
        0 => {
            s.text(" ")?;
            s.region(0, RegionStyle::BODY, Vec::new())
        }
        1 => {
            s.text(" while ")?;
            s.region(1, RegionStyle::FULL, Vec::new())
        }
        _ => {
            s.attr_dict_with_keyword(&[])?;
            Ok(Step::Done)
        }
    }
}

/// `<"file.h">`, or `"file.h"`
fn include<S: Syntax>(s: &mut S, _: u32) -> Flow<S> {
    s.text(" ")?;
    let is_standard = s.unit_keyword("<", "is_standard_include")?;
    let known = s.attr("include").and_then(|name| s.string(name));
    let name = s.unescaped(known.as_deref())?;
    s.set_string("include", &name)?;
    if is_standard {
        s.text(">")?;
    }
    s.lose_discardable();
    Ok(Step::Done)
}

/// `%i = %a to %b step %s : i32 {`
fn r#for<S: Syntax>(s: &mut S, phase: u32) -> Flow<S> {
    if phase > 0 {
        s.attr_dict(&[])?;
        return Ok(Step::Done);
    }
    let known = s.all_operands();
    s.require(known.len() == 3 || !S::PRINTS)?;
    let argument = s.arguments(0)?.first().copied();
    s.text(" ")?;
    let mut induction = s.argument(argument)?;
    let mut bounds = Vec::new();
    for (place, text) in [" = ", " to ", " step "].into_iter().enumerate() {
        s.text(text)?;
        bounds.push(s.value(known.get(place).copied())?);
    }
    s.text(" ")?;
    let of_argument = match argument {
        Some(argument) => Some(s.argument_type(argument)?),
        None => None,
    };
    let mut r#type = s.named_type("index")?;
    if s.optional_text(" : ", |s| Ok(of_argument.is_none_or(|of| !s.is_index(of))))? {
        r#type = Some(s.r#type(of_argument)?);
        s.text(" ")?;
    }
    if let Some(r#type) = r#type {
        induction = s.with_type(induction, r#type);
    }
    for (place, bound) in bounds.into_iter().enumerate() {
        s.give_of_type(place, vec![bound], r#type);
    }
    s.region_without_terminator(0, vec![induction])
}

/// `%c { … } else { … }`
fn r#if<S: Syntax>(s: &mut S, phase: u32) -> Flow<S> {
    match phase {
        0 => {
            let known = s.all_operands();
            s.require(known.len() == 1 || !S::PRINTS)?;
            s.text(" ")?;
            let condition = s.value(known.first().copied())?;
            let bit = s.named_type("i1")?;
            s.give_of_type(0, vec![condition], bit);
            s.text(" ")?;
            s.region_without_terminator(0, Vec::new())
        }
        1 if s.optional_text(" else ", |s| s.has_blocks(1))? => s.region_without_terminator(1, Vec::new()),
        _ => {
            s.attr_dict(&[])?;
            Ok(Step::Done)
        }
    }
}

/// `%a, %b noinline : (i32, i32) -> i32 {`, whose region has names of its own.
fn expression<S: Syntax>(s: &mut S, phase: u32) -> Flow<S> {
    s.require(!S::PRINTS)?;
    if phase > 0 {
        s.show_names();
        return Ok(Step::Done);
    }
    let values = s.values(&[])?;
    s.unit_keyword(" noinline", "do_not_inline")?;
    s.text(" : ")?;
    let (types, results) = s.function_type(&[], &[])?;
    s.same_count(values.len(), types.len())?;
    let mut arguments = Vec::new();
    for (&value, &r#type) in values.iter().zip(&types) {
        arguments.extend(s.argument_named_as(value, r#type)?);
    }
    if results.len() != 1 {
        return Err(s.refuse("an expression has one result"));
    }
    s.give(0, values, types);
    s.give_results(results);
    s.hide_names();
    s.region(0, RegionStyle::FULL, arguments)
}
