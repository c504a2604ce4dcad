//! Functions of `ml_program` (`mlir/lib/Dialect/MLProgram/IR/MLProgramOps.cpp`).

use crate::assembly::blocks::function;

forms! {
    Function: "func" | "subgraph" => function,
}
