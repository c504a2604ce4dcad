"""The weights of an edited module."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from mlirbc import _mlirbc
from mlirbc._weights import Weight
from mlirbc._weights import Weights as ReadableWeights

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    from typing_extensions import Buffer

    from mlirbc._dlpack import Exchanged
    from mlirbc.edit import Module

__all__ = ["Weights"]


class Weights(ReadableWeights):
    """The weights of an edited module, with the names of the module that is edited.

    Constants that were added since are not among them.

    >>> import numpy as np
    >>> edited = mlirbc.open("examples/two_layers.mlirbc").edit()
    >>> edited.weights["layer1.weight"] = np.zeros((2, 4), np.float32)
    >>> edited.weights["layer1.weight"].to_numpy().any()
    np.False_
    """

    __slots__ = ("_edited",)

    def __init__(self, edited: "Module") -> None:
        self._edited = edited
        super().__init__(edited._base if edited._base is not None else edited.snapshot())

    def __getitem__(self, name: str) -> Weight:
        weight = super().__getitem__(name)
        if not self._edited.is_changed:
            return weight
        is_shared = weight._row.is_shared
        if weight._row.resource is not None or is_shared:
            weights = self._edited.snapshot().weights
            return weights.get(name, weight)
        attribute = None if weight._attribute is None else weight._attribute.index
        if attribute is None or self._edited._base is None:
            return weight
        # Numbers of attributes of the file do not change.
        return Weight(self._module, name, _mlirbc._EditedTables(self._edited._editor).attribute_at(attribute))

    def __setitem__(
        self, name: str, array: "Buffer | Exchanged | Sequence[object] | npt.NDArray[np.generic]"
    ) -> None:
        """Put other elements into a weight, for all of its users: an array, a buffer, or an object with
        `__dlpack__`.

        Raises `KeyError` for a name that no weight has, and `InvalidError` when dtype or shape differ.

        >>> edited = mlirbc.open("examples/two_layers.mlirbc").edit()
        >>> edited.weights["layer1.bias"] = [1.0, 2.0]
        Traceback (most recent call last):
          ...
        mlirbc.InvalidError: the weight 'layer1.bias' is float32 (2,), not float64 (2,)
        """
        from mlirbc import arrays

        weight = super().__getitem__(name)
        data = arrays.of_weight(weight, array)
        if self._edited._base is None:
            raise arrays.unsupported("a new module has no weights; set the attribute instead")
        _mlirbc._EditedTables(self._edited._editor).set_weight(self._edited._base, name, data)
