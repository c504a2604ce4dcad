// releases: 22
// covers: the quant dialect: casts between expressed, quantized and storage types, of every kind of quantized type.
func.func @quant(%f: f32, %t: tensor<?x2xf32>, %q: !quant.uniform<i8:f32, 2.0>, %i: i8, %tq: tensor<?x2x!quant.uniform<i8:f32:1, {2.0, 3.0:5}>>, %u: !quant.uniform<u8<1:255>:f32, 0.1:-3>) {
  quant.qcast %f : f32 to !quant.uniform<i8:f32, 2.0>
  quant.qcast %t : tensor<?x2xf32> to tensor<?x2x!quant.uniform<i8:f32:1, {2.0, 3.0:5}>>
  quant.dcast %q : !quant.uniform<i8:f32, 2.0> to f32
  quant.dcast %tq : tensor<?x2x!quant.uniform<i8:f32:1, {2.0, 3.0:5}>> to tensor<?x2xf32>
  quant.scast %q : !quant.uniform<i8:f32, 2.0> to i8
  quant.scast %i : i8 to !quant.uniform<i8:f32, 2.0>
  "t.q"() {v = !quant.uniform<i8:f32:{0:1, 1:2}, {{2.0:120}, {3.0:127}, {4.0:99}, {5.0:1}}>, w = !quant.uniform<i8:f32:{}, {{2.0:120}}>} : () -> ()
  return
}
