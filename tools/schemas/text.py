"""Operations in MLIR's generic form, as far as their properties go."""

import re

_TOKEN = re.compile(r'"(?:\\.|[^"\\])*"|->|[(\[{<]|[)\]}>]|,')


def shown(generic: str, operation: str) -> dict[str, str] | None:
    """The properties of the first operation of that name, without operands, in some text."""
    head = f'"{operation}"()'
    start = generic.find(head)
    if start < 0:
        return None
    following = generic[start + len(head) :]
    return entries(following[2:]) if following.startswith(" <{") else {}


def discardable(generic: str, operation: str) -> set[str]:
    """The names of the discardable attributes of an operation without operands and regions."""
    operation_text = generic[generic.index(f'"{operation}"()') :]
    start = re.search(r"> \{(?=.*\} : \(\) -> \(\)$)|\(\) \{", operation_text, re.MULTILINE)
    return set(entries(operation_text[start.end() - 1 :])) if start else set()


def entries(dictionary: str) -> dict[str, str]:
    """The names in the dictionary that a text begins with, and the text of their values."""
    parts: list[str] = []
    depth = start = 0
    for token in _TOKEN.finditer(dictionary):
        if token[0] in "([{<":
            depth += 1
            start = start or token.end()
        elif token[0] in ")]}>":
            depth -= 1
        if (token[0] == "," and depth == 1) or depth == 0:
            parts.append(dictionary[start : token.start()].strip())
            start = token.end()
        if depth == 0:
            break
    named = (part.partition(" = ") for part in parts if part)
    return {name.strip('"'): value or "unit" for name, _, value in named}
