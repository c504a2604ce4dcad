// releases: 16 19 22
// covers: dense and sparse elements of every element kind, splats, empty shapes and values that are not finite.
"t.dense"() {
  splat = dense<7> : tensor<4x4xi32>, scalar = dense<1> : tensor<i8>, empty = dense<> : tensor<0x3xi32>,
  i1 = dense<[true, false, true, true, false, true, false, true, true]> : tensor<9xi1>, i1splat = dense<true> : tensor<9xi1>,
  i4 = dense<[1, -2, 7]> : tensor<3xi4>, i8 = dense<[1, -2]> : tensor<2xi8>, i12 = dense<[1, -2]> : tensor<2xi12>,
  i16 = dense<[[1, 2], [3, 4]]> : tensor<2x2xi16>, i64 = dense<[1, -2]> : vector<2xi64>, i65 = dense<[1, -1]> : tensor<2xi65>,
  ui8 = dense<[0, 255]> : tensor<2xui8>, si16 = dense<[-1, 1]> : tensor<2xsi16>, index = dense<[3, 2, 1]> : vector<3xindex>,
  f16 = dense<[1.0, 2.0]> : tensor<2xf16>, bf16 = dense<[1.0, -2.0]> : tensor<2xbf16>, f32 = dense<[0x7F800000, 0.0]> : tensor<2xf32>,
  f64 = dense<[1.0e100, -0.0]> : tensor<2xf64>, f80 = dense<[1.0, 2.0]> : tensor<2xf80>,
  complex = dense<[(1.0, 2.0), (3.0, -4.0)]> : tensor<2xcomplex<f32>>, complexi = dense<(1, 2)> : tensor<3xcomplex<i16>>
} : () -> ()
"t.hex"() {
  big = dense<"0x0102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F20"> : tensor<32xi8>
} : () -> ()
"t.strings"() {
  one = dense<"same"> : tensor<3x!t.str>, many = dense<["a", "", "c\00d"]> : tensor<3x!t.str>
} : () -> ()
"t.sparse"() {
  some = sparse<[[0, 0], [1, 2]], [1, 5]> : tensor<3x4xi32>, none = sparse<> : tensor<2x2xf32>,
  splat = sparse<[[0], [2]], 1.0> : tensor<3xf32>
} : () -> ()
