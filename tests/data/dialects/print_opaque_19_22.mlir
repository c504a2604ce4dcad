// releases: 19 22
// covers: opaque attributes and types of unregistered dialects, pretty and quoted; operations with attributes and properties.
"t.all"() ({
  "t.p"() <{a = 1 : i8}> : () -> ()
  "t.p"() <{a = 1 : i8, b = "x"}> {c = 2 : i8} : () -> ()
  "t.p"() <{}> : () -> ()
  "t.p"() <{d = affine_map<(d0) -> (d0)>, e = [affine_map<(d0) -> (d0)>]}> {m = affine_map<(d0) -> (d0)>} : () -> ()
  "t.p"() <"not a dictionary"> : () -> ()
  "t.p"() <42 : i32> {x} : () -> ()
  "t.p"() <[1, 2]> : () -> ()
  %v0_41 = "t.p"() <{operandSegmentSizes = array<i32: 1, 0>}> ({
    }) {a} : () -> i32
  "t.p"() <unit> : () -> ()
  "t.p"() <#t.x<1>> : () -> ()
}) : () -> ()
