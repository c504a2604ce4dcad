"""Dialect versions that a written file cannot have: what depends on them is encoded again, or reported.

At version 1.2 of the test dialect the two numbers of `#test.attr_params` are in the other order, and a reader
without a version takes the newest one (`TestDialectInterfaces.cpp`).
"""

import random
from typing import Any

import mlirbc
import pytest

from support import oracles
from support.assembler import Block, Dialect, Entry, EntryGroup, File, Op, Region, varints
from support.printing import generic

ALLOW = "--allow-unregistered-dialect"
PRINT = [ALLOW, "--mlir-print-op-generic", "--mlir-print-debuginfo", "--mlir-print-local-scope"]
WAYS: list[dict[str, Any]] = [
    *({"version": version} for version in range(7)),
    *(
        {"target": target}
        for target in ("any", "llvm-16", "llvm-19", "llvm-22", "jaxlib-0.10", "iree-3.13", "stablehlo-1.20")
    ),
    {"numbering": "canonical"},
    {"strip_resources": True},
]
VERSIONED = '"test.versionedB"() <{attribute = #test.attr_params<42, 24>}> : () -> ()\n'


def random_module(seed: int) -> str:
    """A module whose attributes hold entries of the test dialect, at any depth."""
    chance = random.Random(seed)

    def attribute(depth: int) -> str:
        leaf = f"#test.attr_params<{chance.randrange(300)}, {chance.randrange(300)}>"
        kind = chance.randrange(6) if depth < 3 else 0
        match kind:
            case 1:
                return f"[{', '.join(attribute(depth + 1) for _ in range(3))}]"
            case 2:
                return f"{{a = {attribute(depth + 1)}, b = {attribute(depth + 1)}}}"
            case 3:
                return f"dense<{chance.randrange(9)}> : tensor<4xi8>"
            case _:
                return leaf

    ops = []
    for number in range(chance.randrange(1, 5)):
        location = f'loc(fused<{attribute(2)}>["f"])' if chance.random() < 0.3 else "loc(unknown)"
        ops.append(f'"foo.op{number}"() {{a = {attribute(0)}}} : () -> () {location}')
    if chance.random() < 0.3:
        ops.append(VERSIONED)
    attributes = f"test.a = {attribute(0)}"
    return f"module attributes {{{attributes}}} {{\n{chr(10).join(ops)}\n}}\n"


def printed(data: bytes) -> bytes:
    return oracles.checked(oracles.run_mlir_opt(22, PRINT, data))


def at(text: str, version: int, dialect: tuple[int, int]) -> bytes:
    """Bytecode of a version, with a version of the test dialect if it can have one."""
    data = oracles.checked(oracles.run_mlir_opt(22, oracles.emit_args(22, version), text))
    edited = mlirbc.read(data).edit()
    if version > 0:
        # Its operations may be read differently then; that reading is the original here.
        assert mlirbc.versions.set_dialect_version(edited, "test", dialect, keep_opaque=True)
    return edited.write()


@pytest.mark.parametrize("dialect", [(1, 2), (2, 0)])
@pytest.mark.parametrize("seed", range(6))
def test_contents_stay_or_the_loss_is_reported(seed: int, dialect: tuple[int, int]) -> None:
    oracles.require(22)
    source = 1 + seed % 6
    data = at(random_module(seed), source, dialect)
    module, before = mlirbc.read(data), printed(data)
    written = 0
    for way in WAYS:
        try:
            new = module.write(**way)
        except mlirbc.UnsupportedError as error:
            reasons = ("version of dialect test", "layout of the properties is unknown", "does not have the")
            assert any(reason in str(error) for reason in reasons), error
            continue
        written += 1
        assert printed(new) == before, way
        assert generic(mlirbc.read(new)) == generic(module), way
    # From version 5 on the operation of that dialect has properties that only its dialect can read.
    assert written >= (0 if b"versionedB" in before and source >= 5 else 5)


def test_a_version_that_operations_may_depend_on_is_reported() -> None:
    oracles.require(22)
    module = mlirbc.read(at(VERSIONED, 4, (1, 2)))
    with pytest.raises(
        mlirbc.UnsupportedError, match=r"version of dialect test.*needs bytecode version 1 or later"
    ):
        module.write(version=0)
    with pytest.raises(mlirbc.UnsupportedError, match="the target does not read a version of dialect test"):
        module.write(target="any")
    with pytest.warns(UserWarning, match="left out: the version of dialect test"):
        without = module.write(version=0, drop_unsupported=True)
    assert printed(without) == printed(module.write())
    # A reader without a version takes the newest one.
    module = mlirbc.read(at(VERSIONED, 4, (2, 0)))
    assert printed(module.write(version=0)) == printed(module.write())


def test_a_version_of_an_unknown_dialect_is_reported() -> None:
    oracles.require(22)
    data = oracles.checked(oracles.run_mlir_opt(22, oracles.emit_args(22, 4), '"foo.op"() : () -> ()\n'))
    edited = mlirbc.read(data).edit()
    mlirbc.versions.set_dialect_version(edited, "foo", b"\x03")
    module = mlirbc.read(edited.write())
    with pytest.raises(mlirbc.UnsupportedError, match="the version of dialect foo"):
        module.write(version=0)
    assert mlirbc.versions.dialect_version(mlirbc.read(module.write(version=1)), "foo") is not None
    with pytest.warns(UserWarning, match="left out: the version of dialect foo"):
        assert b"foo.op" in printed(module.write(version=0, drop_unsupported=True))


def twice(first: bytes | None, last: bytes | None, op: bool, version: int = 6) -> bytes:
    """A file with two dialects called `test`, each with an attribute, and maybe an operation of the first."""
    file = File(version=version, producer=b"MLIR22.1.8")
    file.dialect("builtin")
    file.location = file.attribute(varints(15))
    name = file.string("test")
    file.dialects.dialects += [Dialect(name, first), Dialect(name, last)]
    file.entries.attributes += [EntryGroup(row, [Entry(varints(0, 42, 24))]) for row in (1, 2)]
    names = [file.attribute(varints(2, file.string(f"foo.{letter}"))) for letter in "ab"]
    dictionary = file.attribute(varints(1, 2, names[0], 1, names[1], 2))
    ops = [Op(file.op_name("test.op"))] if op else []
    top = file.op_name("builtin.module", registered=True)
    file.top.append(Op(top, attributes=dictionary, regions=[Region([Block(ops)])], isolated=True))
    return file.encode().data


OLD, NEW = varints(1, 2), varints(2, 0)


@pytest.mark.parametrize("version", [1, 4, 6])
@pytest.mark.parametrize(("first", "last"), [(OLD, NEW), (NEW, OLD), (OLD, None), (None, OLD)])
def test_of_two_versions_of_a_dialect_the_last_counts(
    version: int, first: bytes | None, last: bytes | None
) -> None:
    oracles.require(22)
    data = twice(first, last, op=False, version=version)
    values = ["#test.attr_params<24, 42>" if last == OLD else "#test.attr_params<42, 24>"] * 2
    module = mlirbc.read(data)
    assert [str(value) for value in module.operation.attributes.values()] == values
    expected = None if last is None else (1, 2) if last == OLD else (2, 0)
    assert mlirbc.versions.dialect_version(module, "test") == expected
    assert mlirbc.versions.dialect_versions(module) == ({} if expected is None else {"test": expected})
    before = printed(data)
    assert all(value.encode() in before for value in values)
    for way in WAYS:
        new = module.write(**way)
        assert printed(new) == before, way
        assert [str(value) for value in mlirbc.read(new).operation.attributes.values()] == values, way
    edited = module.edit()
    assert mlirbc.versions.set_dialect_version(edited, "test", (2, 0))
    assert printed(edited.write()) == before
    assert mlirbc.versions.dialect_version(mlirbc.read(edited.write()), "test") == (2, 0)


def test_a_second_version_is_reported_where_operations_may_depend_on_it() -> None:
    """MLIR upgrades operations from each of the two; a file that is written anew has one."""
    module = mlirbc.read(twice(OLD, NEW, op=True))
    with pytest.raises(mlirbc.UnsupportedError, match="dialect test has two versions in the file") as caught:
        module.write(numbering="canonical")
    assert [(loss.kind, loss.name) for loss in caught.value.losses] == [("second_dialect_version", "test")]
    # Entries are reused, and both versions with them.
    assert module.write() == twice(OLD, NEW, op=True)
    assert mlirbc.read(twice(NEW, NEW, op=True)).write(numbering="canonical")
