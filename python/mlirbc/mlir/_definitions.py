"""Definitions of operations with names that Python accepts, and the arguments of builders."""

import keyword
import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from mlirbc import _mlirbc

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["AttributePart", "Definition", "RegionPart", "SuccessorPart", "ValuePart", "definition_of"]

# Names that a class or a builder uses itself; a part with such a name gets an underscore.
_RESERVED = frozenset(
    (
        "attributes",
        "callable",
        "context",
        "global",
        "ip",
        "issubclass",
        "loc",
        "operands",
        "property",
        "regions",
        "results",
        "self",
        "successors",
        "type",
    )
)

# Names of methods and functions, which builders would hide.
_FUNCTION_NAMES = frozenset(("create", "global", "operation", "print", "verify"))


def safe_name(name: str) -> str:
    """The name in Python of a part: with an underscore if it is a keyword or used by each class."""
    return f"{name}_" if keyword.iskeyword(name) or name in _RESERVED else name


def function_name(operation: str, class_name: str) -> str:
    """The name of the function that builds an operation: the mnemonic, with an underscore if it is taken."""
    mnemonic = re.sub(r"\W", "_", operation.partition(".")[2])
    if mnemonic[:1].isdigit():
        return f"_{mnemonic}"
    is_taken = mnemonic == class_name or mnemonic in _FUNCTION_NAMES or keyword.iskeyword(mnemonic)
    return f"{mnemonic}_" if is_taken else mnemonic


def snake_case(name: str) -> str:
    """The argument of a function: `lowerBound` is `lower_bound`."""
    name = re.sub(r"([A-Z]+)([A-Z][a-z])", r"\1_\2", name)
    return re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", name).lower()


@dataclass(frozen=True, slots=True)
class ValuePart:
    """An operand or a result."""

    name: str
    """The name of the argument and the accessor."""
    constraint: str
    """The constraint by its name in MLIR."""
    only_type: str | None
    """The only type of the constraint, if it has one."""
    number: str
    """`one`, `optional`, `variadic`, or `groups` for a list of lists."""
    is_named: bool
    """Whether the definition names it; others have no accessor."""

    @property
    def segment(self) -> int:
        """The entry of `_ODS_OPERAND_SEGMENTS`: 1 for one value, 0 for an optional one, -1 for several."""
        return {"one": 1, "optional": 0}.get(self.number, -1)


@dataclass(frozen=True, slots=True)
class AttributePart:
    """An inherent attribute or a native property."""

    name: str
    """The name of the argument and the accessor."""
    key: str
    """The name of the attribute."""
    constraint: str
    """The constraint by its name in MLIR."""
    storage: str
    """The class of the attribute in MLIR, for example `IntegerAttr`."""
    is_optional: bool
    """Whether an operation may lack it."""
    default: str | None
    """The default as text, if it is known."""
    has_default: bool
    """Whether there is a default."""
    is_native: bool
    """Whether it is a property that is not an attribute."""

    @property
    def is_unit(self) -> bool:
        """Whether its presence is its only information."""
        return self.storage == "UnitAttr"

    @property
    def is_required(self) -> bool:
        """Whether a builder needs it."""
        return not (self.is_optional or self.has_default or self.is_native or self.is_unit)


@dataclass(frozen=True, slots=True)
class RegionPart:
    """A region, or the last regions."""

    name: str
    """The name of the accessor."""
    constraint: str
    """The constraint by its name in MLIR."""
    is_variadic: bool
    """Whether it stands for any number of regions."""


SuccessorPart = RegionPart


@dataclass(frozen=True, slots=True)
class Definition:
    """An operation, with the arguments of its builder."""

    name: str
    class_name: str
    release: str
    summary: str
    operands: tuple[ValuePart, ...]
    results: tuple[ValuePart, ...]
    attributes: tuple[AttributePart, ...]
    regions: tuple[RegionPart, ...]
    successors: tuple[SuccessorPart, ...]
    traits: "dict[str, tuple[tuple[str, ...], ...]]"
    """The arguments of each trait, by its name; a trait can occur several times."""
    required: tuple[str, ...]
    """The required operands and attributes in their order."""
    infers_results: bool
    """Whether a builder takes `results` as an optional keyword."""

    @property
    def function_name(self) -> str:
        """The name of the function that builds it."""
        return function_name(self.name, self.class_name)

    @property
    def positional(self) -> tuple[str, ...]:
        """The arguments without a default, in their order."""
        results = () if self.infers_results else tuple(part.name for part in self.results)
        regions = tuple(f"num_{part.name}" for part in self.regions if part.is_variadic)
        return (*results, *self.required, *(part.name for part in self.successors), *regions)

    @property
    def keywords(self) -> tuple[str, ...]:
        """The arguments with a default, without `loc` and `ip`."""
        operands = tuple(part.name for part in self.operands if part.number == "optional")
        attributes = tuple(part.name for part in self.attributes if not part.is_required)
        return (*operands, *attributes, *(("results",) if self.infers_results else ()))

    def has_trait(self, name: str) -> bool:
        """Whether it has a trait."""
        return name in self.traits


# Dialects whose definitions do not know the interface of inference: their builders take all types.
_WITHOUT_INFERENCE = frozenset(
    (
        "acc",
        "amx",
        "arm_neon",
        "arm_sve",
        "emitc",
        "ml_program",
        "mpi",
        "nvvm",
        "omp",
        "pdl",
        "pdl_interp",
        "rocdl",
        "xegpu",
    )
)


@cache
def definition_of(name: str) -> Definition | None:
    """The definition that bindings present for an operation, by its full name."""
    rows = _mlirbc._binding_definition(name)
    if rows is None:
        return None
    (class_name, release, summary, order), (operands, results), attributes, (regions, successors), traits = (
        rows
    )
    operand_parts = tuple(_value(row, f"_gen_arg_{place}") for place, row in enumerate(operands))
    unnamed = "result" if len(results) == 1 else "_gen_res_{}"
    result_parts = tuple(_value(row, unnamed.format(place)) for place, row in enumerate(results))
    attribute_parts = tuple(_attribute(row) for row in attributes)
    by_name: dict[str, list[tuple[str, ...]]] = {}
    for trait, arguments in traits:
        by_name.setdefault(trait, []).append(tuple(arguments))
    required = [part.name for part in operand_parts if part.number != "optional"]
    required += [part.name for part in attribute_parts if part.is_required]
    if order:
        ordered = [safe_name(one) for one in order]
        required = [name for name in ordered if name in required] + [
            name for name in required if name not in ordered
        ]
    region_parts = tuple(_part(row, "region", place) for place, row in enumerate(regions))
    trait_rows = {trait: tuple(rows) for trait, rows in by_name.items()}
    return Definition(
        name,
        class_name if class_name.isidentifier() else "UnnamedOp",
        release,
        summary,
        operand_parts,
        result_parts,
        attribute_parts,
        region_parts,
        tuple(_part(row, "successor", place) for place, row in enumerate(successors)),
        trait_rows,
        tuple(required),
        name.split(".")[0] not in _WITHOUT_INFERENCE
        and _infers(operand_parts, result_parts, attribute_parts, region_parts, trait_rows),
    )


def _value(row: "tuple[str, str, str | None, str, str | None]", unnamed: str) -> ValuePart:
    name, constraint, only_type, number, _ = row
    is_named = name.isidentifier()
    return ValuePart(safe_name(name) if is_named else unnamed, constraint, only_type, number, is_named)


def _attribute(row: "tuple[str, str, str, bool, str | None, bool, bool]") -> AttributePart:
    key = row[0]
    name = safe_name(key) if key.isidentifier() else re.sub(r"\W", "_", f"_{key}")
    return AttributePart(name, *row)


def _part(row: tuple[str, str, bool], kind: str, place: int) -> RegionPart:
    name, constraint, is_variadic = row
    return RegionPart(safe_name(name) if name.isidentifier() else f"_{kind}_{place}", constraint, is_variadic)


def _infers(
    operands: "Sequence[ValuePart]",
    results: "Sequence[ValuePart]",
    attributes: "Sequence[AttributePart]",
    regions: "Sequence[RegionPart]",
    traits: "dict[str, tuple[tuple[str, ...], ...]]",
) -> bool:
    if not results:
        return False
    is_fixed = all(part.number == "one" for part in results)
    if is_fixed and ("SameOperandsAndResultType" in traits or "FirstAttrDerivedResultType" in traits):
        return True
    if regions:
        return False
    if "InferTypeOpInterface" in traits or "InferTypeOpAdaptor" in traits:
        return True
    return is_fixed and all(part.name in _known(operands, results, attributes, traits) for part in results)


def _known(
    operands: "Sequence[ValuePart]",
    results: "Sequence[ValuePart]",
    attributes: "Sequence[AttributePart]",
    traits: "dict[str, tuple[tuple[str, ...], ...]]",
) -> set[str]:
    """The parts whose types follow from operands, attributes and constraints."""
    typed = {part.name for part in operands if part.number == "one"}
    typed |= {part.name for part in attributes if part.is_required}
    typed |= {part.name for part in results if part.only_type is not None}
    edges = [
        (safe_name(row[0]), safe_name(row[1])) for row in traits.get("TypesMatchWith", ()) if len(row) > 1
    ]
    edges += [
        (safe_name(one), safe_name(other))
        for row in traits.get("AllTypesMatch", ())
        for one in row
        for other in row
    ]
    is_growing = True
    while is_growing:
        rows = {to for source, to in edges if source in typed} - typed
        typed |= rows
        is_growing = bool(rows)
    return typed
