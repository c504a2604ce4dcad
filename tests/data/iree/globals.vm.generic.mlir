"builtin.module"() ({
  "vm.module"() <{sym_name = "module", sym_visibility = "public"}> ({
    "vm.global.ref"() <{is_mutable, sym_name = "__device_0", sym_visibility = "private", type = !vm.ref<!hal.device>}> : () -> ()
    "vm.global.ref"() <{is_mutable, sym_name = "__device_0_executable_0_f_dispatch_0", sym_visibility = "private", type = !vm.ref<!hal.executable>}> : () -> ()
    "vm.global.ref"() <{is_mutable, sym_name = "g__timepoint", sym_visibility = "private", type = !vm.ref<!hal.fence>}> : () -> ()
    "vm.global.ref"() <{is_mutable, sym_name = "g", sym_visibility = "private", type = !vm.ref<!hal.buffer>}> : () -> ()
    "vm.global.ref"() <{is_mutable, sym_name = "__f_memoize_result_0_device_0", sym_visibility = "private", type = !vm.ref<!hal.command_buffer>}> : () -> ()
    "vm.rodata"() <{alignment = 1 : i64, sym_name = "_utf8_hal_device_id_C6650FF277232B5A", sym_visibility = "private", value = "hal.device.id"}> : () -> ()
    "vm.rodata"() <{alignment = 1 : i64, sym_name = "_utf8_local_1A8FF0278D7661D8", sym_visibility = "private", value = "local*"}> : () -> ()
    "vm.rodata"() <{alignment = 1 : i64, sym_name = "_utf8_hal_executable_format_E03EECB63A2AAF52", sym_visibility = "private", value = "hal.executable.format"}> : () -> ()
    "vm.rodata"() <{alignment = 1 : i64, sym_name = "_utf8_vmvx_bytecode_fb_F1ACBACD5F08C222", sym_visibility = "private", value = "vmvx-bytecode-fb"}> : () -> ()
    "vm.rodata"() <{alignment = 16 : i64, mime_type = "application/x-flatbuffers", sym_name = "f_dispatch_0_vmvx_bytecode_fb", sym_visibility = "private", value = dense<"0x504B03042D00000000000000210003A32C75FFFFFFFFFFFFFFFF090019006D6F64756C652E6662CAFE01000001001000BC04000000000000BC04000000000000BC040000240000004952454500000000000000000000000000000000000000000000000000000000C6FBFFFF2800000009000000E8010000FC010000000200000402000010030000000011002003000010000000060000006D6F64756C65000008FCFFFF0C000000140000003400000008000000000202010201020108000000000000007401000060010000500100003C0100002C010000180100000801000001000000040000005EFCFFFF08000000280000001E000000665F64697370617463685F305F656C656D656E74776973655F345F66333200001900000001000000000000000C0000000000000017000000000000001A000000000000001D0000000000000024000000030000002B000000030000003200000000000000390000000200000044000000050000004F000000030000005A000000030000006000000003000000690000000300000070000000030000008100000003000000890000000300000091000000030000009900000007000000A100000003000000A900000003000000B100000003000000B800000003000000C100000003000000CC000000030000005AFDFFFF060000000200000058FDFFFF54000000060000000800000076FDFFFF040000000200000074FDFFFF38000000050000000800000092FDFFFF010000000200000090FDFFFF1C0000000300000001000000A0FDFFFF0C00000007000000080000000C000000676C6F62616C732E6D6C69720000000005000000880000007400000060000000440000001C000000010000008000000001000000A400000001000000EC000000FAFDFFFF040000001400000021766D2E6C6973743C21766D2E6275666665723E000000001EFEFFFF040000000A00000021766D2E627566666572000036FEFFFF04000000030000006936340046FEFFFF04000000030000006933320056FEFFFF04000000030000006633320066FEFFFF040000001E000000665F64697370617463685F305F656C656D656E74776973655F345F66333200009AFEFFFF08000000180000000F000000307272726969696969696969695F76000100000004000000C2FEFFFF08000000180000000D00000062696E64696E675F636F756E740000000100000033000000F4FEFFFF04000000100000000000803F000000400000404000008040000000000100000000000000D000000009000000000004000C000500D0000000790F01000000000000000A000F040000000000000000000E02000C04000D0100000005000D02000000060085020000800180110000000000801A028004000300000001801A028005000300000003801A028006000300000004808500010002805668000000000000795002000000040057040080000000000000C0000000000079E033018002000400E033008002000500E033038002000600E00A040005000500E00A050006000600E0340480020006002A02000A00020056680000000000007985040000800180038004805A0000000A00080000000000040008000C00040008000600080004000A001000040008000C0024002C0004000000080000000C0000000000100014001800000000001C0020002400280000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000504B01021E032D00000000000000210003A32C75FFFFFFFFFFFFFFFF09001C0000000000000000000000FFFFFFFF6D6F64756C652E666201001800BC04000000000000BC040000000000000000000000000000504B06062C000000000000002D002D0000000000000000000100000000000000010000000000000053000000000000000005000000000000504B060700000000530500000000000001000000504B0506000000000100010053000000FFFFFFFF0000"> : vector<1461xi8>}> : () -> ()
    "vm.rodata"() <{alignment = 1 : i64, sym_name = "_utf8_f_dispatch_0_elementwise_4_34824765C0105F50", sym_visibility = "private", value = "f_dispatch_0_elementwise_4_f32"}> : () -> ()
    "vm.func"() <{function_type = () -> !vm.ref<!hal.command_buffer>, inlining_policy = #util.inline.never, sym_name = "__f_memoize_apply", sym_visibility = "private"}> ({
      %83 = "vm.const.i32"() <{value = 13 : i32}> : () -> i32
      %84 = "vm.const.i32"() <{value = 28 : i32}> : () -> i32
      %85 = "vm.const.i32"() <{value = 2 : i32}> : () -> i32
      %86 = "vm.const.ref.zero"() : () -> !vm.ref<!hal.buffer>
      %87 = "vm.const.i32"() <{value = 1 : i32}> : () -> i32
      %88 = "vm.const.i32"() <{value = 4 : i32}> : () -> i32
      %89 = "vm.const.i32"() <{value = 3 : i32}> : () -> i32
      %90 = "vm.const.i32.zero"() : () -> i32
      %91 = "vm.const.i64"() <{value = 16 : i64}> : () -> i64
      %92 = "vm.const.i64.zero"() : () -> i64
      %93 = "vm.const.i64"() <{value = -1 : i64}> : () -> i64
      %94 = "vm.global.load.ref"() <{global = @__device_0}> : () -> !vm.ref<!hal.device>
      %95 = "vm.global.load.ref"() <{global = @__device_0_executable_0_f_dispatch_0}> : () -> !vm.ref<!hal.executable>
      %96 = "vm.call"(%94, %90, %89, %93, %88) <{callee = @hal.command_buffer.create}> : (!vm.ref<!hal.device>, i32, i32, i64, i32) -> !vm.ref<!hal.command_buffer>
      %97 = "vm.const.ref.rodata"() <{rodata = @_utf8_f_dispatch_0_elementwise_4_34824765C0105F50}> : () -> !vm.buffer
      %98 = "vm.call"(%95, %97) <{callee = @hal.executable.lookup.function}> {nosideeffects} : (!vm.ref<!hal.executable>, !vm.buffer) -> i64
      "vm.call.variadic"(%96, %95, %98, %87, %87, %87, %92, %90, %90, %86, %92, %91, %90, %87, %86, %92, %91, %90, %85, %86, %92, %91) <{callee = @hal.command_buffer.dispatch, segment_sizes = dense<[-1, -1, -1, -1, -1, -1, -1, 0, 3]> : vector<9xi16>, segment_types = [!vm.ref<!hal.command_buffer>, !vm.ref<!hal.executable>, i64, i32, i32, i32, i64, i32, tuple<i32, i32, !vm.ref<!hal.buffer>, i64, i64>]}> : (!vm.ref<!hal.command_buffer>, !vm.ref<!hal.executable>, i64, i32, i32, i32, i64, i32, i32, !vm.ref<!hal.buffer>, i64, i64, i32, i32, !vm.ref<!hal.buffer>, i64, i64, i32, i32, !vm.ref<!hal.buffer>, i64, i64) -> ()
      "vm.call"(%96, %84, %83, %92) <{callee = @hal.command_buffer.execution_barrier}> : (!vm.ref<!hal.command_buffer>, i32, i32, i64) -> ()
      "vm.call"(%96, %85, %89, %86, %92, %86, %92, %91, %92) <{callee = @hal.command_buffer.copy_buffer}> : (!vm.ref<!hal.command_buffer>, i32, i32, !vm.ref<!hal.buffer>, i64, !vm.ref<!hal.buffer>, i64, i64, i64) -> ()
      "vm.call"(%96, %84, %83, %92) <{callee = @hal.command_buffer.execution_barrier}> : (!vm.ref<!hal.command_buffer>, i32, i32, i64) -> ()
      "vm.call"(%96) <{callee = @hal.command_buffer.finalize}> : (!vm.ref<!hal.command_buffer>) -> ()
      "vm.return"(%96) : (!vm.ref<!hal.command_buffer>) -> ()
    }) {vm.unwind} : () -> ()
    "vm.import"() <{arg_attrs = [{vm.name = "buffer"}, {vm.name = "message"}, {vm.name = "allocator"}, {vm.name = "minimum_length"}, {vm.name = "memory_types"}, {vm.name = "buffer_usage"}], function_type = (!vm.ref<!hal.buffer>, !vm.buffer, !vm.ref<!hal.allocator>, i64, i32, i32) -> (), sym_name = "hal.buffer.assert", sym_visibility = "private"}> ({
    }) : () -> ()
    "vm.import"() <{arg_attrs = [{vm.name = "buffer"}, {vm.name = "source_offset"}, {vm.name = "source_length"}, {vm.name = "element_type"}, {vm.name = "encoding_type"}, {vm.name = "shape", vm.variadic}], function_type = (!vm.ref<!hal.buffer>, i64, i64, i32, i32, i64) -> !vm.ref<!hal.buffer_view>, sym_name = "hal.buffer_view.create", sym_visibility = "private"}> ({
    }) {nosideeffects} : () -> ()
    "vm.import"() <{arg_attrs = [{vm.name = "buffer_view"}, {vm.name = "message"}, {vm.name = "element_type"}, {vm.name = "encoding_type"}, {vm.name = "shape", vm.variadic}], function_type = (!vm.ref<!hal.buffer_view>, !vm.buffer, i32, i32, i64) -> (), sym_name = "hal.buffer_view.assert", sym_visibility = "private"}> ({
    }) : () -> ()
    "vm.import"() <{arg_attrs = [{vm.name = "buffer_view"}], function_type = (!vm.ref<!hal.buffer_view>) -> !vm.ref<!hal.buffer>, sym_name = "hal.buffer_view.buffer", sym_visibility = "private"}> ({
    }) {nosideeffects} : () -> ()
    "vm.import"() <{arg_attrs = [{vm.name = "device"}, {vm.name = "modes"}, {vm.name = "command_categories"}, {vm.name = "queue_affinity"}, {vm.name = "binding_capacity"}], function_type = (!vm.ref<!hal.device>, i32, i32, i64, i32) -> !vm.ref<!hal.command_buffer>, minimum_version = 6 : i32, sym_name = "hal.command_buffer.create", sym_visibility = "private"}> ({
    }) : () -> ()
    "vm.import"() <{arg_attrs = [{vm.name = "command_buffer"}], function_type = (!vm.ref<!hal.command_buffer>) -> (), sym_name = "hal.command_buffer.finalize", sym_visibility = "private"}> ({
    }) : () -> ()
    "vm.import"() <{arg_attrs = [{vm.name = "command_buffer"}, {vm.name = "source_stage_mask"}, {vm.name = "target_stage_mask"}, {vm.name = "flags"}], function_type = (!vm.ref<!hal.command_buffer>, i32, i32, i64) -> (), sym_name = "hal.command_buffer.execution_barrier", sym_visibility = "private"}> ({
    }) : () -> ()
    "vm.import"() <{arg_attrs = [{vm.name = "command_buffer"}, {vm.name = "source_buffer_slot"}, {vm.name = "target_buffer_slot"}, {vm.name = "source_buffer"}, {vm.name = "source_offset"}, {vm.name = "target_buffer"}, {vm.name = "target_offset"}, {vm.name = "length"}, {vm.name = "flags"}], function_type = (!vm.ref<!hal.command_buffer>, i32, i32, !vm.ref<!hal.buffer>, i64, !vm.ref<!hal.buffer>, i64, i64, i64) -> (), sym_name = "hal.command_buffer.copy_buffer", sym_visibility = "private"}> ({
    }) : () -> ()
    "vm.import"() <{arg_attrs = [{vm.name = "command_buffer"}, {vm.name = "executable"}, {vm.name = "function_id"}, {vm.name = "workgroup_x"}, {vm.name = "workgroup_y"}, {vm.name = "workgroup_z"}, {vm.name = "flags"}, {vm.name = "constants", vm.variadic}, {vm.name = "bindings", vm.variadic}], function_type = (!vm.ref<!hal.command_buffer>, !vm.ref<!hal.executable>, i64, i32, i32, i32, i64, i32, tuple<i32, i32, !vm.ref<!hal.buffer>, i64, i64>) -> (), minimum_version = 7 : i32, sym_name = "hal.command_buffer.dispatch", sym_visibility = "private"}> ({
    }) : () -> ()
    "vm.import"() <{arg_attrs = [{vm.name = "device"}], function_type = (!vm.ref<!hal.device>) -> !vm.ref<!hal.allocator>, sym_name = "hal.device.allocator", sym_visibility = "private"}> ({
    }) {nosideeffects} : () -> ()
    "vm.import"() <{arg_attrs = [{vm.name = "device"}, {vm.name = "category"}, {vm.name = "key"}], function_type = (!vm.ref<!hal.device>, !vm.buffer, !vm.buffer) -> (i32, i64), sym_name = "hal.device.query.i64", sym_visibility = "private"}> ({
    }) {nosideeffects} : () -> ()
    "vm.import"() <{arg_attrs = [{vm.name = "device"}, {vm.name = "queue_affinity"}, {vm.name = "wait_fence"}, {vm.name = "signal_fence"}, {vm.name = "pool"}, {vm.name = "memory_types"}, {vm.name = "buffer_usage"}, {vm.name = "allocation_size"}, {vm.name = "flags"}], function_type = (!vm.ref<!hal.device>, i64, !vm.ref<!hal.fence>, !vm.ref<!hal.fence>, i64, i32, i32, i64, i64) -> !vm.ref<!hal.buffer>, sym_name = "hal.device.queue.alloca", sym_visibility = "private"}> ({
    }) : () -> ()
    "vm.import"() <{arg_attrs = [{vm.name = "device"}, {vm.name = "queue_affinity"}, {vm.name = "wait_fence"}, {vm.name = "signal_fence"}, {vm.name = "target_buffer"}, {vm.name = "target_offset"}, {vm.name = "length"}, {vm.name = "pattern"}, {vm.name = "pattern_length"}, {vm.name = "flags"}], function_type = (!vm.ref<!hal.device>, i64, !vm.ref<!hal.fence>, !vm.ref<!hal.fence>, !vm.ref<!hal.buffer>, i64, i64, i64, i32, i64) -> (), sym_name = "hal.device.queue.fill", sym_visibility = "private"}> ({
    }) : () -> ()
    "vm.import"() <{arg_attrs = [{vm.name = "device"}, {vm.name = "queue_affinity"}, {vm.name = "wait_fence"}, {vm.name = "signal_fence"}, {vm.name = "command_buffer"}, {vm.name = "flags"}, {vm.name = "binding_table", vm.variadic}], function_type = (!vm.ref<!hal.device>, i64, !vm.ref<!hal.fence>, !vm.ref<!hal.fence>, !vm.ref<!hal.command_buffer>, i64, tuple<!vm.ref<!hal.buffer>, i64, i64>) -> (), sym_name = "hal.device.queue.execute.indirect", sym_visibility = "private"}> ({
    }) : () -> ()
    "vm.import"() <{function_type = () -> i32, sym_name = "hal.devices.count", sym_visibility = "private"}> ({
    }) {nosideeffects} : () -> ()
    "vm.import"() <{arg_attrs = [{vm.name = "index"}], function_type = (i32) -> !vm.ref<!hal.device>, sym_name = "hal.devices.get", sym_visibility = "private"}> ({
    }) {nosideeffects} : () -> ()
    "vm.import"() <{arg_attrs = [{vm.name = "device"}, {vm.name = "queue_affinity"}, {vm.name = "executable_format"}, {vm.name = "executable_data"}, {vm.name = "constants"}], function_type = (!vm.ref<!hal.device>, i64, !vm.buffer, !vm.buffer, !vm.buffer) -> !vm.ref<!hal.executable>, sym_name = "hal.executable.create", sym_visibility = "private"}> ({
    }) {nosideeffects} : () -> ()
    "vm.import"() <{arg_attrs = [{vm.name = "executable"}, {vm.name = "function_name"}], function_type = (!vm.ref<!hal.executable>, !vm.buffer) -> i64, minimum_version = 7 : i32, sym_name = "hal.executable.lookup.function", sym_visibility = "private"}> ({
    }) {nosideeffects} : () -> ()
    "vm.import"() <{arg_attrs = [{vm.name = "device"}, {vm.name = "flags"}], function_type = (!vm.ref<!hal.device>, i64) -> !vm.ref<!hal.fence>, sym_name = "hal.fence.create", sym_visibility = "private"}> ({
    }) : () -> ()
    "vm.import"() <{arg_attrs = [{vm.name = "flags"}, {vm.name = "fences", vm.variadic}], function_type = (i64, !vm.ref<!hal.fence>) -> !vm.ref<!hal.fence>, sym_name = "hal.fence.join", sym_visibility = "private"}> ({
    }) {nosideeffects} : () -> ()
    "vm.import"() <{arg_attrs = [{vm.name = "timeout_millis"}, {vm.name = "flags"}, {vm.name = "fences", vm.variadic}], function_type = (i32, i64, !vm.ref<!hal.fence>) -> i32, sym_name = "hal.fence.await", sym_visibility = "private"}> ({
    }) {vm.yield} : () -> ()
    "vm.rodata"() <{alignment = 1 : i64, sym_name = "_utf8_input0_DCE99660CEB3F6B", sym_visibility = "private", value = "input0"}> : () -> ()
    "vm.rodata"() <{alignment = 1 : i64, sym_name = "_utf8_tensor_FC1814BC4A58F22A", sym_visibility = "private", value = "tensor"}> : () -> ()
    "vm.func"() <{function_type = (!vm.ref<!hal.buffer_view>) -> !vm.ref<!hal.buffer_view>, sym_name = "f", sym_visibility = "private"}> ({
    ^bb0(%arg0: !vm.ref<!hal.buffer_view>):
      %57 = "vm.const.i32"() <{value = 16 : i32}> : () -> i32
      %58 = "vm.const.i32"() <{value = 1 : i32}> : () -> i32
      %59 = "vm.const.i32"() <{value = 553648160 : i32}> : () -> i32
      %60 = "vm.const.i32"() <{value = 3075 : i32}> : () -> i32
      %61 = "vm.const.i32"() <{value = 48 : i32}> : () -> i32
      %62 = "vm.const.i64.zero"() : () -> i64
      %63 = "vm.const.i64"() <{value = 4 : i64}> : () -> i64
      %64 = "vm.const.i64"() <{value = 16 : i64}> : () -> i64
      %65 = "vm.const.i64"() <{value = -1 : i64}> : () -> i64
      %66 = "vm.const.i32"() <{value = -1 : i32}> : () -> i32
      %67 = "vm.global.load.ref"() <{global = @g__timepoint}> : () -> !vm.ref<!hal.fence>
      %68 = "vm.global.load.ref"() <{global = @g}> : () -> !vm.ref<!hal.buffer>
      %69 = "vm.global.load.ref"() <{global = @__device_0}> : () -> !vm.ref<!hal.device>
      %70 = "vm.global.load.ref"() <{global = @__f_memoize_result_0_device_0}> : () -> !vm.ref<!hal.command_buffer>
      %71 = "vm.const.ref.rodata"() <{rodata = @_utf8_input0_DCE99660CEB3F6B}> : () -> !vm.buffer
      "vm.call.variadic"(%arg0, %71, %59, %58, %63) <{callee = @hal.buffer_view.assert, segment_sizes = dense<[-1, -1, -1, -1, 1]> : vector<5xi16>, segment_types = [!vm.ref<!hal.buffer_view>, !vm.buffer, i32, i32, i64]}> : (!vm.ref<!hal.buffer_view>, !vm.buffer, i32, i32, i64) -> ()
      %72 = "vm.call"(%arg0) <{callee = @hal.buffer_view.buffer}> {nosideeffects} : (!vm.ref<!hal.buffer_view>) -> !vm.ref<!hal.buffer>
      %73 = "vm.call"(%69) <{callee = @hal.device.allocator}> {nosideeffects} : (!vm.ref<!hal.device>) -> !vm.ref<!hal.allocator>
      %74 = "vm.const.ref.rodata"() <{rodata = @_utf8_tensor_FC1814BC4A58F22A}> : () -> !vm.buffer
      "vm.call"(%72, %74, %73, %64, %57, %60) <{callee = @hal.buffer.assert}> : (!vm.ref<!hal.buffer>, !vm.buffer, !vm.ref<!hal.allocator>, i64, i32, i32) -> ()
      %75 = "vm.call"(%69, %62) <{callee = @hal.fence.create}> : (!vm.ref<!hal.device>, i64) -> !vm.ref<!hal.fence>
      %76 = "vm.call"(%69, %65, %67, %75, %62, %61, %60, %64, %62) <{callee = @hal.device.queue.alloca}> : (!vm.ref<!hal.device>, i64, !vm.ref<!hal.fence>, !vm.ref<!hal.fence>, i64, i32, i32, i64, i64) -> !vm.ref<!hal.buffer>
      %77 = "vm.call"(%69, %62) <{callee = @hal.fence.create}> : (!vm.ref<!hal.device>, i64) -> !vm.ref<!hal.fence>
      %78 = "vm.call"(%69, %65, %67, %77, %62, %61, %60, %64, %62) <{callee = @hal.device.queue.alloca}> : (!vm.ref<!hal.device>, i64, !vm.ref<!hal.fence>, !vm.ref<!hal.fence>, i64, i32, i32, i64, i64) -> !vm.ref<!hal.buffer>
      %79 = "vm.call.variadic"(%62, %75, %77) <{callee = @hal.fence.join, segment_sizes = dense<[-1, 2]> : vector<2xi16>, segment_types = [i64, !vm.ref<!hal.fence>]}> {nosideeffects} : (i64, !vm.ref<!hal.fence>, !vm.ref<!hal.fence>) -> !vm.ref<!hal.fence>
      %80 = "vm.call"(%69, %62) <{callee = @hal.fence.create}> : (!vm.ref<!hal.device>, i64) -> !vm.ref<!hal.fence>
      "vm.call.variadic"(%69, %65, %79, %80, %70, %62, %72, %62, %64, %68, %62, %64, %76, %62, %64, %78, %62, %64) <{callee = @hal.device.queue.execute.indirect, segment_sizes = dense<[-1, -1, -1, -1, -1, -1, 4]> : vector<7xi16>, segment_types = [!vm.ref<!hal.device>, i64, !vm.ref<!hal.fence>, !vm.ref<!hal.fence>, !vm.ref<!hal.command_buffer>, i64, tuple<!vm.ref<!hal.buffer>, i64, i64>]}> : (!vm.ref<!hal.device>, i64, !vm.ref<!hal.fence>, !vm.ref<!hal.fence>, !vm.ref<!hal.command_buffer>, i64, !vm.ref<!hal.buffer>, i64, i64, !vm.ref<!hal.buffer>, i64, i64, !vm.ref<!hal.buffer>, i64, i64, !vm.ref<!hal.buffer>, i64, i64) -> ()
      "vm.call.variadic.yieldable"(%66, %62, %80)[^bb1] <{callee = @hal.fence.await, result_types = [i32], segment_sizes = dense<[-1, -1, 1]> : vector<3xi16>, segment_types = [i32, i64, !vm.ref<!hal.fence>]}> : (i32, i64, !vm.ref<!hal.fence>) -> ()
    ^bb1(%81: i32):  // pred: ^bb0
      "vm.cond_br"(%81)[^bb3, ^bb2] <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (i32) -> ()
    ^bb2:  // pred: ^bb1
      %82 = "vm.call.variadic"(%76, %62, %64, %59, %58, %63) <{callee = @hal.buffer_view.create, segment_sizes = dense<[-1, -1, -1, -1, -1, 1]> : vector<6xi16>, segment_types = [!vm.ref<!hal.buffer>, i64, i64, i32, i32, i64]}> {nosideeffects} : (!vm.ref<!hal.buffer>, i64, i64, i32, i32, i64) -> !vm.ref<!hal.buffer_view>
      "vm.global.store.ref"(%78) <{global = @g}> : (!vm.ref<!hal.buffer>) -> ()
      "vm.global.store.ref"(%80) <{global = @g__timepoint}> : (!vm.ref<!hal.fence>) -> ()
      "vm.return"(%82) : (!vm.ref<!hal.buffer_view>) -> ()
    ^bb3:  // pred: ^bb1
      "vm.discard.refs"(%76, %78, %80) : (!vm.ref<!hal.buffer>, !vm.ref<!hal.buffer>, !vm.ref<!hal.fence>) -> ()
      "vm.fail"(%81) <{message = "failed to wait on timepoint"}> : (i32) -> ()
    }) {iree.reflection = {iree.abi.declaration = "sync func @f(%input0: tensor<4xf32>) -> (%output0: tensor<4xf32>)"}, vm.unwind, vm.yield} : () -> ()
    "vm.export"() <{export_name = "f", function_ref = @f}> {iree.abi.stub, iree.reflection = {iree.abi.declaration = "sync func @f(%input0: tensor<4xf32>) -> (%output0: tensor<4xf32>)"}} : () -> ()
    "vm.export"() <{export_name = "__init", function_ref = @__init}> : () -> ()
    "vm.func"() <{function_type = () -> (), sym_name = "__init", sym_visibility = "private"}> ({
      %0 = "vm.const.ref.zero"() : () -> !vm.buffer
      %1 = "vm.const.i32"() <{value = 1 : i32}> : () -> i32
      %2 = "vm.const.i32"() <{value = 3075 : i32}> : () -> i32
      %3 = "vm.const.i32"() <{value = 48 : i32}> : () -> i32
      %4 = "vm.const.i64"() <{value = 16 : i64}> : () -> i64
      %5 = "vm.const.i32.zero"() : () -> i32
      %6 = "vm.const.ref.zero"() : () -> !vm.ref<!hal.fence>
      %7 = "vm.const.i64.zero"() : () -> i64
      %8 = "vm.const.i32"() <{value = -1 : i32}> : () -> i32
      %9 = "vm.const.i32"() <{value = 14 : i32}> : () -> i32
      %10 = "vm.const.i64"() <{value = -1 : i64}> : () -> i64
      %11 = "vm.const.i32"() <{value = 18 : i32}> : () -> i32
      %12 = "vm.const.i64"() <{value = 1 : i64}> : () -> i64
      %13 = "vm.const.ref.zero"() : () -> !vm.ref<!hal.device>
      %14 = "vm.call"() <{callee = @hal.devices.count}> {nosideeffects} : () -> i32
      %15 = "vm.ext.i32.i64.s"(%14) : (i32) -> i64
      "vm.br"(%7, %7, %13)[^bb1] : (i64, i64, !vm.ref<!hal.device>) -> ()
    ^bb1(%16: i64, %17: i64, %18: !vm.ref<!hal.device>):  // 2 preds: ^bb0, ^bb4
      %19 = "vm.cmp.nz.ref"(%18) : (!vm.ref<!hal.device>) -> i32
      %20 = "vm.xor.i32"(%19, %1) : (i32, i32) -> i32
      %21 = "vm.cmp.lt.i64.s"(%16, %15) : (i64, i64) -> i32
      %22 = "vm.and.i32"(%20, %21) : (i32, i32) -> i32
      "vm.cond_br"(%22)[^bb2, ^bb5] <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (i32) -> ()
    ^bb2:  // pred: ^bb1
      "vm.discard.refs"(%18) : (!vm.ref<!hal.device>) -> ()
      %23 = "vm.trunc.i64.i32"(%16) : (i64) -> i32
      %24 = "vm.call"(%23) <{callee = @hal.devices.get}> {nosideeffects} : (i32) -> !vm.ref<!hal.device>
      %25 = "vm.const.ref.rodata"() <{rodata = @_utf8_hal_device_id_C6650FF277232B5A}> : () -> !vm.buffer
      %26 = "vm.const.ref.rodata"() <{rodata = @_utf8_local_1A8FF0278D7661D8}> : () -> !vm.buffer
      %27:2 = "vm.call"(%24, %25, %26) <{callee = @hal.device.query.i64}> {nosideeffects} : (!vm.ref<!hal.device>, !vm.buffer, !vm.buffer) -> (i32, i64)
      %28 = "vm.cmp.nz.i64"(%27#1) : (i64) -> i32
      %29 = "vm.select.i32"(%27#0, %28, %5) : (i32, i32, i32) -> i32
      "vm.cond_br"(%29, %5)[^bb3, ^bb4] <{operandSegmentSizes = array<i32: 1, 0, 1>}> : (i32, i32) -> ()
    ^bb3:  // pred: ^bb2
      %30 = "vm.const.ref.rodata"() <{rodata = @_utf8_hal_executable_format_E03EECB63A2AAF52}> : () -> !vm.buffer
      %31 = "vm.const.ref.rodata"() <{rodata = @_utf8_vmvx_bytecode_fb_F1ACBACD5F08C222}> : () -> !vm.buffer
      %32:2 = "vm.call"(%24, %30, %31) <{callee = @hal.device.query.i64}> {nosideeffects} : (!vm.ref<!hal.device>, !vm.buffer, !vm.buffer) -> (i32, i64)
      %33 = "vm.cmp.nz.i64"(%32#1) : (i64) -> i32
      %34 = "vm.select.i32"(%32#0, %33, %5) : (i32, i32, i32) -> i32
      "vm.br"(%34)[^bb4] : (i32) -> ()
    ^bb4(%35: i32):  // 2 preds: ^bb2, ^bb3
      %36 = "vm.cmp.eq.i64"(%17, %7) : (i64, i64) -> i32
      %37 = "vm.select.i64"(%35, %12, %7) : (i32, i64, i64) -> i64
      %38 = "vm.add.i64"(%17, %37) : (i64, i64) -> i64
      %39 = "vm.and.i32"(%35, %36) : (i32, i32) -> i32
      %40 = "vm.select.ref"(%39, %24, %13) : (i32, !vm.ref<!hal.device>, !vm.ref<!hal.device>) -> !vm.ref<!hal.device>
      %41 = "vm.add.i64"(%16, %12) : (i64, i64) -> i64
      "vm.br"(%41, %38, %40)[^bb1] : (i64, i64, !vm.ref<!hal.device>) -> ()
    ^bb5:  // pred: ^bb1
      "vm.discard.refs"(%13) : (!vm.ref<!hal.device>) -> ()
      "vm.cond_br"(%20)[^bb6, ^bb7] <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (i32) -> ()
    ^bb6:  // pred: ^bb5
      "vm.discard.refs"(%0, %6, %18) : (!vm.buffer, !vm.ref<!hal.fence>, !vm.ref<!hal.device>) -> ()
      "vm.fail"(%11) <{message = "HAL device `__device_0` not found or unavailable: #hal.device.target<\22local\22, [#hal.executable.target<\22vmvx\22, \22vmvx-bytecode-fb\22, {iree.encoding.resolver = #iree_cpu.vmvx_encoding_resolver<>, ukernels = \22none\22}>]>"}> : (i32) -> ()
    ^bb7:  // pred: ^bb5
      %42 = "vm.const.ref.rodata"() <{rodata = @_utf8_hal_executable_format_E03EECB63A2AAF52}> : () -> !vm.buffer
      %43 = "vm.const.ref.rodata"() <{rodata = @_utf8_vmvx_bytecode_fb_F1ACBACD5F08C222}> : () -> !vm.buffer
      %44:2 = "vm.call"(%18, %42, %43) <{callee = @hal.device.query.i64}> {nosideeffects} : (!vm.ref<!hal.device>, !vm.buffer, !vm.buffer) -> (i32, i64)
      %45 = "vm.cmp.nz.i64"(%44#1) : (i64) -> i32
      %46 = "vm.select.i32"(%44#0, %45, %5) : (i32, i32, i32) -> i32
      %47 = "vm.select.i64"(%46, %7, %10) : (i32, i64, i64) -> i64
      %48 = "vm.cmp.eq.i64"(%47, %7) : (i64, i64) -> i32
      "vm.global.store.ref"(%18) <{global = @__device_0}> : (!vm.ref<!hal.device>) -> ()
      "vm.cond_br"(%48)[^bb8, ^bb10] <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (i32) -> ()
    ^bb8:  // pred: ^bb7
      %49 = "vm.const.ref.rodata"() <{rodata = @f_dispatch_0_vmvx_bytecode_fb}> : () -> !vm.buffer
      %50 = "vm.call"(%18, %10, %43, %49, %0) <{callee = @hal.executable.create}> {nosideeffects} : (!vm.ref<!hal.device>, i64, !vm.buffer, !vm.buffer, !vm.buffer) -> !vm.ref<!hal.executable>
      %51 = "vm.global.load.ref"() <{global = @__device_0}> : () -> !vm.ref<!hal.device>
      %52 = "vm.call"(%51, %7) <{callee = @hal.fence.create}> : (!vm.ref<!hal.device>, i64) -> !vm.ref<!hal.fence>
      %53 = "vm.call"(%51, %10, %6, %52, %7, %3, %2, %4, %7) <{callee = @hal.device.queue.alloca}> : (!vm.ref<!hal.device>, i64, !vm.ref<!hal.fence>, !vm.ref<!hal.fence>, i64, i32, i32, i64, i64) -> !vm.ref<!hal.buffer>
      %54 = "vm.call"(%51, %7) <{callee = @hal.fence.create}> : (!vm.ref<!hal.device>, i64) -> !vm.ref<!hal.fence>
      "vm.call"(%51, %10, %52, %54, %53, %7, %4, %7, %1, %7) <{callee = @hal.device.queue.fill}> : (!vm.ref<!hal.device>, i64, !vm.ref<!hal.fence>, !vm.ref<!hal.fence>, !vm.ref<!hal.buffer>, i64, i64, i64, i32, i64) -> ()
      "vm.global.store.ref"(%50) <{global = @__device_0_executable_0_f_dispatch_0}> : (!vm.ref<!hal.executable>) -> ()
      "vm.call.variadic.yieldable"(%8, %7, %54)[^bb9] <{callee = @hal.fence.await, result_types = [i32], segment_sizes = dense<[-1, -1, 1]> : vector<3xi16>, segment_types = [i32, i64, !vm.ref<!hal.fence>]}> : (i32, i64, !vm.ref<!hal.fence>) -> ()
    ^bb9(%55: i32):  // pred: ^bb8
      "vm.cond_br"(%55)[^bb12, ^bb11] <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (i32) -> ()
    ^bb10:  // pred: ^bb7
      "vm.discard.refs"(%0, %6, %18, %43) : (!vm.buffer, !vm.ref<!hal.fence>, !vm.ref<!hal.device>, !vm.buffer) -> ()
      "vm.fail"(%9) <{message = "HAL device `__device_0` does not support any variant of executable `f_dispatch_0`; available formats: [vmvx-bytecode-fb]"}> : (i32) -> ()
    ^bb11:  // pred: ^bb9
      "vm.global.store.ref"(%53) <{global = @g}> : (!vm.ref<!hal.buffer>) -> ()
      %56 = "vm.call"() <{callee = @__f_memoize_apply}> : () -> !vm.ref<!hal.command_buffer>
      "vm.global.store.ref"(%56) <{global = @__f_memoize_result_0_device_0}> : (!vm.ref<!hal.command_buffer>) -> ()
      "vm.return"() : () -> ()
    ^bb12:  // pred: ^bb9
      "vm.discard.refs"(%53) : (!vm.ref<!hal.buffer>) -> ()
      "vm.fail"(%55) <{message = "failed to wait on timepoint"}> : (i32) -> ()
    }) {vm.unwind, vm.yield} : () -> ()
    "vm.module_terminator"() : () -> ()
  }) : () -> ()
}) {vm.toplevel} : () -> ()

