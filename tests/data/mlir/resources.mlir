// releases: 16 19 22
// covers: builtin blobs of every alignment up to 16, several to a file, shared by attributes, in elements of several kinds.
"t.one"() {a = dense_resource<blob1> : tensor<3xi8>, b = dense_resource<blob8> : tensor<2xi64>} : () -> ()
"t.two"() {a = dense_resource<blob1> : tensor<3xi8>, c = [dense_resource<blob2> : tensor<2xi16>, dense_resource<blob16> : vector<1xi64>]} : () -> ()
"t.three"() {d = dense_resource<blob4> : tensor<1x2xf32>} : () -> ()
{-#
  dialect_resources: {
    builtin: {
      blob1: "0x01000000010203",
      blob2: "0x0200000001000200",
      blob4: "0x040000000000803F00000040",
      blob8: "0x0800000001000000000000000200000000000000",
      blob16: "0x100000000100000000000000"
    }
  }
#-}
