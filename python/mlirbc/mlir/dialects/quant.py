"""The dialect `quant`: types of quantized numbers."""

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, ClassVar

from mlirbc.mlir import ir
from mlirbc.mlir._dialect_types import DialectType, parameters
from mlirbc.mlir.dialects._generated import DialectNames

if TYPE_CHECKING:
    from mlirbc._mlirbc import Type

_names = DialectNames("quant", __name__)


def __getattr__(name: str) -> object:
    return _names.get(name)


def __dir__() -> list[str]:
    return _names.all()


# `i8<-8:7>:f32` in the text of a type: the storage, its limits, and the expressed type.
_STORAGE = re.compile(r"<(u?)(i\d+)(?:<(-?\d+):(-?\d+)>)?(?::([a-z]\w*))?")


class QuantizedType(DialectType):
    """A type of quantized numbers; the classes of its kinds derive from it."""

    __slots__ = ()
    FLAG_SIGNED: ClassVar[int] = 1
    """The flag of signed storage."""

    @staticmethod
    def default_minimum_for_integer(is_signed: bool, integral_width: int) -> int:
        """The smallest integer of a width."""
        return -(1 << (integral_width - 1)) if is_signed else 0

    @staticmethod
    def default_maximum_for_integer(is_signed: bool, integral_width: int) -> int:
        """The largest integer of a width."""
        return (1 << (integral_width - is_signed)) - 1

    @staticmethod
    def cast_to_storage_type(type: "Type") -> "Type":
        """The storage of a quantized type."""
        return _storage(str(type))[1]

    @property
    def expressed_type(self) -> "Type":
        """The type of the numbers that are meant."""
        match = _STORAGE.search(str(self))
        return ir.Type.parse((match[5] if match else None) or self._parameters[0].split("<")[0])

    @property
    def is_signed(self) -> bool:
        """Whether the storage is signed."""
        return _storage(str(self))[0]

    @property
    def flags(self) -> int:
        """The flags."""
        return self.FLAG_SIGNED if self.is_signed else 0

    @property
    def storage_type(self) -> "Type":
        """The type of the storage."""
        return _storage(str(self))[1]

    @property
    def storage_type_integral_width(self) -> int:
        """The width of the storage."""
        return int(str(self.storage_type)[1:])

    @property
    def storage_type_min(self) -> int:
        """The smallest integer of the storage."""
        return self._limit(3, self.default_minimum_for_integer)

    @property
    def storage_type_max(self) -> int:
        """The largest integer of the storage."""
        return self._limit(4, self.default_maximum_for_integer)

    def _limit(self, group: int, default: object) -> int:
        match = _STORAGE.search(str(self))
        if match and match[group]:
            return int(match[group])
        return default(self.is_signed, self.storage_type_integral_width)  # type: ignore[operator, no-any-return]

    @property
    def quantized_element_type(self) -> "QuantizedType":
        """Itself: the element of a quantized type."""
        return self


def _storage(text: str) -> "tuple[bool, Type]":
    """Whether the storage is signed, and its type."""
    match = _STORAGE.search(text)
    if match is None:
        raise ValueError(f"expected a type with a storage, found {text}")
    return not match[1], ir.Type.parse(match[2])


def _shown(flags: int, storage: "Type", low: int, high: int) -> str:
    """The text of a storage with its limits, which are left out if they are the limits of its width."""
    is_signed, width = bool(flags & QuantizedType.FLAG_SIGNED), int(str(storage)[1:])
    limits = (
        QuantizedType.default_minimum_for_integer(is_signed, width),
        QuantizedType.default_maximum_for_integer(is_signed, width),
    )
    written = "" if (low, high) == limits else f"<{low}:{high}>"
    return f"{'' if is_signed else 'u'}{storage}{written}"


def _scale(scale: float, zero_point: int) -> str:
    return f"{scale:e}:{zero_point}" if zero_point else f"{scale:e}"


def _numbers(text: str) -> "list[tuple[float, int]]":
    """Scales and zero points of `2.0:10, 3.0`."""
    parts = [part.strip().partition(":") for part in text.split(",") if part.strip()]
    return [(float(scale), int(zero or 0)) for scale, _, zero in parts]


class AnyQuantizedType(QuantizedType):
    """A type with a storage, and perhaps an expressed type."""

    __slots__ = ()
    _dialect = "quant"
    _mnemonic = "any"

    @classmethod
    def get(
        cls,
        flags: int,
        storage_type: "Type",
        expressed_type: "Type | None",
        storage_type_min: int,
        storage_type_max: int,
    ) -> "AnyQuantizedType":
        """The type for a storage and its limits."""
        shown = _shown(flags, storage_type, storage_type_min, storage_type_max)
        return cls._parsed(f"<{shown}{'' if expressed_type is None else f':{expressed_type}'}>")


class UniformQuantizedType(QuantizedType):
    """A type with one scale."""

    __slots__ = ()
    _dialect = "quant"
    _mnemonic = "uniform"

    @classmethod
    def _accepts(cls, text: str) -> bool:
        return "{" not in text

    @classmethod
    def get(
        cls,
        flags: int,
        storage_type: "Type",
        expressed_type: "Type",
        scale: float,
        zero_point: int,
        storage_type_min: int,
        storage_type_max: int,
    ) -> "UniformQuantizedType":
        """The type for a storage, its limits, and a scale."""
        shown = _shown(flags, storage_type, storage_type_min, storage_type_max)
        return cls._parsed(f"<{shown}:{expressed_type}, {_scale(scale, zero_point)}>")

    @property
    def scale(self) -> float:
        """The scale."""
        return _numbers(self._parameters[1])[0][0]

    @property
    def zero_point(self) -> int:
        """The integer that stands for zero."""
        return _numbers(self._parameters[1])[0][1]

    @property
    def is_fixed_point(self) -> bool:
        """Whether the zero point is zero."""
        return self.zero_point == 0


class UniformQuantizedPerAxisType(QuantizedType):
    """A type with a scale for each index of a dimension."""

    __slots__ = ()
    _dialect = "quant"
    _mnemonic = "uniform"

    @classmethod
    def _accepts(cls, text: str) -> bool:
        return "{" in text and re.search(r":\d+\s*,\s*\{", text) is not None

    @classmethod
    def get(
        cls,
        flags: int,
        storage_type: "Type",
        expressed_type: "Type",
        scales: "Sequence[float]",
        zero_points: "Sequence[int]",
        quantized_dimension: int,
        storage_type_min: int,
        storage_type_max: int,
    ) -> "UniformQuantizedPerAxisType":
        """The type for a storage, its limits, and the scales of a dimension."""
        shown = _shown(flags, storage_type, storage_type_min, storage_type_max)
        listed = ",".join(_scale(*both) for both in zip(scales, zero_points, strict=True))
        return cls._parsed(f"<{shown}:{expressed_type}:{quantized_dimension}, {{{listed}}}>")

    def _pairs(self) -> "list[tuple[float, int]]":
        return _numbers(self._parameters[1].strip("{}"))

    @property
    def scales(self) -> list[float]:
        """The scales."""
        return [scale for scale, _ in self._pairs()]

    @property
    def zero_points(self) -> list[int]:
        """The integers that stand for zero."""
        return [zero for _, zero in self._pairs()]

    @property
    def quantized_dimension(self) -> int:
        """The dimension."""
        return int(self._parameters[0].rpartition(":")[2])

    @property
    def is_fixed_point(self) -> bool:
        """Whether all zero points are zero."""
        return not any(self.zero_points)


class UniformQuantizedSubChannelType(QuantizedType):
    """A type with a scale for each block of some dimensions."""

    __slots__ = ()
    _dialect = "quant"
    _mnemonic = "uniform"

    @classmethod
    def _accepts(cls, text: str) -> bool:
        return re.search(r":\{\d+:\d+", text) is not None

    @classmethod
    def get(
        cls,
        flags: int,
        storage_type: "Type",
        expressed_type: "Type",
        scales: "ir.DenseElementsAttr",
        zero_points: "ir.DenseElementsAttr",
        quantized_dimensions: "Sequence[int]",
        block_sizes: "Sequence[int]",
        storage_type_min: int,
        storage_type_max: int,
    ) -> "UniformQuantizedSubChannelType":
        """The type for a storage, its limits, and the scales of the blocks of dimensions."""
        shown = _shown(flags, storage_type, storage_type_min, storage_type_max)
        blocks = ", ".join(
            f"{dimension}:{size}" for dimension, size in zip(quantized_dimensions, block_sizes, strict=True)
        )
        listed = _nested_scales(scales.to_numpy().tolist(), zero_points.to_numpy().tolist())
        return cls._parsed(f"<{shown}:{expressed_type}:{{{blocks}}}, {listed}>")

    def _blocks(self) -> list[list[int]]:
        written = re.search(r":\{([^}]*)\}", str(self))
        pairs = written[1].split(",") if written else []
        return [[int(number) for number in pair.split(":")] for pair in pairs]

    @property
    def quantized_dimensions(self) -> list[int]:
        """The dimensions."""
        return [dimension for dimension, _ in self._blocks()]

    @property
    def block_sizes(self) -> list[int]:
        """The sizes of blocks."""
        return [size for _, size in self._blocks()]

    @property
    def scales(self) -> "ir.DenseElementsAttr":
        """The scales, as elements of the expressed type."""
        import numpy as np

        values = _nested_values(self._parameters[-1], lambda scale, _: scale)
        return ir.DenseElementsAttr.get(np.asarray(values, np.float64), type=self.expressed_type)

    @property
    def zero_points(self) -> "ir.DenseElementsAttr":
        """The integers that stand for zero, as elements of the storage."""
        import numpy as np

        values = _nested_values(self._parameters[-1], lambda _, zero: zero)
        width = max(8, self.storage_type_integral_width)
        return ir.DenseElementsAttr.get(np.asarray(values, f"int{width}"))


def _nested_scales(scales: object, zeros: object) -> str:
    if isinstance(scales, list) and isinstance(zeros, list):
        return "{" + ", ".join(_nested_scales(*both) for both in zip(scales, zeros, strict=True)) + "}"
    return _scale(scales, zeros)  # type: ignore[arg-type]


def _nested_values(text: str, select: "Callable[[float, int], float]") -> "list[object]":
    """The numbers of `{{2.0:10, 3.0:20}, {4.0:30, 5.0:40}}` as nested lists."""
    parts = parameters(f"<{text.strip()[1:-1]}>")
    if any(part.startswith("{") for part in parts):
        return [_nested_values(part, select) for part in parts]
    return [select(*_numbers(part)[0]) for part in parts]


class CalibratedQuantizedType(QuantizedType):
    """A type with the range of its numbers."""

    __slots__ = ()
    _dialect = "quant"
    _mnemonic = "calibrated"

    @classmethod
    def get(cls, expressed_type: "Type", min: float, max: float) -> "CalibratedQuantizedType":
        """The type for a range."""
        return cls._parsed(f"<{expressed_type}<{min!r}:{max!r}>>")

    def _range(self) -> list[float]:
        return [float(one) for one in self._parameters[0].partition("<")[2].rstrip(">").split(":")]

    @property
    def min(self) -> float:
        """The smallest number."""
        return self._range()[0]

    @property
    def max(self) -> float:
        """The largest number."""
        return self._range()[1]
