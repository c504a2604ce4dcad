// releases: 19 22
// covers: the small float types and constants of them that 19 and 22 share.
%0:6 = "t.floats"() : () -> (f8E5M2, f8E4M3FN, f8E5M2FNUZ, f8E4M3FNUZ, f8E4M3B11FNUZ, tf32)
%1 = "t.shaped"() : () -> tensor<2xf8E5M2>
"t.constants"() {a = 1.0 : f8E5M2, b = dense<[1.0, 2.0]> : tensor<2xf8E4M3FN>, c = 1.5 : tf32, d = dense<0.5> : tensor<4xtf32>} : () -> ()
