//! Rules of MLIR's verifier about operations, beyond their definitions.

use super::rule::rules;

rules! {
    OpControlFlow "invalid.operation.control_flow" Invalid "no operation branches to the entry block of a region, and only the last operation of a block has successors" Some("branch to a block of its own, and end a block with each branch");
    OpBranch "invalid.operation.branch" Invalid "a branch passes values of the types of the arguments of its successor" Some("pass one value of the right type for each argument of the block");
    OpDominance "invalid.operation.dominance" Invalid "a value is defined on every path to its use, unless the region is a graph" Some("move the definition before the use, or pass the value to the block as an argument");
    OpIsolation "invalid.operation.isolation" Invalid "an operation that is isolated from above contains no use of a value from outside" Some("define the value inside the operation, or pass it as an argument");
    OpSymbol "invalid.operation.symbol" Invalid "a symbol has a name of its own in its table, a visibility that MLIR knows, and no results, and a public function has a body" Some("rename one of the symbols, or correct its `sym_visibility`: `public`, `private` or `nested`");
}
