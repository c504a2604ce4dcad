// releases: 22
// covers: aliases of attributes: maps and sets shared and used once, in types, in arguments, in locations, several dialects with one base name, nested into each other.
"t.x"() {a = #dlti.target_system_spec<"CPU" = #dlti.target_device_spec<"x" = 4096 : i32>>, b = #dlti.target_device_spec<"y" = 1 : i8>, c = #dlti.map<"k" = 1 : i8>, d = #dlti.map<"k" = 2 : i8>} : () -> ()
