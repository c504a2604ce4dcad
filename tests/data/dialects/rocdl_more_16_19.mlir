// releases: 16 19
// covers: more operations of the rocdl dialect, each once in generic form with the types and attributes it asks for.
"t.all"() ({
  "t.with"() ({
    ^bb0(%a0: i32, %a1: i32):
      "rocdl.cvt.f32.bf8"(%a0, %a1) : (i32, i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32, %a1: i32):
      "rocdl.cvt.f32.fp8"(%a0, %a1) : (i32, i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: f32, %a1: f32, %a2: i32, %a3: i1):
      "rocdl.cvt.pk.bf8.f32"(%a0, %a1, %a2, %a3) : (f32, f32, i32, i1) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: f32, %a1: f32, %a2: i32, %a3: i1):
      "rocdl.cvt.pk.fp8.f32"(%a0, %a1, %a2, %a3) : (f32, f32, i32, i1) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: f32, %a1: i32, %a2: i32, %a3: i32):
      "rocdl.cvt.sr.bf8.f32"(%a0, %a1, %a2, %a3) : (f32, i32, i32, i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: f32, %a1: i32, %a2: i32, %a3: i32):
      "rocdl.cvt.sr.fp8.f32"(%a0, %a1, %a2, %a3) : (f32, i32, i32, i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !llvm.ptr, %a1: i16, %a2: i32, %a3: i32):
      "rocdl.make.buffer.rsrc"(%a0, %a1, %a2, %a3) : (!llvm.ptr, i16, i32, i32) -> !llvm.ptr<8>
    }) : () -> ()
}) : () -> ()
