// releases: 16
// covers: more operations of the llvm dialect, each once in generic form with the types and attributes it asks for.
"t.all"() ({
  "t.with"() ({
    ^bb0(%a0: i32, %a1: i1):
      "llvm.intr.abs"(%a0, %a1) : (i32, i1) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !llvm.ptr, %a1: i1):
      "llvm.intr.coro.end"(%a0, %a1) : (!llvm.ptr, i1) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32, %a1: i1):
      "llvm.intr.cttz"(%a0, %a1) : (i32, i1) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: f32, %a1: i32):
      "llvm.intr.is.fpclass"(%a0, %a1) : (f32, i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !llvm.ptr, %a1: !llvm.ptr, %a2: i32, %a3: i1):
      "llvm.intr.memcpy.inline"(%a0, %a1, %a2, %a3) : (!llvm.ptr, !llvm.ptr, i32, i1) -> ()
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !llvm.ptr, %a1: !llvm.ptr, %a2: i32, %a3: i1):
      "llvm.intr.memmove"(%a0, %a1, %a2, %a3) : (!llvm.ptr, !llvm.ptr, i32, i1) -> ()
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !llvm.ptr, %a1: i8, %a2: i32, %a3: i1):
      "llvm.intr.memset"(%a0, %a1, %a2, %a3) : (!llvm.ptr, i8, i32, i1) -> ()
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !llvm.ptr, %a1: i32, %a2: i32, %a3: i32):
      "llvm.intr.prefetch"(%a0, %a1, %a2, %a3) : (!llvm.ptr, i32, i32, i32) -> ()
    }) : () -> ()
}) : () -> ()
