// releases: 22
// read-back: no
// covers: every case of every enumeration that is an attribute, in all dialects.
"t.enums"() ({
  "t.tosa"() {v = [#tosa.level<none>, #tosa.level<"8k">]} : () -> ()
  "t.tosa"() {v = [#tosa.specification_version<"1.0">, #tosa.specification_version<"1.1.draft">]} : () -> ()
}) : () -> ()
