// releases: 16 19
// covers: dense resources of several element types and a module resource section of unregistered and builtin blobs.
"t.r"() {a = dense_resource<blob1> : tensor<3xi64>, b = dense_resource<blob1> : tensor<3xi64>, c = dense_resource<odd_key> : tensor<2xf32>, d = dense_resource<blob_i1> : tensor<8xi1>} : () -> ()
"t.r"() {a = dense_resource<missing> : tensor<4xf32>, v = dense_resource<blob1> : vector<3xi64>, n = [dense_resource<blob_cplx> : tensor<1xcomplex<f32>>]} : () -> ()
{-#
  dialect_resources: {
    builtin: {
      blob1: "0x08000000010000000000000002000000000000000300000000000000",
      odd_key: "0x040000000000803F00000040",
      blob_i1: "0x0100000001",
      blob_cplx: "0x040000000000803F000000C0",
      unused: "0x01000000FF"
    }
  }
#-}
