//! Functions and variables of SPIR-V (`FuncOp::verifyBody` and `GlobalVariableOp::verify` in
//! `mlir/lib/Dialect/SPIRV/IR/SPIRVOps.cpp`).

use std::rc::Rc;

use crate::attr::{Attribute, FieldValue};

use super::super::type_traits::Typed;
use super::{LONGEST, Subject, Verifier, is_short, parameters};

pub(super) const OF_FUNCTIONS: Verifier =
    Verifier::new(&["function_type"], of_functions).since(22).with_regions();
/// Pointers to physical storage that are parameters. In LLVM 16, parameters have no decorations.
pub(super) const DECORATED: Verifier = Verifier::new(&["arg_attrs", "function_type"], decorated).since(19);
pub(super) const NOT_DECORATED: Verifier = Verifier::new(&["arg_attrs"], not_decorated).until(16);

/// Releases before 22 accept the name of another variable. A file may have both kinds, so only LLVM 22 is
/// checked.
pub(super) const INITIALIZED: Verifier = Verifier::new(&["initializer"], initialized).since(22);

/// Variables that hold pointers to physical storage.
pub(super) const ALIASED: Verifier = Verifier::new(ALIASES, aliased).since(19);
pub(super) const DECORATION: &[u8] = b"spirv.decoration";
const ALIASES: &[&str] = &["aliased_pointer", "restrict_pointer"];

fn aliased(subject: &Subject<'_>) -> Option<String> {
    let text = subject.results.first()?.r#type.to_text_within(LONGEST);
    let (pointee, _) = text.strip_prefix("!spirv.ptr<")?.rsplit_once(',')?;
    let is_physical =
        pointee.contains("!spirv.ptr<") && pointee.trim_end_matches('>').ends_with(", PhysicalStorageBuffer");
    let count = ALIASES.iter().filter(|name| subject.attribute(name).is_some()).count();
    (is_physical && count != 1)
        .then(|| format!("must have one of `aliased_pointer` and `restrict_pointer`, found {count}"))
}

fn initialized(subject: &Subject<'_>) -> Option<String> {
    (subject.attribute("initializer").is_some() && !subject.has_spec_constants)
        .then(|| "`initializer` must name a specialization constant".to_owned())
}

fn of_functions(subject: &Subject<'_>) -> Option<String> {
    let attribute = subject.attribute("function_type")?;
    let Ok(Some(FieldValue::Type(signature))) = attribute.value.field("value") else { return None };
    if !is_short(&signature) {
        return None;
    }
    let Ok(Some(FieldValue::List(inputs))) = signature.field("inputs") else { return None };
    let arguments = subject.arguments.first()?.as_ref()?;
    if arguments.len() != inputs.len() {
        let (argument_count, parameter_count) = (arguments.len(), inputs.len());
        return Some(format!(
            "its entry block has {argument_count} arguments, expected one for each of {parameter_count} parameters"
        ));
    }
    let mut pairs = arguments.iter().zip(&inputs);
    let is_other = |(argument, input): (&Rc<Typed>, &FieldValue)| matches!(input, FieldValue::Type(input) if is_short(&argument.r#type) && argument.r#type != *input);
    let place = pairs.position(is_other)?;
    Some(format!("argument {place} of its entry block has another type than the parameter"))
}

/// Returns the decoration of each parameter as text, as far as parameters have attributes.
fn decorations(subject: &Subject<'_>) -> Option<Vec<Option<String>>> {
    let Some(attribute) = subject.attribute("arg_attrs") else { return Some(Vec::new()) };
    if attribute.is_long {
        return None;
    }
    let decoration = |attributes: &Attribute| {
        let pairs = parameters::pairs_of(attributes);
        let value = pairs.iter().find(|(name, _)| &name[..] == DECORATION);
        value.map(|(_, value)| value.to_text_within(LONGEST))
    };
    Some(attribute.value.elements()?.iter().map(decoration).collect())
}

fn decorated(subject: &Subject<'_>) -> Option<String> {
    let attribute = subject.attribute("function_type")?;
    let Ok(Some(FieldValue::Type(signature))) = attribute.value.field("value") else { return None };
    if !is_short(&signature) {
        return None;
    }
    let Ok(Some(FieldValue::List(inputs))) = signature.field("inputs") else { return None };
    let decorations = decorations(subject)?;
    let is_physical = |input: &FieldValue| {
        let FieldValue::Type(input) = input else { return false };
        let text = input.to_text_within(LONGEST);
        text.starts_with("!spirv.ptr<") && text.ends_with(", PhysicalStorageBuffer>")
    };
    let is_decorated = |place: usize| {
        let text = decorations.get(place).and_then(Option::as_deref).unwrap_or_default();
        ["Aliased", "Restrict"].iter().any(|word| text.contains(word))
    };
    let place = (0..inputs.len()).find(|&place| is_physical(&inputs[place]) && !is_decorated(place))?;
    Some(format!(
        "parameter {place} is a pointer to physical storage without the decoration `Aliased` or `Restrict`"
    ))
}

fn not_decorated(subject: &Subject<'_>) -> Option<String> {
    let place = decorations(subject)?.iter().position(Option::is_some)?;
    Some(format!("parameter {place} has the attribute `spirv.decoration`"))
}

#[cfg(test)]
mod tests {
    use super::super::tests::assert_refused;

    // Expected: the verdicts of mlir-opt 16, 19 and 22.
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

    // Expected: the verdicts of mlir-opt 16, 19 and 22.
    #[test]
    fn variables_of_physical_pointers_have_one_decoration() {
        for (attributes, r#type, by) in [
            ("", "!spirv.ptr<f32, PhysicalStorageBuffer>", &[19, 22][..]),
            ("{aliased_pointer} ", "!spirv.ptr<f32, PhysicalStorageBuffer>", &[]),
            (
                "{aliased_pointer, restrict_pointer} ",
                "!spirv.array<4x!spirv.ptr<f32, PhysicalStorageBuffer>>",
                &[19, 22],
            ),
            ("", "!spirv.ptr<f32, Uniform>", &[]),
        ] {
            let text = format!(
                "func.func @f() {{\n  %0 = spirv.Variable {attributes}: !spirv.ptr<{type}, Function>\n  return\n}}\n"
            );
            assert_refused(&text, by, "must have one of");
        }
    }

    // Expected: the verdicts of mlir-opt 16, 19 and 22.
    #[test]
    fn parameters_are_decorated() {
        let text = |attributes: &str| {
            format!(
                "\"spirv.func\"() ({{\n^bb0(%a: !spirv.ptr<i32, PhysicalStorageBuffer>):\n  \"spirv.Return\"() : () -> ()\n}}) \
                 {{{attributes}function_control = #spirv.function_control<None>, function_type = (!spirv.ptr<i32, \
                 PhysicalStorageBuffer>) -> (), sym_name = \"f\"}} : () -> ()\n"
            )
        };
        assert_refused(&text(""), &[19, 22], "without the decoration `Aliased` or `Restrict`");
        let aliased = "arg_attrs = [{spirv.decoration = #spirv.decoration<Aliased>}], ";
        assert_refused(&text(aliased), &[16], "has the attribute `spirv.decoration`");
    }

    #[test]
    fn entry_blocks_have_all_parameters() {
        let text = "\"spirv.func\"() ({\n  \"spirv.Return\"() : () -> ()\n}) {function_control = \
                    #spirv.function_control<None>, function_type = (f32) -> (), sym_name = \"f\"} : () -> ()\n";
        assert_refused(text, &[22], "its entry block has 0 arguments");
    }

    // Expected: the verdicts of mlir-opt 16, 19 and 22.
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
