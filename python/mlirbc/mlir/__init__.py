"""The names of MLIR's Python bindings, for code that was written for them.

`from mlirbc.mlir import ir` replaces `from mlir import ir`, `from jaxlib.mlir import ir` and the like.

>>> from mlirbc.mlir import ir
>>> with ir.Context():
...     print(ir.Module.parse("func.func private @f()"))
module {
  func.func private @f()
}
<BLANKLINE>
"""

from mlirbc._mlirbc import UnsupportedError

__all__ = ["not_available", "register_dialects"]


def register_dialects(context: object) -> None:
    """Do nothing: dialects need no registration. Packages such as CIRCT have this function.

    >>> from mlirbc.mlir import ir
    >>> register_dialects(ir.Context())
    """


def not_available(feature: str) -> UnsupportedError:
    """The error for a feature that needs MLIR's C++ code.

    >>> print(not_available("a pass manager").message)
    a pass manager needs the C++ code of MLIR, which mlirbc does not have
    """
    message = f"{feature} needs the C++ code of MLIR, which mlirbc does not have"
    hint = (
        "convert the module with `mlirbc.upstream.to_ir` for the bindings of a package that has it (jaxlib, "
        "iree-base-compiler), and read the result back with `mlirbc.upstream.from_ir`"
    )
    error = UnsupportedError(f"{message}; {hint}")
    error.identifier = "mlirbc.unsupported.bindings"
    error.message, error.hint = message, hint
    return error
