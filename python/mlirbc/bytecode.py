"""The parts of a file that are not operations: header, sections, tables and bytes.

>>> bytecode = mlirbc.open("examples/two_layers.mlirbc").bytecode
>>> isinstance(bytecode, mlirbc.bytecode.Bytecode), bytecode.sections[0].name
(True, 'Dialect')
"""

from mlirbc._mlirbc import Blob, Bytecode, Column, Columns, Dialect, OperationName, Section, Table

__all__ = [
    "Blob",
    "Bytecode",
    "Column",
    "Columns",
    "Dialect",
    "OperationName",
    "Section",
    "Table",
]
