//! The text of modules.

use super::rule::rules;

rules! {
    AsmSyntax "invalid.assembly.syntax" Invalid "the text of a module follows the grammar of MLIR" Some("look for a missing bracket, quote or comma before the place, too");
    AsmOperation "invalid.assembly.operation" Invalid "an operation in custom form exists in the release" Some("check the name, or choose the release with `--target` or `--release` or `target=`, or write an operation of another dialect in generic form, `\"dialect.name\"(…) : (…) -> (…)`");
    AsmForm "invalid.assembly.form" Invalid "the custom form of an operation can be parsed" Some("write the operation in generic form, `\"dialect.name\"(…) : (…) -> (…)`, as `mlir-opt --mlir-print-op-generic` prints it");
    AsmName "invalid.assembly.name" Invalid "values, blocks and aliases are defined once, and used with the type of their definition" Some("define the name in the same region or around it, or correct the name or the type");
    AsmContents "invalid.assembly.contents" Invalid "an operation has the operands, results, attributes, regions and successors that its text and its definition declare" Some("compare the text with the definition, which `mlirbc explain NAME` shows");
}
