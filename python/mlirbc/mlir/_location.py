"""`Location` of upstream's bindings, whose `current` is a property."""

from mlirbc import _locations
from mlirbc.mlir._context import top_frame
from mlirbc.mlir._globals import GLOBALS
from mlirbc.mlir._static import StaticProperty

__all__ = ["Location", "resolve_location"]


def _current() -> "_locations.Location | None":
    top = top_frame()
    return None if top is None else top.location


class _LocationClass(type(_locations.Location)):  # type: ignore[misc]
    """All locations are instances of `Location`, whichever module names their class."""

    def __instancecheck__(cls, instance: object) -> bool:
        return isinstance(instance, _locations.Location)

    def __subclasscheck__(cls, subclass: type) -> bool:
        return issubclass(subclass, _locations.Location)


class Location(_locations.Location, metaclass=_LocationClass):
    """The origin of an operation or a value; `mlirbc.Location` with `current` as a property.

    >>> from mlirbc.mlir import ir
    >>> with ir.Context(), ir.Location.name("here") as here:
    ...     ir.Location.current is here
    True
    """

    __slots__ = ()

    current: "StaticProperty[_locations.Location | None]" = StaticProperty(_current)  # type: ignore[assignment]


_NO_LOCATION = (
    "An MLIR function requires a Location but none was provided in the call or from the surrounding "
    "environment. Either pass to the function with a 'loc=' argument or establish a default using 'with loc:'"
)


def resolve_location(location: "_locations.Location | None" = None) -> "_locations.Location":
    """The location that was passed, or the current one. Raises `RuntimeError` if there is none."""
    if location is None and GLOBALS.loc_tracebacks_enabled:
        from mlirbc.mlir._tracebacks import traceback_location

        location = traceback_location()
    resolved = location if location is not None else _current()
    if resolved is None:
        raise RuntimeError(_NO_LOCATION)
    return resolved
