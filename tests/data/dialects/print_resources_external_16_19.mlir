// releases: 16 19
// covers: a module with resources of several kinds outside of dialects.
module attributes {t.r = dense_resource<k> : tensor<2xi8>} {
}
{-#
  dialect_resources: {
    builtin: {
      k: "0x010000000102"
    }
  },
  external_resources: {
    other: {
      a_blob: "0x0800000001020304",
      a_bool: true,
      another_bool: false,
      a_string: "text \22quoted\22",
      plain_key: "x"
    },
    mlir_reproducer: {
      verify_each: false,
      disable_threading: true
    }
  }
#-}
