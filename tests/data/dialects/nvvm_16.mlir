// releases: 16
// covers: the nvvm dialect: matrix instructions with shapes and layouts, barriers, copies, conversions, targets, kernel attributes.
llvm.func @kernel_old(%a: i32) attributes {nvvm.kernel, nvvm.maxntid = [1, 23, 32], nvvm.reqntid = [1, 2, 3]} {
  llvm.return
}
