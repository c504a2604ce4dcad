// releases: 19 22
// covers: the dlti dialect: data layouts of types and identifiers, target systems and devices, maps.
module attributes {dlti.dl_spec = #dlti.dl_spec<#dlti.dl_entry<i32, dense<32> : vector<2xi64>>, #dlti.dl_entry<"dlti.endianness", "little">, #dlti.dl_entry<index, 64 : i32>, #dlti.dl_entry<"dlti.alloca_memory_space", 5 : ui32>, #dlti.dl_entry<f80, dense<128> : vector<2xi64>>, #dlti.dl_entry<"t.custom", #t.c<1>>>} {
}
