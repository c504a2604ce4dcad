"""The functions with which programs register everything; nothing needs to be registered here."""

from mlirbc.mlir._context import Context, DialectRegistry

__all__ = ["register_dialects", "register_llvm_translations"]


def register_dialects(registry: DialectRegistry) -> None:
    """Do nothing: dialects need no registration."""


def register_llvm_translations(context: Context) -> None:
    """Do nothing: there is no translation to LLVM IR."""
