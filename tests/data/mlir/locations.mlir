// releases: 16 19 22
// covers: every kind of location, nested in each other, on operations and on block arguments.
"t.op"() : () -> () loc(unknown)
"t.op"() : () -> () loc("file.mlir":1:2)
"t.op"() : () -> () loc("":0:0)
"t.op"() : () -> () loc("far.mlir":4294967295:4294967294)
"t.op"() : () -> () loc("name")
"t.op"() : () -> () loc("name"("file.mlir":1:2))
"t.op"() : () -> () loc("outer"("inner"(unknown)))
"t.op"() : () -> () loc(callsite("callee" at "caller"))
"t.op"() : () -> () loc(callsite("f.mlir":1:1 at callsite("g.mlir":2:2 at callsite("h.mlir":3:3 at unknown))))
"t.op"() : () -> () loc(fused["a", "b.mlir":5:6])
"t.op"() : () -> () loc(fused<"metadata">["a", "b"])
"t.op"() : () -> () loc(fused<{pass = "x", n = 3 : i8}>["c.mlir":1:1, callsite("d" at fused["e", "f"])])
"t.op"() : () -> () loc("wrapper"(fused<"m">["x", "y"]))
"t.block"() ({
^bb0(%0: i32 loc("argument"), %1: i32 loc(unknown), %2: i32 loc(fused["p", "q"]), %3: i32 loc("file.mlir":1:2)):
  "t.op"(%0, %1, %2, %3) : (i32, i32, i32, i32) -> () loc(unknown)
}) : () -> () loc("file.mlir":1:2)
