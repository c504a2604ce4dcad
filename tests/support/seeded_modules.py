"""Texts of modules that are made from a seed, for every release to write."""

import random
from dataclasses import dataclass, field


@dataclass(slots=True)
class _Op:
    """An operation of a random module before it is text."""

    region: "_Region | None"
    is_closed: bool
    results: list[str] = field(default_factory=list)
    operands: list[str] = field(default_factory=list)
    successors: list[int] = field(default_factory=list)
    regions: "list[_Region]" = field(default_factory=list)


@dataclass(slots=True)
class _Region:
    owner: _Op
    blocks: list[tuple[list[str], list[_Op]]] = field(default_factory=list)
    values: list[str] = field(default_factory=list)


class _Maker:
    """Graph regions with forward references, closed and open, whose types tell how often a name was made."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.count = 0
        self.types: dict[str, str] = {}
        self.ops: list[_Op] = []

    def text(self) -> str:
        root = _Op(None, True)
        self.region(root, depth=0)
        for op in self.ops:
            self.operands(op)
        lines: list[str] = []
        for _, ops in root.regions[0].blocks:
            for op in ops:
                self.print(op, lines)
        return "\n".join(lines) + "\n"

    def value(self, region: _Region, prefix: str) -> str:
        name = f"%{prefix}{self.count}"
        self.count += 1
        types = ["i1", "i8", "f32", "tuple<i1, f16>", "() -> ()", "(i1) -> i8", f"i{self.count}"]
        self.types[name] = self.random.choice(types)
        region.values.append(name)
        return name

    def region(self, owner: _Op, depth: int) -> None:
        region = _Region(owner)
        owner.regions.append(region)
        if depth > 0 and self.random.random() < 0.15:
            return
        blocks = self.random.choice([1, 1, 2, 4]) if depth > 0 else 1
        for _ in range(blocks):
            arguments = self.random.choice([0, 0, 1, 3, 6]) if depth > 0 else 0
            names = [self.value(region, "a") for _ in range(arguments)]
            fewest, most = (4, 10) if depth < 2 else (1, 4)
            ops = [self.op(region, depth) for _ in range(self.random.randint(fewest, most))]
            if blocks > 1 and self.random.random() < 0.8:
                count = self.random.randint(1, 3)
                ops[-1].successors = [self.random.randrange(1, blocks) for _ in range(count)]
            region.blocks.append((names, ops))

    def op(self, region: _Region, depth: int) -> _Op:
        op = _Op(region, is_closed=self.random.random() < 0.3)
        self.ops.append(op)
        op.results = [self.value(region, "r") for _ in range(self.random.choice([0, 1, 1, 2, 5]))]
        if depth < 4 and len(self.ops) < 120 and self.random.random() < 0.35:
            for _ in range(self.random.randint(1, 3)):
                self.region(op, depth + 1)
        return op

    def visible(self, op: _Op, region: _Region) -> list[str]:
        """Values of its region that an operation may use: any in a graph, dominating ones among blocks."""
        if len(region.blocks) == 1:
            return region.values
        (arguments, ops) = next(
            block for block in region.blocks if any(candidate is op for candidate in block[1])
        )
        before = ops[: next(at for at, candidate in enumerate(ops) if candidate is op)]
        names = [*arguments, *(name for candidate in before for name in candidate.results)]
        entry_arguments, entry_ops = region.blocks[0]
        if entry_ops is not ops:
            names += [*entry_arguments, *(name for candidate in entry_ops for name in candidate.results)]
        return names

    def operands(self, op: _Op) -> None:
        near: list[str] = []
        inner = op
        while inner.region is not None:
            near += self.visible(inner, inner.region)
            inner = inner.region.owner
            if inner.is_closed:
                break
        # A few values are used far more often than the rest: long use lists need them.
        if near and self.random.random() < 0.8:
            pool = near[:4] if self.random.random() < 0.5 else near
            op.operands = [self.random.choice(pool) for _ in range(self.random.choice([1, 1, 2, 3, 6]))]

    def print(self, op: _Op, lines: list[str]) -> None:
        results = f"{', '.join(op.results)} = " if op.results else ""
        successors = f"[{', '.join(f'^b{number}' for number in op.successors)}]" if op.successors else ""
        lines.append(f'{results}"t.o{self.random.randrange(9)}"({", ".join(op.operands)}){successors}')
        for number, region in enumerate(op.regions):
            lines.append(" ({" if number == 0 else "}, {")
            for at, (arguments, ops) in enumerate(region.blocks):
                typed = ", ".join(f"{name}: {self.types[name]}" for name in arguments)
                lines.append(f"^b{at}({typed}):" if arguments else f"^b{at}:")
                for inner in ops:
                    self.print(inner, lines)
        if op.regions:
            lines.append("})")
        attributes = self.random.choice(["", "", " {k}", f" {{k = {len(lines) % 5} : i8}}"])
        location = self.random.choice(["", "", " loc(unknown)", ' loc("here")'])
        operands = ", ".join(self.types[name] for name in op.operands)
        results = ", ".join(self.types[name] for name in op.results)
        lines.append(f"{attributes} : ({operands}) -> ({results}){location}")


def merged_text(seed: int) -> str:
    """Equal constants and additions that `--cse` merges, which shuffles their uses in ways text cannot."""
    pick = random.Random(seed)
    lines = ["func.func @f(%p: i32, %q: i32) {"]
    names: list[str] = []
    for kind in range(3):
        copies = pick.randint(1, 4)
        for copy in range(copies):
            name = f"%c{kind}_{copy}"
            lines.append(f"{name} = arith.constant {kind} : i32")
            names.append(name)
    for copy in range(pick.randint(1, 3)):
        lines.append(f'%m{copy}:2 = "arith.mului_extended"(%p, %q) : (i32, i32) -> (i32, i32)')
        names += [f"%m{copy}#0", f"%m{copy}#1"]
    rare = pick.sample(names, len(names) // 2)
    common = [name for name in names if name not in rare] or names
    for number in range(pick.randint(20, 60)):
        operands = [pick.choice(rare if pick.random() < 0.15 else common) for _ in range(pick.randint(1, 3))]
        lines.append(f'"t.u{number}"({", ".join(operands)}) : ({", ".join(["i32"] * len(operands))}) -> ()')
    return "\n".join([*lines, "return", "}"]) + "\n"


def large_text() -> str:
    """More than 40000 attributes and 20000 types: indexes of three bytes, tables of several chunks."""
    line = '%{0} = "t.op"() {{n = {0} : i64}} : () -> tensor<{0}x1xi8> loc(unknown)\n'
    return "".join(line.format(number) for number in range(20_500))


def made_text(name: str) -> str:
    kind, _, seed = name.rpartition("_")
    if kind == "tables":
        return large_text()
    return _Maker(int(seed)).text() if kind == "random" else merged_text(int(seed))
