// A dialect that `mlir-opt --irdl-file=boxes.irdl.mlir` and `mlirbc pack --irdl boxes.irdl.mlir` read.
irdl.dialect @boxes {
  irdl.type @unit

  irdl.type @box {
    %0 = irdl.is i32
    %1 = irdl.is f32
    %2 = irdl.any_of(%0, %1)
    irdl.parameters(element: %2)
  }

  // A type that may contain itself.
  irdl.type @nested {
    %0 = irdl.any
    %1 = irdl.parametric @boxes::@nested<%0>
    %2 = irdl.base "!builtin.index"
    %3 = irdl.any_of(%1, %2)
    irdl.parameters(inner: %3)
  }

  irdl.attribute @pair {
    %0 = irdl.base "#builtin.integer"
    %1 = irdl.base "#builtin.string"
    irdl.parameters(number: %0, text: %1)
  }

  irdl.operation @make {
    %0 = irdl.any
    %1 = irdl.parametric @boxes::@box<%0>
    irdl.operands(value: %0)
    irdl.results(box: %1)
  }

  irdl.operation @same {
    %0 = irdl.any
    irdl.operands(lhs: %0, rhs: %0)
    irdl.results(result: %0)
  }

  irdl.operation @groups {
    %0 = irdl.is i32
    %1 = irdl.base @boxes::@box
    irdl.operands(numbers: variadic %0, last: optional %1)
  }

  irdl.operation @list {
    %0 = irdl.is i32
    %1 = irdl.is i64
    irdl.operands(first: %0, rest: variadic %1)
  }

  irdl.operation @named {
    %0 = irdl.base @boxes::@pair
    %1 = irdl.is "fast"
    %2 = irdl.is "safe"
    %3 = irdl.any_of(%1, %2)
    irdl.attributes {"pair" = %0, "mode" = %3}
  }

  irdl.operation @both {
    %0 = irdl.base "!builtin.integer"
    %1 = irdl.is i8
    %2 = irdl.is i1
    %3 = irdl.any_of(%1, %2)
    %4 = irdl.all_of(%0, %3)
    irdl.results(result: %4)
  }

  irdl.operation @body {
    %0 = irdl.any
    %1 = irdl.region(%0)
    %2 = irdl.region with size 2
    %3 = irdl.region()
    irdl.operands(value: %0)
    irdl.regions(loop: %1, blocks: %2, plain: %3)
  }

  irdl.operation @any {
    %0 = irdl.any
    irdl.results(result: %0)
  }
}
