// releases: 16
// covers: the scf dialect: loops, conditionals, switches, parallel loops with mappings, reductions.
func.func @scf(%i: index, %c: i1, %f: f32, %t: tensor<?xf32>, %m: memref<?xf32>, %a: i32) {
  %r_17 = scf.parallel (%x) = (%i) to (%i) step (%i) init (%f) -> f32 {
      scf.reduce(%f) : f32 {
      ^bb0(%p: f32, %q: f32):
        scf.reduce.return %p : f32
      }
    }
  scf.foreach_thread (%x) in (%i) {
      scf.foreach_thread.perform_concurrently {
      }
    }
  %r_22 = scf.foreach_thread (%x) in (%i) shared_outs(%o = %t) -> (tensor<?xf32>) {
      %e_22 = tensor.extract_slice %o[%x] [1] [1] : tensor<?xf32> to tensor<1xf32>
      scf.foreach_thread.perform_concurrently {
        tensor.parallel_insert_slice %e_22 into %o[%x] [1] [1] : tensor<1xf32> into tensor<?xf32>
      }
    } {mapping = [#gpu.thread<x>]}
  return
}
