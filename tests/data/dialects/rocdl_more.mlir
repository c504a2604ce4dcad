// releases: 16 19 22
// covers: more operations of the rocdl dialect, each once in generic form with the types and attributes it asks for.
"t.all"() ({
  "t.with"() ({
    ^bb0(%a0: i1):
      "rocdl.ballot"(%a0) : (i1) -> i32
    }) : () -> ()
  "t.with"() ({
      "rocdl.barrier"() : () -> ()
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32, %a1: i32, %a2: i32, %a3: i32, %a4: i32):
      "rocdl.buffer.load"(%a0, %a1, %a2, %a3, %a4) : (i32, i32, i32, i32, i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32, %a1: i32, %a2: i32, %a3: i32, %a4: i32, %a5: i32):
      "rocdl.buffer.store"(%a0, %a1, %a2, %a3, %a4, %a5) : (i32, i32, i32, i32, i32, i32) -> ()
    }) : () -> ()
  "t.with"() ({
      "rocdl.cluster.id.x"() : () -> i32
    }) : () -> ()
  "t.with"() ({
      "rocdl.cluster.id.y"() : () -> i32
    }) : () -> ()
  "t.with"() ({
      "rocdl.cluster.id.z"() : () -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !llvm.ptr<1>, %a1: !llvm.ptr<3>, %a2: i32):
      "rocdl.cluster.load.async.to.lds.b128"(%a0, %a1, %a2) {cpol = 1 : i32, offset = 1 : i32} : (!llvm.ptr<1>, !llvm.ptr<3>, i32) -> ()
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !llvm.ptr<1>, %a1: !llvm.ptr<3>, %a2: i32):
      "rocdl.cluster.load.async.to.lds.b32"(%a0, %a1, %a2) {cpol = 1 : i32, offset = 1 : i32} : (!llvm.ptr<1>, !llvm.ptr<3>, i32) -> ()
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !llvm.ptr<1>, %a1: !llvm.ptr<3>, %a2: i32):
      "rocdl.cluster.load.async.to.lds.b64"(%a0, %a1, %a2) {cpol = 1 : i32, offset = 1 : i32} : (!llvm.ptr<1>, !llvm.ptr<3>, i32) -> ()
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !llvm.ptr<1>, %a1: !llvm.ptr<3>, %a2: i32):
      "rocdl.cluster.load.async.to.lds.b8"(%a0, %a1, %a2) {cpol = 1 : i32, offset = 1 : i32} : (!llvm.ptr<1>, !llvm.ptr<3>, i32) -> ()
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: f32):
      "rocdl.cos"(%a0) : (f32) -> f32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "rocdl.cvt.pk.f32.bf8"(%a0) {wordSel = true} : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "rocdl.cvt.pk.f32.fp8"(%a0) {wordSel = true} : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: f32, %a1: f32):
      "rocdl.cvt.pkrtz"(%a0, %a1) : (f32, f32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<3xi32>, %a1: i32):
      "rocdl.cvt.scale.pk16.bf16.bf6"(%a0, %a1) {scaleSel = 1 : i32} : (vector<3xi32>, i32) -> vector<16xbf16>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<3xi32>, %a1: i32):
      "rocdl.cvt.scale.pk16.bf16.fp6"(%a0, %a1) {scaleSel = 1 : i32} : (vector<3xi32>, i32) -> vector<16xbf16>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<3xi32>, %a1: i32):
      "rocdl.cvt.scale.pk16.f16.bf6"(%a0, %a1) {scaleSel = 1 : i32} : (vector<3xi32>, i32) -> vector<16xf16>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<3xi32>, %a1: i32):
      "rocdl.cvt.scale.pk16.f16.fp6"(%a0, %a1) {scaleSel = 1 : i32} : (vector<3xi32>, i32) -> vector<16xf16>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<3xi32>, %a1: i32):
      "rocdl.cvt.scale.pk16.f32.bf6"(%a0, %a1) {scaleSel = 1 : i32} : (vector<3xi32>, i32) -> vector<16xf32>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<3xi32>, %a1: i32):
      "rocdl.cvt.scale.pk16.f32.fp6"(%a0, %a1) {scaleSel = 1 : i32} : (vector<3xi32>, i32) -> vector<16xf32>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xi32>, %a1: i32):
      "rocdl.cvt.scale.pk8.bf16.bf8"(%a0, %a1) {scaleSel = 1 : i32} : (vector<2xi32>, i32) -> vector<8xbf16>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32, %a1: i32):
      "rocdl.cvt.scale.pk8.bf16.fp4"(%a0, %a1) {scaleSel = 1 : i32} : (i32, i32) -> vector<8xbf16>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xi32>, %a1: i32):
      "rocdl.cvt.scale.pk8.bf16.fp8"(%a0, %a1) {scaleSel = 1 : i32} : (vector<2xi32>, i32) -> vector<8xbf16>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xi32>, %a1: i32):
      "rocdl.cvt.scale.pk8.f16.bf8"(%a0, %a1) {scaleSel = 1 : i32} : (vector<2xi32>, i32) -> vector<8xf16>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32, %a1: i32):
      "rocdl.cvt.scale.pk8.f16.fp4"(%a0, %a1) {scaleSel = 1 : i32} : (i32, i32) -> vector<8xf16>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xi32>, %a1: i32):
      "rocdl.cvt.scale.pk8.f16.fp8"(%a0, %a1) {scaleSel = 1 : i32} : (vector<2xi32>, i32) -> vector<8xf16>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xi32>, %a1: i32):
      "rocdl.cvt.scale.pk8.f32.bf8"(%a0, %a1) {scaleSel = 1 : i32} : (vector<2xi32>, i32) -> vector<8xf32>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32, %a1: i32):
      "rocdl.cvt.scale.pk8.f32.fp4"(%a0, %a1) {scaleSel = 1 : i32} : (i32, i32) -> vector<8xf32>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xi32>, %a1: i32):
      "rocdl.cvt.scale.pk8.f32.fp8"(%a0, %a1) {scaleSel = 1 : i32} : (vector<2xi32>, i32) -> vector<8xf32>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<16xf32>, %a1: vector<16xf32>, %a2: f32):
      "rocdl.cvt.scalef32.2xpk16.bf6.f32"(%a0, %a1, %a2) : (vector<16xf32>, vector<16xf32>, f32) -> vector<6xi32>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<16xf32>, %a1: vector<16xf32>, %a2: f32):
      "rocdl.cvt.scalef32.2xpk16.fp6.f32"(%a0, %a1, %a2) : (vector<16xf32>, vector<16xf32>, f32) -> vector<6xi32>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xf16>, %a1: i32, %a2: f32):
      "rocdl.cvt.scalef32.f16.bf8"(%a0, %a1, %a2) {dstLoHiSel = true, srcSelIndex = 1 : i32} : (vector<2xf16>, i32, f32) -> vector<2xf16>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xf16>, %a1: i32, %a2: f32):
      "rocdl.cvt.scalef32.f16.fp8"(%a0, %a1, %a2) {dstLoHiSel = true, srcSelIndex = 1 : i32} : (vector<2xf16>, i32, f32) -> vector<2xf16>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32, %a1: f32):
      "rocdl.cvt.scalef32.f32.bf8"(%a0, %a1) {srcSelIndex = 1 : i32} : (i32, f32) -> f32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32, %a1: f32):
      "rocdl.cvt.scalef32.f32.fp8"(%a0, %a1) {srcSelIndex = 1 : i32} : (i32, f32) -> f32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32, %a1: f32):
      "rocdl.cvt.scalef32.pk.bf16.bf8"(%a0, %a1) {srcLoHiSel = true} : (i32, f32) -> vector<2xbf16>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32, %a1: f32):
      "rocdl.cvt.scalef32.pk.bf16.fp4"(%a0, %a1) {srcSelIndex = 1 : i32} : (i32, f32) -> vector<2xbf16>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32, %a1: f32):
      "rocdl.cvt.scalef32.pk.bf16.fp8"(%a0, %a1) {srcLoHiSel = true} : (i32, f32) -> vector<2xbf16>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xi16>, %a1: vector<2xbf16>, %a2: f32):
      "rocdl.cvt.scalef32.pk.bf8.bf16"(%a0, %a1, %a2) {dstLoHiSel = true} : (vector<2xi16>, vector<2xbf16>, f32) -> vector<2xi16>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xi16>, %a1: vector<2xf16>, %a2: f32):
      "rocdl.cvt.scalef32.pk.bf8.f16"(%a0, %a1, %a2) {dstLoHiSel = true} : (vector<2xi16>, vector<2xf16>, f32) -> vector<2xi16>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xi16>, %a1: f32, %a2: f32, %a3: f32):
      "rocdl.cvt.scalef32.pk.bf8.f32"(%a0, %a1, %a2, %a3) {dstLoHiSel = true} : (vector<2xi16>, f32, f32, f32) -> vector<2xi16>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32, %a1: f32):
      "rocdl.cvt.scalef32.pk.f16.bf8"(%a0, %a1) {srcLoHiSel = true} : (i32, f32) -> vector<2xf16>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32, %a1: f32):
      "rocdl.cvt.scalef32.pk.f16.fp4"(%a0, %a1) {srcSelIndex = 1 : i32} : (i32, f32) -> vector<2xf16>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32, %a1: f32):
      "rocdl.cvt.scalef32.pk.f16.fp8"(%a0, %a1) {srcLoHiSel = true} : (i32, f32) -> vector<2xf16>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32, %a1: f32):
      "rocdl.cvt.scalef32.pk.f32.bf8"(%a0, %a1) {srcLoHiSel = true} : (i32, f32) -> vector<2xf32>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32, %a1: f32):
      "rocdl.cvt.scalef32.pk.f32.fp4"(%a0, %a1) {srcSelIndex = 1 : i32} : (i32, f32) -> vector<2xf32>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32, %a1: f32):
      "rocdl.cvt.scalef32.pk.f32.fp8"(%a0, %a1) {srcLoHiSel = true} : (i32, f32) -> vector<2xf32>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32, %a1: vector<2xbf16>, %a2: f32):
      "rocdl.cvt.scalef32.pk.fp4.bf16"(%a0, %a1, %a2) {dstSelIndex = 1 : i32} : (i32, vector<2xbf16>, f32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32, %a1: vector<2xf16>, %a2: f32):
      "rocdl.cvt.scalef32.pk.fp4.f16"(%a0, %a1, %a2) {dstSelIndex = 1 : i32} : (i32, vector<2xf16>, f32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32, %a1: f32, %a2: f32, %a3: f32):
      "rocdl.cvt.scalef32.pk.fp4.f32"(%a0, %a1, %a2, %a3) {dstSelIndex = 1 : i32} : (i32, f32, f32, f32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xi16>, %a1: vector<2xbf16>, %a2: f32):
      "rocdl.cvt.scalef32.pk.fp8.bf16"(%a0, %a1, %a2) {dstLoHiSel = true} : (vector<2xi16>, vector<2xbf16>, f32) -> vector<2xi16>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xi16>, %a1: vector<2xf16>, %a2: f32):
      "rocdl.cvt.scalef32.pk.fp8.f16"(%a0, %a1, %a2) {dstLoHiSel = true} : (vector<2xi16>, vector<2xf16>, f32) -> vector<2xi16>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xi16>, %a1: f32, %a2: f32, %a3: f32):
      "rocdl.cvt.scalef32.pk.fp8.f32"(%a0, %a1, %a2, %a3) {dstLoHiSel = true} : (vector<2xi16>, f32, f32, f32) -> vector<2xi16>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<16xbf16>, %a1: f32):
      "rocdl.cvt.scalef32.pk16.bf6.bf16"(%a0, %a1) : (vector<16xbf16>, f32) -> vector<3xi32>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<16xf16>, %a1: f32):
      "rocdl.cvt.scalef32.pk16.bf6.f16"(%a0, %a1) : (vector<16xf16>, f32) -> vector<3xi32>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<16xf32>, %a1: f32):
      "rocdl.cvt.scalef32.pk16.bf6.f32"(%a0, %a1) : (vector<16xf32>, f32) -> vector<3xi32>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<16xbf16>, %a1: f32):
      "rocdl.cvt.scalef32.pk16.fp6.bf16"(%a0, %a1) : (vector<16xbf16>, f32) -> vector<3xi32>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<16xf16>, %a1: f32):
      "rocdl.cvt.scalef32.pk16.fp6.f16"(%a0, %a1) : (vector<16xf16>, f32) -> vector<3xi32>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<16xf32>, %a1: f32):
      "rocdl.cvt.scalef32.pk16.fp6.f32"(%a0, %a1) : (vector<16xf32>, f32) -> vector<3xi32>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<6xi32>, %a1: f32):
      "rocdl.cvt.scalef32.pk32.bf16.bf6"(%a0, %a1) : (vector<6xi32>, f32) -> vector<32xbf16>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<6xi32>, %a1: f32):
      "rocdl.cvt.scalef32.pk32.bf16.fp6"(%a0, %a1) : (vector<6xi32>, f32) -> vector<32xbf16>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<32xbf16>, %a1: f32):
      "rocdl.cvt.scalef32.pk32.bf6.bf16"(%a0, %a1) : (vector<32xbf16>, f32) -> vector<6xi32>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<32xf16>, %a1: f32):
      "rocdl.cvt.scalef32.pk32.bf6.f16"(%a0, %a1) : (vector<32xf16>, f32) -> vector<6xi32>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<6xi32>, %a1: f32):
      "rocdl.cvt.scalef32.pk32.f16.bf6"(%a0, %a1) : (vector<6xi32>, f32) -> vector<32xf16>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<6xi32>, %a1: f32):
      "rocdl.cvt.scalef32.pk32.f16.fp6"(%a0, %a1) : (vector<6xi32>, f32) -> vector<32xf16>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<6xi32>, %a1: f32):
      "rocdl.cvt.scalef32.pk32.f32.bf6"(%a0, %a1) : (vector<6xi32>, f32) -> vector<32xf32>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<6xi32>, %a1: f32):
      "rocdl.cvt.scalef32.pk32.f32.fp6"(%a0, %a1) : (vector<6xi32>, f32) -> vector<32xf32>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<32xbf16>, %a1: f32):
      "rocdl.cvt.scalef32.pk32.fp6.bf16"(%a0, %a1) : (vector<32xbf16>, f32) -> vector<6xi32>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<32xf16>, %a1: f32):
      "rocdl.cvt.scalef32.pk32.fp6.f16"(%a0, %a1) : (vector<32xf16>, f32) -> vector<6xi32>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<8xbf16>, %a1: f32):
      "rocdl.cvt.scalef32.pk8.bf8.bf16"(%a0, %a1) : (vector<8xbf16>, f32) -> vector<2xi32>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<8xf16>, %a1: f32):
      "rocdl.cvt.scalef32.pk8.bf8.f16"(%a0, %a1) : (vector<8xf16>, f32) -> vector<2xi32>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<8xf32>, %a1: f32):
      "rocdl.cvt.scalef32.pk8.bf8.f32"(%a0, %a1) : (vector<8xf32>, f32) -> vector<2xi32>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<8xbf16>, %a1: f32):
      "rocdl.cvt.scalef32.pk8.fp4.bf16"(%a0, %a1) : (vector<8xbf16>, f32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<8xf16>, %a1: f32):
      "rocdl.cvt.scalef32.pk8.fp4.f16"(%a0, %a1) : (vector<8xf16>, f32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<8xf32>, %a1: f32):
      "rocdl.cvt.scalef32.pk8.fp4.f32"(%a0, %a1) : (vector<8xf32>, f32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<8xbf16>, %a1: f32):
      "rocdl.cvt.scalef32.pk8.fp8.bf16"(%a0, %a1) : (vector<8xbf16>, f32) -> vector<2xi32>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<8xf16>, %a1: f32):
      "rocdl.cvt.scalef32.pk8.fp8.f16"(%a0, %a1) : (vector<8xf16>, f32) -> vector<2xi32>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<8xf32>, %a1: f32):
      "rocdl.cvt.scalef32.pk8.fp8.f32"(%a0, %a1) : (vector<8xf32>, f32) -> vector<2xi32>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32, %a1: bf16, %a2: i32, %a3: f32):
      "rocdl.cvt.scalef32.sr.bf8.bf16"(%a0, %a1, %a2, %a3) {dstSelIndex = 1 : i32} : (i32, bf16, i32, f32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32, %a1: f16, %a2: i32, %a3: f32):
      "rocdl.cvt.scalef32.sr.bf8.f16"(%a0, %a1, %a2, %a3) {dstSelIndex = 1 : i32} : (i32, f16, i32, f32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32, %a1: f32, %a2: i32, %a3: f32):
      "rocdl.cvt.scalef32.sr.bf8.f32"(%a0, %a1, %a2, %a3) {dstSelIndex = 1 : i32} : (i32, f32, i32, f32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32, %a1: bf16, %a2: i32, %a3: f32):
      "rocdl.cvt.scalef32.sr.fp8.bf16"(%a0, %a1, %a2, %a3) {dstSelIndex = 1 : i32} : (i32, bf16, i32, f32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32, %a1: f16, %a2: i32, %a3: f32):
      "rocdl.cvt.scalef32.sr.fp8.f16"(%a0, %a1, %a2, %a3) {dstSelIndex = 1 : i32} : (i32, f16, i32, f32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32, %a1: f32, %a2: i32, %a3: f32):
      "rocdl.cvt.scalef32.sr.fp8.f32"(%a0, %a1, %a2, %a3) {dstSelIndex = 1 : i32} : (i32, f32, i32, f32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32, %a1: vector<2xbf16>, %a2: i32, %a3: f32):
      "rocdl.cvt.scalef32.sr.pk.fp4.bf16"(%a0, %a1, %a2, %a3) {dstSelIndex = 1 : i32} : (i32, vector<2xbf16>, i32, f32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32, %a1: vector<2xf16>, %a2: i32, %a3: f32):
      "rocdl.cvt.scalef32.sr.pk.fp4.f16"(%a0, %a1, %a2, %a3) {dstSelIndex = 1 : i32} : (i32, vector<2xf16>, i32, f32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32, %a1: vector<2xf32>, %a2: i32, %a3: f32):
      "rocdl.cvt.scalef32.sr.pk.fp4.f32"(%a0, %a1, %a2, %a3) {dstSelIndex = 1 : i32} : (i32, vector<2xf32>, i32, f32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<16xbf16>, %a1: i32, %a2: f32):
      "rocdl.cvt.scalef32.sr.pk16.bf6.bf16"(%a0, %a1, %a2) : (vector<16xbf16>, i32, f32) -> vector<3xi32>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<16xf16>, %a1: i32, %a2: f32):
      "rocdl.cvt.scalef32.sr.pk16.bf6.f16"(%a0, %a1, %a2) : (vector<16xf16>, i32, f32) -> vector<3xi32>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<16xf32>, %a1: i32, %a2: f32):
      "rocdl.cvt.scalef32.sr.pk16.bf6.f32"(%a0, %a1, %a2) : (vector<16xf32>, i32, f32) -> vector<3xi32>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<16xbf16>, %a1: i32, %a2: f32):
      "rocdl.cvt.scalef32.sr.pk16.fp6.bf16"(%a0, %a1, %a2) : (vector<16xbf16>, i32, f32) -> vector<3xi32>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<16xf16>, %a1: i32, %a2: f32):
      "rocdl.cvt.scalef32.sr.pk16.fp6.f16"(%a0, %a1, %a2) : (vector<16xf16>, i32, f32) -> vector<3xi32>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<16xf32>, %a1: i32, %a2: f32):
      "rocdl.cvt.scalef32.sr.pk16.fp6.f32"(%a0, %a1, %a2) : (vector<16xf32>, i32, f32) -> vector<3xi32>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<32xbf16>, %a1: i32, %a2: f32):
      "rocdl.cvt.scalef32.sr.pk32.bf6.bf16"(%a0, %a1, %a2) : (vector<32xbf16>, i32, f32) -> vector<6xi32>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<32xf16>, %a1: i32, %a2: f32):
      "rocdl.cvt.scalef32.sr.pk32.bf6.f16"(%a0, %a1, %a2) : (vector<32xf16>, i32, f32) -> vector<6xi32>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<32xf32>, %a1: i32, %a2: f32):
      "rocdl.cvt.scalef32.sr.pk32.bf6.f32"(%a0, %a1, %a2) : (vector<32xf32>, i32, f32) -> vector<6xi32>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<32xbf16>, %a1: i32, %a2: f32):
      "rocdl.cvt.scalef32.sr.pk32.fp6.bf16"(%a0, %a1, %a2) : (vector<32xbf16>, i32, f32) -> vector<6xi32>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<32xf16>, %a1: i32, %a2: f32):
      "rocdl.cvt.scalef32.sr.pk32.fp6.f16"(%a0, %a1, %a2) : (vector<32xf16>, i32, f32) -> vector<6xi32>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<32xf32>, %a1: i32, %a2: f32):
      "rocdl.cvt.scalef32.sr.pk32.fp6.f32"(%a0, %a1, %a2) : (vector<32xf32>, i32, f32) -> vector<6xi32>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<8xbf16>, %a1: i32, %a2: f32):
      "rocdl.cvt.scalef32.sr.pk8.bf8.bf16"(%a0, %a1, %a2) : (vector<8xbf16>, i32, f32) -> vector<2xi32>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<8xf16>, %a1: i32, %a2: f32):
      "rocdl.cvt.scalef32.sr.pk8.bf8.f16"(%a0, %a1, %a2) : (vector<8xf16>, i32, f32) -> vector<2xi32>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<8xf32>, %a1: i32, %a2: f32):
      "rocdl.cvt.scalef32.sr.pk8.bf8.f32"(%a0, %a1, %a2) : (vector<8xf32>, i32, f32) -> vector<2xi32>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<8xbf16>, %a1: i32, %a2: f32):
      "rocdl.cvt.scalef32.sr.pk8.fp4.bf16"(%a0, %a1, %a2) : (vector<8xbf16>, i32, f32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<8xf16>, %a1: i32, %a2: f32):
      "rocdl.cvt.scalef32.sr.pk8.fp4.f16"(%a0, %a1, %a2) : (vector<8xf16>, i32, f32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<8xf32>, %a1: i32, %a2: f32):
      "rocdl.cvt.scalef32.sr.pk8.fp4.f32"(%a0, %a1, %a2) : (vector<8xf32>, i32, f32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<8xbf16>, %a1: i32, %a2: f32):
      "rocdl.cvt.scalef32.sr.pk8.fp8.bf16"(%a0, %a1, %a2) : (vector<8xbf16>, i32, f32) -> vector<2xi32>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<8xf16>, %a1: i32, %a2: f32):
      "rocdl.cvt.scalef32.sr.pk8.fp8.f16"(%a0, %a1, %a2) : (vector<8xf16>, i32, f32) -> vector<2xi32>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<8xf32>, %a1: i32, %a2: f32):
      "rocdl.cvt.scalef32.sr.pk8.fp8.f32"(%a0, %a1, %a2) : (vector<8xf32>, i32, f32) -> vector<2xi32>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !llvm.ptr<3>):
      "rocdl.ds.atomic.async.barrier.arrive.b64"(%a0) : (!llvm.ptr<3>) -> ()
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !llvm.ptr<3>, %a1: i64):
      "rocdl.ds.atomic.barrier.arrive.rtn.b64"(%a0, %a1) : (!llvm.ptr<3>, i64) -> i64
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !llvm.ptr<3>):
      "rocdl.ds.load.tr16.b128"(%a0) : (!llvm.ptr<3>) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !llvm.ptr<3>):
      "rocdl.ds.load.tr4.b64"(%a0) : (!llvm.ptr<3>) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !llvm.ptr<3>):
      "rocdl.ds.load.tr6.b96"(%a0) : (!llvm.ptr<3>) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !llvm.ptr<3>):
      "rocdl.ds.load.tr8.b64"(%a0) : (!llvm.ptr<3>) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !llvm.ptr<3>):
      "rocdl.ds.read.tr16.b64"(%a0) : (!llvm.ptr<3>) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !llvm.ptr<3>):
      "rocdl.ds.read.tr4.b64"(%a0) : (!llvm.ptr<3>) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !llvm.ptr<3>):
      "rocdl.ds.read.tr6.b96"(%a0) : (!llvm.ptr<3>) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !llvm.ptr<3>):
      "rocdl.ds.read.tr8.b64"(%a0) : (!llvm.ptr<3>) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32, %a1: i32):
      "rocdl.ds_bpermute"(%a0, %a1) : (i32, i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32, %a1: i32):
      "rocdl.ds_swizzle"(%a0, %a1) : (i32, i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: f32):
      "rocdl.exp"(%a0) : (f32) -> f32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: f32):
      "rocdl.exp2"(%a0) : (f32) -> f32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !llvm.ptr):
      "rocdl.flat.prefetch"(%a0) {scope = 1 : i32} : (!llvm.ptr) -> ()
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "rocdl.flat_work_group_size"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: f32, %a1: f32, %a2: f32):
      "rocdl.fmed3"(%a0, %a1, %a2) : (f32, f32, f32) -> f32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !llvm.ptr<1>, %a1: !llvm.ptr<3>):
      "rocdl.global.load.async.to.lds.b128"(%a0, %a1) {aux = 1 : i32, offset = 1 : i32} : (!llvm.ptr<1>, !llvm.ptr<3>) -> ()
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !llvm.ptr<1>, %a1: !llvm.ptr<3>):
      "rocdl.global.load.async.to.lds.b32"(%a0, %a1) {aux = 1 : i32, offset = 1 : i32} : (!llvm.ptr<1>, !llvm.ptr<3>) -> ()
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !llvm.ptr<1>, %a1: !llvm.ptr<3>):
      "rocdl.global.load.async.to.lds.b64"(%a0, %a1) {aux = 1 : i32, offset = 1 : i32} : (!llvm.ptr<1>, !llvm.ptr<3>) -> ()
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !llvm.ptr<1>, %a1: !llvm.ptr<3>):
      "rocdl.global.load.async.to.lds.b8"(%a0, %a1) {aux = 1 : i32, offset = 1 : i32} : (!llvm.ptr<1>, !llvm.ptr<3>) -> ()
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !llvm.ptr<1>, %a1: !llvm.ptr<3>):
      "rocdl.global.load.lds"(%a0, %a1) {aux = 1 : i32, offset = 1 : i32, size = 1 : i32} : (!llvm.ptr<1>, !llvm.ptr<3>) -> ()
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !llvm.ptr<1>):
      "rocdl.global.load.tr.b128"(%a0) : (!llvm.ptr<1>) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !llvm.ptr<1>):
      "rocdl.global.load.tr.b64"(%a0) : (!llvm.ptr<1>) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !llvm.ptr<1>):
      "rocdl.global.load.tr4.b64"(%a0) : (!llvm.ptr<1>) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !llvm.ptr<1>):
      "rocdl.global.load.tr6.b96"(%a0) : (!llvm.ptr<1>) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !llvm.ptr<1>):
      "rocdl.global.prefetch"(%a0) {scope = 1 : i32} : (!llvm.ptr<1>) -> ()
    }) : () -> ()
  "t.with"() ({
      "rocdl.grid.dim.x"() : () -> i32
    }) : () -> ()
  "t.with"() ({
      "rocdl.grid.dim.y"() : () -> i32
    }) : () -> ()
  "t.with"() ({
      "rocdl.grid.dim.z"() : () -> i32
    }) : () -> ()
  "t.with"() ({
      "rocdl.iglp.opt"() {variant = 1 : i32} : () -> ()
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "rocdl.ignore_denormal_mode"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "rocdl.keH3"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "rocdl.kernel"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "rocdl.last_use"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !llvm.ptr, %a1: !llvm.ptr<3>):
      "rocdl.load.to.lds"(%a0, %a1) {aux = 1 : i32, offset = 1 : i32, size = 1 : i32} : (!llvm.ptr, !llvm.ptr<3>) -> ()
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: f32):
      "rocdl.log"(%a0) : (f32) -> f32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "rocdl.max_flat_work_group_size"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32, %a1: i32):
      "rocdl.mbcnt.hi"(%a0, %a1) : (i32, i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32, %a1: i32):
      "rocdl.mbcnt.lo"(%a0, %a1) : (i32, i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "rocdl.mfma.f32.16x16x16bf16.1k"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "rocdl.mfma.f32.16x16x16f16"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "rocdl.mfma.f32.16x16x1f32"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "rocdl.mfma.f32.16x16x2bf16"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "rocdl.mfma.f32.16x16x32.bf16"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "rocdl.mfma.f32.16x16x32.bf8.bf8"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "rocdl.mfma.f32.16x16x32.bf8.fp8"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "rocdl.mfma.f32.16x16x32.f16"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "rocdl.mfma.f32.16x16x32.fp8.bf8"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "rocdl.mfma.f32.16x16x32.fp8.fp8"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "rocdl.mfma.f32.16x16x4bf16.1k"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "rocdl.mfma.f32.16x16x4f16"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "rocdl.mfma.f32.16x16x4f32"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "rocdl.mfma.f32.16x16x8.xf32"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "rocdl.mfma.f32.16x16x8bf16"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "rocdl.mfma.f32.32x32x16.bf16"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "rocdl.mfma.f32.32x32x16.bf8.bf8"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "rocdl.mfma.f32.32x32x16.bf8.fp8"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "rocdl.mfma.f32.32x32x16.f16"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "rocdl.mfma.f32.32x32x16.fp8.bf8"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "rocdl.mfma.f32.32x32x16.fp8.fp8"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "rocdl.mfma.f32.32x32x1f32"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "rocdl.mfma.f32.32x32x2bf16"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "rocdl.mfma.f32.32x32x2f32"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "rocdl.mfma.f32.32x32x4.xf32"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "rocdl.mfma.f32.32x32x4bf16"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "rocdl.mfma.f32.32x32x4bf16.1k"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "rocdl.mfma.f32.32x32x4f16"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "rocdl.mfma.f32.32x32x8bf16.1k"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "rocdl.mfma.f32.32x32x8f16"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "rocdl.mfma.f32.4x4x1f32"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "rocdl.mfma.f32.4x4x2bf16"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "rocdl.mfma.f32.4x4x4bf16.1k"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "rocdl.mfma.f32.4x4x4f16"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "rocdl.mfma.f64.16x16x4f64"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "rocdl.mfma.f64.4x4x4f64"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "rocdl.mfma.i32.16x16x16i8"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "rocdl.mfma.i32.16x16x32.i8"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "rocdl.mfma.i32.16x16x4i8"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "rocdl.mfma.i32.16x16x64.i8"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "rocdl.mfma.i32.32x32x16.i8"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "rocdl.mfma.i32.32x32x32.i8"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "rocdl.mfma.i32.32x32x4i8"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "rocdl.mfma.i32.32x32x8i8"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "rocdl.mfma.i32.4x4x4i8"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "rocdl.mfma.scale.f32.16x16x128.f8f6f4"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "rocdl.mfma.scale.f32.32x32x64.f8f6f4"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "rocdl.no_fine_grained_memory"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "rocdl.no_remote_memory"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32, %a1: i32):
      "rocdl.permlane16.swap"(%a0, %a1) {boundControl = true, fi = true} : (i32, i32) -> !llvm.struct<(i32, i32)>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32, %a1: i32):
      "rocdl.permlane32.swap"(%a0, %a1) {boundControl = true, fi = true} : (i32, i32) -> !llvm.struct<(i32, i32)>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32, %a1: i32, %a2: i32, %a3: i32):
      "rocdl.permlanex16"(%a0, %a1, %a2, %a3) {boundControl = true, fi = true} : (i32, i32, i32, i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32, %a1: i32, %a2: i32, %a3: i32, %a4: i32, %a5: i32):
      "rocdl.raw.buffer.atomic.cmpswap"(%a0, %a1, %a2, %a3, %a4, %a5) : (i32, i32, i32, i32, i32, i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32, %a1: i32, %a2: i32, %a3: i32, %a4: i32):
      "rocdl.raw.buffer.atomic.fadd"(%a0, %a1, %a2, %a3, %a4) : (i32, i32, i32, i32, i32) -> ()
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32, %a1: i32, %a2: i32, %a3: i32, %a4: i32):
      "rocdl.raw.buffer.atomic.fmax"(%a0, %a1, %a2, %a3, %a4) : (i32, i32, i32, i32, i32) -> ()
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32, %a1: i32, %a2: i32, %a3: i32, %a4: i32):
      "rocdl.raw.buffer.atomic.smax"(%a0, %a1, %a2, %a3, %a4) : (i32, i32, i32, i32, i32) -> ()
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32, %a1: i32, %a2: i32, %a3: i32, %a4: i32):
      "rocdl.raw.buffer.atomic.umin"(%a0, %a1, %a2, %a3, %a4) : (i32, i32, i32, i32, i32) -> ()
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32, %a1: i32, %a2: i32, %a3: i32):
      "rocdl.raw.buffer.load"(%a0, %a1, %a2, %a3) : (i32, i32, i32, i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32, %a1: i32, %a2: i32, %a3: i32, %a4: i32):
      "rocdl.raw.buffer.store"(%a0, %a1, %a2, %a3, %a4) : (i32, i32, i32, i32, i32) -> ()
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32, %a1: i32, %a2: !llvm.ptr<8>, %a3: i32, %a4: i32, %a5: i32):
      "rocdl.raw.ptr.buffer.atomic.cmpswap"(%a0, %a1, %a2, %a3, %a4, %a5) : (i32, i32, !llvm.ptr<8>, i32, i32, i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32, %a1: !llvm.ptr<8>, %a2: i32, %a3: i32, %a4: i32):
      "rocdl.raw.ptr.buffer.atomic.fadd"(%a0, %a1, %a2, %a3, %a4) : (i32, !llvm.ptr<8>, i32, i32, i32) -> ()
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32, %a1: !llvm.ptr<8>, %a2: i32, %a3: i32, %a4: i32):
      "rocdl.raw.ptr.buffer.atomic.fmax"(%a0, %a1, %a2, %a3, %a4) : (i32, !llvm.ptr<8>, i32, i32, i32) -> ()
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32, %a1: !llvm.ptr<8>, %a2: i32, %a3: i32, %a4: i32):
      "rocdl.raw.ptr.buffer.atomic.smax"(%a0, %a1, %a2, %a3, %a4) : (i32, !llvm.ptr<8>, i32, i32, i32) -> ()
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32, %a1: !llvm.ptr<8>, %a2: i32, %a3: i32, %a4: i32):
      "rocdl.raw.ptr.buffer.atomic.umin"(%a0, %a1, %a2, %a3, %a4) : (i32, !llvm.ptr<8>, i32, i32, i32) -> ()
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !llvm.ptr<8>, %a1: i32, %a2: i32, %a3: i32):
      "rocdl.raw.ptr.buffer.load"(%a0, %a1, %a2, %a3) : (!llvm.ptr<8>, i32, i32, i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !llvm.ptr<8>, %a1: !llvm.ptr<3>, %a2: i32, %a3: i32, %a4: i32, %a5: i32, %a6: i32):
      "rocdl.raw.ptr.buffer.load.lds"(%a0, %a1, %a2, %a3, %a4, %a5, %a6) : (!llvm.ptr<8>, !llvm.ptr<3>, i32, i32, i32, i32, i32) -> ()
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32, %a1: !llvm.ptr<8>, %a2: i32, %a3: i32, %a4: i32):
      "rocdl.raw.ptr.buffer.store"(%a0, %a1, %a2, %a3, %a4) : (i32, !llvm.ptr<8>, i32, i32, i32) -> ()
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: f32):
      "rocdl.rcp"(%a0) : (f32) -> f32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "rocdl.readfirstlane"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32, %a1: i32):
      "rocdl.readlane"(%a0, %a1) : (i32, i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "rocdl.reqd_work_group_size"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
      "rocdl.s.barrier"() : () -> ()
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !llvm.ptr<3>):
      "rocdl.s.barrier.init"(%a0) {memberCnt = 1 : i32} : (!llvm.ptr<3>) -> ()
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !llvm.ptr<3>):
      "rocdl.s.barrier.join"(%a0) : (!llvm.ptr<3>) -> ()
    }) : () -> ()
  "t.with"() ({
      "rocdl.s.barrier.leave"() {id = 1 : i16} : () -> ()
    }) : () -> ()
  "t.with"() ({
      "rocdl.s.barrier.signal"() {id = 1 : i32} : () -> ()
    }) : () -> ()
  "t.with"() ({
      "rocdl.s.barrier.signal.isfirst"() {id = 1 : i32} : () -> i1
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !llvm.ptr<3>):
      "rocdl.s.barrier.signal.var"(%a0) {memberCnt = 1 : i32} : (!llvm.ptr<3>) -> ()
    }) : () -> ()
  "t.with"() ({
      "rocdl.s.barrier.wait"() {id = 1 : i16} : () -> ()
    }) : () -> ()
  "t.with"() ({
      "rocdl.s.get.barrier.state"() {id = 1 : i32} : () -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !llvm.ptr<3>):
      "rocdl.s.get.named.barrier.state"(%a0) : (!llvm.ptr<3>) -> i32
    }) : () -> ()
  "t.with"() ({
      "rocdl.s.nop"() {count = 1 : i16} : () -> ()
    }) : () -> ()
  "t.with"() ({
      "rocdl.s.setprio"() {priority = 1 : i16} : () -> ()
    }) : () -> ()
  "t.with"() ({
      "rocdl.s.sleep"() {count = 1 : i32} : () -> ()
    }) : () -> ()
  "t.with"() ({
      "rocdl.s.wait.asynccnt"() {count = 1 : i16} : () -> ()
    }) : () -> ()
  "t.with"() ({
      "rocdl.s.wait.dscnt"() {count = 1 : i16} : () -> ()
    }) : () -> ()
  "t.with"() ({
      "rocdl.s.wait.expcnt"() {count = 1 : i16} : () -> ()
    }) : () -> ()
  "t.with"() ({
      "rocdl.s.wait.loadcnt"() {count = 1 : i16} : () -> ()
    }) : () -> ()
  "t.with"() ({
      "rocdl.s.wait.storecnt"() {count = 1 : i16} : () -> ()
    }) : () -> ()
  "t.with"() ({
      "rocdl.s.wait.tensorcnt"() {count = 1 : i16} : () -> ()
    }) : () -> ()
  "t.with"() ({
      "rocdl.s.waitcnt"() {bitfield = 1 : i32} : () -> ()
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !llvm.ptr<3>):
      "rocdl.s.wakeup.barrier"(%a0) : (!llvm.ptr<3>) -> ()
    }) : () -> ()
  "t.with"() ({
      "rocdl.sched.barrier"() {mask = 1 : i32} : () -> ()
    }) : () -> ()
  "t.with"() ({
      "rocdl.sched.group.barrier"() {groupId = 1 : i32, mask = 1 : i32, size = 1 : i32} : () -> ()
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: f32):
      "rocdl.sin"(%a0) : (f32) -> f32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "rocdl.smfmac.f32.16x16x128.bf8.bf8"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "rocdl.smfmac.f32.16x16x128.bf8.fp8"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "rocdl.smfmac.f32.16x16x128.fp8.bf8"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "rocdl.smfmac.f32.16x16x128.fp8.fp8"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "rocdl.smfmac.f32.16x16x32.bf16"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "rocdl.smfmac.f32.16x16x32.f16"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "rocdl.smfmac.f32.16x16x64.bf16"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "rocdl.smfmac.f32.16x16x64.bf8.bf8"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "rocdl.smfmac.f32.16x16x64.bf8.fp8"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "rocdl.smfmac.f32.16x16x64.f16"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "rocdl.smfmac.f32.16x16x64.fp8.bf8"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "rocdl.smfmac.f32.16x16x64.fp8.fp8"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "rocdl.smfmac.f32.32x32x16.bf16"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "rocdl.smfmac.f32.32x32x16.f16"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "rocdl.smfmac.f32.32x32x32.bf16"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "rocdl.smfmac.f32.32x32x32.bf8.bf8"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "rocdl.smfmac.f32.32x32x32.bf8.fp8"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "rocdl.smfmac.f32.32x32x32.f16"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "rocdl.smfmac.f32.32x32x32.fp8.bf8"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "rocdl.smfmac.f32.32x32x32.fp8.fp8"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "rocdl.smfmac.f32.32x32x64.bf8.bf8"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "rocdl.smfmac.f32.32x32x64.bf8.fp8"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "rocdl.smfmac.f32.32x32x64.fp8.bf8"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "rocdl.smfmac.f32.32x32x64.fp8.fp8"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "rocdl.smfmac.i32.16x16x128.i8"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "rocdl.smfmac.i32.16x16x64.i8"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "rocdl.smfmac.i32.32x32x32.i8"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "rocdl.smfmac.i32.32x32x64.i8"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: f32):
      "rocdl.sqrt"(%a0) : (f32) -> f32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: f32):
      "rocdl.tanh"(%a0) : (f32) -> f32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "rocdl.target"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<4xi32>, %a1: vector<8xi32>, %a2: vector<4xi32>, %a3: vector<4xi32>):
      "rocdl.tensor.load.to.lds"(%a0, %a1, %a2, %a3) {cachePolicy = 1 : i32} : (vector<4xi32>, vector<8xi32>, vector<4xi32>, vector<4xi32>) -> ()
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<4xi32>, %a1: vector<8xi32>):
      "rocdl.tensor.load.to.lds.d2"(%a0, %a1) {cachePolicy = 1 : i32} : (vector<4xi32>, vector<8xi32>) -> ()
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<4xi32>, %a1: vector<8xi32>, %a2: vector<4xi32>, %a3: vector<4xi32>):
      "rocdl.tensor.store.from.lds"(%a0, %a1, %a2, %a3) {cachePolicy = 1 : i32} : (vector<4xi32>, vector<8xi32>, vector<4xi32>, vector<4xi32>) -> ()
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<4xi32>, %a1: vector<8xi32>):
      "rocdl.tensor.store.from.lds.d2"(%a0, %a1) {cachePolicy = 1 : i32} : (vector<4xi32>, vector<8xi32>) -> ()
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "rocdl.uniform_work_group_size"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "rocdl.unsafe_fp_atomics"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32, %a1: i32):
      "rocdl.update.dpp"(%a0, %a1) {bankMask = 1 : i32, boundCtrl = true, dppCtrl = 1 : i32, rowMask = 1 : i32} : (i32, i32) -> i32
    }) : () -> ()
  "t.with"() ({
      "rocdl.wavefrontsize"() : () -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "rocdl.waves_per_eu"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32, %a1: i32, %a2: i32):
      "rocdl.wmma.bf16.16x16x16.bf16"(%a0, %a1, %a2) : (i32, i32, i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: bf16, %a1: bf16, %a2: bf16):
      "rocdl.wmma.bf16.16x16x32.bf16"(%a0, %a1, %a2) : (bf16, bf16, bf16) -> bf16
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: bf16, %a1: bf16, %a2: f32):
      "rocdl.wmma.bf16f32.16x16x32.bf16"(%a0, %a1, %a2) : (bf16, bf16, f32) -> bf16
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32, %a1: i32, %a2: f16):
      "rocdl.wmma.f16.16x16x128.bf8_bf8"(%a0, %a1, %a2) : (i32, i32, f16) -> f16
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32, %a1: i32, %a2: f16):
      "rocdl.wmma.f16.16x16x128.bf8_fp8"(%a0, %a1, %a2) : (i32, i32, f16) -> f16
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32, %a1: i32, %a2: f16):
      "rocdl.wmma.f16.16x16x128.fp8_bf8"(%a0, %a1, %a2) : (i32, i32, f16) -> f16
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32, %a1: i32, %a2: f16):
      "rocdl.wmma.f16.16x16x128.fp8_fp8"(%a0, %a1, %a2) : (i32, i32, f16) -> f16
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: f16, %a1: f16, %a2: f16):
      "rocdl.wmma.f16.16x16x16.f16"(%a0, %a1, %a2) : (f16, f16, f16) -> f16
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: f16, %a1: f16, %a2: f16):
      "rocdl.wmma.f16.16x16x32.f16"(%a0, %a1, %a2) : (f16, f16, f16) -> f16
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32, %a1: i32, %a2: f16):
      "rocdl.wmma.f16.16x16x64.bf8_bf8"(%a0, %a1, %a2) : (i32, i32, f16) -> f16
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32, %a1: i32, %a2: f16):
      "rocdl.wmma.f16.16x16x64.bf8_fp8"(%a0, %a1, %a2) : (i32, i32, f16) -> f16
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32, %a1: i32, %a2: f16):
      "rocdl.wmma.f16.16x16x64.fp8_bf8"(%a0, %a1, %a2) : (i32, i32, f16) -> f16
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32, %a1: i32, %a2: f16):
      "rocdl.wmma.f16.16x16x64.fp8_fp8"(%a0, %a1, %a2) : (i32, i32, f16) -> f16
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32, %a1: i32, %a2: f32):
      "rocdl.wmma.f32.16x16x128.bf8_bf8"(%a0, %a1, %a2) : (i32, i32, f32) -> f32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32, %a1: i32, %a2: f32):
      "rocdl.wmma.f32.16x16x128.bf8_fp8"(%a0, %a1, %a2) : (i32, i32, f32) -> f32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32, %a1: i32, %a2: f32):
      "rocdl.wmma.f32.16x16x128.fp8_bf8"(%a0, %a1, %a2) : (i32, i32, f32) -> f32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32, %a1: i32, %a2: f32):
      "rocdl.wmma.f32.16x16x128.fp8_fp8"(%a0, %a1, %a2) : (i32, i32, f32) -> f32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32, %a1: i32, %a2: f32):
      "rocdl.wmma.f32.16x16x16.bf16"(%a0, %a1, %a2) : (i32, i32, f32) -> f32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32, %a1: i32, %a2: f32):
      "rocdl.wmma.f32.16x16x16.bf8_bf8"(%a0, %a1, %a2) : (i32, i32, f32) -> f32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32, %a1: i32, %a2: f32):
      "rocdl.wmma.f32.16x16x16.bf8_fp8"(%a0, %a1, %a2) : (i32, i32, f32) -> f32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: f16, %a1: f16, %a2: f32):
      "rocdl.wmma.f32.16x16x16.f16"(%a0, %a1, %a2) : (f16, f16, f32) -> f32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32, %a1: i32, %a2: f32):
      "rocdl.wmma.f32.16x16x16.fp8_bf8"(%a0, %a1, %a2) : (i32, i32, f32) -> f32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32, %a1: i32, %a2: f32):
      "rocdl.wmma.f32.16x16x16.fp8_fp8"(%a0, %a1, %a2) : (i32, i32, f32) -> f32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: bf16, %a1: bf16, %a2: f32):
      "rocdl.wmma.f32.16x16x32.bf16"(%a0, %a1, %a2) : (bf16, bf16, f32) -> f32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: f16, %a1: f16, %a2: f32):
      "rocdl.wmma.f32.16x16x32.f16"(%a0, %a1, %a2) : (f16, f16, f32) -> f32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: f32, %a1: f32, %a2: f32):
      "rocdl.wmma.f32.16x16x4.f32"(%a0, %a1, %a2) : (f32, f32, f32) -> f32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32, %a1: i32, %a2: f32):
      "rocdl.wmma.f32.16x16x64.bf8_bf8"(%a0, %a1, %a2) : (i32, i32, f32) -> f32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32, %a1: i32, %a2: f32):
      "rocdl.wmma.f32.16x16x64.bf8_fp8"(%a0, %a1, %a2) : (i32, i32, f32) -> f32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32, %a1: i32, %a2: f32):
      "rocdl.wmma.f32.16x16x64.fp8_bf8"(%a0, %a1, %a2) : (i32, i32, f32) -> f32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32, %a1: i32, %a2: f32):
      "rocdl.wmma.f32.16x16x64.fp8_fp8"(%a0, %a1, %a2) : (i32, i32, f32) -> f32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32, %a1: i32, %a2: i32):
      "rocdl.wmma.i32.16x16x16.iu4"(%a0, %a1, %a2) : (i32, i32, i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32, %a1: i32, %a2: i32):
      "rocdl.wmma.i32.16x16x16.iu8"(%a0, %a1, %a2) : (i32, i32, i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32, %a1: i32, %a2: i32):
      "rocdl.wmma.i32.16x16x32.iu4"(%a0, %a1, %a2) : (i32, i32, i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32, %a1: i32, %a2: i32):
      "rocdl.wmma.i32.16x16x64.iu8"(%a0, %a1, %a2) : (i32, i32, i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32, %a1: i32, %a2: f32, %a3: i32, %a4: i32):
      "rocdl.wmma.scale.f32.16x16x128.f8f6f4"(%a0, %a1, %a2, %a3, %a4) : (i32, i32, f32, i32, i32) -> f32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32, %a1: i32, %a2: f32, %a3: i32, %a4: i32):
      "rocdl.wmma.scale.f32.32x16x128.f4"(%a0, %a1, %a2, %a3, %a4) : (i32, i32, f32, i32, i32) -> f32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32, %a1: i32, %a2: f32, %a3: i64, %a4: i64):
      "rocdl.wmma.scale16.f32.16x16x128.f8f6f4"(%a0, %a1, %a2, %a3, %a4) : (i32, i32, f32, i64, i64) -> f32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32, %a1: i32, %a2: f32, %a3: i64, %a4: i64):
      "rocdl.wmma.scale16.f32.32x16x128.f4"(%a0, %a1, %a2, %a3, %a4) : (i32, i32, f32, i64, i64) -> f32
    }) : () -> ()
  "t.with"() ({
      "rocdl.workgroup.dim.x"() : () -> i32
    }) : () -> ()
  "t.with"() ({
      "rocdl.workgroup.dim.y"() : () -> i32
    }) : () -> ()
  "t.with"() ({
      "rocdl.workgroup.dim.z"() : () -> i32
    }) : () -> ()
  "t.with"() ({
      "rocdl.workgroup.id.x"() : () -> i32
    }) : () -> ()
  "t.with"() ({
      "rocdl.workgroup.id.y"() : () -> i32
    }) : () -> ()
  "t.with"() ({
      "rocdl.workgroup.id.z"() : () -> i32
    }) : () -> ()
  "t.with"() ({
      "rocdl.workitem.id.x"() : () -> i32
    }) : () -> ()
  "t.with"() ({
      "rocdl.workitem.id.y"() : () -> i32
    }) : () -> ()
  "t.with"() ({
      "rocdl.workitem.id.z"() : () -> i32
    }) : () -> ()
}) : () -> ()
