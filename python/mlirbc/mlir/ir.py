"""The names of `mlir.ir`, upstream's module for the IR.

Attributes, types, values, blocks and regions are those of `mlirbc` and `mlirbc.edit`; modules and operations
belong to a context.
"""

from types import GenericAlias

from mlirbc import (
    AffineMapAttr,
    ArrayAttr,
    Attribute,
    BoolAttr,
    CallSiteLoc,
    DenseBoolArrayAttr,
    DenseElementsAttr,
    DenseF32ArrayAttr,
    DenseF64ArrayAttr,
    DenseFPElementsAttr,
    DenseI8ArrayAttr,
    DenseI16ArrayAttr,
    DenseI32ArrayAttr,
    DenseI64ArrayAttr,
    DenseIntElementsAttr,
    DenseResourceElementsAttr,
    DictAttr,
    FileLineColLoc,
    FlatSymbolRefAttr,
    FloatAttr,
    FusedLoc,
    IntegerAttr,
    IntegerSetAttr,
    NamedAttribute,
    NameLoc,
    OpaqueAttr,
    StridedLayoutAttr,
    StringAttr,
    SymbolRefAttr,
    Type,
    TypeAttr,
    UnitAttr,
    UnknownLoc,
    WalkOrder,
    WalkResult,
)
from mlirbc import affine as _affine
from mlirbc import types as _types
from mlirbc._bindings import TypeID
from mlirbc._edited_blocks import BlockList, OperationList
from mlirbc._edited_blocks import SuccessorList as OpSuccessors
from mlirbc._edited_handles import HandleList as RegionSequence
from mlirbc._edited_values import ArgumentList as BlockArgumentList
from mlirbc._edited_values import OperandList as OpOperandList
from mlirbc._edited_values import ResultList as OpResultList
from mlirbc.affine import *  # noqa: F403
from mlirbc.edit import Block, BlockArgument, OpAttributeMap, OpOperand, OpResult, Region, Value
from mlirbc.mlir._context import Context, DialectRegistry, ThreadPool
from mlirbc.mlir._context import _GlobalDebug as _GlobalDebug
from mlirbc.mlir._diagnostics import (
    Diagnostic,
    DiagnosticHandler,
    DiagnosticInfo,
    DiagnosticSeverity,
    MLIRError,
)
from mlirbc.mlir._dialects import (
    Dialect,
    DialectDescriptor,
    Dialects,
    append_load_on_create_dialect,
    get_load_on_create_dialects,
)
from mlirbc.mlir._insertion import InsertionPoint
from mlirbc.mlir._location import Location
from mlirbc.mlir._module import Module
from mlirbc.mlir._operation import (
    AsmState,
    IsIsolatedFromAboveTrait,
    IsTerminatorTrait,
    NoTerminatorTrait,
    Operation,
    OperationEquivalenceFlags,
    get_ops_of_type,
    get_parent_of_type,
)
from mlirbc.mlir._operation import OperationBase as _OperationBase  # noqa: F401
from mlirbc.mlir._opview import OpView
from mlirbc.mlir._registry import (
    AttrBuilder,
    register_attribute_builder,
    register_dialect,
    register_operation,
    register_type_caster,
    register_value_caster,
)
from mlirbc.mlir._symbol_table import SymbolTable
from mlirbc.mlir._tracebacks import loc_tracebacks
from mlirbc.types import *  # noqa: F403

__all__ = [
    "AffineMapAttr",
    "ArrayAttr",
    "AsmState",
    "AttrBuilder",
    "Attribute",
    "Block",
    "BlockArgument",
    "BlockArgumentList",
    "BlockList",
    "BoolAttr",
    "CallSiteLoc",
    "Context",
    "DenseBoolArrayAttr",
    "DenseElementsAttr",
    "DenseF32ArrayAttr",
    "DenseF64ArrayAttr",
    "DenseFPElementsAttr",
    "DenseI8ArrayAttr",
    "DenseI16ArrayAttr",
    "DenseI32ArrayAttr",
    "DenseI64ArrayAttr",
    "DenseIntElementsAttr",
    "DenseResourceElementsAttr",
    "Diagnostic",
    "DiagnosticHandler",
    "DiagnosticInfo",
    "DiagnosticSeverity",
    "Dialect",
    "DialectDescriptor",
    "DialectRegistry",
    "Dialects",
    "DictAttr",
    "FileLineColLoc",
    "FlatSymbolRefAttr",
    "FloatAttr",
    "FusedLoc",
    "InsertionPoint",
    "IntegerAttr",
    "IntegerSetAttr",
    "IsIsolatedFromAboveTrait",
    "IsTerminatorTrait",
    "Location",
    "MLIRError",
    "Module",
    "NameLoc",
    "NamedAttribute",
    "NoTerminatorTrait",
    "OpAttributeMap",
    "OpOperand",
    "OpOperandList",
    "OpResult",
    "OpResultList",
    "OpSuccessors",
    "OpView",
    "OpaqueAttr",
    "Operation",
    "OperationEquivalenceFlags",
    "OperationList",
    "Region",
    "RegionSequence",
    "StridedLayoutAttr",
    "StringAttr",
    "SymbolRefAttr",
    "SymbolTable",
    "ThreadPool",
    "Type",
    "TypeAttr",
    "TypeID",
    "UnitAttr",
    "UnknownLoc",
    "Value",
    "WalkOrder",
    "WalkResult",
    "append_load_on_create_dialect",
    "get_load_on_create_dialects",
    "get_ops_of_type",
    "get_parent_of_type",
    "loc_tracebacks",
    "register_attribute_builder",
    "register_dialect",
    "register_operation",
    "register_type_caster",
    "register_value_caster",
]
__all__ += _affine.__all__
__all__ += _types.__all__

for _class in [entry for entry in vars().values() if isinstance(entry, type)]:
    # Programs subscript classes in annotations, as `IntegerType[32]`.
    if issubclass(_class, (Attribute, Type, Value)) and _class not in (Attribute, Type):
        _class.__class_getitem__ = classmethod(GenericAlias)  # type: ignore[union-attr]


def __getattr__(name: str) -> object:
    """The builders of attributes, which upstream names `_denseI64ArrayAttr` and the like."""
    if name.startswith("_") and AttrBuilder.contains(kind := name[1:2].upper() + name[2:]):
        return AttrBuilder.get(kind)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
