// releases: 22
// covers: more operations of the llvm dialect, each once in generic form with the types and attributes it asks for.
"t.all"() ({
  "t.with"() ({
    ^bb0(%a0: !llvm.ptr):
      "llvm.intr.lifetime.start"(%a0) : (!llvm.ptr) -> ()
    }) : () -> ()
}) : () -> ()
