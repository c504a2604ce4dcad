func.func @w(%a: i32) {
  omp.wsloop {
    omp.loop_nest (%i) : i32 = (%a) to (%a) step (%a) {
      omp.yield
    }
  }
  return
}
