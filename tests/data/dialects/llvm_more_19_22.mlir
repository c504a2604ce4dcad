// releases: 19 22
// covers: more operations of the llvm dialect, each once in generic form with the types and attributes it asks for.
"t.all"() ({
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.access_group"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.alias_scope"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.alias_scope_domain"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !llvm.ptr, %a1: i1, %a2: !llvm.token):
      "llvm.intr.coro.end"(%a0, %a1, %a2) : (!llvm.ptr, i1, !llvm.token) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.intr.cttz"(%a0) {is_zero_poison = true} : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !llvm.ptr, %a1: !llvm.ptr, %a2: i32):
      "llvm.intr.memmove"(%a0, %a1, %a2) {isVolatile = true} : (!llvm.ptr, !llvm.ptr, i32) -> ()
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.metadata"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.tbaa_root"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.tbaa_tag"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "llvm.tbaa_type_desc"(%a0) : (i32) -> i32
    }) : () -> ()
}) : () -> ()
