//! Operations of TOSA whose operands and regions have to fit (`mlir/lib/Dialect/Tosa/IR/TosaOps.cpp`).

use std::rc::Rc;

use super::super::type_traits::Typed;
use super::super::types::Kind;
use super::{Subject, Verifier, is_short};

/// Only LLVM 19 forbids empty tensors in some operations. Later releases have no such tensors in TOSA.
pub(super) const NOT_EMPTY: Verifier = Verifier::new(&[], empty).of_release(19);
pub(super) const CONCATENATED: Verifier = Verifier::new(&["axis"], concatenated).since(22);
pub(super) const TRANSFORMED: Verifier = Verifier::new(&[], transformed).since(22);
pub(super) const LOOKED_UP: Verifier = Verifier::new(&[], looked_up).since(22);
pub(super) const CHOSEN: Verifier = Verifier::new(&[], chosen).since(22).with_regions();

/// The sizes of a tensor, unless they are too many to be read for each operation.
fn sizes(tensor: &Typed) -> Option<&[i64]> {
    let is_read = tensor.facts.kind == Kind::RankedTensor && is_short(&tensor.r#type);
    Some(tensor.shape.as_ref().filter(|_| is_read)?.sizes())
}

fn empty(subject: &Subject<'_>) -> Option<String> {
    let input = subject.operands.first()?;
    sizes(input)?.contains(&0).then(|| format!("{} has a dimension of size zero", input.shown()))
}

fn concatenated(subject: &Subject<'_>) -> Option<String> {
    let mut ranks = subject.operands.iter().filter_map(|operand| Some(sizes(operand)?.len()));
    let first = ranks.next()?;
    let other_rank = ranks.find(|&rank| rank != first)?;
    Some(format!("must have operands of one rank, found {first} and {other_rank}"))
}

fn transformed(subject: &Subject<'_>) -> Option<String> {
    let input = subject.operands.first()?;
    if input.facts.element.as_ref().and_then(|element| element.class()) == Some("IntegerType") {
        return Some(format!("operand 0 is {}, expected floats", input.shown()));
    }
    let &[_, height, width] = sizes(input)? else { return None };
    let is_wrong = |size: i64| u64::try_from(size).is_ok_and(|size| !size.is_power_of_two());
    let (dimension, size) =
        [("height", height), ("width", width)].into_iter().find(|(_, size)| is_wrong(*size))?;
    Some(format!("the {dimension} is {size}, expected a power of two"))
}

fn looked_up(subject: &Subject<'_>) -> Option<String> {
    let (input_sizes, result_sizes) = (sizes(subject.operands.first()?)?, sizes(subject.results.first()?)?);
    if input_sizes.len() != result_sizes.len() {
        return Some("the result must have the rank of operand 0".to_owned());
    }
    let mut pairs = input_sizes.iter().zip(result_sizes).enumerate();
    // An unknown size of the operand differs from every number.
    let (dimension, (_, size)) = pairs.find(|(_, (input, result))| **result >= 0 && input != result)?;
    Some(format!("dimension {dimension} of the result is {size}, unlike that of operand 0"))
}

fn chosen(subject: &Subject<'_>) -> Option<String> {
    let (condition, inputs) = subject.operands.split_first()?;
    let sizes_of_condition = sizes(condition).filter(|sizes| sizes.iter().all(|&size| size >= 0));
    if sizes_of_condition.is_some_and(|sizes| sizes.iter().any(|&size| size != 1)) {
        return Some(format!("the condition is {}, expected one element", condition.shown()));
    }
    subject.arguments.iter().enumerate().find_map(|(region, arguments)| {
        let arguments = arguments.as_ref()?;
        let (count, expected) = (arguments.len(), inputs.len());
        if count != expected {
            return Some(format!("region {region} has {count} arguments, expected {expected}"));
        }
        let is_wrong = |(argument, input): (&Rc<Typed>, &Rc<Typed>)| {
            let static_sizes = |typed| sizes(typed).filter(|sizes| sizes.iter().all(|&size| size >= 0));
            matches!((static_sizes(argument), static_sizes(input)), (Some(left), Some(right)) if left != right)
        };
        let place = arguments.iter().zip(inputs).position(is_wrong)?;
        Some(format!("argument {place} of region {region} has other sizes than its operand"))
    })
}

#[cfg(test)]
mod tests {
    use super::super::tests::complaints;

    fn assert_refused_by(release: u32, text: &str, part: &str) {
        for other in [16, 19, 22] {
            let messages = complaints(text, &format!("llvm-{other}"));
            let is_fine = other != release || part.is_empty();
            assert_eq!(messages.is_empty(), is_fine, "{other}: {text}: {messages:?}");
            assert!(messages.iter().all(|message| message.contains(part)), "{other}: {text}: {messages:?}");
        }
    }

    // Expected: the verdicts of mlir-opt 16, 19 and 22.
    #[test]
    fn sizes_are_not_zero() {
        for (name, size, part) in [
            ("conv2d", 29, ""),
            ("conv2d", 0, "has a dimension of size zero"),
            ("depthwise_conv2d", 0, "has a dimension of size zero"),
            ("transpose_conv2d", 0, ""),
        ] {
            let (input, weight) = (format!("tensor<1x{size}x29x4xf32>"), "tensor<16x3x3x4xf32>");
            let bias = if name == "conv2d" { "tensor<16xf32>" } else { "tensor<?xf32>" };
            let attributes = if name == "transpose_conv2d" {
                "out_pad = array<i64: 0, 0, 0, 0>, out_shape = array<i64: 1, 29, 29, 16>, stride = array<i64: 1, 1>"
            } else {
                "dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>"
            };
            let text = format!(
                "func.func @f(%i: {input}, %w: {weight}, %b: {bias}) {{\n  %0 = \"tosa.{name}\"(%i, %w, %b) {{{attributes}}} : ({input}, \
                 {weight}, {bias}) -> tensor<1x?x?x?xf32>\n  return\n}}\n"
            );
            assert!(complaints(&text, "llvm-16").is_empty(), "{text}");
            let messages = complaints(&text, "llvm-19");
            assert_eq!(messages.is_empty(), part.is_empty(), "{text}: {messages:?}");
        }
    }

    #[test]
    fn concatenated_tensors_have_one_rank() {
        for (second, part) in [
            ("tensor<1x2x3xf32>", ""),
            ("tensor<*xf32>", ""),
            ("tensor<1x2xf32>", "operands of one rank, found 3 and 2"),
        ] {
            let text = format!(
                "func.func @f(%a: tensor<1x2x3xf32>, %b: {second}) {{\n  %0 = \"tosa.concat\"(%a, %b) {{axis = 0 : i32}} : (tensor<1x2x3xf32>, \
                 {second}) -> tensor<2x2x3xf32>\n  return\n}}\n"
            );
            for release in ["llvm-19", "llvm-22"] {
                let messages = complaints(&text, release);
                assert_eq!(
                    messages.is_empty(),
                    part.is_empty() || release == "llvm-19",
                    "{release}: {messages:?}"
                );
            }
        }
    }

    #[test]
    fn transformed_sizes_are_powers_of_two() {
        for (of, part) in [
            ("1x4x8xf32", ""),
            ("1x?x8xf32", ""),
            ("1x5x8xf32", "the height is 5"),
            ("1x4x6xf32", "the width is 6"),
            ("1x4x8xi8", "expected floats"),
        ] {
            let tensor = format!("tensor<{of}>");
            let text = format!(
                "func.func @f(%a: {tensor}) {{\n  %0:2 = \"tosa.fft2d\"(%a, %a) <{{inverse = false}}> : ({tensor}, {tensor}) -> ({tensor}, {tensor})\n  return\n}}\n"
            );
            for release in ["llvm-19", "llvm-22"] {
                let messages = complaints(&text, release);
                assert_eq!(
                    messages.is_empty(),
                    part.is_empty() || release == "llvm-19",
                    "{release}: {messages:?}"
                );
                assert!(messages.iter().all(|message| message.contains(part)), "{messages:?}");
            }
        }
    }

    #[test]
    fn tables_keep_shapes() {
        for (input, result, part) in [
            ("?x16x", "?x16x", ""),
            ("4x16x", "?x16x", ""),
            ("*x", "4x16x", ""),
            ("?x16x", "?x15x", "dimension 1 of the result is 15"),
            ("4x?x", "?x6x", "dimension 1 of the result is 6"),
            ("64x", "64x?x", "must have the rank of operand 0"),
        ] {
            let (input, result) = (format!("tensor<{input}i16>"), format!("tensor<{result}i16>"));
            let text = format!(
                "func.func @f(%a: {input}, %t: tensor<6xi16>) {{\n  %0 = \"tosa.table\"(%a, %t) : ({input}, tensor<6xi16>) -> {result}\n  \
                 return\n}}\n"
            );
            assert_refused_by(22, &text, part);
        }
    }

    #[test]
    fn branches_have_an_argument_for_each_operand() {
        for (condition, first, second, part) in [
            ("tensor<i1>", "%x: tensor<f32>", "%x: tensor<f32>", ""),
            ("tensor<1x1xi1>", "%x: tensor<f32>", "%x: tensor<f32>", ""),
            ("tensor<?xi1>", "%x: tensor<f32>", "%x: tensor<f32>", ""),
            ("tensor<2xi1>", "%x: tensor<f32>", "%x: tensor<f32>", "expected one element"),
            ("tensor<i1>", "", "%x: tensor<f32>", "region 0 has 0 arguments, expected 1"),
            ("tensor<i1>", "%x: tensor<f32>", "", "region 1 has 0 arguments, expected 1"),
            ("tensor<i1>", "%x: tensor<2xf32>", "%x: tensor<f32>", "has other sizes"),
        ] {
            let region = |arguments: &str| {
                let label =
                    if arguments.is_empty() { String::new() } else { format!("  ^bb0({arguments}):\n") };
                format!("{{\n{label}    \"tosa.yield\"(%a) : (tensor<f32>) -> ()\n  }}")
            };
            let text = format!(
                "func.func @f(%a: tensor<f32>, %c: {condition}) {{\n  %0 = \"tosa.cond_if\"(%c, %a) ({}, {}) : ({condition}, tensor<f32>) -> \
                 tensor<f32>\n  return\n}}\n",
                region(first),
                region(second),
            );
            assert_refused_by(22, &text, part);
        }
    }
}
