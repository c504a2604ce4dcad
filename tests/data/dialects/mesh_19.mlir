// releases: 19
// covers: the mesh dialect: meshes, shardings with halos, collectives with static and dynamic indexes.
mesh.mesh @mesh0(shape = 2x2x4)
mesh.mesh @mesh1(shape = 4x?)
mesh.mesh @mesh2(shape = ?x?) {t.x}
func.func @mesh(%t: tensor<4x8xf32>, %i: index, %l: i64, %u: tensor<2x?xf32>, %m: memref<12x12xi8>) {
  %v0_5:3 = mesh.mesh_shape @mesh0 : index, index, index
  %v0_6 = mesh.mesh_shape @mesh0 axes = [1] : index
  %v0_7:3 = mesh.process_multi_index on @mesh0 : index, index, index
  %v0_8:2 = mesh.process_multi_index on @mesh0 axes = [2, 0] : index, index
  %v0_9 = mesh.process_linear_index on @mesh0 : index
  mesh.all_gather %t on @mesh0 mesh_axes = [2] gather_axis = 1 : tensor<4x8xf32> -> tensor<4x32xf32>
  mesh.all_reduce %t on @mesh0 mesh_axes = [0, 1] : tensor<4x8xf32> -> tensor<4x8xf32>
  mesh.all_reduce %t on @mesh0 reduction = <max> : tensor<4x8xf32> -> tensor<4x8xf64>
  mesh.all_slice %t on @mesh0 mesh_axes = [2] slice_axis = 1 : tensor<4x8xf32> -> tensor<4x2xf32>
  mesh.all_to_all %t on @mesh0 mesh_axes = [2] split_axis = 0 concat_axis = 0 : tensor<4x8xf32> -> tensor<4x8xf32>
  mesh.broadcast %t on @mesh0 mesh_axes = [0] root = [0] : (tensor<4x8xf32>) -> tensor<4x8xf32>
  mesh.broadcast %t on @mesh0 mesh_axes = [0, 2] root = [%i, 3] : (tensor<4x8xf32>, index) -> tensor<4x8xf32>
  mesh.gather %t on @mesh0 mesh_axes = [2] gather_axis = 0 root = [1] : (tensor<4x8xf32>) -> tensor<16x8xf32>
  mesh.reduce %t on @mesh0 mesh_axes = [1] reduction = <min> root = [1] : (tensor<4x8xf32>) -> tensor<4x8xf32>
  mesh.reduce_scatter %t on @mesh0 mesh_axes = [2] scatter_axis = 0 : tensor<4x8xf32> -> tensor<1x8xf64>
  mesh.scatter %t on @mesh0 mesh_axes = [2] scatter_axis = 0 root = [1] : (tensor<4x8xf32>) -> tensor<1x8xf32>
  mesh.send %t on @mesh0 mesh_axes = [2] destination = [1] : (tensor<4x8xf32>) -> tensor<4x8xf32>
  mesh.recv %t on @mesh0 mesh_axes = [0, 2] source = [0, %i] : (tensor<4x8xf32>, index) -> tensor<4x8xf32>
  mesh.recv %t on @mesh0 mesh_axes = [0, 2] : (tensor<4x8xf32>) -> tensor<4x8xf32>
  mesh.shift %t on @mesh0 mesh_axes = [2] shift_axis = 2 offset = -2 rotate : tensor<4x8xf32> -> tensor<4x8xf32>
  mesh.shift %t on @mesh0 mesh_axes = [2] shift_axis = 2 offset = 1 : tensor<4x8xf32> -> tensor<4x8xf32>
  mesh.shard %t to <@mesh0, [[0], [1, 2]]> : tensor<4x8xf32>
  mesh.shard %t to <@mesh0, [[0]], partial = max[1, 2]> annotate_for_users : tensor<4x8xf32>
  "t.mesh"() {s = #mesh.shard<@mesh0, [[], [1]]>, t = #mesh.shard<@mesh1, [[0]], partial = sum[1]>} : () -> ()
  mesh.process_linear_index on @mesh0 : index
  return
}
