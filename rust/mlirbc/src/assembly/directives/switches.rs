//! The cases of switches.

use crate::assembly::syntax_steps::SyntaxSteps;
use crate::assembly::{DirectiveSyntax, Written};
use crate::attr::text::dense::Element;
use crate::attr::text::lexer::TokenKind;
use crate::ops::Multiplicity;

use super::steps::DirectiveSteps;

directives! {
    SwitchCases: "SwitchOpCases" => switch_cases,
}

/// The values of cases that are known, with the numbers of operands of their successors.
struct KnownCases {
    values: Vec<i128>,
    sizes: Vec<usize>,
}

/// `default: ^bb1(%a : i32), 1: ^bb2` of `cf`, or `1: ^bb2` of `llvm`, which has brackets.
fn switch_cases<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let has_default = S::argument_count(call) > 5;
    let first = if has_default { 4 } else { 1 };
    if has_default {
        s.text("  default: ")?;
        let known_values = s.values_at(call, 2)?;
        let (values, types) = s.successor_at(call, 1, 0, &known_values)?;
        s.give_at(call, 2, values, types);
    }
    let has_brackets = !has_default && s.optional_text("[", |s| Ok(s.release().brackets_switch_cases()))?;
    if has_brackets {
        s.newline();
    }
    let shown = known_cases(s, call, first, has_default)?;
    cases(s, call, first, &shown, [has_default, has_brackets])?;
    if s.attribute_at(call, first)?.is_some() {
        s.newline();
    }
    s.text(if has_brackets { "]" } else { "" })
}

fn known_cases<S: DirectiveSyntax>(
    s: &mut S,
    call: S::Call<'_>,
    first: usize,
    has_default: bool,
) -> Result<KnownCases, S::Error> {
    let Some(attribute) = s.attribute_at(call, first)? else {
        return Ok(KnownCases { values: Vec::new(), sizes: Vec::new() });
    };
    if s.elements_type(attribute).is_some_and(|of| s.is_tensor(of)) {
        s.lose("that its case values are a tensor");
    }
    // A splat has any number of elements; only as many as there are destinations are values of cases.
    let count = s.successor_count_at(call, first + 1);
    let elements = s.wide_integers(attribute, count);
    let (element, mut values) = s.some(elements)?;
    // Older releases print the bits of a case as an unsigned number.
    let release = s.release();
    let is_signed = if has_default { release.signs_cf_cases() } else { release.signs_llvm_cases() };
    let bits = element.bits();
    s.require(bits <= 64)?;
    for value in values.iter_mut().filter(|value| !is_signed && **value < 0) {
        *value += 1_i128 << bits;
    }
    let sizes = segments_name(s, call, first + 2).and_then(|name| s.integers_of(&name));
    let sizes = s.some(sizes)?;
    s.require(sizes.len() == values.len())?;
    let sizes: Result<Vec<usize>, _> = sizes.into_iter().map(usize::try_from).collect();
    let sizes = s.some(sizes.ok())?;
    Ok(KnownCases { values, sizes })
}

/// The attribute with the sizes of the groups of an operand.
pub(super) fn segments_name<S: DirectiveSyntax>(s: &S, call: S::Call<'_>, place: usize) -> Option<String> {
    let operand = s.definition().operands().get(S::number_at(call, place)?)?;
    match operand.multiplicity() {
        Multiplicity::VariadicOfVariadic(name) => Some(name.to_string()),
        _ => None,
    }
}

fn cases<S: DirectiveSyntax>(
    s: &mut S,
    call: S::Call<'_>,
    first: usize,
    known: &KnownCases,
    [has_default, has_brackets]: [bool; 2],
) -> Written<S> {
    let is_known = !known.values.is_empty();
    let mut goes_on = match (has_default, has_brackets) {
        (true, _) => s.optional_text(",", |_| Ok(is_known))?,
        (false, true) => !s.at(TokenKind::RightSquare, |_| Ok(!is_known))?,
        (false, false) => {
            s.at(TokenKind::Integer, |_| Ok(is_known))? || s.at(TokenKind::Minus, |_| Ok(false))?
        }
    };
    let flag_type = s.read_types_at(call, 0).first().copied();
    let element = flag_type.and_then(|flag_type| s.number_type(flag_type));
    let operands = s.values_at(call, first + 2)?;
    let (mut remaining, mut place) = (&*operands, 0);
    let (mut numbers, mut sizes) = (Vec::new(), Vec::new());
    let (mut values, mut types) = (Vec::new(), Vec::new());
    while goes_on {
        if has_default || place > 0 {
            s.newline();
        }
        s.text("  ")?;
        numbers.push(case_number(s, known.values.get(place).copied(), element)?);
        s.text(": ")?;
        let size = known.sizes.get(place).copied().unwrap_or_default();
        let (case_operands, later_operands) = s.some(remaining.split_at_checked(size))?;
        remaining = later_operands;
        let (case_values, case_types) = s.successor_at(call, first + 1, place, case_operands)?;
        sizes.push(case_values.len() as i64);
        values.extend(case_values);
        types.extend(case_types);
        place += 1;
        goes_on = s.optional_text(",", |_| Ok(place < known.values.len()))?;
    }
    s.add_values_at(call, first + 2, values);
    s.set_types_at(call, first + 3, types);
    give_cases(s, call, first, flag_type, &numbers, &sizes)
}

/// A number of a case, as MLIR prints it.
fn case_number<S: DirectiveSyntax>(
    s: &mut S,
    known_number: Option<i128>,
    element: Option<Element>,
) -> Result<i64, S::Error> {
    if known_number.is_some_and(|known_number| i64::try_from(known_number).is_err()) {
        // MLIR prints an unsigned number of 64 bits, but its parser reads signed numbers.
        s.lose("the sign of a case value, whose number the parser rejects");
    }
    s.number_of(known_number, element)
}

fn give_cases<S: DirectiveSyntax>(
    s: &mut S,
    call: S::Call<'_>,
    first: usize,
    of: Option<S::Type>,
    numbers: &[i64],
    sizes: &[i64],
) -> Written<S> {
    if S::PRINTS {
        return Ok(());
    }
    if let Some(name) = segments_name(s, call, first + 2) {
        s.set_integers(&name, "i32", sizes)?;
    }
    match of.filter(|_| !numbers.is_empty()) {
        Some(element) => {
            let name = s.name_at(call, first);
            s.set_vector(&name, element, numbers)
        }
        None => Ok(()),
    }
}
