llvm.func @ib0(%dest : !llvm.ptr, %arg0 : i32, %arg1 : i32) -> i32 {
  llvm.indirectbr %dest : !llvm.ptr, [
  ^head(%arg0 : i32),
  ^tail(%arg1, %arg0 : i32, i32)
  ] {a = 1 : i32}
^head(%r0 : i32):
  llvm.return %r0 : i32
^tail(%r1 : i32, %r2 : i32):
  %r = llvm.add %r1, %r2 : i32
  llvm.return %r : i32
}
llvm.func @ib1(%dest : !llvm.ptr) {
  llvm.indirectbr %dest : !llvm.ptr, []
}
llvm.func @ib2(%dest : !llvm.ptr) {
  llvm.indirectbr %dest : !llvm.ptr, [^a, ^b]
^a:
  llvm.return
^b:
  llvm.return
}
emitc.class @C {
  emitc.field @f0 : !emitc.array<2xf32> = dense<0.0>
  emitc.field @f1 : i32 = 5
  emitc.field @f2 : !emitc.opaque<"T"> = #emitc.opaque<"x">
  emitc.field @f3 : !emitc.ptr<i32> {a}
  emitc.func @e() { return }
}
// -----
func.func @types(%m: memref<10x20xf32, #ptr.generic_space>, %l: !emitc.lvalue<i32>, %p: !emitc.ptr<!emitc.opaque<"T">>, %h: vector<4xi32>, %i: vector<16xi8>, %b: vector<8xi8>) {
  %0 = ptr.get_metadata %m : memref<10x20xf32, #ptr.generic_space>
  %1 = emitc.address_of %l : !emitc.lvalue<i32>
  %2 = emitc.dereference %p : !emitc.ptr<!emitc.opaque<"T">>
  %3 = arm_neon.intr.smull %b, %b : vector<8xi8> to vector<8xi16>
  %4 = arm_neon.intr.sdot %h, %i, %i : vector<16xi8>, vector<16xi8> to vector<4xi32>
  return
}
func.func @cluster(%n: index) {
  gpu.launch clusters(%cx, %cy, %cz) in (%sx = %n, %sy = %n, %sz = %n) blocks(%bx, %by, %bz) in (%gx = %n, %gy = %n, %gz = %n) threads(%tx, %ty, %tz) in (%lx = %n, %ly = %n, %lz = %n) {
    gpu.terminator
  }
  return
}
func.func @map(%init: tensor<64xf32>) -> tensor<64xf32> {
  %0 = linalg.map outs(%init : tensor<64xf32>) (%out: f32) {
    %1 = arith.constant 0.0 : f32
    linalg.yield %1 : f32
  }
  return %0 : tensor<64xf32>
}
// What its map does not use is not printed.
func.func @unused(%m: memref<100xf32>) {
  affine.for %i = 0 to 100 {
    %0 = "affine.load"(%m, %i) <{map = affine_map<(d0) -> (0)>}> : (memref<100xf32>, index) -> f32
    %1 = "affine.load"(%m, %i, %i) <{map = affine_map<(d0, d1) -> (d1 + d0)>}> : (memref<100xf32>, index, index) -> f32
  }
  return
}
func.func @loop(%n: i32) -> i32 {
  return %n : i32
^unreachable:
  %0 = arith.addi %0, %n : i32
  cf.br ^unreachable
}
// -----
module attributes {
  dlti.map = #dlti.map<"a" = 42.42 : f32, "b" = array<i32: 8, 16, 32>, i32 = #dlti.map<"width" = 32 : i32, "list" = [1, 2 : i8]>>,
  dlti.target_system_spec = #dlti.target_system_spec<"CPU" = #dlti.target_device_spec<"max" = 4096.0 : f32>>
} {
  gpu.module @one [#rocdl.target<flags = {fast, daz, unsafe_math}, link = ["a.bc"]>, #nvvm.target<flags = {fast, ftz}>] {
  }
  gpu.binary @two [#gpu.object<#nvvm.target, properties = {O = 3 : i32}, fatbin = "">, #gpu.object<#nvvm.target, assembly = "a, fatbin = ">]
  llvm.func @three(!llvm.ptr {llvm.byval = !llvm.array<1000 x array<1000 x array <500 x i32> > >})
  llvm.func @four(!llvm.struct<"bucket<string, double, '\\b'>::Iterator \22q\22", (ptr, i64)>)
  func.func private @five() attributes {a = #gpu.mask<0x33>, b = #gpu.mask<7>}
}
// -----
func.func @numbers() {
  %0 = smt.int.constant -42
  %1 = smt.int.constant 43
  %2 = smt.int.constant 0
  %3 = smt.int.constant 9223372036854775807
  return
}
llvm.mlir.global internal @empty() : i32 {
}
llvm.module_flags [#llvm.mlir.module_flag<warning, "Debug Info Version", 3>]
