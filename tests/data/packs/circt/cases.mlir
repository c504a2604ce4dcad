module {
  hw.module @cases(in %a : i3, in %e : !hw.enum<A, B>, in %i : i2) {
    %0 = sv.reg : !hw.inout<array<4xi8>> 
    %1 = sv.array_index_inout %0[%i] : !hw.inout<array<4xi8>>, i2
    %2 = sv.reg : !hw.inout<uarray<4xarray<2xi8>>> 
    %3 = sv.array_index_inout %2[%i] : !hw.inout<uarray<4xarray<2xi8>>>, i2
    sv.initial {
      sv.case casez unique %a : i3
      case b01x: {
        sv.verbatim "a"
      }
      default: {
        sv.verbatim "b"
      }
      sv.case %e : !hw.enum<A, B>
      case A: {
        sv.verbatim "c"
      }
      sv.for %k = %i to %i step %i : i2 {
        sv.verbatim "d"
      }
    }
    hw.output
  }
  hw.module @groups(in %x : i1, in %y : i1, out o : i1) {
    %0:2 = arc.vectorize (%x, %y), (%y, %x) : (i1, i1, i1, i1) -> (i1, i1) {
    ^bb0(%arg0: i1, %arg1: i1):
      %1 = comb.add %arg0, %arg1 : i1
      arc.vectorize.return %1 : i1
    }
    hw.output %0#0 : i1
  }
  hw.module @bundles(in %b : !esi.bundle<[!esi.channel<i8> to "data", !esi.channel<i1> from "ack"]>, in %c : !esi.channel<i1>, out o : !esi.channel<i8>) {
    %data = esi.bundle.unpack %c from %b : !esi.bundle<[!esi.channel<i8> to "data", !esi.channel<i1> from "ack"]>
    hw.output %data : !esi.channel<i8>
  }
  hw.module @memory(in %clk : !seq.clock, in %rst : i1, in %n : i2, in %d : i32) {
    %m = seq.hlmem @m %clk, %rst : <4xi32>
    %m_rdata = seq.read %m[%n] rden %rst {latency = 1 : i64} : !seq.hlmem<4xi32>
    seq.write %m[%n] %d wren %rst {latency = 1 : i64} : !seq.hlmem<4xi32>
    hw.output
  }
  msft.instance.hierarchy @top {
    msft.instance.dynamic @a::@b {
      msft.pd.location M20K x: 15 y: 9 n: 3 path : "|x"
    }
  }
  rtg.test @constants() {
    %t0 = rtg.constant #rtgtest.t0 : !rtgtest.ireg
  }
}
