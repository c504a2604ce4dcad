// releases: 16 19 22
// covers: the dlti dialect: data layouts of types and identifiers, target systems and devices, maps.
"t.dlti"() {e = #dlti.dl_entry<"a.b", 1 : i8>, f = #dlti.dl_entry<tensor<4xi8>, unit>, s = #dlti.dl_spec<>} : () -> ()
