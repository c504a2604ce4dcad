"""Simplification of affine expressions by collecting their terms.

MLIR's `simplifyAffineExpr` writes an expression as a sum of dimensions, symbols, quotients and a number, each
with a factor, and builds the expression anew from the sum. This works on the expressions of the extension
module, whose kinds are the numbers below.
"""

import math
from collections.abc import Mapping

from mlirbc._mlirbc import _AffineExpr

__all__ = ["simplified"]

_DIM, _SYMBOL, _CONSTANT, _ADD, _MUL, _MOD, _FLOOR_DIV, _CEIL_DIV = range(8)

# The factors of the terms; the factor of None is the number.
_Sum = dict[_AffineExpr | None, int]


class _NotLinear(Exception):
    """The expression is semi-affine: MLIR leaves it as it is."""


def simplified(expr: _AffineExpr) -> _AffineExpr:
    """The expression with its terms collected; a semi-affine expression is returned unchanged."""
    try:
        return _built(_terms(expr))
    except _NotLinear:
        return expr


def _terms(expr: _AffineExpr) -> _Sum:
    if expr.kind == _CONSTANT:
        return {None: expr.value}
    if expr.kind in (_DIM, _SYMBOL):
        return {expr: 1}
    left, right = expr.operands
    if expr.kind == _ADD:
        return _sum(_terms(left), _terms(right), 1)
    return _with_constant(expr.kind, _terms(left), _constant(right))


def _constant(expr: _AffineExpr) -> int:
    terms = {term: factor for term, factor in _terms(expr).items() if factor}
    if any(term is not None for term in terms):
        raise _NotLinear
    return terms.get(None, 0)


def _sum(left: _Sum, right: _Sum, factor: int) -> _Sum:
    total = dict(left)
    for term, number in right.items():
        total[term] = total.get(term, 0) + factor * number
    return total


def _with_constant(kind: int, terms: _Sum, constant: int) -> _Sum:
    if kind == _MUL:
        return {term: factor * constant for term, factor in terms.items()}
    if constant <= 0:
        raise _NotLinear
    if kind != _MOD:
        return _quotient(kind, terms, constant)
    if all(factor % constant == 0 for factor in terms.values()):
        return {}
    return _sum(terms, _quotient(_FLOOR_DIV, terms, constant), -constant)


def _quotient(kind: int, terms: _Sum, divisor: int) -> _Sum:
    """The terms of a quotient: exact, or one new term."""
    common = math.gcd(divisor, *terms.values())
    terms = {term: factor // common for term, factor in terms.items()}
    divisor //= common
    if divisor == 1:
        return terms
    return {_AffineExpr.binary(kind, _built(terms), _AffineExpr.constant(divisor)): 1}


def _order(term: _AffineExpr | None) -> tuple[int, int]:
    """Dimensions come first, then symbols, quotients as they are found, and the number."""
    if term is None:
        return 3, 0
    return (term.kind, term.value) if term.kind in (_DIM, _SYMBOL) else (2, 0)


def _built(terms: Mapping[_AffineExpr | None, int]) -> _AffineExpr:
    expr = _AffineExpr.constant(0)
    for term, factor in sorted(terms.items(), key=lambda item: _order(item[0])):
        if factor:
            number = _AffineExpr.constant(factor)
            added = number if term is None else _AffineExpr.binary(_MUL, term, number)
            expr = _AffineExpr.binary(_ADD, expr, added)
    return expr
