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
    """Whether an alias may stand for the nested construct, as for every type that MLIR's own parser reads."""
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


def _deep(construct: Construct, n: int) -> str:
    assert construct.nest is not None
    return in_operation(construct.kind, construct.nest.text(n))


def _deep_shared(construct: Construct, n: int) -> str:
    assert construct.nest is not None
    return defined(construct.kind, "", construct.nest.text(n)) + aliased(construct.kind, "") * n


def _unterminated(construct: Construct, n: int) -> str:
    assert construct.nest is not None
    head, _, _ = OPERATION[construct.kind].format("\0").partition("\0")
    return head + construct.nest.start + construct.nest.before * n


def _mismatched(construct: Construct, n: int) -> str:
    assert construct.nest is not None
    return in_operation(
        construct.kind, construct.nest.start + construct.nest.before * n + ";" + construct.nest.after * n
    )


def _chain(construct: Construct, n: int) -> str:
    """Every alias is made of the one before."""
    assert construct.nest is not None
    nest, name = construct.nest, ALIAS[construct.kind]
    definitions = [defined(construct.kind, 0, nest.text(1))]
    definitions.extend(
        defined(construct.kind, k, f"{nest.start}{nest.before}{name.format(k - 1)}{nest.after}{nest.end}")
        for k in range(1, n)
    )
    return "".join(definitions) + aliased(construct.kind, n - 1)


def _chain_used(construct: Construct, n: int) -> str:
    return _chain(construct, n) + "".join(aliased(construct.kind, k) for k in range(n))


def _wide(construct: Construct, n: int) -> str:
    assert construct.wide is not None
    return in_operation(construct.kind, construct.wide(n))


def _wide_shared(construct: Construct, n: int) -> str:
    assert construct.wide is not None
    return defined(construct.kind, "", construct.wide(n)) + aliased(construct.kind, "") * n


def _wide_cut(construct: Construct, n: int) -> str:
    assert construct.wide is not None
    head, _, _ = OPERATION[construct.kind].format("\0").partition("\0")
    return head + construct.wide(n)[:-1]


def _small_repeated(construct: Construct, n: int) -> str:
    assert construct.small is not None
    return "".join(in_operation(construct.kind, construct.small(k)) for k in range(n))


def _small_aliased(construct: Construct, n: int) -> str:
    assert construct.small is not None
    definitions = "".join(defined(construct.kind, k, construct.small(k)) for k in range(n))
    return definitions + "".join(aliased(construct.kind, k) for k in range(n))


def _small_used_before(construct: Construct, n: int) -> str:
    assert construct.small is not None
    definitions = "".join(defined(construct.kind, k, construct.small(k)) for k in range(n))
    return "".join(aliased(construct.kind, k) for k in range(n)) + definitions


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
"""Aliases of locations may be used before they are defined, unlike aliases of attributes and types."""


def register(constructs: tuple[Construct, ...]) -> None:
    for construct in constructs:
        for shape in SHAPES:
            if getattr(construct, shape.needs) is None or (shape.needs_alias and not construct.has_alias):
                continue
            # Text of a dialect is kept as it is where its brackets match.
            if shape.name == "mismatched" and construct.nest and set("!#") & set(construct.nest.text(1)):
                continue
            is_valid = shape.is_valid or (shape.name == "used_before" and construct.kind == "location")
            is_valid = is_valid and not (construct.is_refused and shape.needs == "wide")
            add_text(
                f"grammar.{construct.kind}.{construct.name}.{shape.name}",
                lambda n, construct=construct, shape=shape: shape.text(construct, n),  # type: ignore[misc]
                is_valid=is_valid,
                target=construct.target,
                oracle=construct.oracle if is_valid or construct.is_refused else "refuses",
            )
