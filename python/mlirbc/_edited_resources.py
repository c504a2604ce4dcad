"""The resources of an edited module."""

from mlirbc._mlirbc import _EditedResources

__all__ = ["Resources"]


class Resources(_EditedResources):
    """The resources of an edited module.

    Reading is as with `mlirbc.Resources`, from a snapshot of the module.

    Bytes are shared with their buffer; the bytes of a path are read when saving.

    >>> edited = mlirbc.open("examples/two_layers.mlirbc").edit()
    >>> edited.resources["layer0.weight"] = bytes(48)  # tensor<4x3xf32>
    >>> edited.resources.add("checked", True, group="notes", is_external=True)
    >>> del edited.resources["note"]
    >>> mlirbc.read(edited.write()).resources["layer0.weight"].size
    48
    >>> edited.resources.replace("layer0.weight", bytes(16), resize=True)
    """

    __slots__ = ()
