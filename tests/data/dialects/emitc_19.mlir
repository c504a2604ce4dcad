// releases: 19
// covers: the emitc dialect: expressions, lvalues, control flow, files, classes, opaque types and attributes, formatted text.
emitc.global @glob : i32
emitc.func private @other(i32) -> i32 attributes {specifiers = ["extern"]}
func.func @emitc(%a: i32, %b: i32, %f: f32, %c: i1, %p: !emitc.ptr<i32>, %o: !emitc.opaque<"std::vector<int>">, %arr: !emitc.array<4x8xf32>, %i: index) {
  "emitc.variable"() {value = #emitc.opaque<"">} : () -> i32
  "emitc.variable"() {value = 3 : i32} : () -> i32
  %v_34 = "emitc.variable"() {value = 3 : i32} : () -> i32
      emitc.assign %a : i32 to %v_34 : i32
      emitc.apply "&"(%v_34) : (i32) -> !emitc.ptr<i32>
  emitc.apply "&"(%a) : (i32) -> !emitc.ptr<i32>
  emitc.get_global @glob : i32
  emitc.subscript %arr[%i, %i] : (!emitc.array<4x8xf32>, index, index) -> f32
  %m_54 = "t.m"() : () -> !emitc.opaque<"mystruct">
      "emitc.member"(%m_54) {member = "a"} : (!emitc.opaque<"mystruct">) -> i32
  %e_59 = emitc.expression : i32 {
      %x_59 = emitc.add %a, %b : (i32, i32) -> i32
      %y_59 = emitc.mul %x_59, %a : (i32, i32) -> i32
      emitc.yield %y_59 : i32
    }
  %e_60 = emitc.expression noinline : i32 {
      %x_60 = emitc.call_opaque "f"(%a) : (i32) -> i32
      emitc.yield %x_60 : i32
    }
  return
}
