// releases: 16 19 22
// covers: graph regions: operands used before they are defined, an operation that uses its own results, a cycle of two.
"t.use"(%b, %a#1, %a#0) : (i32, f32, i32) -> ()
%a:2 = "t.two"(%b) : (i32) -> (i32, f32)
%b = "t.cycle"(%c) : (i32) -> i32
%c = "t.cycle"(%b) : (i32) -> i32
%s = "t.self"(%s) : (i32) -> i32
%m:3 = "t.self_many"(%m#2, %m#0, %m#0, %m#1) : (i8, i32, i32, i16) -> (i32, i16, i8)
"t.region"() ({
  "t.use"(%late, %early, %inner) : (i32, i32, i32) -> ()
  %inner = "t.def"() : () -> i32
}, {
  %inner = "t.wrap"(%inner) ({
    "t.use"(%inner, %late) : (i32, i32) -> ()
  }) : (i32) -> i32
}) : () -> ()
%early = "t.def"(%late) : (i32) -> i32
%late = "t.def"(%early) : (i32) -> i32
