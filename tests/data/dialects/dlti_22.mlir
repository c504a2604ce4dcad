// releases: 22
// covers: the dlti dialect: data layouts of types and identifiers, target systems and devices, maps.
module attributes {dlti.dl_spec = #dlti.dl_spec<"dlti.endianness" = "big", i8 = dense<8> : vector<2xi64>, !llvm.ptr = dense<64> : vector<4xi64>, !llvm.ptr<3> = dense<[32, 32, 64, 16]> : vector<4xi64>, "dlti.stack_alignment" = 128 : i64, "dlti.mangling_mode" = "e">} {
}

module attributes {dlti.target_system_spec = #dlti.target_system_spec<"CPU" = #dlti.target_device_spec<"L1_cache_size_in_bytes" = 4096 : i32>, "GPU" = #dlti.target_device_spec<"max_vector_op_width" = 128 : i64, "a.b" = "c">>} {
}

"t.dlti"() {m = #dlti.map<i32 = #dlti.map<"a" = 1 : i8, "b" = [1, 2]>, "k" = "v">, f = #dlti.function_pointer_alignment<64, function_dependent = true>} : () -> ()

"t.dlti"() {f = #dlti.function_pointer_alignment<32, function_dependent = false>} : () -> ()
