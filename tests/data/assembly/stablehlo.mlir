// Every custom form of StableHLO and Shardy that C++ parses.
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @types(%a: tensor<4xf32>, %b: tensor<?xf32>, %c: tensor<4xcomplex<f32>>, %p: tensor<4xi1>, %t: !stablehlo.token) {
  %0 = stablehlo.add %a, %a : tensor<4xf32>
  %1 = stablehlo.add %a, %b : (tensor<4xf32>, tensor<?xf32>) -> tensor<4xf32>
  %2 = stablehlo.abs %c : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  %3 = stablehlo.complex %a, %a : tensor<4xcomplex<f32>>
  %4 = stablehlo.complex %a, %b : (tensor<4xf32>, tensor<?xf32>) -> tensor<4xcomplex<f32>>
  %5 = stablehlo.select %p, %a, %a : tensor<4xi1>, tensor<4xf32>
  %6 = stablehlo.select %p, %a, %b : (tensor<4xi1>, tensor<4xf32>, tensor<?xf32>) -> tensor<4xf32>
  %7 = stablehlo.after_all %t, %t : !stablehlo.token
  %8 = stablehlo.after_all  : !stablehlo.token
  %9 = stablehlo.tuple %a, %p : tuple<tensor<4xf32>, tensor<4xi1>>
  %10:2 = stablehlo.optimization_barrier %a, %p : tensor<4xf32>, tensor<4xi1>
  %11 = stablehlo.get_tuple_element %9[1] : (tuple<tensor<4xf32>, tensor<4xi1>>) -> tensor<4xi1>
  %13 = "stablehlo.exponential"(%a) {result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<DEFAULT>>} : (tensor<4xf32>) -> tensor<4xf32>
  %14 = "stablehlo.exponential"(%a) {result_accuracy = #stablehlo.result_accuracy<ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : (tensor<4xf32>) -> tensor<4xf32>
  %12 = stablehlo.reduce_precision %a, format = e5m10 : tensor<4xf32>
  return
}
func.func @attributes(%a: tensor<4x8xf32>, %b: tensor<8x4xf32>, %i: tensor<i32>, %n: tensor<1x8x8x3xf32>, %k: tensor<3x3x3x16xf32>) {
  %0 = stablehlo.concatenate %a, %a, dim = 0 : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
  %1 = stablehlo.dynamic_slice %a, %i, %i, sizes = [1, 2] : (tensor<4x8xf32>, tensor<i32>, tensor<i32>) -> tensor<1x2xf32>
  %2 = stablehlo.slice %a [0:2, 1:8:3] : (tensor<4x8xf32>) -> tensor<2x3xf32>
  %3 = stablehlo.custom_call @"a target"(%a, %b) {has_side_effect = true} : (tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<f32>
  %4 = stablehlo.dot %a, %b, precision = [DEFAULT, HIGHEST] : (tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<4x4xf32>
  %5 = stablehlo.dot %a, %b : (tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<4x4xf32>
  %6 = stablehlo.dot_general %a, %a, batching_dims = [0] x [0], contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4xf32>
  %7 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT], algorithm = <lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<4x4xf32>
  %8 = stablehlo.dot_general %a, %b, contracting_dims = [] x [] : (tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<4x8x8x4xf32>
  %9 = stablehlo.convolution(%n, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x8x3xf32>, tensor<3x3x3x16xf32>) -> tensor<1x8x8x16xf32>
  %10 = stablehlo.convolution(%n, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x8x3xf32>, tensor<3x3x3x16xf32>) -> tensor<1x6x6x16xf32>
  return
}
func.func @regions(%a: tensor<4x8xf32>, %z: tensor<f32>, %i: tensor<i32>, %x: tensor<4x8xi32>) {
  %0 = stablehlo.constant dense<1.0> : tensor<2xf32>
  %1 = stablehlo.constant {note} dense<[1, 2]> : tensor<2xi32>
  %2 = stablehlo.constant() {value = dense<3> : tensor<i32>} : () -> tensor<i32>
  %3 = stablehlo.reduce(%a init: %z) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<f32>
  %4 = stablehlo.reduce(%a init: %z) applies stablehlo.maximum across dimensions = [1] {note} : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32> loc("here":1:2)
  %5:2 = stablehlo.reduce(%a init: %z), (%x init: %i) across dimensions = [0] : (tensor<4x8xf32>, tensor<4x8xi32>, tensor<f32>, tensor<i32>) -> (tensor<8xf32>, tensor<8xi32>)
   reducer(%p: tensor<f32>, %q: tensor<f32>) (%r: tensor<i32>, %s: tensor<i32>)  {
    %t = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %t, %s : tensor<f32>, tensor<i32>
  }
  %6:2 = stablehlo.while(%j = %i, %v = %z) : tensor<i32>, tensor<f32> attributes {note}
  cond {
    %c = stablehlo.compare  LT, %j, %i,  SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %k = stablehlo.add %j, %j : tensor<i32>
    stablehlo.return %k, %v : tensor<i32>, tensor<f32>
  }
  %7 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%l: tensor<2x8xf32>) {
    sdy.return %l : tensor<2x8xf32>
  } : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %8 = sdy.named_computation<"f">(%a) in_shardings=[<@mesh, [{}, {}]>] out_shardings=[<@mesh, [{}, {}]>] (%l: tensor<4x8xf32>) {
    sdy.return %l : tensor<4x8xf32>
  } : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %9 = sdy.constant dense<1.0> : tensor<4xf32>
  return
}
func.func @scan(%a: tensor<2x3xf32>, %i: tensor<3xf32>, %b: tensor<2x3xi32>, %j: tensor<3xi32>) {
  %0:2 = chlo.scan (%a) inits (%i) dimension = 0 {
  ^bb0(%x: tensor<3xf32>, %c: tensor<3xf32>):
    %1 = stablehlo.add %x, %c : tensor<3xf32>
    stablehlo.return %1, %1 : tensor<3xf32>, tensor<3xf32>
  } : (tensor<2x3xf32>, tensor<3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>)
  %1:4 = chlo.scan(%a, %b) inits(%i, %j) dimension=0 attributes {is_reverse = true, scan_dim_size = 2 : i64, mlir.x} {
  ^bb0(%x: tensor<3xf32>, %y: tensor<3xi32>, %c: tensor<3xf32>, %d: tensor<3xi32>):
    stablehlo.return %x, %y, %c, %d : tensor<3xf32>, tensor<3xi32>, tensor<3xf32>, tensor<3xi32>
  } : (tensor<2x3xf32>, tensor<2x3xi32>, tensor<3xf32>, tensor<3xi32>) -> (tensor<2x3xf32>, tensor<2x3xi32>, tensor<3xf32>, tensor<3xi32>)
  return
}
