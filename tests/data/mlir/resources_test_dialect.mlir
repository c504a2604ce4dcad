// releases: 16 19 22
// read-back: no
// covers: resources of two dialects, each with a group of its own, and an attribute text that names one.
"t.op"() {a = #test.e1di64_elements<blob1> : tensor<3xi64>, b = dense_resource<blob1> : tensor<1xi8>} : () -> ()
"t.op"() {a = #test.e1di64_elements<blob2> : tensor<1xi64>, c = dense_resource<missing> : tensor<1xi8>} : () -> ()
{-#
  dialect_resources: {
    test: {
      blob1: "0x08000000010000000000000002000000000000000300000000000000",
      blob2: "0x080000000700000000000000"
    },
    builtin: {
      blob1: "0x0100000005"
    }
  }
#-}
