//! Attributes that must have as many elements as the operation has cases or successors (`SwitchOp::verify` in
//! `mlir/lib/Dialect/{ControlFlow,LLVMIR,SPIRV,SCF,EmitC}/IR`, `verifySwitchOp` of PDLInterp, and
//! `BranchWeightOpInterface`).

use crate::ops::OperationDefinition;

/// The parts of an operation that need an element each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Cases {
    /// All successors but the default one.
    Destinations,
    /// All regions but the default one.
    Regions,
    /// All successors.
    Successors,
}

/// The meaning of an absent attribute.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Absent {
    NoElements,
    NotChecked,
}

/// An attribute of an operation, and the required number of elements.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct CountRule {
    pub(super) attribute: Box<str>,
    /// Whether two elements may not be equal.
    pub(super) is_unique: bool,
    cases: Cases,
    absent: Absent,
}

/// The number of elements that an operation has in such an attribute.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Elements {
    Absent,
    Unknown,
    Count(u64),
}

const SWITCHES: &[(&str, &str, Cases, Absent)] = &[
    ("cf.switch", "case_values", Cases::Destinations, Absent::NoElements),
    ("llvm.switch", "case_values", Cases::Destinations, Absent::NoElements),
    ("spirv.Switch", "literals", Cases::Destinations, Absent::NotChecked),
    ("scf.index_switch", "cases", Cases::Regions, Absent::NotChecked),
    ("emitc.switch", "cases", Cases::Regions, Absent::NotChecked),
    ("pdl_interp.switch_attribute", "caseValues", Cases::Destinations, Absent::NotChecked),
    ("pdl_interp.switch_operand_count", "caseValues", Cases::Destinations, Absent::NotChecked),
    ("pdl_interp.switch_operation_name", "caseValues", Cases::Destinations, Absent::NotChecked),
    ("pdl_interp.switch_result_count", "caseValues", Cases::Destinations, Absent::NotChecked),
    ("pdl_interp.switch_type", "caseValues", Cases::Destinations, Absent::NotChecked),
    ("pdl_interp.switch_types", "caseValues", Cases::Destinations, Absent::NotChecked),
];

/// Switches whose cases must differ. Other switches take the first of several equal cases.
const UNIQUE: [&str; 2] = ["scf.index_switch", "emitc.switch"];

/// A branch whose own verifier counts the weights in all releases. Other branches have an interface for that,
/// which LLVM 19 lacks.
const WEIGHTED: &str = "llvm.switch";
const WEIGHTED_INTERFACE: &str = "WeightedBranchOpInterface";

impl CountRule {
    /// The rules of a definition.
    pub(crate) fn of(definition: &OperationDefinition) -> Vec<Self> {
        let switches = SWITCHES.iter().filter(|row| row.0 == definition.name());
        let switches = switches.map(|&(_, attribute, cases, absent)| (attribute, cases, absent));
        let weights = definition.name() == WEIGHTED || definition.has_trait(WEIGHTED_INTERFACE);
        let weights = weights.then_some(("branch_weights", Cases::Successors, Absent::NotChecked));
        let is_known = |name: &str| definition.attribute(name).is_some();
        let rows = switches.chain(weights).filter(|(attribute, ..)| is_known(attribute));
        let is_unique = UNIQUE.contains(&definition.name());
        rows.map(|(attribute, cases, absent)| Self { attribute: attribute.into(), is_unique, cases, absent })
            .collect()
    }

    /// The message about an element that occurs twice.
    pub(super) fn repeated(&self, value: i64) -> String {
        format!("`{}` has the value {value} twice", self.attribute)
    }

    /// Describes an error in the number of elements of the attribute.
    pub(super) fn complaint(&self, elements: Elements, successors: usize, regions: usize) -> Option<String> {
        let count = match (elements, self.absent) {
            (Elements::Count(count), _) => count,
            (Elements::Absent, Absent::NoElements) => 0,
            (Elements::Absent, Absent::NotChecked) | (Elements::Unknown, _) => return None,
        };
        let (expected, of) = match self.cases {
            Cases::Destinations => (successors.saturating_sub(1), "case destination"),
            Cases::Regions => (regions.saturating_sub(1), "case region"),
            Cases::Successors => (successors, "successor"),
        };
        let plural = if expected == 1 { "" } else { "s" };
        (count != expected as u64).then(|| {
            format!(
                "`{}` must have one element for each of {expected} {of}{plural}, found {count}",
                self.attribute
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::parse::{ParseOptions, parse};

    fn complaints(text: &str, target: &str) -> Vec<String> {
        let module = parse(
            text.as_bytes(),
            &ParseOptions {
                target: crate::release::Release::named(target.to_owned()),
                ..ParseOptions::default()
            },
        )
        .unwrap();
        let checks = module.verify_operations().unwrap();
        checks.errors().iter().map(ToString::to_string).collect()
    }

    fn switch(operation: &str, attributes: &str) -> String {
        let (function, end) = match operation.split('.').next() {
            Some("llvm") => ("llvm.func @f(%a: i32) {", "llvm.return"),
            Some("spirv") => ("spirv.func @f(%a: i32) \"None\" {", "spirv.Return"),
            _ => ("func.func @f(%a: i32) {", "return"),
        };
        format!(
            "{function}\n  \"{operation}\"(%a)[^b, ^c] <{{{attributes}case_operand_segments = array<i32: 0>, \
             operandSegmentSizes = array<i32: 1, 0, 0>}}> : (i32) -> ()\n^b:\n  {end}\n^c:\n  {end}\n}}\n"
        )
    }

    // Expected: the verdicts of mlir-opt 22. LLVM 16 agrees for operations of `cf` and `llvm`.
    #[test]
    fn switches_have_a_value_for_each_case() {
        for (operation, attributes, expected) in [
            ("cf.switch", "case_values = dense<1> : tensor<1xi32>, ", None),
            ("cf.switch", "case_values = dense<1> : tensor<1x1xi32>, ", None),
            ("cf.switch", "case_values = dense<1> : tensor<200000000xi32>, ", Some("200000000")),
            ("cf.switch", "case_values = dense<> : tensor<0xi32>, ", Some("found 0")),
            ("cf.switch", "", Some("found 0")),
            ("llvm.switch", "case_values = dense<1> : vector<1x1xi32>, ", None),
            (
                "llvm.switch",
                "case_values = dense<1> : tensor<200xi32>, ",
                Some("`case_values` must have one element"),
            ),
            ("llvm.switch", "", Some("for each of 1 case destination, found 0")),
            (
                "llvm.switch",
                "case_values = dense<1> : tensor<1xi32>, branch_weights = array<i32: 1>, ",
                Some("`branch_weights` must have one element for each of 2 successors, found 1"),
            ),
            ("spirv.Switch", "literals = dense<1> : tensor<1xi32>, ", None),
            ("spirv.Switch", "literals = dense<1> : tensor<200xi32>, ", Some("found 200")),
            ("spirv.Switch", "", None),
        ] {
            let messages = complaints(&switch(operation, attributes), "llvm-22");
            match expected {
                None => assert!(messages.is_empty(), "{operation} {attributes}: {messages:?}"),
                Some(part) => {
                    assert!(
                        messages.len() == 1 && messages[0].contains(part),
                        "{operation} {attributes}: {messages:?}"
                    );
                }
            }
        }
        for operation in ["cf.switch", "llvm.switch"] {
            let text = switch(operation, "case_values = dense<1> : tensor<2xi32>, ");
            let text = text
                .replace("<{", "{")
                .replace("}>", "}")
                .replace("operandSegmentSizes", "operand_segment_sizes");
            assert_eq!(complaints(&text, "llvm-16").len(), 1, "{operation}");
        }
    }

    #[test]
    fn switches_have_a_value_for_each_region() {
        for (dialect, operation, end) in
            [("func.func", "scf.index_switch", "scf.yield"), ("emitc.func", "emitc.switch", "emitc.yield")]
        {
            let text = |cases: &str| {
                let value_type = if dialect == "func.func" { "index" } else { "i32" };
                let end_of_function = if dialect == "func.func" { "return" } else { "emitc.return" };
                format!(
                    "{dialect} @f(%a: {value_type}) {{\n  \"{operation}\"(%a) <{{cases = array<i64: {cases}>}}> ({{ {end} }}, {{ {end} }}) : \
                     ({value_type}) -> ()\n  {end_of_function}\n}}\n"
                )
            };
            assert!(complaints(&text("1"), "llvm-22").is_empty(), "{operation}");
            let messages = complaints(&text("1, 2"), "llvm-22");
            assert!(messages[0].contains("for each of 1 case region, found 2"), "{messages:?}");
        }
    }

    // mlir-opt 22, 19 (`cf`, `llvm`) and 16 (`cf`) refuse these types; 16 accepts them in `llvm.switch`.
    #[test]
    fn cases_have_the_type_of_the_value() {
        for (operation, attribute) in
            [("cf.switch", "case_values"), ("llvm.switch", "case_values"), ("spirv.Switch", "literals")]
        {
            for (element, is_fine) in [("i32", true), ("i64", false), ("si32", false), ("index", false)] {
                for shape in ["vector<1x", "tensor<1x"] {
                    let cases = format!("{attribute} = dense<1> : {shape}{element}>, ");
                    let messages = complaints(&switch(operation, &cases), "llvm-22");
                    let expected = format!("does not follow from that of `{attribute}`");
                    let is_found = messages.len() == 1 && messages[0].contains(&expected);
                    assert_eq!(
                        (messages.is_empty(), is_found),
                        (is_fine, !is_fine),
                        "{operation}: {messages:?}"
                    );
                }
            }
        }
        for (operation, count) in [("cf.switch", 1), ("llvm.switch", 0)] {
            let text = switch(operation, "case_values = dense<1> : vector<1xi64>, ");
            let text = text
                .replace("<{", "{")
                .replace("}>", "}")
                .replace("operandSegmentSizes", "operand_segment_sizes");
            assert_eq!(complaints(&text, "llvm-16").len(), count, "{operation}");
        }
    }

    // mlir-opt 16, 19 and 22 refuse equal cases of `scf.index_switch`, 22 also of `emitc.switch`.
    #[test]
    fn cases_of_regions_differ() {
        let text = |cases: &str, regions: usize| {
            format!(
                "func.func @f(%a: index) {{\n  \"scf.index_switch\"(%a) <{{cases = array<i64: {cases}>}}> ({}) : (index) -> ()\n  \
                 return\n}}\n",
                vec!["{ scf.yield }"; regions].join(", ")
            )
        };
        assert!(complaints(&text("1, -1, 0", 4), "llvm-22").is_empty());
        for release in ["llvm-19", "llvm-22"] {
            let messages = complaints(&text("7, 1, 2, 1, 2", 6), release);
            assert!(
                messages.len() == 1 && messages[0].contains("`cases` has the value 1 twice"),
                "{messages:?}"
            );
        }
        let emitc = text("3, 3", 3).replace("scf.index_switch", "emitc.switch").replace("scf.", "emitc.");
        let emitc = emitc.replace("func.func", "emitc.func").replace("  return", "  emitc.return");
        let messages = complaints(&emitc, "llvm-22");
        assert!(messages.len() == 1 && messages[0].contains("`cases` has the value 3 twice"), "{messages:?}");
        // The other switches take the first of equal cases.
        let branches = "func.func @f(%a: i32) {\n  \"cf.switch\"(%a)[^b, ^b, ^b] <{case_values = dense<1> : vector<2xi32>, \
                        case_operand_segments = array<i32: 0, 0>, operandSegmentSizes = array<i32: 1, 0, 0>}> : (i32) -> ()\n\
                        ^b:\n  return\n}\n";
        assert!(complaints(branches, "llvm-22").is_empty());
    }

    #[test]
    fn patterns_have_a_value_for_each_case() {
        for (name, values, is_fine) in [
            ("switch_operand_count", "dense<1> : vector<1xi32>", true),
            ("switch_operand_count", "dense<[1, 2]> : vector<2xi32>", false),
            ("switch_operation_name", "[\"a\"]", true),
            ("switch_operation_name", "[\"a\", \"b\"]", false),
            ("switch_result_count", "dense<1> : vector<1x1xi32>", true),
        ] {
            let text = format!(
                "pdl_interp.func @m(%o: !pdl.operation) {{\n  \"pdl_interp.{name}\"(%o)[^a, ^b] <{{caseValues = {values}}}> : \
                 (!pdl.operation) -> ()\n^a:\n  pdl_interp.finalize\n^b:\n  pdl_interp.finalize\n}}\n"
            );
            assert_eq!(complaints(&text, "llvm-22").is_empty(), is_fine, "{text}");
        }
    }
}
