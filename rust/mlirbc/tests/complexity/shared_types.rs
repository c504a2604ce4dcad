//! Operations in custom form that share a large type: the printer's reads of the type do not depend on its
//! size.
//!
//! The text may be long, because it has the type for each operation; what is allocated may not.

use std::fmt::Write as _;

use mlirbc::parse::{ParseOptions, parse};
use mlirbc::print::PrintOptions;

use crate::Counter;
use crate::counting::{Allocated, allocated};

/// A text with `n` operations that have a type of size `n`, for one way in which the printer reads the type.
struct SharedType {
    view: &'static str,
    target: &'static str,
    large: fn(usize) -> String,
    /// The value of the large type is `%x`, other values are `%i` of type `i32`, and `{k}` is different in each operation.
    operation: &'static str,
}

const SHARED_TYPES: &[SharedType] = &[
    SharedType {
        view: "a type that a definition names",
        target: "llvm-22",
        large: tuple,
        operation: r#""cf.assert"(%x) <{msg = "m"}> {k} : (!large) -> ()"#,
    },
    SharedType {
        view: "one bit",
        target: "llvm-22",
        large: tuple,
        operation: r#""arith.select"(%x, %i, %i) {k} : (!large, i32, i32) -> i32"#,
    },
    SharedType {
        view: "an index",
        target: "llvm-22",
        large: tuple,
        operation: r#""scf.for"(%x, %x, %x) ({
          ^bb0(%a: !large):
            "scf.yield"() : () -> ()
          }) {k} : (!large, !large, !large) -> ()"#,
    },
    SharedType {
        view: "the storage class of a pointer",
        target: "llvm-22",
        large: |n| format!("!spirv.ptr<!spirv.struct<({})>, Function>", list("i8", n)),
        operation: r#""spirv.Load"(%x) {k} : (!large) -> i32"#,
    },
    SharedType {
        view: "the pointee of a pointer",
        target: "llvm-22",
        large: |n| format!("!spirv.ptr<!spirv.struct<({})>, Function>", list("i8", n)),
        operation: r#""spirv.AtomicIAdd"(%x, %i) <{memory_scope = #spirv.scope<Subgroup>,
          semantics = #spirv.memory_semantics<None>}> {k} : (!large, i32) -> i32"#,
    },
    SharedType {
        view: "another type",
        target: "llvm-22",
        large: |n| format!("!spirv.struct<({})>", list("i8", n)),
        operation: r#""spirv.Constant"() <{value = 1 : i32}> {k} : () -> !large"#,
    },
    SharedType {
        view: "an implied vector",
        target: "llvm-22",
        large: vector,
        operation: r#""llvm.shufflevector"(%v, %v) <{mask = array<i32: 0>}> {k} : (vector<4xi8>, vector<4xi8>) -> !large"#,
    },
    SharedType {
        view: "the levels of an iteration",
        target: "llvm-22",
        large: |n| {
            let dims = |name: &str| (0..n).map(|dim| format!("{name}{dim}")).collect::<Vec<_>>();
            let levels = dims("d").into_iter().map(|dim| format!("{dim} : dense")).collect::<Vec<_>>();
            let map = format!("({}) -> ({})", dims("d").join(", "), levels.join(", "));
            format!("!sparse_tensor.iter_space<#sparse_tensor.encoding<{{ map = {map} }}>, lvls = 0>")
        },
        operation: r#""sparse_tensor.iterate"(%x) <{crdUsedLvls = 0 : i64}> ({
          ^bb0(%a: i32):
            "sparse_tensor.yield"() : () -> ()
          }) {k} : (!large) -> ()"#,
    },
    SharedType {
        view: "dynamic dimensions",
        target: "iree-3.13",
        large: |n| format!("tensor<{}i8>", "1x".repeat(n)),
        operation: r#""flow.tensor.clone"(%x) <{operandSegmentSizes = array<i32: 1, 0>}> {k} : (!large) -> !large"#,
    },
    SharedType {
        view: "a reference of the virtual machine",
        target: "iree-3.13",
        large: |n| format!("!vm.ref<!t.t<{}>>", list("i8", n)),
        operation: r#""vm.const.ref.zero"() {k} : () -> !large"#,
    },
];

fn list(item: &str, n: usize) -> String {
    vec![item; n].join(", ")
}

fn tuple(n: usize) -> String {
    format!("tuple<{}>", list("i8", n))
}

fn vector(n: usize) -> String {
    format!("vector<{}i8>", "1x".repeat(n))
}

impl SharedType {
    fn text(&self, n: usize) -> String {
        let mut text = format!("!large = {}\n", (self.large)(n));
        text += r#"%x, %i, %n, %v = "t.x"() : () -> (!large, i32, index, vector<4xi8>)"#;
        for number in 0..n {
            // Operations without a difference would share a plan.
            let operation = self.operation.replace("{k}", &format!("{{k = {number} : i64}}"));
            write!(text, "\n{operation}").unwrap();
        }
        text
    }

    /// Counts the allocations of printing; the text must have the custom form.
    fn printed(&self, n: usize) -> Allocated {
        let options = ParseOptions::default().target(mlirbc::Release::named(self.target.to_owned()));
        let module =
            parse(self.text(n).as_bytes(), &options).unwrap_or_else(|error| panic!("{}: {error}", self.view));
        let mut text = Vec::new();
        module.print(&mut text, &PrintOptions::default()).unwrap();
        let text = String::from_utf8(text).unwrap();
        let name = self.operation.split('"').nth(1).unwrap();
        let is_generic = text.contains(&format!("\"{name}\""));
        assert!(!is_generic, "{}: {}", self.view, text.lines().nth(2).unwrap_or_default());
        allocated(|| module.print(&mut Counter::default(), &PrintOptions::default()).unwrap()).0
    }
}

/// The part of the allocated bytes that does not depend on the file.
const BYTES_AT_LEAST: u64 = 256 << 10;

#[test]
fn views_of_a_shared_type_are_made_once() {
    let mut problems = Vec::new();
    for shared in SHARED_TYPES {
        let (small_run, large_run) = (shared.printed(1000), shared.printed(2000));
        if large_run.bytes > BYTES_AT_LEAST
            && large_run.bytes as f64 > 2.6 * (small_run.bytes + BYTES_AT_LEAST / 4) as f64
        {
            problems.push(format!("{}: {} bytes become {}", shared.view, small_run.bytes, large_run.bytes));
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}
