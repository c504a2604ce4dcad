//! Directives of `emitc` (`mlir/lib/Dialect/EmitC/IR/EmitC.cpp`).

use crate::assembly::{DirectiveSyntax, Written};

use super::steps::DirectiveSteps;

directives! {
    TypeAndValue: "EmitCFieldOpTypeAndInitialValue" | "EmitCGlobalOpTypeAndInitialValue" => type_and_value,
}

/// `type = value`, or `type`
fn type_and_value<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let r#type = s.type_attribute_at(call, 0)?;
    let known_attribute = s.attribute_at(call, 1)?;
    if s.optional_text(" = ", |_| Ok(known_attribute.is_some()))? {
        let value = s.untyped_attribute(known_attribute, r#type)?;
        s.set_at(call, 1, value);
    }
    Ok(())
}
