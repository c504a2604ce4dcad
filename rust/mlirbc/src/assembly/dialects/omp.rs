//! Operations of `omp` (`mlir/lib/Dialect/OpenMP/IR/OpenMPDialect.cpp`).

use crate::assembly::steps::Steps;
use crate::assembly::{Bracket, Flow, RegionStyle, Step, Syntax};

forms! {
    CanonicalLoop: "canonical_loop" => canonical_loop,
    LoopNest: "loop_nest" => loop_nest,
    UnrollHeuristic: "unroll_heuristic" => unroll_heuristic,
}

/// `(%i) : i32 = (%a) to (%b) inclusive step (%s) collapse(2) tiles(4, 4) {`
fn loop_nest<S: Syntax>(s: &mut S, phase: u32) -> Flow<S> {
    if phase > 0 {
        return Ok(Step::Done);
    }
    let known = s.arguments(0)?;
    let known_bounds = [s.operands(0)?, s.operands(1)?, s.operands(2)?];
    let of_first = match known.first() {
        Some(&first) => Some(s.argument_type(first)?),
        None => None,
    };
    s.text(" ")?;
    let arguments = s.arguments_in_parentheses(&known)?;
    let r#type = s.type_after(" : ", of_first)?;
    let mut bounds = Vec::new();
    for (text, known) in [" = ", " to ", " step "].into_iter().zip(&known_bounds) {
        if text == " step " {
            let flag = if s.declares("loop_inclusive") { "loop_inclusive" } else { "inclusive" };
            s.unit_keyword(" inclusive", flag)?;
        }
        s.text(text)?;
        let values = s.values_in(Bracket::Round, known)?;
        if !S::PRINTS && values.len() != arguments.len() {
            return Err(s.refuse("the numbers of bounds, steps and induction variables differ"));
        }
        bounds.push(values);
    }
    s.text(" ")?;
    collapsed_and_tiled(s)?;
    for (place, values) in bounds.into_iter().enumerate() {
        s.give_of_type(place, values, Some(r#type));
    }
    s.lose_discardable();
    let arguments = arguments.into_iter().map(|one| s.with_type(one, r#type)).collect();
    s.region(0, RegionStyle::BODY, arguments)
}

/// `collapse(2) tiles(4, 4) `, each if the definition has it.
fn collapsed_and_tiled<S: Syntax>(s: &mut S) -> Result<(), S::Error> {
    let collapsed = match s.integers_of("collapse_num_loops").as_deref() {
        Some(&[number]) if number > 1 => Some(number),
        _ => None,
    };
    let may_collapse = S::PRINTS || s.declares("collapse_num_loops");
    if may_collapse && s.optional_text("collapse(", |_| Ok(collapsed.is_some()))? {
        let number = s.integer(collapsed)?;
        s.text(") ")?;
        if number > 1 {
            s.set_integer("collapse_num_loops", number, "i64")?;
        }
    }
    let sizes = s.integers_of("tile_sizes");
    let may_tile = S::PRINTS || s.declares("tile_sizes");
    if may_tile && s.optional_text("tiles", |_| Ok(sizes.is_some()))? {
        let sizes = s.integers_list(Bracket::Round, &sizes.unwrap_or_default())?;
        s.text(" ")?;
        s.set_integers("tile_sizes", "i64", &sizes)?;
    }
    Ok(())
}

/// `(%cli) %i : i32 in range(%count) {`
fn canonical_loop<S: Syntax>(s: &mut S, phase: u32) -> Flow<S> {
    if phase > 0 {
        s.attr_dict(&[])?;
        return Ok(Step::Done);
    }
    let known = [s.operands(0)?, s.operands(1)?];
    let [count, loops] = known.map(|values| values.first().copied());
    if s.optional_text("(", |_| Ok(loops.is_some()))? {
        let value = s.value(loops)?;
        s.text(")")?;
        let r#type = s.named_type("!omp.cli")?;
        s.give_of_type(1, vec![value], r#type);
    }
    let arguments = s.arguments(0)?;
    s.text(" ")?;
    let argument = s.typed_argument(arguments.first().copied())?;
    s.text(" in range(")?;
    let count = s.value(count)?;
    s.text(") ")?;
    let r#type = s.argument_type(argument)?;
    s.give(0, vec![count], vec![r#type]);
    s.region(0, RegionStyle::BODY, vec![argument])
}

/// `(%cli)`, and `-> ()` or nothing.
fn unroll_heuristic<S: Syntax>(s: &mut S, _: u32) -> Flow<S> {
    let operands = s.all_operands();
    let values = s.values_in(Bracket::Round, &operands)?;
    let r#type = s.named_type("!omp.cli")?;
    s.give_of_type(0, values, r#type);
    s.optional_text(" -> ()", |_| Ok(false))?;
    s.attr_dict(&[])?;
    Ok(Step::Done)
}
