"""Classes of locations, named and shaped as in upstream's bindings."""

import threading
from collections.abc import Callable, Iterable, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, ClassVar, Self, TypeVar, cast, overload

from mlirbc._attributes import build_attribute, text_of
from mlirbc._mlirbc import Attribute
from mlirbc._strings import StringAttr

if TYPE_CHECKING:
    from mlirbc._interface import BytecodeDialectInterface
    from mlirbc._mlirbc import _Table
    from mlirbc.mlir._context import Context

_L = TypeVar("_L", bound="Location")

# The locations of open `with` statements.
_open = threading.local()

# Set by `mlirbc.mlir`, whose contexts are entered with their locations.
remembered_context: "Callable[[object], Context | None] | None" = None
context_of_value: "Callable[[], Context] | None" = None
enter_location: "Callable[[Location], None] | None" = None
leave_location: Callable[[], None] | None = None


def _remembered(location: _L, context: object) -> _L:
    """The location, which remembers its context if there is one."""
    if remembered_context is not None:
        location._context = remembered_context(context)
    return location


class Location(Attribute):
    """The origin of an operation or a value; each kind of location has its own class. Locations are
    attributes.

    >>> mlirbc.Location.file("a.py", 3, 1)
    FileLineColLoc(loc("a.py":3:1))
    """

    __slots__ = ("_context",)
    _also: ClassVar[tuple[str, ...]] = ()
    _context: "Context | None"

    @property
    def context(self) -> "Context":
        """The context that it was made in, as `mlirbc.mlir.ir` has them; otherwise the current one.

        >>> from mlirbc.mlir import ir
        >>> context = ir.Context()
        >>> ir.Location.unknown(context).context is context
        True
        """
        context = getattr(self, "_context", None)
        if context is None:
            from mlirbc.mlir._context import context_of_value

            context = context_of_value()
        return context

    def is_a_file(self) -> bool:
        """Whether it is a place in a file.

        >>> mlirbc.Location.file("a.py", 3, 1).is_a_file()
        True
        """
        return isinstance(self.maybe_downcast(), FileLineColLoc)

    def is_a_name(self) -> bool:
        """Whether it is a named location.

        >>> mlirbc.Location.unknown().is_a_name()
        False
        """
        return isinstance(self.maybe_downcast(), NameLoc)

    def is_a_callsite(self) -> bool:
        """Whether it has a caller.

        >>> mlirbc.Location.unknown().is_a_callsite()
        False
        """
        return isinstance(self.maybe_downcast(), CallSiteLoc)

    def is_a_fused(self) -> bool:
        """Whether it consists of several locations, or has metadata.

        >>> mlirbc.Location.unknown().is_a_fused()
        False
        """
        return isinstance(self.maybe_downcast(), FusedLoc)

    def emit_error(self, message: str) -> None:
        """Give an error to the handlers of the context; see `mlirbc.mlir.ir.Context`.

        >>> from mlirbc.mlir import ir
        >>> context = ir.Context()
        >>> handler = context.attach_diagnostic_handler(lambda diagnostic: print(diagnostic) or True)
        >>> ir.Location.unknown(context).emit_error("too deep")
        too deep
        """
        from mlirbc.mlir._diagnostics import emit_error

        emit_error(self, message)

    def __enter__(self) -> Self:
        if enter_location is not None:
            enter_location(self)
        stack = getattr(_open, "stack", None)
        if stack is None:
            stack = _open.stack = []
        stack.append(self)
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc_value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        _open.stack.pop()
        if leave_location is not None:
            leave_location()

    @staticmethod
    def current() -> "Location | None":
        """The location of the innermost `with` in this thread; `mlirbc.edit.Operation.create` uses it.

        >>> with mlirbc.Location.file("a.py", 3, 1):
        ...     mlirbc.Location.current()
        FileLineColLoc(loc("a.py":3:1))
        """
        stack: list[Location] | None = getattr(_open, "stack", None)
        return stack[-1] if stack else None

    @staticmethod
    def parse(
        asm: str,
        context: object = None,
        *,
        dialects: "Iterable[_Table | BytecodeDialectInterface] | None" = None,
    ) -> "Location":
        """Read it from text, as `Attribute.parse`; raises `InvalidError` if it is no location.

        >>> mlirbc.Location.parse('loc("a.py":3:1)').start_line
        3
        """
        return _remembered(_as_location(Attribute.parse(asm, dialects=dialects)), context)

    @staticmethod
    def from_attr(attribute: Attribute, context: object = None) -> "Location":
        """The location that an attribute is. Raises `ValueError` if it is not a location.

        >>> module = mlirbc.open("examples/two_layers.mlirbc")
        >>> mlirbc.Location.from_attr(module.operation.location) == module.operation.location
        True
        """
        return _remembered(_as_location(attribute), context)

    @staticmethod
    def unknown(context: object = None) -> "UnknownLoc":
        """The unknown location.

        >>> mlirbc.Location.unknown()
        UnknownLoc(loc(unknown))
        """
        return UnknownLoc.get(context)

    @overload
    @staticmethod
    def file(filename: str, line: int, col: int, context: object = None) -> "FileLineColLoc": ...
    @overload
    @staticmethod
    def file(
        filename: str, start_line: int, start_col: int, end_line: int, end_col: int, context: object = None
    ) -> "FileLineColLoc": ...
    @staticmethod
    def file(*args: object, **keywords: object) -> "FileLineColLoc":
        """A place or a range in a file.

        >>> mlirbc.Location.file("a.py", 3, 1, 3, 9)
        FileLineColLoc(loc("a.py":3:1 to :9))
        """
        return FileLineColLoc._of(args, keywords)

    @staticmethod
    def name(name: str, childLoc: "Location | None" = None, context: object = None) -> "NameLoc":
        """A named location.

        >>> mlirbc.Location.name("loss")
        NameLoc(loc("loss"))
        """
        return NameLoc.get(name, childLoc, context)

    @staticmethod
    def callsite(callee: "Location", frames: "Sequence[Location]", context: object = None) -> "CallSiteLoc":
        """A location and its callers, innermost first. Raises `ValueError` without callers.

        >>> mlirbc.Location.callsite(mlirbc.Location.name("f"), [mlirbc.Location.name("g")])
        CallSiteLoc(loc(callsite("f" at "g")))
        """
        return CallSiteLoc.get(callee, frames, context)

    @staticmethod
    def fused(
        locations: "Sequence[Location]", metadata: Attribute | None = None, context: object = None
    ) -> "Location":
        """Several locations in one, as MLIR folds them: unknown ones are left out, one alone stays itself.

        >>> mlirbc.Location.fused([mlirbc.Location.name("f"), mlirbc.Location.name("g")])
        FusedLoc(loc(fused["f", "g"]))
        """
        return FusedLoc.get(locations, metadata, context)

    @property
    def attr(self) -> Attribute:
        """Itself: upstream's bindings keep locations and attributes apart.

        >>> mlirbc.Location.unknown().attr
        UnknownLoc(loc(unknown))
        """
        return self


def _as_location(attribute: Attribute) -> Location:
    location = attribute.maybe_downcast()
    if not isinstance(location, Location):
        raise ValueError(f"expected a location, found {attribute!r}")
    return location


def _location(attribute: Attribute, name: str) -> Location:
    return cast(Location, attribute._field(name))


class UnknownLoc(Location):
    """A location of which nothing is known.

    >>> mlirbc.locations.UnknownLoc.get()
    UnknownLoc(loc(unknown))
    """

    __slots__ = ()

    @staticmethod
    def get(context: object = None) -> "UnknownLoc":
        """The location.

        >>> mlirbc.locations.UnknownLoc.get() == mlirbc.Location.unknown()
        True
        """
        return _remembered(build_attribute(UnknownLoc, "UnknownLoc"), context)


class FileLineColLoc(Location):
    """A place or a range in a file.

    >>> place = mlirbc.locations.FileLineColLoc.get("a.py", 3, 1)
    >>> place.filename, place.start_line, place.start_col
    ('a.py', 3, 1)
    """

    __slots__ = ()

    @overload
    @staticmethod
    def get(filename: str, line: int, col: int, context: object = None) -> "FileLineColLoc": ...
    @overload
    @staticmethod
    def get(
        filename: str, start_line: int, start_col: int, end_line: int, end_col: int, context: object = None
    ) -> "FileLineColLoc": ...
    @staticmethod
    def get(*args: object, **keywords: object) -> "FileLineColLoc":
        """A place in a file, or the range between two.

        >>> mlirbc.locations.FileLineColLoc.get("a.py", 3, 1, 4, 2)
        FileLineColLoc(loc("a.py":3:1 to 4:2))
        """
        return FileLineColLoc._of(args, keywords)

    @staticmethod
    def _of(args: tuple[object, ...], keywords: dict[str, object]) -> "FileLineColLoc":
        context = keywords.pop("context", args[-1] if len(args) in (4, 6) else None)
        place = dict(zip(("filename", "line", "col"), args[:3], strict=False))
        names = ("end_line", "end_col")
        # If there are four arguments, the fourth is a context.
        end = dict(zip(names, args[3:5], strict=True)) if len(args) >= 5 else {}
        arguments = {**place, **end}
        for name, value in keywords.items():
            arguments[{"start_line": "line", "start_col": "col"}.get(name, name)] = value
        filename, line, col = arguments["filename"], arguments["line"], arguments["col"]
        fields: list[tuple[str, str, object]] = [
            ("filename", "attribute", StringAttr.get(cast(str, filename)))
        ]
        if "end_line" not in arguments:
            numbers: list[tuple[str, str, object]] = [("line", "unsigned", line), ("column", "unsigned", col)]
            return _remembered(build_attribute(FileLineColLoc, "FileLineColLoc", *fields, *numbers), context)
        end_line, end_col = arguments["end_line"], arguments["end_col"]
        positions = [line, col]
        if end_line != line:
            positions += [end_line, end_col]
        elif end_col != col:
            positions.append(end_col)
        places = [("unsigned", position) for position in positions]
        fields.append(("positions", "list", places))
        return _remembered(build_attribute(FileLineColLoc, "FileLineColLoc", *fields), context)

    def _positions(self) -> tuple[int, int, int, int]:
        fields = self.fields
        numbers = fields.get("positions")
        if numbers is None:
            numbers = [fields["line"], fields["column"]]
        match cast("list[int]", numbers):
            case [line, col, end_line, end_col]:
                return line, col, end_line, end_col
            case [line, col, end_col]:
                return line, col, line, end_col
            case [line, col]:
                return line, col, line, col
            case [line]:
                return line, 0, line, 0
        return 0, 0, 0, 0

    @property
    def filename(self) -> str:
        """The file's name.

        >>> mlirbc.Location.file("a.py", 3, 1).filename
        'a.py'
        """
        return text_of(cast(Attribute, self._field("filename")))

    @property
    def start_line(self) -> int:
        """The line where it begins.

        >>> mlirbc.Location.file("a.py", 3, 1, 4, 2).start_line
        3
        """
        return self._positions()[0]

    @property
    def start_col(self) -> int:
        """The column where it begins.

        >>> mlirbc.Location.file("a.py", 3, 1, 4, 2).start_col
        1
        """
        return self._positions()[1]

    @property
    def end_line(self) -> int:
        """The line where it ends.

        >>> mlirbc.Location.file("a.py", 3, 1, 4, 2).end_line
        4
        """
        return self._positions()[2]

    @property
    def end_col(self) -> int:
        """The column where it ends.

        >>> mlirbc.Location.file("a.py", 3, 1, 4, 2).end_col
        2
        """
        return self._positions()[3]


class NameLoc(Location):
    """A named location.

    >>> mlirbc.locations.NameLoc.get("loss").name_str
    'loss'
    """

    __slots__ = ()

    @staticmethod
    def get(name: str, child_loc: Location | None = None, context: object = None) -> "NameLoc":
        """A name for a location, by default for the unknown one.

        >>> mlirbc.locations.NameLoc.get("loss", mlirbc.Location.file("a.py", 3, 1))
        NameLoc(loc("loss"("a.py":3:1)))
        """
        child = UnknownLoc.get() if child_loc is None else child_loc
        fields = ("name", "attribute", StringAttr.get(name)), ("child", "attribute", child)
        return _remembered(build_attribute(NameLoc, "NameLoc", *fields), context)

    @property
    def name_str(self) -> str:
        """The name.

        >>> mlirbc.Location.name("loss").name_str
        'loss'
        """
        return text_of(cast(Attribute, self._field("name")))

    @property
    def child_loc(self) -> Location:
        """The location that it is the name of.

        >>> mlirbc.Location.name("loss").child_loc
        UnknownLoc(loc(unknown))
        """
        return _location(self, "child")


class CallSiteLoc(Location):
    """A location and the one that it was called from.

    >>> site = mlirbc.locations.CallSiteLoc.get(mlirbc.Location.name("f"), [mlirbc.Location.name("g")])
    >>> site.callee, site.caller
    (NameLoc(loc("f")), NameLoc(loc("g")))
    """

    __slots__ = ()

    @staticmethod
    def get(callee: Location, frames: Sequence[Location], context: object = None) -> "CallSiteLoc":
        """A location and its callers, innermost first. Raises `ValueError` without callers.

        >>> f, g, main = map(mlirbc.Location.name, ("f", "g", "main"))
        >>> mlirbc.locations.CallSiteLoc.get(f, [g, main])
        CallSiteLoc(loc(callsite("f" at callsite("g" at "main"))))
        """
        if not frames:
            raise ValueError("No caller frames provided.")
        caller = frames[-1]
        for frame in [*frames[-2::-1], callee]:
            fields = ("callee", "attribute", frame), ("caller", "attribute", caller)
            caller = build_attribute(CallSiteLoc, "CallSiteLoc", *fields)
        return _remembered(cast(CallSiteLoc, caller), context)

    @property
    def callee(self) -> Location:
        """Where it is.

        >>> mlirbc.Location.callsite(mlirbc.Location.name("f"), [mlirbc.Location.name("g")]).callee
        NameLoc(loc("f"))
        """
        return _location(self, "callee")

    @property
    def caller(self) -> Location:
        """Where it was called from.

        >>> mlirbc.Location.callsite(mlirbc.Location.name("f"), [mlirbc.Location.name("g")]).caller
        NameLoc(loc("g"))
        """
        return _location(self, "caller")


class FusedLoc(Location):
    """Several locations in one.

    >>> both = mlirbc.locations.FusedLoc.get([mlirbc.Location.name("f"), mlirbc.Location.name("g")])
    >>> len(both.locations), both.metadata
    (2, None)
    """

    __slots__ = ()

    @staticmethod
    def get(
        locations: Sequence[Location], metadata: Attribute | None = None, context: object = None
    ) -> Location:
        """Several locations in one, as MLIR folds them: unknown ones are left out, fused ones with the same
        metadata are taken apart, and one alone without metadata stays itself.

        >>> mlirbc.locations.FusedLoc.get([mlirbc.Location.name("f")], mlirbc.attributes.UnitAttr.get())
        FusedLoc(loc(fused<unit>["f"]))
        """
        parts: list[Location] = []
        for location in locations:
            inside = _as_location(location)
            if isinstance(inside, FusedLoc) and inside.metadata == metadata:
                parts += inside.locations
            elif not isinstance(inside, UnknownLoc):
                parts.append(inside)
        parts = list(dict.fromkeys(parts))
        if metadata is None and len(parts) < 2:
            return parts[0] if parts else UnknownLoc.get(context)
        items = [("attribute", part) for part in parts or [UnknownLoc.get()]]
        fields: list[tuple[str, str, object]] = [("locations", "list", items)]
        if metadata is not None:
            fields.append(("metadata", "attribute", metadata))
        return _remembered(build_attribute(FusedLoc, "FusedLoc", *fields), context)

    @property
    def locations(self) -> list[Location]:
        """The locations in it.

        >>> mlirbc.Location.parse('loc(fused["f", "g"])').locations
        [NameLoc(loc("f")), NameLoc(loc("g"))]
        """
        return cast("list[Location]", self._field("locations") or [])

    @property
    def metadata(self) -> Attribute | None:
        """The metadata; None without any.

        >>> mlirbc.Location.parse('loc(fused<"inlined">["f"])').metadata
        StringAttr("inlined")
        """
        return cast("Attribute | None", self._field("metadata"))
