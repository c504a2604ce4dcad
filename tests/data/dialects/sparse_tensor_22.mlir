// releases: 22
// covers: the sparse_tensor dialect: encodings of every level type, slices, conversions, iteration, sorting, storage specifiers.
#csr = #sparse_tensor.encoding<{map = (d0, d1) -> (d0 : dense, d1 : compressed)}>
#vec = #sparse_tensor.encoding<{map = (d0) -> (d0 : compressed)}>
#coo = #sparse_tensor.encoding<{map = (d0, d1) -> (d0 : compressed(nonunique), d1 : singleton)}>
#slice = #sparse_tensor.encoding<{map = (d0 : #sparse_tensor<slice(1, 4, 1)>, d1 : #sparse_tensor<slice(?, 4, ?)>) -> (d0 : dense, d1 : compressed)}>
func.func @sparse(%i: index, %t: tensor<8x8xf64, #csr>, %v: tensor<?xf64, #vec>, %d: tensor<8x8xf64>, %f: f64, %m: memref<?xf64>, %mi: memref<?xi1>, %mx: memref<?xindex>, %p: !llvm.ptr, %co: tensor<8x8xf64, #coo>, %sl: tensor<4x4xf64, #slice>, %pos: tensor<9xindex>, %crd: tensor<6xindex>, %val: tensor<6xf64>, %st: !sparse_tensor.storage_specifier<#csr>, %a: i32) {
  %l_41 = sparse_tensor.extract_iteration_space %v lvls = 0 : tensor<?xf64, #vec> -> !sparse_tensor.iter_space<#vec, lvls = 0>
      %r_41 = sparse_tensor.coiterate (%l_41, %l_41) at(%c) iter_args(%arg = %f) : (!sparse_tensor.iter_space<#vec, lvls = 0>, !sparse_tensor.iter_space<#vec, lvls = 0>) -> f64
      case %it1, _ {
        %x_41 = sparse_tensor.extract_value %v at %it1 : tensor<?xf64, #vec>, !sparse_tensor.iterator<#vec, lvls = 0>
        sparse_tensor.yield %x_41 : f64
      }
      case %it1, %it2 {
        sparse_tensor.yield %arg : f64
      }
  return
}
