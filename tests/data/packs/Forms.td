include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/BuiltinAttributes.td"
include "mlir/IR/CommonTypeConstraints.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Forms_Dialect : Dialect {
  let name = "forms";
  let cppNamespace = "::forms";
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
}

class Forms_Attr<string name, string m> : AttrDef<Forms_Dialect, name> { let mnemonic = m; }
class Forms_Type<string name, string m> : TypeDef<Forms_Dialect, name> { let mnemonic = m; }
class Forms_Op<string mnemonic, list<Trait> traits = []> : Op<Forms_Dialect, mnemonic, traits>;

def Forms_Mode : I32EnumAttr<"Mode", "how to wait", [
  I32EnumAttrCase<"Never", 0, "never">, I32EnumAttrCase<"NotYet", 1, "not-yet">]> {
  let cppNamespace = "::forms";
  let genSpecializedAttr = 0;
}
def Forms_ModeAttr : EnumAttr<Forms_Dialect, Forms_Mode, "mode">;

def Forms_Flags : I32BitEnumAttr<"Flags", "what is known", [
  I32BitEnumAttrCaseNone<"none">, I32BitEnumAttrCaseBit<"odd", 0>, I32BitEnumAttrCaseBit<"prime", 1>]> {
  let cppNamespace = "::forms";
  let separator = ", ";
  let genSpecializedAttr = 0;
}

def Forms_PointAttr : Forms_Attr<"Point", "point"> {
  let summary = "a place in a plane";
  let parameters = (ins "int64_t":$x, DefaultValuedParameter<"int64_t", "7">:$y, OptionalParameter<"::mlir::StringAttr">:$label);
  let assemblyFormat = "`<` struct(params) `>`";
}

def Forms_PathAttr : Forms_Attr<"Path", "path"> {
  let parameters = (ins "PointAttr":$start, ArrayRefParameter<"int64_t">:$steps,
                        OptionalParameter<"ModeAttr">:$mode, EnumParameter<Forms_Flags>:$flags, "::forms::Mode":$after);
  let assemblyFormat = "`<` $start `[` $steps `]` (`mode` `=` $mode^)? `with` $flags `after` $after `>`";
}

def Forms_NoteAttr : Forms_Attr<"Note", "note"> {
  let parameters = (ins StringRefParameter<>:$text, "bool":$is_loud, AttributeSelfTypeParameter<"">:$type);
  let assemblyFormat = "$text `,` $is_loud";
}

def Forms_RingType : Forms_Type<"Ring", "ring"> {
  let parameters = (ins "::mlir::Type":$element, OptionalParameter<"PointAttr">:$origin);
  let assemblyFormat = "`<` $element (`at` qualified($origin)^)? `>`";
  let genMnemonicAlias = 1;
}

def Forms_PairType : Forms_Type<"Pair", "pair"> {
  let parameters = (ins "RingType":$first, "::mlir::Type":$second);
  let assemblyFormat = "`<` $first `,` $second `>`";
}

def Forms_WalkOp : Forms_Op<"walk"> {
  let arguments = (ins Forms_RingType:$ring, Forms_PathAttr:$path, Forms_PointAttr:$end);
  let results = (outs Forms_PairType:$pair);
  let assemblyFormat = "$ring `along` $path `to` $end attr-dict `:` type($ring) `->` type($pair)";
}

// The types of the parts follow from the type of the pair.
def Forms_SplitOp : Forms_Op<"split", [
    TypesMatchWith<"the first part", "pair", "first", "::llvm::cast<::forms::PairType>($_self).getFirst()">,
    TypesMatchWith<"the second part", "pair", "second", "::llvm::cast<::forms::PairType>($_self).getSecond()">,
    TypesMatchWith<"a ring of the second part", "pair", "ring",
                   "::forms::RingType::get($_self.getContext(), ::llvm::cast<::forms::PairType>($_self).getSecond(), ::forms::PointAttr())">]> {
  let arguments = (ins Forms_PairType:$pair);
  let results = (outs Forms_RingType:$first, AnyType:$second, Forms_RingType:$ring);
  let assemblyFormat = "$pair attr-dict `:` type($pair)";
}
