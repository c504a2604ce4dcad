// releases: 22
// covers: float types that came after 19, the four- and six-bit ones among them.
%0:7 = "t.floats"() : () -> (f8E4M3, f8E3M4, f8E8M0FNU, f4E2M1FN, f6E2M3FN, f6E3M2FN, tf32)
%1 = "t.shaped"() : () -> vector<4xf4E2M1FN>
"t.constants"() {a = 1.0 : f4E2M1FN, b = dense<[1.0, 2.0, 0.5]> : tensor<3xf6E2M3FN>, c = 1.0 : f8E8M0FNU, d = dense<[1.0, 4.0]> : tensor<2xf8E3M4>} : () -> ()
