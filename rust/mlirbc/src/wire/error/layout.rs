//! Data layout specifications, system descriptions and queries.

use super::rule::rules;

const ENTRY: Option<&str> =
    Some("change the entry that the message names; see docs/reference/data-layout.md");

rules! {
    LayoutDuplicateKey "layout.duplicate_key" Invalid "a key occurs at most once in a specification" ENTRY;
    LayoutEmptyKey "layout.empty_key" Invalid "a string key is not empty" ENTRY;
    LayoutTypeKey "layout.type_key" Invalid "devices and their properties have string keys" ENTRY;
    LayoutEmptyList "layout.empty_list" Invalid "a system has at least one device, and a device at least one property" ENTRY;
    LayoutNotADevice "layout.not_a_device" Invalid "the values of a system are `#dlti.target_device_spec` attributes" ENTRY;
    LayoutNotAnEntry "layout.not_an_entry" Invalid "an item is `key = value` or `#dlti.dl_entry<key, value>`" ENTRY;
    LayoutUnknownMnemonic "layout.unknown_mnemonic" Invalid "the attribute is one that LLVM 22 has in the dlti dialect" ENTRY;
    LayoutAttributeKind "layout.wrong_attribute_kind" Invalid "an attribute named `dlti.dl_spec`, `dlti.target_system_spec` or `dlti.map` is of that kind" ENTRY;
    LayoutUnknownAttribute "layout.unknown_dlti_attribute" Invalid "the only attributes of operations whose names start with `dlti.` are those that MLIR defines" ENTRY;
    LayoutTwoSpecs "layout.two_specs" Invalid "an operation has at most one specification" Some("remove one of them; MLIR reports an error and then uses the attribute whose name sorts first");
    LayoutUnknownScope "layout.unknown_scope" Invalid "an operation with a data layout specification is registered as a scope or as not a scope" Some("use `register_scope` to specify whether the operation is a scope");
    LayoutIndexEntry "layout.index_entry_kind" Invalid "the entry for `index` is an integer attribute" ENTRY;
    LayoutEntryKind "layout.entry_kind" Invalid "an entry has the kind of attribute that its type requires" ENTRY;
    LayoutElementType "layout.entry_element_type" Invalid "the numbers of an entry are 64-bit integers" ENTRY;
    LayoutArity "layout.entry_arity" Invalid "an entry has as many numbers as its type requires" ENTRY;
    LayoutPreferred "layout.preferred_below_abi" Invalid "the preferred alignment is not less than the ABI alignment" ENTRY;
    LayoutByteMultiple "layout.not_byte_multiple" Invalid "the numbers of `#ptr.spec` are multiples of 8" ENTRY;
    LayoutStructKey "layout.struct_key_not_empty" Invalid "the key for all structs is the literal struct without fields" Some("use `!llvm.struct<()>`");
    LayoutBuiltinKey "layout.builtin_key_not_supported" Invalid "a key that is a builtin type is an integer type, a float type or `index`" ENTRY;
    LayoutTypeHooks "layout.type_without_layout_hooks" Invalid "a type that is a key has a data layout" Some("register a layout for the type with `layout.register` or `--layouts`");
    LayoutEndianness "layout.endianness_value" Invalid "endianness is `\"big\"` or `\"little\"`" ENTRY;
    LayoutStack "layout.stack_alignment_value" Invalid "the stack alignment is an integer attribute" Some("use an integer attribute; MLIR does not check this and reads an unrelated value");
    LayoutUnknownKey "layout.unknown_dlti_key" Invalid "a key that starts with `dlti.` is one that LLVM 22 defines" ENTRY;
    LayoutForeignKey "layout.dialect_without_identifier_entries" Invalid "a key `dialect.name` belongs to a dialect that defines keys, or to one that the module does not use" ENTRY;
    LayoutCombine "layout.specs_do_not_combine" Invalid "a specification is compatible with those of the enclosing scopes" ENTRY;
    LayoutNestedBuiltin "layout.nested_builtin_class" Invalid "nested specifications do not both have entries for the same class of builtin types" Some("remove the entry from one of the two specifications; MLIR 22 crashes here; without `strict`, the inner entry applies");
    LayoutNestedPointer "layout.nested_pointer_same_space" Invalid "nested specifications do not both have entries for the same address space" Some("remove the entry from one of the two specifications; MLIR 22 crashes here; without `strict`, the inner entry applies if it is compatible");
    LayoutIncompatible "layout.incompatible_change" Invalid "a transformation keeps sizes and identifiers, and does not reduce alignments" ENTRY;
    LayoutNone "layout.no_layout_for_type" Invalid "the type has a data layout" Some("register a layout for the type with `layout.register` or `--layouts`");
    LayoutZero "layout.zero_alignment" Invalid "an alignment is not zero" Some("use an alignment of at least 1; MLIR 22 divides by zero here");
    LayoutScalable "layout.scalable_array_element" Invalid "the elements of an array have a fixed size" ENTRY;
    LayoutOverflow "layout.overflow" Invalid "sizes and alignments are less than 2^64" Some("use smaller sizes; MLIR uses the lower 64 bits");
    LayoutTable "layout.table" Invalid "a layout table has the documented keys and formulas" Some("see docs/reference/data-layout.md");
    LayoutTypeClass "layout.type_class" Invalid "the functions of a registered layout return sizes and alignments that are integers of at least 0" Some("correct the functions of the registered layout");
    LayoutFixedRule "layout.fixed_rule" Invalid "a registered layout is for a class of types that has no rule in MLIR" Some("name the class of a dialect's type, e.g. `toy.matrix`, or of a builtin type without a layout; the entries of a specification change sizes and alignments of other types");
    LayoutKeyNotFound "layout.key_not_found" Invalid "the key has a value" Some("print the specification with `mlirbc layout` and query a key that it has");
    LayoutNotQueryable "layout.not_queryable" Invalid "every key except the last has a queryable value" Some("print the specification with `mlirbc layout` and query a key that it has");
    LayoutNoQueryable "layout.no_queryable_attribute" Invalid "the operation, or one that encloses it, has a queryable attribute" Some("print the specification with `mlirbc layout` and query an operation that has one");
    LayoutBitWidth "layout.bit_width_differs" Invalid "both types of a bit cast have the same number of bits" Some("use types of the same size");
    LayoutShape "layout.shape_differs" Invalid "a bit cast keeps the shape except for the last dimension of a vector" Some("use types of the same shape");
    LayoutOperandType "layout.bad_operand_type" Invalid "the operation accepts the operand type" Some("use a type that the operation accepts");
}
