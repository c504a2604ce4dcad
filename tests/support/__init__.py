"""Shared code of tests: the oracles, an assembler of bytecode, damaged and hostile files, and comparisons."""
