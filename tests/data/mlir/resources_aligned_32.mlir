// releases: 16 19 22
// read-back: no
// covers: a builtin blob aligned to 32 bytes after a small one, so the section is padded to that.
"t.op"() {small = dense_resource<small> : tensor<1xi8>, big = dense_resource<big> : tensor<4xi32>} : () -> ()
{-#
  dialect_resources: {
    builtin: {
      small: "0x0100000007",
      big: "0x2000000001000000020000000300000004000000"
    }
  }
#-}
