module attributes {vm.toplevel} {
  vm.module public @module {
    vm.global.ref private mutable @__device_0 : !vm.ref<!hal.device>
    vm.global.ref private mutable @__device_0_executable_0_f_dispatch_0 : !vm.ref<!hal.executable>
    vm.global.ref private mutable @g__timepoint : !vm.ref<!hal.fence>
    vm.global.ref private mutable @g : !vm.ref<!hal.buffer>
    vm.global.ref private mutable @__f_memoize_result_0_device_0 : !vm.ref<!hal.command_buffer>
    vm.rodata private @_utf8_hal_device_id_C6650FF277232B5A <alignment = 1> "hal.device.id"
    vm.rodata private @_utf8_local_1A8FF0278D7661D8 <alignment = 1> "local*"
    vm.rodata private @_utf8_hal_executable_format_E03EECB63A2AAF52 <alignment = 1> "hal.executable.format"
    vm.rodata private @_utf8_vmvx_bytecode_fb_F1ACBACD5F08C222 <alignment = 1> "vmvx-bytecode-fb"
    vm.rodata private @f_dispatch_0_vmvx_bytecode_fb <alignment = 16, mime_type = "application/x-flatbuffers"> dense<"0x504B03042D00000000000000210003A32C75FFFFFFFFFFFFFFFF090019006D6F64756C652E6662CAFE01000001001000BC04000000000000BC04000000000000BC040000240000004952454500000000000000000000000000000000000000000000000000000000C6FBFFFF2800000009000000E8010000FC010000000200000402000010030000000011002003000010000000060000006D6F64756C65000008FCFFFF0C000000140000003400000008000000000202010201020108000000000000007401000060010000500100003C0100002C010000180100000801000001000000040000005EFCFFFF08000000280000001E000000665F64697370617463685F305F656C656D656E74776973655F345F66333200001900000001000000000000000C0000000000000017000000000000001A000000000000001D0000000000000024000000030000002B000000030000003200000000000000390000000200000044000000050000004F000000030000005A000000030000006000000003000000690000000300000070000000030000008100000003000000890000000300000091000000030000009900000007000000A100000003000000A900000003000000B100000003000000B800000003000000C100000003000000CC000000030000005AFDFFFF060000000200000058FDFFFF54000000060000000800000076FDFFFF040000000200000074FDFFFF38000000050000000800000092FDFFFF010000000200000090FDFFFF1C0000000300000001000000A0FDFFFF0C00000007000000080000000C000000676C6F62616C732E6D6C69720000000005000000880000007400000060000000440000001C000000010000008000000001000000A400000001000000EC000000FAFDFFFF040000001400000021766D2E6C6973743C21766D2E6275666665723E000000001EFEFFFF040000000A00000021766D2E627566666572000036FEFFFF04000000030000006936340046FEFFFF04000000030000006933320056FEFFFF04000000030000006633320066FEFFFF040000001E000000665F64697370617463685F305F656C656D656E74776973655F345F66333200009AFEFFFF08000000180000000F000000307272726969696969696969695F76000100000004000000C2FEFFFF08000000180000000D00000062696E64696E675F636F756E740000000100000033000000F4FEFFFF04000000100000000000803F000000400000404000008040000000000100000000000000D000000009000000000004000C000500D0000000790F01000000000000000A000F040000000000000000000E02000C04000D0100000005000D02000000060085020000800180110000000000801A028004000300000001801A028005000300000003801A028006000300000004808500010002805668000000000000795002000000040057040080000000000000C0000000000079E033018002000400E033008002000500E033038002000600E00A040005000500E00A050006000600E0340480020006002A02000A00020056680000000000007985040000800180038004805A0000000A00080000000000040008000C00040008000600080004000A001000040008000C0024002C0004000000080000000C0000000000100014001800000000001C0020002400280000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000504B01021E032D00000000000000210003A32C75FFFFFFFFFFFFFFFF09001C0000000000000000000000FFFFFFFF6D6F64756C652E666201001800BC04000000000000BC040000000000000000000000000000504B06062C000000000000002D002D0000000000000000000100000000000000010000000000000053000000000000000005000000000000504B060700000000530500000000000001000000504B0506000000000100010053000000FFFFFFFF0000"> : vector<1461xi8>
    vm.rodata private @_utf8_f_dispatch_0_elementwise_4_34824765C0105F50 <alignment = 1> "f_dispatch_0_elementwise_4_f32"
    vm.func private @__f_memoize_apply() -> !vm.ref<!hal.command_buffer> attributes {vm.unwind, inlining_policy = #util.inline.never} {
      %c13 = vm.const.i32 13
      %c28 = vm.const.i32 28
      %c2 = vm.const.i32 2
      %null = vm.const.ref.zero : !vm.ref<!hal.buffer>
      %c1 = vm.const.i32 1
      %c4 = vm.const.i32 4
      %c3 = vm.const.i32 3
      %zero = vm.const.i32.zero
      %c16 = vm.const.i64 16
      %zero_0 = vm.const.i64.zero
      %c-1 = vm.const.i64 -1
      %__device_0 = vm.global.load.ref @__device_0 : !vm.ref<!hal.device>
      %__device_0_executable_0_f_dispatch_0 = vm.global.load.ref @__device_0_executable_0_f_dispatch_0 : !vm.ref<!hal.executable>
      %ref = vm.call @hal.command_buffer.create(%__device_0, %zero, %c3, %c-1, %c4) : (!vm.ref<!hal.device>, i32, i32, i64, i32) -> !vm.ref<!hal.command_buffer>
      %_utf8_f_dispatch_0_elementwise_4_34824765C0105F50 = vm.const.ref.rodata @_utf8_f_dispatch_0_elementwise_4_34824765C0105F50 : !vm.buffer
      %0 = vm.call @hal.executable.lookup.function(%__device_0_executable_0_f_dispatch_0, %_utf8_f_dispatch_0_elementwise_4_34824765C0105F50) {nosideeffects} : (!vm.ref<!hal.executable>, !vm.buffer) -> i64
      vm.call.variadic @hal.command_buffer.dispatch(%ref, %__device_0_executable_0_f_dispatch_0, %0, %c1, %c1, %c1, %zero_0, [], [(%zero, %zero, %null, %zero_0, %c16), (%zero, %c1, %null, %zero_0, %c16), (%zero, %c2, %null, %zero_0, %c16)]) : (!vm.ref<!hal.command_buffer>, !vm.ref<!hal.executable>, i64, i32, i32, i32, i64, i32 ..., tuple<i32, i32, !vm.ref<!hal.buffer>, i64, i64> ...)
      vm.call @hal.command_buffer.execution_barrier(%ref, %c28, %c13, %zero_0) : (!vm.ref<!hal.command_buffer>, i32, i32, i64) -> ()
      vm.call @hal.command_buffer.copy_buffer(%ref, %c2, %c3, %null, %zero_0, %null, %zero_0, %c16, %zero_0) : (!vm.ref<!hal.command_buffer>, i32, i32, !vm.ref<!hal.buffer>, i64, !vm.ref<!hal.buffer>, i64, i64, i64) -> ()
      vm.call @hal.command_buffer.execution_barrier(%ref, %c28, %c13, %zero_0) : (!vm.ref<!hal.command_buffer>, i32, i32, i64) -> ()
      vm.call @hal.command_buffer.finalize(%ref) : (!vm.ref<!hal.command_buffer>) -> ()
      vm.return %ref : !vm.ref<!hal.command_buffer>
    }
    vm.import private @hal.buffer.assert(%buffer : !vm.ref<!hal.buffer>, %message : !vm.buffer, %allocator : !vm.ref<!hal.allocator>, %minimum_length : i64, %memory_types : i32, %buffer_usage : i32)
    vm.import private @hal.buffer_view.create(%buffer : !vm.ref<!hal.buffer>, %source_offset : i64, %source_length : i64, %element_type : i32, %encoding_type : i32, %shape : i64 ...) -> !vm.ref<!hal.buffer_view> attributes {nosideeffects}
    vm.import private @hal.buffer_view.assert(%buffer_view : !vm.ref<!hal.buffer_view>, %message : !vm.buffer, %element_type : i32, %encoding_type : i32, %shape : i64 ...)
    vm.import private @hal.buffer_view.buffer(%buffer_view : !vm.ref<!hal.buffer_view>) -> !vm.ref<!hal.buffer> attributes {nosideeffects}
    vm.import private @hal.command_buffer.create(%device : !vm.ref<!hal.device>, %modes : i32, %command_categories : i32, %queue_affinity : i64, %binding_capacity : i32) -> !vm.ref<!hal.command_buffer> attributes {minimum_version = 6 : i32}
    vm.import private @hal.command_buffer.finalize(%command_buffer : !vm.ref<!hal.command_buffer>)
    vm.import private @hal.command_buffer.execution_barrier(%command_buffer : !vm.ref<!hal.command_buffer>, %source_stage_mask : i32, %target_stage_mask : i32, %flags : i64)
    vm.import private @hal.command_buffer.copy_buffer(%command_buffer : !vm.ref<!hal.command_buffer>, %source_buffer_slot : i32, %target_buffer_slot : i32, %source_buffer : !vm.ref<!hal.buffer>, %source_offset : i64, %target_buffer : !vm.ref<!hal.buffer>, %target_offset : i64, %length : i64, %flags : i64)
    vm.import private @hal.command_buffer.dispatch(%command_buffer : !vm.ref<!hal.command_buffer>, %executable : !vm.ref<!hal.executable>, %function_id : i64, %workgroup_x : i32, %workgroup_y : i32, %workgroup_z : i32, %flags : i64, %constants : i32 ..., %bindings : tuple<i32, i32, !vm.ref<!hal.buffer>, i64, i64> ...) attributes {minimum_version = 7 : i32}
    vm.import private @hal.device.allocator(%device : !vm.ref<!hal.device>) -> !vm.ref<!hal.allocator> attributes {nosideeffects}
    vm.import private @hal.device.query.i64(%device : !vm.ref<!hal.device>, %category : !vm.buffer, %key : !vm.buffer) -> (i32, i64) attributes {nosideeffects}
    vm.import private @hal.device.queue.alloca(%device : !vm.ref<!hal.device>, %queue_affinity : i64, %wait_fence : !vm.ref<!hal.fence>, %signal_fence : !vm.ref<!hal.fence>, %pool : i64, %memory_types : i32, %buffer_usage : i32, %allocation_size : i64, %flags : i64) -> !vm.ref<!hal.buffer>
    vm.import private @hal.device.queue.fill(%device : !vm.ref<!hal.device>, %queue_affinity : i64, %wait_fence : !vm.ref<!hal.fence>, %signal_fence : !vm.ref<!hal.fence>, %target_buffer : !vm.ref<!hal.buffer>, %target_offset : i64, %length : i64, %pattern : i64, %pattern_length : i32, %flags : i64)
    vm.import private @hal.device.queue.execute.indirect(%device : !vm.ref<!hal.device>, %queue_affinity : i64, %wait_fence : !vm.ref<!hal.fence>, %signal_fence : !vm.ref<!hal.fence>, %command_buffer : !vm.ref<!hal.command_buffer>, %flags : i64, %binding_table : tuple<!vm.ref<!hal.buffer>, i64, i64> ...)
    vm.import private @hal.devices.count() -> i32 attributes {nosideeffects}
    vm.import private @hal.devices.get(%index : i32) -> !vm.ref<!hal.device> attributes {nosideeffects}
    vm.import private @hal.executable.create(%device : !vm.ref<!hal.device>, %queue_affinity : i64, %executable_format : !vm.buffer, %executable_data : !vm.buffer, %constants : !vm.buffer) -> !vm.ref<!hal.executable> attributes {nosideeffects}
    vm.import private @hal.executable.lookup.function(%executable : !vm.ref<!hal.executable>, %function_name : !vm.buffer) -> i64 attributes {nosideeffects, minimum_version = 7 : i32}
    vm.import private @hal.fence.create(%device : !vm.ref<!hal.device>, %flags : i64) -> !vm.ref<!hal.fence>
    vm.import private @hal.fence.join(%flags : i64, %fences : !vm.ref<!hal.fence> ...) -> !vm.ref<!hal.fence> attributes {nosideeffects}
    vm.import private @hal.fence.await(%timeout_millis : i32, %flags : i64, %fences : !vm.ref<!hal.fence> ...) -> i32 attributes {vm.yield}
    vm.rodata private @_utf8_input0_DCE99660CEB3F6B <alignment = 1> "input0"
    vm.rodata private @_utf8_tensor_FC1814BC4A58F22A <alignment = 1> "tensor"
    vm.func private @f(%arg0: !vm.ref<!hal.buffer_view>) -> !vm.ref<!hal.buffer_view> attributes {iree.reflection = {iree.abi.declaration = "sync func @f(%input0: tensor<4xf32>) -> (%output0: tensor<4xf32>)"}, vm.unwind, vm.yield} {
      %c16 = vm.const.i32 16
      %c1 = vm.const.i32 1
      %c553648160 = vm.const.i32 553648160
      %c3075 = vm.const.i32 3075
      %c48 = vm.const.i32 48
      %zero = vm.const.i64.zero
      %c4 = vm.const.i64 4
      %c16_0 = vm.const.i64 16
      %c-1 = vm.const.i64 -1
      %c-1_1 = vm.const.i32 -1
      %g__timepoint = vm.global.load.ref @g__timepoint : !vm.ref<!hal.fence>
      %g = vm.global.load.ref @g : !vm.ref<!hal.buffer>
      %__device_0 = vm.global.load.ref @__device_0 : !vm.ref<!hal.device>
      %__f_memoize_result_0_device_0 = vm.global.load.ref @__f_memoize_result_0_device_0 : !vm.ref<!hal.command_buffer>
      %_utf8_input0_DCE99660CEB3F6B = vm.const.ref.rodata @_utf8_input0_DCE99660CEB3F6B : !vm.buffer
      vm.call.variadic @hal.buffer_view.assert(%arg0, %_utf8_input0_DCE99660CEB3F6B, %c553648160, %c1, [%c4]) : (!vm.ref<!hal.buffer_view>, !vm.buffer, i32, i32, i64 ...)
      %ref = vm.call @hal.buffer_view.buffer(%arg0) {nosideeffects} : (!vm.ref<!hal.buffer_view>) -> !vm.ref<!hal.buffer>
      %ref_2 = vm.call @hal.device.allocator(%__device_0) {nosideeffects} : (!vm.ref<!hal.device>) -> !vm.ref<!hal.allocator>
      %_utf8_tensor_FC1814BC4A58F22A = vm.const.ref.rodata @_utf8_tensor_FC1814BC4A58F22A : !vm.buffer
      vm.call @hal.buffer.assert(%ref, %_utf8_tensor_FC1814BC4A58F22A, %ref_2, %c16_0, %c16, %c3075) : (!vm.ref<!hal.buffer>, !vm.buffer, !vm.ref<!hal.allocator>, i64, i32, i32) -> ()
      %ref_3 = vm.call @hal.fence.create(%__device_0, %zero) : (!vm.ref<!hal.device>, i64) -> !vm.ref<!hal.fence>
      %ref_4 = vm.call @hal.device.queue.alloca(%__device_0, %c-1, %g__timepoint, %ref_3, %zero, %c48, %c3075, %c16_0, %zero) : (!vm.ref<!hal.device>, i64, !vm.ref<!hal.fence>, !vm.ref<!hal.fence>, i64, i32, i32, i64, i64) -> !vm.ref<!hal.buffer>
      %ref_5 = vm.call @hal.fence.create(%__device_0, %zero) : (!vm.ref<!hal.device>, i64) -> !vm.ref<!hal.fence>
      %ref_6 = vm.call @hal.device.queue.alloca(%__device_0, %c-1, %g__timepoint, %ref_5, %zero, %c48, %c3075, %c16_0, %zero) : (!vm.ref<!hal.device>, i64, !vm.ref<!hal.fence>, !vm.ref<!hal.fence>, i64, i32, i32, i64, i64) -> !vm.ref<!hal.buffer>
      %ref_7 = vm.call.variadic @hal.fence.join(%zero, [%ref_3, %ref_5]) {nosideeffects} : (i64, !vm.ref<!hal.fence> ...) -> !vm.ref<!hal.fence>
      %ref_8 = vm.call @hal.fence.create(%__device_0, %zero) : (!vm.ref<!hal.device>, i64) -> !vm.ref<!hal.fence>
      vm.call.variadic @hal.device.queue.execute.indirect(%__device_0, %c-1, %ref_7, %ref_8, %__f_memoize_result_0_device_0, %zero, [(%ref, %zero, %c16_0), (%g, %zero, %c16_0), (%ref_4, %zero, %c16_0), (%ref_6, %zero, %c16_0)]) : (!vm.ref<!hal.device>, i64, !vm.ref<!hal.fence>, !vm.ref<!hal.fence>, !vm.ref<!hal.command_buffer>, i64, tuple<!vm.ref<!hal.buffer>, i64, i64> ...)
      vm.call.variadic.yieldable @hal.fence.await(%c-1_1, %zero, %ref_8) <segment_sizes = dense<[-1, -1, 1]> : vector<3xi16>, segment_types = [i32, i64, !vm.ref<!hal.fence>]> : (i32, i64, !vm.ref<!hal.fence>) -> ^bb1 (i32)
    ^bb1(%0: i32):  // pred: ^bb0
      vm.cond_br %0, ^bb3, ^bb2
    ^bb2:  // pred: ^bb1
      %ref_9 = vm.call.variadic @hal.buffer_view.create(%ref_4, %zero, %c16_0, %c553648160, %c1, [%c4]) {nosideeffects} : (!vm.ref<!hal.buffer>, i64, i64, i32, i32, i64 ...) -> !vm.ref<!hal.buffer_view>
      vm.global.store.ref %ref_6, @g : !vm.ref<!hal.buffer>
      vm.global.store.ref %ref_8, @g__timepoint : !vm.ref<!hal.fence>
      vm.return %ref_9 : !vm.ref<!hal.buffer_view>
    ^bb3:  // pred: ^bb1
      vm.discard.refs %ref_4, %ref_6, %ref_8 : !vm.ref<!hal.buffer>, !vm.ref<!hal.buffer>, !vm.ref<!hal.fence>
      vm.fail %0, "failed to wait on timepoint"
    }
    vm.export @f attributes {iree.abi.stub, iree.reflection = {iree.abi.declaration = "sync func @f(%input0: tensor<4xf32>) -> (%output0: tensor<4xf32>)"}}
    vm.export @__init
    vm.func private @__init() attributes {vm.unwind, vm.yield} {
      %null = vm.const.ref.zero : !vm.buffer
      %c1 = vm.const.i32 1
      %c3075 = vm.const.i32 3075
      %c48 = vm.const.i32 48
      %c16 = vm.const.i64 16
      %zero = vm.const.i32.zero
      %null_0 = vm.const.ref.zero : !vm.ref<!hal.fence>
      %zero_1 = vm.const.i64.zero
      %c-1 = vm.const.i32 -1
      %c14 = vm.const.i32 14
      %c-1_2 = vm.const.i64 -1
      %c18 = vm.const.i32 18
      %c1_3 = vm.const.i64 1
      %null_4 = vm.const.ref.zero : !vm.ref<!hal.device>
      %0 = vm.call @hal.devices.count() {nosideeffects} : () -> i32
      %1 = vm.ext.i32.i64.s %0 : i32 -> i64
      vm.br ^bb1(%zero_1, %zero_1, %null_4 : i64, i64, !vm.ref<!hal.device>)
    ^bb1(%2: i64, %3: i64, %4: !vm.ref<!hal.device>):  // 2 preds: ^bb0, ^bb4
      %rnz = vm.cmp.nz.ref %4 : !vm.ref<!hal.device>
      %5 = vm.xor.i32 %rnz, %c1 : i32
      %slt = vm.cmp.lt.i64.s %2, %1 : i64
      %6 = vm.and.i32 %5, %slt : i32
      vm.cond_br %6, ^bb2, ^bb5
    ^bb2:  // pred: ^bb1
      vm.discard.refs %4 : !vm.ref<!hal.device>
      %7 = vm.trunc.i64.i32 %2 : i64 -> i32
      %ref = vm.call @hal.devices.get(%7) {nosideeffects} : (i32) -> !vm.ref<!hal.device>
      %_utf8_hal_device_id_C6650FF277232B5A = vm.const.ref.rodata @_utf8_hal_device_id_C6650FF277232B5A : !vm.buffer
      %_utf8_local_1A8FF0278D7661D8 = vm.const.ref.rodata @_utf8_local_1A8FF0278D7661D8 : !vm.buffer
      %8:2 = vm.call @hal.device.query.i64(%ref, %_utf8_hal_device_id_C6650FF277232B5A, %_utf8_local_1A8FF0278D7661D8) {nosideeffects} : (!vm.ref<!hal.device>, !vm.buffer, !vm.buffer) -> (i32, i64)
      %nz = vm.cmp.nz.i64 %8#1 : i64
      %9 = vm.select.i32 %8#0, %nz, %zero : i32
      vm.cond_br %9, ^bb3, ^bb4(%zero : i32)
    ^bb3:  // pred: ^bb2
      %_utf8_hal_executable_format_E03EECB63A2AAF52 = vm.const.ref.rodata @_utf8_hal_executable_format_E03EECB63A2AAF52 : !vm.buffer
      %_utf8_vmvx_bytecode_fb_F1ACBACD5F08C222 = vm.const.ref.rodata @_utf8_vmvx_bytecode_fb_F1ACBACD5F08C222 : !vm.buffer
      %10:2 = vm.call @hal.device.query.i64(%ref, %_utf8_hal_executable_format_E03EECB63A2AAF52, %_utf8_vmvx_bytecode_fb_F1ACBACD5F08C222) {nosideeffects} : (!vm.ref<!hal.device>, !vm.buffer, !vm.buffer) -> (i32, i64)
      %nz_5 = vm.cmp.nz.i64 %10#1 : i64
      %11 = vm.select.i32 %10#0, %nz_5, %zero : i32
      vm.br ^bb4(%11 : i32)
    ^bb4(%12: i32):  // 2 preds: ^bb2, ^bb3
      %eq = vm.cmp.eq.i64 %3, %zero_1 : i64
      %13 = vm.select.i64 %12, %c1_3, %zero_1 : i64
      %14 = vm.add.i64 %3, %13 : i64
      %15 = vm.and.i32 %12, %eq : i32
      %ref_6 = vm.select.ref %15, %ref, %null_4 : !vm.ref<!hal.device>
      %16 = vm.add.i64 %2, %c1_3 : i64
      vm.br ^bb1(%16, %14, %ref_6 : i64, i64, !vm.ref<!hal.device>)
    ^bb5:  // pred: ^bb1
      vm.discard.refs %null_4 : !vm.ref<!hal.device>
      vm.cond_br %5, ^bb6, ^bb7
    ^bb6:  // pred: ^bb5
      vm.discard.refs %null, %null_0, %4 : !vm.buffer, !vm.ref<!hal.fence>, !vm.ref<!hal.device>
      vm.fail %c18, "HAL device `__device_0` not found or unavailable: #hal.device.target<\22local\22, [#hal.executable.target<\22vmvx\22, \22vmvx-bytecode-fb\22, {iree.encoding.resolver = #iree_cpu.vmvx_encoding_resolver<>, ukernels = \22none\22}>]>"
    ^bb7:  // pred: ^bb5
      %_utf8_hal_executable_format_E03EECB63A2AAF52_7 = vm.const.ref.rodata @_utf8_hal_executable_format_E03EECB63A2AAF52 : !vm.buffer
      %_utf8_vmvx_bytecode_fb_F1ACBACD5F08C222_8 = vm.const.ref.rodata @_utf8_vmvx_bytecode_fb_F1ACBACD5F08C222 : !vm.buffer
      %17:2 = vm.call @hal.device.query.i64(%4, %_utf8_hal_executable_format_E03EECB63A2AAF52_7, %_utf8_vmvx_bytecode_fb_F1ACBACD5F08C222_8) {nosideeffects} : (!vm.ref<!hal.device>, !vm.buffer, !vm.buffer) -> (i32, i64)
      %nz_9 = vm.cmp.nz.i64 %17#1 : i64
      %18 = vm.select.i32 %17#0, %nz_9, %zero : i32
      %19 = vm.select.i64 %18, %zero_1, %c-1_2 : i64
      %eq_10 = vm.cmp.eq.i64 %19, %zero_1 : i64
      vm.global.store.ref %4, @__device_0 : !vm.ref<!hal.device>
      vm.cond_br %eq_10, ^bb8, ^bb10
    ^bb8:  // pred: ^bb7
      %f_dispatch_0_vmvx_bytecode_fb = vm.const.ref.rodata @f_dispatch_0_vmvx_bytecode_fb : !vm.buffer
      %ref_11 = vm.call @hal.executable.create(%4, %c-1_2, %_utf8_vmvx_bytecode_fb_F1ACBACD5F08C222_8, %f_dispatch_0_vmvx_bytecode_fb, %null) {nosideeffects} : (!vm.ref<!hal.device>, i64, !vm.buffer, !vm.buffer, !vm.buffer) -> !vm.ref<!hal.executable>
      %__device_0 = vm.global.load.ref @__device_0 : !vm.ref<!hal.device>
      %ref_12 = vm.call @hal.fence.create(%__device_0, %zero_1) : (!vm.ref<!hal.device>, i64) -> !vm.ref<!hal.fence>
      %ref_13 = vm.call @hal.device.queue.alloca(%__device_0, %c-1_2, %null_0, %ref_12, %zero_1, %c48, %c3075, %c16, %zero_1) : (!vm.ref<!hal.device>, i64, !vm.ref<!hal.fence>, !vm.ref<!hal.fence>, i64, i32, i32, i64, i64) -> !vm.ref<!hal.buffer>
      %ref_14 = vm.call @hal.fence.create(%__device_0, %zero_1) : (!vm.ref<!hal.device>, i64) -> !vm.ref<!hal.fence>
      vm.call @hal.device.queue.fill(%__device_0, %c-1_2, %ref_12, %ref_14, %ref_13, %zero_1, %c16, %zero_1, %c1, %zero_1) : (!vm.ref<!hal.device>, i64, !vm.ref<!hal.fence>, !vm.ref<!hal.fence>, !vm.ref<!hal.buffer>, i64, i64, i64, i32, i64) -> ()
      vm.global.store.ref %ref_11, @__device_0_executable_0_f_dispatch_0 : !vm.ref<!hal.executable>
      vm.call.variadic.yieldable @hal.fence.await(%c-1, %zero_1, %ref_14) <segment_sizes = dense<[-1, -1, 1]> : vector<3xi16>, segment_types = [i32, i64, !vm.ref<!hal.fence>]> : (i32, i64, !vm.ref<!hal.fence>) -> ^bb9 (i32)
    ^bb9(%20: i32):  // pred: ^bb8
      vm.cond_br %20, ^bb12, ^bb11
    ^bb10:  // pred: ^bb7
      vm.discard.refs %null, %null_0, %4, %_utf8_vmvx_bytecode_fb_F1ACBACD5F08C222_8 : !vm.buffer, !vm.ref<!hal.fence>, !vm.ref<!hal.device>, !vm.buffer
      vm.fail %c14, "HAL device `__device_0` does not support any variant of executable `f_dispatch_0`; available formats: [vmvx-bytecode-fb]"
    ^bb11:  // pred: ^bb9
      vm.global.store.ref %ref_13, @g : !vm.ref<!hal.buffer>
      %ref_15 = vm.call @__f_memoize_apply() : () -> !vm.ref<!hal.command_buffer>
      vm.global.store.ref %ref_15, @__f_memoize_result_0_device_0 : !vm.ref<!hal.command_buffer>
      vm.return
    ^bb12:  // pred: ^bb9
      vm.discard.refs %ref_13 : !vm.ref<!hal.buffer>
      vm.fail %20, "failed to wait on timepoint"
    }
  }
}

