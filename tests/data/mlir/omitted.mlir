// releases: 16 19 22
// covers: parts of operations that the custom assembly does not show: attributes of implicit terminators
func.func @branch(%condition: i1) {
  "scf.if"(%condition) ({
    "scf.yield"() {note = "first"} : () -> ()
  }, {}) : (i1) -> ()
  "scf.if"(%condition) ({
    "scf.yield"() {note = "second"} : () -> ()
  }, {
    "scf.yield"() : () -> ()
  }) : (i1) -> ()
  return
}
func.func @loop(%low: index, %high: index) {
  %step = arith.constant 1 : index
  "scf.for"(%low, %high, %step) ({
  ^body(%i: index):
    "scf.yield"() {note = "third"} : () -> ()
  }) : (index, index, index) -> ()
  return
}
