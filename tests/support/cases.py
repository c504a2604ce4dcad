"""Hostile cases: a valid file, one deviation from it, and the expected verdicts."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from support.assembler import Argument, Block, Encoded, File, Op, Region, varints

REJECTS, ACCEPTS, UNSAFE = "rejects", "accepts", "unsafe"
"""The verdict of upstream's reader. Unsafe files crash it, hang it or eat all the memory: never run those."""

Where = str | tuple[str, ...]


@dataclass
class Base:
    """A valid file, and its parts by name."""

    file: File
    module: Op
    region: Region
    block: Block
    two_results: Op
    """An op with two results."""
    nested: Op
    """An op with one region, not isolated, with one block with one argument."""
    inner: Block
    used: Op
    """In `inner`: uses a result of `two_results` and the argument."""
    branch: Op
    """In the second block; its successor is that block."""
    indices: dict[str, int]
    """The indices of attributes, types and op names."""

    def attribute_of(self, payload: bytes | str, dialect: str = "builtin") -> int:
        """Adds an attribute that `two_results` carries in its dictionary, so that readers look at it."""
        index = self.file.attribute(payload, dialect, mark="payload")
        self.carry(index)
        return index

    def module_of_file(self) -> Op:
        """The op at the top; `module` is the isolated one in it that has all the rest."""
        return self.file.top[0]

    def carry(self, index: int) -> None:
        dictionary = self.file.attribute(varints(1, 1, self.indices["k"], index))
        self.two_results.attributes = dictionary

    def type_of(self, payload: bytes | str, dialect: str = "builtin") -> int:
        """Adds a type and gives it to the second result of `two_results`."""
        index = self.file.type(payload, dialect, mark="payload")
        self.two_results.results = [self.indices["i8"], index]
        return index


def base(version: int = 6) -> Base:
    file = File(version=version, producer=b"hostile")
    module = file.op_name("builtin.module", registered=version >= 5)
    op_with_results, nested, used, branch = (
        file.op_name(f"t.{n}") for n in ("made", "nested", "used", "branch")
    )
    unknown = file.attribute(varints(15))
    text = file.attribute(varints(2, file.string("here")))
    place = file.attribute(varints(11, text, 3, 14))
    key = file.attribute(varints(2, file.string("k")))
    i8, i32 = file.type(varints(0, 8 << 2)), file.type(varints(0, 32 << 2))
    five = file.attribute(varints(8, i8) + b"\x05")
    dictionary = file.attribute(varints(1, 1, key, five))
    blob = file.property(b"\x01\x01") if version >= 5 else None

    use = Op(used, place, operands=[0, 2])
    inner = Block([use], [Argument(i8)])
    make = Op(op_with_results, place, dictionary, results=[i8, i32])
    nest = Op(nested, regions=[Region([inner])])
    jump = Op(branch, successors=[1])
    block = Block([make, nest])
    region = Region([block, Block([jump])])
    # The regions of a module have one block, but an unregistered op has regions with any number of blocks.
    function = file.op_name("t.function")
    root = Op(function, regions=[region], isolated=True)
    top = Op(module, properties=blob, regions=[Region([Block([root])])], isolated=True)
    file.top.append(top)
    indices = {
        "unknown": unknown,
        "here": text,
        "place": place,
        "k": key,
        "five": five,
        "dictionary": dictionary,
        "i8": i8,
        "i32": i32,
        "used": used,
        "made": op_with_results,
        "function": function,
    }
    return Base(file, root, region, block, make, nest, inner, use, jump, indices)


@dataclass(frozen=True)
class Case:
    name: str
    rule: str
    """The rule's name in the format reference, or a word for it."""
    build: Callable[[], Encoded]
    identifier: str | None
    """The identifier of the error, without the prefix `mlirbc.`; None where the file must be accepted."""
    or_identifiers: tuple[str, ...] = ()
    or_accepted: bool = False
    """Both verdicts are fine as long as there is one: for numbers that are only hints."""
    error: str = "ReadError"
    where: tuple[str, ...] = ("bad",)
    """Marks; the error's offset lies in the range that spans them all, its end included."""
    sections: tuple[str | None, ...] = ()
    """Acceptable names of the section the error is reported in; empty if any will do."""
    expects: str = ""
    """A word that the error's `expected` must have."""
    limits: Mapping[str, int] = field(default_factory=dict)
    upstream: str = REJECTS
    says: str = ""
    """A text in upstream's complaint, so that it is known to be about this rule."""
    differs: str = ""
    """Why our verdict is not upstream's."""

    @property
    def span(self) -> tuple[int, int]:
        marks = self.build().marks
        spans = [marks[name] for name in self.where]
        return min(first for first, _ in spans), max(last for _, last in spans)


CASES: dict[str, Case] = {}

Change = Callable[[Base], Encoded | bytes | None]
Decorator = Callable[[Change], Change]


def _register(case: Case) -> None:
    if case.name in CASES:
        raise ValueError(f"two cases are named {case.name}")
    CASES[case.name] = case


def _builder(change: Change, version: int) -> Callable[[], Encoded]:
    def build() -> Encoded:
        start = base(version)
        changed = change(start)
        if isinstance(changed, bytes):
            return Encoded(changed, {"file": (0, len(changed))})
        return changed if changed is not None else start.file.encode()

    return build


def rejected(
    name: str,
    rule: str,
    identifier: str,
    *,
    where: Where = "bad",
    section: str | tuple[str | None, ...] | None = (),
    version: int = 6,
    error: str = "ReadError",
    also: tuple[str, ...] = (),
    or_accepted: bool = False,
    expects: str = "",
    limits: Mapping[str, int] | None = None,
    upstream: str = REJECTS,
    says: str = "",
    differs: str = "",
) -> Decorator:
    """The decorated change makes the base file one to be rejected."""

    def decorate(change: Change) -> Change:
        _register(
            Case(
                name,
                rule,
                _builder(change, version),
                identifier,
                also,
                or_accepted,
                error,
                (where,) if isinstance(where, str) else where,
                section if isinstance(section, tuple) else (section,),
                expects,
                limits or {},
                upstream,
                says,
                differs,
            )
        )
        return change

    return decorate


def accepted(
    name: str, rule: str, *, version: int = 6, upstream: str = ACCEPTS, says: str = "", differs: str = ""
) -> Decorator:
    """The decorated change makes a file that MLIR does not write, and that must be read nevertheless."""

    def decorate(change: Change) -> Change:
        build = _builder(change, version)
        _register(Case(name, rule, build, None, upstream=upstream, says=says, differs=differs))
        return change

    return decorate
