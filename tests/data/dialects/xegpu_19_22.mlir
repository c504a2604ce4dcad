// releases: 19 22
// covers: the xegpu dialect: tensor descriptors with layouts, block and scattered accesses, barriers, matrices.
func.func @xegpu(%m: memref<24x32xf16>, %i: index, %p: ui64, %o: vector<4xindex>, %mask: vector<4xi1>, %a: vector<8x16xf16>, %b: vector<16x16xf16>, %c: vector<8x16xf32>, %i8: i8, %slm: memref<2048xi8, 3>) {
  %t_0 = xegpu.create_nd_tdesc %m[0, 0] : memref<24x32xf16> -> !xegpu.tensor_desc<8x16xf16>
      xegpu.prefetch_nd %t_0 <{l1_hint = #xegpu.cache_hint<cached>, l2_hint = #xegpu.cache_hint<uncached>}> : !xegpu.tensor_desc<8x16xf16>
      %v_0 = xegpu.load_nd %t_0 <{l1_hint = #xegpu.cache_hint<streaming>, l3_hint = #xegpu.cache_hint<read_invalidate>}> : !xegpu.tensor_desc<8x16xf16> -> vector<8x16xf16>
      xegpu.store_nd %v_0, %t_0 <{l1_hint = #xegpu.cache_hint<write_back>, l2_hint = #xegpu.cache_hint<write_through>}> : vector<8x16xf16>, !xegpu.tensor_desc<8x16xf16>
      %u_0 = xegpu.update_nd_offset %t_0, [%i, 16] : !xegpu.tensor_desc<8x16xf16>
  xegpu.alloc_nbarrier 8
  %nb_15 = xegpu.init_nbarrier %i8, %i8 : i8, i8 -> !xegpu.nbarrier
      xegpu.nbarrier_arrive %nb_15 : !xegpu.nbarrier
      xegpu.nbarrier_wait %nb_15 : !xegpu.nbarrier
  xegpu.fence memory_kind=global, fence_scope=workgroup
  xegpu.fence memory_kind=slm, fence_scope=gpu
  return
}
