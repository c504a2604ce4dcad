// releases: 16
// covers: more operations of the spirv dialect, each once in generic form with the types and attributes it asks for.
"t.all"() ({
  "t.with"() ({
    ^bb0(%a0: !spirv.ptr<i32, StorageBuffer>, %a1: i32):
      "spirv.AtomicIAdd"(%a0, %a1) {memory_scope = #spirv.scope<Subgroup>, semantics = #spirv.memory_semantics<None>} : (!spirv.ptr<i32, StorageBuffer>, i32) -> i8
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !spirv.ptr<i32, StorageBuffer>):
      "spirv.AtomicIIncrement"(%a0) {memory_scope = #spirv.scope<Subgroup>, semantics = #spirv.memory_semantics<None>} : (!spirv.ptr<i32, StorageBuffer>) -> i8
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !spirv.ptr<f32, StorageBuffer>, %a1: f32):
      "spirv.EXT.AtomicFAdd"(%a0, %a1) {memory_scope = #spirv.scope<Subgroup>, semantics = #spirv.memory_semantics<None>} : (!spirv.ptr<f32, StorageBuffer>, f32) -> f16
    }) : () -> ()
}) : () -> ()
