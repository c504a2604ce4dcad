//! Programs with open dimensions, and the shapes that they get.

use super::*;
use crate::parse::ParseOptions;
use crate::release::Release;

/// Returns the text of a module whose dimensions are given, or the error.
fn specialized(text: &str, dims: &[(&str, u64)]) -> Result<String> {
    let release = ParseOptions::default().target(Release::named("jaxlib-0.10"));
    let module = Module::parse_with(text, &release)?;
    let dims = dims.iter().map(|(name, size)| ((*name).to_owned(), *size)).collect();
    let prepared = specialize(&Artifact::of(&module), &SpecializeOptions::default().dims(dims))?;
    let mut bytes = Vec::new();
    prepared.write(&mut bytes)?;
    Ok(Module::from_bytes(bytes)?.to_string())
}

#[test]
fn dynamic_operations_become_static() {
    let text = r#"
        func.func public @main(%x: tensor<?x8xf32>, %i: tensor<?x1xi32>) -> tensor<?x16xf32> {
          %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x8xf32>) -> tensor<i32>
          %two = stablehlo.constant dense<2> : tensor<i32>
          %c8 = stablehlo.constant dense<8> : tensor<1xi32>
          %zero = stablehlo.constant dense<0> : tensor<2xi32>
          %one = stablehlo.constant dense<1> : tensor<2xi32>
          %f = stablehlo.constant dense<1.0> : tensor<f32>
          %twice = stablehlo.multiply %n, %two : tensor<i32>
          %size = stablehlo.reshape %twice : (tensor<i32>) -> tensor<1xi32>
          %shape = stablehlo.concatenate %size, %c8, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
          %b = stablehlo.dynamic_broadcast_in_dim %f, %shape, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x8xf32>
          %io = stablehlo.dynamic_iota %shape, dim = 1 : (tensor<2xi32>) -> tensor<?x8xf32>
          %s = stablehlo.add %b, %io : tensor<?x8xf32>
          %part = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
          %limit = stablehlo.concatenate %part, %c8, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
          %half = stablehlo.real_dynamic_slice %s, %zero, %limit, %one : (tensor<?x8xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x8xf32>
          %sum = stablehlo.add %x, %half : tensor<?x8xf32>
          %all = stablehlo.concatenate %x, %sum, dim = 1 : (tensor<?x8xf32>, tensor<?x8xf32>) -> tensor<?x16xf32>
          %p = stablehlo.dynamic_pad %all, %f, %zero, %zero, %zero : (tensor<?x16xf32>, tensor<f32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x16xf32>
          return %p : tensor<?x16xf32>
        }"#;
    let result = specialized(text, &[("arg0.0", 3), ("arg1.0", 2)]).unwrap();
    for expected in [
        "@main(%arg0: tensor<3x8xf32>, %arg1: tensor<2x1xi32>) -> tensor<3x16xf32>",
        "stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<6x8xf32>",
        "stablehlo.iota dim = 1 : tensor<6x8xf32>",
        "[0:3, 0:8] : (tensor<6x8xf32>) -> tensor<3x8xf32>",
        "stablehlo.pad",
    ] {
        assert!(result.contains(expected), "{expected}\n{result}");
    }
    for absent in ["?", "dynamic", "get_dimension_size", "multiply"] {
        assert!(!result.contains(absent), "{absent}\n{result}");
    }
}

#[test]
fn shapes_follow_from_operands() {
    let text = r#"
        func.func public @main(%x: tensor<?x6x4xf32>) -> tensor<?x?xf32> {
          %f = stablehlo.constant dense<0.0> : tensor<f32>
          %t = stablehlo.transpose %x, dims = [1, 2, 0] : (tensor<?x6x4xf32>) -> tensor<6x4x?xf32>
          %d = stablehlo.dot_general %t, %x, batching_dims = [0] x [1], contracting_dims = [1] x [2] : (tensor<6x4x?xf32>, tensor<?x6x4xf32>) -> tensor<6x?x?xf32>
          %r = stablehlo.reduce(%d init: %f) applies stablehlo.add across dimensions = [0] : (tensor<6x?x?xf32>, tensor<f32>) -> tensor<?x?xf32>
          %w = "stablehlo.reduce_window"(%r, %f) <{window_dimensions = array<i64: 2, 1>, window_strides = array<i64: 2, 1>}> ({
          ^bb0(%a: tensor<f32>, %b: tensor<f32>):
            %m = stablehlo.maximum %a, %b : tensor<f32>
            stablehlo.return %m : tensor<f32>
          }) : (tensor<?x?xf32>, tensor<f32>) -> tensor<?x?xf32>
          %e = stablehlo.tanh %w : tensor<?x?xf32>
          return %e : tensor<?x?xf32>
        }"#;
    let result = specialized(text, &[("arg0.0", 10)]).unwrap();
    for expected in ["tensor<6x4x10xf32>", "tensor<6x10x10xf32>", "-> tensor<5x10xf32>"] {
        assert!(result.contains(expected), "{expected}\n{result}");
    }
    assert!(!result.contains('?'), "{result}");
}

#[test]
fn functions_are_copied_for_other_shapes() {
    let text = r#"
        func.func public @main(%x: tensor<?xf32>, %y: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>, tensor<i32>) {
          %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xf32>) -> tensor<i32>
          %two = stablehlo.constant dense<2> : tensor<i32>
          %h = call @half(%n, %two) : (tensor<i32>, tensor<i32>) -> tensor<i32>
          %a = call @f(%x) : (tensor<?xf32>) -> tensor<?xf32>
          %b = call @f(%y) : (tensor<?xf32>) -> tensor<?xf32>
          return %a, %b, %h : tensor<?xf32>, tensor<?xf32>, tensor<i32>
        }
        func.func private @f(%x: tensor<?xf32>) -> tensor<?xf32> {
          %0 = stablehlo.sine %x : tensor<?xf32>
          return %0 : tensor<?xf32>
        }
        func.func private @half(%n: tensor<i32>, %by: tensor<i32>) -> tensor<i32> {
          %0 = stablehlo.divide %n, %by : tensor<i32>
          return %0 : tensor<i32>
        }"#;
    let result = specialized(text, &[("arg0.0", 7), ("arg1.0", 5)]).unwrap();
    for expected in ["@f(%arg0: tensor<7xf32>)", "@f_1(%arg0: tensor<5xf32>)", "dense<3> : tensor<i32>"] {
        assert!(result.contains(expected), "{expected}\n{result}");
    }
}

#[test]
fn loops_and_branches_are_refined() {
    let text = r#"
        func.func public @main(%x: tensor<?xf32>, %c: tensor<i1>) -> tensor<?xf32> {
          %i = stablehlo.constant dense<0> : tensor<i32>
          %w:2 = stablehlo.while(%a = %i, %b = %x) : tensor<i32>, tensor<?xf32> cond {
            %l = stablehlo.constant dense<3> : tensor<i32>
            %p = stablehlo.compare LT, %a, %l, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
            stablehlo.return %p : tensor<i1>
          } do {
            %one = stablehlo.constant dense<1> : tensor<i32>
            %n = stablehlo.add %a, %one : tensor<i32>
            %m = stablehlo.add %b, %b : tensor<?xf32>
            stablehlo.return %n, %m : tensor<i32>, tensor<?xf32>
          }
          %r = "stablehlo.if"(%c) ({
            %s = stablehlo.sine %w#1 : tensor<?xf32>
            stablehlo.return %s : tensor<?xf32>
          }, {
            stablehlo.return %w#1 : tensor<?xf32>
          }) : (tensor<i1>) -> tensor<?xf32>
          return %r : tensor<?xf32>
        }"#;
    let result = specialized(text, &[("arg0.0", 9)]).unwrap();
    assert!(!result.contains('?'), "{result}");
    assert!(result.contains("tensor<9xf32>"), "{result}");
}

#[test]
fn programs_that_do_not_refine_are_refused() {
    let program = |body: &str| {
        format!("func.func public @main(%x: tensor<?xf32>, %n: tensor<1xi32>) -> tensor<?xf32> {{ {body} }}")
    };
    for (body, expected) in [
        (
            "%0 = stablehlo.dynamic_reshape %x, %n : (tensor<?xf32>, tensor<1xi32>) -> tensor<?xf32> return %0 : tensor<?xf32>",
            "the operands of stablehlo.dynamic_reshape that give its shape are not constants",
        ),
        (
            "%0 = stablehlo.custom_call @t(%x) : (tensor<?xf32>) -> tensor<?xf32> return %0 : tensor<?xf32>",
            "the custom call `t`",
        ),
        (
            "%0 = \"test.op\"(%x) : (tensor<?xf32>) -> tensor<?xf32> return %0 : tensor<?xf32>",
            "the shape of the result of test.op cannot be computed",
        ),
        (
            "%c = stablehlo.constant dense<5> : tensor<i32> %s = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xf32>) -> tensor<i32> %p = stablehlo.compare EQ, %s, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1> stablehlo.custom_call @shape_assertion(%p, %s) {error_message = \"size {0}\", has_side_effect = true} : (tensor<i1>, tensor<i32>) -> () return %x : tensor<?xf32>",
            "an assertion about shapes does not hold: size 4",
        ),
    ] {
        let error = specialized(&program(body), &[("arg0.0", 4)]).unwrap_err();
        assert!(error.to_string().contains(expected), "{error}");
    }
    let error = specialized(&program("return %x : tensor<?xf32>"), &[]).unwrap_err();
    assert!(error.to_string().contains("no size for dimension 0 of argument 0"), "{error}");
    let error = specialized(&program("return %x : tensor<?xf32>"), &[("b", 3)]).unwrap_err();
    assert!(error.to_string().contains("`b` is not a dimension"), "{error}");
}

#[test]
fn derivatives_and_avals_of_an_export_change() {
    let artifact =
        Artifact::open(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/containers/symbolic.jax"))
            .unwrap();
    let dims = |sizes: &[(&str, u64)]| {
        let dims = sizes.iter().map(|(name, size)| ((*name).to_owned(), *size)).collect();
        SpecializeOptions::default().dims(dims)
    };
    let mut bytes = Vec::new();
    specialize(&artifact, &dims(&[("a", 4), ("b", 3)])).unwrap().write(&mut bytes).unwrap();
    let result = Artifact::of(&Module::from_bytes(bytes).unwrap());
    for (index, ins, outs) in [
        (0, vec!["float32[4,8]", "float32[3,8]"], vec!["float32[7,4]"]),
        (1, vec!["float32[4,8]", "float32[3,8]", "float32[7,4]"], vec!["float32[4,8]", "float32[3,8]"]),
    ] {
        let exported = result.container().unwrap().exported(index).unwrap().unwrap();
        assert_eq!(exported.in_avals.iter().map(ToString::to_string).collect::<Vec<_>>(), ins);
        assert_eq!(exported.out_avals.iter().map(ToString::to_string).collect::<Vec<_>>(), outs);
        assert!(!exported.uses_global_constants);
        let text = result.module(index).unwrap().to_string();
        assert!(!text.contains('?') && !text.contains("shape_assertion"), "{text}");
    }
    for (sizes, expected) in [
        (dims(&[("a", 4)]), "no size for the dimension `b`"),
        (dims(&[("a", 4), ("b", 3), ("c", 1)]), "the export has no dimension `c`; it has `a`, `b`"),
        (dims(&[("a", 1), ("b", 3)]), "Expected 'a - 2' to be greater or equal to 0, but found -1"),
    ] {
        let error = specialize(&artifact, &sizes).unwrap_err();
        assert!(error.to_string().contains(expected), "{error}");
    }
}
