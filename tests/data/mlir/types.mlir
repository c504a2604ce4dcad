// releases: 16 19 22
// covers: every kind of builtin type, used as result, operand and argument types.
%0:12 = "t.scalars"() : () -> (i1, i8, si8, ui8, i16777215, index, f16, bf16, f32, f64, f80, f128)
%1:3 = "t.nothing"() : () -> (none, tuple<>, tuple<i32, tuple<f32, none>>)
%2:4 = "t.functions"() : () -> (() -> (), (i32) -> i32, (i32, f32) -> (i8, i16), (() -> ()) -> ((i32) -> ()))
%3:2 = "t.complex"() : () -> (complex<f32>, complex<i7>)
%4:4 = "t.vectors"() : () -> (vector<4xf32>, vector<2x3xi1>, vector<[4]xi32>, vector<2x[8]xbf16>)
%5:6 = "t.tensors"() : () -> (tensor<f32>, tensor<4x?xi8>, tensor<*xf32>, tensor<0xi1>, tensor<?x?xf64, #t.encoding<a -> b>>, tensor<4xi8, "tag">)
%6:8 = "t.memrefs"() : () -> (memref<f32>, memref<4x?xi8>, memref<*xf32>, memref<2xi8, 3>, memref<*xi8, "space">, memref<4x4xf32, strided<[?, 1], offset: ?>>, memref<4x4xf32, affine_map<(d0, d1) -> (d1, d0)>, 1>, memref<?xindex, #gpu.address_space<workgroup>>)
%7:4 = "t.opaque"() : () -> (!t.type, !t.type<i32, "text", [1, 2]>, !other<"body">, tuple<!t.type, tensor<2x!t.type>>)
"t.use"(%2#1, %2#3, %5#4, %7#2) : ((i32) -> i32, (() -> ()) -> ((i32) -> ()), tensor<?x?xf64, #t.encoding<a -> b>>, !other<"body">) -> ()
%8 = "t.single"(%2#0) : (() -> ()) -> ((i32) -> f32)
"t.region"() ({
^bb0(%f: (i32, f32) -> (i8, i16), %g: () -> (), %t: tuple<i32, (i8) -> i8>):
  "t.use"(%f, %g, %t) : ((i32, f32) -> (i8, i16), () -> (), tuple<i32, (i8) -> i8>) -> ()
}) : () -> ()
