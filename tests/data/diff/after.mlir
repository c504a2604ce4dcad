module {
  func.func @scale(%x: tensor<4xf32>, %n: i32) -> tensor<4xf32> {
    %w = arith.constant dense<[1.0, 2.5, 3.0, 4.0]> : tensor<4xf32>
    %c = arith.constant 2 : i32
    %y = arith.mulf %x, %w : tensor<4xf32>
    %m = arith.addi %n, %c : i32
    %k = arith.muli %m, %n : i32
    %q = arith.divsi %k, %c : i32
    %t = arith.subf %y, %x : tensor<4xf32>
    %i = arith.index_cast %k : i32 to index
    scf.for %iv = %i to %i step %i {
      %v = arith.addi %iv, %iv : index
      memref.alloca() : memref<4xf32>
    }
    return %t : tensor<4xf32>
  }
  func.func private @new_name(%x: f32) -> f32 attributes {note = "a"} {
    %0 = arith.addf %x, %x : f32
    %1 = arith.mulf %0, %x : f32
    %2 = arith.subf %1, %0 : f32
    return %2 : f32
  }
  func.func @added() {
    return
  }
}
