"""The dialect `affine`: loops and accesses with affine bounds and indices."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from mlirbc.mlir import ir
from mlirbc.mlir._opview import OpView, result_or_value, results_or_values
from mlirbc.mlir.dialects._generated import DialectNames
from mlirbc.mlir.dialects._ods_common import ResultValueTypeTuple

if TYPE_CHECKING:
    from mlirbc._mlirbc import Attribute, Type
    from mlirbc.edit import Block, InsertionPoint, Value

_names = DialectNames("affine", __name__)


def __getattr__(name: str) -> object:
    return _names.get(name)


def __dir__() -> list[str]:
    return _names.all()


class AffineForOp(OpView, extends="affine.for"):
    """A loop over a range with affine bounds."""

    __slots__ = ()

    def __init__(
        self,
        lower_bound: object,
        upper_bound: object,
        step: "int | Attribute | None" = None,
        iter_args: object = None,
        *,
        lower_bound_operands: object = None,
        upper_bound_operands: object = None,
        loc: "Attribute | None" = None,
        ip: "InsertionPoint | None" = None,
    ) -> None:
        """Build a loop with an empty block.

        A bound is an integer, a value, or a map with its operands. Raises `ValueError` for others.
        """
        lower, lower_values = _bound("lower", lower_bound, lower_bound_operands)
        upper, upper_values = _bound("upper", upper_bound, upper_bound_operands)
        values = [result_or_value(one) for one in results_or_values(iter_args or ())]
        types = [value.type for value in values]
        self._build(
            types,
            lowerBoundOperands=lower_values,
            upperBoundOperands=upper_values,
            inits=values,
            lowerBoundMap=ir.AffineMapAttr.get(lower),
            upperBoundMap=ir.AffineMapAttr.get(upper),
            step=1 if step is None else step,
            loc=loc,
            ip=ip,
        )
        self.regions[0].blocks.append(ir.IndexType.get(), *types)

    @property
    def body(self) -> "Block":
        """The block of the loop."""
        return self.regions[0].blocks[0]

    @property
    def induction_variable(self) -> "Value":
        """The induction variable."""
        return self.body.arguments[0]

    @property
    def inner_iter_args(self) -> "Sequence[Value]":
        """The values of the iteration."""
        return self.body.arguments[1:]


def _bound(name: str, bound: object, operands: object) -> "tuple[ir.AffineMap, list[object]]":
    """The map of a bound and its operands."""
    values: list[object] = list(results_or_values(operands or ()))
    if isinstance(bound, int):
        bound = ir.AffineMap.get_constant(bound)
    elif isinstance(bound, ResultValueTypeTuple):
        if values:
            raise ValueError(
                f"Either a concrete {name} bound or an AffineMap in combination with {name} bound operands, "
                "but not both, is supported."
            )
        if not isinstance(bound, ir.Value) and len(bound.operation.results) > 1:
            raise ValueError(f"Only a single concrete value is supported for {name} bound.")
        values = [result_or_value(bound)]
        bound = ir.AffineMap.get_identity(1)
    if not isinstance(bound, ir.AffineMap):
        raise ValueError(f"{name} bound must be int | ResultValueT | AffineMap.")
    if len(values) != bound.n_inputs:
        raise ValueError(
            f"Wrong number of {name} bound operands passed to AffineForOp; "
            f"Expected {bound.n_inputs}, got {len(values)}."
        )
    return bound, values


def for_(
    start: object,
    stop: object,
    step: "int | Attribute | None" = None,
    iter_args: object = None,
    *,
    loc: "Attribute | None" = None,
    ip: "InsertionPoint | None" = None,
) -> Iterator[object]:
    """Build a loop by a `for` statement, whose body runs once.

    It yields the induction variable; with values that iterations pass on, also these within the loop.
    """
    loop = AffineForOp(start, stop, step, iter_args, loc=loc, ip=ip)
    values = tuple(loop.inner_iter_args)
    with ir.InsertionPoint(loop.body):
        if len(values) > 1:
            yield loop.induction_variable, values
        elif values:
            yield loop.induction_variable, values[0]
        else:
            yield loop.induction_variable


class AffineIfOp(OpView, extends="affine.if"):
    """A branch by an integer set."""

    __slots__ = ()

    def __init__(
        self,
        cond: "ir.IntegerSet",
        results_: "Sequence[Type] | None" = None,
        *,
        cond_operands: object = None,
        has_else: bool = False,
        loc: "Attribute | None" = None,
        ip: "InsertionPoint | None" = None,
    ) -> None:
        """Build a branch with an empty block, or two."""
        values = list(results_or_values(cond_operands or ()))
        if cond.n_inputs != len(values):
            raise ValueError(f"expected {cond.n_inputs} condition operands, got {len(values)}")
        self._build(results_ or (), values, ir.IntegerSetAttr.get(cond), loc=loc, ip=ip)
        self.regions[0].blocks.append()
        if has_else:
            self.regions[1].blocks.append()

    @property
    def then_block(self) -> "Block":
        """The block for values in the set."""
        return self.regions[0].blocks[0]

    @property
    def else_block(self) -> "Block | None":
        """The block for other values; None if there is none."""
        blocks = self.regions[1].blocks
        return blocks[0] if blocks else None
