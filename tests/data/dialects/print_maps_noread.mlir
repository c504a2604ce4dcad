// releases: 16 19 22
// read-back: no
// covers: affine maps and integer sets with every kind of expression, alone, shared, nested and in types.
"t.all"() ({
  "t.map"() {m = affine_map<(d0) -> (-9223372036854775807 - 1)>} : () -> ()
}) : () -> ()
