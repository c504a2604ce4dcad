// releases: 16 19 22
// covers: more operations of the llvm dialect, each once in generic form with the types and attributes it asks for.
"t.all"() ({
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.access.group"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.address_space"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !llvm.ptr):
      "llvm.addrspacecast"(%a0) : (!llvm.ptr) -> !llvm.ptr
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.aliH1"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.aliH3"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.align"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.alignstack"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.allH3"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.allocalign"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.allocptr"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.array"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.bareptr"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.byr"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.byrD"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.byrH1"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.byrH3"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.byref"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.byv"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.byvD"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.byvH1"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.byvH3"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.byvI"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.byval"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.cconv"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.cgprofile_entry"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.commandline"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.constant_range"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.data_layout"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.data_layoutount"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.dependent"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.dependent_libraries"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.dereferenceable"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.dereferenceable_or_null"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.di_annotation"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.di_basic_type"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.di_common_block"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.di_compile_unit"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.di_composite_type"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.di_derived_type"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.di_expression"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.di_expression_elem"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.di_file"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.di_generic_subrange"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.di_global_variable"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.di_global_variable_expression"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.di_imported_entity"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.di_label"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.di_lexical_block"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.di_lexical_block_file"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.di_local_variable"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.di_module"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.di_namespace"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.di_null_type"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.di_string_type"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.di_subprogram"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.di_subrange"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.di_subroutine_type"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.elementtype"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.emit_c_interface"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.fastmath"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.fixed_vec"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.framePointerKind"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.global_ctor"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.global_ctors"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.global_dtors"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.ideH"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.ident"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.inaH1"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.inalloca"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.inreg"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: f32):
      "llvm.intr.acos"(%a0) : (f32) -> f32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32, %a1: !llvm.ptr, %a2: !llvm.ptr, %a3: i32):
      "llvm.intr.annotation"(%a0, %a1, %a2, %a3) : (i32, !llvm.ptr, !llvm.ptr, i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: f32):
      "llvm.intr.asin"(%a0) : (f32) -> f32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: f32):
      "llvm.intr.atan"(%a0) : (f32) -> f32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: f32, %a1: f32):
      "llvm.intr.atan2"(%a0, %a1) : (f32, f32) -> f32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.intr.bitreverse"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.intr.bswap"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: f32):
      "llvm.intr.ceil"(%a0) : (f32) -> f32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: f32, %a1: f32):
      "llvm.intr.copysign"(%a0, %a1) : (f32, f32) -> f32
    }) : () -> ()
  "t.with"() ({
      "llvm.intr.coro.align"() : () -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !llvm.token, %a1: !llvm.ptr):
      "llvm.intr.coro.begin"(%a0, %a1) : (!llvm.token, !llvm.ptr) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !llvm.token, %a1: !llvm.ptr):
      "llvm.intr.coro.free"(%a0, %a1) : (!llvm.token, !llvm.ptr) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !llvm.ptr, %a1: i32, %a2: i1):
      "llvm.intr.coro.promise"(%a0, %a1, %a2) : (!llvm.ptr, i32, i1) -> !llvm.ptr
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !llvm.ptr):
      "llvm.intr.coro.resume"(%a0) : (!llvm.ptr) -> ()
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !llvm.ptr):
      "llvm.intr.coro.save"(%a0) : (!llvm.ptr) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !llvm.token, %a1: i1):
      "llvm.intr.coro.suspend"(%a0, %a1) : (!llvm.token, i1) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: f32):
      "llvm.intr.cos"(%a0) : (f32) -> f32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: f32):
      "llvm.intr.cosh"(%a0) : (f32) -> f32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.intr.ctpop"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !llvm.ptr):
      "llvm.intr.eh.typeid.for"(%a0) : (!llvm.ptr) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: f32):
      "llvm.intr.exp"(%a0) : (f32) -> f32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: f32):
      "llvm.intr.exp10"(%a0) : (f32) -> f32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: f32):
      "llvm.intr.exp2"(%a0) : (f32) -> f32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32, %a1: i32):
      "llvm.intr.expect"(%a0, %a1) : (i32, i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.intr.experimental.constrained.fpext"(%a0) {fpExceptionBehavior = 1 : i64} : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.intr.experimental.constrained.uitofp"(%a0) {fpExceptionBehavior = 1 : i64, roundingmode = 1 : i64} : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
      "llvm.intr.experimental.stepvector"() : () -> vector<4xi32>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !llvm.ptr, %a1: i32, %a2: vector<4xi1>, %a3: i32):
      "llvm.intr.experimental.vp.strided.load"(%a0, %a1, %a2, %a3) : (!llvm.ptr, i32, vector<4xi1>, i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<4xf32>, %a1: !llvm.ptr, %a2: i32, %a3: vector<4xi1>, %a4: i32):
      "llvm.intr.experimental.vp.strided.store"(%a0, %a1, %a2, %a3, %a4) : (vector<4xf32>, !llvm.ptr, i32, vector<4xi1>, i32) -> ()
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: f32):
      "llvm.intr.fabs"(%a0) : (f32) -> f32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: f32):
      "llvm.intr.floor"(%a0) : (f32) -> f32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: f32, %a1: f32, %a2: f32):
      "llvm.intr.fma"(%a0, %a1, %a2) : (f32, f32, f32) -> f32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: f32, %a1: f32, %a2: f32):
      "llvm.intr.fmuladd"(%a0, %a1, %a2) : (f32, f32, f32) -> f32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: f32):
      "llvm.intr.frexp"(%a0) : (f32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32, %a1: i32, %a2: i32):
      "llvm.intr.fshl"(%a0, %a1, %a2) : (i32, i32, i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32, %a1: i32, %a2: i32):
      "llvm.intr.fshr"(%a0, %a1, %a2) : (i32, i32, i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !llvm.ptr, %a1: !llvm.ptr):
      "llvm.intr.invariant.end"(%a0, %a1) {size = 1 : i64} : (!llvm.ptr, !llvm.ptr) -> ()
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.intr.is.constant"(%a0) : (i32) -> i1
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !llvm.ptr):
      "llvm.intr.launder.invariant.group"(%a0) : (!llvm.ptr) -> !llvm.ptr
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: f32, %a1: i32):
      "llvm.intr.ldexp"(%a0, %a1) : (f32, i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !llvm.ptr):
      "llvm.intr.lifetime.end"(%a0) {size = 1 : i64} : (!llvm.ptr) -> ()
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: f32):
      "llvm.intr.llrint"(%a0) : (f32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: f32):
      "llvm.intr.llround"(%a0) : (f32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: f32):
      "llvm.intr.log"(%a0) : (f32) -> f32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: f32):
      "llvm.intr.log10"(%a0) : (f32) -> f32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: f32):
      "llvm.intr.log2"(%a0) : (f32) -> f32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: f32):
      "llvm.intr.lrint"(%a0) : (f32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: f32):
      "llvm.intr.lround"(%a0) : (f32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<4xf32>, %a1: !llvm.ptr, %a2: vector<4xi1>):
      "llvm.intr.masked.compressstore"(%a0, %a1, %a2) : (vector<4xf32>, !llvm.ptr, vector<4xi1>) -> ()
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !llvm.ptr, %a1: vector<4xi1>, %a2: vector<4xf32>):
      "llvm.intr.masked.expandload"(%a0, %a1, %a2) : (!llvm.ptr, vector<4xi1>, vector<4xf32>) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: f32, %a1: f32):
      "llvm.intr.maximum"(%a0, %a1) : (f32, f32) -> f32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: f32, %a1: f32):
      "llvm.intr.maxnum"(%a0, %a1) : (f32, f32) -> f32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: f32, %a1: f32):
      "llvm.intr.minimum"(%a0, %a1) : (f32, f32) -> f32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: f32, %a1: f32):
      "llvm.intr.minnum"(%a0, %a1) : (f32, f32) -> f32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: f32):
      "llvm.intr.nearbyint"(%a0) : (f32) -> f32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: f32, %a1: f32):
      "llvm.intr.pow"(%a0, %a1) : (f32, f32) -> f32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: f32, %a1: i32):
      "llvm.intr.powi"(%a0, %a1) : (f32, i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !llvm.ptr, %a1: !llvm.ptr, %a2: !llvm.ptr, %a3: i32, %a4: !llvm.ptr):
      "llvm.intr.ptr.annotation"(%a0, %a1, %a2, %a3, %a4) : (!llvm.ptr, !llvm.ptr, !llvm.ptr, i32, !llvm.ptr) -> !llvm.ptr
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !llvm.ptr, %a1: i32):
      "llvm.intr.ptrmask"(%a0, %a1) : (!llvm.ptr, i32) -> !llvm.ptr
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: f32):
      "llvm.intr.rint"(%a0) : (f32) -> f32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: f32):
      "llvm.intr.round"(%a0) : (f32) -> f32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: f32):
      "llvm.intr.roundeven"(%a0) : (f32) -> f32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32, %a1: i32):
      "llvm.intr.sadd.sat"(%a0, %a1) : (i32, i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32, %a1: i32):
      "llvm.intr.scmp"(%a0, %a1) : (i32, i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: f32):
      "llvm.intr.sin"(%a0) : (f32) -> f32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: f32):
      "llvm.intr.sinh"(%a0) : (f32) -> f32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32, %a1: i32):
      "llvm.intr.smax"(%a0, %a1) : (i32, i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32, %a1: i32):
      "llvm.intr.smin"(%a0, %a1) : (i32, i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32, %a1: i32):
      "llvm.intr.smul.with.overflow"(%a0, %a1) : (i32, i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.intr.ssa.copy"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32, %a1: i32):
      "llvm.intr.sshl.sat"(%a0, %a1) : (i32, i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32, %a1: i32):
      "llvm.intr.ssub.sat"(%a0, %a1) : (i32, i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32, %a1: i32):
      "llvm.intr.ssub.with.overflow"(%a0, %a1) : (i32, i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !llvm.ptr):
      "llvm.intr.strip.invariant.group"(%a0) : (!llvm.ptr) -> !llvm.ptr
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: f32):
      "llvm.intr.tan"(%a0) : (f32) -> f32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: f32):
      "llvm.intr.tanh"(%a0) : (f32) -> f32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: f32):
      "llvm.intr.trunc"(%a0) : (f32) -> f32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32, %a1: i32):
      "llvm.intr.uadd.sat"(%a0, %a1) : (i32, i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32, %a1: i32):
      "llvm.intr.uadd.with.overflow"(%a0, %a1) : (i32, i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32, %a1: i32):
      "llvm.intr.ucmp"(%a0, %a1) : (i32, i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32, %a1: i32):
      "llvm.intr.umax"(%a0, %a1) : (i32, i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32, %a1: i32):
      "llvm.intr.umin"(%a0, %a1) : (i32, i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32, %a1: i32):
      "llvm.intr.umul.with.overflow"(%a0, %a1) : (i32, i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32, %a1: i32):
      "llvm.intr.ushl.sat"(%a0, %a1) : (i32, i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32, %a1: i32):
      "llvm.intr.usub.sat"(%a0, %a1) : (i32, i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32, %a1: i32):
      "llvm.intr.usub.with.overflow"(%a0, %a1) : (i32, i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !llvm.ptr, %a1: !llvm.ptr):
      "llvm.intr.vacopy"(%a0, %a1) : (!llvm.ptr, !llvm.ptr) -> ()
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !llvm.ptr):
      "llvm.intr.vaend"(%a0) : (!llvm.ptr) -> ()
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !llvm.ptr, %a1: !llvm.ptr, %a2: !llvm.ptr, %a3: i32, %a4: !llvm.ptr):
      "llvm.intr.var.annotation"(%a0, %a1, %a2, %a3, %a4) : (!llvm.ptr, !llvm.ptr, !llvm.ptr, i32, !llvm.ptr) -> ()
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !llvm.ptr):
      "llvm.intr.vastart"(%a0) : (!llvm.ptr) -> ()
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<4xf32>):
      "llvm.intr.vector.deinterleave2"(%a0) : (vector<4xf32>) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<4xi32>):
      "llvm.intr.vector.reduce.and"(%a0) : (vector<4xi32>) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<4xf32>):
      "llvm.intr.vector.reduce.fmax"(%a0) : (vector<4xf32>) -> f32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<4xf32>):
      "llvm.intr.vector.reduce.fmaximum"(%a0) : (vector<4xf32>) -> f32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<4xf32>):
      "llvm.intr.vector.reduce.fmin"(%a0) : (vector<4xf32>) -> f32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<4xf32>):
      "llvm.intr.vector.reduce.fminimum"(%a0) : (vector<4xf32>) -> f32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<4xi32>):
      "llvm.intr.vector.reduce.mul"(%a0) : (vector<4xi32>) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<4xi32>):
      "llvm.intr.vector.reduce.or"(%a0) : (vector<4xi32>) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<4xi32>):
      "llvm.intr.vector.reduce.smax"(%a0) : (vector<4xi32>) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<4xi32>):
      "llvm.intr.vector.reduce.smin"(%a0) : (vector<4xi32>) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<4xi32>):
      "llvm.intr.vector.reduce.umax"(%a0) : (vector<4xi32>) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<4xi32>):
      "llvm.intr.vector.reduce.umin"(%a0) : (vector<4xi32>) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<4xi32>):
      "llvm.intr.vector.reduce.xor"(%a0) : (vector<4xi32>) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<4xi32>, %a1: vector<4xi32>, %a2: vector<4xi1>, %a3: i32):
      "llvm.intr.vp.and"(%a0, %a1, %a2, %a3) : (vector<4xi32>, vector<4xi32>, vector<4xi1>, i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<4xi32>, %a1: vector<4xi32>, %a2: vector<4xi1>, %a3: i32):
      "llvm.intr.vp.ashr"(%a0, %a1, %a2, %a3) : (vector<4xi32>, vector<4xi32>, vector<4xi1>, i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xf16>, %a1: vector<2xf16>, %a2: vector<4xi1>, %a3: i32):
      "llvm.intr.vp.fadd"(%a0, %a1, %a2, %a3) : (vector<2xf16>, vector<2xf16>, vector<4xi1>, i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xf16>, %a1: vector<2xf16>, %a2: vector<4xi1>, %a3: i32):
      "llvm.intr.vp.fdiv"(%a0, %a1, %a2, %a3) : (vector<2xf16>, vector<2xf16>, vector<4xi1>, i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xf16>, %a1: vector<2xf16>, %a2: vector<2xf16>, %a3: vector<4xi1>, %a4: i32):
      "llvm.intr.vp.fma"(%a0, %a1, %a2, %a3, %a4) : (vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<4xi1>, i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xf16>, %a1: vector<2xf16>, %a2: vector<4xi1>, %a3: i32):
      "llvm.intr.vp.fmul"(%a0, %a1, %a2, %a3) : (vector<2xf16>, vector<2xf16>, vector<4xi1>, i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xf16>, %a1: vector<2xf16>, %a2: vector<2xf16>, %a3: vector<4xi1>, %a4: i32):
      "llvm.intr.vp.fmuladd"(%a0, %a1, %a2, %a3, %a4) : (vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<4xi1>, i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<4xf32>, %a1: vector<4xi1>, %a2: i32):
      "llvm.intr.vp.fneg"(%a0, %a1, %a2) : (vector<4xf32>, vector<4xi1>, i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<4xf32>, %a1: vector<4xi1>, %a2: i32):
      "llvm.intr.vp.fpext"(%a0, %a1, %a2) : (vector<4xf32>, vector<4xi1>, i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<4xf32>, %a1: vector<4xi1>, %a2: i32):
      "llvm.intr.vp.fptosi"(%a0, %a1, %a2) : (vector<4xf32>, vector<4xi1>, i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<4xf32>, %a1: vector<4xi1>, %a2: i32):
      "llvm.intr.vp.fptoui"(%a0, %a1, %a2) : (vector<4xf32>, vector<4xi1>, i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<4xf32>, %a1: vector<4xi1>, %a2: i32):
      "llvm.intr.vp.fptrunc"(%a0, %a1, %a2) : (vector<4xf32>, vector<4xi1>, i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xf16>, %a1: vector<2xf16>, %a2: vector<4xi1>, %a3: i32):
      "llvm.intr.vp.frem"(%a0, %a1, %a2, %a3) : (vector<2xf16>, vector<2xf16>, vector<4xi1>, i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xf16>, %a1: vector<2xf16>, %a2: vector<4xi1>, %a3: i32):
      "llvm.intr.vp.fsub"(%a0, %a1, %a2, %a3) : (vector<2xf16>, vector<2xf16>, vector<4xi1>, i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<4xi32>, %a1: vector<4xi1>, %a2: i32):
      "llvm.intr.vp.inttoptr"(%a0, %a1, %a2) : (vector<4xi32>, vector<4xi1>, i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<4xi32>, %a1: vector<4xi32>, %a2: vector<4xi1>, %a3: i32):
      "llvm.intr.vp.lshr"(%a0, %a1, %a2, %a3) : (vector<4xi32>, vector<4xi32>, vector<4xi1>, i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<4xi1>, %a1: vector<2xf16>, %a2: vector<2xf16>, %a3: i32):
      "llvm.intr.vp.merge"(%a0, %a1, %a2, %a3) : (vector<4xi1>, vector<2xf16>, vector<2xf16>, i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<4xi32>, %a1: vector<4xi32>, %a2: vector<4xi1>, %a3: i32):
      "llvm.intr.vp.mul"(%a0, %a1, %a2, %a3) : (vector<4xi32>, vector<4xi32>, vector<4xi1>, i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<4xi32>, %a1: vector<4xi32>, %a2: vector<4xi1>, %a3: i32):
      "llvm.intr.vp.or"(%a0, %a1, %a2, %a3) : (vector<4xi32>, vector<4xi32>, vector<4xi1>, i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32, %a1: vector<4xi32>, %a2: vector<4xi1>, %a3: i32):
      "llvm.intr.vp.reduce.add"(%a0, %a1, %a2, %a3) : (i32, vector<4xi32>, vector<4xi1>, i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32, %a1: vector<4xi32>, %a2: vector<4xi1>, %a3: i32):
      "llvm.intr.vp.reduce.and"(%a0, %a1, %a2, %a3) : (i32, vector<4xi32>, vector<4xi1>, i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: f32, %a1: vector<4xf32>, %a2: vector<4xi1>, %a3: i32):
      "llvm.intr.vp.reduce.fadd"(%a0, %a1, %a2, %a3) : (f32, vector<4xf32>, vector<4xi1>, i32) -> !llvm.ptr
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: f16, %a1: vector<4xf32>, %a2: vector<4xi1>, %a3: i32):
      "llvm.intr.vp.reduce.fmax"(%a0, %a1, %a2, %a3) : (f16, vector<4xf32>, vector<4xi1>, i32) -> !llvm.ptr
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: f16, %a1: vector<2xf16>, %a2: vector<4xi1>, %a3: i32):
      "llvm.intr.vp.reduce.fmin"(%a0, %a1, %a2, %a3) : (f16, vector<2xf16>, vector<4xi1>, i32) -> vector<4xi1>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: f64, %a1: vector<4xf32>, %a2: vector<4xi1>, %a3: i32):
      "llvm.intr.vp.reduce.fmul"(%a0, %a1, %a2, %a3) : (f64, vector<4xf32>, vector<4xi1>, i32) -> vector<4xi32>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32, %a1: vector<4xi32>, %a2: vector<4xi1>, %a3: i32):
      "llvm.intr.vp.reduce.mul"(%a0, %a1, %a2, %a3) : (i32, vector<4xi32>, vector<4xi1>, i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32, %a1: vector<4xi32>, %a2: vector<4xi1>, %a3: i32):
      "llvm.intr.vp.reduce.or"(%a0, %a1, %a2, %a3) : (i32, vector<4xi32>, vector<4xi1>, i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32, %a1: vector<4xi32>, %a2: vector<4xi1>, %a3: i32):
      "llvm.intr.vp.reduce.smax"(%a0, %a1, %a2, %a3) : (i32, vector<4xi32>, vector<4xi1>, i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32, %a1: vector<4xi32>, %a2: vector<4xi1>, %a3: i32):
      "llvm.intr.vp.reduce.smin"(%a0, %a1, %a2, %a3) : (i32, vector<4xi32>, vector<4xi1>, i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32, %a1: vector<4xi32>, %a2: vector<4xi1>, %a3: i32):
      "llvm.intr.vp.reduce.umax"(%a0, %a1, %a2, %a3) : (i32, vector<4xi32>, vector<4xi1>, i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32, %a1: vector<4xi32>, %a2: vector<4xi1>, %a3: i32):
      "llvm.intr.vp.reduce.umin"(%a0, %a1, %a2, %a3) : (i32, vector<4xi32>, vector<4xi1>, i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32, %a1: vector<4xi32>, %a2: vector<4xi1>, %a3: i32):
      "llvm.intr.vp.reduce.xor"(%a0, %a1, %a2, %a3) : (i32, vector<4xi32>, vector<4xi1>, i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<4xi32>, %a1: vector<4xi32>, %a2: vector<4xi1>, %a3: i32):
      "llvm.intr.vp.sdiv"(%a0, %a1, %a2, %a3) : (vector<4xi32>, vector<4xi32>, vector<4xi1>, i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<4xi1>, %a1: vector<2xf16>, %a2: vector<2xf16>, %a3: i32):
      "llvm.intr.vp.select"(%a0, %a1, %a2, %a3) : (vector<4xi1>, vector<2xf16>, vector<2xf16>, i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<4xi32>, %a1: vector<4xi1>, %a2: i32):
      "llvm.intr.vp.sext"(%a0, %a1, %a2) : (vector<4xi32>, vector<4xi1>, i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<4xi32>, %a1: vector<4xi32>, %a2: vector<4xi1>, %a3: i32):
      "llvm.intr.vp.shl"(%a0, %a1, %a2, %a3) : (vector<4xi32>, vector<4xi32>, vector<4xi1>, i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<4xi32>, %a1: vector<4xi1>, %a2: i32):
      "llvm.intr.vp.sitofp"(%a0, %a1, %a2) : (vector<4xi32>, vector<4xi1>, i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<4xi32>, %a1: vector<4xi32>, %a2: vector<4xi1>, %a3: i32):
      "llvm.intr.vp.smax"(%a0, %a1, %a2, %a3) : (vector<4xi32>, vector<4xi32>, vector<4xi1>, i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<4xi32>, %a1: vector<4xi32>, %a2: vector<4xi1>, %a3: i32):
      "llvm.intr.vp.smin"(%a0, %a1, %a2, %a3) : (vector<4xi32>, vector<4xi32>, vector<4xi1>, i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<4xi32>, %a1: vector<4xi32>, %a2: vector<4xi1>, %a3: i32):
      "llvm.intr.vp.srem"(%a0, %a1, %a2, %a3) : (vector<4xi32>, vector<4xi32>, vector<4xi1>, i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<4xf32>, %a1: !llvm.ptr, %a2: vector<4xi1>, %a3: i32):
      "llvm.intr.vp.store"(%a0, %a1, %a2, %a3) : (vector<4xf32>, !llvm.ptr, vector<4xi1>, i32) -> ()
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<4xi32>, %a1: vector<4xi32>, %a2: vector<4xi1>, %a3: i32):
      "llvm.intr.vp.sub"(%a0, %a1, %a2, %a3) : (vector<4xi32>, vector<4xi32>, vector<4xi1>, i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<4xi32>, %a1: vector<4xi1>, %a2: i32):
      "llvm.intr.vp.trunc"(%a0, %a1, %a2) : (vector<4xi32>, vector<4xi1>, i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<4xi32>, %a1: vector<4xi32>, %a2: vector<4xi1>, %a3: i32):
      "llvm.intr.vp.udiv"(%a0, %a1, %a2, %a3) : (vector<4xi32>, vector<4xi32>, vector<4xi1>, i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<4xi32>, %a1: vector<4xi1>, %a2: i32):
      "llvm.intr.vp.uitofp"(%a0, %a1, %a2) : (vector<4xi32>, vector<4xi1>, i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<4xi32>, %a1: vector<4xi32>, %a2: vector<4xi1>, %a3: i32):
      "llvm.intr.vp.umax"(%a0, %a1, %a2, %a3) : (vector<4xi32>, vector<4xi32>, vector<4xi1>, i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<4xi32>, %a1: vector<4xi32>, %a2: vector<4xi1>, %a3: i32):
      "llvm.intr.vp.umin"(%a0, %a1, %a2, %a3) : (vector<4xi32>, vector<4xi32>, vector<4xi1>, i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<4xi32>, %a1: vector<4xi32>, %a2: vector<4xi1>, %a3: i32):
      "llvm.intr.vp.urem"(%a0, %a1, %a2, %a3) : (vector<4xi32>, vector<4xi32>, vector<4xi1>, i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<4xi32>, %a1: vector<4xi32>, %a2: vector<4xi1>, %a3: i32):
      "llvm.intr.vp.xor"(%a0, %a1, %a2, %a3) : (vector<4xi32>, vector<4xi32>, vector<4xi1>, i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<4xi32>, %a1: vector<4xi1>, %a2: i32):
      "llvm.intr.vp.zext"(%a0, %a1, %a2) : (vector<4xi32>, vector<4xi1>, i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.inttoptr"(%a0) : (i32) -> !llvm.ptr
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.label"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.licm.disable"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.linH1"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.linL"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.linkage"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.linker.options"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.looH3"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.loop"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.loop.disable_nonforced"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.loop.distribute.enable"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.loop.distribute.followup_all"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.loop.distribute.followup_coincident"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.loop.distribute.followup_fallback"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.loop.distribute.followup_sequential"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.loop.interleave.count"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.loop.isvectorized"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.loop.licm_versioning.disable"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.loop.mustprogress"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.loop.parallel_accesses"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.loop.peeled.count"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.loop.pipeline.disable"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.loop.pipeline.initiationinterval"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.loop.unroll.count"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.loop.unroll.disable"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.loop.unroll.enable"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.loop.unroll.followup_all"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.loop.unroll.followup_remainder"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.loop.unroll.followup_unrolled"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.loop.unroll.full"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.loop.unroll.runtime.disable"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.loop.unroll_and_jam.count"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.loop.unroll_and_jam.disable"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.loop.unroll_and_jam.enable"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.loop.unroll_and_jam.followup_all"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.loop.unroll_and_jam.followup_inner"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.loop.unroll_and_jam.followup_outer"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.loop.unroll_and_jam.followup_remainder_inner"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.loop.unroll_and_jam.followup_remainder_outer"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.loop.unswitch.partial.disable"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.loop.vectorize.enable"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.loop.vectorize.followup_all"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.loop.vectorize.followup_epilogue"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.loop.vectorize.followup_vectorized"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.loop.vectorize.predicate.enable"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.loop.vectorize.scalable.enable"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.loop.vectorize.width"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.loop_annotation"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.loop_distribute"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.loop_interleave"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.loop_licm"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.loop_peeled"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.loop_pipeline"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.loop_unroll"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.loop_unroll_and_jam"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.loop_unswitch"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.loop_vectorize"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.memory_effects"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.mlir.module_flag"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.mlir.workgroup_attribution"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.mmrH3"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.mmra"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.mmra_tag"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.module_asm"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.nesH3"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.nest"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.noaH"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.noaH1"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.noaH3"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.noalias"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.nocH3"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.nocapture"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.nofree"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.nonnull"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.nouH1"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.noundef"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.overflow"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.poison"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.ppc_fp128"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.preallocated"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.profile_summary"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.profile_summary_detailed"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.ptr"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !llvm.ptr):
      "llvm.ptrtoint"(%a0) : (!llvm.ptr) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.range"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.reaH1"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.reaH3"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.readnone"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.readonly"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.returned"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.scalable_vec"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.sigH1"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.signext"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.sreH1"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.sret"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.struct"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.struct_attrs"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.tailcallkind"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.target"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.target_features"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.target_triple"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.tbaa"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.tbaa_member"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.token"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.undef"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
      "llvm.unreachable"() : () -> ()
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.uwtableKind"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.vec"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.vec_type_hint"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.void"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.vscale_range"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.workgroup_attribution"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.wriH3"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.writeonly"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.x86.avx.dp.ps.256"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.x86.avx.rsqrt.ps.256"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.x86.avx2.vpdpbssd"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.x86.avx512.mask.compress"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.x86.avx512.mask.rndscale"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.x86.avx512.mask.scalef"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.x86.avx512.vp2intersect"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.x86.avx512bf16.cvtneps2bf16"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.x86.avx512bf16.dpbf16ps"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.x86.tileloadd64.internal"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.x86.tilestored64.internal"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.x86.tilezero.internal"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.x86H"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.x86_amx"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.x86_mmx"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.zerH1"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.zero"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.zeroext"(%a0) : (i32) -> i32
    }) : () -> ()
}) : () -> ()
