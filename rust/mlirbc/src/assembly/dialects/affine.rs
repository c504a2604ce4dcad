//! Operations of `affine` (`mlir/lib/Dialect/Affine/IR/AffineOps.cpp`).

use crate::assembly::blocks::{CarriedValues, dimensions_and_symbols};
use crate::assembly::syntax_steps::SyntaxSteps;
use crate::assembly::{Bracket, Direction, Flow, MapShape, Progress, Syntax};
use crate::attr::text::lexer::TokenKind;

forms! {
    /// The maps of the memrefs split the operands.
    DmaStart: "dma_start" => dma_start,
    /// The map of the memref splits the operands.
    DmaWait: "dma_wait" => dma_wait,
    /// A bound is a number, a value or a map of values.
    For: "for" => r#for,
    /// The bounds are groups of the results of two maps.
    Parallel: "parallel" => parallel,
}

/// The shape of a map of the operation; none when a text is read.
fn known_map<S: Syntax>(s: &mut S, name: &str) -> Result<MapShape, S::Error> {
    if !S::PRINTS {
        return Ok(MapShape::default());
    }
    let map = s.any_attr(name).and_then(|map| s.map_shape(map));
    s.some(map)
}

/// The operands of both bounds and the initial values that are known.
fn known_operands<S: Syntax>(
    s: &mut S,
    is_new: bool,
    names: [&str; 2],
) -> Result<[Vec<S::Value>; 3], S::Error> {
    if is_new {
        let groups = ["lowerBoundOperands", "upperBoundOperands", "inits"];
        let [lower, upper, inits] = groups.map(|name| s.operands(name).map(|values| values.to_vec()));
        return Ok([lower?, upper?, inits?]);
    }
    // Without segment sizes, they follow from the maps.
    let all = s.all_operands();
    let (lower_inputs, upper_inputs) = (known_map(s, names[0])?.inputs(), known_map(s, names[1])?.inputs());
    let split = all.split_at_checked(lower_inputs);
    let (lower, rest) = s.some(split)?;
    let split = rest.split_at_checked(upper_inputs);
    let (upper, inits) = s.some(split)?;
    Ok([lower.to_vec(), upper.to_vec(), inits.to_vec()])
}

/// A number, a value, or a map of values, whose least or greatest result counts.
fn bound<S: Syntax>(
    s: &mut S,
    keyword: &str,
    name: &str,
    known_values: &[S::Value],
) -> Result<Vec<S::Value>, S::Error> {
    let shape = known_map(s, name)?;
    s.optional_text(keyword, |_| Ok(shape.results != 1))?;
    if s.at(TokenKind::Value, |_| Ok(shape.is_symbol))? {
        let value = s.value(known_values.first().copied())?;
        s.set_text(name, "affine_map<()[s0] -> (s0)>")?;
        return Ok(vec![value]);
    }
    let is_number = |_: &mut S| Ok(shape.number.is_some());
    if s.at(TokenKind::Integer, is_number)? || s.at(TokenKind::Minus, is_number)? {
        let number = s.integer(shape.number)?;
        s.set_text(name, &format!("affine_map<() -> ({number})>"))?;
        return Ok(Vec::new());
    }
    let map = s.any_attr(name).filter(|_| S::PRINTS);
    let map = s.attribute(map)?;
    s.set(name, map);
    dimensions_and_symbols(s, known_values, shape.dimensions)
}

/// `%i = 0 to %n step 2 iter_args(%x = %a) -> (f32) {`
fn r#for<S: Syntax>(s: &mut S, phase: u32) -> Flow<S> {
    // Before MLIR 17, the operands were one group, and the attributes had other names.
    let is_new = s.declares("lowerBoundMap");
    let names = match is_new {
        true => ["lowerBoundMap", "upperBoundMap", "step"],
        false => ["lower_bound", "upper_bound", "step"],
    };
    if phase > 0 {
        s.attr_dict(&names)?;
        return Ok(Progress::Done);
    }
    let arguments = s.arguments(0)?;
    let [lower, upper, inits] = known_operands(s, is_new, [names[0], names[1]])?;
    s.text(" ")?;
    let induction = s.argument_name(arguments.first().copied())?;
    let induction = s.argument_location(induction)?;
    s.text(" = ")?;
    let lower = bound(s, "max ", names[0], &lower)?;
    s.text(" to ")?;
    let upper = bound(s, "min ", names[1], &upper)?;
    let known_step = match S::PRINTS {
        true => {
            let step = s.any_attr(names[2]).and_then(|step| s.integers_in(step)?.first().copied());
            Some(s.some(step)?)
        }
        false => None,
    };
    let mut step = 1;
    if s.optional_text(" step ", |_| Ok(known_step != Some(1)))? {
        step = s.integer(known_step)?;
    }
    s.set_integer(names[2], step, "index")?;
    let known_carried = arguments.get(1..).unwrap_or_default();
    let carried = CarriedValues::with_types(s, " iter_args", known_carried, &inits)?;
    s.text(" ")?;
    let index = s.named_type("index")?;
    let is_shown = !carried.values.is_empty();
    s.give_results(carried.types.clone());
    match (is_new, index) {
        (true, _) => {
            s.give_of_type(0, lower, index);
            s.give_of_type(1, upper, index);
            s.give(2, carried.values, carried.types);
        }
        (false, Some(index)) => {
            let bounds = vec![index; lower.len() + upper.len()];
            s.give(0, [lower, upper, carried.values].concat(), [bounds, carried.types].concat());
        }
        (false, None) => {}
    }
    let induction = index.map_or(induction, |index| s.with_type(induction, index));
    s.yielding_region(0, is_shown, [vec![induction], carried.arguments].concat())
}

/// `(%i) = (0) to (max(%a, %b)) step (2) reduce ("addf") -> f32 {`
fn parallel<S: Syntax>(s: &mut S, phase: u32) -> Flow<S> {
    if phase > 0 {
        s.attr_dict(&[
            "reductions",
            "lowerBoundsMap",
            "lowerBoundsGroups",
            "upperBoundsMap",
            "upperBoundsGroups",
            "steps",
        ])?;
        return Ok(Progress::Done);
    }
    let (known_operands, arguments) = (s.all_operands(), s.arguments(0)?);
    let lower_inputs = known_map(s, "lowerBoundsMap")?.inputs();
    let split = known_operands.split_at_checked(lower_inputs);
    let (lower, upper) = s.some(split)?;
    s.text(" ")?;
    let variables = s.arguments_in_parentheses(&arguments)?;
    s.text(" = ")?;
    let mut operands = s.grouped_bounds("max", "lowerBoundsMap", "lowerBoundsGroups", lower)?;
    s.text(" to ")?;
    operands.extend(s.grouped_bounds("min", "upperBoundsMap", "upperBoundsGroups", upper)?);
    let known_steps = s.integers_of("steps").filter(|_| S::PRINTS);
    s.require(known_steps.is_some() || !S::PRINTS)?;
    let known_steps = known_steps.unwrap_or_default();
    let mut steps = vec![1; variables.len()];
    if s.optional_text(" step ", |_| Ok(known_steps.iter().any(|&step| step != 1)))? {
        steps = s.integers_list(Bracket::Round, &known_steps)?;
    }
    s.set_integer_items("steps", "i64", &steps)?;
    let results = s.all_results();
    let mut reductions = Vec::new();
    if s.optional_text(" reduce ", |_| Ok(!results.is_empty()))? {
        let known_items = s.known_items("reductions")?;
        let has_items = s.attr("reductions").is_some();
        s.require(has_items || !S::PRINTS)?;
        reductions = s.each(Bracket::Round, &known_items, S::reduction)?;
    }
    s.set_integer_items("reductions", "i64", &reductions)?;
    let mut types = Vec::new();
    if s.optional_text(" -> ", |_| Ok(!results.is_empty()))? {
        types = s.types_in_parentheses(&results)?;
    }
    s.text(" ")?;
    let index = s.named_type("index")?;
    s.give_of_type(0, operands, index);
    s.give_results(types);
    let variables = s.as_indices(variables)?;
    s.yielding_region(0, !results.is_empty(), variables)
}

/// Values, and the known operands that follow them.
type Split<'v, S> = (Vec<<S as Direction>::Value>, &'v [<S as Direction>::Value]);

/// `%m[%i + 1]` with the map of that name.
fn mapped<'v, S: Syntax>(
    s: &mut S,
    known_values: &'v [S::Value],
    name: &str,
) -> Result<Split<'v, S>, S::Error> {
    let count = known_map(s, name)?.inputs();
    let (first, remaining) = (known_values.first().copied(), known_values.get(1..).unwrap_or_default());
    let split = remaining.split_at_checked(count);
    let (indices, remaining) = s.some(split)?;
    let mut values = vec![s.value(first)?];
    values.extend(s.map_of_values(Bracket::Square, name, indices)?);
    Ok((values, remaining))
}

/// Gives operands that are indices, apart from memrefs at some places.
fn give_mapped<S: Syntax>(
    s: &mut S,
    values: Vec<S::Value>,
    places: &[usize],
    memrefs: &[S::Type],
) -> Flow<S> {
    if let Some(index) = s.named_type("index")? {
        let mut types = vec![index; values.len()];
        for (&place, &memref) in places.iter().zip(memrefs) {
            types[place] = memref;
        }
        s.give(0, values, types);
    }
    Ok(Progress::Done)
}

/// `%a[%i], %b[%j], %tag[%k], %n, %stride, %count : memref<…>, memref<…>, memref<…>`
fn dma_start<S: Syntax>(s: &mut S, _: u32) -> Flow<S> {
    let names = ["src_map", "dst_map", "tag_map"];
    let known_operands = s.all_operands();
    // Before anything is written, because operations in generic form must not pay for the text of a large map.
    let mut unmapped_values = known_operands.len();
    for name in names {
        let taken = if S::PRINTS { 1 + known_map(s, name)?.inputs() } else { 0 };
        unmapped_values = s.some(unmapped_values.checked_sub(taken))?;
    }
    s.require(matches!(unmapped_values, 1 | 3) || !S::PRINTS)?;
    s.text(" ")?;
    let mut remaining: &[S::Value] = &known_operands;
    let (mut values, mut places, mut memrefs) = (Vec::new(), Vec::new(), Vec::new());
    for name in names {
        places.push(values.len());
        memrefs.extend(remaining.first().copied());
        let (mapped_values, unmapped_values) = mapped(s, remaining, name)?;
        remaining = unmapped_values;
        values.extend(mapped_values);
        s.text(", ")?;
    }
    let numbers = s.values(remaining)?;
    if !matches!(numbers.len(), 1 | 3) {
        return Err(s.refuse("a number of elements is needed, and a stride or none"));
    }
    values.extend(numbers);
    s.text(" : ")?;
    let types = s.types_of(&memrefs);
    let types = s.types(&types)?;
    if types.len() != places.len() {
        return Err(s.refuse("three types are needed"));
    }
    s.lose_other_attributes(&names)?;
    give_mapped(s, values, &places, &types)
}

/// `%tag[%k], %n : memref<…>`
fn dma_wait<S: Syntax>(s: &mut S, _: u32) -> Flow<S> {
    let known_operands = s.all_operands();
    s.text(" ")?;
    let (mut values, remaining) = mapped(s, &known_operands, "tag_map")?;
    s.text(", ")?;
    match S::PRINTS {
        true => values.extend(s.values(remaining)?),
        false => values.push(s.value(None)?),
    }
    let memref = s.types_of(known_operands.get(..1).unwrap_or_default()).first().copied();
    let memref = s.type_after(" : ", memref)?;
    s.lose_other_attributes(&["tag_map"])?;
    give_mapped(s, values, &[0], &[memref])
}
