// releases: 19 22
// covers: dense arrays of every element type, empty and nested arrays and dictionaries, unit, types, strides, distinct attributes.
"t.all"() ({
  "t.a"() {d = distinct[0]<>, e = distinct[1]<"x">, f = [distinct[0]<>, distinct[2]<unit>, distinct[1]<"x">], g = distinct[7]<42 : i32>} : () -> ()
  "t.a"() {d = distinct[3]<distinct[4]<>>, e = {f = distinct[4]<>}} : () -> ()
}) : () -> ()
