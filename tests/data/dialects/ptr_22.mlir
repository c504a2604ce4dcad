// releases: 22
// covers: the ptr dialect: pointers, memory spaces, data layout entries, loads and stores with orderings.
func.func @ptr(%p: !ptr.ptr<#ptr.generic_space>, %q: !ptr.ptr<#llvm.address_space<3>>, %i: index, %f: f32, %m: memref<f32, #ptr.generic_space>, %n: memref<?xf32, strided<[?], offset: ?>, #ptr.generic_space>, %l: i64, %vp: vector<4x!ptr.ptr<#ptr.generic_space>>, %vm: vector<4xi1>, %vf: vector<4xf32>) {
  ptr.type_offset f32 : index
  ptr.type_offset !ptr.ptr<#ptr.generic_space> : i64
  ptr.ptr_add %p, %i : !ptr.ptr<#ptr.generic_space>, index
  ptr.ptr_add nusw %p, %i : !ptr.ptr<#ptr.generic_space>, index
  ptr.ptr_add nuw %p, %i : !ptr.ptr<#ptr.generic_space>, index
  ptr.ptr_add inbounds %q, %i : !ptr.ptr<#llvm.address_space<3>>, index
  ptr.ptr_diff %p, %p : !ptr.ptr<#ptr.generic_space> -> index
  ptr.ptr_diff nuw %p, %p : !ptr.ptr<#ptr.generic_space> -> i64
  ptr.ptr_diff nuw | nsw %p, %p : !ptr.ptr<#ptr.generic_space> -> i64
  ptr.load %p : !ptr.ptr<#ptr.generic_space> -> f32
  ptr.load volatile %p atomic monotonic alignment = 8 : !ptr.ptr<#ptr.generic_space> -> i32
  ptr.load %p invariant_group : !ptr.ptr<#ptr.generic_space> -> f32
  ptr.store %f, %p : f32, !ptr.ptr<#ptr.generic_space>
  ptr.store volatile %f, %p atomic release alignment = 8 nontemporal : f32, !ptr.ptr<#ptr.generic_space>
  ptr.to_ptr %m : memref<f32, #ptr.generic_space> -> !ptr.ptr<#ptr.generic_space>
  ptr.from_ptr %p : !ptr.ptr<#ptr.generic_space> -> memref<f32, #ptr.generic_space>
  %md_17 = ptr.get_metadata %n : memref<?xf32, strided<[?], offset: ?>, #ptr.generic_space>
      ptr.from_ptr %p metadata %md_17 : !ptr.ptr<#ptr.generic_space> -> memref<?xf32, strided<[?], offset: ?>, #ptr.generic_space>
  ptr.constant #ptr.null : !ptr.ptr<#ptr.generic_space>
  ptr.constant #ptr.address<0x1000> : !ptr.ptr<#ptr.generic_space>
  ptr.gather %vp, %vm, %vf alignment = 4 : vector<4x!ptr.ptr<#ptr.generic_space>> -> vector<4xf32>
  ptr.scatter %vf, %vp, %vm : vector<4xf32>, vector<4x!ptr.ptr<#ptr.generic_space>>
  ptr.masked_load %p, %vm, %vf : !ptr.ptr<#ptr.generic_space> -> vector<4xf32>
  ptr.masked_store %vf, %p, %vm alignment = 8 : vector<4xf32>, !ptr.ptr<#ptr.generic_space>
  return
}

module attributes {dlti.dl_spec = #dlti.dl_spec<#dlti.dl_entry<!ptr.ptr<#ptr.generic_space>, #ptr.spec<size = 32, abi = 32, preferred = 64>>, #dlti.dl_entry<!ptr.ptr<#llvm.address_space<1>>, #ptr.spec<size = 32, abi = 64, preferred = 64, index = 32>>, #dlti.dl_entry<"dlti.default_memory_space", #ptr.generic_space>>} {
}
