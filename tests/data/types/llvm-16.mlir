module {
  llvm.func @g(%arg0: i32, %arg1: !llvm.ptr<struct<(i8, ptr<i32>)>>, %arg2: !llvm.ptr<3>, %arg3: !llvm.ptr) {
    %0 = llvm.alloca %arg0 x i32 : (i32) -> !llvm.ptr<i32>
    %1 = llvm.alloca %arg0 x !llvm.struct<(i8, ptr<i32>)> : (i32) -> !llvm.ptr<struct<(i8, ptr<i32>)>, 5>
    %2 = llvm.alloca %arg0 x i32 : (i32) -> !llvm.ptr
    %3 = llvm.load %0 : !llvm.ptr<i32>
    %4 = llvm.load %arg3 : !llvm.ptr -> i32
    %5 = llvm.load %arg2 : !llvm.ptr<3> -> i8
    llvm.store %3, %0 : !llvm.ptr<i32>
    llvm.store %3, %arg3 : i32, !llvm.ptr
    %6 = llvm.mlir.constant(true) : i1
    %7 = llvm.select %6, %4, %4 : i1, i32
    llvm.return
  }
  spirv.func @v(%arg0: i32) "None" {
    %0 = spirv.Variable : !spirv.ptr<i32, Function>
    %1 = spirv.AtomicIAdd "Device" "None" %0, %arg0 : !spirv.ptr<i32, Function>
    %2 = spirv.Load "Function" %0 : i32
    spirv.Return
  }
}
