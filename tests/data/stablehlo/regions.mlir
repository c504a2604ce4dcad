// Ops with regions: control flow, reductions, scatters, sorts.
// since 0.9.0
module @regions {
  func.func @gather(%arg0: tensor<2x4x9xf32>, %arg1: tensor<1x5x2xi32>) -> tensor<1x5x8xf32> {
    %0 = "stablehlo.gather"(%arg0, %arg1) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 8>, indices_are_sorted = true} : (tensor<2x4x9xf32>, tensor<1x5x2xi32>) -> tensor<1x5x8xf32>
    return %0 : tensor<1x5x8xf32>
  }
  func.func @dynamic_gather(%arg0: tensor<2x4x9xf32>, %arg1: tensor<1x5x2xi32>, %arg2: tensor<3xi32>) -> tensor<1x5x8xf32> {
    %0 = "stablehlo.dynamic_gather"(%arg0, %arg1, %arg2) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 2>, indices_are_sorted = false} : (tensor<2x4x9xf32>, tensor<1x5x2xi32>, tensor<3xi32>) -> tensor<1x5x8xf32>
    return %0 : tensor<1x5x8xf32>
  }
  func.func @scatter(%arg0: tensor<200x100x300xf32>, %arg1: tensor<10x2xi32>, %arg2: tensor<10x300xf32>) -> tensor<200x100x300xf32> {
    %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) ({
      ^bb0(%x0: tensor<f32>, %x1: tensor<f32>):
        %r0 = "stablehlo.add"(%x0, %x1) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%r0) : (tensor<f32>) -> ()
    }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, indices_are_sorted = true, unique_indices = true} : (tensor<200x100x300xf32>, tensor<10x2xi32>, tensor<10x300xf32>) -> tensor<200x100x300xf32>
    return %0 : tensor<200x100x300xf32>
  }
  func.func @scatter_default(%arg0: tensor<200x100x300xf32>, %arg1: tensor<10x2xi32>, %arg2: tensor<10x300xf32>) -> tensor<200x100x300xf32> {
    %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) ({
      ^bb0(%x0: tensor<f32>, %x1: tensor<f32>):
        %r0 = "stablehlo.add"(%x0, %x1) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%r0) : (tensor<f32>) -> ()
    }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>} : (tensor<200x100x300xf32>, tensor<10x2xi32>, tensor<10x300xf32>) -> tensor<200x100x300xf32>
    return %0 : tensor<200x100x300xf32>
  }
  func.func @reduce(%arg0: tensor<16x4xf32>, %arg1: tensor<f32>) -> tensor<4xf32> {
    %0 = "stablehlo.reduce"(%arg0, %arg1) ({
      ^bb0(%x0: tensor<f32>, %x1: tensor<f32>):
        %r0 = "stablehlo.add"(%x0, %x1) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%r0) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 0>} : (tensor<16x4xf32>, tensor<f32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
  func.func @reduce_two(%arg0: tensor<16xf32>, %arg1: tensor<16xf32>, %arg2: tensor<f32>, %arg3: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
    %0:2 = "stablehlo.reduce"(%arg0, %arg1, %arg2, %arg3) ({
      ^bb0(%x0: tensor<f32>, %x1: tensor<f32>, %x2: tensor<f32>, %x3: tensor<f32>):
        %r0 = "stablehlo.maximum"(%x0, %x2) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        %r1 = "stablehlo.maximum"(%x1, %x3) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%r0, %r1) : (tensor<f32>, tensor<f32>) -> ()
    }) {dimensions = array<i64: 0>} : (tensor<16xf32>, tensor<16xf32>, tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
    return %0#0, %0#1 : tensor<f32>, tensor<f32>
  }
  func.func @reduce_window(%arg0: tensor<2x17x31x7xf32>, %arg1: tensor<f32>) -> tensor<2x9x16x7xf32> {
    %0 = "stablehlo.reduce_window"(%arg0, %arg1) ({
      ^bb0(%x0: tensor<f32>, %x1: tensor<f32>):
        %r0 = "stablehlo.maximum"(%x0, %x1) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%r0) : (tensor<f32>) -> ()
    }) {window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 4, 4, 1>, base_dilations = array<i64: 1, 2, 2, 1>, window_dilations = array<i64: 1, 2, 2, 1>, padding = dense<[[0, 0], [2, 0], [0, 2], [0, 0]]> : tensor<4x2xi64>} : (tensor<2x17x31x7xf32>, tensor<f32>) -> tensor<2x9x16x7xf32>
    return %0 : tensor<2x9x16x7xf32>
  }
  func.func @reduce_window_default(%arg0: tensor<2x17x31x7xf32>, %arg1: tensor<f32>) -> tensor<2x16x30x7xf32> {
    %0 = "stablehlo.reduce_window"(%arg0, %arg1) ({
      ^bb0(%x0: tensor<f32>, %x1: tensor<f32>):
        %r0 = "stablehlo.maximum"(%x0, %x1) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%r0) : (tensor<f32>) -> ()
    }) {window_dimensions = array<i64: 1, 2, 2, 1>} : (tensor<2x17x31x7xf32>, tensor<f32>) -> tensor<2x16x30x7xf32>
    return %0 : tensor<2x16x30x7xf32>
  }
  func.func @select_and_scatter(%arg0: tensor<10x24x24x64xf32>, %arg1: tensor<10x23x23x64xf32>, %arg2: tensor<f32>) -> tensor<10x24x24x64xf32> {
    %0 = "stablehlo.select_and_scatter"(%arg0, %arg1, %arg2) ({
      ^bb0(%x0: tensor<f32>, %x1: tensor<f32>):
        %r0 = "stablehlo.compare"(%x0, %x1) {comparison_direction = #stablehlo<comparison_direction GE>} : (tensor<f32>, tensor<f32>) -> tensor<i1>
        "stablehlo.return"(%r0) : (tensor<i1>) -> ()
    }, {
      ^bb0(%x0: tensor<f32>, %x1: tensor<f32>):
        %r0 = "stablehlo.add"(%x0, %x1) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%r0) : (tensor<f32>) -> ()
    }) {window_dimensions = array<i64: 1, 2, 2, 1>} : (tensor<10x24x24x64xf32>, tensor<10x23x23x64xf32>, tensor<f32>) -> tensor<10x24x24x64xf32>
    return %0 : tensor<10x24x24x64xf32>
  }
  func.func @select_and_scatter_full(%arg0: tensor<10x24x24x64xf32>, %arg1: tensor<10x12x12x64xf32>, %arg2: tensor<f32>) -> tensor<10x24x24x64xf32> {
    %0 = "stablehlo.select_and_scatter"(%arg0, %arg1, %arg2) ({
      ^bb0(%x0: tensor<f32>, %x1: tensor<f32>):
        %r0 = "stablehlo.compare"(%x0, %x1) {comparison_direction = #stablehlo<comparison_direction GE>} : (tensor<f32>, tensor<f32>) -> tensor<i1>
        "stablehlo.return"(%r0) : (tensor<i1>) -> ()
    }, {
      ^bb0(%x0: tensor<f32>, %x1: tensor<f32>):
        %r0 = "stablehlo.add"(%x0, %x1) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%r0) : (tensor<f32>) -> ()
    }) {window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>, padding = dense<0> : tensor<4x2xi64>} : (tensor<10x24x24x64xf32>, tensor<10x12x12x64xf32>, tensor<f32>) -> tensor<10x24x24x64xf32>
    return %0 : tensor<10x24x24x64xf32>
  }
  func.func @sort(%arg0: tensor<16xf32>) -> tensor<16xf32> {
    %0 = "stablehlo.sort"(%arg0) ({
      ^bb0(%x0: tensor<f32>, %x1: tensor<f32>):
        %r0 = "stablehlo.compare"(%x0, %x1) {comparison_direction = #stablehlo<comparison_direction GT>} : (tensor<f32>, tensor<f32>) -> tensor<i1>
        "stablehlo.return"(%r0) : (tensor<i1>) -> ()
    }) {dimension = 0 : i64, is_stable = true} : (tensor<16xf32>) -> tensor<16xf32>
    return %0 : tensor<16xf32>
  }
  func.func @sort_default(%arg0: tensor<16xf32>) -> tensor<16xf32> {
    %0 = "stablehlo.sort"(%arg0) ({
      ^bb0(%x0: tensor<f32>, %x1: tensor<f32>):
        %r0 = "stablehlo.compare"(%x0, %x1) {comparison_direction = #stablehlo<comparison_direction GT>} : (tensor<f32>, tensor<f32>) -> tensor<i1>
        "stablehlo.return"(%r0) : (tensor<i1>) -> ()
    }) : (tensor<16xf32>) -> tensor<16xf32>
    return %0 : tensor<16xf32>
  }
  func.func @map(%arg0: tensor<16xf32>) -> tensor<16xf32> {
    %0 = "stablehlo.map"(%arg0) ({
      ^bb0(%x0: tensor<f32>):
        %r0 = "stablehlo.abs"(%x0) : (tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%r0) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 0>} : (tensor<16xf32>) -> tensor<16xf32>
    return %0 : tensor<16xf32>
  }
  func.func @if(%arg0: tensor<i1>, %arg1: tensor<f32>, %arg2: tensor<f32>) -> tensor<f32> {
    %0 = "stablehlo.if"(%arg0) ({
      "stablehlo.return"(%arg1) : (tensor<f32>) -> ()
    }, {
      "stablehlo.return"(%arg2) : (tensor<f32>) -> ()
    }) : (tensor<i1>) -> tensor<f32>
    return %0 : tensor<f32>
  }
  func.func @case(%arg0: tensor<i32>, %arg1: tensor<f32>, %arg2: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
    %0:2 = "stablehlo.case"(%arg0) ({
      "stablehlo.return"(%arg1, %arg2) : (tensor<f32>, tensor<f32>) -> ()
    }, {
      "stablehlo.return"(%arg2, %arg1) : (tensor<f32>, tensor<f32>) -> ()
    }, {
      %1 = "stablehlo.negate"(%arg1) : (tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%1, %1) : (tensor<f32>, tensor<f32>) -> ()
    }) : (tensor<i32>) -> (tensor<f32>, tensor<f32>)
    return %0#0, %0#1 : tensor<f32>, tensor<f32>
  }
  func.func @while(%arg0: tensor<i64>, %arg1: tensor<f32>) -> (tensor<i64>, tensor<f32>) {
    %0:2 = "stablehlo.while"(%arg0, %arg1) ({
    ^bb0(%x0: tensor<i64>, %x1: tensor<f32>):
      %1 = "stablehlo.constant"() {value = dense<10> : tensor<i64>} : () -> tensor<i64>
      %2 = "stablehlo.compare"(%x0, %1) {comparison_direction = #stablehlo<comparison_direction LT>} : (tensor<i64>, tensor<i64>) -> tensor<i1>
      "stablehlo.return"(%2) : (tensor<i1>) -> ()
    }, {
    ^bb0(%x0: tensor<i64>, %x1: tensor<f32>):
      %1 = "stablehlo.constant"() {value = dense<1> : tensor<i64>} : () -> tensor<i64>
      %2 = "stablehlo.add"(%x0, %1) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      %3:2 = "stablehlo.while"(%2, %x1) ({
      ^bb0(%y0: tensor<i64>, %y1: tensor<f32>):
        %4 = "stablehlo.constant"() {value = dense<false> : tensor<i1>} : () -> tensor<i1>
        "stablehlo.return"(%4) : (tensor<i1>) -> ()
      }, {
      ^bb0(%y0: tensor<i64>, %y1: tensor<f32>):
        "stablehlo.return"(%y0, %x1) : (tensor<i64>, tensor<f32>) -> ()
      }) : (tensor<i64>, tensor<f32>) -> (tensor<i64>, tensor<f32>)
      "stablehlo.return"(%3#0, %3#1) : (tensor<i64>, tensor<f32>) -> ()
    }) : (tensor<i64>, tensor<f32>) -> (tensor<i64>, tensor<f32>)
    return %0#0, %0#1 : tensor<i64>, tensor<f32>
  }
}
