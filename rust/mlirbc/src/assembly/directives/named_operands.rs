//! Operands with names, and with further operands beside them.

use crate::assembly::syntax_steps::SyntaxSteps;
use crate::assembly::{DirectiveSyntax, Written};
use crate::attr::text::lexer::TokenKind;

use super::lists::{set_strings_at, strings_at};

directives! {
    NamedOperands: "NamedOperands" => named_operands,
}

/// `word("a" = %x : i1, %y : i2)`, or nothing: values with names, which an array has.
///
/// The values, their types, the names, and the word; for `word(%x : i1 gated by [%a, %b])`, also the values in brackets, an array
/// of their numbers, and the words before them.
fn named_operands<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let known_values = s.values_at(call, 0)?;
    let known_types = s.types_of(&known_values);
    let known_names = strings_at(s, call, 2)?;
    let word = s.some(S::code_at(call, 3))?.to_owned();
    let beside = S::code_at(call, 6).map(|words| format!(" {words} ["));
    let known_counts = if beside.is_some() { s.integers_at(call, 5)? } else { Vec::new() };
    let known_beside = if beside.is_some() { s.values_at(call, 4)?.to_vec() } else { Vec::new() };
    let (mut values, mut types, mut names) = (Vec::new(), Vec::new(), Vec::new());
    let (mut values_beside, mut counts) = (Vec::new(), Vec::new());
    if S::PRINTS && known_names.is_empty() && !known_values.is_empty() {
        s.lose("that values have no names");
    }
    if s.optional_text(&format!("{word}("), |_| Ok(!known_values.is_empty()))? {
        let mut next = 0_usize;
        s.separated(known_values.len(), |s, place| {
            let known_name = known_names.get(place).filter(|name| !name.is_empty());
            let mut name = Vec::new();
            if s.at(TokenKind::String, |_| Ok(known_name.is_some()))? {
                name = s.quoted(known_name.map(Vec::as_slice))?;
                s.text(" = ")?;
            }
            names.push(name);
            values.push(s.value(known_values.get(place).copied())?);
            types.push(s.type_after(" : ", known_types.get(place).copied())?);
            let Some(beside) = &beside else { return Ok(()) };
            let count =
                known_counts.get(place).and_then(|count| usize::try_from(*count).ok()).unwrap_or_default();
            let before = values_beside.len();
            if s.optional_text(beside, |_| Ok(count > 0))? {
                let known_group = known_beside.get(next..next.saturating_add(count)).unwrap_or_default();
                s.require(!S::PRINTS || known_group.len() == count)?;
                values_beside.extend(s.values(known_group)?);
                s.text("]")?;
            }
            next += count;
            counts.push((values_beside.len() - before) as i64);
            Ok(())
        })?;
        s.text(")")?;
    }
    if S::PRINTS {
        return Ok(());
    }
    if !names.is_empty() {
        set_strings_at(s, call, 2, &names)?;
    }
    s.add_values_at(call, 0, values);
    s.set_types_at(call, 1, types);
    if beside.is_some() {
        s.add_values_at(call, 4, values_beside);
        let name = s.name_at(call, 5);
        s.set_integer_items(&name, "i64", &counts)?;
    }
    Ok(())
}
