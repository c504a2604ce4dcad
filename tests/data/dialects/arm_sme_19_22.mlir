// releases: 19 22
// covers: the arm_sme dialect: tiles, slices, outer products, intrinsics with tile numbers.
func.func @arm_sme(%t: vector<[4]x[4]xf32>, %m: memref<?x?xf32>, %x: index, %pad: f32, %mask: vector<[4]x[4]xi1>, %mk: vector<[4]xi1>, %m8: vector<[8]xi1>, %m16: vector<[16]xi1>, %m2: vector<[2]xi1>, %m1: vector<[1]xi1>, %v: vector<[4]xf32>, %h: vector<[8]xf16>, %s: vector<[8]xi16>, %b: vector<[16]xi8>, %a: i32, %p: !llvm.ptr) {
  arm_sme.get_tile : vector<[4]x[4]xi32>
  arm_sme.get_tile {tile_id = 2 : i32} : vector<[4]x[4]xf32>
  arm_sme.zero : vector<[16]x[16]xi8>
  arm_sme.zero {tile_id = 0 : i32} : vector<[2]x[2]xf64>
  arm_sme.copy_tile %t : vector<[4]x[4]xf32>
  arm_sme.tile_load %m[%x, %x] : memref<?x?xf32>, vector<[4]x[4]xf32>
  arm_sme.tile_load %m[%x, %x] layout<vertical> : memref<?x?xf32>, vector<[4]x[4]xf32>
  arm_sme.tile_load %m[%x, %x], %pad, %mask : memref<?x?xf32>, vector<[4]x[4]xf32>
  arm_sme.tile_store %t, %m[%x, %x], %mask layout<vertical> : memref<?x?xf32>, vector<[4]x[4]xf32>
  arm_sme.tile_store %t, %m[%x, %x] : memref<?x?xf32>, vector<[4]x[4]xf32>
  arm_sme.load_tile_slice %m[%x], %mk, %t, %x : memref<?x?xf32>, vector<[4]xi1>, vector<[4]x[4]xf32>
  arm_sme.store_tile_slice %t, %x, %mk, %m[%x] layout<vertical> : memref<?x?xf32>, vector<[4]xi1>, vector<[4]x[4]xf32>
  arm_sme.outerproduct %v, %v : vector<[4]xf32>, vector<[4]xf32>
  arm_sme.outerproduct %v, %v kind<sub> acc(%t) masks(%mk, %mk) : vector<[4]xf32>, vector<[4]xf32>
  arm_sme.streaming_vl <byte>
  arm_sme.streaming_vl <half>
  arm_sme.streaming_vl <word>
  arm_sme.streaming_vl <double>
  "arm_sme.intr.cntsd"() : () -> i64
  "arm_sme.intr.zero"() <{tile_mask = 255 : i32}> : () -> ()
  "arm_sme.intr.str"(%a, %p, %a) : (i32, !llvm.ptr, i32) -> ()
  arm_sme.fmopa_2way %h, %h : vector<[8]xf16>, vector<[8]xf16> into vector<[4]x[4]xf32>
  arm_sme.fmops_2way %h, %h : vector<[8]xf16>, vector<[8]xf16> into vector<[4]x[4]xf32>
  arm_sme.fmopa_2way %h, %h acc(%t) masks(%m8, %m8) : vector<[8]xf16>, vector<[8]xf16> into vector<[4]x[4]xf32>
  arm_sme.smopa_2way %s, %s : vector<[8]xi16>, vector<[8]xi16> into vector<[4]x[4]xi32>
  arm_sme.smops_2way %s, %s : vector<[8]xi16>, vector<[8]xi16> into vector<[4]x[4]xi32>
  arm_sme.umopa_2way %s, %s : vector<[8]xi16>, vector<[8]xi16> into vector<[4]x[4]xi32>
  arm_sme.umops_2way %s, %s : vector<[8]xi16>, vector<[8]xi16> into vector<[4]x[4]xi32>
  arm_sme.smopa_4way %b, %b : vector<[16]xi8>, vector<[16]xi8> into vector<[4]x[4]xi32>
  arm_sme.smops_4way %b, %b : vector<[16]xi8>, vector<[16]xi8> into vector<[4]x[4]xi32>
  arm_sme.umopa_4way %b, %b : vector<[16]xi8>, vector<[16]xi8> into vector<[4]x[4]xi32>
  arm_sme.umops_4way %b, %b : vector<[16]xi8>, vector<[16]xi8> into vector<[4]x[4]xi32>
  arm_sme.sumopa_4way %b, %b : vector<[16]xi8>, vector<[16]xi8> into vector<[4]x[4]xi32>
  arm_sme.sumops_4way %b, %b : vector<[16]xi8>, vector<[16]xi8> into vector<[4]x[4]xi32>
  arm_sme.usmopa_4way %b, %b : vector<[16]xi8>, vector<[16]xi8> into vector<[4]x[4]xi32>
  arm_sme.usmops_4way %b, %b : vector<[16]xi8>, vector<[16]xi8> into vector<[4]x[4]xi32>
  "arm_sme.intr.mopa"(%mk, %mk, %v, %v) <{tile_id = 1 : i32}> : (vector<[4]xi1>, vector<[4]xi1>, vector<[4]xf32>, vector<[4]xf32>) -> ()
  "arm_sme.intr.mopa.wide"(%m8, %m8, %h, %h) <{tile_id = 0 : i32}> : (vector<[8]xi1>, vector<[8]xi1>, vector<[8]xf16>, vector<[8]xf16>) -> ()
  "arm_sme.intr.mops"(%mk, %mk, %v, %v) <{tile_id = 1 : i32}> : (vector<[4]xi1>, vector<[4]xi1>, vector<[4]xf32>, vector<[4]xf32>) -> ()
  "arm_sme.intr.mops.wide"(%m8, %m8, %h, %h) <{tile_id = 0 : i32}> : (vector<[8]xi1>, vector<[8]xi1>, vector<[8]xf16>, vector<[8]xf16>) -> ()
  "arm_sme.intr.smopa.wide"(%m16, %m16, %b, %b) <{tile_id = 0 : i32}> : (vector<[16]xi1>, vector<[16]xi1>, vector<[16]xi8>, vector<[16]xi8>) -> ()
  "arm_sme.intr.smops.wide"(%m16, %m16, %b, %b) <{tile_id = 0 : i32}> : (vector<[16]xi1>, vector<[16]xi1>, vector<[16]xi8>, vector<[16]xi8>) -> ()
  "arm_sme.intr.umopa.wide"(%m16, %m16, %b, %b) <{tile_id = 0 : i32}> : (vector<[16]xi1>, vector<[16]xi1>, vector<[16]xi8>, vector<[16]xi8>) -> ()
  "arm_sme.intr.umops.wide"(%m16, %m16, %b, %b) <{tile_id = 0 : i32}> : (vector<[16]xi1>, vector<[16]xi1>, vector<[16]xi8>, vector<[16]xi8>) -> ()
  "arm_sme.intr.sumopa.wide"(%m16, %m16, %b, %b) <{tile_id = 0 : i32}> : (vector<[16]xi1>, vector<[16]xi1>, vector<[16]xi8>, vector<[16]xi8>) -> ()
  "arm_sme.intr.sumops.wide"(%m16, %m16, %b, %b) <{tile_id = 0 : i32}> : (vector<[16]xi1>, vector<[16]xi1>, vector<[16]xi8>, vector<[16]xi8>) -> ()
  "arm_sme.intr.usmopa.wide"(%m16, %m16, %b, %b) <{tile_id = 0 : i32}> : (vector<[16]xi1>, vector<[16]xi1>, vector<[16]xi8>, vector<[16]xi8>) -> ()
  "arm_sme.intr.usmops.wide"(%m16, %m16, %b, %b) <{tile_id = 0 : i32}> : (vector<[16]xi1>, vector<[16]xi1>, vector<[16]xi8>, vector<[16]xi8>) -> ()
  "arm_sme.intr.smopa.za32"(%m8, %m8, %s, %s) <{tile_id = 0 : i32}> : (vector<[8]xi1>, vector<[8]xi1>, vector<[8]xi16>, vector<[8]xi16>) -> ()
  "arm_sme.intr.smops.za32"(%m8, %m8, %s, %s) <{tile_id = 0 : i32}> : (vector<[8]xi1>, vector<[8]xi1>, vector<[8]xi16>, vector<[8]xi16>) -> ()
  "arm_sme.intr.umopa.za32"(%m8, %m8, %s, %s) <{tile_id = 0 : i32}> : (vector<[8]xi1>, vector<[8]xi1>, vector<[8]xi16>, vector<[8]xi16>) -> ()
  "arm_sme.intr.umops.za32"(%m8, %m8, %s, %s) <{tile_id = 0 : i32}> : (vector<[8]xi1>, vector<[8]xi1>, vector<[8]xi16>, vector<[8]xi16>) -> ()
  "arm_sme.intr.ld1b.horiz"(%m16, %p, %a) <{tile_id = 0 : i32}> : (vector<[16]xi1>, !llvm.ptr, i32) -> ()
  "arm_sme.intr.ld1b.vert"(%m16, %p, %a) <{tile_id = 0 : i32}> : (vector<[16]xi1>, !llvm.ptr, i32) -> ()
  "arm_sme.intr.st1b.horiz"(%m16, %p, %a) <{tile_id = 0 : i32}> : (vector<[16]xi1>, !llvm.ptr, i32) -> ()
  "arm_sme.intr.st1b.vert"(%m16, %p, %a) <{tile_id = 0 : i32}> : (vector<[16]xi1>, !llvm.ptr, i32) -> ()
  "arm_sme.intr.ld1h.horiz"(%m8, %p, %a) <{tile_id = 0 : i32}> : (vector<[8]xi1>, !llvm.ptr, i32) -> ()
  "arm_sme.intr.ld1h.vert"(%m8, %p, %a) <{tile_id = 0 : i32}> : (vector<[8]xi1>, !llvm.ptr, i32) -> ()
  "arm_sme.intr.st1h.horiz"(%m8, %p, %a) <{tile_id = 0 : i32}> : (vector<[8]xi1>, !llvm.ptr, i32) -> ()
  "arm_sme.intr.st1h.vert"(%m8, %p, %a) <{tile_id = 0 : i32}> : (vector<[8]xi1>, !llvm.ptr, i32) -> ()
  "arm_sme.intr.ld1w.horiz"(%mk, %p, %a) <{tile_id = 0 : i32}> : (vector<[4]xi1>, !llvm.ptr, i32) -> ()
  "arm_sme.intr.ld1w.vert"(%mk, %p, %a) <{tile_id = 0 : i32}> : (vector<[4]xi1>, !llvm.ptr, i32) -> ()
  "arm_sme.intr.st1w.horiz"(%mk, %p, %a) <{tile_id = 0 : i32}> : (vector<[4]xi1>, !llvm.ptr, i32) -> ()
  "arm_sme.intr.st1w.vert"(%mk, %p, %a) <{tile_id = 0 : i32}> : (vector<[4]xi1>, !llvm.ptr, i32) -> ()
  "arm_sme.intr.ld1d.horiz"(%m2, %p, %a) <{tile_id = 0 : i32}> : (vector<[2]xi1>, !llvm.ptr, i32) -> ()
  "arm_sme.intr.ld1d.vert"(%m2, %p, %a) <{tile_id = 0 : i32}> : (vector<[2]xi1>, !llvm.ptr, i32) -> ()
  "arm_sme.intr.st1d.horiz"(%m2, %p, %a) <{tile_id = 0 : i32}> : (vector<[2]xi1>, !llvm.ptr, i32) -> ()
  "arm_sme.intr.st1d.vert"(%m2, %p, %a) <{tile_id = 0 : i32}> : (vector<[2]xi1>, !llvm.ptr, i32) -> ()
  "arm_sme.intr.ld1q.horiz"(%m1, %p, %a) <{tile_id = 0 : i32}> : (vector<[1]xi1>, !llvm.ptr, i32) -> ()
  "arm_sme.intr.ld1q.vert"(%m1, %p, %a) <{tile_id = 0 : i32}> : (vector<[1]xi1>, !llvm.ptr, i32) -> ()
  "arm_sme.intr.st1q.horiz"(%m1, %p, %a) <{tile_id = 0 : i32}> : (vector<[1]xi1>, !llvm.ptr, i32) -> ()
  "arm_sme.intr.st1q.vert"(%m1, %p, %a) <{tile_id = 0 : i32}> : (vector<[1]xi1>, !llvm.ptr, i32) -> ()
  "arm_sme.intr.write.horiz"(%a, %mk, %v) <{tile_id = 0 : i32}> : (i32, vector<[4]xi1>, vector<[4]xf32>) -> ()
  "arm_sme.intr.read.horiz"(%v, %mk, %a) <{tile_id = 0 : i32}> : (vector<[4]xf32>, vector<[4]xi1>, i32) -> vector<[4]xf32>
  "arm_sme.intr.write.vert"(%a, %mk, %v) <{tile_id = 0 : i32}> : (i32, vector<[4]xi1>, vector<[4]xf32>) -> ()
  "arm_sme.intr.read.vert"(%v, %mk, %a) <{tile_id = 0 : i32}> : (vector<[4]xf32>, vector<[4]xi1>, i32) -> vector<[4]xf32>
  return
}
