// releases: 22
// covers: the wasmssa dialect: numeric operations, control flow with successors, imports, globals, memories, tables.
wasmssa.func exported @ops(%a: !wasmssa<local ref to i32>, %b: !wasmssa<local ref to i64>, %c: !wasmssa<local ref to f32>, %d: !wasmssa<local ref to f64>) {
  %i32 = wasmssa.local_get %a : ref to i32
  %i64 = wasmssa.local_get %b : ref to i64
  %f32 = wasmssa.local_get %c : ref to f32
  %f64 = wasmssa.local_get %d : ref to f64
  wasmssa.add %i32 %i32 : i32
  wasmssa.and %i32 %i32 : i32
  wasmssa.div_si %i32 %i32 : i32
  wasmssa.div_ui %i32 %i32 : i32
  wasmssa.mul %i32 %i32 : i32
  wasmssa.or %i32 %i32 : i32
  wasmssa.rem_si %i32 %i32 : i32
  wasmssa.rem_ui %i32 %i32 : i32
  wasmssa.sub %i32 %i32 : i32
  wasmssa.xor %i32 %i32 : i32
  wasmssa.rotl %i32 by %i32 bits : i32
  wasmssa.rotr %i32 by %i32 bits : i32
  wasmssa.shl %i32 by %i32 bits : i32
  wasmssa.shr_s %i32 by %i32 bits : i32
  wasmssa.shr_u %i32 by %i32 bits : i32
  wasmssa.eq %i32 %i32 : i32 -> i32
  wasmssa.ge_si %i32 %i32 : i32 -> i32
  wasmssa.ge_ui %i32 %i32 : i32 -> i32
  wasmssa.gt_si %i32 %i32 : i32 -> i32
  wasmssa.gt_ui %i32 %i32 : i32 -> i32
  wasmssa.le_si %i32 %i32 : i32 -> i32
  wasmssa.le_ui %i32 %i32 : i32 -> i32
  wasmssa.lt_si %i32 %i32 : i32 -> i32
  wasmssa.lt_ui %i32 %i32 : i32 -> i32
  wasmssa.ne %i32 %i32 : i32 -> i32
  wasmssa.clz %i32 : i32
  wasmssa.ctz %i32 : i32
  wasmssa.popcnt %i32 : i32
  wasmssa.eqz %i32 : i32 -> i32
  wasmssa.add %i64 %i64 : i64
  wasmssa.and %i64 %i64 : i64
  wasmssa.div_si %i64 %i64 : i64
  wasmssa.div_ui %i64 %i64 : i64
  wasmssa.mul %i64 %i64 : i64
  wasmssa.or %i64 %i64 : i64
  wasmssa.rem_si %i64 %i64 : i64
  wasmssa.rem_ui %i64 %i64 : i64
  wasmssa.sub %i64 %i64 : i64
  wasmssa.xor %i64 %i64 : i64
  wasmssa.rotl %i64 by %i64 bits : i64
  wasmssa.rotr %i64 by %i64 bits : i64
  wasmssa.shl %i64 by %i64 bits : i64
  wasmssa.shr_s %i64 by %i64 bits : i64
  wasmssa.shr_u %i64 by %i64 bits : i64
  wasmssa.eq %i64 %i64 : i64 -> i32
  wasmssa.ge_si %i64 %i64 : i64 -> i32
  wasmssa.ge_ui %i64 %i64 : i64 -> i32
  wasmssa.gt_si %i64 %i64 : i64 -> i32
  wasmssa.gt_ui %i64 %i64 : i64 -> i32
  wasmssa.le_si %i64 %i64 : i64 -> i32
  wasmssa.le_ui %i64 %i64 : i64 -> i32
  wasmssa.lt_si %i64 %i64 : i64 -> i32
  wasmssa.lt_ui %i64 %i64 : i64 -> i32
  wasmssa.ne %i64 %i64 : i64 -> i32
  wasmssa.clz %i64 : i64
  wasmssa.ctz %i64 : i64
  wasmssa.popcnt %i64 : i64
  wasmssa.eqz %i64 : i64 -> i32
  wasmssa.add %f32 %f32 : f32
  wasmssa.sub %f32 %f32 : f32
  wasmssa.mul %f32 %f32 : f32
  wasmssa.div %f32 %f32 : f32
  wasmssa.min %f32 %f32 : f32
  wasmssa.max %f32 %f32 : f32
  wasmssa.copysign %f32 %f32 : f32
  wasmssa.eq %f32 %f32 : f32 -> i32
  wasmssa.ge %f32 %f32 : f32 -> i32
  wasmssa.gt %f32 %f32 : f32 -> i32
  wasmssa.le %f32 %f32 : f32 -> i32
  wasmssa.lt %f32 %f32 : f32 -> i32
  wasmssa.ne %f32 %f32 : f32 -> i32
  wasmssa.abs %f32 : f32
  wasmssa.ceil %f32 : f32
  wasmssa.floor %f32 : f32
  wasmssa.neg %f32 : f32
  wasmssa.sqrt %f32 : f32
  wasmssa.trunc %f32 : f32
  wasmssa.add %f64 %f64 : f64
  wasmssa.sub %f64 %f64 : f64
  wasmssa.mul %f64 %f64 : f64
  wasmssa.div %f64 %f64 : f64
  wasmssa.min %f64 %f64 : f64
  wasmssa.max %f64 %f64 : f64
  wasmssa.copysign %f64 %f64 : f64
  wasmssa.eq %f64 %f64 : f64 -> i32
  wasmssa.ge %f64 %f64 : f64 -> i32
  wasmssa.gt %f64 %f64 : f64 -> i32
  wasmssa.le %f64 %f64 : f64 -> i32
  wasmssa.lt %f64 %f64 : f64 -> i32
  wasmssa.ne %f64 %f64 : f64 -> i32
  wasmssa.abs %f64 : f64
  wasmssa.ceil %f64 : f64
  wasmssa.floor %f64 : f64
  wasmssa.neg %f64 : f64
  wasmssa.sqrt %f64 : f64
  wasmssa.trunc %f64 : f64
  wasmssa.convert_s %i32 : i32 to f32
  wasmssa.convert_u %i64 : i64 to f64
  wasmssa.demote %f64 : f64 to f32
  wasmssa.promote %f32 : f32 to f64
  wasmssa.reinterpret %i32 : i32 as f32
  wasmssa.wrap %i64 : i64 to i32
  wasmssa.extend_i32_s %i32 to i64
  wasmssa.extend_i32_u %i32 to i64
  wasmssa.extend 8 : i32 low bits from %i32 : i32
  wasmssa.extend 8 : ui32 low bits from %i32 : i32
  wasmssa.const 3 : i32
  wasmssa.const -1.5 : f64
  wasmssa.const 1.0e-40 : f32
  wasmssa.local of type f32
  %l_110 = wasmssa.local of type i32
      %g_110 = wasmssa.local_get %l_110 : ref to i32
      wasmssa.local_set %l_110 : ref to i32 to %g_110 : i32
      %t_110 = wasmssa.local_tee %l_110 : ref to i32 to %g_110 : i32
  wasmssa.return
}

wasmssa.import_func "foo" from "my \"module\"" as @func_0 {type = (i32) -> (i32)}
wasmssa.import_func "bar" from "m" as @func_1 {type = () -> ()}
wasmssa.import_mem "mem" from "m" as @mem_0 {limits = !wasmssa<limit[2:]>}
wasmssa.import_table "t" from "m" as @table_0 {type = !wasmssa<tabletype !wasmssa.funcref [2:]>}
wasmssa.import_global "g" from "m" as @global_0 : i32
wasmssa.import_global "gm" from "m" as @global_1 mutable : f32
wasmssa.memory @mem_1 !wasmssa<limit[0: 65536]>
wasmssa.memory exported @mem_2 !wasmssa<limit[1:]>
wasmssa.table @table_1 !wasmssa<tabletype !wasmssa.externref [0: 65536]>
wasmssa.table exported @table_2 !wasmssa<tabletype !wasmssa.funcref [348:]>
wasmssa.global @global_2 i32 : {
  %0 = wasmssa.const 10 : i32
  wasmssa.return %0 : i32
}
wasmssa.global exported @global_3 i32 mutable : {
  %0 = wasmssa.global_get @global_0 : i32
  wasmssa.return %0 : i32
}
wasmssa.func @called(%a: !wasmssa<local ref to i32>) -> i32 {
  %0 = wasmssa.local_get %a : ref to i32
  %1 = wasmssa.call @func_0(%0) : (i32) -> i32
  wasmssa.return %1 : i32
}
wasmssa.func @flow(%a: !wasmssa<local ref to i32>) -> i32 {
  %0 = wasmssa.local_get %a : ref to i32
  wasmssa.block(%0) : i32 : {
  ^bb0(%x: i32):
    %1 = wasmssa.eqz %x : i32 -> i32
    wasmssa.branch_if %1 to level 0 with args(%x : i32) else ^bb1
  ^bb1:
    wasmssa.block_return %x : i32
  }> ^bb1
^bb1(%2: i32):
  wasmssa.if %2 : {
    wasmssa.block_return %0 : i32
  } else {
    %c = wasmssa.const 1 : i32
    wasmssa.block_return %c : i32
  }> ^bb2
^bb2(%3: i32):
  wasmssa.loop : {
    wasmssa.block_return
  }> ^bb3
^bb3:
  wasmssa.return %3 : i32
}
