#executable_target_embedded_elf_x86_64 = #hal.executable.target<"llvm-cpu", "embedded-elf-x86_64", {cpu = "generic"}>
#executable_target_embedded_elf_x86_64_1 = #hal.executable.target<"llvm-cpu", "embedded-elf-x86_64", {cpu = "x"}>
#executable_target_xyz = #hal.executable.target<"llvm-cpu", "xyz", {cpu = "x"}>
#executable_target_xyz1 = #hal.executable.target<"llvm-cpu", "xyz", {cpu = "y"}>
module {
  "t.a"() {a = #executable_target_embedded_elf_x86_64, b = #executable_target_embedded_elf_x86_64_1, c = #executable_target_xyz, d = #executable_target_xyz1} : () -> ()
}
