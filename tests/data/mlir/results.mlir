// releases: 16 19 22
// covers: operations with up to forty results, and operands in another order than they were defined.
%a = "t.one"() : () -> i32
%b:2 = "t.two"() : () -> (i32, f32)
%c:40 = "t.forty"() : () -> (i1, i2, i3, i4, i5, i6, i7, i8, i9, i10, i11, i12, i13, i14, i15, i16, i17, i18, i19, i20, i21, i22, i23, i24, i25, i26, i27, i28, i29, i30, i31, i32, i33, i34, i35, i36, i37, i38, i39, i40)
"t.use"(%c#39, %c#0, %b#1, %a, %c#17, %c#17, %b#0) : (i40, i1, f32, i32, i18, i18, i32) -> ()
"t.use"() : () -> ()
"t.use"(%a, %a, %a, %a, %a, %a, %a, %a) : (i32, i32, i32, i32, i32, i32, i32, i32) -> ()
