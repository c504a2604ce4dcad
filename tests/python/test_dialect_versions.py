"""Dialect versions that a written file cannot have: what depends on them is encoded again, or reported.

At version 1.2 of the test dialect the two numbers of `#test.attr_params` are in the other order, and a reader
without a version takes the newest one (`TestDialectInterfaces.cpp`).
"""

import random
from typing import Any

import mlirbc
import oracles
import pytest

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


def made(seed: int) -> str:
    """A module whose attributes hold entries of the test dialect, at any depth."""
    chance = random.Random(seed)

    def attribute(depth: int) -> str:
        own = f"#test.attr_params<{chance.randrange(300)}, {chance.randrange(300)}>"
        kind = chance.randrange(6) if depth < 3 else 0
        match kind:
            case 1:
                return f"[{', '.join(attribute(depth + 1) for _ in range(3))}]"
            case 2:
                return f"{{a = {attribute(depth + 1)}, b = {attribute(depth + 1)}}}"
            case 3:
                return f"dense<{chance.randrange(9)}> : tensor<4xi8>"
            case _:
                return own

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
        # Its operations may read as something else then: what they read as is the original here.
        assert mlirbc.versions.set_dialect_version(edited, "test", dialect, keep_opaque=True)
    return edited.write()


@pytest.mark.parametrize("dialect", [(1, 2), (2, 0)])
@pytest.mark.parametrize("seed", range(6))
def test_contents_stay_or_the_loss_is_reported(seed: int, dialect: tuple[int, int]) -> None:
    oracles.require(22)
    source = 1 + seed % 6
    data = at(made(seed), source, dialect)
    module, before = mlirbc.read(data), printed(data)
    written = 0
    for way in WAYS:
        try:
            new = module.write(**way)
        except mlirbc.UnsupportedError as error:
            assert "version of the dialect test" in str(error) or "unknown layout" in str(error)
            continue
        written += 1
        assert printed(new) == before, way
        assert str(mlirbc.read(new)) == str(module), way
    # From version 5 on the operation of that dialect has properties that only its dialect can read.
    assert written >= (0 if b"versionedB" in before and source >= 5 else 5)


def test_a_version_that_operations_may_depend_on_is_reported() -> None:
    oracles.require(22)
    module = mlirbc.read(at(VERSIONED, 4, (1, 2)))
    with pytest.raises(
        mlirbc.UnsupportedError, match=r"version of the dialect test.*version 1 could hold it"
    ):
        module.write(version=0)
    with pytest.raises(
        mlirbc.UnsupportedError, match="version of the dialect test, which the target does not"
    ):
        module.write(target="any")
    with pytest.warns(UserWarning, match="left out: 1: version of the dialect test"):
        without = module.write(version=0, drop_unsupported=True)
    assert printed(without) == printed(module.write())
    # The newest one is what a reader takes who is given none.
    module = mlirbc.read(at(VERSIONED, 4, (2, 0)))
    assert printed(module.write(version=0)) == printed(module.write())


def test_a_version_of_an_unknown_dialect_is_reported() -> None:
    oracles.require(22)
    data = oracles.checked(oracles.run_mlir_opt(22, oracles.emit_args(22, 4), '"foo.op"() : () -> ()\n'))
    edited = mlirbc.read(data).edit()
    mlirbc.versions.set_dialect_version(edited, "foo", b"\x03")
    module = mlirbc.read(edited.write())
    with pytest.raises(mlirbc.UnsupportedError, match="1: version of the dialect foo"):
        module.write(version=0)
    assert mlirbc.versions.dialect_version(mlirbc.read(module.write(version=1)), "foo") is not None
    with pytest.warns(UserWarning, match="left out: 1: version of the dialect foo"):
        assert b"foo.op" in printed(module.write(version=0, drop_unsupported=True))
