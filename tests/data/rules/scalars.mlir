func.func @scalars(%a: i32, %b: i32, %x: f32, %i: index, %v: vector<4xf32>) -> (i64, vector<4xf32>) {
  %c = arith.constant 7 : i32
  %0 = arith.addi %a, %b : i32
  %1 = arith.muli %0, %c : i32
  %2 = arith.cmpi slt, %1, %a : i32
  %3 = arith.select %2, %0, %1 : i32
  %4 = arith.extsi %3 : i32 to i64
  %5 = arith.trunci %4 : i64 to i16
  %6 = arith.index_cast %i : index to i64
  %7 = arith.sitofp %5 : i16 to f32
  %8 = arith.truncf %7 : f32 to f16
  %9 = arith.extf %8 : f16 to f64
  %10 = arith.bitcast %x : f32 to i32
  %11 = math.sqrt %v : vector<4xf32>
  %12 = vector.broadcast %x : f32 to vector<4xf32>
  %13 = arith.mulf %11, %12 : vector<4xf32>
  %14 = vector.insert %x, %13 [1] : f32 into vector<4xf32>
  %15 = arith.addi %4, %6 : i64
  return %15, %14 : i64, vector<4xf32>
}
