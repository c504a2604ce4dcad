//! Simplifies the text of a module: types, numbers, and items of lists.
//!
//! A pass changes the text where a type or a number is written and parses it again, so that one change reaches all uses
//! of a type: values, function types and attributes. Bytecode is printed for this and assembled again.

use std::collections::BTreeSet;
use std::ops::Range;

use super::{Goal, Level, Search};

/// A replacement of parts of a text.
struct Edit {
    places: Vec<Range<usize>>,
    with: String,
}

/// A function that lists replacements in a text.
type TextPass = fn(&[u8]) -> Vec<Edit>;

pub(super) fn run(search: &mut Search<'_>) {
    if !search.form.is_text || !search.best.is_assembled() {
        return;
    }
    let passes: [TextPass; 3] = [types, numbers, strings];
    for pass in passes {
        let count = |text: &[u8]| pass(text).len();
        search.reduce_at(Level::Text, Goal::Simpler, 1, count, |text, range| {
            let edits = pass(text);
            applied(text, edits.get(range.start..range.end.min(edits.len()))?)
        });
    }
    let count = |text: &[u8]| items(text).len();
    search.reduce_at(Level::Text, Goal::Smaller, 1, count, |text, range| {
        let items = items(text);
        let places = items.get(range.start..range.end.min(items.len()))?.to_vec();
        applied(text, &[Edit { places, with: String::new() }])
    });
}

/// Applies edits; a later one that overlaps an earlier one is left out.
fn applied(text: &[u8], edits: &[Edit]) -> Option<Vec<u8>> {
    let mut places: Vec<(&Range<usize>, &str)> =
        edits.iter().flat_map(|edit| edit.places.iter().map(|place| (place, &*edit.with))).collect();
    places.sort_by_key(|(place, _)| place.start);
    let (mut changed, mut end) = (Vec::with_capacity(text.len()), 0);
    for (place, with) in places {
        if place.start >= end {
            changed.extend_from_slice(text.get(end..place.start)?);
            changed.extend_from_slice(with.as_bytes());
            end = place.end;
        }
    }
    changed.extend_from_slice(text.get(end..)?);
    Some(changed)
}

/// Returns the words of a text: runs of letters, digits, `_`, `.`, `$`, `?`, with the byte before them.
fn words(text: &[u8]) -> Vec<(u8, Range<usize>)> {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || b"_.$?".contains(&byte);
    let (mut words, mut start, mut in_string) = (Vec::new(), None::<usize>, false);
    for (place, &byte) in text.iter().enumerate() {
        in_string ^= byte == b'"' && (place == 0 || text[place - 1] != b'\\');
        match (start, is_part(byte) && !in_string) {
            (None, true) => start = Some(place),
            (Some(first), false) => {
                let before = first.checked_sub(1).map_or(b' ', |place| text[place]);
                words.push((before, first..place));
                start = None;
            }
            _ => {}
        }
    }
    words
}

/// Returns one edit for each distinct type that can be simpler: dimensions become 1, numbers `i1`, `i32` or `f32`.
fn types(text: &[u8]) -> Vec<Edit> {
    let words = words(text);
    let word = |range: &Range<usize>| String::from_utf8_lossy(&text[range.clone()]).into_owned();
    let mut distinct: BTreeSet<(String, String)> = BTreeSet::new();
    for (before, range) in words.iter().filter(|(before, _)| !b"%@#^!".contains(before)) {
        for simpler in simpler_types(&word(range), *before) {
            distinct.insert((word(range), simpler));
        }
    }
    let edit = |(name, with): (String, String)| {
        let is_same =
            |(before, range): &&(u8, Range<usize>)| !b"%@#^!".contains(before) && word(range) == name;
        Edit { places: words.iter().filter(is_same).map(|(_, range)| range.clone()).collect(), with }
    };
    distinct.into_iter().map(edit).collect()
}

/// Returns simpler words for a scalar type or for dimensions with an element type, such as `4x?xf64`.
fn simpler_types(word: &str, before: u8) -> Vec<String> {
    let is_number =
        |part: &str| part == "?" || (!part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()));
    let (dimensions, element) = match word.rfind('x').filter(|_| matches!(before, b'<' | b'x')) {
        Some(end) if word[..end].split('x').all(is_number) => word.split_at(end + 1),
        _ => ("", word),
    };
    let mut simpler = Vec::new();
    if !dimensions.is_empty() {
        let single: String = dimensions.trim_end_matches('x').split('x').map(|_| "1x").collect();
        simpler.push(format!("{single}{element}"));
        simpler.push(format!("1x{element}"));
    }
    let width = element.strip_prefix('i').and_then(|width| width.parse::<u32>().ok());
    let elements: &[&str] = match (width, element) {
        (Some(width), _) if width > 32 => &["i1", "i32"],
        (Some(width), _) if width > 1 => &["i1"],
        (None, "f64" | "f16" | "bf16" | "f80" | "f128") => &["f32"],
        _ => &[],
    };
    simpler.extend(elements.iter().map(|element| format!("{dimensions}{element}")));
    simpler.retain(|simpler| simpler != word);
    simpler
}

/// Returns an edit for each integer above one, which becomes 1.
fn numbers(text: &[u8]) -> Vec<Edit> {
    let is_large = |(before, range): &(u8, Range<usize>)| {
        let word = &text[range.clone()];
        !b"%@#^!".contains(before) && word.iter().all(u8::is_ascii_digit) && word != b"0" && word != b"1"
    };
    let words = words(text).into_iter().filter(is_large);
    words.map(|(_, place)| Edit { places: vec![place], with: "1".to_owned() }).collect()
}

/// Returns an edit for each string that is not empty.
fn strings(text: &[u8]) -> Vec<Edit> {
    let quotes = text
        .iter()
        .enumerate()
        .filter(|&(place, byte)| *byte == b'"' && (place == 0 || text[place - 1] != b'\\'));
    let quotes: Vec<usize> = quotes.map(|(place, _)| place).collect();
    let inside = quotes.chunks_exact(2).map(|pair| pair[0] + 1..pair[1]).filter(|range| !range.is_empty());
    inside.map(|place| Edit { places: vec![place], with: String::new() }).collect()
}

/// Returns the items of lists, with one comma each.
fn items(text: &[u8]) -> Vec<Range<usize>> {
    let (mut items, mut open, mut in_string) = (Vec::new(), Vec::<(usize, bool)>::new(), false);
    for (place, &byte) in text.iter().enumerate() {
        let before = place.checked_sub(1).map_or(b' ', |place| text[place]);
        in_string ^= byte == b'"' && before != b'\\';
        if in_string || (byte == b'>' && before == b'-') {
            continue;
        }
        match byte {
            b'(' | b'[' | b'{' | b'<' => open.push((place + 1, false)),
            b',' => {
                if let Some((start, is_later)) = open.last_mut() {
                    // The first item goes with the comma after it, a later one with the comma before it.
                    items.push(if *is_later { *start..place } else { *start..place + 1 });
                    (*start, *is_later) = (place, true);
                }
            }
            b')' | b']' | b'}' | b'>' => {
                if let Some((start, _)) = open.pop()
                    && byte != b'}'
                    && start < place
                {
                    items.push(start..place);
                }
            }
            _ => {}
        }
    }
    items
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_get_simpler_everywhere() {
        let text = b"(tensor<4x?xf64>, i64) -> tensor<4x?xf64>, @i64, %4x8xf32 ";
        let all: Vec<String> = types(text)
            .iter()
            .map(|edit| String::from_utf8(applied(text, std::slice::from_ref(edit)).unwrap()).unwrap())
            .collect();
        assert!(
            all.contains(&"(tensor<1x1xf64>, i64) -> tensor<1x1xf64>, @i64, %4x8xf32 ".to_owned()),
            "{all:?}"
        );
        assert!(
            all.contains(&"(tensor<4x?xf32>, i64) -> tensor<4x?xf32>, @i64, %4x8xf32 ".to_owned()),
            "{all:?}"
        );
        assert!(
            all.contains(&"(tensor<4x?xf64>, i1) -> tensor<4x?xf64>, @i64, %4x8xf32 ".to_owned()),
            "{all:?}"
        );
    }

    #[test]
    fn items_are_removed_with_a_comma() {
        let text = b"f(a, [1, 2], \"x,y\")";
        let all: Vec<String> = items(text)
            .into_iter()
            .map(|place| String::from_utf8([&text[..place.start], &text[place.end..]].concat()).unwrap())
            .collect();
        assert!(all.contains(&"f( [1, 2], \"x,y\")".to_owned()), "{all:?}");
        assert!(all.contains(&"f(a, [1], \"x,y\")".to_owned()), "{all:?}");
        assert!(all.contains(&"f(a, [1, 2])".to_owned()), "{all:?}");
    }
}
