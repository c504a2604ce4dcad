// releases: 16 19 22
// covers: more operations of the spirv dialect, each once in generic form with the types and attributes it asks for.
"t.all"() ({
  "t.with"() ({
    ^bb0(%a0: !spirv.ptr<i32, StorageBuffer>):
      "spirv.AccessChain"(%a0) : (!spirv.ptr<i32, StorageBuffer>) -> !spirv.ptr<i32, StorageBuffer>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !spirv.ptr<i32, StorageBuffer>, %a1: i32):
      "spirv.AtomicAnd"(%a0, %a1) {memory_scope = #spirv.scope<CrossDevice>, semantics = #spirv.memory_semantics<None>} : (!spirv.ptr<i32, StorageBuffer>, i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !spirv.ptr<i32, StorageBuffer>, %a1: i32, %a2: i32):
      "spirv.AtomicCompareExchangeWeak"(%a0, %a1, %a2) {equal_semantics = #spirv.memory_semantics<None>, memory_scope = #spirv.scope<CrossDevice>, unequal_semantics = #spirv.memory_semantics<None>} : (!spirv.ptr<i32, StorageBuffer>, i32, i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !spirv.ptr<i32, StorageBuffer>, %a1: i32):
      "spirv.AtomicExchange"(%a0, %a1) {memory_scope = #spirv.scope<CrossDevice>, semantics = #spirv.memory_semantics<None>} : (!spirv.ptr<i32, StorageBuffer>, i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !spirv.ptr<i32, StorageBuffer>):
      "spirv.AtomicIDecrement"(%a0) {memory_scope = #spirv.scope<CrossDevice>, semantics = #spirv.memory_semantics<None>} : (!spirv.ptr<i32, StorageBuffer>) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !spirv.ptr<i32, StorageBuffer>, %a1: i32):
      "spirv.AtomicISub"(%a0, %a1) {memory_scope = #spirv.scope<CrossDevice>, semantics = #spirv.memory_semantics<None>} : (!spirv.ptr<i32, StorageBuffer>, i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !spirv.ptr<i32, StorageBuffer>, %a1: i32):
      "spirv.AtomicOr"(%a0, %a1) {memory_scope = #spirv.scope<CrossDevice>, semantics = #spirv.memory_semantics<None>} : (!spirv.ptr<i32, StorageBuffer>, i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !spirv.ptr<i32, StorageBuffer>, %a1: i32):
      "spirv.AtomicSMax"(%a0, %a1) {memory_scope = #spirv.scope<CrossDevice>, semantics = #spirv.memory_semantics<None>} : (!spirv.ptr<i32, StorageBuffer>, i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !spirv.ptr<i32, StorageBuffer>, %a1: i32):
      "spirv.AtomicSMin"(%a0, %a1) {memory_scope = #spirv.scope<CrossDevice>, semantics = #spirv.memory_semantics<None>} : (!spirv.ptr<i32, StorageBuffer>, i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !spirv.ptr<i32, StorageBuffer>, %a1: i32):
      "spirv.AtomicUMax"(%a0, %a1) {memory_scope = #spirv.scope<CrossDevice>, semantics = #spirv.memory_semantics<None>} : (!spirv.ptr<i32, StorageBuffer>, i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !spirv.ptr<i32, StorageBuffer>, %a1: i32):
      "spirv.AtomicUMin"(%a0, %a1) {memory_scope = #spirv.scope<CrossDevice>, semantics = #spirv.memory_semantics<None>} : (!spirv.ptr<i32, StorageBuffer>, i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !spirv.ptr<i32, StorageBuffer>, %a1: i32):
      "spirv.AtomicXor"(%a0, %a1) {memory_scope = #spirv.scope<CrossDevice>, semantics = #spirv.memory_semantics<None>} : (!spirv.ptr<i32, StorageBuffer>, i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xi8>, %a1: i8, %a2: i8):
      "spirv.BitFieldSExtract"(%a0, %a1, %a2) : (vector<2xi8>, i8, i8) -> vector<2xi8>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xi8>, %a1: i8, %a2: i8):
      "spirv.BitFieldUExtract"(%a0, %a1, %a2) : (vector<2xi8>, i8, i8) -> vector<2xi8>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xi8>):
      "spirv.BitReverse"(%a0) : (vector<2xi8>) -> vector<2xi8>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xi8>, %a1: vector<2xi8>):
      "spirv.BitwiseOr"(%a0, %a1) : (vector<2xi8>, vector<2xi8>) -> vector<2xi8>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xi8>, %a1: vector<2xi8>):
      "spirv.BitwiseXor"(%a0, %a1) : (vector<2xi8>, vector<2xi8>) -> vector<2xi8>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xf16>):
      "spirv.CL.acos"(%a0) : (vector<2xf16>) -> vector<2xf16>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xf16>):
      "spirv.CL.acosh"(%a0) : (vector<2xf16>) -> vector<2xf16>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xf16>):
      "spirv.CL.asin"(%a0) : (vector<2xf16>) -> vector<2xf16>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xf16>):
      "spirv.CL.asinh"(%a0) : (vector<2xf16>) -> vector<2xf16>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xf16>):
      "spirv.CL.atan"(%a0) : (vector<2xf16>) -> vector<2xf16>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xf16>, %a1: vector<2xf16>):
      "spirv.CL.atan2"(%a0, %a1) : (vector<2xf16>, vector<2xf16>) -> vector<2xf16>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xf16>):
      "spirv.CL.atanh"(%a0) : (vector<2xf16>) -> vector<2xf16>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xf16>):
      "spirv.CL.ceil"(%a0) : (vector<2xf16>) -> vector<2xf16>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xf16>):
      "spirv.CL.cos"(%a0) : (vector<2xf16>) -> vector<2xf16>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xf16>):
      "spirv.CL.cosh"(%a0) : (vector<2xf16>) -> vector<2xf16>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xf16>):
      "spirv.CL.erf"(%a0) : (vector<2xf16>) -> vector<2xf16>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xf16>):
      "spirv.CL.fabs"(%a0) : (vector<2xf16>) -> vector<2xf16>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xf16>):
      "spirv.CL.floor"(%a0) : (vector<2xf16>) -> vector<2xf16>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xf16>, %a1: vector<2xf16>):
      "spirv.CL.fmax"(%a0, %a1) : (vector<2xf16>, vector<2xf16>) -> vector<2xf16>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xf16>, %a1: vector<2xf16>):
      "spirv.CL.fmin"(%a0, %a1) : (vector<2xf16>, vector<2xf16>) -> vector<2xf16>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xf16>):
      "spirv.CL.log"(%a0) : (vector<2xf16>) -> vector<2xf16>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xf16>, %a1: vector<2xf16>, %a2: vector<2xf16>):
      "spirv.CL.mix"(%a0, %a1, %a2) : (vector<2xf16>, vector<2xf16>, vector<2xf16>) -> vector<2xf16>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xf16>, %a1: vector<2xf16>):
      "spirv.CL.pow"(%a0, %a1) : (vector<2xf16>, vector<2xf16>) -> vector<2xf16>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !spirv.ptr<i32, StorageBuffer>, %a1: vector<2xi1>):
      "spirv.CL.printf"(%a0, %a1) : (!spirv.ptr<i32, StorageBuffer>, vector<2xi1>) -> i8
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xf16>):
      "spirv.CL.rint"(%a0) : (vector<2xf16>) -> vector<2xf16>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xf16>):
      "spirv.CL.round"(%a0) : (vector<2xf16>) -> vector<2xf16>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xf16>):
      "spirv.CL.rsqrt"(%a0) : (vector<2xf16>) -> vector<2xf16>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xi8>):
      "spirv.CL.s_abs"(%a0) : (vector<2xi8>) -> vector<2xi8>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xi8>, %a1: vector<2xi8>):
      "spirv.CL.s_max"(%a0, %a1) : (vector<2xi8>, vector<2xi8>) -> vector<2xi8>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xi8>, %a1: vector<2xi8>):
      "spirv.CL.s_min"(%a0, %a1) : (vector<2xi8>, vector<2xi8>) -> vector<2xi8>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xf16>):
      "spirv.CL.sin"(%a0) : (vector<2xf16>) -> vector<2xf16>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xf16>):
      "spirv.CL.sinh"(%a0) : (vector<2xf16>) -> vector<2xf16>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xf16>):
      "spirv.CL.sqrt"(%a0) : (vector<2xf16>) -> vector<2xf16>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xf16>):
      "spirv.CL.tan"(%a0) : (vector<2xf16>) -> vector<2xf16>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xf16>):
      "spirv.CL.tanh"(%a0) : (vector<2xf16>) -> vector<2xf16>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xi8>, %a1: vector<2xi8>):
      "spirv.CL.u_max"(%a0, %a1) : (vector<2xi8>, vector<2xi8>) -> vector<2xi8>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xi8>, %a1: vector<2xi8>):
      "spirv.CL.u_min"(%a0, %a1) : (vector<2xi8>, vector<2xi8>) -> vector<2xi8>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xi1>):
      "spirv.CompositeConstruct"(%a0) : (vector<2xi1>) -> vector<2xi1>
    }) : () -> ()
  "t.with"() ({
      "spirv.ControlBarrier"() {execution_scope = #spirv.scope<CrossDevice>, memory_scope = #spirv.scope<CrossDevice>, memory_semantics = #spirv.memory_semantics<None>} : () -> ()
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xf16>):
      "spirv.ConvertFToU"(%a0) : (vector<2xf16>) -> vector<2xi8>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !spirv.ptr<i32, StorageBuffer>):
      "spirv.ConvertPtrToU"(%a0) : (!spirv.ptr<i32, StorageBuffer>) -> i8
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xi8>):
      "spirv.ConvertSToF"(%a0) : (vector<2xi8>) -> vector<2xf16>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xi8>):
      "spirv.ConvertUToF"(%a0) : (vector<2xi8>) -> vector<2xf16>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i8):
      "spirv.ConvertUToPtr"(%a0) : (i8) -> !spirv.ptr<i32, StorageBuffer>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "spirv.DecorationCacheControlINTEL"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
      "spirv.EXT.ConstantCompositeReplicate"() {value = 1 : i32} : () -> vector<2xi32>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32, %a1: i32, %a2: i32):
      "spirv.EXT.EmitMeshTasks"(%a0, %a1, %a2) : (i32, i32, i32) -> ()
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32, %a1: i32):
      "spirv.EXT.SetMeshOutputs"(%a0, %a1) : (i32, i32) -> ()
    }) : () -> ()
  "t.with"() ({
      "spirv.EmitVertex"() : () -> ()
    }) : () -> ()
  "t.with"() ({
      "spirv.EndPrimitive"() : () -> ()
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xf16>, %a1: vector<2xf16>):
      "spirv.FDiv"(%a0, %a1) : (vector<2xf16>, vector<2xf16>) -> vector<2xf16>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xf16>, %a1: vector<2xf16>):
      "spirv.FMod"(%a0, %a1) : (vector<2xf16>, vector<2xf16>) -> vector<2xf16>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xf16>, %a1: vector<2xf16>):
      "spirv.FMul"(%a0, %a1) : (vector<2xf16>, vector<2xf16>) -> vector<2xf16>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xf16>, %a1: vector<2xf16>):
      "spirv.FOrdEqual"(%a0, %a1) : (vector<2xf16>, vector<2xf16>) -> vector<2xi1>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xf16>, %a1: vector<2xf16>):
      "spirv.FOrdGreaterThan"(%a0, %a1) : (vector<2xf16>, vector<2xf16>) -> vector<2xi1>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xf16>, %a1: vector<2xf16>):
      "spirv.FOrdGreaterThanEqual"(%a0, %a1) : (vector<2xf16>, vector<2xf16>) -> vector<2xi1>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xf16>, %a1: vector<2xf16>):
      "spirv.FOrdLessThanEqual"(%a0, %a1) : (vector<2xf16>, vector<2xf16>) -> vector<2xi1>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xf16>, %a1: vector<2xf16>):
      "spirv.FOrdNotEqual"(%a0, %a1) : (vector<2xf16>, vector<2xf16>) -> vector<2xi1>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xf16>, %a1: vector<2xf16>):
      "spirv.FRem"(%a0, %a1) : (vector<2xf16>, vector<2xf16>) -> vector<2xf16>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xf16>, %a1: vector<2xf16>):
      "spirv.FSub"(%a0, %a1) : (vector<2xf16>, vector<2xf16>) -> vector<2xf16>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xf16>, %a1: vector<2xf16>):
      "spirv.FUnordEqual"(%a0, %a1) : (vector<2xf16>, vector<2xf16>) -> vector<2xi1>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xf16>, %a1: vector<2xf16>):
      "spirv.FUnordGreaterThan"(%a0, %a1) : (vector<2xf16>, vector<2xf16>) -> vector<2xi1>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xf16>, %a1: vector<2xf16>):
      "spirv.FUnordGreaterThanEqual"(%a0, %a1) : (vector<2xf16>, vector<2xf16>) -> vector<2xi1>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xf16>, %a1: vector<2xf16>):
      "spirv.FUnordLessThan"(%a0, %a1) : (vector<2xf16>, vector<2xf16>) -> vector<2xi1>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xf16>, %a1: vector<2xf16>):
      "spirv.FUnordLessThanEqual"(%a0, %a1) : (vector<2xf16>, vector<2xf16>) -> vector<2xi1>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xf16>, %a1: vector<2xf16>):
      "spirv.FUnordNotEqual"(%a0, %a1) : (vector<2xf16>, vector<2xf16>) -> vector<2xi1>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xf16>):
      "spirv.GL.Acos"(%a0) : (vector<2xf16>) -> vector<2xf16>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xf16>):
      "spirv.GL.Acosh"(%a0) : (vector<2xf16>) -> vector<2xf16>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xf16>):
      "spirv.GL.Asin"(%a0) : (vector<2xf16>) -> vector<2xf16>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xf16>):
      "spirv.GL.Asinh"(%a0) : (vector<2xf16>) -> vector<2xf16>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xf16>):
      "spirv.GL.Atan"(%a0) : (vector<2xf16>) -> vector<2xf16>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xf16>):
      "spirv.GL.Atanh"(%a0) : (vector<2xf16>) -> vector<2xf16>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xf16>):
      "spirv.GL.Ceil"(%a0) : (vector<2xf16>) -> vector<2xf16>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xf16>):
      "spirv.GL.Cos"(%a0) : (vector<2xf16>) -> vector<2xf16>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xf16>):
      "spirv.GL.Cosh"(%a0) : (vector<2xf16>) -> vector<2xf16>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xf16>, %a1: vector<2xf16>):
      "spirv.GL.Cross"(%a0, %a1) : (vector<2xf16>, vector<2xf16>) -> vector<2xf16>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xf16>, %a1: vector<2xf16>):
      "spirv.GL.Distance"(%a0, %a1) : (vector<2xf16>, vector<2xf16>) -> f16
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xf16>):
      "spirv.GL.Exp"(%a0) : (vector<2xf16>) -> vector<2xf16>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xf16>):
      "spirv.GL.Exp2"(%a0) : (vector<2xf16>) -> vector<2xf16>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xf16>):
      "spirv.GL.FAbs"(%a0) : (vector<2xf16>) -> vector<2xf16>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xf16>, %a1: vector<2xf16>):
      "spirv.GL.FMax"(%a0, %a1) : (vector<2xf16>, vector<2xf16>) -> vector<2xf16>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xf16>, %a1: vector<2xf16>):
      "spirv.GL.FMin"(%a0, %a1) : (vector<2xf16>, vector<2xf16>) -> vector<2xf16>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xf16>):
      "spirv.GL.FSign"(%a0) : (vector<2xf16>) -> vector<2xf16>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xi8>):
      "spirv.GL.FindILsb"(%a0) : (vector<2xi8>) -> vector<2xi8>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "spirv.GL.FindSMsb"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "spirv.GL.FindUMsb"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xf16>):
      "spirv.GL.Floor"(%a0) : (vector<2xf16>) -> vector<2xf16>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xf16>, %a1: vector<2xf16>, %a2: vector<2xf16>):
      "spirv.GL.Fma"(%a0, %a1, %a2) : (vector<2xf16>, vector<2xf16>, vector<2xf16>) -> vector<2xf16>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xf16>):
      "spirv.GL.Fract"(%a0) : (vector<2xf16>) -> vector<2xf16>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xf16>):
      "spirv.GL.InverseSqrt"(%a0) : (vector<2xf16>) -> vector<2xf16>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xf16>):
      "spirv.GL.Length"(%a0) : (vector<2xf16>) -> f16
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xf16>):
      "spirv.GL.Log"(%a0) : (vector<2xf16>) -> vector<2xf16>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xf16>):
      "spirv.GL.Log2"(%a0) : (vector<2xf16>) -> vector<2xf16>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xf16>):
      "spirv.GL.Normalize"(%a0) : (vector<2xf16>) -> vector<2xf16>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xf32>):
      "spirv.GL.PackHalf2x16"(%a0) : (vector<2xf32>) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<4xf32>):
      "spirv.GL.PackSnorm4x8"(%a0) : (vector<4xf32>) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xf16>, %a1: vector<2xf16>):
      "spirv.GL.Reflect"(%a0, %a1) : (vector<2xf16>, vector<2xf16>) -> vector<2xf16>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xf16>):
      "spirv.GL.Round"(%a0) : (vector<2xf16>) -> vector<2xf16>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xf16>):
      "spirv.GL.RoundEven"(%a0) : (vector<2xf16>) -> vector<2xf16>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xi8>):
      "spirv.GL.SAbs"(%a0) : (vector<2xi8>) -> vector<2xi8>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xi8>, %a1: vector<2xi8>, %a2: vector<2xi8>):
      "spirv.GL.SClamp"(%a0, %a1, %a2) : (vector<2xi8>, vector<2xi8>, vector<2xi8>) -> vector<2xi8>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xi8>, %a1: vector<2xi8>):
      "spirv.GL.SMax"(%a0, %a1) : (vector<2xi8>, vector<2xi8>) -> vector<2xi8>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xi8>, %a1: vector<2xi8>):
      "spirv.GL.SMin"(%a0, %a1) : (vector<2xi8>, vector<2xi8>) -> vector<2xi8>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xi8>):
      "spirv.GL.SSign"(%a0) : (vector<2xi8>) -> vector<2xi8>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xf16>):
      "spirv.GL.Sin"(%a0) : (vector<2xf16>) -> vector<2xf16>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xf16>):
      "spirv.GL.Sinh"(%a0) : (vector<2xf16>) -> vector<2xf16>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xf16>):
      "spirv.GL.Tan"(%a0) : (vector<2xf16>) -> vector<2xf16>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xf16>):
      "spirv.GL.Tanh"(%a0) : (vector<2xf16>) -> vector<2xf16>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xi8>, %a1: vector<2xi8>, %a2: vector<2xi8>):
      "spirv.GL.UClamp"(%a0, %a1, %a2) : (vector<2xi8>, vector<2xi8>, vector<2xi8>) -> vector<2xi8>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xi8>, %a1: vector<2xi8>):
      "spirv.GL.UMax"(%a0, %a1) : (vector<2xi8>, vector<2xi8>) -> vector<2xi8>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xi8>, %a1: vector<2xi8>):
      "spirv.GL.UMin"(%a0, %a1) : (vector<2xi8>, vector<2xi8>) -> vector<2xi8>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "spirv.GL.UnpackHalf2x16"(%a0) : (i32) -> vector<2xf32>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "spirv.GL.UnpackSnorm4x8"(%a0) : (i32) -> vector<4xf32>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !spirv.ptr<i32, Generic>):
      "spirv.GenericCastToPtr"(%a0) : (!spirv.ptr<i32, Generic>) -> !spirv.ptr<i32, Workgroup>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !spirv.ptr<i32, Generic>):
      "spirv.GenericCastToPtrExplicit"(%a0) : (!spirv.ptr<i32, Generic>) -> !spirv.ptr<i32, Workgroup>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xf16>):
      "spirv.GroupFAdd"(%a0) {execution_scope = #spirv.scope<Subgroup>, group_operation = #spirv.group_operation<Reduce>} : (vector<2xf16>) -> vector<2xf16>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xf16>):
      "spirv.GroupFMax"(%a0) {execution_scope = #spirv.scope<Subgroup>, group_operation = #spirv.group_operation<Reduce>} : (vector<2xf16>) -> vector<2xf16>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xf16>):
      "spirv.GroupFMin"(%a0) {execution_scope = #spirv.scope<Subgroup>, group_operation = #spirv.group_operation<Reduce>} : (vector<2xf16>) -> vector<2xf16>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xi8>):
      "spirv.GroupIAdd"(%a0) {execution_scope = #spirv.scope<Subgroup>, group_operation = #spirv.group_operation<Reduce>} : (vector<2xi8>) -> vector<2xi8>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i1):
      "spirv.GroupNonUniformAll"(%a0) {execution_scope = #spirv.scope<Subgroup>} : (i1) -> i1
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xf16>):
      "spirv.GroupNonUniformAllEqual"(%a0) {execution_scope = #spirv.scope<Subgroup>} : (vector<2xf16>) -> i1
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i1):
      "spirv.GroupNonUniformAny"(%a0) {execution_scope = #spirv.scope<Subgroup>} : (i1) -> i1
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<4xi32>):
      "spirv.GroupNonUniformBallotBitCount"(%a0) {execution_scope = #spirv.scope<Subgroup>, group_operation = #spirv.group_operation<Reduce>} : (vector<4xi32>) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<4xi32>):
      "spirv.GroupNonUniformBallotFindLSB"(%a0) {execution_scope = #spirv.scope<Subgroup>} : (vector<4xi32>) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<4xi32>):
      "spirv.GroupNonUniformBallotFindMSB"(%a0) {execution_scope = #spirv.scope<Subgroup>} : (vector<4xi32>) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xi8>):
      "spirv.GroupNonUniformBitwiseAnd"(%a0) {execution_scope = #spirv.scope<Subgroup>, group_operation = #spirv.group_operation<Reduce>} : (vector<2xi8>) -> vector<2xi8>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xi8>):
      "spirv.GroupNonUniformBitwiseOr"(%a0) {execution_scope = #spirv.scope<Subgroup>, group_operation = #spirv.group_operation<Reduce>} : (vector<2xi8>) -> vector<2xi8>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xi8>):
      "spirv.GroupNonUniformBitwiseXor"(%a0) {execution_scope = #spirv.scope<Subgroup>, group_operation = #spirv.group_operation<Reduce>} : (vector<2xi8>) -> vector<2xi8>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xf16>):
      "spirv.GroupNonUniformFAdd"(%a0) {execution_scope = #spirv.scope<Subgroup>, group_operation = #spirv.group_operation<Reduce>} : (vector<2xf16>) -> vector<2xf16>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xf16>):
      "spirv.GroupNonUniformFMax"(%a0) {execution_scope = #spirv.scope<Subgroup>, group_operation = #spirv.group_operation<Reduce>} : (vector<2xf16>) -> vector<2xf16>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xf16>):
      "spirv.GroupNonUniformFMin"(%a0) {execution_scope = #spirv.scope<Subgroup>, group_operation = #spirv.group_operation<Reduce>} : (vector<2xf16>) -> vector<2xf16>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xf16>):
      "spirv.GroupNonUniformFMul"(%a0) {execution_scope = #spirv.scope<Subgroup>, group_operation = #spirv.group_operation<Reduce>} : (vector<2xf16>) -> vector<2xf16>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xi8>):
      "spirv.GroupNonUniformIAdd"(%a0) {execution_scope = #spirv.scope<Subgroup>, group_operation = #spirv.group_operation<Reduce>} : (vector<2xi8>) -> vector<2xi8>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xi8>):
      "spirv.GroupNonUniformIMul"(%a0) {execution_scope = #spirv.scope<Subgroup>, group_operation = #spirv.group_operation<Reduce>} : (vector<2xi8>) -> vector<2xi8>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xi1>):
      "spirv.GroupNonUniformLogicalAnd"(%a0) {execution_scope = #spirv.scope<Subgroup>, group_operation = #spirv.group_operation<Reduce>} : (vector<2xi1>) -> vector<2xi1>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xi1>):
      "spirv.GroupNonUniformLogicalOr"(%a0) {execution_scope = #spirv.scope<Subgroup>, group_operation = #spirv.group_operation<Reduce>} : (vector<2xi1>) -> vector<2xi1>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xi1>):
      "spirv.GroupNonUniformLogicalXor"(%a0) {execution_scope = #spirv.scope<Subgroup>, group_operation = #spirv.group_operation<Reduce>} : (vector<2xi1>) -> vector<2xi1>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xf16>, %a1: i32):
      "spirv.GroupNonUniformQuadSwap"(%a0, %a1) {execution_scope = #spirv.scope<Subgroup>} : (vector<2xf16>, i32) -> vector<2xf16>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xf16>, %a1: i32):
      "spirv.GroupNonUniformRotateKHR"(%a0, %a1) {execution_scope = #spirv.scope<Subgroup>} : (vector<2xf16>, i32) -> vector<2xf16>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xi8>):
      "spirv.GroupNonUniformSMax"(%a0) {execution_scope = #spirv.scope<Subgroup>, group_operation = #spirv.group_operation<Reduce>} : (vector<2xi8>) -> vector<2xi8>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xi8>):
      "spirv.GroupNonUniformSMin"(%a0) {execution_scope = #spirv.scope<Subgroup>, group_operation = #spirv.group_operation<Reduce>} : (vector<2xi8>) -> vector<2xi8>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xi1>, %a1: i8):
      "spirv.GroupNonUniformShuffle"(%a0, %a1) {execution_scope = #spirv.scope<Subgroup>} : (vector<2xi1>, i8) -> vector<2xi1>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xi1>, %a1: i8):
      "spirv.GroupNonUniformShuffleDown"(%a0, %a1) {execution_scope = #spirv.scope<Subgroup>} : (vector<2xi1>, i8) -> vector<2xi1>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xi1>, %a1: i8):
      "spirv.GroupNonUniformShuffleUp"(%a0, %a1) {execution_scope = #spirv.scope<Subgroup>} : (vector<2xi1>, i8) -> vector<2xi1>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xi1>, %a1: i8):
      "spirv.GroupNonUniformShuffleXor"(%a0, %a1) {execution_scope = #spirv.scope<Subgroup>} : (vector<2xi1>, i8) -> vector<2xi1>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xi8>):
      "spirv.GroupNonUniformUMax"(%a0) {execution_scope = #spirv.scope<Subgroup>, group_operation = #spirv.group_operation<Reduce>} : (vector<2xi8>) -> vector<2xi8>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xi8>):
      "spirv.GroupNonUniformUMin"(%a0) {execution_scope = #spirv.scope<Subgroup>, group_operation = #spirv.group_operation<Reduce>} : (vector<2xi8>) -> vector<2xi8>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xi8>):
      "spirv.GroupSMax"(%a0) {execution_scope = #spirv.scope<Subgroup>, group_operation = #spirv.group_operation<Reduce>} : (vector<2xi8>) -> vector<2xi8>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xi8>):
      "spirv.GroupSMin"(%a0) {execution_scope = #spirv.scope<Subgroup>, group_operation = #spirv.group_operation<Reduce>} : (vector<2xi8>) -> vector<2xi8>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xi8>):
      "spirv.GroupUMax"(%a0) {execution_scope = #spirv.scope<Subgroup>, group_operation = #spirv.group_operation<Reduce>} : (vector<2xi8>) -> vector<2xi8>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xi8>):
      "spirv.GroupUMin"(%a0) {execution_scope = #spirv.scope<Subgroup>, group_operation = #spirv.group_operation<Reduce>} : (vector<2xi8>) -> vector<2xi8>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "spirv.H"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
      "spirv.INTEL.ControlBarrierArrive"() {execution_scope = #spirv.scope<CrossDevice>, memory_scope = #spirv.scope<CrossDevice>, memory_semantics = #spirv.memory_semantics<None>} : () -> ()
    }) : () -> ()
  "t.with"() ({
      "spirv.INTEL.ControlBarrierWait"() {execution_scope = #spirv.scope<CrossDevice>, memory_scope = #spirv.scope<CrossDevice>, memory_semantics = #spirv.memory_semantics<None>} : () -> ()
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xi16>):
      "spirv.INTEL.ConvertBF16ToF"(%a0) : (vector<2xi16>) -> vector<2xf32>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xf32>):
      "spirv.INTEL.ConvertFToBF16"(%a0) : (vector<2xf32>) -> vector<2xi16>
    }) : () -> ()
  "t.with"() ({
      "spirv.INTEL.JointMatrixWorkItemLength"() {joint_matrix_type = i32} : () -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: f32):
      "spirv.INTEL.RoundFToTF32"(%a0) : (f32) -> f32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !spirv.ptr<i32, StorageBuffer>):
      "spirv.INTEL.SubgroupBlockRead"(%a0) : (!spirv.ptr<i32, StorageBuffer>) -> vector<2xi32>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !spirv.ptr<i32, StorageBuffer>, %a1: vector<2xi32>):
      "spirv.INTEL.SubgroupBlockWrite"(%a0, %a1) : (!spirv.ptr<i32, StorageBuffer>, vector<2xi32>) -> ()
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xi8>, %a1: vector<2xi8>):
      "spirv.INotEqual"(%a0, %a1) : (vector<2xi8>, vector<2xi8>) -> vector<2xi1>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32, %a1: i32):
      "spirv.ISubBorrow"(%a0, %a1) : (i32, i32) -> !spirv.struct<(i32, i32)>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !spirv.sampled_image<!spirv.image<f32, Dim2D, NoDepth, NonArrayed, SingleSampled, NeedSampler, Rgba8>>):
      "spirv.Image"(%a0) : (!spirv.sampled_image<!spirv.image<f32, Dim2D, NoDepth, NonArrayed, SingleSampled, NeedSampler, Rgba8>>) -> !spirv.image<f32, Dim2D, NoDepth, NonArrayed, SingleSampled, NeedSampler, Rgba8>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !spirv.sampled_image<!spirv.image<f32, Dim2D, NoDepth, NonArrayed, SingleSampled, NeedSampler, Rgba8>>, %a1: vector<4xf16>, %a2: f32):
      "spirv.ImageDrefGather"(%a0, %a1, %a2) : (!spirv.sampled_image<!spirv.image<f32, Dim2D, NoDepth, NonArrayed, SingleSampled, NeedSampler, Rgba8>>, vector<4xf16>, f32) -> vector<4xf32>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !spirv.image<f32, Dim2D, NoDepth, NonArrayed, SingleSampled, NeedSampler, Rgba8>, %a1: vector<2xi8>):
      "spirv.ImageFetch"(%a0, %a1) : (!spirv.image<f32, Dim2D, NoDepth, NonArrayed, SingleSampled, NeedSampler, Rgba8>, vector<2xi8>) -> vector<4xf32>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !spirv.image<f32, Dim2D, NoDepth, NonArrayed, SingleSampled, NoSampler, Rgba8>):
      "spirv.ImageQuerySize"(%a0) : (!spirv.image<f32, Dim2D, NoDepth, NonArrayed, SingleSampled, NoSampler, Rgba8>) -> vector<2xi8>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !spirv.image<f32, Dim2D, NoDepth, NonArrayed, SingleSampled, NoSampler, Rgba8>, %a1: vector<2xf16>):
      "spirv.ImageRead"(%a0, %a1) : (!spirv.image<f32, Dim2D, NoDepth, NonArrayed, SingleSampled, NoSampler, Rgba8>, vector<2xf16>) -> vector<2xf32>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !spirv.sampled_image<!spirv.image<f32, Dim2D, NoDepth, NonArrayed, SingleSampled, NeedSampler, Rgba8>>, %a1: vector<2xf16>):
      "spirv.ImageSampleImplicitLod"(%a0, %a1) : (!spirv.sampled_image<!spirv.image<f32, Dim2D, NoDepth, NonArrayed, SingleSampled, NeedSampler, Rgba8>>, vector<2xf16>) -> vector<4xf32>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !spirv.sampled_image<!spirv.image<f32, Dim2D, NoDepth, NonArrayed, SingleSampled, NeedSampler, Rgba8>>, %a1: f32, %a2: f32):
      "spirv.ImageSampleProjDrefImplicitLod"(%a0, %a1, %a2) : (!spirv.sampled_image<!spirv.image<f32, Dim2D, NoDepth, NonArrayed, SingleSampled, NeedSampler, Rgba8>>, f32, f32) -> f32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !spirv.image<f32, Dim2D, NoDepth, NonArrayed, SingleSampled, NoSampler, Rgba8>, %a1: vector<2xf16>, %a2: vector<2xf32>):
      "spirv.ImageWrite"(%a0, %a1, %a2) : (!spirv.image<f32, Dim2D, NoDepth, NonArrayed, SingleSampled, NoSampler, Rgba8>, vector<2xf16>, vector<2xf32>) -> ()
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !spirv.ptr<i32, StorageBuffer>, %a1: i8):
      "spirv.InBoundsPtrAccessChain"(%a0, %a1) : (!spirv.ptr<i32, StorageBuffer>, i8) -> !spirv.ptr<i32, StorageBuffer>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xf16>):
      "spirv.IsFinite"(%a0) : (vector<2xf16>) -> vector<2xi1>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xf16>):
      "spirv.IsInf"(%a0) : (vector<2xf16>) -> vector<2xi1>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xf16>):
      "spirv.IsNan"(%a0) : (vector<2xf16>) -> vector<2xi1>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xf16>):
      "spirv.KHR.GroupFMul"(%a0) {execution_scope = #spirv.scope<Subgroup>, group_operation = #spirv.group_operation<Reduce>} : (vector<2xf16>) -> vector<2xf16>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xi8>):
      "spirv.KHR.GroupIMul"(%a0) {execution_scope = #spirv.scope<Subgroup>, group_operation = #spirv.group_operation<Reduce>} : (vector<2xi8>) -> vector<2xi8>
    }) : () -> ()
  "t.with"() ({
      "spirv.Kill"() : () -> ()
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xi1>, %a1: vector<2xi1>):
      "spirv.LogicalAnd"(%a0, %a1) : (vector<2xi1>, vector<2xi1>) -> vector<2xi1>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xi1>, %a1: vector<2xi1>):
      "spirv.LogicalEqual"(%a0, %a1) : (vector<2xi1>, vector<2xi1>) -> vector<2xi1>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xi1>, %a1: vector<2xi1>):
      "spirv.LogicalNotEqual"(%a0, %a1) : (vector<2xi1>, vector<2xi1>) -> vector<2xi1>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xi1>, %a1: vector<2xi1>):
      "spirv.LogicalOr"(%a0, %a1) : (vector<2xi1>, vector<2xi1>) -> vector<2xi1>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !spirv.matrix<3 x vector<3xf32>>, %a1: !spirv.matrix<3 x vector<3xf32>>):
      "spirv.MatrixTimesMatrix"(%a0, %a1) : (!spirv.matrix<3 x vector<3xf32>>, !spirv.matrix<3 x vector<3xf32>>) -> !spirv.matrix<3 x vector<3xf32>>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !spirv.matrix<3 x vector<3xf32>>, %a1: vector<3xf32>):
      "spirv.MatrixTimesVector"(%a0, %a1) : (!spirv.matrix<3 x vector<3xf32>>, vector<3xf32>) -> vector<3xf32>
    }) : () -> ()
  "t.with"() ({
      "spirv.MemoryBarrier"() {memory_scope = #spirv.scope<CrossDevice>, memory_semantics = #spirv.memory_semantics<None>} : () -> ()
    }) : () -> ()
  "t.with"() ({
      "spirv.NV.CooperativeMatrixLength"() {cooperative_matrix_type = i32} : () -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xi8>):
      "spirv.Not"(%a0) : (vector<2xi8>) -> vector<2xi8>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !spirv.ptr<i32, StorageBuffer>, %a1: i8):
      "spirv.PtrAccessChain"(%a0, %a1) : (!spirv.ptr<i32, StorageBuffer>, i8) -> !spirv.ptr<i32, StorageBuffer>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !spirv.ptr<i32, Workgroup>):
      "spirv.PtrCastToGeneric"(%a0) : (!spirv.ptr<i32, Workgroup>) -> !spirv.ptr<i32, Generic>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xi8>, %a1: vector<2xi8>):
      "spirv.SDot"(%a0, %a1) : (vector<2xi8>, vector<2xi8>) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xi8>, %a1: vector<2xi8>, %a2: i32):
      "spirv.SDotAccSat"(%a0, %a1, %a2) : (vector<2xi8>, vector<2xi8>, i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xi8>, %a1: vector<2xi8>):
      "spirv.SGreaterThan"(%a0, %a1) : (vector<2xi8>, vector<2xi8>) -> vector<2xi1>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xi8>, %a1: vector<2xi8>):
      "spirv.SGreaterThanEqual"(%a0, %a1) : (vector<2xi8>, vector<2xi8>) -> vector<2xi1>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xi8>, %a1: vector<2xi8>):
      "spirv.SLessThan"(%a0, %a1) : (vector<2xi8>, vector<2xi8>) -> vector<2xi1>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xi8>, %a1: vector<2xi8>):
      "spirv.SLessThanEqual"(%a0, %a1) : (vector<2xi8>, vector<2xi8>) -> vector<2xi1>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xi8>, %a1: vector<2xi8>):
      "spirv.SMod"(%a0, %a1) : (vector<2xi8>, vector<2xi8>) -> vector<2xi8>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32, %a1: i32):
      "spirv.SMulExtended"(%a0, %a1) : (i32, i32) -> !spirv.struct<(i32, i32)>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xi8>, %a1: vector<2xi8>):
      "spirv.SRem"(%a0, %a1) : (vector<2xi8>, vector<2xi8>) -> vector<2xi8>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xi8>, %a1: vector<2xi8>):
      "spirv.SUDot"(%a0, %a1) : (vector<2xi8>, vector<2xi8>) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xi8>, %a1: vector<2xi8>, %a2: i32):
      "spirv.SUDotAccSat"(%a0, %a1, %a2) : (vector<2xi8>, vector<2xi8>, i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xi1>, %a1: vector<2xi1>, %a2: vector<2xi1>):
      "spirv.Select"(%a0, %a1, %a2) : (vector<2xi1>, vector<2xi1>, vector<2xi1>) -> vector<2xi1>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xi8>, %a1: vector<2xi8>):
      "spirv.ShiftRightArithmetic"(%a0, %a1) : (vector<2xi8>, vector<2xi8>) -> vector<2xi8>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xi8>, %a1: vector<2xi8>):
      "spirv.ShiftRightLogical"(%a0, %a1) : (vector<2xi8>, vector<2xi8>) -> vector<2xi8>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "spirv.SpecConstantCompositeOp"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xi8>, %a1: vector<2xi8>):
      "spirv.UDiv"(%a0, %a1) : (vector<2xi8>, vector<2xi8>) -> vector<2xi8>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xi8>, %a1: vector<2xi8>):
      "spirv.UDot"(%a0, %a1) : (vector<2xi8>, vector<2xi8>) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xi8>, %a1: vector<2xi8>, %a2: i32):
      "spirv.UDotAccSat"(%a0, %a1, %a2) : (vector<2xi8>, vector<2xi8>, i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xi8>, %a1: vector<2xi8>):
      "spirv.UGreaterThan"(%a0, %a1) : (vector<2xi8>, vector<2xi8>) -> vector<2xi1>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xi8>, %a1: vector<2xi8>):
      "spirv.UGreaterThanEqual"(%a0, %a1) : (vector<2xi8>, vector<2xi8>) -> vector<2xi1>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xi8>, %a1: vector<2xi8>):
      "spirv.ULessThan"(%a0, %a1) : (vector<2xi8>, vector<2xi8>) -> vector<2xi1>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xi8>, %a1: vector<2xi8>):
      "spirv.ULessThanEqual"(%a0, %a1) : (vector<2xi8>, vector<2xi8>) -> vector<2xi1>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xi8>, %a1: vector<2xi8>):
      "spirv.UMod"(%a0, %a1) : (vector<2xi8>, vector<2xi8>) -> vector<2xi8>
    }) : () -> ()
  "t.with"() ({
      "spirv.Undef"() : () -> vector<2xi1>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xf16>, %a1: vector<2xf16>):
      "spirv.Unordered"(%a0, %a1) : (vector<2xf16>, vector<2xf16>) -> vector<2xi1>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<3xf32>, %a1: !spirv.matrix<3 x vector<3xf32>>):
      "spirv.VectorTimesMatrix"(%a0, %a1) : (vector<3xf32>, !spirv.matrix<3 x vector<3xf32>>) -> vector<3xf32>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "spirv.addressing_model"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "spirv.arm.tensor"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "spirv.array"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "spirv.built_in"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "spirv.cache_control_load_intel"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "spirv.cache_control_store_intel"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "spirv.capability"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "spirv.client_api"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "spirv.coop_matrix_layout_khr"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "spirv.coop_matrix_props_khr"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "spirv.coop_matrix_props_nv"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "spirv.coop_matrix_use_khr"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "spirv.cooperative_matrix_operands_khr"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "spirv.coopmatrix"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "spirv.deH1"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "spirv.decoration"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "spirv.decorationemory_attributesSPV_INTEL_fpga_m_access_aliasingSPV_INTEL_memorySPV_INTEL_io_pipSPV_INTEL_fpga_reg"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "spirv.decorationemory_attributesga_loop_controlsSPV_NV_bindless_on_semantic_infoA_blocking_pipes_draw_parameters_memory_accessesixelInterlockEXTAtomicFloat16MinostDepthCoverageeExtendedFormatsStorageImageExteStoragePushConstRoundToInfinityIImageGatherBiasLvocation"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "spirv.device_type"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "spirv.dim"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "spirv.entry_point_abi"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "spirv.execution_mode"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "spirv.execution_model"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "spirv.ext"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "spirv.f_p_encoding"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "spirv.fastmath_mode"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "spirv.fp_rounding_mode"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "spirv.function_control"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "spirv.group_operation"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "spirv.image"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "spirv.image_arrayed_info"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "spirv.image_depth_info"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "spirv.image_format"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "spirv.image_operands"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "spirv.image_sampler_use_info"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "spirv.image_sampling_info"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "spirv.interface_var_abi"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "spirv.joint_matrix_props"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "spirv.jointmatrix"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "spirv.linkage_attributes"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "spirv.linkage_type"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "spirv.load_cache_control"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "spirv.loop_control"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "spirv.matrix"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "spirv.matrixLayout"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "spirv.memory_access"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "spirv.memory_model"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "spirv.memory_semantics"(%a0) : (i32) -> i32
    }) : () -> ()
  func.func @f_spirv_mlir_loop() {
      "spirv.mlir.loop"() ({
    }) {loop_control = #spirv.loop_control<None>} : () -> ()
      return
    }
  func.func @f_spirv_mlir_selection() {
      "spirv.mlir.selection"() ({
    }) {selection_control = #spirv.selection_control<None>} : () -> ()
      return
    }
  "t.with"() ({
    ^bb0(%a0: i32):
      "spirv.opcode"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "spirv.packed_vector_format"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "spirv.pointer"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "spirv.ptr"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "spirv.resource_limits"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "spirv.rtarray"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "spirv.sampled_image"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "spirv.scope"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "spirv.selection_control"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "spirv.storage_class"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "spirv.store_cache_control"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "spirv.struct"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "spirv.target_env"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "spirv.vendor"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "spirv.ver_cap_ext"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "spirv.version"(%a0) : (i32) -> i32
    }) : () -> ()
}) : () -> ()
