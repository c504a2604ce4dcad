// releases: 16 19 22
// covers: the gpu dialect: modules with targets, kernels with attributions, launches with segments, matrices, sparse handles, binaries.
func.func @gpu(%i: index, %f: f32, %a: i32, %m: memref<13xf32, 1>, %n: memref<13xf32>, %u: memref<*xf32>, %v: vector<4xf32>, %wmma: memref<32x32xf16, 3>, %h: f16) {
  gpu.thread_id x
  gpu.thread_id y
  gpu.block_id z
  gpu.block_dim x
  gpu.grid_dim y
  gpu.global_id z
  gpu.lane_id
  gpu.subgroup_id : index
  gpu.num_subgroups : index
  gpu.subgroup_size : index
  gpu.barrier
  gpu.barrier {note = "x"}
  gpu.all_reduce add %f {} : (f32) -> f32
  gpu.all_reduce add %f uniform {} : (f32) -> f32
  gpu.subgroup_reduce add %f : (f32) -> f32
  gpu.subgroup_reduce add %v : (vector<4xf32>) -> vector<4xf32>
  gpu.shuffle xor %f, %a, %a : f32
  gpu.shuffle up %f, %a, %a : f32
  gpu.shuffle idx %a, %a, %a : i32
  gpu.printf "nothing"
  gpu.wait
  %t_39 = gpu.wait async
      gpu.wait [%t_39]
      %w_39 = gpu.wait async [%t_39, %t_39]
      %b_39, %t2_39 = gpu.alloc async [%t_39] () : memref<13xf32, 1>
      %t3_39 = gpu.memcpy async [%t2_39] %b_39, %m : memref<13xf32, 1>, memref<13xf32, 1>
      %t4_39 = gpu.memset async [%t3_39, %w_39] %b_39, %f : memref<13xf32, 1>, f32
      %t5_39 = gpu.dealloc async [%t4_39] %b_39 : memref<13xf32, 1>
  gpu.alloc (%i) : memref<?xf32, 1>
  gpu.alloc (%i)[%i] : memref<?xf32, affine_map<(d0)[s0] -> (d0 + s0)>, 1>
  gpu.alloc host_shared () : memref<13xf32>
  gpu.dealloc %m : memref<13xf32, 1>
  gpu.memcpy %n, %m : memref<13xf32>, memref<13xf32, 1>
  gpu.memset %n, %f : memref<13xf32>, f32
  gpu.host_register %u : memref<*xf32>
  gpu.set_default_device %a
  gpu.launch blocks(%x, %y, %z) in (%gx = %i, %gy = %i, %gz = %i) threads(%tx, %ty, %tz) in (%bx = %i, %by = %i, %bz = %i) {
      "t.use"(%x, %bz) : (index, index) -> ()
      gpu.terminator
    }
  %t_51 = gpu.wait async
      %s_51 = gpu.launch async [%t_51] blocks(%x, %y, %z) in (%gx = %i, %gy = %i, %gz = %i) threads(%tx, %ty, %tz) in (%bx = %i, %by = %i, %bz = %i) {
        gpu.terminator
      }
  %l_53 = gpu.subgroup_mma_load_matrix %wmma[%i, %i] {leadDimension = 32 : index} : memref<32x32xf16, 3> -> !gpu.mma_matrix<16x16xf16, "AOp">
      %r_53 = gpu.subgroup_mma_load_matrix %wmma[%i, %i] {leadDimension = 32 : index, transpose} : memref<32x32xf16, 3> -> !gpu.mma_matrix<16x16xf16, "BOp">
      %c_53 = gpu.subgroup_mma_constant_matrix %h : !gpu.mma_matrix<16x16xf16, "COp">
      %d_53 = gpu.subgroup_mma_compute %l_53, %r_53, %c_53 : !gpu.mma_matrix<16x16xf16, "AOp">, !gpu.mma_matrix<16x16xf16, "BOp"> -> !gpu.mma_matrix<16x16xf16, "COp">
      %e_53 = gpu.subgroup_mma_elementwise addf %d_53, %c_53 : (!gpu.mma_matrix<16x16xf16, "COp">, !gpu.mma_matrix<16x16xf16, "COp">) -> !gpu.mma_matrix<16x16xf16, "COp">
      gpu.subgroup_mma_store_matrix %e_53, %wmma[%i, %i] {leadDimension = 32 : index} : !gpu.mma_matrix<16x16xf16, "COp">, memref<32x32xf16, 3>
  return
}

module @container1 attributes {gpu.container_module} {
gpu.module @kernels {
  gpu.func @kernel(%a: f32, %m: memref<?xf32, 1>) workgroup(%w: memref<32xf32, 3>, %v: memref<1xi8, 3>) private(%p: memref<1xf32, 5>) kernel attributes {t.x = "y"} {
    gpu.return
  }
  gpu.func @helper(%a: f32) -> (f32, i1) {
    %c = arith.constant true
    gpu.return %a, %c : f32, i1
  }
}
func.func @launches(%i: index, %f: f32, %m: memref<?xf32, 1>, %s: i32) {
  gpu.launch_func @kernels::@kernel blocks in (%i, %i, %i) threads in (%i, %i, %i) args(%f : f32, %m : memref<?xf32, 1>)
  gpu.launch_func @kernels::@kernel blocks in (%i, %i, %i) threads in (%i, %i, %i) dynamic_shared_memory_size %s args(%f : f32, %m : memref<?xf32, 1>)
  %t0 = gpu.wait async
  %t = gpu.launch_func async [%t0] @kernels::@kernel blocks in (%i, %i, %i) threads in (%i, %i, %i) args(%f : f32, %m : memref<?xf32, 1>)
  return
}
}

gpu.module @debugged {
  gpu.func @f() kernel attributes {gpu.known_block_size = array<i32: 1, 1, 1>} {
    gpu.return
  }
}
