//! Directives of `transform` (`mlir/lib/Dialect/Transform/IR/TransformOps.cpp`,
//! `mlir/lib/Dialect/Linalg/TransformOps/LinalgTransformOps.cpp`).

use std::collections::HashSet;

use crate::assembly::syntax_steps::SyntaxSteps;
use crate::assembly::{Bracket, DirectiveSyntax, Values, Written};
use crate::attr::text::lexer::TokenKind;

use super::steps::DirectiveSteps;

directives! {
    LoopResults: "LoopResults" => loop_results,
    PassOptions: "ApplyRegisteredPassOptions" => pass_options,
    SequenceOperands: "SequenceOpOperands" => sequence_operands,
    SplitPoint: "SplitPoint" => split_point,
    TiledTypes: "TiledTypes" => tiled_types,
}

/// `%root, %a : (type, type)`, `%root : type`, or nothing
fn sequence_operands<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let (root, extra) = (s.values_at(call, 0)?, s.values_at(call, 2)?);
    let Some(first) = s.optional_value(root.first().copied())? else { return Ok(()) };
    let (mut values, mut types) = (Vec::new(), Vec::new());
    if s.optional_text(", ", |_| Ok(!extra.is_empty()))? {
        values = s.values(&extra)?;
    }
    s.text(" : ")?;
    let has_parentheses = s.optional_text("(", |_| Ok(!extra.is_empty()))?;
    let known_root_type = s.types_of(&root).first().copied();
    let root_type = s.r#type(known_root_type)?;
    if !values.is_empty() {
        s.text(", ")?;
        let known_extra_types = s.types_of(&extra);
        types = s.types(&known_extra_types)?;
    }
    s.same_count(values.len(), types.len())?;
    if has_parentheses {
        s.text(")")?;
    }
    s.give_at(call, 0, vec![first], vec![root_type]);
    s.give_at(call, 2, values, types);
    Ok(())
}

/// The values of options: an operand is an attribute with its number.
struct Options<S: DirectiveSyntax> {
    known: Vec<S::Value>,
    read: Vec<S::Value>,
}

/// `{"name" = value, list = [value, %parameter]}`, or nothing without options.
fn pass_options<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let pairs = s.needed_at(call, 0)?.map(|known_pairs| s.pairs(known_pairs));
    let known_pairs = match pairs {
        Some(pairs) => s.some(pairs)?,
        None => Vec::new(),
    };
    let mut options = Options { known: s.values_at(call, 1)?.to_vec(), read: Vec::new() };
    let mut entries = Vec::new();
    if S::PRINTS && known_pairs.is_empty() {
        return Ok(());
    }
    s.list(Bracket::Curly, known_pairs.len(), |s, place| {
        let (name, value) = known_pairs.get(place).copied().unzip();
        let mut option_name = Vec::new();
        match S::PRINTS {
            true => drop(s.attribute(name)?),
            false => option_name = s.bare_name(None, "the name of an option")?,
        }
        s.text(" = ")?;
        entries.push((option_name, options.value(s, value)?));
        Ok(())
    })?;
    let name = s.name_at(call, 0);
    s.set_dictionary(&name, entries)?;
    s.add_values_at(call, 1, options.read);
    Ok(())
}

impl<S: DirectiveSyntax> Options<S> {
    /// A value, or a list of values in brackets.
    fn value(&mut self, s: &mut S, known_attribute: Option<S::Attribute>) -> Result<S::Attribute, S::Error> {
        let items =
            known_attribute.filter(|_| S::PRINTS).and_then(|known_attribute| s.items(known_attribute));
        if !s.at(TokenKind::LeftSquare, |_| Ok(items.is_some()))? {
            return self.option(s, known_attribute);
        }
        let (Some(known_attribute), Some(items)) = (known_attribute, items) else {
            return self.read_lists(s);
        };
        s.list(Bracket::Square, items.len(), |s, place| self.option(s, items.get(place).copied()).map(drop))?;
        Ok(known_attribute)
    }

    /// Lists in lists are read one after the other, without recursion.
    fn read_lists(&mut self, s: &mut S) -> Result<S::Attribute, S::Error> {
        let mut open: Vec<Vec<S::Attribute>> = Vec::new();
        loop {
            if s.optional_text("[", |_| Ok(false))? {
                open.push(Vec::new());
                continue;
            }
            let mut value = self.option(s, None)?;
            loop {
                let Some(items) = open.last_mut() else { return Ok(value) };
                items.push(value);
                if s.optional_text(",", |_| Ok(false))? {
                    break;
                }
                s.text("]")?;
                let array = s.array_attribute(&open.pop().unwrap_or_default())?;
                value = s.some(array)?;
            }
        }
    }

    fn option(&mut self, s: &mut S, known_attribute: Option<S::Attribute>) -> Result<S::Attribute, S::Error> {
        let place = known_attribute.and_then(|known_attribute| place_of_parameter(s, known_attribute));
        let operand = place.and_then(|place| self.known.get(place).copied());
        s.require(place.is_some() == operand.is_some())?;
        let Some(operand) = s.optional_value(operand)? else {
            require_no_parameters(s, known_attribute)?;
            return s.attribute(known_attribute);
        };
        if let Some(known_attribute) = known_attribute {
            return Ok(known_attribute);
        }
        let number = self.read.len();
        self.read.push(operand);
        let value = s.attribute_of_text(&format!("#transform.param_operand<index = {number} : i64>"))?;
        s.some(value)
    }
}

/// Refuses a list of lists that have operands.
fn require_no_parameters<S: DirectiveSyntax>(s: &mut S, value: Option<S::Attribute>) -> Written<S> {
    let (mut lists, mut seen) = (Vec::from_iter(value), HashSet::new());
    while let Some(list) = lists.pop() {
        if !seen.insert(list) {
            continue;
        }
        for item in s.items(list).unwrap_or_default() {
            let place = place_of_parameter(s, item);
            s.require(place.is_none())?;
            lists.push(item);
        }
    }
    Ok(())
}

/// The number of the operand that an attribute stands for. The dialect stores its parameter as text.
fn place_of_parameter<S: DirectiveSyntax>(s: &mut S, value: S::Attribute) -> Option<usize> {
    let text = s.text_of(value)?;
    let inner_text = text.strip_prefix("#transform.param_operand<")?;
    inner_text.trim_start_matches("index = ").split([' ', '>']).next()?.parse().ok()
}

/// `4`, or `%a`
fn split_point<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    const DYNAMIC: i64 = i64::MIN;
    let (known_number, known_values) = (s.integer_at(call, 1)?, s.values_at(call, 0)?);
    s.require(known_number.is_some() || !S::PRINTS)?;
    s.require(known_number != Some(DYNAMIC) || known_values.len() == 1)?;
    let known_value = known_values.first().copied().filter(|_| known_number == Some(DYNAMIC));
    let number = match s.optional_value(known_value)? {
        Some(value) => {
            s.add_values_at(call, 0, vec![value]);
            DYNAMIC
        }
        None => s.integer(known_number)?,
    };
    s.set_integer_at(call, 1, number, "i64")
}

// ---- operations of MLIR 16 ----

/// The number of results: the tiled operation, and a loop for each size that was read and is not zero.
fn result_count<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Result<usize, S::Error> {
    let sizes = s.read_attribute_at(call, 0);
    if let Some(sizes) = sizes.and_then(|sizes| s.integers_in(sizes)) {
        return Ok(1 + sizes.iter().filter(|&&size| size != 0).count());
    }
    let Some(sizes) = sizes.and_then(|sizes| s.items(sizes)) else {
        let name = s.name_at(call, 0);
        return Err(s.refuse(format!("attribute `{name}` is missing, or not an array")));
    };
    let is_loop = |s: &mut S, size| !s.text_of(size).is_some_and(|text| text.starts_with("0 "));
    Ok(1 + sizes.into_iter().filter(|&size| is_loop(s, size)).count())
}

/// `(type, type) -> (type, type)`
fn tiled_types<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let (operands, known_results) = (s.all_operands(), s.all_results());
    let known_types = s.types_of(&operands);
    let (types, results) = s.function_type(&known_types, &known_results)?;
    if !S::PRINTS {
        let count = result_count(s, call)?;
        if results.len() != count {
            return Err(s.refuse(format!("expected `{count}` types of results")));
        }
    }
    s.set_types(Values::AllOperands, types);
    s.set_all_results(results);
    Ok(())
}

/// The types of results, which the text omits.
fn loop_results<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    if let Some(operation) = s.named_type("!pdl.operation")? {
        let count = result_count(s, call)?;
        let results = s.repeated_type(operation, count)?;
        s.set_all_results(results);
    }
    Ok(())
}
