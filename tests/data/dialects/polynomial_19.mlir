// releases: 19
// covers: the polynomial dialect: rings, polynomials, transforms.
#poly = #polynomial.int_polynomial<-1 + x**1024>
#poly2 = #polynomial.int_polynomial<2 + 3x**2 + -1x**17>
#ring = #polynomial.ring<coefficientType = i32, coefficientModulus = 65537 : i32, polynomialModulus = #poly>
#ringf = #polynomial.ring<coefficientType = f32>
!ty = !polynomial.polynomial<ring = #ring>
!tyf = !polynomial.polynomial<ring = #ringf>
func.func @polynomial(%p: !ty, %c: i32, %i: index, %t: tensor<1024xi32>, %f: !tyf) {
  polynomial.add %p, %p : !ty
  polynomial.sub %p, %p : !ty
  polynomial.mul %p, %p : !ty
  polynomial.mul_scalar %p, %c : !ty, i32
  polynomial.leading_term %p : !ty -> (index, i32)
  polynomial.monomial %c, %i : (i32, index) -> !ty
  polynomial.monic_monomial_mul %p, %i : (!ty, index) -> !ty
  polynomial.from_tensor %t : tensor<1024xi32> -> !ty
  polynomial.to_tensor %p : !ty -> tensor<1024xi32>
  polynomial.constant int<1 + x**10> : !ty
  polynomial.constant float<0.5 + 1.3e06x**2> : !tyf
  polynomial.ntt %p : !ty -> tensor<1024xi32, #ring>
  "t.poly"() {a = #poly2, b = #polynomial.int_polynomial<1 + x**2 + -4x**3>} : () -> ()
  "t.poly"() {b = #polynomial.float_polynomial<0.5 + x**3>} : () -> ()
  return
}
