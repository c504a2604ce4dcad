"""Portable artifacts and what jaxlib makes of them, to hold mlirbc against: see `scripts/artifacts`."""
