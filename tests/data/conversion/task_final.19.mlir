func.func @f(%n: i1) {
  omp.task final(%n) {
    omp.terminator
  }
  return
}
