module attributes {gpu.container_module} {
  func.func @launch(%arg0: index, %arg1: i32) {
    gpu.launch_func  @k::@f blocks in (%arg1, %arg1, %arg1) threads in (%arg1, %arg1, %arg1) : i32 args(%arg1 : i32)
    return
  }
  gpu.module @k {
    gpu.func @f(%arg0: i32) kernel {
      gpu.return
    }
  }
  spirv.func @v() "None" {
    %0 = spirv.Variable : !spirv.ptr<!spirv.struct<(f32 [0], !spirv.array<4 x f32, stride=4> [16])>, Function>
    spirv.CopyMemory  "Function" %0,  "Function" %0,  : !spirv.struct<(f32 [0], !spirv.array<4 x f32, stride=4> [16])>
    %true = spirv.Constant true
    spirv.Return
  }
  llvm.func @f(%arg0: !llvm.struct<(i32, ptr)>, %arg1: vector<2xf32>, %arg2: !llvm.array<2 x struct<"x", (i8)>>) -> vector<2xf32> {
    llvm.return %arg1 : vector<2xf32>
  }
  func.func @sp(%arg0: vector<[4]xf32>) {
    %0 = llvm.shufflevector %arg0, %arg0 [0, 0, 0, 0] : vector<[4]xf32> 
    return
  }
}
