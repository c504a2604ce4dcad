// releases: 16 19
// covers: more operations of the arm_sme dialect, each once in generic form with the types and attributes it asks for.
"t.all"() ({
  "t.with"() ({
      "arm_sme.intr.cntsh"() : () -> i64
    }) : () -> ()
  "t.with"() ({
      "arm_sme.intr.cntsw"() : () -> i64
    }) : () -> ()
}) : () -> ()
