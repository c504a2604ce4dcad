"""MLIR's tests of its own Python bindings, run with the bindings of this package or of another build."""
