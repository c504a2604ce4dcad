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
        oracle = jaxlib_oracle.find()
        if oracle is None:
            raise SystemExit("neither jaxlib nor iree-base-compiler is installed") from None
        return oracle.ir, oracle.context
    mlir_context = ir.Context()
    mlir_context.allow_unregistered_dialects = True
    mlir_context.load_all_available_dialects()
    return ir, mlir_context


def answer(module: Any, question: bytes) -> bytes:
    out = io.BytesIO()
    if question == b"bytecode":
        module.operation.write_bytecode(out)
    else:
        module.operation.print(file=out, binary=True, print_generic_op_form=question == b"generic")
    return out.getvalue()


def serve() -> None:
    ir, mlir_context = context()
    mlir_context.enable_multithreading(False)
    questions, answers = sys.stdin.buffer, sys.stdout.buffer
    with mlir_context:
        while (question := receive(questions)) is not None and (data := receive(questions)) is not None:
            try:
                reply = b"ok", answer(ir.Module.parse(data), question)
            except Exception as error:
                reply = b"refused", str(error).encode("utf-8", "replace")
            for part in reply:
                send(answers, part)


if __name__ == "__main__":
    serve()
