// releases: 19 22
// covers: the nvgpu dialect: asynchronous copies, barriers, tensor maps, matrix multiplication.
!bar = !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>
!bars = !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>, num_barriers = 4>
!map = !nvgpu.tensormap.descriptor<tensor = memref<32x32xf32, 3>, swizzle = none, l2promo = none, oob = nan, interleave = none>
!map2 = !nvgpu.tensormap.descriptor<tensor = memref<64x64xf16, #gpu.address_space<workgroup>>, swizzle = swizzle_128b, l2promo = l2promo_64b, oob = zero, interleave = none>
!wa = !nvgpu.warpgroup.descriptor<tensor = memref<128x64xf16, 3>>
!wb = !nvgpu.warpgroup.descriptor<tensor = memref<64x128xf16, 3>>
!acc = !nvgpu.warpgroup.accumulator<fragmented = vector<128x128xf32>>
func.func @nvgpu(%i: index, %c: i1, %s: memref<4x5xf32>, %d: memref<2x7x5xf32, 3>, %m: memref<32x32xf16, 3>, %b: !bar, %bs: !bars, %t: !map, %u: memref<*xf32>, %sh: memref<32x32xf32, 3>, %wa: !wa, %wb: !wb, %acc: !acc, %out: memref<128x128xf32, 3>, %v: vector<16xf32>, %tok: !nvgpu.mbarrier.token, %a4: vector<4x2xf16>, %b4: vector<2x2xf16>, %c4: vector<2x2xf16>, %meta: vector<2xi16>, %mask: i16, %t2: !map2, %m2: memref<128x64xf16, 3>, %t3: !nvgpu.tensormap.descriptor<tensor = memref<128x64xf16, 3>, swizzle = swizzle_128b, l2promo = none, oob = zero, interleave = none>) {
  %x_0 = nvgpu.device_async_copy %s[%i, %i], %d[%i, %i, %i], 4 : memref<4x5xf32> to memref<2x7x5xf32, 3>
      %y_0 = nvgpu.device_async_copy %s[%i, %i], %d[%i, %i, %i], 4, %i {bypassL1} : memref<4x5xf32> to memref<2x7x5xf32, 3>
      %g_0 = nvgpu.device_async_create_group %x_0, %y_0
      nvgpu.device_async_wait %g_0 {numGroups = 1 : i32}
      nvgpu.device_async_wait %g_0
  nvgpu.device_async_create_group
  nvgpu.ldmatrix %m[%i, %i] {numTiles = 4 : i32, transpose = false} : memref<32x32xf16, 3> -> vector<4x2xf16>
  nvgpu.mma.sync(%a4, %b4, %c4) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf16>) -> vector<2x2xf16>
  nvgpu.mma.sp.sync(%b4, %b4, %c4) metadata(%meta) {mmaShape = [16, 8, 16]} : (vector<2x2xf16>, vector<2x2xf16>, vector<2x2xf16>) -> vector<2x2xf16>
  nvgpu.mma.sp.sync(%a4, %a4, %c4) metadata(%meta) {mmaShape = [16, 8, 32], sparsitySelector = 1 : i32} : (vector<4x2xf16>, vector<4x2xf16>, vector<2x2xf16>) -> vector<2x2xf16>
  nvgpu.mbarrier.create -> !bar
  nvgpu.mbarrier.create -> !bars
  nvgpu.mbarrier.init %b[%i], %i : !bar
  nvgpu.mbarrier.init %bs[%i], %i, predicate = %c : !bars
  nvgpu.mbarrier.arrive %b[%i] : !bar -> !nvgpu.mbarrier.token
  nvgpu.mbarrier.arrive.nocomplete %b[%i], %i : !bar -> !nvgpu.mbarrier.token
  nvgpu.mbarrier.test.wait %b[%i], %tok : !bar, !nvgpu.mbarrier.token
  nvgpu.mbarrier.arrive.expect_tx %b[%i], %i : !bar
  nvgpu.mbarrier.arrive.expect_tx %b[%i], %i, predicate = %c : !bar
  nvgpu.mbarrier.try_wait.parity %b[%i], %c, %i : !bar
  nvgpu.tma.create.descriptor %u box[%i, %i] : memref<*xf32> -> !map
  nvgpu.tma.prefetch.descriptor %t : !map
  nvgpu.tma.prefetch.descriptor %t2, predicate = %c : !map2
  nvgpu.tma.async.load %t[%i, %i], %b[%i] to %sh : !map, !bar -> memref<32x32xf32, 3>
  nvgpu.tma.async.load %t[%i, %i], %b[%i] to %sh multicast_mask = %mask, predicate = %c : !map, !bar -> memref<32x32xf32, 3>
  nvgpu.tma.async.store %sh to %t[%i, %i], predicate = %c : memref<32x32xf32, 3> -> !map
  nvgpu.warpgroup.generate.descriptor %m2, %t3 : memref<128x64xf16, 3>, !nvgpu.tensormap.descriptor<tensor = memref<128x64xf16, 3>, swizzle = swizzle_128b, l2promo = none, oob = zero, interleave = none> -> !wa
  nvgpu.warpgroup.mma %wa, %wb, %acc {transposeB} : !wa, !wb, !acc -> !acc
  nvgpu.warpgroup.mma.init.accumulator -> !acc
  nvgpu.warpgroup.mma.store %acc, %out : !acc to memref<128x128xf32, 3>
  return
}
