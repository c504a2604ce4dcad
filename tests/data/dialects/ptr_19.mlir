// releases: 19
// covers: the ptr dialect: pointers, memory spaces, data layout entries, loads and stores with orderings.
func.func @ptr19(%p: !ptr.ptr, %q: !ptr.ptr<3 : i32>) {
  "t.ptr"() {s = #ptr.spec<size = 32, abi = 32, preferred = 64>, t = #ptr.spec<size = 32, abi = 64, preferred = 64, index = 32>} : () -> ()
  "t.use"(%p, %q) : (!ptr.ptr, !ptr.ptr<3 : i32>) -> (!ptr.ptr<"x">)
  return
}
