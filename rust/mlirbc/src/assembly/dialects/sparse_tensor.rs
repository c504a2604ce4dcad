//! Operations of `sparse_tensor` (`mlir/lib/Dialect/SparseTensor/IR/SparseTensorDialect.cpp`).

use crate::assembly::blocks::CarriedValues;
use crate::assembly::syntax_steps::SyntaxSteps;
use crate::assembly::{Bracket, Flow, Progress, RegionStyle, Syntax};

forms! {
    /// The coordinates in use are bits of a number, and select arguments of the body.
    Iterate: "iterate" => iterate,
}

/// The arguments of the body that are known.
struct Arguments<S: Syntax> {
    iterator: Option<S::Argument>,
    coordinates: Vec<S::Argument>,
    of_loop: Vec<S::Argument>,
}

/// The values of the loop, the coordinates that are used, and the iterator, in the order of the release.
fn split<S: Syntax>(s: &mut S, inits: usize) -> Result<Arguments<S>, S::Error> {
    let all = s.arguments(0)?;
    let coordinates = all.len().checked_sub(inits + 1).filter(|_| S::PRINTS);
    let Some(coordinates) = coordinates else {
        s.require(!S::PRINTS)?;
        return Ok(Arguments { iterator: None, coordinates: Vec::new(), of_loop: Vec::new() });
    };
    Ok(match s.release().passes_iterators_last() {
        false => Arguments {
            iterator: all.first().copied(),
            coordinates: all[1..=coordinates].to_vec(),
            of_loop: all[coordinates + 1..].to_vec(),
        },
        true => Arguments {
            iterator: all.last().copied(),
            coordinates: all[inits..inits + coordinates].to_vec(),
            of_loop: all[..inits].to_vec(),
        },
    })
}

/// `%it in %space at(%c, _) iter_args(%x = %a) : !sparse_tensor.iter_space<…> -> i32 {`
fn iterate<S: Syntax>(s: &mut S, phase: u32) -> Flow<S> {
    if phase > 0 {
        return read_attributes(s);
    }
    let known_operands = s.all_operands();
    let (space, inits) = match known_operands.split_first() {
        Some((&space, inits)) => (Some(space), inits),
        None => (None, &[][..]),
    };
    s.require(space.is_some() || !S::PRINTS)?;
    let arguments = split(s, inits.len())?;
    let (used, levels) = match space {
        Some(space) => known_levels(s, space, arguments.coordinates.len())?,
        None => (0, 0),
    };
    s.text(" ")?;
    let mut iterator = s.argument(arguments.iterator)?;
    s.text(" in ")?;
    let value = s.value(space)?;
    let index = s.named_type("index")?;
    let (mut coordinates, mut used_levels, mut level) = (Vec::new(), 0_u64, 0_u32);
    if s.optional_text(" at", |_| Ok(used != 0))? {
        let mut remaining_coordinates = arguments.coordinates.iter().copied();
        s.list(Bracket::Round, levels as usize, |s, place| {
            if !s.optional_text("_", |_| Ok(used >> place & 1 == 0))? {
                let coordinate = s.argument(remaining_coordinates.next())?;
                coordinates.push(index.map_or(coordinate, |index| s.with_type(coordinate, index)));
                used_levels |= 1_u64.checked_shl(level).unwrap_or(0);
            }
            level += 1;
            Ok(())
        })?;
    }
    if level > 64 {
        return Err(s.refuse("there are at most 64 levels"));
    }
    s.set_text("crdUsedLvls", &format!("{used_levels} : i64"))?;
    s.require(arguments.of_loop.len() == inits.len())?;
    let mut carried = CarriedValues::default();
    let has_values = s.optional_text(" iter_args", |_| Ok(!inits.is_empty()))?;
    if has_values {
        carried = CarriedValues::assignments(s, &arguments.of_loop, inits)?;
    }
    let space_type = s.types_of(space.as_slice()).first().copied();
    let space_type = s.type_after(" : ", space_type)?;
    match s.retyped("!sparse_tensor.iter_space<", "!sparse_tensor.iterator<", space_type)? {
        Some(of_iterator) => iterator = s.with_type(iterator, of_iterator),
        None => s.require(S::PRINTS)?,
    }
    s.text(" ")?;
    let has_parentheses = s.release().parenthesizes_sparse_results();
    let init_types = s.types_of(inits);
    let mut results = Vec::new();
    if has_values && s.optional_text(if has_parentheses { "-> " } else { " -> " }, |_| Ok(true))? {
        results = match has_parentheses {
            true => s.types_in_parentheses(&init_types)?,
            false => s.result_types(&init_types)?,
        };
    }
    if !has_parentheses || has_values {
        s.text(" ")?;
    }
    s.same_count(carried.values.len(), results.len())?;
    let loop_arguments = s.with_types(carried.arguments, &results);
    let all = match has_parentheses {
        true => [vec![iterator], coordinates, loop_arguments].concat(),
        false => [loop_arguments, coordinates, vec![iterator]].concat(),
    };
    s.give(0, vec![value], vec![space_type]);
    s.give(1, carried.values, results.clone());
    s.give_results(results);
    if !has_values {
        s.hides_terminator(0)?;
    }
    s.lose_discardable();
    s.region(0, RegionStyle::BODY.terminated(has_values), all)
}

/// Attributes after the body, which MLIR does not print.
fn read_attributes<S: Syntax>(s: &mut S) -> Flow<S> {
    if !S::PRINTS {
        s.attr_dict(&[])?;
    }
    Ok(Progress::Done)
}

/// The levels whose coordinates are used, as bits, and the number of levels.
fn known_levels<S: Syntax>(s: &mut S, space: S::Value, coordinates: usize) -> Result<(i64, i64), S::Error> {
    let used = s.integers_of("crdUsedLvls").and_then(|numbers| numbers.first().copied());
    let used = s.some(used)?;
    let levels = s.types_of(&[space]).first().and_then(|&of| s.iteration_levels(of));
    let levels = s.some(levels)?;
    s.require((0..64).contains(&levels) && used >= 0 && used.count_ones() as usize == coordinates)?;
    Ok((used, levels))
}
