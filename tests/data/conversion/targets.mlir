module attributes {t.a = #nvvm.target<chip = "sm_90">, t.b = #omp.declaretarget<device_type = (any), capture_clause = (to)>, t.c = #llvm.di_derived_type<name = "x">} {}
