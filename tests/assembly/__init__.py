"""Corpora of texts in custom assembly, and what mlirbc and MLIR make of them; see `scripts/assembly`."""
