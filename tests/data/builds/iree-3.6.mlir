module {
  module {
    func.func @tensor() {
      %0 = util.unfoldable_constant dense<[0, 17, 257, 273]> : tensor<4xi32>
      %1 = util.unfoldable_constant dense<[0, 16, 273, 0]> : tensor<4xi32>
      %2 = tosa.bitwise_and %0, %1 : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
      check.expect_eq_const(%2, dense<[0, 16, 257, 0]> : tensor<4xi32>) : tensor<4xi32>
      return
    }
  }
  module {
    func.func @divide_no_broadcast(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>) -> tensor<4xf32> {
      %0 = chlo.broadcast_divide %arg0, %arg1 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
      return %0 : tensor<4xf32>
    }
  }
  module {
    func.func @maximumWithoutBroadcast(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>) -> tensor<4xf32> {
      %0 = chlo.broadcast_maximum %arg0, %arg1 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
      return %0 : tensor<4xf32>
    }
  }
  module {
    func.func @expression_with_dereference(%arg0: i32, %arg1: i32, %arg2: !emitc.ptr<i32>) -> i1 {
      %0 = emitc.mul %arg0, %arg1 : (i32, i32) -> i32
      %1 = emitc.apply "*"(%arg2) : (!emitc.ptr<i32>) -> i32
      %2 = emitc.cmp lt, %0, %1 : (i32, i32) -> i1
      return %2 : i1
    }
  }
  module {
    func.func @test_assign(%arg0: f32) {
      %0 = "emitc.variable"() <{value = #emitc.opaque<"">}> : () -> !emitc.lvalue<f32>
      emitc.assign %arg0 : f32 to %0 : <f32>
      return
    }
  }
  module {
    func.func @load_store_pointer(%arg0: !emitc.ptr<f32>, %arg1: !emitc.ptr<f32>, %arg2: index, %arg3: index) {
      %0 = emitc.subscript %arg0[%arg2] : (!emitc.ptr<f32>, index) -> !emitc.lvalue<f32>
      %1 = emitc.subscript %arg1[%arg3] : (!emitc.ptr<f32>, index) -> !emitc.lvalue<f32>
      %2 = emitc.load %0 : <f32>
      emitc.assign %2 : f32 to %1 : <f32>
      return
    }
  }
  module {
    gpu.module @test {
      gpu.func @empty() {
        gpu.return
      }
    }
  }
  module {
    util.func public @allocator_allocate(%arg0: !hal.allocator) {
      %c-1_i64 = arith.constant -1 : i64
      %c123 = arith.constant 123 : index
      %memory_type = hal.memory_type<"HostVisible|HostCoherent|HostLocal"> : i32
      %buffer_usage = hal.buffer_usage<"TransferSource|TransferTarget|Transfer"> : i32
      %buffer = hal.allocator.allocate<%arg0 : !hal.allocator> affinity(%c-1_i64) type(%memory_type) usage(%buffer_usage) : !hal.buffer{%c123}
      util.return
    }
  }
  module {
    util.global public mutable @var_with_buffer_view_store : tensor<?x4xf32>
    util.func public @globalStoreFromExternal(%arg0: !hal.buffer_view) {
      %0 = hal.buffer_view.dim<%arg0 : !hal.buffer_view>[0] : index
      %1 = hal.tensor.import %arg0 : !hal.buffer_view -> tensor<?x4xf32>{%0}
      util.global.store %1, @var_with_buffer_view_store : tensor<?x4xf32>
      util.return
    }
  }
  module {
    util.func public @command_buffer_collective_send(%arg0: !hal.command_buffer, %arg1: !hal.channel, %arg2: i32, %arg3: !hal.buffer, %arg4: index) {
      %c10 = arith.constant 10 : index
      %c128 = arith.constant 128 : index
      hal.command_buffer.collective<%arg0 : !hal.command_buffer> channel(%arg1 : !hal.channel) op(<send : si32>) param(%arg2 : i32) send(%arg3 : !hal.buffer)[%c10, %c128] count(%arg4)
      util.return
    }
  }
  module {
    util.func public @device_queue_execute_indirect(%arg0: !hal.device, %arg1: i64, %arg2: !hal.fence, %arg3: !hal.fence, %arg4: !hal.command_buffer, %arg5: !hal.buffer, %arg6: !hal.buffer) {
      %c100 = arith.constant 100 : index
      %c200 = arith.constant 200 : index
      %c1000 = arith.constant 1000 : index
      %c2000 = arith.constant 2000 : index
      hal.device.queue.execute.indirect<%arg0 : !hal.device> affinity(%arg1) wait(%arg2) signal(%arg3) commands(%arg4) bindings([
        (%arg5 : !hal.buffer)[%c100, %c1000], 
        (%arg6 : !hal.buffer)[%c200, %c2000]
      ]) flags("None")
      util.return
    }
  }
  module {
    util.func public @fence_await_null(%arg0: !hal.fence) -> i32 {
      %c123_i32 = arith.constant 123 : i32
      %0 = util.null : !hal.fence
      %status = hal.fence.await until([%arg0, %0]) timeout_millis(%c123_i32) flags("None") : i32
      util.return %status : i32
    }
  }
  module {
    util.func public @propagateImportDimsPartial(%arg0: !hal.buffer_view, %arg1: !hal.buffer) -> tensor<?x?xf32> {
      %0 = hal.buffer_view.dim<%arg0 : !hal.buffer_view>[0] : index
      %1 = hal.buffer_view.dim<%arg0 : !hal.buffer_view>[1] : index
      %2 = hal.tensor.import %arg0 : !hal.buffer_view -> tensor<?x?xf32>{%0, %1}
      %c8 = arith.constant 8 : index
      %3 = hal.tensor.alias %2 : tensor<?x?xf32>{%0, %c8} to %arg1 : !hal.buffer
      util.return %3 : tensor<?x?xf32>
    }
  }
  module {
    util.func public @foldTensorImportExportTypeMismatch(%arg0: !hal.buffer_view) -> !hal.buffer {
      %0 = hal.tensor.import %arg0 : !hal.buffer_view -> tensor<5xi32>
      %1 = hal.tensor.export %0 : tensor<5xi32> -> !hal.buffer
      util.return %1 : !hal.buffer
    }
  }
  module {
    func.func @arg_compare_2d_dim0(%arg0: tensor<16x32xf32>) -> tensor<32xi32> {
      %0 = tensor.empty() : tensor<32xf32>
      %1 = tensor.empty() : tensor<32xi32>
      %2:2 = iree_linalg_ext.arg_compare dimension(0) ins(%arg0 : tensor<16x32xf32>) outs(%0, %1 : tensor<32xf32>, tensor<32xi32>) {
      ^bb0(%arg1: f32, %arg2: f32):
        %3 = arith.cmpf ogt, %arg1, %arg2 : f32
        iree_linalg_ext.yield %3 : i1
      } -> tensor<32xf32>, tensor<32xi32>
      return %2#1 : tensor<32xi32>
    }
  }
  module {
    func.func @fft_1d_stage_5(%arg0: tensor<1024xf32>, %arg1: tensor<1024xf32>, %arg2: tensor<16xf32>, %arg3: tensor<16xf32>) -> (tensor<1024xf32>, tensor<1024xf32>) {
      %c5 = arith.constant 5 : index
      %0:2 = iree_linalg_ext.fft ins(%c5, %arg2, %arg3 : index, tensor<16xf32>, tensor<16xf32>) outs(%arg0, %arg1 : tensor<1024xf32>, tensor<1024xf32>) : tensor<1024xf32>, tensor<1024xf32>
      return %0#0, %0#1 : tensor<1024xf32>, tensor<1024xf32>
    }
  }
  module {
    func.func @gather_1d_indices(%arg0: memref<?x?xi32>, %arg1: memref<?xi32>, %arg2: memref<?x?xi32>) {
      iree_linalg_ext.gather dimension_map = [0] ins(%arg0, %arg1 : memref<?x?xi32>, memref<?xi32>) outs(%arg2 : memref<?x?xi32>)
      return
    }
  }
  module {
    func.func @scan_1d_exclusive(%arg0: memref<128xi32>, %arg1: memref<128xi32>) {
      %alloc = memref.alloc() : memref<i32>
      iree_linalg_ext.scan dimension(0) inclusive(false) ins(%arg0 : memref<128xi32>) outs(%arg1, %alloc : memref<128xi32>, memref<i32>) {
      ^bb0(%arg2: i32, %arg3: i32):
        %0 = arith.addi %arg2, %arg3 : i32
        iree_linalg_ext.yield %0 : i32
      }
      return
    }
  }
  module {
    func.func @scatter_update_slice_2D(%arg0: memref<4x3xi32>, %arg1: memref<2x1xi32>, %arg2: memref<2x3xi32>) {
      iree_linalg_ext.scatter dimension_map = [0] unique_indices(true) ins(%arg2, %arg1 : memref<2x3xi32>, memref<2x1xi32>) outs(%arg0 : memref<4x3xi32>) {
      ^bb0(%arg3: i32, %arg4: i32):
        iree_linalg_ext.yield %arg3 : i32
      }
      return
    }
  }
  module {
    func.func @topk_memref(%arg0: memref<2x10xf32>, %arg1: memref<2x10xi32>, %arg2: memref<2x3xf32>, %arg3: memref<2x3xi32>) {
      iree_linalg_ext.topk dimension(1) ins(%arg0, %arg1 : memref<2x10xf32>, memref<2x10xi32>) outs(%arg2, %arg3 : memref<2x3xf32>, memref<2x3xi32>) {
      ^bb0(%arg4: f32, %arg5: f32):
        %0 = arith.cmpf ogt, %arg4, %arg5 : f32
        iree_linalg_ext.yield %0 : i1
      }
      return
    }
  }
  module {
    func.func @winograd_filter_transform_fchw(%arg0: tensor<128x64x3x3xf32>) -> tensor<8x8x64x128xf32> {
      %0 = tensor.empty() : tensor<8x8x64x128xf32>
      %1 = iree_linalg_ext.winograd.filter_transform output_tile_size(6) kernel_size(3) kernel_dimensions([2, 3]) ins(%arg0 : tensor<128x64x3x3xf32>) outs(%0 : tensor<8x8x64x128xf32>) -> tensor<8x8x64x128xf32>
      return %1 : tensor<8x8x64x128xf32>
    }
  }
  module {
    func.func @winograd_input_transform_dynamic(%arg0: tensor<?x?x?x?xf32>, %arg1: tensor<8x8x?x?x?x?xf32>) -> tensor<8x8x?x?x?x?xf32> {
      %0 = iree_linalg_ext.winograd.input_transform output_tile_size(6) kernel_size(3) image_dimensions([1, 2]) ins(%arg0 : tensor<?x?x?x?xf32>) outs(%arg1 : tensor<8x8x?x?x?x?xf32>) -> tensor<8x8x?x?x?x?xf32>
      return %0 : tensor<8x8x?x?x?x?xf32>
    }
  }
  module {
    func.func @winograd_output_transform(%arg0: tensor<8x8x2x6x6x128xf16>) -> tensor<2x36x36x128xf16> {
      %0 = tensor.empty() : tensor<2x36x36x128xf16>
      %1 = iree_linalg_ext.winograd.output_transform output_tile_size(6) kernel_size(3) image_dimensions([1, 2]) ins(%arg0 : tensor<8x8x2x6x6x128xf16>) outs(%0 : tensor<2x36x36x128xf16>) -> tensor<2x36x36x128xf16>
      return %1 : tensor<2x36x36x128xf16>
    }
  }
  module {
    func.func @to_simt_to_simd_fold(%arg0: vector<64x64xf32>) -> vector<64x64xf32> {
      %0 = iree_vector_ext.to_simt %arg0 : vector<64x64xf32> -> vector<4x4x4xf32>
      %1 = iree_vector_ext.to_simd %0 : vector<4x4x4xf32> -> vector<64x64xf32>
      return %1 : vector<64x64xf32>
    }
  }
  module {
    func.func @generalize_unary(%arg0: tensor<?x?xf32>, %arg1: tensor<?x?xf32>) -> tensor<?x?xf32> {
      %0 = linalg.exp ins(%arg0 : tensor<?x?xf32>) outs(%arg1 : tensor<?x?xf32>) -> tensor<?x?xf32>
      return %0 : tensor<?x?xf32>
    }
  }
  module {
    mesh.mesh @mesh4(shape = 3)
  }
  module {
    mesh.mesh @mesh0(shape = 4x?x2)
    mesh.mesh @mesh1(shape = 2x3)
    func.func @mesh_shape_op_folding() -> (index, index) {
      %mesh_shape:2 = mesh.mesh_shape @mesh0 axes = [2, 1] : index, index
      return %mesh_shape#0, %mesh_shape#1 : index, index
    }
    func.func @mesh_shape_op_folding_all_axes_static_mesh() -> (index, index) {
      %mesh_shape:2 = mesh.mesh_shape @mesh1 : index, index
      return %mesh_shape#0, %mesh_shape#1 : index, index
    }
  }
  module {
    mesh.mesh @mesh2d(shape = ?x?)
    func.func @multi_index_2d_mesh() -> (index, index) {
      %proc_linear_idx:2 = mesh.process_multi_index on @mesh2d : index, index
      return %proc_linear_idx#0, %proc_linear_idx#1 : index, index
    }
    func.func @multi_index_2d_mesh_single_inner_axis() -> index {
      %proc_linear_idx = mesh.process_multi_index on @mesh2d axes = [0] : index
      return %proc_linear_idx : index
    }
  }
  module {
    func.func @tma_load_1d(%arg0: !llvm.ptr, %arg1: !llvm.ptr<3>, %arg2: !llvm.ptr<3>, %arg3: i32, %arg4: i1) {
      nvvm.cp.async.bulk.tensor.shared.cluster.global %arg1, %arg0, %arg2, box[%arg3] : <3>, !llvm.ptr
      nvvm.cp.async.bulk.tensor.shared.cluster.global %arg1, %arg0, %arg2, box[%arg3] predicate = %arg4 : <3>, !llvm.ptr
      return
    }
  }
  module {
    func.func @cp_async_mbarrier_arrive(%arg0: !llvm.ptr<3>, %arg1: !llvm.ptr) {
      nvvm.cp.async.mbarrier.arrive %arg1 : !llvm.ptr
      nvvm.cp.async.mbarrier.arrive %arg1 {noinc = true} : !llvm.ptr
      nvvm.cp.async.mbarrier.arrive.shared %arg0 : !llvm.ptr<3>
      nvvm.cp.async.mbarrier.arrive.shared %arg0 {noinc = true} : !llvm.ptr<3>
      llvm.return
    }
  }
  module {
    llvm.func @init_mbarrier_arrive_expect_tx(%arg0: !llvm.ptr<3>, %arg1: i32, %arg2: i1) {
      nvvm.mbarrier.arrive.expect_tx.shared %arg0, %arg1 : !llvm.ptr<3>, i32
      nvvm.mbarrier.arrive.expect_tx.shared %arg0, %arg1, predicate = %arg2 : !llvm.ptr<3>, i32, i1
      llvm.return
    }
  }
  module {
    llvm.func private @mbarrier_arrive_nocomplete_shared(%arg0: !llvm.ptr<3>) {
      %0 = nvvm.read.ptx.sreg.ntid.x : i32
      %1 = nvvm.mbarrier.arrive.nocomplete.shared %arg0, %0 : !llvm.ptr<3>, i32 -> i64
      llvm.return
    }
  }
  module {
    llvm.func private @mbarrier_arrive_shared(%arg0: !llvm.ptr<3>) {
      %0 = nvvm.mbarrier.arrive.shared %arg0 : !llvm.ptr<3> -> i64
      llvm.return
    }
  }
  module {
    llvm.func @nvvm(%arg0: !llvm.ptr, %arg1: !llvm.ptr<1>, %arg2: !llvm.ptr<3>, %arg3: i32, %arg4: f32, %arg5: i64, %arg6: i1, %arg7: vector<2xf16>, %arg8: vector<4xf32>, %arg9: vector<2xi8>, %arg10: f64) {
      nvvm.stmatrix %arg2, %arg3 {layout = #nvvm.mma_layout<row>} : !llvm.ptr<3>, i32
      nvvm.mbarrier.init.shared %arg2, %arg3 : !llvm.ptr<3>, i32
      nvvm.mbarrier.try_wait.parity.shared %arg2, %arg3, %arg3 : !llvm.ptr<3>, i32, i32
      nvvm.prefetch.tensormap %arg0 : !llvm.ptr
      llvm.return
    }
  }
  module {
    llvm.func private @mbarrier_inval_shared(%arg0: !llvm.ptr<3>) {
      nvvm.mbarrier.inval.shared %arg0 : !llvm.ptr<3>
      llvm.return
    }
  }
  module {
    llvm.func private @mbarrier_test_wait_shared(%arg0: !llvm.ptr<3>, %arg1: i64) {
      %0 = nvvm.read.ptx.sreg.ntid.x : i32
      %1 = nvvm.mbarrier.test.wait.shared %arg0, %arg1 : !llvm.ptr<3>, i64 -> i1
      llvm.return
    }
  }
  module {
    func.func @op_abs(%arg0: tensor<f32>) -> tensor<f32> {
      %0 = stablehlo.abs %arg0 : tensor<f32>
      return %0 : tensor<f32>
    }
  }
  module {
    func.func @type_i4(%arg0: tensor<i4>, %arg1: tensor<i4>) -> tensor<i4> {
      %0 = stablehlo.add %arg0, %arg1 : tensor<i4>
      return %0 : tensor<i4>
    }
  }
  module {
    func.func @op_after_all(%arg0: !stablehlo.token) -> !stablehlo.token {
      %0 = stablehlo.after_all %arg0 : !stablehlo.token
      return %0 : !stablehlo.token
    }
  }
  module {
    func.func @type_i1(%arg0: tensor<i1>, %arg1: tensor<i1>) -> tensor<i1> {
      %0 = stablehlo.and %arg0, %arg1 : tensor<i1>
      return %0 : tensor<i1>
    }
  }
  module {
    func.func @op_atan2(%arg0: tensor<f32>, %arg1: tensor<f32>) -> tensor<f32> {
      %0 = stablehlo.atan2 %arg0, %arg1 : tensor<f32>
      return %0 : tensor<f32>
    }
  }
  module {
    func.func @op_batch_norm_grad(%arg0: tensor<16x16x16x16xf32>, %arg1: tensor<16xf32>, %arg2: tensor<16xf32>, %arg3: tensor<16xf32>, %arg4: tensor<16x16x16x16xf32>) -> (tensor<16x16x16x16xf32>, tensor<16xf32>, tensor<16xf32>) {
      %grad_operand, %grad_scale, %grad_offset = "stablehlo.batch_norm_grad"(%arg0, %arg1, %arg2, %arg3, %arg4) <{epsilon = 1.000000e-03 : f32, feature_index = 0 : i64}> : (tensor<16x16x16x16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16x16x16x16xf32>) -> (tensor<16x16x16x16xf32>, tensor<16xf32>, tensor<16xf32>)
      return %grad_operand, %grad_scale, %grad_offset : tensor<16x16x16x16xf32>, tensor<16xf32>, tensor<16xf32>
    }
  }
  module {
    func.func @op_batch_norm_training(%arg0: tensor<16x16x16x16xf32>, %arg1: tensor<16xf32>, %arg2: tensor<16xf32>) -> (tensor<16x16x16x16xf32>, tensor<16xf32>, tensor<16xf32>) {
      %output, %batch_mean, %batch_var = "stablehlo.batch_norm_training"(%arg0, %arg1, %arg2) <{epsilon = 1.000000e-03 : f32, feature_index = 0 : i64}> : (tensor<16x16x16x16xf32>, tensor<16xf32>, tensor<16xf32>) -> (tensor<16x16x16x16xf32>, tensor<16xf32>, tensor<16xf32>)
      return %output, %batch_mean, %batch_var : tensor<16x16x16x16xf32>, tensor<16xf32>, tensor<16xf32>
    }
  }
  module {
    func.func @op_bitcast_convert(%arg0: tensor<i32>) -> tensor<f32> {
      %0 = stablehlo.bitcast_convert %arg0 : (tensor<i32>) -> tensor<f32>
      return %0 : tensor<f32>
    }
  }
  module {
    func.func @op_broadcast(%arg0: tensor<16xf32>) -> tensor<16x16xf32> {
      %0 = stablehlo.broadcast %arg0, sizes = [16] : (tensor<16xf32>) -> tensor<16x16xf32>
      return %0 : tensor<16x16xf32>
    }
  }
  module {
    func.func @op_broadcast_in_dim(%arg0: tensor<16xf32>) -> tensor<16x16xf32> {
      %0 = stablehlo.broadcast_in_dim %arg0, dims = [1] : (tensor<16xf32>) -> tensor<16x16xf32>
      return %0 : tensor<16x16xf32>
    }
  }
  module {
    func.func @op_cbrt(%arg0: tensor<f32>) -> tensor<f32> {
      %0 = stablehlo.cbrt %arg0 : tensor<f32>
      return %0 : tensor<f32>
    }
  }
  module {
    func.func @op_ceil(%arg0: tensor<f32>) -> tensor<f32> {
      %0 = stablehlo.ceil %arg0 : tensor<f32>
      return %0 : tensor<f32>
    }
  }
  module {
    func.func @default_cholesky(%arg0: tensor<1x16x16xf32>) -> tensor<1x16x16xf32> {
      %0 = stablehlo.cholesky %arg0 : tensor<1x16x16xf32>
      return %0 : tensor<1x16x16xf32>
    }
  }
  module {
    func.func @op_clamp(%arg0: tensor<f32>, %arg1: tensor<f32>, %arg2: tensor<f32>) -> tensor<f32> {
      %0 = stablehlo.clamp %arg0, %arg1, %arg2 : tensor<f32>
      return %0 : tensor<f32>
    }
  }
  module {
    func.func @default_compare(%arg0: tensor<f32>, %arg1: tensor<f32>) -> tensor<i1> {
      %0 = stablehlo.compare  EQ, %arg0, %arg1 : (tensor<f32>, tensor<f32>) -> tensor<i1>
      return %0 : tensor<i1>
    }
  }
  module {
    func.func @op_complex(%arg0: tensor<f32>, %arg1: tensor<f32>) -> tensor<complex<f32>> {
      %0 = stablehlo.complex %arg0, %arg1 : tensor<complex<f32>>
      return %0 : tensor<complex<f32>>
    }
  }
  module {
    func.func @op_concatenate(%arg0: tensor<8xf32>, %arg1: tensor<8xf32>) -> tensor<16xf32> {
      %0 = stablehlo.concatenate %arg0, %arg1, dim = 0 : (tensor<8xf32>, tensor<8xf32>) -> tensor<16xf32>
      return %0 : tensor<16xf32>
    }
  }
  module {
    func.func @op_constant(%arg0: tensor<f32>) -> tensor<f32> {
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      return %cst : tensor<f32>
    }
  }
  module {
    func.func @op_convert(%arg0: tensor<i32>) -> tensor<f32> {
      %0 = stablehlo.convert %arg0 : (tensor<i32>) -> tensor<f32>
      return %0 : tensor<f32>
    }
  }
  module {
    func.func @default_convolution(%arg0: tensor<1x8x8x207xf32>, %arg1: tensor<3x3x207x16xf32>) -> tensor<1x6x6x16xf32> {
      %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x8x207xf32>, tensor<3x3x207x16xf32>) -> tensor<1x6x6x16xf32>
      return %0 : tensor<1x6x6x16xf32>
    }
  }
  module {
    func.func @op_cosine(%arg0: tensor<f32>) -> tensor<f32> {
      %0 = stablehlo.cosine %arg0 : tensor<f32>
      return %0 : tensor<f32>
    }
  }
  module {
    func.func @op_count_leading_zeros(%arg0: tensor<i32>) -> tensor<i32> {
      %0 = stablehlo.count_leading_zeros %arg0 : tensor<i32>
      return %0 : tensor<i32>
    }
  }
  module {
    func.func @op_create_token() -> !stablehlo.token {
      %0 = stablehlo.create_token : !stablehlo.token
      return %0 : !stablehlo.token
    }
  }
  module {
    func.func @default_custom_call(%arg0: tensor<f32>) -> tensor<f32> {
      %0 = stablehlo.custom_call @foo(%arg0) : (tensor<f32>) -> tensor<f32>
      return %0 : tensor<f32>
    }
  }
  module {
    func.func @op_divide(%arg0: tensor<f32>, %arg1: tensor<f32>) -> tensor<f32> {
      %0 = stablehlo.divide %arg0, %arg1 : tensor<f32>
      return %0 : tensor<f32>
    }
  }
  module {
    func.func @default_dot(%arg0: tensor<8x16xf32>, %arg1: tensor<16x8xf32>) -> tensor<8x8xf32> {
      %0 = stablehlo.dot %arg0, %arg1 : (tensor<8x16xf32>, tensor<16x8xf32>) -> tensor<8x8xf32>
      return %0 : tensor<8x8xf32>
    }
  }
  module {
    func.func @default_dot_general(%arg0: tensor<8x8x16xf32>, %arg1: tensor<8x16x8xf32>) -> tensor<8x8x8xf32> {
      %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<8x8x16xf32>, tensor<8x16x8xf32>) -> tensor<8x8x8xf32>
      return %0 : tensor<8x8x8xf32>
    }
  }
  module {
    func.func @default_dynamic_broadcast_in_dim(%arg0: tensor<?x?xf32>, %arg1: tensor<2xindex>) -> tensor<?x?xf32> {
      %0 = stablehlo.dynamic_broadcast_in_dim %arg0, %arg1, dims = [0, 1] : (tensor<?x?xf32>, tensor<2xindex>) -> tensor<?x?xf32>
      return %0 : tensor<?x?xf32>
    }
  }
  module {
    func.func @op_dynamic_iota(%arg0: tensor<1xindex>) -> tensor<?xf32> {
      %0 = stablehlo.dynamic_iota %arg0, dim = 0 : (tensor<1xindex>) -> tensor<?xf32>
      return %0 : tensor<?xf32>
    }
  }
  module {
    func.func @op_dynamic_pad(%arg0: tensor<?xf32>, %arg1: tensor<f32>, %arg2: tensor<1xindex>, %arg3: tensor<1xindex>, %arg4: tensor<1xindex>) -> tensor<?xf32> {
      %0 = stablehlo.dynamic_pad %arg0, %arg1, %arg2, %arg3, %arg4 : (tensor<?xf32>, tensor<f32>, tensor<1xindex>, tensor<1xindex>, tensor<1xindex>) -> tensor<?xf32>
      return %0 : tensor<?xf32>
    }
  }
  module {
    func.func @op_dynamic_reshape(%arg0: tensor<16xf32>, %arg1: tensor<2xindex>) -> tensor<?x?xf32> {
      %0 = stablehlo.dynamic_reshape %arg0, %arg1 : (tensor<16xf32>, tensor<2xindex>) -> tensor<?x?xf32>
      return %0 : tensor<?x?xf32>
    }
  }
  module {
    func.func @op_dynamic_slice(%arg0: tensor<16xf32>, %arg1: tensor<i64>) -> tensor<4xf32> {
      %0 = stablehlo.dynamic_slice %arg0, %arg1, sizes = [4] : (tensor<16xf32>, tensor<i64>) -> tensor<4xf32>
      return %0 : tensor<4xf32>
    }
  }
  module {
    func.func @op_dynamic_update_slice(%arg0: tensor<16xf32>, %arg1: tensor<4xf32>, %arg2: tensor<i64>) -> tensor<16xf32> {
      %0 = stablehlo.dynamic_update_slice %arg0, %arg1, %arg2 : (tensor<16xf32>, tensor<4xf32>, tensor<i64>) -> tensor<16xf32>
      return %0 : tensor<16xf32>
    }
  }
  module {
    func.func @op_einsum(%arg0: tensor<8x16xf32>, %arg1: tensor<16x8xf32>) -> tensor<8x8xf32> {
      %0 = stablehlo.einsum %arg0, %arg1, config = "ab,bc->ac" : (tensor<8x16xf32>, tensor<16x8xf32>) -> tensor<8x8xf32>
      return %0 : tensor<8x8xf32>
    }
  }
  module {
    func.func @op_exponential(%arg0: tensor<f32>) -> tensor<f32> {
      %0 = stablehlo.exponential %arg0 : tensor<f32>
      return %0 : tensor<f32>
    }
  }
  module {
    func.func @op_exponential_minus_one(%arg0: tensor<f32>) -> tensor<f32> {
      %0 = stablehlo.exponential_minus_one %arg0 : tensor<f32>
      return %0 : tensor<f32>
    }
  }
  module {
    func.func @attr_fft_type_rfft(%arg0: tensor<16xf32>) -> tensor<9xcomplex<f32>> {
      %0 = stablehlo.fft %arg0, type =  RFFT, length = [16] : (tensor<16xf32>) -> tensor<9xcomplex<f32>>
      return %0 : tensor<9xcomplex<f32>>
    }
  }
  module {
    func.func @op_floor(%arg0: tensor<f32>) -> tensor<f32> {
      %0 = stablehlo.floor %arg0 : tensor<f32>
      return %0 : tensor<f32>
    }
  }
  module {
    func.func @op_get_dimension_size(%arg0: tensor<?xf32>) -> tensor<i32> {
      %0 = stablehlo.get_dimension_size %arg0, dim = 0 : (tensor<?xf32>) -> tensor<i32>
      return %0 : tensor<i32>
    }
  }
  module {
    func.func @op_get_tuple_element(%arg0: tuple<tensor<f32>, tensor<i32>>) -> tensor<f32> {
      %0 = stablehlo.get_tuple_element %arg0[0] : (tuple<tensor<f32>, tensor<i32>>) -> tensor<f32>
      return %0 : tensor<f32>
    }
  }
  module {
    func.func @op_imag(%arg0: tensor<complex<f32>>) -> tensor<f32> {
      %0 = stablehlo.imag %arg0 : (tensor<complex<f32>>) -> tensor<f32>
      return %0 : tensor<f32>
    }
  }
  module {
    func.func @op_iota() -> tensor<16xf32> {
      %0 = stablehlo.iota dim = 0 : tensor<16xf32>
      return %0 : tensor<16xf32>
    }
  }
  module {
    func.func @op_is_finite(%arg0: tensor<f32>) -> tensor<i1> {
      %0 = stablehlo.is_finite %arg0 : (tensor<f32>) -> tensor<i1>
      return %0 : tensor<i1>
    }
  }
  module {
    func.func @op_log(%arg0: tensor<f32>) -> tensor<f32> {
      %0 = stablehlo.log %arg0 : tensor<f32>
      return %0 : tensor<f32>
    }
  }
  module {
    func.func @op_log_plus_one(%arg0: tensor<f32>) -> tensor<f32> {
      %0 = stablehlo.log_plus_one %arg0 : tensor<f32>
      return %0 : tensor<f32>
    }
  }
  module {
    func.func @op_logistic(%arg0: tensor<f32>) -> tensor<f32> {
      %0 = stablehlo.logistic %arg0 : tensor<f32>
      return %0 : tensor<f32>
    }
  }
  module {
    func.func @op_maximum(%arg0: tensor<f32>, %arg1: tensor<f32>) -> tensor<f32> {
      %0 = stablehlo.maximum %arg0, %arg1 : tensor<f32>
      return %0 : tensor<f32>
    }
  }
  module {
    func.func @op_minimum(%arg0: tensor<f32>, %arg1: tensor<f32>) -> tensor<f32> {
      %0 = stablehlo.minimum %arg0, %arg1 : tensor<f32>
      return %0 : tensor<f32>
    }
  }
  module {
    func.func @op_multiply(%arg0: tensor<f32>, %arg1: tensor<f32>) -> tensor<f32> {
      %0 = stablehlo.multiply %arg0, %arg1 : tensor<f32>
      return %0 : tensor<f32>
    }
  }
  module {
    func.func @op_negate(%arg0: tensor<f32>) -> tensor<f32> {
      %0 = stablehlo.negate %arg0 : tensor<f32>
      return %0 : tensor<f32>
    }
  }
  module {
    func.func @op_not(%arg0: tensor<i1>) -> tensor<i1> {
      %0 = stablehlo.not %arg0 : tensor<i1>
      return %0 : tensor<i1>
    }
  }
  module {
    func.func @op_optimization_barrier(%arg0: tensor<f32>) -> tensor<f32> {
      %0 = stablehlo.optimization_barrier %arg0 : tensor<f32>
      return %0 : tensor<f32>
    }
  }
  module {
    func.func @op_or(%arg0: tensor<i1>, %arg1: tensor<i1>) -> tensor<i1> {
      %0 = stablehlo.or %arg0, %arg1 : tensor<i1>
      return %0 : tensor<i1>
    }
  }
  module {
    func.func @op_pad(%arg0: tensor<8xf32>, %arg1: tensor<f32>) -> tensor<16xf32> {
      %0 = stablehlo.pad %arg0, %arg1, low = [4], high = [4], interior = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<16xf32>
      return %0 : tensor<16xf32>
    }
  }
  module {
    func.func @op_partition_id() -> tensor<ui32> {
      %0 = stablehlo.partition_id : tensor<ui32>
      return %0 : tensor<ui32>
    }
  }
  module {
    func.func @op_popcnt(%arg0: tensor<i32>) -> tensor<i32> {
      %0 = stablehlo.popcnt %arg0 : tensor<i32>
      return %0 : tensor<i32>
    }
  }
  module {
    func.func @op_power(%arg0: tensor<f32>, %arg1: tensor<f32>) -> tensor<f32> {
      %0 = stablehlo.power %arg0, %arg1 : tensor<f32>
      return %0 : tensor<f32>
    }
  }
  module {
    func.func @op_real(%arg0: tensor<complex<f32>>) -> tensor<f32> {
      %0 = stablehlo.real %arg0 : (tensor<complex<f32>>) -> tensor<f32>
      return %0 : tensor<f32>
    }
  }
  module {
    func.func @op_real_dynamic_slice(%arg0: tensor<?xf32>, %arg1: tensor<1xindex>, %arg2: tensor<1xindex>, %arg3: tensor<1xindex>) -> tensor<?xf32> {
      %0 = stablehlo.real_dynamic_slice %arg0, %arg1, %arg2, %arg3 : (tensor<?xf32>, tensor<1xindex>, tensor<1xindex>, tensor<1xindex>) -> tensor<?xf32>
      return %0 : tensor<?xf32>
    }
  }
  module {
    func.func @op_reduce(%arg0: tensor<16xf32>, %arg1: tensor<f32>) -> tensor<f32> {
      %0 = stablehlo.reduce(%arg0 init: %arg1) applies stablehlo.add across dimensions = [0] : (tensor<16xf32>, tensor<f32>) -> tensor<f32>
      return %0 : tensor<f32>
    }
  }
  module {
    func.func @op_reduce_precision(%arg0: tensor<f32>) -> tensor<f32> {
      %0 = stablehlo.reduce_precision %arg0, format = e8m10 : tensor<f32>
      return %0 : tensor<f32>
    }
  }
  module {
    func.func @op_remainder(%arg0: tensor<f32>, %arg1: tensor<f32>) -> tensor<f32> {
      %0 = stablehlo.remainder %arg0, %arg1 : tensor<f32>
      return %0 : tensor<f32>
    }
  }
  module {
    func.func @op_replica_id() -> tensor<ui32> {
      %0 = stablehlo.replica_id : tensor<ui32>
      return %0 : tensor<ui32>
    }
  }
  module {
    func.func @op_reshape(%arg0: tensor<16xf32>) -> tensor<4x4xf32> {
      %0 = stablehlo.reshape %arg0 : (tensor<16xf32>) -> tensor<4x4xf32>
      return %0 : tensor<4x4xf32>
    }
  }
  module {
    func.func @op_reverse(%arg0: tensor<16xf32>) -> tensor<16xf32> {
      %0 = stablehlo.reverse %arg0, dims = [0] : tensor<16xf32>
      return %0 : tensor<16xf32>
    }
  }
  module {
    func.func @op_rng(%arg0: tensor<f32>, %arg1: tensor<f32>, %arg2: tensor<0xindex>) -> tensor<f32> {
      %0 = stablehlo.rng %arg0, %arg1, %arg2, distribution =  NORMAL : (tensor<f32>, tensor<f32>, tensor<0xindex>) -> tensor<f32>
      return %0 : tensor<f32>
    }
  }
  module {
    func.func @op_rng_bit_generator(%arg0: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
      %output_state, %output = stablehlo.rng_bit_generator %arg0, algorithm =  PHILOX : (tensor<f32>) -> (tensor<f32>, tensor<f32>)
      return %output_state, %output : tensor<f32>, tensor<f32>
    }
  }
  module {
    func.func @op_round_nearest_afz(%arg0: tensor<f32>) -> tensor<f32> {
      %0 = stablehlo.round_nearest_afz %arg0 : tensor<f32>
      return %0 : tensor<f32>
    }
  }
  module {
    func.func @op_round_nearest_even(%arg0: tensor<f32>) -> tensor<f32> {
      %0 = stablehlo.round_nearest_even %arg0 : tensor<f32>
      return %0 : tensor<f32>
    }
  }
  module {
    func.func @op_rsqrt(%arg0: tensor<f32>) -> tensor<f32> {
      %0 = stablehlo.rsqrt %arg0 : tensor<f32>
      return %0 : tensor<f32>
    }
  }
  module {
    func.func @op_select(%arg0: tensor<i1>, %arg1: tensor<f32>, %arg2: tensor<f32>) -> tensor<f32> {
      %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<i1>, tensor<f32>
      return %0 : tensor<f32>
    }
  }
  module {
    func.func @op_set_dimension_size(%arg0: tensor<?xf32>, %arg1: tensor<i32>) -> tensor<16xf32> {
      %0 = stablehlo.set_dimension_size %arg0, %arg1, dim = 0 : (tensor<?xf32>, tensor<i32>) -> tensor<16xf32>
      return %0 : tensor<16xf32>
    }
  }
  module {
    func.func @op_shift_left(%arg0: tensor<i32>, %arg1: tensor<i32>) -> tensor<i32> {
      %0 = stablehlo.shift_left %arg0, %arg1 : tensor<i32>
      return %0 : tensor<i32>
    }
  }
  module {
    func.func @op_shift_right_arithmetic(%arg0: tensor<i32>, %arg1: tensor<i32>) -> tensor<i32> {
      %0 = stablehlo.shift_right_arithmetic %arg0, %arg1 : tensor<i32>
      return %0 : tensor<i32>
    }
  }
  module {
    func.func @op_shift_right_logical(%arg0: tensor<i32>, %arg1: tensor<i32>) -> tensor<i32> {
      %0 = stablehlo.shift_right_logical %arg0, %arg1 : tensor<i32>
      return %0 : tensor<i32>
    }
  }
  module {
    func.func @op_sign(%arg0: tensor<f32>) -> tensor<f32> {
      %0 = stablehlo.sign %arg0 : tensor<f32>
      return %0 : tensor<f32>
    }
  }
  module {
    func.func @op_sine(%arg0: tensor<f32>) -> tensor<f32> {
      %0 = stablehlo.sine %arg0 : tensor<f32>
      return %0 : tensor<f32>
    }
  }
  module {
    func.func @op_slice(%arg0: tensor<16xf32>) -> tensor<4xf32> {
      %0 = stablehlo.slice %arg0 [0:4] : (tensor<16xf32>) -> tensor<4xf32>
      return %0 : tensor<4xf32>
    }
  }
  module {
    func.func @op_sqrt(%arg0: tensor<f32>) -> tensor<f32> {
      %0 = stablehlo.sqrt %arg0 : tensor<f32>
      return %0 : tensor<f32>
    }
  }
  module {
    func.func @op_subtract(%arg0: tensor<f32>, %arg1: tensor<f32>) -> tensor<f32> {
      %0 = stablehlo.subtract %arg0, %arg1 : tensor<f32>
      return %0 : tensor<f32>
    }
  }
  module {
    func.func @op_tan(%arg0: tensor<f32>) -> tensor<f32> {
      %0 = stablehlo.tan %arg0 : tensor<f32>
      return %0 : tensor<f32>
    }
  }
  module {
    func.func @op_tanh(%arg0: tensor<f32>) -> tensor<f32> {
      %0 = stablehlo.tanh %arg0 : tensor<f32>
      return %0 : tensor<f32>
    }
  }
  module {
    func.func @op_transpose(%arg0: tensor<16x8xf32>) -> tensor<8x16xf32> {
      %0 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<16x8xf32>) -> tensor<8x16xf32>
      return %0 : tensor<8x16xf32>
    }
  }
  module {
    func.func @op_tuple(%arg0: tensor<f32>) -> tuple<tensor<f32>> {
      %0 = stablehlo.tuple %arg0 : tuple<tensor<f32>>
      return %0 : tuple<tensor<f32>>
    }
  }
  module {
    func.func @op_unary_einsum(%arg0: tensor<8x16xf32>) -> tensor<8xf32> {
      %0 = stablehlo.unary_einsum %arg0, config = "ab->a" : (tensor<8x16xf32>) -> tensor<8xf32>
      return %0 : tensor<8xf32>
    }
  }
  module {
    func.func @op_uniform_dequantize(%arg0: tensor<!quant.uniform<i8:f32, 3.400000e+01:16>>) -> tensor<f32> {
      %0 = stablehlo.uniform_dequantize %arg0 : (tensor<!quant.uniform<i8:f32, 3.400000e+01:16>>) -> tensor<f32>
      return %0 : tensor<f32>
    }
  }
  module {
    func.func @op_uniform_quantize(%arg0: tensor<f32>) -> tensor<!quant.uniform<i8:f32, 3.400000e+01:16>> {
      %0 = stablehlo.uniform_quantize %arg0 : (tensor<f32>) -> tensor<!quant.uniform<i8:f32, 3.400000e+01:16>>
      return %0 : tensor<!quant.uniform<i8:f32, 3.400000e+01:16>>
    }
  }
  module {
    func.func @op_xor(%arg0: tensor<i1>, %arg1: tensor<i1>) -> tensor<i1> {
      %0 = stablehlo.xor %arg0, %arg1 : tensor<i1>
      return %0 : tensor<i1>
    }
  }
  module {
    func.func @argmax_dyn_axis(%arg0: tensor<3x?xi32>) {
      %0 = tosa.argmax %arg0 {axis = 1 : i32} : (tensor<3x?xi32>) -> tensor<3xi32>
      return
    }
  }
  module {
    func.func @test_clamp(%arg0: tensor<13x21x3xi8>) -> tensor<13x21x3xi8> {
      %0 = tosa.clamp %arg0 {max_val = 1 : i8, min_val = 0 : i8} : (tensor<13x21x3xi8>) -> tensor<13x21x3xi8>
      return %0 : tensor<13x21x3xi8>
    }
  }
  module {
    func.func @max_pool_i8(%arg0: tensor<1x6x34x62xi8>) {
      %0 = tosa.max_pool2d %arg0 {kernel = array<i64: 3, 3>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x6x34x62xi8>) -> tensor<1x4x32x62xi8>
      return
    }
  }
  module {
    func.func @reduce_float_dyn_multiple(%arg0: tensor<?x?xf32>) {
      %0 = tosa.reduce_max %arg0 {axis = 1 : i32} : (tensor<?x?xf32>) -> tensor<?x1xf32>
      return
    }
  }
  module {
    func.func @reduce_min_fold(%arg0: tensor<?x1xf32>) -> tensor<?x1xf32> {
      %0 = tosa.reduce_min %arg0 {axis = 1 : i32} : (tensor<?x1xf32>) -> tensor<?x1xf32>
      return %0 : tensor<?x1xf32>
    }
  }
  module {
    module @m_patterns attributes {transform.with_named_sequence} {
      transform.named_sequence private @patterns(%arg0: !transform.any_op {transform.readonly}) {
        transform.apply_patterns to %arg0 {
          transform.apply_patterns.vector.lower_contraction lowering_strategy = matmulintrinsics
        } {apply_cse, max_iterations = 3 : i64} : !transform.any_op
        transform.yield 
      }
    }
  }
  module {
    module attributes {transform.with_named_sequence} {
      transform.named_sequence @__transform_main(%arg0: !transform.any_op) {
        %0 = transform.structured.match ops{["func.func"]} in %arg0 : (!transform.any_op) -> !transform.any_op
        %1 = transform.apply_registered_pass "canonicalize" to %0 : (!transform.any_op) -> !transform.any_op
        transform.yield 
      }
    }
  }
  module {
    module attributes {transform.with_named_sequence} {
      transform.named_sequence @__transform_main(%arg0: !transform.any_op {transform.readonly}) {
        %0 = transform.structured.match ops{["linalg.generic"]} in %arg0 : (!transform.any_op) -> !transform.any_op
        %transformed, %loops:2 = transform.structured.fuse %0 [10, 20] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
        transform.yield 
      }
    }
  }
  module {
    util.func public @rangeExtentsFoldConstantsDynamic(%arg0: index, %arg1: index) -> (index, index) {
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c3 = arith.constant 3 : index
      %min, %max = util.range.extents [%c1 for %c2], [%arg0 for %arg1], [%c2 for %c3] : index
      util.return %min, %max : index, index
    }
  }
  module {
    func.func @extract_element_0d(%arg0: vector<f32>) -> f32 {
      %0 = vector.extractelement %arg0[] : vector<f32>
      return %0 : f32
    }
  }
  module {
    func.func @flat_transpose(%arg0: vector<16xf32>) -> vector<16xf32> {
      %0 = vector.flat_transpose %arg0 {columns = 4 : i32, rows = 4 : i32} : vector<16xf32> -> vector<16xf32>
      return %0 : vector<16xf32>
    }
  }
  module {
    func.func @insert_element_0d(%arg0: f32, %arg1: vector<f32>) -> vector<f32> {
      %0 = vector.insertelement %arg0, %arg1[] : vector<f32>
      return %0 : vector<f32>
    }
  }
  module {
    func.func @matrix_ops(%arg0: vector<64xf64>, %arg1: vector<48xf64>) -> vector<12xf64> {
      %0 = vector.matrix_multiply %arg0, %arg1 {lhs_columns = 16 : i32, lhs_rows = 4 : i32, rhs_columns = 3 : i32} : (vector<64xf64>, vector<48xf64>) -> vector<12xf64>
      return %0 : vector<12xf64>
    }
  }
  module {
    func.func @splat_0d(%arg0: f32) -> vector<f32> {
      %0 = vector.splat %arg0 : vector<f32>
      return %0 : vector<f32>
    }
  }
}
