"""A dialect with code for its encodings: attributes, types, properties and versions.

`toy` has the attribute `#toy.pair`, stored as sum and difference; the type `!toy.grid`; the operation
`toy.pad`; and two versions. Version 1 had no names in `toy.pad`.

    module = mlirbc.open("model.mlirbc", dialects=[ToyDialect()])
"""

from collections.abc import Mapping
from typing import Any, ClassVar

import mlirbc
from mlirbc.dialects import BytecodeDialectInterface, DialectValue

PAIR, GRID = 7, 0


class ToyDialect(BytecodeDialectInterface):
    """The hooks of `toy`."""

    dialect = "toy"
    current_version = 2
    newer_versions = "refuse"
    attribute_parameters: ClassVar[Mapping[str, tuple[str, ...]]] = {"pair": ("first", "second")}
    type_parameters: ClassVar[Mapping[str, tuple[str, ...]]] = {"grid": ("shape", "element")}

    # ---- attributes and types ----

    def read_attribute(self, reader: mlirbc.dialects.DialectBytecodeReader) -> DialectValue | None:
        """`pair`: the sum and the difference."""
        if (code := reader.read_varint()) != PAIR:
            raise ValueError(f"toy has no attribute with code {code}")
        total, difference = reader.read_signed_varint(), reader.read_signed_varint()
        fields = {"first": (total + difference) // 2, "second": (total - difference) // 2}
        return DialectValue("pair", fields, "PairAttr", "<{first}, {second}>")

    def write_attribute(self, value: DialectValue, writer: mlirbc.dialects.DialectBytecodeWriter) -> bool:
        """The inverse; other attributes are not known."""
        if value.mnemonic != "pair":
            return False
        fields: Mapping[str, Any] = value.fields
        writer.write_varint(PAIR)
        writer.write_signed_varint(fields["first"] + fields["second"])
        writer.write_signed_varint(fields["first"] - fields["second"])
        return True

    def read_type(self, reader: mlirbc.dialects.DialectBytecodeReader) -> DialectValue | None:
        """`grid`: sizes and an element type."""
        if (code := reader.read_varint()) != GRID:
            raise ValueError(f"toy has no type with code {code}")
        fields = {"shape": reader.read_list(reader.read_signed_varint), "element": reader.read_type()}
        return DialectValue("grid", fields, "GridType", "<{shape:dims}{element}>")

    def write_type(self, value: DialectValue, writer: mlirbc.dialects.DialectBytecodeWriter) -> bool:
        """The inverse."""
        if value.mnemonic != "grid":
            return False
        fields: Mapping[str, Any] = value.fields
        writer.write_varint(GRID)
        writer.write_list(fields["shape"], writer.write_signed_varint)
        writer.write_type(fields["element"])
        return True

    # ---- properties ----

    def read_properties(
        self, op_name: str, reader: mlirbc.dialects.DialectBytecodeReader
    ) -> Mapping[str, object] | None:
        """`toy.pad`: a number and an attribute, and names since version 2."""
        if op_name != "toy.pad":
            return None
        properties: dict[str, object] = {"by": reader.read_varint(), "value": reader.read_attribute()}
        if reader.dialect_version("toy") != 1:
            properties["names"] = reader.read_list(reader.read_string)
        return properties

    def write_properties(
        self, op_name: str, properties: Mapping[str, Any], writer: mlirbc.dialects.DialectBytecodeWriter
    ) -> bool:
        """The inverse, of the current version."""
        if op_name != "toy.pad":
            return False
        writer.write_varint(properties["by"])
        writer.write_attribute(properties["value"])
        writer.write_list(properties["names"], writer.write_string)
        return True

    # ---- versions ----

    def read_version(self, reader: mlirbc.dialects.DialectBytecodeReader) -> int:
        """The version is a number."""
        return reader.read_varint()

    def write_version(self, writer: mlirbc.dialects.DialectBytecodeWriter) -> None:
        """The number that was set, or the current one."""
        version: Any = writer.dialect_version("toy") or self.current_version
        writer.write_varint(version)

    def upgrade(self, root: mlirbc.edit.Operation, version: Any) -> None:
        """Version 2 added names."""
        operations = [root]
        while operations:
            op = operations.pop()
            if op.name == "toy.pad" and version < 2:
                op.declared_properties.replace({**op.declared_properties, "names": []})
            operations += [inner for region in op.regions for block in region for inner in block]
