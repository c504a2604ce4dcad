//! Operations of `transform` (`mlir/lib/Dialect/Transform/IR/TransformOps.cpp`,
//! `mlir/lib/Dialect/Linalg/TransformOps/LinalgTransformOps.cpp`).

use crate::assembly::blocks::{IndexList, function};
use crate::assembly::steps::Steps;
use crate::assembly::{Bracket, Flow, Step, Syntax, Values};

forms! {
    Fuse: "structured.fuse" => fuse,
    NamedSequence: "named_sequence" => function,
    Split: "structured.split" => split,
    Tile: "structured.tile" => tile,
    TileToLoops: "structured.tile_to_scf_for" => tile_to_loops,
}

/// `%a after 4 {dimension = 0 : i64} : !transform.any_op`
fn split<S: Syntax>(s: &mut S, _: u32) -> Flow<S> {
    let operands = s.all_operands();
    s.require(!operands.is_empty() || !S::PRINTS)?;
    let (target, dynamic) = (operands.get(..1).unwrap_or_default(), operands.get(1..).unwrap_or_default());
    let attribute =
        if s.declares("static_chunk_sizes") { "static_chunk_sizes" } else { "static_split_point" };
    let known = s.integers_of(attribute).and_then(|numbers| numbers.first().copied());
    s.require(known.is_some() || !S::PRINTS)?;
    s.require(known != Some(i64::MIN) || dynamic.len() == 1)?;
    let known_point = if known == Some(i64::MIN) { dynamic.first().copied() } else { None };
    s.text(" ")?;
    let target_value = s.value(target.first().copied())?;
    s.text(" after ")?;
    let point = s.optional_value(known_point)?;
    let number = match point {
        Some(_) => i64::MIN,
        None => s.integer(known)?,
    };
    s.text(" ")?;
    s.attr_dict(&[attribute])?;
    let of_target = s.types_of(target).first().copied();
    let r#type = s.type_after(" : ", of_target)?;
    let mut types = Vec::new();
    if point.is_some() {
        let of_point = s.types_of(dynamic).first().copied();
        types.push(s.type_after(", ", of_point)?);
    }
    s.set_integer(attribute, number, "i64")?;
    s.give(0, vec![target_value], vec![r#type]);
    s.give(1, point.into_iter().collect(), types);
    for place in 0..s.definition().results().len() {
        s.set_types(Values::Result(place), vec![r#type]);
    }
    Ok(Step::Done)
}

// ---- operations of MLIR 16 ----

/// `%a[4, %b] {interchange = [0, 1]}`; the operands and the number of loops, which are the sizes that are not zero.
fn sizes_and_interchange<S: Syntax>(s: &mut S) -> Result<(Vec<S::Value>, usize), S::Error> {
    let operands = s.all_operands();
    s.require(!operands.is_empty() || !S::PRINTS)?;
    let known = s.integers_of("static_sizes").unwrap_or_default();
    let interchange = s.integers_of("interchange").unwrap_or_default();
    s.text(" ")?;
    let mut values = vec![s.value(operands.first().copied())?];
    let sizes = IndexList::of(s, Bracket::Square, &known, operands.get(1..).unwrap_or_default())?;
    values.extend(sizes.values);
    if s.optional_text(" {interchange = ", |_| Ok(!interchange.is_empty()))? {
        let numbers = s.integers_list(Bracket::Square, &interchange)?;
        s.set_integers("interchange", "i64", &numbers)?;
        s.text("}")?;
    }
    s.set_integers("static_sizes", "i64", &sizes.numbers)?;
    s.lose_discardable();
    let loops = sizes.numbers.iter().filter(|&&size| size != 0).count();
    Ok((values, loops))
}

/// `%a[4, %b] : (type, type) -> (type, type)`
fn tile<S: Syntax>(s: &mut S, _: u32) -> Flow<S> {
    let (operands, results) = (s.all_operands(), s.all_results());
    let (values, loops) = sizes_and_interchange(s)?;
    s.text(" : ")?;
    let known = s.types_of(&operands);
    let (types, results) = s.function_type(&known, &results)?;
    s.same_count(values.len(), types.len())?;
    if !S::PRINTS && results.len() != loops + 1 {
        return Err(s.refuse(format!("expected `{}` types of results", loops + 1)));
    }
    s.give_all(values, types);
    s.set_all_results(results);
    Ok(Step::Done)
}

/// `%a[4, %b]`
fn tile_to_loops<S: Syntax>(s: &mut S, _: u32) -> Flow<S> {
    let (values, loops) = sizes_and_interchange(s)?;
    give_operations(s, values, loops)?;
    Ok(Step::Done)
}

/// Operands that are operations, and a result for each loop and for what is in them.
fn give_operations<S: Syntax>(s: &mut S, values: Vec<S::Value>, loops: usize) -> Result<(), S::Error> {
    if let Some(r#type) = s.named_type("!pdl.operation")? {
        let types = values.iter().map(|_| r#type).collect();
        s.give_all(values, types);
        let results = s.repeated_type(r#type, loops + 1)?;
        s.set_all_results(results);
    }
    Ok(())
}

/// `%a {tile_sizes = [4, 0], tile_interchange = [0, 1]}`
fn fuse<S: Syntax>(s: &mut S, _: u32) -> Flow<S> {
    let operands = s.all_operands();
    s.text(" ")?;
    let values = s.values(&operands)?;
    s.attr_dict(&[])?;
    if S::PRINTS {
        return Ok(Step::Done);
    }
    let sizes = s.attr("tile_sizes").and_then(|sizes| s.items(sizes));
    let Some(sizes) = sizes else {
        return Err(s.refuse("attribute `tile_sizes` is missing, or not an array"));
    };
    let mut loops = 0;
    for size in sizes {
        let is_zero = s.text_of(size).is_some_and(|text| text.starts_with("0 "));
        loops += usize::from(!is_zero);
    }
    give_operations(s, values, loops)?;
    Ok(Step::Done)
}
