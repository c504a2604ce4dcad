// accepted
func.func @f(%a: i32) {
  %0 = "boxes.make"(%a) : (i32) -> !boxes.box<i32>
  return
}

// -----

// refused
func.func @f(%a: i32) {
  %0 = "boxes.make"(%a) : (i32) -> !boxes.box<f32>
  return
}

// -----

// refused
func.func @f(%a: i32) {
  %0 = "boxes.make"(%a) : (i32) -> i32
  return
}

// -----

// refused
func.func @f() {
  %0 = "boxes.any"() : () -> !boxes.box<i64>
  return
}

// -----

// accepted
func.func @f() {
  %0 = "boxes.any"() : () -> !boxes.box<f32>
  return
}

// -----

// accepted
func.func @f() {
  %0 = "boxes.any"() : () -> !boxes.unit
  return
}

// -----

// accepted
func.func @f() {
  %0 = "boxes.any"() : () -> !boxes.nested<index>
  return
}

// -----

// accepted
func.func @f() {
  %0 = "boxes.any"() : () -> !boxes.nested<!boxes.nested<!boxes.nested<index>>>
  return
}

// -----

// refused
func.func @f() {
  %0 = "boxes.any"() : () -> !boxes.nested<!boxes.nested<i1>>
  return
}

// -----

// refused
func.func @f() {
  %0 = "boxes.any"() : () -> !boxes.nested<!boxes.box<i32>>
  return
}

// -----

// accepted
func.func @f() {
  %0 = "boxes.any"() : () -> tuple<!boxes.box<i32>, !boxes.unit>
  return
}

// -----

// accepted
func.func @f() {
  %0 = "boxes.any"() : () -> vector<4xf32>
  return
}

// -----

// accepted
func.func @f(%a: i32) {
  %0 = "boxes.same"(%a, %a) : (i32, i32) -> i32
  return
}

// -----

// refused
func.func @f(%a: i32, %b: i64) {
  %0 = "boxes.same"(%a, %b) : (i32, i64) -> i32
  return
}

// -----

// refused
func.func @f(%a: i32) {
  %0 = "boxes.same"(%a, %a) : (i32, i32) -> i64
  return
}

// -----

// accepted
func.func @f(%a: i32, %b: !boxes.box<i32>) {
  "boxes.groups"(%a, %a, %b) {operandSegmentSizes = array<i32: 2, 1>} : (i32, i32, !boxes.box<i32>) -> ()
  return
}

// -----

// accepted
func.func @f(%a: i32) {
  "boxes.groups"(%a) {operandSegmentSizes = array<i32: 1, 0>} : (i32) -> ()
  return
}

// -----

// refused
func.func @f(%a: i32) {
  "boxes.groups"(%a) {operandSegmentSizes = array<i32: 0, 1>} : (i32) -> ()
  return
}

// -----

// refused
func.func @f(%a: i32) {
  "boxes.groups"(%a) {operandSegmentSizes = array<i32: 2, 0>} : (i32) -> ()
  return
}

// -----

// refused
func.func @f(%b: !boxes.box<i32>) {
  "boxes.groups"(%b, %b) {operandSegmentSizes = array<i32: 0, 2>} : (!boxes.box<i32>, !boxes.box<i32>) -> ()
  return
}

// -----

// refused
func.func @f(%a: i32) {
  "boxes.groups"(%a) : (i32) -> ()
  return
}

// -----

// accepted
func.func @f(%a: i32, %b: i64) {
  "boxes.list"(%a, %b, %b) : (i32, i64, i64) -> ()
  return
}

// -----

// accepted
func.func @f(%a: i32) {
  "boxes.list"(%a) : (i32) -> ()
  return
}

// -----

// refused
func.func @f() {
  "boxes.list"() : () -> ()
  return
}

// -----

// refused
func.func @f(%a: i32) {
  "boxes.list"(%a, %a) : (i32, i32) -> ()
  return
}

// -----

// refused
func.func @f(%a: i32, %b: i64) {
  "boxes.list"(%a, %a) : (i32, i32) -> ()
  return
}

// -----

// accepted
func.func @f() {
  "boxes.named"() {pair = #boxes.pair<4 : i8, "x">, mode = "safe"} : () -> ()
  return
}

// -----

// refused
func.func @f() {
  "boxes.named"() {pair = #boxes.pair<4 : i8, "x">, mode = "slow"} : () -> ()
  return
}

// -----

// refused
func.func @f() {
  "boxes.named"() {pair = #boxes.pair<4 : i8, "x">} : () -> ()
  return
}

// -----

// refused
func.func @f() {
  "boxes.named"() {pair = 3 : i32, mode = "fast"} : () -> ()
  return
}

// -----

// refused
func.func @f() {
  "boxes.named"() {pair = #boxes.pair<"y", "x">, mode = "fast"} : () -> ()
  return
}

// -----

// accepted
func.func @f() {
  "boxes.named"() {pair = #boxes.pair<4 : i8, "x">, mode = "fast", more = unit} : () -> ()
  return
}

// -----

// accepted
func.func @f() {
  %0 = "boxes.both"() : () -> i8
  return
}

// -----

// refused
func.func @f() {
  %0 = "boxes.both"() : () -> i32
  return
}

// -----

// refused
func.func @f() {
  %0 = "boxes.both"() : () -> index
  return
}

// -----

// accepted
func.func @f(%a: i32) {
  "boxes.body"(%a) ({
    ^bb0(%x: i32):
      llvm.unreachable
  }, {
      cf.br ^bb1
    ^bb1:
      llvm.unreachable
  }, {
    ^bb0():
      llvm.unreachable
  }) : (i32) -> ()
  return
}

// -----

// refused
func.func @f(%a: i32) {
  "boxes.body"(%a) ({
    ^bb0(%x: i64):
      llvm.unreachable
  }, {
      cf.br ^bb1
    ^bb1:
      llvm.unreachable
  }, {
    ^bb0():
      llvm.unreachable
  }) : (i32) -> ()
  return
}

// -----

// refused
func.func @f(%a: i32) {
  "boxes.body"(%a) ({
    ^bb0(%x: i32, %y: i32):
      llvm.unreachable
  }, {
      cf.br ^bb1
    ^bb1:
      llvm.unreachable
  }, {
    ^bb0():
      llvm.unreachable
  }) : (i32) -> ()
  return
}

// -----

// refused
func.func @f(%a: i32) {
  "boxes.body"(%a) ({
    ^bb0(%x: i32):
      llvm.unreachable
  }, {
      cf.br ^bb1
    ^bb1:
      cf.br ^bb2
    ^bb2:
      llvm.unreachable
  }, {
    ^bb0():
      llvm.unreachable
  }) : (i32) -> ()
  return
}

// -----

// refused
func.func @f(%a: i32) {
  "boxes.body"(%a) ({
    ^bb0(%x: i32):
      llvm.unreachable
  }, {
      cf.br ^bb1
    ^bb1:
      llvm.unreachable
  }, {
    ^bb0(%y: i32):
      llvm.unreachable
  }) : (i32) -> ()
  return
}
