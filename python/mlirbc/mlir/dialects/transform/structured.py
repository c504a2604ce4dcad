"""The extension `structured` of the dialect `transform`."""

from typing import TYPE_CHECKING

from mlirbc.mlir import ir
from mlirbc.mlir._opview import OpView, result_or_value
from mlirbc.mlir.dialects._generated import DialectNames
from mlirbc.mlir.dialects._ods_common import dispatch_dynamic_index_list, dispatch_mixed_values
from mlirbc.mlir.dialects.transform import AnyOpType, extension_of
from mlirbc.mlir.dialects.transform._types import with_types

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mlirbc._mlirbc import Attribute, Type
    from mlirbc.edit import InsertionPoint

_names = DialectNames("transform", __name__, lambda mnemonic: extension_of(mnemonic) == "structured")


def __getattr__(name: str) -> object:
    return _names.get(name)


def __dir__() -> list[str]:
    return _names.all()


Mixed = object


def _get_int_array_array_attr(values: "Sequence[Sequence[int]] | Attribute | None") -> "Attribute":
    """The array of arrays of integers, which programs take from upstream's module."""
    if isinstance(values, ir.Attribute):
        return values
    i64 = ir.IntegerType.get_signless(64)
    rows = [[ir.IntegerAttr.get(i64, value) for value in row] for row in values or ()]
    return ir.ArrayAttr.get([ir.ArrayAttr.get(row) for row in rows])


def _is_handle(value: object) -> bool:
    return isinstance(value, (ir.Operation, OpView, ir.Value))


def _target_and_types(loop_types_or_target: object, target_or_none: object) -> tuple[object, object]:
    """The target and the types of its loops; callers may leave out the types."""
    if _is_handle(loop_types_or_target):
        return loop_types_or_target, None
    return target_or_none, loop_types_or_target


def _loops(count: int, types: object) -> "list[Type]":
    """The types of loops: one for all, or one for each."""
    if types is None:
        types = AnyOpType.get()
    return [types] * count if isinstance(types, ir.Type) else list(types)  # type: ignore[call-overload]


class BufferizeToAllocationOp(OpView, extends="transform.structured.bufferize_to_allocation"):
    """Bufferization with an allocation."""

    __slots__ = ()

    def __init__(
        self,
        target: object,
        *,
        memory_space: "int | str | Attribute | None" = None,
        loc: "Attribute | None" = None,
        ip: "InsertionPoint | None" = None,
        **options: object,
    ) -> None:
        """Build it; the memory space can be a number or the text of an attribute."""
        if isinstance(memory_space, (int, str)):
            memory_space = ir.Attribute.parse(str(memory_space))
        types = [AnyOpType.get()] * 2
        self._build(target, memory_space=memory_space, results=types, loc=loc, ip=ip, **options)


class _ToAnyOp(OpView):
    """An operation with one result of type `!transform.any_op`."""

    __slots__ = ()

    def __init__(
        self,
        target: object,
        *,
        loc: "Attribute | None" = None,
        ip: "InsertionPoint | None" = None,
        **options: object,
    ) -> None:
        """Build it."""
        self._build(AnyOpType.get(), target, loc=loc, ip=ip, **options)


class DecomposeOp(_ToAnyOp, extends="transform.structured.decompose"):
    """Operations become simpler ones."""

    __slots__ = ()


class GeneralizeOp(_ToAnyOp, extends="transform.structured.generalize"):
    """Named operations become generic ones."""

    __slots__ = ()


class InterchangeOp(_ToAnyOp, extends="transform.structured.interchange"):
    """Iterators change places."""

    __slots__ = ()


class ScalarizeOp(_ToAnyOp, extends="transform.structured.scalarize"):
    """Operations become scalar ones."""

    __slots__ = ()


class VectorizeChildrenAndApplyPatternsOp(
    _ToAnyOp, extends="transform.structured.vectorize_children_and_apply_patterns"
):
    """Everything in an operation becomes vectors."""

    __slots__ = ()


class FuseIntoContainingOp(OpView, extends="transform.structured.fuse_into_containing_op"):
    """A producer moves into a loop."""

    __slots__ = ()

    def __init__(
        self,
        *arguments: object,
        loc: "Attribute | None" = None,
        ip: "InsertionPoint | None" = None,
    ) -> None:
        """Build it; the types of the results can be left out."""
        self._build(*with_types(2, arguments), loc=loc, ip=ip)


class MapCopyToThreadsOp(OpView, extends="transform.structured.gpu.map_copy_to_threads"):
    """A copy becomes threads."""

    __slots__ = ()

    def __init__(
        self,
        *arguments: object,
        total_num_threads: "int | Attribute",
        desired_bit_alignment: "int | Attribute",
        loc: "Attribute | None" = None,
        ip: "InsertionPoint | None" = None,
    ) -> None:
        """Build it; the types of the results can be left out."""
        self._build(
            *with_types(2, arguments),
            total_num_threads=total_num_threads,
            desired_bit_alignment=desired_bit_alignment,
            loc=loc,
            ip=ip,
        )


class FuseOp(OpView, extends="transform.structured.fuse"):
    """Producers are fused into tiled loops."""

    __slots__ = ()

    def __init__(
        self,
        loop_types_or_target: object,
        target_or_none: object = None,
        *,
        tile_sizes: Mixed = None,
        tile_interchange: Mixed = None,
        apply_cleanup: bool = False,
        use_forall: bool = False,
        loc: "Attribute | None" = None,
        ip: "InsertionPoint | None" = None,
    ) -> None:
        """Build it; the types of the loops can be left out."""
        target, types = _target_and_types(loop_types_or_target, target_or_none)
        sizes, _, static_sizes = dispatch_mixed_values(tile_sizes or [])
        interchange, _, static_interchange = dispatch_mixed_values(tile_interchange or [])
        count = 1 if use_forall else sum(size != 0 for size in static_sizes)  # type: ignore[attr-defined]
        self._build(
            result_or_value(target).type,
            _loops(count, types),
            target,
            sizes,
            interchange,
            static_tile_sizes=static_sizes,
            static_tile_interchange=static_interchange,
            apply_cleanup=apply_cleanup,
            use_forall=use_forall,
            loc=loc,
            ip=ip,
        )


class VectorizeOp(OpView, extends="transform.structured.vectorize"):
    """An operation becomes vectors."""

    __slots__ = ()

    def __init__(
        self,
        target: object,
        vector_sizes: Mixed = None,
        *,
        static_vector_sizes: object = None,
        scalable_sizes: object = None,
        loc: "Attribute | None" = None,
        ip: "InsertionPoint | None" = None,
        **options: object,
    ) -> None:
        """Build it; a scalable size is a list with one item.

        Raises `TypeError` if one of `static_vector_sizes` and `scalable_sizes` is there without the other.
        """
        if (static_vector_sizes is None) != (scalable_sizes is None):
            raise TypeError(
                "'scalable_sizes' and 'static_vector_sizes' must either both be given explicitly or both be "
                "given as part of 'vector_sizes'."
            )
        sizes = vector_sizes
        if static_vector_sizes is None and vector_sizes is not None:
            sizes, static_vector_sizes, scalable_sizes = dispatch_dynamic_index_list(vector_sizes)  # type: ignore[arg-type]
        self._build(
            target,
            sizes or (),
            static_vector_sizes=static_vector_sizes,
            scalable_sizes=scalable_sizes,
            loc=loc,
            ip=ip,
            **options,
        )


class MatchOp(OpView, extends="transform.structured.match"):
    """The operations in another one that have a name, an interface or attributes."""

    __slots__ = ()

    @classmethod
    def match_op_names(
        cls,
        *arguments: object,
        loc: "Attribute | None" = None,
        ip: "InsertionPoint | None" = None,
    ) -> "MatchOp":
        """Build a match of names: the type of the result, which can be left out, the handle, the names."""
        result, target, names = with_types(1, arguments)
        listed = [names] if isinstance(names, str) else names
        return cls(result, target, ops=listed, loc=loc, ip=ip)  # type: ignore[call-arg, arg-type]


class MultiTileSizesOp(OpView, extends="transform.structured.multitile_sizes"):
    """Two sizes of tiles that together cover a dimension."""

    __slots__ = ()

    def __init__(
        self,
        result_type: "Type",
        target: object,
        *,
        dimension: "int | Attribute",
        target_size: "int | Attribute",
        divisor: "int | Attribute | None" = None,
        loc: "Attribute | None" = None,
        ip: "InsertionPoint | None" = None,
    ) -> None:
        """Build it."""
        self._build(
            *[result_type] * 3,
            target,
            dimension=dimension,
            target_size=target_size,
            divisor=divisor,
            loc=loc,
            ip=ip,
        )


class PadOp(OpView, extends="transform.structured.pad"):
    """Operands are padded."""

    __slots__ = ()

    def __init__(
        self,
        target: object,
        *,
        pad_to_multiple_of: Mixed = None,
        transpose_paddings: "Sequence[Sequence[int]] | Attribute | None" = None,
        loc: "Attribute | None" = None,
        ip: "InsertionPoint | None" = None,
        **options: object,
    ) -> None:
        """Build it."""
        multiples: object = ()
        static = None
        if pad_to_multiple_of is not None:
            multiples, static, _ = dispatch_dynamic_index_list(pad_to_multiple_of)  # type: ignore[arg-type]
        self._build(
            *[AnyOpType.get()] * 3,
            target,
            multiples,
            static_pad_to_multiple_of=static,
            transpose_paddings=None if transpose_paddings is None else _nested(transpose_paddings),
            loc=loc,
            ip=ip,
            **options,
        )


def _nested(rows: object) -> "Attribute":
    """Lists of lists of integers as an attribute."""
    if isinstance(rows, ir.IntegerAttr):
        return ir.IntegerAttr.get(ir.IntegerType.get_signless(64), rows.value)
    if isinstance(rows, int):
        return ir.IntegerAttr.get(ir.IntegerType.get_signless(64), rows)
    return ir.ArrayAttr.get([_nested(row) for row in rows])  # type: ignore[attr-defined]


class SplitOp(OpView, extends="transform.structured.split"):
    """An operation becomes two parts."""

    __slots__ = ()

    def __init__(
        self,
        target: object,
        dimension: "int | Attribute",
        chunk_sizes: object,
        *,
        loc: "Attribute | None" = None,
        ip: "InsertionPoint | None" = None,
    ) -> None:
        """Build it; the size of the first part is an integer or a handle."""
        is_known = isinstance(chunk_sizes, int)
        type_ = result_or_value(target).type
        self._build(
            type_,
            target,
            dimension,
            static_chunk_sizes=chunk_sizes if is_known else ir.ShapedType.get_dynamic_size(),
            dynamic_chunk_sizes=None if is_known else chunk_sizes,
            loc=loc,
            ip=ip,
        )


class TileUsingForOp(OpView, extends="transform.structured.tile_using_for"):
    """An operation becomes loops over tiles."""

    __slots__ = ()

    def __init__(
        self,
        loop_types_or_target: object,
        target_or_none: object = None,
        *,
        sizes: Mixed = None,
        interchange: object = None,
        loc: "Attribute | None" = None,
        ip: "InsertionPoint | None" = None,
    ) -> None:
        """Build it; the types of the loops can be left out, and a scalable size is a list with one item."""
        target, types = _target_and_types(loop_types_or_target, target_or_none)
        dynamic, static, scalable = dispatch_dynamic_index_list(sizes or [])  # type: ignore[arg-type]
        self._build(
            result_or_value(target).type,
            _loops(sum(size != 0 for size in static), types),
            target,
            dynamic,
            static_sizes=static,
            interchange=interchange,
            scalable_sizes=scalable,
            loc=loc,
            ip=ip,
        )


class TileUsingForallOp(OpView, extends="transform.structured.tile_using_forall"):
    """An operation becomes a parallel loop over tiles."""

    __slots__ = ()

    def __init__(
        self,
        *arguments: object,
        num_threads: Mixed = None,
        tile_sizes: Mixed = None,
        mapping: object = None,
        loc: "Attribute | None" = None,
        ip: "InsertionPoint | None" = None,
    ) -> None:
        """Build it; the types of the results can be left out."""
        threads, packed_threads, static_threads = dispatch_mixed_values(num_threads)
        sizes, packed_sizes, static_sizes = dispatch_mixed_values(tile_sizes)
        self._build(
            *with_types(2, arguments),
            threads,
            sizes,
            packed_num_threads=packed_threads,
            packed_tile_sizes=packed_sizes,
            static_num_threads=static_threads,
            static_tile_sizes=static_sizes,
            mapping=mapping,
            loc=loc,
            ip=ip,
        )
