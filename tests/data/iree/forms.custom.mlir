#executable_target_vmvx_bytecode_fb = #hal.executable.target<"vmvx", "vmvx-bytecode-fb">
#map = affine_map<(d0)[s0] -> (d0 + s0 * 2)>
#pipeline_layout = #hal.pipeline.layout<bindings = [#hal.pipeline.binding<storage_buffer>]>
#set = affine_set<(d0) : (d0 >= 0)>
module @m attributes {t.map = #map, t.set = #set} {
  util.global private mutable @g : tensor<4xf32>
  util.global private @h = 5 : i32
  util.global private @i <inlining_policy = #util.inline.never> = 5 : i32
  util.global private @t = #stream.timepoint<immediate> : !stream.timepoint
  util.initializer attributes {x.y} {
    util.return
  }
  util.func private @tied(%arg0: tensor<?xf32> {x.y}, %arg1: index) -> (%arg0 {x.z}, %arg0 as tensor<4xf32>, i32)
  util.func private @none()
  util.func public @calls(%arg0: tensor<?xf32>, %arg1: index, %arg2: i32) -> tensor<?xf32> attributes {x.y} {
    %0:3 = util.call @tied(%arg0, %arg1) : (tensor<?xf32>, index) -> (%arg0, %arg0 as tensor<4xf32>, i32)
    util.call @none() : () -> ()
    %1 = util.assume.int %arg1<umin = 0> : index
    %2:2 = util.assume.int 
        %arg1[<umin = 0>, <umax = 4>], 
        %arg1[<udiv = 2>, <umin = 1, umax = 8>]
      : index, index
    %min, %max = util.range.extents [%arg1 for %arg1], [%1 for %arg1] : index
    %3 = util.switch i32 from [%arg2, %arg2] at %arg1 else %arg2 : i32
    util.return %0#0 : tensor<?xf32>
  }
  flow.executable private @e {
    flow.executable.export public @f workgroups(%arg0: index) -> (index, index, index) {
      flow.return %arg0, %arg0, %arg0 : index, index, index
    }
    flow.executable.export public @f as("other") 
    builtin.module {
      func.func @f() {
        return
      }
    }
  }
  util.func private @flows(%arg0: tensor<?x4xf32>, %arg1: index, %arg2: tensor<4xf32>, %arg3: tensor<1x4xf32>) {
    %0 = flow.dispatch @e::@f[%arg1](%arg0, %arg2) : (tensor<?x4xf32>{%arg1}, tensor<4xf32>) -> %arg0{%arg1}
    %1:2 = flow.dispatch {@e::@f, @e::@other}[%arg1](%arg0, %arg2) : (tensor<?x4xf32>{%arg1}, tensor<4xf32>) -> (tensor<?x4xf32>{%arg1}, i32)
    %2 = flow.tensor.update %arg3, %arg0[%arg1, %arg1] : tensor<1x4xf32> -> %arg0 as tensor<?x4xf32>{%arg1}
    util.return
  }
  hal.executable private @x {
    hal.executable.variant public @v target(#executable_target_vmvx_bytecode_fb) {
      hal.executable.export public @f ordinal(0) layout(#pipeline_layout) condition(%arg0: !hal.device) -> i1 {
        %true = arith.constant true
        hal.return %true : i1
      } fallback(@f) count(%arg0: !hal.device, %arg1: index) -> (index, index, index) {
        hal.return %arg1, %arg1, %arg1 : index, index, index
      } <workgroup_size = [1 : index, 2 : index, 3 : index]> attributes {x.y}
    }
  }
  util.func private @hals(%arg0: !hal.buffer_view, %arg1: !hal.fence, %arg2: !hal.device, %arg3: i64, %arg4: !hal.allocator, %arg5: index, %arg6: i32, %arg7: !hal.command_buffer, %arg8: !hal.executable, %arg9: !hal.buffer, %arg10: tensor<?xf32>) {
    %0 = hal.tensor.import wait(%arg1) => %arg0 : !hal.buffer_view -> tensor<?xf32> as tensor<?xi32>{%arg5}
    %1 = hal.tensor.export %arg10 "name" : tensor<?xi32> as tensor<?xf32>{%arg5} -> !hal.buffer_view
    %buffer = hal.allocator.allocate<%arg4 : !hal.allocator> affinity(%arg3) type(%arg6) usage(%arg6) : !hal.buffer{%arg5}
    hal.command_buffer.dispatch<%arg7 : !hal.command_buffer> target(%arg8 : !hal.executable)[%arg3] workgroups([%arg5, %arg5, %arg5]) constants([%arg6]) bindings([
      (%arg9 : !hal.buffer)[%arg5, %arg5], 
      (%arg5 : index)[%arg5, %arg5]
    ]) flags("None")
    util.return
  }
  util.func private @streams(%arg0: !stream.resource<external>, %arg1: index, %arg2: !stream.timepoint, %arg3: !stream.resource<transient>, %arg4: !util.buffer, %arg5: i32, %arg6: i64) {
    %0 = stream.cmd.execute once await(%arg2) => with(%arg0 as %arg7: !stream.resource<external>{%arg1}) {
      stream.cmd.dispatch @e::@f[%arg1](%arg5 : i32) {
        ro %arg7[%arg1 for %arg1] : !stream.resource<external>{%arg1},
        rw %arg7[%arg1 for %arg1] : !stream.resource<external>{%arg1}
      }
    } => !stream.timepoint
    %results, %result_timepoint = stream.async.execute with(%arg3 as %arg7: !stream.resource<transient>{%arg1}) -> %arg3 as !stream.resource<external>{%arg1} {
      %3 = stream.async.dispatch @e::@f[%arg1](%arg7[%arg1 to %arg1 for %arg1], %arg1) : (!stream.resource<transient>{%arg1}, index) -> !stream.resource<external>{%arg1}
      stream.yield %3 : !stream.resource<external>{%arg1}
    } => !stream.timepoint
    %1:2 = stream.timepoint.await %result_timepoint => %results, %arg3 : !stream.resource<external>{%arg1}, !stream.resource<transient>{%arg1}
    %2 = stream.cmd.parameter.read await(%arg2) => %arg4::%arg4[%arg6] -> %arg3[%arg1 for %arg1] : !stream.resource<transient>{%arg1} => !stream.timepoint
    util.return
  }
  llvm.mlir.global private thread_local @tls() {addr_space = 0 : i32} : i32
  llvm.mlir.global private thread_local(initialexec) @model() {addr_space = 0 : i32, sym_visibility = "private"} : i32
  llvm.func @llvm(%arg0: f32, %arg1: vector<4xf32>, %arg2: !llvm.ptr, %arg3: vector<4xi1>, %arg4: i32, %arg5: i16, %arg6: i64) {
    %0 = llvm.fadd %arg0, %arg0 fastmath<contract> {x.y} : f32
    %1 = llvm.fcmp "oeq" %0, %arg0 fastmath<nnan, contract> : f32
    %2 = llvm.select %1, %arg0, %0 fastmath<fast> : i1, f32
    %3 = llvm.intr.vector.reduce.fadd(%2, %arg1) : (f32, vector<4xf32>) -> f32
    %4 = llvm.intr.fma(%arg0, %3, %arg0) fastmath<contract> : (f32, f32, f32) -> f32
    %5 = llvm.intr.masked.load(%arg2, %arg3, %arg1), alignment(4) <nontemporal> {x.y} : (!llvm.ptr, vector<4xi1>, vector<4xf32>) -> vector<4xf32>
    llvm.intr.masked.store(%5, %arg2, %arg3), alignment(4) : vector<4xf32>, vector<4xi1> into !llvm.ptr
    %6 = rocdl.make.buffer.rsrc %arg2, %arg5, %arg6, %arg4 : !llvm.ptr, i64 to <8>
    %7 = rocdl.mfma.f32.16x16x4f32 %arg0, %4, %arg1, 2, 1, bcast_first_32 : (f32, f32, vector<4xf32>) -> vector<4xf32>
    rocdl.sched.barrier valu|salu
    nvvm.barrier id = %arg4 number_of_threads = %arg4 aligned = false
    %8 = nvvm.shfl.sync bfly %arg4, %arg0, %arg4, %arg4 : f32 -> f32
    %9 = nvvm.mma.sync A[%arg4]  B[%arg4]  C[%arg4, %arg4]  shape = <m = 8, n = 8, k = 16>, int_overflow = satfinite, layout_a = row, layout_b = col, multiplicand_a_ptx_type = s8, multiplicand_b_ptx_type = s8 {x.y} : (i32, i32, i32) -> !llvm.struct<(i32, i32)>
    llvm.intr.assume %1 ["align"(%arg2, %arg6 : !llvm.ptr, i64), "other"()] : i1
    llvm.return
  }
  func.func @upstream(%arg0: tensor<4x4x16x16xf32>, %arg1: tensor<64x64xf32>, %arg2: memref<4xf32, strided<[?], offset: 3>>, %arg3: f8E4M3FN, %arg4: index) -> index {
    %unpack = linalg.unpack %arg0 inner_dims_pos = [0, 1] inner_tiles = [16, 16] into %arg1 {x.y} : tensor<4x4x16x16xf32> -> tensor<64x64xf32>
    return %arg4 : index
  }
  vm.module public @vm {
    vm.global.i32 private mutable @count = 5 : i32
    vm.rodata private @data <alignment = 16> dense<[1, 2]> : tensor<2xi8>
    vm.import private optional @f(%name : i32, i64, %rest : tuple<i32, i32> ...) -> (i32, i64) attributes {minimum_version = 6 : i32}
    vm.export @g as("other") attributes {x.y}
    vm.export @g
    vm.initializer {
      vm.return
    }
    vm.func private @g(%arg0: i32, %arg1: i64, %arg2: !vm.ref<?>) {
      %0:2 = vm.call.variadic @f(%arg0, %arg1, [(%arg0, %arg0), (%arg0, %arg0)]) {nosideeffects} : (i32, i64, tuple<i32, i32> ...) -> (i32, i64)
      %ref = vm.switch.ref %arg0[%arg2, %arg2] else %arg2 : !vm.ref<?>
      vm.cond_fail %arg0, "message"
      vm.br ^bb1
    ^bb1:  // pred: ^bb0
      vm.cond_fail %arg0, %0#0
      vm.br ^bb2
    ^bb2:  // pred: ^bb1
      vm.return
    }
  }
}

