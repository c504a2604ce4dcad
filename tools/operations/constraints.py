"""Rows for attributes, properties and types, which describe the text of a value of a constraint.

An attribute row has `text`, how a format prints it: `symbol` (`@name`), `typed` (without its suffix `:
type`, which the reader supplies), `case` (the name of a case of an integer enumeration), `stripped` (without
`#dialect.mnemonic`), `array` (a dense array as `[1, 2]`), `unit` or `full`.
`mlir/tools/mlir-tblgen/OpFormatGen.cpp` (genAttrVariablePrinter, shouldFormatSymbolNameAttr,
canFormatEnumAttr) has the rules.

A type row has `text` when every value of the constraint is that type, and `class` when values are of one
class of a dialect, whose prefix `type($x)` leaves out.
"""

import re
from typing import Any

from tblgen import Records, arguments, classes

INTEGER = re.compile(r"\$_builder\.getIntegerType\((\d+)(?:, /\*isSigned=\*/(true|false))?\)$")
FLOAT = re.compile(
    r"\$_builder\.(?:getF(\d+)Type\(\)|getType<(?:::mlir::)?(?:Float(\w+)Type|BFloat16Type)>\(\))$"
)
VECTOR = re.compile(r"::mlir::VectorType::get\(\{(\d+)\}\s*,\s*(.*?)\s*\);?$")
POINTER = re.compile(r"\$_builder\.getType<::mlir::LLVM::LLVMPointerType>\((\d+)\)$")
# Before MLIR 17, pointers had types of elements.
POINTER_TO = re.compile(
    r"::mlir::LLVM::LLVMPointerType::get\(::mlir::IntegerType::get\(\$_builder\.getContext\(\), (\d+)\), (\d+)\)$"
)
PDL_RANGE = re.compile(r"::mlir::pdl::RangeType::get\((.+)\)$")
PLAIN = re.compile(r"(?:\$_builder\.getType<(.+)>\(\)|([\w:]+)::get\(\$_builder\.getContext\(\)\))$")

FIXED = {
    "$_builder.getIndexType()": "index",
    "$_builder.getI16Type()": "i16",
    "$_builder.getType<::mlir::NoneType>()": "none",
    "$_builder.getType<::mlir::IndexType>()": "index",
    "::mlir::RankedTensorType::get({ShapedType::kDynamic}, $_builder.getType<::mlir::IndexType>())": "tensor<?xindex>",  # noqa: E501
    "::mlir::LLVM::LLVMStructType::getLiteral($_builder.getContext(), {$_builder.getIntegerType(32), "
    "$_builder.getIntegerType(32)})": "!llvm.struct<(i32, i32)>",
    "::mlir::LLVM::LLVMTokenType::get($_builder.getContext())": "!llvm.token",
}

# Types whose classes are written in C++, with their names, which only `HALDialect::parseType` has.
IN_CPP = {
    f"IREE::HAL::{name}Type": "hal." + re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()
    for name in (
        *("Allocator", "Buffer", "BufferView", "Channel", "CommandBuffer"),
        *("Device", "Executable", "Fence", "File"),
    )
}


def unqualified(cpp_class: str) -> str:
    """A C++ class as `namespace::Name`, without `mlir`."""
    return cpp_class.strip().removeprefix("::").removeprefix("mlir::")


class Constraints:
    """The rows of one release, shared between constraints of equal content."""

    def __init__(self) -> None:
        self.rows: dict[str, dict[str, Any]] = {}
        # `namespace::Class` of every type and attribute of a dialect, with its name `dialect.mnemonic`.
        self.mnemonics: dict[str, str] = {}

    def note_classes(self, records: Records) -> None:
        for class_name in ("TypeDef", "AttrDef"):
            for record in records.instances(class_name):
                dialect = records.named(record.get("dialect"))
                if dialect and record.get("mnemonic"):
                    cpp_class = unqualified(dialect["cppNamespace"]) + "::" + record["cppClassName"]
                    self.mnemonics.setdefault(cpp_class, f"{dialect['name']}.{record['mnemonic']}")

    def add(self, name: str, row: dict[str, Any]) -> str:
        """The name under which a row is kept; a row of other content never takes a name that is taken."""
        chosen, count = name, 1
        while self.rows.get(chosen, row) != row:
            count += 1
            chosen = f"{name} #{count}"
        self.rows[chosen] = row
        return chosen

    def built_type(self, builder: str) -> str | None:
        """The text of the only type of a constraint, from the C++ that builds it."""
        builder = re.sub(r"\s+", " ", builder.strip())
        if builder in FIXED:
            return FIXED[builder]
        if match := INTEGER.match(builder):
            return {None: "i", "true": "si", "false": "ui"}[match[2]] + match[1]
        if match := FLOAT.match(builder):
            return (
                f"f{match[1] or match[2].removeprefix('32').rjust(0) or 32}"
                if match[1] or match[2]
                else "bf16"
            )
        if match := VECTOR.match(builder):
            element = self.built_type(match[2])
            return element and f"vector<{match[1]}x{element}>"
        if match := POINTER.match(builder):
            return "!llvm.ptr" if match[1] == "0" else f"!llvm.ptr<{match[1]}>"
        if match := POINTER_TO.match(builder):
            return f"!llvm.ptr<i{match[1]}>" if match[2] == "0" else f"!llvm.ptr<i{match[1]}, {match[2]}>"
        if match := PDL_RANGE.match(builder):
            element = self.built_type(match[1])
            return element and f"!pdl.range<{element.removeprefix('!pdl.')}>"
        if match := PLAIN.match(builder):
            cpp_class = unqualified(match[1] or match[2])
            mnemonic = self.mnemonics.get(cpp_class) or IN_CPP.get(cpp_class.removeprefix("iree_compiler::"))
            return mnemonic and "!" + mnemonic
        return None

    def type_row(self, records: Records, record: dict[str, Any]) -> str:
        row: dict[str, Any] = {}
        summary = record.get("summary") or ""
        if summary:
            row["summary"] = summary
        if record.get("builderCall"):
            text = self.built_type(record["builderCall"])
            if text is not None:
                row["text"] = text
        # Before release 20 the field has the other name, and types of dialects have no namespace in it.
        cpp_class = unqualified(record.get("cppType") or record.get("cppClassName") or "")
        dialect = records.named(record.get("dialect"))
        if dialect and "::" not in cpp_class:
            cpp_class = f"{unqualified(dialect['cppNamespace'])}::{cpp_class}"
        mnemonic = self.mnemonics.get(cpp_class)
        if mnemonic is not None:
            row["class"] = mnemonic
        name = record["!name"]
        return self.add(summary if name.startswith("anonymous") else name, row)

    def attribute_row(self, records: Records, record: dict[str, Any]) -> str:
        base = record
        while inner := records.named(base.get("baseAttr")):
            base = inner
        row: dict[str, Any] = {}
        if record.get("summary"):
            row["summary"] = record["summary"]
        storage = unqualified(base.get("storageType") or "")
        if storage:
            row["storage"] = storage
        value_type = records.named(base.get("valueType"))
        built = value_type and value_type.get("builderCall") and self.built_type(value_type["builderCall"])
        if base["!name"] == "SymbolNameAttr" or "SymbolNameAttr" in classes(base):
            row["text"] = "symbol"
        elif "EnumAttrInfo" in classes(base) and "EnumAttr" not in classes(base):
            row |= {"text": "case", "type": built, "enum": enum_row(records, base)}
        elif storage == "UnitAttr":
            row["text"] = "unit"
        elif storage in self.mnemonics:
            row |= {"text": "stripped", "class": self.mnemonics[storage]}
            enum = records.named(base.get("enum"))
            if enum is not None:
                row["enum"] = enum_row(records, enum)
            if base.get("assemblyFormat"):
                row["format"] = base["assemblyFormat"]
        elif match := re.match(r"Dense(\w+)ArrayAttr$", storage):
            row |= {"text": "array", "type": {"Bool": "i1"}.get(match[1], match[1].lower())}
        elif built and storage != "SymbolRefAttr" and storage != "FlatSymbolRefAttr":
            row |= {"text": "typed", "type": built}
        else:
            row["text"] = "full"
        name = record["!name"]
        return self.add(row.get("summary", "attribute") if name.startswith("anonymous") else name, row)

    def property_row(self, records: Records, record: dict[str, Any]) -> str:
        row: dict[str, Any] = {"summary": record.get("summary") or "", "text": "property"}
        kinds = classes(record) | {record["!name"]}
        for name in (
            "UnitProp",
            "OptionalProp",
            "ArrayProp",
            "EnumProp",
            "NamedEnumProp",
            "IntProp",
            "BoolProp",
        ):
            if name in kinds:
                row.setdefault("kinds", []).append(name)
        inner = record
        while nested := records.named(inner.get("baseProperty") or inner.get("wrappedProperty")):
            inner = nested
        enum = records.named(record.get("enum")) or records.named(inner.get("enum"))
        if enum is not None:
            row["enum"] = enum_row(records, enum)
        name = record["!name"]
        return self.add(row["summary"] if name.startswith("anonymous") else name, row)


def enum_row(records: Records, record: dict[str, Any]) -> dict[str, Any]:
    """The cases of an enumeration as [value, text], and the separator of one that is a set of bits."""
    cases = [case for case in map(records.named, record.get("enumerants") or ()) if case]
    row: dict[str, Any] = {"cases": [[case["value"], case["str"]] for case in cases]}
    if record.get("separator"):
        row["separator"] = record["separator"]
    return row


__all__ = ["Constraints", "arguments", "unqualified"]
