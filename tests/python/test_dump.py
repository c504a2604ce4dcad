"""`mlirbc.dump`, `mlirbc.tools.size`, and the offsets of operations, attributes and types."""

from pathlib import Path

import mlirbc
import pytest

EXAMPLE = Path("examples/two_layers.mlirbc")


def test_each_byte_is_in_one_field() -> None:
    rows = [row for row in mlirbc.dump(EXAMPLE) if row.kind == "field"]
    data = EXAMPLE.read_bytes()
    assert b"".join(data[row.offset : row.offset + row.size] for row in rows) == data
    assert all(row.data == data[row.offset : row.offset + min(row.size, 8)] for row in rows)


def test_paths_and_buffers_are_the_same() -> None:
    rows = mlirbc.dump(EXAMPLE)
    assert rows == mlirbc.dump(str(EXAMPLE)) == mlirbc.dump(EXAMPLE.read_bytes())
    assert rows == mlirbc.dump(bytearray(EXAMPLE.read_bytes()))


def test_offsets_are_those_of_the_groups() -> None:
    module = mlirbc.open(EXAMPLE)
    groups = {row.name: row.offset for row in mlirbc.dump(EXAMPLE) if row.kind == "group"}
    for index, attribute in enumerate(module.attributes):
        names = [name for name in groups if name.startswith(f"attribute {index} ")]
        assert attribute.offset == groups[names[0]]
    for index, type_ in enumerate(module.types):
        names = [name for name in groups if name.startswith(f"type {index} ")]
        assert type_.offset == groups[names[0]]
    starts = [row.offset for row in mlirbc.dump(EXAMPLE) if row.name.startswith("operation ")]
    offsets: list[int] = []
    module.walk(lambda op: offsets.append(op.offset), mlirbc.WalkOrder.PRE_ORDER)
    assert offsets == starts


def test_a_fault_is_a_row() -> None:
    rows = mlirbc.dump("tests/data/hostile/index.type_of_a_result.mlirbc")
    (fault,) = [row for row in rows if row.kind == "fault"]
    with pytest.raises(mlirbc.ReadError) as error:
        mlirbc.open("tests/data/hostile/index.type_of_a_result.mlirbc").verify()
    assert fault.name == error.value.identifier
    assert fault.offset == error.value.offset


def test_selections() -> None:
    assert {row.depth for row in mlirbc.dump(EXAMPLE, depth=1)} == {0}
    rows = mlirbc.dump(EXAMPLE, section="string")
    assert rows[0].name == "section String"
    assert mlirbc.dump(EXAMPLE, at=5)[-1].value == '"MLIR22.1.8"'
    with pytest.raises(ValueError, match="there is no section"):
        mlirbc.dump(EXAMPLE, section="Text")
    with pytest.raises(mlirbc.Error, match="offset"):
        mlirbc.dump(EXAMPLE, at=1 << 20)
    with pytest.raises(mlirbc.ReadError):
        mlirbc.dump(b"module {}")
    with pytest.raises(FileNotFoundError):
        mlirbc.dump("no/such/file.mlirbc")


@pytest.mark.parametrize("path", sorted(Path("tests/data/bytecode").rglob("*.mlirbc")), ids=str)
def test_sections_sum_up_to_the_file(path: Path) -> None:
    module = mlirbc.open(path)
    report = mlirbc.tools.size(module, duplicates=True)
    assert report.size == path.stat().st_size == sum(row.size for row in report.sections)
    sizes = {row.name: row.size for row in report.sections}
    assert sum(row.size for row in report.operations) <= sizes["IR"]
    assert sum(row.size for row in report.kinds) <= sizes["AttrType"] + sizes["AttrTypeOffset"]
    assert sum(row.size for row in report.strings) <= sizes["String"]
    assert sum(row.count for row in report.operations) == len(module.columns())
    # The bytes that a file loses with each symbol do not overlap.
    assert sum(row.inclusive for row in report.symbols) <= report.size


def test_inclusive_is_what_only_a_symbol_uses() -> None:
    asm = """module {
      func.func private @one() attributes {note = "of one"}
      func.func private @two() attributes {note = "of two", both = "of both, long"}
      func.func private @three() attributes {both = "of both, long"}
    }"""
    report = mlirbc.tools.size(mlirbc.read(mlirbc.parse(asm).write()))
    names = {row.name: row for row in report.symbols}
    assert set(names) == {"one", "two", "three"}
    assert names["one"].inclusive - names["one"].size > names["three"].inclusive - names["three"].size


def test_every_byte_around_the_modules_of_an_export_has_a_field():
    data = Path("examples/mlp.jax").read_bytes()
    rows = [row for row in mlirbc.dump(data, container=True) if row.kind == "field"]
    end = 0
    for row in rows:
        assert row.offset == end and row.size > 0
        end += row.size
    assert end == len(data)
    modules = {(contained.offset, contained.size) for contained in mlirbc.read(data).container.modules}
    assert {(row.offset, row.size) for row in rows if row.name == "module"} == modules
    assert not [row for row in rows if row.name == "unused"]
    report = mlirbc.tools.size("examples/mlp.jax")
    assert report.size == len(data) == sum(row.size for row in report.sections)


def test_a_module_is_dumped_as_its_file_is():
    path = "examples/two_layers.mlirbc"
    assert mlirbc.dump(mlirbc.open(path)) == mlirbc.dump(path)
    with pytest.raises(mlirbc.InvalidError, match="nothing around it"):
        mlirbc.dump(path, container=True)
