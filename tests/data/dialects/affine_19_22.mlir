// releases: 19 22
// covers: the affine dialect: loops with maps and bounds, conditionals with sets, loads, stores, DMA, parallel reductions.
#set0 = affine_set<(d0)[s0] : (d0 - 10 >= 0, s0 - d0 - 1 >= 0, d0 mod 2 == 0)>
#tri = affine_map<(d0) -> (d0, 10)>
#low = affine_map<(d0)[s0] -> (d0 floordiv 4, -s0 + 3, d0 ceildiv 2 - 1)>
#pair = affine_map<(d0, d1)[s0] -> (d0 + s0 + d1 * 2 - s0 mod 7)>
#const = affine_map<() -> (42)>
func.func @affine(%n: index, %m: memref<?x100xf32>, %tag: memref<1xi32>, %fast: memref<100x100xf32, 2>) -> f32 {
  %z = arith.constant 0.0 : f32
  %r:2 = affine.for %i = 0 to %n step 3 iter_args(%x = %z, %y = %z) -> (f32, f32) {
    %s = affine.for %j = max #low(%i)[%n] to min #tri(%i) iter_args(%acc = %x) -> f32 {
      %l = affine.load %m[%i + %n * 2, symbol(%n) mod 5] : memref<?x100xf32>
      %t = arith.addf %l, %acc : f32
      affine.store %t, %m[%j, %j + 1] : memref<?x100xf32>
      affine.prefetch %m[%i, %j + 5], read, locality<3>, data : memref<?x100xf32>
      affine.prefetch %m[%i, %j], write, locality<0>, instr : memref<?x100xf32>
      affine.yield %t : f32
    }
    %q = affine.if #set0(%i)[%n] -> f32 {
      affine.yield %s : f32
    } else {
      affine.yield %z : f32
    }
    affine.if affine_set<(d0, d1) : (d0 - d1 == 0)>(%i, %i) {
      affine.store %q, %m[%i, 0] : memref<?x100xf32>
    }
    affine.yield %q, %y : f32, f32
  }
  %a = affine.apply #pair(%n, %n)[%n]
  %a2 = "affine.apply"(%n, %n, %n) {map = affine_map<(d0, d1)[s0] -> (d0 * s0 + d1)>} : (index, index, index) -> index
  %b = affine.min #low(%n)[%n]
  %c = affine.max affine_map<(d0) -> (d0, -d0, 3)>(%n)
  affine.parallel (%i, %j) = (0, 0) to (100, symbol(%n)) step (10, 1) {
    %v = affine.vector_load %m[%i, %j] : memref<?x100xf32>, vector<8xf32>
    affine.vector_store %v, %m[%i + 1, %j] : memref<?x100xf32>, vector<8xf32>
  }
  %red:2 = affine.parallel (%i) = (0) to (min(%n, 1000)) reduce ("addf", "maximumf") -> (f32, f32) {
    affine.yield %z, %z : f32, f32
  }
  affine.dma_start %m[%n, %a + 1], %fast[%n, 0], %tag[0], %n : memref<?x100xf32>, memref<100x100xf32, 2>, memref<1xi32>
  affine.dma_start %m[%n, %a], %fast[%n, 0], %tag[%b], %n, %n, %c : memref<?x100xf32>, memref<100x100xf32, 2>, memref<1xi32>
  affine.dma_wait %tag[symbol(%n) + 7], %n : memref<1xi32>
  return %red#1 : f32
}
