// releases: 19 22
// covers: the acc dialect: data clauses, bounds, compute constructs with device types and segments, loops, recipes, routines, atomics, declares.
func.func @acc(%p: memref<10xf32>, %i: index, %n: i64, %c: i1, %a: i32, %q: !llvm.ptr, %q2: !llvm.ptr) {
  %b_0 = acc.bounds lowerbound(%i : index) upperbound(%i : index) stride(%i : index)
      %d_0 = acc.copyin varPtr(%p : memref<10xf32>) bounds(%b_0) -> memref<10xf32> {name = "arr[0:n]"}
      acc.copyout accPtr(%d_0 : memref<10xf32>) bounds(%b_0) to varPtr(%p : memref<10xf32>) {dataClause = #acc<data_clause acc_copy>}
  %d_3 = acc.create varPtr(%p : memref<10xf32>) -> memref<10xf32>
      acc.data dataOperands(%d_3 : memref<10xf32>) if(%c) async(%a : i32) {
      acc.terminator
      } attributes {defaultAttr = #acc<defaultvalue none>}
      acc.delete accPtr(%d_3 : memref<10xf32>) {dataClause = #acc<data_clause acc_create>, structured = false}
  %d_4 = acc.present varPtr(%p : memref<10xf32>) -> memref<10xf32> {implicit = true}
  %d_5 = acc.nocreate varPtr(%p : memref<10xf32>) -> memref<10xf32>
  %d_6 = acc.attach varPtr(%p : memref<10xf32>) -> memref<10xf32>
      acc.detach accPtr(%d_6 : memref<10xf32>)
  %d_7 = acc.deviceptr varPtr(%p : memref<10xf32>) -> memref<10xf32>
  %d_8 = acc.getdeviceptr varPtr(%p : memref<10xf32>) -> memref<10xf32> {dataClause = #acc<data_clause acc_update_host>}
      acc.update_host accPtr(%d_8 : memref<10xf32>) to varPtr(%p : memref<10xf32>) {structured = false}
  %d_9 = acc.update_device varPtr(%p : memref<10xf32>) -> memref<10xf32> {structured = false}
      acc.update async(%a : i32) dataOperands(%d_9 : memref<10xf32>)
      acc.update if(%c) dataOperands(%d_9 : memref<10xf32>)
  %d_10 = acc.update_device varPtr(%p : memref<10xf32>) -> memref<10xf32> {structured = false}
      acc.update async dataOperands(%d_10 : memref<10xf32>)
  %d_11 = acc.update_device varPtr(%p : memref<10xf32>) -> memref<10xf32> {structured = false}
      acc.update wait dataOperands(%d_11 : memref<10xf32>)
  %d_12 = acc.use_device varPtr(%p : memref<10xf32>) -> memref<10xf32>
      acc.host_data dataOperands(%d_12 : memref<10xf32>) {
      acc.terminator
      } attributes {ifPresent}
  %d_13 = acc.cache varPtr(%p : memref<10xf32>) -> memref<10xf32>
  %d_14 = acc.declare_device_resident varPtr(%p : memref<10xf32>) -> memref<10xf32>
  %d_15 = acc.declare_link varPtr(%p : memref<10xf32>) -> memref<10xf32>
      acc.declare_enter dataOperands(%d_15 : memref<10xf32>)
  acc.parallel num_gangs({%n : i64}) num_workers(%i : index) vector_length(%a : i32 [#acc.device_type<nvidia>]) {
      acc.yield
    } attributes {selfAttr}
  acc.parallel num_gangs({%n : i64, %n : i64, %n : i64} [#acc.device_type<default>], {%i : index} [#acc.device_type<nvidia>]) {
      acc.yield
    }
  acc.parallel async(%a : i32, %n : i64 [#acc.device_type<radeon>]) wait({%a : i32, %n : i64}) {
      acc.yield
    }
  acc.parallel self(%c) if(%c) {
      acc.yield
    }
  acc.serial async(%a : i32) self(%c) {
      acc.yield
    } attributes {defaultAttr = #acc<defaultvalue present>}
  acc.kernels num_gangs({%n : i64}) wait({devnum: %a : i32, %n : i64}) {
      acc.terminator
    }
  acc.parallel combined(loop) {
      acc.loop combined(parallel) control(%k : index) = (%i : index) to (%i : index) step (%i : index) {
        acc.yield
      } attributes {inclusiveUpperbound = array<i1: true>, independent = [#acc.device_type<none>]}
      acc.yield
    }
  acc.loop control(%k : index) = (%i : index) to (%i : index) step (%i : index) {
      acc.yield
    } attributes {seq = [#acc.device_type<none>]}
  acc.loop gang({num=%n : i64}) worker vector(%a : i32) control(%k : index, %l : index) = (%i, %i : index, index) to (%i, %i : index, index) step (%i, %i : index, index) {
      acc.yield
    } attributes {collapse = [2], collapseDeviceType = [#acc.device_type<none>], independent = [#acc.device_type<none>], inclusiveUpperbound = array<i1: true, false>}
  acc.loop gang({static=%n : i64, num=%a : i32} [#acc.device_type<nvidia>]) tile({%n : i64, %n : i64}) control(%k : index) = (%i : index) to (%i : index) step (%i : index) {
      acc.yield
    } attributes {auto_ = [#acc.device_type<none>]}
  acc.init attributes {device_types = [#acc.device_type<nvidia>, #acc.device_type<host>]}
  acc.set attributes {device_type = #acc.device_type<nvidia>}
  acc.set device_num(%a : i32) default_async(%n : i64)
  acc.atomic.write %q = %a : !llvm.ptr, i32
  acc.atomic.update %q : !llvm.ptr {
    ^bb0(%x: i32):
      %y_42 = llvm.add %x, %a : i32
      acc.yield %y_42 : i32
    }
  "t.acc"() {c = #acc<data_clause acc_reduction>, o = #acc.reduction_operator<mul>, d = #acc.declare<dataClause = acc_create>, t = #acc.device_type<star>} : () -> ()
  "t.acc"() {d = #acc.declare<dataClause = acc_declare_device_resident, implicit = true>, a = #acc.declare_action<>} : () -> ()
  return
}

acc.routine @routine func(@callee) seq
acc.routine @routine_nv func(@callee) bind("other_name" [#acc.device_type<nvidia>]) worker nohost
acc.routine @routine_gang func(@callee) gang(dim: 2 : i64 [#acc.device_type<nvidia>])
acc.routine @routine_bind func(@callee) bind("a\"b") vector implicit
func.func @callee() attributes {acc.routine_info = #acc.routine_info<[@routine, @routine_nv]>} {
  return
}

func.func @declare(%p: memref<1xf32>) {
  %0 = acc.create varPtr(%p : memref<1xf32>) -> memref<1xf32>
  %t = acc.declare_enter dataOperands(%0 : memref<1xf32>)
  acc.declare_exit token(%t) dataOperands(%0 : memref<1xf32>)
  acc.declare dataOperands(%0 : memref<1xf32>) {
    acc.terminator
  }
  return
}
