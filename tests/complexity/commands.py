"""The command lines that files are given to. `FILE` and `OUT` stand for the paths."""

COMMANDS: dict[str, tuple[str, ...]] = {
    "info": ("info", "FILE"),
    "info --json": ("info", "FILE", "--json"),
    "verify": ("verify", "FILE"),
    "verify --ops": ("verify", "FILE", "--ops"),
    "ops": ("ops", "FILE"),
    "ops --count": ("ops", "FILE", "--count"),
    "ops --json": ("ops", "FILE", "--json"),
    "ops --format csv": ("ops", "FILE", "--format", "csv"),
    "ops --format arrow": ("ops", "FILE", "--format", "arrow"),
    "layout": ("layout", "FILE"),
    "print": ("print", "FILE"),
    "print --locations": ("print", "FILE", "--locations"),
    "print --strict": ("print", "FILE", "--strict"),
    "resources": ("resources", "FILE"),
    "dump": ("dump", "FILE"),
    "dump --depth": ("dump", "FILE", "--depth", "3"),
    "size": ("size", "FILE", "--duplicates"),
    "specialize": ("specialize", "FILE", "-o", "OUT"),
    "cost": ("cost", "FILE", "--by", "operation"),
    "explore": ("explore", "FILE", "-o", "OUT"),
    "weights": ("weights", "FILE", "--stats"),
    "hash": ("hash", "FILE", "--symbols", "--locations"),
    "diff": ("diff", "FILE", "FILE", "--locations"),
    "check": ("check", "FILE", "--target", "llvm-19"),
    "convert": ("convert", "FILE", "-o", "OUT"),
    "convert --canonical": ("convert", "FILE", "-o", "OUT", "--canonical"),
    "convert 4": ("convert", "FILE", "-o", "OUT", "--bytecode-version", "4", "--drop-unsupported"),
    "convert llvm-19": ("convert", "FILE", "-o", "OUT", "--target", "llvm-19", "--drop-unsupported"),
    "convert any": ("convert", "FILE", "-o", "OUT", "--target", "any", "--drop-unsupported"),
    "convert to stablehlo": ("convert", "FILE", "-o", "OUT", "--to", "stablehlo"),
    "convert to vhlo": ("convert", "FILE", "-o", "OUT", "--to", "vhlo=1.14.0"),
    "merge": ("merge", "FILE", "FILE", "--rename", "-o", "OUT"),
    "strip": ("strip", "FILE", "-o", "OUT", "--locations"),
}

TEXT_COMMANDS: dict[str, tuple[str, ...]] = {
    "assemble": ("assemble", "FILE", "-o", "OUT", "--target", "TARGET"),
    "assemble --split": ("assemble", "FILE", "-o", "OUT", "--target", "TARGET", "--split"),
    "assemble --like": ("assemble", "FILE", "-o", "OUT", "--like", "LIKE"),
    "fmt": ("fmt", "FILE", "--release", "TARGET"),
    "assemble --verify": ("assemble", "FILE", "-o", "OUT", "--target", "TARGET", "--verify"),
}
"""The command lines that texts are given to. `TARGET` stands for the release of the family, `LIKE` for a
small file of it."""

ASSEMBLED = (
    "verify --ops",
    "print",
    "print --locations",
    "explore",
    "diff",
    "check",
    "convert any",
    "convert to stablehlo",
    "ops table",
    "values table",
    "attributes table",
    "types table",
    "symbols table",
    "resources table",
    "query",
)
"""The command lines and entry points that modules assembled from texts are given to."""

ASSEMBLE = ("assemble", "FILE", "-o", "OUT", "--target", "TARGET", "--max-memory", str(2 << 30))
"""How such a module is made."""
