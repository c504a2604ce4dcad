// releases: 16 19
// covers: more operations of the amx dialect, each once in generic form with the types and attributes it asks for.
"t.all"() ({
  "t.with"() ({
    ^bb0(%a0: i32, %a1: i32, %a2: i32, %a3: i32, %a4: i32, %a5: i32):
      "amx.tdpbf16ps"(%a0, %a1, %a2, %a3, %a4, %a5) : (i32, i32, i32, i32, i32, i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32, %a1: i32, %a2: i32, %a3: i32, %a4: i32, %a5: i32):
      "amx.tdpbssd"(%a0, %a1, %a2, %a3, %a4, %a5) : (i32, i32, i32, i32, i32, i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32, %a1: i32, %a2: i32, %a3: i32, %a4: i32, %a5: i32):
      "amx.tdpbsud"(%a0, %a1, %a2, %a3, %a4, %a5) : (i32, i32, i32, i32, i32, i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32, %a1: i32, %a2: i32, %a3: i32, %a4: i32, %a5: i32):
      "amx.tdpbusd"(%a0, %a1, %a2, %a3, %a4, %a5) : (i32, i32, i32, i32, i32, i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32, %a1: i32, %a2: i32, %a3: i32, %a4: i32, %a5: i32):
      "amx.tdpbuud"(%a0, %a1, %a2, %a3, %a4, %a5) : (i32, i32, i32, i32, i32, i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32, %a1: i32, %a2: !llvm.ptr, %a3: i32):
      "amx.tileloadd64"(%a0, %a1, %a2, %a3) : (i32, i32, !llvm.ptr, i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32, %a1: i32, %a2: !llvm.ptr, %a3: i32, %a4: i32):
      "amx.tilestored64"(%a0, %a1, %a2, %a3, %a4) : (i32, i32, !llvm.ptr, i32, i32) -> ()
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32, %a1: i32):
      "amx.tilezero"(%a0, %a1) : (i32, i32) -> i32
    }) : () -> ()
}) : () -> ()
