// releases: 19 22
// covers: the scf dialect: loops, conditionals, switches, parallel loops with mappings, reductions.
func.func @scf(%i: index, %c: i1, %f: f32, %t: tensor<?xf32>, %m: memref<?xf32>, %a: i32) {
  scf.for %x = %a to %a step %a : i32 {
      "t.body"(%x) : (i32) -> ()
    }
  scf.parallel (%x) = (%i) to (%i) step (%i) {
      scf.reduce
    } {mapping = [#gpu.loop_dim_map<processor = thread_x, map = (d0) -> (d0), bound = (d0) -> (d0)>]}
  %r_16:2 = scf.parallel (%x) = (%i) to (%i) step (%i) init (%f, %a) -> (f32, i32) {
      scf.reduce(%f, %a : f32, i32) {
      ^bb0(%p: f32, %q: f32):
        scf.reduce.return %p : f32
      }, {
      ^bb0(%p: i32, %q: i32):
        %s_16 = arith.addi %p, %q : i32
        scf.reduce.return %s_16 : i32
      }
    }
  %r_18 = scf.forall (%x, %y) in (%i, 3) shared_outs(%o = %t) -> (tensor<?xf32>) {
      %e_18 = tensor.extract_slice %o[%x] [1] [1] : tensor<?xf32> to tensor<1xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %e_18 into %o[%x] [1] [1] : tensor<1xf32> into tensor<?xf32>
      }
    } {mapping = [#gpu.thread<x>, #gpu.thread<y>]}
  scf.forall (%x, %y) = (0, %i) to (4, %i) step (1, %i) {
      memref.store %f, %m[%x] : memref<?xf32>
    }
  scf.forall (%x) in (7) {
    } {mapping = [#gpu.block<linear_dim_1>], t.x}
  return
}
