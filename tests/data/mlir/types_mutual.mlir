// releases: 16 19 22
// covers: structures of the llvm dialect that contain themselves by name, whose text repeats the name only.
%0 = "t.def"() : () -> !llvm.struct<"node", (i32, ptr, struct<"inner", (array<2 x i8>)>)>
%1 = "t.def"() : () -> !llvm.struct<"loop", (struct<"mid", (array<2 x struct<"leaf", packed (i8, i64)>>)>)>
%2 = "t.def"() : () -> !llvm.struct<"opaque", opaque>
"t.use"(%0, %1) : (!llvm.struct<"node", (i32, ptr, struct<"inner", (array<2 x i8>)>)>, !llvm.struct<"loop", (struct<"mid", (array<2 x struct<"leaf", packed (i8, i64)>>)>)>) -> ()
