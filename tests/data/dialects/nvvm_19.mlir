// releases: 19
// covers: the nvvm dialect: matrix instructions with shapes and layouts, barriers, copies, conversions, targets, kernel attributes.
llvm.func @nvvm(%p: !llvm.ptr, %g: !llvm.ptr<1>, %s: !llvm.ptr<3>, %a: i32, %f: f32, %l: i64, %c: i1, %h2: vector<2xf16>, %v4: vector<4xf32>, %b2: vector<2xi8>, %d: f64) {
  nvvm.stmatrix %s, %a {layout = #nvvm.mma_layout<row>} : !llvm.ptr<3>, i32
  nvvm.mbarrier.init.shared %s, %a : !llvm.ptr<3>, i32
  nvvm.mbarrier.try_wait.parity.shared %s, %a, %a : !llvm.ptr<3>, i32, i32
  nvvm.prefetch.tensormap %p : !llvm.ptr
  llvm.return
}
