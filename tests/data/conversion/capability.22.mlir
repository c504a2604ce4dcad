module attributes {t.a = #spirv.vce<v1.0, [Shader, ReplicatedCompositesEXT], []>} {}
