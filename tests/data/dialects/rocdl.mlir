// releases: 16 19 22
// covers: the rocdl dialect: identifiers with ranges, matrix instructions, buffers, targets, kernel attributes.
llvm.func @rocdl(%a: i32, %f: f32, %v: vector<4xf32>, %i4: vector<4xi32>, %v32: vector<32xf32>, %p: !llvm.ptr, %l: i64, %h: vector<2xf16>) {
  rocdl.workitem.id.x : i32
  rocdl.workgroup.id.z : i64
  rocdl.workgroup.dim.x : i64
  rocdl.grid.dim.y : i64
  rocdl.barrier
  rocdl.mfma.f32.32x32x1f32 %f, %f, %v32, %a, %a, %a : (f32, f32, vector<32xf32>, i32, i32, i32) -> vector<32xf32>
  rocdl.raw.buffer.load %i4, %a, %a, %a : f32
  llvm.return
}
llvm.func @kernel() attributes {rocdl.kernel, rocdl.flat_work_group_size = "1,256", rocdl.reqd_work_group_size = array<i32: 32, 4, 2>, rocdl.waves_per_eu = 2 : i32} {
  llvm.return
}

llvm.func @kernel_plain() attributes {rocdl.kernel} {
  %0 = rocdl.workitem.id.x : i32
  rocdl.barrier
  llvm.return
}
