"""Operations as fallback operations in the IR, and back; `mlirbc.fallback` has the public names."""

from collections.abc import Callable, Iterator

from mlirbc import _mlirbc, edit
from mlirbc._attributes import ArrayAttr, BoolAttr, DictAttr, TypeAttr
from mlirbc._dense_arrays import DenseI8ArrayAttr
from mlirbc._mlirbc import Attribute, Error, InvalidError, Type, UnsupportedError
from mlirbc._strings import StringAttr

FALLBACK_OP = "fallback.op"

# Attributes that a fallback operation has besides the attributes of the operation that it represents.
ORIGINAL_NAME = "original_name"
IS_REGISTERED = "is_registered"
PROPERTIES = "properties"
NUMBERING = "numbering"
REFERENCES = "references"
VERSION = "version"
OWN_ATTRIBUTES = (ORIGINAL_NAME, IS_REGISTERED, PROPERTIES, NUMBERING, REFERENCES, VERSION)


class Conversion:
    """The conversion of the operations of one module."""

    def __init__(self, module: edit.Module, *, keeps_numbering: bool) -> None:
        self._module = module
        self._editor = module._editor
        # Whether the module comes back with the numbers that it has now.
        self._keeps_numbering = keeps_numbering
        self._numbering: str | None = None
        self._names: dict[str, str] = {}

    def convert(self, is_known: Callable[[edit.Operation], bool]) -> None:
        """Convert all operations in others that are not known, and that are not fallback operations."""
        top = {op._id for op in self._module.operations}
        for op in operations(self._module):
            if op._id not in top and not is_fallback(op) and not is_known(op):
                self._convert(op)

    def _convert(self, op: edit.Operation) -> None:
        original, path = op.name, op.path
        is_registered = op.is_registered
        properties = self._properties(op, path)
        dialect = original.partition(".")[0]
        version = _mlirbc._EditedTables(self._editor).dialect_version(dialect)
        name = self._names.setdefault(dialect, self._name(dialect))
        op._rename(name, False, None)
        taken = sorted(set(self._editor.attribute_names(op._id)).intersection(OWN_ATTRIBUTES))
        if taken:
            raise UnsupportedError(
                f"{path} cannot be converted to {name}: it has an attribute `{taken[0]}`,"
                f" which {name} uses itself"
            )
        op.attributes[ORIGINAL_NAME] = StringAttr.get(original)
        if is_registered is not None:
            op.attributes[IS_REGISTERED] = BoolAttr.get(is_registered)
        for key, value in properties.items():
            op.attributes[key] = value
        if version is not None:
            op.attributes[VERSION] = _of_bytes(version)

    def _name(self, dialect: str) -> str:
        table = _mlirbc._find_table(self._module._base, dialect)
        declared = None if table is None else _mlirbc._fallback_op(table)
        return FALLBACK_OP if declared is None else declared

    def _properties(self, op: edit.Operation, path: str) -> dict[str, Attribute]:
        """The attributes that have its properties."""
        if op.property_state == "attribute":
            value = op._property_attribute()
            return {} if value is None else {PROPERTIES: value}
        blob = op.property_blob
        if blob is None or op.property_state == "merged":
            return {}
        if op.property_state == "decoded" and (values := self._by_name(op, blob)) is not None:
            return {PROPERTIES: values}
        declared = op._property_references()
        if declared is not None:
            data, references = declared
            items = ArrayAttr.get([_as_attribute(reference) for reference in references])
            return {PROPERTIES: _of_bytes(data), REFERENCES: items}
        if not self._keeps_numbering:
            raise UnsupportedError(
                f"{path} cannot be converted for a receiver: the layout of its properties is unknown, and the"
                " numbers in them are those of this file; register a schema of the operation, or a dialect"
                " table that declares it"
            )
        if self._numbering is None:
            self._numbering = numbering_of(self._editor, None)
        numbering = {} if self._numbering is None else {NUMBERING: StringAttr.get(self._numbering)}
        return {PROPERTIES: _of_bytes(blob), **numbering}

    def _by_name(self, op: edit.Operation, blob: bytes) -> Attribute | None:
        try:
            op.is_registered = False
        except UnsupportedError:
            # A table of the dialect declares the layout, not the release.
            return None
        values = op._property_attribute() or DictAttr.get({})
        if self._keeps_numbering:
            # Values that are not encoded again in the same way stay bytes.
            op.is_registered = True
            if op.property_blob != blob:
                op.property_blob = blob
                return None
        return values


def restore_operation(op: edit.Operation, numberings: dict[str, bool]) -> None:
    """Make a fallback operation the operation that it represents."""
    editor, path = op._module._editor, op.path
    attributes = {name: op.attributes.get(name) for name in OWN_ATTRIBUTES}
    original = attributes[ORIGINAL_NAME]
    if not isinstance(original, StringAttr):
        raise _wrong(path, ORIGINAL_NAME, "the name of an operation as a string", original)
    flag = attributes[IS_REGISTERED]
    if flag is not None and not isinstance(flag, BoolAttr):
        raise _wrong(path, IS_REGISTERED, "a bool", flag)
    is_registered = flag is not None and flag.value
    properties = attributes[PROPERTIES]
    version = attributes[VERSION]
    if version is not None and not isinstance(version, DenseI8ArrayAttr):
        raise _wrong(path, VERSION, "bytes, `array<i8: …>`", version)
    if is_registered and not isinstance(properties, DictAttr | DenseI8ArrayAttr | None):
        raise _wrong(path, PROPERTIES, "a dictionary, or bytes, `array<i8: …>`", properties)
    references = attributes[REFERENCES]
    if references is not None and not isinstance(references, ArrayAttr):
        raise _wrong(path, REFERENCES, "an array", references)
    new_properties: Attribute | bytes | None = properties
    if is_registered and isinstance(properties, DenseI8ArrayAttr):
        new_properties = _bytes(properties)
        if references is None:
            _check_numbering(op, path, attributes[NUMBERING], numberings)
    has_properties = op.is_registered is not None
    try:
        # Removed before the properties are set, because some properties may have these names.
        for attribute_name in set(editor.attribute_names(op._id)).intersection(OWN_ATTRIBUTES):
            editor.remove_attribute(op._id, attribute_name)
        is_in_one_step = not isinstance(new_properties, DictAttr)
        name = str(original.value)
        if isinstance(new_properties, bytes) and references is not None:
            rows = [_possible(reference) for reference in references]
            new_properties = _mlirbc._EditedTables(editor).encode_declared(name, new_properties, rows)
        native_properties = new_properties if has_properties else None
        op._rename(name, is_registered and is_in_one_step, native_properties)
        if is_registered and not is_in_one_step and has_properties:
            op.is_registered = True
        if not has_properties and new_properties is not None:
            # Below version 5 everything is in one dictionary.
            if not isinstance(new_properties, DictAttr):
                raise InvalidError("properties as bytes need bytecode version 5 or later")
            for property_name in new_properties:
                op.attributes[property_name] = new_properties[property_name]
        if version is not None:
            _restore_version(editor, name.partition(".")[0], _bytes(version))
    except Error as error:
        raise InvalidError(f"{path} cannot be restored as {original}: {error}") from error


def _check_numbering(
    op: edit.Operation, path: str, numbering: Attribute | None, numberings: dict[str, bool]
) -> None:
    if not isinstance(numbering, StringAttr):
        raise _wrong(path, NUMBERING, "a string, for properties as bytes", numbering)
    text = str(numbering.value)
    if text not in numberings:
        numberings[text] = numbering_of(op._module._editor, text) == text
    if not numberings[text]:
        raise InvalidError(
            f"{path} cannot be restored: its properties are bytes, whose numbers are those of a file with"
            " another numbering; the module was numbered again since, or its attributes were replaced"
        )


def _restore_version(editor: _mlirbc._Editor, dialect: str, version: bytes) -> None:
    module_version = _mlirbc._EditedTables(editor).dialect_version(dialect)
    if module_version is None:
        _mlirbc._EditedTables(editor).set_dialect_version(dialect, version, True)
    elif module_version != version:
        raise InvalidError(
            f"dialect {dialect} has the version {module_version.hex()} in this module,"
            f" and {version.hex()} in the operation"
        )


def numbering_of(editor: _mlirbc._Editor, like: str | None) -> str | None:
    """The numbering of a module, or of as many entries as another one counts; None if it has fewer."""
    counts: list[int] | None = None
    if like is not None:
        parts = like.split(".")
        if len(parts) != 5 or not all(
            part.isascii() and part.isdigit() and len(part) < 10 for part in parts[:4]
        ):
            return None
        counts = [int(part) for part in parts[:4]]
    numbering = _mlirbc._EditedTables(editor).numbering(counts)
    return None if numbering is None else ".".join([*map(str, numbering[0]), f"{numbering[1]:016x}"])


def is_fallback(op: edit.Operation) -> bool:
    """Whether an operation is a fallback operation, by its name or by the declaration of its dialect."""
    name = op.name
    if name == FALLBACK_OP:
        return True
    if op.is_registered or ORIGINAL_NAME not in op._editor.attribute_names(op._id):
        return False
    table = _mlirbc._find_table(op._module._base, name.partition(".")[0])
    return table is not None and _mlirbc._fallback_op(table) == name


def operations(module: edit.Module) -> Iterator[edit.Operation]:
    """All operations, each before its contents."""
    stack = list(reversed(list(module.operations)))
    while stack:
        op = stack.pop()
        yield op
        inner = [child for region in op.regions for block in region.blocks for child in block.operations]
        stack.extend(reversed(inner))


def _as_attribute(reference: Attribute | Type | str) -> Attribute:
    if isinstance(reference, Type):
        return TypeAttr.get(reference)
    return StringAttr.get(reference) if isinstance(reference, str) else reference


def _possible(reference: Attribute) -> tuple[Attribute, Type | None, bytes | None]:
    of_type = reference.value if isinstance(reference, TypeAttr) else None
    text = reference.value_bytes if isinstance(reference, StringAttr) else None
    return reference, of_type, text


def _of_bytes(data: bytes) -> DenseI8ArrayAttr:
    return DenseI8ArrayAttr.get([byte - 256 if byte > 127 else byte for byte in data])


def _bytes(value: DenseI8ArrayAttr) -> bytes:
    return bytes(byte & 0xFF for byte in value)


def _wrong(path: str, name: str, expected: str, value: Attribute | None) -> InvalidError:
    description = "none" if value is None else f"`{_mlirbc._printable(str(value)[:80])}`"
    return InvalidError(f"{path} cannot be restored: `{name}` must be {expected}, found {description}")
