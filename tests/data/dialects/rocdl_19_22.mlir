// releases: 19 22
// covers: the rocdl dialect: identifiers with ranges, matrix instructions, buffers, targets, kernel attributes.
llvm.func @rocdl(%a: i32, %f: f32, %v: vector<4xf32>, %i4: vector<4xi32>, %v32: vector<32xf32>, %p: !llvm.ptr, %l: i64, %h: vector<2xf16>) {
  rocdl.s.barrier
  rocdl.sched.barrier 0
  rocdl.s.setprio 3
  rocdl.ds_swizzle %a, %a : (i32, i32) -> i32
  "t.rocdl"() {a = #rocdl.target, b = #rocdl.target<O = 0, triple = "amdgcn-amd-amdhsa", chip = "gfx90a", features = "+x,-y", abi = "400", flags = {fast, wave64 = false}, link = ["a.bc"]>} : () -> ()
  llvm.return
}
llvm.func @kernel() attributes {rocdl.kernel, rocdl.flat_work_group_size = "1,256", rocdl.reqd_work_group_size = array<i32: 32, 4, 2>, rocdl.waves_per_eu = 2 : i32} {
  llvm.return
}
