// releases: 16 19 22
// covers: blocks: many, empty, unreachable, forward and backward successors, comments with no, one, several and repeated predecessors, arguments of blocks.
func.func @many(%c: i1, %n: i32) -> i32 {
  cf.cond_br %c, ^b1(%n : i32), ^b2
^b1(%x: i32):
  cf.cond_br %c, ^b1(%x : i32), ^b3
^b2:
  cf.switch %n : i32, [default: ^b3, 1: ^b4(%n, %c : i32, i1), 2: ^b4(%n, %c : i32, i1), 3: ^b2]
^b3:
  cf.br ^b5
^b4(%y: i32, %z: i1):
  cf.cond_br %z, ^b5, ^b5
^b5:
  return %n : i32
^unreachable:
  cf.br ^unreachable2
^unreachable2:
  cf.br ^unreachable
^alone:
  cf.br ^alone
^never(%q: f32, %r: index):
  return %n : i32
}

"t.region"() ({
  "t.first"()[^b, ^a, ^b, ^c] : () -> ()
^a:
  "t.jump"()[^c] : () -> ()
^b(%0: i32, %1: f32):
  "t.jump"(%0)[^a, ^b] : (i32) -> ()
^c:
  "t.stop"() : () -> ()
}, {
^x(%0: i1):
  "t.stop"(%0) : (i1) -> ()
^y:
  "t.only"()[^y] : () -> ()
^z(%1: i2, %2: i3):
  "t.uses"(%2, %1) ({
    "t.in"()[^p] : () -> ()
  ^p:
    "t.in"()[^p, ^q] : () -> ()
  ^q(%k: i4):
    "t.in"(%k, %2) : (i4, i3) -> ()
  }) : (i3, i2) -> ()
}, {
}, {
^lone:
}, {
^args(%a: i1, %b: tuple<>):
}) : () -> ()

func.func @dominance(%c: i1) {
  cf.br ^late
^early(%u: i8):
  "t.use"(%v_c2, %u) : (i16, i8) -> ()
  return
^late:
  %v_c2 = "t.def"() : () -> i16
  %w_c2:2 = "t.def"() : () -> (i8, i8)
  cf.br ^early(%w_c2#1 : i8)
}

func.func @ladder(%c: i1) {
  cf.br ^l0
^l0:
  %v0_c3 = "t.def"() : () -> i32
  cf.cond_br %c, ^l1, ^l0
^l1:
  %v1_c3 = "t.def"() : () -> i32
  cf.cond_br %c, ^l2, ^l7
^l2:
  %v2_c3 = "t.def"() : () -> i32
  cf.cond_br %c, ^l3, ^l14
^l3:
  %v3_c3 = "t.def"() : () -> i32
  cf.cond_br %c, ^l4, ^l21
^l4:
  %v4_c3 = "t.def"() : () -> i32
  cf.cond_br %c, ^l5, ^l28
^l5:
  %v5_c3 = "t.def"() : () -> i32
  cf.cond_br %c, ^l6, ^l35
^l6:
  %v6_c3 = "t.def"() : () -> i32
  cf.cond_br %c, ^l7, ^l2
^l7:
  %v7_c3 = "t.def"() : () -> i32
  cf.cond_br %c, ^l8, ^l9
^l8:
  %v8_c3 = "t.def"() : () -> i32
  cf.cond_br %c, ^l9, ^l16
^l9:
  %v9_c3 = "t.def"() : () -> i32
  cf.cond_br %c, ^l10, ^l23
^l10:
  %v10_c3 = "t.def"() : () -> i32
  cf.cond_br %c, ^l11, ^l30
^l11:
  %v11_c3 = "t.def"() : () -> i32
  cf.cond_br %c, ^l12, ^l37
^l12:
  %v12_c3 = "t.def"() : () -> i32
  cf.cond_br %c, ^l13, ^l4
^l13:
  %v13_c3 = "t.def"() : () -> i32
  cf.cond_br %c, ^l14, ^l11
^l14:
  %v14_c3 = "t.def"() : () -> i32
  cf.cond_br %c, ^l15, ^l18
^l15:
  %v15_c3 = "t.def"() : () -> i32
  cf.cond_br %c, ^l16, ^l25
^l16:
  %v16_c3 = "t.def"() : () -> i32
  cf.cond_br %c, ^l17, ^l32
^l17:
  %v17_c3 = "t.def"() : () -> i32
  cf.cond_br %c, ^l18, ^l39
^l18:
  %v18_c3 = "t.def"() : () -> i32
  cf.cond_br %c, ^l19, ^l6
^l19:
  %v19_c3 = "t.def"() : () -> i32
  cf.cond_br %c, ^l20, ^l13
^l20:
  %v20_c3 = "t.def"() : () -> i32
  cf.cond_br %c, ^l21, ^l20
^l21:
  %v21_c3 = "t.def"() : () -> i32
  cf.cond_br %c, ^l22, ^l27
^l22:
  %v22_c3 = "t.def"() : () -> i32
  cf.cond_br %c, ^l23, ^l34
^l23:
  %v23_c3 = "t.def"() : () -> i32
  cf.cond_br %c, ^l24, ^l1
^l24:
  %v24_c3 = "t.def"() : () -> i32
  cf.cond_br %c, ^l25, ^l8
^l25:
  %v25_c3 = "t.def"() : () -> i32
  cf.cond_br %c, ^l26, ^l15
^l26:
  %v26_c3 = "t.def"() : () -> i32
  cf.cond_br %c, ^l27, ^l22
^l27:
  %v27_c3 = "t.def"() : () -> i32
  cf.cond_br %c, ^l28, ^l29
^l28:
  %v28_c3 = "t.def"() : () -> i32
  cf.cond_br %c, ^l29, ^l36
^l29:
  %v29_c3 = "t.def"() : () -> i32
  cf.cond_br %c, ^l30, ^l3
^l30:
  %v30_c3 = "t.def"() : () -> i32
  cf.cond_br %c, ^l31, ^l10
^l31:
  %v31_c3 = "t.def"() : () -> i32
  cf.cond_br %c, ^l32, ^l17
^l32:
  %v32_c3 = "t.def"() : () -> i32
  cf.cond_br %c, ^l33, ^l24
^l33:
  %v33_c3 = "t.def"() : () -> i32
  cf.cond_br %c, ^l34, ^l31
^l34:
  %v34_c3 = "t.def"() : () -> i32
  cf.cond_br %c, ^l35, ^l38
^l35:
  %v35_c3 = "t.def"() : () -> i32
  cf.cond_br %c, ^l36, ^l5
^l36:
  %v36_c3 = "t.def"() : () -> i32
  cf.cond_br %c, ^l37, ^l12
^l37:
  %v37_c3 = "t.def"() : () -> i32
  cf.cond_br %c, ^l38, ^l19
^l38:
  %v38_c3 = "t.def"() : () -> i32
  cf.cond_br %c, ^l39, ^l26
^l39:
  %v39_c3 = "t.def"() : () -> i32
  cf.cond_br %c, ^l40, ^l33
^l40:
  return
}

"t.loc"() ({
^a(%x: i32 loc("x"), %y: f32 loc("file":1:2)):
  "t.jump"()[^b] : () -> () loc("jump")
^b(%z: i64):
  "t.end"(%z, %y) : (i64, f32) -> ()
}) : () -> () loc("outer")
