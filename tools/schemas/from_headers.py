"""Property layouts of a release, read from the C++ that mlir-tblgen made for it.

The order on the wire is the order of statements in the generated `readProperties`, which must agree with
`writeProperties`. Names in the attribute dictionary come from `setPropertiesFromAttr`, the spelling of native
properties from `getPropertiesAsAttr`, restrictions from the attribute constraints. A statement that is not
one of the known ones puts the operation under `unmodelled`; nothing is guessed.

    from_headers.py --release llvm-22 --version 22.1.8 --producer MLIR22. --oracle mlir-opt-22 \\
        --out llvm-22.json INCLUDE_DIRECTORY...
"""

import argparse
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

import cpp
import oracle
from generated_code import Generated, OpClass
from schema import (
    ATTRIBUTES,
    AttributeClass,
    Field,
    Flags,
    Kind,
    NotUnderstood,
    Op,
    Unmodelled,
    described,
    properties,
    release_arguments,
    save,
)

INTEGERS = {
    "bool": 1,
    "int8_t": 8,
    "uint8_t": 8,
    "int16_t": 16,
    "uint16_t": 16,
    "int32_t": 32,
    "uint32_t": 32,
    "unsigned": 32,
    "int64_t": 64,
    "uint64_t": 64,
}

_PREAMBLE = re.compile(
    r"\s*(?:auto &prop = (?:state\.getOrAddProperties<Properties>|getProperties)\(\); \(void\)prop;"
    r"|return ::mlir::success\(\);)"
)
_ATTRIBUTE = {
    "reader": re.compile(
        r"\s*if \(::mlir::failed\(reader\.read(Optional)?Attribute\(prop\.(\w+)\)\)\)"
        r"\s*return ::mlir::failure\(\);"
    ),
    "writer": re.compile(r"\s*writer\.write(Optional)?Attribute\(prop\.(\w+)\);"),
}
_OLD_SEGMENTS = re.compile(
    r"\s*if \((?:reader|writer)\.getBytecodeVersion\(\) < /\*kNativePropertiesODSSegmentSize=\*/6\) (?=\{)"
)
_APPENDED = re.compile(r'appendAttributeProperty\(attrs, "([^"]+)", prop\.(\w+)\);')
_INHERENT = re.compile(r'(?:attrs\.append\(|appendAttributeProperty\(attrs, )"([^"]+)"')
_STORAGE = re.compile(r"\s*auto &propStorage = prop\.(\w+);")


@dataclass
class PropertyStatement:
    """A statement that reads or writes a property; `code` is the rest of one of a native property."""

    name: str
    kind: Kind | None
    code: str = ""


@dataclass
class Layout:
    """The statements of a reader or a writer."""

    steps: list[PropertyStatement] = field(default_factory=list)
    v5_index: dict[str, int] = field(default_factory=dict)

    def shape(self) -> tuple[object, ...]:
        """The facts in which a reader and its writer must agree."""
        return [(step.name, step.kind) for step in self.steps], self.v5_index


def layout(body: str, side: str) -> Layout:
    """The steps of a generated `readProperties` or `writeProperties`."""
    result = Layout()
    position = 0
    while body[position:].strip():
        if match := _PREAMBLE.match(body, position):
            position = match.end()
        elif match := _ATTRIBUTE[side].match(body, position):
            result.steps.append(PropertyStatement(match[2], "optional_attr" if match[1] else "attr"))
            position = match.end()
        elif match := _OLD_SEGMENTS.match(body, position):
            code, position = cpp.block(body, match.end())
            result.v5_index[_storage(code)[0]] = len(result.steps) + len(result.v5_index)
        elif body[position:].lstrip().startswith("{"):
            code, position = cpp.block(body, position)
            name, access = _storage(code)
            segments = "SparseArray(" in access and "BytecodeVersion" in access
            if segments:  # LLVM 17 has them in one place in both versions
                result.v5_index.setdefault(name, len(result.steps))
            result.steps.append(PropertyStatement(name, "segment_sizes" if segments else None, access))
        else:
            raise NotUnderstood(f"statement of the {side}: {body[position:].split(chr(10))[0].strip()}")
    return result


def _storage(code: str) -> tuple[str, str]:
    match = _STORAGE.match(code)
    if not match:
        raise NotUnderstood(f"block: {code.strip()[:60]}")
    return match[1], code[match.end() :]


def native(read: str, write: str, printed: str, storage: str, flags: Mapping[str, Flags]) -> Field:
    """The kind of a native property, from the code that reads, writes and prints it."""
    if optional := re.fullmatch(r"std::optional<(.*)>", storage):
        _, read_mark, read = read.partition("presentResult = ")
        _, write_mark, write = write.partition("writer.writeOwnedBool(propStorage.has_value());")
        _, print_mark, printed = printed.partition("return ::mlir::ArrayAttr::get(ctx, {});")
        if not (read_mark and write_mark and print_mark):
            raise NotUnderstood(f"optional storage {storage}")
        return {"kind": "optional", "inner": native(read, write, printed, optional[1], flags)}
    if "reader.readBool(propStorage)" in read and "writer.writeOwnedBool(propStorage);" in write:
        unit = "UnitAttr::get(ctx)" in printed and "BoolAttr::get(ctx, false)" in printed
        spelled = ("BoolAttr::get(ctx, propStorage)", "convertToAttribute(ctx, propStorage)")
        if not unit and not any(code in printed for code in spelled):
            raise NotUnderstood(f"spelling of {storage}")
        return {"kind": "bool", "as": "unit" if unit else "bool"}
    if "reader.readVarInt(" not in read or "writer.writeVarInt(" not in write:
        raise NotUnderstood(f"storage {storage}")
    if storage in INTEGERS and "convertToAttribute(ctx, " in printed:
        result: Field = {"kind": "int", "bits": INTEGERS[storage], "as": f"i{INTEGERS[storage]}"}
        return result | {"signed": True} if storage.startswith("int") else result
    if not re.search(
        rf"static_cast<(?:\w+::)*{storage.split('::')[-1]}>\((?:val|rawValue)\)", cpp.plain(read)
    ):
        raise NotUnderstood(f"storage {storage}")
    result = {"kind": "enum"}
    if limit := re.search(r"rawValue > std::numeric_limits<(\w+)>::max\(\)", read):
        result["bits"] = INTEGERS[limit[1]]
    if width := re.search(r"IntegerAttr::get\(::mlir::IntegerType::get\(ctx, (\d+)\)", printed):
        result["as"] = f"i{width[1]}"
    elif "convertToAttribute(ctx, propStorage)" in printed and storage in flags:
        result["text"] = flags[storage]
    else:
        raise NotUnderstood(f"spelling of {storage}")
    return result


def _conversions(body: str) -> dict[str, tuple[list[str], str]]:
    """By property: its names in the dictionary, and the code that converts it."""
    result = {member: ([name], "") for name, member in _APPENDED.findall(body)}
    position = 0
    while match := re.compile(r"^ *\{", re.MULTILINE).search(body, position):
        code, position = cpp.block(body, match.start())
        names = re.findall(r'(?:dict\.get|getNamedAttr)\("([^"]+)"', code)
        members = set(re.findall(r"\bprop\.(\w+)", code))
        if len(members) != 1 or not names:
            raise NotUnderstood(f"conversion of {', '.join(sorted(members)) or 'nothing'}")
        result[members.pop()] = (names, code)
    return result


_INTEGER = re.compile(r"\.is(Signless|Signed|Unsigned)Integer\((\d+)\)")
_FLOAT = re.compile(r"\.isF(\d+)\(\)|isa<::mlir::Float(\d+)Type>")
_ISA = re.compile(r"isa<([\w:]+)>\(attr\)")
_SIGNS = {"Signless": "i", "Signed": "si", "Unsigned": "ui"}


def restrictions(condition: str, declared: str) -> Field:
    """Restrictions of a constraint beyond the class; conditions on the value itself are left out."""
    result: Field = {}
    if declared == "ArrayAttr" and "all_of" in condition:
        inner = condition.split("all_of", 1)[1]
        classes = {cpp.plain(name) for name in _ISA.findall(inner)}
        if len(classes) == 1:
            result["element"] = classes.pop()
            if value_type := _value_type(inner, result["element"]):
                result["element_value_type"] = value_type
    elif declared == "Attribute" and "all_of" not in condition:
        if classes := {cpp.plain(name) for name in _ISA.findall(condition)}:
            result["one_of"] = sorted(classes)
    elif value_type := _value_type(condition, declared):
        result["value_type"] = value_type
    return result


def _value_type(condition: str, declared: str) -> str | None:
    if declared == "IntegerAttr":
        if match := _INTEGER.search(condition):
            return _SIGNS[match[1]] + match[2]
        return "index" if "isa<::mlir::IndexType>" in condition else None
    if declared == "FloatAttr" and (match := _FLOAT.search(condition)):
        return f"f{match[1] or match[2]}"
    return None


def _attribute(step: PropertyStatement, op: OpClass, source: Generated, name: str) -> Field:
    result = cast(Field, {"kind": step.kind, "class": op.members[step.name]})
    check = re.search(
        rf'(\w+)\(attr, "{re.escape(name)}", emitError\)', source.function(op, "verifyInherentAttrs")
    )
    if check and (condition := source.constraints.get(check[1])):
        result |= restrictions(condition, result["class"])
    if default := re.search(
        rf"^\s*properties\.{step.name} = (.*);$",
        source.function(op, "populateDefaultProperties"),
        re.MULTILINE,
    ):
        result["default"] = default_text(default[1]) or True
    return result


_DEFAULTS = (
    (re.compile(r"odsBuilder\.getBoolAttr\((true|false)\)"), "{}"),
    (re.compile(r"odsBuilder\.getIntegerAttr\(odsBuilder\.getIntegerType\(1\), 0\)"), "false"),
    (re.compile(r"odsBuilder\.getIntegerAttr\(odsBuilder\.getIntegerType\((\d+)\), (\d+)\)"), "{1} : i{0}"),
    (re.compile(r"odsBuilder\.getDense(I\d+)ArrayAttr\(\{\}\)"), "array<{0}>"),
    (re.compile(r'odsBuilder\.getStringAttr\("([^"\\]*)"\)'), '"{}"'),
    (re.compile(r"odsBuilder\.get(?:I64|Bool|)ArrayAttr\(\{\}\)"), "[]"),
    (re.compile(r"odsBuilder\.getDictionaryAttr\(\{\}\)"), "{{}}"),
)


def default_text(expression: str) -> str | None:
    """The text of a default whose C++ is plain."""
    for pattern, text in _DEFAULTS:
        if match := pattern.fullmatch(expression):
            return text.format(*(group.lower() for group in match.groups()))
    return None


def fields(op: OpClass, source: Generated, flags: Mapping[str, Flags]) -> list[Field]:
    """The properties of an operation, in the order of version 6."""
    reader = layout(source.function(op, "readProperties"), "reader")
    writer = layout(source.function(op, "writeProperties"), "writer")
    if reader.shape() != writer.shape():
        raise NotUnderstood("reader and writer disagree")
    if {step.name for step in reader.steps} != set(op.members):
        raise NotUnderstood("reader and struct disagree")
    read = _conversions(source.function(op, "setPropertiesFromAttr"))
    printed = _conversions(source.function(op, "getPropertiesAsAttr"))
    inherent = set(_INHERENT.findall(source.function(op, "populateInherentAttrs")))
    result = []
    for step, written in zip(reader.steps, writer.steps, strict=True):
        names = read[step.name][0]
        if printed[step.name][0] != names[:1]:
            raise NotUnderstood(f"two names for {step.name}")
        entry: Field = {"name": names[0]}
        if step.name != names[0]:
            entry["property"] = step.name
        if step.kind in ATTRIBUTES:
            entry |= _attribute(step, op, source, names[0])
        elif step.kind == "segment_sizes":
            entry |= _segments(op.members[step.name], reader.v5_index[step.name], names)
        else:
            storage = op.members[step.name]
            if f"{op.namespace}::{storage}" in flags:
                storage = f"{op.namespace}::{storage}"
            entry |= native(step.code, written.code, printed[step.name][1], storage, flags)
        if names[0] not in inherent:
            entry["in_dictionary"] = False
        result.append(entry)
    return result


def _segments(storage: str, v5_index: int, names: list[str]) -> Field:
    count = re.fullmatch(r"std::array<int32_t, (\d+)>", storage)
    if not count or len(names) != 2:
        raise NotUnderstood(f"segment storage {storage}")
    return {"kind": "segment_sizes", "count": int(count[1]), "v5_index": v5_index, "old_name": names[1]}


def operation(op: OpClass, source: Generated, flags: Mapping[str, Flags]) -> Op:
    """An operation as the release file has it."""
    result: Op = {}
    if source.has(op, "readProperties"):
        if property_fields := fields(op, source, flags):
            result["properties"] = property_fields
    elif op.declares_reader or op.members:
        raise NotUnderstood("its own encoding of properties")
    for entry in result.get("properties", ()):
        if entry["name"] == "operandSegmentSizes":
            result["operands"] = op.groups("Operands", entry["count"])
        elif entry["name"] == "resultSegmentSizes":
            result["results"] = op.groups("Results", entry["count"])
    return result | source.versions.get(op.name, {})


def read(directories: Iterable[Path]) -> tuple[dict[str, Op], list[Unmodelled], dict[str, AttributeClass]]:
    """Every operation and attribute class below some include directories."""
    ops: dict[str, Op] = {}
    unmodelled: list[Unmodelled] = []
    classes: dict[str, AttributeClass] = {}
    sources = list(_sources(directories))
    for source in sources:
        for name, facts in source.attribute_classes():
            classes[name] = classes.get(name, {}) | facts
    flags = dict(_flags(sources, classes))
    for source in sources:
        for op in source.operations():
            try:
                entry = operation(op, source, flags)
                if ops.get(op.operation, entry) != entry:
                    raise NotUnderstood("two definitions")
            except NotUnderstood as reason:
                unmodelled.append({"op": op.operation, "reason": str(reason)})
                entry = {"custom": True}
            ops[op.operation] = entry
    return ops, unmodelled, classes


def _flags(
    sources: Iterable[Generated], classes: Mapping[str, AttributeClass]
) -> Iterator[tuple[str, Flags]]:
    for source in sources:
        for name, spelling in source.flags():
            if mnemonic := classes.get(f"{name}Attr", {}).get("name"):
                yield name, {**spelling, "prefix": f"#{mnemonic}<"}


def _sources(directories: Iterable[Path]) -> Iterator[Generated]:
    for directory in directories:
        for path in sorted(directory.rglob("*.inc")):
            header = path.with_name(path.name.replace(".cpp.inc", ".h.inc"))
            if header == path or not header.exists():
                yield Generated.read(path)


def main(arguments: list[str] | None = None) -> int:
    """Write one release file; report statements that were not understood."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("directories", nargs="+", type=Path, metavar="INCLUDE_DIRECTORY")
    release_arguments(parser)
    parser.add_argument("--oracle", help="mlir-opt of the same release, asked for defaults")
    parser.add_argument(
        "--default",
        action="append",
        default=[],
        metavar="CLASS=TEXT",
        help="text of a default that is not a plain C++ expression",
    )
    parser.add_argument("--names-only", action="store_true", help="for releases that wrote no properties")
    options = parser.parse_args(arguments)

    ops, unmodelled, classes = read(options.directories)
    if options.names_only:
        ops, unmodelled = {name: {} for name in ops}, []
    release = described(options, ops, unmodelled, classes)
    if options.oracle:
        for remark in oracle.fill_in_defaults(ops, options.oracle):
            print(remark, file=sys.stderr)
    texts = dict(default.split("=", 1) for default in options.default)
    for row in (row for op in ops.values() for row in properties(op)):
        if row.get("default") is True and (text := texts.get(row.get("class", ""))):
            row["default"] = text
    save(release, options.out)
    with_properties = sum(1 for op in ops.values() if properties(op))
    print(f"{options.release}: {len(ops)} operations, {with_properties} with properties", file=sys.stderr)
    for entry in unmodelled:
        print(f"not understood: {entry['op']}: {entry['reason']}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
