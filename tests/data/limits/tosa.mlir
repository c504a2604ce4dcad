module {
  "tosa.variable"() <{sym_name = "x", type = i32, var_shape = dense<1> : tensor<200000000xindex>}> : () -> ()
}
