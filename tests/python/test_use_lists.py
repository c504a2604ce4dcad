"""Use-list orders as MLIR reads them: meaningless orders are not written, and wrong ones are refused."""

import itertools
import random
from collections.abc import Iterator, Sequence
from pathlib import Path

import mlirbc
import pytest

from support import oracles
from support.assembler import Block, File, Op, Region, UseList, varints
from support.sampling import sample

RELEASE = 22


def module(results: int, uses: int, orders: Sequence[UseList], producer: str) -> bytes:
    """An op with results, the first of which has the given number of uses."""
    file = File(version=4, producer=producer.encode())
    top, define, use = (file.op_name(name) for name in ("builtin.module", "t.def", "t.use"))
    location = file.attribute(varints(15))
    i8 = file.type(varints(0, 8 << 2))
    ops = [Op(define, location, results=[i8] * results, use_lists=orders)]
    ops += [Op(use, location, operands=[0]) for _ in range(uses)]
    file.top.append(Op(top, location, regions=[Region([Block(ops)])], isolated=True))
    return file.encode().data


def orders(uses: int) -> Iterator[tuple[tuple[int, ...], bool]]:
    """Permutations of the uses, and lists that are no permutations."""
    for order in itertools.permutations(range(uses)):
        yield order, False
    yield (*range(uses), 0), False
    yield (0,) * uses, False
    yield (*range(1, uses), uses + 1), False
    yield (), True
    yield (0,), True
    if uses > 1:
        yield (0, 1, 1, 0), True
        yield (0, 1), True
    # An order for the second of two results, which nobody uses.
    yield tuple(reversed(range(max(uses, 2)))), False


def cases() -> list[tuple[int, int, tuple[UseList, ...]]]:
    all_cases: list[tuple[int, int, tuple[UseList, ...]]] = []
    for uses in range(4):
        for order, pairs in orders(uses):
            all_cases.append((1, uses, (UseList(order, pairs=pairs),)))
            all_cases.append((2, uses, (UseList(order, 0, pairs),)))
            all_cases.append((2, uses, (UseList(order, 1, pairs),)))
            all_cases.append((2, uses, (UseList(order, 7, pairs),)))
    back = tuple(reversed(range(3)))
    all_cases.append((2, 3, (UseList(back, 0), UseList((0, 1, 2), 0))))
    all_cases.append((2, 3, (UseList((0, 1, 2), 0), UseList(back, 0))))
    all_cases.append((2, 3, (UseList((1, 0), 1), UseList(back, 0))))
    return all_cases


def shown(case: tuple[int, int, tuple[UseList, ...]]) -> str:
    results, uses, lists = case
    return f"{results}-{uses}-" + "+".join(
        f"{use_list.value}{'p' * use_list.pairs}{list(use_list.order)}" for use_list in lists
    )


@pytest.mark.parametrize("case", cases(), ids=shown)
def test_orders_are_written_as_the_release_writes_what_it_read(
    case: tuple[int, int, tuple[UseList, ...]],
) -> None:
    oracles.require(RELEASE)
    data = module(*case, producer="MLIR22.1.8")
    expected = oracles.run_mlir_opt(RELEASE, oracles.emit_args(RELEASE, 4), data)
    if expected.status == 0:
        assert mlirbc.read(data).write(numbering="canonical") == expected.stdout
        return
    # MLIR says no more than where the file begins.
    with pytest.raises(mlirbc.Error) as error:
        mlirbc.read(data).write(numbering="canonical")
    assert error.value.identifier == "mlirbc.read.use_list" and error.value.offset
    with pytest.raises(mlirbc.Error):
        mlirbc.read(data).verify()


def test_some_orders_are_refused_and_most_are_not() -> None:
    """Else the test above would compare nothing."""
    oracles.require(RELEASE)
    statuses = [
        oracles.run_mlir_opt(
            RELEASE, oracles.emit_args(RELEASE, 4), module(*case, producer="MLIR22.1.8")
        ).status
        for case in sample(cases(), 3, shown)
    ]
    assert 3 < sum(status != 0 for status in statuses) < len(statuses) / 2


ORDERED = sorted((Path(__file__).parents[1] / "data/bytecode").glob("llvm-*/v[3-6]/uses_*.mlirbc"))
Uses = list[list[tuple[int, int]]]


def uses(module: mlirbc.Module) -> Uses:
    """For each value in turn, the operations that use it, by number, and as which operand."""
    ops = list(walked(module.operation))
    numbers = {op: number for number, op in enumerate(ops)}
    values = [value for op in ops for value in op.results]
    for op in ops:
        for region in op.regions:
            values.extend(value for block in region.blocks for value in block.arguments)
    return [[(numbers[use.owner], use.operand_number) for use in value.uses] for value in values]


def walked(op: mlirbc.Operation) -> Iterator[mlirbc.Operation]:
    yield op
    for region in op.regions:
        for block in region.blocks:
            for inner in block.operations:
                yield from walked(inner)


def edited_again(module: mlirbc.Module, chance: random.Random) -> mlirbc.Module:
    """The module with other attributes, and operations that use nothing, written by the product."""
    edited = module.edit()
    blocks = [edited.body]
    for block in blocks:
        for op in list(block):
            blocks += [inner for region in op.regions for inner in region.blocks]
            if chance.random() < 0.5:
                number = mlirbc.Attribute.parse(f"{chance.randrange(9)} : i8")
                op.attributes[f"x.a{chance.randrange(3)}"] = number
            if chance.random() < 0.3:
                place = mlirbc.edit.InsertionPoint(op)
                mlirbc.edit.Operation.create("x.new", results=[mlirbc.Type.parse("i8")], ip=place)
    numbering = chance.choice(["canonical", None])
    return mlirbc.read(edited.write(numbering=numbering))


@pytest.mark.parametrize("path", ORDERED, ids=lambda path: "-".join(path.parts[-3:]))
def test_orders_of_edited_modules_stay_across_versions_and_releases(path: Path) -> None:
    for seed in range(6):
        chance = random.Random(f"{path.name} {seed}")
        module = edited_again(mlirbc.open(path), chance)
        text, source_version = str(module), module.bytecode.version
        # MLIR applies an order that is not its own inverse the other way round: each writing changes it
        # (docs/reference/format-notes.md). All ways of writing must change it alike, and as MLIR does.
        once = mlirbc.read(module.write(numbering="canonical"))
        twice = mlirbc.read(once.write(numbering="canonical"))
        for version in range(7):
            if version < 3:
                with pytest.raises(mlirbc.UnsupportedError, match="use-list order"):
                    module.write(version=version)
                continue
            between = mlirbc.read(module.write(version=version, numbering="canonical"))
            assert uses(between) == uses(once), version
            back = mlirbc.read(between.write(version=source_version, numbering="canonical"))
            assert uses(back) == uses(twice) and str(back) == text, version
        for target in ("llvm-19", "llvm-22"):
            between = mlirbc.read(module.write(target=target, numbering="canonical"))
            assert uses(between) == uses(once), target
            back = mlirbc.read(between.write(target=module.release.name, numbering="canonical"))
            assert uses(back) == uses(twice), target
        release = int(str(module.release.name).rpartition("-")[2])
        oracles.require(release)
        args = oracles.emit_args(release, source_version)
        theirs = oracles.checked(oracles.run_mlir_opt(release, args, module.write()))
        assert uses(mlirbc.read(theirs)) == uses(once)
