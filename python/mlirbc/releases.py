"""Releases of LLVM and other projects, and the facts by which the release of a file is decided.

>>> isinstance(mlirbc.open("examples/two_layers.mlirbc").release, mlirbc.releases.Release)
True
"""

from mlirbc._mlirbc import Contradiction, Release, ReleaseEvidence, known_releases

__all__ = [
    "Contradiction",
    "Release",
    "ReleaseEvidence",
    "known_releases",
]
