module {
  util.global private @__device_0 : !hal.device
  util.initializer {
    %c18_i32 = arith.constant 18 : i32
    %false = arith.constant false
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %0 = util.null : !hal.device
    %device_count = hal.devices.count : index
    cf.br ^bb1(%c0, %c0, %0 : index, index, !hal.device)
  ^bb1(%1: index, %2: index, %3: !hal.device):  // 2 preds: ^bb0, ^bb4
    %4 = util.cmp.eq %3, %0 : !hal.device
    %5 = arith.cmpi slt, %1, %device_count : index
    %6 = arith.andi %4, %5 : i1
    cf.cond_br %6, ^bb2, ^bb5
  ^bb2:  // pred: ^bb1
    %device_n = hal.devices.get %1 : !hal.device
    %ok, %value = hal.device.query<%device_n : !hal.device> key("hal.device.id" :: "local*") : i1, i1 = false
    cf.cond_br %value, ^bb3, ^bb4(%false : i1)
  ^bb3:  // pred: ^bb2
    %ok_0, %value_1 = hal.device.query<%device_n : !hal.device> key("hal.executable.format" :: "vmvx-bytecode-fb") : i1, i1 = false
    cf.br ^bb4(%value_1 : i1)
  ^bb4(%7: i1):  // 2 preds: ^bb2, ^bb3
    %8 = arith.cmpi eq, %2, %c0 : index
    %9 = arith.select %7, %c1, %c0 : index
    %10 = arith.addi %2, %9 : index
    %11 = arith.andi %7, %8 : i1
    %12 = arith.select %11, %device_n, %0 : !hal.device
    %13 = arith.addi %1, %c1 : index
    cf.br ^bb1(%13, %10, %12 : index, index, !hal.device)
  ^bb5:  // pred: ^bb1
    cf.cond_br %4, ^bb6, ^bb7
  ^bb6:  // pred: ^bb5
    util.status.check_ok %c18_i32, "HAL device `__device_0` not found or unavailable: #hal.device.target<\22local\22, [#hal.executable.target<\22vmvx\22, \22vmvx-bytecode-fb\22, {iree.encoding.resolver = #iree_cpu.vmvx_encoding_resolver<>, ukernels = \22none\22}>]>"
    cf.br ^bb7
  ^bb7:  // 2 preds: ^bb5, ^bb6
    util.global.store %3, @__device_0 : !hal.device
    util.return
  }
  util.global private @__device_0_query_0_hal_executable_format_vmvx_bytecode_fb : i1
  util.initializer {
    %__device_0 = util.global.load @__device_0 : !hal.device
    %ok, %value = hal.device.query<%__device_0 : !hal.device> key("hal.executable.format" :: "vmvx-bytecode-fb") : i1, i1 = false
    util.global.store %value, @__device_0_query_0_hal_executable_format_vmvx_bytecode_fb : i1
    util.return
  }
  util.global private @__device_0_executable_0_f_dispatch_0 : !hal.executable
  util.initializer {
    %c-1_i64 = arith.constant -1 : i64
    %c-1 = arith.constant -1 : index
    %c0 = arith.constant 0 : index
    %c14_i32 = arith.constant 14 : i32
    %0 = util.null : !hal.executable
    %__device_0_query_0_hal_executable_format_vmvx_bytecode_fb = util.global.load @__device_0_query_0_hal_executable_format_vmvx_bytecode_fb : i1
    %__device_0 = util.global.load @__device_0 : !hal.device
    %1 = arith.select %__device_0_query_0_hal_executable_format_vmvx_bytecode_fb, %c0, %c-1 : index
    %2 = arith.cmpi eq, %1, %c0 : index
    cf.cond_br %2, ^bb1, ^bb2
  ^bb1:  // pred: ^bb0
    %executable = hal.executable.create device(%__device_0 : !hal.device) affinity(%c-1_i64) target(@f_dispatch_0::@vmvx_bytecode_fb) : !hal.executable
    cf.br ^bb3(%executable : !hal.executable)
  ^bb2:  // pred: ^bb0
    util.status.check_ok %c14_i32, "HAL device `__device_0` does not support any variant of executable `f_dispatch_0`; available formats: [vmvx-bytecode-fb]"
    cf.br ^bb3(%0 : !hal.executable)
  ^bb3(%3: !hal.executable):  // 2 preds: ^bb1, ^bb2
    util.global.store %3, @__device_0_executable_0_f_dispatch_0 : !hal.executable
    util.return
  }
  util.global private mutable @g__timepoint : !hal.fence
  util.global private mutable @g : !hal.buffer
  util.initializer {
    %c-1_i32 = arith.constant -1 : i32
    %c0_i64 = arith.constant 0 : i64
    %c-1_i64 = arith.constant -1 : i64
    %c0 = arith.constant 0 : index
    %0 = util.null : !hal.fence
    %c0_i8 = arith.constant 0 : i8
    %c16 = arith.constant 16 : index
    %memory_type = hal.memory_type<"DeviceVisible|DeviceLocal"> : i32
    %buffer_usage = hal.buffer_usage<"TransferSource|TransferTarget|Transfer|DispatchStorageRead|DispatchStorageWrite|DispatchStorage"> : i32
    %__device_0 = util.global.load immutable @__device_0 : !hal.device
    %fence = hal.fence.create device(%__device_0 : !hal.device) flags("None") : !hal.fence
    %transient_buffer = hal.device.queue.alloca<%__device_0 : !hal.device> affinity(%c-1_i64) wait(%0) signal(%fence) pool(%c0_i64) type(%memory_type) usage(%buffer_usage) flags("None") : !hal.buffer{%c16}
    %fence_0 = hal.fence.create device(%__device_0 : !hal.device) flags("None") : !hal.fence
    hal.device.queue.fill<%__device_0 : !hal.device> affinity(%c-1_i64) wait(%fence) signal(%fence_0) target(%transient_buffer : !hal.buffer)[%c0] length(%c16) pattern(%c0_i8 : i8) flags("None")
    %status = hal.fence.await until([%fence_0]) timeout_millis(%c-1_i32) flags("None") : i32
    util.status.check_ok %status, "failed to wait on timepoint"
    util.global.store %transient_buffer, @g : !hal.buffer
    util.global.store %0, @g__timepoint : !hal.fence
    util.return
  }
  hal.executable private @f_dispatch_0 {
    hal.executable.binary public @vmvx_bytecode_fb <format = "vmvx-bytecode-fb", data = dense<"0x504B03042D00000000000000210003A32C75FFFFFFFFFFFFFFFF090019006D6F64756C652E6662CAFE01000001001000BC04000000000000BC04000000000000BC040000240000004952454500000000000000000000000000000000000000000000000000000000C6FBFFFF2800000009000000E8010000FC010000000200000402000010030000000011002003000010000000060000006D6F64756C65000008FCFFFF0C000000140000003400000008000000000202010201020108000000000000007401000060010000500100003C0100002C010000180100000801000001000000040000005EFCFFFF08000000280000001E000000665F64697370617463685F305F656C656D656E74776973655F345F66333200001900000001000000000000000C0000000000000017000000000000001A000000000000001D0000000000000024000000030000002B000000030000003200000000000000390000000200000044000000050000004F000000030000005A000000030000006000000003000000690000000300000070000000030000008100000003000000890000000300000091000000030000009900000007000000A100000003000000A900000003000000B100000003000000B800000003000000C100000003000000CC000000030000005AFDFFFF060000000200000058FDFFFF54000000060000000800000076FDFFFF040000000200000074FDFFFF38000000050000000800000092FDFFFF010000000200000090FDFFFF1C0000000300000001000000A0FDFFFF0C00000007000000080000000C000000676C6F62616C732E6D6C69720000000005000000880000007400000060000000440000001C000000010000008000000001000000A400000001000000EC000000FAFDFFFF040000001400000021766D2E6C6973743C21766D2E6275666665723E000000001EFEFFFF040000000A00000021766D2E627566666572000036FEFFFF04000000030000006936340046FEFFFF04000000030000006933320056FEFFFF04000000030000006633320066FEFFFF040000001E000000665F64697370617463685F305F656C656D656E74776973655F345F66333200009AFEFFFF08000000180000000F000000307272726969696969696969695F76000100000004000000C2FEFFFF08000000180000000D00000062696E64696E675F636F756E740000000100000033000000F4FEFFFF04000000100000000000803F000000400000404000008040000000000100000000000000D000000009000000000004000C000500D0000000790F01000000000000000A000F040000000000000000000E02000C04000D0100000005000D02000000060085020000800180110000000000801A028004000300000001801A028005000300000003801A028006000300000004808500010002805668000000000000795002000000040057040080000000000000C0000000000079E033018002000400E033008002000500E033038002000600E00A040005000500E00A050006000600E0340480020006002A02000A00020056680000000000007985040000800180038004805A0000000A00080000000000040008000C00040008000600080004000A001000040008000C0024002C0004000000080000000C0000000000100014001800000000001C0020002400280000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000504B01021E032D00000000000000210003A32C75FFFFFFFFFFFFFFFF09001C0000000000000000000000FFFFFFFF6D6F64756C652E666201001800BC04000000000000BC040000000000000000000000000000504B06062C000000000000002D002D0000000000000000000100000000000000010000000000000053000000000000000005000000000000504B060700000000530500000000000001000000504B0506000000000100010053000000FFFFFFFF0000"> : vector<1461xi8>, mime_type = "application/x-flatbuffers">
  }
  util.func private @__f_memoize_apply() -> !hal.command_buffer attributes {inlining_policy = #util.inline.never} {
    %c-1_i64 = arith.constant -1 : i64
    %c4 = arith.constant 4 : index
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c16 = arith.constant 16 : index
    %c3 = arith.constant 3 : index
    %__device_0 = util.global.load immutable @__device_0 : !hal.device
    %__device_0_executable_0_f_dispatch_0 = util.global.load immutable @__device_0_executable_0_f_dispatch_0 : !hal.executable
    %cmd = hal.command_buffer.create device(%__device_0 : !hal.device) mode("None") categories("Transfer|Dispatch") affinity(%c-1_i64) bindings(%c4) : !hal.command_buffer
    %function_id = hal.executable.lookup.function target(%__device_0_executable_0_f_dispatch_0 : !hal.executable) function(@f_dispatch_0::@vmvx_bytecode_fb::@f_dispatch_0_elementwise_4_f32) : i64
    hal.command_buffer.dispatch<%cmd : !hal.command_buffer> target(%__device_0_executable_0_f_dispatch_0 : !hal.executable)[%function_id] workgroups([%c1, %c1, %c1]) bindings([
      (%c0 : index)[%c0, %c16], 
      (%c1 : index)[%c0, %c16], 
      (%c2 : index)[%c0, %c16]
    ]) flags("None")
    hal.command_buffer.execution_barrier<%cmd : !hal.command_buffer> source("Dispatch|Transfer|CommandRetire") target("CommandIssue|Dispatch|Transfer") flags("None")
    hal.command_buffer.copy_buffer<%cmd : !hal.command_buffer> source(%c2 : index)[%c0] target(%c3 : index)[%c0] length(%c16) flags("None")
    hal.command_buffer.execution_barrier<%cmd : !hal.command_buffer> source("Dispatch|Transfer|CommandRetire") target("CommandIssue|Dispatch|Transfer") flags("None")
    hal.command_buffer.finalize<%cmd : !hal.command_buffer>
    util.return %cmd : !hal.command_buffer
  }
  util.global private @__f_memoize_result_0_device_0 : !hal.command_buffer
  util.initializer {
    %0 = util.call @__f_memoize_apply() : () -> !hal.command_buffer
    util.global.store %0, @__f_memoize_result_0_device_0 : !hal.command_buffer
    util.return
  }
  util.func public @f(%arg0: !hal.buffer_view) -> !hal.buffer_view attributes {iree.abi.stub, iree.reflection = {iree.abi.declaration = "sync func @f(%input0: tensor<4xf32>) -> (%output0: tensor<4xf32>)"}} {
    %c-1_i32 = arith.constant -1 : i32
    %c0_i64 = arith.constant 0 : i64
    %c-1_i64 = arith.constant -1 : i64
    %c16 = arith.constant 16 : index
    %c4 = arith.constant 4 : index
    %c0 = arith.constant 0 : index
    %memory_type = hal.memory_type<"DeviceVisible|DeviceLocal"> : i32
    %buffer_usage = hal.buffer_usage<"TransferSource|TransferTarget|Transfer|DispatchStorageRead|DispatchStorageWrite|DispatchStorage"> : i32
    %g__timepoint = util.global.load @g__timepoint : !hal.fence
    %g = util.global.load @g : !hal.buffer
    %__device_0 = util.global.load immutable @__device_0 : !hal.device
    %__f_memoize_result_0_device_0 = util.global.load immutable @__f_memoize_result_0_device_0 : !hal.command_buffer
    %element_type_f32 = hal.element_type<f32> : i32
    %dense_row_major = hal.encoding_type<dense_row_major> : i32
    hal.buffer_view.assert<%arg0 : !hal.buffer_view> message("input0") shape([%c4]) type(%element_type_f32) encoding(%dense_row_major)
    %buffer = hal.buffer_view.buffer<%arg0 : !hal.buffer_view> : !hal.buffer
    %allocator = hal.device.allocator<%__device_0 : !hal.device> : !hal.allocator
    hal.buffer.assert<%buffer : !hal.buffer> message("tensor") allocator(%allocator : !hal.allocator) minimum_length(%c16) type(DeviceVisible) usage("TransferSource|TransferTarget|Transfer|DispatchStorageRead|DispatchStorageWrite|DispatchStorage")
    %fence = hal.fence.create device(%__device_0 : !hal.device) flags("None") : !hal.fence
    %transient_buffer = hal.device.queue.alloca<%__device_0 : !hal.device> affinity(%c-1_i64) wait(%g__timepoint) signal(%fence) pool(%c0_i64) type(%memory_type) usage(%buffer_usage) flags("None") : !hal.buffer{%c16}
    %fence_0 = hal.fence.create device(%__device_0 : !hal.device) flags("None") : !hal.fence
    %transient_buffer_1 = hal.device.queue.alloca<%__device_0 : !hal.device> affinity(%c-1_i64) wait(%g__timepoint) signal(%fence_0) pool(%c0_i64) type(%memory_type) usage(%buffer_usage) flags("None") : !hal.buffer{%c16}
    %fence_2 = hal.fence.join at([%fence, %fence_0]) flags("None") -> !hal.fence
    %fence_3 = hal.fence.create device(%__device_0 : !hal.device) flags("None") : !hal.fence
    hal.device.queue.execute.indirect<%__device_0 : !hal.device> affinity(%c-1_i64) wait(%fence_2) signal(%fence_3) commands(%__f_memoize_result_0_device_0) bindings([
      (%buffer : !hal.buffer)[%c0, %c16], 
      (%g : !hal.buffer)[%c0, %c16], 
      (%transient_buffer : !hal.buffer)[%c0, %c16], 
      (%transient_buffer_1 : !hal.buffer)[%c0, %c16]
    ]) flags("None")
    %status = hal.fence.await until([%fence_3]) timeout_millis(%c-1_i32) flags("None") : i32
    util.status.check_ok %status, "failed to wait on timepoint"
    %view = hal.buffer_view.create buffer(%transient_buffer : !hal.buffer)[%c0, %c16] shape([%c4]) type(%element_type_f32) encoding(%dense_row_major) : !hal.buffer_view
    util.global.store %transient_buffer_1, @g : !hal.buffer
    util.global.store %fence_3, @g__timepoint : !hal.fence
    util.return %view : !hal.buffer_view
  }
}

