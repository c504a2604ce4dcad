//! Values with words, names, types and affine expressions.

use crate::assembly::blocks::dimensions_and_symbols;
use crate::assembly::syntax_steps::SyntaxSteps;
use crate::assembly::{Bracket, DirectiveSyntax, Written};
use crate::attr::text::lexer::TokenKind;

use super::steps::DirectiveSteps;
use super::switches::segments_name;

directives! {
    AsyncDependencies: "AsyncDependencies" => async_dependencies,
    MapOperands: "DimensionsAndSymbols" => map_operands,
    OperandGroups: "OperandGroups" => operand_groups,
    Subscript: "AffineSubscript" => subscript,
    TypedOperands: "TypedOperands" => typed_operands,
}

/// `async [%a, %b]`, each part of which may be absent.
fn async_dependencies<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let (results, tokens) = (s.types_at(call, 0)?, s.values_at(call, 1)?);
    let token = s.named_type("!gpu.async.token")?;
    let has_result = s.optional_text("async", |_| Ok(!results.is_empty()))?;
    if let Some(token) = token.filter(|_| has_result) {
        s.set_types_at(call, 0, vec![token]);
    }
    if s.at(TokenKind::LeftSquare, |_| Ok(!tokens.is_empty()))? {
        s.text(if has_result { " " } else { "" })?;
        let values = s.values_in(Bracket::Square, &tokens)?;
        s.add_values_at(call, 1, values);
        if let Some(token) = token {
            s.set_one_type_at(call, 1, token);
        }
    }
    Ok(())
}

/// `(%a, %b), (%c)`, or nothing: groups of operands, whose sizes an attribute has.
fn operand_groups<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let known_values = s.values_at(call, 0)?;
    let name = segments_name(s, call, 0);
    let name = s.some(name)?;
    let known_sizes = if S::PRINTS { s.integers_of(&name) } else { Some(Vec::new()) };
    let known_sizes = s.some(known_sizes)?;
    let (mut remaining, mut values, mut sizes) = (&*known_values, Vec::new(), Vec::new());
    if s.at(TokenKind::LeftParen, |_| Ok(!known_sizes.is_empty()))? {
        s.separated(known_sizes.len(), |s, place| {
            let size =
                known_sizes.get(place).and_then(|size| usize::try_from(*size).ok()).unwrap_or_default();
            let (known_group, later_values) = s.some(remaining.split_at_checked(size))?;
            remaining = later_values;
            let group = s.values_in(Bracket::Round, known_group)?;
            sizes.push(group.len() as i64);
            values.extend(group);
            Ok(())
        })?;
    }
    s.require(remaining.is_empty() || !S::PRINTS)?;
    s.add_values_at(call, 0, values);
    if S::PRINTS { Ok(()) } else { s.set_integers(&name, "i32", &sizes) }
}

/// `%a: type, %b: type`, or nothing
fn typed_operands<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let known_values = s.values_at(call, 0)?;
    let known_types = s.types_of(&known_values);
    let (mut values, mut types) = (Vec::new(), Vec::new());
    if !s.at(TokenKind::RightParen, |_| Ok(known_values.is_empty()))? {
        s.separated(known_values.len(), |s, place| {
            values.push(s.value(known_values.get(place).copied())?);
            types.push(s.type_after(": ", known_types.get(place).copied())?);
            Ok(())
        })?;
    }
    s.give_at(call, 0, values, types);
    Ok(())
}

/// `(%i)[%n]`, the operands of a map
fn map_operands<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let (known_values, map) = (s.values_at(call, 0)?, s.attribute_at(call, 1)?);
    let shape = map.and_then(|map| s.map_shape(map));
    s.require(shape.is_some() || !S::PRINTS)?;
    let values = dimensions_and_symbols(s, &known_values, shape.unwrap_or_default().dimensions)?;
    s.add_values_at(call, 0, values);
    if let Some(index) = s.named_type("index")? {
        s.set_one_type_at(call, 0, index);
    }
    Ok(())
}

/// `[%i + 1]`, a map of the operands
fn subscript<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let (known_values, map) = (s.values_at(call, 0)?, s.name_at(call, 1));
    let values = s.map_of_values(Bracket::Square, &map, &known_values)?;
    s.add_values_at(call, 0, values);
    Ok(())
}
