// The encodings of the attributes of `Codes.td`: 28 codes, with the members of ClangIR's.
include "mlir/IR/BuiltinDialectBytecode.td"

class Ref<string type> : WithType<type, Attribute>;
class OptionalRef<string type> :
  WithParser<"succeeded($_reader.readOptionalAttribute($_var))",
  WithPrinter<"$_writer.writeOptionalAttribute($_getter)", WithType<type, Attribute>>>;
class Cast<string type, string getter> :
  WithParser<"succeeded($_reader.readVarInt($_var))",
  WithBuilder<"(" # type # ")$_args",
  WithPrinter<"$_writer.writeVarInt((uint64_t)$_name." # getter # "())", WithType<"uint64_t", VarInt>>>>;
def FlaggedInt :
  WithParser<"succeeded(readOptionalInt($_reader, $_var))",
  WithPrinter<"writeOptionalInt($_writer, $_getter)", WithType<"std::optional<uint64_t>", VarInt>>>;

def OptInfoAttr : DialectAttribute<(attr VarInt:$level, VarInt:$size)>;
def AddressPointAttr : DialectAttribute<(attr SignedVarInt:$index, SignedVarInt:$offset)>;
def OpenCLVersionAttr : DialectAttribute<(attr SignedVarInt:$major, SignedVarInt:$minor)>;
def BlockAddrInfoAttr : DialectAttribute<(attr Type:$type, Ref<"FlatSymbolRefAttr">:$function, Ref<"StringAttr">:$label)>;
def BitfieldInfoAttr : DialectAttribute<(attr Ref<"StringAttr">:$name, Type:$storageType, VarInt:$size, VarInt:$offset, Bool:$isSigned)>;
def IntAttr : DialectAttribute<(attr Type:$type, KnownWidthAPInt<"type">:$value)>;
def FPAttr : DialectAttribute<(attr Type:$type, KnownSemanticsAPFloat<"type">:$value)>;
def BoolAttr : DialectAttribute<(attr Bool:$value)>;
def ConstPtrAttr : DialectAttribute<(attr Type:$type, Ref<"IntegerAttr">:$value)>;
def CatchAllAttr : DialectAttribute<(attr)>;
def UnwindAttr : DialectAttribute<(attr)>;
def ZeroAttr : DialectAttribute<(attr Type:$type)>;
def UndefAttr : DialectAttribute<(attr Type:$type)>;
def PoisonAttr : DialectAttribute<(attr Type:$type)>;
def ConstArrayAttr : DialectAttribute<(attr Type:$type, Attribute:$elements, SignedVarInt:$trailingZeros)>;
def ConstRecordAttr : DialectAttribute<(attr Type:$type, Ref<"ArrayAttr">:$members)>;
def VTableAttr : DialectAttribute<(attr Type:$type, Ref<"ArrayAttr">:$data)>;
def BlockAddrDiffAttr : DialectAttribute<(attr Type:$type, Attribute:$lhs, Attribute:$rhs, Attribute:$function)>;
def CXXCtorAttr : DialectAttribute<(attr Type:$type, Cast<"CtorKind", "getCtorKind">:$_rawKind,
  LocalVar<"CtorKind", "(CtorKind)_rawKind">:$ctorKind, Bool:$isTrivial)>;
def CXXDtorAttr : DialectAttribute<(attr Type:$type, Bool:$isTrivial)>;
def CXXAssignAttr : DialectAttribute<(attr Type:$type, Cast<"CtorKind", "getAssignKind">:$_rawKind,
  LocalVar<"CtorKind", "(CtorKind)_rawKind">:$assignKind, Bool:$isTrivial)>;
def GlobalViewAttr : DialectAttribute<(attr Type:$type, Ref<"FlatSymbolRefAttr">:$symbol, OptionalRef<"ArrayAttr">:$indices)>;
def TypeInfoAttr : DialectAttribute<(attr Type:$type, Ref<"ArrayAttr">:$data)>;
def DynamicCastInfoAttr : DialectAttribute<(attr Ref<"GlobalViewAttr">:$source, Ref<"GlobalViewAttr">:$destination,
  Ref<"FlatSymbolRefAttr">:$runtime, Ref<"FlatSymbolRefAttr">:$badCast, Ref<"IntegerAttr">:$hint)>;
def ConstVectorAttr : DialectAttribute<(attr Type:$type, Ref<"ArrayAttr">:$elements)>;
def ConstComplexAttr : DialectAttribute<(attr Type:$type, Attribute:$real, Attribute:$imag)>;
def DataMemberAttr : DialectAttribute<(attr Type:$type, OptionalRef<"ArrayAttr">:$path)>;
def MethodAttr : DialectAttribute<(attr Type:$type, OptionalRef<"FlatSymbolRefAttr">:$symbol, FlaggedInt:$vtableOffset)>;

def CodesDialectAttributes : DialectAttributes<"Codes"> {
  let elems = [
    OptInfoAttr, AddressPointAttr, OpenCLVersionAttr, BlockAddrInfoAttr, BitfieldInfoAttr, IntAttr, FPAttr, BoolAttr,
    ConstPtrAttr, CatchAllAttr, UnwindAttr, ZeroAttr, UndefAttr, PoisonAttr, ConstArrayAttr, ConstRecordAttr, VTableAttr,
    BlockAddrDiffAttr, CXXCtorAttr, CXXDtorAttr, CXXAssignAttr, GlobalViewAttr, TypeInfoAttr, DynamicCastInfoAttr,
    ConstVectorAttr, ConstComplexAttr, DataMemberAttr, MethodAttr
  ];
}
