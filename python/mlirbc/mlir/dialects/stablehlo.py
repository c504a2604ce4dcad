"""The dialect `stablehlo`: its generated names, and the classes of its attributes and types."""

import re
from collections.abc import Sequence
from typing import ClassVar

from mlirbc._mlirbc import Attribute, Type
from mlirbc._shaped import ShapedType
from mlirbc.mlir._context import resolve_context
from mlirbc.mlir._dialect_types import DialectAttr, DialectType, SimpleType, parameters
from mlirbc.mlir.dialects._field_attributes import FieldAttr, KeywordAttr
from mlirbc.mlir.dialects._generated import DialectNames

_names = DialectNames("stablehlo", __name__)


def __getattr__(name: str) -> object:
    return _names.get(name)


def __dir__() -> list[str]:
    return _names.all()


class _Keyword(KeywordAttr):
    __slots__ = ()
    _dialect = "stablehlo"


class ComparisonDirectionAttr(_Keyword):
    """How values are compared.

    >>> from mlirbc.mlir import ir
    >>> with ir.Context():
    ...     print(ComparisonDirectionAttr.get("EQ"))
    #stablehlo<comparison_direction EQ>
    """

    __slots__ = ()
    _mnemonic = "stablehlo<comparison_direction"


class ComparisonTypeAttr(_Keyword):
    """The numbers that are compared."""

    __slots__ = ()
    _mnemonic = "stablehlo<comparison_type"


class FftTypeAttr(_Keyword):
    """The direction of a Fourier transform."""

    __slots__ = ()
    _mnemonic = "stablehlo<fft_type"


class PrecisionAttr(_Keyword):
    """The precision of a multiplication."""

    __slots__ = ()
    _mnemonic = "stablehlo<precision"


class RngAlgorithmAttr(_Keyword):
    """The algorithm that makes random bits."""

    __slots__ = ()
    _mnemonic = "stablehlo<rng_algorithm"


class RngDistributionAttr(_Keyword):
    """The distribution of random numbers."""

    __slots__ = ()
    _mnemonic = "stablehlo<rng_distribution"


class TransposeAttr(_Keyword):
    """How a matrix is transposed."""

    __slots__ = ()
    _mnemonic = "stablehlo<transpose"


class ResultAccuracyModeAttr(_Keyword):
    """The accuracy of a result."""

    __slots__ = ()
    _mnemonic = "result_accuracy_mode"

    @classmethod
    def get(cls, value: str, context: object = None) -> "ResultAccuracyModeAttr":
        """The attribute of a keyword."""
        resolve_context(context)
        return cls(Attribute.parse(f"#stablehlo.result_accuracy_mode<{value}>"))

    @property
    def value(self) -> str:
        """The keyword."""
        return parameters(str(self))[0]


class _Fields(FieldAttr):
    __slots__ = ()
    _dialect = "stablehlo"


class ChannelHandle(_Fields):
    """A channel between devices."""

    __slots__ = ()
    _mnemonic = "channel_handle"
    _fields: ClassVar = {"handle": "int", "channel_type": "int"}
    _names: ClassVar = {"channel_type": "type"}
    _shown = frozenset(("handle", "channel_type"))

    @classmethod
    def get(cls, handle: int, type: int, context: object = None) -> "ChannelHandle":  # type: ignore[override]
        """The channel with a number and a type."""
        return super().get(handle, type, context=context)


class DotAlgorithm(_Fields):
    """The algorithm of a multiplication."""

    __slots__ = ()
    _mnemonic = "dot_algorithm"
    _fields: ClassVar = {
        "lhs_precision_type": "type",
        "rhs_precision_type": "type",
        "accumulation_type": "type",
        "lhs_component_count": "int",
        "rhs_component_count": "int",
        "num_primitive_operations": "int",
        "allow_imprecise_accumulation": "flag",
    }
    _shown = frozenset(_fields)


class DotDimensionNumbers(_Fields):
    """The dimensions of a multiplication."""

    __slots__ = ()
    _mnemonic = "dot"
    _fields: ClassVar = {
        "lhs_batching_dimensions": "dims",
        "rhs_batching_dimensions": "dims",
        "lhs_contracting_dimensions": "dims",
        "rhs_contracting_dimensions": "dims",
    }


class GatherDimensionNumbers(_Fields):
    """The dimensions of `stablehlo.gather`."""

    __slots__ = ()
    _mnemonic = "gather"
    _fields: ClassVar = {
        "offset_dims": "dims",
        "collapsed_slice_dims": "dims",
        "operand_batching_dims": "dims",
        "start_indices_batching_dims": "dims",
        "start_index_map": "dims",
        "index_vector_dim": "int",
    }


class ScatterDimensionNumbers(_Fields):
    """The dimensions of `stablehlo.scatter`."""

    __slots__ = ()
    _mnemonic = "scatter"
    _fields: ClassVar = {
        "update_window_dims": "dims",
        "inserted_window_dims": "dims",
        "input_batching_dims": "dims",
        "scatter_indices_batching_dims": "dims",
        "scattered_dims_to_operand_dims": "dims",
        "index_vector_dim": "int",
    }
    _names: ClassVar = {"scattered_dims_to_operand_dims": "scatter_dims_to_operand_dims"}


class OutputOperandAlias(_Fields):
    """A result that shares the memory of an operand."""

    __slots__ = ()
    _mnemonic = "output_operand_alias"
    _fields: ClassVar = {
        "output_tuple_indices": "dims",
        "operand_index": "int",
        "operand_tuple_indices": "dims",
    }
    _shown = frozenset(_fields)


class TypeExtensions(DialectAttr):
    """The bounds of dynamic dimensions."""

    __slots__ = ()
    _dialect = "stablehlo"
    _mnemonic = "bounds"

    @classmethod
    def get(cls, bounds: Sequence[int], context: object = None) -> "TypeExtensions":
        """The bounds of all dimensions; static dimensions have `ShapedType.get_dynamic_size()`."""
        resolve_context(context)
        sizes = ["?" if bound == ShapedType.get_dynamic_size() else str(bound) for bound in bounds]
        return cls(Attribute.parse(f"#stablehlo.bounds<{', '.join(sizes)}>"))

    @property
    def bounds(self) -> list[int]:
        """The bounds."""
        dynamic = ShapedType.get_dynamic_size()
        return [dynamic if bound == "?" else int(bound) for bound in parameters(str(self))]


class ConvDimensionNumbers(DialectAttr):
    """The dimensions of a convolution.

    >>> from mlirbc.mlir import ir
    >>> with ir.Context():
    ...     print(ConvDimensionNumbers.get(0, 1, [2], 0, 1, [2], 0, 1, [2]))
    #stablehlo.conv<[b, f, 0]x[i, o, 0]->[b, f, 0]>
    """

    __slots__ = ()
    _dialect = "stablehlo"
    _mnemonic = "conv"

    @classmethod
    def get(
        cls,
        input_batch_dimension: int,
        input_feature_dimension: int,
        input_spatial_dimensions: Sequence[int],
        kernel_input_feature_dimension: int,
        kernel_output_feature_dimension: int,
        kernel_spatial_dimensions: Sequence[int],
        output_batch_dimension: int,
        output_feature_dimension: int,
        output_spatial_dimensions: Sequence[int],
        ctx: object = None,
    ) -> "ConvDimensionNumbers":
        """The attribute with the places of the dimensions."""
        resolve_context(ctx)
        kernel = (kernel_input_feature_dimension, kernel_output_feature_dimension)
        groups = [
            _places("bf", (input_batch_dimension, input_feature_dimension), input_spatial_dimensions),
            _places("io", kernel, kernel_spatial_dimensions),
            _places("bf", (output_batch_dimension, output_feature_dimension), output_spatial_dimensions),
        ]
        return cls(Attribute.parse("#stablehlo.conv<{}x{}->{}>".format(*groups)))

    def _place(self, group: int, letter: str) -> int:
        return self._group(group).index(letter)

    def _group(self, group: int) -> list[str]:
        return [part.strip() for part in re.findall(r"\[([^\]]*)\]", str(self))[group].split(",")]

    def _spatial(self, group: int) -> list[int]:
        parts = self._group(group)
        numbered = {int(part): place for place, part in enumerate(parts) if part.isdigit()}
        return [numbered[number] for number in sorted(numbered)]

    @property
    def input_batch_dimension(self) -> int:
        """The dimension of the batch in the input."""
        return self._place(0, "b")

    @property
    def input_feature_dimension(self) -> int:
        """The dimension of the features in the input."""
        return self._place(0, "f")

    @property
    def input_spatial_dimensions(self) -> list[int]:
        """The dimensions of space in the input."""
        return self._spatial(0)

    @property
    def kernel_input_feature_dimension(self) -> int:
        """The dimension of the input features in the kernel."""
        return self._place(1, "i")

    @property
    def kernel_output_feature_dimension(self) -> int:
        """The dimension of the output features in the kernel."""
        return self._place(1, "o")

    @property
    def kernel_spatial_dimensions(self) -> list[int]:
        """The dimensions of space in the kernel."""
        return self._spatial(1)

    @property
    def output_batch_dimension(self) -> int:
        """The dimension of the batch in the output."""
        return self._place(2, "b")

    @property
    def output_feature_dimension(self) -> int:
        """The dimension of the features in the output."""
        return self._place(2, "f")

    @property
    def output_spatial_dimensions(self) -> list[int]:
        """The dimensions of space in the output."""
        return self._spatial(2)


def _places(letters: str, places: tuple[int, int], spatial: Sequence[int]) -> str:
    """The letters and numbers of dimensions, in their order."""
    labels = dict(zip(places, letters, strict=True))
    labels |= {place: str(number) for number, place in enumerate(spatial)}
    return f"[{', '.join(labels[place] for place in sorted(labels))}]"


class TokenType(SimpleType):
    """A token, which orders operations."""

    __slots__ = ()
    _dialect = "stablehlo"
    _mnemonic = "token"


class FutureType(DialectType):
    """The results of an operation that has not ended."""

    __slots__ = ()
    _dialect = "stablehlo"
    _mnemonic = "future"

    @classmethod
    def get(cls, types: Sequence[Type], context: object = None) -> "FutureType":
        """The type of results of these types."""
        return cls._parsed(f"<{', '.join(map(str, types))}>", context)

    @property
    def types(self) -> list[Type]:
        """The types of the results."""
        return [Type.parse(text) for text in self._parameters]
