// releases: 16 19 22
// covers: the spirv dialect: a module with functions, globals and types of its own; control flow by its terminators.
spirv.module Logical GLSL450 requires #spirv.vce<v1.0, [Shader], []> {
  spirv.GlobalVariable @var bind(0, 1) : !spirv.ptr<!spirv.struct<(!spirv.array<4 x f32, stride=4> [0])>, StorageBuffer>
  spirv.func @f(%a: f32, %c: i1) -> f32 "None" {
    %0 = spirv.Constant 2.0 : f32
    %1 = spirv.FAdd %a, %0 : f32
    spirv.BranchConditional %c, ^yes, ^no(%1 : f32)
  ^yes:
    spirv.Branch ^no(%a : f32)
  ^no(%r: f32):
    spirv.ReturnValue %r : f32
  }
}
