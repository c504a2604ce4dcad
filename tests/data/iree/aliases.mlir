// Attributes of IREE's dialects for which it names aliases, several of each name, alone and within others.
// made with iree-base-compiler 3.13.0:
//   iree-opt --allow-unregistered-dialect --emit-bytecode aliases.mlir -o aliases.mlirbc
//   iree-opt --allow-unregistered-dialect --mlir-print-op-generic aliases.mlirbc -o aliases.generic.mlir
module attributes {
  t.devices = [
    #hal.device.target<"local", [#hal.executable.target<"llvm-cpu", "embedded-elf-x86_64", {cpu = "generic"}>]> : !hal.device,
    #hal.device.target<"local", {ordinal = 0 : index}, [#hal.executable.target<"llvm-cpu", "embedded-elf-x86_64">]> : !hal.device,
    #hal.device.target<"local", {legacy, ordinal = 12 : index, z = [{ordinal = 3}]}> : !hal.device,
    #hal.device.target<"X.Y-1", {a = "ordinal = 3"}, [#hal.executable.target<"vmvx", "vmvx-bytecode-fb">]> : !hal.device,
    #hal.device.target<"local"> : !hal.device
  ],
  t.targets = [
    #hal.executable.target<"llvm-cpu", "embedded-elf-x86_64", {cpu = "generic"}>,
    #hal.executable.target<"llvm-cpu", "embedded-elf-x86_64">,
    #hal.executable.target<"cuda", "cuda-nvptx-fb", {map = affine_map<(d0, d1) -> (d1, d0)>}>
  ]
} {
  "t.layouts"() {
    a = #hal.pipeline.layout<bindings = [#hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">]>,
    b = #hal.pipeline.layout<constants = 2, bindings = [#hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<uniform_buffer>]>,
    c = #hal.device.affinity<@device>
  } : () -> ()
  "t.composites"() {
    a = #util.composite<8xi8, [dense<[1, 2]> : tensor<2xi32>]>,
    b = #util.composite<8xi8, [dense<[3, 4]> : tensor<2xi32>]>,
    c = #util.composite<20xi8, [#util.composite<8xi8, [dense<[1, 2]> : tensor<2xi32>]>, dense<0> : tensor<12xi8>]>
  } : () -> ()
  "t.configs"() {
    a = #iree_codegen.lowering_config<tile_sizes = [[4, 8], [1, 0]]>,
    b = #iree_cpu.lowering_config<distribution = [64, 64, 0], cache_parallel = [8, 8, 0]>,
    c = #iree_codegen.translation_info<pipeline = #iree_cpu.pipeline<DoubleTilingExpert>, {x = 1}>,
    d = #iree_codegen.compilation_info<lowering_config = #iree_codegen.lowering_config<tile_sizes = [[4, 8], [1, 0]]>, translation_info = <pipeline = #iree_cpu.pipeline<DoubleTilingExpert>>>,
    e = #iree_codegen.compilation_info<lowering_config = #iree_cpu.lowering_config<distribution = [1]>, translation_info = <pipeline = #iree_cpu.pipeline<DoubleTilingExpert>, {x = 1}>>,
    f = #iree_gpu.lowering_config<{workgroup = [1, 2]}>
  } : () -> ()
  "t.encodings"() {
    a = #iree_encoding.testing<>,
    b = #iree_encoding.unknown,
    c = #iree_encoding.layout<[#iree_encoding.testing<>]>,
    d = #iree_encoding.encoding<operand_index = 0, op_type = matmul, element_types = [f32, f32, f32], user_indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1) -> (d1, d0)>]>,
    e = tensor<4x4xf32, #iree_encoding.testing<layouts = [#iree_encoding.identity]>>,
    f = #iree_encoding.identity
  } : () -> ()
  "t.layouts"() {
    a = #iree_vector_ext.nested_layout<subgroup_tile = [1], batch_tile = [1], outer_tile = [1], thread_tile = [4], element_tile = [4], subgroup_strides = [0], thread_strides = [1]>,
    b = #iree_map.pack_map<(4, 8) : (8, 1)>,
    c = #iree_map.pack_layout<((4, 32)) : ((0, 1))>
  } : () -> ()
}
