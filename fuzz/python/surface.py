"""Calls the public Python interface in any order on any file, with arguments that are drawn from the input.

  python fuzz/python/surface.py CORPUS -max_total_time=600     a libFuzzer target; needs atheris
  python fuzz/python/surface.py --replay FILE...               runs inputs that were found; needs mlirbc alone
  python fuzz/python/surface.py --seeds FOLDER FILE...         makes inputs of bytecode files

The first byte of an input is the number of calls; each call takes its object, its name and its arguments
from the next bytes, and the rest is the file. A call may return anything, or raise an exception of Python or
of mlirbc that says what is wrong. It must not panic, crash, hang or raise `SystemError`, `RecursionError` or
`MemoryError`, and an `mlirbc.Error` must have a known identifier and an offset within the file.
"""

import inspect
import os
import random
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterable
from contextlib import redirect_stdout
from itertools import islice
from pathlib import Path
from types import ModuleType

import mlirbc
import mlirbc.edit

# The bytes of a call: its object, its name, and its arguments.
BYTES_FOR_CALL = 8
# Objects to call methods of; the newest replace the others.
MAX_OBJECTS = 48

# Exceptions that a caller may get for a wrong argument.
ALLOWED = (
    mlirbc.Error,
    ArithmeticError,
    AttributeError,
    BufferError,
    LookupError,
    OSError,
    StopIteration,
    TypeError,
    ValueError,
)
PROTOCOLS = (
    *("__contains__", "__copy__", "__delitem__", "__enter__", "__eq__", "__exit__", "__getitem__"),
    *("__hash__", "__iter__", "__len__", "__repr__", "__reversed__", "__setitem__", "__str__"),
)
SCALARS: tuple[object, ...] = (
    *(None, False, True, 0, 1, 2, 3, 7, -1, 64, 2**31, 2**32 - 1, 2**63, 2**64, -(2**63), 0.5, float("nan")),
    *("", "a", "sym_name", "value", "builtin", "builtin.module", "func.func", "arith.addi", "no.such"),
    *("llvm-16", "llvm-19", "llvm-22", "jaxlib-0.10", "preserve", "canonical", "public", "i32"),
    *("1 : i32", "%0 = arith.constant 1 : i32", "dense<0> : tensor<2xi8>", "\u00e9\0", "\ud800"),
    *(b"", b"ML\xefR", b"\xff" * 9, [], [0], ["a"], {}, {"a": 1}, (), slice(None), slice(1, None, -1)),
    *(print, len, object()),
)


class Draws:
    """Decisions from bytes; the first choice when there are no more bytes."""

    def __init__(self, data: bytes) -> None:
        self._data = iter(data)

    def below(self, count: int) -> int:
        """A number from 0 to `count` - 1, and 0 if there is none."""
        number = next(self._data, 0)
        if count > 256:
            number |= next(self._data, 0) << 8
        return number % count if count else 0


def names_of(kind: type, cache: dict[type, list[str]]) -> list[str]:
    """The public names of a class and the protocols that it has, in a stable order."""
    if kind not in cache:
        public = sorted(name for name in dir(kind) if not name.startswith("_"))
        cache[kind] = public + [name for name in PROTOCOLS if hasattr(kind, name)]
    return cache[kind]


def is_ours(value: object) -> bool:
    """Whether it is an object of the package."""
    return type(value).__module__.partition(".")[0] == "mlirbc" and not isinstance(value, ModuleType)


class Session:
    """The objects that calls have returned so far."""

    def __init__(self, module: mlirbc.Module, draws: Draws) -> None:
        self.objects: list[object] = [module]
        self.draws = draws
        self.added = 0

    def keep(self, value: object) -> None:
        """Remembers the result of a call, and the first items of a result that can be iterated."""
        if is_ours(value):
            if len(self.objects) < MAX_OBJECTS:
                self.objects.append(value)
            else:
                # The module stays, so that every input can reach everything.
                self.objects[1 + self.added % (MAX_OBJECTS - 1)] = value
            self.added += 1
        items = value.values() if isinstance(value, dict) else value
        if isinstance(items, Iterable) and not isinstance(items, (str, bytes)):
            for item in islice(items, 3):
                if is_ours(item):
                    self.objects[1:1] = [item]
                    del self.objects[MAX_OBJECTS:]

    def argument(self) -> object:
        """A plain value, or one of the newest objects."""
        choice = self.draws.below(len(SCALARS) + 16)
        if choice < len(SCALARS):
            return SCALARS[choice]
        return self.objects[-1 - self.draws.below(min(len(self.objects), 16))]

    def arguments(self, function: Callable[..., object]) -> tuple[list[object], dict[str, object]]:
        """Values for the parameters; most parameters with a default keep the default."""
        positional: list[object] = []
        named: dict[str, object] = {}
        try:
            parameters = list(inspect.signature(function).parameters.values())
        except (TypeError, ValueError):
            return [self.argument() for _ in range(self.draws.below(3))], {}
        for parameter in parameters:
            if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
                continue
            if parameter.default is not parameter.empty and self.draws.below(4) != 1:
                continue
            if parameter.kind == parameter.POSITIONAL_ONLY:
                positional.append(self.argument())
            else:
                named[parameter.name] = self.argument()
        return positional, named

    def call(self, cache: dict[type, list[str]]) -> None:
        """Reads an attribute of one object, and calls it if it is a method."""
        target = self.objects[-1 - self.draws.below(len(self.objects))]
        names = names_of(type(target), cache)
        if not names:
            return
        name = names[self.draws.below(len(names))]
        value = getattr(target, name)
        if callable(value) and not is_ours(value):
            positional, named = self.arguments(value)
            value = value(*positional, **named)
        self.keep(value)


def check(error: mlirbc.Error, size: int, identifiers: frozenset[str]) -> None:
    """Checks the promises of every error."""
    offset = error.offset
    assert error.identifier in identifiers, f"unknown identifier {error.identifier!r}"
    assert offset is None or 0 <= offset <= size, f"offset {offset} in a file of {size} bytes"
    assert str(error), "an error without a message"


IDENTIFIERS = frozenset(identifier for identifier, *_ in mlirbc.error_identifiers())
KNOWN_NAMES: dict[type, list[str]] = {}


def run(data: bytes) -> int:
    """Runs one input and returns the number of calls that returned a value.

    Raises:
        BaseException: What a call must not raise.
    """
    calls = data[0] if data else 0
    decisions, file = data[1 : 1 + BYTES_FOR_CALL * calls], data[1 + BYTES_FOR_CALL * calls :]
    returned = 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            module = mlirbc.read(file)
        except mlirbc.Error as error:
            check(error, len(file), IDENTIFIERS)
            return 0
        session = Session(module, Draws(decisions))
        for _ in range(calls):
            try:
                session.call(KNOWN_NAMES)
                returned += 1
            except mlirbc.Error as error:
                # The offset may be in bytes that a call was given or has written.
                check(error, sys.maxsize, IDENTIFIERS)
            except ALLOWED:
                pass
    return returned


def seed(file: bytes, number: int) -> bytes:
    """An input with random calls on a file.

    >>> len(seed(b"ML", 1)) == 1 + 8 * seed(b"ML", 1)[0] + 2
    True
    """
    draws = random.Random(number)
    calls = draws.randint(1, 60)
    return bytes([calls]) + draws.randbytes(BYTES_FOR_CALL * calls) + file


def main(words: list[str]) -> None:
    """Runs the command line."""
    # Names of files are among the arguments.
    paths = [Path(word).resolve() for word in words[1:]]
    scratch = tempfile.mkdtemp()
    if words[:1] == ["--seeds"] and len(paths) > 1:
        paths[0].mkdir(parents=True, exist_ok=True)
        for number, path in enumerate(paths[1:]):
            (paths[0] / f"{number:04}-{path.stem}").write_bytes(seed(path.read_bytes(), number))
        return
    if words[:1] == ["--replay"] and paths:
        os.chdir(scratch)
        # Methods print, too.
        with open(os.devnull, "w", encoding="utf-8") as nowhere, redirect_stdout(nowhere):
            for path in paths:
                print(f"{path}: {run(path.read_bytes())} calls", file=sys.stderr)
        return
    import atheris  # type: ignore[import-untyped]

    # Only the Python part is covered; the extension is not instrumented.
    atheris.instrument_all()
    words = [word if word.startswith("-") else str(Path(word).resolve()) for word in words]
    os.chdir(scratch)
    atheris.Setup([sys.argv[0], *words], run)
    atheris.Fuzz()


if __name__ == "__main__":
    main(sys.argv[1:])
