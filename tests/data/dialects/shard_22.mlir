// releases: 22
// covers: the shard dialect: grids, shardings with halos, collectives with static and dynamic indexes.
shard.grid @grid0(shape = 2x2x4)
shard.grid @grid1(shape = 4x?)
shard.grid @grid2(shape = ?x?) {t.x}
func.func @shard(%t: tensor<4x8xf32>, %i: index, %l: i64, %u: tensor<2x?xf32>, %m: memref<12x12xi8>) {
  %s_0 = shard.sharding @grid0 split_axes = [[0], [1, 2]] : !shard.sharding
      %a_0 = shard.shard %t to %s_0 : tensor<4x8xf32>
      %b_0 = shard.shard %a_0 to %s_0 annotate_for_users : tensor<4x8xf32>
      %g_0 = shard.get_sharding %b_0 : tensor<4x8xf32> -> !shard.sharding
  %s_1 = shard.sharding @grid0 split_axes = [[0], []] halo_sizes = [1, 4] : !shard.sharding
  %s_2 = shard.sharding @grid0 split_axes = [[0]] halo_sizes = [%l, 4] : !shard.sharding
  %s_3 = shard.sharding @grid0 split_axes = [[1]] sharded_dims_offsets = [0, 2, 4] : !shard.sharding
  %s_4 = shard.sharding @grid0 split_axes = [[], [0]] : !shard.sharding
      %v0_4:2 = shard.shard_shape dims = [4, %i] sharding = %s_4 device = [0, %i, 1] : index, index
  %v0_5:3 = shard.grid_shape @grid0 : index, index, index
  %v0_6 = shard.grid_shape @grid0 axes = [1] : index
  %v0_7:3 = shard.process_multi_index on @grid0 : index, index, index
  %v0_8:2 = shard.process_multi_index on @grid0 axes = [2, 0] : index, index
  %v0_9 = shard.process_linear_index on @grid0 : index
  %v0_10:2 = shard.neighbors_linear_indices on @grid0[%i, %i, %i] split_axes = [0] : index, index
  shard.all_gather %t on @grid0 grid_axes = [2] gather_axis = 1 : tensor<4x8xf32> -> tensor<4x32xf32>
  shard.all_reduce %t on @grid0 grid_axes = [0, 1] : tensor<4x8xf32> -> tensor<4x8xf32>
  shard.all_reduce %t on @grid0 reduction = max : tensor<4x8xf32> -> tensor<4x8xf64>
  shard.all_slice %t on @grid0 grid_axes = [2] slice_axis = 1 : tensor<4x8xf32> -> tensor<4x2xf32>
  shard.all_to_all %t on @grid0 grid_axes = [2] split_axis = 0 concat_axis = 0 : tensor<4x8xf32> -> tensor<4x8xf32>
  shard.broadcast %t on @grid0 grid_axes = [0] root = [0] : (tensor<4x8xf32>) -> tensor<4x8xf32>
  shard.broadcast %t on @grid0 grid_axes = [0, 2] root = [%i, 3] : (tensor<4x8xf32>, index) -> tensor<4x8xf32>
  shard.gather %t on @grid0 grid_axes = [2] gather_axis = 0 root = [1] : (tensor<4x8xf32>) -> tensor<16x8xf32>
  shard.reduce %t on @grid0 grid_axes = [1] reduction = min root = [1] : (tensor<4x8xf32>) -> tensor<4x8xf32>
  shard.reduce_scatter %t on @grid0 grid_axes = [2] scatter_axis = 0 : tensor<4x8xf32> -> tensor<1x8xf64>
  shard.scatter %t on @grid0 grid_axes = [2] scatter_axis = 0 root = [1] : (tensor<4x8xf32>) -> tensor<1x8xf32>
  shard.send %t on @grid0 grid_axes = [2] destination = [1] : (tensor<4x8xf32>) -> tensor<4x8xf32>
  shard.recv %t on @grid0 grid_axes = [0, 2] source = [0, %i] : (tensor<4x8xf32>, index) -> tensor<4x8xf32>
  shard.recv %t on @grid0 grid_axes = [0, 2] : (tensor<4x8xf32>) -> tensor<4x8xf32>
  shard.shift %t on @grid0 grid_axes = [2] shift_axis = 2 offset = -2 rotate : tensor<4x8xf32> -> tensor<4x8xf32>
  shard.shift %t on @grid0 grid_axes = [2] shift_axis = 2 offset = 1 : tensor<4x8xf32> -> tensor<4x8xf32>
  shard.update_halo %m on @grid0 split_axes = [[0]] halo_sizes = [2, %l] : memref<12x12xi8>
  "t.shard"() {a = #shard<axisarray[[0, 1], [2], []]>} : () -> ()
  return
}
