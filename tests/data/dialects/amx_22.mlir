// releases: 22
// covers: the amx dialect: tiles, as vectors in old releases and as a type of its own in new ones.
func.func @amx_tiles(%m: memref<?x?xi8>, %f: memref<?x?xbf16>, %a: memref<?x?xf32>, %o: memref<?x?xi32>, %n: index) {
  %t_0 = amx.tile_zero : !amx.tile<16x32xbf16>
  %t_1 = amx.tile_load %f[%n, %n] : memref<?x?xbf16> into !amx.tile<16x32xbf16>
      %z_1 = amx.tile_zero : !amx.tile<16x16xf32>
      %r_1 = amx.tile_mulf %t_1, %t_1, %z_1 : !amx.tile<16x32xbf16>, !amx.tile<16x32xbf16>, !amx.tile<16x16xf32>
      amx.tile_store %a[%n, %n], %r_1 : memref<?x?xf32>, !amx.tile<16x16xf32>
  %t_2 = amx.tile_load %m[%n, %n] : memref<?x?xi8> into !amx.tile<16x64xi8>
      %z_2 = amx.tile_zero : !amx.tile<16x16xi32>
      %r_2 = amx.tile_muli %t_2, %t_2, %z_2 : !amx.tile<16x64xi8>, !amx.tile<16x64xi8>, !amx.tile<16x16xi32>
      %s_2 = amx.tile_muli %t_2 zext, %t_2 zext, %r_2 : !amx.tile<16x64xi8>, !amx.tile<16x64xi8>, !amx.tile<16x16xi32>
      %u_2 = amx.tile_muli %t_2 zext, %t_2, %s_2 : !amx.tile<16x64xi8>, !amx.tile<16x64xi8>, !amx.tile<16x16xi32>
      amx.tile_store %o[%n, %n], %u_2 : memref<?x?xi32>, !amx.tile<16x16xi32>
  %t_3 = amx.tile_load %m[%n, %n], %n : memref<?x?xi8> into !amx.tile<16x64xi8>
  return
}
