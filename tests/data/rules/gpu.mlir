module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @kernel(%m: memref<32xf32>, %x: f32) kernel {
      %0 = gpu.thread_id x
      memref.store %x, %m[%0] : memref<32xf32>
      %1 = gpu.all_reduce add %x {} : (f32) -> (f32)
      gpu.return
    }
    gpu.func @device(%x: f32) -> f32 {
      %0 = gpu.subgroup_reduce add %x : (f32) -> (f32)
      gpu.return %0 : f32
    }
  }
  func.func @launch(%m: memref<32xf32>, %x: f32, %i: index) {
    gpu.launch_func @kernels::@kernel blocks in (%i, %i, %i) threads in (%i, %i, %i) args(%m : memref<32xf32>, %x : f32)
    gpu.launch blocks(%a, %b, %c) in (%d = %i, %e = %i, %f = %i) threads(%g, %h, %j) in (%k = %i, %l = %i, %n = %i) {
      memref.store %x, %m[%g] : memref<32xf32>
      gpu.terminator
    }
    %0 = gpu.alloc (%i) : memref<?xf32>
    gpu.dealloc %0 : memref<?xf32>
    return
  }
}
