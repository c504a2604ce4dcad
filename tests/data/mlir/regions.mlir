// releases: 16 19 22
// covers: no region, empty regions, regions with an empty block, several regions of one operation, siblings that reuse value numbers.
%a = "t.none"() : () -> i32
"t.one_empty"() ({
}) : () -> ()
"t.three_empty"() ({
}, {
}, {
}) : () -> ()
"t.empty_block"() ({
^bb0:
}) : () -> ()
"t.argument_only"() ({
^bb0(%x: i32, %y: f32):
}) : () -> ()
"t.mixed"(%a) ({
}, {
  %b = "t.def"() : () -> i32
  "t.use"(%b, %a) : (i32, i32) -> ()
}, {
^bb0(%c: i32):
  "t.use"(%c, %a) : (i32, i32) -> ()
}, {
^bb0:
}) {after = "the regions"} : (i32) -> ()
%r:2 = "t.results_and_regions"(%a, %a) ({
  "t.leaf"() : () -> ()
}, {
  "t.leaf"() : () -> ()
}) : (i32, i32) -> (i32, f32)
"t.use"(%r#1, %r#0) : (f32, i32) -> ()
