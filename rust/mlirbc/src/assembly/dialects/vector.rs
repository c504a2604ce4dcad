//! Operations of `vector` (`mlir/lib/Dialect/Vector/IR/VectorOps.cpp`).

use crate::assembly::syntax_steps::SyntaxSteps;
use crate::assembly::{Flow, Progress, Syntax, Values};

forms! {
    /// The dictionary before the operands has words; the types of masks follow from the operands.
    Contract: "contract" => contract,
    /// The operation of the region is on the line of the mask.
    Mask: "mask" => mask,
    /// The type of the result has the sizes of both operands.
    OuterProduct: "outerproduct" => outer_product,
}

/// `: type, type`
fn two_types<S: Syntax>(s: &mut S, known: &[S::Type]) -> Result<[S::Type; 2], S::Error> {
    s.text(" : ")?;
    let types = s.types(known)?;
    types.try_into().map_err(|_| s.refuse("two types are needed"))
}

const TRAITS: &[&str] = &["indexing_maps", "iterator_types", "kind"];

/// `{…} %a, %b, %c : vector<2xf32>, vector<2xf32> into f32`
fn contract<S: Syntax>(s: &mut S, _: u32) -> Flow<S> {
    let (operands, results) = (s.all_operands(), s.all_results());
    s.require(operands.len() == 3 || !S::PRINTS)?;
    s.text(" ")?;
    s.iteration_traits(TRAITS, "vector.iterator_type", true)?;
    s.text(" ")?;
    let values = s.values(&operands)?;
    let mut elided = TRAITS.to_vec();
    // Flags are newer than the definition, and not printed if there are none (`ContractionOp::print`).
    if let Some(flags) = s.any_attr("fastmath").filter(|_| S::PRINTS)
        && s.is_written(flags, "#arith.fastmath<none>")
    {
        elided.push("fastmath");
    }
    s.attr_dict(&elided)?;
    s.text(" : ")?;
    let known_types = s.types_of(operands.get(..2).unwrap_or_default());
    let types = s.types(&known_types)?;
    // MLIR ignores further types.
    let &[left, right, ..] = &types[..] else { return Err(s.refuse("two types are needed")) };
    let result = s.type_after(" into ", results.first().copied())?;
    if s.attr("kind").is_none() {
        s.set_text("kind", "#vector.kind<add>")?;
    }
    let Some((&[lhs, rhs, acc], masks)) = values.split_first_chunk::<3>() else {
        return Err(s.refuse("three operands are needed"));
    };
    if let (Some(bit), false) = (s.named_type("i1")?, masks.is_empty()) {
        let mut types = Vec::new();
        for of in [left, right] {
            types.extend(s.with_element(of, bit)?);
        }
        s.same_count(masks.len(), types.len())?;
        s.give(3, masks.to_vec(), types);
    }
    s.give(0, vec![lhs], vec![left]);
    s.give(1, vec![rhs], vec![right]);
    s.give(2, vec![acc], vec![result]);
    s.give_results(vec![result]);
    Ok(Progress::Done)
}

/// `%a, %b, %c : vector<2xf32>, vector<3xf32>`
fn outer_product<S: Syntax>(s: &mut S, _: u32) -> Flow<S> {
    let operands = s.all_operands();
    s.require(operands.len() >= 2 || !S::PRINTS)?;
    s.text(" ")?;
    let values = s.values(&operands)?;
    let [lhs, rhs, rest @ ..] = &values[..] else { return Err(s.refuse("two operands are needed")) };
    if !rest.is_empty() || !S::PRINTS {
        s.attr_dict(&[])?;
    } else if s.has_other_attributes(&["kind"])? {
        s.lose_rather("its attributes");
    }
    let known_types = s.types_of(operands.get(..2).unwrap_or_default());
    let [left, right] = two_types(s, &known_types)?;
    if S::PRINTS {
        return Ok(Progress::Done);
    }
    let Some((mut sizes, mut scalable, element)) = s.vector_parts(left) else {
        return Err(s.refuse("the first operand is a vector"));
    };
    sizes.truncate(1);
    scalable.truncate(1);
    if let Some((more, flags, _)) = s.vector_parts(right) {
        sizes.extend(more.first());
        scalable.extend(flags.first());
    }
    let result = s.vector_of(&sizes, &scalable, element)?;
    if s.attr("kind").is_none() {
        s.set_text("kind", "#vector.kind<add>")?;
    }
    s.give(0, vec![*lhs], vec![left]);
    s.give(1, vec![*rhs], vec![right]);
    s.give_of_type(2, rest.to_vec(), result);
    s.give_results(result.into_iter().collect());
    Ok(Progress::Done)
}

/// `%m, %pass { … } : vector<4xi1> -> vector<4xf32>`
fn mask<S: Syntax>(s: &mut S, phase: u32) -> Flow<S> {
    let operands = s.all_operands();
    s.require(!operands.is_empty() || !S::PRINTS)?;
    let passed = operands.get(1..).unwrap_or_default();
    if phase == 0 {
        s.text(" ")?;
        let mask = s.value(operands.first().copied())?;
        s.give(0, vec![mask], Vec::new());
        if s.optional_text(", ", |_| Ok(!passed.is_empty()))? {
            let value = s.value(passed.first().copied())?;
            s.give(1, vec![value], Vec::new());
        }
        s.text(" ")?;
        return s.inline_region(0);
    }
    s.yield_results(0, "vector.yield")?;
    s.attr_dict(&[])?;
    let mask_type = s.types_of(operands.get(..1).unwrap_or_default()).first().copied();
    let mask_type = s.type_after(" : ", mask_type)?;
    let known_results = s.all_results();
    let mut results = Vec::new();
    if s.optional_text(" -> ", |_| Ok(!known_results.is_empty()))? {
        // MLIR prints several without parentheses, which its parser does not read.
        results = if S::PRINTS { s.types(&known_results)? } else { s.result_types(&known_results)? };
    }
    // The value of masked lanes has the type of the result.
    let passed_types = s.types_of(passed);
    match known_results.first() {
        Some(&result) => s.implies_same(&passed_types, result),
        None if !passed_types.is_empty() => s.lose("the type of a value"),
        None => {}
    }
    s.set_types(Values::Operand(0), vec![mask_type]);
    let count = s.operand_count(1);
    s.set_types(Values::Operand(1), results.iter().copied().take(count).collect());
    s.give_results(results);
    Ok(Progress::Done)
}
