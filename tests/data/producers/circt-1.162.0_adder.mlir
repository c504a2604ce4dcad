module {
  hw.module @adder(in %a : i8, in %b : i8, in %clk : !seq.clock, out sum : i8) {
    %0 = comb.add bin %a, %b : i8 loc(#loc2)
    %r = seq.compreg %0, %clk : i8   loc(#loc3)
    hw.output %r : i8 loc(#loc4)
  } loc(#loc1)
} loc(#loc)
#loc = loc("-":0:0)
#loc1 = loc("-":1:1)
#loc2 = loc("-":2:8)
#loc3 = loc("-":3:8)
#loc4 = loc("-":4:3)
