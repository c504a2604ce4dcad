"""Random questions about data layout, and the answers of `mlir-opt` of LLVM 22.

A question is a module with specifications on one to three levels, and a type that is asked about inside.
Nothing here knows an answer. `mlir-opt` aborts where it has none, and takes what was asked beside along; such
batches are asked again in halves.
"""

import importlib.util
import os
import random
import re
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from support import oracles

_MAKER = Path(__file__).parents[1] / "data" / "layout" / "make_data_layout.py"
_BATCH = 48
_UNVERIFIED = "--mlir-very-unsafe-disable-verifier-on-parsing"


def _maker() -> ModuleType:
    """The script that makes the vectors: it knows the passes, and how to read the text that they print."""
    spec = importlib.util.spec_from_file_location("make_data_layout", _MAKER)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


MAKER = _maker()
os.environ.setdefault("LLVM_DISABLE_SYMBOLIZATION", "1")  # when it dies, it dies quickly


@dataclass(frozen=True, slots=True)
class Question:
    number: int
    text: str
    specs: tuple[str, ...]
    type: str


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer; or none, because the module was refused, perhaps by the parser, or the tool has died."""

    answer: dict[str, object] | None
    died: bool
    parsed: bool


def _numbers(rng: random.Random, least: int, most: int, *, size: bool) -> str:
    count = rng.randint(least, most)
    values = [rng.choice([8, 16, 32, 64, 64, 128, 24, 12, 256]) for _ in range(count)]
    if not size or count > 2:
        start = 1 if size else 0
        values[start:] = sorted(values[start:3]) + values[3:] if size else sorted(values)
    element = "i64"
    match rng.random():
        case x if x < 0.02:
            element = "i32"
        case x if x < 0.04:
            values.append(64)
        case x if x < 0.06:
            values.reverse()
        case x if x < 0.07:
            return "64 : i64"
        case x if x < 0.08:
            return f"array<i64: {', '.join(map(str, values))}>"
        case x if x < 0.10:
            element = "ui64"
        case x if x < 0.12:
            values[0] = 0
    form = rng.choice(["vector", "vector", "tensor"])
    return f"dense<[{', '.join(map(str, values))}]> : {form}<{len(values)}x{element}>"


_FLOATS = ["f16", "bf16", "f32", "f64", "f80", "f128", "tf32", "f8E5M2", "f4E2M1FN", "!llvm.ppc_fp128"]


def _entry(rng: random.Random) -> tuple[str, str]:
    def pointer_spec() -> str:
        size, abi = rng.choice([32, 64, 128]), rng.choice([8, 32, 64])
        preferred = rng.choice([abi, 64, 12])
        index = rng.choice(["", f", index = {rng.choice([16, 32])}"])
        return f"#ptr.spec<size = {size}, abi = {abi}, preferred = {preferred}{index}>"

    match rng.randrange(16):
        case 0 | 1 | 2:
            width = rng.choice([1, 8, 16, 24, 32, 64, 128])
            return rng.choice(["i", "i", "i", "si", "ui"]) + str(width), _numbers(rng, 1, 2, size=False)
        case 3 | 4:
            value = rng.choice(["32 : i32", "64", "16 : i16", "20 : i32", "8 : index", "true", "1.0 : f32"])
            return "index", value
        case 5 | 6:
            return rng.choice(_FLOATS), _numbers(rng, 1, 2, size=False)
        case 7 | 8:
            space = rng.choice(["", "<1>", "<3>"])
            if rng.random() < 0.3:
                return f"!llvm.ptr{space}", "dense<[64, 8, 64]> : vector<3xi64>"
            return f"!llvm.ptr{space}", _numbers(rng, 3, 4, size=True)
        case 9:
            key = rng.choice(["()", "()", "()", "packed ()", "(i8)"])
            return f"!llvm.struct<{key}>", _numbers(rng, 1, 2, size=False)
        case 10:
            space = rng.choice(["#ptr.generic_space", "#llvm.address_space<3>"])
            return f"!ptr.ptr<{space}>", pointer_spec()
        case 11:
            kind = rng.choice(["size", "alignment", "preferred", "index"])
            value = rng.choice([8, 16, 24, 77])
            return f"!test.test_type_with_layout<{rng.randrange(3)}>", f'["{kind}", {value}]'
        case 12:
            key = rng.choice(
                ["!llvm.array<2 x i8>", "!llvm.array<2 x i8>", "vector<2xi8>", "none", "!llvm.void"]
            )
            return key, "1"
        case 13:
            return '"dlti.endianness"', rng.choice(['"big"', '"little"', '"little"', '"middle"', "1"])
        case 14:
            space = rng.choice(["default", "alloca", "program", "global"])
            value = rng.choice(["5 : ui32", "3", '"space"', "#ptr.generic_space", "#llvm.address_space<3>"])
            return f'"dlti.{space}_memory_space"', value
        case _:
            return rng.choice(
                [
                    ('"dlti.stack_alignment"', rng.choice(["128 : i64", "64", "-1 : i8"])),
                    ('"dlti.mangling_mode"', '"e"'),
                    ('"dlti.legal_int_widths"', "array<i32: 8, 16, 32>"),
                    (
                        '"dlti.function_pointer_alignment"',
                        "#dlti.function_pointer_alignment<64, function_dependent = true>",
                    ),
                    ('"zzz.key"', rng.choice(["1", "2"])),
                    ('"plain"', rng.choice(["unit", "1"])),
                    ('"func.key"', "1"),
                    ('"dlti.other"', "1"),
                ]
            )


def _class(key: str) -> str:
    """The class of a key, on which `mlir-opt` crashes when two scopes have it."""
    if key.startswith('"'):
        return ""
    return "integer" if key.lstrip("su").startswith("i") and key != "index" else key


def _spec(rng: random.Random, outer: set[str]) -> str:
    entries = dict(_entry(rng) for _ in range(rng.choice([0, 1, 1, 2, 3, 5])))
    # Most nested scopes leave the classes of the scopes around them alone, as most other scopes have no
    # answer.
    if rng.random() < 0.9:
        entries = {key: value for key, value in entries.items() if _class(key) not in outer}
    outer.update(
        _class(key) for key in entries if _class(key) and not key.startswith(("!llvm.struct", "!test"))
    )
    return ", ".join(
        f"#dlti.dl_entry<{key}, {value}>" if rng.random() < 0.2 else f"{key} = {value}"
        for key, value in entries.items()
    )


def _scalar(rng: random.Random) -> str:
    match rng.randrange(8):
        case 0 | 1 | 2:
            width = rng.choice([1, 3, 7, 8, 9, 16, 17, 24, 31, 32, 33, 63, 64, 65, 100, 128, 200])
            return rng.choice(["i", "i", "i", "si", "ui"]) + str(width)
        case 3 | 4:
            return rng.choice(_FLOATS)
        case 5:
            return "index"
        case 6:
            return rng.choice(["!llvm.ptr", "!llvm.ptr<1>", "!llvm.ptr<3>", "!llvm.ptr<7>"])
        case _:
            return rng.choice(["!ptr.ptr<#ptr.generic_space>", "!ptr.ptr<#llvm.address_space<3>>"])


def _vector(rng: random.Random) -> str:
    element = _scalar(rng)
    shape = [str(rng.choice([1, 2, 3, 4, 5, 7, 8, 17])) for _ in range(rng.choice([1, 1, 1, 2, 3]))]
    if rng.random() < 0.2:
        place = rng.randrange(len(shape))
        shape[place] = f"[{shape[place]}]"
    return f"vector<{'x'.join(shape)}x{element}>"


def _type(rng: random.Random, depth: int = 0) -> str:
    match rng.randrange(14 if depth < 3 else 8):
        case 0 | 1 | 2 | 3:
            return _scalar(rng)
        case 4 | 5:
            return _vector(rng)
        case 6:
            element = rng.choice(["i3", "i8", "i17", "i64", "i128", "f16", "f32", "f64", "f80", "tf32"])
            return f"complex<{element}>"
        case 7:
            if rng.random() < 0.85:
                return f"!test.test_type_with_layout<{rng.randrange(4)}>"
            return rng.choice(
                ["memref<2xi8>", "!llvm.void", "none", "tuple<i8>", "vector<i8>", "!test.test_type"]
            )
        case 8 | 9:
            return f"!llvm.array<{rng.choice([0, 1, 2, 3, 10])} x {_type(rng, depth + 1)}>"
        case _:
            fields = ", ".join(_type(rng, depth + 1) for _ in range(rng.randrange(5)))
            name = f'"s{rng.randrange(10**9)}", ' if rng.random() < 0.15 and fields else ""
            packed = "packed " if rng.random() < 0.3 else ""
            return f"!llvm.struct<{name}{packed}({fields})>"


def questions(seed: int, count: int) -> list[Question]:
    """Questions that are the same for the same seed."""
    rng = random.Random(seed)
    generated = []
    for number in range(count):
        outer: set[str] = set()
        spec = MAKER.Raw(_spec(rng, outer)) if rng.random() < 0.9 else None
        layers = [MAKER.Layer(MAKER.MODULE, spec, ["gpu.container_module"])]
        for _ in range(rng.choice([0, 0, 1, 1, 2])):
            op = rng.choice([MAKER.MODULE, MAKER.GPU, MAKER.TESTOP])
            if layers[-1].op != MAKER.MODULE and op != MAKER.TESTOP:
                op = MAKER.TESTOP
            extra = ["gpu.container_module"] if op == MAKER.MODULE else []
            spec = MAKER.Raw(_spec(rng, outer)) if rng.random() < 0.8 else None
            layers.append(MAKER.Layer(op, spec, extra))
        queried_type = _type(rng)
        text, _ = MAKER.build(layers, queried_type)
        text = text.replace("module", f"module @case_{number}", 1)
        specs = tuple(MAKER.spec_text(layer.spec) for layer in layers if layer.spec is not None)
        generated.append(Question(number, text, specs, queried_type))
    return generated


def ask(batch: list[Question]) -> list[Reply]:
    """The replies of `mlir-opt` to all questions."""
    answers: dict[int, dict[str, object] | None] = {}
    for start in range(0, len(batch), _BATCH):
        _ask(batch[start : start + _BATCH], answers)
    refused = [question for question in batch if answers.get(question.number, {}) is None]
    # Printing text verifies again, writing bytecode does not.
    written = _run(refused, [_UNVERIFIED, "--verify-each=0", "--emit-bytecode"]).stdout
    parsed = {int(number) for number in re.findall(rb"case_(\d+)\0", written)}
    replies = []
    for question in batch:
        died = question.number not in answers
        answer = answers.get(question.number)
        replies.append(Reply(answer, died, died or answer is not None or question.number in parsed))
    return replies


def _run(batch: list[Question], args: list[str]) -> oracles.Output:
    text = "// -----\n".join(question.text for question in batch)
    return oracles.run_mlir_opt(22, ["--split-input-file", *args], text)


def _chunks(done: oracles.Output) -> dict[int, str]:
    chunks = done.stdout.decode().split("// -----")
    named = ((re.search(r"@case_(\d+)", chunk), chunk) for chunk in chunks)
    return {int(name[1]): chunk for name, chunk in named if name is not None}


def _ask(batch: list[Question], answers: dict[int, dict[str, object] | None]) -> None:
    done = _run(batch, [f"--pass-pipeline={MAKER.PIPELINE}"])
    if done.status < 0 or done.status >= 128 or "LLVM ERROR" in done.stderr:
        if len(batch) > 1:
            middle = len(batch) // 2
            _ask(batch[:middle], answers)
            _ask(batch[middle:], answers)
        return
    chunks = _chunks(done)
    for question in batch:
        chunk = chunks.get(question.number)
        answers[question.number] = None if chunk is None else MAKER.read_answer(chunk)


def bytecode(batch: list[Question]) -> bytes:
    """All questions in one module, not verified; it has no specification, and so changes nothing."""
    text = "module {\n" + "".join(question.text for question in batch) + "}\n"
    args = [_UNVERIFIED, "--verify-each=0", "--emit-bytecode"]
    return oracles.checked(oracles.run_mlir_opt(22, args, text))
