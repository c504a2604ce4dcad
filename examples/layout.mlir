module @host attributes {
  dlti.dl_spec = #dlti.dl_spec<
    index = 64 : i32,
    i8 = dense<8> : vector<1xi64>,
    i32 = dense<32> : vector<1xi64>,
    i64 = dense<64> : vector<1xi64>,
    !llvm.struct<()> = dense<[64, 128]> : vector<2xi64>,
    "dlti.endianness" = "little",
    "dlti.stack_alignment" = 128 : i64>,
  dlti.target_system_spec = #dlti.target_system_spec<
    "cpu" = #dlti.target_device_spec<"cores" = 8 : i32>,
    "gpu" = #dlti.target_device_spec<"lanes" = 32 : i32>>,
  gpu.container_module
} {
  func.func @main(%size: index, %value: f64) -> i64 {
    %zero = arith.constant 0 : i64
    return %zero : i64
  }
  gpu.module @kernels attributes {
    dlti.dl_spec = #dlti.dl_spec<
      f64 = dense<64> : vector<1xi64>,
      !llvm.ptr = dense<32> : vector<3xi64>,
      !llvm.struct<()> = dense<[32, 64]> : vector<2xi64>,
      "dlti.alloca_memory_space" = 5 : ui64>
  } {
    func.func @step(%pointer: !llvm.ptr, %values: vector<3xf64>) {
      %pair = llvm.mlir.undef : !llvm.struct<(i8, ptr)>
      return
    }
  }
}
