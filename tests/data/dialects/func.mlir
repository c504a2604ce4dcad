// releases: 16 19 22
// covers: the func dialect: declarations, visibility, argument and result attributes, calls, references to functions, quoted names.
func.func private @none()
func.func private @visible(i32 {t.a, t.b = 1 : i8}, f32) -> (i32 {t.r = "x"}, index) attributes {t.fn = [1, 2], llvm.emit_c_interface}
func.func nested @"quoted name \22 and \\"(%a: i32) -> i32 {
  return %a : i32
}
func.func public @multi(%a: i32, %b: tensor<?xf32> {t.arg}) -> (i32, tensor<?xf32>, i32) {
  return %a, %b, %a : i32, tensor<?xf32>, i32
}
func.func @calls(%a: i32, %t: tensor<?xf32>) {
  call @none() : () -> ()
  %0:3 = call @multi(%a, %t) : (i32, tensor<?xf32>) -> (i32, tensor<?xf32>, i32)
  %1 = func.call @"quoted name \22 and \\"(%0#2) : (i32) -> i32
  %f = func.constant @multi : (i32, tensor<?xf32>) -> (i32, tensor<?xf32>, i32)
  %2:3 = call_indirect %f(%1, %0#1) : (i32, tensor<?xf32>) -> (i32, tensor<?xf32>, i32)
  %g = func.constant {t.why = "attr"} @none : () -> ()
  func.call_indirect %g() : () -> ()
  return
}
func.func private @fn_types(() -> (), (i32) -> i32, (i32) -> (i32, f32), (() -> ()) -> (), () -> (() -> ()), ((i8) -> (i8) ) -> ((i8) -> (i8, i8)))
func.func @higher(%f: (i32) -> i32, %a: i32) -> ((i32) -> i32, i32) {
  %0 = call_indirect %f(%a) : (i32) -> i32
  return %f, %0 : (i32) -> i32, i32
}

func.func private @not_inlined(%a: f32) attributes {no_inline} {
  func.return
}
func.func @call_no_inline(%a: f32) {
  call @not_inlined(%a) {no_inline} : (f32) -> ()
  return
}
