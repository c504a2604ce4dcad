module {
  hw.module private @Leaf(in %a : i8, in %b : i8, out sum : i8) {
    %c1_i8 = hw.constant 1 : i8
    %0 = comb.add %a, %b, %c1_i8 : i8
    hw.output %0 : i8
  }
  hw.module @Top(in %clk : !seq.clock, in %x : i8, out y : i8) {
    %leaf.sum = hw.instance "leaf" @Leaf(a: %x: i8, b: %x: i8) -> (sum: i8)
    %state = seq.compreg %leaf.sum, %clk : i8  
    %0 = hw.struct_create (%x, %state) {sv.namehint = "pair"} : !hw.struct<first: i8, second: i8>
    %first = hw.struct_extract %0["first"] : !hw.struct<first: i8, second: i8>
    hw.output %first : i8
  }
  om.class @Box(%width: i32)  -> (size: i32) {
    om.class.fields %width : i32 
  }
}
