// releases: 19 22
// covers: the spirv dialect: modules with requirements, functions, structured control flow, specialization constants, every kind of type.
spirv.module Logical GLSL450 requires #spirv.vce<v1.0, [Shader], [SPV_KHR_storage_buffer_storage_class]> {
  spirv.GlobalVariable @var0 bind(0, 1) : !spirv.ptr<!spirv.struct<(!spirv.array<16 x f32, stride=4> [0])>, StorageBuffer>
  spirv.GlobalVariable @var1 built_in("GlobalInvocationId") : !spirv.ptr<vector<3xi32>, Input>
  spirv.GlobalVariable @var2 {location = 1 : i32} : !spirv.ptr<f32, Output>
  spirv.GlobalVariable @init initializer(@sc) : !spirv.ptr<i1, Workgroup>
  spirv.SpecConstant @sc = false
  spirv.SpecConstant @sc_id spec_id(5) = 42 : i64
  spirv.SpecConstant @sc_f = 1.5 : f32
  spirv.SpecConstantComposite @scc (@sc_f, @sc_f) : !spirv.array<2 x f32>
  spirv.func @loops(%n: i32) -> i32 "None" {
    %zero = spirv.Constant 0 : i32
    %one = spirv.Constant 1 : i32
    %var = spirv.Variable init(%zero) : !spirv.ptr<i32, Function>
    spirv.mlir.loop {
      spirv.Branch ^header
    ^header:
      %v = spirv.Load "Function" %var : i32
      %cmp = spirv.SLessThan %v, %n : i32
      spirv.BranchConditional %cmp, ^body, ^merge
    ^body:
      spirv.Branch ^continue
    ^continue:
      %w = spirv.Load "Function" %var : i32
      %x = spirv.IAdd %w, %one : i32
      spirv.Store "Function" %var, %x : i32
      spirv.Branch ^header
    ^merge:
      spirv.mlir.merge
    }
    %r = spirv.Load "Function" %var : i32
    spirv.ReturnValue %r : i32
  }
  spirv.func @selection(%c: i1) -> () "Inline" {
    %zero = spirv.Constant 0 : i32
    %var = spirv.Variable : !spirv.ptr<i32, Function>
    spirv.mlir.selection {
      spirv.BranchConditional %c [5, 10], ^then, ^merge
    ^then:
      spirv.Store "Function" %var, %zero ["Aligned", 4] : i32
      spirv.Branch ^merge
    ^merge:
      spirv.mlir.merge
    }
    spirv.Return
  }
  spirv.func @body(%a: i32, %f: f32) "DontInline|Pure" {
    %0 = spirv.mlir.addressof @var0 : !spirv.ptr<!spirv.struct<(!spirv.array<16 x f32, stride=4> [0])>, StorageBuffer>
    %i = spirv.Constant 0 : i32
    %3 = spirv.mlir.referenceof @sc_id : i64
    %4 = spirv.FunctionCall @loops(%a) : (i32) -> i32
    spirv.FunctionCall @other() : () -> ()
    %5 = spirv.Constant dense<[1, 2, 3]> : vector<3xi32>
    %6 = spirv.Constant [dense<3.0> : vector<2xf32>, dense<4.0> : vector<2xf32>] : !spirv.array<2 x vector<2xf32>>
    %7 = spirv.Constant true
    %8 = spirv.Constant -1.5 : f64
    %9 = spirv.Undef : i32
    %10 = spirv.SpecConstantOperation wraps "spirv.IAdd"(%i, %i) : (i32, i32) -> i32
    %11 = spirv.CompositeConstruct %f, %f : (f32, f32) -> vector<2xf32>
    %12 = spirv.CompositeExtract %11[1 : i32] : vector<2xf32>
    %13 = spirv.CompositeInsert %f, %11[0 : i32] : f32 into vector<2xf32>
    %14 = spirv.VectorShuffle [1 : i32, 3 : i32, 0xffffffff : i32] %11, %13 : vector<2xf32>, vector<2xf32> -> vector<3xf32>
    %15 = spirv.Select %7, %f, %f : i1, f32
    spirv.ControlBarrier <Workgroup>, <Device>, <Acquire|UniformMemory>
    spirv.MemoryBarrier <Device>, <Acquire|WorkgroupMemory>
    spirv.Return
  }
  spirv.func @other() "None" attributes {spirv.entry_point_abi = #spirv.entry_point_abi<workgroup_size = [32, 4, 1], subgroup_size = 64>} {
    spirv.Return
  }
  spirv.EntryPoint "GLCompute" @other, @var1
  spirv.ExecutionMode @other "LocalSize", 8, 1, 1
}
spirv.module @named Physical64 OpenCL attributes {spirv.target_env = #spirv.target_env<#spirv.vce<v1.4, [Kernel, Addresses], []>, NVIDIA:DiscreteGPU:12, #spirv.resource_limits<max_compute_workgroup_size = [128, 64, 1], subgroup_size = 32>>} {
}

func.func @spirv(%a: i32, %f: f32, %v: vector<4xi32>, %w: vector<4xf32>, %c: i1, %p: !spirv.ptr<i32, StorageBuffer>, %pf: !spirv.ptr<f32, StorageBuffer>, %l: i64, %h: f16, %fn: !spirv.ptr<i32, Function>, %m: !spirv.matrix<3 x vector<3xf32>>, %v3: vector<3xf32>) {
  spirv.Dot %w, %w : vector<4xf32> -> f32
  spirv.AtomicIAdd <Workgroup> <None> %p, %a : !spirv.ptr<i32, StorageBuffer>
  spirv.AtomicIIncrement <Device> <Release> %p : !spirv.ptr<i32, StorageBuffer>
  spirv.AtomicCompareExchange <Workgroup> <Release> <Acquire> %p, %a, %a : !spirv.ptr<i32, StorageBuffer>
  spirv.EXT.AtomicFAdd <Device> <None> %pf, %f : !spirv.ptr<f32, StorageBuffer>
  %bv_55 = "t.bv"() : () -> vector<4xi8>
      spirv.SDot %bv_55, %bv_55 : vector<4xi8> -> i32
  spirv.SDot %a, %a, <PackedVectorFormat4x8Bit> : i32 -> i32
  "t.types"() {t = [!spirv.coopmatrix<8x16xi32, Subgroup, MatrixA>, !spirv.coopmatrix<4x4xf32, Workgroup, MatrixAcc>]} : () -> ()
  "t.attrs"() {a = #spirv.target_env<#spirv.vce<v1.0, [], []>, ARM:CPU:1, #spirv.resource_limits<>>, b = #spirv.linkage_attributes<linkage_name = "x y", linkage_type = <Export>>} : () -> ()
  return
}
