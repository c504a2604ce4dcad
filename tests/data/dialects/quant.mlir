// releases: 16 19 22
// covers: the quant dialect: casts between expressed, quantized and storage types, of every kind of quantized type.
func.func @quant(%f: f32, %t: tensor<?x2xf32>, %q: !quant.uniform<i8:f32, 2.0>, %i: i8, %tq: tensor<?x2x!quant.uniform<i8:f32:1, {2.0, 3.0:5}>>, %u: !quant.uniform<u8<1:255>:f32, 0.1:-3>) {
  "quant.qcast"(%f) : (f32) -> !quant.uniform<i8<-127:127>:f32, 1.0e-5>
  "quant.qcast"(%f) : (f32) -> !quant.uniform<u8<1:255>:f32, 0.1:127>
  "quant.dcast"(%q) : (!quant.uniform<i8:f32, 2.0>) -> f32
  "quant.scast"(%q) : (!quant.uniform<i8:f32, 2.0>) -> i8
  "t.q"() {v = [!quant.uniform<i16:f32, 2.0:10>, !quant.uniform<u4:f64, 1.0e-10>, !quant.any<i8<-8:7>>, !quant.any<u8:f32>, !quant.calibrated<f32<-1.5:2.5>>, !quant.calibrated<f32<-0.0001:1.0e10>>]} : () -> ()
  "t.q"() {v = [!quant.uniform<i8:f32:0, {2.0e+2:-20, 9.987200e-01:120}>, !quant.uniform<u8<0:1>:f32:3, {0.5}>, !quant.uniform<i32:f32, 0.333333333333333>]} : () -> ()
  "t.q"() {v = !quant.uniform<i8:f16, 2.0>, w = !quant.uniform<i7<-10:10>:bf16, 1.0>} : () -> ()
  return
}
