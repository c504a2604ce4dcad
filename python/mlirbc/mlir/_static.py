"""Properties of classes, which upstream's bindings have in several places."""

from collections.abc import Callable
from typing import Generic, TypeVar

_T_co = TypeVar("_T_co", covariant=True)


class StaticProperty(Generic[_T_co]):
    """A property that is read from the class, as `Context.current`.

    >>> class Counter:
    ...     zero = StaticProperty(lambda: 0)
    >>> Counter.zero, Counter().zero
    (0, 0)
    """

    def __init__(self, getter: Callable[[], _T_co]) -> None:
        self._getter = getter
        self.__doc__ = getter.__doc__

    def __get__(self, instance: object, owner: type | None = None) -> _T_co:
        return self._getter()
