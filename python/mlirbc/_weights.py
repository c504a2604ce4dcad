"""Constants and resources that hold data, by name."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from mlirbc._array_interface import ArrayInterface
from mlirbc._mlirbc import (
    Attribute,
    Module,
    Operation,
    Type,
    _markup,
    _weight,
    _weight_html,
    _weight_names,
    _weight_users,
)

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

__all__ = ["Weight", "Weights"]

# The number of rows of the table in a notebook.
_ROWS = 50


class _WeightRow(NamedTuple):
    """A row of `_mlirbc._weight`: the facts of the core about a weight, in the same order."""

    kind: str
    element: str | None
    shape: list[int]
    type_text: str | None
    size: int
    has_data: bool
    user_count: int
    attribute: Attribute | None
    resource: int | None
    is_shared: bool
    layer: str


class Weight(ArrayInterface):
    """A constant or a resource with its type. Its data is read when it is asked for.

    >>> weight = mlirbc.open("examples/two_layers.mlirbc").weights["layer0.weight"]
    >>> weight.kind, weight.dtype, weight.shape, weight.nbytes
    ('resource', dtype('float32'), (4, 3), 48)
    >>> weight.type
    RankedTensorType(tensor<4x3xf32>)
    >>> [op.name for op in weight.users]
    ['arith.constant']
    """

    __slots__ = ("_attribute", "_module", "_name", "_row")

    def __init__(self, module: Module, name: str, attribute: Attribute | None = None) -> None:
        self._name = name
        self._module = module
        self._row = _WeightRow(*_weight(module, name))
        # After an edit, this is the attribute of the edit.
        self._attribute = attribute if attribute is not None else self._row.attribute

    @property
    def name(self) -> str:
        """Its name, which is unique in the module; a resource has its key as its name.

        >>> mlirbc.open("examples/two_layers.mlirbc").weights["layer1.bias"].name
        'layer1.bias'
        """
        return self._name

    @property
    def layer(self) -> str:
        """The name scope of the first operation that uses it, such as `jit(f)/MLP/layer0`; empty without one.

        >>> mlirbc.open("examples/mlp.jax").weights["jit(mlp)/dot_general"].layer
        'jit(mlp)'
        """
        return self._row.layer

    @property
    def kind(self) -> str:
        """`constant`, `splat` (one element for all places) or `resource`.

        >>> mlirbc.open("examples/two_layers.mlirbc").weights["layer1.bias"].kind
        'resource'
        """
        return self._row.kind

    @property
    def shape(self) -> tuple[int, ...]:
        """The sizes of its dimensions; for a resource without a type, its number of bytes.

        >>> mlirbc.open("examples/two_layers.mlirbc").weights["layer1.bias"].shape
        (2,)
        """
        return tuple(self._row.shape)

    @property
    def type(self) -> Type | None:
        """The whole type; None if no attribute gives the resource a type.

        >>> mlirbc.open("examples/two_layers.mlirbc").weights["layer1.bias"].type
        RankedTensorType(tensor<2xf32>)
        """
        return None if self._attribute is None else self._attribute.type

    @property
    def dtype(self) -> "np.dtype[np.generic]":
        """The dtype of the array, from NumPy or else from `ml_dtypes`.

        Raises `ImportError` when `ml_dtypes` is wanted and missing, and `UnsupportedError` for elements that
        are not numbers.

        >>> mlirbc.open("examples/two_layers.mlirbc").weights["layer1.bias"].dtype
        dtype('float32')
        """
        from mlirbc import arrays

        return arrays.dtype_of("ui8" if self._row.element is None else self._row.element)

    @property
    def nbytes(self) -> int:
        """The bytes of its data in the file; 0 if the file has only the key of the resource.

        >>> mlirbc.open("examples/two_layers.mlirbc").weights["layer1.bias"].nbytes
        8
        """
        return self._row.size

    @property
    def has_data(self) -> bool:
        """Whether the file has its data.

        >>> mlirbc.open("examples/two_layers.mlirbc").weights["layer1.bias"].has_data
        True
        """
        return self._row.has_data

    @property
    def users(self) -> list[Operation]:
        """The operations that refer to it, directly or within another attribute, in the order of the file.

        Each call walks over the module. For an edited one these are operations of the module that is edited.

        >>> mlirbc.open("examples/two_layers.mlirbc").weights["layer1.bias"].users[0].name
        'arith.constant'
        """
        return _weight_users(self._module, self.name)

    def to_numpy(self) -> "npt.NDArray[np.generic]":
        """The elements as a read-only array: a view of the file where that is possible.

        Sub-byte integers are unpacked to bytes. Raises `BufferError` without data, `UnsupportedError` for
        elements that are not numbers, and `ImportError` when `ml_dtypes` is wanted and missing.

        >>> mlirbc.open("examples/two_layers.mlirbc").weights["layer1.bias"].to_numpy()
        array([ 0.125, -0.125], dtype=float32)
        """
        if not self.has_data:
            raise BufferError(f"the module has no data for the weight {self.name!r}")
        if self._attribute is not None:
            from mlirbc import arrays

            return arrays.to_numpy(self._attribute)
        import numpy as np

        return np.frombuffer(memoryview(self._module.resources[self._row.resource or 0]), np.uint8)

    def _repr_html_(self) -> str:
        return _weight_html(self._module, self._name)

    def __repr__(self) -> str:
        size = f"{self.nbytes} bytes" if self.has_data else "no data"
        return f'<mlirbc.Weight "{self.name}": {self._row.type_text or "no type"}, {size}>'


class Weights(Mapping[str, Weight]):
    """The weights of a module by name, in the order of their first use.

    >>> weights = mlirbc.open("examples/two_layers.mlirbc").weights
    >>> list(weights)
    ['layer0.weight', 'layer0.bias', 'layer1.weight', 'layer1.bias']
    >>> sum(weight.nbytes for weight in weights.values())
    104
    """

    __slots__ = ("_module",)

    def __init__(self, module: Module) -> None:
        self._module = module

    def __getitem__(self, name: str) -> Weight:
        """Raises `KeyError` for a name that no weight has."""
        return Weight(self._module, name)

    def __iter__(self) -> Iterator[str]:
        return iter(_weight_names(self._module))

    def __len__(self) -> int:
        return len(_weight_names(self._module))

    def by_layer(self) -> dict[str, list[Weight]]:
        """Return the weights of each name scope, in the order of their first use.

        >>> list(mlirbc.open("examples/mlp.jax").weights.by_layer())
        ['jit(mlp)']
        """
        layers: dict[str, list[Weight]] = {}
        for weight in self.values():
            layers.setdefault(weight.layer, []).append(weight)
        return layers

    def __repr__(self) -> str:
        return f"<mlirbc.Weights, {len(self)} of them>"

    def _repr_html_(self) -> str:
        names = list(self)
        head = "".join(f"<th>{title}</th>" for title in ("name", "kind", "type", "bytes"))
        rows = []
        for name in names[:_ROWS]:
            weight = self[name]
            size = str(weight.nbytes) if weight.has_data else "no data"
            cells = (name, weight.kind, weight._row.type_text or "", size)
            rows.append("".join(f"<td>{_markup(cell)}</td>" for cell in cells))
        body = "".join(f"<tr>{row}</tr>" for row in rows)
        more = f"<p>and {len(names) - _ROWS} more</p>" if len(names) > _ROWS else ""
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"
