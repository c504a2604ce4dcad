// releases: 16 19 22
// covers: operations named without any dot, which are their own dialect.
"bare"() : () -> ()
"other"() ({
  "bare"() : () -> ()
}) : () -> ()
"bare.op"() : () -> ()
