//! Operations of `affine` with formats that are written by hand (`mlir/lib/Dialect/Affine/IR/AffineOps.cpp`).

use std::collections::HashSet;

use crate::ir::ValueId;
use crate::release::Llvm;

use super::HandWritten;
use super::draft::{Draft, Drafted};
use super::func::{argument_names, initialization_list, yielding_region};
use super::plan::RegionStyle;

pub(super) fn find(name: &str) -> Option<HandWritten> {
    Some(match name {
        "dma_start" => dma_start,
        "dma_wait" => dma_wait,
        "for" => r#for,
        "parallel" => parallel,
        _ => return None,
    })
}

/// A map by its text.
pub(super) struct Map {
    pub(super) dimensions: usize,
    pub(super) symbols: usize,
    pub(super) results: Vec<String>,
}

impl Map {
    /// Reads `affine_map<(d0)[s0] -> (d0 + s0)>`, or a set.
    pub(super) fn read(text: &[u8]) -> Option<Self> {
        let text = std::str::from_utf8(text).ok()?;
        let inner = text.split_once('<')?.1.strip_suffix('>')?;
        let is_set = text.starts_with("affine_set");
        let (names, results) = inner.split_once(if is_set { " : " } else { " -> " })?;
        let (dimensions, symbols) = names.split_once(')')?;
        let count = |list: &str| list.split(", ").filter(|name| !name.is_empty()).count();
        let results = results.strip_prefix('(')?.strip_suffix(')')?;
        let mut found = Vec::new();
        let (mut depth, mut start) = (0usize, 0);
        for (at, byte) in results.bytes().enumerate() {
            match byte {
                b'(' => depth += 1,
                b')' => depth = depth.checked_sub(1)?,
                b',' if depth == 0 => {
                    found.push(results.get(start..at)?.to_owned());
                    start = at + 2;
                }
                _ => {}
            }
        }
        if !results.is_empty() {
            found.push(results.get(start..)?.to_owned());
        }
        Some(Self {
            dimensions: count(dimensions.strip_prefix('(')?),
            symbols: count(symbols.trim_start_matches('[').trim_end_matches(']')),
            results: found,
        })
    }
}

impl Map {
    /// Whether the results mention all dimensions and all symbols, each for the first time in order.
    fn is_numbered_by_use(&self) -> bool {
        let (mut dimensions, mut symbols) = (0, 0);
        for result in &self.results {
            for word in result.split(|letter: char| !letter.is_ascii_alphanumeric()) {
                let input =
                    word.split_at_checked(1).map(|(letter, digits)| (letter, digits.parse::<usize>()));
                let (next, number) = match input {
                    Some(("d", Ok(number))) => (&mut dimensions, number),
                    Some(("s", Ok(number))) => (&mut symbols, number),
                    _ => continue,
                };
                if number > *next {
                    return false;
                }
                *next = (*next).max(number + 1);
            }
        }
        (dimensions, symbols) == (self.dimensions, self.symbols)
    }
}

fn has_repeated(values: &[ValueId]) -> bool {
    /// More are compared by their hashes.
    const FEW: usize = 8;
    match values {
        [] | [_] => false,
        few if few.len() <= FEW => few.iter().enumerate().any(|(place, value)| few[..place].contains(value)),
        many => many.iter().map(|value| value.to_bits()).collect::<HashSet<u32>>().len() < many.len(),
    }
}

/// The map in an attribute.
pub(super) fn map_in(draft: &mut Draft<'_, '_, '_>, attribute: u32) -> Option<Map> {
    let text = draft.plain_text(attribute);
    Map::read(&text)
}

/// `(%a)[%b]` (`printDimAndSymbolList`).
pub(super) fn dimensions_and_symbols(
    draft: &mut Draft<'_, '_, '_>,
    operands: &[ValueId],
    dimensions: usize,
) -> Drafted {
    let (dimensions, symbols) = operands.split_at_checked(dimensions)?;
    draft.text("(");
    draft.values(dimensions);
    draft.text(")");
    if !symbols.is_empty() {
        draft.text("[");
        draft.values(symbols);
        draft.text("]");
    }
    Some(())
}

/// The results of a map with values in place of its inputs (`AsmPrinter::printAffineMapOfSSAIds`).
pub(super) fn map_of_values(draft: &mut Draft<'_, '_, '_>, map: &Map, operands: &[ValueId]) -> Drafted {
    if operands.len() != map.dimensions + map.symbols {
        return None;
    }
    // The parser numbers values as they occur.
    if !map.is_numbered_by_use() || has_repeated(operands) {
        draft.lost.get_or_insert("operands that its map does not use or has in another order");
    }
    draft.list(&map.results, |draft, result| expression(draft, map, result, operands))
}

fn expression(draft: &mut Draft<'_, '_, '_>, map: &Map, text: &str, operands: &[ValueId]) -> Drafted {
    let mut rest = text;
    while let Some(at) = rest.find(|letter: char| letter.is_ascii_alphabetic()) {
        let (before, word) = rest.split_at(at);
        draft.text(before);
        let len = word.find(|letter: char| !letter.is_ascii_alphanumeric()).unwrap_or(word.len());
        let (word, after) = word.split_at(len);
        let input = word
            .split_at_checked(1)
            .and_then(|(letter, digits)| Some((letter, digits.parse::<usize>().ok()?)));
        match input {
            Some(("d", number)) => draft.value(*operands.get(number)?),
            Some(("s", number)) => {
                draft.text("symbol(");
                draft.value(*operands.get(map.dimensions + number)?);
                draft.text(")");
            }
            // `mod`, `floordiv`, `ceildiv`
            _ => draft.text(word),
        }
        rest = after;
    }
    draft.text(rest);
    Some(())
}

// Before release 18 the attributes of `affine.for` are not in its definition.
fn own(draft: &Draft<'_, '_, '_>, name: &str) -> Option<u32> {
    draft.attr(name).or_else(|| draft.discardable_attr(name))
}

fn bound(draft: &mut Draft<'_, '_, '_>, name: &str, operands: &[ValueId], prefix: &str) -> Drafted {
    let attribute = own(draft, name)?;
    let map = map_in(draft, attribute)?;
    match &map.results[..] {
        [only] => {
            let is_constant =
                only.strip_prefix('-').unwrap_or(only).bytes().all(|byte| byte.is_ascii_digit());
            if map.dimensions == 0 && map.symbols == 0 && is_constant {
                draft.text(only);
                return Some(());
            }
            if map.dimensions == 0 && map.symbols == 1 && only == "s0" {
                draft.value(*operands.first()?);
                return Some(());
            }
        }
        _ => {
            draft.text(prefix);
            draft.text(" ");
        }
    }
    draft.attribute(attribute);
    dimensions_and_symbols(draft, operands, map.dimensions)
}

fn r#for(draft: &mut Draft<'_, '_, '_>) -> Drafted {
    let arguments = draft.regions()?.arguments(0);
    let names = ["lowerBoundMap", "upperBoundMap", "step"];
    let old_names = ["lower_bound", "upper_bound", "step"];
    let is_new = draft.definition.attribute(names[0]).is_some();
    let names = if is_new { names } else { old_names };
    let (lower, upper, inits) = match is_new {
        true => {
            let lower = draft.operands_named("lowerBoundOperands")?;
            (lower, draft.operands_named("upperBoundOperands")?, draft.operands_named("inits")?)
        }
        // Without segment sizes, they follow from the maps.
        false => {
            let operands = draft.all_operands();
            let inputs = |map: Map| map.dimensions + map.symbols;
            let maps = [own(draft, names[0])?, own(draft, names[1])?];
            let of_lower = inputs(map_in(draft, maps[0])?);
            let of_upper = inputs(map_in(draft, maps[1])?);
            let (lower, rest) = operands.split_at_checked(of_lower)?;
            let (upper, inits) = rest.split_at_checked(of_upper)?;
            (lower, upper, inits)
        }
    };
    draft.text(" ");
    argument_names(draft, arguments.start..arguments.start + 1)?;
    draft.argument_location(arguments.start);
    draft.text(" = ");
    bound(draft, names[0], lower, "max")?;
    draft.text(" to ");
    bound(draft, names[1], upper, "min")?;
    let step = own(draft, names[2])?;
    let step = *draft.integers(step)?.first()?;
    if step != 1 {
        draft.text(" step ");
        draft.number(step);
    }
    initialization_list(draft, " iter_args", arguments.start + 1..arguments.end, inits)?;
    if !inits.is_empty() {
        draft.text(" -> (");
        draft.types(draft.all_results());
        draft.text(")");
    }
    draft.text(" ");
    yielding_region(draft, 0, RegionStyle::BODY, !inits.is_empty())?;
    draft.attr_dict(&names)
}

// The results of a map in groups; a group of several is a minimum or maximum.
fn grouped_bounds(
    draft: &mut Draft<'_, '_, '_>,
    names: [&str; 2],
    operands: &[ValueId],
    keyword: &str,
) -> Drafted {
    let attribute = draft.attr(names[0])?;
    let map = map_in(draft, attribute)?;
    if operands.len() != map.dimensions + map.symbols {
        return None;
    }
    let groups = draft.integers_of(names[1])?;
    let mut results = map.results.iter();
    draft.list(groups, |draft, count| {
        let is_several = count > 1;
        if is_several {
            draft.text(keyword);
            draft.text("(");
        }
        let group: Vec<&String> = results.by_ref().take(usize::try_from(count).ok()?).collect();
        draft.list(group, |draft, result| expression(draft, &map, result, operands))?;
        draft.text(if is_several { ")" } else { "" });
        Some(())
    })
}

fn parallel(draft: &mut Draft<'_, '_, '_>) -> Drafted {
    let arguments = draft.regions()?.arguments(0);
    let operands = draft.all_operands();
    let lower = draft.attr("lowerBoundsMap")?;
    let lower = map_in(draft, lower)?;
    let (lower_operands, upper_operands) = operands.split_at_checked(lower.dimensions + lower.symbols)?;
    draft.text(" (");
    argument_names(draft, arguments)?;
    draft.text(") = (");
    grouped_bounds(draft, ["lowerBoundsMap", "lowerBoundsGroups"], lower_operands, "max")?;
    draft.text(") to (");
    grouped_bounds(draft, ["upperBoundsMap", "upperBoundsGroups"], upper_operands, "min")?;
    draft.text(")");
    let steps = draft.integers_of("steps")?;
    if steps.iter().any(|&step| step != 1) {
        draft.text(" step (");
        draft.list(steps, |draft, step| {
            draft.number(step);
            Some(())
        })?;
        draft.text(")");
    }
    let results = draft.all_results();
    if !results.is_empty() {
        draft.text(" reduce (");
        let reductions = draft.items(draft.attr("reductions")?)?;
        draft.list(reductions, |draft, reduction| {
            let kind = *draft.integers(reduction)?.first()?;
            let name = *reductions_of(draft.release).get(usize::try_from(kind).ok()?)?;
            draft.quoted(name.as_bytes());
            Some(())
        })?;
        draft.text(") -> (");
        draft.types(results);
        draft.text(")");
    }
    draft.text(" ");
    yielding_region(draft, 0, RegionStyle::BODY, !results.is_empty())?;
    draft.attr_dict(&[
        "reductions",
        "lowerBoundsMap",
        "lowerBoundsGroups",
        "upperBoundsMap",
        "upperBoundsGroups",
        "steps",
    ])
}

// `%m[%i + 1]` with the map of that name; returns the operands that follow.
fn mapped<'v>(draft: &mut Draft<'_, '_, '_>, operands: &'v [ValueId], name: &str) -> Option<&'v [ValueId]> {
    let (&memref, rest) = operands.split_first()?;
    let attribute = own(draft, name)?;
    let map = map_in(draft, attribute)?;
    let (indices, rest) = rest.split_at_checked(map.dimensions + map.symbols)?;
    draft.value(memref);
    draft.text("[");
    map_of_values(draft, &map, indices)?;
    draft.text("]");
    Some(rest)
}

fn note_other_attributes(draft: &mut Draft<'_, '_, '_>, shown: &[&str]) -> Drafted {
    if !draft.dictionary_entries(shown, false)?.is_empty() {
        *draft.lost = Some("its other attributes");
    }
    Some(())
}

fn dma_start(draft: &mut Draft<'_, '_, '_>) -> Drafted {
    let operands = draft.all_operands();
    draft.text(" ");
    let mut rest = operands;
    let mut memrefs = Vec::new();
    for name in ["src_map", "dst_map", "tag_map"] {
        memrefs.push(*rest.first()?);
        rest = mapped(draft, rest, name)?;
        draft.text(", ");
    }
    if !matches!(rest.len(), 1 | 3) {
        return None;
    }
    draft.values(rest);
    draft.text(" : ");
    draft.types_of(&memrefs);
    note_other_attributes(draft, &["src_map", "dst_map", "tag_map"])
}

fn dma_wait(draft: &mut Draft<'_, '_, '_>) -> Drafted {
    let operands = draft.all_operands();
    draft.text(" ");
    let rest = mapped(draft, operands, "tag_map")?;
    draft.text(", ");
    draft.values(rest);
    draft.text(" : ");
    draft.types_of(operands.get(..1)?);
    note_other_attributes(draft, &["tag_map"])
}

// `AtomicRMWKind` in `mlir/include/mlir/Dialect/Arith/IR/ArithBase.td`, by number.
fn reductions_of(release: Llvm) -> &'static [&'static str] {
    match release.0 {
        ..18 => &[
            "addf", "addi", "assign", "maxf", "maxs", "maxu", "minf", "mins", "minu", "mulf", "muli", "ori",
            "andi",
        ],
        18..22 => &[
            "addf", "addi", "assign", "maximumf", "maxs", "maxu", "minimumf", "mins", "minu", "mulf", "muli",
            "ori", "andi", "maxnumf", "minnumf",
        ],
        _ => &[
            "addf", "addi", "andi", "assign", "maximumf", "maxnumf", "maxs", "maxu", "minimumf", "minnumf",
            "mins", "minu", "mulf", "muli", "ori", "xori",
        ],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn maps_are_read_from_their_text() {
        let map = Map::read(b"affine_map<(d0, d1)[s0] -> (d0 + s0, (d1 floordiv 2) mod 3)>").unwrap();
        assert_eq!((map.dimensions, map.symbols), (2, 1));
        assert_eq!(map.results, ["d0 + s0", "(d1 floordiv 2) mod 3"]);
        let empty = Map::read(b"affine_map<() -> ()>").unwrap();
        assert_eq!((empty.dimensions, empty.symbols, empty.results.len()), (0, 0, 0));
        assert_eq!(Map::read(b"affine_set<(d0)[s0] : (d0 - s0 >= 0)>").unwrap().symbols, 1);
    }
}
