func.func @f(%c: i1, %n: i32) {
  omp.parallel if(%c : i1) num_threads(%n : i32) {
    omp.terminator
  }
  return
}
