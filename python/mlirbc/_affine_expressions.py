"""Affine expressions, named and shaped as in upstream's bindings.

The extension module has the values; these classes give them upstream's names.
"""

import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, ClassVar, NoReturn, Self, cast

from mlirbc._mlirbc import _AffineExpr
from mlirbc._types import invalid_argument

if TYPE_CHECKING:
    from mlirbc._affine import AffineMap
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
