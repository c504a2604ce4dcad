"""The constants that no cell may pass; docs/explanation/performance.md says why they are these."""

import os

from complexity.commands import TEXT_COMMANDS

CPU_SECONDS = int(os.environ.get("MLIRBC_COMPLEXITY_SECONDS", "10"))
"""When a child is killed."""
MEMORY = 4 << 30
"""The address space that a child may have."""

TEXT_PER_BYTE, TEXT_AT_LEAST = 1024, 64 << 20
MEMORY_PER_BYTE, MEMORY_AT_LEAST = 64, 16 << 20
"""The defaults of the library, as `docs/reference/limits.md` has them."""
MEMORY_PER_CHARACTER = 256
"""The default for assembly."""

NOISE = 0.05
"""Seconds of processor time below which growth is not judged."""
SMALL = 32 << 20
"""Bytes of memory below which growth is not judged."""
STEEP = 1.35
"""The exponent above which growth is more than n log n: log n adds 0.1 at these sizes, and noise 0.2."""

EXCEPTIONS = {
    "integer.large": "writing a number of n bytes to base ten takes some n^1.5: 0.12 s for 270 KB",
}
"""Families that may be steep, and why. The constants hold for them too."""

TEXTS = {
    "get_asm in the local scope",
    "get_asm with locations",
    "print to a file",
    "str",
    "str of operations",
    "str of operations without regions",
}
"""Entry points that make one text in memory, which `max_text` limits."""

SECONDS_PER_BYTE_IN = 2e-6
SECONDS_PER_BYTE_OUT = 50e-9
SECONDS_AT_LEAST = 0.05


def most_seconds(entry: str, bytes_in: int, bytes_out: int, status: str) -> float:
    """The processor time that a file of so many bytes may take."""
    of_byte = MEMORY_PER_CHARACTER if entry in TEXT_COMMANDS else MEMORY_PER_BYTE
    if status == "mlirbc.limit.text":
        # All that the budget allows may have been written before.
        bytes_out = bytes_in * TEXT_PER_BYTE + TEXT_AT_LEAST
    if status == "mlirbc.limit.memory":
        # All that the account allows may have been filled before.
        bytes_out = max(bytes_out, bytes_in * of_byte + MEMORY_AT_LEAST)
    return SECONDS_AT_LEAST + SECONDS_PER_BYTE_IN * bytes_in + SECONDS_PER_BYTE_OUT * bytes_out


def most_memory(entry: str, bytes_in: int, bytes_out: int, is_python: bool) -> float:
    """The memory of a module and of one piece of work; Python also has the answer, twice while it is made."""
    of_byte = MEMORY_PER_CHARACTER if entry in TEXT_COMMANDS else MEMORY_PER_BYTE
    budget = of_byte * bytes_in + MEMORY_AT_LEAST
    if entry in TEXTS:
        # All that the budget allows may have been there before the limit was reached.
        bytes_out = max(bytes_out, bytes_in * TEXT_PER_BYTE + TEXT_AT_LEAST)
    return 2 * budget + (3 * bytes_out if is_python else 0)
