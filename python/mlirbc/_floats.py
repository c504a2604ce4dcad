"""Floats of every format as Python floats, and back."""

import math
from typing import NamedTuple


class Format(NamedTuple):
    """How a float is laid out, and what it has besides numbers."""

    width: int
    exponent: int
    mantissa: int
    bias: int
    has_infinity: bool = True
    has_nan: bool = True
    is_fnuz: bool = False


FORMATS = {
    "f16": Format(16, 5, 10, 15),
    "bf16": Format(16, 8, 7, 127),
    "f32": Format(32, 8, 23, 127),
    "f64": Format(64, 11, 52, 1023),
    "tf32": Format(19, 8, 10, 127),
    "f80": Format(80, 15, 63, 16383),
    "f128": Format(128, 15, 112, 16383),
    "f8E5M2": Format(8, 5, 2, 15),
    "f8E4M3": Format(8, 4, 3, 7),
    "f8E3M4": Format(8, 3, 4, 3),
    "f8E4M3FN": Format(8, 4, 3, 7, has_infinity=False),
    "f8E5M2FNUZ": Format(8, 5, 2, 16, has_infinity=False, is_fnuz=True),
    "f8E4M3FNUZ": Format(8, 4, 3, 8, has_infinity=False, is_fnuz=True),
    "f8E4M3B11FNUZ": Format(8, 4, 3, 11, has_infinity=False, is_fnuz=True),
    "f8E8M0FNU": Format(8, 8, 0, 127, has_infinity=False),
    "f6E2M3FN": Format(6, 2, 3, 1, has_infinity=False, has_nan=False),
    "f6E3M2FN": Format(6, 3, 2, 3, has_infinity=False, has_nan=False),
    "f4E2M1FN": Format(4, 2, 1, 1, has_infinity=False, has_nan=False),
}
"""By the name of the type in text."""


def decode(name: str, bits: int) -> float:
    """The float with these bits; rounded where a Python float is too small for it."""
    form = FORMATS[name]
    if name == "f8E8M0FNU":
        return math.nan if bits == 0xFF else math.ldexp(1.0, bits - 127)
    if form.is_fnuz and bits == 1 << (form.width - 1):
        return math.nan
    sign = -1.0 if bits >> (form.width - 1) & 1 else 1.0
    if name == "f80":
        return sign * _extended(bits)
    mantissa = bits & ((1 << form.mantissa) - 1)
    exponent = bits >> form.mantissa & ((1 << form.exponent) - 1)
    top = (1 << form.exponent) - 1
    if exponent == top and form.has_nan and not form.is_fnuz:
        if form.has_infinity:
            return math.nan if mantissa else sign * math.inf
        if mantissa == (1 << form.mantissa) - 1:
            return math.nan
    if exponent == 0:
        return sign * _scaled(mantissa, 1 - form.bias - form.mantissa)
    return sign * _scaled(mantissa | 1 << form.mantissa, exponent - form.bias - form.mantissa)


def _extended(bits: int) -> float:
    """An x87 float, whose leading bit is written out, without its sign."""
    mantissa, exponent = bits & ((1 << 64) - 1), bits >> 64 & 0x7FFF
    if exponent == 0x7FFF:
        return math.inf if mantissa & ((1 << 63) - 1) == 0 else math.nan
    return _scaled(mantissa, max(exponent, 1) - 16383 - 63)


def _scaled(number: int, power: int) -> float:
    """`number * 2 ** power`, rounded once."""
    try:
        # Division of integers rounds correctly, also where the result is subnormal.
        return number / (1 << -power) if power < 0 else float(number << power)
    except OverflowError:
        return math.inf


def encode(name: str, value: float) -> int:
    """The bits of the float nearest to `value`, ties to even; what is too large becomes infinite, or NaN, or
    the largest there is."""
    form = FORMATS[name]
    if name == "f8E8M0FNU":
        return _encode_power(value)
    sign = int(math.copysign(1.0, value) < 0) << (form.width - 1)
    if math.isnan(value):
        if not form.has_nan:
            raise ValueError(f"{name} has no NaN")
        return 1 << (form.width - 1) if form.is_fnuz else sign | _nan(name, form)
    magnitude = abs(value)
    if math.isinf(magnitude):
        return sign | _too_large(name, form) if not form.is_fnuz else 1 << (form.width - 1)
    if magnitude == 0:
        return 0 if form.is_fnuz else sign
    _, power = math.frexp(magnitude)
    exponent = max(power - 1 + form.bias, 1)
    mantissa = _rounded(magnitude, form.bias + form.mantissa - exponent)
    if mantissa >> (form.mantissa + 1):
        mantissa >>= 1
        exponent += 1
    if not mantissa >> form.mantissa:
        exponent = 0
    elif name != "f80":
        mantissa -= 1 << form.mantissa
    if exponent > _largest_exponent(form) or _is_nan(form, exponent, mantissa):
        return sign | _too_large(name, form) if not form.is_fnuz else 1 << (form.width - 1)
    bits = exponent << (form.mantissa + (name == "f80")) | mantissa
    return 0 if form.is_fnuz and bits == 0 else sign | bits


def _rounded(magnitude: float, power: int) -> int:
    """`magnitude * 2 ** power` as the nearest integer, ties to even."""
    number, divisor = magnitude.as_integer_ratio()
    if power > 0:
        number <<= power
    else:
        divisor <<= -power
    whole, rest = divmod(number, divisor)
    return whole + (2 * rest > divisor or (2 * rest == divisor and whole % 2 == 1))


def _encode_power(value: float) -> int:
    if not value > 0:
        if math.isnan(value):
            return 0xFF
        raise ValueError("f8E8M0FNU has positive numbers only")
    if math.isinf(value):
        return 0xFF
    mantissa, power = math.frexp(value)
    nearest = power - 1 + (mantissa > 0.75 or (mantissa == 0.75 and power % 2 == 0))
    return min(max(nearest + 127, 0), 255)


def _largest_exponent(form: Format) -> int:
    return (1 << form.exponent) - (2 if form.has_infinity else 1)


def _is_nan(form: Format, exponent: int, mantissa: int) -> bool:
    is_last = exponent == (1 << form.exponent) - 1 and mantissa == (1 << form.mantissa) - 1
    return form.has_nan and not form.has_infinity and not form.is_fnuz and is_last


def _nan(name: str, form: Format) -> int:
    top = ((1 << form.exponent) - 1) << form.mantissa
    if name == "f80":
        return 0x7FFF << 64 | 3 << 62
    if form.has_infinity:
        return top | 1 << (form.mantissa - 1)
    return top | (1 << form.mantissa) - 1


def _too_large(name: str, form: Format) -> int:
    if name == "f80":
        return 0x7FFF << 64 | 1 << 63
    if form.has_infinity:
        return ((1 << form.exponent) - 1) << form.mantissa
    if form.has_nan:
        return _nan(name, form)
    return (1 << form.exponent + form.mantissa) - 1
