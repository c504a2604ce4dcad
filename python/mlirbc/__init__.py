"""Read, edit, convert and print MLIR bytecode of any version and release, without LLVM.

>>> import mlirbc
>>> module = mlirbc.open("examples/two_layers.mlirbc")
>>> module.bytecode.version
6
>>> module.operation.name
'builtin.module'
"""

from mlirbc._mlirbc import (
    Attribute,
    Block,
    BlockArgument,
    DataLayout,
    Error,
    InvalidError,
    LimitError,
    Limits,
    Loss,
    Module,
    NamedAttribute,
    OmissionWarning,
    Operation,
    OpOperand,
    OpResult,
    ReadError,
    Region,
    Release,
    Resource,
    Resources,
    Type,
    UnsupportedError,
    Value,
    Verification,
    WriteReport,
    __version__,
    error_identifiers,
    known_releases,
    parse,
    read,
)
from mlirbc._mlirbc import (
    open as open,
)

# Type checkers know this name; importing `typing` would take as long as the rest.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from mlirbc import (
        affine,
        artifacts,
        attributes,
        bytecode,
        containers,
        corpus,
        dialects,
        edit,
        fallback,
        graphs,
        layout,
        lazy,
        locations,
        models,
        ops,
        parameters,
        releases,
        schemas,
        sequences,
        stablehlo,
        symbols,
        tables,
        tools,
        types,
        upstream,
        verification,
        versions,
        weights,
        xdsl,
    )
    from mlirbc._locations import Location
    from mlirbc._query import query
    from mlirbc._walk import WalkOrder, WalkResult
    from mlirbc._weights import Weight, Weights

    # Former places of names, which remain.
    from mlirbc.affine import AffineAddExpr as AffineAddExpr
    from mlirbc.affine import AffineBinaryExpr as AffineBinaryExpr
    from mlirbc.affine import AffineCeilDivExpr as AffineCeilDivExpr
    from mlirbc.affine import AffineConstantExpr as AffineConstantExpr
    from mlirbc.affine import AffineDimExpr as AffineDimExpr
    from mlirbc.affine import AffineExpr as AffineExpr
    from mlirbc.affine import AffineFloorDivExpr as AffineFloorDivExpr
    from mlirbc.affine import AffineMap as AffineMap
    from mlirbc.affine import AffineModExpr as AffineModExpr
    from mlirbc.affine import AffineMulExpr as AffineMulExpr
    from mlirbc.affine import AffineSymbolExpr as AffineSymbolExpr
    from mlirbc.affine import IntegerSet as IntegerSet
    from mlirbc.affine import IntegerSetConstraint as IntegerSetConstraint
    from mlirbc.artifacts import open_artifact
    from mlirbc.attributes import AffineMapAttr as AffineMapAttr
    from mlirbc.attributes import ArrayAttr as ArrayAttr
    from mlirbc.attributes import BoolAttr as BoolAttr
    from mlirbc.attributes import DenseArrayAttr as DenseArrayAttr
    from mlirbc.attributes import DenseBoolArrayAttr as DenseBoolArrayAttr
    from mlirbc.attributes import DenseElementsAttr as DenseElementsAttr
    from mlirbc.attributes import DenseF32ArrayAttr as DenseF32ArrayAttr
    from mlirbc.attributes import DenseF64ArrayAttr as DenseF64ArrayAttr
    from mlirbc.attributes import DenseFPElementsAttr as DenseFPElementsAttr
    from mlirbc.attributes import DenseI8ArrayAttr as DenseI8ArrayAttr
    from mlirbc.attributes import DenseI16ArrayAttr as DenseI16ArrayAttr
    from mlirbc.attributes import DenseI32ArrayAttr as DenseI32ArrayAttr
    from mlirbc.attributes import DenseI64ArrayAttr as DenseI64ArrayAttr
    from mlirbc.attributes import DenseIntElementsAttr as DenseIntElementsAttr
    from mlirbc.attributes import DenseResourceElementsAttr as DenseResourceElementsAttr
    from mlirbc.attributes import DenseStringElementsAttr as DenseStringElementsAttr
    from mlirbc.attributes import DictAttr as DictAttr
    from mlirbc.attributes import DistinctAttr as DistinctAttr
    from mlirbc.attributes import FlatSymbolRefAttr as FlatSymbolRefAttr
    from mlirbc.attributes import FloatAttr as FloatAttr
    from mlirbc.attributes import IntegerAttr as IntegerAttr
    from mlirbc.attributes import IntegerSetAttr as IntegerSetAttr
    from mlirbc.attributes import OpaqueAttr as OpaqueAttr
    from mlirbc.attributes import SparseElementsAttr as SparseElementsAttr
    from mlirbc.attributes import StridedLayoutAttr as StridedLayoutAttr
    from mlirbc.attributes import StringAttr as StringAttr
    from mlirbc.attributes import SymbolRefAttr as SymbolRefAttr
    from mlirbc.attributes import TensorV1Attr as TensorV1Attr
    from mlirbc.attributes import TypeAttr as TypeAttr
    from mlirbc.attributes import UnitAttr as UnitAttr
    from mlirbc.bytecode import Blob as Blob
    from mlirbc.bytecode import Bytecode as Bytecode
    from mlirbc.bytecode import Column as Column
    from mlirbc.bytecode import Columns as Columns
    from mlirbc.bytecode import Dialect as Dialect
    from mlirbc.bytecode import OperationName as OperationName
    from mlirbc.bytecode import Section as Section
    from mlirbc.bytecode import Table as Table
    from mlirbc.dialects import DialectBytecodeReader as DialectBytecodeReader
    from mlirbc.dialects import DialectBytecodeWriter as DialectBytecodeWriter
    from mlirbc.dialects import DialectTable as DialectTable
    from mlirbc.layout import LayoutTable as LayoutTable
    from mlirbc.locations import CallSiteLoc as CallSiteLoc
    from mlirbc.locations import FileLineColLoc as FileLineColLoc
    from mlirbc.locations import FusedLoc as FusedLoc
    from mlirbc.locations import NameLoc as NameLoc
    from mlirbc.locations import UnknownLoc as UnknownLoc
    from mlirbc.releases import Contradiction as Contradiction
    from mlirbc.releases import ReleaseEvidence as ReleaseEvidence
    from mlirbc.schemas import PropertySchema as PropertySchema
    from mlirbc.sequences import BlockArgumentList as BlockArgumentList
    from mlirbc.sequences import BlockList as BlockList
    from mlirbc.sequences import OpAttributeMap as OpAttributeMap
    from mlirbc.sequences import OperationIterator as OperationIterator
    from mlirbc.sequences import OperationList as OperationList
    from mlirbc.sequences import OpOperandIterator as OpOperandIterator
    from mlirbc.sequences import OpOperandList as OpOperandList
    from mlirbc.sequences import OpOperands as OpOperands
    from mlirbc.sequences import OpPropertyMap as OpPropertyMap
    from mlirbc.sequences import OpResultList as OpResultList
    from mlirbc.sequences import OpSuccessors as OpSuccessors
    from mlirbc.sequences import RegionSequence as RegionSequence
    from mlirbc.symbols import extract, merge, split
    from mlirbc.tools import diff, dump, explore
    from mlirbc.tools import hash as hash
    from mlirbc.types import BF16Type as BF16Type
    from mlirbc.types import ComplexType as ComplexType
    from mlirbc.types import F16Type as F16Type
    from mlirbc.types import F32Type as F32Type
    from mlirbc.types import F64Type as F64Type
    from mlirbc.types import F80Type as F80Type
    from mlirbc.types import F128Type as F128Type
    from mlirbc.types import Float4E2M1FNType as Float4E2M1FNType
    from mlirbc.types import Float6E2M3FNType as Float6E2M3FNType
    from mlirbc.types import Float6E3M2FNType as Float6E3M2FNType
    from mlirbc.types import Float8E3M4Type as Float8E3M4Type
    from mlirbc.types import Float8E4M3B11FNUZType as Float8E4M3B11FNUZType
    from mlirbc.types import Float8E4M3FNType as Float8E4M3FNType
    from mlirbc.types import Float8E4M3FNUZType as Float8E4M3FNUZType
    from mlirbc.types import Float8E4M3Type as Float8E4M3Type
    from mlirbc.types import Float8E5M2FNUZType as Float8E5M2FNUZType
    from mlirbc.types import Float8E5M2Type as Float8E5M2Type
    from mlirbc.types import Float8E8M0FNUType as Float8E8M0FNUType
    from mlirbc.types import FloatTF32Type as FloatTF32Type
    from mlirbc.types import FloatType as FloatType
    from mlirbc.types import FunctionType as FunctionType
    from mlirbc.types import IndexType as IndexType
    from mlirbc.types import IntegerType as IntegerType
    from mlirbc.types import MemRefType as MemRefType
    from mlirbc.types import NoneType as NoneType
    from mlirbc.types import OpaqueType as OpaqueType
    from mlirbc.types import RankedTensorType as RankedTensorType
    from mlirbc.types import ShapedType as ShapedType
    from mlirbc.types import TupleType as TupleType
    from mlirbc.types import UnrankedMemRefType as UnrankedMemRefType
    from mlirbc.types import UnrankedTensorType as UnrankedTensorType
    from mlirbc.types import VectorType as VectorType
    from mlirbc.verification import OperationChecks as OperationChecks
    from mlirbc.verification import Unchecked as Unchecked

# `hash` and `open` are public, too: `from mlirbc import *` does not hide the builtin functions.
__all__ = [
    "Attribute",
    "Block",
    "BlockArgument",
    "DataLayout",
    "Error",
    "InvalidError",
    "LimitError",
    "Limits",
    "Location",
    "Loss",
    "Module",
    "NamedAttribute",
    "OmissionWarning",
    "OpOperand",
    "OpResult",
    "Operation",
    "ReadError",
    "Region",
    "Release",
    "Resource",
    "Resources",
    "Type",
    "UnsupportedError",
    "Value",
    "Verification",
    "WalkOrder",
    "WalkResult",
    "Weight",
    "Weights",
    "WriteReport",
    "__version__",
    "affine",
    "artifacts",
    "attributes",
    "bytecode",
    "containers",
    "corpus",
    "dialects",
    "diff",
    "dump",
    "edit",
    "error_identifiers",
    "explore",
    "extract",
    "fallback",
    "graphs",
    "known_releases",
    "layout",
    "lazy",
    "locations",
    "merge",
    "models",
    "open_artifact",
    "ops",
    "parameters",
    "parse",
    "query",
    "read",
    "releases",
    "schemas",
    "sequences",
    "split",
    "stablehlo",
    "symbols",
    "tables",
    "tools",
    "types",
    "upstream",
    "verification",
    "versions",
    "weights",
    "xdsl",
]

if not TYPE_CHECKING:
    # The module of each name that is imported on first use: most programs need few.
    _PLACES = {
        "_locations": ("Location",),
        "_query": ("query",),
        "_walk": ("WalkOrder", "WalkResult"),
        "_weights": ("Weight", "Weights"),
        "artifacts": ("open_artifact",),
        "symbols": ("extract", "merge", "split"),
        "tools": ("diff", "dump", "explore", "hash"),
    }
    # Former names of the package: they remain without being listed.
    _FORMER = {
        "affine": (
            "AffineAddExpr AffineBinaryExpr AffineCeilDivExpr AffineConstantExpr AffineDimExpr "
            "AffineExpr AffineFloorDivExpr AffineMap AffineModExpr AffineMulExpr AffineSymbolExpr "
            "IntegerSet IntegerSetConstraint"
        ),
        "attributes": (
            "AffineMapAttr ArrayAttr BoolAttr DenseArrayAttr DenseBoolArrayAttr DenseElementsAttr "
            "DenseF32ArrayAttr DenseF64ArrayAttr DenseFPElementsAttr DenseI16ArrayAttr "
            "DenseI32ArrayAttr DenseI64ArrayAttr DenseI8ArrayAttr DenseIntElementsAttr "
            "DenseResourceElementsAttr DenseStringElementsAttr DictAttr DistinctAttr FlatSymbolRefAttr "
            "FloatAttr IntegerAttr IntegerSetAttr OpaqueAttr SparseElementsAttr StridedLayoutAttr "
            "StringAttr SymbolRefAttr TensorV1Attr TypeAttr UnitAttr"
        ),
        "bytecode": "Blob Bytecode Column Columns Dialect OperationName Section Table",
        "dialects": "DialectBytecodeReader DialectBytecodeWriter DialectTable",
        "layout": "LayoutTable",
        "locations": "CallSiteLoc FileLineColLoc FusedLoc NameLoc UnknownLoc",
        "releases": "Contradiction ReleaseEvidence",
        "schemas": "PropertySchema",
        "sequences": (
            "BlockArgumentList BlockList OpAttributeMap OpOperandIterator OpOperandList OpOperands "
            "OpPropertyMap OpResultList OpSuccessors OperationIterator OperationList RegionSequence"
        ),
        "types": (
            "BF16Type ComplexType F128Type F16Type F32Type F64Type F80Type Float4E2M1FNType "
            "Float6E2M3FNType Float6E3M2FNType Float8E3M4Type Float8E4M3B11FNUZType Float8E4M3FNType "
            "Float8E4M3FNUZType Float8E4M3Type Float8E5M2FNUZType Float8E5M2Type Float8E8M0FNUType "
            "FloatTF32Type FloatType FunctionType IndexType IntegerType MemRefType NoneType OpaqueType "
            "RankedTensorType ShapedType TupleType UnrankedMemRefType UnrankedTensorType VectorType"
        ),
        "verification": "OperationChecks Unchecked",
    }
    _MODULES = (
        "affine",
        "artifacts",
        "attributes",
        "bytecode",
        "containers",
        "corpus",
        "dialects",
        "edit",
        "fallback",
        "graphs",
        "layout",
        "lazy",
        "locations",
        "models",
        "ops",
        "parameters",
        "releases",
        "schemas",
        "sequences",
        "stablehlo",
        "symbols",
        "tables",
        "tools",
        "types",
        "upstream",
        "verification",
        "versions",
        "weights",
        "xdsl",
    )

    def _module_of(name: str) -> str | None:
        for module, names in _PLACES.items():
            if name in names:
                return module
        return next((module for module, names in _FORMER.items() if name in names.split()), None)

    def __getattr__(name: str) -> object:
        from importlib import import_module

        if name in _MODULES:
            return import_module(f"mlirbc.{name}")
        module = _module_of(name)
        if module is None:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = getattr(import_module(f"mlirbc.{module}"), name)
        globals()[name] = value
        return value

    def __dir__() -> list[str]:
        special = (name for name in globals() if name.startswith("__"))
        return sorted({*special, *__all__, "hash", "open"})


def _load_packs_of_environment() -> None:
    from mlirbc import _packs

    _packs.load_environment()


_load_packs_of_environment()
