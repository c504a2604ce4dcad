//! Texts of twice the size: parsing them, and verifying their operations, needs about twice the allocations.
//!
//! tests/complexity/families has many more, whose time is measured, too.

use std::fmt::Write as _;

use mlirbc::error::ErrorClass;
use mlirbc::parse::{ParseOptions, parse};
use mlirbc::{Module, Result};

use crate::counting::allocated;
use crate::{Run, problem};

type TextFamily = (&'static str, fn(usize) -> String);

const FAMILIES: &[TextFamily] = &[
    ("modules n deep", |n| "module {\n".repeat(n) + &"}\n".repeat(n)),
    ("functions n deep", |n| {
        numbered(n, "builtin.module { func.func @f$() {\n", "") + &"return\n}}\n".repeat(n)
    }),
    ("regions n deep", |n| "\"t.op\"() ({\n".repeat(n) + &"}) : () -> ()\n".repeat(n)),
    ("cases of scf.index_switch", |n| {
        let cases = numbered(n, "case $ {\n  scf.yield\n}\n", "");
        function("%i: index", &format!("scf.index_switch %i\n{cases}default {{\n}}\n"))
    }),
    ("cases of emitc.switch", |n| {
        let cases = numbered(n, "  case $ {\n    emitc.yield\n  }\n", "");
        format!(
            "emitc.func @f(%a: i32) {{\n  emitc.switch %a : i32\n{cases}  default {{\n  }}\n  emitc.return\n}}\n"
        )
    }),
    ("cases of cf.switch", |n| {
        let cases = numbered(n, "$: ^b", ", ");
        function("%a: i32", &format!("cf.switch %a : i32, [default: ^b, {cases}]\n^b:\n"))
    }),
    ("cases of llvm.switch", |n| {
        let cases = numbered(n, "$: ^b", ", ");
        format!("llvm.func @f(%a: i32) {{\n  llvm.switch %a : i32, ^b [{cases}]\n^b:\n  llvm.return\n}}\n")
    }),
    ("a wide tensor of many additions", |n| uses(&wide("tensor", n), "%r$ = arith.addf %a, %a : !t\n", n)),
    ("a wide vector of many functions", |n| uses(&wide("vector", n), "%r$ = math.exp %a : !t\n", n)),
    ("a wide tuple of many selections", |n| {
        uses(&format!("tuple<{}>", list("i1", n)), "%r$ = arith.select %c, %a, %a : !t\n", n)
    }),
    ("a wide tensor of many comparisons", |n| {
        uses(&wide("tensor", n), "%r$ = \"arith.cmpf\"(%a, %a) <{predicate = 1 : i64}> : (!t, !t) -> !t\n", n)
    }),
    ("a wide tensor of many branches", |n| {
        uses(&wide("tensor", n), "cf.br ^b$(%a : !t)\n^b$(%x$: !t):\n", n)
    }),
    ("a wide tensor of many wrong branches", |n| {
        uses(&wide("tensor", n), "\"cf.br\"(%a)[^b$] : (!t) -> ()\n^b$(%x$: tensor<*xf32>):\n", n)
    }),
    ("two equal wide tensors of many additions", |n| {
        let line = "%r$ = \"arith.addf\"(%a, %b) : (!t, !u) -> !t\n";
        format!("!u = tensor<{}?xf32>\n", "1x".repeat(n))
            + &uses(&wide("tensor", n), line, n).replace("%c: i1", "%c: i1, %b: !u")
    }),
    ("a wide function type of many constants", |n| {
        let line = "%r$ = func.constant @g : !t\n";
        uses(&format!("({}) -> ()", list("i32", n)), line, n)
    }),
    ("a wide memref of many copies", |n| uses(&wide("memref", n), "memref.copy %a, %a : !t to !t\n", n)),
    ("nested structs of llvm.extractvalue", |n| {
        let struct_type = format!("!llvm.{}i1{}", "struct<(".repeat(n), ")>".repeat(n));
        let places = list("0", n);
        format!(
            "llvm.func @f(%s: {struct_type}) {{\n  %x = llvm.extractvalue %s[{places}] : {struct_type}\n  llvm.return\n}}\n"
        )
    }),
    ("nested types of SPIR-V", |n| {
        let struct_type = format!("{}f32{}", "!spirv.struct<(".repeat(n), ")>".repeat(n));
        format!("\"t.op\"() : () -> {struct_type}\n")
    }),
    ("one array of many operations", |n| {
        let array = format!("#a = [{}]\n", list("1 : i64", n));
        array + &numbered(n, "\"emitc.call_opaque\"() <{args = #a, callee = \"f\"}> {n = $} : () -> ()\n", "")
    }),
    ("one list of sizes of many operations", |n| {
        let sizes = format!("#a = array<i32: {}>\n", list("0", n));
        let line = "\"cf.switch\"(%a)[^b$] <{case_operand_segments = #a, operandSegmentSizes = array<i32: 1, 0, 0>}> \
                    {n = $} : (i32) -> ()\n^b$:\n";
        sizes + &function("%a: i32", &numbered(n, line, ""))
    }),
    ("one symbol of many functions", |n| {
        let name = format!("#a = \"{}\"\n", "x".repeat(n));
        let line = "\"func.func\"() <{function_type = () -> (), sym_name = #a, sym_visibility = \"private\"}> ({\n}) : () -> ()\n";
        name + &line.repeat(n)
    }),
    ("one set of many conditions", |n| {
        let set = format!("#s = affine_set<(d0) : ({})>\n", numbered(n, "d0 - $ >= 0", ", "));
        set + &function("%i: index", &"affine.if #s(%i) {\n}\n".repeat(n))
    }),
    ("a value with many uses", |n| {
        "%v = \"t.op\"() : () -> i1\n".to_owned() + &"\"t.use\"(%v) : (i1) -> ()\n".repeat(n)
    }),
    ("values used before they are defined", |n| {
        let (uses, values) = (
            numbered(n, "\"t.use\"(%v$) : (i1) -> ()\n", ""),
            numbered(n, "%v$ = \"t.op\"() : () -> i1\n", ""),
        );
        format!("\"t.op\"() ({{\n{uses}{values}}}) : () -> ()\n")
    }),
    ("aliases of aliases", |n| {
        let aliases: String = (0..n).fold("#a0 = 1\n".to_owned(), |mut text, number| {
            let _ = writeln!(text, "#a{} = [#a{number}]", number + 1);
            text
        });
        aliases + &format!("\"t.op\"() {{k = #a{n}}} : () -> ()\n")
    }),
];

fn list(item: &str, n: usize) -> String {
    vec![item; n].join(", ")
}

fn numbered(n: usize, item: &str, separator: &str) -> String {
    let items: Vec<String> = (0..n).map(|number| item.replace('$', &number.to_string())).collect();
    items.join(separator)
}

fn wide(of: &str, n: usize) -> String {
    format!("{of}<{}f32>", "1x".repeat(n))
}

fn function(arguments: &str, body: &str) -> String {
    format!("func.func @f({arguments}) {{\n{body}  return\n}}\n")
}

/// A function with n operations that use a value `%a` of a large type `!t`.
fn uses(of: &str, line: &str, n: usize) -> String {
    let body = function("%a: !t, %c: i1", &numbered(n, line, ""));
    format!("!t = {of}\nfunc.func private @g({})\n{body}", list("i32", n))
}

type TextWork = fn(&Module) -> Result<()>;

const WORKS: &[(&str, TextWork)] = &[
    ("parse", |_| Ok(())),
    // Errors of the operations are in the result.
    ("parse and verify operations", |module| module.verify_operations().map(drop)),
];

fn run_text(text: &str, work: TextWork) -> Run {
    let (allocated, done) = allocated(|| work(&parse(text.as_bytes(), &ParseOptions::default())?));
    let error = done.err();
    // Anything but a limit means that the family is not a module.
    assert!(error.as_ref().is_none_or(|error| error.class() == ErrorClass::Limit), "{error:?}");
    let error = error.map(|error| error.identifier());
    Run { size: text.len() as u64, written: 0, allocated, error }
}

#[test]
fn allocations_for_texts_grow_no_faster_than_the_texts() {
    let mut problems = Vec::new();
    for (family, build) in FAMILIES {
        let (small, large) = (build(400), build(800));
        for (name, work) in WORKS {
            run_text(&build(10), *work);
            let (small_run, large_run) = (run_text(&small, *work), run_text(&large, *work));
            problems.extend(
                problem(&small_run, &large_run, 1).map(|problem| format!("{family}, {name}: {problem}")),
            );
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}
