// releases: 16 19 22
// covers: the affine dialect: loops with maps and bounds, conditionals with sets, loads, stores, DMA, parallel reductions.
func.func @affine16(%n: index, %m: memref<?x100xf32>) -> f32 {
  %z = arith.constant 0.0 : f32
  %red:2 = affine.parallel (%i) = (0) to (min(%n, 1000)) reduce ("addf", "mulf") -> (f32, f32) {
    affine.yield %z, %z : f32, f32
  }
  affine.parallel (%i, %j) = (max(0, 3), 0) to (100, 7) step (10, 1) {
    %a = affine.apply affine_map<(d0, d1) -> (d0 - d1 * 3)>(%i, %j)
    affine.prefetch %m[%i, %j], write, locality<0>, instr : memref<?x100xf32>
  }
  affine.for %i = 0 to 10 {
    affine.for %j = affine_map<(d0) -> (d0)>(%i) to affine_map<(d0)[s0] -> (s0 - d0)>(%i)[%n] {
      %l = affine.load %m[%i, %j] : memref<?x100xf32>
      affine.store %l, %m[%j, %i] : memref<?x100xf32>
      %v = affine.vector_load %m[%i, %j] : memref<?x100xf32>, vector<8xf32>
      affine.vector_store %v, %m[%i + 1, %j] : memref<?x100xf32>, vector<8xf32>
      affine.if affine_set<(d0, d1)[s0] : (d0 - d1 == 0, s0 - 5 >= 0)>(%i, %j)[%n] {
        affine.store %l, %m[%i, 0] : memref<?x100xf32>
      } else {
        %min = affine.min affine_map<(d0)[s0] -> (d0, s0)>(%i)[%n]
        %max = affine.max affine_map<(d0) -> (d0, -d0, 3)>(%i)
      }
    } {loop_note = "inner"}
  }
  return %red#1 : f32
}

func.func @delinearize_old(%i: index, %j: index) {
  %0:2 = affine.delinearize_index %i into (%j, %j) : index, index
  return
}
