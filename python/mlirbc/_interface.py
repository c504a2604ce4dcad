"""Code for the encodings of a dialect, like MLIR's `BytecodeDialectInterface` in C++.

>>> class Toy(mlirbc.dialects.BytecodeDialectInterface):
...     dialect = "toy"
...     attribute_parameters = {"pair": ("first", "second")}
...
...     def read_attribute(self, reader):
...         if reader.read_varint() != 0:
...             raise ValueError("toy has one attribute")
...         fields = {"first": reader.read_signed_varint(), "second": reader.read_signed_varint()}
...         return mlirbc.dialects.DialectValue("pair", fields, asm="<{first}, {second}>")
...
...     def write_attribute(self, value, writer):
...         writer.write_varint(0)
...         writer.write_signed_varint(value.fields["first"])
...         writer.write_signed_varint(value.fields["second"])
>>> pair = Toy().attribute("pair", 1, -2)
>>> str(pair), pair.fields
('#toy.pair<1, -2>', {'first': 1, 'second': -2})
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, Literal, TypeAlias

from mlirbc import _mlirbc
from mlirbc._hook_fields import fields_of
from mlirbc._mlirbc import Attribute, DialectBytecodeReader, DialectBytecodeWriter, Type

if TYPE_CHECKING:
    from mlirbc import edit

Version: TypeAlias = Hashable


@dataclass(frozen=True, slots=True)
class DialectValue:
    """An attribute or a type as hooks see it: a mnemonic, and fields by name.

    A field is a number, a truth value, text, bytes, an attribute, a type, a list of these, or None when it is
    absent.

    >>> mlirbc.dialects.DialectValue("pair", {"first": 1, "second": 2}).mnemonic
    'pair'
    """

    mnemonic: str
    """The name after `#dialect.` or `!dialect.`."""
    fields: Mapping[str, object] = field(default_factory=dict)
    """Its fields."""
    class_name: str | None = None
    """The class; by default the mnemonic."""
    asm: str | None = None
    """The text after the mnemonic, a template as in a dialect table: `<{first}, {second}>`. By default all
    fields as `<first = 1, second = 2>`."""


class BytecodeDialectInterface:
    """The hooks of a dialect. A subclass names the dialect and has the methods that it needs.

    It is attached with `mlirbc.open(path, dialects=[Toy()])`, beside tables. Hooks run when a value is asked
    for: its fields, its class, its text, whether it equals another one. A hook that raises leaves the value
    opaque: its bytes do not change, and `opaque_reason` is the error. `KeyboardInterrupt` is raised.

    >>> class Toy(mlirbc.dialects.BytecodeDialectInterface):
    ...     dialect = "toy"
    >>> mlirbc.open("examples/two_layers.mlirbc", dialects=[Toy()]).operation.name
    'builtin.module'
    """

    dialect: str = ""
    """The name of the dialect."""
    current_version: Version | None = None
    """The newest version that the hooks know; None to know all. Files of newer versions are treated as
    `newer_versions` says."""
    newer_versions: Literal["pass", "refuse"] = "pass"
    """`pass` leaves files of newer versions as they are, `refuse` raises `UnsupportedError` for them."""
    attribute_parameters: ClassVar[Mapping[str, Sequence[str]]] = {}
    """The names of the fields of attributes in the order of the arguments of `attribute`, by mnemonic."""
    type_parameters: ClassVar[Mapping[str, Sequence[str]]] = {}
    """The names of the fields of types in the order of the arguments of `type`, by mnemonic."""

    # ---- attributes and types ----

    def read_attribute(self, reader: DialectBytecodeReader) -> DialectValue | None:
        """Read an attribute; None leaves it to the table of the dialect."""
        return None

    def write_attribute(self, value: DialectValue, writer: DialectBytecodeWriter) -> bool | None:
        """Write an attribute; returns False if there is no such attribute."""
        return False

    def read_type(self, reader: DialectBytecodeReader) -> DialectValue | None:
        """Read a type; None leaves it to the table of the dialect."""
        return None

    def write_type(self, value: DialectValue, writer: DialectBytecodeWriter) -> bool | None:
        """Write a type; returns False if there is no such type."""
        return False

    # ---- properties ----

    def read_properties(self, op_name: str, reader: DialectBytecodeReader) -> Mapping[str, object] | None:
        """Read the properties of an operation; None leaves them to the table of the dialect."""
        return None

    def write_properties(
        self, op_name: str, properties: Mapping[str, object], writer: DialectBytecodeWriter
    ) -> bool | None:
        """Write the properties of an operation; returns False if there is no such operation."""
        return False

    # ---- text ----

    def parse_attribute(self, mnemonic: str, parameters: str) -> Attribute | None:
        """The attribute of the text `#dialect.mnemonic` and `parameters`, such as `<1, -2>`; None leaves
        it as text. By default fields are separated by commas, as `name = value`, or in the order of
        `attribute_parameters`: numbers, truth values, strings, attributes, types, and lists of these.

        `mlirbc.parse`, `Attribute.parse` and `Type.parse` call it when they have the object in `dialects`.
        """
        names = self.attribute_parameters.get(mnemonic, ())
        return self.attribute(mnemonic, **self._fields(parameters, names))

    def parse_type(self, mnemonic: str, parameters: str) -> Type | None:
        """The type of the text `!dialect.mnemonic` and `parameters`, as `parse_attribute`."""
        return self.type(mnemonic, **self._fields(parameters, self.type_parameters.get(mnemonic, ())))

    def _fields(self, parameters: str, names: Sequence[str]) -> dict[str, object]:
        return fields_of(parameters, names, [self])

    # ---- versions ----

    def read_version(self, reader: DialectBytecodeReader) -> Version | None:
        """Read the version of the dialect; it rejects a file by raising. None leaves it to the table."""
        return None

    def write_version(self, writer: DialectBytecodeWriter) -> bool | None:
        """Write the version that `writer.dialect_version` has, or the current one if that is None."""
        return False

    def upgrade(self, root: "edit.Operation", version: Version) -> None:
        """Convert the contents of the operation `root` from that version to the current one, in place. It
        rejects a version by raising."""

    def downgrade(self, root: "edit.Operation", version: Version) -> Sequence[str] | None:
        """Convert the contents of `root` to that version; returns problems as text, none on success."""
        return None

    # ---- any attribute or type ----

    def override_attribute_on_read(self, attribute: Attribute) -> Attribute | None:
        """The replacement of an attribute of any dialect in a file that is opened; None keeps it."""
        return None

    def override_type_on_read(self, type: Type) -> Type | None:
        """The replacement of a type of any dialect in a file that is opened; None keeps it."""
        return None

    def override_attribute_on_write(self, attribute: Attribute) -> Attribute | None:
        """The replacement of an attribute of any dialect by `versions.downgrade`; None keeps it."""
        return None

    def override_type_on_write(self, type: Type) -> Type | None:
        """The replacement of a type of any dialect by `versions.downgrade`; None keeps it."""
        return None

    # ---- values ----

    def attribute(self, mnemonic: str, /, *arguments: object, **fields: object) -> Attribute:
        """Make an attribute: `write_attribute` writes it, and `read_attribute` must read the same.

        Raises `InvalidError` for fields that the hooks do not accept, and when they disagree.
        """
        return self.attribute_at({}, mnemonic, *arguments, **fields)

    def attribute_at(
        self, versions: Mapping[str, Version], mnemonic: str, /, *arguments: object, **fields: object
    ) -> Attribute:
        """Make an attribute for a module whose dialects have these versions, which `dialect_version` of the
        writer and the reader has."""
        value = self._value(mnemonic, arguments, fields, self.attribute_parameters)
        return _mlirbc._attribute_by_interface(self, value, list(versions.items()))

    def type(self, mnemonic: str, /, *arguments: object, **fields: object) -> Type:
        """Make a type, as `attribute` does."""
        return self.type_at({}, mnemonic, *arguments, **fields)

    def type_at(
        self, versions: Mapping[str, Version], mnemonic: str, /, *arguments: object, **fields: object
    ) -> Type:
        """Make a type, as `attribute_at` does."""
        value = self._value(mnemonic, arguments, fields, self.type_parameters)
        return _mlirbc._type_by_interface(self, value, list(versions.items()))

    def _value(
        self,
        mnemonic: str,
        arguments: tuple[object, ...],
        fields: dict[str, object],
        parameters: Mapping[str, Sequence[str]],
    ) -> DialectValue:
        names = parameters.get(mnemonic, ())
        if len(arguments) > len(names):
            raise TypeError(f"{mnemonic} takes {len(names)} arguments without a name, not {len(arguments)}")
        positional = dict(zip(names, arguments, strict=False))
        if twice := positional.keys() & fields.keys():
            raise TypeError(f"{mnemonic} has two values for {', '.join(sorted(twice))}")
        return DialectValue(mnemonic, positional | fields)

    def _has(self, hook: str) -> bool:
        """Whether the class has a hook of its own."""
        return getattr(type(self), hook) is not getattr(BytecodeDialectInterface, hook)

    def _writes_versions(self) -> bool:
        return self._has("write_version")
