//! Texts whose numbers, types or nesting demand far more memory than they have characters: allocations are
//! counted, and stay within the limit and linear in the text.

// `counting.rs` is an allocator.
#![allow(unsafe_code, missing_docs, clippy::unwrap_used, clippy::panic)]

#[path = "complexity/counting.rs"]
mod counting;

use counting::allocated;
use mlirbc::limits::Limits;
use mlirbc::parse::{ParseOptions, assemble, parse};
use mlirbc::{Attribute, ErrorKind, Result, Type};

/// The limit of the texts that ask for more.
const LIMIT: u64 = 8 << 20;

/// Allocations in all, not at once: a list is copied while it grows, and the module is written and read.
const MOST_ALLOCATED: u64 = 8 * LIMIT;

fn limits() -> Limits {
    Limits::default().max_memory(Some(LIMIT))
}

fn options(limits: Limits) -> ParseOptions {
    ParseOptions::default().limits(limits)
}

/// Checks that the work allocates little, and that it ends well or at the limit of memory.
fn check(text: &str, work: impl Fn() -> Result<()>) {
    let (used, result) = allocated(&work);
    let shown = text.get(..text.len().min(60)).unwrap_or_default();
    if let Err(error) = result {
        assert_eq!(error.kind(), ErrorKind::MemoryLimit, "{shown}: {error}");
    }
    assert!(used.bytes < MOST_ALLOCATED, "{shown}: {} bytes in {} calls", used.bytes, used.calls);
}

fn list(item: &str, count: usize) -> String {
    vec![item; count].join(", ")
}

fn count_up(count: usize) -> String {
    (1..=count).map(|number| number.to_string()).collect::<Vec<_>>().join(", ")
}

/// Attributes of few characters with elements of up to 2 MiB.
fn wide_attributes() -> Vec<String> {
    const WIDEST: &str = "i16777215";
    let rows: Vec<String> = (0..100).map(|row| format!("[{row}]")).collect();
    let mut texts = Vec::new();
    for elements in
        [list("1", 100), count_up(100), list("-1", 100), list("0x1", 2500), list("1, 01, 001", 30)]
    {
        let count = elements.split(',').count();
        texts.push(format!("dense<[{elements}]> : tensor<{count}x{WIDEST}>"));
        texts.push(format!("dense<[{elements}]> : vector<{count}xindex>"));
        texts.push(format!("array<i16777208: {elements}>"));
        if count == 100 {
            texts.push(format!("sparse<[{}], [{elements}]> : tensor<100x{WIDEST}>", rows.join(", ")));
        }
    }
    for part in ["(1, 1)", "(1, 2)", "(-1, 0)"] {
        texts.push(format!("dense<[{}]> : tensor<100xcomplex<{WIDEST}>>", list(part, 100)));
    }
    for number in ["0", "1", "-1", "0x1", "-0x1"] {
        texts.push(format!("{number} : {WIDEST}"));
        texts.push(format!(
            "[{}]",
            (0..50).map(|n| format!("{number}{n} : i{}", 16_777_000 + n)).collect::<Vec<_>>().join(", ")
        ));
    }
    texts.push("dense<1> : tensor<1000000000000xi32>".to_owned());
    texts.push("dense<true> : tensor<9223372036854775807xi1>".to_owned());
    texts.push("dense<\"0x01\"> : tensor<1000000000000xi8>".to_owned());
    texts.push("dense<(1.0, 2.0)> : tensor<4294967296xcomplex<f64>>".to_owned());
    texts.push("dense<\"a\"> : tensor<1000000000000x!t.string>".to_owned());
    texts.push("dense_resource<key> : tensor<9223372036854775807xi16777215>".to_owned());
    texts.push("array<i16777208>".to_owned());
    texts.push("affine_map<(d0)[s0] -> (d0 + 9223372036854775807 * s0)>".to_owned());
    texts.push("1.0e999999999999 : f128".to_owned());
    texts.push("1.0e-999999999999 : f80".to_owned());
    texts.push("strided<[9223372036854775807, ?], offset: -9223372036854775807>".to_owned());
    texts.push("loc(\"a\":4294967295:4294967295)".to_owned());
    texts
}

#[test]
fn wide_elements_stay_within_the_limit() {
    // The first runs create the tables that exist once for the whole process.
    drop(parse("\"t.a\"() : () -> ()", &ParseOptions::default()).unwrap());
    drop(Attribute::parse("dense<1> : tensor<2xi32>").unwrap());
    for attribute in wide_attributes() {
        check(&attribute, || Attribute::parse_with(&attribute, &limits()).map(drop));
        let op = format!("\"t.a\"() {{a = {attribute}}} : () -> ()");
        check(&op, || assemble(&op, &options(limits())).map(drop));
        check(&op, || parse(&op, &options(limits())).map(drop));
    }
    for ty in
        ["tensor<9223372036854775807x9223372036854775807xi16777215>", "vector<2147483647x2147483647xi1>"]
    {
        check(ty, || Type::parse_with(ty, &limits()).map(drop));
    }
}

#[test]
fn operations_stay_within_the_limit() {
    drop(parse("\"t.a\"() : () -> ()", &ParseOptions::default()).unwrap());
    for text in [
        "%v:4294967295 = \"t.a\"() : () -> i32",
        "%r:4294967295 = vector.to_elements %v : vector<1048576x1048576xf32>",
        "%v = \"t.a\"() : () -> vector<1048576x1048576x1048576x1048576xf32>\n%r = vector.to_elements %v : vector<1048576x1048576x1048576x1048576xf32>",
        "%v = \"t.a\"() : () -> vector<9999999xf32>\n%r:2 = vector.to_elements %v : vector<9999999xf32>",
        "\"t.a\"(%v#4294967295) : (i32) -> ()",
    ] {
        let (used, result) = allocated(|| parse(text, &options(limits())));
        assert!(result.is_err(), "{text}");
        assert!(used.bytes < MOST_ALLOCATED, "{text}: {used:?}");
    }
}

#[test]
fn equal_wide_elements_are_one_element() {
    for (elements, count) in
        [(list("1", 100), 100), (list("7, 07, 0x7", 1000), 3000), (list("-1", 2500), 2500)]
    {
        let attribute = format!("dense<[{elements}]> : tensor<{count}xi16777215>");
        let parsed = Attribute::parse_with(attribute, &limits()).unwrap();
        let first = elements.split(',').next().unwrap();
        let splat = Attribute::parse(format!("dense<{first}> : tensor<{count}xi16777215>")).unwrap();
        assert_eq!(parsed, splat);
    }
    let differing = Attribute::parse("dense<[5, 5, 6, 5]> : tensor<4xi72>").unwrap();
    assert_eq!(differing.to_string(), "dense<[5, 5, 6, 5]> : tensor<4xi72>");
    let complex = Attribute::parse("dense<[(1, 2), (1, 2), (2, 1)]> : tensor<3xcomplex<i80>>").unwrap();
    assert_eq!(complex.to_string(), "dense<[(1,2), (1,2), (2,1)]> : tensor<3xcomplex<i80>>");
}

#[test]
fn memory_of_equal_attributes_is_charged_once() {
    // Each takes 64 KiB while it is read, and all are one attribute.
    let attribute = "dense<[1, 2]> : tensor<2xi262144>";
    let text = format!("[{}]", list(attribute, 1000));
    Attribute::parse_with(text, &Limits::default().max_memory(Some(1 << 20))).unwrap();
}

/// Checks the allocations of assembling texts of one kind that are `n`, `2n` and `4n` long.
fn assert_linear(kind: &str, n: usize, text: impl Fn(usize) -> String) {
    drop(assemble(text(2), &ParseOptions::default()));
    let bytes: Vec<u64> = [n, 2 * n, 4 * n]
        .into_iter()
        .map(|n| {
            let text = text(n);
            let (used, result) = allocated(|| assemble(&text, &ParseOptions::default()));
            result.unwrap_or_else(|error| panic!("{kind} of {n}: {error}"));
            used.bytes
        })
        .collect();
    // Lists grow by doubling, and tables of the release are made once.
    for (one, two) in bytes.iter().zip(&bytes[1..]) {
        assert!(*two < one * 5 / 2, "{kind}: {bytes:?}");
    }
}

#[test]
fn cases_of_switches_are_kept_once() {
    let cases = |op: &str, terminator: &str, of: &str, n: usize| {
        let cases: String = (0..n).map(|case| format!("case {case} {{ {terminator} }}\n")).collect();
        let (head, ty) = if of.is_empty() { ("%a: index", "") } else { ("%a: i32", ": i32") };
        format!("func.func @f({head}) {{ {op} %a {ty}\n{cases}default {{ {terminator} }}\nreturn }}")
    };
    assert_linear("scf.index_switch", 500, |n| cases("scf.index_switch", "scf.yield", "", n));
    assert_linear("emitc.switch", 500, |n| cases("emitc.switch", "emitc.yield", "i32", n));
}

#[test]
fn nested_types_are_read_once() {
    for (kind, before, after) in [
        ("struct", "!spirv.struct<(", ")>"),
        ("array", "!spirv.array<4 x ", ">"),
        ("ptr", "!spirv.ptr<", ", Function>"),
    ] {
        assert_linear(kind, 500, |n| {
            format!("\"t.a\"() {{a = {}i32{}}} : () -> ()", before.repeat(n), after.repeat(n))
        });
    }
}

#[test]
fn a_shared_wide_type_is_read_once() {
    let members = |op: &str, n: usize| {
        let ops: String = (0..n).map(|index| format!("%{index} = llvm.{op} %s[{index}] : !s\n")).collect();
        format!(
            "!s = !llvm.struct<({})>\nllvm.func @f(%s: !s, %v: i32) {{\n{ops}llvm.return }}",
            list("i32", n)
        )
    };
    assert_linear("llvm.extractvalue", 400, |n| members("extractvalue", n));
    assert_linear("llvm.insertvalue", 400, |n| members("insertvalue %v,", n));
    assert_linear("linalg.elementwise", 100, |n| {
        let types = list("!t", n);
        format!(
            "!t = tensor<{}f32>\nfunc.func @f(%a: !t, %o: !t) -> !t {{\n\
             %r = linalg.elementwise kind=#linalg.elementwise_kind<select> ins({} : {types}) outs(%o : !t) -> !t\n\
             return %r : !t }}",
            "1x".repeat(n),
            list("%a", n),
        )
    });
}

#[test]
fn isolated_regions_are_charged_once_at_any_depth() {
    let nested = |depth: usize| "module {\n".repeat(depth) + &"}\n".repeat(depth);
    assert_linear("module", 1000, nested);
    for depth in [3000, 16_384] {
        let text = nested(depth);
        let memory = 1000 * depth as u64 + (4 << 20);
        let limits = Limits::default().max_memory(Some(memory));
        assemble(&text, &options(limits)).unwrap();
    }
}

#[test]
fn wide_integers_are_read_in_the_time_of_their_digits() {
    // Each has a type of 2^24 bits and is converted to no more words than its digits have.
    let ops: String = (0..2000).map(|n| format!("\"t.a\"() {{a = {n} : i16777215}} : () -> ()\n")).collect();
    let (used, result) = allocated(|| assemble(&ops, &ParseOptions::default()));
    result.unwrap();
    assert!(used.bytes < 64 << 20, "{used:?}");
}
