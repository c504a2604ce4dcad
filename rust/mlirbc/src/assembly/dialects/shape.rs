//! Operations of `shape` (`mlir/lib/Dialect/Shape/IR/Shape.cpp`).

use crate::assembly::blocks::function;
use crate::assembly::steps::Steps;
use crate::assembly::{Bracket, Flow, Step, Syntax};
use crate::attr::text::dense::Element;

forms! {
    ConstShape: "const_shape" => const_shape,
    Function: "func" => function,
}

/// `{…} [1, 2] : tensor<2xindex>`
fn const_shape<S: Syntax>(s: &mut S, _: u32) -> Flow<S> {
    let known = s.attr("shape").and_then(|shape| s.tensor_numbers(shape, Element::Index));
    s.require(known.is_some() || !S::PRINTS)?;
    let known = known.unwrap_or_default();
    s.text(" ")?;
    s.attr_dict(&["shape"])?;
    let mut sizes = Vec::new();
    s.list(Bracket::Square, known.len(), |s, place| {
        sizes.push(s.integer(known.get(place).copied())?);
        // A type of the number is allowed and means nothing.
        if s.optional_text(":", |_| Ok(false))? {
            s.r#type(None)?;
        }
        Ok(())
    })?;
    s.set_elements("shape", "tensor", "index", &sizes)?;
    let result = s.all_results().first().copied();
    let result = s.type_after(" : ", result)?;
    s.give_results(vec![result]);
    Ok(Step::Done)
}
