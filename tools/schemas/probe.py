"""Finds the property layout of an operation by feeding crafted blobs to the reader of a build.

The reader is talkative: it says when a blob is too short, which class it expected of an attribute, that an
index is out of range, and how many segment sizes there are. So a blob is grown field by field. Numbers are
chosen so that a required attribute, an optional one and everything else answer differently.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import isolated_calls
from builds import Answer, Build
from crafted import Template, template, varint
from samples import family
from schema import Kind, NotUnderstood

_TOO_SHORT = ("attempting to parse a byte at the end", "attempting to parse 8 bytes")
_NO_STRING = "invalid string index: "
_LARGE = 1_000_000
_NO_PROPERTIES = "has properties but missing BytecodeOpInterface"
_EXPECTED = re.compile(r"expected (?:mlir::)?(.+), but got: ", re.DOTALL)
_STORAGE = re.compile(r"trying to read an array of (\d+) but only (\d+) storage available")
_DENSE = re.compile(r"detail::DenseArrayAttrImpl<(\w+)>")
_DENSE_NAMES = {
    "bool": "DenseBoolArrayAttr",
    "int8_t": "DenseI8ArrayAttr",
    "signed char": "DenseI8ArrayAttr",
    "int16_t": "DenseI16ArrayAttr",
    "short": "DenseI16ArrayAttr",
    "int32_t": "DenseI32ArrayAttr",
    "int": "DenseI32ArrayAttr",
    "int64_t": "DenseI64ArrayAttr",
    "long": "DenseI64ArrayAttr",
    "float": "DenseF32ArrayAttr",
    "double": "DenseF64ArrayAttr",
}
_READER = re.compile(r"expected .*, but got: |invalid \w+ index: |trying to read |attempting to ", re.DOTALL)
SENTINEL = "#probe_sentinel<not expected anywhere>"
ANY = "Attribute"


@dataclass
class Wire:
    """A field of a blob: `filler` is a value that the reader accepts."""

    kind: Kind
    class_name: str = ""
    count: int = 0
    filler: bytes = b""


@dataclass
class Probe:
    """Asks one build; `accepted` has the samples that each class admits."""

    build: Build
    samples: Sequence[str]
    accepted: dict[str, list[int]] = field(default_factory=dict)
    is_cautious: bool = False

    def __post_init__(self) -> None:
        source = template([SENTINEL, *self.samples])
        self._templates = {version: Template.read(self.build.write(source, version)) for version in (5, 6)}
        self.texts = [self.build.canonical(sample) for sample in self.samples]

    def ask(self, operation: str, blob: bytes, version: int = 6) -> Answer:
        """The answer of the reader to a blob. Some verifiers crash, but after reading it."""
        data = self._templates[version].craft(operation, blob)
        if not self.is_cautious:
            return self.build.read(operation, data)
        ((_, answer),) = isolated_calls.results_of([data], lambda file: self.build.read(operation, file))
        return answer or Answer("the verifier crashed", None)

    def index(self, sample: int, version: int = 6) -> int:
        """The place of a sample in the attribute table."""
        return self._templates[version].indices[sample + 1]

    def wire(self, operation: str) -> list[Wire]:
        """The fields of an operation in version 6."""
        fields: list[Wire] = []
        blob = b""
        while True:
            answer = self.ask(operation, blob)
            if not fields and (answer.complaint or "").startswith(_NO_PROPERTIES):
                return []
            if not _too_short(answer):
                if answer.complaint and _READER.match(answer.complaint):
                    raise NotUnderstood(f"the reader says: {answer.complaint}")
                return fields
            fields.append(self._next(operation, blob))
            blob += fields[-1].filler

    def _next(self, operation: str, blob: bytes) -> Wire:
        size = self._templates[6].size
        even = self.ask(operation, blob + varint(2 * size))
        odd = self.ask(operation, blob + varint(2 * size + 1))
        if _out_of_range(even, 2 * size) and _out_of_range(odd, 2 * size + 1):
            return self._required(operation, blob)
        if _out_of_range(odd, size):
            return Wire("optional_attr", self._class(operation, blob, optional=True), filler=varint(0))
        storage = _STORAGE.match(even.complaint or "")
        # After a boolean, which takes a part of the number, another number is read for the length.
        if storage and int(storage[1]) == size:
            return Wire("segment_sizes", count=int(storage[2]), filler=varint(1))
        return self._native(operation, blob)

    def _native(self, operation: str, blob: bytes) -> Wire:
        """A boolean accepts a byte 0 as its value; in a number, it announces eight more bytes."""
        if (self.ask(operation, blob + varint(_LARGE)).complaint or "").startswith(_NO_STRING):
            return Wire("string", filler=varint(0))
        answer = self.ask(operation, blob + b"\0")
        if (answer.complaint or "").startswith(_TOO_SHORT[1]):
            return Wire("int", filler=varint(0))
        return Wire("bool", filler=b"\0")

    def _class(self, operation: str, blob: bytes, *, optional: bool) -> str:
        for sample in (-1, 0):  # the sentinel is a typed attribute, the first sample is not
            answer = self.ask(operation, blob + self.reference(sample, optional))
            if match := _EXPECTED.match(answer.complaint or ""):
                break
        else:
            return ANY
        name = class_name(match[1])
        if name not in self.accepted:
            self.accepted[name] = sorted(self._admitted(operation, blob, optional, name))
        return name

    def _admitted(self, operation: str, blob: bytes, optional: bool, name: str) -> Iterator[int]:
        """The samples that a class admits. Samples of a family are all admitted or all refused."""
        refused: set[str] = set()
        only = ""
        for sample in sorted(range(len(self.samples)), key=lambda sample: not self._is_likely(sample, name)):
            kind = family(self.samples[sample])
            if kind in refused or (only and kind != only):
                continue
            answer = self.ask(operation, blob + self.reference(sample, optional))
            if _EXPECTED.match(answer.complaint or ""):
                refused.add(kind)
                continue
            yield sample
            # Several attributes implement an interface, and none has its name.
            if (
                self._is_likely(sample, name)
                and _letters(name.rpartition("::")[2]) == _letters(kind) + "attr"
            ):
                only = kind

    def _is_likely(self, sample: int, name: str) -> bool:
        """Whether the dialect of a sample is called like the namespace of a class."""
        *_, namespace, _ = ["", "", *name.split("::")]
        dialect = re.match(r"#(\w+)", self.samples[sample])
        return dialect is not None and dialect[1].replace("_", "") == namespace.lower().replace("_", "")

    def _required(self, operation: str, blob: bytes) -> Wire:
        name = self._class(operation, blob, optional=False)
        if name == ANY:
            return Wire("attr", name, filler=self.reference(0, False))
        if not self.accepted[name]:
            raise NotUnderstood(f"no sample of {name}")
        return Wire("attr", name, filler=self.reference(self.accepted[name][0], False))

    def reference(self, sample: int, optional: bool, version: int = 6) -> bytes:
        """A sample as a field."""
        index = self.index(sample, version)
        return varint(2 * index + 1 if optional else index)


def _letters(name: str) -> str:
    """A name without its dialect, punctuation and case: `MacroIdent` and `macro.ident` are equal."""
    return re.sub(r"^#\w+[.<]|[\W_]", "", name).lower()


def class_name(spelled: str) -> str:
    """A class as the generated C++ calls it."""
    if dense := _DENSE.fullmatch(spelled):
        return _DENSE_NAMES[dense[1]]
    return spelled


def _too_short(answer: Answer) -> bool:
    return (answer.complaint or "").startswith(_TOO_SHORT)


def _out_of_range(answer: Answer, index: int) -> bool:
    return (answer.complaint or "").lower() == f"invalid attribute index: {index}"
