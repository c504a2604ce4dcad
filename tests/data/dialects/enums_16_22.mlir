// releases: 16 22
// covers: every case of every enumeration that is an attribute, in all dialects.
"t.enums"() ({
  "t.xegpu"() {v = [#xegpu<memory_space global>, #xegpu<memory_space slm>]} : () -> ()
}) : () -> ()
