// releases: 16 19
// covers: more operations of the llvm dialect, each once in generic form with the types and attributes it asks for.
"t.all"() ({
  "t.with"() ({
    ^bb0(%a0: i1):
      "llvm.intr.assume"(%a0) : (i1) -> ()
    }) : () -> ()
}) : () -> ()
