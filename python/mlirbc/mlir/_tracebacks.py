"""Locations taken from the call stack of Python."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from types import FrameType

from mlirbc._locations import CallSiteLoc, FileLineColLoc, Location, NameLoc
from mlirbc.mlir._globals import GLOBALS

__all__ = ["loc_tracebacks", "traceback_location"]

_PACKAGE = str(Path(__file__).parents[1])


@contextmanager
def loc_tracebacks(*, max_depth: int | None = None) -> Iterator[None]:
    """Give new operations without a location the location of the Python code.

    `max_depth` is the maximum number of callers in a location.

    >>> from mlirbc.mlir import ir
    >>> with ir.Context(), ir.loc_tracebacks(max_depth=1):
    ...     print(type(ir.Operation.create("test.op").location).__name__)
    NameLoc
    """
    enabled, limit = GLOBALS.loc_tracebacks_enabled, GLOBALS.loc_tracebacks_frame_limit
    GLOBALS.loc_tracebacks_enabled = True
    GLOBALS.loc_tracebacks_frame_limit = limit if max_depth is None else max_depth
    try:
        yield
    finally:
        GLOBALS.loc_tracebacks_enabled, GLOBALS.loc_tracebacks_frame_limit = enabled, limit


def traceback_location() -> Location | None:
    """The location of the code that called this package; None if no frame may be shown."""
    frames = list(islice(_frames(), GLOBALS.loc_tracebacks_frame_limit))
    if not frames:
        return None
    callee, *callers = [_location(frame) for frame in frames]
    return CallSiteLoc.get(callee, callers) if callers else callee


def _frames() -> Iterator[FrameType]:
    """The frames to show, innermost first: those outside of this package, unless settings say otherwise."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        file = frame.f_code.co_filename
        is_hidden = file.startswith((_PACKAGE, *GLOBALS.excluded_files))
        if not is_hidden or file.startswith(tuple(GLOBALS.included_files)):
            yield frame
        frame = frame.f_back


def _location(frame: FrameType) -> Location:
    code = frame.f_code
    positions = next(islice(code.co_positions(), frame.f_lasti // 2, None))
    line, end_line, column, end_column = (number or 0 for number in positions)
    place = FileLineColLoc.get(code.co_filename, line, column, end_line, end_column)
    return NameLoc.get(code.co_qualname, place)
