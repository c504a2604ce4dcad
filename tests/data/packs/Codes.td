// A dialect whose attributes have encodings (`CodesBytecode.td`), with the parameters of ClangIR's. Formats have parameters by
// name, in order, optional, in groups, of an enumeration, and of C++.
include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/BuiltinAttributes.td"

def Codes_Dialect : Dialect {
  let name = "codes";
  let cppNamespace = "::codes";
  let useDefaultAttributePrinterParser = 1;
}

class Codes_Attr<string name, string mnem> : AttrDef<Codes_Dialect, name> {
  let mnemonic = mnem;
}

def Codes_CtorKind : I32EnumAttr<"CtorKind", "a kind of constructor", [
  I32EnumAttrCase<"Custom", 0, "custom">, I32EnumAttrCase<"Default", 1, "default">,
  I32EnumAttrCase<"Copy", 2, "copy">]> {
  let cppNamespace = "::codes";
  let genSpecializedAttr = 0;
}

def Codes_OptInfo : Codes_Attr<"OptInfo", "opt_info"> {
  let parameters = (ins "unsigned":$level, "unsigned":$size);
  let assemblyFormat = "`<` `level` `=` $level `,` `size` `=` $size `>`";
}
def Codes_AddressPoint : Codes_Attr<"AddressPoint", "address_point"> {
  let parameters = (ins "int32_t":$index, "int32_t":$offset);
  let assemblyFormat = "`<` struct(params) `>`";
}
def Codes_OpenCLVersion : Codes_Attr<"OpenCLVersion", "cl.version"> {
  let parameters = (ins "int32_t":$major, "int32_t":$minor);
  let assemblyFormat = "`<` params `>`";
}
def Codes_BlockAddrInfo : Codes_Attr<"BlockAddrInfo", "block_addr_info"> {
  let parameters = (ins "::mlir::Type":$type, "::mlir::FlatSymbolRefAttr":$function, "::mlir::StringAttr":$label);
  let assemblyFormat = "`<` $type `,` $function `,` $label `>`";
}
def Codes_BitfieldInfo : Codes_Attr<"BitfieldInfo", "bitfield_info"> {
  let parameters = (ins "::mlir::StringAttr":$name, "::mlir::Type":$storageType, "uint64_t":$size,
                        "uint64_t":$offset, "bool":$isSigned);
  let assemblyFormat = "`<` struct(params) `>`";
}
def Codes_Int : Codes_Attr<"Int", "int"> {
  let parameters = (ins "::mlir::Type":$type, "::llvm::APInt":$value);
  let assemblyFormat = "`<` $type `,` $value `>`";
}
def Codes_FP : Codes_Attr<"FP", "fp"> {
  let parameters = (ins "::mlir::Type":$type, "::llvm::APFloat":$value);
  let hasCustomAssemblyFormat = 1;
}
def Codes_Bool : Codes_Attr<"Bool", "bool"> {
  let parameters = (ins "bool":$value);
  let assemblyFormat = "`<` $value `>`";
}
class Codes_Typed<string name, string mnem, dag more = (ins)> : Codes_Attr<name, mnem> {
  let parameters = !con((ins "::mlir::Type":$type), more);
  let assemblyFormat = "`<` params `>`";
}
def Codes_ConstPtr : Codes_Typed<"ConstPtr", "ptr", (ins "::mlir::IntegerAttr":$value)>;
def Codes_CatchAll : Codes_Attr<"CatchAll", "all">;
def Codes_Unwind : Codes_Attr<"Unwind", "unwind">;
def Codes_Zero : Codes_Typed<"Zero", "zero">;
def Codes_Undef : Codes_Typed<"Undef", "undef">;
def Codes_Poison : Codes_Typed<"Poison", "poison">;
def Codes_ConstArray : Codes_Typed<"ConstArray", "const_array",
  (ins "::mlir::Attribute":$elements, "int32_t":$trailingZeros)>;
def Codes_ConstRecord : Codes_Typed<"ConstRecord", "const_record", (ins "::mlir::ArrayAttr":$members)>;
def Codes_VTable : Codes_Typed<"VTable", "vtable", (ins "::mlir::ArrayAttr":$data)>;
def Codes_BlockAddrDiff : Codes_Typed<"BlockAddrDiff", "block_addr_diff",
  (ins "::mlir::Attribute":$lhs, "::mlir::Attribute":$rhs, "::mlir::Attribute":$function)>;
def Codes_CXXCtor : Codes_Attr<"CXXCtor", "cxx_ctor"> {
  let parameters = (ins "::mlir::Type":$type, EnumParameter<Codes_CtorKind>:$ctorKind, DefaultValuedParameter<"bool", "false">:$isTrivial);
  let assemblyFormat = "`<` $type `,` $ctorKind (`,` `trivial` $isTrivial^)? `>`";
}
def Codes_CXXDtor : Codes_Typed<"CXXDtor", "cxx_dtor", (ins DefaultValuedParameter<"bool", "false">:$isTrivial)>;
def Codes_CXXAssign : Codes_Attr<"CXXAssign", "cxx_assign"> {
  let parameters = (ins "::mlir::Type":$type, EnumParameter<Codes_CtorKind>:$assignKind, DefaultValuedParameter<"bool", "false">:$isTrivial);
  let assemblyFormat = "`<` struct(params) `>`";
}
def Codes_GlobalView : Codes_Attr<"GlobalView", "global_view"> {
  let parameters = (ins "::mlir::Type":$type, "::mlir::FlatSymbolRefAttr":$symbol, OptionalParameter<"::mlir::ArrayAttr">:$indices);
  let assemblyFormat = "`<` $symbol (`,` $indices^)? `:` $type `>`";
}
def Codes_TypeInfo : Codes_Typed<"TypeInfo", "typeinfo", (ins "::mlir::ArrayAttr":$data)>;
def Codes_DynamicCastInfo : Codes_Attr<"DynamicCastInfo", "dyn_cast_info"> {
  let parameters = (ins "GlobalViewAttr":$source, "GlobalViewAttr":$destination, "::mlir::FlatSymbolRefAttr":$runtime,
                        "::mlir::FlatSymbolRefAttr":$badCast, "::mlir::IntegerAttr":$hint);
  let assemblyFormat = "`<` struct(params) `>`";
}
def Codes_ConstVector : Codes_Typed<"ConstVector", "const_vector", (ins "::mlir::ArrayAttr":$elements)>;
def Codes_ConstComplex : Codes_Typed<"ConstComplex", "const_complex",
  (ins "::mlir::Attribute":$real, "::mlir::Attribute":$imag)>;
def Codes_DataMember : Codes_Typed<"DataMember", "data_member", (ins OptionalParameter<"::mlir::ArrayAttr">:$path)>;
def Codes_Method : Codes_Attr<"Method", "method"> {
  let parameters = (ins "::mlir::Type":$type, OptionalParameter<"::mlir::FlatSymbolRefAttr">:$symbol,
                        OptionalParameter<"std::optional<uint64_t>">:$vtableOffset);
  let hasCustomAssemblyFormat = 1;
}

def Codes_HoldOp : Op<Codes_Dialect, "hold"> {
  let arguments = (ins AnyAttr:$value);
  let assemblyFormat = "$value attr-dict";
}
