//! Functions and variables of SPIR-V (`FuncOp::verifyBody` and `GlobalVariableOp::verify` in
//! `mlir/lib/Dialect/SPIRV/IR/SPIRVOps.cpp`).

use std::rc::Rc;

use crate::attr::FieldValue;

use super::super::type_traits::Typed;
use super::{Subject, Verifier, is_short};

pub(super) const OF_FUNCTIONS: Verifier =
    Verifier::new(&["function_type"], of_functions).since(22).with_regions();

/// Releases before 22 accept the name of another variable. A file may have both kinds, so this is not looked at further.
pub(super) const INITIALIZED: Verifier = Verifier::new(&["initializer"], initialized).since(22);

fn initialized(subject: &Subject<'_>) -> Option<String> {
    (subject.attribute("initializer").is_some() && !subject.has_spec_constants)
        .then(|| "`initializer` must name a specialization constant".to_owned())
}

fn of_functions(subject: &Subject<'_>) -> Option<String> {
    let given = subject.attribute("function_type")?;
    let Ok(Some(FieldValue::Type(signature))) = given.value.field("value") else { return None };
    if !is_short(&signature) {
        return None;
    }
    let Ok(Some(FieldValue::List(inputs))) = signature.field("inputs") else { return None };
    let arguments = subject.arguments.first()?.as_ref()?;
    let mut pairs = arguments.iter().zip(&inputs);
    let is_other = |(argument, input): (&Rc<Typed>, &FieldValue)| matches!(input, FieldValue::Type(input) if is_short(&argument.r#type) && argument.r#type != *input);
    let place = pairs.position(is_other)?;
    Some(format!("argument {place} of its entry block has another type than the parameter"))
}

#[cfg(test)]
mod tests {
    use super::super::tests::assert_refused;

    // What mlir-opt 16, 19 and 22 say about these operations.
    #[test]
    fn variables_are_initialized_by_constants() {
        let text = |constant: &str, name: &str| {
            format!(
                "spirv.module Logical GLSL450 {{\n{constant}  spirv.GlobalVariable @a : !spirv.ptr<f32, Input>\n  spirv.GlobalVariable @b \
                 initializer(@{name}) : !spirv.ptr<f32, Input>\n}}\n"
            )
        };
        assert_refused(&text("", "a"), &[22], "must name a specialization constant");
        assert_refused(&text("  spirv.SpecConstant @c = 1.0 : f32\n", "c"), &[], "");
    }

    // What mlir-opt 16, 19 and 22 say about these functions.
    #[test]
    fn arguments_have_the_types_of_parameters() {
        for (argument, by) in [("f32", &[][..]), ("f64", &[22])] {
            let text = format!(
                "\"spirv.func\"() ({{\n^bb0(%a: {argument}):\n  \"spirv.Return\"() : () -> ()\n}}) {{function_control = \
                 #spirv.function_control<None>, function_type = (f32) -> (), sym_name = \"f\"}} : () -> ()\n"
            );
            assert_refused(&text, by, "has another type than the parameter");
        }
    }
}
