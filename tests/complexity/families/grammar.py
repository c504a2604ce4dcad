"""Texts of a table: each construct of MLIR's grammar for types, attributes and locations, in each shape.

A construct says how it nests, how it is wide, and how it is small and different from its neighbours; a shape
says how n of it stand in a module. `grammar_constructs` has the rows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from complexity.build import add_text

Kind = Literal["type", "attribute", "location"]


@dataclass(frozen=True)
class Nest:
    """`start` once, then `before` n times, `innermost`, `after` n times, and `end` once."""

    before: str
    innermost: str
    after: str
    start: str = ""
    end: str = ""

    def text(self, n: int) -> str:
        return f"{self.start}{self.before * n}{self.innermost}{self.after * n}{self.end}"


@dataclass(frozen=True)
class Construct:
    kind: Kind
    name: str
    nest: Nest | None = None
    wide: Callable[[int], str] | None = None
    small: Callable[[int], str] | None = None
    has_alias: bool = True
    """Whether an alias may stand for what is nested, as for every type that MLIR's own parser reads."""
    target: str = "llvm-22"
    oracle: str = "accepts"
    is_refused: bool = False
    """Whether it takes more memory than any reader should."""


OPERATION = {
    "type": '"t.op"() : () -> ({})\n',
    "attribute": '"t.op"() {{k = {}}} : () -> ()\n',
    "location": '"t.op"() : () -> () loc({})\n',
}
ALIAS = {"type": "!a{}", "attribute": "#a{}", "location": "#a{}"}
DEFINITION = {"type": "{} = {}\n", "attribute": "{} = {}\n", "location": "{} = loc({})\n"}


def in_operation(kind: Kind, text: str) -> str:
    return OPERATION[kind].format(text)


def defined(kind: Kind, number: int | str, text: str) -> str:
    return DEFINITION[kind].format(ALIAS[kind].format(number), text)


def aliased(kind: Kind, number: int | str) -> str:
    return in_operation(kind, ALIAS[kind].format(number))


Shape = Callable[[Construct, int], str]


def _deep(one: Construct, n: int) -> str:
    assert one.nest is not None
    return in_operation(one.kind, one.nest.text(n))


def _deep_shared(one: Construct, n: int) -> str:
    assert one.nest is not None
    return defined(one.kind, "", one.nest.text(n)) + aliased(one.kind, "") * n


def _unterminated(one: Construct, n: int) -> str:
    assert one.nest is not None
    head, _, _ = OPERATION[one.kind].format("\0").partition("\0")
    return head + one.nest.start + one.nest.before * n


def _mismatched(one: Construct, n: int) -> str:
    assert one.nest is not None
    return in_operation(one.kind, one.nest.start + one.nest.before * n + ";" + one.nest.after * n)


def _chain(one: Construct, n: int) -> str:
    """Every alias is made of the one before."""
    assert one.nest is not None
    nest, name = one.nest, ALIAS[one.kind]
    made = [defined(one.kind, 0, nest.text(1))]
    made.extend(
        defined(one.kind, k, f"{nest.start}{nest.before}{name.format(k - 1)}{nest.after}{nest.end}")
        for k in range(1, n)
    )
    return "".join(made) + aliased(one.kind, n - 1)


def _chain_used(one: Construct, n: int) -> str:
    return _chain(one, n) + "".join(aliased(one.kind, k) for k in range(n))


def _wide(one: Construct, n: int) -> str:
    assert one.wide is not None
    return in_operation(one.kind, one.wide(n))


def _wide_shared(one: Construct, n: int) -> str:
    assert one.wide is not None
    return defined(one.kind, "", one.wide(n)) + aliased(one.kind, "") * n


def _wide_cut(one: Construct, n: int) -> str:
    assert one.wide is not None
    head, _, _ = OPERATION[one.kind].format("\0").partition("\0")
    return head + one.wide(n)[:-1]


def _small_repeated(one: Construct, n: int) -> str:
    assert one.small is not None
    return "".join(in_operation(one.kind, one.small(k)) for k in range(n))


def _small_aliased(one: Construct, n: int) -> str:
    assert one.small is not None
    made = "".join(defined(one.kind, k, one.small(k)) for k in range(n))
    return made + "".join(aliased(one.kind, k) for k in range(n))


def _small_used_before(one: Construct, n: int) -> str:
    assert one.small is not None
    made = "".join(defined(one.kind, k, one.small(k)) for k in range(n))
    return "".join(aliased(one.kind, k) for k in range(n)) + made


@dataclass(frozen=True)
class ShapeRow:
    name: str
    text: Shape
    needs: Literal["nest", "wide", "small"]
    is_valid: bool = True
    needs_alias: bool = False


SHAPES = (
    ShapeRow("deep", _deep, "nest"),
    ShapeRow("deep_shared", _deep_shared, "nest"),
    ShapeRow("chain", _chain_used, "nest", needs_alias=True),
    ShapeRow("unterminated", _unterminated, "nest", is_valid=False),
    ShapeRow("mismatched", _mismatched, "nest", is_valid=False),
    ShapeRow("wide", _wide, "wide"),
    ShapeRow("wide_shared", _wide_shared, "wide"),
    ShapeRow("wide_cut", _wide_cut, "wide", is_valid=False),
    ShapeRow("repeated", _small_repeated, "small"),
    ShapeRow("aliased", _small_aliased, "small"),
    ShapeRow("used_before", _small_used_before, "small", is_valid=False),
)
"""Aliases of locations may be used before they are defined; those of attributes and types may not."""


def register(constructs: tuple[Construct, ...]) -> None:
    for one in constructs:
        for shape in SHAPES:
            if getattr(one, shape.needs) is None or (shape.needs_alias and not one.has_alias):
                continue
            # Text of a dialect is kept as it is where its brackets match.
            if shape.name == "mismatched" and one.nest and set("!#") & set(one.nest.text(1)):
                continue
            is_valid = shape.is_valid or (shape.name == "used_before" and one.kind == "location")
            is_valid = is_valid and not (one.is_refused and shape.needs == "wide")
            add_text(
                f"grammar.{one.kind}.{one.name}.{shape.name}",
                lambda n, one=one, shape=shape: shape.text(one, n),  # type: ignore[misc]
                is_valid=is_valid,
                target=one.target,
                oracle=one.oracle if is_valid or one.is_refused else "refuses",
            )
