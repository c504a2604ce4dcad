// releases: 16 19 22
// covers: strings with control characters, quotes, backslashes, other scripts and bytes that are no UTF-8, as attributes, keys, symbols, locations and operation names.
"t.all"() ({
  "t.s"() {all = "\00\01\02\03\04\05\06\07\08\09\0A\0B\0C\0D\0E\0F\10\11\12\13\14\15\16\17\18\19\1A\1B\1C\1D\1E\1F\20\21\22\23\24\25\26\27\28\29\2A\2B\2C\2D\2E\2F\30\31\32\33\34\35\36\37\38\39\3A\3B\3C\3D\3E\3F\40\41\42\43\44\45\46\47\48\49\4A\4B\4C\4D\4E\4F\50\51\52\53\54\55\56\57\58\59\5A\5B\5C\5D\5E\5F\60\61\62\63\64\65\66\67\68\69\6A\6B\6C\6D\6E\6F\70\71\72\73\74\75\76\77\78\79\7A\7B\7C\7D\7E\7F\80\81\82\83\84\85\86\87\88\89\8A\8B\8C\8D\8E\8F\90\91\92\93\94\95\96\97\98\99\9A\9B\9C\9D\9E\9F\A0\A1\A2\A3\A4\A5\A6\A7\A8\A9\AA\AB\AC\AD\AE\AF\B0\B1\B2\B3\B4\B5\B6\B7\B8\B9\BA\BB\BC\BD\BE\BF\C0\C1\C2\C3\C4\C5\C6\C7\C8\C9\CA\CB\CC\CD\CE\CF\D0\D1\D2\D3\D4\D5\D6\D7\D8\D9\DA\DB\DC\DD\DE\DF\E0\E1\E2\E3\E4\E5\E6\E7\E8\E9\EA\EB\EC\ED\EE\EF\F0\F1\F2\F3\F4\F5\F6\F7\F8\F9\FA\FB\FC\FD\FE\FF"} : () -> ()
  "t.s"() {a = "", b = " ", c = "\n\t\0D\0A", d = "\"\\", e = "\22\5C", f = "é ü 漢字 🙂", g = "\FF\FE\80", h = "\E2\82", i = "a\00b", j = "\7F\1B[0m", k = "%d %% {}"} : () -> ()
  "t.s"() {"quoted key" = 1 : i8, "with\"quote" = 2 : i8, "tab\09" = 3 : i8, "1digit" = 4 : i8, "a-b" = 5 : i8, "é" = 6 : i8, "\FF" = 7 : i8, "$x" = 8 : i8, "a.b" = 9 : i8, "a..b" = 10 : i8, ".a" = 11 : i8, "a." = 12 : i8, "_" = 13 : i8, "a$b" = 14 : i8, "A" = 15 : i8, "true" = 16 : i8, "loc" = 17 : i8, "i32" = 18 : i8, "affine_map" = 19 : i8, "unit" = 20 : i8, "x y.z" = 21 : i8, "f32" = 22 : i8, "none" = 23 : i8, "array" = 24 : i8}: () -> ()
  "t.s"() {a._b = 1 : i8, a$c = 2 : i8, _._ = 3 : i8, a.b.c = 4 : i8, attributes = 5 : i8, to = 6 : i8, dense = 7 : i8, a1 = 8 : i8} : () -> ()
  "t.s"() {a = @simple, b = @"quoted name", c = @"with\22quote", d = @"\FF\00", e = @"", f = @a.b, g = @a$b, h = @_x, i = @"1a", j = @"a-b", k = @"é", l = @"a b"::@c::@"d\0Ae", m = @a::@b::@c, n = @"::"::@":", o = @A1._$, p = @"true"} : () -> ()
  "t.s"() {a = @"2"::@b} : () -> ()
  "t.s"() {a = "typed" : i32, b = "typed\00" : !t.x, c = "x" : tensor<2xi8>} : () -> ()
  "t.odd name"() : () -> ()
  "t.with\22quote"() : () -> ()
  "t.tab\09"() : () -> ()
  "t.é"() : () -> ()
  "t.$-+"() : () -> ()
  "t..x"() : () -> ()
  "t.A.B.c_1"() : () -> ()
  "t.1"() : () -> ()
  "t.UPPER"() : () -> ()
  "Upper.x"() : () -> ()
  "a-b.c d"() : () -> ()
  "t."() : () -> ()
  "\22"() : () -> ()
  "t.\FF"() : () -> ()
  "t.\\"() : () -> ()
  " "() : () -> ()
  "t.s"() {d = dense<["a", "b\22c", "\FF\00", "é"]> : tensor<4x!t.string>, s = dense<"sp\22lat"> : tensor<3x!t.string>, e = dense<""> : tensor<1x!t.string>} : () -> ()
}) : () -> ()

func.func private @"symbol \22with\22 quotes"()
func.func private @"\FF"() attributes {t.x}
func.func private @"é"()
module @"a b" {
}
"t.sym"() {sym_name = "s t", sym_visibility = "private"} : () -> ()
