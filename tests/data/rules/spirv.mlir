spirv.module Logical GLSL450 {
  spirv.func @helper(%a: i32, %b: f32) -> f32 "None" {
    %0 = spirv.ConvertSToF %a : i32 to f32
    %1 = spirv.FAdd %0, %b : f32
    spirv.ReturnValue %1 : f32
  }
  spirv.func @main(%a: i32, %b: f32, %c: i1) "None" {
    %0 = spirv.FunctionCall @helper(%a, %b) : (i32, f32) -> f32
    %1 = spirv.Variable : !spirv.ptr<f32, Function>
    spirv.Store "Function" %1, %0 : f32
    %2 = spirv.Load "Function" %1 : f32
    %3 = spirv.Constant 2.0 : f32
    %4 = spirv.FMul %2, %3 : f32
    %5 = spirv.Select %c, %4, %3 : i1, f32
    %6 = spirv.CompositeConstruct %4, %5 : (f32, f32) -> vector<2xf32>
    %7 = spirv.CompositeExtract %6[1 : i32] : vector<2xf32>
    spirv.Return
  }
}
