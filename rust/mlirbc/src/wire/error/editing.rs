//! Values that callers create, and edits of modules.

use super::rule::rules;

rules! {
    Value "invalid.value" Invalid "a value is valid for its attribute, type, operation or resource" Some("pass a value of the kind that the message names");
    Definition "invalid.definition" Invalid "a new operation has the operands, results, attributes, regions and successors of its definition" Some("`mlirbc explain NAME` shows the definition; `verify=False` (`NewOperation::is_unchecked`) creates the operation as it is");
    Erased "invalid.erased" Invalid "operations, blocks, regions and values that an edit uses have not been erased" Some("look the operation, block, region or value up again after erasing");
    Edit "invalid.edit" Invalid "an edit leaves the structure of the module valid" Some("change what the message names first, for example remove the uses of a value before erasing it");
    AmbiguousSymbol "invalid.ambiguous_symbol" Invalid "a symbol name refers to one symbol" Some("pass the symbol table that contains the symbol as `scope`, or give its path, `outer::inner`");
    ResourceSize "invalid.resource_size" Invalid "the size of a resource is the size that its type requires" Some("set an attribute of the new type first, or allow the new size with `resize=True` or `--resize`");
    Merge "invalid.merge" Invalid "merged modules have equal attributes, and one definition for each public symbol" Some("rename public symbols with `--rename` or `rename=True`, or make the modules agree first");
    Weights "invalid.weights" Invalid "the tensors of a file have the names, dtypes and shapes of the weights of a module" Some("`mlirbc weights FILE` lists the weights of a module; `--allow-missing` and `--allow-extra` accept differences in names");
    Ir "invalid.ir" Invalid "operations, blocks and values form a valid module" Some("correct the operation that the path names, or write it anyway with `verify=False` or `--no-verify`");
}
