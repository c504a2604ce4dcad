"""The dialect `scf`: loops and branches with regions."""

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from mlirbc.mlir import ir
from mlirbc.mlir._op_classes import result_of
from mlirbc.mlir._opview import OpView, result_or_value, results_or_values
from mlirbc.mlir.dialects._generated import DialectNames
from mlirbc.mlir.dialects.arith import constant

if TYPE_CHECKING:
    from mlirbc._mlirbc import Attribute, Type
    from mlirbc.edit import Block, InsertionPoint, Region, Value

_names = DialectNames("scf", __name__)


def __getattr__(name: str) -> object:
    return _names.get(name)


def __dir__() -> list[str]:
    return _names.all()


class _Loop(OpView):
    """A loop: an operation with one block, whose first arguments are the induction variables."""

    __slots__ = ()

    @property
    def body(self) -> "Block":
        """The block of the loop."""
        return self.regions[0].blocks[0]


class ForOp(_Loop, extends="scf.for"):
    """A loop over a range.

    `loop.body` is the block, `loop.induction_variable` its first argument, and `loop.inner_iter_args` the
    others.
    """

    __slots__ = ()

    def __init__(
        self,
        lower_bound: object,
        upper_bound: object,
        step: object,
        iter_args: object = None,
        *,
        loc: "Attribute | None" = None,
        ip: "InsertionPoint | None" = None,
    ) -> None:
        """Build a loop with an empty block; `iter_args` are values that iterations pass on."""
        values = [result_or_value(one) for one in results_or_values(iter_args or ())]
        types = [value.type for value in values]
        self._build(types, lower_bound, upper_bound, step, values, loc=loc, ip=ip)
        self.regions[0].blocks.append(self.operands[0].type, *types)

    @property
    def induction_variable(self) -> "Value":
        """The induction variable."""
        return self.body.arguments[0]

    @property
    def inner_iter_args(self) -> "Sequence[Value]":
        """The values of the iteration."""
        return self.body.arguments[1:]


def _mixed(values: "Sequence[object]") -> "tuple[list[object], list[int]]":
    """The values that are not known, and all integers."""
    dynamic: list[object] = []
    static: list[int] = []
    for value in values:
        if isinstance(value, int):
            static.append(value)
        else:
            dynamic.append(result_or_value(value))
            static.append(ir.ShapedType.get_dynamic_size())
    return dynamic, static


class ForallOp(_Loop, extends="scf.forall"):
    """A loop whose iterations run in any order."""

    __slots__ = ()

    def __init__(
        self,
        lower_bounds: "Sequence[object]",
        upper_bounds: "Sequence[object]",
        steps: "Sequence[object]",
        shared_outs: object = None,
        *,
        mapping: object = None,
        loc: "Attribute | None" = None,
        ip: "InsertionPoint | None" = None,
    ) -> None:
        """Build a loop with an empty block; bounds are values or integers."""
        assert len(lower_bounds) == len(upper_bounds) == len(steps), (
            "Mismatch in length of lower bounds, upper bounds, and steps"
        )
        values = [result_or_value(one) for one in results_or_values(shared_outs or ())]
        types = [value.type for value in values]
        bounds = [_mixed(one) for one in (lower_bounds, upper_bounds, steps)]
        dynamic, static = zip(*bounds, strict=True)
        self._build(types, *dynamic, *static, values, mapping=mapping, loc=loc, ip=ip)
        variables = [ir.IndexType.get()] * len(lower_bounds)
        self.regions[0].blocks.append(*variables, *types)

    @property
    def rank(self) -> int:
        """The number of induction variables."""
        return len(list(self.attributes["staticLowerBound"]))  # type: ignore[call-overload]

    @property
    def induction_variables(self) -> "Sequence[Value]":
        """The induction variables."""
        return self.body.arguments[: self.rank]

    @property
    def inner_iter_args(self) -> "Sequence[Value]":
        """The shared outputs within the loop."""
        return self.body.arguments[self.rank :]

    def terminator(self) -> "InParallelOp":
        """The terminator, which is made if there is none."""
        operations = self.body.operations
        if operations and operations[-1].operation.name == InParallelOp.OPERATION_NAME:
            return operations[-1].opview  # type: ignore[attr-defined, no-any-return]
        with ir.InsertionPoint(self.body):
            return InParallelOp()


class InParallelOp(OpView, extends="scf.forall.in_parallel"):
    """The terminator of `scf.forall`."""

    __slots__ = ()

    def __init__(self, *, loc: "Attribute | None" = None, ip: "InsertionPoint | None" = None) -> None:
        """Build it with an empty block."""
        self._build(loc=loc, ip=ip)
        self.regions[0].blocks.append()

    @property
    def block(self) -> "Block":
        """The block."""
        return self.regions[0].blocks[0]


class IfOp(OpView, extends="scf.if"):
    """A branch."""

    __slots__ = ()

    def __init__(
        self,
        cond: object,
        results_: "Sequence[Type] | None" = None,
        *,
        has_else: bool = False,
        loc: "Attribute | None" = None,
        ip: "InsertionPoint | None" = None,
    ) -> None:
        """Build a branch with an empty block, or two."""
        self._build(results_ or (), cond, loc=loc, ip=ip)
        self.regions[0].blocks.append()
        if has_else:
            self.regions[1].blocks.append()

    @property
    def then_block(self) -> "Block":
        """The block for a true condition."""
        return self.regions[0].blocks[0]

    @property
    def else_block(self) -> "Block | None":
        """The block for a false condition; None if there is none."""
        blocks = self.regions[1].blocks
        return blocks[0] if blocks else None


def for_(
    start: object,
    stop: object = None,
    step: object = None,
    iter_args: object = None,
    *,
    loc: "Attribute | None" = None,
    ip: "InsertionPoint | None" = None,
) -> Iterator[object]:
    """Build a loop by a `for` statement, whose body runs once.

    It yields the induction variable; with values that iterations pass on, also these within the loop, and
    the results.
    """
    if stop is None:
        start, stop = 0, start
    lower, upper, by = (_bound(one) for one in (start, stop, 1 if step is None else step))
    loop = ForOp(lower, upper, by, iter_args, loc=loc, ip=ip)
    values = tuple(loop.inner_iter_args)
    with ir.InsertionPoint(loop.body):
        if len(values) > 1:
            yield loop.induction_variable, values, loop.results
        elif values:
            yield loop.induction_variable, values[0], loop.results[0]
        else:
            yield loop.induction_variable


def _bound(value: object) -> object:
    if isinstance(value, float):
        raise ValueError(f"{value} must be int.")
    return constant(ir.IndexType.get(), value) if isinstance(value, int) else value


class IndexSwitchOp(OpView, extends="scf.index_switch"):
    """A branch by an index."""

    __slots__ = ()

    def __init__(
        self,
        results: "Sequence[Type]",
        arg: object,
        cases: "Sequence[int]",
        case_body_builder: "Callable[[IndexSwitchOp, int, int], object] | None" = None,
        default_body_builder: "Callable[[IndexSwitchOp], object] | None" = None,
        loc: "Attribute | None" = None,
        ip: "InsertionPoint | None" = None,
    ) -> None:
        """Build a branch with an empty block for each case, and fill the blocks by the callbacks."""
        numbers = list(cases)
        self._build(results, arg, numbers, num_caseRegions=len(numbers), loc=loc, ip=ip)
        for region in self.regions:
            region.blocks.append()
        if default_body_builder is not None:
            with ir.InsertionPoint(self.default_block):
                default_body_builder(self)
        if case_body_builder is not None:
            for place, number in enumerate(numbers):
                with ir.InsertionPoint(self.case_block(place)):
                    case_body_builder(self, place, number)

    @property
    def default_region(self) -> "Region":
        """The region for other numbers."""
        return self.regions[0]

    @property
    def default_block(self) -> "Block":
        """The block for other numbers."""
        return self.default_region.blocks[0]

    @property
    def case_regions(self) -> "Sequence[Region]":
        """The regions of the cases."""
        return self.regions[1:]

    def case_region(self, i: int) -> "Region":
        """The region of a case."""
        return self.case_regions[i]

    @property
    def case_blocks(self) -> "list[Block]":
        """The blocks of the cases."""
        return [region.blocks[0] for region in self.case_regions]

    def case_block(self, i: int) -> "Block":
        """The block of a case."""
        return self.case_regions[i].blocks[0]


def index_switch(
    results: "Sequence[Type]",
    arg: object,
    cases: "Sequence[int]",
    case_body_builder: "Callable[[IndexSwitchOp, int, int], object] | None" = None,
    default_body_builder: "Callable[[IndexSwitchOp], object] | None" = None,
    loc: "Attribute | None" = None,
    ip: "InsertionPoint | None" = None,
) -> object:
    """Build a branch by an index and return its results."""
    return result_of(
        IndexSwitchOp(results, arg, cases, case_body_builder, default_body_builder, loc=loc, ip=ip)
    )
