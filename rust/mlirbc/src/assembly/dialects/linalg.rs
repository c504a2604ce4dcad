//! Operations of `linalg` (`mlir/lib/Dialect/Linalg/IR/LinalgOps.cpp`).

use crate::assembly::syntax_steps::SyntaxSteps;
use crate::assembly::{
    Bracket, Flow, Progress, RegionStyle, StructuredOperands, Syntax, ValuesAndTypes, Written,
};

forms! {
    /// The text omits the body, which copies its input.
    Broadcast: "broadcast" | "transpose" => reshape,
    /// The dictionary before the operands has words in place of attributes.
    Generic: "generic" => generic,
    /// The body and the maps follow from the name.
    Named: name if has_named_body(name) => named,
    /// The name of an operation replaces a body that has only this operation.
    Payload: "map" | "reduce" => with_payload,
}

/// The operations whose body follows from their name; those without one have a declarative format.
fn has_named_body(name: &str) -> bool {
    const OTHERS: &[&str] = &[
        "broadcast",
        "conv_2d_packed",
        "generic",
        "index",
        "map",
        "mmt4d_packed",
        "pack",
        "reduce",
        "softmax",
        "transpose",
        "unpack",
        "yield",
    ];
    !OTHERS.contains(&name) && !name.starts_with("winograd_")
}

/// ` keyword(%a, %b : type, type)`, or nothing without values.
fn group<S: Syntax>(s: &mut S, keyword: &str, name: &str) -> Result<ValuesAndTypes<S>, S::Error> {
    let known_values = s.operands(name)?;
    if !s.optional_text(keyword, |_| Ok(!known_values.is_empty()))? {
        return Ok((Vec::new(), Vec::new()));
    }
    let typed_values = s.typed_values(&known_values)?;
    s.text(")")?;
    Ok((typed_values.values, typed_values.types))
}

/// ` ins(…) outs(…)` (`printCommonStructuredOpParts`), which properties and attributes may precede.
fn ins_and_outs<S: Syntax>(s: &mut S, names: [&str; 2]) -> Result<StructuredOperands<S>, S::Error> {
    if !S::PRINTS {
        s.properties()?;
        s.attr_dict(&[])?;
    }
    let (inputs, input_types) = group(s, " ins(", names[0])?;
    let (outputs, output_types) = group(s, " outs(", names[1])?;
    Ok(StructuredOperands { inputs, input_types, outputs, output_types })
}

fn give_operands<S: Syntax>(s: &mut S, operands: StructuredOperands<S>) {
    s.give(0, operands.inputs, operands.input_types);
    s.give(1, operands.outputs, operands.output_types);
}

const OWN: &[&str] = &["doc", "indexing_maps", "iterator_types", "library_call"];

/// `{indexing_maps = …} ins(%a : type) outs(%b : type) attrs = {…} { … } -> type`
fn generic<S: Syntax>(s: &mut S, phase: u32) -> Flow<S> {
    if phase == 0 {
        s.text(" ")?;
        s.iteration_traits(OWN, "linalg.iterator_type", false)?;
        let operands = ins_and_outs(s, ["inputs", "outputs"])?;
        give_operands(s, operands);
        if s.optional_text(" attrs = ", |s| s.has_other_attributes(OWN))? {
            s.attr_dict(OWN)?;
        }
        if !S::PRINTS || s.has_blocks(0)? {
            s.text(" ")?;
            return s.region(0, RegionStyle::FULL, Vec::new());
        }
    }
    let results = s.all_results();
    let results = s.optional_arrow_types(&results)?;
    s.give_results(results);
    Ok(Progress::Done)
}

/// Returns the maps of an operation whose text omits them; an elementwise operation has one map for all operands.
fn default_maps(name: &str, rank: usize) -> Option<Vec<String>> {
    let map = |dims: usize, results: &str| {
        let dims: Vec<String> = (0..dims).map(|dim| format!("d{dim}")).collect();
        format!("affine_map<({}) -> ({results})>", dims.join(", "))
    };
    Some(match name {
        "matmul" => vec![map(3, "d0, d2"), map(3, "d2, d1"), map(3, "d0, d1")],
        "batch_matmul" => vec![map(4, "d0, d1, d3"), map(4, "d0, d3, d2"), map(4, "d0, d1, d2")],
        "batch_reduce_matmul" => vec![map(4, "d0, d1, d3"), map(4, "d0, d3, d2"), map(4, "d1, d2")],
        "elementwise" => {
            let all: Vec<String> = (0..rank).map(|dim| format!("d{dim}")).collect();
            vec![map(rank, &all.join(", "))]
        }
        _ => return None,
    })
}

/// Whether the maps are printed; maps that follow from the name or from the shapes are omitted.
fn shows_maps<S: Syntax>(s: &mut S, name: &str) -> Result<bool, S::Error> {
    if name == "contract" {
        return Ok(true);
    }
    let Some(all) = s.attr("indexing_maps") else { return Ok(false) };
    let Some(maps) = s.items(all) else { return Err(s.refuse("its maps are not an array")) };
    if name == "elementwise" {
        for map in maps {
            let shape = s.map_shape(map);
            let shape = s.some(shape)?;
            if !(shape.is_minor_identity && shape.results == shape.dimensions) {
                return Ok(true);
            }
        }
        return Ok(false);
    }
    let Some(texts) = default_maps(name, 0) else { return Ok(false) };
    let is_default =
        maps.len() == texts.len() && maps.iter().zip(&texts).all(|(&map, text)| s.is_written(map, text));
    Ok(!is_default)
}

/// ` indexing_maps = […]`, or nothing.
fn maps<S: Syntax>(s: &mut S, name: &str) -> Written<S> {
    if !s.declares("indexing_maps") || !s.optional_text(" indexing_maps = ", |s| shows_maps(s, name))? {
        return Ok(());
    }
    if !S::PRINTS {
        return s.named("indexing_maps").map(drop);
    }
    let maps = s.attr("indexing_maps").and_then(|all| s.items(all));
    let maps = s.some(maps)?;
    s.list(Bracket::Square, maps.len(), |s, place| s.attribute(maps.get(place).copied()).map(drop))
}

/// `kind=… indexing_maps = […] {…} ins(%a, %b : type, type) outs(%c : type) -> type`
fn named<S: Syntax>(s: &mut S, _: u32) -> Flow<S> {
    let is_structured =
        ["LinalgOp", "LinalgStructuredInterface"].into_iter().any(|name| s.definition().has_trait(name));
    s.require(is_structured || !S::PRINTS)?;
    let name = s.definition().name().trim_start_matches("linalg.").to_owned();
    let mut kind = None;
    if name == "elementwise" {
        s.text(" kind=")?;
        kind = Some(s.named("kind")?);
    }
    maps(s, &name)?;
    s.note_structured_body(kind);
    if kind.is_none() && name != "contract" {
        s.note_memoized_maps();
    }
    if S::PRINTS {
        s.attr_dict(match &*name {
            "contract" => &["indexing_maps"],
            "elementwise" => &["indexing_maps", "kind"],
            "matmul" | "batch_matmul" | "batch_reduce_matmul" => {
                &["linalg.memoized_indexing_maps", "indexing_maps"]
            }
            _ => &["linalg.memoized_indexing_maps"],
        })?;
    }
    let operands = ins_and_outs(s, ["inputs", "outputs"])?;
    if !S::PRINTS {
        s.attr_dict(&[])?;
    }
    let results = s.all_results();
    let results = s.optional_arrow_types(&results)?;
    s.give_results(results);
    if !S::PRINTS {
        give_default_maps(s, &name, &operands)?;
        s.make_structured_body(&name, kind, &operands)?;
        give_operands(s, operands);
    }
    Ok(Progress::Done)
}

fn give_default_maps<S: Syntax>(s: &mut S, name: &str, operands: &StructuredOperands<S>) -> Written<S> {
    if !s.declares("indexing_maps") || s.attr("indexing_maps").is_some() {
        return Ok(());
    }
    let rank = operands.output_types.first().and_then(|&first| s.rank_of(first)).unwrap_or(0);
    let Some(maps) = default_maps(name, rank) else {
        return Err(s.refuse("`indexing_maps` are needed"));
    };
    let count = match name {
        "elementwise" => operands.input_types.len() + operands.output_types.len(),
        _ => 1,
    };
    s.set_texts("indexing_maps", &maps, count)
}

/// ` name = [1, 0] `
fn numbers<S: Syntax>(s: &mut S, name: &str) -> Written<S> {
    s.text(" ")?;
    s.text(name)?;
    s.text(" = ")?;
    s.dense_array(name)?;
    s.text(" ")
}

/// `ins(%a : type) outs(%b : type) permutation = [1, 0]`
fn reshape<S: Syntax>(s: &mut S, _: u32) -> Flow<S> {
    let operands = ins_and_outs(s, ["input", "init"])?;
    let name = if s.declares("permutation") { "permutation" } else { "dimensions" };
    give_results_of_outputs(s, &operands);
    numbers(s, name)?;
    s.attr_dict(&[name])?;
    s.make_copying_body(&operands)?;
    give_operands(s, operands);
    Ok(Progress::Done)
}

/// The results are the outputs that are tensors.
fn give_results_of_outputs<S: Syntax>(s: &mut S, operands: &StructuredOperands<S>) {
    let types = operands.output_types.iter().copied().filter(|&of| s.is_ranked_tensor(of)).collect();
    s.give_results(types);
}

/// `{ arith.addf } ins(…) outs(…) dimensions = [0]`, or with `(%a: f32, %b: f32) { … }` at the end.
fn with_payload<S: Syntax>(s: &mut S, phase: u32) -> Flow<S> {
    if phase > 0 {
        s.dedent();
        return Ok(Progress::Done);
    }
    let is_reduce = s.definition().name() == "linalg.reduce";
    let payload = s.payload(is_reduce, !is_reduce && s.release().passes_init_to_map())?;
    let operands = ins_and_outs(s, ["inputs", if is_reduce { "inits" } else { "init" }])?;
    give_results_of_outputs(s, &operands);
    if is_reduce {
        numbers(s, "dimensions")?;
    }
    s.attr_dict(if is_reduce { &["dimensions"] } else { &[] })?;
    if let Some(payload) = payload {
        s.make_payload_body(payload, is_reduce, &operands)?;
        give_operands(s, operands);
        return Ok(Progress::Done);
    }
    give_operands(s, operands);
    let known_arguments = s.arguments(0)?;
    s.indent();
    s.newline();
    let arguments = s.each(Bracket::Round, &known_arguments, S::typed_argument)?;
    s.text(" ")?;
    s.region(0, RegionStyle::BODY, arguments)
}
