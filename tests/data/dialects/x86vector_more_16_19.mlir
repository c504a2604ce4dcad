// releases: 16 19
// covers: more operations of the x86vector dialect, each once in generic form with the types and attributes it asks for.
"t.all"() ({
  "t.with"() ({
    ^bb0(%a0: vector<8xi64>, %a1: vector<8xi64>):
      "x86vector.avx512.intr.vp2intersect.q.512"(%a0, %a1) : (vector<8xi64>, vector<8xi64>) -> i32
    }) : () -> ()
}) : () -> ()
