"""Classes of operations, made at run time from definitions.

Definitions of packs are data: classes are made without executing text.
"""

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from mlirbc._mlirbc import Attribute
from mlirbc.mlir._attribute_builders import built_attribute, default_attribute, unit_attribute
from mlirbc.mlir._definitions import (
    AttributePart,
    Definition,
    RegionPart,
    ValuePart,
    definition_of,
    snake_case,
)
from mlirbc.mlir._opview import OpView, results_or_values

if TYPE_CHECKING:
    from mlirbc.edit import Block, Operation

__all__ = ["generated_class", "make_class", "make_function", "result_of"]


def make_class(definition: Definition, module: str) -> type[OpView]:
    """The class of an operation, for the module of its dialect."""
    body = {"__slots__": (), "__module__": module, "__doc__": _documentation(definition)}
    cls = type(definition.class_name, (OpView,), body)
    _complete(cls, definition)
    return cls


def generated_class(name: str, module: str) -> type[OpView]:
    """The generated class that a hand-written class of an operation extends.

    Raises `TypeError` if no definition of the operation is known.
    """
    definition = definition_of(name)
    if definition is None:
        raise TypeError(f"no definition of {name} is known")
    return make_class(definition, module)


def _complete(cls: type[OpView], definition: Definition) -> None:
    initializer = _initializer(definition)
    cls._build = initializer  # type: ignore[method-assign]
    cls.__init__ = initializer  # type: ignore[method-assign]
    cls.__signature__ = _signature(definition, keep_names=True)  # type: ignore[attr-defined]
    cls.OPERATION_NAME = definition.name
    cls._DEFINITION = definition
    is_open = any(part.is_variadic for part in definition.regions)
    cls._ODS_REGIONS = (sum(not part.is_variadic for part in definition.regions), not is_open)
    if definition.has_trait("AttrSizedOperandSegments"):
        cls._ODS_OPERAND_SEGMENTS = [part.segment for part in definition.operands]
    if definition.has_trait("AttrSizedResultSegments"):
        cls._ODS_RESULT_SEGMENTS = [part.segment for part in definition.results]
    for name, accessor in _accessors(definition).items():
        setattr(cls, name, accessor)


def _documentation(definition: Definition) -> str:
    summary = definition.summary or f"The operation `{definition.name}`"
    return f"{summary[:1].upper()}{summary[1:].rstrip('.')}."


# ---- accessors ----


def _accessors(definition: Definition) -> "dict[str, property]":
    entries: dict[str, property] = {}
    operands = _value_accessors(definition, definition.operands, "operand")
    results = _value_accessors(definition, definition.results, "result")
    for accessors in (operands, results):
        for name, accessor in accessors.items():
            entries.setdefault(name, accessor)
    for attribute in definition.attributes:
        entries.setdefault(attribute.name, _attribute_accessor(attribute))
    for place, region in enumerate(definition.regions):
        entries.setdefault(region.name, _region_accessor(place, region))
    return entries


def _value_accessors(
    definition: Definition, parts: "tuple[ValuePart, ...]", kind: str
) -> "dict[str, property]":
    values = f"{kind}s"
    if definition.has_trait(f"AttrSized{kind.capitalize()}Segments"):
        sizes = f"{kind}SegmentSizes"
        return {
            part.name: _segment_accessor(values, sizes, place, part)
            for place, part in enumerate(parts)
            if part.is_named
        }
    entries = {}
    for place, part in enumerate(parts):
        if part.is_named:
            entries[part.name] = _place_accessor(values, parts, place)
    return entries


def _segment_accessor(values: str, sizes: str, place: int, part: ValuePart) -> property:
    def get(self: OpView) -> object:
        lengths = list(self.attributes[sizes])  # type: ignore[call-overload]
        start = sum(lengths[:place])
        group = getattr(self, values)[start : start + lengths[place]]
        if part.segment == -1:
            return group
        return group[0] if group else None

    return property(get, doc=part.constraint)


def _place_accessor(values: str, parts: "tuple[ValuePart, ...]", place: int) -> property:
    part = parts[place]
    groups = sum(one.segment != 1 for one in parts)
    single = len(parts) - groups
    before = sum(one.segment != 1 for one in parts[:place])
    single_before = place - before

    def get(self: OpView) -> object:
        every = getattr(self, values)
        if not groups:
            return every[place]
        size = (len(every) - single) // groups
        start = single_before + before * size
        if part.segment == 1:
            return every[start]
        if part.segment == 0:
            return every[start] if size else None
        return every[start : start + size]

    return property(get, doc=part.constraint)


def _attribute_accessor(part: AttributePart) -> property:
    key = part.key
    if part.is_unit:
        return _unit_accessor(key, part)

    def get(self: OpView) -> Attribute | None:
        value = self.attributes.get(key)
        if value is None and not (part.is_optional or part.is_native):
            return self.attributes[key]
        return value

    def set_(self: OpView, value: object) -> None:
        if value is not None:
            self.attributes[key] = built_attribute(part, value)
        elif not part.is_optional:
            raise ValueError("'None' not allowed as value for mandatory attributes")
        elif key in self.attributes:
            del self.attributes[key]

    def delete(self: OpView) -> None:
        del self.attributes[key]

    return property(get, set_, delete if part.is_optional else None, doc=part.constraint)


def _unit_accessor(key: str, part: AttributePart) -> property:
    def get(self: OpView) -> bool:
        return key in self.attributes

    def set_(self: OpView, value: object) -> None:
        if value:
            self.attributes[key] = unit_attribute()
        elif key in self.attributes:
            del self.attributes[key]

    def delete(self: OpView) -> None:
        del self.attributes[key]

    return property(get, set_, delete, doc=part.constraint)


def _region_accessor(place: int, part: RegionPart) -> property:
    if part.is_variadic:
        return property(lambda self: self.regions[place:], doc=part.constraint)
    return property(lambda self: self.regions[place], doc=part.constraint)


# ---- builders ----


class _Binder:
    """The arguments of a call by the names of the definition, without the cost of `inspect`."""

    __slots__ = ("_known", "_name", "_positional", "_required")

    def __init__(self, name: str, arguments: "Mapping[str, str]", definition: Definition) -> None:
        self._name = name
        self._known = {argument: part for argument, part in arguments.items()}
        by_part = {part: argument for argument, part in arguments.items()}
        natives = [part.name for part in definition.attributes if part.is_native]
        self._required = [by_part[part] for part in definition.positional]
        self._positional = [*self._required, *(by_part[part] for part in natives)]

    def bind(self, arguments: "tuple[object, ...]", keywords: "Mapping[str, object]") -> "dict[str, object]":
        """The values by part. Raises `TypeError` as a call of a function does."""
        parts_by_argument = self._known
        if len(arguments) > len(self._positional):
            raise TypeError(
                f"{self._name}() takes {len(self._positional)} positional arguments "
                f"but {len(arguments)} were given"
            )
        values = {
            parts_by_argument[name]: value for name, value in zip(self._positional, arguments, strict=False)
        }
        for name, value in keywords.items():
            part = parts_by_argument.get(name)
            if part is None:
                raise TypeError(f"{self._name}() got an unexpected keyword argument '{name}'")
            if part in values:
                raise TypeError(f"{self._name}() got multiple values for argument '{name}'")
            values[part] = value
        if missing := [name for name in self._required if parts_by_argument[name] not in values]:
            names = ", ".join(f"'{name}'" for name in missing)
            raise TypeError(f"{self._name}() missing required arguments: {names}")
        return values


_WHERE = ("loc", "ip")


def _initializer(definition: Definition) -> "Callable[..., None]":
    names = (*definition.positional, *definition.keywords, *_WHERE)
    binder = _Binder(f"{definition.class_name}.__init__", {name: name for name in names}, definition)

    def __init__(self: OpView, *arguments: object, **keywords: object) -> None:
        build(self, definition, binder.bind(arguments, keywords))

    return __init__


def make_function(definition: Definition, cls: type[OpView]) -> "Callable[..., object]":
    """The function that builds an operation and returns its result, its results, or the operation."""
    names = (*definition.positional, *definition.keywords, *_WHERE)
    binder = _Binder(definition.function_name, {snake_case(name): name for name in names}, definition)

    def function(*arguments: object, **keywords: object) -> object:
        view = cls.__new__(cls)
        build(view, definition, binder.bind(arguments, keywords))
        return result_of(view)

    function.__name__ = function.__qualname__ = definition.function_name
    function.__module__ = cls.__module__
    function.__doc__ = cls.__doc__
    function.__signature__ = _signature(definition, keep_names=False)  # type: ignore[attr-defined]
    return function


def result_of(operation: "Operation") -> object:
    """The result of an operation with one, the results of one with several, else the operation."""
    results = operation.results
    if len(results) == 1:
        return results[0]
    return results if len(results) > 1 else operation


def _signature(definition: Definition, *, keep_names: bool) -> inspect.Signature:
    shown = (lambda name: name) if keep_names else snake_case
    kinds = inspect.Parameter
    parameters = [kinds(shown(name), kinds.POSITIONAL_OR_KEYWORD) for name in definition.positional]
    keywords = (*definition.keywords, *_WHERE)
    parameters += [kinds(shown(name), kinds.KEYWORD_ONLY, default=None) for name in keywords]
    return inspect.Signature(parameters)


def build(view: OpView, definition: Definition, values: "Mapping[str, object]") -> None:
    """Build the operation of a view from the values of its arguments."""
    regions = [part for part in definition.regions if part.is_variadic]
    counts = [values[f"num_{part.name}"] for part in regions]
    fixed = len(definition.regions) - len(regions)
    view._build_generic(
        _results(definition, values),
        _operands(definition, values),
        _attributes(definition, values),
        _successors(definition, values),
        fixed + sum(counts) if counts else None,  # type: ignore[arg-type]
        values.get("loc"),  # type: ignore[arg-type]
        values.get("ip"),  # type: ignore[arg-type]
    )


def _operands(definition: Definition, values: "Mapping[str, object]") -> list[object]:
    arguments_by_part = [values.get(part.name) for part in definition.operands]
    if definition.has_trait("AttrSizedOperandSegments"):
        return arguments_by_part
    return _flattened(definition.operands, arguments_by_part, results_or_values)


def _results(definition: Definition, values: "Mapping[str, object]") -> "Sequence[object] | None":
    if definition.infers_results:
        return values.get("results")  # type: ignore[return-value]
    arguments_by_part = [values[part.name] for part in definition.results]
    if definition.has_trait("AttrSizedResultSegments"):
        return arguments_by_part
    return _flattened(definition.results, arguments_by_part, lambda types: types)  # type: ignore[arg-type, return-value]


def _flattened(
    parts: "tuple[ValuePart, ...]",
    arguments_by_part: list[object],
    items: "Callable[[object], Sequence[object]]",
) -> list[object]:
    entries: list[object] = []
    for part, value in zip(parts, arguments_by_part, strict=True):
        if part.segment == -1:
            entries.extend(items(value) if value is not None else ())
        elif part.segment == 1 or value is not None:
            entries.append(value)
    return entries


def _attributes(definition: Definition, values: "Mapping[str, object]") -> "dict[str, Attribute]":
    entries = {}
    for part in definition.attributes:
        value = values.get(part.name)
        if part.is_unit:
            if value:
                entries[part.key] = unit_attribute()
        elif value is not None:
            entries[part.key] = built_attribute(part, value)
        elif part.has_default and not part.is_optional and not part.is_native:
            default = default_attribute(part)
            if default is not None:
                entries[part.key] = default
    return entries


def _successors(definition: Definition, values: "Mapping[str, object]") -> "list[Block] | None":
    entries: list[Block] = []
    for part in definition.successors:
        value = values[part.name]
        entries.extend(value if part.is_variadic else [value])  # type: ignore[arg-type, list-item]
    return entries or None
