// releases: 19 22
// covers: the ub dialect.
func.func @ub(%c: i1) {
  ub.poison : i32
  ub.poison : vector<4xi64>
  ub.poison <#ub.poison> : f32
  "t.x"() {p = #ub.poison} : () -> ()
  return
}
