// releases: 19 22
// covers: the sparse_tensor dialect: encodings of every level type, slices, conversions, iteration, sorting, storage specifiers.
#csr = #sparse_tensor.encoding<{map = (d0, d1) -> (d0 : dense, d1 : compressed)}>
#vec = #sparse_tensor.encoding<{map = (d0) -> (d0 : compressed)}>
#coo = #sparse_tensor.encoding<{map = (d0, d1) -> (d0 : compressed(nonunique), d1 : singleton)}>
#slice = #sparse_tensor.encoding<{map = (d0 : #sparse_tensor<slice(1, 4, 1)>, d1 : #sparse_tensor<slice(?, 4, ?)>) -> (d0 : dense, d1 : compressed)}>
func.func @sparse(%i: index, %t: tensor<8x8xf64, #csr>, %v: tensor<?xf64, #vec>, %d: tensor<8x8xf64>, %f: f64, %m: memref<?xf64>, %mi: memref<?xi1>, %mx: memref<?xindex>, %p: !llvm.ptr, %co: tensor<8x8xf64, #coo>, %sl: tensor<4x4xf64, #slice>, %pos: tensor<9xindex>, %crd: tensor<6xindex>, %val: tensor<6xf64>, %st: !sparse_tensor.storage_specifier<#csr>, %a: i32) {
  sparse_tensor.new %p : !llvm.ptr to tensor<8x8xf64, #csr>
  sparse_tensor.convert %t : tensor<8x8xf64, #csr> to tensor<8x8xf64>
  sparse_tensor.convert %d : tensor<8x8xf64> to tensor<8x8xf64, #csr>
  sparse_tensor.positions %t {level = 1 : index} : tensor<8x8xf64, #csr> to memref<?xindex>
  sparse_tensor.coordinates %t {level = 1 : index} : tensor<8x8xf64, #csr> to memref<?xindex>
  sparse_tensor.coordinates_buffer %co : tensor<8x8xf64, #coo> to memref<?xindex>
  sparse_tensor.values %t : tensor<8x8xf64, #csr> to memref<?xf64>
  sparse_tensor.number_of_entries %t : tensor<8x8xf64, #csr>
  sparse_tensor.concatenate %t, %t {dimension = 0 : index} : tensor<8x8xf64, #csr>, tensor<8x8xf64, #csr> to tensor<16x8xf64, #csr>
  sparse_tensor.load %t : tensor<8x8xf64, #csr>
  sparse_tensor.load %t hasInserts : tensor<8x8xf64, #csr>
  sparse_tensor.out %t, %p : tensor<8x8xf64, #csr>, !llvm.ptr
  sparse_tensor.print %t : tensor<8x8xf64, #csr>
  sparse_tensor.lvl %t, %i : tensor<8x8xf64, #csr>
  sparse_tensor.reinterpret_map %t : tensor<8x8xf64, #csr> to tensor<8x8xf64, #csr>
  sparse_tensor.assemble (%pos, %crd), %val : (tensor<9xindex>, tensor<6xindex>), tensor<6xf64> to tensor<8x8xf64, #csr>
  sparse_tensor.disassemble %t : tensor<8x8xf64, #csr> out_lvls(%pos, %crd : tensor<9xindex>, tensor<6xindex>) out_vals(%val : tensor<6xf64>) -> (tensor<9xindex>, tensor<6xindex>), tensor<6xf64>, (index, index), index
  %values_18, %filled_18, %added_18, %count_18 = sparse_tensor.expand %t : tensor<8x8xf64, #csr> to memref<?xf64>, memref<?xi1>, memref<?xindex>
      sparse_tensor.compress %values_18, %filled_18, %added_18, %count_18 into %t[%i] : memref<?xf64>, memref<?xi1>, memref<?xindex>, tensor<8x8xf64, #csr>
  sparse_tensor.push_back %i, %m, %f : index, memref<?xf64>, f64
  sparse_tensor.push_back inbounds %i, %m, %f, %i : index, memref<?xf64>, f64, index
  sparse_tensor.sort quick_sort %i, %mx jointly %m {perm_map = affine_map<(i, j) -> (i, j)>, ny = 1 : index} : memref<?xindex> jointly memref<?xf64>
  sparse_tensor.sort insertion_sort_stable %i, %mx {perm_map = affine_map<(i) -> (i)>} : memref<?xindex>
  sparse_tensor.slice.offset %sl at 0 : tensor<4x4xf64, #slice>
  sparse_tensor.slice.stride %sl at 1 : tensor<4x4xf64, #slice>
  sparse_tensor.storage_specifier.init : !sparse_tensor.storage_specifier<#csr>
  sparse_tensor.storage_specifier.get %st val_mem_sz : !sparse_tensor.storage_specifier<#csr>
  sparse_tensor.storage_specifier.get %st pos_mem_sz at 1 : !sparse_tensor.storage_specifier<#csr>
  sparse_tensor.storage_specifier.set %st lvl_sz at 0 with %i : !sparse_tensor.storage_specifier<#csr>
  sparse_tensor.reorder_coo quick_sort %co : tensor<8x8xf64, #coo> to tensor<8x8xf64, #coo>
  sparse_tensor.crd_translate dim_to_lvl [%i, %i] as #csr : index, index
  sparse_tensor.has_runtime_library
  sparse_tensor.foreach in %t : tensor<8x8xf64, #csr> do {
    ^bb0(%x: index, %y: index, %z: f64):
      "t.use"(%x) : (index) -> ()
    }
  %r_35 = sparse_tensor.foreach in %t init(%f) {order = affine_map<(i, j) -> (j, i)>} : tensor<8x8xf64, #csr>, f64 -> f64 do {
    ^bb0(%x: index, %y: index, %z: f64, %w: f64):
      sparse_tensor.yield %w : f64
    }
  sparse_tensor.binary %f, %f : f64, f64 to f64
      overlap = {
      ^bb0(%x: f64, %y: f64):
        sparse_tensor.yield %x : f64
      }
      left = identity
      right = {}
  sparse_tensor.unary %f : f64 to f64
      present = {
      ^bb0(%x: f64):
        sparse_tensor.yield %x : f64
      }
      absent = {}
  sparse_tensor.reduce %f, %f, %f : f64 {
    ^bb0(%x: f64, %y: f64):
      sparse_tensor.yield %x : f64
    }
  sparse_tensor.select %f : f64 {
    ^bb0(%x: f64):
      %c_39 = arith.cmpf ogt, %x, %f : f64
      sparse_tensor.yield %c_39 : i1
    }
  %l_40 = sparse_tensor.extract_iteration_space %t lvls = 0 : tensor<8x8xf64, #csr> -> !sparse_tensor.iter_space<#csr, lvls = 0>
      %r_40 = sparse_tensor.iterate %it in %l_40 at(%crd0) iter_args(%acc = %i) : !sparse_tensor.iter_space<#csr, lvls = 0> -> index {
        %l2_40 = sparse_tensor.extract_iteration_space %t at %it lvls = 1 : tensor<8x8xf64, #csr>, !sparse_tensor.iterator<#csr, lvls = 0> -> !sparse_tensor.iter_space<#csr, lvls = 1>
        sparse_tensor.yield %acc : index
      }
  "t.enc"() {e = [#sparse_tensor.encoding<{map = (d0, d1, d2) -> (d0 : batch, d1 : loose_compressed, d2 : singleton(nonunique, soa))}>, #sparse_tensor.encoding<{map = (i, j) -> (i floordiv 2 : dense, j floordiv 3 : compressed, i mod 2 : dense, j mod 3 : dense)}>, #sparse_tensor.encoding<{map = (i, j, k) -> (i : dense, k floordiv 4 : dense, j : dense, k mod 4 : structured[2, 4])}>, #sparse_tensor.encoding<{map = {l0, l1} (d0 = l0, d1 = l1) -> (l0 = d0 : compressed(nonordered), l1 = d1 : singleton(nonunique, nonordered)), posWidth = 64, crdWidth = 16}>]} : () -> ()
  "t.enc"() {e = [#sparse_tensor.encoding<{map = (d0) -> (d0 : compressed), explicitVal = 1 : i8}>], s = [#sparse_tensor<slice(?, ?, 1)>]} : () -> ()
  "t.enc"() {i = !sparse_tensor.iterator<#csr, lvls = 0 to 2>} : () -> ()
  return
}
