// releases: 16 19 22
// covers: resources that are named but have no data, between and after ones that have.
"t.op"() {a = dense_resource<missing1> : tensor<3xi8>, b = dense_resource<here1> : tensor<2xi8>, c = dense_resource<missing2> : tensor<4xf32>, d = dense_resource<here2> : tensor<1xi8>} : () -> ()
{-#
  dialect_resources: {
    builtin: {
      here1: "0x010000000102",
      here2: "0x0100000003"
    }
  }
#-}
