// releases: 22
// covers: sub-channel quantized types, which only newer releases know.
func.func private @sub_channel(tensor<4x2x!quant.uniform<i8:f32:{0:1, 1:2}, {{2.0:120}, {3.0:127}, {4.0:99}, {5.0:1}}>>)
