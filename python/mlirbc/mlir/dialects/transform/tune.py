"""The extension `tune` of the dialect `transform`."""

from typing import TYPE_CHECKING

from mlirbc.mlir import ir
from mlirbc.mlir._op_classes import result_of
from mlirbc.mlir._opview import OpView
from mlirbc.mlir.dialects._generated import DialectNames
from mlirbc.mlir.dialects.transform import extension_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mlirbc._mlirbc import Attribute, Type
    from mlirbc.edit import InsertionPoint

_names = DialectNames("transform", __name__, lambda mnemonic: extension_of(mnemonic) == "tune")


def __getattr__(name: str) -> object:
    return _names.get(name)


def __dir__() -> list[str]:
    return _names.all()


class KnobOp(OpView, extends="transform.tune.knob"):
    """A choice with a name."""

    __slots__ = ()

    def __init__(
        self,
        result: "Type",
        name: "str | Attribute",
        options: object,
        *,
        selected: object = None,
        loc: "Attribute | None" = None,
        ip: "InsertionPoint | None" = None,
    ) -> None:
        """Build it; options are attributes or Python values."""
        self._build(
            result,
            name,
            _attribute(options),
            selected=None if selected is None else _attribute(selected),
            loc=loc,
            ip=ip,
        )


def knob(
    result: "Type",
    name: "str | Attribute",
    options: object,
    *,
    selected: object = None,
    loc: "Attribute | None" = None,
    ip: "InsertionPoint | None" = None,
) -> object:
    """Build a choice and return it."""
    return result_of(KnobOp(result, name, options, selected=selected, loc=loc, ip=ip))


def _attribute(value: object) -> "Attribute":
    """The attribute of a Python value."""
    if isinstance(value, ir.Attribute):
        return value
    if isinstance(value, bool):
        return ir.BoolAttr.get(value)
    if isinstance(value, int):
        return ir.IntegerAttr.get(ir.IntegerType.get_signless(64), value)
    if isinstance(value, float):
        return ir.FloatAttr.get_f64(value)
    if isinstance(value, str):
        return ir.StringAttr.get(value)
    return ir.ArrayAttr.get([_attribute(one) for one in value])  # type: ignore[attr-defined]


class AlternativesOp(OpView, extends="transform.tune.alternatives"):
    """Alternatives with a name."""

    __slots__ = ()

    def __init__(
        self,
        results: "Sequence[Type]",
        name: "str | Attribute",
        num_alternatives: int,
        *,
        selected_region: object = None,
        loc: "Attribute | None" = None,
        ip: "InsertionPoint | None" = None,
    ) -> None:
        """Build it with an empty block for each alternative."""
        is_number = selected_region is None or isinstance(selected_region, (int, ir.Attribute))
        attribute, parameter = (selected_region, None) if is_number else (None, selected_region)
        self._build(
            results,
            name,
            num_alternatives,
            selected_region_attr=attribute,
            selected_region_param=parameter,
            loc=loc,
            ip=ip,
        )
        for region in self.regions:
            region.blocks.append()
