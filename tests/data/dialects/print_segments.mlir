// releases: 16 19 22
// covers: variadic groups of operands and results with segment sizes, given as attribute and as property; defaults given and left out.
func.func @segments(%a: i32, %b: f32, %m: memref<?xf32>, %i: index, %c: i1, %v: vector<4xf32>, %mask: vector<4xi1>) {
  "t.seg"(%a, %b, %a) {operandSegmentSizes = array<i32: 1, 0, 2>, resultSegmentSizes = array<i32: 0, 0>} : (i32, f32, i32) -> ()
  "t.seg"(%a) {operand_segment_sizes = array<i32: 1, 0>, other = dense<[1, 0]> : vector<2xi32>} : (i32) -> ()
  %v0_c0 = vector.transfer_read %m[%i], %b : memref<?xf32>, vector<4xf32>
  %v1_c0 = vector.transfer_read %m[%i], %b, %mask {in_bounds = [true]} : memref<?xf32>, vector<4xf32>
  %v2_c0 = memref.alloc(%i) : memref<?xf32>
  %v3_c0 = memref.alloc(%i)[%i] {alignment = 8} : memref<?xf32, affine_map<(d0)[s0] -> (d0 + s0)>>
  %v4_c0 = memref.subview %m[%i] [4] [1] : memref<?xf32> to memref<4xf32, strided<[1], offset: ?>>
  cf.cond_br %c, ^x(%a : i32), ^y
^x(%p: i32):
  cf.switch %a : i32, [default: ^y, 1: ^x(%a : i32), 2: ^y]
^y:
  return
}
