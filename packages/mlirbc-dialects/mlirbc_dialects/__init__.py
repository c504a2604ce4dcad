"""Packs of mlirbc: the dialects of projects outside LLVM as data.

The package has no code. mlirbc finds the files by the entry points of the group `mlirbc.packs`.
"""
