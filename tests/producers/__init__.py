"""Lets builds of MLIR from PyPI write files, and read the files that mlirbc makes from these."""
