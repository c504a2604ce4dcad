module {
  hw.type_scope @types {
    hw.typedecl @bit : i1
    hw.typedecl @pair : !hw.struct<a: i1, b: i1>
  }
  sv.interface @Link {
    sv.interface.signal @data : i8
    sv.interface.signal @ok : i1
    sv.interface.modport @sink (input @data, output @ok)
  }
  sim.func.dpi @dpi(out a : i1, in %b : i1, out "c d" : i8)
  hw.module @fields(in %i : i1, out o : i1) {
    %0 = hw.struct_create (%i, %i) : !hw.typealias<@types::@pair, !hw.struct<a: i1, b: i1>>
    %b = hw.struct_extract %0["b"] : !hw.typealias<@types::@pair, !hw.struct<a: i1, b: i1>>
    hw.output %b : i1
  }
  hw.module @nested(in %x : !hw.array<2xarray<3xi4>>, in %u : i1, in %k : i2) {
    %0 = sv.reg : !hw.inout<uarray<2xarray<3xi4>>> 
    %1 = ltl.and %u, %u : i1, i1
    %2 = ltl.delay %u, 1 : i1
    %3 = ltl.and %u, %2 : i1, !ltl.sequence
    %chanOutput, %rden = esi.wrap.fifo %u, %u : !esi.channel<i1, FIFO>
    %link = sv.interface.instance : !sv.interface<@Link>
    sv.interface.signal.assign %link(@Link::@ok) = %u : i1
    %4 = sv.interface.signal.read %link(@Link::@data) : i8
    %x_i5 = sv.constantX : i5
    %z_i8 = sv.constantZ : i8
    hw.output
  }
  hw.module @queue(in %clk : !seq.clock, in %rst : i1, in %in : i32) {
    %out, %full, %empty, %almostFull = seq.fifo depth 3 almost_full 2  in %in rdEn %rst wrEn %rst clk %clk rst %rst : i32
    hw.output
  }
  kanagawa.design @D {
    kanagawa.container sym @C {
      %in = kanagawa.port.input "in" sym @in : i1
    }
    kanagawa.container sym @Top {
      %c = kanagawa.container.instance @c, <@D::@C> 
      %c.in.ref = kanagawa.get_port %c, @in : !kanagawa.scoperef<@D::@C> -> !kanagawa.portref<in i1>
      %c_0 = kanagawa.path [#kanagawa.step<child, @c : !kanagawa.scoperef<@D::@C>> : !kanagawa.scoperef<@D::@C>]
      %true = hw.constant true
      kanagawa.port.write %c.in.ref, %true : !kanagawa.portref<in i1>
      %out = kanagawa.port.input "out" sym @out : i1
      %out.val = kanagawa.port.read %out : !kanagawa.portref<in i1>
    }
    kanagawa.class sym @K {
      kanagawa.method @foo(%a: i32, %b: i32)  -> i32 {
        kanagawa.return %a : i32
      }
    }
  }
  func.func @run() {
    arc.sim.instantiate @queue as %arg0 {
    }
    return
  }
}
