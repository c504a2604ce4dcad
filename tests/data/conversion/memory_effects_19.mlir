module {
  llvm.func @f(%a: !llvm.ptr) attributes {memory = #llvm.memory_effects<other = none, argMem = read, inaccessibleMem = readwrite>} {
    llvm.return
  }
}
