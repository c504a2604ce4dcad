// releases: 22
// covers: the nvgpu dialect: asynchronous copies, barriers, tensor maps, matrix multiplication.
!bar = !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>
!bars = !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>, num_barriers = 4>
!map = !nvgpu.tensormap.descriptor<tensor = memref<32x32xf32, 3>, swizzle = none, l2promo = none, oob = nan, interleave = none>
!map2 = !nvgpu.tensormap.descriptor<tensor = memref<64x64xf16, #gpu.address_space<workgroup>>, swizzle = swizzle_128b, l2promo = l2promo_64b, oob = zero, interleave = none>
!wa = !nvgpu.warpgroup.descriptor<tensor = memref<128x64xf16, 3>>
!wb = !nvgpu.warpgroup.descriptor<tensor = memref<64x128xf16, 3>>
!acc = !nvgpu.warpgroup.accumulator<fragmented = vector<128x128xf32>>
func.func @nvgpu(%i: index, %c: i1, %s: memref<4x5xf32>, %d: memref<2x7x5xf32, 3>, %m: memref<32x32xf16, 3>, %b: !bar, %bs: !bars, %t: !map, %u: memref<*xf32>, %sh: memref<32x32xf32, 3>, %wa: !wa, %wb: !wb, %acc: !acc, %out: memref<128x128xf32, 3>, %v: vector<16xf32>, %tok: !nvgpu.mbarrier.token, %a4: vector<4x2xf16>, %b4: vector<2x2xf16>, %c4: vector<2x2xf16>, %meta: vector<2xi16>, %mask: i16, %t2: !map2, %m2: memref<128x64xf16, 3>, %t3: !nvgpu.tensormap.descriptor<tensor = memref<128x64xf16, 3>, swizzle = swizzle_128b, l2promo = none, oob = zero, interleave = none>) {
  nvgpu.mbarrier.get %bs[%i] : !bars -> i32
  nvgpu.tma.fence.descriptor %t : !map
  nvgpu.warpgroup.mma %wa, %wb, %acc {waitGroup = 1 : i64} : !wa, !wb, !acc -> !acc
  nvgpu.rcp %v {rounding = approx, ftz} : vector<16xf32>
  return
}
