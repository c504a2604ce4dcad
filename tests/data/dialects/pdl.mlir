// releases: 16 19 22
// covers: the pdl dialect: patterns with types, attributes, operands, rewrites, native calls.
pdl.pattern @rewrite_all : benefit(1) {
  %t = type : i32
  %ts = types : [i32, f32, tensor<?xi8>]
  %ta = type
  %tas = types
  %a = attribute
  %b = attribute = 10 : i32
  %c = attribute : %t
  %o = operand
  %p = operand : %t
  %os = operands
  %ps = operands : %tas
  %root = operation "foo.op"(%o, %p, %os, %ps : !pdl.value, !pdl.value, !pdl.range<value>, !pdl.range<value>) {"attr" = %a, "other attr" = %b, "third" = %c} -> (%ta, %tas : !pdl.type, !pdl.range<type>)
  %r0 = result 0 of %root
  %rs = results of %root
  %rs1 = results 1 of %root -> !pdl.range<value>
  apply_native_constraint "my constraint"(%o, %a : !pdl.value, !pdl.attribute)
  rewrite %root {
    %n = operation "bar.op" {"x" = %a} -> (%t : !pdl.type)
    %v = apply_native_rewrite "create"(%n : !pdl.operation) : !pdl.value
    apply_native_rewrite "log"(%root : !pdl.operation)
    %range = range %o, %os : !pdl.value, !pdl.range<value>
    %empty = range : !pdl.range<type>
    %m = operation "baz.op"(%range : !pdl.range<value>) -> (%empty : !pdl.range<type>)
    replace %root with %n
  }
}
pdl.pattern : benefit(32767) {
  %op = operation "x.y"
  rewrite %op with "external rewriter"(%op : !pdl.operation)
}
pdl.pattern @values : benefit(0) {
  %t = type
  %op = operation "x.z" -> (%t : !pdl.type)
  rewrite %op {
    %x = apply_native_rewrite "v" : !pdl.value
    replace %op with (%x : !pdl.value)
  }
}
