// releases: 16 19 22
// covers: the shape dialect: arithmetic on sizes and shapes, witnesses, functions with libraries.
func.func @shape(%i: index, %s: !shape.size, %h: !shape.shape, %e: tensor<?xindex>, %t: tensor<?x3xf32>, %c: i1, %w: !shape.witness, %v: !shape.value_shape) {
  shape.add %s, %s : !shape.size, !shape.size -> !shape.size
  shape.add %i, %i : index, index -> index
  shape.mul %s, %i : !shape.size, index -> !shape.size
  shape.div %s, %s : !shape.size, !shape.size -> !shape.size
  shape.any %h, %h : !shape.shape, !shape.shape -> !shape.shape
  shape.any %e, %e : tensor<?xindex>, tensor<?xindex> -> tensor<?xindex>
  shape.broadcast %h, %h : !shape.shape, !shape.shape -> !shape.shape
  shape.broadcast %h, %h {error = "an error"} : !shape.shape, !shape.shape -> !shape.shape
  shape.concat %h, %e : !shape.shape, tensor<?xindex> -> !shape.shape
  shape.const_shape [1, 2, 3] : !shape.shape
  shape.const_shape [] : tensor<0xindex>
  shape.const_shape [4, 5] : tensor<2xindex>
  shape.const_size 9
  shape.const_witness true
  shape.const_witness false
  shape.cstr_broadcastable %h, %h : !shape.shape, !shape.shape
  shape.cstr_eq %h, %e, %h : !shape.shape, tensor<?xindex>, !shape.shape
  shape.cstr_require %c, "a message"
  shape.assuming_all %w, %w
  shape.assuming %w {
      "t.x"() : () -> ()
    }
  %r_20:2 = shape.assuming %w -> (tensor<?x3xf32>, index) {
      shape.assuming_yield %t, %i : tensor<?x3xf32>, index
    }
  "shape.debug_print"(%h) : (!shape.shape) -> !shape.shape
  shape.dim %t, %i : tensor<?x3xf32>, index -> index
  shape.from_extent_tensor %e : tensor<?xindex>
  shape.from_extents %i, %s : index, !shape.size
  "shape.from_extents"() : () -> !shape.shape
  shape.get_extent %h, %s : !shape.shape, !shape.size -> !shape.size
  shape.get_extent %e, %i : tensor<?xindex>, index -> index
  shape.index_to_size %i
  shape.size_to_index %s : !shape.size
  shape.is_broadcastable %h, %h : !shape.shape, !shape.shape
  shape.max %h, %h : !shape.shape, !shape.shape -> !shape.shape
  shape.min %s, %s : !shape.size, !shape.size -> !shape.size
  shape.meet %h, %h : !shape.shape, !shape.shape -> !shape.shape
  shape.meet %s, %s, error = "x" : !shape.size, !shape.size -> !shape.size
  shape.num_elements %h : !shape.shape -> !shape.size
  shape.rank %e : tensor<?xindex> -> index
  shape.shape_eq %h, %h : !shape.shape, !shape.shape
  shape.shape_of %t : tensor<?x3xf32> -> tensor<2xindex>
  shape.shape_of %v : !shape.value_shape -> !shape.shape
  "shape.split_at"(%h, %s) : (!shape.shape, !shape.size) -> (!shape.shape, !shape.shape)
  shape.to_extent_tensor %h : !shape.shape -> tensor<3xindex>
  shape.value_as_shape %e : tensor<?xindex> -> !shape.shape
  shape.value_of %v : tensor<?xf32>
  shape.with_shape %t, %h : tensor<?x3xf32>, !shape.shape
  %r_45 = shape.reduce(%h, %s) : !shape.shape -> !shape.size {
    ^bb0(%x: index, %d: !shape.size, %a: !shape.size):
      %n_45 = shape.mul %d, %a : !shape.size, !shape.size -> !shape.size
      shape.yield %n_45 : !shape.size
    }
  return
}

module attributes {shape.lib = @shape_lib} {
  shape.function_library @shape_lib {
    shape.func @same_result_shape(%arg: !shape.value_shape) -> !shape.shape {
      %0 = shape.shape_of %arg : !shape.value_shape -> !shape.shape
      shape.return %0 : !shape.shape
    }
    func.func @other(%arg: !shape.value_shape) -> !shape.shape {
      %0 = shape.shape_of %arg : !shape.value_shape -> !shape.shape
      return %0 : !shape.shape
    }
  } mapping {
    test.same_operand_result_type = @same_result_shape
  }
}

shape.func private @outside(%a: tensor<?xf32>) -> !shape.shape {
  %0 = shape.shape_of %a : tensor<?xf32> -> !shape.shape
  shape.return %0 : !shape.shape
}
