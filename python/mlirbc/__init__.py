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
    Blob,
    Block,
    BlockArgument,
    BlockArgumentList,
    BlockList,
    Bytecode,
    Column,
    Columns,
    Contradiction,
    DataLayout,
    Dialect,
    DialectBytecodeReader,
    DialectBytecodeWriter,
    DialectTable,
    Error,
    InvalidError,
    LayoutTable,
    LimitError,
    Limits,
    Loss,
    Module,
    NamedAttribute,
    OmissionWarning,
    OpAttributeMap,
    Operation,
    OperationChecks,
    OperationIterator,
    OperationList,
    OperationName,
    OpOperand,
    OpOperandIterator,
    OpOperandList,
    OpOperands,
    OpPropertyMap,
    OpResult,
    OpResultIterator,
    OpResultList,
    OpSuccessors,
    PropertySchema,
    ReadError,
    Region,
    RegionSequence,
    Release,
    ReleaseEvidence,
    Resource,
    Resources,
    Section,
    Table,
    Type,
    Unchecked,
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
        artifacts,
        containers,
        corpus,
        dialects,
        edit,
        fallback,
        graphs,
        layout,
        lazy,
        models,
        ops,
        schemas,
        stablehlo,
        symbols,
        tables,
        tools,
        upstream,
        versions,
        xdsl,
    )
    from mlirbc._affine import (
        AffineAddExpr,
        AffineBinaryExpr,
        AffineCeilDivExpr,
        AffineConstantExpr,
        AffineDimExpr,
        AffineExpr,
        AffineFloorDivExpr,
        AffineMap,
        AffineModExpr,
        AffineMulExpr,
        AffineSymbolExpr,
        IntegerSet,
        IntegerSetConstraint,
    )
    from mlirbc._affine_attributes import AffineMapAttr, IntegerSetAttr, StridedLayoutAttr
    from mlirbc._attributes import (
        ArrayAttr,
        BoolAttr,
        DictAttr,
        DistinctAttr,
        FlatSymbolRefAttr,
        FloatAttr,
        IntegerAttr,
        OpaqueAttr,
        SymbolRefAttr,
        TypeAttr,
        UnitAttr,
    )
    from mlirbc._elements import (
        DenseArrayAttr,
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
        DenseStringElementsAttr,
        SparseElementsAttr,
        TensorV1Attr,
    )
    from mlirbc._locations import (
        CallSiteLoc,
        FileLineColLoc,
        FusedLoc,
        Location,
        NameLoc,
        UnknownLoc,
    )
    from mlirbc._query import query
    from mlirbc._shaped import (
        MemRefType,
        RankedTensorType,
        ShapedType,
        UnrankedMemRefType,
        UnrankedTensorType,
        VectorType,
    )
    from mlirbc._strings import StringAttr
    from mlirbc._types import (
        BF16Type,
        ComplexType,
        F16Type,
        F32Type,
        F64Type,
        F80Type,
        F128Type,
        Float4E2M1FNType,
        Float6E2M3FNType,
        Float6E3M2FNType,
        Float8E3M4Type,
        Float8E4M3B11FNUZType,
        Float8E4M3FNType,
        Float8E4M3FNUZType,
        Float8E4M3Type,
        Float8E5M2FNUZType,
        Float8E5M2Type,
        Float8E8M0FNUType,
        FloatTF32Type,
        FloatType,
        FunctionType,
        IndexType,
        IntegerType,
        NoneType,
        OpaqueType,
        TupleType,
    )
    from mlirbc._walk import WalkOrder, WalkResult
    from mlirbc._weights import Weight, Weights
    from mlirbc.artifacts import open_artifact
    from mlirbc.symbols import extract, merge, split
    from mlirbc.tools import diff, dump, explore
    from mlirbc.tools import hash as hash

# `hash` and `open` are public, too: `from mlirbc import *` does not hide the builtin functions.
__all__ = [
    "AffineAddExpr",
    "AffineBinaryExpr",
    "AffineCeilDivExpr",
    "AffineConstantExpr",
    "AffineDimExpr",
    "AffineExpr",
    "AffineFloorDivExpr",
    "AffineMap",
    "AffineMapAttr",
    "AffineModExpr",
    "AffineMulExpr",
    "AffineSymbolExpr",
    "ArrayAttr",
    "Attribute",
    "BF16Type",
    "Blob",
    "Block",
    "BlockArgument",
    "BlockArgumentList",
    "BlockList",
    "BoolAttr",
    "Bytecode",
    "CallSiteLoc",
    "Column",
    "Columns",
    "ComplexType",
    "Contradiction",
    "DataLayout",
    "DenseArrayAttr",
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
    "DenseStringElementsAttr",
    "Dialect",
    "DialectBytecodeReader",
    "DialectBytecodeWriter",
    "DialectTable",
    "DictAttr",
    "DistinctAttr",
    "Error",
    "F16Type",
    "F32Type",
    "F64Type",
    "F80Type",
    "F128Type",
    "FileLineColLoc",
    "FlatSymbolRefAttr",
    "Float4E2M1FNType",
    "Float6E2M3FNType",
    "Float6E3M2FNType",
    "Float8E3M4Type",
    "Float8E4M3B11FNUZType",
    "Float8E4M3FNType",
    "Float8E4M3FNUZType",
    "Float8E4M3Type",
    "Float8E5M2FNUZType",
    "Float8E5M2Type",
    "Float8E8M0FNUType",
    "FloatAttr",
    "FloatTF32Type",
    "FloatType",
    "FunctionType",
    "FusedLoc",
    "IndexType",
    "IntegerAttr",
    "IntegerSet",
    "IntegerSetAttr",
    "IntegerSetConstraint",
    "IntegerType",
    "InvalidError",
    "LayoutTable",
    "LimitError",
    "Limits",
    "Location",
    "Loss",
    "MemRefType",
    "Module",
    "NameLoc",
    "NamedAttribute",
    "NoneType",
    "OmissionWarning",
    "OpAttributeMap",
    "OpOperand",
    "OpOperandIterator",
    "OpOperandList",
    "OpOperands",
    "OpPropertyMap",
    "OpResult",
    "OpResultIterator",
    "OpResultList",
    "OpSuccessors",
    "OpaqueAttr",
    "OpaqueType",
    "Operation",
    "OperationChecks",
    "OperationIterator",
    "OperationList",
    "OperationName",
    "PropertySchema",
    "RankedTensorType",
    "ReadError",
    "Region",
    "RegionSequence",
    "Release",
    "ReleaseEvidence",
    "Resource",
    "Resources",
    "Section",
    "ShapedType",
    "SparseElementsAttr",
    "StridedLayoutAttr",
    "StringAttr",
    "SymbolRefAttr",
    "Table",
    "TensorV1Attr",
    "TupleType",
    "Type",
    "TypeAttr",
    "Unchecked",
    "UnitAttr",
    "UnknownLoc",
    "UnrankedMemRefType",
    "UnrankedTensorType",
    "UnsupportedError",
    "Value",
    "VectorType",
    "Verification",
    "WalkOrder",
    "WalkResult",
    "Weight",
    "Weights",
    "WriteReport",
    "__version__",
    "artifacts",
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
    "merge",
    "models",
    "open_artifact",
    "ops",
    "parse",
    "query",
    "read",
    "schemas",
    "split",
    "stablehlo",
    "symbols",
    "tables",
    "tools",
    "upstream",
    "versions",
    "xdsl",
]

if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        # The command line needs none of these names, and most programs need few: they are imported on first
        # use.
        if name in (
            "artifacts",
            "containers",
            "corpus",
            "dialects",
            "edit",
            "fallback",
            "graphs",
            "layout",
            "lazy",
            "models",
            "ops",
            "schemas",
            "stablehlo",
            "symbols",
            "tables",
            "tools",
            "upstream",
            "versions",
            "xdsl",
        ):
            import importlib

            return importlib.import_module(f"mlirbc.{name}")
        if name in ("diff", "dump", "explore", "hash"):
            from mlirbc import tools

            return getattr(tools, name)
        if name == "open_artifact":
            from mlirbc.artifacts import open_artifact

            return open_artifact
        if name == "query":
            from mlirbc._query import query

            return query
        if name in ("extract", "merge", "split"):
            from mlirbc import symbols

            return getattr(symbols, name)
        if name.startswith(("Affine", "IntegerSet")):
            from mlirbc import _affine

            if hasattr(_affine, name):
                return getattr(_affine, name)
        if name in __all__:
            # Importing one class registers all classes, so later look-ups do not reach this function.
            from mlirbc import _classes

            globals().update(_classes.BY_NAME)
            return _classes.BY_NAME[name]
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

    def __dir__() -> list[str]:
        # Includes the names that are imported on first use.
        return sorted({*globals(), *__all__, "hash"})


def _load_packs_of_environment() -> None:
    from mlirbc import _packs

    _packs.load_environment()


_load_packs_of_environment()
