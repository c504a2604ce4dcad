"""Errors and diagnostics in the form of upstream's bindings."""

import enum
import re
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Self

from mlirbc._locations import Location
from mlirbc._mlirbc import Error, InvalidError

if TYPE_CHECKING:
    from mlirbc.mlir._context import Context

__all__ = [
    "Diagnostic",
    "DiagnosticHandler",
    "DiagnosticInfo",
    "DiagnosticSeverity",
    "MLIRError",
    "UpstreamError",
]

MLIRError = Error
"""The base class of the errors of mlirbc; `error_diagnostics` has their parts."""


class DiagnosticSeverity(enum.Enum):
    """The kind of a diagnostic.

    >>> DiagnosticSeverity.ERROR.value
    0
    """

    ERROR = 0
    WARNING = 1
    NOTE = 2
    REMARK = 3


class DiagnosticInfo:
    """A diagnostic that outlives its handlers."""

    def __init__(
        self,
        severity: DiagnosticSeverity,
        location: Location,
        message: str,
        notes: "Sequence[DiagnosticInfo]" = (),
    ) -> None:
        self.severity = severity
        self.location = location
        self.message = message
        self.notes = tuple(notes)

    def __str__(self) -> str:
        return self.message


class Diagnostic:
    """A diagnostic during the call of a handler. Later, its parts raise `ValueError`."""

    def __init__(self, info: DiagnosticInfo) -> None:
        self._info: DiagnosticInfo | None = info
        self._notes = tuple(Diagnostic(note) for note in info.notes)

    def _valid(self) -> DiagnosticInfo:
        if self._info is None:
            raise ValueError("Diagnostic is invalid (used outside of callback)")
        return self._info

    def _invalidate(self) -> None:
        self._info = None
        for note in self._notes:
            note._invalidate()

    @property
    def severity(self) -> DiagnosticSeverity:
        """Whether it is an error, a warning, a note or a remark."""
        return self._valid().severity

    @property
    def location(self) -> Location:
        """The place that it is about."""
        return self._valid().location

    @property
    def message(self) -> str:
        """The sentence."""
        return self._valid().message

    @property
    def notes(self) -> "tuple[Diagnostic, ...]":
        """The notes to it."""
        self._valid()
        return self._notes

    def __str__(self) -> str:
        return "<Invalid Diagnostic>" if self._info is None else self._info.message


class DiagnosticHandler:
    """A callback for diagnostics, which `Context.attach_diagnostic_handler` makes.

    As a context manager it detaches itself at the end.
    """

    def __init__(self, context: "Context", callback: Callable[[Diagnostic], bool]) -> None:
        self._context: Context | None = context
        self._callback = callback
        self._had_error = False

    @property
    def attached(self) -> bool:
        """Whether it receives diagnostics."""
        return self._context is not None

    @property
    def had_error(self) -> bool:
        """Whether the callback raised an exception."""
        return self._had_error

    def detach(self) -> None:
        """Stop receiving diagnostics."""
        if self._context is not None:
            self._context._handlers.remove(self)
            self._context = None

    def _handle(self, info: DiagnosticInfo) -> bool:
        diagnostic = Diagnostic(info)
        try:
            return bool(self._callback(diagnostic))
        except Exception:
            # Upstream's handlers swallow the exception, too.
            self._had_error = True
            return False
        finally:
            diagnostic._invalidate()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc_value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.detach()


def emit(context: "Context", info: DiagnosticInfo) -> None:
    """Give a diagnostic to the handlers, the newest first, until one handles it."""
    for handler in reversed(list(context._handlers)):
        if handler._handle(info):
            return


class UpstreamError(InvalidError):
    """An error with the text of upstream's: what failed, and the diagnostics below it."""

    def __init__(self, message: str, error_diagnostics: Sequence[DiagnosticInfo] = ()) -> None:
        super().__init__(message)
        self.message = message
        self.error_diagnostics = list(error_diagnostics)

    def __str__(self) -> str:
        lines = [self.message + (":" if self.error_diagnostics else "")]
        for error in self.error_diagnostics:
            lines.append(f"error: {_place(error.location)}: {_indented(error.message, 2)}")
            lines += [f" note: {_place(note.location)}: {_indented(note.message, 3)}" for note in error.notes]
        return "\n".join(lines)


def _place(location: Location) -> str:
    return str(location).removeprefix("loc(").removesuffix(")")


def _indented(text: str, width: int) -> str:
    return text.replace("\n", "\n" + " " * width)


# The rules that upstream states in other words: the beginning of the message here, and the words there.
_UPSTREAM_WORDS = (
    ("expected an operation: ", "expected operation name in quotes"),
    ("expected an attribute, found ", "expected attribute value"),
    ("expected a type of the builtin dialect, or ", "expected non-function type"),
    ("expected a type, found ", "expected non-function type"),
)
_COUNT = re.compile(
    r"(?P<op>[\w.$]+): expected (?P<count>\d+) (?P<part>operand|result|region|successor)s?, found \d+"
)
_LINE = re.compile(r", at (?P<file>.*):(?P<line>\d+):(?P<column>\d+)$", re.DOTALL)
_OFFSET = re.compile(r", at 0x(?P<offset>[0-9a-f]+)$")


def _diagnostic(error: Error, source: str | None) -> DiagnosticInfo:
    """The diagnostic for an error of mlirbc; `source` is the text of an attribute or a type."""
    message = error.message or str(error)
    location: Location = Location.unknown()
    if (line := _LINE.search(message)) is not None:
        place = int(line["line"]), int(line["column"])
        message, location = message[: line.start()], Location.file(line["file"], *place)
    elif (offset := _OFFSET.search(message)) is not None and source is not None:
        before = source[: int(offset["offset"], 16)].split("\n")
        location = Location.file(source, len(before), len(before[-1]) + 1)
        message = message[: offset.start()]
    if (count := _COUNT.match(message)) is not None:
        return DiagnosticInfo(DiagnosticSeverity.ERROR, location, _count_in_upstreams_words(count))
    words = next((words for start, words in _UPSTREAM_WORDS if message.startswith(start)), message)
    return DiagnosticInfo(DiagnosticSeverity.ERROR, location, words)


def _count_in_upstreams_words(count: re.Match[str]) -> str:
    op, number, part = count["op"], int(count["count"]), count["part"]
    numbers = {
        0: f"zero {part}s",
        1: f"one {part}" if part == "result" or part == "region" else f"a single {part}",
    }
    return f"'{op}' op requires {numbers.get(number, f'{number} {part}s')}"


def diagnostics_of(error: Error, source: str | None = None) -> list[DiagnosticInfo]:
    """The diagnostics for an error of mlirbc and the other errors of the same text."""
    return [_diagnostic(one, source) for one in (error, *error.errors)]


def failure(message: str, context: "Context | None", diagnostics: Sequence[DiagnosticInfo]) -> UpstreamError:
    """The error for something that failed. The context decides whether its handlers get the diagnostics."""
    if context is not None and context.emit_error_diagnostics:
        for info in diagnostics:
            emit(context, info)
        diagnostics = []
    return UpstreamError(message, diagnostics)


def refusal(error: InvalidError, kind: str, words: str) -> InvalidError:
    """The error for an attribute or a type that is not valid: upstream's form if a context is open."""
    from mlirbc.mlir._context import top_frame

    top = top_frame()
    if top is None:
        return error
    info = DiagnosticInfo(DiagnosticSeverity.ERROR, top.location or Location.unknown(), words)
    new = failure(f"Invalid {kind}", top.context, [info])
    new.identifier = error.identifier
    return new


def parse_failure(error: Error, kind: str, source: str | None, context: object) -> Error:
    """The error for text that could not be parsed: upstream's form if there is a context."""
    from mlirbc.mlir._context import Context, current_context

    used = context if isinstance(context, Context) else current_context()
    if used is None or not isinstance(error, InvalidError):
        return error
    new = failure(f"Unable to parse {kind}", used, diagnostics_of(error, source))
    for name in ("identifier", "offset", "section", "expected", "found", "path", "hint", "errors"):
        setattr(new, name, getattr(error, name))
    return new


def emit_error(location: Location, message: str) -> None:
    """Give an error to the handlers of the location's context."""
    emit(location.context, DiagnosticInfo(DiagnosticSeverity.ERROR, location, message))
