// releases: 22
// covers: locations of every kind: unknown, file with line and column, names with and without child, call sites, fused with and without metadata, nested and shared, odd names.
"t.all"() ({
  "t.a"() : () -> () loc("f.c":1:2 to :3)
  "t.a"() : () -> () loc("f.c":1:2 to 5:6)
  "t.a"() : () -> () loc(fused["f.c":1:2 to :9, "f.c":1:2 to 1:2])
  "t.a"() : () -> () loc("f.c":7)
  "t.a"() : () -> () loc("n"("f.c":1:2 to 3:4))
}) : () -> ()
