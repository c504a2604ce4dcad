// releases: 22
// versions: 5 6
// covers: the ptr dialect: pointers, memory spaces, data layout entries, loads and stores with orderings.
func.func @ptr(%p: !ptr.ptr<#ptr.generic_space>, %q: !ptr.ptr<#llvm.address_space<3>>, %i: index, %f: f32, %m: memref<f32, #ptr.generic_space>, %n: memref<?xf32, strided<[?], offset: ?>, #ptr.generic_space>, %l: i64, %vp: vector<4x!ptr.ptr<#ptr.generic_space>>, %vm: vector<4xi1>, %vf: vector<4xf32>) {
  ptr.load %p atomic syncscope("x y") acquire nontemporal invariant alignment = 4 : !ptr.ptr<#ptr.generic_space> -> i32
  return
}
