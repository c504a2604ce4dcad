"""Views of operations: objects of a class for each operation, with accessors for its parts."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar, Self

from mlirbc._bindings import typeid_of
from mlirbc._mlirbc import Attribute, Type
from mlirbc.edit import Block, InsertionPoint, Value
from mlirbc.mlir import _registry
from mlirbc.mlir._operation import Operation, OperationBase

if TYPE_CHECKING:
    from mlirbc.mlir._definitions import Definition

__all__ = ["OpView", "cast_value", "result_or_value", "results_or_values", "view_of"]


def result_or_value(source: object) -> Value:
    """The value, or the only result of an operation.

    Raises `ValueError` for an operation with another number of results, and `TypeError` for other objects.
    """
    if isinstance(source, Value):
        return source
    if isinstance(source, OperationBase):
        return source.operation.result
    if isinstance(source, Sequence) and source and isinstance(source[0], Value):
        return source[0]
    raise TypeError(f"expected a value or an operation with one result, found {type(source).__name__}")


def results_or_values(source: object) -> "Sequence[object]":
    """The results of an operation, or the sequence itself."""
    if isinstance(source, OperationBase):
        return source.operation.results
    if isinstance(source, Value):
        raise TypeError("expected a sequence of values, found a value")
    return source  # type: ignore[return-value]


class _ViewClass(type):
    """The class of views: a class that extends an operation derives from the generated class."""

    def __new__(
        cls, name: str, bases: tuple[type, ...], body: dict[str, object], extends: str | None = None
    ) -> "_ViewClass":
        if extends is not None:
            from mlirbc.mlir._op_classes import generated_class

            generated = generated_class(extends, str(body["__module__"]))
            hand_written = tuple(base for base in bases if base is not OpView)
            bases = (*hand_written, generated)
        view_type = super().__new__(cls, name, bases, body)
        if extends is not None:
            _registry.OPERATION_CLASSES[extends] = view_type  # type: ignore[assignment]
        return view_type

    def __init__(
        cls, name: str, bases: tuple[type, ...], body: dict[str, object], extends: str | None = None
    ) -> None:
        super().__init__(name, bases, body)


class OpView(OperationBase, metaclass=_ViewClass):
    """An operation, seen as an object of its class.

    >>> from mlirbc.mlir import ir
    >>> from mlirbc.mlir.dialects import arith
    >>> with ir.Context(), ir.Location.unknown():
    ...     module = ir.Module.create()
    ...     with ir.InsertionPoint(module.body):
    ...         three = arith.ConstantOp(ir.IntegerType.get_signless(32), 3)
    >>> isinstance(module.body.operations[0], arith.ConstantOp), three.literal_value
    (True, 3)
    """

    __slots__ = ()

    OPERATION_NAME: ClassVar[str] = ""
    """The name of the operation."""
    _ODS_REGIONS: ClassVar[tuple[int, bool]] = (0, True)
    _ODS_OPERAND_SEGMENTS: ClassVar[list[int] | None] = None
    _ODS_RESULT_SEGMENTS: ClassVar[list[int] | None] = None
    _DEFINITION: "ClassVar[Definition | None]" = None

    def __new__(cls, *arguments: object, **keywords: object) -> Self:
        """Make an object without an operation, which `__init__` sets."""
        return super().__new__(cls)

    def __init__(self, operation: OperationBase) -> None:
        self._view(operation)

    def _view(self, operation: OperationBase) -> None:
        self._set_target(operation._home, operation._row)

    @property
    def opview(self) -> "OpView":
        """Itself."""
        return self

    def __repr__(self) -> str:
        return f"<{type(self).__module__}.{type(self).__name__} {self.operation.name}>"

    @classmethod
    def build_generic(
        cls,
        results: "Sequence[object] | None" = None,
        operands: "Sequence[object] | None" = None,
        attributes: Mapping[str, Attribute] | None = None,
        successors: "Sequence[Block] | None" = None,
        regions: int | None = None,
        loc: "Attribute | None" = None,
        ip: "InsertionPoint | None" = None,
    ) -> "OpView":
        """Build the operation of the class, with operands and results in their groups.

        Without `results`, their types are inferred. Raises `ValueError` if a group or the number of regions
        does not fit the class.
        """
        view = OpView.__new__(cls)
        cls._build_generic(view, results, operands, attributes, successors, regions, loc, ip)
        return view

    def _build_generic(
        self,
        results: "Sequence[object] | None",
        operands: "Sequence[object] | None",
        attributes: Mapping[str, Attribute] | None,
        successors: "Sequence[Block] | None",
        regions: int | None,
        loc: "Attribute | None",
        ip: "InsertionPoint | None",
    ) -> None:
        cls = type(self)
        name = cls.OPERATION_NAME
        count = _region_count(name, cls._ODS_REGIONS, regions)
        named = dict(attributes or {})
        values, sizes = _groups(name, _OPERANDS, operands or (), cls._ODS_OPERAND_SEGMENTS)
        if sizes is not None:
            named["operandSegmentSizes"] = _sizes(sizes)
        if results is None:
            from mlirbc.mlir._inference import inferred_types

            types: Sequence[object] = inferred_types(name, cls._DEFINITION, values, named)  # type: ignore[arg-type]
        else:
            types, sizes = _groups(name, _RESULTS, results, cls._ODS_RESULT_SEGMENTS)
            if sizes is not None:
                named["resultSegmentSizes"] = _sizes(sizes)
        operation = Operation.create(
            name,
            results=types,  # type: ignore[arg-type]
            operands=values,  # type: ignore[arg-type]
            attributes=named,
            successors=list(successors or ()),
            regions=count,
            loc=loc,
            ip=ip,
        )
        self._view(operation)

    def _build(self, *arguments: object, **keywords: object) -> None:
        """Build the operation from the arguments that its definition declares."""
        raise TypeError(f"{type(self).__name__} has no definition; use build_generic")


def view_of(operation: OperationBase) -> OpView:
    """The view of an operation: an object of the class that is registered for it, else of `OpView`."""
    if isinstance(operation, OpView):
        return operation
    operation = operation.operation
    cls = view_class(operation.name)
    view = OpView.__new__(cls)
    view._view(operation)
    return view


def cast_value(value: Value) -> Value:
    """The value as an object of the class that is registered for its type."""
    if not _registry.VALUE_CASTERS:
        return value
    caster = _registry.VALUE_CASTERS.get(typeid_of(value.type))
    return value if caster is None else caster(value)  # type: ignore[return-value]


def view_class(name: str) -> type[OpView]:
    """The class that is registered for an operation, else the generated one, else `OpView`."""
    selected = _registry.OPERATION_CLASSES.get(name)
    if selected is None:
        from mlirbc.mlir.dialects import load_class

        selected = load_class(name) or OpView
        # Only names with a class are stored: a file can have any number of other names.
    return selected


class _Kind:
    """The parts of a group, for messages."""

    __slots__ = ("_convert", "name", "of", "plural")

    def __init__(self, name: str, of: str, convert: "object") -> None:
        self.name = name
        self.of = of
        self._convert = convert

    def convert(self, item: object) -> object:
        """The value or type that an item stands for."""
        if self._convert is result_or_value:
            return result_or_value(item)
        if isinstance(item, Type):
            return item
        raise TypeError(f"expected a type, found {type(item).__name__}")


_OPERANDS = _Kind("Operand", "Value", result_or_value)
_RESULTS = _Kind("Result", "Type", None)


def _region_count(name: str, specification: tuple[int, bool], regions: int | None) -> int:
    least, is_exact = specification
    count = least if regions is None else regions
    if count < least:
        raise ValueError(
            f'Operation "{name}" requires a minimum of {least} regions but was built with regions={count}'
        )
    if is_exact and count > least:
        raise ValueError(
            f'Operation "{name}" requires a maximum of {least} regions but was built with regions={count}'
        )
    return count


def _groups(
    name: str, kind: _Kind, items: "Sequence[object]", segments: list[int] | None
) -> "tuple[list[object], list[int] | None]":
    """The values or types of all groups, and the sizes of the groups if the operation stores them."""
    if segments is None:
        return [_one(name, kind, place, item) for place, item in enumerate(items)], None
    if len(items) != len(segments):
        raise ValueError(
            f'Operation "{name}" requires {len(segments)} {kind.name.lower()} segments '
            f"but was provided {len(items)}"
        )
    selected: list[object] = []
    sizes = []
    for place, (item, segment) in enumerate(zip(items, segments, strict=True)):
        group = _group(name, kind, place, item, segment)
        selected += group
        sizes.append(len(group))
    return selected, sizes


def _one(name: str, kind: _Kind, place: int, item: object) -> object:
    try:
        return kind.convert(item)
    except (TypeError, ValueError) as error:
        raise ValueError(
            f'{kind.name} {place} of operation "{name}" must be a {kind.of} ({_reason(item, error)})'
        ) from error


def _group(name: str, kind: _Kind, place: int, item: object, segment: int) -> list[object]:
    if segment == -1:
        return _several(name, kind, place, item)
    if item is not None:
        return [_one(name, kind, place, item)]
    if segment == 0:
        return []
    raise ValueError(
        f'{kind.name} {place} of operation "{name}" must be a {kind.of} '
        f"(was None and {kind.name.lower()} is not optional)"
    )


def _several(name: str, kind: _Kind, place: int, items: object) -> list[object]:
    if items is None:
        return []
    selected = []
    for item in results_or_values(items) if kind is _OPERANDS else items:  # type: ignore[attr-defined]
        try:
            selected.append(kind.convert(item))
        except (TypeError, ValueError) as error:
            raise ValueError(
                f'{kind.name} {place} of operation "{name}" must be a Sequence of {kind.of}s '
                f"({_reason(item, error).replace('was None', 'contained a None item')})"
            ) from error
    return selected


def _reason(item: object, error: Exception) -> str:
    return "was None" if item is None else str(error)


def _sizes(sizes: list[int]) -> Attribute:
    from mlirbc._dense_arrays import DenseI32ArrayAttr

    return DenseI32ArrayAttr.get(sizes)
