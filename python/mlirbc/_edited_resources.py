"""The resources of an edited module."""

import os
from typing import TYPE_CHECKING, TypeAlias

from mlirbc._edited import ReadableResources

if TYPE_CHECKING:
    from typing_extensions import Buffer

    from mlirbc._dlpack import Exchanged
    from mlirbc.edit import Module

    _Content: TypeAlias = Buffer | Exchanged | os.PathLike[str] | str | bool

__all__ = ["Resources"]


class Resources(ReadableResources):
    """The resources of an edited module.

    Reading is as with `mlirbc.Resources`, from a snapshot of the module.

    Bytes are shared with their buffer, and those of a path are read when saving.

    >>> edited = mlirbc.open("examples/two_layers.mlirbc").edit()
    >>> edited.resources["layer0.weight"] = bytes(48)  # tensor<4x3xf32>
    >>> edited.resources.add("checked", True, group="notes")
    >>> del edited.resources["note"]
    >>> mlirbc.read(edited.write()).resources["layer0.weight"].size
    48
    >>> edited.resources.replace("layer0.weight", bytes(16), resize=True)
    """

    __slots__ = ("_module",)

    def __init__(self, module: "Module") -> None:
        self._module = module

    def __setitem__(self, key: str, content: "_Content") -> None:
        self.replace(key, content)

    def __delitem__(self, key: str) -> None:
        self._module._editor.remove_resource(key)

    def replace(
        self, key: str, content: "_Content", *, alignment: int | None = None, resize: bool = False
    ) -> None:
        """Put other content into a resource: a buffer, an array, an object with `__dlpack__` or a path for
        bytes; text, bools outside of dialects.

        Without `alignment` bytes are aligned as the old ones. Raises `InvalidError` when attributes refer to
        the resource and none of their types needs as many bytes, unless `resize` is true.
        """
        self._module._editor.set_resource(key, content, alignment, resize)

    def add(
        self, key: str, content: "_Content", *, group: str | None = None, alignment: int | None = None
    ) -> None:
        """Add a resource: in a group outside of dialects, or without one, for attributes to refer to."""
        self._module._editor.add_resource(key, content, group, alignment)

    def remove(self, key: str) -> None:
        """Take a resource away; that of a dialect keeps its key, since attributes call it by its number."""
        self._module._editor.remove_resource(key)
