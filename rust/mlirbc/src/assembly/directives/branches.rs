//! Branches with a list of cases.

use crate::assembly::syntax_steps::SyntaxSteps;
use crate::assembly::{DirectiveSyntax, Written};
use crate::attr::text::dense::Element;

use super::steps::DirectiveSteps;

directives! {
    CaseSuccessors: "CaseSuccessors" => case_successors,
}

/// The values that are compared in each case, and how many there are.
struct Compared<S: DirectiveSyntax> {
    known_values: Vec<S::Value>,
    known_sizes: Vec<i64>,
    values: Vec<S::Value>,
    sizes: Vec<i64>,
}

/// `1, ^bb1, unit, ^bb2(%a : f32)`, or with values: `#t.range, %a, %b, ^bb1`
///
/// An array of tags, sizes of groups of successor operands, successors, their operands and types. With compared values also
/// the sizes of their groups, the values, their types and the type that they have, and the number of values for tags, as in
/// `unit=0`; the last number is for other tags.
fn case_successors<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let (known_tags, known_sizes) = (s.items_at(call, 0)?, s.integers_at(call, 1)?);
    let known_values = s.values_at(call, 3)?;
    let count = s.successor_count_at(call, 2);
    s.require(known_tags.len() == count && known_sizes.len() == count)?;
    let mut remaining: &[S::Value] = &known_values;
    let mut compared = Compared::of(s, call)?;
    let (mut tags, mut sizes) = (Vec::new(), Vec::new());
    let (mut values, mut types) = (Vec::new(), Vec::new());
    s.separated(count, |s, place| {
        let tag = tag(s, known_tags.get(place).copied())?;
        tags.push(tag);
        s.text(", ")?;
        compared.write(s, call, tag, place)?;
        let size = known_sizes.get(place).map_or(Some(0), |&size| usize::try_from(size).ok());
        let split = size.and_then(|size| remaining.split_at_checked(size));
        let (own_operands, later) = s.some(split)?;
        remaining = later;
        let (read_values, read_types) = s.successor_at(call, 2, place, own_operands)?;
        sizes.push(read_values.len() as i64);
        values.extend(read_values);
        types.extend(read_types);
        Ok(())
    })?;
    s.require(remaining.is_empty())?;
    s.set_array_at(call, 0, &tags)?;
    s.set_integers_at(call, 1, "i32", &sizes)?;
    s.add_values_at(call, 3, values);
    s.set_types_at(call, 4, types);
    compared.give(s, call)
}

/// A number without its type, which is `i64`, or another attribute.
fn tag<S: DirectiveSyntax>(s: &mut S, known_tag: Option<S::Attribute>) -> Result<S::Attribute, S::Error> {
    let number = known_tag.and_then(|tag| Some((tag, s.integer_words(tag)?.0, s.integers_in(tag)?)));
    let Some((tag, element, numbers)) = number else { return s.attribute(known_tag) };
    if Element::from_name(b"i64") != Some(element) {
        s.lose("the type of a number that is not `i64`");
    }
    s.integer(numbers.first().copied())?;
    Ok(tag)
}

impl<S: DirectiveSyntax> Compared<S> {
    fn of(s: &mut S, call: S::Call<'_>) -> Result<Self, S::Error> {
        let mut compared =
            Self { known_values: Vec::new(), known_sizes: Vec::new(), values: Vec::new(), sizes: Vec::new() };
        if S::argument_count(call) > 5 {
            compared.known_sizes = s.integers_at(call, 5)?;
            compared.known_values = s.values_at(call, 6)?.to_vec();
            compared.known_values.reverse();
        }
        Ok(compared)
    }

    // `%a, %b, `
    fn write(&mut self, s: &mut S, call: S::Call<'_>, tag: S::Attribute, place: usize) -> Written<S> {
        if S::argument_count(call) <= 5 {
            return Ok(());
        }
        let size = size_of(s, call, tag);
        let size = s.some(size)?;
        s.require(self.known_sizes.get(place).is_none_or(|&known_size| known_size == size))?;
        for _ in 0..size {
            self.values.push(s.value(self.known_values.pop())?);
            s.text(", ")?;
        }
        self.sizes.push(size);
        Ok(())
    }

    fn give(self, s: &mut S, call: S::Call<'_>) -> Written<S> {
        if S::argument_count(call) <= 5 {
            return Ok(());
        }
        s.require(self.known_values.is_empty())?;
        s.set_integers_at(call, 5, "i32", &self.sizes)?;
        let r#type = s.read_types_at(call, 8).first().copied();
        if let Some(r#type) = r#type {
            s.set_types_at(call, 7, self.values.iter().map(|_| r#type).collect());
        } else if S::PRINTS {
            let types = s.types_at(call, 7)?;
            let selector = s.types_at(call, 8)?;
            let selector = s.some(selector.first().copied())?;
            s.implies_same(&types, selector);
        }
        s.add_values_at(call, 6, self.values);
        Ok(())
    }
}

/// How many values are compared for a tag.
fn size_of<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>, tag: S::Attribute) -> Option<i64> {
    let text = s.text_of(tag).unwrap_or_default();
    let mut sizes =
        (9..S::argument_count(call)).filter_map(|place| S::code_at(call, place)?.rsplit_once('='));
    let (_, size) = sizes.find(|(tag, _)| tag.is_empty() || *tag == text)?;
    size.parse().ok()
}
