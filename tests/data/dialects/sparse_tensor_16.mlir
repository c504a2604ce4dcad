// releases: 16
// covers: the sparse_tensor dialect: encodings of every level type, slices, conversions, iteration, sorting, storage specifiers.
#csr16 = #sparse_tensor.encoding<{dimLevelType = ["dense", "compressed"], dimOrdering = affine_map<(i, j) -> (j, i)>, pointerBitWidth = 64, indexBitWidth = 16}>
#vec16 = #sparse_tensor.encoding<{dimLevelType = ["compressed"]}>
#coo16 = #sparse_tensor.encoding<{dimLevelType = ["compressed-nu", "singleton"]}>
#slice16 = #sparse_tensor.encoding<{dimLevelType = ["dense", "compressed"], slice = [(1, 4, 1), (?, 4, ?)]}>
#ho16 = #sparse_tensor.encoding<{dimLevelType = ["compressed-no", "singleton-nu-no", "dense", "dense"], higherOrdering = affine_map<(i, j) -> (i floordiv 2, j floordiv 3, i, j)>}>
func.func @sparse16(%i: index, %t: tensor<8x8xf64, #csr16>, %v: tensor<?xf64, #vec16>, %d: tensor<8x8xf64>, %f: f64, %m: memref<?xf64>, %mi: memref<?xi1>, %mx: memref<?xindex>, %p: !llvm.ptr<i8>, %co: tensor<8x8xf64, #coo16>) {
  sparse_tensor.new %p : !llvm.ptr<i8> to tensor<8x8xf64, #csr16>
  sparse_tensor.new expand_symmetry %p : !llvm.ptr<i8> to tensor<8x8xf64, #csr16>
  sparse_tensor.convert %t : tensor<8x8xf64, #csr16> to tensor<8x8xf64>
  sparse_tensor.pointers %t {dimension = 1 : index} : tensor<8x8xf64, #csr16> to memref<?xi64>
  sparse_tensor.indices %t {dimension = 1 : index} : tensor<8x8xf64, #csr16> to memref<?xi16>
  sparse_tensor.indices_buffer %co : tensor<8x8xf64, #coo16> to memref<?xindex>
  sparse_tensor.values %t : tensor<8x8xf64, #csr16> to memref<?xf64>
  sparse_tensor.number_of_entries %t : tensor<8x8xf64, #csr16>
  sparse_tensor.concatenate %t, %t {dimension = 0 : index} : tensor<8x8xf64, #csr16>, tensor<8x8xf64, #csr16> to tensor<16x8xf64, #csr16>
  sparse_tensor.load %t : tensor<8x8xf64, #csr16>
  sparse_tensor.load %t hasInserts : tensor<8x8xf64, #csr16>
  sparse_tensor.insert %f into %t[%i, %i] : tensor<8x8xf64, #csr16>
  sparse_tensor.out %t, %p : tensor<8x8xf64, #csr16>, !llvm.ptr<i8>
  %values_13, %filled_13, %added_13, %count_13 = sparse_tensor.expand %t : tensor<8x8xf64, #csr16> to memref<?xf64>, memref<?xi1>, memref<?xindex>
      sparse_tensor.compress %values_13, %filled_13, %added_13, %count_13 into %t[%i] : memref<?xf64>, memref<?xi1>, memref<?xindex>, tensor<8x8xf64, #csr16>
  sparse_tensor.sort %i, %mx jointly %m : memref<?xindex> jointly memref<?xf64>
  sparse_tensor.sort stable %i, %mx : memref<?xindex>
  sparse_tensor.sort_coo %i, %mx jointly %m {nx = 2 : index, ny = 1 : index} : memref<?xindex> jointly memref<?xf64>
  sparse_tensor.storage_specifier.init : !sparse_tensor.storage_specifier<#csr16>
  sparse_tensor.foreach in %t : tensor<8x8xf64, #csr16> do {
    ^bb0(%x: index, %y: index, %z: f64):
      "t.use"(%x) : (index) -> ()
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
      %c_23 = arith.cmpf ogt, %x, %f : f64
      sparse_tensor.yield %c_23 : i1
    }
  "t.enc"() {a = #slice16, b = #ho16} : () -> ()
  return
}
