// Constants: splats, packed booleans of every length up to 17, empty and complex ones.
// since 0.9.0
module @constants {
  func.func @constants() {
    %0 = "stablehlo.constant"() {value = dense<[false]> : tensor<1xi1>} : () -> tensor<1xi1>
    %1 = "stablehlo.constant"() {value = dense<[false, true]> : tensor<2xi1>} : () -> tensor<2xi1>
    %2 = "stablehlo.constant"() {value = dense<[true, false, false]> : tensor<3xi1>} : () -> tensor<3xi1>
    %3 = "stablehlo.constant"() {value = dense<[false, false, true, false]> : tensor<4xi1>} : () -> tensor<4xi1>
    %4 = "stablehlo.constant"() {value = dense<[false, true, false, false, true]> : tensor<5xi1>} : () -> tensor<5xi1>
    %5 = "stablehlo.constant"() {value = dense<[true, false, false, true, false, false]> : tensor<6xi1>} : () -> tensor<6xi1>
    %6 = "stablehlo.constant"() {value = dense<[false, false, true, false, false, true, false]> : tensor<7xi1>} : () -> tensor<7xi1>
    %7 = "stablehlo.constant"() {value = dense<[false, true, false, false, true, false, false, true]> : tensor<8xi1>} : () -> tensor<8xi1>
    %8 = "stablehlo.constant"() {value = dense<[true, false, false, true, false, false, true, false, false]> : tensor<9xi1>} : () -> tensor<9xi1>
    %9 = "stablehlo.constant"() {value = dense<[false, false, true, false, false, true, false, false, true, false]> : tensor<10xi1>} : () -> tensor<10xi1>
    %10 = "stablehlo.constant"() {value = dense<[false, true, false, false, true, false, false, true, false, false, true]> : tensor<11xi1>} : () -> tensor<11xi1>
    %11 = "stablehlo.constant"() {value = dense<[true, false, false, true, false, false, true, false, false, true, false, false]> : tensor<12xi1>} : () -> tensor<12xi1>
    %12 = "stablehlo.constant"() {value = dense<[false, false, true, false, false, true, false, false, true, false, false, true, false]> : tensor<13xi1>} : () -> tensor<13xi1>
    %13 = "stablehlo.constant"() {value = dense<[false, true, false, false, true, false, false, true, false, false, true, false, false, true]> : tensor<14xi1>} : () -> tensor<14xi1>
    %14 = "stablehlo.constant"() {value = dense<[true, false, false, true, false, false, true, false, false, true, false, false, true, false, false]> : tensor<15xi1>} : () -> tensor<15xi1>
    %15 = "stablehlo.constant"() {value = dense<[false, false, true, false, false, true, false, false, true, false, false, true, false, false, true, false]> : tensor<16xi1>} : () -> tensor<16xi1>
    %16 = "stablehlo.constant"() {value = dense<[false, true, false, false, true, false, false, true, false, false, true, false, false, true, false, false, true]> : tensor<17xi1>} : () -> tensor<17xi1>
    %17 = "stablehlo.constant"() {value = dense<true> : tensor<i1>} : () -> tensor<i1>
    %18 = "stablehlo.constant"() {value = dense<true> : tensor<1xi1>} : () -> tensor<1xi1>
    %19 = "stablehlo.constant"() {value = dense<true> : tensor<2xi1>} : () -> tensor<2xi1>
    %20 = "stablehlo.constant"() {value = dense<true> : tensor<8xi1>} : () -> tensor<8xi1>
    %21 = "stablehlo.constant"() {value = dense<true> : tensor<16xi1>} : () -> tensor<16xi1>
    %22 = "stablehlo.constant"() {value = dense<true> : tensor<100xi1>} : () -> tensor<100xi1>
    %23 = "stablehlo.constant"() {value = dense<false> : tensor<i1>} : () -> tensor<i1>
    %24 = "stablehlo.constant"() {value = dense<false> : tensor<1xi1>} : () -> tensor<1xi1>
    %25 = "stablehlo.constant"() {value = dense<false> : tensor<2xi1>} : () -> tensor<2xi1>
    %26 = "stablehlo.constant"() {value = dense<false> : tensor<8xi1>} : () -> tensor<8xi1>
    %27 = "stablehlo.constant"() {value = dense<false> : tensor<16xi1>} : () -> tensor<16xi1>
    %28 = "stablehlo.constant"() {value = dense<false> : tensor<100xi1>} : () -> tensor<100xi1>
    %29 = "stablehlo.constant"() {value = dense<[[true, false, true], [false, true, true]]> : tensor<2x3xi1>} : () -> tensor<2x3xi1>
    %30 = "stablehlo.constant"() {value = dense<> : tensor<0xi1>} : () -> tensor<0xi1>
    %31 = "stablehlo.constant"() {value = dense<[-8, 7, 1, -1]> : tensor<4xi4>} : () -> tensor<4xi4>
    %32 = "stablehlo.constant"() {value = dense<-1> : tensor<3xi4>} : () -> tensor<3xi4>
    %33 = "stablehlo.constant"() {value = dense<1> : tensor<i4>} : () -> tensor<i4>
    %34 = "stablehlo.constant"() {value = dense<> : tensor<0xi4>} : () -> tensor<0xi4>
    %35 = "stablehlo.constant"() {value = dense<[-128, 127, 1, -1]> : tensor<4xi8>} : () -> tensor<4xi8>
    %36 = "stablehlo.constant"() {value = dense<-1> : tensor<3xi8>} : () -> tensor<3xi8>
    %37 = "stablehlo.constant"() {value = dense<1> : tensor<i8>} : () -> tensor<i8>
    %38 = "stablehlo.constant"() {value = dense<> : tensor<0xi8>} : () -> tensor<0xi8>
    %39 = "stablehlo.constant"() {value = dense<[-32768, 32767, 1, -1]> : tensor<4xi16>} : () -> tensor<4xi16>
    %40 = "stablehlo.constant"() {value = dense<-1> : tensor<3xi16>} : () -> tensor<3xi16>
    %41 = "stablehlo.constant"() {value = dense<1> : tensor<i16>} : () -> tensor<i16>
    %42 = "stablehlo.constant"() {value = dense<> : tensor<0xi16>} : () -> tensor<0xi16>
    %43 = "stablehlo.constant"() {value = dense<[-2147483648, 2147483647, 1, -1]> : tensor<4xi32>} : () -> tensor<4xi32>
    %44 = "stablehlo.constant"() {value = dense<-1> : tensor<3xi32>} : () -> tensor<3xi32>
    %45 = "stablehlo.constant"() {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %46 = "stablehlo.constant"() {value = dense<> : tensor<0xi32>} : () -> tensor<0xi32>
    %47 = "stablehlo.constant"() {value = dense<[-9223372036854775808, 9223372036854775807, 1, -1]> : tensor<4xi64>} : () -> tensor<4xi64>
    %48 = "stablehlo.constant"() {value = dense<-1> : tensor<3xi64>} : () -> tensor<3xi64>
    %49 = "stablehlo.constant"() {value = dense<1> : tensor<i64>} : () -> tensor<i64>
    %50 = "stablehlo.constant"() {value = dense<> : tensor<0xi64>} : () -> tensor<0xi64>
    %51 = "stablehlo.constant"() {value = dense<[0, 15, 1]> : tensor<3xui4>} : () -> tensor<3xui4>
    %52 = "stablehlo.constant"() {value = dense<1> : tensor<2x2xui4>} : () -> tensor<2x2xui4>
    %53 = "stablehlo.constant"() {value = dense<[0, 255, 1]> : tensor<3xui8>} : () -> tensor<3xui8>
    %54 = "stablehlo.constant"() {value = dense<1> : tensor<2x2xui8>} : () -> tensor<2x2xui8>
    %55 = "stablehlo.constant"() {value = dense<[0, 65535, 1]> : tensor<3xui16>} : () -> tensor<3xui16>
    %56 = "stablehlo.constant"() {value = dense<1> : tensor<2x2xui16>} : () -> tensor<2x2xui16>
    %57 = "stablehlo.constant"() {value = dense<[0, 4294967295, 1]> : tensor<3xui32>} : () -> tensor<3xui32>
    %58 = "stablehlo.constant"() {value = dense<1> : tensor<2x2xui32>} : () -> tensor<2x2xui32>
    %59 = "stablehlo.constant"() {value = dense<[0, 18446744073709551615, 1]> : tensor<3xui64>} : () -> tensor<3xui64>
    %60 = "stablehlo.constant"() {value = dense<1> : tensor<2x2xui64>} : () -> tensor<2x2xui64>
    %61 = "stablehlo.constant"() {value = dense<[0.000000e+00, -0.000000e+00, 1.500000e+00, -2.000000e+00, 1.000000e-01]> : tensor<5xbf16>} : () -> tensor<5xbf16>
    %62 = "stablehlo.constant"() {value = dense<1.000000e+00> : tensor<2x3xbf16>} : () -> tensor<2x3xbf16>
    %63 = "stablehlo.constant"() {value = dense<> : tensor<0xbf16>} : () -> tensor<0xbf16>
    %64 = "stablehlo.constant"() {value = dense<[0x7F80, 0xFF80, 0x7F81]> : tensor<3xbf16>} : () -> tensor<3xbf16>
    %65 = "stablehlo.constant"() {value = dense<[0.000000e+00, -0.000000e+00, 1.500000e+00, -2.000000e+00, 1.000000e-01]> : tensor<5xf16>} : () -> tensor<5xf16>
    %66 = "stablehlo.constant"() {value = dense<1.000000e+00> : tensor<2x3xf16>} : () -> tensor<2x3xf16>
    %67 = "stablehlo.constant"() {value = dense<> : tensor<0xf16>} : () -> tensor<0xf16>
    %68 = "stablehlo.constant"() {value = dense<[0x7C00, 0xFC00, 0x7C01]> : tensor<3xf16>} : () -> tensor<3xf16>
    %69 = "stablehlo.constant"() {value = dense<[0.000000e+00, -0.000000e+00, 1.500000e+00, -2.000000e+00, 1.000000e-01]> : tensor<5xf32>} : () -> tensor<5xf32>
    %70 = "stablehlo.constant"() {value = dense<1.000000e+00> : tensor<2x3xf32>} : () -> tensor<2x3xf32>
    %71 = "stablehlo.constant"() {value = dense<> : tensor<0xf32>} : () -> tensor<0xf32>
    %72 = "stablehlo.constant"() {value = dense<[0x7F800000, 0xFF800000, 0x7F800001]> : tensor<3xf32>} : () -> tensor<3xf32>
    %73 = "stablehlo.constant"() {value = dense<[0.000000e+00, -0.000000e+00, 1.500000e+00, -2.000000e+00, 1.000000e-01]> : tensor<5xf64>} : () -> tensor<5xf64>
    %74 = "stablehlo.constant"() {value = dense<1.000000e+00> : tensor<2x3xf64>} : () -> tensor<2x3xf64>
    %75 = "stablehlo.constant"() {value = dense<> : tensor<0xf64>} : () -> tensor<0xf64>
    %76 = "stablehlo.constant"() {value = dense<[0x7FF0000000000000, 0xFFF0000000000000, 0x7FF0000000000001]> : tensor<3xf64>} : () -> tensor<3xf64>
    %77 = "stablehlo.constant"() {value = dense<[9.980000e-01, -9.980000e-01, 9.980000e+01, 1.000000e-300, 3.141592653589793]> : tensor<5xf64>} : () -> tensor<5xf64>
    %78 = "stablehlo.constant"() {value = dense<[0.1, 3.14159274, 1.000000e-45, 3.40282347E+38]> : tensor<4xf32>} : () -> tensor<4xf32>
    %79 = "stablehlo.constant"() {value = dense<[0.000000e+00, 1.500000e+00, -1.000000e+00, 5.000000e-01]> : tensor<4xf8E4M3FN>} : () -> tensor<4xf8E4M3FN>
    %80 = "stablehlo.constant"() {value = dense<1.000000e+00> : tensor<2xf8E4M3FN>} : () -> tensor<2xf8E4M3FN>
    %81 = "stablehlo.constant"() {value = dense<[0.000000e+00, 1.500000e+00, -1.000000e+00, 5.000000e-01]> : tensor<4xf8E5M2>} : () -> tensor<4xf8E5M2>
    %82 = "stablehlo.constant"() {value = dense<1.000000e+00> : tensor<2xf8E5M2>} : () -> tensor<2xf8E5M2>
    %83 = "stablehlo.constant"() {value = dense<[(1.000000e+00, -2.000000e+00), (0.000000e+00, 5.000000e-01)]> : tensor<2xcomplex<f32>>} : () -> tensor<2xcomplex<f32>>
    %84 = "stablehlo.constant"() {value = dense<(1.000000e+00, -2.000000e+00)> : tensor<2xcomplex<f64>>} : () -> tensor<2xcomplex<f64>>
    %85 = "stablehlo.constant"() {value = dense<(1.000000e+00, 1.000000e+00)> : tensor<complex<f32>>} : () -> tensor<complex<f32>>
    %86 = "stablehlo.constant"() {value = dense<> : tensor<0xcomplex<f32>>} : () -> tensor<0xcomplex<f32>>
    %87 = "stablehlo.constant"() {value = dense<[[[1, 2], [3, 4]], [[5, 6], [7, 8]]]> : tensor<2x2x2xi32>} : () -> tensor<2x2x2xi32>
    %88 = "stablehlo.constant"() {value = dense<> : tensor<2x0x3xf32>} : () -> tensor<2x0x3xf32>
    %89 = "stablehlo.constant"() {value = dense<"0x00254A6F94B9DE03284D7297BCE1062B50759ABFE4092E53789DC2E70C31567BA0C5EA0F34597EA3C8ED12375C81A6CBF0153A5F84A9CEF3183D6287ACD1F61B40658AAFD4F91E43688DB2D7FC21466B90B5DAFF24496E93B8DD02274C7196BBE0052A4F7499BEE3082D52779CC1E60B30557A9FC4E90E33587DA2C7EC11365B80A5CAEF14395E83A8CDF2173C6186ABD0F51A3F6489AED3F81D42678CB1D6FB20456A8FB4D9FE23486D92B7DC01264B7095BADF04294E7398BDE2072C51769BC0E50A2F54799EC3E80D32577CA1C6EB10355A7FA4C9EE13385D82A7CCF1163B6085AACFF4193E6388ADD2F71C41668BB0D5FA1F44698EB3D8FD22476C91B6DB00254A6F94B9DE03284D7297BCE1062B50759ABFE4092E53789DC2E70C31567BA0C5EA0F34597EA3C8ED12375C81A6CBF0153A5F84A9CEF3183D6287ACD1F61B40658AAFD4F91E43688DB2D7FC21466B90B5DAFF24496E93B8DD02274C7196BBE0052A4F7499BEE3082D52779CC1E60B30557A9FC4E90E33587DA2C7EC11365B80A5CAEF14395E83A8CDF2173C6186ABD0F51A3F6489AED3F81D42678CB1D6FB20456A8FB4D9FE23486D92B7DC01264B7095BADF04294E7398BDE2072C51769BC0E50A2F54799EC3E80D32577CA1C6EB10355A7FA4C9EE13385D82A7CCF1163B"> : tensor<120xi32>} : () -> tensor<120xi32>
    %90 = "stablehlo.constant"() {value = dense<[1, -2]> : tensor<2xi8>} : () -> tensor<2x!quant.uniform<i8:f32, 3.400000e+01:16>>
    return
  }
}
