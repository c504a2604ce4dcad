// releases: 16 19 22
// covers: symbols in nested modules and references between them, declarations, visibilities, unregistered symbol users.
module @top {
  func.func private @declared(i32, f32) -> (i32, i8)
  func.func @main(%x: i32, %y: f32) -> i32 {
    %0:2 = call @declared(%x, %y) : (i32, f32) -> (i32, i8)
    %1 = func.constant @main : (i32, f32) -> i32
    %2 = call_indirect %1(%0#0, %y) : (i32, f32) -> i32
    "t.refers"() {to = @inner::@deep::@f, also = [@main, @declared]} : () -> ()
    return %2 : i32
  }
  module @inner {
    module @deep attributes {sym_visibility = "nested"} {
      func.func nested @f() {
        return
      }
      func.func private @g(%a: i32 {test.arg = "first"}, %b: i32) -> (i32 {test.res = 1 : i8}) attributes {test.extra} {
        return %a : i32
      }
    }
    memref.global "private" constant @data : memref<2xi32> = dense<[1, 2]>
  }
}
