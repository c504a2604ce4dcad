// releases: 22
// covers: the cf dialect: branches, switches with cases of several widths, weights, assertions.
func.func @wide(%n: i64) {
  cf.switch %n : i64, [default: ^a, 9223372036854775807: ^b, -9223372036854775808: ^a]
^a:
  cf.br ^a
^b:
  return
}

func.func @weights(%c: i1) {
  cf.cond_br %c weights([1, -1]), ^a, ^b
^a:
  return
^b:
  return
}
