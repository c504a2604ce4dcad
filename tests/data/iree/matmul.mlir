// The program behind matmul.executable-configurations.mlirbc; ../README.md says how that was made.
func.func @f(%a: tensor<16x32xf32>, %b: tensor<32x64xf32>) -> tensor<16x64xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16x64xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<16x64xf32>) -> tensor<16x64xf32>
  %r = linalg.matmul ins(%a, %b : tensor<16x32xf32>, tensor<32x64xf32>) outs(%i : tensor<16x64xf32>) -> tensor<16x64xf32>
  %x = math.exp %r : tensor<16x64xf32>
  return %x : tensor<16x64xf32>
}
