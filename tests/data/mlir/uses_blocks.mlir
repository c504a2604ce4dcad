// releases: 16 19 22
// covers: use-list orders of arguments of later blocks, read through text order of the blocks.
"t.cfg"() ({
  "t.jump"()[^three, ^two] : () -> ()
^one:
  "t.u0"(%x, %y) : (i32, i32) -> ()
  "t.u1"(%x, %y) : (i32, i32) -> ()
  "t.jump"(%y)[^four] : (i32) -> ()
^two:
  "t.stop"() : () -> ()
^three(%x: i32, %y: i32, %w: i32):
  "t.u2"(%x, %w, %w) : (i32, i32, i32) -> ()
  "t.jump"(%x)[^one] : (i32) -> ()
^four:
  "t.stop"(%y) : (i32) -> ()
}) : () -> ()
