// releases: 22
// covers: file locations with an end on the same or a later line, as newer releases write them.
"t.op"() : () -> () loc("file.mlir":1:2 to :9)
"t.op"() : () -> () loc("file.mlir":1:2 to 3:4)
"t.op"() : () -> () loc(callsite("file.mlir":1:2 to 3:4 at "g.mlir":7:1))
"t.op"() : () -> () loc(fused["file.mlir":10:2 to :300, "file.mlir":1:2])
