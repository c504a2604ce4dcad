func.func @l(%a: i32) {
  scf.for %i = %a to %a step %a : i32 {
  }
  return
}
