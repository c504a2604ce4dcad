// releases: 16 19 22
// covers: the arith dialect: every operation, fast-math and overflow flags, rounding modes, default-valued attributes given and left out.
func.func @arith(%a: i32, %b: i32, %c: i1, %f: f32, %g: f32, %v: vector<4xi32>, %w: vector<4xf32>, %h: f16, %d: f64, %i: index, %t: tensor<?xf32>, %l: i64, %s: vector<[4]xi32>, %vi: vector<4xi1>) {
  arith.constant 0 : i32
  arith.constant -7 : i32
  arith.constant true
  arith.constant false
  arith.constant 1.5 : f32
  arith.constant -0.0 : f64
  arith.constant 0x7FC00000 : f32
  arith.constant dense<[1, -2, 3, -4]> : vector<4xi32>
  arith.constant dense<0.1> : tensor<2x3xf32>
  arith.constant sparse<[[0, 0], [1, 2]], [1, 5]> : tensor<3x4xi32>
  arith.constant dense<1> : vector<[4]xi32>
  arith.constant -1 : index
  arith.constant 18446744073709551615 : i64
  arith.constant {note = "kept"} 3 : i8
  arith.addi %a, %b : i32
  arith.subi %a, %b : i32
  arith.muli %s, %s : vector<[4]xi32>
  arith.shli %a, %b : i32
  arith.divsi %a, %b : i32
  arith.divui %a, %b : i32
  arith.ceildivsi %a, %b : i32
  arith.ceildivui %a, %b : i32
  arith.floordivsi %a, %b : i32
  arith.remsi %a, %b : i32
  arith.remui %a, %b : i32
  arith.andi %a, %b : i32
  arith.ori %a, %b : i32
  arith.xori %v, %v : vector<4xi32>
  arith.shrsi %a, %b : i32
  arith.shrui %a, %b : i32
  arith.addui_extended %a, %b : i32, i1
  arith.mului_extended %a, %b : i32
  arith.mulsi_extended %a, %b : i32
  arith.mulsi_extended %v, %v : vector<4xi32>
  arith.negf %f : f32
  arith.negf %f fastmath<fast> : f32
  arith.addf %f, %g : f32
  arith.addf %f, %g fastmath<none> : f32
  arith.addf %f, %g fastmath<nnan> : f32
  arith.addf %f, %g fastmath<ninf,nsz> : f32
  arith.addf %f, %g {rounding_mode = "upward"} : f32
  arith.subf %f, %g fastmath<arcp> : f32
  arith.mulf %w, %w fastmath<contract,reassoc> : vector<4xf32>
  arith.divf %f, %g fastmath<afn> : f32
  arith.remf %f, %g fastmath<nnan,ninf,nsz,arcp,contract,afn> : f32
  arith.maxsi %a, %b : i32
  arith.maxui %a, %b : i32
  arith.minsi %a, %b : i32
  arith.minui %a, %b : i32
  arith.extf %h : f16 to f32
  arith.extsi %a : i32 to i64
  arith.extui %a : i32 to i65
  arith.extui %a {nneg} : i32 to i64
  arith.truncf %d : f64 to f32
  arith.trunci %l : i64 to i7
  arith.sitofp %a : i32 to f32
  arith.uitofp %a : i32 to f64
  arith.uitofp %a {nneg} : i32 to f64
  arith.fptosi %f : f32 to i32
  arith.fptoui %w : vector<4xf32> to vector<4xi8>
  arith.index_cast %i : index to i64
  arith.index_cast %a : i32 to index
  arith.index_castui %i : index to i32
  arith.index_castui %a {nneg} : i32 to index
  arith.bitcast %f : f32 to i32
  arith.bitcast %v : vector<4xi32> to vector<4xf32>
  arith.cmpi eq, %a, %b : i32
  arith.cmpi ne, %a, %b : i32
  arith.cmpi slt, %a, %b : i32
  arith.cmpi sle, %a, %b : i32
  arith.cmpi sgt, %a, %b : i32
  arith.cmpi sge, %a, %b : i32
  arith.cmpi ult, %a, %b : i32
  arith.cmpi ule, %a, %b : i32
  arith.cmpi ugt, %i, %i : index
  arith.cmpi uge, %v, %v : vector<4xi32>
  arith.cmpf false, %f, %g : f32
  arith.cmpf oeq, %f, %g : f32
  arith.cmpf ogt, %f, %g : f32
  arith.cmpf oge, %f, %g : f32
  arith.cmpf ole, %f, %g : f32
  arith.cmpf one, %f, %g : f32
  arith.cmpf ord, %f, %g : f32
  arith.cmpf ueq, %f, %g : f32
  arith.cmpf ugt, %f, %g : f32
  arith.cmpf uge, %f, %g : f32
  arith.cmpf ult, %f, %g : f32
  arith.cmpf ule, %f, %g : f32
  arith.cmpf uno, %f, %g : f32
  arith.cmpf true, %w, %w : vector<4xf32>
  arith.select %c, %a, %b : i32
  arith.select %vi, %v, %v : vector<4xi1>, vector<4xi32>
  arith.select %c, %v, %v : vector<4xi32>
  return
}

func.func @casts(%m: memref<?xi32>, %x: tensor<2xindex>) -> (tensor<2xi64>, i32, memref<?xf32>) {
  %0 = arith.index_cast %x : tensor<2xindex> to tensor<2xi64>
  %1 = arith.constant 1 : i32
  %2 = arith.bitcast %1 : i32 to f32
  %3 = arith.constant 2 : i32
  %4 = arith.addi %1, %3 {a, b = "text", c = #t.c<1>} : i32
  %5 = memref.alloc() : memref<0xf32>
  %6 = memref.cast %5 : memref<0xf32> to memref<?xf32>
  return %0, %4, %6 : tensor<2xi64>, i32, memref<?xf32>
}
