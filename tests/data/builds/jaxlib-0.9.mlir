module {
  module {
    func.func @multiple_assign_to_pinned_host(%arg0: tensor<4x8xi32>) attributes {topology = #mpmd.topology<<"m" : <["devices"=8]>>>} {
      %0 = mpmd.assign %arg0 : (tensor<4x8xi32>) -> !mpmd.mesh_tensor<"m", tensor<4x8xi32>, memory_kind="pinned_host">
      %1 = mpmd.assign %arg0 : (tensor<4x8xi32>) -> !mpmd.mesh_tensor<"m", tensor<4x8xi32>, memory_kind="pinned_host">
      return
    }
  }
  module {
    func.func @main(%arg0: tensor<4x8xf32>) -> tensor<4x8xf32> attributes {mesh_shape = #sdy.mesh<["x"=2, "y"=4]>} {
      %0 = mpmd.broadcast %arg0 : tensor<4x8xf32>
      return %0 : tensor<4x8xf32>
    }
  }
  module {
    func.func @no_inferred(%arg0: !mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>> attributes {topology = #mpmd.topology<<"m1" : <["x"=2]>>>} {
      %0 = mpmd.fragment<mesh="m1", origin=["user"]> (%arg0) (%arg1: tensor<4xf32>) {
        mpmd.return %arg1 : tensor<4xf32>
      } : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
      return %0 : !mpmd.mesh_tensor<"m1", tensor<4xf32>>
    }
  }
  module {
    func.func @noop_named_computation(%arg0: tensor<4x8xf32>) -> tensor<4x8xf32> attributes {mesh_shape = #sdy.mesh<["x"=4]>} {
      %0 = mpmd.named_computation<"f"> (%arg0) (%arg1: tensor<4x8xf32>) {
        mpmd.return %arg1 : tensor<4x8xf32>
      } : (tensor<4x8xf32>) -> tensor<4x8xf32>
      return %0 : tensor<4x8xf32>
    }
  }
  module {
    func.func @assign_to_pinned_host_and_device(%arg0: tensor<4x8xf32>) -> tensor<4x8xf32> attributes {topology = #mpmd.topology<<"m1" : <["x"=2]>>>} {
      %0 = mpmd.named_tensor %arg0 name="x" : tensor<4x8xf32>
      %1 = mpmd.named_tensor %0 name="y" : tensor<4x8xf32>
      return %1 : tensor<4x8xf32>
    }
  }
  module {
    func.func @single_reduce_with_block_arg(%arg0: tensor<4x8xf32>) -> tensor<4x8xf32> attributes {topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["y"=2]>>>} {
      %0 = mpmd.reduce<none> %arg0 : (tensor<4x8xf32>) -> tensor<4x8xf32>
      return %0 : tensor<4x8xf32>
    }
  }
  module {
    func.func @embedding_param_transfer(%arg0: !mpmd.mesh_tensor<"m1", tensor<4x8xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<4x8xf32>> attributes {topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>} {
      %0 = mpmd.transfer %arg0 : (!mpmd.mesh_tensor<"m1", tensor<4x8xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<4x8xf32>>
      return %0 : !mpmd.mesh_tensor<"m2", tensor<4x8xf32>>
    }
  }
  module {
    func.func @unassign_assign(%arg0: !mpmd.mesh_tensor<"m2", tensor<4x8xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<4x8xf32>> attributes {topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["y"=2]>>>} {
      %0 = mpmd.unassign %arg0 : (!mpmd.mesh_tensor<"m2", tensor<4x8xf32>>) -> tensor<4x8xf32>
      %1 = mpmd.assign %0 : (tensor<4x8xf32>) -> !mpmd.mesh_tensor<"m1", tensor<4x8xf32>>
      return %1 : !mpmd.mesh_tensor<"m1", tensor<4x8xf32>>
    }
  }
  module {
    sdy.mesh @mesh = <["x"=2]>
  }
  module {
    sdy.mesh @mesh_a_2_b_2_c_2 = <["a"=2, "b"=2, "c"=2]>
    func.func @propagation_barrier_forward_just_result_sharding(%arg0: tensor<8x8xf32>) -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh_a_2_b_2_c_2, [{"a", "b", ?}, {?}]>}) {
      %0 = sdy.propagation_barrier %arg0 allowed_direction=FORWARD : tensor<8x8xf32>
      return %0 : tensor<8x8xf32>
    }
  }
  module {
    sdy.mesh @mesh = <["x"=2, "y"=2, "z"=2]>
    func.func @reshard_drop_and_introduce_success(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced={"x", "y"}>}) -> tensor<8xf32> {
      %0 = sdy.reshard %arg0 <@mesh, [{}], unreduced={"x", "z"}> : tensor<8xf32>
      return %0 : tensor<8xf32>
    }
  }
  module {
    func.func @op_with_no_result_without_src_set(%arg0: tensor<4x8xf32>) -> tensor<4x8xf32> attributes {topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["y"=2]>>, <"m3" : <["z"=2]>>>} {
      sdy.sharding_group %arg0 group_id=0 : tensor<4x8xf32>
      return %arg0 : tensor<4x8xf32>
    }
  }
  module {
    func.func @fragment_m1(%arg0: tensor<4x8xf32>) -> tensor<4x8xf32> attributes {mesh_shape = #sdy.mesh<["x"=2]>} {
      %0 = stablehlo.add %arg0, %arg0 : tensor<4x8xf32>
      return %0 : tensor<4x8xf32>
    }
  }
  module {
    func.func @while_op_dce_no_side_effect(%arg0: tensor<i64>) -> tensor<i64> {
      %0 = stablehlo.while(%iterArg = %arg0) : tensor<i64>
      cond {
        %1 = stablehlo.compare LT, %iterArg, %iterArg : (tensor<i64>, tensor<i64>) -> tensor<i1>
        stablehlo.return %1 : tensor<i1>
      } do {
        %1 = stablehlo.create_token : !stablehlo.token
        stablehlo.return %iterArg : tensor<i64>
      }
      return %arg0 : tensor<i64>
    }
  }
  module {
    func.func @dynamic_conv_empty_spatial_dimensions(%arg0: tensor<3x2xf16>, %arg1: tensor<2x2xf16>) -> tensor<3x2xf16> {
      %c = stablehlo.constant dense<0> : tensor<0x2xi64>
      %0 = "stablehlo.dynamic_conv"(%arg0, %arg1, %c) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, f]x[i, o]->[b, f]>, feature_group_count = 1 : i64}> : (tensor<3x2xf16>, tensor<2x2xf16>, tensor<0x2xi64>) -> tensor<3x2xf16>
      return %0 : tensor<3x2xf16>
    }
  }
  module {
    func.func @sequential_conv(%arg0: tensor<2x4x4x4xi32>, %arg1: tensor<3x3x4x4xi32>) -> tensor<2x2x2x4xi32> {
      %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[0, 1], [0, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x4x4x4xi32>, tensor<3x3x4x4xi32>) -> tensor<2x2x2x4xi32>
      return %0 : tensor<2x2x2x4xi32>
    }
  }
  module {
    sdy.mesh @mesh = <["a"=2, "b"=2, "c"=2]>
    func.func @dot_general_with_unreduced_result(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {"b"}]>}, %arg1: tensor<8x16xf32>) -> (tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"b"}]>}) {
      %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{?}, {?}], unreduced={"b"}>]>} : (tensor<8x8xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
      %1 = sdy.reshard %0 <@mesh, [{"a"}, {}]> : tensor<8x16xf32>
      %2 = stablehlo.add %1, %1 : tensor<8x16xf32>
      return %2 : tensor<8x16xf32>
    }
  }
  module {
    func.func public @sort_zero_extent(%arg0: tensor<0xi16>) -> (tensor<0xi32> {jax.result_info = ""}) {
      %0 = stablehlo.iota dim = 0 : tensor<0xi32>
      %1:2 = "stablehlo.sort"(%arg0, %0) <{dimension = 0 : i64, is_stable = true}> ({
      ^bb0(%arg1: tensor<i16>, %arg2: tensor<i16>, %arg3: tensor<i32>, %arg4: tensor<i32>):
        %2 = stablehlo.compare LT, %arg1, %arg2, SIGNED : (tensor<i16>, tensor<i16>) -> tensor<i1>
        stablehlo.return %2 : tensor<i1>
      }) : (tensor<0xi16>, tensor<0xi32>) -> (tensor<0xi16>, tensor<0xi32>)
      return %1#1 : tensor<0xi32>
    }
  }
  module {
    func.func @reduce_window_min_ndhwc(%arg0: tensor<1x17x17x17x64xf32>, %arg1: tensor<f32>) -> tensor<1x8x8x8x64xf32> {
      %0 = "stablehlo.reduce_window"(%arg0, %arg1) <{window_dimensions = array<i64: 1, 3, 3, 3, 1>, window_strides = array<i64: 1, 2, 2, 2, 1>}> ({
      ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
        %1 = stablehlo.minimum %arg2, %arg3 : tensor<f32>
        stablehlo.return %1 : tensor<f32>
      }) : (tensor<1x17x17x17x64xf32>, tensor<f32>) -> tensor<1x8x8x8x64xf32>
      return %0 : tensor<1x8x8x8x64xf32>
    }
  }
  module {
    func.func @assign_broadcast_empty_use_set(%arg0: tensor<4x8xf32>) -> tensor<4x8xf32> attributes {topology = #mpmd.topology<<"m0" : <["x"=2]>>, <"m1" : <["x"=2]>>>} {
      %0 = stablehlo.multiply %arg0, %arg0 {mpmd.src_set = #mpmd.meshes_with_origins<"m0">} : tensor<4x8xf32>
      %1 = mpmd.broadcast %0 : tensor<4x8xf32>
      return %1 : tensor<4x8xf32>
    }
  }
  module {
    sdy.mesh @mesh = <["a"=2, "b"=2]>
    func.func @data_flow_edge(%arg0: tensor<32x96xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}, {?}]>}, %arg1: tensor<32x96xf32>) -> (tensor<32x96xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"b", ?}]>}, tensor<32x96xf32>) {
      %0 = stablehlo.add %arg0, %arg0 : tensor<32x96xf32>
      %1:2 = stablehlo.optimization_barrier %0, %arg1 : tensor<32x96xf32>, tensor<32x96xf32>
      %2 = sdy.data_flow_edge %1#0 : tensor<32x96xf32>
      %3 = sdy.data_flow_edge %1#1 : tensor<32x96xf32>
      return %2, %3 : tensor<32x96xf32>, tensor<32x96xf32>
    }
  }
  module {
    func.func @sequential_pad_replica_id(%arg0: tensor<4xi32>, %arg1: tensor<i32>) -> tensor<8xi32> {
      %0 = stablehlo.pad %arg0, %arg1, low = [3], high = [1], interior = [0] : (tensor<4xi32>, tensor<i32>) -> tensor<8xi32>
      return %0 : tensor<8xi32>
    }
  }
  module {
    func.func @map_compare(%arg0: tensor<?xcomplex<f32>>, %arg1: tensor<?xcomplex<f32>>) -> tensor<?xi1> {
      %0 = "stablehlo.map"(%arg0, %arg1) <{dimensions = array<i64: 0>}> ({
      ^bb0(%arg2: tensor<complex<f32>>, %arg3: tensor<complex<f32>>):
        %1 = stablehlo.real %arg2 : (tensor<complex<f32>>) -> tensor<f32>
        %2 = stablehlo.real %arg3 : (tensor<complex<f32>>) -> tensor<f32>
        %3 = stablehlo.compare EQ, %1, %2 : (tensor<f32>, tensor<f32>) -> tensor<i1>
        stablehlo.return %3 : tensor<i1>
      }) : (tensor<?xcomplex<f32>>, tensor<?xcomplex<f32>>) -> tensor<?xi1>
      return %0 : tensor<?xi1>
    }
  }
  module {
    func.func @constant_like_bounded_dynamic_shape(%arg0: tensor<2xi64>, %arg1: tensor<i32>) -> tensor<?xi32, #stablehlo.bounds<2>> {
      %0 = stablehlo.set_dimension_size %arg0, %arg1, dim = 0 : (tensor<2xi64>, tensor<i32>) -> tensor<?xi64, #stablehlo.bounds<2>>
      %1 = "chlo.constant_like"(%0) <{value = 1 : i32}> : (tensor<?xi64, #stablehlo.bounds<2>>) -> tensor<?xi32, #stablehlo.bounds<2>>
      return %1 : tensor<?xi32, #stablehlo.bounds<2>>
    }
  }
  llvm.mlir.global private @addr() {addr_space = 0 : i32, dso_local} : !llvm.ptr {
    %0 = llvm.blockaddress <function = @block_of, tag = <id = 0>> : !llvm.ptr
    llvm.return %0 : !llvm.ptr
  }
  llvm.func @block_of() {
    llvm.br ^bb1
  ^bb1:  // pred: ^bb0
    llvm.blocktag <id = 0>
    llvm.return
  }
  func.func @work_estimation(%arg0: !gpu.sparse.spgemmop_handle, %arg1: !gpu.sparse.spmat_handle, %arg2: index, %arg3: memref<0xi8>, %arg4: !gpu.async.token) {
    %bufferSzNew, %asyncToken = gpu.spgemm_work_estimation_or_compute async [%arg4]{WORK_ESTIMATION} %arg1, %arg1, %arg1, %arg0, %arg2, %arg3 : f32 into memref<0xi8>
    return
  }
}
