// releases: 22
// covers: resources whose keys are not identifiers, which only newer releases can name in text.
"t.op"() {a = dense_resource<"key with space"> : tensor<1xi8>, b = dense_resource<"7"> : tensor<1xi8>, c = dense_resource<"\22q\22"> : tensor<1xi8>} : () -> ()
{-#
  dialect_resources: {
    builtin: {
      "key with space": "0x01000000FF",
      "7": "0x01000000FE",
      "\22q\22": "0x01000000FD"
    }
  }
#-}
