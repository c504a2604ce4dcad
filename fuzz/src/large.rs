//! Modules whose values are large: splats of up to 2^40 elements, lists of more than 100 elements, which MLIR prints in
//! hexadecimal, and integers of up to 2^24 - 1 bits, in the operations whose custom form prints such a value.
//!
//! The modules of `mlirbc-smith` have few elements, because its tests hand them to readers that make lists of them. The
//! modules of this file are text that the parser reads, so that the printer gets what any producer may write.

use arbitrary::Unstructured;

/// The number of operations of a module.
const MOST_OPERATIONS: usize = 4;

/// The numbers of elements of a splat.
const SPLATS: [u64; 8] = [1, 2, 100, 101, 200_000_000, 1 << 31, 1 << 33, 1 << 40];

/// The numbers of elements of a list. MLIR prints more than 100 in hexadecimal.
const LISTS: [u64; 8] = [0, 1, 2, 3, 99, 100, 101, 300];

/// The widths of integers; the last one is the largest that MLIR has.
const WIDTHS: [u64; 10] = [1, 2, 7, 8, 32, 64, 65, 128, 1 << 16, (1 << 24) - 1];

/// The number of bits up to which a list of this width is written out.
const MOST_BITS: u64 = 1 << 20;

/// The elements of one operation, for the test of the sample.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Elements {
    /// The number of elements.
    pub count: u64,
    /// Whether the value is a splat.
    pub is_splat: bool,
    /// The width of an element.
    pub width: u64,
    /// The name of the operation.
    pub operation: &'static str,
}

/// The element type of an operation.
#[derive(Clone, Copy)]
enum Element {
    Any,
    Width(u64),
    Index,
}

/// An operation whose text has elements: `{value}` stands for the elements, `{type}` for their type,
/// `{count}` for their number, `{list}` for the numbers between commas.
struct OperationForm {
    operation: &'static str,
    element: Element,
    text: &'static str,
    /// The release of the operation, as its index in [`crate::generated::TEXT_RELEASES`].
    release: u8,
}

const FORMS: [OperationForm; 16] = [
    OperationForm {
        operation: "t.op",
        element: Element::Any,
        text: "\"t.op\"() {value = {value} : tensor<{type}>} : () -> ()\n",
        release: 0,
    },
    OperationForm {
        operation: "t.vector",
        element: Element::Any,
        text: "\"t.vector\"() {value = {value} : vector<{type}>} : () -> ()\n",
        release: 0,
    },
    OperationForm {
        operation: "t.array",
        element: Element::Width(32),
        text: "\"t.array\"() {value = array<i32{list}>} : () -> ()\n",
        release: 0,
    },
    OperationForm {
        operation: "arith.constant",
        element: Element::Any,
        text: "%c{number} = arith.constant {value} : tensor<{type}>\n",
        release: 0,
    },
    OperationForm {
        operation: "cf.switch",
        element: Element::Width(32),
        text: "func.func @f{number}(%a: i32) {\n  \"cf.switch\"(%a)[^b] <{case_operand_segments = array<i32>, \
               case_values = {value} : tensor<{type}>, operandSegmentSizes = array<i32: 1, 0, 0>}> : (i32) -> ()\n\
               ^b:\n  return\n}\n",
        release: 0,
    },
    OperationForm {
        operation: "llvm.switch",
        element: Element::Width(32),
        text: "llvm.func @g{number}(%a: i32) {\n  \"llvm.switch\"(%a)[^b] <{case_operand_segments = array<i32>, \
               case_values = {value} : tensor<{type}>, operandSegmentSizes = array<i32: 1, 0, 0>}> : (i32) -> ()\n\
               ^b:\n  llvm.return\n}\n",
        release: 0,
    },
    OperationForm {
        operation: "spirv.Switch",
        element: Element::Width(32),
        text: "spirv.func @h{number}(%a: i32) \"None\" {\n  \"spirv.Switch\"(%a)[^b] <{case_operand_segments = \
               array<i32>, literals = {value} : tensor<{type}>, operandSegmentSizes = array<i32: 1, 0, 0>}> : (i32) \
               -> ()\n^b:\n  spirv.Return\n}\n",
        release: 0,
    },
    OperationForm {
        operation: "tosa.variable",
        element: Element::Any,
        text: "\"tosa.variable\"() <{initial_value = {value} : tensor<{type}>, name = \"v{number}\", type = i8, \
               var_shape = dense<1> : tensor<1xindex>}> : () -> ()\n",
        release: 0,
    },
    OperationForm {
        operation: "tosa.const_shape",
        element: Element::Index,
        text: "%s{number} = \"tosa.const_shape\"() <{values = {value} : tensor<{type}>}> : () -> !tosa.shape<1>\n",
        release: 0,
    },
    OperationForm {
        operation: "tosa.const",
        element: Element::Any,
        text: "%t{number} = \"tosa.const\"() <{values = {value} : tensor<{type}>}> : () -> tensor<{type}>\n",
        release: 0,
    },
    OperationForm {
        operation: "shape.const_shape",
        element: Element::Index,
        text: "%h{number} = \"shape.const_shape\"() <{shape = {value} : tensor<{type}>}> : () -> tensor<?xindex>\n",
        release: 0,
    },
    OperationForm {
        operation: "memref.global",
        element: Element::Any,
        text: "\"memref.global\"() <{initial_value = {value} : tensor<{type}>, sym_name = \"m{number}\", sym_visibility \
               = \"private\", type = memref<{type}>}> : () -> ()\n",
        release: 0,
    },
    OperationForm {
        operation: "llvm.mlir.constant",
        element: Element::Any,
        text: "%l{number} = llvm.mlir.constant({value} : tensor<{type}>) : !llvm.array<{count} x i32>\n",
        release: 0,
    },
    OperationForm {
        operation: "pdl_interp.switch_operand_count",
        element: Element::Width(32),
        text: "pdl_interp.func @p{number}(%o: !pdl.operation) {\n  \"pdl_interp.switch_operand_count\"(%o)[^b] \
               <{caseValues = {value} : vector<{type}>}> : (!pdl.operation) -> ()\n^b:\n  pdl_interp.finalize\n}\n",
        release: 0,
    },
    OperationForm {
        operation: "stablehlo.constant",
        element: Element::Any,
        text: "%k{number} = stablehlo.constant {value} : tensor<{type}>\n",
        release: 4,
    },
    OperationForm {
        operation: "stablehlo.convolution",
        element: Element::Width(64),
        text: "func.func @c{number}(%a: tensor<1x1x1xf32>) {\n  %r = \"stablehlo.convolution\"(%a, %a) <{\
               batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, \
               feature_group_count = 1 : i64, padding = {value} : tensor<{type}>}> : (tensor<1x1x1xf32>, \
               tensor<1x1x1xf32>) -> tensor<1x1x1xf32>\n  return\n}\n",
        release: 4,
    },
];

/// A module as text, and what it contains.
#[derive(Debug)]
pub struct LargeModule {
    /// The byte that selects the release, followed by the text; see [`crate::generated::text_of`].
    pub input: Vec<u8>,
    /// The elements of each operation.
    pub elements: Vec<Elements>,
}

/// Returns the module for these decisions.
///
/// ```
/// use mlirbc_fuzz::large::module;
/// assert!(module(&[]).input.starts_with(b"0\"t.op\"()"));
/// ```
pub fn module(decisions: &[u8]) -> LargeModule {
    let mut draws = Unstructured::new(decisions);
    let mut below = |bound: usize| draws.int_in_range(0..=bound - 1).unwrap_or(0);
    let count = 1 + below(MOST_OPERATIONS);
    let (mut text, mut elements, mut release) = (String::new(), Vec::new(), 0);
    for number in 0..count {
        let form = &FORMS[below(FORMS.len())];
        release = release.max(form.release);
        let width = match form.element {
            Element::Any => WIDTHS[below(WIDTHS.len())],
            Element::Width(width) => width,
            Element::Index => 64,
        };
        let is_splat = below(2) == 0 && form.operation != "t.array";
        let counts = if is_splat { SPLATS } else { LISTS };
        let mut count = counts[below(counts.len())];
        if !is_splat && count * width > MOST_BITS {
            count = 1;
        }
        let value = below(2);
        let items = vec![value.to_string(); if is_splat { 1 } else { count as usize }].join(", ");
        text.push_str(&form.written(number, count, width, is_splat, &items));
        elements.push(Elements { count, is_splat, width, operation: form.operation });
    }
    let mut input = vec![b'0' + release];
    input.extend_from_slice(text.as_bytes());
    LargeModule { input, elements }
}

impl OperationForm {
    fn written(&self, number: usize, count: u64, width: u64, is_splat: bool, items: &str) -> String {
        // MLIR prints a single bit as a word, and an attribute without elements without a list.
        let items =
            if width == 1 { items.replace('0', "false").replace('1', "true") } else { items.to_owned() };
        let value = match (is_splat, count) {
            (true, _) => format!("dense<{items}>"),
            (_, 0) => "dense<>".to_owned(),
            _ => format!("dense<[{items}]>"),
        };
        let element = match self.element {
            Element::Index => "index".to_owned(),
            _ => format!("i{width}"),
        };
        let list = if items.is_empty() { String::new() } else { format!(": {items}") };
        self.text
            .replace("{number}", &number.to_string())
            .replace("{value}", &value)
            .replace("{type}", &format!("{count}x{element}"))
            .replace("{count}", &count.to_string())
            .replace("{list}", &list)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::generated::{LARGE, file_of};
    use crate::mutate::Noise;
    use mlirbc::Module;

    fn sample() -> impl Iterator<Item = Vec<u8>> {
        (0..1500).map(|round| {
            let mut noise = Noise::new(round);
            (0..60).map(|_| noise.below(256) as u8).collect()
        })
    }

    // A text that does not parse would reach no target.
    #[test]
    fn modules_of_the_sample_have_every_operation_with_large_values() {
        let mut parsed = HashSet::new();
        let mut refused = HashSet::new();
        crate::cost::alone(|| {
            for decisions in sample() {
                let generated = module(&decisions);
                // Parsing takes most of the time of this test.
                if generated.elements.iter().all(|elements| parsed.contains(elements)) {
                    continue;
                }
                let input = [&[LARGE][..], &decisions].concat();
                let file = file_of(&input);
                let is_valid = Module::from_bytes(file.to_vec()).is_ok_and(|module| module.verify().is_ok());
                if is_valid {
                    parsed.extend(generated.elements);
                } else {
                    refused.insert(String::from_utf8_lossy(&generated.input).into_owned());
                }
            }
        });
        let has = |wanted: &dyn Fn(&Elements) -> bool| parsed.iter().any(wanted);
        for form in &FORMS {
            let has_operation = |one: &Elements| one.operation == form.operation;
            let is_huge = |one: &Elements| has_operation(one) && one.is_splat && one.count >= 1 << 40;
            assert!(form.operation == "t.array" || has(&is_huge), "{}: no splat of 2^40", form.operation);
            let is_long = |one: &Elements| has_operation(one) && !one.is_splat && one.count > 100;
            assert!(
                has(&is_long),
                "{}: no list of more than 100: {:?}",
                form.operation,
                refused.iter().next()
            );
            if matches!(form.element, Element::Any) {
                let is_wide = |one: &Elements| has_operation(one) && one.width == (1 << 24) - 1;
                assert!(has(&is_wide), "{}: no integers of 2^24 - 1 bits", form.operation);
            }
        }
        let is_wide_splat =
            |one: &Elements| one.is_splat && one.count >= 1 << 40 && one.width == (1 << 24) - 1;
        assert!(has(&is_wide_splat), "no splat of 2^40 elements of 2^24 - 1 bits");
    }
}
