// releases: 16 19 22
// covers: a named module with attributes, a location and a body.
module @"the module" attributes {t.a = 1 : i8, t.b = affine_map<(d0) -> (d0)>, "t.odd key" = unit} {
  "t.x"() : () -> () loc("x")
} loc("module.mlir":1:1)
