#composite_of_8b = #util.composite<8xi8, [
    dense<[1, 2]> : tensor<2xi32>,
]>
#composite_of_8b1 = #util.composite<8xi8, [
    dense<[3, 4]> : tensor<2xi32>,
]>
#config = #iree_codegen.lowering_config<tile_sizes = [[4, 8], [1, 0]]>
#config1 = #iree_cpu.lowering_config<cache_parallel = [8, 8, 0], distribution = [64, 64, 0]>
#config2 = #iree_cpu.lowering_config<distribution = [1]>
#device_target_local = #hal.device.target<"local"> : !hal.device
#device_target_local_12_ = #hal.device.target<"local", {legacy, ordinal = 12 : index, z = [{ordinal = 3 : i64}]}> : !hal.device
#encoding = #iree_encoding.testing<>
#encoding1 = #iree_encoding.unknown
#encoding2 = #iree_encoding.testing<layouts = [#iree_encoding.identity]>
#executable_target_embedded_elf_x86_64 = #hal.executable.target<"llvm-cpu", "embedded-elf-x86_64", {cpu = "generic"}>
#executable_target_embedded_elf_x86_64_1 = #hal.executable.target<"llvm-cpu", "embedded-elf-x86_64">
#executable_target_vmvx_bytecode_fb = #hal.executable.target<"vmvx", "vmvx-bytecode-fb">
#map = affine_map<(d0, d1) -> (d1, d0)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d2)>
#nested = #iree_vector_ext.nested_layout<subgroup_tile = [1], batch_tile = [1], outer_tile = [1], thread_tile = [4], element_tile = [4], subgroup_strides = [0], thread_strides = [1]>
#pack_layout = #iree_map.pack_layout<((4, 32)) : ((0, 1))>
#pack_map = #iree_map.pack_map<(4, 8) : (8, 1)>
#pipeline_layout = #hal.pipeline.layout<bindings = [#hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">]>
#pipeline_layout1 = #hal.pipeline.layout<constants = 2, bindings = [#hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<uniform_buffer>]>
#translation = #iree_codegen.translation_info<pipeline = #iree_cpu.pipeline<DoubleTilingExpert>, {x = 1 : i64}>
#translation1 = #iree_codegen.translation_info<pipeline = #iree_cpu.pipeline<DoubleTilingExpert>>
#compilation = #iree_codegen.compilation_info<lowering_config = #config, translation_info = #translation1>
#compilation1 = #iree_codegen.compilation_info<lowering_config = #config2, translation_info = #translation>
#composite_of_20b = #util.composite<20xi8, [
    #composite_of_8b,
    dense<0> : tensor<12xi8>,
]>
#device_target_local1 = #hal.device.target<"local", [#executable_target_embedded_elf_x86_64]> : !hal.device
#device_target_local_0_ = #hal.device.target<"local", {ordinal = 0 : index}, [#executable_target_embedded_elf_x86_64_1]> : !hal.device
#device_target_x_y_1 = #hal.device.target<"X.Y-1", {a = "ordinal = 3"}, [#executable_target_vmvx_bytecode_fb]> : !hal.device
#encoding3 = #iree_encoding.layout<[#encoding]>
#encoding4 = #iree_encoding.encoding<operand_index = 0 : i64, op_type = matmul, element_types = [f32, f32, f32], user_indexing_maps = [#map1, #map]>
#executable_target_cuda_nvptx_fb = #hal.executable.target<"cuda", "cuda-nvptx-fb", {map = #map}>
module attributes {t.devices = [#device_target_local1, #device_target_local_0_, #device_target_local_12_, #device_target_x_y_1, #device_target_local], t.targets = [#executable_target_embedded_elf_x86_64, #executable_target_embedded_elf_x86_64_1, #executable_target_cuda_nvptx_fb]} {
  "t.layouts"() {a = #pipeline_layout, b = #pipeline_layout1, c = #hal.device.affinity<@device>} : () -> ()
  "t.composites"() {a = #composite_of_8b, b = #composite_of_8b1, c = #composite_of_20b} : () -> ()
  "t.configs"() {a = #config, b = #config1, c = #translation, d = #compilation, e = #compilation1, f = #iree_gpu.lowering_config<{workgroup = [1, 2]}>} : () -> ()
  "t.encodings"() {a = #encoding, b = #encoding1, c = #encoding3, d = #encoding4, e = tensor<4x4xf32, #encoding2>, f = #iree_encoding.identity} : () -> ()
  "t.layouts"() {a = #nested, b = #pack_map, c = #pack_layout} : () -> ()
}

