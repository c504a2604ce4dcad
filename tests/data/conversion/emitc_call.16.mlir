func.func @f(%x: i32) -> i32 {
  %0 = emitc.call "g"(%x) {args = [0 : index, 1 : i32], template_args = [i32]} : (i32) -> i32
  return %0 : i32
}
