func.func @f() attributes {a = #nvvm.mma_type<tf32>, b = "tf32"} {
  return
}
