// releases: 19 22
// covers: the emitc dialect: expressions, lvalues, control flow, files, classes, opaque types and attributes, formatted text.
emitc.global @glob : i32
emitc.func private @other(i32) -> i32 attributes {specifiers = ["extern"]}
func.func @emitc(%a: i32, %b: i32, %f: f32, %c: i1, %p: !emitc.ptr<i32>, %o: !emitc.opaque<"std::vector<int>">, %arr: !emitc.array<4x8xf32>, %i: index) {
  emitc.add %a, %b : (i32, i32) -> i32
  emitc.sub %a, %b : (i32, i32) -> i32
  emitc.mul %f, %f : (f32, f32) -> f32
  emitc.div %a, %b : (i32, i32) -> i32
  emitc.rem %a, %b : (i32, i32) -> i32
  emitc.cmp eq, %a, %b : (i32, i32) -> i1
  emitc.cmp three_way, %a, %b : (i32, i32) -> i32
  emitc.cmp lt, %f, %f : (f32, f32) -> !emitc.opaque<"custom_t">
  emitc.bitwise_and %a, %b : (i32, i32) -> i32
  emitc.bitwise_or %a, %b : (i32, i32) -> i32
  emitc.bitwise_xor %a, %b : (i32, i32) -> i32
  emitc.bitwise_left_shift %a, %b : (i32, i32) -> i32
  emitc.bitwise_right_shift %a, %b : (i32, i32) -> i32
  emitc.bitwise_not %a : (i32) -> i32
  emitc.logical_and %a, %b : i32, i32
  emitc.logical_or %c, %c : i1, i1
  emitc.logical_not %a : i32
  emitc.unary_minus %a : (i32) -> i32
  emitc.unary_plus %a : (i32) -> i32
  emitc.conditional %c, %a, %b : i32
  emitc.cast %a : i32 to f32
  emitc.cast %p : !emitc.ptr<i32> to !emitc.ptr<!emitc.opaque<"void">>
  emitc.literal "M_PI" : f32
  emitc.literal "0x\22FF" : !emitc.opaque<"t">
  "emitc.constant"() {value = 42 : i32} : () -> i32
  "emitc.constant"() {value = #emitc.opaque<"CHAR_MIN">} : () -> !emitc.opaque<"char">
  "emitc.variable"() {value = #emitc.opaque<"">} : () -> !emitc.array<4xi8>
  emitc.apply "*"(%p) : (!emitc.ptr<i32>) -> i32
  emitc.call_opaque "func_a"() : () -> ()
  emitc.call_opaque "std::make<\22x\22>"(%a, %b) {args = [0 : index, dense<[1, 2]> : tensor<2xi32>, 1 : index, #emitc.opaque<"x">], template_args = [i32, -1 : i32, #emitc.opaque<"T">]} : (i32, i32) -> (i32, i64)
  emitc.call @other(%a) : (i32) -> i32
  emitc.verbatim "#define X 1\0A"
  emitc.if %c {
      emitc.call_opaque "then"() : () -> ()
    } else {
      emitc.call_opaque "else"() : () -> ()
    }
  emitc.if %c {
    }
  emitc.for %x = %i to %i step %i {
      emitc.call_opaque "f"(%x) : (index) -> ()
    }
  "t.types"() {t = [!emitc.ptr<!emitc.ptr<f64>>, !emitc.opaque<"a b">], a = #emitc.opaque<"a b">} : () -> ()
  "t.types"() {a = #emitc.opaque<"a \22b\22">, t = !emitc.opaque<"x\\y">} : () -> ()
  return
}

emitc.func @callee(%a: i32) -> i32 attributes {specifiers = ["static", "inline"]} {
  emitc.return %a : i32
}
emitc.func private @extern_fn(i32) attributes {specifiers = ["extern"]}
emitc.declare_func @callee
emitc.global static const @my_global : i32 = 7
emitc.global extern @external : f32
emitc.global @array : !emitc.array<4xi32> = dense<[1, 2, 3, 4]>
emitc.global @opaque : !emitc.opaque<"T"> = #emitc.opaque<"init">
