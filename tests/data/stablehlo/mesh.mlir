// Replica groups by the axes of a mesh.
// since 1.16.0
module @mesh {
  func.func private @mesh()
  func.func @all_reduce_0(%arg0: tensor<f32>) -> tensor<f32> {
    %0 = "stablehlo.all_reduce"(%arg0) ({
      ^bb0(%x0: tensor<f32>, %x1: tensor<f32>):
        %r0 = "stablehlo.add"(%x0, %x1) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%r0) : (tensor<f32>) -> ()
    }) {replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh, axes = [#stablehlo.axis_ref<name = "x", sub_axis_info = (1)2>, #stablehlo.axis_ref<name = "y">]>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>} : (tensor<f32>) -> tensor<f32>
    return %0 : tensor<f32>
  }
  func.func @all_reduce_1(%arg0: tensor<f32>) -> tensor<f32> {
    %0 = "stablehlo.all_reduce"(%arg0) ({
      ^bb0(%x0: tensor<f32>, %x1: tensor<f32>):
        %r0 = "stablehlo.add"(%x0, %x1) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%r0) : (tensor<f32>) -> ()
    }) {replica_groups = #stablehlo.replica_group_mesh_axes<mesh = #stablehlo.mesh<axes=[<name = "x", size = 2>, <name = "y", size = 2>], device_ids=dense<[0, 2, 1, 3]> : tensor<4xi64>>, axes = [#stablehlo.axis_ref<name = "y">]>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>} : (tensor<f32>) -> tensor<f32>
    return %0 : tensor<f32>
  }
  func.func @all_reduce_2(%arg0: tensor<f32>) -> tensor<f32> {
    %0 = "stablehlo.all_reduce"(%arg0) ({
      ^bb0(%x0: tensor<f32>, %x1: tensor<f32>):
        %r0 = "stablehlo.add"(%x0, %x1) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%r0) : (tensor<f32>) -> ()
    }) {replica_groups = #stablehlo.replica_group_mesh_axes<mesh = #stablehlo.mesh<axes=[<name = "x", size = 2>]>, axes = [#stablehlo.axis_ref<name = "x">]>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>} : (tensor<f32>) -> tensor<f32>
    return %0 : tensor<f32>
  }
  func.func @all_gather(%arg0: tensor<16x8xf32>) -> tensor<16x16xf32> {
    %0 = "stablehlo.all_gather"(%arg0) {all_gather_dim = 1 : i64, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = #stablehlo.mesh<axes=[<name = "x", size = 2>, <name = "y", size = 2>], device_ids=dense<[0, 2, 1, 3]> : tensor<4xi64>>, axes = [#stablehlo.axis_ref<name = "y">]>} : (tensor<16x8xf32>) -> tensor<16x16xf32>
    return %0 : tensor<16x16xf32>
  }
}
