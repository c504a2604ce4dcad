"""Corpora of texts in custom assembly, on which mlirbc is compared with MLIR; see `scripts/assembly`."""
