// releases: 22
// covers: the emitc dialect: expressions, lvalues, control flow, files, classes, opaque types and attributes, formatted text.
emitc.global @glob : i32
emitc.func private @other(i32) -> i32 attributes {specifiers = ["extern"]}
func.func @emitc(%a: i32, %b: i32, %f: f32, %c: i1, %p: !emitc.ptr<i32>, %o: !emitc.opaque<"std::vector<int>">, %arr: !emitc.array<4x8xf32>, %i: index) {
  "emitc.variable"() {value = #emitc.opaque<"">} : () -> !emitc.lvalue<i32>
  "emitc.variable"() {value = 3 : i32} : () -> !emitc.lvalue<i32>
  %v_32 = "emitc.variable"() {value = 3 : i32} : () -> !emitc.lvalue<i32>
      emitc.assign %a : i32 to %v_32 : !emitc.lvalue<i32>
      emitc.load %v_32 : !emitc.lvalue<i32>
      emitc.apply "&"(%v_32) : (!emitc.lvalue<i32>) -> !emitc.ptr<i32>
  %v_33 = "emitc.variable"() {value = 3 : i32} : () -> !emitc.lvalue<i32>
      emitc.address_of %v_33 : !emitc.lvalue<i32>
  emitc.dereference %p : !emitc.ptr<i32>
  emitc.include "myheader.h"
  emitc.include <"iostream">
  emitc.verbatim "x = {} + {};" args %a, %b : i32, i32
  emitc.get_global @glob : !emitc.lvalue<i32>
  emitc.subscript %arr[%i, %i] : (!emitc.array<4x8xf32>, index, index) -> !emitc.lvalue<f32>
  %m_52 = "emitc.variable"() {value = #emitc.opaque<"">} : () -> !emitc.lvalue<!emitc.opaque<"mystruct">>
      "emitc.member"(%m_52) {member = "a"} : (!emitc.lvalue<!emitc.opaque<"mystruct">>) -> !emitc.lvalue<i32>
  %m_53 = "emitc.variable"() {value = #emitc.opaque<"">} : () -> !emitc.lvalue<!emitc.ptr<!emitc.opaque<"mystruct">>>
      "emitc.member_of_ptr"(%m_53) {member = "b"} : (!emitc.lvalue<!emitc.ptr<!emitc.opaque<"mystruct">>>) -> !emitc.lvalue<i32>
  emitc.switch %a : i32
    case 2 {
      emitc.yield
    }
    case -5 {
      emitc.yield
    }
    default {
      emitc.yield
    }
  %e_61 = emitc.expression %a, %b : (i32, i32) -> i32 {
      %x_61 = emitc.add %a, %b : (i32, i32) -> i32
      emitc.yield %x_61 : i32
    }
  %e_62 = emitc.expression %a noinline : (i32) -> i32 {
      %x_62 = emitc.call_opaque "f"(%a) : (i32) -> i32
      emitc.yield %x_62 : i32
    }
  "t.types"() {t = [!emitc.ptrdiff_t, !emitc.ssize_t, !emitc.size_t, !emitc.array<3x!emitc.ptr<i8>>, !emitc.lvalue<!emitc.opaque<"a b">>, !emitc.ptr<!emitc.ptr<f64>>], a = #emitc.opaque<"a \22b\22">} : () -> ()
  return
}

emitc.file "a \22file\22.cpp" {
  emitc.include "x.h"
  emitc.func @in_file() {
    emitc.return
  }
}
emitc.class @myClass {
  emitc.field @fieldName0 : !emitc.array<1xf32> {emitc.opaque = "input"}
  emitc.field @fieldName1 : i32 = 5
  emitc.func @execute() {
    %0 = emitc.get_field @fieldName0 : !emitc.array<1xf32>
    return
  }
}
emitc.class final @finalClass {
}
