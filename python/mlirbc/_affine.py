"""Affine expressions, maps and integer sets, named and shaped as in upstream's bindings.

The extension module has the values; these classes give them upstream's names.
"""

from collections.abc import Sequence
from typing import ClassVar, Generic, Self, TypeVar, cast

from mlirbc._mlirbc import Attribute, _AffineExpr, _AffineMap, _IntegerSet
from mlirbc._types import invalid

_ADD, _MUL, _MOD, _FLOOR_DIV, _CEIL_DIV = range(3, 8)


def _expression(core: _AffineExpr) -> "AffineExpr":
    expression = object.__new__(_CLASSES[core.kind])
    expression._core = core
    return expression


class AffineExpr:
    """An affine expression of dimensions, symbols and constants.

    >>> d0, s0 = mlirbc.AffineExpr.get_dim(0), mlirbc.AffineExpr.get_symbol(0)
    >>> d0 * 4 + s0 + 1
    AffineAddExpr(d0 * 4 + s0 + 1)
    >>> d0 + 0 == d0
    True
    """

    __slots__ = ("_core",)
    _core: _AffineExpr

    @staticmethod
    def get_dim(position: int, context: object = None) -> "AffineDimExpr":
        """The dimension with this number.

        >>> mlirbc.AffineExpr.get_dim(1)
        AffineDimExpr(d1)
        """
        return AffineDimExpr.get(position)

    @staticmethod
    def get_symbol(position: int, context: object = None) -> "AffineSymbolExpr":
        """The symbol with this number.

        >>> mlirbc.AffineExpr.get_symbol(0)
        AffineSymbolExpr(s0)
        """
        return AffineSymbolExpr.get(position)

    @staticmethod
    def get_constant(value: int, context: object = None) -> "AffineConstantExpr":
        """The number.

        >>> mlirbc.AffineExpr.get_constant(-3)
        AffineConstantExpr(-3)
        """
        return AffineConstantExpr.get(value)

    @staticmethod
    def get_add(lhs: "AffineExpr | int", rhs: "AffineExpr | int") -> "AffineExpr":
        """The sum, simplified.

        >>> mlirbc.AffineExpr.get_add(mlirbc.AffineExpr.get_dim(0), 2)
        AffineAddExpr(d0 + 2)
        """
        return _combine(_ADD, lhs, rhs)

    @staticmethod
    def get_mul(lhs: "AffineExpr | int", rhs: "AffineExpr | int") -> "AffineExpr":
        """The product, simplified. Raises `InvalidError` when neither factor is free of dimensions.

        >>> mlirbc.AffineExpr.get_mul(mlirbc.AffineExpr.get_dim(0), 2)
        AffineMulExpr(d0 * 2)
        """
        return _combine(_MUL, lhs, rhs)

    @staticmethod
    def get_mod(lhs: "AffineExpr | int", rhs: "AffineExpr | int") -> "AffineExpr":
        """The remainder, simplified. Raises `InvalidError` when the divisor has dimensions.

        >>> mlirbc.AffineExpr.get_mod(mlirbc.AffineExpr.get_dim(0), 2)
        AffineModExpr(d0 mod 2)
        """
        return _combine(_MOD, lhs, rhs)

    @staticmethod
    def get_floor_div(lhs: "AffineExpr | int", rhs: "AffineExpr | int") -> "AffineExpr":
        """The quotient rounded down, simplified. Raises `InvalidError` when the divisor has dimensions.

        >>> mlirbc.AffineExpr.get_floor_div(mlirbc.AffineExpr.get_dim(0), 2)
        AffineFloorDivExpr(d0 floordiv 2)
        """
        return _combine(_FLOOR_DIV, lhs, rhs)

    @staticmethod
    def get_ceil_div(lhs: "AffineExpr | int", rhs: "AffineExpr | int") -> "AffineExpr":
        """The quotient rounded up, simplified. Raises `InvalidError` when the divisor has dimensions.

        >>> mlirbc.AffineExpr.get_ceil_div(mlirbc.AffineExpr.get_dim(0), 2)
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

    >>> mlirbc.AffineDimExpr.get(0).position
    0
    """

    __slots__ = ()

    @staticmethod
    def get(position: int, context: object = None) -> "AffineDimExpr":
        """The dimension with this number.

        >>> mlirbc.AffineDimExpr.get(2)
        AffineDimExpr(d2)
        """
        return cast(AffineDimExpr, _expression(_AffineExpr.dim(position)))

    @property
    def position(self) -> int:
        """Its number.

        >>> mlirbc.AffineDimExpr.get(2).position
        2
        """
        return self._core.value


class AffineSymbolExpr(AffineExpr):
    """A symbol.

    >>> mlirbc.AffineSymbolExpr.get(0).position
    0
    """

    __slots__ = ()

    @staticmethod
    def get(position: int, context: object = None) -> "AffineSymbolExpr":
        """The symbol with this number.

        >>> mlirbc.AffineSymbolExpr.get(2)
        AffineSymbolExpr(s2)
        """
        return cast(AffineSymbolExpr, _expression(_AffineExpr.symbol(position)))

    @property
    def position(self) -> int:
        """Its number.

        >>> mlirbc.AffineSymbolExpr.get(2).position
        2
        """
        return self._core.value


class AffineConstantExpr(AffineExpr):
    """A number.

    >>> mlirbc.AffineConstantExpr.get(7).value
    7
    """

    __slots__ = ()

    @staticmethod
    def get(value: int, context: object = None) -> "AffineConstantExpr":
        """The number; raises `InvalidError` when it does not fit 64 bits.

        >>> mlirbc.AffineConstantExpr.get(-1)
        AffineConstantExpr(-1)
        """
        return cast(AffineConstantExpr, _expression(_AffineExpr.constant(value)))

    @property
    def value(self) -> int:
        """The number.

        >>> mlirbc.AffineConstantExpr.get(-1).value
        -1
        """
        return self._core.value


class AffineBinaryExpr(AffineExpr):
    """An operation on two expressions; each operation has its own class.

    >>> isinstance(mlirbc.AffineExpr.get_dim(0) % 2, mlirbc.AffineBinaryExpr)
    True
    """

    __slots__ = ()
    _kind: ClassVar[int]

    @classmethod
    def get(cls, lhs: AffineExpr | int, rhs: AffineExpr | int) -> AffineExpr:
        """The operation on these, simplified.

        >>> mlirbc.AffineModExpr.get(mlirbc.AffineExpr.get_dim(0), 8)
        AffineModExpr(d0 mod 8)
        """
        return _combine(cls._kind, lhs, rhs)

    @property
    def lhs(self) -> AffineExpr:
        """The left operand.

        >>> (mlirbc.AffineExpr.get_dim(0) + 1).lhs
        AffineDimExpr(d0)
        """
        return _expression(self._core.operands[0])

    @property
    def rhs(self) -> AffineExpr:
        """The right operand.

        >>> (mlirbc.AffineExpr.get_dim(0) + 1).rhs
        AffineConstantExpr(1)
        """
        return _expression(self._core.operands[1])


class AffineAddExpr(AffineBinaryExpr):
    """A sum.

    >>> mlirbc.AffineExpr.get_dim(0) + 1
    AffineAddExpr(d0 + 1)
    """

    __slots__ = ()
    _kind = _ADD


class AffineMulExpr(AffineBinaryExpr):
    """A product.

    >>> mlirbc.AffineExpr.get_dim(0) * 2
    AffineMulExpr(d0 * 2)
    """

    __slots__ = ()
    _kind = _MUL


class AffineModExpr(AffineBinaryExpr):
    """A remainder.

    >>> mlirbc.AffineExpr.get_dim(0) % 2
    AffineModExpr(d0 mod 2)
    """

    __slots__ = ()
    _kind = _MOD


class AffineFloorDivExpr(AffineBinaryExpr):
    """A quotient rounded down.

    >>> mlirbc.AffineFloorDivExpr.get(mlirbc.AffineExpr.get_dim(0), 2)
    AffineFloorDivExpr(d0 floordiv 2)
    """

    __slots__ = ()
    _kind = _FLOOR_DIV


class AffineCeilDivExpr(AffineBinaryExpr):
    """A quotient rounded up.

    >>> mlirbc.AffineCeilDivExpr.get(mlirbc.AffineExpr.get_dim(0), 2)
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


_Core = TypeVar("_Core", _AffineMap, _IntegerSet)


class _AttributeValue(Generic[_Core]):
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

        >>> mlirbc.AffineMap.get_identity(3).n_dims
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

    >>> swap = mlirbc.AffineMap.get_permutation([1, 0])
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

        >>> mlirbc.AffineMap.get(1, 1, [mlirbc.AffineExpr.get_dim(0) + mlirbc.AffineExpr.get_symbol(0)])
        AffineMap((d0)[s0] -> (d0 + s0))
        """
        return AffineMap._from_core(_AffineMap(dim_count, symbol_count, [expr._core for expr in exprs]))

    @staticmethod
    def get_constant(value: int, context: object = None) -> "AffineMap":
        """The map without inputs whose result is that number.

        >>> mlirbc.AffineMap.get_constant(7)
        AffineMap(() -> (7))
        """
        return AffineMap.get(0, 0, [AffineConstantExpr.get(value)])

    @staticmethod
    def get_empty(context: object = None) -> "AffineMap":
        """The map without inputs and results.

        >>> mlirbc.AffineMap.get_empty()
        AffineMap(() -> ())
        """
        return AffineMap.get(0, 0, [])

    @staticmethod
    def get_identity(n_dims: int, context: object = None) -> "AffineMap":
        """The map whose results are its dimensions.

        >>> mlirbc.AffineMap.get_identity(2)
        AffineMap((d0, d1) -> (d0, d1))
        """
        return AffineMap.get_permutation(range(n_dims))

    @staticmethod
    def get_minor_identity(n_dims: int, n_results: int, context: object = None) -> "AffineMap":
        """The map whose results are its last dimensions.

        >>> mlirbc.AffineMap.get_minor_identity(3, 1)
        AffineMap((d0, d1, d2) -> (d2))
        """
        dims = range(n_dims - n_results, n_dims)
        return AffineMap.get(n_dims, 0, [AffineDimExpr.get(dim) for dim in dims])

    @staticmethod
    def get_permutation(permutation: Sequence[int], context: object = None) -> "AffineMap":
        """The map whose results are its dimensions in another order. Raises `InvalidError` when they are not.

        >>> mlirbc.AffineMap.get_permutation([2, 0, 1])
        AffineMap((d0, d1, d2) -> (d2, d0, d1))
        """
        if sorted(permutation) != list(range(len(permutation))):
            raise invalid(f"expected a permutation, found {list(permutation)}")
        return AffineMap.get(len(permutation), 0, [AffineDimExpr.get(dim) for dim in permutation])

    @property
    def results(self) -> list[AffineExpr]:
        """Its results.

        >>> mlirbc.Attribute.parse("affine_map<(d0) -> (d0 * 2, 0)>").value.results
        [AffineMulExpr(d0 * 2), AffineConstantExpr(0)]
        """
        return [_expression(result) for result in self._core.results]

    @property
    def is_permutation(self) -> bool:
        """Whether its results are all its dimensions in some order.

        >>> mlirbc.AffineMap.get_permutation([1, 0]).is_permutation
        True
        """
        return self._core.is_permutation

    @property
    def is_projected_permutation(self) -> bool:
        """Whether its results are distinct dimensions, and it has no symbols.

        >>> mlirbc.AffineMap.get_minor_identity(3, 2).is_projected_permutation
        True
        """
        return self._core.is_projected_permutation


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

    >>> low = mlirbc.IntegerSet.get(1, 0, [mlirbc.AffineExpr.get_dim(0)], [False])
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

        >>> mlirbc.IntegerSet.get(1, 0, [mlirbc.AffineExpr.get_dim(0) - 3], [True])
        IntegerSet((d0) : (d0 - 3 == 0))
        """
        if len(exprs) != len(eq_flags):
            raise ValueError("Expected the number of constraints to match that of equality flags")
        if not exprs:
            raise ValueError("Expected non-empty list of constraints")
        cores = [expr._core for expr in exprs]
        return IntegerSet._from_core(
            _IntegerSet(num_dims, num_symbols, cores, [bool(flag) for flag in eq_flags])
        )

    @property
    def constraints(self) -> list[IntegerSetConstraint]:
        """Its conditions.

        >>> mlirbc.Attribute.parse("affine_set<(d0) : (d0 >= 0, d0 - 4 == 0)>").value.constraints
        [IntegerSetConstraint(d0 >= 0), IntegerSetConstraint(d0 - 4 == 0)]
        """
        conditions = zip(self._core.exprs, self._core.eq_flags, strict=True)
        return [IntegerSetConstraint(_expression(expr), is_eq) for expr, is_eq in conditions]

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
