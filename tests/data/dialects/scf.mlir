// releases: 16 19 22
// covers: the scf dialect: loops, conditionals, switches, parallel loops with mappings, reductions.
func.func @scf(%i: index, %c: i1, %f: f32, %t: tensor<?xf32>, %m: memref<?xf32>, %a: i32) {
  scf.for %x = %i to %i step %i {
      "t.body"(%x) : (index) -> ()
    }
  %r_1:2 = scf.for %x = %i to %i step %i iter_args(%y = %f, %z = %t) -> (f32, tensor<?xf32>) {
      %s_1 = arith.addf %y, %f : f32
      scf.yield %s_1, %z : f32, tensor<?xf32>
    } {note = 1}
  scf.if %c {
      "t.then"() : () -> ()
    }
  %r_5 = scf.if %c -> f32 {
      scf.yield %f : f32
    } else {
      %z_5 = arith.constant 0.0 : f32
      scf.yield %z_5 : f32
    }
  scf.if %c {
    } else {
      "t.else"() : () -> ()
    }
  %r_7:2 = scf.while (%x = %i, %y = %f) : (index, f32) -> (f32, i32) {
      scf.condition(%c) %y, %a : f32, i32
    } do {
    ^bb0(%x: f32, %y: i32):
      scf.yield %i, %x : index, f32
    }
  scf.while : () -> () {
      scf.condition(%c)
    } do {
      scf.yield
    } attributes {t.x}
  %r_9 = scf.execute_region -> i32 {
      cf.cond_br %c, ^a, ^b
    ^a:
      scf.yield %a : i32
    ^b:
      cf.br ^a
    }
  scf.index_switch %i
    default {
      scf.yield
    }
  scf.index_switch %i
    case 2 {
      "t.two"() : () -> ()
      scf.yield
    }
    case -5 {
      scf.yield
    }
    default {
      scf.yield
    }
  %r_13 = scf.index_switch %i -> i32
    case 7 {
      scf.yield %a : i32
    }
    default {
      scf.yield %a : i32
    }
  scf.parallel (%x, %y) = (%i, %i) to (%i, %i) step (%i, %i) {
      memref.store %f, %m[%x] : memref<?xf32>
    }
  return
}
