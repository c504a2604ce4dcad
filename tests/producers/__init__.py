"""Lets builds of MLIR that PyPI has write files, and read again what mlirbc makes of them."""
