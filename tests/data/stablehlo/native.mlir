// Every attribute and type of stablehlo and chlo that has a code, for files that are not portable.
// since none
module @native attributes {
  a.a00 = #stablehlo.channel_handle<handle = 1, type = -1>,
  a.a01 = #stablehlo<comparison_direction GE>,
  a.a02 = #stablehlo<comparison_type TOTALORDER>,
  a.a03 = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[f, 1, b, 0]>,
  a.a04 = #stablehlo.conv<[b, f]x[o, i]->[f, b]>,
  a.a05 = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_contracting_dimensions = [1, 2]>,
  a.a06 = #stablehlo.dot<>,
  a.a07 = #stablehlo<fft_type IRFFT>,
  a.a08 = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0, 1], operand_batching_dims = [3], start_indices_batching_dims = [4], start_index_map = [0, 1], index_vector_dim = 2>,
  a.a09 = #stablehlo.gather<>,
  a.a10 = #stablehlo<precision HIGHEST>,
  a.a11 = #stablehlo<rng_algorithm PHILOX>,
  a.a12 = #stablehlo<rng_distribution NORMAL>,
  a.a13 = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [1], input_batching_dims = [2], scatter_indices_batching_dims = [3], scatter_dims_to_operand_dims = [4, 5], index_vector_dim = 1>,
  a.a14 = #stablehlo<transpose ADJOINT>,
  a.a15 = #stablehlo.bounds<4, ?>,
  a.a16 = #stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = [1, 2]>,
  a.a17 = #stablehlo.dot_algorithm<lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false>,
  a.a18 = #stablehlo.result_accuracy_mode<HIGHEST>,
  a.a19 = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<DEFAULT>>,
  a.a20 = #stablehlo.result_accuracy<atol = 1.000000e-05, ulps = 3, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>,
  a.a21 = #stablehlo.replica_group_mesh_axes<mesh = #stablehlo.mesh<axes=[<name = "x", size = 2>]>, axes = [#stablehlo.axis_ref<name = "x">]>,
  a.a22 = #stablehlo<sub_axis_info(1)2>,
  a.a23 = #stablehlo.axis_ref<name = "x", sub_axis_info = (1)2>,
  a.a24 = #stablehlo.axis_ref<name = "x y\22">,
  a.a25 = #stablehlo.mesh_axis<name = "x", size = 2>,
  a.a26 = #stablehlo.mesh<axes=[<name = "x", size = 2>, <name = "y", size = 2>], device_ids=dense<[3, 2, 1, 0]> : tensor<4xi64>>,
  a.a27 = #chlo<comparison_direction LE>,
  a.a28 = #chlo<comparison_type FLOAT>,
  a.a29 = #chlo<precision HIGH>,
  a.a30 = #chlo.ragged_dot<lhs_ragged_dimensions = [0]>,
  a.t0 = !stablehlo.token,
  a.t1 = !stablehlo.future<tensor<2xf32>, tensor<i1>>
} {
  func.func @scan(%arg0: tensor<2xi32>, %arg1: tensor<i32>) -> (tensor<2xi32>, tensor<i32>) {
    %0:2 = chlo.scan(%arg0) inits(%arg1) dimension=0 {
    ^bb0(%x0: tensor<i32>, %x1: tensor<i32>):
      %1 = "stablehlo.add"(%x0, %x1) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%1, %1) : (tensor<i32>, tensor<i32>) -> ()
    } : (tensor<2xi32>, tensor<i32>) -> (tensor<2xi32>, tensor<i32>)
    return %0#0, %0#1 : tensor<2xi32>, tensor<i32>
  }
}
