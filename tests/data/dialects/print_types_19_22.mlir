// releases: 19 22
// covers: types of every kind, alone, nested, as attributes, arguments and results; opaque types of unregistered dialects.
"t.all"() ({
  %r_12 = "t.t"() {t = tf32} : () -> (tf32)
  %r_46 = "t.t"() {t = vector<[2]x3xf32>} : () -> (vector<[2]x3xf32>)
  %r_47 = "t.t"() {t = vector<[2]x[3]xf32>} : () -> (vector<[2]x[3]xf32>)
}) : () -> ()
