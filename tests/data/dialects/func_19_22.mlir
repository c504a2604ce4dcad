// releases: 19 22
// covers: the func dialect: declarations, visibility, argument and result attributes, calls, references to functions, quoted names.
func.func private @call_attributes(i32 {t.x}) -> (i32 {t.y})
func.func @with_attributes(%a: i32) -> i32 {
  %0 = "func.call"(%a) <{callee = @call_attributes, arg_attrs = [{t.x = 1 : i32}], res_attrs = [{}]}> : (i32) -> i32
  return %0 : i32
}
