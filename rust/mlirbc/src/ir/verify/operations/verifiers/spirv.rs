//! Functions of SPIR-V (`FuncOp::verifyBody` in `mlir/lib/Dialect/SPIRV/IR/SPIRVOps.cpp`).

use crate::attr::FieldValue;

use super::{Subject, Verifier, is_short};

pub(super) const OF_FUNCTIONS: Verifier =
    Verifier::new(&["function_type"], of_functions).since(22).with_regions();

fn of_functions(subject: &Subject<'_>) -> Option<String> {
    let given = subject.attribute("function_type")?;
    let Ok(Some(FieldValue::Type(signature))) = given.value.field("value") else { return None };
    if !is_short(&signature) {
        return None;
    }
    let Ok(Some(FieldValue::List(inputs))) = signature.field("inputs") else { return None };
    let arguments = subject.arguments.first()?.as_ref()?;
    let mut pairs = arguments.iter().zip(&inputs);
    let is_other = |(argument, input): (&std::rc::Rc<super::super::type_traits::Typed>, &FieldValue)| matches!(input, FieldValue::Type(input) if is_short(&argument.r#type) && argument.r#type != *input);
    let place = pairs.position(is_other)?;
    Some(format!("argument {place} of its entry block has another type than the parameter"))
}

#[cfg(test)]
mod tests {
    use super::super::tests::assert_refused;

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
