"""Asks the readers of a release whether they accept generated modules; see `scripts/smith-acceptance`.

Each module is a file. `mlir-opt` is a process for each file; `--server` asks `mlir-lsp-server` of the same
release instead, which reads many files in one process with the same reader and verifier, and is several times
faster; what it refuses or crashes on is asked of `mlir-opt`. jaxlib reads all files in this process.
"""

from __future__ import annotations

import argparse
import collections
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import IO, Any

from support import jaxlib_oracle

# The modules of one folder, which is deleted afterwards.
BATCH = 2000
SECONDS = 60

# The answer of a reader about a file; None if the reader accepts it.
Answer = str | None


def mlir_opt(program: str, path: Path) -> Answer:
    """Ask a process of its own."""
    command = [
        program,
        "--allow-unregistered-dialect",
        "--mlir-disable-threading",
        str(path),
        "-o",
        os.devnull,
    ]
    try:
        done = subprocess.run(
            command, capture_output=True, timeout=SECONDS, stdin=subprocess.DEVNULL, check=False
        )
    except subprocess.TimeoutExpired:
        return f"no answer in {SECONDS} seconds"
    if done.returncode == 0:
        return None
    errors = done.stderr.decode(errors="replace")
    match = re.search(r"error: (?:loc\(.*?\): )?('[\w.]+' op .*|.*)", errors)
    if match:
        return match[1]
    frame = re.search(r"#\d+ 0x\w+ (mlir::\S*|llvm::\S*)", errors)
    return f"status {done.returncode}: {frame[1] if frame else errors[:100]}"


class Server:
    """`mlir-lsp-server`, which is started again after a crash."""

    def __init__(self, program: str) -> None:
        self.program = program
        self.process: subprocess.Popen[bytes] | None = None
        self.number = 0

    def __call__(self, path: Path) -> Answer:
        """Ask for the text of a file."""
        try:
            if self.process is None:
                self.process = subprocess.Popen(
                    [self.program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
                )
                self.request("initialize", {"processId": None, "capabilities": {}, "trace": "off"})
            reply = self.request("mlir/convertFromBytecode", {"uri": path.as_uri()})
        except (OSError, EOFError):
            self.close()
            return "crashed"
        if "error" not in reply:
            return None
        message = str(reply["error"].get("message", "no message"))
        return message[:200]

    def request(self, method: str, parameters: dict[str, Any]) -> dict[str, Any]:
        """Send a request and wait for its reply."""
        process = self.process
        if process is None or process.stdin is None or process.stdout is None:
            raise EOFError
        self.number += 1
        body = json.dumps(
            {"jsonrpc": "2.0", "id": self.number, "method": method, "params": parameters}
        ).encode()
        process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        process.stdin.flush()
        while True:
            reply = message_of(process.stdout)
            if reply.get("id") == self.number and "method" not in reply:
                return reply

    def close(self) -> None:
        """End the process."""
        if self.process is not None:
            self.process.kill()
            self.process.communicate()
            self.process = None


def message_of(stream: IO[bytes]) -> dict[str, Any]:
    """Reads one message."""
    length = 0
    while True:
        line = stream.readline()
        if not line:
            raise EOFError
        if line == b"\r\n":
            message: dict[str, Any] = json.loads(stream.read(length))
            return message
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            length = int(value)


def jaxlib(path: Path) -> Answer:
    """Ask jaxlib, with all dialects that it registers."""
    oracle = jaxlib_oracle.find()
    if oracle is None:
        raise SystemExit("this Python cannot import jaxlib; set PYTHON to one that can")
    with oracle.context:
        try:
            oracle.ir.Module.parse(path.read_bytes())
        except (oracle.ir.MLIRError, ValueError) as error:
            match = re.search(r"error: (?:loc\(.*?\): )?('[\w.]+' op .*|.*)", str(error))
            return match[1] if match else str(error)[:200]
    return None


def ask_all(ask: Callable[[Path], Answer], paths: list[Path], workers: int) -> Iterator[tuple[Path, Answer]]:
    """Ask about each file, several at the same time."""
    with ThreadPoolExecutor(workers) as pool:
        yield from zip(paths, pool.map(ask, paths), strict=True)


def ask_servers(number: str, paths: list[Path], workers: int) -> Iterator[tuple[Path, Answer]]:
    """Ask some servers about a part of the files each."""

    def part(worker: int) -> list[tuple[Path, Answer]]:
        server = Server(f"mlir-lsp-server-{number}")
        answers = [
            (path, mlir_opt(f"mlir-opt-{number}", path) if server(path) else None)
            for path in paths[worker::workers]
        ]
        server.close()
        return answers

    with ThreadPoolExecutor(workers) as pool:
        for answers in pool.map(part, range(workers)):
            yield from answers


def batches(options: argparse.Namespace) -> Iterator[list[Path]]:
    """Folders of modules, each generated when the one before it is done."""
    for first in range(options.seed, options.seed + options.count, BATCH):
        count = min(BATCH, options.seed + options.count - first)
        with tempfile.TemporaryDirectory(prefix="smith-") as folder:
            command = [options.generator, options.generated_release, str(first), str(count), folder]
            output = subprocess.run(
                [*command, *options.dialect], capture_output=True, text=True, check=True
            ).stdout
            for line in output.splitlines():
                print(f"not generated: {line}")
            yield sorted(Path(folder).iterdir())


def kind_of(answer: str) -> str:
    """Return the message without numbers, which differ between modules."""
    return re.sub(r"\d+", "N", answer)[:160]


def report(release: str, asked: Iterable[tuple[Path, Answer]], keep: Path | None) -> collections.Counter[str]:
    """Count the answers, and print them."""
    versions: dict[str, list[int]] = {}
    refused: collections.Counter[str] = collections.Counter()
    first: dict[str, str] = {}
    for path, answer in asked:
        version = path.stem.rpartition("-")[2]
        counts = versions.setdefault(version, [0, 0])
        counts[1] += 1
        counts[0] += answer is None
        if answer is not None:
            refused[kind_of(answer)] += 1
            first.setdefault(kind_of(answer), path.stem)
            if keep is not None:
                keep.mkdir(parents=True, exist_ok=True)
                (keep / path.name).write_bytes(path.read_bytes())
    accepted = sum(counts[0] for counts in versions.values())
    total = sum(counts[1] for counts in versions.values())
    print(f"{release}: {accepted} of {total} modules accepted")
    for version, (some, all_of_them) in sorted(versions.items()):
        print(f"  {version}: {some} of {all_of_them}")
    for message, count in refused.most_common():
        print(f"  {count}\t{first[message]}\t{message}")
    return refused


def main() -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="scripts/smith-acceptance", description=__doc__)
    parser.add_argument("--generator", required=True, help=argparse.SUPPRESS)
    parser.add_argument(
        "--release", action="append", help="llvm-16, llvm-19, llvm-22 or jaxlib-0.10; may be repeated"
    )
    parser.add_argument("--count", type=int, default=1000, help="modules for each release")
    parser.add_argument("--seed", type=int, default=0, help="the first seed")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="processes at the same time")
    parser.add_argument("--server", action="store_true", help="ask mlir-lsp-server instead of mlir-opt")
    parser.add_argument("--keep", type=Path, help="keep the modules that are refused in this folder")
    parser.add_argument(
        "--dialect", action="append", default=[], help="only operations of this dialect; may be repeated"
    )
    options = parser.parse_args()
    is_complete = True
    for release in options.release or ["llvm-19", "llvm-22"]:
        options.generated_release = release
        number = release.rpartition("-")[2]

        def asked(release: str = release, number: str = number) -> Iterator[tuple[Path, Answer]]:
            for paths in batches(options):
                if release == "jaxlib-0.10":
                    yield from ((path, jaxlib(path)) for path in paths)
                elif options.server:
                    yield from ask_servers(number, paths, options.workers)
                else:
                    yield from ask_all(
                        lambda path: mlir_opt(f"mlir-opt-{number}", path), paths, options.workers
                    )

        is_complete &= not report(release, asked(), options.keep)
    return 0 if is_complete else 1


if __name__ == "__main__":
    sys.exit(main())
