llvm.func @r(%a: f32, %v: vector<4xf32>) -> f32 {
  %0 = "llvm.intr.vector.reduce.fadd"(%a, %v) {reassoc = true} : (f32, vector<4xf32>) -> f32
  llvm.return %0 : f32
}
