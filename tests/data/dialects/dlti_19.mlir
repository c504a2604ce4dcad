// releases: 19
// covers: the dlti dialect: data layouts of types and identifiers, target systems and devices, maps.
module attributes {dlti.target_system_spec = #dlti.target_system_spec<"CPU" : #dlti.target_device_spec<#dlti.dl_entry<"L1_cache_size_in_bytes", 4096 : i32>>, "GPU" : #dlti.target_device_spec<#dlti.dl_entry<"max_vector_op_width", 128 : i32>, #dlti.dl_entry<"x", "y">>>} {
}
