"""Prints the messages of mlirbc beside those of `mlir-opt-22`, for texts with one mistake each."""

import re
import sys
from dataclasses import dataclass
from pathlib import Path

import mlirbc

from support import oracles

TEXTS = Path(__file__).with_name("mistakes.mlir")
RELEASE = 22


@dataclass(frozen=True, slots=True)
class Mistake:
    """A text with one mistake, and its description."""

    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Message:
    """A message with its line and column."""

    line: int
    column: int
    sentence: str


def mistakes() -> list[Mistake]:
    parts = TEXTS.read_text("utf-8").split("// -----\n")
    return [Mistake(part.split("\n")[0].removeprefix("// "), part) for part in parts]


def message_of_mlirbc(text: str) -> Message | None:
    """The message with its hint; `None` if the text is accepted."""
    try:
        mlirbc.parse(text, target=f"llvm-{RELEASE}", file="t.mlir")
    except mlirbc.InvalidError as error:
        head = str(error).split("\n")[0]
        place = re.search(r", at t\.mlir:(\d+):(\d+)", head)
        assert place is not None, head
        return Message(int(place[1]), int(place[2]), head.replace(place[0], ""))
    return None


def message_of_mlir_opt(text: str) -> Message | None:
    """The first error; `None` if the text is accepted."""
    output = oracles.run_mlir_opt(RELEASE, ["--allow-unregistered-dialect"], text)
    match = re.search(r"<stdin>:(\d+):(\d+): error: (.*)", output.stderr)
    return Message(int(match[1]), int(match[2]), match[3]) if match else None


def main() -> None:
    for number, mistake in enumerate(mistakes(), 1):
        print(f"{number:2}  {mistake.title}")
        for name, message in (
            ("mlirbc", message_of_mlirbc(mistake.text)),
            ("mlir-opt", message_of_mlir_opt(mistake.text)),
        ):
            shown = f"{message.line}:{message.column}: {message.sentence}" if message else "accepted"
            print(f"    {name:8}  {shown}")


if __name__ == "__main__":
    sys.exit(main())
