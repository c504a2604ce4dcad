"builtin.module"() ({
  "util.global"() <{sym_name = "__device_0", sym_visibility = "private", type = !hal.device}> : () -> ()
  "util.initializer"() <{function_type = () -> ()}> ({
    %63 = "arith.constant"() <{value = 18 : i32}> : () -> i32
    %64 = "arith.constant"() <{value = false}> : () -> i1
    %65 = "arith.constant"() <{value = 0 : index}> : () -> index
    %66 = "arith.constant"() <{value = 1 : index}> : () -> index
    %67 = "util.null"() : () -> !hal.device
    %68 = "hal.devices.count"() : () -> index
    "cf.br"(%65, %65, %67)[^bb1] : (index, index, !hal.device) -> ()
  ^bb1(%69: index, %70: index, %71: !hal.device):  // 2 preds: ^bb0, ^bb4
    %72 = "util.cmp.eq"(%71, %67) : (!hal.device, !hal.device) -> i1
    %73 = "arith.cmpi"(%69, %68) <{predicate = 2 : i64}> : (index, index) -> i1
    %74 = "arith.andi"(%72, %73) : (i1, i1) -> i1
    "cf.cond_br"(%74)[^bb2, ^bb5] <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (i1) -> ()
  ^bb2:  // pred: ^bb1
    %75 = "hal.devices.get"(%69) : (index) -> !hal.device
    %76:2 = "hal.device.query"(%75) <{category = "hal.device.id", default_value = false, key = "local*"}> : (!hal.device) -> (i1, i1)
    "cf.cond_br"(%76#1, %64)[^bb3, ^bb4] <{operandSegmentSizes = array<i32: 1, 0, 1>}> : (i1, i1) -> ()
  ^bb3:  // pred: ^bb2
    %77:2 = "hal.device.query"(%75) <{category = "hal.executable.format", default_value = false, key = "vmvx-bytecode-fb"}> : (!hal.device) -> (i1, i1)
    "cf.br"(%77#1)[^bb4] : (i1) -> ()
  ^bb4(%78: i1):  // 2 preds: ^bb2, ^bb3
    %79 = "arith.cmpi"(%70, %65) <{predicate = 0 : i64}> : (index, index) -> i1
    %80 = "arith.select"(%78, %66, %65) : (i1, index, index) -> index
    %81 = "arith.addi"(%70, %80) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %82 = "arith.andi"(%78, %79) : (i1, i1) -> i1
    %83 = "arith.select"(%82, %75, %67) : (i1, !hal.device, !hal.device) -> !hal.device
    %84 = "arith.addi"(%69, %66) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    "cf.br"(%84, %81, %83)[^bb1] : (index, index, !hal.device) -> ()
  ^bb5:  // pred: ^bb1
    "cf.cond_br"(%72)[^bb6, ^bb7] <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (i1) -> ()
  ^bb6:  // pred: ^bb5
    "util.status.check_ok"(%63) <{message = "HAL device `__device_0` not found or unavailable: #hal.device.target<\22local\22, [#hal.executable.target<\22vmvx\22, \22vmvx-bytecode-fb\22, {iree.encoding.resolver = #iree_cpu.vmvx_encoding_resolver<>, ukernels = \22none\22}>]>"}> : (i32) -> ()
    "cf.br"()[^bb7] : () -> ()
  ^bb7:  // 2 preds: ^bb5, ^bb6
    "util.global.store"(%71) <{global = @__device_0}> : (!hal.device) -> ()
    "util.return"() : () -> ()
  }) : () -> ()
  "util.global"() <{sym_name = "__device_0_query_0_hal_executable_format_vmvx_bytecode_fb", sym_visibility = "private", type = i1}> : () -> ()
  "util.initializer"() <{function_type = () -> ()}> ({
    %61 = "util.global.load"() <{global = @__device_0}> : () -> !hal.device
    %62:2 = "hal.device.query"(%61) <{category = "hal.executable.format", default_value = false, key = "vmvx-bytecode-fb"}> : (!hal.device) -> (i1, i1)
    "util.global.store"(%62#1) <{global = @__device_0_query_0_hal_executable_format_vmvx_bytecode_fb}> : (i1) -> ()
    "util.return"() : () -> ()
  }) : () -> ()
  "util.global"() <{sym_name = "__device_0_executable_0_f_dispatch_0", sym_visibility = "private", type = !hal.executable}> : () -> ()
  "util.initializer"() <{function_type = () -> ()}> ({
    %50 = "arith.constant"() <{value = -1 : i64}> : () -> i64
    %51 = "arith.constant"() <{value = -1 : index}> : () -> index
    %52 = "arith.constant"() <{value = 0 : index}> : () -> index
    %53 = "arith.constant"() <{value = 14 : i32}> : () -> i32
    %54 = "util.null"() : () -> !hal.executable
    %55 = "util.global.load"() <{global = @__device_0_query_0_hal_executable_format_vmvx_bytecode_fb}> : () -> i1
    %56 = "util.global.load"() <{global = @__device_0}> : () -> !hal.device
    %57 = "arith.select"(%55, %52, %51) : (i1, index, index) -> index
    %58 = "arith.cmpi"(%57, %52) <{predicate = 0 : i64}> : (index, index) -> i1
    "cf.cond_br"(%58)[^bb1, ^bb2] <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (i1) -> ()
  ^bb1:  // pred: ^bb0
    %59 = "hal.executable.create"(%56, %50) <{executable_target = @f_dispatch_0::@vmvx_bytecode_fb}> : (!hal.device, i64) -> !hal.executable
    "cf.br"(%59)[^bb3] : (!hal.executable) -> ()
  ^bb2:  // pred: ^bb0
    "util.status.check_ok"(%53) <{message = "HAL device `__device_0` does not support any variant of executable `f_dispatch_0`; available formats: [vmvx-bytecode-fb]"}> : (i32) -> ()
    "cf.br"(%54)[^bb3] : (!hal.executable) -> ()
  ^bb3(%60: !hal.executable):  // 2 preds: ^bb1, ^bb2
    "util.global.store"(%60) <{global = @__device_0_executable_0_f_dispatch_0}> : (!hal.executable) -> ()
    "util.return"() : () -> ()
  }) : () -> ()
  "util.global"() <{is_mutable, sym_name = "g__timepoint", sym_visibility = "private", type = !hal.fence}> : () -> ()
  "util.global"() <{is_mutable, sym_name = "g", sym_visibility = "private", type = !hal.buffer}> : () -> ()
  "util.initializer"() <{function_type = () -> ()}> ({
    %36 = "arith.constant"() <{value = -1 : i32}> : () -> i32
    %37 = "arith.constant"() <{value = 0 : i64}> : () -> i64
    %38 = "arith.constant"() <{value = -1 : i64}> : () -> i64
    %39 = "arith.constant"() <{value = 0 : index}> : () -> index
    %40 = "util.null"() : () -> !hal.fence
    %41 = "arith.constant"() <{value = 0 : i8}> : () -> i8
    %42 = "arith.constant"() <{value = 16 : index}> : () -> index
    %43 = "hal.memory_type"() <{type = 48 : i32}> : () -> i32
    %44 = "hal.buffer_usage"() <{usage = 3075 : i32}> : () -> i32
    %45 = "util.global.load"() <{global = @__device_0, is_immutable}> : () -> !hal.device
    %46 = "hal.fence.create"(%45) <{flags = 0 : i64}> : (!hal.device) -> !hal.fence
    %47 = "hal.device.queue.alloca"(%45, %38, %40, %46, %37, %43, %44, %42) <{flags = 0 : i64}> : (!hal.device, i64, !hal.fence, !hal.fence, i64, i32, i32, index) -> !hal.buffer
    %48 = "hal.fence.create"(%45) <{flags = 0 : i64}> : (!hal.device) -> !hal.fence
    "hal.device.queue.fill"(%45, %38, %46, %48, %47, %39, %42, %41) <{flags = 0 : i64}> : (!hal.device, i64, !hal.fence, !hal.fence, !hal.buffer, index, index, i8) -> ()
    %49 = "hal.fence.await"(%36, %48) <{flags = 0 : i64}> : (i32, !hal.fence) -> i32
    "util.status.check_ok"(%49) <{message = "failed to wait on timepoint"}> : (i32) -> ()
    "util.global.store"(%47) <{global = @g}> : (!hal.buffer) -> ()
    "util.global.store"(%40) <{global = @g__timepoint}> : (!hal.fence) -> ()
    "util.return"() : () -> ()
  }) : () -> ()
  "hal.executable"() <{sym_name = "f_dispatch_0", sym_visibility = "private"}> ({
    "hal.executable.binary"() <{data = dense<"0x504B03042D00000000000000210003A32C75FFFFFFFFFFFFFFFF090019006D6F64756C652E6662CAFE01000001001000BC04000000000000BC04000000000000BC040000240000004952454500000000000000000000000000000000000000000000000000000000C6FBFFFF2800000009000000E8010000FC010000000200000402000010030000000011002003000010000000060000006D6F64756C65000008FCFFFF0C000000140000003400000008000000000202010201020108000000000000007401000060010000500100003C0100002C010000180100000801000001000000040000005EFCFFFF08000000280000001E000000665F64697370617463685F305F656C656D656E74776973655F345F66333200001900000001000000000000000C0000000000000017000000000000001A000000000000001D0000000000000024000000030000002B000000030000003200000000000000390000000200000044000000050000004F000000030000005A000000030000006000000003000000690000000300000070000000030000008100000003000000890000000300000091000000030000009900000007000000A100000003000000A900000003000000B100000003000000B800000003000000C100000003000000CC000000030000005AFDFFFF060000000200000058FDFFFF54000000060000000800000076FDFFFF040000000200000074FDFFFF38000000050000000800000092FDFFFF010000000200000090FDFFFF1C0000000300000001000000A0FDFFFF0C00000007000000080000000C000000676C6F62616C732E6D6C69720000000005000000880000007400000060000000440000001C000000010000008000000001000000A400000001000000EC000000FAFDFFFF040000001400000021766D2E6C6973743C21766D2E6275666665723E000000001EFEFFFF040000000A00000021766D2E627566666572000036FEFFFF04000000030000006936340046FEFFFF04000000030000006933320056FEFFFF04000000030000006633320066FEFFFF040000001E000000665F64697370617463685F305F656C656D656E74776973655F345F66333200009AFEFFFF08000000180000000F000000307272726969696969696969695F76000100000004000000C2FEFFFF08000000180000000D00000062696E64696E675F636F756E740000000100000033000000F4FEFFFF04000000100000000000803F000000400000404000008040000000000100000000000000D000000009000000000004000C000500D0000000790F01000000000000000A000F040000000000000000000E02000C04000D0100000005000D02000000060085020000800180110000000000801A028004000300000001801A028005000300000003801A028006000300000004808500010002805668000000000000795002000000040057040080000000000000C0000000000079E033018002000400E033008002000500E033038002000600E00A040005000500E00A050006000600E0340480020006002A02000A00020056680000000000007985040000800180038004805A0000000A00080000000000040008000C00040008000600080004000A001000040008000C0024002C0004000000080000000C0000000000100014001800000000001C0020002400280000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000504B01021E032D00000000000000210003A32C75FFFFFFFFFFFFFFFF09001C0000000000000000000000FFFFFFFF6D6F64756C652E666201001800BC04000000000000BC040000000000000000000000000000504B06062C000000000000002D002D0000000000000000000100000000000000010000000000000053000000000000000005000000000000504B060700000000530500000000000001000000504B0506000000000100010053000000FFFFFFFF0000"> : vector<1461xi8>, format = "vmvx-bytecode-fb", mime_type = "application/x-flatbuffers", sym_name = "vmvx_bytecode_fb", sym_visibility = "public"}> : () -> ()
    "hal.executable_end"() : () -> ()
  }) : () -> ()
  "util.func"() <{function_type = () -> !hal.command_buffer, inlining_policy = #util.inline.never, sym_name = "__f_memoize_apply", sym_visibility = "private", tied_operands = [-1 : index]}> ({
    %25 = "arith.constant"() <{value = -1 : i64}> : () -> i64
    %26 = "arith.constant"() <{value = 4 : index}> : () -> index
    %27 = "arith.constant"() <{value = 0 : index}> : () -> index
    %28 = "arith.constant"() <{value = 1 : index}> : () -> index
    %29 = "arith.constant"() <{value = 2 : index}> : () -> index
    %30 = "arith.constant"() <{value = 16 : index}> : () -> index
    %31 = "arith.constant"() <{value = 3 : index}> : () -> index
    %32 = "util.global.load"() <{global = @__device_0, is_immutable}> : () -> !hal.device
    %33 = "util.global.load"() <{global = @__device_0_executable_0_f_dispatch_0, is_immutable}> : () -> !hal.executable
    %34 = "hal.command_buffer.create"(%32, %25, %26) <{command_categories = 3 : i32, modes = 0 : i32}> : (!hal.device, i64, index) -> !hal.command_buffer
    %35 = "hal.executable.lookup.function"(%33) <{entry_point = @f_dispatch_0::@vmvx_bytecode_fb::@f_dispatch_0_elementwise_4_f32}> : (!hal.executable) -> i64
    "hal.command_buffer.dispatch"(%34, %33, %35, %28, %28, %28, %27, %28, %29, %27, %27, %27, %30, %30, %30) <{flags = 0 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 0, 3, 3, 3>}> : (!hal.command_buffer, !hal.executable, i64, index, index, index, index, index, index, index, index, index, index, index, index) -> ()
    "hal.command_buffer.execution_barrier"(%34) <{flags = 0 : i64, source_stage_mask = 28 : i32, target_stage_mask = 13 : i32}> : (!hal.command_buffer) -> ()
    "hal.command_buffer.copy_buffer"(%34, %29, %27, %31, %27, %30) <{flags = 0 : i64}> : (!hal.command_buffer, index, index, index, index, index) -> ()
    "hal.command_buffer.execution_barrier"(%34) <{flags = 0 : i64, source_stage_mask = 28 : i32, target_stage_mask = 13 : i32}> : (!hal.command_buffer) -> ()
    "hal.command_buffer.finalize"(%34) : (!hal.command_buffer) -> ()
    "util.return"(%34) : (!hal.command_buffer) -> ()
  }) : () -> ()
  "util.global"() <{sym_name = "__f_memoize_result_0_device_0", sym_visibility = "private", type = !hal.command_buffer}> : () -> ()
  "util.initializer"() <{function_type = () -> ()}> ({
    %24 = "util.call"() <{callee = @__f_memoize_apply, tied_operands = [-1 : index]}> : () -> !hal.command_buffer
    "util.global.store"(%24) <{global = @__f_memoize_result_0_device_0}> : (!hal.command_buffer) -> ()
    "util.return"() : () -> ()
  }) : () -> ()
  "util.func"() <{function_type = (!hal.buffer_view) -> !hal.buffer_view, sym_name = "f", sym_visibility = "public", tied_operands = [-1 : index]}> ({
  ^bb0(%arg0: !hal.buffer_view):
    %0 = "arith.constant"() <{value = -1 : i32}> : () -> i32
    %1 = "arith.constant"() <{value = 0 : i64}> : () -> i64
    %2 = "arith.constant"() <{value = -1 : i64}> : () -> i64
    %3 = "arith.constant"() <{value = 16 : index}> : () -> index
    %4 = "arith.constant"() <{value = 4 : index}> : () -> index
    %5 = "arith.constant"() <{value = 0 : index}> : () -> index
    %6 = "hal.memory_type"() <{type = 48 : i32}> : () -> i32
    %7 = "hal.buffer_usage"() <{usage = 3075 : i32}> : () -> i32
    %8 = "util.global.load"() <{global = @g__timepoint}> : () -> !hal.fence
    %9 = "util.global.load"() <{global = @g}> : () -> !hal.buffer
    %10 = "util.global.load"() <{global = @__device_0, is_immutable}> : () -> !hal.device
    %11 = "util.global.load"() <{global = @__f_memoize_result_0_device_0, is_immutable}> : () -> !hal.command_buffer
    %12 = "hal.element_type"() <{type = f32}> : () -> i32
    %13 = "hal.encoding_type"() : () -> i32
    "hal.buffer_view.assert"(%arg0, %12, %13, %4) <{message = "input0"}> : (!hal.buffer_view, i32, i32, index) -> ()
    %14 = "hal.buffer_view.buffer"(%arg0) : (!hal.buffer_view) -> !hal.buffer
    %15 = "hal.device.allocator"(%10) : (!hal.device) -> !hal.allocator
    "hal.buffer.assert"(%14, %15, %3) <{buffer_usage = 3075 : i32, memory_types = 16 : i32, message = "tensor"}> : (!hal.buffer, !hal.allocator, index) -> ()
    %16 = "hal.fence.create"(%10) <{flags = 0 : i64}> : (!hal.device) -> !hal.fence
    %17 = "hal.device.queue.alloca"(%10, %2, %8, %16, %1, %6, %7, %3) <{flags = 0 : i64}> : (!hal.device, i64, !hal.fence, !hal.fence, i64, i32, i32, index) -> !hal.buffer
    %18 = "hal.fence.create"(%10) <{flags = 0 : i64}> : (!hal.device) -> !hal.fence
    %19 = "hal.device.queue.alloca"(%10, %2, %8, %18, %1, %6, %7, %3) <{flags = 0 : i64}> : (!hal.device, i64, !hal.fence, !hal.fence, i64, i32, i32, index) -> !hal.buffer
    %20 = "hal.fence.join"(%16, %18) <{flags = 0 : i64}> : (!hal.fence, !hal.fence) -> !hal.fence
    %21 = "hal.fence.create"(%10) <{flags = 0 : i64}> : (!hal.device) -> !hal.fence
    "hal.device.queue.execute.indirect"(%10, %2, %20, %21, %11, %14, %9, %17, %19, %5, %5, %5, %5, %3, %3, %3, %3) <{flags = 0 : i64}> : (!hal.device, i64, !hal.fence, !hal.fence, !hal.command_buffer, !hal.buffer, !hal.buffer, !hal.buffer, !hal.buffer, index, index, index, index, index, index, index, index) -> ()
    %22 = "hal.fence.await"(%0, %21) <{flags = 0 : i64}> : (i32, !hal.fence) -> i32
    "util.status.check_ok"(%22) <{message = "failed to wait on timepoint"}> : (i32) -> ()
    %23 = "hal.buffer_view.create"(%17, %5, %3, %12, %13, %4) : (!hal.buffer, index, index, i32, i32, index) -> !hal.buffer_view
    "util.global.store"(%19) <{global = @g}> : (!hal.buffer) -> ()
    "util.global.store"(%21) <{global = @g__timepoint}> : (!hal.fence) -> ()
    "util.return"(%23) : (!hal.buffer_view) -> ()
  }) {iree.abi.stub, iree.reflection = {iree.abi.declaration = "sync func @f(%input0: tensor<4xf32>) -> (%output0: tensor<4xf32>)"}} : () -> ()
}) : () -> ()

