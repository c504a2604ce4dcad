// releases: 16 19 22
// covers: control flow with forward and backward successors, the same successor twice, no and many successors.
func.func @loop(%n: index, %flag: i1) -> index {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  cf.br ^head(%zero : index)
^head(%i: index):
  %go = arith.cmpi slt, %i, %n : index
  cf.cond_br %go, ^body, ^exit(%i : index)
^body:
  %next = arith.addi %i, %one : index
  cf.cond_br %flag, ^head(%next : index), ^head(%i : index)
^exit(%r: index):
  return %r : index
}
func.func @switch(%which: i32) {
  cf.switch %which : i32, [
    default: ^a,
    1: ^b,
    2: ^c,
    3: ^b
  ]
^a:
  cf.br ^d
^b:
  cf.br ^d
^c:
  cf.br ^d
^d:
  return
}
"t.unregistered"() ({
  %x = "t.def"() : () -> i32
  "t.jump"(%x)[^three, ^one, ^two, ^one] : (i32) -> ()
^one:
  "t.jump"()[^three] : () -> ()
^two:
  "t.region"() ({
    "t.jump"()[^inner] : () -> ()
  ^inner:
    "t.stop"() : () -> ()
  }) : () -> ()
  "t.jump"()[^one] : () -> ()
^three:
  "t.stop"(%x) : (i32) -> ()
}) : () -> ()
