// releases: 16 19 22
// covers: the memref dialect: allocation, views, casts, globals, atomics, DMA, layouts and memory spaces.
func.func @memref(%i: index, %m: memref<?x?xf32>, %s: memref<4x5xf32>, %f: f32, %u: memref<*xf32>, %by: memref<2048xi8>, %sh: memref<2xindex>, %tag: memref<1xi32>, %a: i32, %im: memref<4xi32>, %one: memref<1x4x1xf32>, %p: memref<8x16x4xf32, strided<[64, 4, 1], offset: 0>>, %sp: memref<4xf32, 1>) {
  memref.alloc() : memref<2xf32>
  memref.alloc(%i) {alignment = 64 : i64} : memref<?xf32>
  memref.alloc(%i, %i)[%i] : memref<?x?xf32, affine_map<(d0, d1)[s0] -> (d0 + s0, d1)>, 1>
  memref.alloca(%i) : memref<?xf32, "stack">
  memref.alloca() {alignment = 8 : i64} : memref<vector<4xf32>>
  memref.alloc() : memref<f32>
  memref.alloc() : memref<2x3xmemref<4xi8>>
  memref.dealloc %m : memref<?x?xf32>
  memref.realloc %im : memref<4xi32> to memref<8xi32>
  memref.realloc %im(%i) {alignment = 16} : memref<4xi32> to memref<?xi32>
  memref.load %m[%i, %i] : memref<?x?xf32>
  memref.load %m[%i, %i] {nontemporal = true} : memref<?x?xf32>
  memref.load %m[%i, %i] {alignment = 16, nontemporal = false} : memref<?x?xf32>
  memref.store %f, %m[%i, %i] : memref<?x?xf32>
  memref.store %f, %m[%i, %i] {nontemporal = true} : memref<?x?xf32>
  memref.cast %s : memref<4x5xf32> to memref<?x?xf32>
  memref.cast %u : memref<*xf32> to memref<4x?xf32>
  memref.copy %m, %s : memref<?x?xf32> to memref<4x5xf32>
  memref.dim %m, %i : memref<?x?xf32>
  memref.rank %u : memref<*xf32>
  memref.view %by[%i][] : memref<2048xi8> to memref<64x4xf32>
  memref.view %by[%i][%i, %i] : memref<2048xi8> to memref<?x?xf32>
  memref.subview %p[0, 2, 0][4, 4, 4][1, 1, 1] : memref<8x16x4xf32, strided<[64, 4, 1], offset: 0>> to memref<4x4x4xf32, strided<[64, 4, 1], offset: 8>>
  memref.subview %m[%i, 0][%i, 4][%i, 1] : memref<?x?xf32> to memref<?x4xf32, strided<[?, 1], offset: ?>>
  memref.subview %p[1, %i, 0][1, 16, 4][1, 1, 1] : memref<8x16x4xf32, strided<[64, 4, 1], offset: 0>> to memref<16x4xf32, strided<[4, 1], offset: ?>>
  memref.collapse_shape %s [[0, 1]] : memref<4x5xf32> into memref<20xf32>
  memref.collapse_shape %one [[0, 1, 2]] : memref<1x4x1xf32> into memref<4xf32>
  memref.transpose %m (i, j) -> (j, i) : memref<?x?xf32> to memref<?x?xf32, strided<[1, ?]>>
  memref.reinterpret_cast %m to offset: [0], sizes: [%i, 10], strides: [%i, 1] : memref<?x?xf32> to memref<?x10xf32, strided<[?, 1]>>
  memref.reinterpret_cast %u to offset: [%i], sizes: [], strides: [] : memref<*xf32> to memref<f32, strided<[], offset: ?>>
  memref.reshape %u(%sh) : (memref<*xf32>, memref<2xindex>) -> memref<?x?xf32>
  memref.extract_aligned_pointer_as_index %m : memref<?x?xf32> -> index
  memref.extract_strided_metadata %m : memref<?x?xf32> -> memref<f32>, index, index, index, index, index
  memref.prefetch %m[%i, %i], read, locality<3>, data : memref<?x?xf32>
  memref.prefetch %m[%i, %i], write, locality<0>, instr : memref<?x?xf32>
  memref.assume_alignment %m, 16 : memref<?x?xf32>
  memref.atomic_rmw addf %f, %m[%i, %i] : (f32, memref<?x?xf32>) -> f32
  memref.atomic_rmw assign %a, %im[%i] : (i32, memref<4xi32>) -> i32
  memref.atomic_rmw maxu %a, %im[%i] : (i32, memref<4xi32>) -> i32
  memref.generic_atomic_rmw %m[%i, %i] : memref<?x?xf32> {
    ^bb0(%x: f32):
      memref.atomic_yield %x : f32
    }
  memref.alloca_scope {
      %x_45 = memref.alloca() : memref<4xf32>
      memref.alloca_scope.return
    }
  memref.alloca_scope -> (f32, index) {
      memref.alloca_scope.return %f, %i : f32, index
    }
  memref.dma_start %m[%i, %i], %sp[%i], %i, %tag[%i] : memref<?x?xf32>, memref<4xf32, 1>, memref<1xi32>
  memref.dma_start %m[%i, %i], %sp[%i], %i, %tag[%i], %i, %i : memref<?x?xf32>, memref<4xf32, 1>, memref<1xi32>
  memref.dma_wait %tag[%i], %i : memref<1xi32>
  return
}

memref.global @uninit : memref<2xf32> = uninitialized
memref.global "private" constant @cst : memref<2x2xi8> = dense<[[1, -2], [3, 127]]> {alignment = 64}
memref.global "private" @ext : memref<4xf32, 3>
memref.global "public" @splat : memref<1000xf64> = dense<-0.5>
memref.global "nested" @"odd name" : memref<f16> = dense<1.0>
func.func @get() -> memref<2x2xi8> {
  %0 = memref.get_global @cst : memref<2x2xi8>
  %1 = memref.get_global @"odd name" : memref<f16>
  return %0 : memref<2x2xi8>
}

func.func private @types(memref<?xf32, strided<[?], offset: ?>>, memref<2x3xf32, strided<[-3, 1], offset: -4>>, memref<4xi32, affine_map<(d0) -> (d0 * 2)>, 7 : i8>, memref<*xf32, 3>, memref<*xmemref<?xi1>, "x">, memref<?x?xcomplex<f32>, "a b">, memref<4xi1, affine_map<(d0) -> (d0 floordiv 2, d0 mod 2)>>, memref<vector<[4]xf32>>, memref<?xindex, affine_map<(d0)[s0] -> (d0 + s0)>, -1>, memref<1xi8, #gpu.address_space<workgroup>>)
