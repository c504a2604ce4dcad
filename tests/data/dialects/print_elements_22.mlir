// releases: 22
// covers: dense and sparse elements of every element type: splats, lists, nested, empty, without dimensions, in hexadecimal, more than a hundred.
"t.all"() ({
  "t.d"() {s = dense<["a", "b"]> : vector<2x!llvm.ptr>} : () -> ()
}) : () -> ()
