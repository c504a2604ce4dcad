// releases: 19 22
// covers: the gpu dialect: modules with targets, kernels with attributions, launches with segments, matrices, sparse handles, binaries.
func.func @gpu(%i: index, %f: f32, %a: i32, %m: memref<13xf32, 1>, %n: memref<13xf32>, %u: memref<*xf32>, %v: vector<4xf32>, %wmma: memref<32x32xf16, 3>, %h: f16) {
  gpu.block_dim x upper_bound 1024
  gpu.cluster_id x
  gpu.cluster_dim y
  gpu.cluster_block_id z
  gpu.cluster_dim_blocks x upper_bound 8
  gpu.lane_id upper_bound 64
  gpu.subgroup_size upper_bound 32 : index
  gpu.all_reduce minsi %a {} : (i32) -> i32
  gpu.all_reduce %f {
    ^bb0(%x: f32, %y: f32):
      %s_22 = arith.addf %x, %y : f32
      gpu.yield %s_22 : f32
    } : (f32) -> f32
  gpu.subgroup_reduce maxnumf %f uniform : (f32) -> f32
  gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
  gpu.host_unregister %u : memref<*xf32>
  gpu.launch blocks(%x, %y, %z) in (%gx = %i, %gy = %i, %gz = %i) threads(%tx, %ty, %tz) in (%bx = %i, %by = %i, %bz = %i) dynamic_shared_memory_size %a workgroup(%wg: memref<32xf32, 3>) private(%p: memref<1xf32, 5>) {
      gpu.terminator
    } {note}
  gpu.launch clusters(%cx, %cy, %cz) in (%ccx = %i, %ccy = %i, %ccz = %i) blocks(%x, %y, %z) in (%gx = %i, %gy = %i, %gz = %i) threads(%tx, %ty, %tz) in (%bx = %i, %by = %i, %bz = %i) {
      gpu.terminator
    }
  "t.attrs"() {m = [#gpu.block<x>, #gpu.thread<linear_dim_3>, #gpu.warp<y>, #gpu.memory_space<workgroup>], d = #gpu.loop_dim_map<processor = block_x, map = (d0) -> (d0), bound = (d0) -> (d0 + 1)>} : () -> ()
  "t.attrs"() {m = [#gpu.select_object, #gpu.select_object<1>]} : () -> ()
  return
}

module @container2 attributes {gpu.container_module} {
gpu.module @targets [#nvvm.target, #nvvm.target<chip = "sm_90", O = 3, flags = {fast}>, #rocdl.target<O = 0, chip = "gfx90a", features = "+x">, #spirv.target_env<#spirv.vce<v1.0, [Shader], []>, #spirv.resource_limits<>>] {
  gpu.func @known(%a: memref<32xf32> {llvm.noalias}) kernel attributes {known_block_size = array<i32: 32, 4, 1>, known_grid_size = array<i32: 1, 2, 3>} {
    gpu.return
  }
  gpu.func @attributed() workgroup(%w: memref<32xf32, 3> {llvm.align = 8 : i64}) private(%p: memref<1xf32, 5> {t.x}) kernel {
    gpu.return
  }
}
gpu.binary @binary [#gpu.object<#nvvm.target, "\00\01\FFbinary">, #gpu.object<#rocdl.target<chip = "gfx900">, bin = "x\22y">]
gpu.binary @binary_other <#gpu.select_object<1>> [#gpu.object<#nvvm.target<chip = "sm_80">, properties = {O = 3 : i32}, assembly = "text">, #gpu.object<#nvvm.target, offload = "">]
func.func @launch_clusters(%i: index, %l: i64, %p: !llvm.ptr, %m: memref<32xf32>) {
  gpu.launch_func @targets::@known clusters in (%i, %i, %i) blocks in (%i, %i, %i) threads in (%i, %i, %i) args(%m : memref<32xf32>)
  gpu.launch_func <%p : !llvm.ptr> @targets::@known blocks in (%l, %l, %l) threads in (%l, %l, %l) : i64 args(%m : memref<32xf32>)
  return
}
}

func.func @sparse(%i: index, %mi: memref<?xindex>, %mf: memref<?xf64>, %ms: memref<?xi8>) {
  %t0 = gpu.wait async
  %0, %t1 = gpu.create_dn_tensor async [%t0] %mf, %i, %i : index, index into memref<?xf64>
  %1, %t2 = gpu.create_coo async [%t1] %i, %i, %i, %mi, %mi, %mf : memref<?xindex>, memref<?xindex>, memref<?xf64>
  %2, %t3 = gpu.create_csr async [%t2] %i, %i, %i, %mi, %mi, %mf : memref<?xindex>, memref<?xindex>, memref<?xf64>
  %3, %t4 = gpu.create_csc async [%t3] %i, %i, %i, %mi, %mi, %mf : memref<?xindex>, memref<?xindex>, memref<?xf64>
  %4, %t5 = gpu.create_coo_aos async [%t4] %i, %i, %i, %mi, %mf : memref<?xindex>, memref<?xf64>
  %5, %t6 = gpu.create_bsr async [%t5] %i, %i, %i, %i, %i, %mi, %mi, %mf : memref<?xindex>, memref<?xindex>, memref<?xf64>
  %6, %t7 = gpu.create_2to4_spmat async [%t6] {PRUNE_AND_CHECK} %i, %i, %mf : memref<?xf64>
  %7, %t8 = gpu.spmv_buffer_size async [%t7] %2, %0, %0 into f64
  %t9 = gpu.spmv async [%t8] %2{TRANSPOSE}, %0, %0, %ms : memref<?xi8> into f64
  %8, %t10 = gpu.spmm_buffer_size async [%t9] %2, %0, %0 : index into f64
  %t11 = gpu.spmm async [%t10] %2, %0{CONJUGATE_TRANSPOSE}, %0, %ms : memref<?xi8> into f64
  %9, %t12 = gpu.sddmm_buffer_size async [%t11] %0, %0, %2 into f64
  %t13 = gpu.sddmm async [%t12] %0, %0, %2, %ms : memref<?xi8> into f64
  %10, %t14 = gpu.spgemm_create_descr async [%t13]
  %11, %t15 = gpu.spgemm_work_estimation_or_compute async [%t14] {COMPUTE} %2, %2, %2, %10, %i, %ms : f32 into memref<?xi8>
  %t16 = gpu.spgemm_copy async [%t15] %2, %2, %2, %10 : f32
  %12, %13, %14, %t17 = gpu.spmat_get_size async [%t16] %2
  %t18 = gpu.set_csr_pointers async [%t17] %2, %mi, %mi, %mf : memref<?xindex>, memref<?xindex>, memref<?xf64>
  %t19 = gpu.spgemm_destroy_descr async [%t18] %10
  %t20 = gpu.destroy_sp_mat async [%t19] %1
  %t21 = gpu.destroy_dn_tensor async [%t20] %0
  gpu.wait [%t21]
  return
}
