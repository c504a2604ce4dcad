// releases: 16 19 22
// covers: the spirv dialect: modules with requirements, functions, structured control flow, specialization constants, every kind of type.
func.func @spirv(%a: i32, %f: f32, %v: vector<4xi32>, %w: vector<4xf32>, %c: i1, %p: !spirv.ptr<i32, StorageBuffer>, %pf: !spirv.ptr<f32, StorageBuffer>, %l: i64, %h: f16, %fn: !spirv.ptr<i32, Function>, %m: !spirv.matrix<3 x vector<3xf32>>, %v3: vector<3xf32>) {
  spirv.IAdd %a, %a : i32
  spirv.ISub %a, %a {no_signed_wrap} : i32
  spirv.IMul %v, %v : vector<4xi32>
  spirv.SDiv %a, %a : i32
  spirv.FAdd %f, %f : f32
  spirv.FNegate %w : vector<4xf32>
  spirv.IEqual %a, %a : i32
  spirv.FOrdLessThan %f, %f : f32
  spirv.BitwiseAnd %a, %a : i32
  spirv.LogicalNot %c : i1
  spirv.SNegate %a : i32
  spirv.ShiftLeftLogical %a, %a : i32, i32
  spirv.Bitcast %a : i32 to f32
  spirv.ConvertFToS %f : f32 to i32
  spirv.FConvert %f : f32 to f64
  spirv.SConvert %a : i32 to i64
  spirv.UConvert %a : i32 to i16
  spirv.BitCount %a : i32
  spirv.BitFieldInsert %v, %v, %a, %a : vector<4xi32>, i32, i32
  spirv.IAddCarry %a, %a : !spirv.struct<(i32, i32)>
  spirv.UMulExtended %a, %a : !spirv.struct<(i32, i32)>
  spirv.GL.FMix %f : f32, %f : f32, %f : f32 -> f32
  spirv.GL.FClamp %f, %f, %f : f32
  spirv.GL.Sqrt %f : f32
  spirv.GL.Pow %f, %f : f32
  spirv.GL.Ldexp %f : f32, %a : i32 -> f32
  spirv.GL.FrexpStruct %f : f32 -> !spirv.struct<(f32, i32)>
  spirv.CL.exp %f : f32
  spirv.CL.fma %f, %f, %f : f32
  spirv.Load "StorageBuffer" %p : i32
  spirv.Load "Function" %fn ["Volatile"] : i32
  spirv.Load "Function" %fn ["Aligned", 8] : i32
  spirv.CopyMemory "Function" %fn, "StorageBuffer" %p : i32
  spirv.CopyMemory "Function" %fn, "StorageBuffer" %p ["Aligned", 4], ["Volatile"] : i32
  spirv.MatrixTimesScalar %m, %f : !spirv.matrix<3 x vector<3xf32>>, f32
  spirv.Transpose %m : !spirv.matrix<3 x vector<3xf32>> -> !spirv.matrix<3 x vector<3xf32>>
  spirv.GroupNonUniformBallot <Workgroup> %c : vector<4xi32>
  spirv.GroupNonUniformElect <Subgroup> : i1
  spirv.GroupBroadcast <Subgroup> %f, %a : f32, i32
  spirv.KHR.SubgroupBallot %c : vector<4xi32>
  spirv.KHR.AssumeTrue %c
  spirv.Ordered %f, %f : f32
  spirv.VectorExtractDynamic %w[%a] : vector<4xf32>, i32
  spirv.VectorInsertDynamic %f, %w[%a] : vector<4xf32>, i32
  spirv.VectorTimesScalar %w, %f : (vector<4xf32>, f32) -> vector<4xf32>
  spirv.Constant dense<1.0> : tensor<2x2xf32> : !spirv.array<2 x !spirv.array<2 x f32>>
  spirv.Constant 0 : i8
  "t.types"() {t = [!spirv.array<4 x i32>, !spirv.array<4 x f32, stride=16>, !spirv.rtarray<i32>, !spirv.rtarray<vector<4xf32>, stride=4>, !spirv.ptr<i32, Uniform>, !spirv.ptr<!spirv.struct<(f32)>, PushConstant>, !spirv.struct<()>, !spirv.struct<(i32 [0], f32 [4])>, !spirv.struct<(i32 [0, NonWritable], f32 [8, NonReadable, Flat])>, !spirv.struct<(f32 [0, MatrixStride=16, ColMajor])>, !spirv.struct<named, (i32)>, !spirv.struct<rec, (!spirv.ptr<!spirv.struct<rec>, StorageBuffer>)>]} : () -> ()
  "t.types"() {t = [!spirv.image<f32, Dim2D, NoDepth, NonArrayed, SingleSampled, NeedSampler, Rgba8>, !spirv.image<i32, Cube, IsDepth, Arrayed, MultiSampled, NoSampler, R32i>, !spirv.sampled_image<!spirv.image<f32, Dim1D, DepthUnknown, NonArrayed, SingleSampled, SamplerUnknown, Unknown>>, !spirv.matrix<4 x vector<3xf16>>]} : () -> ()
  "t.attrs"() {a = #spirv.interface_var_abi<(0, 1), StorageBuffer>, b = #spirv.interface_var_abi<(2, 3)>, c = #spirv.target_env<#spirv.vce<v1.3, [Matrix], []>, Intel:Unknown, #spirv.resource_limits<>>} : () -> ()
  "t.attrs"() {a = #spirv.memory_semantics<Acquire|UniformMemory>, b = #spirv.function_control<Inline|Const>, c = #spirv.memory_access<Volatile|Aligned>, d = #spirv.image_operands<Bias|Lod>, e = #spirv.loop_control<Unroll>, f = #spirv.selection_control<DontFlatten>} : () -> ()
  return
}
