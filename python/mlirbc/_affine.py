"""Affine expressions, maps and integer sets, named and shaped as in upstream's bindings.

The extension module has the values; these classes give them upstream's names.
"""

import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, ClassVar, Generic, NoReturn, Self, TypeVar, cast

from mlirbc._mlirbc import Attribute, _AffineExpr, _AffineMap, _IntegerSet
from mlirbc._types import invalid_argument

if TYPE_CHECKING:
    from mlirbc.mlir._context import Context

_ADD, _MUL, _MOD, _FLOOR_DIV, _CEIL_DIV = range(3, 8)


def _expression(core: _AffineExpr) -> "AffineExpr":
    expression = object.__new__(_CLASSES[core.kind])
    expression._core = core
    return expression


def _cores(exprs: "Sequence[AffineExpr]", creation: str) -> list[_AffineExpr]:
    """Converts expressions for the extension module; `creation` is for the error message."""
    for expr in exprs:
        if not isinstance(expr, AffineExpr):
            which = "expression (None?)" if expr is None else "expression"
            raise invalid_argument(f"Invalid {which} when attempting to create {creation}")
    return [expr._core for expr in exprs]


class _InContext:
    """The context and the capsules of upstream's bindings."""

    __slots__ = ()

    @property
    def context(self) -> "Context":
        """The context of upstream's bindings: the current one, or the one that was used last.

        >>> from mlirbc.mlir import ir
        >>> with ir.Context() as context:
        ...     mlirbc.affine.AffineExpr.get_dim(0).context is context
        True
        """
        from mlirbc.mlir._context import context_of_value

        return context_of_value()

    def dump(self) -> None:
        """Print the text to the standard error output.

        >>> mlirbc.affine.AffineExpr.get_dim(0).dump()
        """
        print(self, file=sys.stderr)

    @property
    def _CAPIPtr(self) -> object:
        return _capsule()

    @classmethod
    def _CAPICreate(cls, capsule: object) -> Self:
        _capsule()


def _capsule() -> NoReturn:
    from mlirbc._bindings import capsule

    capsule()


class AffineExpr(_InContext):
    """An affine expression of dimensions, symbols and constants.

    >>> d0, s0 = mlirbc.affine.AffineExpr.get_dim(0), mlirbc.affine.AffineExpr.get_symbol(0)
    >>> d0 * 4 + s0 + 1
    AffineAddExpr(d0 * 4 + s0 + 1)
    >>> d0 + 0 == d0
    True
    """

    __slots__ = ("_core",)
    _core: _AffineExpr

    def __init__(self, expr: "AffineExpr") -> None:
        if not isinstance(_expression(expr._core), type(self)):
            raise ValueError(f"Cannot cast affine expression to {type(self).__name__} (from {expr!r})")
        self._core = expr._core

    @classmethod
    def isinstance(cls, other: "AffineExpr") -> bool:
        """Whether an expression is of this class, as `isinstance` says; older bindings have this method.

        >>> mlirbc.affine.AffineDimExpr.isinstance(mlirbc.affine.AffineExpr.get_dim(0))
        True
        """
        return isinstance(_expression(other._core), cls)

    def maybe_downcast(self) -> "AffineExpr":
        """The expression as an object of its most derived class.

        >>> mlirbc.affine.AffineExpr(mlirbc.affine.AffineExpr.get_dim(0)).maybe_downcast()
        AffineDimExpr(d0)
        """
        return _expression(self._core)

    def compose(self, other: "AffineMap") -> "AffineExpr":
        """The expression with the results of a map in place of its dimensions.

        >>> d0, d1 = mlirbc.affine.AffineExpr.get_dim(0), mlirbc.affine.AffineExpr.get_dim(1)
        >>> (d0 * 2).compose(mlirbc.affine.AffineMap.get(2, 0, [d0 + d1]))
        AffineMulExpr((d0 + d1) * 2)
        """
        results = other.results
        return _replaced(self, lambda leaf: _of_map(leaf, results))

    def shift_dims(self, num_dims: int, shift: int, offset: int = 0) -> "AffineExpr":
        """The expression with the dimensions from `offset` to `num_dims` moved by `shift`.

        >>> mlirbc.affine.AffineExpr.get_dim(1).shift_dims(2, 3)
        AffineDimExpr(d4)
        """
        return _replaced(self, lambda leaf: _shifted(leaf, AffineDimExpr, range(offset, num_dims), shift))

    def shift_symbols(self, num_symbols: int, shift: int, offset: int = 0) -> "AffineExpr":
        """The expression with the symbols from `offset` to `num_symbols` moved by `shift`.

        >>> mlirbc.affine.AffineExpr.get_symbol(0).shift_symbols(1, 2)
        AffineSymbolExpr(s2)
        """
        return _replaced(
            self, lambda leaf: _shifted(leaf, AffineSymbolExpr, range(offset, num_symbols), shift)
        )

    @staticmethod
    def simplify_affine_expr(expr: "AffineExpr", num_dims: int, num_symbols: int) -> "AffineExpr":
        """The expression with its terms collected, as MLIR's `simplifyAffineExpr`.

        >>> d0, d1 = mlirbc.affine.AffineExpr.get_dim(0), mlirbc.affine.AffineExpr.get_dim(1)
        >>> mlirbc.affine.AffineExpr.simplify_affine_expr(d1 + d0 - d1, 2, 0)
        AffineDimExpr(d0)
        """
        from mlirbc._affine_simplify import simplified

        return _expression(simplified(expr._core))

    @staticmethod
    def get_dim(position: int, context: object = None) -> "AffineDimExpr":
        """The dimension with this number.

        >>> mlirbc.affine.AffineExpr.get_dim(1)
        AffineDimExpr(d1)
        """
        return AffineDimExpr.get(position)

    @staticmethod
    def get_symbol(position: int, context: object = None) -> "AffineSymbolExpr":
        """The symbol with this number.

        >>> mlirbc.affine.AffineExpr.get_symbol(0)
        AffineSymbolExpr(s0)
        """
        return AffineSymbolExpr.get(position)

    @staticmethod
    def get_constant(value: int, context: object = None) -> "AffineConstantExpr":
        """The number.

        >>> mlirbc.affine.AffineExpr.get_constant(-3)
        AffineConstantExpr(-3)
        """
        return AffineConstantExpr.get(value)

    @staticmethod
    def get_add(lhs: "AffineExpr | int", rhs: "AffineExpr | int") -> "AffineExpr":
        """The sum, simplified.

        >>> mlirbc.affine.AffineExpr.get_add(mlirbc.affine.AffineExpr.get_dim(0), 2)
        AffineAddExpr(d0 + 2)
        """
        return _combine(_ADD, lhs, rhs)

    @staticmethod
    def get_mul(lhs: "AffineExpr | int", rhs: "AffineExpr | int") -> "AffineExpr":
        """The product, simplified.

        >>> mlirbc.affine.AffineExpr.get_mul(mlirbc.affine.AffineExpr.get_dim(0), 2)
        AffineMulExpr(d0 * 2)
        """
        return _combine(_MUL, lhs, rhs)

    @staticmethod
    def get_mod(lhs: "AffineExpr | int", rhs: "AffineExpr | int") -> "AffineExpr":
        """The remainder, simplified.

        >>> mlirbc.affine.AffineExpr.get_mod(mlirbc.affine.AffineExpr.get_dim(0), 2)
        AffineModExpr(d0 mod 2)
        """
        return _combine(_MOD, lhs, rhs)

    @staticmethod
    def get_floor_div(lhs: "AffineExpr | int", rhs: "AffineExpr | int") -> "AffineExpr":
        """The quotient rounded down, simplified.

        >>> mlirbc.affine.AffineExpr.get_floor_div(mlirbc.affine.AffineExpr.get_dim(0), 2)
        AffineFloorDivExpr(d0 floordiv 2)
        """
        return _combine(_FLOOR_DIV, lhs, rhs)

    @staticmethod
    def get_ceil_div(lhs: "AffineExpr | int", rhs: "AffineExpr | int") -> "AffineExpr":
        """The quotient rounded up, simplified.

        >>> mlirbc.affine.AffineExpr.get_ceil_div(mlirbc.affine.AffineExpr.get_dim(0), 2)
        AffineCeilDivExpr(d0 ceildiv 2)
        """
        return _combine(_CEIL_DIV, lhs, rhs)

    def __add__(self, other: "AffineExpr | int", /) -> "AffineExpr":
        return AffineExpr.get_add(self, other)

    def __radd__(self, other: int, /) -> "AffineExpr":
        return AffineExpr.get_add(other, self)

    def __sub__(self, other: "AffineExpr | int", /) -> "AffineExpr":
        return AffineExpr.get_add(self, AffineExpr.get_mul(other, -1))

    def __rsub__(self, other: int, /) -> "AffineExpr":
        return AffineExpr.get_add(other, AffineExpr.get_mul(self, -1))

    def __mul__(self, other: "AffineExpr | int", /) -> "AffineExpr":
        return AffineExpr.get_mul(self, other)

    def __rmul__(self, other: int, /) -> "AffineExpr":
        return AffineExpr.get_mul(other, self)

    def __mod__(self, other: "AffineExpr | int", /) -> "AffineExpr":
        return AffineExpr.get_mod(self, other)

    def __rmod__(self, other: int, /) -> "AffineExpr":
        return AffineExpr.get_mod(other, self)

    def __eq__(self, other: object, /) -> bool:
        return isinstance(other, AffineExpr) and self._core == other._core

    def __hash__(self) -> int:
        return hash(self._core)

    def __str__(self) -> str:
        return str(self._core)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self})"


class AffineDimExpr(AffineExpr):
    """A dimension.

    >>> mlirbc.affine.AffineDimExpr.get(0).position
    0
    """

    __slots__ = ()

    @staticmethod
    def get(position: int, context: object = None) -> "AffineDimExpr":
        """The dimension with this number.

        >>> mlirbc.affine.AffineDimExpr.get(2)
        AffineDimExpr(d2)
        """
        return cast(AffineDimExpr, _expression(_AffineExpr.dim(position)))

    @property
    def position(self) -> int:
        """Its number.

        >>> mlirbc.affine.AffineDimExpr.get(2).position
        2
        """
        return self._core.value


class AffineSymbolExpr(AffineExpr):
    """A symbol.

    >>> mlirbc.affine.AffineSymbolExpr.get(0).position
    0
    """

    __slots__ = ()

    @staticmethod
    def get(position: int, context: object = None) -> "AffineSymbolExpr":
        """The symbol with this number.

        >>> mlirbc.affine.AffineSymbolExpr.get(2)
        AffineSymbolExpr(s2)
        """
        return cast(AffineSymbolExpr, _expression(_AffineExpr.symbol(position)))

    @property
    def position(self) -> int:
        """Its number.

        >>> mlirbc.affine.AffineSymbolExpr.get(2).position
        2
        """
        return self._core.value


class AffineConstantExpr(AffineExpr):
    """A number.

    >>> mlirbc.affine.AffineConstantExpr.get(7).value
    7
    """

    __slots__ = ()

    @staticmethod
    def get(value: int, context: object = None) -> "AffineConstantExpr":
        """The number; raises `InvalidError` when it does not fit 64 bits.

        >>> mlirbc.affine.AffineConstantExpr.get(-1)
        AffineConstantExpr(-1)
        """
        return cast(AffineConstantExpr, _expression(_AffineExpr.constant(value)))

    @property
    def value(self) -> int:
        """The number.

        >>> mlirbc.affine.AffineConstantExpr.get(-1).value
        -1
        """
        return self._core.value


class AffineBinaryExpr(AffineExpr):
    """An operation on two expressions; each operation has its own class.

    >>> isinstance(mlirbc.affine.AffineExpr.get_dim(0) % 2, mlirbc.affine.AffineBinaryExpr)
    True
    """

    __slots__ = ()
    _kind: ClassVar[int]

    @classmethod
    def get(cls, lhs: AffineExpr | int, rhs: AffineExpr | int) -> AffineExpr:
        """The operation on these, simplified.

        >>> mlirbc.affine.AffineModExpr.get(mlirbc.affine.AffineExpr.get_dim(0), 8)
        AffineModExpr(d0 mod 8)
        """
        return _combine(cls._kind, lhs, rhs)

    @property
    def lhs(self) -> AffineExpr:
        """The left operand.

        >>> (mlirbc.affine.AffineExpr.get_dim(0) + 1).lhs
        AffineDimExpr(d0)
        """
        return _expression(self._core.operands[0])

    @property
    def rhs(self) -> AffineExpr:
        """The right operand.

        >>> (mlirbc.affine.AffineExpr.get_dim(0) + 1).rhs
        AffineConstantExpr(1)
        """
        return _expression(self._core.operands[1])


class AffineAddExpr(AffineBinaryExpr):
    """A sum.

    >>> mlirbc.affine.AffineExpr.get_dim(0) + 1
    AffineAddExpr(d0 + 1)
    """

    __slots__ = ()
    _kind = _ADD


class AffineMulExpr(AffineBinaryExpr):
    """A product.

    >>> mlirbc.affine.AffineExpr.get_dim(0) * 2
    AffineMulExpr(d0 * 2)
    """

    __slots__ = ()
    _kind = _MUL


class AffineModExpr(AffineBinaryExpr):
    """A remainder.

    >>> mlirbc.affine.AffineExpr.get_dim(0) % 2
    AffineModExpr(d0 mod 2)
    """

    __slots__ = ()
    _kind = _MOD


class AffineFloorDivExpr(AffineBinaryExpr):
    """A quotient rounded down.

    >>> mlirbc.affine.AffineFloorDivExpr.get(mlirbc.affine.AffineExpr.get_dim(0), 2)
    AffineFloorDivExpr(d0 floordiv 2)
    """

    __slots__ = ()
    _kind = _FLOOR_DIV


class AffineCeilDivExpr(AffineBinaryExpr):
    """A quotient rounded up.

    >>> mlirbc.affine.AffineCeilDivExpr.get(mlirbc.affine.AffineExpr.get_dim(0), 2)
    AffineCeilDivExpr(d0 ceildiv 2)
    """

    __slots__ = ()
    _kind = _CEIL_DIV


_CLASSES: tuple[type[AffineExpr], ...] = (
    AffineDimExpr,
    AffineSymbolExpr,
    AffineConstantExpr,
    AffineAddExpr,
    AffineMulExpr,
    AffineModExpr,
    AffineFloorDivExpr,
    AffineCeilDivExpr,
)


def _core_of(operand: AffineExpr | int) -> _AffineExpr:
    return operand._core if isinstance(operand, AffineExpr) else _AffineExpr.constant(operand)


def _combine(kind: int, lhs: AffineExpr | int, rhs: AffineExpr | int) -> AffineExpr:
    return _expression(_AffineExpr.binary(kind, _core_of(lhs), _core_of(rhs)))


def _replaced(expr: AffineExpr, replace: Callable[[AffineExpr], AffineExpr | None]) -> AffineExpr:
    """The expression with some parts replaced, rebuilt and simplified where something changed.

    `replace` is asked about each part, from the outside in, and returns None for parts that stay.
    """
    done: list[AffineExpr] = []
    # Each step is an expression to replace, or an operation to build from the last two results.
    steps: list[AffineExpr | type[AffineExpr]] = [expr]
    while steps:
        step = steps.pop()
        if isinstance(step, type):
            rhs, lhs = done.pop(), done.pop()
            done.append(_combine(cast("type[AffineBinaryExpr]", step)._kind, lhs, rhs))
            continue
        new = replace(step)
        if new is None and isinstance(step, AffineBinaryExpr):
            steps += [type(step), step.rhs, step.lhs]
        else:
            done.append(step if new is None else new)
    return done[0]


def _of_map(leaf: AffineExpr, results: Sequence[AffineExpr]) -> AffineExpr | None:
    is_replaced = isinstance(leaf, AffineDimExpr) and leaf.position < len(results)
    return results[cast(AffineDimExpr, leaf).position] if is_replaced else None


def _shifted(
    leaf: AffineExpr, kind: "type[AffineDimExpr | AffineSymbolExpr]", moved: range, shift: int
) -> AffineExpr | None:
    if isinstance(leaf, kind) and leaf.position in moved:
        return kind.get(leaf.position + shift)
    return None


_Core = TypeVar("_Core", _AffineMap, _IntegerSet)


class _AttributeValue(_InContext, Generic[_Core]):
    """The value of an attribute: equal to values with the same text."""

    __slots__ = ("_core",)
    _core: _Core

    @classmethod
    def _from_core(cls, core: _Core) -> Self:
        instance = object.__new__(cls)
        instance._core = core
        return instance

    def _attribute(self) -> Attribute:
        return self._core.attribute

    def __eq__(self, other: object, /) -> bool:
        return type(other) is type(self) and str(self) == str(other)

    def __hash__(self) -> int:
        return hash(str(self))

    def __str__(self) -> str:
        return str(self._core)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self})"

    @property
    def n_dims(self) -> int:
        """The number of dimensions.

        >>> mlirbc.affine.AffineMap.get_identity(3).n_dims
        3
        """
        return self._core.n_dims

    @property
    def n_symbols(self) -> int:
        """The number of symbols.

        >>> mlirbc.Attribute.parse("affine_map<(d0)[s0] -> (s0)>").value.n_symbols
        1
        """
        return self._core.n_symbols

    @property
    def n_inputs(self) -> int:
        """The number of dimensions and symbols.

        >>> mlirbc.Attribute.parse("affine_map<(d0)[s0] -> (s0)>").value.n_inputs
        2
        """
        return self.n_dims + self.n_symbols


class AffineMap(_AttributeValue[_AffineMap]):
    """An affine map: from dimensions and symbols to the values of expressions.

    >>> swap = mlirbc.affine.AffineMap.get_permutation([1, 0])
    >>> swap, swap.results
    (AffineMap((d0, d1) -> (d1, d0)), [AffineDimExpr(d1), AffineDimExpr(d0)])
    """

    __slots__ = ()

    def __init__(self, of: Attribute) -> None:
        self._core = _AffineMap.of(of)

    @staticmethod
    def get(
        dim_count: int, symbol_count: int, exprs: Sequence[AffineExpr], context: object = None
    ) -> "AffineMap":
        """The map with these results. Raises `InvalidError` when they need more inputs.

        >>> dim, symbol = mlirbc.affine.AffineExpr.get_dim(0), mlirbc.affine.AffineExpr.get_symbol(0)
        >>> mlirbc.affine.AffineMap.get(1, 1, [dim + symbol])
        AffineMap((d0)[s0] -> (d0 + s0))
        """
        return AffineMap._from_core(_AffineMap(dim_count, symbol_count, _cores(exprs, "an AffineMap")))

    @staticmethod
    def get_constant(value: int, context: object = None) -> "AffineMap":
        """The map without inputs whose result is that number.

        >>> mlirbc.affine.AffineMap.get_constant(7)
        AffineMap(() -> (7))
        """
        return AffineMap.get(0, 0, [AffineConstantExpr.get(value)])

    @staticmethod
    def get_empty(context: object = None) -> "AffineMap":
        """The map without inputs and results.

        >>> mlirbc.affine.AffineMap.get_empty()
        AffineMap(() -> ())
        """
        return AffineMap.get(0, 0, [])

    @staticmethod
    def get_identity(n_dims: int, context: object = None) -> "AffineMap":
        """The map whose results are its dimensions.

        >>> mlirbc.affine.AffineMap.get_identity(2)
        AffineMap((d0, d1) -> (d0, d1))
        """
        return AffineMap.get_permutation(range(n_dims))

    @staticmethod
    def get_minor_identity(n_dims: int, n_results: int, context: object = None) -> "AffineMap":
        """The map whose results are its last dimensions.

        >>> mlirbc.affine.AffineMap.get_minor_identity(3, 1)
        AffineMap((d0, d1, d2) -> (d2))
        """
        dims = range(n_dims - n_results, n_dims)
        return AffineMap.get(n_dims, 0, [AffineDimExpr.get(dim) for dim in dims])

    @staticmethod
    def get_permutation(permutation: Sequence[int], context: object = None) -> "AffineMap":
        """The map whose results are its dimensions in another order. Raises `InvalidError` when they are not.

        >>> mlirbc.affine.AffineMap.get_permutation([2, 0, 1])
        AffineMap((d0, d1, d2) -> (d2, d0, d1))
        """
        if sorted(permutation) != list(range(len(permutation))):
            numbers = list(permutation)
            raise invalid_argument(f"Invalid permutation when attempting to create an AffineMap: {numbers}")
        return AffineMap.get(len(permutation), 0, [AffineDimExpr.get(dim) for dim in permutation])

    @property
    def results(self) -> list[AffineExpr]:
        """Its results.

        >>> mlirbc.Attribute.parse("affine_map<(d0) -> (d0 * 2, 0)>").value.results
        [AffineMulExpr(d0 * 2), AffineConstantExpr(0)]
        """
        return [_expression(result) for result in self._core.results]

    def get_submap(self, result_positions: Sequence[int]) -> "AffineMap":
        """The map with these results only. Raises `ValueError` for a position that does not exist.

        >>> mlirbc.affine.AffineMap.get_identity(3).get_submap([2, 0])
        AffineMap((d0, d1, d2) -> (d2, d0))
        """
        results = self.results
        if any(not 0 <= position < len(results) for position in result_positions):
            raise ValueError("result position out of bounds")
        return AffineMap.get(self.n_dims, self.n_symbols, [results[place] for place in result_positions])

    def get_major_submap(self, n_results: int) -> "AffineMap":
        """The map with the first results only.

        >>> mlirbc.affine.AffineMap.get_identity(3).get_major_submap(2)
        AffineMap((d0, d1, d2) -> (d0, d1))
        """
        return self.get_submap(range(self._count(n_results)))

    def get_minor_submap(self, n_results: int) -> "AffineMap":
        """The map with the last results only.

        >>> mlirbc.affine.AffineMap.get_identity(3).get_minor_submap(1)
        AffineMap((d0, d1, d2) -> (d2))
        """
        count = len(self.results)
        return self.get_submap(range(count - self._count(n_results), count))

    def _count(self, n_results: int) -> int:
        if not 0 <= n_results <= len(self.results):
            raise ValueError("number of results out of bounds")
        return n_results

    def replace(
        self, expr: AffineExpr, replacement: AffineExpr, n_result_dims: int, n_result_syms: int
    ) -> "AffineMap":
        """The map with an expression replaced in its results, and other numbers of inputs.

        >>> d0 = mlirbc.affine.AffineExpr.get_dim(0)
        >>> mlirbc.affine.AffineMap.get(1, 0, [d0 + 1]).replace(d0, mlirbc.affine.AffineExpr.get_dim(1), 2, 0)
        AffineMap((d0, d1) -> (d1 + 1))
        """
        new = [_replaced(one, lambda part: replacement if part == expr else None) for one in self.results]
        return AffineMap.get(n_result_dims, n_result_syms, new)

    @staticmethod
    def compress_unused_symbols(maps: "Sequence[AffineMap]", context: object = None) -> "list[AffineMap]":
        """The maps without unused symbols; the used symbols are renumbered.

        >>> s1 = mlirbc.affine.AffineExpr.get_symbol(1)
        >>> mlirbc.affine.AffineMap.compress_unused_symbols([mlirbc.affine.AffineMap.get(0, 2, [s1])])
        [AffineMap(()[s0] -> (s0))]
        """
        used = sorted({number for one in maps for number in _symbols(one)})
        numbers = {symbol: number for number, symbol in enumerate(used)}
        return [_with_symbols(one, numbers) for one in maps]

    @property
    def is_permutation(self) -> bool:
        """Whether its results are all its dimensions in some order.

        >>> mlirbc.affine.AffineMap.get_permutation([1, 0]).is_permutation
        True
        """
        return self._core.is_permutation

    @property
    def is_projected_permutation(self) -> bool:
        """Whether its results are distinct dimensions, and it has no symbols.

        >>> mlirbc.affine.AffineMap.get_minor_identity(3, 2).is_projected_permutation
        True
        """
        return self._core.is_projected_permutation


def _symbols(map: AffineMap) -> set[int]:
    numbers: set[int] = set()

    def note(part: AffineExpr) -> None:
        if isinstance(part, AffineSymbolExpr):
            numbers.add(part.position)

    for result in map.results:
        _replaced(result, note)
    return numbers


def _with_symbols(map: AffineMap, numbers: dict[int, int]) -> AffineMap:
    def renumbered(part: AffineExpr) -> AffineExpr | None:
        return AffineSymbolExpr.get(numbers[part.position]) if isinstance(part, AffineSymbolExpr) else None

    return AffineMap.get(map.n_dims, len(numbers), [_replaced(one, renumbered) for one in map.results])


class IntegerSetConstraint:
    """A condition on integers: an expression that is zero, or not less.

    >>> only, = mlirbc.Attribute.parse("affine_set<(d0) : (d0 - 1 >= 0)>").value.constraints
    >>> only.expr, only.is_eq
    (AffineAddExpr(d0 - 1), False)
    """

    __slots__ = ("_expr", "_is_eq")

    def __init__(self, expr: AffineExpr, is_eq: bool) -> None:
        self._expr = expr
        self._is_eq = is_eq

    @property
    def expr(self) -> AffineExpr:
        """The expression.

        >>> mlirbc.Attribute.parse("affine_set<(d0) : (d0 == 0)>").value.constraints[0].expr
        AffineDimExpr(d0)
        """
        return self._expr

    @property
    def is_eq(self) -> bool:
        """Whether the expression is zero, rather than not less than zero.

        >>> mlirbc.Attribute.parse("affine_set<(d0) : (d0 == 0)>").value.constraints[0].is_eq
        True
        """
        return self._is_eq

    def __repr__(self) -> str:
        return f"IntegerSetConstraint({self._expr} {'==' if self._is_eq else '>='} 0)"


class IntegerSet(_AttributeValue[_IntegerSet]):
    """A set of integers: where affine conditions hold.

    >>> low = mlirbc.affine.IntegerSet.get(1, 0, [mlirbc.affine.AffineExpr.get_dim(0)], [False])
    >>> low, low.constraints
    (IntegerSet((d0) : (d0 >= 0)), [IntegerSetConstraint(d0 >= 0)])
    """

    __slots__ = ()

    def __init__(self, of: Attribute) -> None:
        self._core = _IntegerSet.of(of)

    @staticmethod
    def get(
        num_dims: int,
        num_symbols: int,
        exprs: Sequence[AffineExpr],
        eq_flags: Sequence[bool],
        context: object = None,
    ) -> "IntegerSet":
        """The set where these are zero or, where the flag is false, not less. Raises `ValueError` when there
        are no conditions or not as many flags, and `InvalidError` when they need more inputs.

        >>> mlirbc.affine.IntegerSet.get(1, 0, [mlirbc.affine.AffineExpr.get_dim(0) - 3], [True])
        IntegerSet((d0) : (d0 - 3 == 0))
        """
        if len(exprs) != len(eq_flags):
            raise ValueError("Expected the number of constraints to match that of equality flags")
        if not exprs:
            raise ValueError("Expected non-empty list of constraints")
        cores = _cores(exprs, "an IntegerSet")
        return IntegerSet._from_core(
            _IntegerSet(num_dims, num_symbols, cores, [bool(flag) for flag in eq_flags])
        )

    @staticmethod
    def get_empty(num_dims: int, num_symbols: int, context: object = None) -> "IntegerSet":
        """The set without elements.

        >>> mlirbc.affine.IntegerSet.get_empty(1, 0)
        IntegerSet((d0) : (1 == 0))
        """
        return IntegerSet.get(num_dims, num_symbols, [AffineConstantExpr.get(1)], [True])

    def get_replaced(
        self,
        dim_exprs: Sequence[AffineExpr],
        symbol_exprs: Sequence[AffineExpr],
        num_result_dims: int,
        num_result_symbols: int,
    ) -> "IntegerSet":
        """The set with expressions in place of its dimensions and symbols.

        Raises `ValueError` unless there is one for each.

        >>> low = mlirbc.affine.IntegerSet.get(1, 0, [mlirbc.affine.AffineExpr.get_dim(0)], [False])
        >>> low.get_replaced([mlirbc.affine.AffineExpr.get_symbol(0)], [], 0, 1)
        IntegerSet(()[s0] : (s0 >= 0))
        """
        for exprs, count, kind in (
            (dim_exprs, self.n_dims, "dimension"),
            (symbol_exprs, self.n_symbols, "symbol"),
        ):
            if len(exprs) != count:
                raise ValueError(
                    f"Expected the number of {kind} replacement expressions to match that of {kind}s"
                )
            _cores(exprs, f"an IntegerSet by replacing {kind}s")
        old = self.constraints
        new = [_replaced(one.expr, lambda leaf: _input(leaf, dim_exprs, symbol_exprs)) for one in old]
        return IntegerSet.get(num_result_dims, num_result_symbols, new, [one.is_eq for one in old])

    @property
    def constraints(self) -> list[IntegerSetConstraint]:
        """Its conditions.

        >>> mlirbc.Attribute.parse("affine_set<(d0) : (d0 >= 0, d0 - 4 == 0)>").value.constraints
        [IntegerSetConstraint(d0 >= 0), IntegerSetConstraint(d0 - 4 == 0)]
        """
        conditions = zip(self._core.exprs, self._core.eq_flags, strict=True)
        return [IntegerSetConstraint(_expression(expr), is_eq) for expr, is_eq in conditions]

    @property
    def is_canonical_empty(self) -> bool:
        """Whether it is the set of `get_empty`, which has no elements.

        >>> mlirbc.affine.IntegerSet.get_empty(1, 0).is_canonical_empty
        True
        """
        return self == IntegerSet.get_empty(self.n_dims, self.n_symbols)

    @property
    def n_equalities(self) -> int:
        """The number of equalities.

        >>> mlirbc.Attribute.parse("affine_set<(d0) : (d0 >= 0, d0 - 4 == 0)>").value.n_equalities
        1
        """
        return sum(constraint.is_eq for constraint in self.constraints)

    @property
    def n_inequalities(self) -> int:
        """The number of inequalities.

        >>> mlirbc.Attribute.parse("affine_set<(d0) : (d0 >= 0, d0 - 4 == 0)>").value.n_inequalities
        1
        """
        return len(self.constraints) - self.n_equalities


def _input(
    leaf: AffineExpr, dim_exprs: Sequence[AffineExpr], symbol_exprs: Sequence[AffineExpr]
) -> AffineExpr | None:
    match leaf:
        case AffineDimExpr():
            return dim_exprs[leaf.position]
        case AffineSymbolExpr():
            return symbol_exprs[leaf.position]
    return None
