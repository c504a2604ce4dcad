// releases: 19 22
// covers: distinct attributes, which differ by identity and not by content.
"t.a"() {one = distinct[0]<"same">, two = distinct[1]<"same">, again = distinct[0]<"same">, unit = distinct[2]<>} : () -> ()
"t.b"() {shared = distinct[0]<"same">, nested = [distinct[3]<42 : i32>, distinct[1]<"same">]} : () -> ()
