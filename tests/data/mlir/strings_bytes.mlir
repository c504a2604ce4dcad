// releases: 16 19 22
// covers: strings with zero bytes, bytes that are no UTF-8, line ends, quotes and backslashes, also as names.
"t.op"() {
  nul = "a\00b", only_nul = "\00", end_nul = "x\00", bytes = "\FF\FE\80", utf8 = "\E2\82\AC", line = "a\nb\tc\0D", quote = "\22\5C'",
  sym = @"s\00t", "name\FF" = 1 : i8, elements = dense<["\00", "\FF"]> : tensor<2x!t.s>
} : () -> () loc("file \C3\28.mlir":1:1)
