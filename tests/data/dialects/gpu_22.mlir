// releases: 22
// covers: the gpu dialect: modules with targets, kernels with attributions, launches with segments, matrices, sparse handles, binaries.
func.func @gpu(%i: index, %f: f32, %a: i32, %m: memref<13xf32, 1>, %n: memref<13xf32>, %u: memref<*xf32>, %v: vector<4xf32>, %wmma: memref<32x32xf16, 3>, %h: f16) {
  gpu.subgroup_reduce add %f cluster(size = 4, stride = 2) : (f32) -> f32
  gpu.shuffle down %v, %a, %a : vector<4xf32>
  gpu.rotate %f, 1, 16 : f32
  gpu.subgroup_broadcast %f, first_active_lane : f32
  gpu.subgroup_broadcast %f, specific_lane %a : f32
  gpu.printf "Hello %d\0A", %a : i32
  %c_54 = gpu.subgroup_mma_constant_matrix %h : !gpu.mma_matrix<16x16xf16, "COp">
      %x_54 = gpu.subgroup_mma_extract_thread_local %c_54[%i] : !gpu.mma_matrix<16x16xf16, "COp"> -> f16
      %y_54 = gpu.subgroup_mma_insert_thread_local %x_54, %c_54[%i] : f16, !gpu.mma_matrix<16x16xf16, "COp"> -> !gpu.mma_matrix<16x16xf16, "COp">
  gpu.warp_execute_on_lane_0(%i)[32] {
      "t.some"() : () -> ()
    }
  gpu.warp_execute_on_lane_0(%i)[32] args(%v : vector<4xf32>) -> (vector<1xf32>) {
    ^bb0(%x: vector<128xf32>):
      %y_56 = "t.some"(%x) : (vector<128xf32>) -> vector<32xf32>
      gpu.yield %y_56 : vector<32xf32>
    }
  "t.attrs"() {m = [#gpu.warpgroup<x>, #gpu.warp<linear_dim_0>, #gpu.lane<linear_dim_9>, #gpu.mask<255>]} : () -> ()
  "t.attrs"() {k = #gpu.kernel_table<>, l = #gpu.kernel_metadata<"k", (i32) -> ()>, j = #gpu.kernel_table<[#gpu.kernel_metadata<"a", () -> (), metadata = {sgpr_count = 255 : i64}>, #gpu.kernel_metadata<"b", (f32) -> (), arg_attrs = [{t.x = 1}], metadata = {}>]>} : () -> ()
  return
}

gpu.module @offloaded <#gpu.select_object<0>> [#nvvm.target<O = 1, link = ["a.bc"]>] attributes {t.x} {
}
gpu.binary @with_kernels [#gpu.object<#rocdl.target<chip = "gfx900">, kernels = <[#gpu.kernel_metadata<"kernel", (i32) -> (), metadata = {sgpr_count = 1 : i64}>]>, bin = "B">, #gpu.object<#xevm.target<O = 3, chip = "bmg">, "SPV">]
