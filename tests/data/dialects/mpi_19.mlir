// releases: 19
// covers: the mpi dialect, with and without the value that says whether a call worked.
func.func @mpi_old(%r: memref<100xf32>, %n: i32) {
  %err = mpi.init : !mpi.retval
  %e1, %rank = mpi.comm_rank : !mpi.retval, i32
  mpi.send(%r, %n, %rank) : memref<100xf32>, i32, i32
  %e4 = mpi.send(%r, %n, %rank) : memref<100xf32>, i32, i32 -> !mpi.retval
  mpi.recv(%r, %n, %rank) : memref<100xf32>, i32, i32
  %ok = mpi.retval_check %err = <MPI_SUCCESS> : i1
  %cls = mpi.error_class %err : !mpi.retval
  mpi.finalize
  return
}
