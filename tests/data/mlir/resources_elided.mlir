// releases: 19 22
// flags: --elide-resource-data-from-bytecode
// covers: dialect resources whose data was left out on request, so only keys and kinds remain.
"t.op"() {a = dense_resource<one> : tensor<3xi8>, b = dense_resource<two> : tensor<2xi8>} : () -> ()
{-#
  dialect_resources: {
    builtin: {
      one: "0x08000000010203",
      two: "0x010000000102"
    }
  }
#-}
