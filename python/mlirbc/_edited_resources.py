"""The resources of an edited module."""

import os
from typing import TYPE_CHECKING, TypeAlias, overload

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

    Bytes are shared with their buffer; the bytes of a path are read when saving.

    >>> edited = mlirbc.open("examples/two_layers.mlirbc").edit()
    >>> edited.resources["layer0.weight"] = bytes(48)  # tensor<4x3xf32>
    >>> edited.resources.add("checked", True, group="notes", is_external=True)
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

    @overload
    def add(
        self,
        key: str,
        content: "_Content",
        *,
        group: None = None,
        is_external: None = None,
        alignment: int | None = None,
    ) -> None: ...

    @overload
    def add(
        self,
        key: str,
        content: "_Content",
        *,
        group: str,
        is_external: bool,
        alignment: int | None = None,
    ) -> None: ...

    def add(
        self,
        key: str,
        content: "_Content",
        *,
        group: str | None = None,
        is_external: bool | None = None,
        alignment: int | None = None,
    ) -> None:
        """Add a resource: to the builtin dialect, for `dense_resource` attributes, or to a group.

        A dialect and a group outside of dialects may have one name, so `is_external` says which `group` is.
        Attributes of a dialect refer to its resources.
        """
        if (group is None) != (is_external is None):
            raise TypeError(
                "pass `group` and `is_external` together: `is_external=False` for the name of a dialect, "
                "`is_external=True` for a group outside of dialects"
            )
        self._module._editor.add_resource(
            key, content, "builtin" if group is None else group, bool(is_external), alignment
        )

    def remove(self, key: str) -> None:
        """Take a resource away; a resource of a dialect keeps its key, since attributes refer to it by
        number.
        """
        self._module._editor.remove_resource(key)
