use super::*;

fn formatted(text: &str) -> String {
    let options = ParseOptions::default().finder(TargetFinder::default());
    let once = format_text(text.as_bytes(), &options).unwrap();
    let again = format_text(&once, &options).unwrap();
    let once = String::from_utf8(once).unwrap();
    assert_eq!(once, String::from_utf8(again).unwrap(), "formatting again changes the text");
    once
}

#[test]
fn names_and_comments_are_kept() {
    let text = "\
// RUN: mlir-opt %s | FileCheck %s

#map = affine_map<(d0) -> (d0 + 1)>
// The first function.
func.func @f(%first: i32, %n : index) -> i32 { // begins
    // A comment before the operation.
    %c0 = arith.constant 0 : index

    %c1 = arith.constant 1 : index // one
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %first) -> (i32) {
      %next = arith.addi %acc,
          // inside
          %acc : i32
      scf.yield %next : i32
      // after the yield
    } // end of the loop
    %pair:2 = \"t.pair\"() {m = #map} : () -> (i32, i32)
    \"t.use\"(%pair#1) : (i32) -> ()
    cf.br ^exit(%r : i32)
  // before the label
  ^exit(%res: i32):  // pred: ^bb0
    return %res : i32
  // the end of the function
}
// the end of the text
";
    let expected = "\
// RUN: mlir-opt %s | FileCheck %s

#map = affine_map<(d0) -> (d0 + 1)>
// The first function.
func.func @f(%first: i32, %n: index) -> i32 { // begins
  // A comment before the operation.
  %c0 = arith.constant 0 : index

  %c1 = arith.constant 1 : index // one
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %first) -> (i32) {
    // inside
    %next = arith.addi %acc, %acc : i32
    scf.yield %next : i32
    // after the yield
  } // end of the loop
  %pair:2 = \"t.pair\"() {m = #map} : () -> (i32, i32)
  \"t.use\"(%pair#1) : (i32) -> ()
  cf.br ^bb1(%r : i32)
^bb1(%res: i32):  // pred: ^bb0
  // before the label
  return %res : i32
  // the end of the function
}
// the end of the text
";
    assert_eq!(formatted(text), expected);
}

#[test]
fn parts_and_modules_are_kept() {
    assert_eq!(
        formatted("module {\n// empty\n}\n// -----\nmodule @m{}"),
        "module {\n  // empty\n}\n\n// -----\n\nmodule @m {\n}\n"
    );
    assert_eq!(formatted("// only a comment"), "// only a comment\n");
    assert_eq!(formatted("#unused = 1\n\n// a\n\nmodule {\n}"), "// a\n\nmodule {\n}\n");
    // Bodies are decoded in another order when they are printed.
    let modules = "module {\n  func.func @f(%a: i32, %b: i32) {\n    return\n  }\n}\nmodule {\n  func.func @g(%b: i32) {\n    return\n  }\n}\n";
    assert_eq!(formatted(modules), modules);
    assert_eq!(formatted("\"t.a\"() : () -> ()"), "\"t.a\"() : () -> ()\n");
    // A value that has no name in the source does not get the name of another one.
    assert_eq!(
        formatted("\"t.a\"() : () -> i32\n%0 = \"t.b\"() : () -> i32\n\"t.c\"(%0) : (i32) -> ()"),
        "%_0 = \"t.a\"() : () -> i32\n%0 = \"t.b\"() : () -> i32\n\"t.c\"(%0) : (i32) -> ()\n"
    );
}

#[test]
fn locations_are_kept_or_missing_ones_are_refused() {
    let text = "\"t.a\"() : () -> () loc(\"here\")\n\"t.b\"() : () -> () loc(\"x\":1:2)";
    assert!(formatted(text).contains("loc(\"here\")"));
    let partly = "\"t.a\"() : () -> () loc(\"here\")\n\"t.b\"() : () -> ()";
    let error = format_text(partly.as_bytes(), &ParseOptions::default()).unwrap_err();
    assert!(error.to_string().starts_with("`t.b` in line 2 has no location"), "{error}");
}

#[test]
fn texts_with_errors_are_refused() {
    let error = format_text(b"func.func @f() {\n  retrun\n}", &ParseOptions::default()).unwrap_err();
    assert_eq!(error.text_place().map(|place| place.line), Some(2));
}

fn formatted_for_jax(text: &str) -> String {
    let options = ParseOptions::default().target(crate::release::Release::named("jaxlib-0.10"));
    String::from_utf8(format_text(text.as_bytes(), &options).unwrap()).unwrap()
}

#[test]
fn names_of_operations_whose_location_is_after_their_name_are_kept() {
    let text = "func.func @r(%x: tensor<4xf32>, %z: tensor<f32>) -> tensor<f32> {
  %sum = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return %sum : tensor<f32>
}
";
    assert_eq!(formatted_for_jax(text), text);
}

#[test]
fn names_of_arguments_that_several_regions_share_are_kept() {
    let text = "func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = stablehlo.constant dense<0> : tensor<i32>
  %c1 = stablehlo.constant dense<1> : tensor<i32>
  %r:2 = stablehlo.while(%i = %c0, %h = %x) : tensor<i32>, tensor<4xf32>
  cond {
    %p = stablehlo.compare LT, %i, %c1 : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %n = stablehlo.add %i, %c1 : tensor<i32>
    stablehlo.return %n, %h : tensor<i32>, tensor<4xf32>
  }
  return %r#1 : tensor<4xf32>
}
";
    let formatted = formatted_for_jax(text);
    assert_eq!(formatted, formatted_for_jax(&formatted));
    for name in ["%r:2 =", "%i = %c0", "%h = %x", "LT, %i, %c1", "return %n, %h"] {
        assert!(formatted.contains(name), "{name}: {formatted}");
    }
}

#[test]
fn resources_that_nothing_uses_are_not_lost() {
    let text = "module {\n}\n{-#\n  dialect_resources: {\n    builtin: {\n      a: \"0x0400000001020304\"\n    }\n  }\n#-}\n";
    let error = format_text(text.as_bytes(), &ParseOptions::default()).unwrap_err();
    assert!(error.to_string().contains("resources"), "{error}");
}
