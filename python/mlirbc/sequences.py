"""The lists and maps of the parts of an opened module, such as the operations of a block.

>>> block = mlirbc.open("examples/two_layers.mlirbc").body
>>> isinstance(block.operations, mlirbc.sequences.OperationList)
True
"""

from mlirbc._mlirbc import (
    BlockArgumentList,
    BlockList,
    OpAttributeMap,
    OperationIterator,
    OperationList,
    OpOperandIterator,
    OpOperandList,
    OpOperands,
    OpPropertyMap,
    OpResultIterator,
    OpResultList,
    OpSuccessors,
    RegionSequence,
)

__all__ = [
    "BlockArgumentList",
    "BlockList",
    "OpAttributeMap",
    "OpOperandIterator",
    "OpOperandList",
    "OpOperands",
    "OpPropertyMap",
    "OpResultIterator",
    "OpResultList",
    "OpSuccessors",
    "OperationIterator",
    "OperationList",
    "RegionSequence",
]
