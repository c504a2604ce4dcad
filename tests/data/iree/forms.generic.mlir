#executable_target_vmvx_bytecode_fb = #hal.executable.target<"vmvx", "vmvx-bytecode-fb">
#map = affine_map<(d0)[s0] -> (d0 + s0 * 2)>
#pipeline_layout = #hal.pipeline.layout<bindings = [#hal.pipeline.binding<storage_buffer>]>
#set = affine_set<(d0) : (d0 >= 0)>
"builtin.module"() <{sym_name = "m"}> ({
  "util.global"() <{is_mutable, sym_name = "g", sym_visibility = "private", type = tensor<4xf32>}> : () -> ()
  "util.global"() <{initial_value = 5 : i32, sym_name = "h", sym_visibility = "private", type = i32}> : () -> ()
  "util.global"() <{initial_value = 5 : i32, inlining_policy = #util.inline.never, sym_name = "i", sym_visibility = "private", type = i32}> : () -> ()
  "util.global"() <{initial_value = #stream.timepoint<immediate> : !stream.timepoint, sym_name = "t", sym_visibility = "private", type = !stream.timepoint}> : () -> ()
  "util.initializer"() <{function_type = () -> ()}> ({
    "util.return"() : () -> ()
  }) {x.y} : () -> ()
  "util.func"() <{arg_attrs = [{x.y}, {}], function_type = (tensor<?xf32>, index) -> (tensor<?xf32>, tensor<4xf32>, i32), res_attrs = [{x.z}, {}, {}], sym_name = "tied", sym_visibility = "private", tied_operands = [0 : index, 0 : index, -1 : index]}> ({
  }) : () -> ()
  "util.func"() <{function_type = () -> (), sym_name = "none", sym_visibility = "private"}> ({
  }) : () -> ()
  "util.func"() <{function_type = (tensor<?xf32>, index, i32) -> tensor<?xf32>, sym_name = "calls", sym_visibility = "public", tied_operands = [-1 : index]}> ({
  ^bb0(%arg43: tensor<?xf32>, %arg44: index, %arg45: i32):
    %25:3 = "util.call"(%arg43, %arg44) <{callee = @tied, tied_operands = [0 : index, 0 : index, -1 : index]}> : (tensor<?xf32>, index) -> (tensor<?xf32>, tensor<4xf32>, i32)
    "util.call"() <{callee = @none}> : () -> ()
    %26 = "util.assume.int"(%arg44) <{assumptions = [[#util.int.assumption<umin = 0>]]}> : (index) -> index
    %27:2 = "util.assume.int"(%arg44, %arg44) <{assumptions = [[#util.int.assumption<umin = 0>, #util.int.assumption<umax = 4>], [#util.int.assumption<udiv = 2>, #util.int.assumption<umin = 1, umax = 8>]]}> : (index, index) -> (index, index)
    %28:2 = "util.range.extents"(%arg44, %26, %arg44, %arg44) : (index, index, index, index) -> (index, index)
    %29 = "util.switch"(%arg44, %arg45, %arg45, %arg45) : (index, i32, i32, i32) -> i32
    "util.return"(%25#0) : (tensor<?xf32>) -> ()
  }) {x.y} : () -> ()
  "flow.executable"() <{sym_name = "e", sym_visibility = "private"}> ({
    "flow.executable.export"() <{function_ref = @f, sym_name = "f", sym_visibility = "public"}> ({
    ^bb0(%arg42: index):
      "flow.return"(%arg42, %arg42, %arg42) : (index, index, index) -> ()
    }) : () -> ()
    "flow.executable.export"() <{function_ref = @f, sym_name = "other", sym_visibility = "public"}> ({
    }) : () -> ()
    "builtin.module"() ({
      "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
        "func.return"() : () -> ()
      }) : () -> ()
    }) : () -> ()
    "flow.executable_end"() : () -> ()
  }) : () -> ()
  "util.func"() <{function_type = (tensor<?x4xf32>, index, tensor<4xf32>, tensor<1x4xf32>) -> (), sym_name = "flows", sym_visibility = "private"}> ({
  ^bb0(%arg38: tensor<?x4xf32>, %arg39: index, %arg40: tensor<4xf32>, %arg41: tensor<1x4xf32>):
    %22 = "flow.dispatch"(%arg39, %arg38, %arg40, %arg39, %arg39) <{entry_points = [@e::@f], operandSegmentSizes = array<i32: 1, 2, 1, 1>, tied_operands = [0 : index]}> : (index, tensor<?x4xf32>, tensor<4xf32>, index, index) -> tensor<?x4xf32>
    %23:2 = "flow.dispatch"(%arg39, %arg38, %arg40, %arg39, %arg39) <{entry_points = [@e::@f, @e::@other], operandSegmentSizes = array<i32: 1, 2, 1, 1>, tied_operands = [-1 : index, -1 : index]}> : (index, tensor<?x4xf32>, tensor<4xf32>, index, index) -> (tensor<?x4xf32>, i32)
    %24 = "flow.tensor.update"(%arg38, %arg39, %arg39, %arg39, %arg41) <{operandSegmentSizes = array<i32: 1, 1, 2, 1, 0>}> : (tensor<?x4xf32>, index, index, index, tensor<1x4xf32>) -> tensor<?x4xf32>
    "util.return"() : () -> ()
  }) : () -> ()
  "hal.executable"() <{sym_name = "x", sym_visibility = "private"}> ({
    "hal.executable.variant"() <{sym_name = "v", sym_visibility = "public", target = #executable_target_vmvx_bytecode_fb}> ({
      "hal.executable.export"() <{condition_fallback = @f, layout = #pipeline_layout, ordinal = 0 : index, sym_name = "f", sym_visibility = "public", workgroup_size = [1 : index, 2 : index, 3 : index]}> ({
      ^bb0(%arg36: !hal.device, %arg37: index):
        "hal.return"(%arg37, %arg37, %arg37) : (index, index, index) -> ()
      }, {
      ^bb0(%arg35: !hal.device):
        %21 = "arith.constant"() <{value = true}> : () -> i1
        "hal.return"(%21) : (i1) -> ()
      }) {x.y} : () -> ()
      "hal.executable.variant_end"() : () -> ()
    }) : () -> ()
    "hal.executable_end"() : () -> ()
  }) : () -> ()
  "util.func"() <{function_type = (!hal.buffer_view, !hal.fence, !hal.device, i64, !hal.allocator, index, i32, !hal.command_buffer, !hal.executable, !hal.buffer, tensor<?xf32>) -> (), sym_name = "hals", sym_visibility = "private"}> ({
  ^bb0(%arg24: !hal.buffer_view, %arg25: !hal.fence, %arg26: !hal.device, %arg27: i64, %arg28: !hal.allocator, %arg29: index, %arg30: i32, %arg31: !hal.command_buffer, %arg32: !hal.executable, %arg33: !hal.buffer, %arg34: tensor<?xf32>):
    %18 = "hal.tensor.import"(%arg24, %arg29, %arg25) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>, target_encoding = tensor<?xf32>}> : (!hal.buffer_view, index, !hal.fence) -> tensor<?xi32>
    %19 = "hal.tensor.export"(%arg34, %arg29) <{name = "name", source_encoding = tensor<?xi32>}> : (tensor<?xf32>, index) -> !hal.buffer_view
    %20 = "hal.allocator.allocate"(%arg28, %arg27, %arg30, %arg30, %arg29) : (!hal.allocator, i64, i32, i32, index) -> !hal.buffer
    "hal.command_buffer.dispatch"(%arg31, %arg32, %arg27, %arg29, %arg29, %arg29, %arg30, %arg33, %arg29, %arg29, %arg29, %arg29, %arg29) <{flags = 0 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 1, 2, 2, 2>}> : (!hal.command_buffer, !hal.executable, i64, index, index, index, i32, !hal.buffer, index, index, index, index, index) -> ()
    "util.return"() : () -> ()
  }) : () -> ()
  "util.func"() <{function_type = (!stream.resource<external>, index, !stream.timepoint, !stream.resource<transient>, !util.buffer, i32, i64) -> (), sym_name = "streams", sym_visibility = "private"}> ({
  ^bb0(%arg15: !stream.resource<external>, %arg16: index, %arg17: !stream.timepoint, %arg18: !stream.resource<transient>, %arg19: !util.buffer, %arg20: i32, %arg21: i64):
    %13 = "stream.cmd.execute"(%arg15, %arg16, %arg17) <{once, operandSegmentSizes = array<i32: 1, 1, 1>}> ({
    ^bb0(%arg23: !stream.resource<external>):
      "stream.cmd.dispatch"(%arg16, %arg20, %arg23, %arg23, %arg16, %arg16, %arg16, %arg16, %arg16, %arg16) <{entry_points = [@e::@f], operandSegmentSizes = array<i32: 1, 1, 2, 2, 2, 2>, resource_accesses = [1 : i32, 3 : i32]}> : (index, i32, !stream.resource<external>, !stream.resource<external>, index, index, index, index, index, index) -> ()
      "stream.yield"() : () -> ()
    }) : (!stream.resource<external>, index, !stream.timepoint) -> !stream.timepoint
    %14:2 = "stream.async.execute"(%arg18, %arg16, %arg16) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>, tied_operands = [0 : index]}> ({
    ^bb0(%arg22: !stream.resource<transient>):
      %17 = "stream.async.dispatch"(%arg16, %arg22, %arg16, %arg16, %arg16, %arg16, %arg16, %arg16) <{entry_points = [@e::@f], operandSegmentSizes = array<i32: 1, 2, 1, 1, 1, 1, 1>, tied_operands = [-1 : index]}> : (index, !stream.resource<transient>, index, index, index, index, index, index) -> !stream.resource<external>
      "stream.yield"(%17, %arg16) : (!stream.resource<external>, index) -> ()
    }) : (!stream.resource<transient>, index, index) -> (!stream.resource<external>, !stream.timepoint)
    %15:2 = "stream.timepoint.await"(%14#0, %arg18, %arg16, %arg16, %14#1) <{operandSegmentSizes = array<i32: 2, 2, 1>}> : (!stream.resource<external>, !stream.resource<transient>, index, index, !stream.timepoint) -> (!stream.resource<external>, !stream.resource<transient>)
    %16 = "stream.cmd.parameter.read"(%arg19, %arg19, %arg21, %arg18, %arg16, %arg16, %arg16, %arg17) <{operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 1, 1>}> : (!util.buffer, !util.buffer, i64, !stream.resource<transient>, index, index, index, !stream.timepoint) -> !stream.timepoint
    "util.return"() : () -> ()
  }) : () -> ()
  "llvm.mlir.global"() <{addr_space = 0 : i32, global_type = i32, linkage = #llvm.linkage<private>, sym_name = "tls", tls_mode = 1 : i64, unnamed_addr = 0 : i64, visibility_ = 0 : i64}> ({
  }) : () -> ()
  "llvm.mlir.global"() <{addr_space = 0 : i32, global_type = i32, linkage = #llvm.linkage<private>, sym_name = "model", sym_visibility = "private", tls_mode = 3 : i64, unnamed_addr = 0 : i64, visibility_ = 0 : i64}> ({
  }) : () -> ()
  "llvm.func"() <{CConv = #llvm.cconv<ccc>, function_type = !llvm.func<void (f32, vector<4xf32>, ptr, vector<4xi1>, i32, i16, i64)>, linkage = #llvm.linkage<external>, sym_name = "llvm", unnamed_addr = 0 : i64, visibility_ = 0 : i64}> ({
  ^bb0(%arg8: f32, %arg9: vector<4xf32>, %arg10: !llvm.ptr, %arg11: vector<4xi1>, %arg12: i32, %arg13: i16, %arg14: i64):
    %3 = "llvm.fadd"(%arg8, %arg8) <{fastmathFlags = #llvm.fastmath<contract>}> {x.y} : (f32, f32) -> f32
    %4 = "llvm.fcmp"(%3, %arg8) <{fastmathFlags = #llvm.fastmath<nnan, contract>, predicate = 1 : i64}> : (f32, f32) -> i1
    %5 = "llvm.select"(%4, %arg8, %3) <{fastmathFlags = #llvm.fastmath<fast>}> : (i1, f32, f32) -> f32
    %6 = "llvm.intr.vector.reduce.fadd"(%5, %arg9) <{fastmathFlags = #llvm.fastmath<none>}> : (f32, vector<4xf32>) -> f32
    %7 = "llvm.intr.fma"(%arg8, %6, %arg8) <{fastmathFlags = #llvm.fastmath<contract>}> : (f32, f32, f32) -> f32
    %8 = "llvm.intr.masked.load"(%arg10, %arg11, %arg9) <{alignment = 4 : i64, nontemporal}> {x.y} : (!llvm.ptr, vector<4xi1>, vector<4xf32>) -> vector<4xf32>
    "llvm.intr.masked.store"(%8, %arg10, %arg11) <{alignment = 4 : i64}> : (vector<4xf32>, !llvm.ptr, vector<4xi1>) -> ()
    %9 = "rocdl.make.buffer.rsrc"(%arg10, %arg13, %arg14, %arg12) : (!llvm.ptr, i16, i64, i32) -> !llvm.ptr<8>
    %10 = "rocdl.mfma.f32.16x16x4f32"(%arg8, %7, %arg9) <{abid = 1 : i32, blgp = #rocdl.mfma_perm_b<bcast_first_32>, cbsz = 2 : i32}> : (f32, f32, vector<4xf32>) -> vector<4xf32>
    "rocdl.sched.barrier"() <{mask = #rocdl.sched_group_mask<valu|salu>}> : () -> ()
    "nvvm.barrier"(%arg12, %arg12) <{aligned = false, operandSegmentSizes = array<i32: 1, 1>}> : (i32, i32) -> ()
    %11 = "nvvm.shfl.sync"(%arg12, %arg8, %arg12, %arg12) <{kind = #nvvm.shfl_kind<bfly>}> : (i32, f32, i32, i32) -> f32
    %12 = "nvvm.mma.sync"(%arg12, %arg12, %arg12, %arg12) <{intOverflowBehavior = #nvvm.mma_int_overflow<satfinite>, layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, multiplicandAPtxType = #nvvm.mma_type<s8>, multiplicandBPtxType = #nvvm.mma_type<s8>, operandSegmentSizes = array<i32: 1, 1, 2>, shape = #nvvm.shape<m = 8, n = 8, k = 16>}> {x.y} : (i32, i32, i32, i32) -> !llvm.struct<(i32, i32)>
    "llvm.intr.assume"(%4, %arg10, %arg14) <{op_bundle_sizes = array<i32: 2, 0>, op_bundle_tags = ["align", "other"]}> : (i1, !llvm.ptr, i64) -> ()
    "llvm.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<4x4x16x16xf32>, tensor<64x64xf32>, memref<4xf32, strided<[?], offset: 3>>, f8E4M3FN, index) -> index, sym_name = "upstream"}> ({
  ^bb0(%arg3: tensor<4x4x16x16xf32>, %arg4: tensor<64x64xf32>, %arg5: memref<4xf32, strided<[?], offset: 3>>, %arg6: f8E4M3FN, %arg7: index):
    %2 = "linalg.unpack"(%arg3, %arg4) <{inner_dims_pos = array<i64: 0, 1>, static_inner_tiles = array<i64: 16, 16>}> {operandSegmentSizes = array<i32: 1, 1, 0, 0>, x.y} : (tensor<4x4x16x16xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    "func.return"(%arg7) : (index) -> ()
  }) : () -> ()
  "vm.module"() <{sym_name = "vm", sym_visibility = "public"}> ({
    "vm.global.i32"() <{initial_value = 5 : i32, is_mutable, sym_name = "count", sym_visibility = "private", type = i32}> : () -> ()
    "vm.rodata"() <{alignment = 16 : i64, sym_name = "data", sym_visibility = "private", value = dense<[1, 2]> : tensor<2xi8>}> : () -> ()
    "vm.import"() <{arg_attrs = [{vm.name = "name"}, {}, {vm.name = "rest", vm.variadic}], function_type = (i32, i64, tuple<i32, i32>) -> (i32, i64), is_optional, minimum_version = 6 : i32, sym_name = "f", sym_visibility = "private"}> ({
    }) : () -> ()
    "vm.export"() <{export_name = "other", function_ref = @g}> {x.y} : () -> ()
    "vm.export"() <{export_name = "g", function_ref = @g}> : () -> ()
    "vm.initializer"() <{function_type = () -> ()}> ({
      "vm.return"() : () -> ()
    }) : () -> ()
    "vm.func"() <{function_type = (i32, i64, !vm.ref<?>) -> (), sym_name = "g", sym_visibility = "private"}> ({
    ^bb0(%arg0: i32, %arg1: i64, %arg2: !vm.ref<?>):
      %0:2 = "vm.call.variadic"(%arg0, %arg1, %arg0, %arg0, %arg0, %arg0) <{callee = @f, segment_sizes = dense<[-1, -1, 2]> : vector<3xi16>, segment_types = [i32, i64, tuple<i32, i32>]}> {nosideeffects} : (i32, i64, i32, i32, i32, i32) -> (i32, i64)
      %1 = "vm.switch.ref"(%arg0, %arg2, %arg2, %arg2) : (i32, !vm.ref<?>, !vm.ref<?>, !vm.ref<?>) -> !vm.ref<?>
      "vm.cond_fail"(%arg0, %arg0) <{message = "message"}> : (i32, i32) -> ()
      "vm.br"()[^bb1] : () -> ()
    ^bb1:  // pred: ^bb0
      "vm.cond_fail"(%arg0, %0#0) : (i32, i32) -> ()
      "vm.br"()[^bb2] : () -> ()
    ^bb2:  // pred: ^bb1
      "vm.return"() : () -> ()
    }) : () -> ()
    "vm.module_terminator"() : () -> ()
  }) : () -> ()
}) {t.map = #map, t.set = #set} : () -> ()

