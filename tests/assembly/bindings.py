"""Answers questions about texts and bytecode with the bindings of jaxlib or IREE that its interpreter has.

Run as a program, with nothing of this repository but `support.jaxlib_oracle`: a question and its data are
read from standard input, and `ok` or `refused` and the answer are written to standard output, each after its
length.
"""

from __future__ import annotations

import io
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from support import jaxlib_oracle
from support.jaxlib_oracle import receive, send


def context() -> tuple[Any, Any]:
    """The module `ir` of the bindings, and a context with all dialects."""
    try:
        from iree.compiler import ir
    except ImportError:
        found = jaxlib_oracle.find()
        if found is None:
            raise SystemExit("neither jaxlib nor iree-base-compiler is installed") from None
        return found.ir, found.context
    made = ir.Context()
    made.allow_unregistered_dialects = True
    made.load_all_available_dialects()
    return ir, made


def answer(module: Any, question: bytes) -> bytes:
    out = io.BytesIO()
    if question == b"bytecode":
        module.operation.write_bytecode(out)
    else:
        module.operation.print(file=out, binary=True, print_generic_op_form=question == b"generic")
    return out.getvalue()


def serve() -> None:
    ir, made = context()
    made.enable_multithreading(False)
    questions, answers = sys.stdin.buffer, sys.stdout.buffer
    with made:
        while (question := receive(questions)) is not None and (data := receive(questions)) is not None:
            try:
                found = b"ok", answer(ir.Module.parse(data), question)
            except Exception as error:
                found = b"refused", str(error).encode("utf-8", "replace")
            for part in found:
                send(answers, part)


if __name__ == "__main__":
    serve()
