#executable_target_embedded_elf_x86_64 = #hal.executable.target<"llvm-cpu", "embedded-elf-x86_64", {cpu = "generic", cpu_features = "", data_layout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128", iree.encoding.resolver = #iree_cpu.cpu_encoding_resolver<>, max_stack_allocation_size = 32768 : i64, native_vector_size = 16 : i64, target_triple = "x86_64-unknown-unknown-eabi-elf"}>
#map = affine_map<(d0, d1, d2) -> (d0, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d2, d1)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
#device_target_local = #hal.device.target<"local", [#executable_target_embedded_elf_x86_64]> : !hal.device
"builtin.module"() ({
  "util.global"() <{initial_value = #device_target_local, sym_name = "__device_0", sym_visibility = "private", type = !hal.device}> : () -> ()
  "util.func"() <{function_type = (!hal.buffer_view, !hal.buffer_view) -> !hal.buffer_view, sym_name = "f", sym_visibility = "public", tied_operands = [-1 : index]}> ({
  ^bb0(%arg0: !hal.buffer_view, %arg1: !hal.buffer_view):
    %0 = "hal.tensor.import"(%arg0) <{name = "input0", operandSegmentSizes = array<i32: 1, 0, 0, 0>, target_encoding = tensor<16x32xf32>}> : (!hal.buffer_view) -> tensor<16x32xf32>
    %1 = "hal.tensor.import"(%arg1) <{name = "input1", operandSegmentSizes = array<i32: 1, 0, 0, 0>, target_encoding = tensor<32x64xf32>}> : (!hal.buffer_view) -> tensor<32x64xf32>
    %2 = "flow.dispatch.workgroups"(%0, %1) <{operandSegmentSizes = array<i32: 0, 2, 0, 0>, tied_operands = [-1 : index]}> ({
    ^bb0(%arg2: !iree_tensor_ext.dispatch.tensor<readonly:tensor<16x32xf32>>, %arg3: !iree_tensor_ext.dispatch.tensor<readonly:tensor<32x64xf32>>, %arg4: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<16x64xf32>>):
      %5 = "arith.constant"() <{value = 0.000000e+00 : f32}> : () -> f32
      %6 = "iree_tensor_ext.dispatch.tensor.load"(%arg2) <{operandSegmentSizes = array<i32: 1, 0, 0, 0, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: 16, 32>, static_strides = array<i64: 1, 1>}> : (!iree_tensor_ext.dispatch.tensor<readonly:tensor<16x32xf32>>) -> tensor<16x32xf32>
      %7 = "iree_tensor_ext.dispatch.tensor.load"(%arg3) <{operandSegmentSizes = array<i32: 1, 0, 0, 0, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: 32, 64>, static_strides = array<i64: 1, 1>}> : (!iree_tensor_ext.dispatch.tensor<readonly:tensor<32x64xf32>>) -> tensor<32x64xf32>
      %8 = "tensor.empty"() : () -> tensor<16x64xf32>
      %9 = "linalg.fill"(%5, %8) <{operandSegmentSizes = array<i32: 1, 1>}> ({
      ^bb0(%arg10: f32, %arg11: f32):
        "linalg.yield"(%arg10) : (f32) -> ()
      }) : (f32, tensor<16x64xf32>) -> tensor<16x64xf32>
      %10 = "linalg.matmul"(%6, %7, %9) <{indexing_maps = [#map, #map1, #map2], operandSegmentSizes = array<i32: 2, 1>}> ({
      ^bb0(%arg7: f32, %arg8: f32, %arg9: f32):
        %13 = "arith.mulf"(%arg7, %arg8) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
        %14 = "arith.addf"(%arg9, %13) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
        "linalg.yield"(%14) : (f32) -> ()
      }) : (tensor<16x32xf32>, tensor<32x64xf32>, tensor<16x64xf32>) -> tensor<16x64xf32>
      %11 = "linalg.generic"(%10, %8) <{indexing_maps = [#map3, #map3], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
      ^bb0(%arg5: f32, %arg6: f32):
        %12 = "math.exp"(%arg5) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
        "linalg.yield"(%12) : (f32) -> ()
      }) : (tensor<16x64xf32>, tensor<16x64xf32>) -> tensor<16x64xf32>
      "iree_tensor_ext.dispatch.tensor.store"(%11, %arg4) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: 16, 64>, static_strides = array<i64: 1, 1>}> : (tensor<16x64xf32>, !iree_tensor_ext.dispatch.tensor<writeonly:tensor<16x64xf32>>) -> ()
      "flow.return"() : () -> ()
    }, {
      %4:3 = "iree_tensor_ext.dispatch.workgroup_count_from_slice"() : () -> (index, index, index)
      "flow.return"(%4#0, %4#1, %4#2) : (index, index, index) -> ()
    }) : (tensor<16x32xf32>, tensor<32x64xf32>) -> tensor<16x64xf32>
    %3 = "hal.tensor.export"(%2) <{name = "output0", source_encoding = tensor<16x64xf32>}> : (tensor<16x64xf32>) -> !hal.buffer_view
    "util.return"(%3) : (!hal.buffer_view) -> ()
  }) {iree.abi.stub, iree.reflection = {iree.abi.declaration = "sync func @f(%input0: tensor<16x32xf32>, %input1: tensor<32x64xf32>) -> (%output0: tensor<16x64xf32>)"}} : () -> ()
}) {stream.affinity.default = #hal.device.affinity<@__device_0>} : () -> ()

