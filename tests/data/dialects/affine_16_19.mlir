// releases: 16 19
// covers: the affine dialect: loops with maps and bounds, conditionals with sets, loads, stores, DMA, parallel reductions.
func.func @delinearize_16(%i: index, %j: index) {
  %0:2 = "affine.delinearize_index"(%i, %j, %j) : (index, index, index) -> (index, index)
  return
}
