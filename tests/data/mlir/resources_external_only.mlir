// releases: 16 19 22
// covers: external resources in a module without any dialect resource, as a crash reproducer has them.
module @reproduced {
}
{-#
  external_resources: {
    mlir_reproducer: {
      pipeline: "builtin.module(cse)",
      disable_threading: true,
      verify_each: true
    }
  }
#-}
