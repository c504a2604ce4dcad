"""The classes of locations, which are attributes.

>>> mlirbc.locations.FileLineColLoc.get("model.py", 3, 1)
FileLineColLoc(loc("model.py":3:1))
"""

from mlirbc._locations import CallSiteLoc, FileLineColLoc, FusedLoc, Location, NameLoc, UnknownLoc

__all__ = [
    "CallSiteLoc",
    "FileLineColLoc",
    "FusedLoc",
    "Location",
    "NameLoc",
    "UnknownLoc",
]
