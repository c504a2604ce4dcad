"""Samples of test cases for runs whose time is limited.

`MLIRBC_WHOLE=1` runs every case. A digest of the name chooses, so a case stays in the sample when others
are added.
"""

import os
import zlib
from collections.abc import Callable, Iterable
from typing import TypeVar

_Case = TypeVar("_Case")

WHOLE = bool(os.environ.get("MLIRBC_WHOLE"))


def sample(cases: Iterable[_Case], share: int, name: Callable[[_Case], str]) -> list[_Case]:
    """About one of `share` cases, or every case with `MLIRBC_WHOLE=1`."""
    return [case for case in cases if WHOLE or zlib.crc32(name(case).encode()) % share == 0]


def examples(count: int) -> int:
    """A third of the examples of a property, or all with `MLIRBC_WHOLE=1`."""
    return count if WHOLE else count // 3
