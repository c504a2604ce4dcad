// releases: 16 19 22
// covers: types of the quant dialect, which has a codec of its own in every release.
func.func private @any(!quant.any<i8<-8:7>:f32>, !quant.any<u8>, !quant.any<i4:f32>)
func.func private @uniform(!quant.uniform<i8:f32, 1.0>, !quant.uniform<u8<1:255>:f32, 2.5e-2:128>, !quant.uniform<i8<-8:7>:f32, 9.987200e-01:7>)
func.func private @axis(tensor<?x2xi8>, !quant.uniform<i8:f32:1, {2.0e+2, 9.9872e-01:120}>)
func.func private @calibrated(!quant.calibrated<f32<-0.998:1.2321>>)
