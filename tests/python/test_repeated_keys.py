"""Resources of one key in a file: MLIR renames the later ones, and none may take the place of another."""

import mlirbc
import pytest

from support import oracles

KEYS = ["aaaa", "bbbb", "cccc", "dddddd", "eeee"]
OPS = "".join(f'"t.op"() {{v = dense_resource<{key}> : tensor<1xi8>}} : () -> ()\n' for key in KEYS)
DATA = ", ".join(f'{key}: "0x010000000{number}"' for number, key in enumerate(KEYS, 1))
TEXT = f"module {{\n{OPS}}}\n{{-# dialect_resources: {{ builtin: {{ {DATA} }} }} #-}}\n"
# By case: strings of the file, and their replacements of equal length.
CASES = {
    "twice": {"bbbb": "aaaa"},
    "three times": {"bbbb": "aaaa", "cccc": "aaaa"},
    "a name that is taken": {"bbbb": "aaaa", "dddddd": "aaaa_1"},
    "all of it": {"bbbb": "aaaa", "cccc": "aaaa", "dddddd": "aaaa_1", "eeee": "aaaa"},
    "the taken name first": {"aaaa": "zzzz", "bbbb": "aaaa", "dddddd": "aaaa_1", "eeee": "aaaa"},
}


def file(release: int, case: str) -> bytes:
    oracles.require(release)
    args = ["--allow-unregistered-dialect", "--emit-bytecode"]
    data = oracles.checked(oracles.run_mlir_opt(release, args, TEXT))
    for old, new in CASES[case].items():
        data = data.replace(b"\0" + old.encode() + b"\0", b"\0" + new.encode() + b"\0")
    return data


def contents(module: mlirbc.Module) -> list[int]:
    """The content of each operation's attribute."""
    values = (op.attributes["v"] for op in module.body.operations)
    return [int(mlirbc.DenseResourceElementsAttr(value).to_numpy()[0]) for value in values]


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("release", [19, 22])
def test_keys_and_bytes_are_those_of_mlir(release: int, case: str) -> None:
    data = file(release, case)
    module = mlirbc.read(data)
    generic = ["--allow-unregistered-dialect", "--mlir-print-op-generic"]
    theirs = oracles.checked(oracles.run_mlir_opt(release, generic, data)).decode()
    assert module.get_asm(print_generic_op_form=True) == theirs.removesuffix("\n")
    emit = ["--allow-unregistered-dialect", "--emit-bytecode"]
    assert module.write(numbering="canonical") == oracles.checked(oracles.run_mlir_opt(release, emit, data))
    keys = [resource.key for resource in module.resources.values()]
    assert len(set(keys)) == len(keys)


@pytest.mark.parametrize("case", CASES)
def test_each_attribute_keeps_its_content(case: str) -> None:
    module = mlirbc.read(file(22, case))
    assert contents(module) == [1, 2, 3, 4, 5]
    for way in ({"numbering": "canonical"}, {"version": 4}, {"target": "llvm-19"}, {"target": "any"}):
        assert contents(mlirbc.read(module.write(**way))) == [1, 2, 3, 4, 5]  # type: ignore[arg-type]
    edited = module.edit()
    edited.body.operations[0].location = mlirbc.Attribute.parse('loc("edited")')
    for way in ({}, {"numbering": "canonical"}):
        assert contents(mlirbc.read(edited.write(**way))) == [1, 2, 3, 4, 5]  # type: ignore[arg-type]
