"""Affine maps and integer sets, named and shaped as in upstream's bindings.

The extension module has the values; these classes give them upstream's names.
"""

from collections.abc import Sequence
from typing import Generic, Self, TypeVar

from mlirbc._affine_expressions import (
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineSymbolExpr,
    _cores,
    _expression,
    _InContext,
    _replaced,
)
from mlirbc._mlirbc import Attribute, _AffineMap, _IntegerSet
from mlirbc._types import invalid_argument

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

        >>> d0, s0 = mlirbc.affine.AffineExpr.get_dim(0), mlirbc.affine.AffineExpr.get_symbol(0)
        >>> mlirbc.affine.AffineMap.get(1, 1, [d0 + s0])
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
