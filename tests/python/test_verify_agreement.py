"""A sample of damaged files: `mlirbc verify` refuses what the reader of `mlir-opt` refuses.

`scripts/verify-agreement` compares more of them; `docs/explanation/design.md` explains what is left.
"""

from collections.abc import Callable

import mlirbc
import pytest

from support import damage, oracles, verify_agreement
from support.assembler import Blob, Block, Entry, File, Op, Region, Resource, ResourceGroup, varints
from support.verify_agreement import ACCEPTS, CRASHES, REJECTS, Damaged

SEED = 20
EACH = 4

# Not refused and not checked: texts of dialects, entries and resources of dialects without a table, operations of  # noqa: E501
# the test dialect.
NOT_CHECKED = 6


def verdict(data: bytes) -> str:
    try:
        mlirbc.read(data).verify()
    except mlirbc.Error:
        return REJECTS
    return ACCEPTS


@pytest.mark.parametrize("release", oracles.RELEASES)
def test_damaged_files_are_refused_where_the_reader_refuses_them(release: int) -> None:
    oracles.require(release)
    differing: list[str] = []
    for sample in verify_agreement.samples(release, SEED, EACH, list(damage.KINDS)):
        status, words = verify_agreement.ask(sample)
        theirs, ours = verify_agreement.judge(status, words, release), verdict(sample.data)
        if CRASHES != theirs != ours:
            differing.append(f"{ours}: {sample.kind} {sample.source} {sample.digest}: {words[:200]}")
    assert not [line for line in differing if line.startswith(REJECTS)], differing
    assert len(differing) <= NOT_CHECKED, differing


def test_a_seed_names_its_files() -> None:
    def digests() -> list[str]:
        return [
            sample.digest for sample in verify_agreement.samples(22, SEED, 1, ["number", "property blob"])
        ]

    assert digests() == digests()
    assert len(digests()) == 2


@pytest.mark.parametrize("kind", damage.KINDS)
def test_every_kind_damages_some_file(kind: str) -> None:
    assert any(True for _ in verify_agreement.samples(22, SEED, 1, [kind]))


def test_a_file_that_is_taken_apart_is_put_together_again() -> None:
    for path in verify_agreement.corpus_files(22):
        data = path.read_bytes()
        assert damage.File(data).encode() == data


# A file for each rule, made by hand.

GOOD = varints(0, 3, 0, 0, 1, 0)
"""`arg_attrs`, `function_type`, `no_inline`, `res_attrs`, `sym_name`, `sym_visibility` of `func.func` in LLVM 22."""  # noqa: E501


class OneFunctionModule:
    """A module with one function, in whose tables a test changes one thing."""

    def __init__(self, producer: bytes = b"MLIR22.1.8") -> None:
        self.file = file = File(version=6, producer=producer)
        self.location = file.attribute(varints(15))
        self.name = file.attribute(varints(2, file.string("name")))
        self.unit = file.attribute(varints(7))
        self.i32 = file.type(varints(0, 32 << 2))
        self.type = file.attribute(varints(6, self.i32))
        self.blob = GOOD
        self.module_blob = varints(0, 0)
        self.attributes: int | None = None
        self.ops: list[Op] = []

    def value(self, attribute: int) -> None:
        """Puts an attribute into the dictionary of the module."""
        self.attributes = self.file.attribute(varints(1, 1, self.name, attribute))

    def op(self, name: str, blob: bytes, registered: bool = True) -> None:
        number, properties = self.file.op_name(name, registered), self.file.property(blob)
        self.ops.append(Op(number, self.location, properties=properties))

    def encode(self) -> bytes:
        top = self.file.op_name("builtin.module", True)
        function, blob = self.file.op_name("func.func", True), self.file.property(self.blob)
        inner = Op(function, self.location, properties=blob, regions=[Region()])
        region = Region([Block([inner, *self.ops])])
        module_blob = self.file.property(self.module_blob)
        self.file.top.append(Op(top, self.location, self.attributes, module_blob, regions=[region]))
        return self.file.encode().data


def blob(data: bytes) -> Callable[[OneFunctionModule], None]:
    return lambda sample: setattr(sample, "blob", data)


def dictionary(sample: OneFunctionModule) -> None:
    sample.attributes = sample.name


def text_dictionary(sample: OneFunctionModule) -> None:
    sample.attributes = sample.file.attribute("#arith.fastmath<none>", "arith")


def text_without_end(sample: OneFunctionModule) -> None:
    sample.value(
        sample.file._entry(sample.file.entries.attributes, "arith", Entry(b"#arith.fastmath<none>", False))
    )


def entry(data: bytes, dialect: str = "builtin") -> Callable[[OneFunctionModule], None]:
    return lambda sample: sample.value(sample.file.attribute(data, dialect))


def known_call(sample: OneFunctionModule) -> None:
    symbol = sample.file.attribute(varints(4, sample.name))
    sample.op("func.call", varints(0, symbol, 0, 0), registered=False)


def no_resources(sample: OneFunctionModule) -> None:
    owner = sample.file.dialect("func")
    resource = Resource(sample.file.string("key"), Blob(b"12345678"))
    sample.file.resources.dialects.append(ResourceGroup(owner, [resource]))


REFUSED: dict[str, tuple[Callable[[OneFunctionModule], None], str]] = {
    "a blob that ends early": (blob(GOOD[:-1]), "read.truncated|read.property.blob"),
    "a string in place of a type": (blob(varints(0, 1, 0, 0, 1, 0)), "read.property.blob"),
    "an attribute past the end": (blob(varints(0, 60, 0, 0, 1, 0)), "read.property.blob|read.index"),
    "an optional attribute past the end": (
        blob(varints(121, 3, 0, 0, 1, 0)),
        "read.property.blob|read.index",
    ),
    "properties of an op without any": (
        lambda sample: sample.op("ub.unreachable", b"\1"),
        "read.property.blob",
    ),
    "an unknown op's attribute past the end": (
        lambda sample: sample.op("x.y", varints(60), registered=False),
        "read.index",
    ),
    "a string in place of a dictionary": (dictionary, "read.entry.class"),
    "text of a dialect in place of a dictionary": (text_dictionary, "read.entry.class"),
    "a text without its end": (text_without_end, "read.string.unterminated"),
    "an entry that is too long": (entry(varints(7, 0)), "read.entry.trailing_bytes"),
    "a type past the end": (entry(varints(6, 60)), "read.index"),
    "a code that the release does not have": (entry(varints(24)), "read.entry.unknown_code"),
    "a code of a dialect without any": (entry(varints(0), "func"), "read.entry.unknown_code"),
    "a float of an integer type": (entry(varints(9, 0, 0)), "read.entry.class"),
    "elements without a shape": (entry(varints(18, 0, 0)), "read.entry.class"),
    "resources of a dialect that takes none": (no_resources, "read.resource.kind"),
}
"""By case: the change, and identifiers of the error, of which any may come."""

ACCEPTED: dict[str, Callable[[OneFunctionModule], None]] = {
    "nothing changed": lambda sample: None,
    "bytes left over in a blob": blob(GOOD + b"\1\1"),
    "an entry that nothing refers to": lambda sample: void(sample.file.attribute(varints(24))),
    "an unknown op with an attribute": lambda sample: sample.op("x.y", varints(1), registered=False),
    "a known op that its writer did not know": known_call,
}


def void(_: object) -> None:
    """Drops a value."""


def file_with(change: Callable[[OneFunctionModule], None]) -> bytes:
    module = OneFunctionModule()
    change(module)
    return module.encode()


def ask(data: bytes) -> tuple[str, str]:
    sample = Damaged(22, "by hand", "", data)
    status, words = verify_agreement.ask(sample)
    return verify_agreement.judge(status, words, 22), words


@pytest.mark.parametrize("name", REFUSED)
def test_what_the_reader_refuses_is_refused_with_its_place(name: str) -> None:
    change, identifiers = REFUSED[name]
    with pytest.raises(mlirbc.ReadError) as caught:
        mlirbc.read(file_with(change)).verify()
    assert caught.value.identifier.removeprefix("mlirbc.") in identifiers.split("|"), caught.value
    assert caught.value.offset is not None and caught.value.section is not None


@pytest.mark.parametrize("name", ACCEPTED)
def test_what_the_reader_takes_is_taken(name: str) -> None:
    mlirbc.read(file_with(ACCEPTED[name])).verify()


@pytest.mark.parametrize("name", [*REFUSED, *ACCEPTED])
def test_mlir_opt_agrees(name: str) -> None:
    oracles.require(22)
    theirs, words = ask(file_with(REFUSED[name][0] if name in REFUSED else ACCEPTED[name]))
    assert theirs == (REJECTS if name in REFUSED else ACCEPTS), words


@pytest.mark.parametrize("producer", [b"MLIR24.0.0git", b"mine"])
def test_what_another_writer_means_is_not_refused(producer: bytes) -> None:
    module = OneFunctionModule(producer)
    module.blob = GOOD[:-1]
    module.value(module.file.attribute(varints(0), "func"))
    mlirbc.read(module.encode()).verify()
