module @m {
  memref.global "private" constant @table : memref<4x3xf32> = dense<[[1.0,2.0,3.0],[4.0,5.0,6.0],[7.0,8.0,9.0],[10.0,11.0,12.0]]>
  func.func @main() -> tensor<4xi4> {
    %0 = arith.constant dense<[1, -2, 3, -4]> : tensor<4xi4>
    %1 = arith.constant dense<[true, false, true, true, false, false, true, false, true]> : tensor<9xi1>
    %2 = arith.constant dense<0.0> : tensor<100xf32>
    %3 = arith.constant dense<[1.0, 2.0]> : tensor<2xf8E4M3FN> loc("named")
    %4 = arith.constant dense<[(1.0,2.0),(3.0,4.0)]> : tensor<2xcomplex<f32>>
    %5 = arith.constant dense<[1, 2, 3]> : tensor<3xindex>
    %6 = arith.constant dense_resource<res> : tensor<2xbf16>
    %7 = arith.constant dense<[1.5, 2.5, 3.5]> : vector<3xbf16>
    %8 = arith.constant dense<[1.0, 2.0]> : tensor<2xf8E4M3FN> loc("named")
    %9 = arith.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi64>
    %10 = arith.constant dense<[1, 2]> : tensor<2xi24>
    "t.op"() {list = [dense<[5,6]> : tensor<2xi32>, 7 : i32]} : () -> ()
    return %0 : tensor<4xi4>
  }
}
{-# dialect_resources: { builtin: { res: "0x04000000803F0040" } } #-}
