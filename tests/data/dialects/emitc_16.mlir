// releases: 16
// covers: the emitc dialect: expressions, lvalues, control flow, files, classes, opaque types and attributes, formatted text.
func.func @emitc16(%a: i32, %b: i32, %f: f32, %c: i1, %p: !emitc.ptr<i32>, %o: !emitc.opaque<"std::vector<int>">) {
  emitc.cast %a : i32 to f32
  emitc.cast %p : !emitc.ptr<i32> to !emitc.ptr<!emitc.opaque<"void">>
  "emitc.constant"() {value = 42 : i32} : () -> i32
  "emitc.constant"() {value = #emitc.opaque<"CHAR_MIN">} : () -> !emitc.opaque<"char">
  "emitc.variable"() {value = #emitc.opaque<"">} : () -> i32
  "emitc.variable"() {value = 3 : i32} : () -> i32
  emitc.apply "*"(%p) : (!emitc.ptr<i32>) -> i32
  emitc.apply "&"(%a) : (i32) -> !emitc.ptr<i32>
  emitc.call "func_a"(%a) : (i32) -> i32
  emitc.call "blah"(%a, %b) {args = [0 : index, dense<[1, 2]> : tensor<2xi32>, 1 : index, #emitc.opaque<"x">], template_args = [i32, -1 : i32]} : (i32, i32) -> ()
  "t.types"() {t = [!emitc.ptr<!emitc.ptr<f64>>, !emitc.opaque<"a b">], a = #emitc.opaque<"a b">} : () -> ()
  "t.types"() {a = #emitc.opaque<"a \22b\22">, t = !emitc.opaque<"x\\y">} : () -> ()
  return
}
