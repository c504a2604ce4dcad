func.func @loops(%n: index, %z: f32, %i: i32, %c: i1, %t: tensor<8xf32>) -> (f32, i32, tensor<8xf32>) {
  %c1 = arith.constant 1 : index
  %0:2 = scf.for %k = %n to %n step %c1 iter_args(%a = %z, %b = %i) -> (f32, i32) {
    %s = arith.addf %a, %a : f32
    scf.yield %s, %b : f32, i32
  }
  %1 = scf.if %c -> (f32) {
    scf.yield %0#0 : f32
  } else {
    scf.yield %z : f32
  }
  %2:2 = scf.while (%a = %1, %b = %0#1) : (f32, i32) -> (i32, f32) {
    scf.condition(%c) %b, %a : i32, f32
  } do {
  ^bb0(%b: i32, %a: f32):
    scf.yield %a, %b : f32, i32
  }
  %3 = scf.parallel (%p) = (%n) to (%n) step (%c1) init (%2#1) -> f32 {
    scf.reduce(%z : f32) {
    ^bb0(%l: f32, %r: f32):
      %m = arith.mulf %l, %r : f32
      scf.reduce.return %m : f32
    }
  }
  %4 = scf.index_switch %n -> i32
  case 2 {
    scf.yield %2#0 : i32
  }
  default {
    scf.yield %i : i32
  }
  %5 = scf.execute_region -> i32 {
    scf.yield %4 : i32
  }
  %6 = scf.forall (%p) in (8) shared_outs(%o = %t) -> (tensor<8xf32>) {
    %q = tensor.extract_slice %o[%p] [1] [1] : tensor<8xf32> to tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %q into %o[%p] [1] [1] : tensor<1xf32> into tensor<8xf32>
    }
  }
  return %3, %5, %6 : f32, i32, tensor<8xf32>
}
