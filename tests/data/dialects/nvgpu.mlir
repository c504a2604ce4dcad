// releases: 16 19 22
// covers: the nvgpu dialect: asynchronous copies, barriers, tensor maps, matrix multiplication.
func.func @nvgpu_old(%i: index, %s: memref<4x5xf32>, %d: memref<2x7x5xf32, 3>, %m: memref<32x32xf16, 3>, %a4: vector<4x2xf16>, %b4: vector<2x2xf16>, %c4: vector<2x2xf16>, %meta: vector<2xi16>) {
  %x_0 = nvgpu.device_async_copy %s[%i, %i], %d[%i, %i, %i], 4 : memref<4x5xf32> to memref<2x7x5xf32, 3>
      %y_0 = nvgpu.device_async_copy %s[%i, %i], %d[%i, %i, %i], 4, %i {bypassL1} : memref<4x5xf32> to memref<2x7x5xf32, 3>
      %g_0 = nvgpu.device_async_create_group %x_0, %y_0
      nvgpu.device_async_wait %g_0 {numGroups = 1 : i32}
      nvgpu.device_async_wait %g_0
  nvgpu.ldmatrix %m[%i, %i] {numTiles = 4 : i32, transpose = false} : memref<32x32xf16, 3> -> vector<4x2xf16>
  nvgpu.mma.sync(%a4, %b4, %c4) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf16>) -> vector<2x2xf16>
  nvgpu.mma.sp.sync(%b4, %b4, %c4) metadata(%meta) {mmaShape = [16, 8, 16]} : (vector<2x2xf16>, vector<2x2xf16>, vector<2x2xf16>) -> vector<2x2xf16>
  nvgpu.mma.sp.sync(%a4, %a4, %c4) metadata(%meta) {mmaShape = [16, 8, 32], sparsitySelector = 1 : i32} : (vector<4x2xf16>, vector<4x2xf16>, vector<2x2xf16>) -> vector<2x2xf16>
  return
}
