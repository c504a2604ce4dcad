"""Runs Python entry points in forked children: reads lines `{"entry": …, "path": …}`, answers one each."""

from __future__ import annotations

import json
import os
import resource
import sys

import mlirbc
import numpy as np  # noqa: F401 (so that no child imports it)
import pyarrow

from complexity.entry_points import ENTRY_POINTS
from complexity.limits import CPU_SECONDS, MEMORY


def main() -> None:
    # The first table imports much more.
    pyarrow.table(mlirbc.parse("module {}").ops_table())
    for line in sys.stdin:
        request = json.loads(line)
        print(json.dumps(_forked(request["entry"], request["path"])), flush=True)


def _forked(entry: str, path: str) -> dict[str, object]:
    back, forth = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(back)
        os.write(forth, json.dumps(_measured(entry, path)).encode())
        # Destructors of values that are as deep as the file have run by now.
        os._exit(0)
    os.close(forth)
    with os.fdopen(back, "rb") as pipe:
        answer = pipe.read()
    _, status, usage = os.wait4(child, 0)
    if answer:
        return dict(json.loads(answer))
    return {
        "status": f"signal {os.WTERMSIG(status)}" if os.WIFSIGNALED(status) else "no answer",
        "cpu": usage.ru_utime + usage.ru_stime,
        "memory": usage.ru_maxrss * 1024,
        "out": 0,
    }


def _measured(entry: str, path: str) -> dict[str, object]:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS + 1))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    before, status, out = resource.getrusage(resource.RUSAGE_SELF), "ok", 0
    try:
        out = ENTRY_POINTS[entry](path)
    except mlirbc.Error as error:
        status = error.identifier
    except Exception as error:
        status = type(error).__name__
    after = resource.getrusage(resource.RUSAGE_SELF)
    return {
        "status": status,
        "cpu": after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime,
        "memory": (after.ru_maxrss - before.ru_maxrss) * 1024,
        "out": out,
    }


if __name__ == "__main__":
    main()
