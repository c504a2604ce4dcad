"""Just enough C++ to find one's way in the files of mlir-tblgen."""

import re
from bisect import bisect_right
from collections.abc import Callable

_BRACE = re.compile(r'"(?:\\.|[^"\\])*"|[{}]')
_NAMESPACE = re.compile(r"^(?:namespace ([\w:]+) \{|\} // namespace [\w:]+|(\}))\s*$", re.MULTILINE)


def block(text: str, start: int) -> tuple[str, int]:
    """The text between the first brace at or after `start` and its partner, and the end of that block."""
    depth = 0
    inside = 0
    for match in _BRACE.finditer(text, start):
        if match[0] == "{":
            depth += 1
            inside = inside or match.end()
        elif match[0] == "}":
            depth -= 1
            if depth == 0:
                return text[inside : match.start()], match.end()
    raise ValueError(f"no closing brace after position {start}")


def class_body(text: str, start: int) -> str:
    """The rest of a top-level class that begins before `start`."""
    return text[start : text.index("\n};", start)]


def plain(name: str) -> str:
    """A type as the release files spell it: one blank at most, neither leading `::` nor `mlir::`."""
    name = re.sub(r"(?<![\w:])::", "", " ".join(name.split()))
    return re.sub(r"\bmlir::", "", name)


def namespaces(text: str) -> Callable[[int], str]:
    """A function that gives the namespace around a position, without `mlir`."""
    places: list[int] = []
    around: list[str] = []
    open_namespaces: list[str] = []
    for match in _NAMESPACE.finditer(text):
        if match[1]:
            # Some closing braces carry no comment, so an outermost namespace starts anew.
            if match[1].split("::")[0] in ("mlir", "llvm"):
                open_namespaces = []
            open_namespaces.append(match[1])
        elif match[2]:
            continue
        elif open_namespaces:
            open_namespaces.pop()
        places.append(match.start())
        around.append("::".join(open_namespaces))

    def lookup(position: int) -> str:
        index = bisect_right(places, position) - 1
        return plain(around[index]).removeprefix("mlir") if index >= 0 else ""

    return lookup
