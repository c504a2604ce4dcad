// releases: 19
// covers: the xegpu dialect: tensor descriptors with layouts, block and scattered accesses, barriers, matrices.
func.func @xegpu(%m: memref<24x32xf16>, %i: index, %p: ui64, %o: vector<4xindex>, %mask: vector<4xi1>, %a: vector<8x16xf16>, %b: vector<16x16xf16>, %c: vector<8x16xf32>, %i8: i8, %slm: memref<2048xi8, 3>) {
  %t_10 = xegpu.create_tdesc %p[0, 8, 16, 24] : ui64 -> !xegpu.tensor_desc<4xf32, #xegpu.tdesc_attr<scattered = true>>
  return
}
