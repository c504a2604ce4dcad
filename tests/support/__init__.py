"""What the tests share: the oracles, an assembler of bytecode, damaged and hostile files, and comparisons."""
