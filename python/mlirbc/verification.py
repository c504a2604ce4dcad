"""The results of `Module.verify`.

>>> isinstance(mlirbc.open("examples/two_layers.mlirbc").verify(), mlirbc.verification.Verification)
True
"""

from mlirbc._mlirbc import OperationChecks, Unchecked, Verification

__all__ = [
    "OperationChecks",
    "Unchecked",
    "Verification",
]
