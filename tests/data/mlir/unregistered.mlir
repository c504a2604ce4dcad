// releases: 16 19 22
// covers: operations, attributes and types of unregistered dialects, with dots and odd characters in their names.
"a.b"() : () -> ()
"a.b.c"() : () -> ()
"a.b.c.d"() : () -> ()
"a.b.c"() {a.x = 1 : i8, a.b.c = #a.b.c, "a b" = #a<"opaque">} : () -> ()
"long_dialect_name.with-dash"() : () -> ()
"x.spaced name"() : () -> ()
"x.utf8 \E2\82\AC"() : () -> ()
%0 = "y.op"() {t = !a.b.c<[1]>} : () -> !z.kind<!a.inner, "s">
"z.op"(%0) : (!z.kind<!a.inner, "s">) -> ()
"a.late"() : () -> ()
