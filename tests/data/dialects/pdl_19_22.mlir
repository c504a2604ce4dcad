// releases: 19 22
// covers: the pdl dialect: patterns with types, attributes, operands, rewrites, native calls.
pdl.pattern @constraint_results : benefit(2) {
  %o = operand
  %root = operation "foo.op"(%o : !pdl.value)
  %r = apply_native_constraint "c"(%root : !pdl.operation) : !pdl.attribute
  apply_native_constraint "negated"(%o : !pdl.value) {isNegated = true}
  rewrite %root {
    apply_native_rewrite "use"(%r : !pdl.attribute)
    erase %root
  }
}
