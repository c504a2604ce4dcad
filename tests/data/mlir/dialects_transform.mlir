// releases: 19 22
// covers: transform, pdl, irdl, tosa, ml_program, emitc, and sparse_tensor encodings in one module.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
  pdl.pattern @pattern : benefit(1) {
    %t = pdl.type
    %v = pdl.operand : %t
    %op = pdl.operation "foo.op"(%v : !pdl.value) -> (%t : !pdl.type)
    pdl.rewrite %op with "rewriter"
  }
  irdl.dialect @cmath {
    irdl.type @complex {
      %0 = irdl.is f32
    }
  }
  func.func @tosa(%a: tensor<2x3xf32>) -> tensor<2x3xf32> {
    %0 = tosa.tanh %a : (tensor<2x3xf32>) -> tensor<2x3xf32>
    return %0 : tensor<2x3xf32>
  }
  ml_program.global private mutable @state(dense<4> : tensor<4xi32>) : tensor<4xi32>
  func.func @sparse(%s: tensor<8x8xf32, #sparse_tensor.encoding<{map = (d0, d1) -> (d0 : dense, d1 : compressed)}>>) {
    return
  }
  emitc.func @c(%x: i32) -> !emitc.opaque<"T"> {
    %0 = emitc.call_opaque "make"(%x) : (i32) -> !emitc.opaque<"T">
    emitc.return %0 : !emitc.opaque<"T">
  }
}
