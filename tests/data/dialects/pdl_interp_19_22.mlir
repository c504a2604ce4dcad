// releases: 19 22
// covers: the pdl_interp dialect: matchers with many successors, switches, loops, rewriters.
pdl_interp.func @constraint_results(%root: !pdl.operation) {
  %a = pdl_interp.apply_constraint "con"(%root : !pdl.operation) : !pdl.attribute {isNegated = false} -> ^a, ^b
^a:
  pdl_interp.apply_constraint "neg"(%root, %a : !pdl.operation, !pdl.attribute) {isNegated = true} -> ^b, ^b
^b:
  pdl_interp.finalize
}
