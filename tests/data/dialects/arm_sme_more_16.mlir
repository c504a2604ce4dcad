// releases: 16
// covers: more operations of the arm_sme dialect, each once in generic form with the types and attributes it asks for.
"t.all"() ({
  "t.with"() ({
      "arm_sme.intr.cntsh"() : () -> !llvm.ptr
    }) : () -> ()
  "t.with"() ({
      "arm_sme.intr.cntsw"() : () -> !llvm.ptr
    }) : () -> ()
}) : () -> ()
