"""Bytecode with one operation, whose name and property blob can be chosen freely.

The build under test writes a file for an unregistered operation, which carries every sample attribute in its
dictionary. Its strings and its blob are then replaced. So no attribute has to be encoded here.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import mlirbc

DIALECT = "probe_dialect"
NAME = "probe_op"
PROBE = f"{DIALECT}.{NAME}"
STRINGS, IR, PROPERTIES = 0, 4, 8


def varint(value: int) -> bytes:
    """A number as bytecode has it."""
    for size in range(1, 9):
        if value < 1 << (7 * size):
            return (value << size | 1 << (size - 1)).to_bytes(size, "little")
    return b"\0" + value.to_bytes(8, "little")


def read_varint(data: bytes, position: int) -> tuple[int, int]:
    """A number and where it ends."""
    first = data[position]
    if first == 0:
        return int.from_bytes(data[position + 1 : position + 9], "little"), position + 9
    size = (first & -first).bit_length()
    return int.from_bytes(data[position : position + size], "little") >> size, position + size


def template(samples: Sequence[str]) -> str:
    """The text that the build has to write, as version 5 or 6."""
    return f'"{PROBE}"() <{{p}}> {{table = [{", ".join(samples)}]}} : () -> ()'


@dataclass
class Template:
    """A file made from `template`, and the index of each sample in its attribute table."""

    head: bytes
    sections: list[tuple[int, bytes]]
    indices: list[int]
    size: int
    _heads: dict[str, bytes] = field(default_factory=dict)

    @classmethod
    def read(cls, data: bytes) -> "Template":
        """Take a file apart."""
        with mlirbc.read(data) as module:
            sections = [
                (section.id, data[section.offset : section.offset + section.size])
                for section in module.bytecode.sections
            ]
            sections = [
                (number, _without_dictionary(body) if number == IR else body) for number, body in sections
            ]
            head = data[: min(section.header_offset for section in module.bytecode.sections)]
            dictionary = module.operation.attribute_dictionary
            assert dictionary is not None
            array = module.attributes[_varints(dictionary.payload)[3]]
            return cls(head, sections, _varints(array.payload)[2:], len(module.attributes))

    def craft(self, operation: str, blob: bytes) -> bytes:
        """The file with another operation and another blob."""
        if operation not in self._heads:
            self._heads = {operation: self._head(operation)}
        data = varint(1) + varint(len(blob)) + blob
        return self._heads[operation] + bytes([PROPERTIES]) + varint(len(data)) + data

    def _head(self, operation: str) -> bytes:
        dialect, _, name = operation.partition(".")
        names = {DIALECT.encode(): dialect.encode(), NAME.encode(): name.encode()}
        result = self.head
        for number, data in self.sections:
            if number == STRINGS:
                data = _pack([names.get(string, string) for string in _unpack(data)])
            if number != PROPERTIES:
                result += bytes([number]) + varint(len(data)) + data
        return result


def _without_dictionary(ir: bytes) -> bytes:
    """The IR without the samples, so that the reader decodes only attributes that a blob refers to."""
    assert ir[2] == 0x41, "an operation with a dictionary and properties"
    count, name, _, location, _, blob = _varints(ir)
    return varint(count) + varint(name) + b"\x40" + varint(location) + varint(blob)


def _varints(data: bytes) -> list[int]:
    result = []
    position = 0
    while position < len(data):
        value, position = read_varint(data, position)
        result.append(value)
    return result


def _unpack(data: bytes) -> list[bytes]:
    count, position = read_varint(data, 0)
    sizes = []
    for _ in range(count):
        size, position = read_varint(data, position)
        sizes.append(size)
    strings = []
    for size in reversed(sizes):
        strings.append(data[position : position + size - 1])
        position += size
    return strings


def _pack(strings: list[bytes]) -> bytes:
    sizes = b"".join(varint(len(string) + 1) for string in reversed(strings))
    return varint(len(strings)) + sizes + b"".join(string + b"\0" for string in strings)
