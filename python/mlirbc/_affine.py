"""Affine expressions, maps and integer sets, named and shaped as in upstream's bindings.

An expression is what bytecode has for it: a number for what it is, then its operands, both as varints. What
is built is simplified as MLIR does.
"""

from collections.abc import Iterator, Sequence
from typing import ClassVar, cast

from mlirbc._mlirbc import Attribute, ReadError, _build_attribute, _simplified_affine_map
from mlirbc._types import invalid

_DIM, _SYMBOL, _CONSTANT, _ADD, _MUL, _MOD, _FLOOR_DIV, _CEIL_DIV = range(8)


def _varint(value: int) -> bytes:
    """The number as a varint whose lowest bits say how many bytes follow."""
    more = min(max(value.bit_length() - 1, 0) // 7, 8)
    if more == 8:
        return b"\0" + value.to_bytes(8, "little")
    return ((value << 1 | 1) << more).to_bytes(more + 1, "little")


def _read(code: bytes, place: int) -> tuple[int, int]:
    """The varint at that place, and where the next one begins."""
    first = code[place]
    if not first:
        return int.from_bytes(code[place + 1 : place + 9], "little"), place + 9
    more = (first & -first).bit_length()
    return int.from_bytes(code[place : place + more], "little") >> more, place + more


def _end(code: bytes, place: int) -> int:
    """Where the expression that begins at that place ends."""
    left = 1
    while left:
        kind, place = _read(code, place)
        if kind < _ADD:
            place = _read(code, place)[1]
            left -= 1
        else:
            left += 1
    return place


def _expressions(code: bytes, count: int, place: int) -> tuple[list["AffineExpr"], int]:
    found = []
    for _ in range(count):
        end = _end(code, place)
        found.append(_expression(code[place:end]))
        place = end
    return found, place


def _expression(code: bytes) -> "AffineExpr":
    made = object.__new__(_CLASSES[_read(code, 0)[0]])
    made._code = code
    return made


def _leaf(kind: int, value: int) -> "AffineExpr":
    return _expression(_varint(kind) + _varint(value))


class AffineExpr:
    """An affine expression of dimensions, symbols and constants.

    >>> d0, s0 = mlirbc.AffineExpr.get_dim(0), mlirbc.AffineExpr.get_symbol(0)
    >>> d0 * 4 + s0 + 1
    AffineAddExpr(d0 * 4 + s0 + 1)
    >>> d0 + 0 == d0
    True
    """

    __slots__ = ("_code",)
    _code: bytes

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

    def _value(self) -> int:
        return _read(self._code, _read(self._code, 0)[1])[0]

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
        return isinstance(other, AffineExpr) and self._code == other._code

    def __hash__(self) -> int:
        return hash(self._code)

    def __str__(self) -> str:
        return str(_map_of(self)).rpartition(" -> (")[2].removesuffix(")")

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
        return cast(AffineDimExpr, _leaf(_DIM, _position(position)))

    @property
    def position(self) -> int:
        """Its number.

        >>> mlirbc.AffineDimExpr.get(2).position
        2
        """
        return self._value()


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
        return cast(AffineSymbolExpr, _leaf(_SYMBOL, _position(position)))

    @property
    def position(self) -> int:
        """Its number.

        >>> mlirbc.AffineSymbolExpr.get(2).position
        2
        """
        return self._value()


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
        if not -(1 << 63) <= value < 1 << 63:
            raise invalid(f"expected a number of 64 bits, found `{value}`")
        zigzag = value << 1 if value >= 0 else (-value << 1) - 1
        return cast(AffineConstantExpr, _leaf(_CONSTANT, zigzag))

    @property
    def value(self) -> int:
        """The number.

        >>> mlirbc.AffineConstantExpr.get(-1).value
        -1
        """
        zigzag = self._value()
        return -((zigzag + 1) >> 1) if zigzag & 1 else zigzag >> 1


class AffineBinaryExpr(AffineExpr):
    """An operation on two expressions; each has a class of its own.

    >>> isinstance(mlirbc.AffineExpr.get_dim(0) % 2, mlirbc.AffineBinaryExpr)
    True
    """

    __slots__ = ()
    _kind: ClassVar[int]

    def _operands(self) -> tuple[AffineExpr, AffineExpr]:
        (lhs, rhs), _ = _expressions(self._code, 2, _read(self._code, 0)[1])
        return lhs, rhs

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
        return self._operands()[0]

    @property
    def rhs(self) -> AffineExpr:
        """The right operand.

        >>> (mlirbc.AffineExpr.get_dim(0) + 1).rhs
        AffineConstantExpr(1)
        """
        return self._operands()[1]


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


def _position(position: int) -> int:
    if not 0 <= position < 4096:
        raise invalid(f"expected a position below 4096, found `{position}`")
    return position


def _code_of(operand: AffineExpr | int) -> bytes:
    return (operand if isinstance(operand, AffineExpr) else AffineConstantExpr.get(operand))._code


def _combine(kind: int, lhs: AffineExpr | int, rhs: AffineExpr | int) -> AffineExpr:
    return _map_of(_expression(_varint(kind) + _code_of(lhs) + _code_of(rhs))).results[0]


def _inputs(expressions: Sequence[AffineExpr]) -> tuple[int, int]:
    """How many dimensions and symbols the expressions need."""
    most = [0, 0]
    for expression in expressions:
        place = 0
        while place < len(expression._code):
            kind, place = _read(expression._code, place)
            if kind < _ADD:
                value, place = _read(expression._code, place)
                if kind != _CONSTANT:
                    most[kind] = max(most[kind], value + 1)
    return most[0], most[1]


def _map_of(expression: AffineExpr) -> "AffineMap":
    return AffineMap(_map_code(*_inputs([expression]), [expression]))


def _map_code(dims: int, symbols: int, results: Sequence[AffineExpr]) -> bytes:
    head = _varint(dims << 2 | 3) + _varint(symbols) + _varint(len(results))
    try:
        return _simplified_affine_map(head + b"".join(result._code for result in results))
    except ReadError as error:
        raise invalid(f"expected {error.expected}, found {error.found}") from None


def _check_inputs(dims: int, symbols: int, expressions: Sequence[AffineExpr]) -> None:
    needed = _inputs(expressions)
    if dims < needed[0] or symbols < needed[1]:
        raise invalid(f"expected {needed[0]} dimensions and {needed[1]} symbols, found {dims} and {symbols}")


def _code(of: Attribute, field: str) -> bytes:
    return cast(bytes, of._whole(bytes(cast(memoryview, of._field(field)))))


class _Value:
    """What an attribute is about, as a value of its own: equal when the texts are."""

    __slots__ = ("_code",)
    _kind: ClassVar[str]
    _field: ClassVar[str]

    def __init__(self, of: Attribute | bytes) -> None:
        self._code = of if isinstance(of, bytes) else _code(of, self._field)

    def _attribute(self) -> Attribute:
        return _build_attribute("builtin", self._kind, [(self._field, "blob", self._code)])

    def __eq__(self, other: object, /) -> bool:
        return type(other) is type(self) and str(self) == str(other)

    def __hash__(self) -> int:
        return hash(str(self))

    def __str__(self) -> str:
        return str(self._attribute()).partition("<")[2].removesuffix(">")

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self})"


class AffineMap(_Value):
    """An affine map: from dimensions and symbols to the values of expressions.

    >>> swap = mlirbc.AffineMap.get_permutation([1, 0])
    >>> swap, swap.results
    (AffineMap((d0, d1) -> (d1, d0)), [AffineDimExpr(d1), AffineDimExpr(d0)])
    """

    __slots__ = ()
    _kind = "AffineMapAttr"
    _field = "map"

    @staticmethod
    def get(
        dim_count: int, symbol_count: int, exprs: Sequence[AffineExpr], context: object = None
    ) -> "AffineMap":
        """The map with these results. Raises `InvalidError` when they need more inputs.

        >>> mlirbc.AffineMap.get(1, 1, [mlirbc.AffineExpr.get_dim(0) + mlirbc.AffineExpr.get_symbol(0)])
        AffineMap((d0)[s0] -> (d0 + s0))
        """
        _check_inputs(dim_count, symbol_count, exprs)
        return AffineMap(_map_code(dim_count, symbol_count, exprs))

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
    def n_dims(self) -> int:
        """How many dimensions it takes.

        >>> mlirbc.AffineMap.get_identity(3).n_dims
        3
        """
        return _read(self._code, 0)[0] >> 2

    @property
    def n_symbols(self) -> int:
        """How many symbols it takes.

        >>> mlirbc.Attribute.parse("affine_map<(d0)[s0] -> (s0)>").value.n_symbols
        1
        """
        code = self._code
        head, place = _read(code, 0)
        return _read(code, place)[0] if head & 3 == 3 else 0

    @property
    def n_inputs(self) -> int:
        """How many dimensions and symbols it takes.

        >>> mlirbc.Attribute.parse("affine_map<(d0)[s0] -> (s0)>").value.n_inputs
        2
        """
        return self.n_dims + self.n_symbols

    @property
    def results(self) -> list[AffineExpr]:
        """Its results.

        >>> mlirbc.Attribute.parse("affine_map<(d0) -> (d0 * 2, 0)>").value.results
        [AffineMulExpr(d0 * 2), AffineConstantExpr(0)]
        """
        code = self._code
        head, place = _read(code, 0)
        if head & 3 == 3:
            place = _read(code, place)[1]
            count, place = _read(code, place)
            return _expressions(code, count, place)[0]
        # Dimensions alone: all in order, all in another order, or some.
        count = head >> 2
        if head & 3 == 0:
            return [AffineDimExpr.get(dim) for dim in range(count)]
        if head & 3 == 2:
            count, place = _read(code, place)
        dims = _varints(code, place)
        return [AffineDimExpr.get(next(dims)) for _ in range(count)]

    @property
    def is_permutation(self) -> bool:
        """Whether its results are all its dimensions in some order.

        >>> mlirbc.AffineMap.get_permutation([1, 0]).is_permutation
        True
        """
        return self.is_projected_permutation and len(self.results) == self.n_dims

    @property
    def is_projected_permutation(self) -> bool:
        """Whether its results are dimensions, none of them twice, and there are no symbols.

        >>> mlirbc.AffineMap.get_minor_identity(3, 2).is_projected_permutation
        True
        """
        results = self.results
        are_dims = all(isinstance(result, AffineDimExpr) for result in results)
        return are_dims and not self.n_symbols and len(set(results)) == len(results)


def _varints(code: bytes, place: int) -> Iterator[int]:
    while place < len(code):
        value, place = _read(code, place)
        yield value


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


class IntegerSet(_Value):
    """A set of integers: where affine conditions hold.

    >>> low = mlirbc.IntegerSet.get(1, 0, [mlirbc.AffineExpr.get_dim(0)], [False])
    >>> low, low.constraints
    (IntegerSet((d0) : (d0 >= 0)), [IntegerSetConstraint(d0 >= 0)])
    """

    __slots__ = ()
    _kind = "IntegerSetAttr"
    _field = "set"

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
        _check_inputs(num_dims, num_symbols, exprs)
        code = b"".join(
            [
                _varint(num_dims),
                _varint(num_symbols),
                _varint(len(exprs)),
                *(expr._code for expr in exprs),
                bytes(map(bool, eq_flags)),
            ]
        )
        return IntegerSet(code)

    def _numbers(self) -> tuple[bytes, int, int, int, int]:
        code = self._code
        dims, place = _read(code, 0)
        symbols, place = _read(code, place)
        count, place = _read(code, place)
        return code, dims, symbols, count, place

    @property
    def n_dims(self) -> int:
        """How many dimensions it is about.

        >>> mlirbc.Attribute.parse("affine_set<(d0, d1) : (d0 == 0)>").value.n_dims
        2
        """
        return self._numbers()[1]

    @property
    def n_symbols(self) -> int:
        """How many symbols it is about.

        >>> mlirbc.Attribute.parse("affine_set<(d0)[s0] : (d0 - s0 == 0)>").value.n_symbols
        1
        """
        return self._numbers()[2]

    @property
    def n_inputs(self) -> int:
        """How many dimensions and symbols it is about.

        >>> mlirbc.Attribute.parse("affine_set<(d0)[s0] : (d0 - s0 == 0)>").value.n_inputs
        2
        """
        return self.n_dims + self.n_symbols

    @property
    def constraints(self) -> list[IntegerSetConstraint]:
        """Its conditions.

        >>> mlirbc.Attribute.parse("affine_set<(d0) : (d0 >= 0, d0 - 4 == 0)>").value.constraints
        [IntegerSetConstraint(d0 >= 0), IntegerSetConstraint(d0 - 4 == 0)]
        """
        code, _, _, count, place = self._numbers()
        expressions, place = _expressions(code, count, place)
        flags = code[place : place + count]
        return [IntegerSetConstraint(*both) for both in zip(expressions, map(bool, flags), strict=True)]

    @property
    def n_equalities(self) -> int:
        """How many of its conditions are equalities.

        >>> mlirbc.Attribute.parse("affine_set<(d0) : (d0 >= 0, d0 - 4 == 0)>").value.n_equalities
        1
        """
        return sum(constraint.is_eq for constraint in self.constraints)

    @property
    def n_inequalities(self) -> int:
        """How many of its conditions are no equalities.

        >>> mlirbc.Attribute.parse("affine_set<(d0) : (d0 >= 0, d0 - 4 == 0)>").value.n_inequalities
        1
        """
        return len(self.constraints) - self.n_equalities
