// releases: 16 19 22
// covers: the async dialect: execution regions with dependencies and values, groups, coroutines, runtime calls, async functions.
func.func @async(%t0: !async.token, %v0: !async.value<f32>, %n: index) -> f32 {
  %t = async.execute {
    async.yield
  }
  %t1, %v:2 = async.execute [%t0, %t] (%v0 as %x: !async.value<f32>) -> (!async.value<f32>, !async.value<tensor<2xi4>>) {
    %c = arith.constant dense<-3> : tensor<2xi4>
    %t2 = async.execute [%t] attributes {inner} {
      async.yield
    }
    async.await %t2 : !async.token
    async.yield %x, %c : f32, tensor<2xi4>
  }
  %g = async.create_group %n : !async.group
  %i = async.add_to_group %t1, %g : !async.token
  async.await_all %g
  %r = async.await %v#0 : !async.value<f32>
  return %r : f32
}
async.func @afunc(%a: !async.value<i32>) -> (!async.token, !async.value<i32>) {
  %0 = async.await %a : !async.value<i32>
  return %0 : i32
}
func.func @runtime(%m: i8, %n: index, %f: f32) {
  %t = async.runtime.create : !async.token
  %v = async.runtime.create : !async.value<f32>
  %g = async.runtime.create_group %n : !async.group
  async.runtime.set_available %t : !async.token
  async.runtime.set_error %v : !async.value<f32>
  %e = async.runtime.is_error %t : !async.token
  async.runtime.await %g : !async.group
  async.runtime.store %f, %v : !async.value<f32>
  %l = async.runtime.load %v : !async.value<f32>
  %i = async.runtime.add_to_group %t, %g : !async.token
  async.runtime.add_ref %t {count = 1 : i64} : !async.token
  async.runtime.drop_ref %v {count = 3 : i64} : !async.value<f32>
  return
}
func.func @coro() -> !async.token attributes {passthrough = ["presplitcoroutine"]} {
  %t = async.runtime.create : !async.token
  %id = async.coro.id
  %hdl = async.coro.begin %id
  %s = async.coro.save %hdl
  async.runtime.resume %hdl
  async.runtime.await_and_resume %t, %hdl : !async.token
  async.coro.suspend %s, ^suspend, ^resume, ^cleanup
^resume:
  cf.br ^cleanup
^cleanup:
  async.coro.free %id, %hdl
  cf.br ^suspend
^suspend:
  async.coro.end %hdl
  return %t : !async.token
}

async.func @callee(%a: i32) -> !async.value<i32> attributes {note = "yes"} {
  async.return %a : i32
}
async.func private @declared(i32 {t.arg = 1}) -> !async.token
func.func @caller(%a: i32) {
  %0 = async.call @callee(%a) : (i32) -> !async.value<i32>
  %1 = async.call @declared(%a) : (i32) -> !async.token
  %n = async.runtime.num_worker_threads : index
  return
}
