"""Unknown contents: opaque values, write modes, replacements for unknown operations, receivers.

>>> module = mlirbc.open("examples/two_layers.mlirbc", unknown_dialects=["cf"])
>>> plan = mlirbc.fallback.plan_write(module)
>>> plan.mode, plan.after_an_edit, [row.name for row in plan.opaque]
(<WriteMode.VERBATIM: 'verbatim'>, <WriteMode.APPEND_ONLY: 'append-only'>, ['cf.cond_br'])
"""

import enum
import itertools
import warnings
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from mlirbc import _fallback_ops, _mlirbc, edit, versions
from mlirbc._interface import Version
from mlirbc._mlirbc import Error, InvalidError, Loss, UnsupportedError
from mlirbc._written import WrittenBytes

__all__ = [
    "CheckReport",
    "ConversionPlan",
    "Decision",
    "Finding",
    "Negotiation",
    "Opaque",
    "StandIn",
    "StandIns",
    "WriteMode",
    "WritePlan",
    "compatibility",
    "convert",
    "negotiate",
    "opaque",
    "plan_conversion",
    "plan_write",
    "restore",
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
    """The selected write mode, and the contents that prevent a stricter one.

    >>> mlirbc.fallback.plan_write(mlirbc.open("examples/two_layers.mlirbc"), numbering="canonical").mode
    <WriteMode.RENUMBER: 'renumbered'>
    """

    mode: WriteMode
    """The mode that is selected."""
    after_an_edit: WriteMode
    """The strictest mode for the module after an edit."""
    opaque: tuple[Opaque, ...]
    """Contents that cannot be decoded, and so cannot be renumbered."""


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
    """The outcome in its MLIR where unknown dialects are allowed: `kept`, `refused`, or `misread` without an
    error.
    """
    strict_outcome: str
    """The outcome where unknown dialects are not allowed."""
    reason: str
    """The reason."""


@dataclass(frozen=True, slots=True)
class CheckReport:
    """Everything in a module that a receiver does not know, and how the module would be written.

    >>> bool(mlirbc.fallback.compatibility(mlirbc.open("examples/two_layers.mlirbc"), "llvm-22").findings)
    False
    """

    findings: tuple[Finding, ...]
    plan: WritePlan

    @property
    def is_known(self) -> bool:
        """Whether the receiver knows everything."""
        return not self.findings


@dataclass(frozen=True, slots=True)
class Decision:
    """The decision of a conversion about the operations of one name, or about an attribute or a type.

    >>> module = mlirbc.open("examples/two_layers.mlirbc")
    >>> mlirbc.fallback.plan_conversion(module, "llvm-16").decisions[0].reason
    'arith.maximumf in the file'
    """

    verdict: str
    """`translated`: it has another form with the same meaning; `added`: a default that the target requires;
    `noted`: something harmless is omitted; `lost`: the target has no form for it; `impossible`: the target
    refuses or misreads it, whatever is omitted."""
    op: str | None
    """The name of the operations in the written file; `None` for attributes, types and the whole module."""
    count: int
    """The number of operations, or of attributes and types."""
    reason: str
    """How the written form differs, or why there is none."""
    path: str | None
    """The path of the first operation, if it loses something."""


@dataclass(frozen=True, slots=True)
class ConversionPlan:
    """The effects of a conversion.

    >>> module = mlirbc.open("examples/two_layers.mlirbc")
    >>> mlirbc.fallback.plan_conversion(module, "llvm-22").is_possible
    True
    """

    decisions: tuple[Decision, ...]
    """All that does not remain the same."""
    unchanged_operations: int | None
    """The number of operations that remain the same; `None` if operations are not translated, because the
    file is written as it is."""
    refusal: str | None
    """The error of the conversion; `None` if it is possible."""

    @property
    def is_possible(self) -> bool:
        """Whether the conversion is possible without an option that omits something."""
        return self.refusal is None


def plan_write(
    module: _mlirbc.Module | edit.Module,
    *,
    numbering: str | None = None,
    version: int | None = None,
    target: str | None = None,
) -> WritePlan:
    """The write mode of `module.write` with these keywords, and contents that cannot be decoded; nothing is
    written.

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
    """Report everything in a module that a receiver does not know.

    A receiver is a release, one of `known_releases()`, or a tool with these operations.

    The receiver `any` is each release that reads files for that target.

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


def plan_conversion(
    module: _mlirbc.Module | edit.Module, target: str, *, strict: bool = False
) -> ConversionPlan:
    """The effects of a conversion for a release, or for `any`; nothing is written.

    Raises `InvalidError` for an unknown release.

    >>> plan = mlirbc.fallback.plan_conversion(mlirbc.open("examples/two_layers.mlirbc"), "llvm-16")
    >>> plan.is_possible, plan.decisions[0].verdict, plan.decisions[0].op
    (True, 'translated', 'arith.maxf')
    """
    module = module.snapshot() if isinstance(module, edit.Module) else module
    plan = _mlirbc._plan_conversion(module, target, strict)
    rows = plan.decisions
    decisions = tuple(Decision(row.verdict, row.op, row.count, row.reason, row.path) for row in rows)
    return ConversionPlan(decisions, plan.unchanged_operations, plan.refusal)


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
        """Its properties, as the scheme of the dialect decodes them."""
        return dict(self.operation.properties.items())

    def __repr__(self) -> str:
        return _mlirbc._printable(f"<mlirbc.fallback.StandIn {self.name} for {self.original_name}>")


class StandIns:
    """The operations of a module that have no definition, and their treatment.

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
        """Operations without a definition that remain as they are."""
        self.replaced: list[StandIn] = []
        """Operations with a replacement."""
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
    module: _mlirbc.Module | edit.Module, known: Collection[str] | Callable[[str], bool] | None
) -> Callable[[_mlirbc.Operation | edit.Operation], bool]:
    if known is None:
        read = module if isinstance(module, _mlirbc.Module) else module._base or module.snapshot()
        defined = _mlirbc._defined_ops(read)

        # Below version 5 files do not say which operations their writers knew; without properties nothing is
        # opaque.
        def is_known(op: _mlirbc.Operation | edit.Operation) -> bool:
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


# ---- fallback operations in the IR ----


def convert(
    module: _mlirbc.Module | edit.Module,
    *,
    known: str | Collection[str] | Callable[[str], bool] | None = None,
    receiver: str | Collection[str] | None = None,
) -> edit.Module:
    """Make every unknown operation a fallback operation, and return the edited module.

    A fallback operation has the operands, results, successors, regions, location and attributes of the
    operation, the name that the table of its dialect declares or else `fallback.op`, and these attributes:
    `original_name`, `is_registered`, `properties`, `version` (the bytes of the version of the dialect). Its
    properties are a dictionary by name where the release of the file has their layout. Otherwise they are
    bytes: with the `references` that their indices count if a table of the dialect declares their encoding,
    or else with the `numbering` of the tables that the indices refer to, and `restore` refuses such bytes
    after another writer numbered the module again.

    `known` says which operations are known: names, a function, a release of `known_releases()`, or None as in
    `StandIns`. `receiver`, a release or the names of operations of a tool, converts instead the operations
    that the receiver does not have, so that it can read and write them: the file for a release is then
    `edited.write(target=receiver)`. The top-level operation stays.

    Raises `UnsupportedError`, which names the operation, if it has an attribute with one of these names; and
    for a receiver if the layout of its properties is unknown. Nothing is converted then.

    >>> module = mlirbc.open("examples/two_layers.mlirbc")
    >>> edited = mlirbc.fallback.convert(module, known=lambda name: name != "cf.cond_br")
    >>> op = edited.symbol("main").regions[0].blocks[0].operations[-1]
    >>> op.attributes["original_name"], op.attributes["properties"]
    (StringAttr("cf.cond_br"), DictAttr({operandSegmentSizes = array<i32: 1, 1, 0>}))
    >>> mlirbc.fallback.restore(edited).write() == module.write()
    True
    """
    if known is not None and receiver is not None:
        raise ValueError("pass either `known` or `receiver`")
    edited = module if isinstance(module, edit.Module) else module.edit()
    if receiver is not None:
        is_known = _not_in(_lost_at(edited, receiver))
    elif isinstance(known, str):
        findings = compatibility(edited, known).findings
        is_known = _not_in(frozenset(row.name for row in findings if row.kind == "op"))
    else:
        is_known = _known(edited, known)
    before = edited._before_fallback
    is_untouched = before is not None and before[1] == edited._editor.revision
    checkpoint = edited.checkpoint()
    try:
        _fallback_ops.Conversion(edited, keeps_numbering=receiver is None).convert(is_known)
    except BaseException:
        edited.rollback(checkpoint)
        raise
    first = before[0] if before is not None and is_untouched else checkpoint
    edited._before_fallback = first, edited._editor.revision
    return edited


def restore(module: _mlirbc.Module | edit.Module, *, target: str | None = None) -> edit.Module:
    """Make every fallback operation the operation that it represents, and return the edited module.

    `target`, one of `known_releases()`, is the release of the operations, if another one wrote the module
    since: the module is first written for it, and the result shares no handles with the module.

    What was changed meanwhile stays: operands, results, successors, regions, location, other attributes, and
    items of `properties`. If nothing was changed since `convert`, and no checkpoint was made, the module is
    in the state from before it, so that the same bytes are written.

    Raises `InvalidError`, which names the operation, if an attribute of a fallback operation is missing or
    has another form, or if its properties are bytes of a file with another numbering. Nothing is restored
    then.

    >>> edited = mlirbc.fallback.convert(mlirbc.open("examples/two_layers.mlirbc"), known={"func.func"})
    >>> received = mlirbc.read(edited.write())
    >>> [op.name for op in mlirbc.fallback.restore(received).symbol("dense").regions[0].blocks[0]][:2]
    ['arith.constant', 'arith.constant']
    """
    if target is not None:
        module = _mlirbc.read(module.write(target=target), release=target)
    edited = module if isinstance(module, edit.Module) else module.edit()
    before, edited._before_fallback = edited._before_fallback, None
    if before is not None and before[1] == edited._editor.revision:
        edited.rollback(before[0])
    checkpoint = edited.checkpoint()
    numberings: dict[str, bool] = {}
    try:
        for op in _fallback_ops.operations(edited):
            if _fallback_ops.is_fallback(op):
                _fallback_ops.restore_operation(op, numberings)
    except BaseException:
        edited.rollback(checkpoint)
        raise
    return edited


def _lost_at(edited: edit.Module, receiver: str | Collection[str]) -> frozenset[str]:
    """The names of the operations that the receiver does not have as they are."""
    read = edited.snapshot()
    lost: set[str] = set()
    if isinstance(receiver, str):
        try:
            data = _written_for(read, receiver, _newest_version(receiver))
        except UnsupportedError:
            # Something has an unknown layout, and stays in the form of this file.
            pass
        else:
            lost.update(row.op for row in data.report.losses if row.op is not None)
            read = _mlirbc.read(data)
    findings = compatibility(read, receiver).findings
    return frozenset(lost.union(row.name for row in findings if row.kind in ("op", "properties")))


def _written_for(module: _mlirbc.Module, target: str | None, version: int) -> WrittenBytes:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return module.write(version=version, target=target, drop_unsupported=True)


def _not_in(names: frozenset[str]) -> Callable[[_mlirbc.Operation | edit.Operation], bool]:
    return lambda op: op.name not in names


# ---- negotiation ----


@dataclass(frozen=True, slots=True)
class Negotiation:
    """The common denominator of several receivers of a module.

    >>> module = mlirbc.open("examples/two_layers.mlirbc")
    >>> answer = mlirbc.fallback.negotiate(module, ["llvm-22", "llvm-19"])
    >>> answer.version, answer.target, [len(rows) for rows in answer.findings]
    (4, 'llvm-19', [0, 0])
    >>> [row.text for row in answer.losses]
    ['the target cannot represent location ranges, only their start']
    """

    version: int
    """The highest bytecode version that all receivers read."""
    target: str | None
    """The release to write for; None for the release of the file."""
    dialect_versions: Mapping[str, "Version | versions.OpaqueVersion"]
    """The versions of dialects in the file that is written so."""
    losses: tuple[Loss, ...]
    """Contents that the file cannot represent, and that are lost at every receiver."""
    findings: tuple[tuple[Finding, ...], ...]
    """For each receiver, everything that it does not know in the file."""

    @property
    def is_lossless(self) -> bool:
        """Whether every receiver knows everything.

        >>> module = mlirbc.open("examples/two_layers.mlirbc")
        >>> mlirbc.fallback.negotiate(module, ["llvm-22"]).is_lossless
        True
        """
        return not self.losses and not any(self.findings)


def negotiate(
    module: _mlirbc.Module | edit.Module, receivers: Iterable[str | Collection[str]]
) -> Negotiation:
    """The highest bytecode version, the dialect versions and the target that all receivers read, and the
    losses at each receiver.

    A receiver is a release of `known_releases()`, or the names of the operations of a tool. The targets are
    the release of the file, then the releases of the receivers in their order. The module is written to
    memory for each, from the highest version down, until no receiver refuses or misreads anything; of the
    targets the first with the fewest losses is the answer. If there is no such version, it is the one where
    the fewest values are refused or misread. `module.write(version=..., target=...)` writes that file, if
    there are losses with `drop_unsupported=True`.

    Raises `InvalidError` for an unknown release, `ValueError` without receivers, and the error of writing if
    no target can be written.

    >>> module = mlirbc.open("examples/two_layers.mlirbc")
    >>> mlirbc.fallback.negotiate(module, ["llvm-16", {"builtin.module"}]).version
    0
    """
    read = module.snapshot() if isinstance(module, edit.Module) else module
    all_receivers = [receiver if isinstance(receiver, str) else frozenset(receiver) for receiver in receivers]
    if not all_receivers:
        raise ValueError("no receivers to negotiate with")
    releases = list(dict.fromkeys(receiver for receiver in all_receivers if isinstance(receiver, str)))
    newest = min([_newest_version(release) for release in releases], default=_NEWEST)
    best: tuple[tuple[int, ...], Negotiation] | None = None
    failure: Error | None = None
    for version, target in itertools.product(range(newest, -1, -1), [None, *releases]):
        if best is not None and best[0][0] == 0 and version < best[1].version:
            break
        try:
            data = _written_for(read, target, version)
        except Error as error:
            failure = failure or error
            continue
        written = _mlirbc.read(data)
        rows = tuple(compatibility(written, receiver).findings for receiver in all_receivers)
        losses = data.report.losses
        unread = sum(
            row.count for receiver_findings in rows for row in receiver_findings if row.outcome != "kept"
        )
        lost = sum(row.count for row in losses)
        score = unread, -version, lost, sum(len(receiver_findings) for receiver_findings in rows)
        if best is None or score < best[0]:
            answer = Negotiation(version, target, versions.dialect_versions(written), losses, rows)
            best = score, answer
    if best is None:
        raise failure or InvalidError("no target can be written")
    return best[1]


_NEWEST = 6


def _newest_version(release: str) -> int:
    for version in range(_NEWEST, 0, -1):
        findings = compatibility(edit.Module.create(version=version), release).findings
        if not any(row.kind == "bytecode version" for row in findings):
            return version
    return 0
