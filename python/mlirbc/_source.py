"""Files that tables and schemas are read from."""

import os


def text_of_file(path: "str | os.PathLike[str]") -> str:
    """The text of a file.

    `open` takes a number for a file descriptor and closes it afterwards, which is never meant here.
    """
    with open(os.fspath(path), encoding="utf-8") as file:
        return file.read()
