// releases: 22
// covers: the xegpu dialect: tensor descriptors with layouts, block and scattered accesses, barriers, matrices.
func.func @xegpu(%m: memref<24x32xf16>, %i: index, %p: ui64, %o: vector<4xindex>, %mask: vector<4xi1>, %a: vector<8x16xf16>, %b: vector<16x16xf16>, %c: vector<8x16xf32>, %i8: i8, %slm: memref<2048xi8, 3>) {
  %t_1 = xegpu.create_nd_tdesc %m : memref<24x32xf16> -> !xegpu.tensor_desc<8x16xf16>
      %v_1 = xegpu.load_nd %t_1[%i, 0] : !xegpu.tensor_desc<8x16xf16> -> vector<8x16xf16>
  %t_2 = xegpu.create_nd_tdesc %m[%i, 0] : memref<24x32xf16> -> !xegpu.tensor_desc<16x16xf16, #xegpu.block_tdesc_attr<array_length = 2 : i64, boundary_check = false>>
  %t_3 = xegpu.create_nd_tdesc %m[%i, 0] : memref<24x32xf16> -> !xegpu.tensor_desc<8x16xf16, #xegpu.layout<lane_layout = [1, 16], lane_data = [1, 1]>>
  %t_4 = xegpu.create_nd_tdesc %m[%i, 0] : memref<24x32xf16> -> !xegpu.tensor_desc<24x32xf16, #xegpu.layout<sg_layout = [3, 2], sg_data = [8, 16], inst_data = [8, 16], lane_layout = [1, 16], lane_data = [1, 1], order = [0, 1]>>
  %t_5 = xegpu.create_nd_tdesc %p[0, 0], shape : [%i, %i], strides : [%i, 1] : ui64 -> !xegpu.tensor_desc<8x16xf16>
  %t_8 = xegpu.create_tdesc %p, %o : ui64, vector<4xindex> -> !xegpu.tensor_desc<4xf32, #xegpu.scatter_tdesc_attr<>>
      xegpu.prefetch %t_8 <{l1_hint = #xegpu.cache_hint<cached>}> : !xegpu.tensor_desc<4xf32, #xegpu.scatter_tdesc_attr<>>
      %v_8 = xegpu.load %t_8, %mask <{l1_hint = #xegpu.cache_hint<cached>}> : !xegpu.tensor_desc<4xf32, #xegpu.scatter_tdesc_attr<>>, vector<4xi1> -> vector<4xf32>
      xegpu.store %v_8, %t_8, %mask : vector<4xf32>, !xegpu.tensor_desc<4xf32, #xegpu.scatter_tdesc_attr<>>, vector<4xi1>
      %n_8 = xegpu.update_offset %t_8, %o : !xegpu.tensor_desc<4xf32, #xegpu.scatter_tdesc_attr<>>, vector<4xindex>
      %r_8 = xegpu.atomic_rmw addf %t_8, %mask, %v_8 : !xegpu.tensor_desc<4xf32, #xegpu.scatter_tdesc_attr<>>, vector<4xi1>, vector<4xf32> -> vector<4xf32>
  %t_9 = xegpu.create_tdesc %p, %o : ui64, vector<4xindex> -> !xegpu.tensor_desc<4x2xf32, #xegpu.scatter_tdesc_attr<chunk_size = 2 : i64>>
  xegpu.dpas %a, %b : vector<8x16xf16>, vector<16x16xf16> -> vector<8x16xf32>
  xegpu.dpas %a, %b, %c : vector<8x16xf16>, vector<16x16xf16>, vector<8x16xf32> -> vector<8x16xf32>
  xegpu.load %p[%o], %mask : ui64, vector<4xindex>, vector<4xi1> -> vector<4xf32>
  xegpu.convert_layout %a <{input_layout = #xegpu.layout<lane_layout = [1, 16], lane_data = [1, 1]>, target_layout = #xegpu.layout<lane_layout = [1, 16], lane_data = [2, 1]>}> : vector<8x16xf16>
  %md_20 = xegpu.create_mem_desc %slm : memref<2048xi8, 3> -> !xegpu.mem_desc<16x64xf16>
      %v_20 = xegpu.load_matrix %md_20[8, %i] : !xegpu.mem_desc<16x64xf16>, index -> vector<8x16xf16>
      xegpu.store_matrix %v_20, %md_20[%i, 16] : vector<8x16xf16>, !xegpu.mem_desc<16x64xf16>, index
  %md_21 = xegpu.create_mem_desc %slm : memref<2048xi8, 3> -> !xegpu.mem_desc<16x64xf16, #xegpu.mem_layout<stride = [1, 16], block = [16, 16]>>
  "t.xegpu"() {s = #xegpu.slice<#xegpu.layout<sg_layout = [8, 4], sg_data = [32, 32]>, dims = [1]>, r = #xegpu.range<[0, 32]>, l = #xegpu.layout<lane_layout = [16], lane_data = [1]>} : () -> ()
  return
}
