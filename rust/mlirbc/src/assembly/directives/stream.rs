//! Lists of operands of `hal` and `stream` (`compiler/src/iree/compiler/Dialect` of the IREE project).

use crate::assembly::syntax_steps::SyntaxSteps;
use crate::assembly::{Bracket, DirectiveSyntax, Written};
use crate::attr::text::dense::Element;
use crate::attr::text::lexer::TokenKind;

use super::steps::DirectiveSteps;

/// `[(%device, %affinity : type, i64)]`, one on each line
pub(super) fn queues<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let known_values = [s.values_at(call, 0)?, s.values_at(call, 2)?];
    s.require(known_values[0].len() == known_values[1].len())?;
    let (mut devices, mut types, mut affinities) = (Vec::new(), Vec::new(), Vec::new());
    s.text("[")?;
    if !s.at(TokenKind::RightSquare, |_| Ok(false))? {
        s.lines(known_values[0].len(), |s, place| {
            let known_values = known_values.map(|list| list.get(place).copied());
            s.text("(")?;
            devices.push(s.value(known_values[0])?);
            s.text(", ")?;
            affinities.push(s.value(known_values[1])?);
            let known_types =
                known_values.map(|known_values| s.types_of(known_values.as_slice()).first().copied());
            types.push(s.type_after(" : ", known_types[0])?);
            let affinity = s.type_after(", ", known_types[1])?;
            if !S::PRINTS && s.number_type(affinity) != Some(Element::Signless(64)) {
                return Err(s.refuse("the type of an affinity is `i64`"));
            }
            s.text(")")
        })?;
    }
    s.newline();
    s.text("]")?;
    s.give_at(call, 0, devices, types);
    s.add_values_at(call, 2, affinities);
    Ok(())
}

/// `[0, 10] = %size`, one on each line, or nothing
pub(super) fn slice_ranges<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let (intervals, known_values) = (s.integers_at(call, 0)?, s.values_at(call, 1)?);
    let types = s.types_at(call, 2)?;
    s.require(!S::PRINTS || intervals.len() == 2 * known_values.len() && types.len() == known_values.len())?;
    let (mut numbers, mut sizes) = (Vec::new(), Vec::new());
    if s.at(TokenKind::LeftSquare, |_| Ok(!known_values.is_empty()))? {
        s.lines(known_values.len(), |s, place| {
            for (text, end) in [("[", 0), (", ", 1)] {
                s.text(text)?;
                numbers.push(s.integer(intervals.get(2 * place + end).copied())?);
            }
            s.text("] = ")?;
            sizes.push(s.value(known_values.get(place).copied())?);
            Ok(())
        })?;
        s.newline();
    }
    let index = s.named_type("index")?;
    s.set_types_at(call, 2, sizes.iter().filter_map(|_| index).collect());
    s.add_values_at(call, 1, sizes);
    s.set_integer_items_at(call, 0, "index", &numbers)
}

/// `(%a, %resource[%offset to %end for %length])`: a resource has an offset, an end and a length.
pub(super) fn dispatch_operands<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let known_values = s.values_at(call, 0)?;
    let (types, mut values) = (s.types_of(&known_values), Vec::new());
    let known_ranges = [s.values_at(call, 1)?, s.values_at(call, 2)?, s.values_at(call, 3)?];
    let mut ranges = [Vec::new(), Vec::new(), Vec::new()];
    s.list(Bracket::Round, known_values.len(), |s, place| {
        values.push(s.value(known_values.get(place).copied())?);
        let known_type = types.get(place).copied();
        if s.optional_text("[", |s| Ok(known_type.is_some_and(|known_type| s.takes_size(known_type))))? {
            for ((text, known_values), list) in
                ["", " to ", " for "].into_iter().zip(known_ranges).zip(&mut ranges)
            {
                s.text(text)?;
                list.push(s.value(known_values.get(list.len()).copied())?);
            }
            s.text("]")?;
        }
        Ok(())
    })?;
    s.add_values_at(call, 0, values);
    for (place, list) in ranges.into_iter().enumerate() {
        s.add_values_at(call, place + 1, list);
    }
    Ok(())
}

/// How a resource is used, and the number of that.
const ACCESSES: &[&str] = &["ro", "wo", "rw"];

/// Lines of `ro %resource[%offset for %length] : type{%size}`
pub(super) fn dispatch_resources<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let (known_types, accesses) = (s.types_at(call, 1)?, s.integers_at(call, 5)?);
    let mut known_lists = Vec::new();
    for place in [0, 2, 3, 4] {
        known_lists.push(s.values_at(call, place)?);
    }
    let count = accesses.len();
    s.require(known_types.len() == count && known_lists.iter().all(|list| list.len() == count))?;
    let mut lists = [Vec::new(), Vec::new(), Vec::new(), Vec::new()];
    let (mut types, mut numbers) = (Vec::new(), Vec::new());
    s.lines(count, |s, place| {
        let access =
            accesses.get(place).and_then(|&bits| ACCESSES.get(usize::try_from(bits).ok()?.checked_sub(1)?));
        let access_of_word = |word: &str| ACCESSES.iter().position(|access| *access == word);
        let number = s.word_as(access.copied(), "`ro`, `wo` or `rw`", access_of_word)?;
        numbers.push(number as i64 + 1);
        for (text, list_number) in [(" ", 0), ("[", 2), (" for ", 3), ("] : ", 4), ("{", 1)] {
            s.text(text)?;
            if list_number == 4 {
                types.push(s.r#type(known_types.get(place).copied())?);
                continue;
            }
            let known_lists = known_lists.get(list_number).and_then(|list| list.get(place).copied());
            let value = s.value(known_lists)?;
            if let Some(list) = lists.get_mut(list_number) {
                list.push(value);
            }
        }
        s.text("}")
    })?;
    s.set_types_at(call, 1, types);
    for (place, list) in [0, 2, 3, 4].into_iter().zip(lists) {
        s.add_values_at(call, place, list);
    }
    s.set_integer_items_at(call, 5, "i32", &numbers)
}
