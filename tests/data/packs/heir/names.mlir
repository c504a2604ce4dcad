!Z1032955396097_i64 = !mod_arith.int<1032955396097 : i64>
!Z1095233372161_i64 = !mod_arith.int<1095233372161 : i64>
!Z65537_i64 = !mod_arith.int<65537 : i64>
#full_crt_packing_encoding = #lwe.full_crt_packing_encoding<scaling_factor = 0>
#key = #lwe.key<>
#modulus_chain_L1_C1 = #lwe.modulus_chain<elements = <1095233372161 : i64, 1032955396097 : i64>, current = 1>
!rns_L1 = !rns.rns<!Z1095233372161_i64, !Z1032955396097_i64>
#ring_Z65537_i64_1_x1024 = #polynomial.ring<coefficientType = !Z65537_i64, polynomialModulus = <1 + x**1024>>
!poly = !polynomial.polynomial<ring = #ring_Z65537_i64_1_x1024>
#ring_rns_L1_1_x1024 = #polynomial.ring<coefficientType = !rns_L1, polynomialModulus = <1 + x**1024>>
!pt = !lwe.lwe_plaintext<plaintext_space = <ring = #ring_Z65537_i64_1_x1024, encoding = #full_crt_packing_encoding>>
#ciphertext_space_L1 = #lwe.ciphertext_space<ring = #ring_rns_L1_1_x1024, encryption_type = lsb>
!ct_L1 = !lwe.lwe_ciphertext<plaintext_space = <ring = #ring_Z65537_i64_1_x1024, encoding = #full_crt_packing_encoding>, ciphertext_space = #ciphertext_space_L1, key = #key, modulus_chain = #modulus_chain_L1_C1>
module {
  func.func @twice(%ct: !ct_L1, %ct_0: !ct_L1, %pt: !pt) -> !ct_L1 {
    %ct_1 = bgv.add %ct, %ct_0 : (!ct_L1, !ct_L1) -> !ct_L1
    %ct_2 = bgv.add_plain %ct_1, %pt : (!ct_L1, !pt) -> !ct_L1
    return %ct_2 : !ct_L1
  }
  func.func @hidden(%arg0: !secret.secret<i32>, %arg1: !secret.secret<i32>) -> !secret.secret<i32> {
    %0 = secret.generic(%arg0: !secret.secret<i32> {level = 1 : i64}, %arg1: !secret.secret<i32> {level = 2 : i64}) attrs = {note = "n"} {
    ^body(%input0: i32, %input1: i32):
      %1 = arith.addi %input0, %input1 : i32
      secret.yield %1 : i32
    } -> (!secret.secret<i32> {level = 3 : i64})
    secret.generic(%0: !secret.secret<i32>) {
    ^body(%input0: i32):
      secret.yield
    }
    return %0 : !secret.secret<i32>
  }
  func.func @numbers() {
    %0 = mod_arith.constant 5 : !Z65537_i64
    %1 = polynomial.constant int<1 + 2x**3> : !poly
    return
  }
}
