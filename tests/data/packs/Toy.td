include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/BuiltinAttributes.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Toy_Dialect : Dialect {
  let name = "toy";
  let cppNamespace = "::toy";
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
}

class Toy_Op<string mnemonic, list<Trait> traits = []> : Op<Toy_Dialect, mnemonic, traits>;

def Toy_BoxType : TypeDef<Toy_Dialect, "Box"> {
  let mnemonic = "box";
  let parameters = (ins "::mlir::Type":$element);
  let assemblyFormat = "`<` $element `>`";
}

def Toy_Mode : I32EnumAttr<"Mode", "how a box is opened", [
  I32EnumAttrCase<"Fast", 0, "fast">, I32EnumAttrCase<"Safe", 1, "safe">]> {
  let cppNamespace = "::toy";
  let genSpecializedAttr = 0;
}
def Toy_ModeAttr : EnumAttr<Toy_Dialect, Toy_Mode, "mode"> {
  let assemblyFormat = "`<` $value `>`";
}

// The summary promises more than the predicate checks.
def Toy_Small : Type<CPred<"true">, "1-bit signless integer">;

def Toy_PackOp : Toy_Op<"pack", [Pure]> {
  let summary = "puts a value into a box";
  let arguments = (ins AnyType:$value);
  let results = (outs Toy_BoxType:$box);
  let assemblyFormat = "$value attr-dict `:` type($value) `->` type($box)";
}

def Toy_OpenOp : Toy_Op<"open"> {
  let summary = "takes the value out of a box";
  let arguments = (ins Toy_BoxType:$box, DefaultValuedAttr<Toy_ModeAttr, "::toy::Mode::Safe">:$mode,
                       OptionalAttr<StrAttr>:$label);
  let results = (outs AnyType:$value);
  let assemblyFormat = "$box (`mode` $mode^)? (`label` $label^)? attr-dict `:` type($box) `->` type($value)";
}

def Toy_SumOp : Toy_Op<"sum", [AttrSizedOperandSegments]> {
  let summary = "adds numbers";
  let arguments = (ins Variadic<I32>:$terms, Optional<Toy_Small>:$carry, I64Prop:$scale, UnitAttr:$wraps);
  let results = (outs I32:$total);
  let assemblyFormat = "`(` $terms `)` (`carry` $carry^ `:` type($carry))? `scale` $scale (`wraps` $wraps^)? attr-dict";
}

def Toy_RegionOp : Toy_Op<"region", [SingleBlockImplicitTerminator<"DoneOp">]> {
  let summary = "runs a body";
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$body attr-dict";
}

def Toy_DoneOp : Toy_Op<"done", [Terminator, HasParent<"RegionOp">]> {
  let summary = "ends a body";
  let assemblyFormat = "attr-dict";
}

def Toy_OddOp : Toy_Op<"odd"> {
  let summary = "has a form in C++";
  let hasCustomAssemblyFormat = 1;
}
