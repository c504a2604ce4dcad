// releases: 22
// covers: the mpi dialect, with and without the value that says whether a call worked.
func.func @mpi(%r: memref<100xf32>, %n: i32) {
  %err = mpi.init : !mpi.retval
  %c = mpi.comm_world : !mpi.comm
  %e1, %rank = mpi.comm_rank(%c) : !mpi.retval, i32
  %rank2 = mpi.comm_rank(%c) : i32
  %e2, %size = mpi.comm_size(%c) : !mpi.retval, i32
  %nc = mpi.comm_split(%c, %n, %rank) : !mpi.comm
  %e3, %nc2 = mpi.comm_split(%c, %n, %rank) : !mpi.retval, !mpi.comm
  mpi.send(%r, %n, %rank, %c) : memref<100xf32>, i32, i32
  %e4 = mpi.send(%r, %n, %rank, %c) : memref<100xf32>, i32, i32 -> !mpi.retval
  mpi.recv(%r, %n, %rank, %c) : memref<100xf32>, i32, i32
  %e5, %q = mpi.isend(%r, %n, %rank, %c) : memref<100xf32>, i32, i32 -> !mpi.retval, !mpi.request
  %q2 = mpi.irecv(%r, %n, %rank, %c) : memref<100xf32>, i32, i32 -> !mpi.request
  mpi.wait(%q) : !mpi.request
  %e6 = mpi.wait(%q2) : !mpi.request -> !mpi.retval
  mpi.allreduce(%r, %r, MPI_SUM, %c) : memref<100xf32>, memref<100xf32>
  %e7 = mpi.allreduce(%r, %r, MPI_MAX, %c) : memref<100xf32>, memref<100xf32> -> !mpi.retval
  %e8 = mpi.barrier(%c) -> !mpi.retval
  mpi.barrier(%c)
  %ok = mpi.retval_check %err = <MPI_SUCCESS> : i1
  %cls = mpi.error_class %err : !mpi.retval
  mpi.finalize
  %e9 = mpi.finalize : !mpi.retval
  func.return
}
func.func private @status(!mpi.status)
