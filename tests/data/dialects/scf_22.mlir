// releases: 22
// covers: the scf dialect: loops, conditionals, switches, parallel loops with mappings, reductions.
func.func @scf(%i: index, %c: i1, %f: f32, %t: tensor<?xf32>, %m: memref<?xf32>, %a: i32) {
  scf.for unsigned %x = %a to %a step %a : i32 {
      "t.body"(%x) : (i32) -> ()
    }
  scf.execute_region no_inline {
      scf.yield
    }
  return
}
