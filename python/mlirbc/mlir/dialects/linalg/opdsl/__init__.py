"""Upstream's language for structured operations; mlirbc has the operations, and not the language."""
