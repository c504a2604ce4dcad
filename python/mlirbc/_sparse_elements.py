"""Elements that are strings, sparse, in resources, or of portable artifacts."""

from typing import TYPE_CHECKING, cast

from mlirbc._mlirbc import Attribute, Type
from mlirbc._numbers import _Numbers

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    from typing_extensions import Buffer


class DenseStringElementsAttr(_Numbers):
    """The elements of a tensor of strings.

    >>> mlirbc.Attribute.parse('dense<["a", "b"]> : tensor<2x!toy.string>').to_numpy()
    array(['a', 'b'], dtype=object)
    """

    __slots__ = ()

    @property
    def is_splat(self) -> bool:
        """Whether it has one string for all places.

        >>> mlirbc.Attribute.parse('dense<"a"> : tensor<2x!toy.string>').is_splat
        True
        """
        return self._field("isSplat") != 0

    @property
    def values(self) -> list[str]:
        """The strings; of a splat, one.

        >>> mlirbc.Attribute.parse('dense<["a", "b"]> : tensor<2x!toy.string>').values
        ['a', 'b']
        """
        return cast("list[str]", self._field("data") or [])

    def _array(self) -> "npt.NDArray[np.generic]":
        from mlirbc import arrays

        return arrays.of_strings(self.type, self.values)


class DenseResourceElementsAttr(_Numbers):
    """The elements of a tensor or a vector that lie in a resource beside the IR.

    >>> module = mlirbc.open("examples/two_layers.mlirbc")
    >>> weights = [a for a in module.attributes if isinstance(a, mlirbc.attributes.DenseResourceElementsAttr)]
    >>> weights[0].key, weights[0].to_numpy().shape
    ('layer0.weight', (4, 3))
    """

    __slots__ = ()

    @staticmethod
    def get_from_buffer(
        array: "Buffer",
        name: str,
        type: Type,
        alignment: int | None = None,
        is_mutable: bool = False,
        context: object = None,
    ) -> "DenseResourceElementsAttr":
        """The attribute for the bytes of a buffer. Modules that use the attribute get the resource; the
        context keeps the buffer.

        `name` is the key of the resource; `_1` and so on is added if the context has another one.

        >>> from mlirbc.mlir import ir
        >>> with ir.Context() as context:
        ...     weight = ir.DenseResourceElementsAttr.get_from_buffer(
        ...         memoryview(bytes(8)), "weight", ir.Type.parse("tensor<2xf32>"))
        >>> weight
        DenseResourceElementsAttr(dense_resource<weight> : tensor<2xf32>)
        """
        from mlirbc.mlir._context import resolve_context

        alignment = alignment or max(memoryview(array).itemsize, 1)
        key = resolve_context(context)._add_blob(name, array, alignment)
        attribute = Attribute.parse(f"dense_resource<{_spelled_key(key)}> : {type}")
        return DenseResourceElementsAttr(attribute)

    @property
    def key(self) -> str:
        """The key of the resource.

        >>> mlirbc.open("examples/two_layers.mlirbc").attributes[8].dialect
        'builtin'
        """
        return cast(str, self._field("handle"))

    @property
    def raw_data(self) -> memoryview:
        """The bytes of the resource. Raises `KeyError` when the file does not have them.

        >>> module = mlirbc.open("examples/two_layers.mlirbc")
        >>> from mlirbc.attributes import DenseResourceElementsAttr
        >>> weights = [a for a in module.attributes if isinstance(a, DenseResourceElementsAttr)]
        >>> weights[0].raw_data.nbytes
        48
        """
        data = self._resource(self.key)
        if data is None:
            raise KeyError(self.key)
        return data

    def _array(self) -> "npt.NDArray[np.generic]":
        from mlirbc import arrays

        return arrays.of_resource(self.type, self.raw_data)


def _spelled_key(key: str) -> str:
    """A key as the text of an attribute has it: quoted unless it is a name."""
    if key.replace(".", "_").replace("$", "_").isidentifier() and key.isascii():
        return key
    escaped = "".join(
        f"\\{byte:02X}" if byte in b'"\\' or not 32 <= byte < 127 else chr(byte) for byte in key.encode()
    )
    return f'"{escaped}"'


class SparseElementsAttr(_Numbers):
    """The elements of a tensor most of which are zero.

    >>> sparse = mlirbc.Attribute.parse("sparse<[[0], [2]], [1, 5]> : tensor<4xi8>")
    >>> sparse.to_dense()
    array([1, 0, 5, 0], dtype=int8)
    """

    __slots__ = ()

    @property
    def indices(self) -> Attribute:
        """The indices of the stored elements, one row each.

        >>> mlirbc.Attribute.parse("sparse<[[0], [2]], [1, 5]> : tensor<4xi8>").indices
        DenseIntElementsAttr(dense<[[0], [2]]> : tensor<2x1xi64>)
        """
        return cast(Attribute, self._field("indices"))

    @property
    def values(self) -> Attribute:
        """The stored elements.

        >>> mlirbc.Attribute.parse("sparse<[[0], [2]], [1, 5]> : tensor<4xi8>").values
        DenseIntElementsAttr(dense<[1, 5]> : tensor<2xi8>)
        """
        return cast(Attribute, self._field("values"))

    def to_dense(self) -> "npt.NDArray[np.generic]":
        """All elements; elements that are not stored are zero.

        >>> mlirbc.Attribute.parse("sparse<[[1]], [7]> : tensor<2xi8>").to_dense().tolist()
        [0, 7]
        """
        return self.to_numpy()

    def _array(self) -> "npt.NDArray[np.generic]":
        from mlirbc import arrays

        arrays.static_shape(self.type)
        values, indices = self.values, self.indices
        if isinstance(values, SparseElementsAttr) or isinstance(indices, SparseElementsAttr):
            raise arrays.unsupported(
                "expected dense values and indices of sparse elements, found sparse ones"
            )
        return arrays.of_sparse(self.type, arrays.to_numpy(values), arrays.to_numpy(indices))


class TensorV1Attr(_Numbers):
    """The elements of a tensor in the dialect of StableHLO's portable artifacts.

    >>> issubclass(mlirbc.attributes.TensorV1Attr, mlirbc.Attribute)
    True
    """

    __slots__ = ()

    @property
    def raw_data(self) -> memoryview:
        """The bytes of the elements, little-endian: one element of a splat, booleans packed.

        >>> isinstance(mlirbc.attributes.TensorV1Attr.raw_data, property)
        True
        """
        return cast(memoryview, self._field("data"))

    def _array(self) -> "npt.NDArray[np.generic]":
        from mlirbc import arrays

        return arrays.of_vhlo(self.type, self.raw_data)
