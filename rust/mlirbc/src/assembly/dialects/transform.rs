//! Operations of `transform` in MLIR 16 (`mlir/lib/Dialect/Transform/IR/TransformOps.cpp`,
//! `mlir/lib/Dialect/Linalg/TransformOps/LinalgTransformOps.cpp`).

use crate::assembly::blocks::IndexList;
use crate::assembly::syntax_steps::SyntaxSteps;
use crate::assembly::{Bracket, Flow, Progress, Syntax};

forms! {
    Fuse: "structured.fuse" => fuse,
    Tile: "structured.tile" => tile,
    TileToLoops: "structured.tile_to_scf_for" => tile_to_loops,
}

/// `%a[4, %b] {interchange = [0, 1]}`; the operands and the number of loops, which are the sizes that are not zero.
fn sizes_and_interchange<S: Syntax>(s: &mut S) -> Result<(Vec<S::Value>, usize), S::Error> {
    let operands = s.all_operands();
    s.require(!operands.is_empty() || !S::PRINTS)?;
    let known_numbers = s.integers_of("static_sizes").unwrap_or_default();
    let interchange = s.integers_of("interchange").unwrap_or_default();
    s.text(" ")?;
    let mut values = vec![s.value(operands.first().copied())?];
    let sizes = IndexList::of(s, Bracket::Square, &known_numbers, operands.get(1..).unwrap_or_default())?;
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
    let known_types = s.types_of(&operands);
    let (types, results) = s.function_type(&known_types, &results)?;
    s.same_count(values.len(), types.len())?;
    if !S::PRINTS && results.len() != loops + 1 {
        return Err(s.refuse(format!("expected `{}` types of results", loops + 1)));
    }
    s.give_all(values, types);
    s.set_all_results(results);
    Ok(Progress::Done)
}

/// `%a[4, %b]`
fn tile_to_loops<S: Syntax>(s: &mut S, _: u32) -> Flow<S> {
    let (values, loops) = sizes_and_interchange(s)?;
    give_operations(s, values, loops)?;
    Ok(Progress::Done)
}

/// Gives operands that are operations, a result for each loop, and one for the tiled operation.
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
        return Ok(Progress::Done);
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
    Ok(Progress::Done)
}
