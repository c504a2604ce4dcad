// releases: 22
// covers: the xevm dialect: block loads and stores, matrix multiplication, identifiers with ranges, targets.
llvm.func @xevm(%p: !llvm.ptr<1>, %a: i32, %v: vector<8xi32>, %s: vector<4xi16>, %x: vector<8xi16>, %y: vector<8xi32>, %z: vector<8xf32>) {
  xevm.group_count.x : i32
  xevm.group_count.y : i32
  xevm.group_count.z : i32
  xevm.group_id.x : i32
  xevm.group_id.y : i32
  xevm.group_id.z : i32
  xevm.local_id.x : i32
  xevm.local_id.y : i32
  xevm.local_id.z : i32
  xevm.local_size.x : i32
  xevm.local_size.y : i32
  xevm.local_size.z : i32
  xevm.group_id.x range <i32, 0, 1024> : i32
  xevm.local_id.x range <i64, 0, 16> : i64
  xevm.lane_id : i32
  xevm.subgroup_id : i64
  xevm.subgroup_size : i32
  xevm.memfence <{addrspace = #xevm.addr_space<global>, scope = #xevm.mem_scope<workgroup>}>
  "xevm.memfence"() <{scope = #xevm.mem_scope<lane>}> : () -> ()
  xevm.blockload2d %p, %a, %a, %a, %a, %a <{elem_size_in_bits = 16 : i32, tile_width = 16 : i32, tile_height = 8 : i32, v_blocks = 1 : i32, transpose = false, pack_register = false, cache_control = #xevm.load_cache_control<L1uc_L2uc_L3uc>}> : (!llvm.ptr<1>, i32, i32, i32, i32, i32) -> vector<8xi16>
  xevm.blockstore2d %p, %a, %a, %a, %a, %a, %v <{elem_size_in_bits = 32 : i32, tile_width = 16 : i32, tile_height = 8 : i32}> : (!llvm.ptr<1>, i32, i32, i32, i32, i32, vector<8xi32>)
  xevm.blockprefetch2d %p, %a, %a, %a, %a, %a <{elem_size_in_bits = 8 : i32, tile_width = 32 : i32, tile_height = 8 : i32, v_blocks = 1 : i32, cache_control = #xevm.load_cache_control<L1c_L2uc_L3uc>}> : (!llvm.ptr<1>, i32, i32, i32, i32, i32)
  xevm.prefetch %p <{cache_control = #xevm.load_cache_control<L1uc_L2uc_L3uc>}> : (!llvm.ptr<1>)
  xevm.prefetch %p : (!llvm.ptr<1>)
  xevm.blockload %p : (!llvm.ptr<1>) -> vector<4xi16>
  xevm.blockload %p <{cache_control = #xevm.load_cache_control<L1c_L2c_L3c>}> : (!llvm.ptr<1>) -> i8
  xevm.blockstore %p, %s : (!llvm.ptr<1>, vector<4xi16>)
  xevm.mma %x, %y, %z {shape = <m = 8, n = 16, k = 16>, types = <d = f32, a = f16, b = f16, c = f32>} : (vector<8xi16>, vector<8xi32>, vector<8xf32>) -> vector<8xf32>
  xevm.mma %x, %y {shape = <m = 8, n = 16, k = 16>, types = <d = f32, a = f16, b = f16>} : (vector<8xi16>, vector<8xi32>) -> vector<8xf32>
  "t.xevm"() {a = #xevm.target, b = #xevm.target<O = 3, chip = "pvc", triple = "spirv64-unknown-unknown">, c = #xevm.mma_shape<m = 1, n = 2, k = 3>, d = #xevm.mma_types<d = f32, a = bf16, b = bf16, c = f32>} : () -> ()
  llvm.return
}
