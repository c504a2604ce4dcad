// releases: 16 19
// covers: the gpu dialect: modules with targets, kernels with attributions, launches with segments, matrices, sparse handles, binaries.
func.func @gpu(%i: index, %f: f32, %a: i32, %m: memref<13xf32, 1>, %n: memref<13xf32>, %u: memref<*xf32>, %v: vector<4xf32>, %wmma: memref<32x32xf16, 3>, %h: f16) {
  gpu.printf "Hello %d\0A" %a : i32
  return
}
