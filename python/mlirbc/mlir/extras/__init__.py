"""Conveniences of MLIR's Python bindings: short names of types, and regions as functions."""
