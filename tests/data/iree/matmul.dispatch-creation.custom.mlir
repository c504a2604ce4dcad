#executable_target_embedded_elf_x86_64 = #hal.executable.target<"llvm-cpu", "embedded-elf-x86_64", {cpu = "generic", cpu_features = "", data_layout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128", iree.encoding.resolver = #iree_cpu.cpu_encoding_resolver<>, max_stack_allocation_size = 32768 : i64, native_vector_size = 16 : i64, target_triple = "x86_64-unknown-unknown-eabi-elf"}>
#map = affine_map<(d0, d1) -> (d0, d1)>
#device_target_local = #hal.device.target<"local", [#executable_target_embedded_elf_x86_64]> : !hal.device
module attributes {stream.affinity.default = #hal.device.affinity<@__device_0>} {
  util.global private @__device_0 = #device_target_local
  util.func public @f(%arg0: !hal.buffer_view, %arg1: !hal.buffer_view) -> !hal.buffer_view attributes {iree.abi.stub, iree.reflection = {iree.abi.declaration = "sync func @f(%input0: tensor<16x32xf32>, %input1: tensor<32x64xf32>) -> (%output0: tensor<16x64xf32>)"}} {
    %0 = hal.tensor.import %arg0 "input0" : !hal.buffer_view -> tensor<16x32xf32>
    %1 = hal.tensor.import %arg1 "input1" : !hal.buffer_view -> tensor<32x64xf32>
    %2 = flow.dispatch.workgroups(%0, %1) : (tensor<16x32xf32>, tensor<32x64xf32>) -> tensor<16x64xf32> =
        (%arg2: !iree_tensor_ext.dispatch.tensor<readonly:tensor<16x32xf32>>, %arg3: !iree_tensor_ext.dispatch.tensor<readonly:tensor<32x64xf32>>, %arg4: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<16x64xf32>>) {
      %cst = arith.constant 0.000000e+00 : f32
      %4 = iree_tensor_ext.dispatch.tensor.load %arg2, offsets = [0, 0], sizes = [16, 32], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<16x32xf32>> -> tensor<16x32xf32>
      %5 = iree_tensor_ext.dispatch.tensor.load %arg3, offsets = [0, 0], sizes = [32, 64], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<32x64xf32>> -> tensor<32x64xf32>
      %6 = tensor.empty() : tensor<16x64xf32>
      %7 = linalg.fill ins(%cst : f32) outs(%6 : tensor<16x64xf32>) -> tensor<16x64xf32>
      %8 = linalg.matmul ins(%4, %5 : tensor<16x32xf32>, tensor<32x64xf32>) outs(%7 : tensor<16x64xf32>) -> tensor<16x64xf32>
      %9 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%8 : tensor<16x64xf32>) outs(%6 : tensor<16x64xf32>) {
      ^bb0(%in: f32, %out: f32):
        %10 = math.exp %in : f32
        linalg.yield %10 : f32
      } -> tensor<16x64xf32>
      iree_tensor_ext.dispatch.tensor.store %9, %arg4, offsets = [0, 0], sizes = [16, 64], strides = [1, 1] : tensor<16x64xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<16x64xf32>>
      flow.return
    } count() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      flow.return %x, %y, %z : index, index, index
    }
    %3 = hal.tensor.export %2 "output0" : tensor<16x64xf32> -> !hal.buffer_view
    util.return %3 : !hal.buffer_view
  }
}

