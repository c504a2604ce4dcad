// releases: 19
// covers: the acc dialect: data clauses, bounds, compute constructs with device types and segments, loops, recipes, routines, atomics, declares.
acc.private.recipe @private_memref_old : memref<5xi32> init {
^bb0(%x: memref<5xi32>):
  acc.yield %x : memref<5xi32>
}
func.func @recipes_old(%a: memref<5xi32>) {
  %0 = acc.private varPtr(%a : memref<5xi32>) -> memref<5xi32>
  acc.parallel private(@private_memref_old -> %0 : memref<5xi32>) {
    acc.yield
  }
  return
}
