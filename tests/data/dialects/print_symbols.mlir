// releases: 16 19 22
// covers: symbols: nested references, quoted names, visibility, references in attributes and operations.
module @top {
  func.func private @"a b"()
  module @inner attributes {sym_visibility = "nested"} {
    func.func nested @f() {
      "t.ref"() {r = @top::@inner::@f, s = [@f, @"a b"::@"c\22d"], t = @"top"::@"1"} : () -> ()
      return
    }
  }
  func.func @g() {
    call @"a b"() : () -> ()
    "t.call"() {callee = @inner::@f, sym_name = "local"} : () -> ()
    return
  }
}
