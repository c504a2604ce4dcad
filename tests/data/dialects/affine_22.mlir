// releases: 22
// covers: the affine dialect: loops with maps and bounds, conditionals with sets, loads, stores, DMA, parallel reductions.
func.func @delinearize(%i: index, %j: index) {
  %0:3 = affine.delinearize_index %i into (%j, 224, 32) : index, index, index
  %1:2 = affine.delinearize_index %i into (16, 4) : index, index
  %2:3 = affine.delinearize_index %i into (16, 4) : index, index, index
  %3 = affine.linearize_index [%i, %j] by (%j, 16) : index
  %4 = affine.linearize_index disjoint [%i, %j, %i] by (3, %j) : index
  return
}
