"""The bytes that `write` returns."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mlirbc._mlirbc import WriteReport


class WrittenBytes(bytes):
    """Bytecode that was written, and the report of writing it.

    >>> data = mlirbc.open("examples/two_layers.mlirbc").write()
    >>> data[:4], data.report.bytes
    (b'ML\\xefR', 1474)
    """

    report: "WriteReport"
    """The report of writing."""

    def __reduce__(self) -> tuple[type[bytes], tuple[bytes]]:
        # Other processes get the bytes alone.
        return bytes, (bytes(self),)
