// releases: 16 19
// covers: the amx dialect: tiles, as vectors in old releases and as a type of its own in new ones.
func.func @amx_vectors(%m: memref<?x?xi8>, %f: memref<?x?xbf16>, %n: index, %o: memref<?x?xi32>, %g: memref<?x?xf32>) {
  %t = amx.tile_load %m[%n, %n] : memref<?x?xi8> into vector<16x64xi8>
  %z = amx.tile_zero : vector<16x16xi32>
  %r = amx.tile_muli %t, %t zext, %z : vector<16x64xi8>, vector<16x64xi8>, vector<16x16xi32>
  %s = amx.tile_muli %t zext, %t, %r : vector<16x64xi8>, vector<16x64xi8>, vector<16x16xi32>
  amx.tile_store %o[%n, %n], %s : memref<?x?xi32>, vector<16x16xi32>
  %x = amx.tile_load %f[%n, %n] : memref<?x?xbf16> into vector<16x32xbf16>
  %y = amx.tile_zero : vector<16x16xf32>
  %w = amx.tile_mulf %x, %x, %y : vector<16x32xbf16>, vector<16x32xbf16>, vector<16x16xf32>
  amx.tile_store %g[%n, %n], %w : memref<?x?xf32>, vector<16x16xf32>
  return
}
