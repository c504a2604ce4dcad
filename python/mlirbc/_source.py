"""Files that tables and schemas are read from."""

import os

from mlirbc import _mlirbc


def text_of_file(path: "str | os.PathLike[str]") -> str:
    """The text of a file, which is read to the limit of a stream.

    `open` takes a number for a file descriptor and closes it afterwards, which is never meant here.
    """
    return _mlirbc._bytes_of_file(os.fspath(path)).decode("utf-8")
