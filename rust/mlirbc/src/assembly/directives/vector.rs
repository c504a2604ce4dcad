//! Directives of `vector` (`mlir/lib/Dialect/Vector/IR/VectorOps.cpp`).

use crate::assembly::syntax_steps::SyntaxSteps;
use crate::assembly::{DirectiveSyntax, Written};

directives! {
    ReadTypes: "ReadTypes" => read_types,
    TransferAttributes: "TransferAttributes" => transfer_attributes,
    WriteTypes: "WriteTypes" => write_types,
}

/// The dictionary without a minor identity map and without bounds that are all false.
fn transfer_attributes<S: DirectiveSyntax>(s: &mut S, _: S::Call<'_>) -> Written<S> {
    let mut elided = Vec::new();
    if S::PRINTS {
        let mut results = None;
        if let Some(attribute) = s.attr("permutation_map") {
            let shape = s.map_shape(attribute);
            let shape = s.some(shape)?;
            results = Some(shape.results);
            if shape.is_minor_identity {
                elided.push("permutation_map");
            }
        }
        if let Some(bounds) = s.integers_of("in_bounds")
            && bounds.iter().all(|&bound| bound == 0)
        {
            elided.push("in_bounds");
            // The parser fills in one for each result of the map.
            if results.is_some_and(|results| results != bounds.len()) {
                s.lose("the number of its bounds");
            }
            // The parsed operation would lack the attribute, which this release does not require.
            if !s.release().requires_in_bounds() {
                s.lose("bounds that are all false");
            }
        }
    }
    s.attr_dict(&elided)
}

/// `memref<4xf32>, vector<4xf32>`: the types of the source and of the result; the padding has the type of an element.
fn read_types<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let known_types = [s.types_at(call, 0)?, s.types_at(call, 3)?].concat();
    let [shaped, vector] = two_types(s, &known_types)?;
    if let Some(mask) = s.complete_transfer(shaped, vector)? {
        let element = s.element_type(shaped)?.unwrap_or(shaped);
        s.set_types_at(call, 0, vec![shaped]);
        s.set_types_at(call, 1, vec![element]);
        s.set_one_type_at(call, 2, mask);
        s.set_types_at(call, 3, vec![vector]);
    }
    Ok(())
}

/// `vector<4xf32>, memref<4xf32>`: the types of the value and of the target, which is the result if it is a tensor.
fn write_types<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let known_types = [s.types_at(call, 0)?, s.types_at(call, 1)?].concat();
    let [vector, shaped] = two_types(s, &known_types)?;
    if let Some(mask) = s.complete_transfer(shaped, vector)? {
        s.set_types_at(call, 0, vec![vector]);
        s.set_types_at(call, 1, vec![shaped]);
        s.set_one_type_at(call, 2, mask);
        let results = if s.is_ranked_tensor(shaped) { vec![shaped] } else { Vec::new() };
        s.set_types_at(call, 3, results);
    }
    Ok(())
}

fn two_types<S: DirectiveSyntax>(s: &mut S, known: &[S::Type]) -> Result<[S::Type; 2], S::Error> {
    let types = s.types(known)?;
    types.try_into().map_err(|_| s.refuse("two types are needed"))
}
