"""A build as a process that answers questions, and is started again when it ends over one."""

from __future__ import annotations

import subprocess
import threading
from pathlib import Path

from producers.fetch import Installed
from support.jaxlib_oracle import receive, send

PROGRAM = Path(__file__).with_name("bindings.py")
PATIENCE = 30.0
"""Seconds after which a build that does not answer is ended."""


class Refused(Exception):
    """The build refuses a module."""


class Crashed(Refused):
    """The build ends its process over a module, or does not answer."""


class Producer:
    """The bindings of an installed build."""

    def __init__(self, installed: Installed, log: Path) -> None:
        self.installed = installed
        self.log = log
        self.process: subprocess.Popen[bytes] | None = None
        self.empty = b""
        self._start()

    def products(self, data: bytes, *kinds: str) -> list[bytes]:
        """Products of a module, by the kinds of `bindings.py`."""
        process = self.process or self._start()
        assert process.stdin is not None
        assert process.stdout is not None
        timer = threading.Timer(PATIENCE, process.kill)
        timer.start()
        try:
            send(process.stdin, ",".join(kinds).encode())
            send(process.stdin, data)
            status = receive(process.stdout)
            count = len(kinds) if status == b"ok" else 1
            answers = [receive(process.stdout) for _ in range(count)] if status is not None else []
        except BrokenPipeError:
            status, answers = None, []
        finally:
            timer.cancel()
        parts = [answer for answer in answers if answer is not None]
        if status is None or len(parts) != count:
            self.close()
            raise Crashed("ends its process")
        if status != b"ok":
            raise Refused(parts[0].decode("utf-8", "replace"))
        return parts

    def close(self) -> None:
        """Ends the process; the next question starts another one."""
        if self.process is not None:
            self.process.kill()
            self.process.communicate()
            self.process = None

    def _start(self) -> subprocess.Popen[bytes]:
        command = [str(self.installed.python), str(PROGRAM), str(self.installed.site)]
        pipe = subprocess.PIPE
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=log)
        assert self.process.stdout is not None
        empty = receive(self.process.stdout)
        if empty is None:
            self.close()
            raise SystemExit(f"{self.installed.build.name} does not start: see {self.log}")
        self.empty = empty
        return self.process
