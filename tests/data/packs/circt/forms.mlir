module {
  hw.module @Structs(in %s : !hw.struct<a: i3, b: i5>, in %u : !hw.union<x: i4, y: i4>, in %clk : !seq.clock, in %rst : i1, in %d : i8) {
    %a, %b = hw.struct_explode %s : !hw.struct<a: i3, b: i5>
    %0 = hw.struct_inject %s["b"], %b : !hw.struct<a: i3, b: i5>
    %1 = hw.union_create "x", %2 : !hw.union<x: i4, y: i4>
    %2 = hw.union_extract %u["y"] : !hw.union<x: i4, y: i4>
    %3 = hw.array_create %a, %a : i3
    %4 = comb.concat %a, %b : i3, i5
    %r = seq.firreg %d clock %clk reset async %rst, %4 preset 7 : i8
    %A = hw.enum.constant A : !hw.enum<A, B>
    hw.output
  }
  sv.macro.decl @SYNTHESIS
  hw.module @Verilog(in %clk : i1, in %x : i8) {
    %w = sv.wire : !hw.inout<i8>
    sv.assign %w, %x : i8
    sv.ifdef @SYNTHESIS {
    } else {
      sv.always posedge %clk {
        %SEED = sv.verbatim.expr "`SEED + 1" : () -> i8
        sv.verbatim "// done"
      }
    }
    hw.output
  }
  handshake.func @fork(%arg0: i32, %arg1: none, ...) -> (i32, none) attributes {argNames = ["in0", "in1"], resNames = ["out0", "out1"]} {
    %0:2 = fork [2] %arg0 : i32
    sink %0#1 : i32
    %1 = buffer [2] seq %0#0 : i32
    return %1, %arg1 : i32, none
  }
  rtg.sequence @seq(%arg0: index) {
  }
}
