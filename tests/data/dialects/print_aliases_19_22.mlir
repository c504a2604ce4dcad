// releases: 19 22
// covers: aliases of attributes: maps and sets shared and used once, in types, in arguments, in locations, several dialects with one base name, nested into each other.
#csr = #sparse_tensor.encoding<{map = (d0, d1) -> (d0 : dense, d1 : compressed)}>
#csc = #sparse_tensor.encoding<{map = (d0, d1) -> (d1 : dense, d0 : compressed)}>
func.func private @sparse(tensor<4x4xf32, #csr>, tensor<?x4xf32, #csc>) -> tensor<8x8xi8, #sparse_tensor.encoding<{map = (d0, d1) -> (d0 : compressed(nonunique), d1 : singleton), posWidth = 32}>>
"t.x"() {e = #csr, m = affine_map<(d0, d1) -> (d0, d1)>} : () -> ()

module attributes {dlti.dl_spec = #dlti.dl_spec<#dlti.dl_entry<i32, dense<32> : vector<2xi64>>>} {
  "t.x"() {a = #dlti.dl_spec<#dlti.dl_entry<"a.b", 1 : i32>>, b = #dlti.dl_entry<i8, 1 : i8>, c = #dlti.dl_spec<>} : () -> ()
}

#domain = #llvm.alias_scope_domain<id = distinct[0]<>, description = "domain">
#scope0 = #llvm.alias_scope<id = distinct[1]<>, domain = #domain, description = "one">
#scope1 = #llvm.alias_scope<id = distinct[2]<>, domain = #domain>
#group = #llvm.access_group<id = distinct[3]<>>
#root = #llvm.tbaa_root<id = "root">
#char = #llvm.tbaa_type_desc<id = "char", members = {<#root, 0>}>
#pair = #llvm.tbaa_type_desc<id = "pair", members = {<#char, 0>, <#char, 8>}>
#tag = #llvm.tbaa_tag<base_type = #pair, access_type = #char, offset = 8>
#tagc = #llvm.tbaa_tag<base_type = #pair, access_type = #char, offset = 0, constant = true>
#unroll = #llvm.loop_unroll<disable = true, count = 4 : i32>
#loop = #llvm.loop_annotation<unroll = #unroll, mustProgress = true, parallelAccesses = #group>
llvm.func @f(%p: !llvm.ptr, %c: i1) {
  llvm.intr.experimental.noalias.scope.decl #scope0
  %v0_c4 = llvm.load %p {alias_scopes = [#scope0], noalias_scopes = [#scope1], access_groups = [#group], tbaa = [#tag, #tagc]} : !llvm.ptr -> i32
  llvm.cond_br %c, ^a, ^b {loop_annotation = #loop}
^a:
  llvm.br ^b
^b:
  llvm.return
}
