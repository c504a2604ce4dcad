// releases: 22
// covers: the smt dialect: solvers, bit vectors, arrays, integers, quantifiers with patterns, uninterpreted sorts and functions.
func.func @smt(%a: !smt.bv<4>, %b: !smt.bool, %i: !smt.int, %arr: !smt.array<[!smt.int -> !smt.bool]>, %f: !smt.func<(!smt.int, !smt.bool) !smt.bool>, %s: !smt.sort<"uninterpreted"[!smt.int, !smt.bool]>, %x: i32) {
  smt.bv.add %a, %a : !smt.bv<4>
  smt.bv.mul %a, %a : !smt.bv<4>
  smt.bv.urem %a, %a : !smt.bv<4>
  smt.bv.srem %a, %a : !smt.bv<4>
  smt.bv.smod %a, %a : !smt.bv<4>
  smt.bv.shl %a, %a : !smt.bv<4>
  smt.bv.lshr %a, %a : !smt.bv<4>
  smt.bv.ashr %a, %a : !smt.bv<4>
  smt.bv.udiv %a, %a : !smt.bv<4>
  smt.bv.sdiv %a, %a : !smt.bv<4>
  smt.bv.neg %a : !smt.bv<4>
  smt.bv.not %a : !smt.bv<4>
  smt.bv.and %a, %a : !smt.bv<4>
  smt.bv.or %a, %a : !smt.bv<4>
  smt.bv.xor %a, %a : !smt.bv<4>
  smt.bv.cmp slt %a, %a : !smt.bv<4>
  smt.bv.cmp uge %a, %a : !smt.bv<4>
  smt.bv.concat %a, %a : !smt.bv<4>, !smt.bv<4>
  smt.bv.extract %a from 1 : (!smt.bv<4>) -> !smt.bv<2>
  smt.bv.repeat 3 times %a : !smt.bv<4>
  smt.bv.constant #smt.bv<5> : !smt.bv<4>
  smt.bv.constant #smt.bv<-1> : !smt.bv<128>
  smt.bv2int %a : !smt.bv<4>
  smt.bv2int %a signed : !smt.bv<4>
  smt.int2bv %i : !smt.bv<4>
  smt.int.constant 5
  smt.int.constant -123456789012345678901234567890
  smt.int.abs %i
  smt.int.add %i, %i, %i
  smt.int.mul %i, %i
  smt.int.sub %i, %i
  smt.int.div %i, %i
  smt.int.mod %i, %i
  smt.int.cmp le %i, %i
  smt.int.cmp gt %i, %i
  smt.constant true
  smt.not %b
  smt.and %b, %b, %b
  smt.or %b, %b
  smt.xor %b, %b
  smt.implies %b, %b
  smt.eq %a, %a : !smt.bv<4>
  smt.distinct %a, %a, %a : !smt.bv<4>
  smt.ite %b, %a, %a : !smt.bv<4>
  smt.array.broadcast %b : !smt.array<[!smt.int -> !smt.bool]>
  smt.array.select %arr[%i] : !smt.array<[!smt.int -> !smt.bool]>
  smt.array.store %arr[%i], %b : !smt.array<[!smt.int -> !smt.bool]>
  smt.apply_func %f(%i, %b) : !smt.func<(!smt.int, !smt.bool) !smt.bool>
  %r_48:2 = smt.solver(%x) : (i32) -> (i32, i1) {
    ^bb0(%y: i32):
      smt.set_logic "HORN"
      smt.reset
      smt.push 1
      %c_48 = smt.declare_fun "a" : !smt.bv<8>
      %d_48 = smt.declare_fun : !smt.func<(!smt.int) !smt.bool>
      %e_48 = smt.declare_fun "s" : !smt.sort<"srt">
      %t_48 = smt.constant false
      smt.assert %t_48
      %g_48 = smt.check sat {
        %k_48 = arith.constant true
        smt.yield %k_48 : i1
      } unknown {
        %k_48 = arith.constant false
        smt.yield %k_48 : i1
      } unsat {
        %k_48 = arith.constant false
        smt.yield %k_48 : i1
      } -> i1
      smt.pop 1
      smt.yield %y, %g_48 : i32, i1
    }
  smt.solver() : () -> () {
      smt.check sat {
      } unknown {
      } unsat {
      }
    }
  smt.forall ["x", "y"] {
    ^bb0(%y: !smt.int, %z: !smt.int):
      %e_50 = smt.eq %y, %z : !smt.int
      smt.yield %e_50 : !smt.bool
    }
  smt.exists ["x"] weight 2 attributes {smt.some} {
    ^bb0(%y: !smt.int):
      %e_51 = smt.constant true
      smt.yield %e_51 : !smt.bool
    } patterns {
    ^bb0(%y: !smt.int):
      %e_51 = smt.constant true
      smt.yield %e_51 : !smt.bool
    }
  smt.forall no_pattern {
    ^bb0(%y: !smt.int):
      %e_52 = smt.constant true
      smt.yield %e_52 : !smt.bool
    }
  return
}
