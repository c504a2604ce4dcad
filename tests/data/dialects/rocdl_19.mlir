// releases: 19
// covers: the rocdl dialect: identifiers with ranges, matrix instructions, buffers, targets, kernel attributes.
llvm.func @rocdl(%a: i32, %f: f32, %v: vector<4xf32>, %i4: vector<4xi32>, %v32: vector<32xf32>, %p: !llvm.ptr, %l: i64, %h: vector<2xf16>) {
  rocdl.waitcnt 0
  llvm.return
}
llvm.func @kernel() attributes {rocdl.kernel, rocdl.flat_work_group_size = "1,256", rocdl.reqd_work_group_size = array<i32: 32, 4, 2>, rocdl.waves_per_eu = 2 : i32} {
  llvm.return
}
