//! The cost of programs: numbers that follow from shapes by hand, loops, branches, calls, symbolic dimensions.

#![allow(clippy::unwrap_used, reason = "a test fails by a panic")]

use mlirbc::parse::ParseOptions;
use mlirbc::tool::{CostOptions, CostReport, CustomCallCosts};
use mlirbc::{Module, Release};

fn parse(text: &str) -> Module {
    Module::parse_with(text, &ParseOptions::default().target(Release::named("jaxlib-0.10"))).unwrap()
}

fn of_llvm(text: &str) -> CostReport {
    CostReport::of(&Module::parse(text).unwrap(), &CostOptions::default()).unwrap()
}

fn report_with(text: &str, options: &CostOptions) -> CostReport {
    CostReport::of(&parse(text), options).unwrap()
}

fn report(text: &str) -> CostReport {
    report_with(text, &CostOptions::default())
}

fn total(text: &str) -> [String; 4] {
    let total = report(text).total;
    [total.flops, total.transcendentals, total.bytes_read, total.bytes_written]
        .map(|amount| amount.to_string())
}

fn function(arguments: &str, body: &str) -> String {
    format!("func.func @main({arguments}) {{\n{body}\n  return\n}}")
}

#[test]
fn operations_on_elements_take_a_step_for_each() {
    let text = function(
        "%a: tensor<2x3xf32>",
        "%0 = stablehlo.add %a, %a : tensor<2x3xf32>\n%1 = stablehlo.tanh %0 : tensor<2x3xf32>",
    );
    assert_eq!(total(&text), ["6", "6", "72", "48"]);
}

#[test]
fn dots_take_two_steps_for_each_product() {
    let dot = "%0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<7x2x3xbf16>, tensor<7x3x5xbf16>) -> tensor<7x2x5xf32>";
    assert_eq!(
        total(&function("%a: tensor<7x2x3xbf16>, %b: tensor<7x3x5xbf16>", dot)),
        ["420", "0", "294", "280"]
    );
}

#[test]
fn reductions_take_one_step_less_than_elements() {
    let reduce = "%z = stablehlo.constant dense<0.0> : tensor<f32>\n%0 = stablehlo.reduce(%a init: %z) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>";
    assert_eq!(total(&function("%a: tensor<4x8xf32>", reduce))[0], "28");
}

#[test]
fn loops_with_constant_bounds_are_multiplied() {
    let text = function(
        "%a: tensor<10xf32>",
        "%zero = stablehlo.constant dense<0> : tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %x = %a) : tensor<i32>, tensor<10xf32>
  cond {
    %n = stablehlo.constant dense<7> : tensor<i32>
    %c = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    %y = stablehlo.multiply %x, %x : tensor<10xf32>
    stablehlo.return %j, %y : tensor<i32>, tensor<10xf32>
  }",
    );
    let report = report(&text);
    // Each iteration multiplies ten numbers and adds one; the condition compares once more, to end the loop.
    assert_eq!(report.total.flops.to_string(), "85");
    assert_eq!(report.notes, []);
}

#[test]
fn loops_without_a_constant_end_count_once_and_are_noted() {
    let text = function(
        "%n: tensor<i32>",
        "%0 = stablehlo.while(%i = %n) : tensor<i32>
  cond {
    %z = stablehlo.constant dense<0> : tensor<i32>
    %c = stablehlo.compare GT, %i, %z, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.subtract %i, %one : tensor<i32>
    stablehlo.return %j : tensor<i32>
  }",
    );
    let report = report(&text);
    assert_eq!(report.total.flops.to_string(), "2");
    assert!(report.notes[0].text.contains("iterations"), "{:?}", report.notes);
}

#[test]
fn functions_count_once_for_each_call() {
    let text = "func.func @main(%a: tensor<4xf32>) {
  func.call @twice(%a) : (tensor<4xf32>) -> ()
  func.call @twice(%a) : (tensor<4xf32>) -> ()
  return
}
func.func private @twice(%a: tensor<4xf32>) {
  func.call @once(%a) : (tensor<4xf32>) -> ()
  func.call @once(%a) : (tensor<4xf32>) -> ()
  return
}
func.func private @once(%a: tensor<4xf32>) {
  %0 = stablehlo.add %a, %a : tensor<4xf32>
  return
}
func.func private @never(%a: tensor<4xf32>) {
  %0 = stablehlo.add %a, %a : tensor<4xf32>
  return
}";
    let report = report(text);
    assert_eq!(report.total.flops.to_string(), "16");
    let rows: Vec<_> =
        report.functions.iter().map(|row| format!("{} {} {}", row.name, row.executions, row.flops)).collect();
    assert_eq!(rows, ["main 1 16", "twice 2 16", "once 4 16", "never 0 4"]);
}

#[test]
fn functions_that_call_themselves_end() {
    let text = "func.func @main(%a: tensor<4xf32>) {
  func.call @main(%a) : (tensor<4xf32>) -> ()
  %0 = stablehlo.add %a, %a : tensor<4xf32>
  return
}";
    let report = report(text);
    assert_eq!(report.total.flops.to_string(), "4");
    assert!(report.notes.iter().any(|note| note.text.contains("calls itself")));
}

#[test]
fn open_dimensions_stay_in_formulas() {
    let text = function(
        "%a: tensor<?x4xf32>, %b: tensor<4x8xf32>",
        "%0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<?x4xf32>, tensor<4x8xf32>) -> tensor<?x8xf32>\n%1 = stablehlo.add %0, %0 : tensor<?x8xf32>",
    );
    let formula = report(&text);
    assert_eq!(formula.total.flops.to_string(), "72*arg0.0");
    assert_eq!(formula.symbols, ["arg0.0"]);
    let options = CostOptions::default().dims(vec![("arg0.0".to_owned(), 3)]);
    assert_eq!(report_with(&text, &options).total.flops.to_string(), "216");
    let options = CostOptions::default().dims(vec![("b".to_owned(), 3)]);
    let error = CostReport::of(&parse(&text), &options).unwrap_err();
    assert!(error.hint().unwrap_or_default().contains("`arg0.0`"), "{error}");
}

#[test]
fn the_greatest_branch_counts() {
    let text = function(
        "%p: tensor<i1>, %a: tensor<4xf32>",
        "%0 = \"stablehlo.if\"(%p) ({
    %1 = stablehlo.add %a, %a : tensor<4xf32>
    %2 = stablehlo.add %1, %a : tensor<4xf32>
    stablehlo.return %2 : tensor<4xf32>
  }, {
    %3 = stablehlo.multiply %a, %a : tensor<4xf32>
    stablehlo.return %3 : tensor<4xf32>
  }) : (tensor<i1>) -> tensor<4xf32>",
    );
    let report = report(&text);
    assert_eq!(report.total.flops.to_string(), "8");
    assert!(!report.names.iter().any(|row| row.name == "stablehlo.multiply"));
}

#[test]
fn custom_calls_have_declared_costs() {
    let text = function(
        "%a: tensor<4x6xf32>",
        "%0 = stablehlo.custom_call @mine(%a) : (tensor<4x6xf32>) -> tensor<4xf32>\n%1 = stablehlo.custom_call @other(%a) : (tensor<4x6xf32>) -> tensor<4xf32>",
    );
    let table = "[custom_call.mine]\nflops = '2 * operand0.elements + result0.dim0'\nbytes_read = '0'";
    let options = CostOptions::default().custom_calls(CustomCallCosts::parse(table).unwrap());
    let report = report_with(&text, &options);
    assert_eq!(report.total.flops.to_string(), "52");
    assert_eq!(report.total.bytes_read.to_string(), "0");
    assert_eq!(report.total.bytes_written.to_string(), "16");
    assert!(report.notes.iter().any(|note| note.text.contains("`other`")));
    assert!(report.notes.iter().all(|note| !note.text.contains("`mine`")));
}

#[test]
fn operations_of_linalg_iterate_over_their_space() {
    let text = "func.func @main(%a: tensor<3x5xf32>, %b: tensor<5x7xf32>, %c: tensor<3x7xf32>) -> tensor<3x7xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<3x5xf32>, tensor<5x7xf32>) outs(%c : tensor<3x7xf32>) -> tensor<3x7xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = [\"parallel\", \"parallel\"]}
      ins(%0 : tensor<3x7xf32>) outs(%c : tensor<3x7xf32>) {
  ^bb0(%x: f32, %y: f32):
    %2 = arith.addf %x, %y : f32
    linalg.yield %2 : f32
  } -> tensor<3x7xf32>
  return %1 : tensor<3x7xf32>
}";
    let report = of_llvm(text);
    let flops = |name: &str| report.names.iter().find(|row| row.name == name).unwrap().flops.to_string();
    assert_eq!(flops("linalg.matmul"), "210");
    assert_eq!(flops("linalg.generic"), "21");
}

#[test]
fn loops_of_affine_with_constant_bounds_are_multiplied() {
    let text = "func.func @main(%a: memref<10xf32>) {
  affine.for %i = 0 to 10 step 3 {
    %0 = affine.load %a[%i] : memref<10xf32>
    %1 = arith.addf %0, %0 : f32
    affine.store %1, %a[%i] : memref<10xf32>
  }
  return
}";
    assert_eq!(of_llvm(text).total.flops.to_string(), "4");
}

#[test]
fn options_that_match_nothing_are_noted() {
    let table = CustomCallCosts::parse("[custom_call.absent]\nflops = '1'").unwrap();
    let options = CostOptions::default().custom_calls(table).parameters(vec!["zzz".to_owned()]);
    let report = report_with(&function("%a: tensor<4xf32>", ""), &options);
    let notes: Vec<_> = report.notes.iter().map(|note| &*note.text).collect();
    assert_eq!(notes.len(), 2, "{notes:?}");
    assert!(
        notes.iter().any(|note| note.contains("`zzz`")) && notes.iter().any(|note| note.contains("`absent`"))
    );
}

#[test]
fn invalid_formulas_are_explained() {
    let call = "%0 = stablehlo.custom_call @mine(%a) : (tensor<4xf32>) -> tensor<4xf32>";
    let text = function("%a: tensor<4xf32>", call);
    for (formula, part) in [
        ("operand3.elements", "`operand3.elements` has no value"),
        ("floordiv(1, 0)", "`floordiv` has no value"),
        ("0 - 5", "is negative"),
    ] {
        let table = CustomCallCosts::parse(&format!("[custom_call.mine]\nflops = '{formula}'")).unwrap();
        let options = CostOptions::default().custom_calls(table);
        let error = CostReport::of(&parse(&text), &options).unwrap_err();
        assert!(error.to_string().contains(part), "{error}");
    }
}

#[test]
fn layers_contain_their_scopes() {
    let text = "func.func @main(%a: tensor<4xf32>) {
  %0 = stablehlo.add %a, %a : tensor<4xf32> loc(\"jit(f)/block0/add\")
  %1 = stablehlo.add %a, %a : tensor<4xf32> loc(\"jit(f)/block0/norm/add\")
  %2 = stablehlo.add %a, %a : tensor<4xf32> loc(\"jit(f)/block1/add\")
  func.call @shared(%a) : (tensor<4xf32>) -> () loc(\"jit(f)/block1/jit(relu)\")
  return
}
func.func private @shared(%a: tensor<4xf32>) {
  %0 = stablehlo.maximum %a, %a : tensor<4xf32> loc(\"jit(f)/block0/jit(relu)/max\")
  return
}";
    let rows: Vec<_> = report(text).layers.iter().map(|row| format!("{} {}", row.name, row.flops)).collect();
    assert_eq!(rows, ["jit(f) 16", "jit(f)/block0 8", "jit(f)/block0/norm 4", "jit(f)/block1 8"]);
}

#[test]
fn sizes_past_127_bits_are_an_error() {
    let huge = format!("tensor<{0}x{0}x{0}xf32>", i64::MAX);
    let text = function(&format!("%a: {huge}"), &format!("%0 = stablehlo.add %a, %a : {huge}"));
    let error = CostReport::of(&parse(&text), &CostOptions::default()).unwrap_err();
    assert!(error.to_string().contains("127 bits"), "{error}");
}

#[test]
fn deep_nests_and_chains_need_no_stack() {
    let depth = 5_000;
    let mut text = String::from(
        "func.func @main(%a: tensor<4xf32>) {\n  func.call @f0(%a) : (tensor<4xf32>) -> ()\n  return\n}\n",
    );
    for number in 0..depth {
        let next = if number + 1 < depth {
            format!("  func.call @f{}(%a) : (tensor<4xf32>) -> ()\n", number + 1)
        } else {
            "  %0 = stablehlo.add %a, %a : tensor<4xf32>\n".to_owned()
        };
        text += &format!("func.func private @f{number}(%a: tensor<4xf32>) {{\n{next}  return\n}}\n");
    }
    assert_eq!(report(&text).total.flops.to_string(), "4");
}
