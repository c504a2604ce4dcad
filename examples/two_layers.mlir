// Two dense layers: a small model with one of everything `mlirbc` shows.
// Weights as resources, two functions (isolated regions), nested loops, a branch,
// source locations of several kinds, and a note from the producing tool.

#product = loc("model.py":4:9 to :22)
#activation = loc("model.py":5:12)
#layer0 = loc("layer0"("model.py":12:9))
#layer1 = loc("layer1"("model.py":15:9))

module @two_layers attributes {example.framework = "by hand", example.revision = 3 : i32} {

  // relu(w x + b), for any shape
  func.func private @dense(%w: tensor<?x?xf32> loc("w"), %b: tensor<?xf32> loc("b"), %x: tensor<?xf32> loc("x")) -> tensor<?xf32> {
    %zero = arith.constant 0.0 : f32 loc(#activation)
    %c0 = arith.constant 0 : index loc(#product)
    %c1 = arith.constant 1 : index loc(#product)
    %rows = tensor.dim %w, %c0 : tensor<?x?xf32> loc(#product)
    %columns = tensor.dim %w, %c1 : tensor<?x?xf32> loc(#product)
    %y = scf.for %i = %c0 to %rows step %c1 iter_args(%out = %b) -> (tensor<?xf32>) {
      %start = tensor.extract %b[%i] : tensor<?xf32> loc(#product)
      %sum = scf.for %j = %c0 to %columns step %c1 iter_args(%acc = %start) -> (f32) {
        %wij = tensor.extract %w[%i, %j] : tensor<?x?xf32> loc(#product)
        %xj = tensor.extract %x[%j] : tensor<?xf32> loc(#product)
        %p = arith.mulf %wij, %xj fastmath<contract> : f32 loc(#product)
        %next = arith.addf %acc, %p fastmath<contract> : f32 loc(#product)
        scf.yield %next : f32 loc(#product)
      } loc(#product)
      %relu = arith.maximumf %sum, %zero : f32 loc(#activation)
      %updated = tensor.insert %relu into %out[%i] : tensor<?xf32> loc(fused[#product, #activation])
      scf.yield %updated : tensor<?xf32> loc(#product)
    } loc(fused<"row loop">[#product, #activation])
    return %y : tensor<?xf32> loc("model.py":6:5)
  } loc("dense"("model.py":3:1))

  func.func @main(%x: tensor<3xf32> loc("input"), %debug: i1 loc("debug")) -> tensor<?xf32> attributes {example.entry} {
    %w0 = arith.constant dense_resource<layer0.weight> : tensor<4x3xf32> loc(#layer0)
    %b0 = arith.constant dense_resource<layer0.bias> : tensor<4xf32> loc(#layer0)
    %w1 = arith.constant dense_resource<layer1.weight> : tensor<2x4xf32> loc(#layer1)
    %b1 = arith.constant dense_resource<layer1.bias> : tensor<2xf32> loc(#layer1)
    %xd = tensor.cast %x : tensor<3xf32> to tensor<?xf32> loc(#layer0)
    %w0d = tensor.cast %w0 : tensor<4x3xf32> to tensor<?x?xf32> loc(#layer0)
    %b0d = tensor.cast %b0 : tensor<4xf32> to tensor<?xf32> loc(#layer0)
    %w1d = tensor.cast %w1 : tensor<2x4xf32> to tensor<?x?xf32> loc(#layer1)
    %b1d = tensor.cast %b1 : tensor<2xf32> to tensor<?xf32> loc(#layer1)
    %h = call @dense(%w0d, %b0d, %xd) : (tensor<?x?xf32>, tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
        loc(callsite("dense" at #layer0))
    cf.cond_br %debug, ^hidden(%h : tensor<?xf32>), ^output loc("model.py":13:5)
  ^hidden(%shown: tensor<?xf32> loc("shown")):
    return %shown : tensor<?xf32> loc("model.py":14:9)
  ^output:
    %y = call @dense(%w1d, %b1d, %h) : (tensor<?x?xf32>, tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
        loc(callsite("dense" at #layer1))
    return %y : tensor<?xf32> loc("model.py":16:5)
  } loc("main"("model.py":9:1))

} loc("model.py":1:1)

{-#
  // Each blob begins with its alignment (16) as four bytes.
  dialect_resources: {
    builtin: {
      layer0.weight: "0x100000000000803F00000000000080BF0000003F0000003F0000003F000000000000004000000000000080BF000080BF0000803F",
      layer0.bias: "0x10000000000000000000803E000080BF0000003F",
      layer1.weight: "0x100000000000803F000080BF000000000000000000000000000000000000803F0000803F",
      layer1.bias: "0x100000000000003E000000BE"
    }
  },
  external_resources: {
    example: {
      note: "weights chosen by hand",
      trained: false
    }
  }
#-}
