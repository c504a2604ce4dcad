omp.private {type = private} @x : f32
