// releases: 19
// read-back: no
// covers: the polynomial dialect: rings, polynomials, transforms.
#poly = #polynomial.int_polynomial<-1 + x**1024>
#poly2 = #polynomial.int_polynomial<2 + 3x**2 + -1x**17>
#ring = #polynomial.ring<coefficientType = i32, coefficientModulus = 65537 : i32, polynomialModulus = #poly>
#ringf = #polynomial.ring<coefficientType = f32>
!ty = !polynomial.polynomial<ring = #ring>
!tyf = !polynomial.polynomial<ring = #ringf>
func.func @polynomial(%p: !ty, %c: i32, %i: index, %t: tensor<1024xi32>, %f: !tyf) {
  "t.poly"() {a = #poly2, b = #polynomial.float_polynomial<0.5 + 1.0e-30x**3 + -2.0x**4>, c = #polynomial.typed_int_polynomial<1 + x> : !ty, d = #polynomial.int_polynomial<0>, e = #polynomial.int_polynomial<-3>} : () -> ()
  return
}
