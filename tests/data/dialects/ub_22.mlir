// releases: 22
// covers: the ub dialect.
func.func @ub(%c: i1) {
  "t.x"() ({
        ub.unreachable
      }) : () -> ()
  return
}
