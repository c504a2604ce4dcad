"""Analyses of files: the meaning of every byte, sizes, costs, content keys, and differences of two files.

>>> mlirbc.tools.dump("examples/two_layers.mlirbc", at=4)[-1].name
'bytecode version'
"""

import json
import os
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple, TypedDict

from mlirbc import _mlirbc

if TYPE_CHECKING:
    from typing_extensions import Buffer

__all__ = [
    "Change",
    "CostNote",
    "CostReport",
    "CostRow",
    "Detail",
    "Difference",
    "DumpRow",
    "ElementsDifference",
    "OperationCost",
    "Site",
    "SizeReport",
    "SizeRow",
    "cost",
    "diff",
    "dump",
    "explore",
    "hash",
    "hash_symbols",
    "size",
]


class DumpRow(NamedTuple):
    """A group of fields, a field, or a fault; see `mlirbc.dump`.

    >>> mlirbc.dump("examples/two_layers.mlirbc", at=4)[-1]
    DumpRow(kind='field', depth=1, offset=4, size=1, name='bytecode version', value='6', data=b'\\r')
    """

    kind: Literal["group", "field", "fault"]
    depth: int
    """The number of groups around it."""
    offset: int
    size: int
    """The size of a field in bytes; 0 for groups, whose fields follow, and for faults."""
    name: str
    """The name of a field in the format or in the table of a dialect; for a fault, the identifier of the
    error.
    """
    value: str
    """The decoded value as text; for a fault, the message."""
    data: bytes
    """The first 8 bytes; for a fault, the bytes from 8 before its offset to 8 after."""


def dump(
    source: "_mlirbc.Module | str | os.PathLike[str] | Buffer",
    *,
    section: str | None = None,
    at: int | None = None,
    depth: int | None = None,
    container: bool = False,
    limits: _mlirbc.Limits | None = None,
    release: str | None = None,
    module: int | str | None = None,
) -> list[DumpRow]:
    """All fields of a file, of bytes or of a module, in the order of the bytes; each byte is in one field.

    `section`, `at` and `depth` select the fields of a section, at an offset, or down to a depth. With
    `container`, the fields around the modules of a JAX export are listed, and offsets count from the start
    of the file. Damaged files have faults, and bytes that cannot be decoded because of a fault are a field.
    The other keywords are as for `mlirbc.open`. Raises
    `ReadError` when it is not bytecode at all, and `InvalidError` for an offset that the file does not have,
    and for a `container` that it does not have.

    >>> for row in mlirbc.dump("examples/two_layers.mlirbc", at=4)[1:]:
    ...     print(row.kind, row.name, row.value)
    field bytecode version 6
    >>> mlirbc.dump("examples/two_layers.mlirbc", depth=1)[-1].name
    'section Properties'
    >>> mlirbc.dump("examples/mlp.jax", container=True)[1].name
    'root table'
    """
    rows = _mlirbc._dump(source, section, at, depth, container, limits, release, module)
    return [DumpRow(*row) for row in rows]


@dataclass(frozen=True, slots=True)
class SizeRow:
    """A part of a file; without it, the file would be `inclusive` bytes shorter.

    >>> mlirbc.tools.size(mlirbc.open("examples/two_layers.mlirbc")).symbols[0]
    SizeRow(name='main', count=1, size=122, inclusive=593)
    """

    name: str
    count: int
    size: int
    inclusive: int


@dataclass(frozen=True, slots=True)
class SizeReport:
    """The sizes of the parts of a module; see `size`.

    >>> report = mlirbc.tools.size(mlirbc.open("examples/two_layers.mlirbc"))
    >>> report.size == sum(row.size for row in report.sections)
    True
    """

    size: int
    sections: list[SizeRow]
    """The header and the sections, in file order; the other lists begin with the largest."""
    dialects: list[SizeRow]
    operations: list[SizeRow]
    """By name; inclusive with the operations in them."""
    symbols: list[SizeRow]
    """The operations in the top-level operation; inclusive with entries that nothing else uses."""
    kinds: list[SizeRow]
    """Attributes and types by class."""
    constants: list[SizeRow]
    """Constants with elements of 1 KiB or more in the file, by their names in `Module.weights`."""
    strings: list[SizeRow]
    resources: list[SizeRow]
    duplicates: list[SizeRow]
    """The first of several equal resources or attributes; `inclusive` is the size of the others."""


def size(
    module: _mlirbc.Module | str | os.PathLike[str],
    *,
    duplicates: bool = False,
    limits: _mlirbc.Limits | None = None,
) -> SizeReport:
    """Count the bytes of a module by section, dialect, operation, symbol, attribute, string and resource.

    Blobs are not read, except to find duplicates, and then only blobs with the size of another one. `limits`
    are those of a file that is opened. Raises `mlirbc.ReadError` for a malformed module, and `OSError` for a
    file that cannot be opened.

    >>> mlirbc.tools.size("examples/two_layers.mlirbc").operations[0].name
    'builtin.module'
    """
    report = json.loads(_mlirbc._size(_module(module, limits), duplicates))
    lists = {name: [SizeRow(**row) for row in rows] for name, rows in report.items() if name != "size"}
    return SizeReport(size=report["size"], **lists)


@dataclass(frozen=True, slots=True)
class CostRow:
    """The cost of an operation, the operations with one name, a function, a name scope, or a module.

    Each amount is a number, or the text of a formula such as `12*b*d^2*s`.

    >>> mlirbc.tools.cost("examples/mlp.jax").total.flops
    936
    """

    name: str
    executions: int | str
    flops: int | str
    """Floating-point operations, two for a product with a sum; integer operations count alike."""
    transcendentals: int | str
    """Transcendental functions, which are not in `flops`."""
    bytes_read: int | str
    """The bytes of all operands, without fusion."""
    bytes_written: int | str
    parameters: int | str
    """The elements of the weights that these operations are the first to use."""


@dataclass(frozen=True)
class OperationCost(CostRow):
    """The cost of an operation in all of its executions.

    >>> mlirbc.tools.cost("examples/mlp.jax").operations[0].type
    'tensor<2x16xf32>'
    """

    path: str
    scope: str
    """The name scope of its location, `jit(f)/layer0`."""
    type: str
    """The type of the first result, cut after 200 bytes."""


@dataclass(frozen=True, slots=True)
class CostNote:
    """A reason why a report does not count exactly, and the number of operations that have it.

    >>> mlirbc.tools.cost("examples/mlp.jax").notes
    []
    """

    text: str
    count: int


@dataclass(frozen=True, slots=True)
class CostReport:
    """The cost of a module; see `cost`.

    >>> mlirbc.tools.cost("examples/mlp.jax").names[0].name
    'stablehlo.dot_general'
    """

    total: CostRow
    symbols: list[str]
    """The symbolic dimensions in the formulas."""
    functions: list[CostRow]
    """With the functions that they call."""
    layers: list[CostRow]
    """Name scopes with the scopes in them, in the order of their first operation."""
    names: list[CostRow]
    """Operations by name, those with most FLOPs first."""
    operations: list[OperationCost]
    notes: list[CostNote]


def cost(
    module: _mlirbc.Module | str | os.PathLike[str],
    *,
    dims: Mapping[str, int] | None = None,
    custom_calls: str | None = None,
    parameters: Sequence[str] = (),
    limits: _mlirbc.Limits | None = None,
) -> CostReport:
    """Count FLOPs, bytes and parameters of operations, functions, name scopes and the module, from shapes.

    Counts are those of XLA before fusion. `dims` gives values to symbolic dimensions; others remain in
    formulas. `custom_calls` is a table in TOML with the costs of custom calls, as `mlirbc cost --help`
    describes. `parameters` are the starts of the names of arguments that are weights. `limits` are those of
    a file that is opened. Raises `mlirbc.ReadError` for a malformed module, `mlirbc.InvalidError` for a
    dimension that the program does not have and for an invalid table, and `OSError` for a file that cannot
    be opened.

    >>> report = mlirbc.tools.cost("examples/mlp.jax")
    >>> [(row.name, row.flops) for row in report.names if row.flops]
    [('stablehlo.dot_general', 896), ('stablehlo.add', 40)]
    """
    text = _mlirbc._cost(_module(module, limits), list((dims or {}).items()), custom_calls, list(parameters))
    report = json.loads(text)
    lists = {name: [CostRow(**row) for row in report[name]] for name in ("functions", "layers", "names")}
    return CostReport(
        total=CostRow(**report["total"]),
        symbols=report["symbols"],
        operations=[OperationCost(**row) for row in report["operations"]],
        notes=[CostNote(**row) for row in report["notes"]],
        **lists,
    )


def _module(source: _mlirbc.Module | str | os.PathLike[str], limits: _mlirbc.Limits | None) -> _mlirbc.Module:
    return source if isinstance(source, _mlirbc.Module) else _mlirbc.open(source, limits=limits)


def _name(source: _mlirbc.Module | str | os.PathLike[str], otherwise: str) -> str:
    return otherwise if isinstance(source, _mlirbc.Module) else os.fspath(source)


def explore(
    module: _mlirbc.Module | str | os.PathLike[str],
    *,
    name: str | None = None,
    max_assembly: int = 64 << 20,
    vhlo: bool = False,
    limits: _mlirbc.Limits | None = None,
) -> str:
    """Return a page for a browser that shows the module and needs nothing else, as `mlirbc explore` does.

    A portable artifact is shown as the StableHLO module in it, or with `vhlo` as the file has it.

    `name` is its title, and `limits` are those of a file that is opened. Omissions, such as assembly after
    `max_assembly` bytes, are noted in the page and in a `UserWarning`. Raises `mlirbc.ReadError` for a
    malformed module, and `OSError` for a file that cannot be opened.

    >>> page = mlirbc.explore("examples/two_layers.mlirbc")
    >>> page[:15], len(page) < 500_000
    ('<!doctype html>', True)
    """
    name = _name(module, "module") if name is None else name
    page, notes = _mlirbc._explore(_module(module, limits), name, max_assembly, vhlo)
    for note in notes:
        warnings.warn(_mlirbc._printable(note), UserWarning, stacklevel=2)
    return page


def hash(
    module: _mlirbc.Module | str | os.PathLike[str],
    *,
    locations: bool = False,
    stored_facts: bool = False,
    limits: _mlirbc.Limits | None = None,
) -> str:
    """Return a key of the meaning of a module: the same for every version, release and producer of the file.

    All operations and the data of all resources are read. Locations are covered only if asked for. With
    `stored_facts` the key also covers facts that files store and no text shows: the versions of dialects,
    whether the writer had operations registered, which regions are bodies of their own, and the orders of
    uses. Bytecode versions differ in which of these they store, so such keys are for files of one version.
    `limits` are those of a file that is opened.

    Raises `mlirbc.ReadError` for a malformed module, and `OSError` for a file that cannot be opened.

    >>> key = mlirbc.hash("examples/two_layers.mlirbc")
    >>> key[:8], len(key)
    ('mlirbc1:', 72)
    """
    return _mlirbc._hash(_module(module, limits), locations, stored_facts)


def hash_symbols(
    module: _mlirbc.Module | str | os.PathLike[str],
    *,
    locations: bool = False,
    stored_facts: bool = False,
    limits: _mlirbc.Limits | None = None,
) -> list[tuple[str, str]]:
    """Return the name and the key of each operation in the top-level operation; the rest is as for `hash`.

    >>> [name for name, _ in mlirbc.tools.hash_symbols("examples/two_layers.mlirbc")]
    ['@dense', '@main']
    """
    return _mlirbc._hash_symbols(_module(module, limits), locations, stored_facts)


@dataclass(frozen=True, slots=True)
class Site:
    """An operation of one of two modules: its path, and its text without regions.

    >>> mlirbc.tools.Site("block 0, op 0 (t.c)", "%0 = t.c").text
    '%0 = t.c'
    """

    path: str
    text: str


@dataclass(frozen=True, slots=True)
class ElementsDifference:
    """How the elements of two constants of one type differ.

    `max` and `mean` are taken from the absolute differences of all elements, and `None` if one is not finite.

    >>> mlirbc.tools.ElementsDifference("f32", [2], 2, 1, 0.5, 0.25).changed
    1
    """

    dtype: str
    shape: list[int]
    count: int
    changed: int
    max: float | None
    mean: float | None


@dataclass(frozen=True, slots=True)
class Detail:
    """A difference in an operation: an attribute, a type, an operand, ...

    >>> mlirbc.tools.Detail("attribute", "value", "1 : i32", "2 : i32", None).what
    'attribute'
    """

    what: str
    name: str
    before: str
    after: str
    elements: ElementsDifference | None


@dataclass(frozen=True, slots=True)
class Change:
    """An operation that differs; `symbol` names the symbols around it.

    >>> a, b = (mlirbc.read(mlirbc.parse(f'"t.a"() {{n = {n}}} : () -> ()').write()) for n in (1, 2))
    >>> [change.kind for change in mlirbc.diff(a, b).changes]
    ['changed']
    """

    kind: Literal["added", "removed", "moved", "changed", "renamed"]
    symbol: str
    before: Site | None
    after: Site | None
    details: list[Detail]


@dataclass(frozen=True, slots=True, repr=False)
class Difference:
    """The differences between two modules; see `diff`. The string is the output of `mlirbc diff`.

    >>> module = mlirbc.open("examples/two_layers.mlirbc")
    >>> mlirbc.diff(module, module)
    <mlirbc.Difference equal>
    """

    equal: bool
    counts: dict[str, int]
    """The number of changes by kind, including the omitted ones."""
    changes: list[Change]
    """The first ten thousand, in the order of the second module."""
    omitted: int
    resources: list[str]
    """Resources with other data, or of one module only."""
    _json: str
    _text: str
    _html: str
    _tables: str

    def to_json(self) -> str:
        """Return the object that `mlirbc diff --json` writes.

        >>> module = mlirbc.open("examples/two_layers.mlirbc")
        >>> mlirbc.diff(module, module).to_json()[:13]
        '{"equal":true'
        """
        return self._json

    def to_html(self) -> str:
        """Return a page with both modules side by side, which needs nothing else.

        >>> module = mlirbc.open("examples/two_layers.mlirbc")
        >>> mlirbc.diff(module, module).to_html()[:15]
        '<!doctype html>'
        """
        return self._html

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        counts = ", ".join(f"{count} {kind}" for kind, count in self.counts.items() if count)
        return f"<mlirbc.Difference {'equal' if self.equal else counts or 'resources'}>"

    def _repr_html_(self) -> str:
        return "<p>equal</p>" if self.equal else self._tables


class _SiteRow(TypedDict):
    path: str
    text: str


class _ElementsRow(TypedDict):
    dtype: str
    shape: list[int]
    count: int
    changed: int
    max: float | None
    mean: float | None


class _DetailRow(TypedDict):
    what: str
    name: str
    before: str
    after: str
    elements: _ElementsRow | None


class _ChangeRow(TypedDict):
    kind: Literal["added", "removed", "moved", "changed", "renamed"]
    symbol: str
    before: _SiteRow | None
    after: _SiteRow | None
    details: list[_DetailRow]


def _change(row: _ChangeRow) -> Change:
    before, after = (None if site is None else Site(**site) for site in (row["before"], row["after"]))
    return Change(row["kind"], row["symbol"], before, after, [_detail(detail) for detail in row["details"]])


def _detail(row: _DetailRow) -> Detail:
    elements = None if row["elements"] is None else ElementsDifference(**row["elements"])
    return Detail(row["what"], row["name"], row["before"], row["after"], elements)


def diff(
    before: _mlirbc.Module | str | os.PathLike[str],
    after: _mlirbc.Module | str | os.PathLike[str],
    *,
    locations: bool = False,
    symbol: str | None = None,
    limits: _mlirbc.Limits | None = None,
) -> Difference:
    """Compare the meaning of two modules, which may be of different bytecode versions and releases.

    Symbols are matched by name, renamed ones by content; operations by name, attributes, types and contents.
    `symbol` selects one symbol of each module; `limits` are those of a file that is opened.

    Raises `mlirbc.ReadError` for a malformed module, `OSError` for a file that cannot be opened, and
    `ValueError` if no module has the symbol.

    >>> mlirbc.diff("examples/two_layers.mlirbc", "examples/two_layers.mlirbc").equal
    True
    """
    names = (_name(before, "before"), _name(after, "after"))
    json_, text, html, tables = _mlirbc._diff(
        _module(before, limits), _module(after, limits), locations, symbol, names
    )
    record = json.loads(json_)
    changes = [_change(row) for row in record["changes"]]
    return Difference(
        record["equal"],
        record["counts"],
        changes,
        record["omitted"],
        record["resources"],
        json_,
        text,
        html,
        tables,
    )
