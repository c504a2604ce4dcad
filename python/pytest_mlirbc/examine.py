"""Reads, prints and verifies one file, in a process of its own: `python -m pytest_mlirbc.examine FILE`.

A file whose name ends in `.mlir` is parsed as text; any other file is read as bytecode.
"""

import sys
import warnings
from pathlib import Path

import mlirbc


def examine(path: str) -> str:
    """The result for the file: a module, or the error that refuses it.

    >>> from pytest_mlirbc.examine import examine
    >>> examine("examples/two_layers.mlirbc")
    'a module of 34 operations'
    >>> examine("examples/two_layers.mlir")
    'a module of 34 operations'
    >>> examine("README.md")
    'mlirbc.read.magic at byte 0'
    """
    # The text of a damaged module may leave out a lot.
    warnings.simplefilter("ignore", mlirbc.OmissionWarning)
    try:
        if path.endswith(".mlir"):
            module = mlirbc.parse(Path(path).read_bytes(), file=path)
        else:
            module = mlirbc.open(path)
        module.operation.get_asm(print_generic_op_form=True)
        module.operation.get_asm()
        module.verify()
        return f"a module of {sum(module.op_counts().values())} operations"
    except mlirbc.Error as error:
        where = "" if error.offset is None else f" at byte {error.offset}"
        return f"{error.identifier}{where}"


if __name__ == "__main__":
    print(examine(sys.argv[1]))
