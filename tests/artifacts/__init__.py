"""Portable artifacts and the products of jaxlib for them, to compare mlirbc with: see `scripts/artifacts`."""
