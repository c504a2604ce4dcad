"""Unknown contents: opaque values, write modes, replacements for unknown operations, receivers.

>>> module = mlirbc.open("examples/two_layers.mlirbc", unknown_dialects=["cf"])
>>> plan = mlirbc.fallback.plan_write(module)
>>> plan.mode, plan.after_an_edit, [row.name for row in plan.opaque]
(<WriteMode.VERBATIM: 'verbatim'>, <WriteMode.APPEND_ONLY: 'append-only'>, ['cf.cond_br'])
"""

import enum
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from mlirbc import _mlirbc, edit
from mlirbc._mlirbc import UnsupportedError

__all__ = [
    "CheckReport",
    "Finding",
    "Opaque",
    "StandIn",
    "StandIns",
    "WriteMode",
    "WritePlan",
    "compatibility",
    "opaque",
    "plan_write",
]


class WriteMode(enum.Enum):
    """The write modes of a module, the strictest first.

    >>> mlirbc.fallback.WriteMode("append-only")
    <WriteMode.APPEND_ONLY: 'append-only'>
    """

    VERBATIM = "verbatim"
    """The bytes of the file."""
    RENUMBER = "renumbered"
    """Everything is decoded and numbered as by MLIR's own writer."""
    APPEND_ONLY = "append-only"
    """Attributes, types, strings and resource handles keep their numbers; new ones follow them."""


@dataclass(frozen=True, slots=True)
class Opaque:
    """Values of one operation or dialect whose bytes cannot be decoded.

    >>> module = mlirbc.open("examples/two_layers.mlirbc", unknown_dialects=["func"])
    >>> row = mlirbc.fallback.opaque(module)[0]
    >>> row.kind, row.name, row.count
    ('properties', 'func.call', 2)
    """

    kind: str
    """`properties`, `attribute` or `type`."""
    name: str
    """The operation, or the dialect of attributes and types."""
    count: int
    """The number of operations or entries."""
    offset: int
    """Where in the file the bytes of the first one are."""
    reason: str
    """Why the first one cannot be decoded."""


@dataclass(frozen=True, slots=True)
class WritePlan:
    """The selected write mode, and what prevents a stricter one.

    >>> mlirbc.fallback.plan_write(mlirbc.open("examples/two_layers.mlirbc"), numbering="canonical").mode
    <WriteMode.RENUMBER: 'renumbered'>
    """

    mode: WriteMode
    """The mode that is selected."""
    after_an_edit: WriteMode
    """The strictest mode for the module after an edit."""
    opaque: tuple[Opaque, ...]
    """What cannot be decoded, and so cannot be renumbered."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that a receiver does not know.

    >>> module = mlirbc.open("examples/two_layers.mlirbc")
    >>> report = mlirbc.fallback.compatibility(module, "llvm-19")
    >>> report.findings[0].name, report.findings[0].outcome
    ('cf.cond_br', 'misread')
    """

    kind: str
    """`bytecode version`, `dialect`, `dialect version`, `op`, `properties`, `attribute` or `type`."""
    name: str
    """The operation, the dialect, or the text of the attribute or type."""
    count: int
    """The number of operations or entries."""
    outcome: str
    """What its MLIR does where unknown dialects are allowed: `kept`, `refused`, or `misread` without an
    error."""
    strict_outcome: str
    """The same where they are not allowed."""
    reason: str
    """The reason."""


@dataclass(frozen=True, slots=True)
class CheckReport:
    """What a receiver does not know of a module, and how the module would be written.

    >>> bool(mlirbc.fallback.compatibility(mlirbc.open("examples/two_layers.mlirbc"), "llvm-22").findings)
    False
    """

    findings: tuple[Finding, ...]
    plan: WritePlan

    @property
    def is_known(self) -> bool:
        """Whether the receiver knows everything."""
        return not self.findings


def plan_write(
    module: _mlirbc.Module | edit.Module,
    *,
    numbering: str | None = None,
    version: int | None = None,
    target: str | None = None,
) -> WritePlan:
    """The write mode of `module.write` with these keywords, and what cannot be decoded; nothing is written.

    Raises `ReadError` when a table or the IR is malformed.

    >>> edited = mlirbc.open("examples/two_layers.mlirbc").edit()
    >>> edited.operation.location = mlirbc.Location.file("a.py", 1, 1)
    >>> mlirbc.fallback.plan_write(edited, numbering="strictest").mode
    <WriteMode.RENUMBER: 'renumbered'>
    """
    if isinstance(module, edit.Module):
        return _plan(_mlirbc._plan_edited(module._editor, numbering, version, target))
    return _plan(_mlirbc._plan_write(module, numbering, version, target))


def opaque(module: _mlirbc.Module | edit.Module) -> tuple[Opaque, ...]:
    """Everything in a file that cannot be decoded, by operation and dialect.

    >>> mlirbc.fallback.opaque(mlirbc.open("examples/two_layers.mlirbc"))
    ()
    """
    return plan_write(module).opaque


def compatibility(module: _mlirbc.Module | edit.Module, receiver: str | Collection[str]) -> CheckReport:
    """What a receiver does not know: a release, one of `known_releases()`, or a tool with these operations.

    Raises `InvalidError` for an unknown release.

    >>> module = mlirbc.open("examples/two_layers.mlirbc")
    >>> ops = {op.name for op in module.op_names} - {"arith.addf"}
    >>> [(row.name, row.count) for row in mlirbc.fallback.compatibility(module, ops).findings]
    [('arith.addf', 1)]
    """
    module = module.snapshot() if isinstance(module, edit.Module) else module
    if isinstance(receiver, str):
        report = _mlirbc._compatibility(module, receiver, [])
    else:
        report = _mlirbc._compatibility(module, None, list(receiver))
    return CheckReport(tuple(_finding(row) for row in report.findings), _plan(report.plan))


check_for = compatibility
"""The name of `compatibility` before 0.2."""


def _finding(row: _mlirbc._Finding) -> Finding:
    return Finding(row.kind, row.name, row.count, row.outcome, row.strict_outcome, row.reason)


def _opaque(row: _mlirbc._Opaque) -> Opaque:
    return Opaque(row.kind, row.name, row.count, row.offset, row.reason)


def _plan(plan: _mlirbc._WritePlan) -> WritePlan:
    opaque = tuple(_opaque(row) for row in plan.opaque)
    return WritePlan(WriteMode(plan.mode), WriteMode(plan.after_an_edit), opaque)


# ---- replacements ----


class StandIn:
    """An operation without a definition, seen as the fallback operation of its dialect.

    It is a view: the operation keeps its name, its bit and its properties, and is written with them.

    >>> table = {"dialect": "cf", "fallback": "cf.fallback", "op": [{"fields": ["raw: rest"]}]}
    >>> module = mlirbc.open("examples/two_layers.mlirbc", unknown_dialects=["cf"], dialects=[table])
    >>> stand_ins = mlirbc.fallback.StandIns(module, unknown="replace", known=lambda name: name[:3] != "cf.")
    >>> branch = next(iter(stand_ins))
    >>> branch.name, branch.original_name
    ('cf.fallback', 'cf.cond_br')
    """

    __slots__ = ("_name", "operation")

    def __init__(self, operation: _mlirbc.Operation, name: str) -> None:
        self.operation = operation
        """The operation as it is in the file."""
        self._name = name

    @property
    def name(self) -> str:
        """The name of the fallback operation."""
        return self._name

    @property
    def original_name(self) -> str:
        """The name that the operation has in the file, and is written with."""
        return self.operation.name

    @property
    def is_registered(self) -> bool | None:
        """Whether its writer knew it."""
        return self.operation.is_registered

    @property
    def properties(self) -> "Mapping[str, _mlirbc._Property]":
        """What the scheme of the dialect finds in its properties."""
        return dict(self.operation.properties.items())

    def __repr__(self) -> str:
        return _mlirbc._printable(f"<mlirbc.fallback.StandIn {self.name} for {self.original_name}>")


class StandIns:
    """The operations of a module that have no definition, and what to do about each of them.

    `unknown` is `keep`, `replace` by the fallback operation that the dialect's table declares, or `fail`; or
    a function from the operation to one of these. `known` says which names have a definition: a set, a
    function, or None for the operations of the release that wrote the file. If that release is unknown, an
    operation has a definition if its writer knew it, which files record from version 5 on.

    Raises `UnsupportedError` for an operation that is to fail, or whose replacement cannot represent it: its
    dialect declares no fallback operation, or no scheme decodes its properties. The module is unchanged.

    >>> module = mlirbc.open("examples/two_layers.mlirbc")
    >>> [op.name for op in mlirbc.fallback.StandIns(module, known={"builtin.module", "func.func"}).kept][:2]
    ['arith.constant', 'arith.constant']
    """

    def __init__(
        self,
        module: _mlirbc.Module,
        *,
        unknown: Literal["keep", "replace", "fail"] | Callable[[_mlirbc.Operation], str] = "keep",
        known: Collection[str] | Callable[[str], bool] | None = None,
    ) -> None:
        self.module = module
        """The module."""
        self.kept: list[_mlirbc.Operation] = []
        """Operations without a definition that stay what they are."""
        self.replaced: list[StandIn] = []
        """Those with a replacement."""
        is_known = _known(module, known)
        for op in _all(module):
            if is_known(op):
                continue
            policy = unknown if isinstance(unknown, str) else unknown(op)
            if policy == "keep":
                self.kept.append(op)
            elif policy == "replace":
                self.replaced.append(_stand_in(module, op))
            elif policy == "fail":
                raise UnsupportedError(f"{op.name} has no definition ({op.path})")
            else:
                raise ValueError(f"expected 'keep', 'replace' or 'fail', found {policy!r}")

    def __len__(self) -> int:
        return len(self.replaced)

    def __iter__(self) -> Iterator[StandIn]:
        return iter(self.replaced)

    def __repr__(self) -> str:
        return f"<mlirbc.fallback.StandIns, {len(self.replaced)} replaced, {len(self.kept)} kept>"


def _known(
    module: _mlirbc.Module, known: Collection[str] | Callable[[str], bool] | None
) -> Callable[[_mlirbc.Operation], bool]:
    if known is None:
        defined = _mlirbc._defined_ops(module)

        # Below version 5 files do not say what their writers knew; without properties nothing is opaque.
        def is_known(op: _mlirbc.Operation) -> bool:
            if op.property_state in ("opaque", "attribute") or op.is_registered is False:
                return False
            return op.name in defined if defined is not None else op.is_registered is True

        return is_known
    if callable(known):
        return lambda op: known(op.name)
    names = frozenset(known)
    return lambda op: op.name in names


def _all(module: _mlirbc.Module) -> Iterator[_mlirbc.Operation]:
    stack = list(reversed(list(module.operations)))
    while stack:
        op = stack.pop()
        yield op
        inner = [child for region in op.regions for block in region.blocks for child in block.operations]
        stack.extend(reversed(inner))


def _stand_in(module: _mlirbc.Module, op: _mlirbc.Operation) -> StandIn:
    dialect = op.name.partition(".")[0]
    table = _mlirbc._find_table(module, dialect)
    name = None if table is None else _mlirbc._fallback_op(table)
    if name is None:
        raise UnsupportedError(
            f"no table of dialect {dialect} has a `fallback` operation to replace {op.name} ({op.path})"
        )
    if op.property_state == "opaque":
        reasons = [row for row in opaque(module) if row.kind == "properties" and row.name == op.name]
        why = f": {reasons[0].reason}, at {reasons[0].offset:#x}" if reasons else ""
        raise UnsupportedError(f"{name} cannot represent the properties of {op.name} ({op.path}){why}")
    return StandIn(op, name)
