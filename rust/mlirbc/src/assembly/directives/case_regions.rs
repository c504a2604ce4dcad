//! Cases of switches that are regions, each after its pattern on a line of its own.

use crate::assembly::syntax_steps::SyntaxSteps;
use crate::assembly::{DirectiveSyntax, Flow, Progress, RegionStyle, Written};
use crate::attr::text::escape::write_keyword_or_string;
use crate::attr::text::items::{inside, split_at};

use super::steps::DirectiveSteps;

directives! {
    OptionalCase: "OptionalCase" => optional_case; ;
    CasesOfNames: "CasesOfNames" => cases_of_names,
    CasesOfPatterns: "CasesOfPatterns" => cases_of_patterns,
}

/// The letters of two bits of a pattern.
const LETTERS: [char; 4] = ['0', '1', 'x', 'z'];

/// ` word`, a case of an enumeration, or nothing for the first one of these cases.
fn optional_case<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let cases = (1..S::argument_count(call)).filter_map(|place| S::code_at(call, place));
    let cases: Vec<String> = cases.map(str::to_owned).collect();
    let known_attribute = s.attribute_at(call, 0)?;
    let known_case = match known_attribute {
        None => cases.first().cloned(),
        Some(known_attribute) => match s.integers_in(known_attribute) {
            Some(numbers) => {
                numbers.first().and_then(|number| cases.get(usize::try_from(*number).ok()?).cloned())
            }
            None => s.case_of(known_attribute),
        },
    };
    let known_case = if S::PRINTS { Some(s.some(known_case)?) } else { None };
    for (number, case) in cases.iter().enumerate() {
        // A text may have the first case, too.
        if s.optional_text(&format!(" {case}"), |_| Ok(number > 0 && known_case.as_ref() == Some(case)))? {
            return set_case(s, call, number, case);
        }
    }
    let default = s.some(cases.first())?;
    s.require(known_case.is_none_or(|known_case| known_case == *default))?;
    set_case(s, call, 0, default)
}

/// Gives a case to the operation: an attribute of a class, or the number of the case.
fn set_case<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>, number: usize, case: &str) -> Written<S> {
    if S::PRINTS {
        return Ok(());
    }
    let place = S::number_at(call, 0);
    let attribute = place.and_then(|place| s.definition().attributes().get(place));
    let class = attribute.and_then(|attribute| attribute.constraint()?.class()?.split_once('.'));
    let text = match class {
        Some((dialect, mnemonic)) if s.release().brackets_cases() => format!("#{dialect}.{mnemonic}<{case}>"),
        Some((dialect, mnemonic)) => format!("#{dialect}<{mnemonic} {case}>"),
        None => format!("{number} : i32"),
    };
    s.set_text_at(call, 0, || text)
}

/// Lines of `case (1 : i8, "a") {…}`: patterns and names in arrays, and a region for each.
fn cases_of_names<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>, phase: u32) -> Flow<S> {
    let (known_patterns, known_names) = (s.items_at(call, 0)?, s.items_at(call, 1)?);
    s.require(!S::PRINTS || known_patterns.len() == known_names.len())?;
    let place = phase as usize;
    if place > 0 {
        s.give_block()?;
    }
    s.newline();
    if !s.optional_text("case (", |_| Ok(place < known_patterns.len()))? {
        if place == 0 {
            s.set_array_at(call, 0, &[])?;
            s.set_array_at(call, 1, &[])?;
        }
        return Ok(Progress::Done);
    }
    let pattern = s.attribute(known_patterns.get(place).copied())?;
    s.text(", ")?;
    let name = s.attribute(known_names.get(place).copied())?;
    s.text(") ")?;
    add_item(s, call, 0, pattern)?;
    add_item(s, call, 1, name)?;
    let region = s.region_at(call, 2, place)?;
    s.region(region, RegionStyle::FULL, Vec::new())
}

/// Adds an item to the array that was read before.
fn add_item<S: DirectiveSyntax>(
    s: &mut S,
    call: S::Call<'_>,
    place: usize,
    item: S::Attribute,
) -> Written<S> {
    if S::PRINTS {
        return Ok(());
    }
    let before = s.read_attribute_at(call, place).and_then(|array| s.items(array));
    let items: Vec<S::Attribute> = before.unwrap_or_default().into_iter().chain([item]).collect();
    s.set_array_at(call, place, &items)
}

/// Lines of `case b01x: {…}`, `case A: {…}`, `case %a: {…}` or `default: {…}`.
///
/// The patterns, the values, the regions, and the type of the value that selects a case; the names of the attributes of a word,
/// and of one that stands for a value.
fn cases_of_patterns<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>, phase: u32) -> Flow<S> {
    let known_patterns = s.items_at(call, 0)?;
    let place = phase as usize;
    let known_pattern = known_patterns.get(place).copied();
    if S::PRINTS && known_pattern.is_none() {
        return Ok(Progress::Done);
    }
    s.newline();
    let is_default = |s: &mut S| Ok(known_pattern.is_some_and(|pattern| s.is_unit(pattern)));
    if s.optional_text("default", is_default)? {
        if let Some(unit) = s.attribute_of_text("unit")? {
            add_item(s, call, 0, unit)?;
        }
    } else if s.optional_text("case ", |_| Ok(known_pattern.is_some()))? {
        match known_pattern {
            Some(pattern) => {
                print_pattern(s, call, pattern, known_patterns.get(..place).unwrap_or_default())?
            }
            None => read_pattern(s, call)?,
        }
    } else {
        if place == 0 {
            s.set_array_at(call, 0, &[])?;
        }
        return Ok(Progress::Done);
    }
    s.text(": ")?;
    let region = s.region_at(call, 2, place)?;
    s.region(region, RegionStyle::BODY, Vec::new())
}

fn print_pattern<S: DirectiveSyntax>(
    s: &mut S,
    call: S::Call<'_>,
    pattern: S::Attribute,
    earlier: &[S::Attribute],
) -> Written<S> {
    if let Some((element, words)) = s.integer_words(pattern) {
        let bits = bits_of(element.bits(), &words);
        let bits = s.some(bits)?;
        s.raw(format!("b{bits}").as_bytes());
        return Ok(());
    }
    let value_mark = S::code_at(call, 5).unwrap_or_default().to_owned();
    if is_mark(s, pattern, &value_mark) {
        let number = earlier.iter().filter(|&&before| is_mark(s, before, &value_mark)).count();
        let value = s.values_at(call, 1)?.get(number).copied();
        let value = s.some(value)?;
        return s.value(Some(value)).map(drop);
    }
    let text = s.text_of_attribute(pattern);
    let text = s.some(text)?;
    let word = split_at(inside(&text), b',').and_then(|parts| parts.first().map(|word| (*word).to_owned()));
    let word = s.some(word)?;
    s.raw(word.as_bytes());
    Ok(())
}

/// Whether an attribute is `#NAME`.
fn is_mark<S: DirectiveSyntax>(s: &mut S, attribute: S::Attribute, name: &str) -> bool {
    s.text_of_attribute(attribute).is_some_and(|text| text.strip_prefix('#') == Some(name))
}

/// The letters of a pattern, which has two bits for each.
fn bits_of(width: u32, words: &[u64]) -> Option<String> {
    let letter = |position: u32| {
        let (word, shift) = (words.get((position / 32) as usize)?, 2 * (position % 32));
        LETTERS.get(((word >> shift) & 3) as usize)
    };
    (0..width / 2).rev().map(letter).map(|letter| letter.copied()).collect()
}

fn read_pattern<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    if let Some(value) = s.optional_value(None)? {
        s.add_values_at(call, 1, vec![value]);
        let mark = S::code_at(call, 5).unwrap_or_default().to_owned();
        return add_text(s, call, &format!("#{mark}"));
    }
    let word = s.bare_name(None, "a pattern")?;
    let condition = s.read_types_at(call, 3).first().copied();
    let text = condition.and_then(|condition| s.text_of_type(condition));
    let text = s.some(text)?;
    let Some(element) = condition.and_then(|condition| s.number_type(condition)) else {
        let name = S::code_at(call, 4).unwrap_or_default().to_owned();
        let mut field = format!("#{name}<").into_bytes();
        write_keyword_or_string(&mut field, &word);
        field.extend_from_slice(format!(", {text}>").as_bytes());
        return add_text(s, call, &String::from_utf8_lossy(&field));
    };
    let pattern = number_of(&String::from_utf8_lossy(&word), element.bits());
    let Some(pattern) = pattern else {
        return Err(s.refuse(format!("a pattern is `b` and at most {} of `01xz`", element.bits().min(64))));
    };
    add_text(s, call, &format!("{pattern} : i{}", element.bits() * 2))
}

/// The number of a pattern `b01x`, whose higher letters may be missing.
fn number_of(pattern: &str, width: u32) -> Option<i128> {
    let letters = pattern.strip_prefix('b')?;
    if width == 0 || width > 63 || letters.len() > width as usize {
        return None;
    }
    let mut number = 0_i128;
    for letter in letters.chars() {
        let bits = LETTERS.iter().position(|known| *known == letter)?;
        number = (number << 2) | bits as i128;
    }
    // A number with the highest bit is printed as a negative one.
    let sign = 1_i128 << (2 * width - 1);
    Some(if number & sign == 0 { number } else { number - 2 * sign })
}

fn add_text<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>, text: &str) -> Written<S> {
    match s.attribute_of_text(text)? {
        Some(pattern) => add_item(s, call, 0, pattern),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::{bits_of, number_of};

    #[test]
    fn patterns_have_two_bits_for_each_letter() {
        assert_eq!(number_of("b1x", 8), Some(6));
        assert_eq!(number_of("b1x", 2), Some(6));
        assert_eq!(number_of("bzz", 2), Some(-1));
        for wrong in ["1x", "b2", "b000"] {
            assert_eq!(number_of(wrong, 2), None, "{wrong}");
        }
        assert_eq!(bits_of(16, &[6]).as_deref(), Some("0000001x"));
        assert_eq!(bits_of(130, &[0, 3, 1]), Some(format!("1{}z{}", "0".repeat(31), "0".repeat(32))));
        assert_eq!(bits_of(4, &[]), None);
    }
}
