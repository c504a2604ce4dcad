//! Calls, and names of symbols.

use crate::assembly::dialects::llvm_calls::signature as call_signature;
use crate::assembly::syntax_steps::SyntaxSteps;
use crate::assembly::{Bracket, DirectiveSyntax, Written};
use crate::attr::text::lexer::TokenKind;

directives! {
    CalleeOperands: "CalleeOperands" => callee_operands,
    CallSignature: "CallSignature" => signature,
    OptionalKeyword: "OptionalKeyword" => optional_keyword,
    SymbolAndName: "SymbolAndName" => symbol_and_name,
}

/// `@f(%a, %b)`, or `%f(%a, %b)` whose first operand is the function.
fn callee_operands<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let (known_callee, known_values) = (s.attribute_at(call, 0)?, s.values_at(call, 1)?);
    let (mut values, mut arguments) = (Vec::new(), &known_values[..]);
    if s.at(TokenKind::Value, |_| Ok(known_callee.is_none()))? {
        values.push(s.value(known_values.first().copied())?);
        arguments = known_values.get(1..).unwrap_or_default();
    } else {
        let callee = s.attribute(known_callee)?;
        s.set_at(call, 0, callee);
    }
    values.extend(s.values_in(Bracket::Round, arguments)?);
    s.add_values_at(call, 1, values);
    Ok(())
}

/// `(i32 {name = value}) -> f32`: the types and attributes of arguments and results.
///
/// The callee, the operands, their types, and the types of the results. A function that is an operand has this type.
fn signature<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let known_values = s.values_at(call, 1)?;
    let is_direct = match S::PRINTS {
        true => s.attribute_at(call, 0)?.is_some(),
        false => s.read_attribute_at(call, 0).is_some(),
    };
    let arguments = known_values.get(usize::from(!is_direct)..);
    let arguments = s.some(if S::PRINTS { arguments } else { Some(&[][..]) })?;
    let mut types = call_signature(s, arguments)?;
    if !is_direct && !S::PRINTS {
        let results = s.read_types_at(call, 3);
        let function = function_text(s, &types, &results);
        let function = s.some(function)?;
        types.splice(0..0, s.named_type(&function)?);
    } else if !is_direct {
        let function = s.types_of(known_values.get(..1).unwrap_or_default()).first().copied();
        let (inputs, results) = (s.types_of(arguments), s.all_results());
        let function = s.some(function)?;
        if !s.is_function_of(function, &inputs, &results) {
            s.lose("the type of its callee");
        }
    }
    let count = s.value_count_at(call, 1);
    s.same_count(count, types.len())?;
    s.set_types_at(call, 2, types);
    Ok(())
}

fn function_text<S: DirectiveSyntax>(s: &S, inputs: &[S::Type], results: &[S::Type]) -> Option<String> {
    let texts = |types: &[S::Type]| types.iter().map(|&one| s.type_text(one)).collect::<Option<Vec<_>>>();
    Some(format!("({}) -> ({})", texts(inputs)?.join(", "), texts(results)?.join(", ")))
}

/// A keyword after the attribute, as a string attribute, or nothing.
fn optional_keyword<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let known_word = match s.attribute_at(call, 0)? {
        Some(attribute) => {
            let word = s.string(attribute);
            Some(s.some(word)?)
        }
        None => None,
    };
    for word in (1..S::argument_count(call)).filter_map(|place| S::code_at(call, place)) {
        let is_known = known_word.as_deref() == Some(word.as_bytes());
        if is_known || !S::PRINTS && s.at_word(word)? {
            let name = s.name_at(call, 0);
            s.word(Some(word), "a keyword")?;
            return s.set_string(&name, word.as_bytes());
        }
    }
    s.require(known_word.is_none())
}

/// `@name`, a reference that is the name of the operation, too.
fn symbol_and_name<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let (known_reference, known_name) = (s.attribute_at(call, 0)?, s.attribute_at(call, 1)?);
    let (reference, name) = s.symbol_reference(known_reference)?;
    let name = s.some(name)?;
    if let Some(known_name) = known_name
        && s.string(known_name).as_ref() != Some(&name)
    {
        s.lose("its name, which differs from the reference");
    }
    s.set_at(call, 0, reference);
    let attribute = s.name_at(call, 1);
    s.set_string(&attribute, &name)
}
