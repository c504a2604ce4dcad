"""A pair of files made by mlir-tblgen, taken apart into operations, functions, constraints and classes."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import cpp
from schema import AttributeClass, Flags, NotUnderstood, Op

_OP_CLASS = re.compile(r"^class (\w+) : public ::mlir::Op<", re.MULTILINE)
_OP_NAME = re.compile(r"getOperationName\(\) \{\s*return ::llvm::StringLiteral\(\"([^\"]+)\"\)")
_MEMBER = re.compile(r"using (\w+)Ty = ([^;]+);\s*\1Ty (\w+)\b")
_FUNCTION = re.compile(
    r"^[\w:<> ]+ (\w+)::(readProperties|writeProperties|setPropertiesFromAttr|getPropertiesAsAttr"
    r"|populateDefaultProperties|populateInherentAttrs|verifyInherentAttrs)\(",
    re.MULTILINE,
)
_CONSTRAINT = re.compile(
    r"^static ::(?:llvm|mlir)::LogicalResult (__mlir_ods_local_attr_constraint_\w+)"
    r"\(\s*::mlir::Attribute attr,[^{]*"
    r"\{\s*if \(attr && !(.*?)\)\s*return emitError",
    re.MULTILINE | re.DOTALL,
)
_VERSION = re.compile(r"(\w+)::get(Min|Max)Version\(\) \{\s*return [\w:]*Version\((\d+), (\d+), (\d+)\)")
_ATTRIBUTE_CLASS = re.compile(
    r"^class (\w+) : public ::mlir::(Attribute::AttrBase<|IntegerAttr \{)", re.MULTILINE
)
_ENUM_WIDTH = re.compile(
    r"^(\w+) \1::get\(::mlir::MLIRContext \*context, [^)]*\) \{\s*"
    r"::mlir::IntegerType intType = ::mlir::IntegerType::get\(context, (\d+)\);",
    re.MULTILINE,
)
_FLAGS = re.compile(r"^std::string stringify(\w+)\(\1 symbol\) ", re.MULTILINE)
_GETTER = re.compile(r"^  [^\n]+? get(\w+)\(\) \{\n(.*?)^  \}$", re.MULTILINE | re.DOTALL)
# Before LLVM 19 the accessors are defined outside of the class.
_OUTSIDE = re.compile(r"^[^\n]+? (\w+)::get(\w+)\(\) \{\n(.*?)^\}$", re.MULTILINE | re.DOTALL)
_PARAMETER = re.compile(r"(?:Value|ValueRange|Type|TypeRange|ArrayRef<::mlir::ValueRange>) (\w+)[,)]")


@dataclass
class OpClass:
    """The class of an operation: its names, the members of its property struct, its declarations."""

    namespace: str
    name: str
    operation: str
    members: dict[str, str]
    body: str
    getters: list[tuple[str, str]]

    @property
    def declares_reader(self) -> bool:
        """Whether the class announces a `readProperties`, generated or not."""
        return " readProperties(" in self.body

    def groups(self, side: str, count: int) -> list[str]:
        """The names of the operand or result groups; `*` marks variadic ones, `?` optional ones."""
        names = {_getter(name): name for name in _PARAMETER.findall(self.body)}
        names |= {_getter(name): name for name in re.findall(r"\bodsIndex_(\w+) =", self.body)}
        result = ["*"] * count
        for getter, code in [*_GETTER.findall(self.body), *self.getters]:
            index = re.search(rf"\bgetODS{side}\((\d+)\)", code)
            if not index:
                continue
            if ".empty()" in code:
                suffix = "?"
            elif f"(*getODS{side}({index[1]}).begin())" in code:
                suffix = ""
            else:
                suffix = "*"
            name = names.get(getter, getter[0].lower() + getter[1:])
            if result[int(index[1])] not in ("*", name + suffix):
                raise NotUnderstood(f"two names for group {index[1]} of the {side.lower()}")
            result[int(index[1])] = name + suffix
        return result


def _getter(name: str) -> str:
    return "".join(part[:1].upper() + part[1:] for part in name.split("_"))


@dataclass
class Generated:
    """A header and the definitions that belong to it."""

    header: str
    definitions: str

    @classmethod
    def read(cls, path: Path) -> "Generated":
        """Read a header and its definitions, or a file that is on its own."""
        definitions = path.with_name(path.name.removesuffix(".h.inc") + ".cpp.inc")
        has_both = path.name.endswith(".h.inc") and definitions.exists()
        return cls(_text(path), _text(definitions) if has_both else "")

    def operations(self) -> Iterator[OpClass]:
        """The operations that the header declares."""
        around = cpp.namespaces(self.header)
        for match in _OP_CLASS.finditer(self.header):
            body = cpp.class_body(self.header, match.end())
            if name := _OP_NAME.search(body):
                members, getters = self._members(match[1]), self._getters.get(match[1], [])
                yield OpClass(around(match.start()), match[1], name[1], members, body, getters)

    def _members(self, name: str) -> dict[str, str]:
        start = self.header.find(f"\nclass {name}GenericAdaptorBase {{")
        if start < 0:
            return {}
        body = cpp.class_body(self.header, start)
        struct = body.find("struct Properties {")
        if struct < 0:
            return {}
        return {
            member: cpp.plain(storage) for _, storage, member in _MEMBER.findall(cpp.block(body, struct)[0])
        }

    @cached_property
    def _getters(self) -> dict[str, list[tuple[str, str]]]:
        result: dict[str, list[tuple[str, str]]] = {}
        for name, getter, code in _OUTSIDE.findall(self.definitions):
            result.setdefault(name, []).append((getter, code))
        return result

    @cached_property
    def _functions(self) -> dict[tuple[str, str], str]:
        return {
            (match[1], match[2]): cpp.block(self.definitions, match.end())[0]
            for match in _FUNCTION.finditer(self.definitions)
        }

    def has(self, op: OpClass, function: str) -> bool:
        """Whether a function was generated."""
        return (op.name, function) in self._functions

    def function(self, op: OpClass, function: str) -> str:
        """The body of a function, empty if there is none."""
        return self._functions.get((op.name, function), "")

    @cached_property
    def constraints(self) -> dict[str, str]:
        """The condition of each attribute constraint, by the name of its function."""
        return {name: condition for name, condition in _CONSTRAINT.findall(self.definitions)}

    @cached_property
    def versions(self) -> dict[str, Op]:
        """The first and the last version of versioned operations, by class."""
        result: dict[str, Op] = {}
        for name, bound, *version in _VERSION.findall(self.definitions):
            number = ".".join(version)
            result.setdefault(name, {}).update({"since": number} if bound == "Min" else {"until": number})
        return result

    def attribute_classes(self) -> Iterator[tuple[str, AttributeClass]]:
        """Dialect attributes with their name, and enumerations that are integers with their type."""
        for text in (self.header, self.definitions):
            around = cpp.namespaces(text)
            for match in _ATTRIBUTE_CLASS.finditer(text):
                name = qualified(around(match.start()), match[1])
                if match[2].startswith("IntegerAttr"):
                    yield name, {"base": "IntegerAttr"}
                    continue
                body = cpp.class_body(text, match.end())
                dialect = re.search(r'StringLiteral dialectName = "([^"]+)"', body)
                mnemonic = re.search(r'getMnemonic\(\) \{\s*return \{"([^"]+)"\}', body)
                if dialect and mnemonic:
                    yield name, {"name": f"{dialect[1]}.{mnemonic[1]}"}
            for match in _ENUM_WIDTH.finditer(text):
                yield qualified(around(match.start()), match[1]), {"value_type": f"i{match[2]}"}

    def flags(self) -> Iterator[tuple[str, Flags]]:
        """Sets of flags, and how they are spelled as an attribute of the same name."""
        around = cpp.namespaces(self.definitions)
        for match in _FLAGS.finditer(self.definitions):
            body, _ = cpp.block(self.definitions, match.end())
            none = re.search(r'if \(val == 0\) return "(\w+)";', body)
            if none and 'return ::llvm::join(strs, ", ");' in body:
                names = dict(
                    re.findall(r'if \((\d+)u == \(\1u & val\)\)\s*strs\.push_back\("(\w+)"\);', body)
                )
                spelling: Flags = {"prefix": "", "suffix": ">", "flags": names, "none": none[1]}
                yield qualified(around(match.start()), match[1]), spelling


def qualified(namespace: str, name: str) -> str:
    """A name with its namespace, if it does not already have one."""
    return f"{namespace}::{name}" if namespace and "::" not in name else name


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace")
